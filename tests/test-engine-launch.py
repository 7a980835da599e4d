# SPDX-License-Identifier: LGPL-2.1-or-later
"""The engine: starting a command, which must not notice, and its end."""

import os
import re
import signal
import subprocess
import tempfile
import time

from tap import (TRACER, ok, is_eq, like, skip, done, run, run_tracer, tmpdir,
                 tmpfile, tracee)

STATE = tracee('engine-state')

# ---- exit status ----

for status in (0, 1, 42, 127, 128, 255):
    r = run_tracer('sh', '-c', 'exit %d' % status)
    is_eq(r.status, status, 'exit status %d is the tracer\'s own' % status)
    is_eq(r.lines[-1], '+++ exited with %d +++' % status, 'and is shown')
r = run_tracer('-f', 'sh', '-c', '(exit 3) & wait; exit 4')
is_eq(r.status, 4, 'not that of another process')
r = run_tracer('-f', 'sh', '-c', '(sleep 0.2; exit 3) & exit 4')
is_eq(r.status, 4, 'even if that ends later')

# ---- the first line and the last ----

r = run_tracer(tracee('hello'))
like(r.lines[0], r'^execve\(', 'the first call shown is the execve')
is_eq(len(re.findall(r'^execve', r.trace, re.M)), 1, 'which is one')
is_eq(r.lines[-1], '+++ exited with %d +++' % r.status,
      'the last line is the exit')
r = run_tracer('-e', 'trace=getppid', tracee('hello'))
is_eq(r.lines, ['+++ exited with %d +++' % r.status],
      'the execve is filtered as all others')

# ---- programs that cannot be run ----

plain = tmpfile('plain', 'no program\n')
garbage = tmpfile('garbage', b'\x01\x02\x03\x04')
os.chmod(garbage, 0o755)
for command, said in (
        ('no-such-program', 'Cannot find executable \'no-such-program\''),
        ('', 'Cannot find executable \'\''),
        ('/no/such/program',
         'Cannot stat \'/no/such/program\': No such file or directory'),
        (os.path.basename(plain), 'Cannot find executable \'plain\'')):
    r = run_tracer(command, env={'PATH': os.environ['PATH'] + ':' + tmpdir()})
    is_eq((r.status, r.stderr, r.trace), (1, '%s: %s\n' % (TRACER, said), ''),
          'one message: %s' % said)
for command, name in ((plain, 'EACCES'), (tmpdir(), 'EACCES'),
                      (garbage, 'ENOEXEC')):
    r = run_tracer(command)
    is_eq(r.status, 1, 'a file that cannot be executed')
    like(r.lines[0], r'^execve\(.* = -1 %s \(' % name, 'the call is shown')
    is_eq(r.lines[1:], ['+++ exited with 1 +++'], 'and nothing else')
    like(r.stderr, r'^%s: exec: ' % re.escape(TRACER), 'one message')
r = run_tracer('true', output=False, env={'PATH': ''})
is_eq(r.status, 1, 'an empty PATH has nothing')
r = run([TRACER, '-o', '/no/such/dir/file', 'true'])
is_eq(r.status, 1, 'an output that cannot be opened')
like(r.stderr, 'No such file or directory', 'has a message')

# ---- what the command sees ----


def states(*prefix, preexec=None, **more):
    """What engine-state prints without and with the tracer."""
    both = []
    for command in ([STATE, 'a', ''], [TRACER, *prefix, STATE, 'a', '']):
        both.append(subprocess.run(command, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL,
                                   preexec_fn=preexec, timeout=60,
                                   **more).stdout.decode())
    return both


def unusual():
    """Dispositions, a mask and descriptors that nobody would choose."""
    for signo in (signal.SIGCHLD, signal.SIGINT, signal.SIGTTOU,
                  signal.SIGHUP, signal.SIGRTMIN + 5):
        signal.signal(signo, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK,
                           {signal.SIGUSR1, signal.SIGTERM, signal.SIGCHLD,
                            signal.SIGALRM, signal.SIGRTMAX})
    os.dup2(0, 7)
    os.dup2(0, 200)
    os.umask(0o123)


out = tmpfile('out')
for prefix in (['-o', out], ['-f', '-o', out], ['-f', '-ff', '-o', out],
               ['-o', '|cat > ' + out], ['-f', '-k', '-yy', '-o', out], [],
               ['-I', '4'], ['-c', '-o', out], ['--format=json', '-o', out]):
    untraced, traced = states(*prefix)
    is_eq(traced, untraced, 'the command sees what it would: %s'
          % ' '.join(prefix))
    untraced, traced = states(*prefix, preexec=unusual, close_fds=False)
    is_eq(traced, untraced, 'so in an unusual world: %s' % ' '.join(prefix))
like(untraced, 'signal 17: ignored blocked', 'which was unusual indeed')

r = run_tracer('-E', 'TRACER_A=1=2', '-E', 'HOME', '-E', 'PATH=/nowhere',
               STATE)
like(r.stdout, r'^environment: TRACER_A=1=2$', '-E sets a variable')
ok('environment: HOME=' not in r.stdout, '-E removes a variable')
like(r.stdout, r'^environment: PATH=/nowhere$', '-E changes one')
r = run_tracer('--argv0=other name', 'sh', '-c', 'echo "$0"; :')
like(r.trace, r'^execve\("/[^"]*/sh", \["other name", "-c", ', '--argv0')

if os.geteuid() == 0:
    id_command = ['sh', '-c', 'id -u; id -g; id -G']
    r = run_tracer('-f', '-u', '123:456', *id_command)
    is_eq(r.stdout, '123\n456\n456\n', '-u UID:GID')
    nobody = run(['sh', '-c', 'id -u nobody; id -g nobody; id -G nobody'])
    r = run_tracer('-f', '-u', 'nobody', *id_command)
    is_eq(r.stdout, nobody.stdout, '-u USER')
    for user in ('no-such-user', '1:', ':1', '1:2:3', '-1:0', '4294967295:0',
                 'x:1'):
        r = run_tracer('-u', user, 'true')
        is_eq(r.status, 1, 'no user: %s' % user)
        ok(r.stderr.count('\n') == 1, 'one message', r.stderr)
else:
    skip('-u', 'not root')

# ---- a tracer or debugger that is traced itself ----

r = run_tracer('-f', tracee('engine-ptrace'))
is_eq(r.status, 0, 'ptrace by a tracee fails as it should')
r = run_tracer('-f', '-e', 'trace=none', TRACER, '-o', tmpfile('inner'),
               'true')
is_eq(r.status, 1, 'a traced tracer cannot trace')
like(r.stderr, r'ptrace\(PTRACE_SEIZE, \d+\): Operation not permitted',
     'and says so')
r = run_tracer('-e', 'trace=none', TRACER, '-o', tmpfile('inner'), 'true',
               env={'ASAN_OPTIONS': 'detect_leaks=0'})
is_eq(r.status, 0, 'but its children can be, if they are not followed')

# ---- a signal for the tracer ----


def children(pid):
    with open('/proc/%d/task/%d/children' % (pid, pid)) as file:
        return [int(child) for child in file.read().split()]


def wait_for(condition, seconds=20):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


FATAL = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGPIPE,
         signal.SIGTERM)
# Not with -o: it detaches, and the command gets the signal, too.
for signo in FATAL:
    path = tmpfile('told')
    tracer = subprocess.Popen(
        [TRACER, '-f', '-e', 'trace=nanosleep,clock_nanosleep', 'sh', '-c',
         'trap "echo %s > %s; kill \\$!; exit 7" %d; sleep 30 2>&- & wait; :'
         % (signo.name, path, signo)],
        stderr=subprocess.PIPE)
    said = b''
    while b'nanosleep(' not in said:
        said += os.read(tracer.stderr.fileno(), 1000)
    command = children(tracer.pid)[0]
    tracer.send_signal(signo)
    is_eq(tracer.wait(20), -signo, '%s ends the tracer' % signo.name)
    said += tracer.stderr.read()
    tracer.stderr.close()
    ok(said.count(b' detached\n') == 2, 'which detaches', said)
    ok(wait_for(lambda: os.path.exists(path)),
       'and the command gets the signal')
    os.unlink(path)

# With -o, it goes on.
for signo in FATAL:
    path = tmpfile('told')
    tracer = subprocess.Popen([TRACER, '-o', path, 'sleep', '0.4'])
    wait_for(lambda: os.path.exists(path) and 'nanosleep' in open(path).read())
    tracer.send_signal(signo)
    is_eq(tracer.wait(20), 0, '%s does not end a tracer with -o' % signo.name)
    like(open(path).read(), r'^\+\+\+ exited with 0 \+\+\+$',
         'which shows all of it')
    os.unlink(path)
tracer = subprocess.Popen([TRACER, '-I', '2', '-o', path, 'sleep', '30'],
                          stderr=subprocess.PIPE)
wait_for(lambda: os.path.exists(path) and 'nanosleep' in open(path).read())
tracer.send_signal(signal.SIGTERM)
is_eq(tracer.wait(20), -signal.SIGTERM, 'unless -I says so')
tracer.stderr.close()
like(open(path).read(), r'<detached \.\.\.>$', 'its last line is so')

# --kill-on-exit takes them all along.
os.unlink(path)
tracer = subprocess.Popen([TRACER, '-f', '-I', '2', '--kill-on-exit', '-o',
                           path, 'sleep', '30'])
wait_for(lambda: os.path.exists(path) and 'nanosleep' in open(path).read())
command = children(tracer.pid)[0]
tracer.kill()
tracer.wait()
ok(wait_for(lambda: not os.path.exists('/proc/%d' % command) or
            ') Z' in open('/proc/%d/stat' % command).read()),
   '--kill-on-exit')

done()
