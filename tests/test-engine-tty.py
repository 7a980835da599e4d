# SPDX-License-Identifier: LGPL-2.1-or-later
"""The engine: job control on a terminal, under an interactive shell."""

import os
import pty
import re
import select
import signal
import time

from tap import TRACER, ok, is_eq, like, done, need, tmpfile

need('bash')


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self):
        self.text = ''
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(PS1='PROMPT ', TERM='dumb', HISTFILE='')
            os.environ.pop('PROMPT_COMMAND', None)
            os.execvp('bash', ['bash', '--norc', '--noprofile', '-i'])

    def expect(self, pattern, seconds=20):
        """Reads until the pattern comes; returns what was read."""
        end = time.monotonic() + seconds
        while True:
            found = re.search(pattern, self.text, re.M)
            if found:
                text = self.text[:found.end()]
                self.text = self.text[found.end():]
                return text
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.fd], [], [], left)[0]:
                return None
            try:
                self.text += os.read(self.fd, 4096).decode('utf-8', 'replace')
            except OSError:
                return None

    def type(self, text):
        # A shell that has shown its prompt may still be busy with the
        # terminal's mode, and what is typed then gets lost.
        time.sleep(0.1)
        os.write(self.fd, text.encode())

    def close(self):
        os.close(self.fd)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


def seen(text, name):
    return ok(text is not None, name, terminal.text)


path = tmpfile('trace')
terminal = Terminal()
seen(terminal.expect('PROMPT '), 'a shell')

# The tracer's output goes to a file: only the command matters.  ^C ends the
# command, and the tracer with it.
terminal.type('%s -f -o %s sed -u s/^/got:/\n' % (TRACER, path))
terminal.expect('got:/\r\n')
terminal.type('hello\n')
seen(terminal.expect('got:hello\r\n'), 'the command reads the terminal')
for attempt in range(3):
    terminal.type('\x1a')
    seen(terminal.expect(r'Stopped.*\r\n.*PROMPT '),
         '^Z stops it, and the shell goes on')
    terminal.type('fg\n')
    seen(terminal.expect('got:/\r\n'), 'fg continues it')
    terminal.type('again %d\n' % attempt)
    seen(terminal.expect('got:again %d\r\n' % attempt),
         'and it reads again')
terminal.type('\x03')
seen(terminal.expect('PROMPT '), '^C ends it')
terminal.type('echo status $?\n')
seen(terminal.expect(r'status 130\r\n'), 'with the right status')
terminal.expect('PROMPT ')
with open(path) as file:
    trace = file.read()
# The tracer stops, too, so the command's SIGTSTP is still pending when SIGCONT
# comes, which cancels it.
is_eq(trace.count('--- SIGCONT'), 3, 'each continuing is one signal')
like(trace, r'\+\+\+ killed by SIGINT \+\+\+$', '^C killed it')

# In the background, reading stops it; writing does not.
terminal.type('%s -f -o %s sed -u s/^/got:/ &\n' % (TRACER, path))
terminal.expect('PROMPT ')
terminal.type('\n')
found = None
for attempt in range(50):
    if os.path.exists(path) and 'stopped by SIGTTIN' in open(path).read():
        found = True
        break
    time.sleep(0.1)
seen(found, 'a command in the background that reads is stopped')
# To the shell the job is the tracer, which has not stopped: so the shell does
# not continue it until it has.
terminal.type('fg\n')
seen(terminal.expect('got:/\r\n'), 'it is brought to the foreground')
terminal.type('\x1a')
terminal.expect(r'Stopped.*\r\n.*PROMPT ')
terminal.type('fg\n')
terminal.expect('got:/\r\n')
terminal.type('now\n')
seen(terminal.expect('got:now\r\n'), 'where it reads')
terminal.type('\x04')
seen(terminal.expect('PROMPT '), 'until the end')

# A shell under trace does its job control itself.
terminal.type('%s -f -o %s bash --norc --noprofile -i\n' % (TRACER, path))
terminal.expect('PROMPT ')
terminal.type('sed -u s/^/got:/\n')
terminal.expect('got:/\r\n')
terminal.type('one\n')
seen(terminal.expect('got:one\r\n'), 'a job of a traced shell')
terminal.type('\x1a')
seen(terminal.expect(r'Stopped.*\r\n.*PROMPT '), 'is stopped by ^Z')
terminal.type('bg\n')
for attempt in range(20):
    # the shell tells before a prompt, if it knows already
    stopped = terminal.expect('Stopped', 1)
    if stopped:
        break
    terminal.type('\n')
seen(stopped, 'reads in vain in the background')
terminal.expect('PROMPT ')
terminal.type('fg\n')
terminal.expect('got:/\r\n')
terminal.type('two\n')
seen(terminal.expect('got:two\r\n'), 'and goes on in the foreground')
terminal.type('\x04')
seen(terminal.expect('PROMPT '), 'to its end')
terminal.type('exit 3\n')
seen(terminal.expect('PROMPT '), 'the traced shell exits')
terminal.type('echo status $?\n')
seen(terminal.expect(r'status 3\r\n'), 'with the right status')

# With its output on the terminal, the tracer detaches at ^C.
terminal.type('%s -e trace=read cat\n' % TRACER)
seen(terminal.expect(r'^read\(0'), 'on the terminal, a line begins at once')
terminal.type('\x03')
seen(terminal.expect('detached'), '^C lets the command go')
seen(terminal.expect('PROMPT '), 'and the shell goes on')
terminal.type('echo status $?\n')
seen(terminal.expect(r'status 130\r\n'), 'with the right status')
terminal.close()

done()
