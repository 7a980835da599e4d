# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true

module Mwrap
  # The pages that Ruby's objects are in.  Ruby maps them itself, so that no
  # malloc tells when one comes and goes: what is known of them is what has
  # changed between two looks.  Each call looks.
  class HeapPageBody
    SIZE = GC::INTERNAL_CONSTANTS[:HEAP_PAGE_SIZE] || (1 << 14)
    private_constant :SIZE

    @lock = Mutex.new
    @born = {}
    @died = {}
    @lives = []
    @deaths = []

    class << self
      # Yields the address of each page, and the GC.count of when it was first
      # seen.
      def each(&block)
        return enum_for(:each) unless block

        look.each(&block)
        self
      end

      # How many collections pages have been in use, until they were no longer,
      # and out of use, until they were again; that is how often there were
      # "resurrects".  Minimum -1 and mean Infinity: there was none.
      def stat(hash = {})
        look
        @lock.synchronize do
          describe(hash, "lifespan", @lives)
          describe(hash, "deathspan", @deaths)
          hash[:resurrects] = @deaths.size
        end
        hash
      end

      private

      def look
        pages = addresses.map { |address| address & -SIZE }
        now = GC.count
        @lock.synchronize do
          (@born.keys - pages).each do |page|
            @lives << now - @born.delete(page)
            @died[page] = now
          end
          (pages - @born.keys).each do |page|
            died = @died.delete(page)
            @deaths << now - died if died
            @born[page] = now
          end
          @born.to_a
        end
      end

      def describe(hash, name, spans)
        mean = spans.empty? ? Float::INFINITY : spans.sum.fdiv(spans.size)
        squares = spans.sum { |span| (span - mean)**2 }
        hash[:"#{name}_max"] = spans.max || 0
        hash[:"#{name}_min"] = spans.min || -1
        hash[:"#{name}_mean"] = mean
        hash[:"#{name}_stddev"] =
          spans.empty? ? Float::INFINITY : Math.sqrt(squares / spans.size)
      end
    end
    private_class_method :addresses, :new
  end
end
