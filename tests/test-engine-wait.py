# SPDX-License-Identifier: LGPL-2.1-or-later
"""The engine: waiting for many at once, output in time, and system calls by
registers."""

import os
import re
import shutil
import signal
import subprocess
import time

from tap import (TRACER, ok, is_eq, like, skip, done, run, run_tracer,
                 tmpfile, tracee)

STORM = tracee('engine-storm')


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


# ---- nobody starves ----

r = run_tracer('-f', '-e', 'trace=none', STORM, 'race', '24', '1500')
is_eq(r.status, 0, 'a race of tracees')
least, most = map(int, r.stdout.split())
ok(least * 3 > most, 'none is left behind', 'least %d, most %d' % (least, most))

# ---- every call is seen, whoever makes it ----

for attempt in range(5):
    r = run_tracer('-e', 'trace=getppid', STORM, 'count', '5000')
    is_eq(r.trace.count('getppid()'), 5000, 'every call of a storm is shown')
r = run_tracer('-f', '-e', 'trace=getppid', 'sh', '-c',
               'for i in 1 2 3 4 5; do "$0" count 1000 & done; wait', STORM)
count = len(re.findall(r'^\d+ +(?:getppid\(|<\.\.\. getppid resumed>)\)'
                       r'.* = \d+$', r.trace, re.M))
# Some shells make one, too.
ok(count in (5000, 5001), 'also by several at once', count)
r = run_tracer('-c', STORM, 'count', '3000')
like(r.trace, r' 3000 +getppid$', '-c counts all of them')
r = run_tracer('-c', '-w', STORM, 'count', '3000')
like(r.trace, r' 3000 +getppid$', '-c -w, too')

# ---- output comes in time ----

path, created = tmpfile('trace'), tmpfile('created')
tracer = subprocess.Popen([TRACER, '-o', path, '-e', 'trace=clock_nanosleep',
                           'sleep', '30'])
ok(wait_for(lambda: 'clock_nanosleep(' in content(path)),
   'the call in which a tracee sleeps is written')
os.unlink(path)
tracer.send_signal(signal.SIGKILL)
tracer.wait()

# A line before many calls that are not shown.
tracer = subprocess.Popen([TRACER, '-o', path, '-e', 'trace=openat', STORM,
                           'file', created, '3000'])
wait_for(lambda: os.path.exists(created))
ok(wait_for(lambda: created in content(path), 1),
   'a line is written though the tracer never sleeps')
is_eq(tracer.poll(), None, 'and before the storm is over')
is_eq(tracer.wait(60), 0, 'which ends well')

# A tracer that is killed has written what it has seen.
tracer = subprocess.Popen([TRACER, '-o', path, 'sh', '-c',
                           'cd /; cd /tmp; exec sleep 0.5'])
wait_for(lambda: 'nanosleep' in content(path))
tracer.kill()
tracer.wait()
like(content(path), r'^chdir\("/tmp"\) += 0$', 'nothing is lost')
like(content(path), r'^clock_nanosleep\([^\n]*\Z', 'to the last call')

# ---- system calls by registers ----

setarch = shutil.which('setarch')


def fixed(*args):
    """Runs without address randomisation; returns what was traced."""
    trace = tmpfile('registers')
    result = run([setarch, '-R', TRACER, '-o', trace, '-e',
                  'trace=!getrandom'] + list(args))
    # The stack's place depends on the tracer's arguments.
    return result.status, re.sub(r'0x7fff[0-9a-f]{8}\b', 'STACK',
                                 re.sub(r'\b\d{3,}\b', 'N', content(trace)))


if setarch and run([setarch, '-R', 'true']).status == 0:
    for command in ([tracee('hello')], ['ls', '-l', '/'],
                    ['sh', '-c', 'kill -USR1 $$'],
                    ['sh', '-c', 'trap : USR1; kill -USR1 $$; exit 5'],
                    [tracee('engine-exec'), '0']):
        is_eq(fixed('--debug-registers', *command), fixed(*command),
              'the same by registers: %s' % command[-1])
else:
    skip('the same by registers', 'setarch -R does not work')
for attempt in range(3):
    for command, status in ((['engine-exec', '20'], 42),
                            (['engine-exec', '20', 'zombie'], 42),
                            (['engine-forks', 'clone', '20'], 0),
                            (['engine-signals', '200'], 0),
                            (['engine-stop', '20'], 0)):
        r = run_tracer('-f', '--debug-registers', tracee(command[0]),
                       *command[1:])
        is_eq(r.status, status, 'by registers: %s' % ' '.join(command))
        # An entry taken for an exit would give nonsense.
        ok('syscall_0x' not in r.trace, 'with sense')
worker = subprocess.Popen([tracee('engine-work'), '3'], stdout=subprocess.PIPE)
worker.stdout.readline()
for attempt in range(5):
    tracer = subprocess.Popen([TRACER, '--debug-registers', '-f', '-q', '-o',
                               path, '-e', 'trace=getpid,read', '-p',
                               str(worker.pid)])
    wait_for(lambda: content(path).count('getpid') > 50)
    tracer.send_signal(signal.SIGINT)
    tracer.wait(20)
    ok(not re.search(r'(getpid|read).* = -1', content(path)),
       'attached, by registers', content(path))
worker.send_signal(signal.SIGTERM)
is_eq(worker.wait(20), 0, 'which does no harm')
worker.stdout.close()

done()
