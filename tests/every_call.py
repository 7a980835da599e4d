# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every system call with many arguments, as a script for tests/scripted.py.

What the arguments of a call are is known from the facts only (a pointer or a
number), so that nothing here depends on how tracer describes them.
"""

import os
import random

from scripted import BAD, END, Script, u32, u64
from tap import TOP_SRCDIR

# Calls that end the tracee for a tracer, or that pass every filter and end it.
FATAL = ('exit', 'exit_group', 'uprobe', 'uretprobe')
# It shows what happens to be on the stack.
RANDOM = ('rt_sigreturn',)

EPERM = 1
RESULTS = (0, -EPERM, 5)
# What the kernel never answers is not worth comparing.
RESULTS_OF = {
    'getcwd': (-EPERM, -EPERM),     # the length of the name
    'sendfile': (0, -EPERM),        # the offset would have changed
}

# What numbers may be.  Lists of 2**32 elements and more strace does not cut.
VALUES = (0, 1, 2, 3, 9, 24, 64, 4096, 0x7fffffff, 0x80000000, -100, -1)
# Each of VALUES is tried with such memory, and each kind of memory with USUAL.
RICH = ('words', 'noise', 'structures')
USUAL = (1, 3, 24, 64)
# What commands and flags may be: each bit, and small numbers.
SELECTORS = tuple(range(70)) + tuple(1 << i for i in range(7, 32)) + \
    tuple(range(1024, 1048))

POINTERS = {'cap_user_header_t', 'cap_user_data_t', 'aio_context_t',
            '__sighandler_t', 'cap_user_header_t', 'const cap_user_data_t'}


def arguments():
    """{name: [whether an argument is a pointer]} of the x86-64 calls."""
    found = {}
    with open(os.path.join(TOP_SRCDIR, 'facts', 'syscall_args.tsv'),
              encoding='ascii') as table:
        for line in list(table)[1:]:
            name, position, ctype, _, _, archs = line.rstrip('\n').split('\t')
            if 'x86_64' in archs or archs == 'all':
                kinds = found.setdefault(name, {})
                kinds[int(position)] = '*' in ctype or ctype in POINTERS
    return {name: [kinds.get(i, False) for i in range(1, 7)]
            for name, kinds in found.items()}


def memory(script):
    """Ways to fill the memory that pointers are to: {name: function}.

    Each gives the value of one pointer argument.
    """
    chaos = random.Random(1)
    noise = bytes(chaos.randrange(256) for _ in range(2048))
    strings = b'/none/such\0"quoted"\n\\\0\303\244\200\xff\0' + b'x' * 500

    def pointers():
        at = script.put(strings)
        return script.data(u64(*(at + i % 30 for i in range(8))), u64(0))

    def structures():
        at = script.data(u32(*range(1, 512)))
        return script.data(u64(*(v for i in range(32) for v in (at, 8))))

    def edge(size, fill):
        # one argument after the other: all end where memory does
        def put():
            script.high = END
            return script.put(fill[:size], edge=True)
        return put

    words, longs = u32(*range(1, 1024)), u64(*range(1, 512))
    ways = {
        'null': lambda: 0,
        'bad': lambda: BAD,
        'odd': lambda: script.put(words) + 1,
        'zeros': lambda: script.put(bytes(4096)),
        'ones': lambda: script.put(b'\xff' * 4096),
        'words': lambda: script.put(words),
        'longs': lambda: script.put(longs),
        'bits': lambda: script.data(u32(*(1 << i % 32 for i in range(512)))),
        'noise': lambda: script.put(noise),
        'strings': lambda: script.put(strings),
        'pointers': pointers,
        'structures': structures,
    }
    for size in 1, 2, 4, 8, 12, 16, 20, 24, 32, 48, 64, 88, 120, 128:
        ways['edge %d' % size] = edge(size, words)
    ways['edge string'] = edge(16, b'not terminated .')
    return ways


def combinations(ways, quick):
    """(value, way of memory) pairs, and selectors to try."""
    if quick:
        pairs = [(24, way) for way in ways] + [(1, way) for way in RICH]
        return pairs, SELECTORS[::9]
    return ([(value, way) for value in VALUES for way in RICH] +
            [(value, way) for value in USUAL for way in ways], SELECTORS)


def every_call(names=None, quick=False, without=(), part=(0, 1)):
    """The script; names: of these calls only; quick: a tenth of it;
    without: not of these; part (i, n): the i-th of n parts of the calls.
    """
    script = Script()
    ways = memory(script)
    known = arguments()
    pairs, selectors = combinations(ways, quick)
    for name, number in sorted(Script.NUMBERS.items(), key=lambda x: x[1]):
        if name in FATAL + RANDOM or name in without or (
                names and name not in names):
            continue
        if number % part[1] != part[0]:
            continue
        kinds = known.get(name, [False] * 6)
        results = RESULTS_OF.get(name, RESULTS)

        for i, (value, way) in enumerate(pairs):
            for result in (results[i % len(results)],) if quick else results:
                args = [ways[way]() if is_pointer else value
                        for is_pointer in kinds]
                script.call(number, *args, result=result)
        for i, is_pointer in enumerate(kinds):
            if is_pointer:
                # one good pointer among bad ones, and the other way round
                for rest, one in (('bad', 'words'), ('words', 'bad')):
                    args = [ways[rest]() if k else 9 for k in kinds]
                    args[i] = ways[one]()
                    script.call(number, *args, result=results[0])
                continue
            for value in selectors:
                args = [ways['words']() if k else 1 for k in kinds]
                args[i] = value
                script.call(number, *args, result=results[value % 2])
    return script
