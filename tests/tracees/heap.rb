# SPDX-License-Identifier: LGPL-2.1-or-later
#
# Ruby that knows which of its lines allocates what.  Prints
# [count, size, file, line] for each of them, once for a process.

COUNTS = Hash.new(0)

# A String of size bytes is one block of size + 1.
def expect(count, size, line, file = __FILE__)
  COUNTS[[size + 1, file, line]] += count
end

def print_expected
  p(COUNTS.map { |key, count| [count, *key] })
  $stdout.flush
end

KEPT = []

def plain
  expect(100, 5000, __LINE__ + 1)
  100.times { KEPT << "x" * 5000 }
end

def fibers
  expect(50, 3000, __LINE__ + 2)
  fiber = Fiber.new do
    50.times { KEPT << "y" * 3000 }
  end
  fiber.resume
  enumerator = Enumerator.new { |y| 3.times { y << "y" * 3100 } }
  expect(3, 3100, __LINE__ - 1)
  3.times { enumerator.next }
end

def threads
  expect(4 * 25, 7000, __LINE__ + 3)
  # More than once, so that native threads are used again.
  2.times do
    2.times.map { Thread.new { 25.times { KEPT << "z" * 7000 } } }
           .each(&:join)
  end
end

def evaluated
  name = "evil\"<&>;\n,name.rb"
  expect(30, 4000, 77, name)
  eval("30.times { KEPT << 'e' * 4000 }", binding, name, 77)
  # What is too long is cut off.
  expect(20, 4100, 3, "p" * 4095)
  eval("20.times { KEPT << 'e' * 4100 }", binding, "p" * 20_000, 3)
end

# Array#pack, as others, is written in Ruby: the line is that of the caller.
def internal
  40.times { KEPT << ["x"].pack("a9100") }
  p __LINE__ - 1
end

def ractors
  expect(2 * 13, 8000, __LINE__ + 2)
  2.times.map do
    Ractor.new { 13.times.map { "r" * 8000 } }
  end.each(&:take)
end

def forked
  pid = fork do
    COUNTS.clear
    expect(11, 6000, __LINE__ + 1)
    11.times { KEPT << "c" * 6000 }
    print_expected
    exit!
  end
  Process.wait(pid)
end

def all
  plain
  fibers
  threads
  evaluated
end

def unlocked
  require "zlib"
  text = "abcdefghij" * 100_000
  3.times { Zlib::Inflate.inflate(Zlib::Deflate.deflate(text)) }
  p __LINE__ - 1
end

# Each evaluated file is another one.
def many(count)
  count.times { |i| eval("KEPT << 'm' * 2000", nil, "file #{i}") }
end

def stress
  GC.stress = true
  all
  GC.stress = false
end

def compact
  GC.auto_compact = true if GC.respond_to?(:auto_compact=)
  20.times do |i|
    eval("def moves#{i}; 5.times { KEPT << 'm' * 2500 }; end", nil,
         "moved#{i}")
    send("moves#{i}")
    GC.start
    GC.compact if GC.respond_to?(:compact)
    send("moves#{i}")
    expect(10, 2500, 1, "moved#{i}")
    Object.remove_method("moves#{i}")
    KEPT.clear
  end
end

def outer
  inner
end

def inner
  KEPT << "s" * 5500
end

# Threads and ractors that come and go, with collections meanwhile.
def churn
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 60
  60.times do |i|
    list = 8.times.map { Thread.new { Array.new(20) { "t" * 900 } } }
    list << Ractor.new { Array.new(20) { "t" * 900 } } if (i % 4).zero?
    GC.compact if (i % 20).zero?
    list.each { |item| item.is_a?(Thread) ? item.join : item.take }
    break if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
  end
  puts "done"
end

case ARGV[0]
when "many" then many(ARGV[1].to_i)
when "stacks"
  outer
  p __LINE__ - 1
when "churn" then churn
when "unlocked" then unlocked
when "internal" then internal
when "exec"
  plain
  print_expected
  exec("true")
else
  send(ARGV[0])
  print_expected
end
