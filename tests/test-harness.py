#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""The harness itself: the tracees are built as their names say."""

import os
import struct

from tap import TRACEES, can_run, done, is_eq, ok, run, skip, tracee

ELF_EXEC, ELF_DYN = 2, 3
PT_INTERP = 3


def is_dynamic(image):
    """Whether the ELF image asks for a dynamic loader."""
    if image[4] == 2:
        start, = struct.unpack_from('<Q', image, 32)
        size, count = struct.unpack_from('<HH', image, 54)
    else:
        start, = struct.unpack_from('<I', image, 28)
        size, count = struct.unpack_from('<HH', image, 42)
    return PT_INTERP in (struct.unpack_from('<I', image, start + i * size)[0]
                         for i in range(count))


for name, elf_type in (('hello', ELF_DYN), ('hello-static', None),
                       ('hello-nopie', ELF_EXEC),
                       ('hello-stripped', ELF_DYN), ('hello-m32', ELF_DYN)):
    if not os.path.exists(tracee(name)):
        # Only the 32-bit ones may be missing.
        if name.endswith('-m32'):
            skip(name, 'the compiler makes no 32-bit programs')
        else:
            ok(False, '%s is in %s' % (name, TRACEES))
        continue
    with open(tracee(name), 'rb') as file:
        image = file.read()
    is_eq(image[4], 1 if name.endswith('-m32') else 2, name + ': ELF class')
    if elf_type:
        is_eq(image[16], elf_type, name + ': PIE or not')
    is_eq(is_dynamic(image), 'static' not in name, name + ': dynamic')
    is_eq(b'.symtab' in image, 'stripped' not in name, name + ': symbols')
    if not can_run(tracee(name)):
        skip(name + ': runs', 'the kernel runs no 32-bit programs')
        continue
    result = run([tracee(name)])
    is_eq((result.status, result.stdout), (7, 'hello\n'), name + ': runs')

done()
