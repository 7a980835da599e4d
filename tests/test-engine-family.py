# SPDX-License-Identifier: LGPL-2.1-or-later
"""The engine: processes, threads, and programs that threads execute."""

import os
import re
import subprocess
import time

from tap import TRACER, ok, is_eq, like, done, run, run_tracer, tmpfile, tracee

EXEC = tracee('engine-exec')
FORKS = tracee('engine-forks')


def by_pid(lines):
    """The lines of -f -o, a list for each thread."""
    result = {}
    for line in lines:
        pid, text = line.split(None, 1)
        result.setdefault(int(pid), []).append(text)
    return result


def ended(trace):
    """How many threads have told how they ended."""
    return len(re.findall(r'^\d+ +\+\+\+ (?:exited|killed)', trace, re.M))


# ---- exec by a thread ----

for zombie in ((), ('zombie',)):
    what = 'with a zombie leader' if zombie else 'with a living leader'
    for attempt in range(3):
        r = run_tracer('-f', '-e', 'trace=execve,exit', EXEC, '30', *zombie)
        is_eq(r.status, 42, 'threads that exec, %s: exit status' % what)
        leader = int(r.lines[0].split()[0])
        lines = by_pid(r.lines)
        is_eq(len(re.findall(r'^%d +\+\+\+ superseded by execve in pid \d+ '
                             r'\+\+\+$' % leader, r.trace, re.M)), 30,
              'the leader is superseded each time')
        is_eq(lines[leader][-1], '+++ exited with 42 +++',
              'the last image exits under the leader\'s id')
        # Every exec succeeds, and is told of as a call of the leader's.
        is_eq(len([t for t in lines[leader] if
                   re.match(r'(<\.\.\. )?execve.*= 0$', t)]), 31,
              'every exec returns in the new id')
        # 3 threads and a leader for each image but the last: of them the
        # execing thread takes over the leader's id, the other two end.
        is_eq(ended(r.trace), 30 * 2 + 1, 'all other threads end')

r = run_tracer('-f', '-e', 'trace=execve', '-e', 'quiet=superseded', EXEC, '2')
ok('superseded' not in r.trace, 'quiet=superseded')
is_eq(r.status, 42, 'and the trace goes on')

# Without -f, the thread that execs is not traced, and with it the process
# gets lost.  The tracer must see that there is nothing left.
r = run_tracer('-e', 'trace=execve', EXEC, '1', timeout=20)
ok(r.status is not None, 'a tracee lost by the exec of an untraced thread')

# ---- children ----

for mode in (['vfork'], ['clone', '50'], ['threads', '300'], ['tree', '5']):
    r = run_tracer('-f', '-e', 'trace=none', FORKS, *mode)
    is_eq(r.status, 0, 'children: %s' % mode[0])
    pids = by_pid(r.lines)
    want = {'vfork': 2, 'clone': 201, 'threads': 301, 'tree': 63}[mode[0]]
    is_eq(ended(r.trace), want, 'each thread\'s end is told of: %s' % mode[0])
    is_eq(len(pids), want, 'and there are as many: %s' % mode[0])

r = run_tracer('-e', 'trace=none', FORKS, 'tree', '4')
is_eq(r.status, 0, 'children run untraced without -f')
is_eq(r.trace.count('+++ exited'), 1, 'and nothing is told of them')

r = run_tracer('-f', '-e', 'trace=vfork,clock_nanosleep', FORKS, 'vfork')
like(r.trace, r'^\d+ +vfork\( <unfinished \.\.\.>$',
     'a vfork\'s parent waits')
like(r.trace, r'^\d+ +<\.\.\. vfork resumed>\) += \d+$',
     'until the child has ended')
resumed = [line for line in r.lines if 'vfork resumed' in line][0]
nanosleep = [line for line in r.lines if 'nanosleep' in line][-1]
ok(r.lines.index(resumed) > r.lines.index(nanosleep),
   'which comes after what the child did', r.trace)

path = tmpfile('outlived')
began = time.monotonic()
r = run_tracer('-f', '-e', 'trace=creat,openat', FORKS, 'outlive', path)
is_eq(r.status, 0, 'the exit status is the command\'s')
ok(os.path.exists(path), 'though the tracer waits for the last tracee')
like(r.trace, r'\+\+\+ exited with 9 \+\+\+', 'and shows it to its end')

# ---- very many, one after the other ----

began = time.monotonic()
r = run_tracer('-f', '-e', 'trace=none', FORKS, 'many', '10000', timeout=240)
is_eq(r.status, 0, '10 000 short-lived processes')
is_eq(ended(r.trace), 10001, 'each of which is told of')

# Memory does not grow with the number of processes that there were.

def anonymous_memory(pid):
    """In KiB; None if it is gone."""
    try:
        with open('/proc/%d/status' % pid) as file:
            found = re.search(r'RssAnon:\s*(\d+)', file.read())
    except OSError:
        return None
    return int(found.group(1)) if found else None


process = subprocess.Popen([TRACER, '-f', '-o', '/dev/null', FORKS, 'many',
                            '5000'],
                           # else AddressSanitizer keeps what is freed
                           env=dict(os.environ, ASAN_OPTIONS=
                                    'quarantine_size_mb=0:'
                                    'thread_local_quarantine_size_kb=0'))
samples = []
while process.poll() is None:
    time.sleep(0.05)
    samples.append(anonymous_memory(process.pid))
is_eq(process.returncode, 0, '5 000 more')
samples = [sample for sample in samples if sample]
# not the very last one: a sanitizer works at the end
early, late = samples[len(samples) // 5], samples[len(samples) * 9 // 10]
ok(late < early + 256, 'no memory is lost', 'KiB: %s' % samples)

# ---- a file for each thread ----

path = tmpfile('separate')
r = run([TRACER, '-ff', '-o', path, '-e',
         'trace=exit_group', FORKS, 'clone', '20'])
is_eq(r.status, 0, '-ff: exit status')
files = [name for name in os.listdir(os.path.dirname(path))
         if name.startswith('separate.')]
is_eq(len(files), 81, '-ff: a file for each process')
wrong = []
for name in files:
    with open(os.path.join(os.path.dirname(path), name)) as file:
        text = file.read()
    if not re.search(r'^\+\+\+ exited with \d+ \+\+\+\n\Z', text, re.M):
        wrong.append((name, text))
is_eq(wrong, [], '-ff: each goes to the end')

done()
