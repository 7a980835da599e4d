# SPDX-License-Identifier: LGPL-2.1-or-later
"""Structures and enumerators of an object file, by its debug information."""

import re
import subprocess

DIE = re.compile(r" <(\w+)><(\w+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
ATTRIBUTE = re.compile(r"    <\w+>\s+DW_AT_(\w+)\s*: (.*)")
# How a value is encoded: some versions of readelf print it before the value.
FORM = re.compile(r"(\(\w+\)[ \t])?(\([^()]*offset: \w+\): )?")
TABLE_ROW = re.compile(r"  (\d+)\t(.*)$")


class Die:
    """A debugging information entry."""

    def __init__(self, tag):
        self.tag = tag
        self.attributes = {}
        self.children = []

    def get(self, name):
        return self.attributes.get(name)

    def name(self):
        return self.attributes.get("name")

    def number(self, name, default=None):
        text = self.attributes.get(name)
        return default if text is None else int(text.split()[0], 0)


class Row:
    """A member of a structure, or (field ".") the whole of it."""

    def __init__(self, field, type_, offset, size, count=1, sign="-",
                 bits=None):
        self.field = field
        self.type = type_
        self.offset = offset
        self.size = size
        self.count = count
        self.sign = sign
        self.bits = bits

    def place(self):
        text = "%d+%d" % (self.offset, self.size)
        if self.count != 1:
            text += "*%d" % self.count
        if self.sign != "-":
            text += self.sign
        if self.bits:
            text += ":%d:%d" % self.bits
        return text


class Object:
    def __init__(self, path, readelf="readelf"):
        dump = subprocess.run(
            [readelf, "-W", "--debug-dump=rawline", "--debug-dump=info",
             path], capture_output=True, text=True, errors="replace",
            check=True).stdout
        self.dies = {}
        self.top = []
        self.files = {}
        self.read(dump)

    def read(self, dump):
        directories, table = {}, None
        stack = []
        die = None
        for line in dump.split("\n"):
            match = ATTRIBUTE.match(line)
            if match and die:
                die.attributes[match[1]] = FORM.sub(
                    "", match[2].strip(), count=1)
                continue
            match = DIE.match(line)
            if match:
                die = self.add_die(stack, int(match[1], 16), match[2],
                                   Die(match[3]))
                continue
            if line.startswith(" The Directory Table"):
                table = directories
            elif line.startswith(" The File Name Table"):
                table = self.files
            match = TABLE_ROW.match(line)
            if match and table is directories:
                table[int(match[1])] = FORM.sub("", match[2], count=1)
            elif match and table is self.files:
                directory, name = FORM.sub("", match[2], count=1).split(
                    "\t", 1)
                table[int(match[1])] = "%s/%s" % (
                    directories.get(int(directory)),
                    FORM.sub("", name, count=1))

    def add_die(self, stack, depth, offset, die):
        self.dies[offset] = die
        del stack[depth:]
        if depth == 1:
            self.top.append(die)
        elif stack:
            stack[-1].children.append(die)
        stack.append(die)
        return die

    def file(self, die):
        return self.files.get(die.number("decl_file", -1))

    def type(self, die):
        text = die.get("type")
        return self.dies.get(re.match(r"<0x(\w+)>", text)[1]) \
            if text else None

    # ---- types ----

    def type_name(self, die):
        if die is None:
            return "void"
        if die.tag == "pointer_type":
            target = self.type(die)
            if target is not None and target.tag == "subroutine_type":
                return "fn *"
            name = self.type_name(target)
            return name + ("*" if name.endswith("*") else " *")
        for tag in ("const", "volatile"):
            if die.tag == tag + "_type":
                return tag + " " + self.type_name(self.type(die))
        for tag, word in (("structure", "struct"), ("union", "union"),
                          ("enumeration", "enum")):
            if die.tag == tag + "_type":
                return "%s %s" % (word, die.name() or "{}")
        if die.tag == "array_type":
            return self.type_name(self.type(die))
        return die.name() or die.tag

    def resolve(self, die):
        """The type behind typedefs and qualifiers."""
        while die is not None and die.tag in ("typedef", "const_type",
                                              "volatile_type"):
            die = self.type(die)
        return die

    def sign(self, die):
        die = self.resolve(die)
        if die is None:
            return "-"
        if die.tag == "array_type":
            return self.sign(self.type(die))
        if die.tag == "pointer_type":
            return "p"
        if die.tag == "enumeration_type":
            below = self.type(die)
            return self.sign(below) if below is not None else "u"
        if die.tag == "base_type":
            encoding = die.get("encoding") or ""
            if "float" in encoding:
                return "f"
            return "u" if "unsigned" in encoding or "bool" in encoding \
                else "s"
        return "-"

    def size(self, die):
        die = self.resolve(die)
        if die is None:
            return 0
        if die.tag == "array_type":
            return self.count(die) * self.size(self.type(die))
        if die.tag == "pointer_type":
            return die.number("byte_size", 0)
        return die.number("byte_size", 0)

    @staticmethod
    def count(die):
        """The number of elements of an array, all dimensions together."""
        total = 1
        for child in die.children:
            if child.tag != "subrange_type":
                continue
            if child.get("count") is not None:
                total *= child.number("count")
            elif child.get("upper_bound") is not None:
                bound = child.number("upper_bound")
                # [0] has an upper bound of -1, at some width.
                total *= 0 if bound >= 0xffffffff else bound + 1
            else:
                total = 0
        return total

    # ---- structures ----

    def structures(self, path):
        """The structures that a file defines: name -> list of Row."""
        found = {}
        for die in self.top:
            if self.file(die) != path:
                continue
            name, target = None, die
            if die.tag in ("structure_type", "union_type"):
                if die.name():
                    name = self.type_name(die)
            elif die.tag == "typedef":
                target = self.type(die)
                if target is not None and not target.name() and \
                   target.tag in ("structure_type", "union_type"):
                    name = die.name()
            if not name or target.get("declaration") or \
               target.get("byte_size") is None:
                continue
            if name not in found:
                kind = "union" if target.tag == "union_type" else "struct"
                rows = [Row(".", kind, 0, target.number("byte_size"))]
                self.members(target, "", 0, rows)
                found[name] = rows
        return found

    def members(self, die, prefix, base, rows):
        for member in die.children:
            if member.tag == "member":
                self.member(member, prefix, base, rows)

    def member(self, member, prefix, base, rows):
        type_ = self.type(member)
        offset = base + member.number("data_member_location", 0)
        # The members of a const array are const themselves, besides.
        while type_.tag in ("const_type", "volatile_type") and \
                self.resolve(type_).tag == "array_type":
            type_ = self.type(type_)
        element, count = type_, 1
        if type_.tag == "array_type":
            count = self.count(type_)
            element = self.type(type_)
        inline = element is not None and not element.name() and \
            element.tag in ("structure_type", "union_type")
        name = member.name()
        if not name:
            if inline:
                self.members(element, prefix, offset, rows)
            return
        rows.append(self.row(member, prefix + name, type_, offset, base,
                             count))
        if inline:
            # Of an array of unknown length there is no element 0 to show.
            suffix = "[]." if type_.tag == "array_type" else "."
            self.members(element, prefix + name + suffix, offset, rows)

    def row(self, member, field, type_, offset, base, count):
        size = self.size(type_)
        bits = None
        width = member.number("bit_size")
        if width is not None:
            first = 8 * base + member.number(
                "data_bit_offset", 8 * (offset - base))
            offset = first // 8
            bits = (first, width)
        return Row(field, self.type_name(type_), offset, size, count,
                   self.sign(type_), bits)

    # ---- enumerators ----

    def enumerators(self, path):
        """The enumerators of a file: (name, value, line, name of enum)."""
        for die in self.top:
            yield from self.enumerators_of(die, path)

    def enumerators_of(self, die, path):
        if die.tag == "enumeration_type" and self.file(die) == path:
            for child in die.children:
                if child.tag == "enumerator":
                    yield (child.name(), child.number("const_value"),
                           die.number("decl_line", 0), die.name())
        for child in die.children:
            if child.children:
                yield from self.enumerators_of(child, path)
