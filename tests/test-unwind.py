# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks: all back ends print the same."""

import os
import sys

from tap import TRACER, done, like, ok, run, run_tracer, tracee
from unwind_cases import fix_addresses, has_unwinder


def check_same(unwinders):
    """Every back end gives the same lines."""
    programs = [
        [tracee('unwind'), 'plain', 'signal', 'altstack', 'fault', 'deep'],
        [tracee('unwind-static'), 'plain', 'signal'],
        [tracee('unwind-plugins'), tracee('unwind-plugin-a.so')],
        ['/bin/ls', '/'],
        [sys.executable, '-S', '-c', 'import json'],
    ]
    for program in programs:
        traces = []
        for unwinder in unwinders:
            result = run_tracer('--unwinder=' + unwinder, '-k', '-e',
                                'trace=!mmap,munmap,brk', *program,
                                preexec_fn=fix_addresses)
            traces.append([line for line in result.lines
                           if line.startswith(' > ')])
        for other, trace in zip(unwinders[1:], traces[1:]):
            different = [pair for pair in zip(traces[0], trace)
                         if pair[0] != pair[1]]
            ok(len(trace) > 10 and not different
               and len(trace) == len(traces[0]),
               '%s and %s print the same for %s' % (
                   unwinders[0], other, os.path.basename(program[0])),
               len(traces[0]), len(trace), *different[:5])


def main():
    like(run([TRACER, '--unwinder=none', 'true']).stderr, 'none',
         'an unknown unwinder is an error')
    unwinders = [name for name in ('cfi', 'libdw', 'libunwind')
                 if has_unwinder(name)]
    if unwinders:
        check_same(unwinders)
    else:
        like(run([TRACER, '-k', 'true']).stderr, 'no unwinder',
             'a build without unwinders says so')
    done()


main()
