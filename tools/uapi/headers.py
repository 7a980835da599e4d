# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a header defines: constants, ioctl commands, structures."""

import os
import re

from .compile import ABIS, PRELUDES, Value
from .dwarf import Object

# What is between operators in an expression of integers.
EXPRESSION = re.compile(r"([\w\s()+\-*/%<>&|^~!?:,.\[\]]|'[^']+')+\Z")
# Numbers of system calls are in their own table; guards mean nothing.
NO_CONSTANT = re.compile(r"(__NR_|__UAPI_DEF_|__aligned|__attribute)|"
                         r"_\w*_H_*\Z")
# Who writes a number like this means bits.
IN_HEX = re.compile(r"\b0[xX][0-9a-fA-F]|\b0[0-7]+\b|<<|>>|~|\bsizeof\b")
# What makes the number of an ioctl command, and what takes it apart again.
IOC = re.compile(r"\b(_IO|_IOR|_IOW|_IOWR|_IOC|_IO\w*_BAD)\b")
IOC_PART = re.compile(r"\b_IOC_(NR|SIZE|TYPE|DIR)\b")
# What is included behind headers whose names begin so, for their macros.
POSTLUDES = {
    "*": ("limits.h", "stddef.h", "asm/byteorder.h", "asm/ioctls.h",
          "asm/param.h", "linux/bits.h", "linux/const.h", "linux/errno.h",
          "linux/ioctl.h", "linux/major.h", "linux/sockios.h",
          "linux/types.h"),
    "drm/": ("linux/fcntl.h",),
    "linux/dma-heap.h": ("linux/fcntl.h",),
    "linux/fs.h": ("linux/blktrace_api.h", "linux/fiemap.h"),
    "linux/hid.h": ("linux/usb/ch9.h",),
    "linux/in_route.h": ("linux/rtnetlink.h",),
    "linux/ivtvfb.h": ("linux/videodev2.h",),
    "linux/minix_fs.h": ("linux/fs.h",),
    "linux/mount.h": ("linux/fcntl.h",),
    "linux/net.h": ("linux/socket.h",),
    "linux/netfilter/nfnetlink.h": ("linux/netlink.h",),
    "linux/netfilter/x_tables.h": ("linux/netfilter.h",),
    "linux/netfilter/xt_state.h":
        ("linux/netfilter/nf_conntrack_common.h",),
    "linux/ppdev.h": ("linux/time.h",),
    "linux/ppp-ioctl.h": ("linux/filter.h",),
    "linux/sonet.h": ("linux/atmioc.h",),
    "linux/tipc_config.h": ("linux/netlink.h", "linux/genetlink.h"),
    "linux/usb/": ("linux/usb/ch9.h", "linux/videodev2.h"),
    "linux/uvcvideo.h": ("linux/videodev2.h",),
    "linux/zorro_ids.h": ("linux/zorro.h",),
    "rdma/rdma_netlink.h": ("linux/netlink.h",),
}
# Where commands are plain numbers.
RAW_HEADERS = {"asm-generic/ioctls.h":
               re.compile(r"TC|TIOC(?!PKT_|SER_)|FIO"),
               "linux/sockios.h": re.compile(r"SIOC"),
               "linux/wireless.h": re.compile(r"SIOC")}


class Header:
    """One header, examined on every ABI that it can be compiled for."""

    def __init__(self, compiler, name):
        self.compiler = compiler
        self.name = name
        self.path = compiler.path(name)
        self.source = self.read_source()
        self.values = {}        # ABI -> name -> Value
        self.layouts = {}       # ABI -> structure -> rows
        self.lines = {}         # name -> (line, index): the order of names
        self.in_hex = {}        # name -> whether its value is so shown
        self.ioctls = {}        # name -> (kind, type of the argument)
        self.macros = {}        # all in force, while examining
        self.enumerators = set()
        self.included = set()   # files

    def read_source(self):
        with open(self.path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        # Comments go, lines stay.
        return re.sub(r"/\*.*?\*/|//[^\n]*",
                      lambda m: "\n" * m[0].count("\n"), text, flags=re.S)

    def include(self):
        """How the header is included: what asm/ has of its own comes
        through that."""
        if self.name.startswith("asm-generic/"):
            specific = "asm/" + self.name.split("/", 1)[1]
            if os.path.exists(self.compiler.path(specific)):
                return specific
        return self.name

    def postlude(self):
        """What macros need that the header leaves to its users."""
        names = POSTLUDES["*"]
        for start, special in POSTLUDES.items():
            if self.name.startswith(start):
                names = special + names
        return "".join("#if __has_include(<%s>)\n#include <%s>\n#endif\n"
                       % (name, name) for name in names)

    def examine(self):
        """Returns false if the header cannot be compiled for any ABI."""
        for abi in ABIS:
            for prelude in PRELUDES:
                text = "%s#include <%s>\n" % (prelude, self.include())
                if self.examine_on(abi, text + self.postlude()) or \
                   self.examine_on(abi, text):
                    break
        self.in_hex = {name: self.expands_to(name, IN_HEX)
                       for name in self.lines}
        self.ioctls = self.find_ioctls()
        self.macros.clear()
        return bool(self.values)

    def examine_on(self, abi, text):
        name = "%s.%s" % (self.name.replace("/", "-"), abi)
        macros, files = self.compiler.preprocess(abi, name, text)
        if macros is None:
            return False
        self.included |= files
        own = [m for place, m in macros.values() if place == self.path
               and self.may_be_constant(m)]
        target, values = self.compiler.evaluate(abi, name, text,
                                                [m.name for m in own])
        if not target:
            return False
        try:
            debug = Object(target)
        finally:
            os.unlink(target)
        self.layouts[abi] = debug.structures(self.path)
        self.macros = {**{n: m for n, (_, m) in macros.items()},
                       **self.macros}
        for macro in own:
            if macro.name in values:
                self.lines.setdefault(macro.name, (macro.line, 0))
        for i, (enumerator, number, line, _) in enumerate(
                debug.enumerators(self.path)):
            self.enumerators.add(enumerator)
            values.setdefault(enumerator, enum_value(number))
            at = self.enumerator_line(enumerator, line)
            self.lines[enumerator] = min(
                self.lines.get(enumerator, (at, i)), (at, i))
        self.values[abi] = values
        return True

    @staticmethod
    def may_be_constant(macro):
        body = macro.body.strip()
        return (body and not macro.body.startswith("(") and
                not NO_CONSTANT.match(macro.name) and
                bool(EXPRESSION.match(body)))

    def enumerator_line(self, name, first):
        """Debug information has only the line of the enum itself."""
        for i, line in enumerate(self.source.split("\n")[first - 1:]):
            if re.search(r"\b%s\b" % name, line) and "#" not in line:
                return first + i
        return first

    def order(self):
        return sorted(self.lines, key=lambda name: self.lines[name])

    # ---- what a definition is made of ----

    def definition(self, name):
        """The text that defines a constant."""
        if name in self.enumerators:
            match = re.search(r"\b%s\s*=\s*([^;{}]*?)(?:,\s*\w+\s*[,=}]|"
                              r",?\s*[};]|,\s*\n)" % name, self.source)
            return match[1] if match else ""
        macro = self.macros.get(name)
        return macro.body if macro else ""

    def expands_to(self, name, regex, seen=()):
        """Whether regex is found in the definition, macros expanded."""
        text = self.definition(name) if not seen else self.macros[name].body
        if regex.search(text):
            return True
        return any(self.expands_to(word, regex, (*seen, name))
                   for word in re.findall(r"[A-Za-z_]\w*", text)
                   if word in self.macros and word not in seen
                   and word != name)

    def find_ioctls(self):
        """name -> (kind, type of the argument)."""
        raw = RAW_HEADERS.get(self.name)
        found = {}
        for name in self.lines:
            text = self.definition(name)
            if self.expands_to(name, IOC) and not IOC_PART.search(text):
                if not IOC.search(text) and re.match(r"\s*\(?\w+\)?\s*$",
                                                     text):
                    kind, argument = "ioc", "-"     # another name
                else:
                    kind, argument = "ioc", last_argument(text)
                if name in self.enumerators:
                    kind = "ioc-enum"
                found[name] = (kind, argument)
            elif raw and raw.match(name):
                found[name] = ("raw", "-")
        return found


def enum_value(number):
    """An enumerator: an int, unless it is too large for one."""
    size = 4 if -(1 << 31) <= number < 1 << 32 else 8
    return Value(number & ((1 << 64) - 1), size, number < 0)


def last_argument(text):
    """The type in _IOR('x', 1, TYPE), or "-" for _IO('x', 1)."""
    match = re.match(r"\s*\(?\s*(\w+)\s*\((.*)\)\s*\)?\s*$", text, re.S)
    if not match or match[1] in ("_IO", "DRM_IO", "_IOC"):
        return "-"
    depth, arguments = 0, [""]
    for char in match[2]:
        depth += char in "([{"
        depth -= char in ")]}"
        if char == "," and depth == 0:
            arguments.append("")
        else:
            arguments[-1] += char
    last = " ".join(arguments[-1].split())
    return last if len(arguments) > 1 and last else "-"


class InternalHeader(Header):
    """A header of the kernel's own, which no program can include: its macros
    and enumerations are taken out and examined by themselves."""

    PIECE = re.compile(
        r"^[ \t]*#[ \t]*(?!include|error)(?:[^\n\\]|\\.|\\\n)*$|"
        r"^[ \t]*(?:typedef\s+)?enum\b[^{};()]*\{[^{}]*\}[^;{}]*;", re.M)

    def __init__(self, compiler, tree, name, known):
        self.original = os.path.join(tree, name)
        self.prefixes = {prefix(n) for n in known}
        super().__init__(compiler, name)

    def read_source(self):
        self.path = self.original
        source = super().read_source()
        self.path = os.path.join(self.compiler.work, "internal", self.name)
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as out:
            out.write("#define IS_ENABLED(option) 0\n")
            for piece in self.PIECE.finditer(source):
                # What is counted in ticks is no part of an interface.
                if not re.search(r"\bHZ\b", piece[0]):
                    out.write(piece[0] + "\n")
        return source

    def postlude(self):
        return "#include <asm/fcntl.h>\n#include <linux/ioctl.h>\n"

    def include(self):
        return self.path

    def order(self):
        """Only what is like the names that are known of this header."""
        return [n for n in super().order() if prefix(n) in self.prefixes]


def prefix(name):
    return name.split("_", 1)[0] if "_" in name else name
