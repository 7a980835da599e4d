# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true
#
# What a web application does all day: JSON there and back, hashes, strings,
# sorting.  Prints the CPU seconds that it took.

require "json"

def document(rounds)
  (0...40).map do |i|
    { "id" => i, "name" => "name number #{i} of round #{rounds}",
      "tags" => (0...6).map { |tag| "tag-#{tag}-#{i}" },
      "text" => "some more words " * 8, "nested" => { "price" => i * 1.5 } }
  end
end

def words(rounds)
  counts = Hash.new(0)
  text = "the quick brown fox jumps over the lazy dog #{rounds} "
  (text * 20).split.each { |word| counts[word.upcase] += 1 }
  counts.sort_by { |word, count| [-count, word] }.map(&:join).join(",")
end

def work(scale)
  scale.times do |round|
    back = JSON.parse(JSON.generate(document(round)))
    back.group_by { |entry| entry["tags"].first.length }
        .transform_values { |list| list.map { |entry| entry["name"] }.sort }
    words(round).gsub(/[aeiou]/) { |vowel| vowel * 2 }.tr("a-z", "A-Z")
  end
end

work((ARGV[0] || 100).to_i)
puts format("%.3f", Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID))
