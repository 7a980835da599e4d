# SPDX-License-Identifier: LGPL-2.1-or-later
"""System calls, as the sources of a kernel have them."""

import os
import re

TABLES = "arch/x86/entry/syscalls"
PROTOTYPES = ("include/linux/syscalls.h", "include/linux/compat.h",
              "include/asm-generic/syscalls.h",
              "arch/x86/include/asm/syscalls.h")
# Which tags of a table are an ABI's.
TAGS = {"x86_64": ("common", "64"), "x32": ("common", "x32"),
        "i386": ("i386",)}


class Kernel:
    def __init__(self, tree):
        self.tree = tree
        self.prototypes = {}
        for path in PROTOTYPES:
            self.read_prototypes(os.path.join(tree, path))
        self.definitions = None     # read when they are needed

    def read(self, path):
        with open(path, encoding="utf-8", errors="replace") as file:
            return re.sub(r"/\*.*?\*/", " ", file.read(), flags=re.S)

    def read_prototypes(self, path):
        if not os.path.exists(path):
            return
        for name, parameters in re.findall(
                r"asmlinkage\s+\w+\s+(\w+)\s*\(([^;]*)\)\s*;",
                self.read(path)):
            self.prototypes.setdefault(name, split(parameters))

    def read_definitions(self):
        """SYSCALL_DEFINEs: they have names where a prototype has none."""
        self.definitions = {}
        for directory, below, files in os.walk(self.tree):
            below[:] = [d for d in below if not d.startswith(".")
                        and d not in ("Documentation", "tools")]
            for name in files:
                if not name.endswith(".c"):
                    continue
                text = self.read(os.path.join(directory, name))
                if "SYSCALL_DEFINE" in text:
                    self.add_definitions(text)

    def add_definitions(self, text):
        for compat, name, rest in re.findall(
                r"\b(COMPAT_)?SYSCALL_DEFINE\d\s*\(\s*(\w+)\s*"
                r"((?:,[^;{]*?)?)\)\s*\{", text):
            words = [" ".join(w.split()) for w in rest.split(",")[1:]]
            entry = ("compat_sys_" if compat else "sys_") + name
            self.definitions.setdefault(
                entry, list(zip(words[0::2], words[1::2])))

    def parameters(self, entry):
        """[(type, name)] of an entry point, or None."""
        known = self.prototypes.get(entry)
        if known is not None and all(name for _, name in known):
            return known
        if self.definitions is None:
            self.read_definitions()
        return self.definitions.get(entry)

    def numbers(self, arch, known):
        """nr -> (name, entry, parameters), these only where the table of
        facts does not know the call yet."""
        file = "syscall_32.tbl" if arch == "i386" else "syscall_64.tbl"
        found = {}
        for line in self.read(os.path.join(
                self.tree, TABLES, file)).split("\n"):
            words = line.split("#", 1)[0].split()
            if len(words) < 3 or words[1] not in TAGS[arch]:
                continue
            nr, name = int(words[0]), words[2]
            entry = words[3] if len(words) > 3 else "-"
            row = known.get((arch, nr))
            parameters = None
            if not row or row[2] != name or row[4] != entry:
                parameters = self.parameters(entry)
            found[nr] = (name, entry, parameters)
        return found


def split(text):
    """The parameters of a prototype: [(type, name)], name "" if it has
    none."""
    text = " ".join(text.split())
    if text in ("", "void"):
        return []
    result = []
    for parameter in text.split(","):
        match = re.match(r"(.*?[\s*])(\w+)\s*(?:\[\])?$", parameter.strip())
        basic = re.match(r"(?:const |unsigned |struct |long |union )*\w+$",
                         parameter.strip())
        if match and not (basic and is_type(parameter.strip())):
            result.append((match[1].strip(), match[2]))
        else:
            result.append((parameter.strip(), ""))
    return result


def is_type(text):
    """Whether a parameter without a '*' is only a type."""
    words = text.split()
    if words[-1] in ("int", "long", "unsigned", "char", "short", "__user"):
        return True
    return len(words) == 1 or (len(words) == 2 and
                               words[0] in ("struct", "union", "const"))
