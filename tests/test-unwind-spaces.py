# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks while mappings change, whoever changes them: never a wrong name, and
nothing is looked up again that has not changed."""

import ctypes
import os
import re
import subprocess

from tap import (TRACER, done, is_eq, ok, run_tracer, skip_all, tmpfile,
                 tracee)
from unwind_cases import PLAIN, counters, has_unwinder, marked, names

UNWINDERS = [name for name in ('cfi', 'libdw', 'libunwind')
             if has_unwinder(name)]
SPACES = tracee('unwind-spaces')
ORDER = 'abaabb'
LIBRARIES = [tracee('unwind-plugin-%s.so' % x) for x in ORDER]

# Who opens and closes the libraries, and what the tracer is told.
WAYS = [('self', []), ('self', ['-f']),
        ('thread', []), ('thread', ['-f']),
        ('process', []), ('process', ['-f']),
        ('untraced', []), ('untraced', ['-f']),
        ('vfork', []), ('vfork', ['-f'])]


def check_frames(title, trace, output):
    all_frames = marked(trace).get('plugin', [])
    is_eq([(names(frames)[:5], os.path.basename(frames[1].module or ''))
           for frames in all_frames],
          [(['mark', 'work_of_' + x, 'plugin', 'use', 'main'],
            'unwind-plugin-%s.so' % x) for x in ORDER], title)
    # Else the test would say nothing.
    addresses = re.findall(r'^0x[0-9a-f]+$', output, re.M)
    ok(any(a == b and x != y for a, b, x, y in
           zip(addresses, addresses[1:], ORDER, ORDER[1:])),
       title + ': at the same address', addresses)


def check_libraries(unwinder):
    """None of the calls that change the mappings is among those shown."""
    for how, options in WAYS:
        result = run_tracer('--unwinder=' + unwinder, '-k', '-e',
                            'trace=access', *options, SPACES, how,
                            *LIBRARIES)
        check_frames('%s: libraries opened by: %s %s' % (
            unwinder, how, ' '.join(options)), result.trace, result.stdout)


class Instruction(ctypes.Structure):
    _fields_ = [('code', ctypes.c_uint16), ('jt', ctypes.c_uint8),
                ('jf', ctypes.c_uint8), ('k', ctypes.c_uint32)]


class Program(ctypes.Structure):
    _fields_ = [('count', ctypes.c_uint16),
                ('filter', ctypes.POINTER(Instruction))]


def forbid_kcmp():
    """Lets kcmp fail with EPERM, as many containers do."""
    PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
    code = (Instruction * 4)(
        Instruction(0x20, 0, 0, 0),                 # the call's number
        Instruction(0x15, 0, 1, 312),               # is it kcmp?
        Instruction(0x06, 0, 0, 0x00050000 | 1),    # then EPERM
        Instruction(0x06, 0, 0, 0x7fff0000))        # else it is allowed
    program = Program(len(code), code)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
                  ctypes.byref(program)):
        os._exit(99)


def attach(unwinder, options, both, prepare=None):
    """Attaches to a process whose helper shares its memory.

    both: to the helper as well.  prepare: what the tracer does first.
    Returns trace, output and messages.
    """
    path = tmpfile('trace')
    program = subprocess.Popen([SPACES, 'helper'] + LIBRARIES,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               text=True)
    helper = program.stdout.readline().split()[1]
    pids = ['-p', str(program.pid)] + (['-p', helper] if both else [])
    tracer = subprocess.Popen(
        [TRACER, '--unwinder=' + unwinder, '-k', '--debug-unwinding', '-e',
         'trace=access', '-o', path] + options + pids,
        stderr=subprocess.PIPE, text=True, preexec_fn=prepare)
    messages = ''
    for _ in pids[::2]:
        messages += tracer.stderr.readline()
    output, _ = program.communicate('\n', 60)
    messages += tracer.communicate(timeout=60)[1]
    with open(path) as file:
        return file.read(), output, messages


def check_attached(unwinder):
    for options, both in (([], False), (['-f'], False), (['-f'], True),
                          ([], True)):
        title = '%s: attached %s%s' % (unwinder, ' '.join(options),
                                       ' to both' if both else '')
        trace, output, messages = attach(unwinder, options, both)
        check_frames(title, trace, output)
        if both:
            ok('unwinding: contexts=1\n' in messages,
               title + ': one context', messages)
    if os.uname().machine == 'x86_64':
        trace, output, messages = attach(unwinder, ['-f'], True, forbid_kcmp)
        title = unwinder + ': attached where kcmp is forbidden'
        check_frames(title, trace, output)
        ok('unwinding: contexts=2\n' in messages,
           title + ': nobody knows that it is one', messages)


def check_sharing(unwinder):
    """Who shares the memory shares what is known of it, until exec."""
    title = unwinder + ': '
    option = '--unwinder=' + unwinder

    for how in ('thread', 'process', 'vfork'):
        c = counters(option, '-e', 'trace=access', SPACES, how, LIBRARIES[0])
        is_eq(c.get('contexts'), 1, title + 'one context: ' + how)
    result = run_tracer(option, '-f', '-k', '--debug-unwinding', '-e',
                        'trace=access', SPACES, 'exec', tracee('unwind'))
    found = marked(result.trace)
    ok('unwinding: contexts=2\n' in result.stderr,
       title + 'another one after exec', result.stderr)
    is_eq([names(found[mark][0])[:len(want)] for mark, want in (
        ('before-exec', ['mark', 'execute', 'run_task']),
        ('plain', PLAIN), ('work', ['mark', 'work', 'main']))],
          [['mark', 'execute', 'run_task'], PLAIN, ['mark', 'work', 'main']],
          title + 'all three see their own')


def check_data(unwinder):
    """Of 9 changes, 20 times, none is of code."""
    title = unwinder + ': changes of data: '
    c = counters('--unwinder=' + unwinder, '-e', 'trace=access', SPACES,
                 'data')
    ok(c.get('stacks', 0) > 20 * 6, title + 'there are stacks', c)
    is_eq(c.get('invalidations'), 0, title + 'nothing is forgotten')
    ok(c.get('map_reads', 99) <= 3, title + 'mappings are not read again', c)
    ok(c.get('places', 99) < 40, title + 'no place is looked up again', c)
    is_eq(c.get('restarts'), 0, title + 'no walk is begun again')


def main():
    if not UNWINDERS:
        skip_all('this build has no unwinder')
    for unwinder in UNWINDERS:
        check_libraries(unwinder)
        check_attached(unwinder)
        check_sharing(unwinder)
        check_data(unwinder)
    done()


main()
