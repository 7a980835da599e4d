# SPDX-License-Identifier: LGPL-2.1-or-later
"""Everyday programs and this project's tracees: do strace and tracer agree?

Without strace the test is skipped.  With arguments only the checks whose name
contains one of them are run.
"""

import http.server
import os
import re
import shutil
import sys
import threading

from differential import Comparison, find_strace, report
from tap import TRACEES, TRACER, done, ok, skip, skip_all, tmpdir, tracee

STRACE, VERSION = find_strace()
if not STRACE:
    skip_all(VERSION)

only = sys.argv[1:]


def wanted(name):
    return not only or any(word in name for word in only)


# ---- what the programs work on ----

def write(directory, name, text, mode=0o644):
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='ascii') as file:
        file.write(text)
    os.chmod(path, mode)
    # so that make and git see the same age in every run
    os.utime(path, (1700000000, 1700000000))


def tree(directory):
    """Some files, a program with its makefile, a script."""
    for i in range(3):
        write(directory, 'tree/sub%d/file%d' % (i, i), 'content %d\n' % i)
    link = os.path.join(directory, 'tree/link')
    os.symlink('sub1/file1', link)
    os.utime(link, (1700000000, 1700000000), follow_symlinks=False)
    write(directory, 'prog.c', '#include <stdio.h>\n'
          'int main(void) { puts("compiled"); return 0; }\n')
    write(directory, 'Makefile', 'all: one two three\n'
          'one two three: %: Makefile\n\techo $* >$@\n')
    write(directory, 'script', '#!/bin/bash\n'
          'for i in 1 2 3; do\n  x=$(echo $i | tr 123 abc)\n'
          '  [ -f tree/link ] && echo "$x" >>out\ndone\n'
          'trap "echo bye" EXIT\nsort out | uniq -c\n(exit 3)\n'
          'cat <<END\n$?\nEND\n', 0o755)


def repository(directory):
    """A git repository, made by git itself."""
    tree(directory)
    os.system('cd %s && { export GIT_AUTHOR_DATE="@1700000000 +0000" '
              'GIT_COMMITTER_DATE="@1700000000 +0000"; git init -q . && '
              'git add tree && git -c user.name=x -c user.email=x@x '
              'commit -q -m x; } >/dev/null 2>&1' % directory)
    write(directory, 'tree/sub0/new', 'untracked\n')


class Quiet(http.server.BaseHTTPRequestHandler):
    """Answers everything in the same way, with one write."""

    wbufsize = -1

    def do_GET(self):
        body = b'x' * 5000
        self.send_response(200)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def date_time_string(self, timestamp=None):
        return 'Thu, 01 Jan 1970 00:00:00 GMT'

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Quiet)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = 'http://127.0.0.1:%d/file' % server.server_port

PYTHON = '/usr/bin/python3'
PROGRAMS = (
    # name, command, what it needs in its directory
    ('ls', ['ls', '-la', 'tree', '/usr'], tree),
    ('cat', ['cat', 'prog.c', '/etc/passwd', 'none'], tree),
    ('cp', ['cp', '-r', 'tree', 'copy'], tree),
    ('find', ['find', '.', '-name', 'f*', '-newer', 'none', '-o', '-type',
              'd'], tree),
    ('tar', ['tar', 'czf', 'x.tar.gz', 'tree'], tree),
    ('git status', ['git', 'status'], repository),
    ('bash', ['bash', './script'], tree),
    ('gcc', ['gcc', '-O1', '-o', 'prog', 'prog.c'], tree),
    ('python3', [PYTHON, '-S', '-c', 'import json, subprocess, threading\n'
                 't = threading.Thread(target=print, args=("thread",))\n'
                 't.start(); t.join()\n'
                 'print(subprocess.run(["echo", "x"]).returncode)'], None),
    ('perl', ['perl', '-e', 'open F, "<", "/etc/passwd"; my @l = <F>;'
              'print scalar(@l); system("true"); print `echo x`'], None),
    ('ruby', ['ruby', '--disable-gems', '-e',
              'puts `echo x`; File.write("f", "y"); puts Dir["*"]'], None),
    ('curl', ['curl', '-sS', '--noproxy', '*', '-o', 'got', url], None),
    ('make', ['make', '-j2'], tree),
    ('ssh', ['ssh', '-V'], None),
    ('apt-get', ['apt-get', '--version'], None),
    ('sqlite3', ['sqlite3', '-cmd', 'pragma journal_mode=memory', 'db',
                 'create table t (a); insert into t values '
                 '(1), (2); select sum(a) from t;'], None),
)

# Lines that a program's own threads make or not, as they happen to run.
VAGUE = {
    # its timer thread is woken up through an eventfd
    'ruby': r'getpid\(|(?:read|write)\(\d+[^"]*"\\1\\0',
}

# Where the two are known to differ: not run.
DIFFERENT = {
    ('decode-signal', '-X verbose'): 'strace gives up on a large signal set',
}
# The order in which children end is another one from time to time.
ATTEMPTS = 4

# What they are compared with, too.
OPTION_SETS = ([], ['-v', '-y', '-s', '100'])


def check(name, command, options, prepare=None):
    command_name, vague = name, VAGUE.get(name)
    if options:
        name += ' (' + ' '.join(options) + ')'
    if not wanted(name) or (command_name, ' '.join(options)) in DIFFERENT:
        return
    if not shutil.which(command[0]):
        skip(name, command[0] + ' is not installed')
        return
    for _ in range(ATTEMPTS):
        comparison = Comparison(STRACE, VERSION, TRACER, options, vague)
        same = comparison.compare(command, prepare)
        if same or comparison.why:
            break
    if comparison.why:
        skip(name, comparison.why)
        return
    ok(same, '%s: %d lines' % (name, comparison.lines),
       report(comparison.differences, 40))


for name, command, prepare in PROGRAMS:
    for options in OPTION_SETS:
        check(name, command, options, prepare)

# The decoders' tracees make each call with good and bad arguments.
TRACEE_OPTIONS = ([], ['-v'], ['-y'], ['-N'], ['-X', 'verbose'],
                  ['-X', 'raw'])
for path in sorted(os.listdir(TRACEES)):
    if re.match(r'decode-\w+$', path):
        for options in TRACEE_OPTIONS:
            check(path, [tracee(path)], options)

done()
