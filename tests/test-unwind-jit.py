# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks through generated code, of which a JIT compiler tells in a map or by
GDB's interface, or of which nobody tells."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

from tap import (TRACER, done, is_eq, like, ok, run_tracer, skip, skip_all,
                 tmpdir, tmpfile, tracee)
from unwind_cases import has_unwinder, marked

UNWINDERS = [name for name in ('cfi', 'libdw', 'libunwind')
             if has_unwinder(name)]
JIT = tracee('unwind-jit')


def check_stacks(title, trace, want, module, run, certain=False):
    """want: the generated function on the stack of each mark."""
    found = marked(trace)
    for mark, function in want.items():
        frames = found.get(mark, [[]])[0]
        got = [frame.symbol for frame in frames]
        ok(got == ['mark', 'callback', function, 'run', run, 'main']
           + got[6:] and got[-1] == '_start', '%s: %s' % (title, mark),
           *frames)
        if len(frames) < 4:
            continue
        ok(re.match(module, frames[2].module or '') if function or
           'memfd' in module else not frames[2].module,
           '%s: %s: its module' % (title, mark), frames[2])
        # Only who called code without rules is uncertain.
        is_eq(['(uncertain)' in frame.text for frame in frames[:5]],
              [False] * 3 + [not (certain and function), False],
              '%s: %s: what is certain' % (title, mark))


def trace_jit(unwinder, *args):
    return run_tracer('--unwinder=' + unwinder, '-k', '-e', 'trace=access',
                      JIT, *args).trace


def check_map(unwinder):
    want = {'untold': None, 'first': 'first function',
            'first-again': 'first function', 'second-untold': None,
            'second': 'second function', 'replaced': 'replaced',
            'second-again': 'second function', 'overwritten': None,
            'still-there': 'replaced'}
    for how, module in (('perf', r'/tmp/perf-\d+\.map$'),
                        ('memfd', r'/memfd:generated \(deleted\)$')):
        check_stacks('%s, %s' % (unwinder, how), trace_jit(unwinder, how),
                     want, module, 'run_map')


def check_objects(unwinder):
    want = {'first': 'first', 'second': 'second', 'first-again': 'first',
            'replaced': 'replaced', 'untold': None,
            'still-there': 'replaced'}
    for how in ('objects', 'executables', 'text-relative', 'plain'):
        check_stacks('%s, %s' % (unwinder, how), trace_jit(unwinder, how),
                     want, r'\[jit\]$', 'run_objects', how != 'plain')


# ---- maps that others write ----

class Asked:
    """The JIT that says nothing by itself, under the tracer."""

    def __init__(self, times, *options):
        self.path = tmpfile('trace')
        self.process = subprocess.Popen(
            [TRACER, '-k', '--format=json', '-e', 'trace=access', '-o',
             self.path, *options, JIT, 'asked', str(times)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True)
        pid, address = self.process.stdout.readline().split()
        self.address = address
        self.map = '/tmp/perf-%s.map' % pid

    def run(self):
        self.process.stdin.write('\n')
        self.process.stdin.flush()

    def symbols(self):
        """Those of the generated function, once it has ended."""
        try:
            self.process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
        if os.path.lexists(self.map):
            os.unlink(self.map)
        with open(self.path) as file:
            calls = [json.loads(line) for line in file]
        return [call['stack'][2].get('symbol') for call in calls
                if 'mark:asked' in json.dumps(call.get('args', ''))]


def check_foreign_maps():
    asked = Asked(1)
    with open(asked.map, 'w') as file:
        file.write('%s 40 trusted\n' % asked.address)
    asked.run()
    is_eq(asked.symbols(), ['trusted'], 'a map that another process wrote')

    if os.geteuid():
        skip('a map of another user', 'only root makes one')
    else:
        asked = Asked(1)
        with open(asked.map, 'w') as file:
            file.write('%s 40 wrong\n' % asked.address)
        os.chown(asked.map, 12345, 12345)
        asked.run()
        is_eq(asked.symbols(), [None], 'a map of another user is not read')

    asked = Asked(1)
    target = tmpfile('target', '%s 40 wrong\n' % asked.address)
    os.symlink(target, asked.map)
    asked.run()
    is_eq(asked.symbols(), [None], 'a symbolic link is not followed')

    asked = Asked(1)
    os.mkfifo(asked.map)
    asked.run()
    is_eq(asked.symbols(), [None], 'nor is a pipe waited for')


def check_hostile_map():
    asked = Asked(2)
    with open(asked.map, 'wb') as file:
        file.write(b'\0\xff\n0 ffffffffffffffff all\n' + b'x' * 300000 +
                   b'\n%s 40 a\xff\x1b\n' % asked.address.encode())
    asked.run()
    asked.run()
    is_eq(asked.symbols(), [{'hex': '61ff3f'}] * 2,
          'a hostile map is survived')


def check_replaced_map():
    asked = Asked(1)
    with open(asked.map, 'w') as file:
        file.write('%s 40 old\n' % asked.address)
    os.unlink(asked.map)
    with open(asked.map, 'w') as file:
        file.write('%s 40 new\n' % asked.address)
    asked.run()
    is_eq(asked.symbols(), ['new'], 'a map that replaces another')


def check_namespaces():
    """The map is named as the process calls itself, in its own /tmp."""
    title = 'in other namespaces'
    if os.geteuid() or not shutil.which('unshare') or subprocess.run(
            ['unshare', '-fmp', 'mount', '-t', 'tmpfs', 'none', '/tmp'],
            stderr=subprocess.DEVNULL).returncode:
        skip(title, 'cannot make namespaces here')
        return
    code = ('import os, subprocess, sys\n'
            'fd = os.open(sys.argv[1], os.O_RDONLY)\n'
            'subprocess.check_call(["mount", "-t", "tmpfs", "none", "/tmp"])\n'
            'os.execve(fd, ["unwind-jit", "perf"], os.environ)\n')
    result = run_tracer('-f', '-k', '-e', 'trace=access', 'unshare', '-fmp',
                        sys.executable, '-S', '-c', code, JIT)
    frames = marked(result.trace).get('first', [[]])[0]
    like(frames[2].text if len(frames) > 2 else result.trace,
         r'> /tmp/perf-\d\.map\(first function\+', title)


def main():
    if not UNWINDERS:
        skip_all('this build has no unwinder')
    if os.uname().machine != 'x86_64':
        skip_all('the compiler makes code for x86-64')
    for unwinder in UNWINDERS:
        check_map(unwinder)
        check_objects(unwinder)
    check_foreign_maps()
    check_hostile_map()
    check_replaced_map()
    check_namespaces()
    done()


main()
