# SPDX-License-Identifier: LGPL-2.1-or-later
"""End-to-end tests that speak TAP, the Test Anything Protocol.

    from tap import ok, is_eq, like, skip, done, run_tracer, tracee

    r = run_tracer('-e', 'trace=write', tracee('hello'))
    is_eq(r.status, 7, 'the exit status is the tracee\'s')
    is_eq(r.stdout, 'hello\\n', 'so is the output')
    like(r.trace, r'^write\\(1, "hello\\\\n", 6\\) += 6$', 'its write is shown')
    done()

`make check` says in the environment where things are: TRACER, TRACEES,
TOP_SRCDIR.  Every check returns whether it passed; a failed one tells what it
got and wanted, and the test goes on.
"""

import atexit
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TRACER = os.environ.get('TRACER', './tracer')
TRACEES = os.environ.get('TRACEES', 'tests/tracees')
TOP_SRCDIR = os.environ.get(
    'TOP_SRCDIR', os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Whether the tracer is built with sanitizers (so not for valgrind).
SANITIZED = os.environ.get('SANITIZED') == 'yes'
# Environment for a tracer that is traced itself: LeakSanitizer stops its
# threads with ptrace, and so does not work there.
TRACED_ENV = {'ASAN_OPTIONS': 'detect_leaks=0'}

_count = 0
_failures = 0
_done = False


def note(text):
    """Prints a diagnostic."""
    for line in str(text).split('\n'):
        print('#   ' + line)
    sys.stdout.flush()


def ok(cond, name, *diagnostics):
    """Passes if cond is true; diagnostics are shown if it is not."""
    global _count, _failures
    _count += 1
    # A '#' would begin a TAP directive.
    name = str(name).replace('#', '\\#').replace('\n', ' ')
    print('%sok %d - %s' % ('' if cond else 'not ', _count, name))
    if not cond:
        _failures += 1
        frame = sys._getframe(1)
        while frame.f_code.co_filename == __file__:
            frame = frame.f_back
        note('at %s:%d' % (os.path.basename(frame.f_code.co_filename),
                           frame.f_lineno))
        for diagnostic in diagnostics:
            note(diagnostic)
    sys.stdout.flush()
    return bool(cond)


def is_eq(got, want, name):
    """Passes if got equals want."""
    return ok(got == want, name, 'got:  %r' % (got,), 'want: %r' % (want,))


def like(text, pattern, name):
    """Passes if the pattern is found in text; ^ and $ are those of lines."""
    return ok(re.search(pattern, text, re.M), name,
              'pattern: ' + pattern, 'text:', text)


def unlike(text, pattern, name):
    """Passes if the pattern is not found in text."""
    return ok(not re.search(pattern, text, re.M), name,
              'pattern that should not match: ' + pattern, 'text:', text)


def skip(name, why):
    """Counts one check as skipped."""
    global _count
    _count += 1
    print('ok %d - %s # SKIP %s' % (_count, name, why))
    sys.stdout.flush()


def skip_all(why):
    """Skips the whole test, before its first check."""
    global _done
    _done = True
    print('1..0 # SKIP %s' % why)
    sys.exit(0)


def done():
    """Ends the test."""
    global _done
    _done = True
    print('1..%d' % _count)
    sys.stdout.flush()
    sys.exit(1 if _failures else 0)


def need(*programs):
    """Skips the whole test unless all programs are installed."""
    for program in programs:
        if not shutil.which(program):
            skip_all('%s is not installed' % program)


def tracee(name):
    """The path of a built test program."""
    return os.path.join(TRACEES, name)


def can_run(path):
    """Whether the kernel runs this program: 32-bit ones it may not."""
    try:
        subprocess.run([path], stdin=subprocess.DEVNULL,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except OSError:
        return False
    return True


_tmpdir = None


def tmpdir():
    """A directory of this test's own, removed at its end."""
    global _tmpdir
    if not _tmpdir:
        _tmpdir = tempfile.mkdtemp(prefix='tracer-test-')
        # Children made by fork leave it alone.
        pid = os.getpid()
        atexit.register(lambda: os.getpid() == pid
                        and shutil.rmtree(_tmpdir, ignore_errors=True))
    return _tmpdir


def tmpfile(name, content=None):
    """The path of a file in tmpdir(), with content if that is given."""
    path = os.path.join(tmpdir(), name)
    if content is not None:
        with open(path, 'wb' if isinstance(content, bytes) else 'w') as file:
            file.write(content)
    return path


class Result:
    """What a run gave.

    status   exit status; negative: the signal that killed it
    stdout   of the tracee and the tracer together, as text
    stderr   likewise
    trace    the tracer's output (-o), as text; '' if none was written
    lines    the same as a list of lines
    """

    def __init__(self, status, stdout, stderr, trace=''):
        self.status = status
        self.stdout = stdout
        self.stderr = stderr
        self.trace = trace

    @property
    def lines(self):
        return self.trace.splitlines()


def _text(data):
    # surrogateescape: bytes that are no UTF-8 survive.
    return data.decode('utf-8', 'surrogateescape')


def run(args, input=None, timeout=60, env=None, cwd=None, **more):
    """Runs a program; returns a Result.  env adds to the environment.

    On time-out the whole process group is killed and status is None.
    """
    environ = dict(os.environ, **(env or {}))
    if isinstance(input, str):
        input = input.encode()
    stdin = {} if 'stdin' in more else {
        'stdin': subprocess.DEVNULL if input is None else subprocess.PIPE}
    process = subprocess.Popen(
        [str(arg) for arg in args], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=environ, cwd=cwd,
        start_new_session=True, **stdin, **more)
    try:
        out, err = process.communicate(input, timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        err += b'\n[killed after %d seconds]\n' % timeout
        status = None
    return Result(status, _text(out), _text(err))


def run_tracer(*args, output=True, **more):
    """Runs the tracer with args; returns a Result.

    Its output goes to a file of its own (-o) and comes back as Result.trace;
    with output=False it goes where the args say, by default to stderr.
    more: as for run().
    """
    command = [TRACER]
    path = None
    if output:
        handle, path = tempfile.mkstemp(dir=tmpdir(), prefix='trace-')
        os.close(handle)
        command += ['-o', path]
    result = run(command + list(args), **more)
    if path:
        with open(path, 'rb') as file:
            result.trace = _text(file.read())
        os.unlink(path)
    return result


def _unfinished():
    # The harness sees a test that ends without a plan as an error.
    if not _done:
        print('# ended before done()')


atexit.register(_unfinished)
