#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""quickstart, in a tree where all that it calls is a stand-in.

The stand-ins write what they were asked to a log.
"""

import os
import shutil

from tap import TOP_SRCDIR, done, is_eq, like, ok, run, tmpdir, unlike

TREE = os.path.join(tmpdir(), 'tree')
BIN = os.path.join(tmpdir(), 'bin')
LOG = os.path.join(tmpdir(), 'log')
OS_RELEASE = os.path.join(tmpdir(), 'os-release')
INSTALLED = os.path.join(tmpdir(), 'installed')

CONFIGURE = '''
cat >Makefile <<'END'
all: tracer
tracer:
	@echo building
	@cp "$(SOURCE)/tracer.sh" tracer
check: ; @mkdir -p tests && cp "$(SOURCE)/results" tests/a.trs; \\
	! grep FAIL tests/a.trs >/dev/null
END
'''

STAND_INS = {
    # All installed packages are in a file.
    'dpkg-query': 'sed "s/^/ii  /" "$INSTALLED"',
    'rpm': 'for last; do :; done; grep -qx -e "$last" "$INSTALLED"',
    'apt-get': '''
        [ "$1" = install ] && [ "$2" = -s ] && exec test -e "$LISTS"
        [ "$1" = update ] && : >"$LISTS"
        [ "$1" != install ] || for i; do
            case $i in *=*|-*|install) ;; *) echo "$i" >>"$INSTALLED" ;; esac
        done
        echo on stdout''',
    'sudo': '"$@"',
    'autoreconf': ': >configure.tmp; cp configure.sh configure; '
                  'chmod +x configure; : >Makefile.in',
    'id': 'echo "$STANDIN_UID"',
}


def script(path, text):
    with open(path, 'w') as file:
        file.write('#!/bin/sh\n' + text + '\n')
    os.chmod(path, 0o755)


def write(path, text):
    with open(path, 'w') as file:
        file.write(text)


def set_up():
    os.mkdir(TREE)
    os.mkdir(BIN)
    os.mkdir(os.path.join(TREE, 'tests'))
    shutil.copy(os.path.join(TOP_SRCDIR, 'quickstart'), TREE)
    shutil.copy(os.path.join(TOP_SRCDIR, 'tests', 'summary'),
                os.path.join(TREE, 'tests'))
    for name, text in STAND_INS.items():
        log = '' if name == 'id' else 'echo "%s $*" >>"$LOG"\n' % name
        script(os.path.join(BIN, name), log + text)
    script(os.path.join(TREE, 'configure.sh'),
           'echo "configure $*" >>"$LOG"' + CONFIGURE)
    script(os.path.join(TREE, 'tracer.sh'),
           'printf "<%s>" "$@"; pwd; cat; exit 42')
    for name in ('configure.ac', 'Makefile.am'):
        write(os.path.join(TREE, name), '')
    write(INSTALLED, '')


def quickstart(*args, uid=0, **env):
    """Result of a run; what was logged is in .trace."""
    write(LOG, '')
    result = run(
        [os.path.join(TREE, 'quickstart')] + list(args), cwd='/',
        input='input', env=dict(
            # whatever quickstart the tests themselves were started by
            dict(QUICKSTART_BUILD='', QUICKSTART_CONFIGURE='',
                 QUICKSTART_PACKAGES=''),
            **env, PATH=BIN + ':/usr/bin:/bin', LOG=LOG, INSTALLED=INSTALLED,
            LISTS=os.path.join(tmpdir(), 'lists'), SOURCE=TREE,
            MAKEFLAGS='', QUICKSTART_OS_RELEASE=OS_RELEASE,
            STANDIN_UID=str(uid)))
    with open(LOG) as file:
        result.trace = file.read()
    return result


TRACED = '<-k><--><ls><a b>/\ninput'


def test_fresh_debian():
    write(OS_RELEASE, 'ID=debian\n')
    result = quickstart('-k', '--', 'ls', 'a b')
    is_eq(result.stdout, TRACED, 'arguments, directory and input are '
          'tracer\'s, and nothing else is on its output')
    is_eq(result.status, 42, 'so is the exit status')
    like(result.trace, r'apt-get update', 'an empty list of packages is '
         'updated')
    like(result.trace, r'apt-get install .*\blibdw-dev\b', 'build packages '
         'are installed')
    unlike(result.trace, r'install .*\bvalgrind\b', 'test packages are not')
    unlike(result.trace, r'sudo', 'root needs no sudo')
    for step in ('installing', 'autoreconf', 'configuring', 'building'):
        like(result.stderr, 'quickstart: .*' + step, 'it says: ' + step)


def test_nothing_to_do():
    result = quickstart('-k', '--', 'ls', 'a b')
    is_eq((result.stdout, result.status), (TRACED, 42), 'the second run')
    is_eq(result.stderr, '', 'has nothing to say')
    unlike(result.trace, r'^(apt-get|autoreconf|configure|sudo)',
           'and does nothing but ask dpkg')


def test_arguments():
    result = quickstart('--check', 'x')
    like(result.stdout, '^<--check><x>', '--check with another argument is '
         'tracer\'s')
    result = quickstart()
    is_eq((result.status, result.stdout), (0, ''), 'no argument: builds only')


def test_rebuild():
    os.unlink(os.path.join(TREE, 'build', 'tracer'))
    result = quickstart('-V')
    is_eq(result.stdout, '<-V>/\ninput', 'a missing program is built')
    unlike(result.trace, 'configure', 'and nothing configured')
    result = quickstart('-V', QUICKSTART_CONFIGURE='--enable-werror')
    like(result.trace, '^configure .*--enable-werror$', 'other arguments of '
         'configure: it runs')
    future = os.stat(os.path.join(TREE, 'build', 'Makefile')).st_mtime + 10
    os.utime(os.path.join(TREE, 'configure.ac'), (future, future))
    result = quickstart('-V')
    like(result.trace, '^autoreconf', 'a newer configure.ac: so does '
         'autoreconf')
    os.utime(os.path.join(TREE, 'configure.ac'), (1, 1))


def test_check():
    results = os.path.join(TREE, 'results')
    write(results, ':test-result: PASS a\n:test-result: PASS b\n'
          ':test-result: SKIP c\n')
    result = quickstart('--check')
    like(result.trace, r'apt-get install .*\bvalgrind\b', 'test packages are '
         'installed')
    unlike(result.trace, r'install .*\blibdw-dev\b', 'what is there is not')
    like(result.stdout, r'\n?2 passed, 0 failed, 1 skipped\n\Z',
         'the last line tells the results')
    is_eq(result.status, 0, 'exit status of a good run')
    write(results, ':test-result: PASS a\n:test-result: FAIL b\n')
    result = quickstart('--check')
    like(result.stdout, r'1 passed, 1 failed, 0 skipped\n\Z', 'a failure')
    is_eq(result.status, 1, 'exit status of a bad run')
    write(results, '')
    result = quickstart('--check')
    is_eq(result.status, 1, 'no result at all is a failure, too')


def test_user():
    write(INSTALLED, '')
    result = quickstart('-V', uid=1000)
    like(result.trace, '^sudo .*apt-get install', 'a user installs by sudo')


def test_elsewhere():
    write(OS_RELEASE, 'ID=ubuntu\nID_LIKE=debian\n')
    is_eq(quickstart('-V').status, 42, 'Ubuntu is like Debian')
    write(OS_RELEASE, 'NAME="Fedora Linux"\nID=fedora\n')
    write(INSTALLED, 'autoconf\nmake\n')
    result = quickstart('-V')
    like(result.stderr, r'dnf install automake gcc .*\belfutils-devel\b',
         'Fedora: the command is told')
    unlike(result.trace, 'apt-get', 'and nothing installed')
    ok(result.status == 1 and not result.stdout, 'nor traced')


set_up()
test_fresh_debian()
test_nothing_to_do()
test_arguments()
test_rebuild()
test_check()
test_user()
test_elsewhere()
done()
