#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The same options have the same effect under strace.

STRACE in the environment names another strace than the one in PATH.  An
option that this strace does not know is skipped.
"""

import difflib
import os
import re
import shutil

from tap import TRACER, done, ok, run, skip, skip_all, tmpfile, tracee

STRACE = os.environ.get('STRACE') or shutil.which('strace')
if not STRACE or run([STRACE, '-o', '/dev/null', 'true']).status != 0:
    skip_all('there is no strace that works')

PROG = tracee('options')
SOME = '-e trace=openat,write,chdir,fstat,kill,wait4,exit_group '


def normal(text):
    """Process ids, addresses, inodes and times do not matter."""
    text = re.sub(r'0x[0-9a-f]{7,}', 'ADDRESS', text)
    text = re.sub(r'\[[0-9a-f]{16}\]', '[IP]', text)
    text = re.sub(r'\d\d:\d\d:\d\d', 'CLOCK', text)
    text = re.sub(r'\b\d{10}(\.\d+)?\b', lambda match: 'UNIX' + (
        '.' + 'N' * (len(match.group(1)) - 1) if match.group(1) else ''), text)
    text = re.sub(r'\.\d{3,9}\b', lambda match:
                  '.' + 'N' * (len(match.group(0)) - 1), text)
    text = re.sub(r'(si_[us]time)=\d+', r'\1=N', text)
    text = re.sub(r'(pid=|kill\(|getpid\(\) += |set_tid_address\(.*\) += )\d+',
                  r'\1PID', text)
    text = re.sub(r'^\d+(<\w+>)? +', r'PID\1 ', text, flags=re.M)
    return re.sub(r' +=', ' =', text)


def trace(program, args, path):
    result = run([program, '-o', path, *args, PROG, 'alone'])
    if result.status != 5:
        return None
    with open(path) as file:
        return normal(file.read()).splitlines()


def rows(lines):
    """Of a table of statistics, what does not depend on time."""
    return sorted(' '.join(line.split()[3:]) for line in lines
                  if not line.startswith('-'))


def compare(options, view=lambda lines: lines):
    args = options.split()
    want = trace(STRACE, args, tmpfile('strace'))
    if want is None:
        skip(options, 'strace does not know it')
        return
    got = view(trace(TRACER, args, tmpfile('tracer')) or [])
    want = view(want)
    ok(got == want, options,
       *difflib.unified_diff(want, got, 'strace', 'tracer', n=0, lineterm=''))


for options in (
        '', '-v', '-s 5', '-s 0', '-x', '-xx', '-a 70', '-a 0', '-i', '-n',
        '-N', '-y', '-yy', '-X raw', '-X verbose', '-z', '-Z', '-t', '-tt',
        '-ttt', '-r', '-t -r', '-T', '-q', '-qq', '-qqq', '-f -z', '-Y',
        '-e raw=openat,write', '-e verbose=none',
        '-e abbrev=none', '-e abbrev=!fstat', '-e signal=none',
        '-e signal=!USR1', '-e status=failed', '-e status=unfinished',
        '-e status=!successful', '-e quiet=exit',
        '--strings-in-hex=non-ascii-chars', '--decode-fds=dev',
        '--decode-fds=path', '--always-show-pid', '--always-show-pid -Y',
        '--timestamps=unix,ns', '--relative-timestamps=ms',
        '--syscall-times=ns', '--color=never', '-n -i -N -y -v -X verbose',
        '-t -n -i --always-show-pid'):
    compare(SOME + options)
for selection in (
        '%file', '%desc', '%memory', '%process', '%signal', '%creds', '%pure',
        '%net', '%ipc', '%clock', '%%stat', '!%file,rseq', '/^w',
        '!write,chdir,rseq', '?nosuch', '1,80', 'none', 'all@32',
        'write@64,chdir@32'):
    compare('-e signal=none -e trace=' + selection)
for options in (
        '-c', '-c -w -S name', '-c -f', '-c -e trace=%file',
        '-c -e trace=none'):
    compare(options, rows)
for options in (
        '-c -S name -U calls,errors,name', '-c -S none -U name,calls,errors',
        '-c -S calls -U calls', '-c -S errors -U errors'):
    compare(options)
compare('-C -S calls -U calls,errors,name -e trace=write,chdir')
compare('-c -S calls -U calls,name,errors -e trace=write,chdir')
compare('-c -S nothing -U name -e trace=write,chdir,fstat,kill')
done()
