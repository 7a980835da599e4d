#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""doc/schema.json describes what --format=json writes, and nothing else."""

import json
import os
import re
import sys

from tap import (TOP_SRCDIR, done, is_eq, ok, run_tracer, skip_all, tmpdir,
                 tmpfile)

try:
    import jsonschema
except ImportError:
    skip_all('python3-jsonschema is not installed')

with open(os.path.join(TOP_SRCDIR, 'doc', 'schema.json')) as file:
    SCHEMA = json.load(file)
if not hasattr(jsonschema, 'Draft202012Validator'):
    skip_all('python3-jsonschema is older than draft 2020-12')
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def unique(pairs):
    """An object, if none of its keys is there twice."""
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError('a key is there twice in %r' % (keys,))
    return dict(pairs)


def complaint(line):
    """What is wrong with a line of output, or None."""
    try:
        value = json.loads(line, object_pairs_hook=unique)
    except ValueError as error:
        return str(error)
    error = jsonschema.exceptions.best_match(VALIDATOR.iter_errors(value))
    return error and '%s: %s' % (error.json_path, error.message)


def check_lines(lines, name):
    """Checks that every line fits, and that there are some."""
    complaints = []
    for line in lines:
        what = complaint(line)
        if what:
            complaints.append('%s\n  in %s' % (what, line[:2000]))
    ok(lines and not complaints, name, '%d lines' % len(lines),
       *complaints[:5])


jsonschema.Draft202012Validator.check_schema(SCHEMA)
ok(True, 'the schema is one')

# ---- the examples of the documentation ----

with open(os.path.join(TOP_SRCDIR, 'doc', 'json.md'), encoding='utf-8') as file:
    TEXT = file.read()
LINES, VALUES = [], []
for block in re.findall(r'^```json\n(.*?)^```', TEXT, re.M | re.S):
    if block.startswith('{"type":'):
        # The continuation of a line is indented.
        LINES += re.sub(r'\n +', '', block).splitlines()
    else:
        VALUES.append(block)
check_lines(LINES, 'the lines that are examples')
CALL = {'type': 'syscall', 'pid': 1, 'name': 'f', 'nr': 0, 'args': {},
        'result': {'value': 0}}
check_lines(['%s{%s}}' % (json.dumps(CALL)[:-1].replace('"args": {}, ', '')
                          + ', "args": ', block) for block in VALUES],
            'the values that are examples')

# ---- what the schema must refuse ----

WRONG = {
    'an unknown type': {'type': 'x', 'pid': 1},
    'no result': {k: v for k, v in CALL.items() if k != 'result'},
    'an unknown member': dict(CALL, x=1),
    'two results': dict(CALL, result={'value': 0, 'error': {'errno': 1}}),
    'an empty result': dict(CALL, result={}),
    'a time that is a number': dict(CALL, time=1.5),
    'a time without nanoseconds': dict(CALL, time='1.5'),
    'an integer that is not exact': dict(CALL, args={'a': 2 ** 60}),
    'a fraction': dict(CALL, args={'a': 1.5}),
    'a truth value': dict(CALL, args={'a': True}),
    'an address without 0x': dict(CALL, args={'a': {'address': '1f'}}),
    'a symbol without its value': dict(CALL, args={'a': {'name': 'X'}}),
    'flags without their value': dict(CALL, args={'a': {'flags': ['X']}}),
    'half a byte': dict(CALL, args={'a': {'hex': '1'}}),
    'half a change': dict(CALL, args={'a': {'before': 1}}),
    'a frame of nothing': dict(CALL, stack=[{}]),
    'a symbol without its offset':
        dict(CALL, stack=[{'address': '0x1', 'symbol': 'main'}]),
    'an exit without status': {'type': 'exit', 'pid': 1},
}
for name, value in WRONG.items():
    ok(complaint(json.dumps(value)), 'refused: ' + name)

# ---- real output ----

SCRIPT = r'''
import os, select, signal, socket, subprocess, threading, time
try:
    os.stat(b'/nonexistent-\xff\xc3\xa4')
except OSError:
    pass
r, w = os.pipe()
os.write(w, bytes(range(256)))
os.read(r, 1000)
select.select([r], [w], [], 0.001)
poll = select.poll()
poll.register(w, select.POLLOUT | select.POLLIN)
poll.poll(1)
a, b = socket.socketpair()
a.sendmsg([b'x', 'ä'.encode() * 100])
b.recvmsg(100)
server = socket.create_server(('127.0.0.1', 0))
client = socket.create_connection(server.getsockname())
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.01)
time.sleep(0.02)
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, 40])
thread = threading.Thread(target=time.sleep, args=(0.01,))
thread.start()
thread.join()
subprocess.run(['/bin/sh', '-c', 'kill -TERM $$'])
subprocess.run(['/bin/sh', '-c', 'exit 3'])
if not os.fork():
    os.kill(os.getpid(), signal.SIGSTOP)
    os._exit(0)
pid, status = os.waitpid(-1, os.WUNTRACED)
os.kill(pid, signal.SIGCONT)
os.waitpid(pid, 0)
'''
script = tmpfile('script.py', SCRIPT)
for options in ([], ['-f'], ['-f', '-v', '-s', '1000'], ['-f', '-yy', '-Y'],
                ['-f', '-T', '-tt', '-i'], ['-f', '-x', '-X', 'raw'],
                ['-f', '-e', 'raw=all']):
    result = run_tracer('--format=json', *options, sys.executable, '-S',
                        script, cwd=tmpdir())
    if not is_eq(result.status, 0, 'python %s' % ' '.join(options)):
        print('# ' + result.stderr[-500:].replace('\n', '\n# '))
    check_lines(result.lines, 'lines of python %s' % ' '.join(options))

types = {json.loads(line)['type'] for line in result.lines}
is_eq(types, {'syscall', 'signal', 'exit', 'killed', 'stopped'},
      'every type of line was there')

result = run_tracer('--format=json', '-k', '/bin/true')
if result.status == 0:
    check_lines(result.lines, 'lines with stacks')
done()
