#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The gem mwrap: its extension is built and tested outside of the sources."""

import os
import shutil

from tap import (TOP_SRCDIR, TRACER, done, is_eq, like, need, note,
                 ok, run, skip_all, tmpdir, tmpfile)

need('ruby', 'make', 'gcc')
for library in 'mkmf', 'test/unit/assertions', 'rack/mock':
    if run(('ruby', '-e', 'require "%s"' % library)).status:
        skip_all('Ruby has no ' + library)

GEM = tmpfile('gem')
shutil.copytree(os.path.join(TOP_SRCDIR, 'ruby'), GEM)
HEADERS = os.path.join(os.path.abspath(TOP_SRCDIR), 'heap')
BUILD = os.path.join(tmpdir(), 'build')
LIBRARY = os.path.join(os.path.dirname(os.path.abspath(TRACER)), 'heap',
                       'libtracer-heap.so')
os.mkdir(BUILD)
PATHS = ('-W0', '-I' + BUILD, '-I' + os.path.join(GEM, 'lib'))
MWRAP = os.path.join(GEM, 'bin', 'mwrap')
ENV = {'MWRAP_LIBRARY': LIBRARY, 'TRACER_HEAP_DIR': tmpdir()}

result = run(('ruby', os.path.join(GEM, 'ext', 'mwrap', 'extconf.rb')),
             cwd=BUILD, env={'CPATH': HEADERS})
if result.status:
    skip_all('the headers of Ruby are missing')
result = run(('make',), cwd=BUILD, env={'CPATH': HEADERS})
if not is_eq(result.status, 0, 'the extension is built'):
    note(result.stdout + result.stderr)

result = run(('ruby',) + PATHS + ('-e', 'require "mwrap"'))
like(result.stderr, r'LoadError', 'without the library it is not loaded')
like(result.stderr, r'mwrap COMMAND', 'and it is said how to start')

result = run(('ruby', MWRAP, 'ruby') + PATHS
             + (os.path.join(GEM, 'test', 'test_mwrap.rb'),), env=ENV)
if not is_eq(result.status, 0, 'the tests in Ruby'):
    note(result.stdout + result.stderr)
like(result.stdout, r'^11 tests, .* 0 failures, 0 errors', 'all of them')

# ---- what is shown at the end ----

SCRIPT = 'a = eval("\'d\' * 123456", nil, "dumped", 7)'
for order in ('dump_min:100000,dump_path:%s', 'dump_path:%s,dump_min:100000'):
    path = tmpfile('dump')
    run(('ruby', MWRAP, 'ruby', '-e', SCRIPT),
        env=dict(ENV, MWRAP=order % path))
    with open(path) as file:
        text = file.read()
    like(text, r'^ +1234\d\d +\d+ dumped:7$', order)
    ok(all(int(line.split()[0]) > 100000 for line in text.splitlines()),
       'only what has more')
    os.unlink(path)
result = run(('ruby', MWRAP, 'ruby', '-e', SCRIPT),
             env=dict(ENV, MWRAP='dump_min:100000,dump_fd:1'))
like(result.stdout, r'^ +1234\d\d +\d+ dumped:7$', 'to a file descriptor')

read, write = os.pipe()
os.dup2(read, 3)
result = run(('sh', '-c', 'LISTEN_PID=$$ LISTEN_FDS=1; export LISTEN_PID '
              'LISTEN_FDS; exec ruby %s sh -c "readlink /proc/self/fd/3; '
              'echo $LISTEN_PID $$"' % MWRAP), env=ENV, pass_fds=(3,))
lines = result.stdout.splitlines()
ok(lines and lines[0].startswith('pipe:'), 'sockets of systemd are kept',
   result.stdout, result.stderr)
result = run(('ruby', MWRAP, 'no-such-command'), env=ENV)
is_eq(result.status, 127, 'a command that is not there')
is_eq(run(('ruby', MWRAP)).status, 1, 'no command')
done()
