#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tracer-heap counts what programs allocate that know that themselves."""

import csv
import glob
import io
import json
import os
import re
import shutil
import signal
import sys
import tempfile

from tap import (SANITIZED, TRACER, done, is_eq, like, note, ok, run, skip,
                 tmpdir, tmpfile, tracee, unlike)

HEAP = os.path.join(os.path.dirname(os.path.abspath(TRACER)), 'tracer-heap')
LIBRARY = os.path.join(os.path.dirname(HEAP), 'heap', 'libtracer-heap.so')


def heap(*args, **more):
    return run((HEAP,) + args, **more)


def counted(*command, options=(), status=0, **more):
    """Runs a command; returns its processes, as JSON has them."""
    path = tmpfile('report')
    result = heap('--format=json', '-o', path, *options, *command, **more)
    is_eq(result.status, status, 'status of ' + ' '.join(command[-1:]))
    with open(path) as file:
        report = json.load(file)
    os.unlink(path)
    return report['processes'], result


def by_function(process, kind='malloc'):
    """(allocations, bytes, frees, freed bytes) of each function."""
    sums = {}
    for site in process['sites']:
        if site['kind'] != kind:
            continue
        name = site.get('function', '?').split('(')[0]
        values = [site[key] for key in
                  ('allocations', 'bytes', 'frees', 'freed_bytes')]
        before = sums.get(name, (0, 0, 0, 0))
        sums[name] = tuple(map(sum, zip(before, values)))
    return sums


def total(process, kind='malloc'):
    entry = [t for t in process['totals'] if t['kind'] == kind][0]
    return tuple(entry[key] for key in
                 ('allocations', 'bytes', 'frees', 'freed_bytes'))


PROGRAM = tracee('heap')

# ---- exact counts ----

LEAKS = (100, sum(range(1000, 1100)), 40, sum(range(1000, 1040)))
GROWS = sum(range(10, 1001, 10))
ALIGNMENTS = [1 << shift for shift in range(3, 17)]
ALIGNED = (3 * len(ALIGNMENTS) + 3,
           sum(100 + a + 10 for a in ALIGNMENTS) + 10 + 4096 + 30)
COUNTS = {
    'leaks_some': LEAKS,
    'frees_all': (500, 500 * 21, 500, 500 * 21),
    'grows': (100, GROWS, 100, GROWS),
    'aligns': ALIGNED * 2,
}

processes, result = counted(PROGRAM, 'counts')
is_eq(len(processes), 1, 'one process')
is_eq(by_function(processes[0]), COUNTS, 'counts of each function')
is_eq(total(processes[0]),
      tuple(map(sum, zip(*COUNTS.values()))), 'their sum')
is_eq((result.stdout, result.stderr), ('', ''),
      'nothing is in the program\'s output')
is_eq(processes[0]['command'], [PROGRAM, 'counts'], 'the command')
leak = [s for s in processes[0]['sites'] if s['function'] == 'leaks_some'][0]
with open(os.path.join(os.environ.get('TOP_SRCDIR', '..'),
                       'tests/tracees/heap.c')) as file:
    source = file.read().split('\n')
HAVE_LINES = 'file' in leak
if HAVE_LINES:
    like(source[leak['line'] - 1], r'malloc\(1000 \+ i\)', 'the line')
else:
    skip('the line', 'a build without libdw')
is_eq((leak['live_blocks'], leak['live_bytes']),
      (60, LEAKS[1] - LEAKS[3]), 'what is alive')

# A life is what was allocated meanwhile: less than all that was.
lives = [s['max_life'] for s in processes[0]['sites']]
ok(all(s['mean_life'] <= s['max_life'] <= total(processes[0])[1] + (64 << 10)
       for s in processes[0]['sites']), 'lives are no longer than possible',
   lives)

processes, result = counted(PROGRAM, 'model')
want = tuple(map(int, result.stdout.split()))
functions = by_function(processes[0])
got = tuple(map(sum, zip(functions['any_block'], functions['step'])))
is_eq(got, want, 'random work of four threads comes to what it says')

processes, result = counted(PROGRAM, 'threads')
functions = by_function(processes[0])
is_eq(functions['short_life'], (4000, 2000 * 33, 4000, 2000 * 33),
      'threads that end')
is_eq(functions['late'], (2000, 2000 * 33, 2000, 2000 * 33),
      'allocations of destructors')

# ---- new and delete ----

processes, result = counted(tracee('heap-new'))
functions = by_function(processes[0])
forms = [prefix + name for prefix in ('', 'array_')
         for name in ('sized', 'quiet', 'aligned', 'sized_aligned',
                      'quiet_aligned')] + ['plain', 'array']
is_eq({name: functions.get(name) for name in forms},
      {name: (10, 240, 10, 240) for name in forms},
      'every form of new and delete is its caller\'s')
processes, result = counted(tracee('heap-own-new'))
is_eq(result.stdout, '50 50\n', 'operators of the program\'s own are called')

# ---- what the C library allocates for its caller ----

text = tmpfile('text')
with open(text, 'w') as file:
    file.write('12345\n67890')
processes, result = counted(PROGRAM, 'callers', text)
is_eq(result.stdout, '', 'copies, lines and paths are as always')
functions = by_function(processes[0])
for name, number in (('copies', 3), ('prints', 1), ('reads', 1), ('opens', 1),
                     ('finds', 2)):
    got = functions.get(name, (0, 0, 0, 0))
    is_eq(got[0::2], (number, number), name + ' allocates')
    ok(got[1] == got[3] > 0, 'and all is freed', got)
is_eq(functions['copies'][1], 6 + 4 + 16, 'as much as asked for')
left = {name: counts for name, counts in functions.items()
        if counts[0] != counts[2] or counts[0] > 1000}
is_eq(left, {}, 'and nothing is left over')
os.unlink(text)

# ---- mappings ----

processes, result = counted(PROGRAM, 'mappings')
is_eq(result.stdout, '', 'mappings fail as always')
mapped = by_function(processes[0], 'mmap')
PAGE = 4096
is_eq(mapped.pop('map'),
      # Those of maps_whole, maps_parts, maps_middle, maps_small, maps_often.
      (10 + 1 + 1 + 1 + 8000,
       10 * 25 * PAGE + (8 + 3 + 4 + 8000 * 12) * PAGE,
       # All of maps_often, 7 of maps_whole, and the one that was resized.
       8000 + 7 + 1,
       7 * 25 * PAGE + (3 + 1 + 1 + 4 + 8000 * 12) * PAGE),
      'mappings, and parts of them')
is_eq(mapped.pop('maps_over'), (1, PAGE, 0, 0), 'one in the middle of another')
is_eq(mapped.pop('remaps'), (2, 65 * PAGE, 1, 64 * PAGE), 'mremap')
is_eq(mapped, {}, 'nothing else')
is_eq(by_function(processes[0], 'file'),
      {'maps_file': (2, 3 * PAGE, 1, 2 * PAGE)}, 'mapped files')
is_eq(total(processes[0], 'file'), (2, 3 * PAGE, 1, 2 * PAGE), 'their sum')
result = heap(PROGRAM, 'mappings')
like(result.stderr, r'(?m)  mmap map \(.*:\d+\)$', 'mappings in text')
like(result.stderr, r'(?m)^ +%d +2 +1 .*  mmap file total$' % (3 * PAGE),
     'and their sums')
result = heap('--format=folded', PROGRAM, 'mappings')
like(result.stderr, r'(?m)^heap-\d+;file;heap;maps_file .* %d$' % (2 * PAGE),
     'and folded')

like(heap(tracee('heap-new')).stderr,
     r'(?m)^memory: \d+ bytes live in [1-9]\d+ of malloc\'s \(\d+%\); '
     r'[1-9]\d+ resident$', 'memory at the end')

# ---- as the C library does it ----

result = heap('-o', '/dev/null', PROGRAM, 'edges')
is_eq((result.status, result.stdout), (0, ''), 'alignment, errors, pages')
result = heap('-o', '/dev/null', PROGRAM, 'freed-twice')
# By the C library, which says so or stumbles.
ok(result.status in (-signal.SIGABRT, -signal.SIGSEGV),
   'a block freed twice is noticed', result.status)

# ---- whatever the end ----

for how, end in (('killed', signal.SIGKILL), ('crashes', signal.SIGSEGV)):
    processes, result = counted(PROGRAM, how, status=-end)
    is_eq(by_function(processes[0]), {'leaks_some': LEAKS},
          'counts of a program that is ' + how)

# ---- processes ----

processes, result = counted(PROGRAM, 'forks')
is_eq(len(processes), 4, 'a parent, two children, and what it became')
parent, first, second, after = processes
is_eq(by_function(parent), {'allocates_before': (10, 1000, 0, 0)},
      'the parent')
for name, process in (('fork', first), ('clone', second)):
    is_eq(by_function(process), {'allocates_in_child': (20, 1000, 1, 50)},
          'the child by %s has counts of its own' % name)
    is_eq(process['inherited'], {'frees': 4, 'freed_bytes': 400},
          'and knows blocks of its parent\'s')
    is_eq(process['parent'], parent['pid'], 'and its parent')
is_eq(after['pid'], parent['pid'], 'exec keeps the process ID')
is_eq(by_function(after), COUNTS, 'and begins anew')

processes, result = counted(PROGRAM, 'forks', options=['--follow=no'])
is_eq([by_function(p) for p in processes], [by_function(parent)],
      '--follow=no: only the command')

processes, result = counted(PROGRAM, 'fork-storm')
is_eq([p['totals'][0]['allocations'] for p in processes[1:]], [100] * 100,
      'children of a program with threads')

pattern = tmpfile('per-process') + '.%p'
heap('-o', pattern, PROGRAM, 'forks')
paths = glob.glob(pattern.replace('%p', '*'))
is_eq(len(paths), 3, '%p: a file for each process')
texts = [open(path).read() for path in paths]
ok(all('process %s, ' % path.rsplit('.', 1)[1] in text
       for path, text in zip(paths, texts)), 'with its own report')
for path in paths:
    os.unlink(path)

# ---- libraries that come and go ----

processes, result = counted(PROGRAM, 'unload', tracee('heap-plugin-a.so'),
                            tracee('heap-plugin-b.so'))
functions = by_function(processes[0])
is_eq((functions.get('plugin_a'), functions.get('plugin_b')),
      ((30, 3000, 30, 3000), (60, 6000, 60, 6000)),
      'libraries at one address are told apart')

# ---- formats ----

result = heap('--min=20K', PROGRAM, 'counts')
table = result.stderr.splitlines()
like(result.stderr, r'^process \d+, child of \d+: .*/heap counts$', 'title')
like(result.stderr, r'^ +bytes +allocations +frees +live bytes', 'heads')
like(result.stderr, r'^ +%d +100 +40 +%d +60 +\S+ +\S+  leaks_some'
     % (LEAKS[1], LEAKS[1] - LEAKS[3]), 'a row')
if HAVE_LINES:
    like(result.stderr, r'leaks_some \(.*/heap\.c:\d+\)$', 'a location')
unlike(result.stderr, 'frees_all', 'below the minimum')
like(result.stderr, r'more locations are not shown', 'and said so')
like(result.stderr, r'^ +%d +%d .* total$' % (
    total(after)[1], total(after)[0]), 'the total is of all')

result = heap('--sort=live-blocks', PROGRAM, 'counts')
like(result.stderr.splitlines()[2], 'leaks_some', '--sort')

result = heap('--format=csv', PROGRAM, 'counts')
rows = list(csv.DictReader(io.StringIO(result.stderr)))
is_eq(sum(int(row['bytes']) for row in rows), total(after)[1], 'CSV')

result = heap('--format=folded', PROGRAM, 'counts')
lines = [line.rsplit(' ', 1) for line in result.stderr.splitlines()]
is_eq(sum(int(count) for stack, count in lines), total(after)[1],
      'folded stacks')
ok(all(re.match(r'heap-\d+;heap;', stack) for stack, count in lines),
   'of process and module', lines)

# ---- stacks ----

STACKS = tracee('heap-stacks')
# Only there the library can walk a stack.
WALKS = os.uname().machine == 'x86_64'


def folded(*args):
    """The folded lines of a run: the functions of each stack, its number."""
    result = heap('--format=folded', *args)
    is_eq(result.status, 0, 'status of ' + ' '.join(args[:-1]))
    lines = [line.rsplit(' ', 1) for line in result.stderr.splitlines()]
    return [(tuple(re.split(r'[ +@]', frame)[0]
                   for frame in stack.split(';')), int(number))
            for stack, number in lines]


def of_stack(lines, *functions):
    """The sum of what has this innermost end."""
    return sum(number for stack, number in lines
               if stack[-len(functions):] == functions)


if WALKS:
    # With one sample in a byte, all is sampled.
    lines = folded('--stacks', '--sample=1', STACKS)
    is_eq(of_stack(lines, 'main', 'keeps', 'place'), 1000, 'one way')
    is_eq(of_stack(lines, 'main', 'drops', 'place'), 2000, 'another way')
    is_eq(of_stack(lines, *['main'] + 6 * ['deep'] + ['place']), 300, 'deep')
    is_eq(of_stack(lines, *127 * ['deep'] + ['place']), 400,
          'the innermost frames of a deeper one')
    is_eq(of_stack(lines, 'main', 'wide', 'place'), 500, 'a large frame')
    for number in signal.SIGUSR1, signal.SIGUSR2:
        got = [stack for stack, size in lines if size == 110 * number]
        ok(len(got) == 1 and got[0][-2:] == ('handler', 'place') and
           'interrupted' in got[0] and 'main' in got[0],
           'through a signal handler', got)
    is_eq(of_stack(lines, 'in_fiber', 'place'), 600, 'a fiber')
    is_eq(of_stack(lines, 'in_thread', 'place'), 700, 'a thread')
    lines = folded('--stacks=2', '--sample=1', STACKS)
    is_eq(of_stack(lines, 'keeps', 'place'), 1000, '--stacks=2')
    ok(not [stack for stack, size in lines if 'main' in stack
            and 'place' in stack], 'has no more frames', lines)
    lines = folded('--stacks', '--sample=1', '--sort=live-bytes', STACKS)
    is_eq((of_stack(lines, 'keeps', 'place'), of_stack(lines, 'drops',
                                                       'place')),
          (1000, 0), 'live bytes of stacks')

    # Exact in the sum, and in parts as good as the samples: some 1200.
    lines = folded('--sample=64KiB', STACKS, 'many')
    is_eq(sum(size for stack, size in lines if 'place' in stack), 80000000,
          'shares come to the whole')
    part = of_stack(lines, 'keeps', 'place')
    ok(abs(part - 20000000) < 6000000, 'a part is about right', part)

    processes, result = counted(STACKS, options=['--stacks', '--sample=1'])
    site = [site for site in processes[0]['sites']
            if site.get('function') == 'place'][0]
    names = {tuple(frame.get('function') for frame in stack['frames'][:3]):
             (stack['bytes'], stack['allocations'], stack['live_blocks'])
             for stack in site['stacks']}
    is_eq((names[('place', 'keeps', 'main')], names[('place', 'drops',
                                                     'main')]),
          ((1000, 10, 10), (2000, 10, 0)), 'stacks in JSON')
    text = heap('--stacks', '--sample=1', STACKS).stderr
    like(text, r'(?m)place \(.*\n +\d+%  drops \(.*\)\n +main ',
         'the heaviest one in text')
else:
    skip('stacks', 'only with the frames of x86-64')

# ---- samples alone ----

processes, result = counted(STACKS, 'many', options=['--sample-only',
                                                     '--sample=64K'])
is_eq((processes[0]['sample'], processes[0]['estimated']), (65536, True),
      'that it is estimated')
number, size, frees, freed = by_function(processes[0])['place']
ok(abs(size - 80000000) < 20000000 and abs(number - 400000) < 150000
   and abs(frees - 200000) < 75000 and abs(freed - 60000000) < 20000000,
   'estimates', (number, size, frees, freed))
processes, result = counted(PROGRAM, 'counts', options=['--sample-only',
                                                        '--sample=1'])
functions = by_function(processes[0])
is_eq((functions['leaks_some'], functions['frees_all']),
      (COUNTS['leaks_some'], COUNTS['frees_all']), 'when all is sampled')
processes, result = counted(PROGRAM, 'mappings', options=['--sample-only'])
is_eq(by_function(processes[0], 'mmap')['remaps'],
      (2, 65 * PAGE, 1, 64 * PAGE), 'mappings are counted exactly')
jemalloc = glob.glob('/usr/lib/*/libjemalloc.so.2')
for name, sample in (('all', 1), ('some', 1000), ('few', 1 << 20)):
    for what in ('edges', 'model', 'threads', 'forks', 'fork-storm'):
        result = heap('--sample-only', '--sample=%d' % sample, '-o',
                      '/dev/null', PROGRAM, what)
        is_eq((result.status, result.stderr), (0, ''),
              '%s, %s sampled' % (what, name))
    if jemalloc and not SANITIZED:
        result = heap('--sample-only', '--sample=%d' % sample, '-o',
                      '/dev/null', PROGRAM, 'model',
                      env={'LD_PRELOAD': jemalloc[0]})
        is_eq(result.status, 0, 'with jemalloc, %s sampled' % name)
like(heap('--sample-only', PROGRAM, 'counts').stderr,
     'these are estimates, from samples 524288 bytes apart', 'it is said')

# ---- what cannot be counted is said ----

result = heap(tracee('hello-static'))
like(result.stderr, 'was not counted: it is statically linked', 'static')
is_eq((result.status, result.stdout), (7, 'hello\n'), 'but it runs')
result = heap(tracee('heap-own-malloc'))
like(result.stderr, r'has a malloc of its own', 'a malloc of its own')
is_eq((result.status, result.stdout), (0, 'fine\n'), 'which runs, too')
setuid = shutil.copy(tracee('hello'), tmpfile('setuid'))
os.chmod(setuid, 0o4755)
like(heap(setuid).stderr + 'was not counted: it is set-user-ID'
     * (os.geteuid() == os.stat(setuid).st_uid),
     'it is set-user-ID', 'set-user-ID')
os.unlink(setuid)

# ---- the library by itself ----

directory = tempfile.mkdtemp(dir=tmpdir())
result = run([PROGRAM, 'counts'], env={'LD_PRELOAD': LIBRARY,
                                       'TRACER_HEAP_DIR': directory})
is_eq(result.status, 0, 'LD_PRELOAD alone')
result = heap('--format=json', 'report', directory)
is_eq(by_function(json.loads(result.stderr)['processes'][0]), COUNTS,
      'report of a directory')
state = glob.glob(directory + '/*.heap')[0]
is_eq(os.stat(state).st_mode & 0o777, 0o600, 'states are the owner\'s')
ok(os.stat(state).st_blocks * 512 < 1 << 20, 'and small')
with open(state, 'r+b') as file:
    file.truncate(5000)
result = heap('report', state)
is_eq(result.status, 1, 'a broken state file')
like(result.stderr, 'not a state file', 'is no crash')
shutil.rmtree(directory)

result = run(['bash', '-c', 'ulimit -v 200000; exec "$@"', 'bash', PROGRAM,
              'counts'], env={'LD_PRELOAD': LIBRARY,
                              'TRACER_HEAP_DIR': tmpdir()})
is_eq(result.status, 0, 'where there is little address space')
result = run(['bash', '-c', 'ulimit -f 1; exec "$@"', 'bash', PROGRAM,
              'counts'], env={'LD_PRELOAD': LIBRARY,
                              'TRACER_HEAP_DIR': tmpdir()})
is_eq(result.status, 0, 'where no file can be large')
result = run([PROGRAM, 'forks'], env={'LD_PRELOAD': LIBRARY,
                                      'TRACER_HEAP_DIR': '/nonexistent'})
is_eq((result.status, result.stderr), (0, ''), 'where no file can be made')
for path in glob.glob(tmpdir() + '/*.heap'):
    os.unlink(path)

# ---- other allocators ----

if jemalloc and not SANITIZED:
    processes, result = counted(PROGRAM, 'counts',
                                env={'LD_PRELOAD': jemalloc[0]})
    # The C++ library, which it needs, allocates as well.
    functions = by_function(processes[0])
    is_eq({name: functions.get(name) for name in COUNTS}, COUNTS,
          'counts with jemalloc')
    processes, result = counted(PROGRAM, 'model',
                                env={'LD_PRELOAD': jemalloc[0]})
    functions = by_function(processes[0])
    is_eq(tuple(map(sum, zip(functions['any_block'], functions['step']))),
          tuple(map(int, result.stdout.split())), 'and its random work')
else:
    # AddressSanitizer in tracer-heap itself wants to be first.
    skip('jemalloc', 'it is not installed, or tracer-heap has sanitizers')

# ---- the command line ----

is_eq(heap('sh', '-c', 'exit 3').status, 3, 'the status is the command\'s')
result = heap('/nonexistent')
is_eq(result.status, 127, 'no such command')
like(result.stderr, 'cannot run /nonexistent: No such file', 'and said so')
for args in (['--sort=size'], ['--min=x'], ['--format=xml'],
             ['--follow=maybe'], ['--bad'], ['--stacks=0'], ['--stacks=257'],
             ['--sample=0'], ['--sample=x']):
    is_eq(heap(*args, 'true').status, 1, 'bad: ' + args[0])
is_eq(heap().status, 1, 'no command')
is_eq(heap('-V').stdout.split()[0], 'tracer-heap', '-V')
options = set(re.findall(r'--[a-z]+', heap('-h').stdout))
page = open(os.path.join(os.environ.get('TOP_SRCDIR', '..'),
                         'tracer-heap.1')).read().replace('\\-', '-')
is_eq(sorted(options - set(re.findall(r'--[a-z]+', page))), [],
      'all options are in the manual page')
if shutil.which('groff'):
    result = run(['groff', '-man', '-ww', '-Tutf8', '-z',
                  os.path.join(os.environ.get('TOP_SRCDIR', '..'),
                               'tracer-heap.1')])
    is_eq((result.status, result.stderr), (0, ''), 'groff has no warning')
else:
    skip('groff has no warning', 'groff is not installed')

# ---- what it costs ----


def instructions(count, preload):
    env = {'TRACER_HEAP_DIR': tmpdir()}
    if preload:
        env['LD_PRELOAD'] = LIBRARY
    result = run(['valgrind', '--tool=cachegrind', '--cache-sim=no',
                  '--cachegrind-out-file=/dev/null', tracee('heap-pairs'),
                  str(count)], env=env)
    found = re.search(r'I\s+refs:\s+([\d,]+)', result.stderr)
    return int(found.group(1).replace(',', '')) if found else None


WHAT = 'at most 110 instructions more for a malloc and a free'
if shutil.which('valgrind') and os.uname().machine == 'x86_64':
    counts = [instructions(number, preload) for preload in (False, True)
              for number in (1000, 21000)]
    if None in counts:
        skip(WHAT, 'valgrind cannot read what this compiler made')
    else:
        alone = (counts[1] - counts[0]) / 20000
        cost = (counts[3] - counts[2]) / 20000 - alone
        note('%.1f instructions more than %.1f' % (cost, alone))
        ok(cost <= 110, WHAT, cost)
    for path in glob.glob(tmpdir() + '/*.heap'):
        os.unlink(path)
else:
    skip(WHAT, 'no valgrind here')

done()
