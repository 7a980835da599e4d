#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What each option does to the output, and mistakes on the command line.

The tracee's calls and their values are known: see tests/tracees/options.c.
"""

import json
import os
import re
import signal
import subprocess
import time

from tap import (TRACER, done, is_eq, like, note, ok, run, run_tracer, skip,
                 tmpfile, tmpdir, tracee, unlike)

PROG = tracee('options')
SOME = ('-e', 'trace=write,chdir')
WRITE1 = r'write(3, "tab\t\303\251\0017<", 9)'
WRITE2 = 'write(3, "' + 32 * 'x' + '"..., 40)'
CHDIR = 'chdir("/nonexistent/directory")'
ENOENT = '-1 ENOENT (No such file or directory)'


def line(call, result, column=40):
    """A line as the text format aligns it."""
    return '%-*s = %s' % (column - 1, call, result)


SOME_LINES = [line(WRITE1, 9), line(WRITE2, 40), line(CHDIR, ENOENT)]
EXIT = '+++ exited with 5 +++'


def calls(*args, **more):
    """The lines of a run that show calls; signals are left out."""
    result = run_tracer('-e', 'signal=none', *args, PROG, **more)
    if result.status != 5:
        note('status %r, stderr: %s' % (result.status, result.stderr))
    return result.lines


# ---- mistakes ----

def wrong(args, message):
    """One message, a hint, and exit status 1."""
    result = run([TRACER] + list(args))
    name = ' '.join(args) or 'nothing'
    is_eq((result.status, result.stderr.splitlines()),
          (1, ["%s: %s" % (TRACER, message),
               "Try '%s -h' for more information." % TRACER]), name)
    is_eq(result.stdout, '', name + ': nothing on standard output')


NEED = 'must have PROG [ARGS] or -p PID'
SUMMARY = '(-c/--summary-only or -C/--summary)'

for case in (
        ([], NEED),
        (['-f'], NEED),
        (['-Q', PROG], "invalid option -- 'Q'"),
        (['--nosuch', PROG], "unrecognized option '--nosuch'"),
        (['-e'], "option requires an argument -- 'e'"),
        (['--trace'], "option '--trace' requires an argument"),
        (['--no-abbrev=1', PROG],
         "option '--no-abbrev' doesn't allow an argument"),
        (['-e', 'nosuch', PROG], "invalid system call 'nosuch'"),
        (['-e', 'trace=', PROG], "invalid system call ''"),
        (['-e', 'nosuch=read', PROG], "invalid system call 'nosuch=read'"),
        (['-e', 'raw=nosuch', PROG], "invalid system call 'nosuch'"),
        (['-e', 'signal=nosuch', PROG], "invalid signal 'nosuch'"),
        (['-e', 'status=nosuch', PROG], "invalid status 'nosuch'"),
        (['-e', 'quiet=nosuch', PROG], "invalid quiet 'nosuch'"),
        (['--decode-fds=nosuch', PROG], "invalid decode-fds 'nosuch'"),
        (['--decode-pids=nosuch', PROG], "invalid decode-pids 'nosuch'"),
        (['-p', 'x'], "invalid process id: 'x'"),
        (['-p', '0'], "invalid process id: '0'"),
        (['-p', '-1'], "invalid process id: '-1'"),
        (['-p', '1,x'], "invalid process id: 'x'"),
        (['-p', ''], "invalid process id: ''"),
        (['-s', 'x', PROG], "invalid -s argument: 'x'"),
        (['-s', '1073741824', PROG], "invalid -s argument: '1073741824'"),
        (['--string-limit=-1', PROG],
         "invalid --string-limit argument: '-1'"),
        (['-a', '-1', PROG], "invalid -a argument: '-1'"),
        (['-X', 'x', PROG], "invalid -X argument: 'x'"),
        (['-I', '5', PROG], "invalid -I argument: '5'"),
        (['--color=x', PROG], "invalid --color argument: 'x'"),
        (['--format=x', PROG], "invalid --format argument: 'x'"),
        (['--timestamps=x', PROG],
         "invalid --absolute-timestamps argument: 'x'"),
        (['--relative-timestamps=min', PROG],
         "invalid --relative-timestamps argument: 'min'"),
        (['--syscall-times=x', PROG], "invalid --syscall-times argument: 'x'"),
        (['--strings-in-hex=x', PROG],
         "invalid --strings-in-hex argument: 'x'"),
        (['--stack-trace=x', PROG], "invalid --stack-trace argument: 'x'"),
        (['--stack-trace-frame-limit=0', PROG],
         "invalid --stack-trace-frame-limit argument: '0'"),
        (['--unwinder=x', PROG], "this tracer has no unwinder 'x'"),
        (['-c', '-S', 'x', PROG], "invalid sortby: 'x'"),
        (['-c', '-U', 'x', PROG], "unknown column name: 'x'"),
        (['-c', '-O', '1h', PROG], "invalid -O argument: '1h'"),
        (['-c', '-C', PROG], '-c/--summary-only and -C/--summary are '
         'mutually exclusive'),
        (['-c', '-ff', PROG], SUMMARY + ' and -ff/--output-separately are '
         'mutually exclusive'),
        (['-ff', '-o', '|cat', PROG], 'piping the output and '
         '-ff/--output-separately are mutually exclusive'),
        (['-w', PROG], '-w/--summary-wall-clock must be given with '
         + SUMMARY),
        (['-U', 'calls', PROG], '-U/--summary-columns must be given with '
         + SUMMARY),
        (['-q', '--quiet=exit', PROG],
         '-q and -e quiet/--quiet cannot be provided simultaneously'),
        (['-x', '--strings-in-hex', PROG],
         '-x and --strings-in-hex cannot be provided simultaneously'),
        (['-t', '--absolute-timestamps', PROG],
         '-t and --absolute-timestamps cannot be provided simultaneously'),
        (['-y', '--decode-fds', PROG],
         '-y and --decode-fds cannot be provided simultaneously'),
        (['--kill-on-exit', '-p', '1'],
         '--kill-on-exit and -p/--attach are mutually exclusive'),
        (['--argv0=x', '-p', '1'], 'PROG [ARGS] must be specified with '
         '-E/--env, -u/--user and --argv0'),
        (['-D', PROG], '-D is not supported'),
        (['-P', '/', PROG], '-P is not supported'),
        (['-d', PROG], '-d is not supported'),
        (['-e', 'inject=all', PROG], '-e inject is not supported'),
        (['--seccomp-bpf', PROG], '--seccomp-bpf is not supported'),
        (['--tips', PROG], '--tips is not supported')):
    wrong(*case)

result = run([TRACER, '--out=x', PROG])
is_eq(result.status, 1, 'an ambiguous abbreviation')
like(result.stderr, "option '--out=x' is ambiguous", 'is told')

result = run([TRACER, '/nonexistent/program'])
is_eq((result.status, result.stdout), (1, ''), 'a missing program')
is_eq(len(result.stderr.splitlines()), 1, 'gives one message')
like(result.stderr, '/nonexistent/program', 'which names it')
result = run([TRACER, 'nosuchprogram'])
is_eq((result.status, len(result.stderr.splitlines())), (1, 1),
      'a program that is not in PATH')
result = run([TRACER, '-o', '/nonexistent/file', PROG])
is_eq((result.status, len(result.stderr.splitlines())), (1, 1),
      'a file that cannot be written')


def warned(args, message):
    """A message, and all goes on."""
    result = run_tracer(*args, '-qq', '-e', 'trace=none', PROG, output=False)
    is_eq(result.status, 5, ' '.join(args) + ': the tracer goes on')
    like(result.stderr, '^' + re.escape('%s: %s' % (TRACER, message)) + '$',
         'but warns')


warned(['-A'], '-A/--output-append-mode has no effect without -o/--output')
warned(['--output-separately'],
       '--output-separately has no effect without -o/--output')
warned(['-S', 'calls'], '-S/--summary-sort-by has no effect without '
       + SUMMARY)
for option, long_name in (('-i', 'instruction-pointer'), ('-k', 'stack-trace'),
                          ('-n', 'syscall-number'),
                          ('-r', 'relative-timestamps'),
                          ('-t', 'absolute-timestamps'),
                          ('-T', 'syscall-times'), ('-y', 'decode-fds')):
    warned(['-c', option], '%s/--%s has no effect with -c/--summary-only'
           % (option, long_name))

# ---- about ----

for option in '-h', '--help':
    result = run([TRACER, option])
    is_eq((result.status, result.stderr), (0, ''), option)
    like(result.stdout, r'^Usage: tracer ', option + ' tells how to use it')
    is_eq([text for text in result.stdout.splitlines() if len(text) > 80], [],
          'its lines are not too long')
for option in '-V', '--version':
    result = run([TRACER, option])
    is_eq((result.status, result.stderr), (0, ''), option)
    like(result.stdout, r'^tracer \d+\.\d+', option + ' tells the version')
    like(result.stdout, r'^Unwinders \(-k\):', 'and the unwinders')
unwinders = re.search(r'^Unwinders.*: (.*)', result.stdout, re.M).group(1)
unwinders = [] if unwinders == 'none' else unwinders.split()

# ---- filters ----

is_eq(calls(*SOME), SOME_LINES + [EXIT], '-e trace=')
for form in (['-ewrite,chdir'], ['--trace=write,chdir'],
             ['-et=write,chdir'], ['--trace', 'write,chdir'],
             ['-e', '1,80@64'], ['-e', '/^(writ.|chdir)$'],
             ['-e', 'none', '-e', 'write,chdir'],
             ['-e', '?nosuch,write,chdir']):
    is_eq(calls(*form), SOME_LINES + [EXIT], ' '.join(form))
is_eq(calls('-e', 'none'), [EXIT], '-e none')
like('\n'.join(calls('-e', '!write')), r'^chdir', '-e !write')
unlike('\n'.join(calls('-e', '!write')), r'^write', 'no write')
like('\n'.join(calls('-e', '%file')), r'^chdir', '-e %file')
unlike('\n'.join(calls('-e', '%file')), r'^write', 'write is none of it')

is_eq(calls(*SOME, '-z'), SOME_LINES[:2] + [EXIT], '-z')
is_eq(calls(*SOME, '-Z'), SOME_LINES[2:] + [EXIT], '-Z')
is_eq(calls(*SOME, '--failed-only'), SOME_LINES[2:] + [EXIT],
      '--failed-only')
is_eq(calls(*SOME, '--failing-only'), SOME_LINES[2:] + [EXIT],
      '--failing-only')
is_eq(calls(*SOME, '--successful-only'), SOME_LINES[:2] + [EXIT],
      '--successful-only')
is_eq(calls(*SOME, '-e', 'status=failed'), SOME_LINES[2:] + [EXIT],
      '-e status=failed')
is_eq(calls(*SOME, '--status=!failed'), SOME_LINES[:2] + [EXIT],
      '--status=!failed')
is_eq(calls('-e', 'exit_group', '--status=successful'), [EXIT],
      'exit_group is not successful')
is_eq(calls('-e', 'exit_group', '--status=unfinished'),
      [line('exit_group(5)', '?'), EXIT], 'but unfinished')

result = run_tracer('-e', 'trace=none', PROG)
like(result.trace, r'^--- SIGUSR1 \{si_signo=SIGUSR1, si_code=SI_USER, '
     r'si_pid=\d+, si_uid=%d\} ---$' % os.getuid(), 'signals are shown')
for form in ['-e', 'signal=CHLD'], ['--signals=!SIGUSR1'], ['-es=17']:
    result = run_tracer('-e', 'trace=none', *form, PROG)
    unlike(result.trace, 'SIGUSR1', ' '.join(form) + ': but not SIGUSR1')
    like(result.trace, '^--- SIGCHLD', 'only SIGCHLD')

# ---- how lines look ----

is_eq(calls(*SOME, '-a', '60'),
      [line(WRITE1, 9, 60), line(WRITE2, 40, 60), line(CHDIR, ENOENT, 60),
       EXIT], '-a 60')
is_eq(calls(*SOME, '--columns=0'),
      [WRITE1 + ' = 9', WRITE2 + ' = 40', CHDIR + ' = ' + ENOENT, EXIT],
      '--columns=0')
is_eq(calls('-e', 'write', '-n'),
      [line('[   1] ' + WRITE1, 9), '[   1] ' + WRITE2 + ' = 40',
       '[ 231] ' + EXIT], '-n')
is_eq(calls('-e', 'chdir', '-N'),
      [line('chdir(path="/nonexistent/directory")', ENOENT), EXIT], '-N')
like('\n'.join(calls('-e', 'chdir', '-i')),
     r'^\[[0-9a-f]{16}\] chdir\("', '-i')
for args in (), ('-q',), ('-e', 'quiet=attach'), ('--quiet',):
    is_eq(calls('-e', 'none', *args), [EXIT], 'the exit: %s'
          % ' '.join(args))
for args in ('-qq',), ('--quiet=exit',), ('-qqq',), ('-eq=all',), (
        '--silent=exit',), ('--silence=exits',):
    is_eq(calls('-e', 'none', *args), [], 'no exit: %s' % ' '.join(args))

result = run_tracer(*SOME, '-e', 'signal=none', PROG, output=False)
is_eq(result.stderr.splitlines(), SOME_LINES + [EXIT],
      'without -o it goes to standard error')
is_eq(result.stdout, '', 'and not to standard output')
is_eq(result.status, 5, 'the exit status is the tracee\'s')

lines = calls('-e', 'chdir', '--always-show-pid')
like(lines[0], r'^\d+ +chdir\("', '--always-show-pid')
lines = calls('-e', 'chdir', '-f')
like(lines[0], r'^\d+ +chdir\("', '-f in a file')
lines = calls('-e', 'chdir', '-Y', '-f')
like(lines[0], r'^\d+<options> chdir\("', '-Y')

# ---- colors ----

GREEN = {'TRACER_COLORS': 'syscall=32', 'TERM': 'xterm'}
lines = calls('-e', 'chdir', '--color=always', env=GREEN)
like(lines[0], r'^\x1b\[32mchdir', '--color=always, TRACER_COLORS')
lines = calls('-e', 'chdir', '--color=always',
              env={'STRACE_COLORS': 'syscall=32'})
like(lines[0], r'^\x1b\[32mchdir', 'STRACE_COLORS')
for args, env in ((), {}), (('--color=auto',), {}), (('--color=never',), {}):
    is_eq(calls(*SOME, *args, env=env), SOME_LINES + [EXIT],
          'no color: ' + ' '.join(args))


def on_terminal(*args, env):
    """What a terminal gets as standard error."""
    master, slave = os.openpty()
    # No process group: the tracer does not take the terminal.
    process = subprocess.Popen(
        [TRACER, '-e', 'chdir', '-e', 'signal=none', *args, PROG],
        stdin=subprocess.DEVNULL, stderr=slave,
        env={**os.environ, 'TERM': 'xterm', **env})
    os.close(slave)
    data = b''
    while True:
        try:
            chunk = os.read(master, 4096)
        except OSError:
            chunk = b''
        if not chunk:
            break
        data += chunk
    process.wait()
    os.close(master)
    return data.decode().replace('\r\n', '\n')


for variable in 'NO_COLOR', 'TRACER_COLORS', 'STRACE_COLORS':
    os.environ.pop(variable, None)
like(on_terminal(env={}), '\x1b', 'colors on a terminal')
unlike(on_terminal(env={'TERM': 'dumb'}), '\x1b', 'that has them')
unlike(on_terminal(env={'NO_COLOR': '1'}), '\x1b', 'not with NO_COLOR')
like(on_terminal(env={'NO_COLOR': ''}), '\x1b', 'unless that is empty')
unlike(on_terminal('--color=never', env={}), '\x1b', 'nor --color=never')

# ---- time ----

CLOCK = r'\d\d:\d\d:\d\d'
for args, pattern in (
        ('-t', CLOCK), ('-tt', CLOCK + r'\.\d{6}'), ('-ttt', r'\d{10}\.\d{6}'),
        ('-t -t', CLOCK + r'\.\d{6}'),
        ('--absolute-timestamps', CLOCK), ('--timestamps=us',
                                           CLOCK + r'\.\d{6}'),
        ('--timestamps=unix', r'\d{10}'),
        ('--timestamps=format:unix,precision:ns', r'\d{10}\.\d{9}'),
        ('--timestamps=ms,time', CLOCK + r'\.\d{3}'),
        ('-r', r' {5}\d\.\d{6}'), ('--relative-timestamps=s', r' {5}\d'),
        ('--relative-timestamps=ns', r' {5}\d\.\d{9}'),
        ('-t -r', CLOCK + r' \(\+ {5}\d\.\d{6}\)')):
    like(calls('-e', 'chdir', *args.split())[0], '^' + pattern + r' chdir\("',
         args)
is_eq(calls('-e', 'chdir', '--timestamps=none')[0][:6], 'chdir(',
      '--timestamps=none')
now = time.time()
shown = float(calls('-e', 'chdir', '-ttt')[0].split()[0])
ok(now - 1 < shown < now + 60, '-ttt tells the time of day')
for args, pattern in (('-T', r'0\.\d{6}'), ('--syscall-times', r'0\.\d{6}'),
                      ('--syscall-times=ns', r'0\.\d{9}'),
                      ('--syscall-times=ms', r'0\.\d{3}')):
    like(calls('-e', 'chdir', args)[0], r'directory\) <' + pattern + '>$',
         args)
slept = calls('-e', '/nanosleep', '-T')[0]
took = float(re.search(r'<(.*)>$', slept).group(1))
ok(0.05 <= took < 10, '-T: the pause is at least 50 ms', slept)
lines = calls('-e', '/nanosleep,/^(vfork|fork|clone3?)$', '-r')
waited = float(lines[1].split()[0])
ok(0.05 <= waited < 10, '-r: so is the time to the next line', *lines)

# ---- values ----

is_eq(calls('-e', 'write', '-s', '4'),
      [line('write(3, "tab\\t"..., 9)', 9), line('write(3, "xxxx"..., 40)',
                                                 40), EXIT], '-s 4')
is_eq(calls('-e', 'chdir', '--string-limit=4')[0], line(CHDIR, ENOENT),
      'but not for file names')
is_eq(calls('-e', 'write', '--string-limit=0')[0],
      line('write(3, ""..., 9)', 9), '--string-limit=0')
HEX = r'"\x74\x61\x62\x09\xc3\xa9\x01\x37\x3c"'
is_eq(calls('-e', 'write', '-x')[:2],
      [line('write(3, %s, 9)' % HEX, 9), line(WRITE2, 40)], '-x')
is_eq(calls('-e', 'chdir', '-xx')[0],
      'chdir("%s") = %s' % (''.join('\\x%02x' % ord(c) for c in
                                    '/nonexistent/directory'), ENOENT),
      '-xx')
is_eq(calls('-e', 'chdir', '--strings-in-hex'), calls('-e', 'chdir', '-xx'),
      '--strings-in-hex')
is_eq(calls('-e', 'write', '--strings-in-hex=non-ascii-chars')[0],
      line(r'write(3, "tab\t\xc3\xa9\x017<", 9)', 9),
      '--strings-in-hex=non-ascii-chars')
is_eq(calls(*SOME, '--strings-in-hex=none'), SOME_LINES + [EXIT],
      '--strings-in-hex=none')

FSTAT = ('-e', 'trace=fstat', '-e', 'signal=none')
ABBREVIATED = ('fstat(3, {st_mode=S_IFCHR|0666, st_rdev=makedev(0x1, 0x3), '
               '...}) = 0')


def last_fstat(*args):
    return [text for text in calls(*FSTAT, *args) if 'fstat(' in text][-1]


is_eq(last_fstat(), ABBREVIATED, 'structures are abbreviated')
for form in ('-v',), ('--no-abbrev',), ('-e', 'abbrev=none'), (
        '--abbrev=!fstat',), ('-ea=chdir',):
    like(last_fstat(*form), r'^fstat\(3, \{st_dev=makedev\(.*, st_ino=\d+, '
         r'st_mode=S_IFCHR\|0666, .*st_ctime_nsec=\d+\}\) = 0$',
         ' '.join(form) + ': they are not')
is_eq(last_fstat('-e', 'abbrev=fstat'), ABBREVIATED, 'abbrev=fstat')
for form in ('-e', 'verbose=none'), ('-ev=chdir',), ('--verbose=!fstat',):
    like(last_fstat(*form), r'^fstat\(3, 0x[0-9a-f]+\) += 0$',
         ' '.join(form))
like(calls('-e', 'trace=write', '-e', 'raw=write')[0],
     r'^write\(0x3, 0x[0-9a-f]+, 0x9\) += 0x9$', '-e raw=write')
like(calls('-e', 'trace=write', '--raw=all')[0],
     r'^write\(0x3, 0x[0-9a-f]+, 0x9\)', '--raw=all')
is_eq(calls('-e', 'trace=write', '-e', 'raw=chdir')[0], SOME_LINES[0],
      'but not others')


def last_open(*args):
    return calls('-e', 'openat', '-a', '0', *args)[-2]


is_eq(last_open(), 'openat(AT_FDCWD, "/dev/null", O_RDWR) = 3',
      'constants by name')
is_eq(last_open('-X', 'raw'), 'openat(-100, "/dev/null", 0x2) = 3', '-X raw')
is_eq(last_open('-Xverbose'), 'openat(-100 /* AT_FDCWD */, "/dev/null", '
      '0x2 /* O_RDWR */) = 3', '-X verbose')
is_eq(last_open('--const-print-style=abbrev'), last_open(),
      '--const-print-style=abbrev')
cwd = os.getcwd()
is_eq(last_open('-y'), 'openat(AT_FDCWD<%s>, "/dev/null", O_RDWR) '
      '= 3</dev/null>' % cwd, '-y')
is_eq(last_open('--decode-fds'), last_open('-y'), '--decode-fds')
for form in ('-yy',), ('--decode-fds=all',), ('-e', 'decode-fds=path,dev'):
    is_eq(last_open(*form), 'openat(AT_FDCWD<%s>, "/dev/null", O_RDWR) '
          '= 3</dev/null<char 1:3>>' % cwd, ' '.join(form))
is_eq(last_open('--decode-fd=socket'), last_open(), '--decode-fd=socket')
like('\n'.join(calls('-e', 'kill', '-Y')), r'^kill\(\d+<options>, SIGUSR1\)',
     '-Y: names of processes')
is_eq(re.sub(r'\d+', 'N', calls('-e', 'kill', '-Y')[0]),
      re.sub(r'\d+', 'N', calls('-e', 'kill', '--decode-pids=comm')[0]),
      '--decode-pids=comm')

# ---- where it goes ----

path = tmpfile('out')
run([TRACER, '-o', path, *SOME, '-qq', '-esignal=none', PROG])
with open(path) as file:
    is_eq(file.read().splitlines(), SOME_LINES, '-o FILE')
run([TRACER, '-o', path, '-e', 'chdir', '-qq', '-esignal=none', PROG])
with open(path) as file:
    is_eq(file.read().splitlines(), SOME_LINES[2:], 'is overwritten')
run([TRACER, '-A', '--output=' + path, '-e', 'chdir', '-qq',
     '-esignal=none', PROG])
with open(path) as file:
    is_eq(file.read().splitlines(), 2 * SOME_LINES[2:], 'but not with -A')
for sign in '|', '!':
    result = run([TRACER, '-o', sign + 'sed s/chdir/CHDIR/ > ' + path, '-e',
                  'chdir', '-qq', '-esignal=none', PROG])
    with open(path) as file:
        is_eq(file.read().splitlines(),
              [SOME_LINES[2].replace('chdir', 'CHDIR')],
              "-o '%sCOMMAND'" % sign)
    is_eq(result.status, 5, 'and the exit status is the tracee\'s')


def separate(*args):
    """The files that a run makes, and what is in them."""
    for name in os.listdir(tmpdir()):
        if name.startswith('each.'):
            os.unlink(os.path.join(tmpdir(), name))
    run([TRACER, *args, '-o', os.path.join(tmpdir(), 'each'), '-e',
         'chdir,exit_group', '-e', 'signal=none', PROG])
    names = [name for name in os.listdir(tmpdir())
             if name.startswith('each.')]
    files = []
    for name in sorted(names, key=lambda name: int(name[5:])):
        with open(os.path.join(tmpdir(), name)) as file:
            files.append(file.read().splitlines())
    return files


PARENT = [SOME_LINES[2], line('exit_group(5)', '?'), EXIT]
CHILD = [line('exit_group(3)', '?'), '+++ exited with 3 +++']
is_eq(separate('-ff'), [PARENT, CHILD], '-ff')
is_eq(separate('--follow-forks', '--output-separately'), [PARENT, CHILD],
      '--follow-forks --output-separately')
is_eq(separate('--output-separately'), [PARENT], '--output-separately')

# ---- the command ----

result = run_tracer('-e', 'none', PROG, 'env', env={'TRACER_TEST_REMOVED': 'r'})
is_eq(result.stdout, '%s - r %d\n' % (PROG, os.getuid()),
      'the command as it is')
result = run_tracer('-e', 'none', '-E', 'TRACER_TEST_ADDED=a=b', '-E',
                    'TRACER_TEST_REMOVED', '--argv0=other', PROG, 'env',
                    env={'TRACER_TEST_REMOVED': 'r'})
is_eq(result.stdout, 'other a=b - %d\n' % os.getuid(), '-E, --argv0')
result = run_tracer('-e', 'none', '--env=TRACER_TEST_ADDED=1', '--env',
                    'TRACER_TEST_ADDED=2', PROG, 'env')
is_eq(result.stdout, '%s 2 - %d\n' % (PROG, os.getuid()), '--env')
result = run_tracer('-e', 'none', '-E', 'PATH=' + os.path.dirname(PROG),
                    'options')
is_eq(result.status, 1, 'the command is found by the tracer\'s PATH')
if os.getuid() == 0 and os.access('/', os.X_OK):
    # The build directory may be closed to others: a copy is not.
    os.chmod(tmpdir(), 0o755)
    copy = tmpfile('options', open(PROG, 'rb').read())
    os.chmod(copy, 0o755)
    for user in '65534:65534', 'nobody':
        result = run_tracer('-e', 'none', '-u', user, copy, 'env')
        is_eq(result.stdout, '%s - - 65534\n' % copy, '-u ' + user)
else:
    skip('-u', 'only for root')
result = run([TRACER, '-u', 'nosuchuser', PROG])
is_eq((result.status, len(result.stderr.splitlines())), (1, 1),
      'an unknown user')
result = run_tracer('-e', 'none', PROG, '-f', '--nosuch')
is_eq(result.status, 5, 'options behind the command are the command\'s')
result = run_tracer('-e', 'none', '--', PROG)
is_eq(result.status, 5, '-- ends the options')

# ---- attaching ----

def is_traced(pid):
    with open('/proc/%d/status' % pid) as file:
        return 'TracerPid:\t0\n' not in file.read()


sleepers = [subprocess.Popen(['sleep', '30']) for _ in range(2)]
tracer = subprocess.Popen(
    [TRACER, '-e', 'none', '-o', path, '-p',
     ' %d,%d\n' % (sleepers[0].pid, sleepers[1].pid)],
    stderr=subprocess.DEVNULL)
deadline = time.monotonic() + 20
while (not all(is_traced(sleeper.pid) for sleeper in sleepers)
       and time.monotonic() < deadline):
    time.sleep(0.02)
for sleeper in sleepers:
    sleeper.send_signal(signal.SIGTERM)
    sleeper.wait()
is_eq(tracer.wait(30), 0, '-p with a list')
with open(path) as file:
    text = file.read()
for sleeper in sleepers:
    like(text, r'^%d +\+\+\+ killed by SIGTERM \+\+\+$' % sleeper.pid,
         'each line tells the process')

# ---- JSON ----

result = run_tracer('--format=json', *SOME, PROG)
try:
    events = [json.loads(text) for text in result.lines]
    is_eq([event['name'] for event in events if 'name' in event
           and event.get('args')], ['write', 'write', 'chdir'],
          '--format=json')
except ValueError as error:
    ok(False, '--format=json', error, result.trace)
is_eq(calls(*SOME, '--format=text'), SOME_LINES + [EXIT], '--format=text')

# ---- stacks ----

if unwinders:
    FRAME = r'^ > .*/options\(main\+0x[0-9a-f]+\) \[0x[0-9a-f]+\]'
    for form in (['-k'], ['--stack-trace'], ['--stack-trace=symbol'],
                 ['--stack-traces']):
        like('\n'.join(calls('-e', 'chdir', *form)), FRAME + '$',
             ' '.join(form))
    for name in unwinders:
        like('\n'.join(calls('-e', 'chdir', '-k', '--unwinder=' + name)),
             FRAME + '$', '--unwinder=' + name)
    for form in ['-kk'], ['--stack-trace=source']:
        like('\n'.join(calls('-e', 'chdir', *form)),
             FRAME + r' .*options\.c:\d+$', ' '.join(form))
    lines = calls('-e', 'chdir', '-k', '--stack-trace-frame-limit=1')
    is_eq([text for text in lines if text.startswith(' > ')][1:],
          [' > too many stack frames'], '--stack-trace-frame-limit=1')
else:
    skip('-k', 'this tracer has no unwinder')
    result = run([TRACER, '-k', PROG])
    is_eq((result.status, len(result.stderr.splitlines())), (1, 1),
          '-k gives a message')

# ---- statistics ----

TABLE = ['    calls    errors syscall',
         '--------- --------- ----------------',
         '        2           write',
         '        1         1 chdir',
         '--------- --------- ----------------',
         '        3         1 total']
COLUMNS = ('-U', 'calls,errors')
is_eq(calls('-c', '-S', 'calls', *COLUMNS, *SOME), TABLE, '-c')
is_eq(calls('--summary-only', '--summary-sort-by=count',
            '--summary-columns=count,error,syscall', *SOME), TABLE,
      '--summary-only')
for form in '-C', '--summary':
    is_eq(calls(form, '-S', 'calls', *COLUMNS, *SOME),
          SOME_LINES + [EXIT] + TABLE, form)
is_eq(calls('-c', '-S', 'name', *COLUMNS, *SOME)[2:4],
      [TABLE[3], TABLE[2]], '-S name')
lines = calls('-c', '-w', '-e', '/nanosleep,chdir')
like(lines[0], r'^% time     seconds  usecs/call     calls    errors syscall$',
     '-c -w: the default columns')
like(lines[2], r'^ *\d+\.\d\d +0\.\d{6} +\d+ +1 +clock_nanosleep$',
     'the longest first')
ok(float(lines[2].split()[1]) >= 0.05, 'it took 50 ms')
lines = calls('-c', '-U', 'wall-total,name', '-e', '/nanosleep,chdir')
ok(max(float(text.split()[0]) for text in lines[2:4]) >= 0.05,
   'a column of wall time')
lines = calls('-c', '-w', '-O', '100s', '-U', 'total-time', '-e', 'chdir')
is_eq(lines[2], '   0.000000 chdir', '-O')
lines = calls('-c', '-e', '/nanosleep,chdir', '-U', 'total-time,name')
ok(all(float(text.split()[0]) < 0.05 for text in lines[2:4]),
   'without -w, a pause is no time', *lines)
lines = calls('-f', '-c', *COLUMNS, '-e', '/^wait4|^exit_group')
is_eq(lines[2:3], ['        1           wait4'],
      'calls that do not return are not counted')

# ---- more ----

is_eq(calls('--debug-registers', *SOME), SOME_LINES + [EXIT],
      '--debug-registers')
for value in '1', 'anywhere', '2', 'waiting', '3', 'never', '4', 'never_tstp':
    is_eq(calls('-I', value, *SOME), SOME_LINES + [EXIT], '-I ' + value)
is_eq(calls('--kill-on-exit', *SOME), SOME_LINES + [EXIT], '--kill-on-exit')
result = run_tracer('-F', '-e', 'none', PROG)
is_eq(result.status, 5, '-F')
like(result.stderr, '-f', 'is told to be old')

done()
