# SPDX-License-Identifier: LGPL-2.1-or-later
"""The engine: signals, stops, and deaths at any moment."""

import os
import random
import re
import signal
import subprocess
import time

from tap import TRACER, ok, is_eq, like, done, run_tracer, tmpfile, tracee

SIGNALS = tracee('engine-signals')
STOP = tracee('engine-stop')
BUSY = tracee('engine-busy')
WORK = tracee('engine-work')


def wait_for(condition, seconds=20):
    """Whether the condition comes true within that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def state(pid):
    """The state letter of a process, or None."""
    try:
        with open('/proc/%d/stat' % pid) as file:
            return file.read().rpartition(')')[2].split()[0]
    except OSError:
        return None


def children(pid):
    try:
        with open('/proc/%d/task/%d/children' % (pid, pid)) as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


# ---- every signal once, with what it carries ----

COUNT = 1000
r = run_tracer('-f', '-e', 'trace=none', SIGNALS, str(COUNT))
is_eq(r.status, 0, 'the tracee gets each signal once, as it was sent')
values = [int(value) for value in
          re.findall(r'--- SIGRT_\d+ \{si_signo=SIGRT_\d+, si_code=SI_QUEUE, '
                     r'si_pid=\d+, si_uid=\d+, '
                     r'si_int=(\d+), .*\} ---', r.trace)]
ok(values == list(range(1, COUNT + 1)), 'and each is shown once, in order',
   r.trace[:1000])

r = run_tracer('-f', '-e', 'signal=!chld', '-e', 'trace=none', SIGNALS, '10')
is_eq(len(re.findall('--- SIGRT', r.trace)), 10, 'signal= chooses')
ok('SIGCHLD' not in r.trace, 'what is not shown')
is_eq(r.status, 0, 'and is delivered all the same')

# ---- group-stops ----

for attempt in range(3):
    r = run_tracer('-f', '-e', 'trace=none', STOP, '40')
    is_eq(r.status, 0, 'stopped tracees stay stopped, and go on')
    is_eq(re.findall(r'--- stopped by (\w+) ---', r.trace),
          ['SIGSTOP', 'SIGTSTP', 'SIGTTIN', 'SIGTTOU'] * 10,
          'each stop is shown')

# Stopped from outside, all threads of it.
path = tmpfile('stopped')
process = subprocess.Popen([TRACER, '-f', '-o', path, '-e', 'trace=none',
                            WORK, '4'], stdout=subprocess.PIPE)
process.stdout.readline()
worker = children(process.pid)[0]
for attempt in range(10):
    os.kill(worker, signal.SIGSTOP)
    ok(wait_for(lambda: open(path).read().count('stopped by SIGSTOP')
                == 5 * (attempt + 1)), 'all threads of a process stop')
    os.kill(worker, signal.SIGCONT)
    ok(wait_for(lambda: state(worker) in ('R', 'S', 't')),
       'and can be continued')
# killed while it is stopped
os.kill(worker, signal.SIGSTOP)
wait_for(lambda: open(path).read().count('stopped by') == 5 * 11)
os.kill(worker, signal.SIGKILL)
is_eq(process.wait(20), -signal.SIGKILL, 'a stopped process can be killed')
process.stdout.close()

# A process that is attached to while it is stopped stays so.
process = subprocess.Popen([WORK, '3'], stdout=subprocess.PIPE)
process.stdout.readline()
process.send_signal(signal.SIGSTOP)
wait_for(lambda: state(process.pid) == 'T')
tracer = subprocess.Popen([TRACER, '-f', '-o', path, '-p', str(process.pid)],
                          stderr=subprocess.DEVNULL)
ok(wait_for(lambda: open(path).read().count('stopped by SIGSTOP') == 4),
   'a stopped process is attached to', open(path).read())
time.sleep(0.2)
is_eq(open(path).read().count('\n'), 4, 'and stays stopped')
tracer.send_signal(signal.SIGINT)
is_eq(tracer.wait(20), -signal.SIGINT, 'it is let go')
time.sleep(0.1)
is_eq(state(process.pid), 'T', 'and is stopped still')
process.send_signal(signal.SIGCONT)
process.send_signal(signal.SIGTERM)
is_eq(process.wait(20), 0, 'until it is continued')
process.stdout.close()

# ---- death by signals ----

for name, core in (('HUP', False), ('INT', False), ('KILL', False),
                   ('TERM', False), ('SEGV', True), ('ABRT', True),
                   ('50', False)):
    number = int(name) if name.isdigit() else getattr(signal, 'SIG' + name)
    r = run_tracer('-e', 'trace=none', 'sh', '-c',
                   'ulimit -c 0; kill -%s $$' % name)
    is_eq(r.status, -number, 'the tracer dies as the command: ' + name)
    shown = 'SIGRT_%d' % (number - 32) if name.isdigit() else 'SIG' + name
    is_eq(r.lines[-1], '+++ killed by %s +++' % shown, 'and says how')

# ---- SIGKILL at any moment ----

random.seed(1)
for attempt in range(40):
    args = [['-f'], ['-f', '-k'], ['-f', '-y'], ['-f', '-ff']][attempt % 4]
    tracer = subprocess.Popen([TRACER] + args + ['-o', tmpfile('killed'),
                                                 BUSY],
                              stderr=subprocess.PIPE)
    wait_for(lambda: children(tracer.pid))
    time.sleep(random.uniform(0, 0.15))
    pid = children(tracer.pid)[0]
    try:
        os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        # it has not come to setpgid yet
        os.kill(pid, signal.SIGKILL)
    try:
        status = tracer.wait(30)
    except subprocess.TimeoutExpired:
        status = None
        tracer.kill()
    message = tracer.stderr.read().decode()
    tracer.stderr.close()
    if status != -signal.SIGKILL or message:
        break
is_eq((status, message), (-signal.SIGKILL, ''),
      'tracees can be killed at any moment (%d times)' % (attempt + 1))

path = tmpfile('inside')
tracer = subprocess.Popen([TRACER, '-o', path, 'sleep', '30'])
wait_for(lambda: os.path.exists(path) and 'nanosleep(' in open(path).read())
os.kill(children(tracer.pid)[0], signal.SIGKILL)
tracer.wait(20)
like(open(path).read(), r'^clock_nanosleep\(CLOCK_REALTIME, 0, \{tv_sec=30, '
     r'tv_nsec=0\} <unfinished \.\.\.>\) = \?\n'
     r'\+\+\+ killed by SIGKILL \+\+\+$',
     'a call in which a tracee is killed has no result')

# Threads, forks and programs are killed one by one, while others go on.
r = run_tracer('-f', '-o', tmpfile('killing'), 'sh', '-c', r'''
i=0
while [ $i -lt 60 ]; do
        "%s" &
        sleep 0.0$((i %% 10))
        kill -9 $! -$! 2>/dev/null
        wait $!
        i=$((i + 1))
done
exit 5''' % BUSY, output=False, timeout=120)
complaints = [line for line in r.stderr.splitlines() if 'tracer' in line]
is_eq((r.status, complaints), (5, []),
      'some are killed while others go on')

done()
