#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What the preloaded library must live through, and what reads its states."""

import glob
import json
import os
import random
import re
import shutil
import tempfile

from tap import (SANITIZED, TRACER, done, is_eq, like, ok, run, skip, tmpdir,
                 tmpfile, tracee)

HEAP = os.path.join(os.path.dirname(os.path.abspath(TRACER)), 'tracer-heap')
LIBRARY = os.path.join(os.path.dirname(HEAP), 'heap', 'libtracer-heap.so')
PROGRAM = tracee('heap-hazards')
X86_64 = os.uname().machine == 'x86_64'


def heap(*args, **more):
    return run((HEAP,) + args, **more)


def counted(*args, status=0, **more):
    path = tmpfile('report')
    result = heap('--format=json', '-o', path, *args, **more)
    is_eq(result.status, status, 'status of ' + args[-1])
    with open(path) as file:
        report = json.load(file)
    os.unlink(path)
    return report['processes'], result


def by_function(process, kind='malloc'):
    sums = {}
    for site in process['sites']:
        if site['kind'] == kind:
            name = site.get('function', '?').split('(')[0]
            before = sums.get(name, (0, 0))
            sums[name] = (before[0] + site['allocations'],
                          before[1] + site['frees'])
    return sums


# ---- signals, no memory, children ----

for options in [], ['--stacks', '--sample=1'], ['--sample-only',
                                                '--sample=1']:
    name = ' '.join(options) or 'exactly'
    processes, result = counted(*options, PROGRAM, 'signals')
    allocated, handled = map(int, result.stdout.split())
    if '--sample-only' not in options:
        is_eq(by_function(processes[0])['allocates'], (allocated, allocated),
              'signals interrupt malloc, counted ' + name)
    is_eq(by_function(processes[0], 'mmap')['on_timer'], (handled, handled),
          'and their handlers map memory')

    processes, result = counted(*options, PROGRAM, 'exhausts')
    number = int(result.stdout)
    if '--sample-only' not in options:
        is_eq(by_function(processes[0])['takes_all'], (number, number),
              'until there is no memory, counted ' + name)

    processes, result = counted(*options, PROGRAM, 'spawns')
    is_eq(len(processes), 4, 'children by posix_spawn, vfork and system')

# ---- more places than there is room for ----

if X86_64:
    result = heap('--min=20000', '--sort=bytes', PROGRAM, 'places')
    rows = re.findall(r'(?m)^ +(\d+) +(\d+) +(\d+) .*  (\S.*)$', result.stderr)
    other = [row for row in rows if row[3] == '(other)']
    is_eq(len(other), 1, 'what has no place is in a row of its own')
    # 131 072 sites, and some that the C library needs.
    ok(140000 - 131072 <= int(other[0][1]) < 140000 - 131072 + 100 and
       other[0][1] == other[0][2], 'which has what is missing', other)
    like(result.stderr, r'(?m)^ +33\d{5} +140\d{3} +140\d{3} .*  total$',
         'so that the sum is right')
else:
    skip('more places', 'the program is of x86-64')

# ---- modules that go, and their stacks ----

processes, result = counted('--stacks', '--sample=1', tracee('heap'), 'unload',
                            tracee('heap-plugin-a.so'),
                            tracee('heap-plugin-b.so'))
functions = by_function(processes[0])
is_eq((functions.get('plugin_a'), functions.get('plugin_b')),
      ((30, 30), (60, 60)), 'libraries at one address, all sampled')
for site in processes[0]['sites']:
    if site.get('function', '').startswith('plugin_'):
        ok(all(stack['frames'][0]['function'] == site['function']
               for stack in site['stacks']), 'and their stacks', site)

# ---- a full disk ----

SCRIPT = '''
mount -t tmpfs -o size=%s tmpfs "$1" || exit 77
LD_PRELOAD=%s TRACER_HEAP_DIR="$1" TRACER_HEAP_STACKS=8 TRACER_HEAP_SAMPLE=100 \
    "$2" model > /dev/null || exit 1
"$3" -o "$4" report "$1"
'''
mount_point = tempfile.mkdtemp(dir=tmpdir())
report = tmpfile('full')
results = [run(['unshare', '-m', 'sh', '-c', SCRIPT % (size, LIBRARY), 'sh',
                mount_point, tracee('heap'), HEAP, report])
           for size in ('16k', '128k', '400k')]
if 77 in [result.status for result in results] or \
        'unshare:' in results[0].stderr:
    skip('a full disk', 'it cannot be mounted here')
else:
    for result in results:
        is_eq((result.status, result.stderr.count('not a state file')),
              (0, 0), 'a full disk is survived')
os.rmdir(mount_point)
if os.path.exists(report):
    os.unlink(report)

# ---- a state that lies ----

directory = tempfile.mkdtemp(dir=tmpdir())
run([tracee('heap-stacks')], env={'LD_PRELOAD': LIBRARY,
                                  'TRACER_HEAP_DIR': directory,
                                  'TRACER_HEAP_SAMPLE': '1'})
path = glob.glob(directory + '/*.heap')[0]
small = tmpfile('lies')
size = os.stat(path).st_size
pieces = {}
with open(path, 'rb') as file:
    fd = file.fileno()
    at = 0
    while True:
        try:
            at = os.lseek(fd, at, os.SEEK_DATA)
        except OSError:
            break
        end = os.lseek(fd, at, os.SEEK_HOLE)
        pieces[at] = bytearray(os.pread(fd, end - at, at))
        at = end
seed = random.Random(1)
states = []
for _ in range(30):
    with open(small, 'wb') as file:
        file.truncate(size)
        for at, piece in pieces.items():
            piece = bytearray(piece)
            for _ in range(seed.choice((1, 30, 1000))):
                # Not the magic, which would end it all.
                place = seed.randrange(8 if at == 0 else 0, len(piece))
                piece[place] = seed.choice((0, 1, 0x7f, 0xff,
                                            seed.randrange(256)))
            os.pwrite(file.fileno(), piece, at)
    result = heap('--format=' + seed.choice(('text', 'json', 'csv', 'folded')),
                  'report', small)
    states.append(result.status)
ok(set(states) <= {0, 1} and 0 in states, 'damaged states do no harm', states)
os.unlink(small)

if shutil.which('valgrind') and not SANITIZED:
    result = run(['valgrind', '--error-exitcode=99', '--leak-check=full',
                  '--errors-for-leak-kinds=definite', '-q', HEAP,
                  '--format=json', 'report', path])
    is_eq(result.status, 0, 'valgrind finds nothing in a report')
    result = run(['valgrind', '--error-exitcode=99', '--leak-check=full',
                  '--errors-for-leak-kinds=definite', '-q', HEAP, 'diff',
                  path, path])
    is_eq(result.status, 0, 'nor in a difference')
else:
    skip('valgrind', 'it is not here, or there are sanitizers')
shutil.rmtree(directory)

done()
