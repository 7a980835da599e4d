# SPDX-License-Identifier: LGPL-2.1-or-later
"""The engine: attaching to what runs, and letting it go."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time

from tap import TRACER, ok, is_eq, like, skip, done, run, tmpfile, tracee

WORK = tracee('engine-work')
BUSY = tracee('engine-busy')
ZOMBIE = tracee('engine-zombie-leader')
THREADS = 6


def wait_for(condition, seconds=20):
    """Whether the condition comes true within that time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.005)
    return False


def content(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ''


def start(*args):
    """Starts a program that says when it is ready."""
    process = subprocess.Popen(args, stdout=subprocess.PIPE)
    process.stdout.readline()
    return process


def stop(process, signo):
    process.send_signal(signo)
    status = process.wait(30)
    process.stdout.close()
    return status


def attach(*args):
    """Starts the tracer and waits until it shows something."""
    path = tmpfile('trace')
    if os.path.exists(path):
        os.unlink(path)
    process = subprocess.Popen([TRACER, '-o', path] + list(args),
                               stderr=subprocess.PIPE)
    shown = wait_for(lambda: content(path).count('\n') > 3)
    return process, shown


def let_go(tracer, signo=signal.SIGINT):
    """Ends the tracer; returns its status and what it said."""
    tracer.send_signal(signo)
    try:
        status = tracer.wait(20)
    except subprocess.TimeoutExpired:
        tracer.kill()
        tracer.wait()
        status = 'hangs'
    said = tracer.stderr.read().decode()
    tracer.stderr.close()
    return status, said


def traced(pid):
    """Whether any thread of the process has a tracer."""
    for tid in os.listdir('/proc/%d/task' % pid):
        if not re.search(r'^TracerPid:\t0$',
                         content('/proc/%d/task/%s/status' % (pid, tid)),
                         re.M):
            return True
    return False


# ---- many times, to a process that must not notice ----

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
           signal.SIGPIPE]
worker = start(WORK, str(THREADS))
wrong = []
for attempt in range(50):
    signo = SIGNALS[attempt % len(SIGNALS)]
    args = ['-f', '-p'] if attempt % 10 else ['-p']
    tracer, shown = attach(*args, str(worker.pid))
    status, said = let_go(tracer, signo)
    if not shown or status != -signo or traced(worker.pid):
        wrong.append((attempt, shown, status, said))
is_eq(wrong, [], 'attached to and let go 50 times')
is_eq(worker.poll(), None, 'the process runs on')

path = tmpfile('trace')
tracer, shown = attach('-f', '-p', str(worker.pid))
wait_for(lambda: len(set(re.findall(r'^(\d+) ', content(path), re.M)))
         == THREADS + 1)
is_eq(len(set(re.findall(r'^(\d+) ', content(path), re.M))), THREADS + 1,
      '-f: all threads are shown')
status, said = let_go(tracer)
like(said, r'Process %d attached with %d threads$' % (worker.pid, THREADS + 1),
     'that it is attached is said')
is_eq(sorted(re.findall(r'Process (\d+) detached', said)),
      sorted(os.listdir('/proc/%d/task' % worker.pid)),
      'and that each thread is let go')

tracer, shown = attach('-p', str(worker.pid))
status, said = let_go(tracer)
like(said, r'Process %d attached$' % worker.pid, 'without -f just the one')
ok(not re.search(r'^\d+ ', content(path), re.M), 'is shown', content(path))

tid = max(map(int, os.listdir('/proc/%d/task' % worker.pid)))
tracer, shown = attach('-p', str(tid))
ok(shown, 'a thread can be attached to alone')
let_go(tracer)

sleeper = subprocess.Popen(['sleep', '0.8'])
time.sleep(0.1)
r = run([TRACER, '-q', '-o', path, '-p', str(sleeper.pid)])
like(content(path), r'\Arestart_syscall\(<\.\.\. resuming interrupted '
     r'clock_nanosleep \.\.\.>\) = 0$', 'a call that attaching interrupted')
is_eq((r.status, sleeper.wait(20)), (0, 0), 'goes on')

tracer, shown = attach('-q', '-f', '-p', str(worker.pid))
is_eq(let_go(tracer)[1], '', '-q: nothing is said')

# Its own death ends the tracer well.
tracer, shown = attach('-f', '-p', str(worker.pid))
is_eq(stop(worker, signal.SIGTERM), 0,
      'no call of the process has failed through all that')
is_eq(tracer.wait(20), 0, 'the tracer ends with the process')
is_eq(len(re.findall(r'\+\+\+ exited with 0 \+\+\+', content(path))),
      THREADS + 1, 'after all threads have ended')
tracer.stderr.close()

# Two processes at once.
one, two = start(WORK, '2'), start(WORK, '2')
tracer, shown = attach('-p', '%d,%d' % (one.pid, two.pid))
wait_for(lambda: len(set(re.findall(r'^(\d+) ', content(path), re.M))) == 2)
is_eq(set(map(int, re.findall(r'^(\d+) ', content(path), re.M))),
      {one.pid, two.pid}, 'two processes')
is_eq(stop(one, signal.SIGKILL), -signal.SIGKILL, 'one of which is killed')
time.sleep(0.05)
status, said = let_go(tracer)
is_eq(status, -signal.SIGINT, 'the other one goes on')
is_eq(stop(two, signal.SIGTERM), 0, 'and survives')

# The tracer itself may be killed.
worker = start(WORK, '3')
tracer, shown = attach('-f', '-p', str(worker.pid))
tracer.kill()
tracer.wait()
tracer.stderr.close()
time.sleep(0.1)
ok(not traced(worker.pid), 'the kernel lets tracees go')
is_eq(stop(worker, signal.SIGTERM), 0, 'and they survive that')

# ---- threads and processes that come and go meanwhile ----

wrong = []
for attempt in range(15):
    busy = subprocess.Popen([BUSY])
    time.sleep(0.03)
    tracer, shown = attach('-f', '-p', str(busy.pid))
    status, said = let_go(tracer, signal.SIGTERM)
    if not shown or status != -signal.SIGTERM or busy.poll() is not None:
        wrong.append((shown, status, busy.poll(), said))
    os.killpg(busy.pid, signal.SIGKILL)
    busy.wait()
is_eq(wrong, [], 'attached to processes that fork all the time')

# ---- a zombie leader ----

zombie = start(ZOMBIE)
time.sleep(0.05)
tracer, shown = attach('-f', '-p', str(zombie.pid))
ok(shown, 'the threads of a zombie leader can be attached to')
tids = set(map(int, re.findall(r'^(\d+) ', content(path), re.M)))
ok(tids and zombie.pid not in tids, 'and are shown', content(path))
status, said = let_go(tracer)
is_eq(status, -signal.SIGINT, 'and are let go')
is_eq(len(re.findall('detached', said)), 2, 'both of them')
r = run([TRACER, '-p', str(zombie.pid)])
is_eq(r.status, 1, 'the leader alone cannot be attached to')
is_eq(stop(zombie, signal.SIGKILL), -signal.SIGKILL, 'they have gone on')

# ---- a parent that waits for its vfork child ----

forks = subprocess.Popen([tracee('engine-forks'), 'vfork'])
time.sleep(0.05)
began = time.monotonic()
tracer = subprocess.Popen([TRACER, '-f', '-o', path, '-p', str(forks.pid)],
                          stderr=subprocess.PIPE)
time.sleep(0.05)
status, said = let_go(tracer)
is_eq(status, -signal.SIGINT, 'a parent that cannot stop is let go')
is_eq(forks.wait(20), 0, 'and comes to no harm')

# ---- what cannot be attached to ----

gone = subprocess.Popen(['true'])
gone.wait()
r = run([TRACER, '-p', str(gone.pid)])
is_eq((r.status, r.stderr),
      (1, '%s: attach: ptrace(PTRACE_SEIZE, %d): No such process\n'
       % (TRACER, gone.pid)), 'a process that is no more')

worker = start(WORK, '1')
tracer, shown = attach('-p', str(worker.pid))
r = run([TRACER, '-p', str(worker.pid)])
is_eq(r.status, 1, 'a process that is traced already')
like(r.stderr, r'Process %d is already being traced by pid %d$'
     % (worker.pid, tracer.pid), 'and by whom')
r = run([TRACER, '-o', '/dev/null', '-e', 'trace=none', '-p', str(worker.pid),
         'sh', '-c', 'exit 3'])
is_eq(r.status, 3, 'does not keep a command from being traced')
let_go(tracer)
if os.geteuid() == 0:
    # A copy, as others may have no way to where the tracer was built.
    public = tempfile.mkdtemp()
    os.chmod(public, 0o755)
    copy = shutil.copy(TRACER, public)
    r = run(['setpriv', '--reuid=65534', '--clear-groups', copy, '-p',
             str(worker.pid)])
    is_eq(r.status, 1, 'another user\'s process')
    like(r.stderr, 'belongs to another user', 'with the reason')
    own = subprocess.Popen(['setpriv', '--reuid=65534', '--clear-groups',
                            'sleep', '30'])
    wait_for(lambda: 'sleep' in content('/proc/%d/cmdline' % own.pid)
             .split('\0')[0])
    r = run(['setpriv', '--reuid=65534', '--clear-groups', 'timeout', '-s',
             'INT', '2', copy, '-p', str(own.pid)])
    shutil.rmtree(public)
    like(r.stderr, 'Process %d detached' % own.pid,
         'one\'s own can be traced without privileges')
    is_eq(own.poll(), None, 'and goes on')
    own.kill()
    own.wait()
else:
    skip('another user\'s process', 'not root')
stop(worker, signal.SIGTERM)

done()
