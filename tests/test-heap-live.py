#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tracer-heap looks at programs while they run."""

import json
import os
import pty
import re
import select
import shutil
import signal
import stat
import subprocess
import time

from tap import (TRACER, done, is_eq, like, ok, run, tmpdir, tmpfile, tracee,
                 unlike)

HEAP = os.path.join(os.path.dirname(os.path.abspath(TRACER)), 'tracer-heap')
PROGRAM = tracee('heap-live')


def heap(*args, **more):
    return run((HEAP,) + args, **more)


class Program:
    """One that is counted, and does what letters say."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [HEAP, '-o', '/dev/null', *options, PROGRAM],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
        self.pid = self.told()

    def told(self):
        return self.process.stdout.readline().decode().strip()

    def tell(self, letter):
        self.process.stdin.write(letter.encode())

    def does(self, letters):
        for letter in letters:
            self.tell(letter)
            is_done = self.told()
            if is_done != letter:
                raise AssertionError('%r, not %r' % (is_done, letter))

    def directory(self):
        with open('/proc/%s/maps' % self.pid) as maps:
            path = re.search(r'(/\S+)/\d+\.\d+\.heap$', maps.read(), re.M)
        return path.group(1)

    def ends(self):
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait()


def rows(text):
    """(bytes, live bytes, live blocks) of each function of a report."""
    process = json.loads(text)['processes'][-1]
    return {site.get('function', '?').split('(')[0]:
            (site['bytes'], site['live_bytes'], site['live_blocks'])
            for site in process['sites']}


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.02)
    return False


program = Program()

# ---- list ----

result = heap('list')
is_eq(result.status, 0, 'list')
like(result.stdout, r'(?m)^ *process +live bytes +allocations +resident +'
     'command$', 'its head')
like(result.stdout, r'(?m)^ *%s +7000 +\d+ +\d+  %s$' % (
    program.pid, re.escape(PROGRAM)), 'the process')
unlike(result.stdout, r'(?m)^ *%d ' % os.getpid(), 'and none that is not')
mode = os.stat(program.directory())
is_eq((stat.S_IMODE(mode.st_mode), mode.st_uid), (0o700, os.geteuid()),
      'the directory of its state is private')

# ---- top ----

program.does('gg')
result = heap('top', program.pid)
is_eq(result.status, 0, 'top')
like(result.stdout, r'(?m)^ +20000 +20 +0 +20000 +20 .*  grows ', 'what is')
lines = result.stdout.splitlines()
ok(lines[2].find('grows') > 0, 'most live bytes come first', lines)
result = heap('--count=3', '--interval=0.02', 'top', program.pid)
is_eq(len(re.findall('(?m)^process ', result.stdout)), 3, 'again and again')
is_eq(rows(heap('--format=json', 'top', program.pid).stdout)['grows'],
      (20000, 20000, 20), 'in JSON')


def on_terminal(keys):
    """What top shows there, and its status."""
    pid, fd = pty.fork()
    if not pid:
        os.execv(HEAP, [HEAP, '--interval=0.05', 'top', program.pid])
    screen = b''
    sent = False
    while select.select([fd], [], [], 60)[0]:
        try:
            some = os.read(fd, 65536)
        except OSError:
            break
        if not some:
            break
        screen += some
        # Two of them.
        if not sent and screen.count(b'\033[H') >= 2:
            os.write(fd, keys)
            sent = True
    status = os.waitpid(pid, 0)[1]
    os.close(fd)
    return screen.decode(), os.waitstatus_to_exitcode(status)


for name, key in (('q', b'q'), ('an interrupt', b'\3')):
    screen, status = on_terminal(key)
    is_eq(status, 0, name + ' ends it')
    like(screen, '\033\\[H', 'which shows screens')
    ok(all(len(line) <= 80 for line in
           re.sub('\033\\[[0-9]*[A-Z]', '', screen).split('\r\n')),
       'of the terminal\'s width', screen)

# ---- snapshot ----

program.does('psg')
snaps = []
for letters in ('', 'pgs', 'pgs', 'pgf'):
    program.does(letters)
    path = tmpfile('snapshot-%d' % len(snaps))
    result = heap('-o', path, 'snapshot', program.pid)
    is_eq((result.status, result.stdout), (0, path + '\n'), 'snapshot')
    snaps.append(path)
is_eq(rows(heap('--format=json', 'report', snaps[0]).stderr)['grows'],
      (30000, 30000, 30), 'and its report')
ok(os.stat(snaps[0]).st_blocks * 512 < 2 << 20, 'it is small')
is_eq(stat.S_IMODE(os.stat(snaps[0]).st_mode), 0o600, 'and the owner\'s')
os.mkdir(tmpfile('cwd'))
result = heap('snapshot', program.pid, cwd=tmpfile('cwd'))
like(result.stdout, r'^%s-\d{8}T\d{6}\.\d{3}\.heap$' % program.pid,
     'it has a name of its own')
is_eq(os.listdir(tmpfile('cwd')), [result.stdout.strip()], 'which is made')
shutil.rmtree(tmpfile('cwd'))

# ---- diff ----

growth = rows(heap('--format=json', 'diff', snaps[0], snaps[2]).stdout)
is_eq(growth.get('grows'), (20000, 20000, 20), 'growth')
is_eq(growth.get('passes'), (600000, 0, 0), 'what has gone again')
ok('begins' not in growth, 'nothing of what is as before', growth)
growth = rows(heap('--format=json', 'diff', snaps[0], snaps[3]).stdout)
is_eq(growth.get('begins'), (0, -7000, -1), 'less than before')
text = heap('--min=1', 'diff', snaps[0], snaps[3]).stdout
like(text, r'(?m)^growth in \d+\.\d seconds; ', 'it says how long')
like(text, r'(?m)^ +30000 +30 +0 +30000 +30 .*  grows ', 'growth in text')
unlike(text, 'begins|passes', '--min')
growth = rows(heap('--format=json', 'diff', snaps[3], program.pid).stdout)
is_eq(growth, {}, 'a process that has done nothing since')
is_eq(heap('--format=folded', 'diff', *snaps[:2]).status, 1,
      'growth is not folded')

# ---- leaks ----

leaks = rows(heap('--format=json', 'leaks', *snaps).stdout)
is_eq(leaks, {'grows': (30000, 30000, 30)}, 'what grows each time')
result = heap('--count=3', '--interval=0.02', 'leaks', program.pid)
like(result.stderr, 'no location\'s live bytes have grown each time',
     'nothing does')
is_eq(result.status, 0, 'which is no error')
path = tmpfile('leaks')
watcher = subprocess.Popen([HEAP, '--format=json', '-o', path, '--count=2',
                            '--interval=1', 'leaks', program.pid])
while watcher.poll() is None:
    program.does('g')
    time.sleep(0.05)
with open(path) as file:
    ok('grows' in rows(file.read()), 'a process that leaks')
os.unlink(path)

# ---- memory ----

# It answers when it has allocated something.
path = tmpfile('top')
watcher = subprocess.Popen([HEAP, '--format=json', '-o', path, '--count=9',
                            '--interval=0.05', 'top', program.pid])
while watcher.poll() is None:
    program.does('p')
    time.sleep(0.005)
with open(path) as file:
    last = json.load(file)['processes'][0]
os.unlink(path)
live = last['totals'][0]['live_bytes']
ok(live < last['heap_bytes'] < last['resident_bytes'] < live + (64 << 20),
   'live bytes, malloc\'s, and what is resident', last)

# ---- errors ----

for args, why in ((['top'], 'give one process ID'),
                  (['top', 'x'], 'give one process ID'),
                  (['top', '1', '2'], 'give one process ID'),
                  (['top', str(os.getpid())], 'is not being counted'),
                  (['snapshot', '999999999'], 'No such process'),
                  (['diff', snaps[0]], 'give two state files'),
                  (['diff', snaps[0], '/dev/null'], 'not a state file'),
                  (['leaks', '/nonexistent', snaps[0]], 'No such file'),
                  (['leaks'], 'give a process ID'),
                  (['list', 'x'], 'takes no argument'),
                  (['--interval=0', 'top', '1'], 'invalid value'),
                  (['--count=x', 'top', '1'], 'invalid value')):
    result = heap(*args)
    is_eq(result.status, 1, 'bad: ' + ' '.join(args))
    like(result.stderr, why, 'and why')
os.symlink(PROGRAM, tmpfile('list'))
result = heap('-o', '/dev/null', '--', 'list', input='',
              env={'PATH': tmpdir() + ':' + os.environ['PATH']})
like(result.stdout, r'^\d+$', 'a program of that name can be run')
os.unlink(tmpfile('list'))

# ---- states that stay behind ----

directory = program.directory()
is_eq(program.ends(), 0, 'the program ends')
ok(not os.path.exists(directory), 'nothing is left of it')

# Its parent ends, it goes on, and so does its state.
program = Program()
directory = program.directory()
program.tell('d')
wait_for(lambda: program.process.poll() is not None)
is_eq(program.process.returncode, 0, 'a program in the background')
ok(os.path.exists(directory), 'keeps its state')
program.told()
program.does('g')
names = [name for name in os.listdir(directory)]
pids = {name.split('.')[0] for name in names}
is_eq(len(pids - {program.pid}), 1, 'one process')
child = (pids - {program.pid}).pop()
is_eq(rows(heap('--format=json', 'top', child).stdout)['grows'],
      (10000, 10000, 10), 'and can be looked at')
program.ends()
wait_for(lambda: not os.path.exists('/proc/%s/maps' % child)
         or open('/proc/%s/stat' % child).read().split()[2] == 'Z')
heap('list')
ok(not os.path.exists(directory), 'until both are gone and someone looks')

program = Program()
directory = program.directory()
program.process.kill()
program.process.wait()
heap('list')
ok(os.path.exists(directory), 'tracer-heap killed: the program still runs')
program.does('g')
like(heap('top', program.pid).stdout, 'grows', 'and is counted')
os.kill(int(program.pid), signal.SIGKILL)
wait_for(lambda: not os.path.exists('/proc/%s/maps' % program.pid)
         or open('/proc/%s/stat' % program.pid).read().split()[2] == 'Z')
heap('-o', '/dev/null', 'true')
ok(not os.path.exists(directory), 'the next run cleans up')
program.process.stdin.close()
program.process.stdout.close()
for path in snaps:
    os.unlink(path)

done()
