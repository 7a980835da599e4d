# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a compiler makes of a header: macros, their values, its object file.

Nothing that is compiled is run, so every ABI that the compiler knows will do.
"""

import os
import re
import struct
import subprocess

ABIS = ("x86_64", "i386", "x32")
FLAGS = {"x86_64": "-m64", "i386": "-m32", "x32": "-mx32"}

# A header may rely on others that are included before it.
PRELUDES = (
    "",
    "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n"
    "#include <linux/types.h>\n",
    "#include <xen/interface/xen.h>\n",
    "#include <stddef.h>\n#include <stdint.h>\n#include <limits.h>\n"
    "#include <time.h>\n#include <sys/types.h>\n#include <sys/socket.h>\n"
    "#include <netinet/in.h>\n#include <linux/types.h>\n"
    "#include <linux/socket.h>\n",
    "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n"
    "#include <limits.h>\n#include <signal.h>\n#include <sys/types.h>\n"
    "#include <linux/types.h>\n#include <linux/socket.h>\n"
    "#include <linux/if.h>\n#include <linux/in.h>\n#include <linux/in6.h>\n"
    "#include <linux/netfilter.h>\n",
)

# Headers that may be missing: those that the C library of another ABI would
# have brought along, and one that the kernel keeps to itself.
STUBS = {
    "gnu/stubs-32.h": "",
    "gnu/stubs-64.h": "",
    "gnu/stubs-x32.h": "",
    "xen/interface/xen.h": "typedef unsigned short domid_t;\n"
                           "typedef unsigned int grant_ref_t;\n"
                           "typedef unsigned long xen_pfn_t;\n",
}

# Helpers of the kernel that headers use without defining them.
HELPERS = r"""
#ifndef BIT
#define BIT(n) (1UL << (n))
#endif
#ifndef BIT_ULL
#define BIT_ULL(n) (1ULL << (n))
#endif
#ifndef GENMASK
#define GENMASK(h, l) ((~0UL << (l)) & (~0UL >> (8 * sizeof(long) - 1 - (h))))
#endif
#ifndef __GENMASK
#define __GENMASK GENMASK
#endif
#ifndef htonl
#define htonl(n) (((n) & 0xff) << 24 | ((n) & 0xff00) << 8 | \
	((n) >> 8 & 0xff00) | ((n) >> 24 & 0xff))
#endif
#ifndef cpu_to_be32
#define cpu_to_be32 htonl
#endif
#ifndef _NSIG
#define _NSIG 64
#endif
#ifndef SOL_ATM
#define SOL_ATM 264
#endif
#ifndef u64
#define u64 unsigned long long
#endif
#ifndef U8_MAX
#define U8_MAX ((unsigned char)~0U)
#endif
#ifndef U16_MAX
#define U16_MAX ((unsigned short)~0U)
#endif
#ifndef U32_MAX
#define U32_MAX (~0U)
#endif
#ifndef U64_MAX
#define U64_MAX (~0ULL)
#endif
"""

ROW = r"""
struct facts_row {
	unsigned long long value;
	unsigned index;
	unsigned char size, is_signed, fill[2];
};
#define FACT(index_, value_) \
	enum { facts_constant_##index_ = (value_) }; \
	static const struct facts_row facts_row_##index_ \
	__attribute__((section("facts"), used, aligned(8))) = { \
		(value_), index_, sizeof(value_), \
		(__typeof__((value_) + 0))-1 < 0, {0} };
"""


class Macro:
    def __init__(self, name, body, line):
        self.name = name
        self.body = body
        self.line = line


class Value:
    """An integer: its bits at the width of its C type."""

    def __init__(self, value, size, is_signed):
        self.bits = value & ((1 << 8 * size) - 1)
        self.size = size
        self.is_negative = is_signed and bool(value >> 63)

    def __eq__(self, other):
        return isinstance(other, Value) and self.bits == other.bits

    def text(self, in_hex):
        if in_hex:
            return "0x%x" % self.bits
        if self.is_negative:
            return str(self.bits - (1 << 8 * self.size))
        return str(self.bits)


class Compiler:
    def __init__(self, command, headers, asm, work):
        self.command = command
        self.headers = headers
        self.asm = asm          # the directory that holds asm/
        self.work = work
        self.write_stubs()
        self.includes = self.include_flags()

    def write_stubs(self):
        self.stubs = os.path.join(self.work, "stubs")
        for name, text in STUBS.items():
            path = os.path.join(self.stubs, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="ascii") as out:
                out.write(text)

    def include_flags(self):
        """The headers under examination come before those of the system."""
        search = subprocess.run(
            [self.command, "-E", "-Wp,-v", "-xc", "/dev/null"],
            capture_output=True, text=True, check=True).stderr
        system = re.findall(r"^ (/\S+)$", search, re.M)
        order = [self.headers, self.asm, self.stubs]
        order += [d for d in system if d not in order]
        flags = ["-nostdinc"]
        for directory in dict.fromkeys(order):
            flags += ["-isystem", directory]
        return flags

    def path(self, header):
        top = self.asm if header.startswith("asm/") else self.headers
        return os.path.join(top, header)

    def run(self, abi, *arguments):
        return subprocess.run(
            [self.command, FLAGS[abi], "-std=gnu11", "-w", "-Ulinux",
             "-Uunix", "-Ui386", "-fmax-errors=0",
             "-fno-canonical-system-headers",
             "-ftrack-macro-expansion=0", *self.includes, *arguments],
            capture_output=True, text=True, errors="replace", check=False)

    def source(self, name, text):
        path = os.path.join(self.work, name + ".c")
        with open(path, "w", encoding="ascii") as out:
            out.write(text)
        return path

    def preprocess(self, abi, name, text):
        """The macros that are in force at the end of text.

        Returns them by name as (file, Macro), function-like ones with their
        parameters as part of the body, and the files that were read.
        """
        done = self.run(abi, "-E", "-dD", self.source(name, text))
        if done.returncode:
            return None, None
        macros, files = {}, set()
        place, line = None, 0
        for text_line in done.stdout.split("\n"):
            marker = re.match(r'# (\d+) "(.*)"', text_line)
            if marker:
                line, place = int(marker[1]), marker[2]
                files.add(place)
                continue
            define = re.match(r"#define (\w+)(.*)", text_line)
            undef = re.match(r"#undef (\w+)", text_line)
            if define:
                macros[define[1]] = (place, Macro(define[1], define[2],
                                                  line))
            elif undef:
                macros.pop(undef[1], None)
            line += 1
        return macros, files

    def compile(self, abi, name, text):
        """The object file of text, or the lines that are wrong."""
        path = self.source(name, text)
        target = path[:-2] + ".o"
        done = self.run(abi, "-c", "-g", "-gdwarf-5", "-O0",
                        "-fno-eliminate-unused-debug-types",
                        "-o", target, path)
        os.unlink(path)
        if done.returncode == 0:
            return target, ()
        wrong = re.findall(r"^%s:(\d+):" % re.escape(path), done.stderr,
                           re.M)
        return None, {int(number) for number in wrong}

    def evaluate(self, abi, name, text, macros):
        """Compiles text and the values of macros.

        Returns the object file and the values by name; macros that are no
        integer constants are left out.  (None, {}) if text does not compile.
        """
        head = text + HELPERS + ROW
        first = head.count("\n") + 1
        macros = list(macros)
        while True:
            body = "".join("FACT(%d, %s)\n" % (i, m)
                           for i, m in enumerate(macros))
            target, wrong = self.compile(abi, name, head + body)
            if target:
                break
            keep = [m for i, m in enumerate(macros)
                    if first + i not in wrong]
            if len(keep) == len(macros):
                return None, {}
            macros = keep
        values = {macros[index]: Value(value, size, is_signed)
                  for value, index, size, is_signed in read_rows(target)}
        return target, values


def read_rows(path):
    """The contents of the section "facts" of an object file."""
    with open(path, "rb") as file:
        data = file.read()
    is_64 = data[4] == 2
    if is_64:
        shoff, = struct.unpack_from("<Q", data, 0x28)
        entsize, count, names = struct.unpack_from("<3H", data, 0x3a)
        layout, fields = "<2I4Q", (0, 4, 5)
    else:
        shoff, = struct.unpack_from("<I", data, 0x20)
        entsize, count, names = struct.unpack_from("<3H", data, 0x2e)
        layout, fields = "<6I", (0, 4, 5)
    sections = []
    for i in range(count):
        section = struct.unpack_from(layout, data, shoff + i * entsize)
        sections.append([section[f] for f in fields])
    strings = sections[names][1]
    for name, offset, size in sections:
        start = strings + name
        if data[start:start + 6] == b"facts\0":
            for at in range(offset, offset + size, 16):
                yield struct.unpack_from("<QIBB", data, at)
