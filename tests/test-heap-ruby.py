#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tracer-heap counts allocations by the lines of a Ruby program."""

import json
import os

from tap import (TOP_SRCDIR, TRACER, done, is_eq, need, note, ok, run,
                 skip_all, tmpfile)

need('ruby')

HEAP = os.path.join(os.path.dirname(os.path.abspath(TRACER)), 'tracer-heap')
PROGRAM = os.path.join(TOP_SRCDIR, 'tests', 'tracees', 'heap.rb')


def counted(*args, stacks=0):
    """Runs the program: its processes, and what it says of each."""
    report = tmpfile('report')
    env = {'TRACER_HEAP_STACKS': str(stacks)} if stacks else {}
    result = run((HEAP, '--format=json', '-o', report, 'ruby', '-W0',
                  '--disable=gems', PROGRAM) + args, env=env)
    if not is_eq((result.status, result.stderr), (0, ''),
                 'status and messages of %s%s'
                 % (args[0], ' with stacks' * bool(stacks))):
        done()
    with open(report) as file:
        processes = json.load(file)['processes']
    return processes, [json.loads(line) for line in
                       result.stdout.splitlines() if line[:1] in '[0123456789']


def lines(process):
    """(allocations, bytes) of each (file, line, without the lock)."""
    sums = {}
    for site in process['sites']:
        if (site['language'] == 'ruby' and 'file' in site
                and site['kind'] == 'malloc'):
            key = site['file'], site['line'], site.get('unlocked', False)
            before = sums.get(key, (0, 0))
            sums[key] = (before[0] + site['allocations'],
                         before[1] + site['bytes'])
    return sums


# What a line does besides: arrays that grow, what threads and ractors take.
MORE = 120000


def check(process, expected, name):
    """A line has at least the blocks that the program says, and not much
    more."""
    got = lines(process)
    wrong = []
    for count, size, path, line in expected:
        allocations, total = got.get((path, line, False), (0, 0))
        if allocations < count or not 0 <= total - count * size < MORE:
            wrong.append('%r:%d: %d blocks, %d bytes; want %d and %d' % (
                path[:60], line, allocations, total, count, count * size))
    ok(expected and not wrong, name, *wrong)


processes, said = counted('all')
if not lines(processes[0]):
    skip_all('this Ruby does not tell its lines')
is_eq(len(processes), 1, 'one process')
check(processes[0], said[0], 'lines, fibers, threads, evaluated code')
evil = [site for site in processes[0]['sites']
        if site.get('file', '').startswith('evil')]
is_eq([(site['allocations'], site['bytes'], site['live_blocks'])
       for site in evil], [(30, 30 * 4001, 30)],
      'a line that makes strings only makes as many')
is_eq({site.get('function') for site in evil}, {None},
      'a line is no function')
processes, said = counted('all', stacks=64)
check(processes[0], said[0], 'the same with whole stacks')

for name in 'stress', 'compact', 'ractors':
    processes, said = counted(name)
    check(processes[0], said[0], name)
    processes, said = counted(name, stacks=64)
    check(processes[0], said[0], name + ' with whole stacks')
processes, said = counted('stress')
collector = [site for site in processes[0]['sites']
             if site.get('function') == '(gc)' and site['kind'] == 'malloc']
is_eq(len(collector), 1, 'what the collector allocates is its own')

processes, said = counted('internal')
found = lines(processes[0])
ok(found.get((PROGRAM, said[0], False), (0, 0))[1] > 40 * 9100 and
   not any(path.startswith('<internal:pack') for path, _, _ in found),
   'a method of Ruby\'s own counts for the line that calls it', found)

processes, said = counted('forked')
is_eq(len(processes), 2, 'a process and its fork')
check(processes[1], said[0], 'lines of the fork')
is_eq(lines(processes[0]).get((PROGRAM, said[0][0][3], False)), None,
      'they are not the parent\'s')

processes, said = counted('exec')
is_eq(len(processes), 2, 'a process, and what it became')
check(processes[0], said[0], 'lines before exec')
is_eq(lines(processes[1]), {}, 'none after')

# zlib works without the lock, and there takes the most memory.
for stacks in 0, 64:
    processes, said = counted('unlocked', stacks=stacks)
    found = lines(processes[0])
    _, total = found.get((PROGRAM, said[0], True), (0, 0))
    ok(total > 3 * 1000 * 1000, 'what is allocated without the lock, '
       + ('with' if stacks else 'without') + ' stacks', found)

processes, said = counted('many', '70000')
files = [key for key in lines(processes[0]) if key[0].startswith('file ')]
other = [site for site in processes[0]['sites']
         if 'file' not in site and 'module' not in site
         and site.get('function') != '(gc)' and site['kind'] == 'malloc']
ok(len(files) > 60000, 'many files', len(files))
note('%d files' % len(files))
# Besides, what Ruby itself allocates in places that come after them.
besides = sum(site['allocations'] for site in other) - (70000 - len(files))
ok(0 <= besides < 100, 'what has no room is counted in another row', besides)

for stacks in 0, 64:
    counted('churn', stacks=stacks)
done()
