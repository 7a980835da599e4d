# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true

require "mwrap"
require "cgi"

# A Rack application that shows what the process has allocated:
#
#   map("/MWRAP") { run(MwrapRack.new) }
#
# /each/N shows the locations with more than N bytes, sorted by ?sort=COLUMN;
# /at/LOCATION, what is alive of one; /heap_pages, the pages of Ruby's objects.
class MwrapRack
  COLUMNS = %w[total allocations frees mean_life max_life location].freeze
  private_constant :COLUMNS

  def call(env)
    Mwrap.quiet { respond(env) }
  end

  private

  def respond(env)
    return page(405, "Method not allowed", "") unless
      %w[GET HEAD].include?(env["REQUEST_METHOD"])

    case env["PATH_INFO"]
    when "", "/" then index(env)
    when %r{\A/each/(\d+)\z} then each(env, Regexp.last_match(1).to_i)
    when %r{\A/at/(.+)\z}m then at(CGI.unescape(Regexp.last_match(1)))
    when "/heap_pages" then heap_pages
    else not_found
    end
  end

  def index(env)
    links = %w[each/2000 heap_pages].map do |path|
      "<li><a href=\"#{escape(env['SCRIPT_NAME'])}/#{path}\">#{path}</a></li>"
    end
    page(200, "mwrap", "<ul>#{links.join}</ul>")
  end

  def each(env, min)
    sort = CGI.parse(env["QUERY_STRING"].to_s)["sort"].first
    sort = "total" unless COLUMNS.include?(sort)
    rows = locations(min)
    column = COLUMNS.index(sort)
    rows = rows.sort_by { |row| row[column] }
    rows.reverse! unless sort == "location"
    page(200, "Mwrap.each(#{min})",
         table(headings(min), rows.map { |row| cells(row) }))
  end

  def locations(min)
    rows = []
    Mwrap.each(min) do |location, total, allocations, frees, ages, max_life|
      mean_life = frees.zero? ? Float::INFINITY : ages.fdiv(frees)
      rows << [total, allocations, frees, mean_life, max_life,
               location.scrub.encode("UTF-8", undef: :replace,
                                              invalid: :replace), location]
    end
    rows
  end

  # The address of this page is .../each/MIN, so that these are beside it.
  def headings(min)
    COLUMNS.map { |name| "<a href=\"#{min}?sort=#{name}\">#{name}</a>" }
  end

  def cells(row)
    total, allocations, frees, mean_life, max_life, text, name = row
    link = "<a href=\"../at/#{CGI.escape(name)}\">#{escape(text)}</a>"
    [total, allocations, frees, format("%.3f", mean_life), max_life, link]
  end

  def at(name)
    location = name.include?("\0") ? nil : Mwrap[name]
    return not_found unless location

    live = location.each.sort_by { |_, generation| generation }
    title = "live allocations at #{escape(name.scrub)}"
    page(200, title, table(%w[size generation], live))
  end

  def heap_pages
    stat = Mwrap::HeapPageBody.stat.map { |key, value| [key, value] }
    pages = Mwrap::HeapPageBody.each.map do |address, generation|
      [format("0x%x", address), generation]
    end
    page(200, "heap pages", table(%w[statistic value], stat) +
                            table(%w[address generation], pages))
  end

  def not_found
    page(404, "Not found", "")
  end

  # Headings and cells are HTML already.
  def table(headings, rows)
    lines = rows.map { |row| "<tr><td>#{row.join('</td><td>')}</td></tr>\n" }
    "<table><tr><th>#{headings.join('</th><th>')}</th></tr>\n" \
      "#{lines.join}</table>"
  end

  def page(status, title, body)
    html = "<!DOCTYPE html><html><head><meta charset=\"utf-8\">" \
           "<title>#{title}</title></head><body><h1>#{title}</h1>" \
           "<p>Current generation: #{GC.count}</p>\n#{body}</body></html>\n"
    [status, headers(html), [html]]
  end

  def headers(html)
    {
      "content-type" => "text/html; charset=UTF-8",
      "content-length" => html.bytesize.to_s,
      "cache-control" => "no-cache, no-store, must-revalidate",
      "pragma" => "no-cache",
      "expires" => "Fri, 01 Jan 1980 00:00:00 GMT"
    }
  end

  def escape(text)
    CGI.escapeHTML(text.to_s)
  end
end
