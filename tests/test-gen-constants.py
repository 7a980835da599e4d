#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""tools/gen-constants: what it makes of sets, and what it says of mistakes."""

import os
import re
import subprocess
import sys
import tempfile

from tap import done, is_eq, like, ok, TOP_SRCDIR

FACTS = """\
header\tname\tvalue\ti386\tx32
a.h\tA_ONE\t1
a.h\tA_TWO\t0x2
a.h\tA_ALSO_TWO\t2
a.h\tA_WIDE\t0xffffffffffffffff\t0xffffffff\t=
a.h\tA_ONLY32\t-\t3\t-
a.h\tA_NOT32\t4\t-\t=
a.h\tA_MOVES\t5\t6\t7
a.h\tA_MINUS\t-100
b.h\tB_MASK\t0x3
b.h\tB_ZERO\t0
b.h\tB_FLAG\t0x10
b.h\tB_BOTH\t0x30
b.h\tB_OTHER\t0x20
b.h\tA_TWICE\t8
c.h\tA_TWICE\t9
"""


def generate(sets):
    """The exit status, messages, and the two files."""
    with tempfile.TemporaryDirectory() as directory:
        def path(name):
            return os.path.join(directory, name)

        with open(path("constants.tsv"), "w", encoding="ascii") as file:
            file.write(FACTS)
        with open(path("x.sets"), "w", encoding="ascii") as file:
            file.write(sets)
        run = subprocess.run(
            [sys.executable, os.path.join(TOP_SRCDIR, "tools",
                                          "gen-constants"),
             directory, path("sets.c"), path("sets.h"), path("x.sets")],
            capture_output=True, text=True, check=False)
        texts = []
        for name in ("sets.c", "sets.h"):
            text = ""
            if os.path.exists(path(name)):
                with open(path(name), encoding="ascii") as file:
                    text = file.read()
            texts.append(text)
        return run.returncode, run.stderr.replace(directory + "/", ""), \
            texts[0], texts[1]


def members(source, name):
    """The members of a set as (value, name, ABIs)."""
    match = re.search(r"members_%s\[\] = \{\n(.*?)\};" % name, source, re.S)
    return [(int(value, 0), text, int(abis)) for value, text, abis in
            re.findall(r'\{ (\w+), "(\w+)", (\d+) \}', match[1])]


def check_enum():
    status, message, source, header = generate("""\
# a comment
all enum A_*	# of all headers
	-A_TWICE
some enum unknown=Z_??? decimal signed A_MINUS A_TWO A_ONE X_NEW=0x40
no_two enum strip=A_ <a.h>A_* -A_*TWO
and_more enum @some A_NOT32
values A_WIDE <c.h>A_TWICE
""")
    is_eq((status, message), (0, ''), 'sets are generated')
    is_eq(members(source, 'all'), [
        (1, 'A_ONE', 7), (2, 'A_TWO', 7), (3, 'A_ONLY32', 2),
        (4, 'A_NOT32', 5), (5, 'A_MOVES', 1), (6, 'A_MOVES', 2),
        (7, 'A_MOVES', 4), (0xffffff9c, 'A_MINUS', 7),
        (0xffffffff, 'A_WIDE', 2), (0xffffffffffffffff, 'A_WIDE', 5)],
          'a pattern: by value, each with its ABIs, one name for a value')
    is_eq(members(source, 'some'), [
        (1, 'A_ONE', 7), (2, 'A_TWO', 7), (0x40, 'X_NEW', 7),
        (0xffffff9c, 'A_MINUS', 7)], 'names, one of them made up')
    is_eq([name for _, name, _ in members(source, 'no_two')],
          ['ONE', 'ONLY32', 'NOT32', 'MOVES', 'MOVES', 'MOVES', 'MINUS',
           'WIDE', 'WIDE'], 'members taken out, a prefix stripped')
    is_eq([name for _, name, _ in members(source, 'and_more')],
          ['A_ONE', 'A_TWO', 'A_NOT32', 'X_NEW', 'A_MINUS'],
          'the members of another set')
    text = source.split('set_some = {')[1].split('};')[0]
    like(text, r'\.decimal = true', 'an option')
    like(text, r'\.is_signed = true', 'another one')
    like(text, r'\.unknown = "Z_\?\\\?\?"', 'a label')
    like(source.split('set_all = {')[1], r'\.unknown = "A_\?\\\?\?"',
         'a label made of the common prefix')
    like(header, r'^#define V_A_MINUS \(-100\)$', 'a negative value')
    like(header, r'^#define V_A_WIDE 0xffffffffffffffff$', 'a wide value')
    like(header, r'^#define V_A_TWICE 9$', 'a value of one header')
    like(header, r'^#define V_X_NEW 0x40$', 'a value that was made up')
    like(header, r'^#define V_A_ONLY32 3$', 'a value of i386 only')
    like(header, r'^extern const struct constset set_all;$',
         'a set is declared')


def check_flags():
    status, _, source, _ = generate(
        'f flags base=B_MASK:B_ZERO,A_ONE B_BOTH B_FLAG B_OTHER\n')
    is_eq(status, 0, 'flags are generated')
    is_eq([name for _, name, _ in members(source, 'f')],
          ['B_BOTH', 'B_FLAG', 'B_OTHER'], 'flags keep their order')
    is_eq([name for _, name, _ in members(source, 'f_base')],
          ['B_ZERO', 'A_ONE'], 'the base is an enumeration')
    like(source, r'\.is_flags = true,(?s:.*)\.base_mask = 3,'
         r'(?s:.*)\.base = &set_f_base', 'with its mask')


def check_mistakes():
    for sets, message, what in (
            ('s enum A_ONE\n\tA_TO\n',
             r'^x\.sets:2: unknown constant A_TO, did you mean A_TWO\?$',
             'an unknown name'),
            ('s enum A_TWICE\n', r'^x\.sets:1: A_TWICE has different values '
             r'in b\.h and c\.h', 'an ambiguous name'),
            ('s enum Z_*\n', r'^x\.sets:1: no constant matches Z_\*$',
             'a pattern that nothing matches'),
            ('s enum <b.h>A_ONE\n',
             r'^x\.sets:1: unknown constant A_ONE in <b\.h>', 'a header'),
            ('s A_ONE\n', r'^x\.sets:1: set s must be enum or flags$',
             'a missing kind'),
            ('s enum A_ONE\n\ns enum A_TWO\n',
             r'^x\.sets:3: set s is already at x\.sets:1$',
             'a set that is there twice'),
            ('s enum @t\n', r'^x\.sets:1: unknown set t', 'an unknown set'),
            ('\tA_ONE\n', r'^x\.sets:1: indented line', 'no set'),
            ('s enum A_ONE -A_TWO\n', r'^x\.sets:1: A_TWO is no member$',
             'taking out what is not in'),
            ('s enum A_ONE -A_ONE\n', r'^x\.sets:1: set s is empty$',
             'an empty set'),
            ('s enum A=B\n', r'^x\.sets:1: A: B is no number$',
             'a value that is no number'),
            ('s enum A_ONE=7\nt enum A_ONE\n',
             r'^x\.sets:2: A_ONE has another value at x\.sets:1$',
             'two values of a name')):
        status, messages, source, header = generate(sets)
        ok(status != 0, what + ' is an error')
        like(messages, message, what + ' is told with its place')
        is_eq((source, header), ('', ''), what + ' leaves no files')


check_enum()
check_flags()
check_mistakes()
done()
