# SPDX-License-Identifier: LGPL-2.1-or-later
"""Allocates, and says how many blocks of which size each line has made."""

import json
import os
import sys
import threading

kept = []
expected = []


def here():
    return sys._getframe(1).f_lineno


def function(count):
    for _ in range(count):
        kept.append(bytearray(10000))
    expected.append((count, 10001, __file__, here() - 1))


def generator(count):
    for _ in range(count):
        yield bytearray(11000)
    expected.append((count, 11001, __file__, here() - 1))


def evaluated(path, count):
    source = ('\n' * 6 + 'for _ in range(count):\n'
              '    kept.append(bytearray(\n'
              '        12000))\n')
    exec(compile(source, path, 'exec'), {'count': count, 'kept': kept})
    expected.append((count, 12001, path, 8))


def in_thread(count):
    blocks = []
    for _ in range(count):
        blocks.append(bytearray(13000))
    kept.append(blocks)


class Late:
    def __del__(self):
        self.block = bytearray(14000)


def everything():
    function(50)
    kept.extend(generator(60))
    for number, path in enumerate(
            ('', '<string>', 'with space', 'quote"\\\n', 'ä/漢/😀')):
        if path:
            evaluated(path, 20 + number)
    threads = [threading.Thread(target=in_thread, args=(40,))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected.append((160, 13001, __file__,
                     in_thread.__code__.co_firstlineno + 3))


def forked():
    pid = os.fork()
    if pid:
        os.waitpid(pid, 0)
        return
    function(70)
    print(json.dumps(expected), flush=True)
    os._exit(0)


late = Late()
if sys.argv[1] == 'forked':
    forked()
else:
    everything()
    print(json.dumps(expected))
