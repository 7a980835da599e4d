#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tracer-heap counts allocations by the lines of a Python program."""

import json
import os
import sys

from tap import TOP_SRCDIR, TRACER, done, is_eq, ok, run, skip_all, tmpfile

if sys.version_info[:2] != (3, 11):
    skip_all('the lines of this Python are not known')

HEAP = os.path.join(os.path.dirname(os.path.abspath(TRACER)), 'tracer-heap')
PROGRAM = os.path.join(TOP_SRCDIR, 'tests', 'tracees', 'heap.py')


def counted(what, stacks=0, malloc='pymalloc'):
    """Runs the program: its processes, and what it says of its lines."""
    report = tmpfile('report')
    env = {'PYTHONMALLOC': malloc, 'PYTHONUTF8': '1'}
    options = ('--stacks=%d' % stacks,) if stacks else ()
    result = run((HEAP, '--format=json', '-o', report) + options
                 + (sys.executable, '-S', PROGRAM, what), env=env)
    if not is_eq((result.status, result.stderr), (0, ''),
                 'status and messages of %s' % what):
        done()
    with open(report) as file:
        return json.load(file)['processes'], json.loads(result.stdout)


def lines(process):
    """(allocations, bytes) of each (file, line)."""
    sums = {}
    for site in process['sites']:
        if site['language'] == 'python' and site['kind'] == 'malloc':
            key = site['file'], site['line']
            before = sums.get(key, (0, 0))
            sums[key] = (before[0] + site['allocations'],
                         before[1] + site['bytes'])
    return sums


# What a line does besides: lists that grow, and small objects.
MORE = 30000


def check(process, expected, name):
    """A line has at least the blocks that the program says, and not much
    more."""
    got = lines(process)
    wrong = []
    for count, size, path, line in expected:
        allocations, total = got.get((path, line), (0, 0))
        if allocations < count or not 0 <= total - count * size < MORE:
            wrong.append('%r:%d: %d blocks, %d bytes; want %d of %d' % (
                path, line, allocations, total, count, size))
    ok(expected and not wrong, name, *wrong)


for allocator in 'pymalloc', 'malloc':
    for depth in 0, 16:
        processes, said = counted('all', depth, allocator)
        is_eq(len(processes), 1, 'one process')
        check(processes[0], said, 'functions, generators, evaluated code, '
              'threads: %s, %d frames' % (allocator, depth))
        with open(PROGRAM) as file:
            late = 1 + file.read().split('\n').index(
                '        self.block = bytearray(14000)')
        is_eq(lines(processes[0]).get((said[0][2], late), (0, 0))[1] // 14001,
              1, 'a line that runs when Python ends')

    processes, said = counted('forked', 0, allocator)
    is_eq(len(processes), 2, 'a process and its fork')
    check(processes[1], said, 'lines of the fork')
    is_eq(lines(processes[0]).get((said[0][2], said[0][3])), None,
          'they are not the parent\'s')
done()
