# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true

require "test/unit"
require "mwrap"
require "mwrap_rack"
require "rack"
require "rack/mock"
require "tempfile"

# Blocks of sizes that nothing else has, at lines that are known.
class TestMwrap < Test::Unit::TestCase
  def keep(count, size)
    list = Array.new(count)
    line = __LINE__ + 1
    count.times { |i| list[i] = "k" * size }
    [list, "#{__FILE__}:#{line}"]
  end

  def test_each
    list, name = keep(10, 123_456)
    rows = {}
    Mwrap.each(1_000_000) { |location, *values| rows[location] = values }
    total, allocations, frees, ages, max = rows.fetch(name)
    assert_operator(total, :>=, 10 * 123_457)
    assert_operator(allocations, :>=, 10)
    assert_operator(frees, :<=, allocations)
    assert_kind_of(Integer, ages)
    assert_kind_of(Integer, max)
    assert_equal(10, list.size)
    assert(rows.values.all? { |values| values[0] > 1_000_000 })
    assert_kind_of(Enumerator, Mwrap.each)
  end

  def test_source_location
    list, name = keep(7, 54_321)
    location = Mwrap[name]
    assert_instance_of(Mwrap::SourceLocation, location)
    assert_equal(name, location.name)
    assert(location.name.frozen?)
    assert_equal(7, location.each.count { |size, _| size == 54_322 })
    assert(location.each.all? { |_, generation| generation <= GC.count })
    assert_operator(location.total, :>=, 7 * 54_322)
    assert_operator(location.allocations, :>=, 7)
    assert_kind_of(Integer, location.frees)
    list.each(&:clear)
    assert_equal(0, location.each.count { |size, _| size == 54_322 })
    assert_nil(Mwrap["no such file:1"])
    assert_nil(Mwrap[""])
    assert_raise(NoMethodError) { Mwrap::SourceLocation.new }
  end

  # A block of its own line, so that nothing else changes its spans.
  def test_lifespans
    before = GC.count
    string = eval('"l" * 200_000', nil, "lifespan", 1)
    assert_equal(Float::INFINITY, Mwrap["lifespan:1"].mean_lifespan)
    generation = Mwrap["lifespan:1"].each.map { |_, born| born }.max
    assert_includes(before..GC.count, generation)
    3.times { GC.start }
    string.clear
    location = Mwrap["lifespan:1"]
    assert_includes(3..(GC.count - before), location.max_lifespan)
    assert_equal(location.max_lifespan.to_f, location.mean_lifespan)
  end

  def test_totals
    allocated = Mwrap.total_bytes_allocated
    freed = Mwrap.total_bytes_freed
    string = "t" * 1_000_000
    assert_operator(Mwrap.total_bytes_allocated, :>=, allocated + 1_000_001)
    string.clear
    assert_operator(Mwrap.total_bytes_freed, :>=, freed + 1_000_001)
  end

  def test_reset
    list, name = keep(3, 777_777)
    assert_nil(Mwrap.reset)
    assert_nil(Mwrap.clear)
    assert_operator(Mwrap.total_bytes_allocated, :<, 700_000)
    assert_not_include(Mwrap.each.map { |text, *| text }, name)
    assert_equal(0, Mwrap[name].total)
    assert_equal(3, Mwrap[name].each.count { |size, _| size == 777_778 })
    assert_equal(3, list.size)
  end

  def test_quiet
    kept = nil
    depths = []
    value = Mwrap.quiet do |depth|
      depths << depth
      Mwrap.quiet { |more| depths << more }
      kept = eval('"q" * 900_000', nil, "quiet", 1)
      :value
    end
    assert_equal([1, 2], depths)
    assert_equal(:value, value)
    assert_nil(Mwrap["quiet:1"])
    assert_raise(RuntimeError) { Mwrap.quiet { raise "error" } }
    Mwrap.quiet { |depth| assert_equal(1, depth) }
    assert_equal(900_000, kept.size)
  end

  def test_dump
    list, name = keep(2, 456_789)
    Tempfile.create("mwrap") do |file|
      assert_nil(Mwrap.dump(file, 900_000))
      lines = File.readlines(file.path, chomp: true)
      line = lines.find { |text| text.end_with?(" #{name}") }
      assert_match(/\A *\d+ +\d+ /, line)
      assert(lines.all? { |text| text.split.first.to_i > 900_000 })
    end
    assert_raise(TypeError) { Mwrap.dump(:no_file) }
    assert_equal(2, list.size)
  end

  def test_address
    name = Mwrap.each.map { |text, *| text }.grep(/\[0x\h+\]\z/).first
    assert_equal(name, Mwrap[name].name)
    assert_equal(name, Mwrap["other words #{name[/\[0x\h+\]/]}"].name)
  end

  def test_heap_pages
    pages = Mwrap::HeapPageBody.each.to_a
    assert_operator(pages.size, :>, 1)
    assert(pages.all? { |_, generation| generation <= GC.count })
    assert_equal(%i[lifespan_max lifespan_min lifespan_mean lifespan_stddev
                    deathspan_max deathspan_min deathspan_mean
                    deathspan_stddev resurrects], Mwrap::HeapPageBody.stat.keys)
  end

  def get(path)
    Rack::MockRequest.new(Rack::Lint.new(MwrapRack.new)).get(path)
  end

  def test_rack_index
    response = get("/")
    assert_equal(200, response.status)
    assert_match(/Current generation: \d+/, response.body)
    assert_include(response.headers["cache-control"], "no-cache")
    assert_include(response.body, "each/2000")
    assert_equal(404, get("/nothing").status)
    assert_equal(405, Rack::MockRequest.new(MwrapRack.new).post("/").status)
    assert_equal(200, get("/heap_pages").status)
  end

  def test_rack_each
    kept = eval('"r" * 700_000', nil, "<script>&\"evil", 1)
    big = eval('"r" * 50_000_000', nil, "biggest", 1)
    body = get("/each/500000").body
    assert_not_include(body, "<script>")
    link = body[%r{href="\.\./at/(%3Cscript%3E[^"]*)"}, 1]
    assert_include(body, "&lt;script&gt;&amp;&quot;evil:1")
    assert_operator(body.index("biggest"), :<, body.index("&lt;script"))
    sorted = get("/each/500000?sort=location").body
    assert_operator(sorted.index("biggest"), :>, sorted.index("&lt;script"))
    assert_equal(200, get("/each/500000?sort=bad").status)
    at = get("/at/#{link}")
    assert_equal(200, at.status)
    assert_include(at.body, "<td>700001</td>")
    assert_not_include(at.body, "<script>")
    assert_equal(404, get("/at/nowhere%3A1").status)
    assert_equal(404, get("/at/%00").status)
    assert_equal([700_000, 50_000_000], [kept.size, big.size])
  end
end
