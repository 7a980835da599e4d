# SPDX-License-Identifier: LGPL-2.1-or-later
"""For tests of what calls look like: tracees that make certain calls, and the
lines that they must give.

    lines('decode-futex', 'futex', '''
    futex(PTR, FUTEX_WAKE, 1) = 0
    ''')

In an expected line PTR stands for any address of the tracee's pieces of
memory, STACK for any other address, PID for any process id, NUM for any
number, and a line that ends in '= ...' may have any result.
"""

import re

from tap import ok, run_tracer, tracee

WILD = (('PTR', r'0x2[0-9a-f]{7}'), ('STACK', r'0x[0-9a-f]+'),
        ('PID', r'\d+'), ('NUM', r'\d+'))


def pattern(line):
    """The expected line as a regular expression."""
    text = re.escape(line)
    for word, regex in WILD:
        text = re.sub(r'\b%s\b' % word, lambda m: regex, text)
    return re.sub(r'=\\ \\\.\\\.\\\.$', r'= .+', text) + r'$'


def trace(program, calls, *options):
    """The lines of the calls that the tracee makes after begin()."""
    result = run_tracer('-e', 'trace=chdir,' + calls, '-e', 'signal=none',
                        *options, tracee(program))
    found, begun = [], False
    for line in result.lines:
        line = re.sub(r'\) +=', ') =', line, count=1)
        if 'begin of the calls' in line or '\\x2f\\x62\\x65' in line:
            begun = True
        elif begun:
            found.append(line)
    return found


def lines(program, calls, expected, *options):
    """Checks the lines of a tracee's calls one by one."""
    got = trace(program, calls, *options)
    wanted = [line.strip() for line in expected.strip().split('\n')]
    suffix = ' (%s)' % ' '.join(options) if options else ''
    for i, line in enumerate(wanted):
        have = got[i] if i < len(got) else 'nothing'
        ok(re.match(pattern(line), have), line + suffix, 'got:  ' + have,
           'want: ' + line)
    rest = [line for line in got[len(wanted):] if not line.startswith('+++')]
    ok(not rest, '%s%s: nothing else' % (program, suffix), *rest)


def some(program, calls, expected, *options):
    """Checks that each expected line is among the tracee's."""
    got = trace(program, calls, *options)
    suffix = ' (%s)' % ' '.join(options) if options else ''
    for line in expected.strip().split('\n'):
        line = line.strip()
        near = [l for l in got if l.split('(')[0] == line.split('(')[0]]
        ok(any(re.match(pattern(line), l) for l in got), line + suffix,
           'want: ' + line, *('got:  ' + l for l in near))
