# SPDX-License-Identifier: LGPL-2.1-or-later
"""Scripts for tests/tracees/scripted: calls with any arguments, any memory
behind them, and any result, of which the kernel hears nothing.

    script = Script()
    script.call('statx', AT_FDCWD, script.text('/x'), 0, 0xfff,
                script.data(u32(0xfff), u32(4096)), result=0)
    script.write(path)

The memory of a call lies at 0x20000000 and above; what is put there with
edge=True ends where memory ends.
"""

import os
import struct

from tap import TOP_SRCDIR

START, SIZE = 0x20000000, 1 << 20
END = START + SIZE
BAD = 0x7fff0000        # an address where nothing is
MASK = (1 << 64) - 1


def u8(*values):
    return struct.pack('<%dB' % len(values), *(v & 0xff for v in values))


def u16(*values):
    return struct.pack('<%dH' % len(values), *(v & 0xffff for v in values))


def u32(*values):
    return struct.pack('<%dI' % len(values), *(v & 0xffffffff for v in values))


def u64(*values):
    return struct.pack('<%dQ' % len(values), *(v & MASK for v in values))


def numbers(arch='x86_64'):
    """{name: number} of the system calls that the facts know."""
    found = {}
    with open(os.path.join(TOP_SRCDIR, 'facts', 'syscalls.tsv'),
              encoding='ascii') as table:
        for line in table:
            fields = line.rstrip('\n').split('\t')
            if fields[0] == arch:
                found[fields[2]] = int(fields[1])
    return found


class Script:
    """A sequence of calls."""

    NUMBERS = numbers()

    def __init__(self):
        self.records = []
        self.clear()

    def clear(self):
        """Begins the memory of the next call."""
        self.patches = []
        self.low, self.high = START, END

    def put(self, data, edge=False, answer=False):
        """Puts bytes into memory; returns their address."""
        if edge:
            self.high -= len(data)
            address = self.high
        else:
            address = self.low
            self.low += (len(data) + 15) // 16 * 16
        self.patches.append((address, bytes(data), answer))
        return address

    def data(self, *parts, **how):
        return self.put(b''.join(parts), **how)

    def text(self, text, **how):
        return self.put(text.encode() + b'\0', **how)

    def answer(self, address, data):
        """What the call itself writes."""
        self.patches.append((address, bytes(data), True))

    def call(self, name, *args, result=0):
        """Adds a call (a name or a number) with the memory put so far."""
        number = name if isinstance(name, int) else self.NUMBERS[name]
        args = [a & MASK for a in args] + [0] * (6 - len(args))
        answers = sum(answer for _, _, answer in self.patches)
        record = struct.pack('<IHHq6Q', number, len(self.patches), answers,
                             result, *args)
        for address, data, answer in self.patches:
            record += struct.pack('<QII', address, len(data), answer)
            record += data + bytes(-len(data) % 8)
        self.records.append(record)
        self.clear()

    def write(self, path):
        with open(path, 'wb') as file:
            file.write(b''.join(self.records))
