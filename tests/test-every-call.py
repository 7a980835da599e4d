#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every system call with many arguments: do strace and tracer agree?

    tests/test-every-call.py [--full] [NAME...]

With names, only these calls are compared, and the lines that differ are
shown; --full makes ten times as many calls.  Without, all calls are compared
without options, and a part of them with each set of options.
"""

import re
import subprocess
import sys

from differential import find_strace
from every_call import every_call
from tap import TRACER, done, ok, skip_all, tmpfile, tracee

NEWEST = (7, 2)

OPTION_SETS = (
    ['-v'], ['-y'], ['-yy'], ['-N'], ['-s', '3'], ['-e', 'raw=all'],
    ['-e', 'abbrev=none'], ['-e', 'verbose=none'], ['-X', 'raw'],
    ['-X', 'verbose'],
)

# Lines of strace for which the documentation tells another: ioctl commands
# that it has no name for, flags and a mode run together, a structure that can
# be read as far as the kernel reads it, and what has been shown of a structure
# shown again.
OTHERWISE = re.compile(
    r'ioctl\(.*_IOC\(|(sem|msg)get\(.*[, |=]0x[0-9a-f]+0[0-7]{2,3}\)'
    r'|rt_sigaction\([\w=]+, (act=)?0x200fff|clone3\(.*=> \{/\* bytes ')

# tracer ends a list after 65536 elements, strace does not.
LONGEST = 100000

# Calls of which some lines differ, and rt_sigaction, which strace does not
# survive with -X verbose: not compared unless named.
DIFFERENT = (
    'bpf', 'io_uring_register', 'poll', 'ppoll', 'pselect6', 'recvmmsg',
    'rt_sigaction', 'select',
)


def lines(program, options, script):
    """What a tracer says of the calls in a script; None if it failed."""
    output = tmpfile('output', '')
    command = [program, '-a', '0', '-e', 'signal=none', '-o', output,
               *options, tracee('scripted'), script]
    status = subprocess.run(command, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL,
                            env={'TZ': 'UTC', 'PATH': '/usr/bin:/bin'})
    if status.returncode:
        return status.returncode, []
    with open(output, encoding='utf-8', errors='surrogateescape') as file:
        found = file.read().split('\n')
    begin = max(i for i, line in enumerate(found[:200])
                if line.startswith('seccomp('))
    end = max(i for i, line in enumerate(found) if line.startswith('kill('))
    return 0, [re.sub(r'\) += ', ') = ', line, count=1)
               for line in found[begin + 1:end]]


def differences(theirs, ours):
    return [(a, b) for a, b in zip(theirs, ours)
            if a != b and not OTHERWISE.match(a) and len(a) < LONGEST]


def shown(pairs):
    text = []
    for theirs, ours in pairs:
        text += ['- ' + theirs[:1000], '+ ' + ours[:1000]]
    return text


strace, version = find_strace()
if not strace:
    skip_all(version)
if version < NEWEST:
    skip_all('strace is older than %d.%d' % NEWEST)
names = [arg for arg in sys.argv[1:] if not arg.startswith('-')]
quick = '--full' not in sys.argv


def check(options, part):
    path = tmpfile('script', '')
    every_call(names, quick, () if names else DIFFERENT, part).write(path)
    status, theirs = lines(strace, options, path)
    if status == 77:
        skip_all('seccomp does not notify here')
    ours = lines(TRACER, options, path)[1]
    found = differences(theirs, ours)
    name = ' '.join(options) or 'without options'
    ok(theirs and len(theirs) == len(ours),
       '%s: %d lines' % (name, len(theirs)), 'tracer has %d' % len(ours))
    ok(not found, '%s: all the same' % name,
       *shown(found if names else found[:10]))


check([], (0, 1))
# the other options on a part each, unless a few calls are all there is
for i, options in enumerate(OPTION_SETS):
    check(options, (0, 1) if names else (i, len(OPTION_SETS)))

done()
