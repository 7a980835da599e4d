# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of facts/: reading, bringing up to date, writing.

A name that is gone from newer headers stays in its table: programs that use
it are still about, and so are kernels that know it.
"""

import os

from .compile import ABIS


class Report:
    """What was added, changed, or is no longer found."""

    def __init__(self):
        self.lines = []
        self.counts = {}

    def add(self, table, mark, what):
        self.lines.append("%s: %s %s" % (table, mark, what))
        key = (table, mark)
        self.counts[key] = self.counts.get(key, 0) + 1

    def write(self, out):
        for line in sorted(self.lines):
            out.write(line + "\n")
        tables = sorted({table for table, _ in self.counts})
        for table in tables:
            out.write("%s: %d added, %d changed, %d no longer there (kept)\n"
                      % (table, self.counts.get((table, "+"), 0),
                         self.counts.get((table, "~"), 0),
                         self.counts.get((table, "-"), 0)))
        if not tables:
            out.write("nothing has changed\n")


def read_rows(path):
    with open(path, encoding="ascii") as lines:
        columns = next(lines).rstrip("\n").split("\t")
        for line in lines:
            yield columns, line.rstrip("\n").split("\t")


def write_rows(path, columns, rows):
    """Replaces a table; never leaves half of one."""
    with open(path + ".new", "w", encoding="ascii") as out:
        for row in (columns, *rows):
            out.write("\t".join(row) + "\n")
    os.replace(path + ".new", path)


def spread(first, others):
    """The cells of the ABIs, with "=" and left-out cells filled in."""
    others = list(others) or ["=", "="]
    return [first] + [first if cell == "=" else cell for cell in others]


def fold(cells):
    """The opposite of spread()."""
    others = ["=" if cell == cells[0] else cell for cell in cells[1:]]
    return [cells[0]] + ([] if others == ["=", "="] else others)


def insert_after(order, name, before):
    """Puts name into a list behind the last of before that is in it."""
    for other in reversed(before):
        if other in order:
            order.insert(order.index(other) + 1, name)
            return
    order.insert(0, name)


def same_value(text, value):
    """Whether a cell says what the compiler says."""
    if text.startswith("0x"):
        return int(text, 16) == value.bits
    return int(text) & ((1 << 8 * value.size) - 1) == value.bits


class Constants:
    """constants.tsv: header -> name -> cells."""

    TABLE = "constants.tsv"

    def __init__(self, directory, report):
        self.path = os.path.join(directory, self.TABLE)
        self.report = report
        self.columns = None
        self.headers = {}
        for self.columns, row in read_rows(self.path):
            names = self.headers.setdefault(row[0], {})
            names[row[1]] = spread(row[2], row[3:])

    def update(self, header, order, values, in_hex):
        """Takes in a header: the order of its names, and for each ABI that
        it could be compiled for the values."""
        names = self.headers.get(header, {})
        listed = list(names)
        for i, name in enumerate(order):
            cells = names.get(name)
            if not cells:
                cells = names[name] = ["-"] * len(ABIS)
                insert_after(listed, name, order[:i])
                self.fill(cells, name, values, in_hex[name])
                self.report.add(self.TABLE, "+", "%s %s %s" % (
                    header, name, " ".join(fold(cells))))
                continue
            old = " ".join(fold(cells))
            self.fill(cells, name, values,
                      any(c.startswith("0x") for c in cells))
            new = " ".join(fold(cells))
            if old != new:
                self.report.add(self.TABLE, "~", "%s %s %s -> %s" % (
                    header, name, old, new))
        for name in names:
            if name not in order:
                self.report.add(self.TABLE, "-", header + " " + name)
        if names:
            self.headers[header] = {name: names[name] for name in listed}

    @staticmethod
    def fill(cells, name, values, in_hex):
        for i, abi in enumerate(ABIS):
            value = values.get(abi, {}).get(name)
            if value and (cells[i] == "-" or
                          not same_value(cells[i], value)):
                cells[i] = value.text(in_hex)

    def rows(self):
        for header in sorted(self.headers,
                             key=lambda h: (h.startswith("include/"), h)):
            for name, cells in self.headers[header].items():
                yield [header, name] + fold(cells)

    def save(self):
        write_rows(self.path, self.columns, self.rows())


class Structures:
    """structs.tsv: structure -> its header and rows.

    A row is [field, type, a cell for each ABI].
    """

    TABLE = "structs.tsv"

    def __init__(self, directory, report):
        self.path = os.path.join(directory, self.TABLE)
        self.report = report
        self.columns = None
        self.structures = {}
        for self.columns, row in read_rows(self.path):
            name, field, type_ = row[:3]
            if field == ".":
                kind, header = type_.split(" ", 1)
                self.structures[name] = (header, [])
                type_ = kind
            self.structures[name][1].append(
                [field, type_] + spread(row[3], row[4:]))

    def update(self, header, layouts):
        """Takes in a header: ABI -> structure -> rows of the compiler."""
        names = {name: None for abi in layouts for name in layouts[abi]}
        for name in names:
            known = self.structures.get(name)
            if known and known[0] != header:
                continue    # two headers have it; the first one counts
            old = known[1] if known else []
            new = self.merge(old, {abi: layouts[abi][name]
                                   for abi in layouts
                                   if name in layouts[abi]})
            if new == old:
                continue
            self.structures[name] = (header, new)
            self.report.add(self.TABLE, "~" if known else "+",
                            "%s %s" % (header, name))
        for name, (of, _) in self.structures.items():
            if of == header and name not in names:
                self.report.add(self.TABLE, "-", "%s %s" % (header, name))

    @staticmethod
    def merge(old, layouts):
        """One list of rows of those of several ABIs; of an ABI that has
        none here, the old ones."""
        merged, order = {}, []
        for i, abi in enumerate(ABIS):
            if abi in layouts:
                rows = [(r.field, r.type, r.place()) for r in layouts[abi]]
            else:
                rows = [(r[0], r[1], r[2 + i]) for r in old
                        if r[2 + i] != "-"]
            before = []
            for field, type_, place in rows:
                if field not in merged:
                    merged[field] = [field, type_] + ["-"] * len(ABIS)
                    if before:
                        insert_after(order, field, before)
                    else:
                        order.append(field)
                merged[field][2 + i] = place
                before.append(field)
        return [merged[field] for field in order]

    def rows(self):
        ordered = sorted((header, name) for name, (header, _)
                         in self.structures.items())
        for header, name in ordered:
            for field, type_, *cells in self.structures[name][1]:
                if field == ".":
                    type_ += " " + header
                yield [name, field, type_] + fold(cells)

    def save(self):
        write_rows(self.path, self.columns, self.rows())


class Ioctls:
    """ioctls.tsv: a list of rows, each a dictionary by column."""

    TABLE = "ioctls.tsv"
    DIRECTIONS = ("none", "W", "R", "RW")

    def __init__(self, directory, report):
        self.path = os.path.join(directory, self.TABLE)
        self.report = report
        self.columns = None
        self.all = []
        for self.columns, row in read_rows(self.path):
            self.all.append(dict(zip(self.columns, row)))

    def update(self, header, values, found):
        """Takes in a header: the values of its constants on each ABI, and
        name -> (kind, argument) of what is an ioctl."""
        rows = {r["name"]: r for r in self.all
                if r["header"] == header and r["kind"] != "ioc-fn"}
        for name, row in rows.items():
            old = (row["value"], row["i386"], row["x32"])
            self.fill(row, name, values)
            new = (row["value"], row["i386"], row["x32"])
            if old != new:
                self.report.add(self.TABLE, "~", "%s %s %s -> %s" % (
                    header, name, " ".join(old), " ".join(new)))
        for name, (kind, argument) in found.items():
            if name in rows:
                continue
            row = {"header": header, "name": name, "value": "-",
                   "i386": "-", "x32": "-", "arg": argument,
                   "kind": kind, "src": "uapi"}
            self.fill(row, name, values)
            self.all.append(row)
            self.report.add(self.TABLE, "+", "%s %s %s" % (
                header, name, row["value"]))

    def fill(self, row, name, values):
        cells = spread(row["value"], (row["i386"], row["x32"]))
        for i, abi in enumerate(ABIS):
            value = values.get(abi, {}).get(name)
            if value and (cells[i] == "-" or
                          int(cells[i], 16) != value.bits):
                cells[i] = value.text(True)
        row["value"] = cells[0]
        row["i386"], row["x32"] = (
            "=" if cell == cells[0] else cell for cell in cells[1:])
        number = int(next(c for c in cells if c != "-"), 16)
        encoded = row["kind"] != "raw"
        row["dir"] = self.DIRECTIONS[number >> 30] if encoded else "none"
        row["type"] = "0x%02x" % (number >> 8 & 0xff)
        row["nr"] = str(number & 0xff)
        row["size"] = str(number >> 16 & 0x3fff if encoded else 0)

    def save(self):
        order = {}
        for row in self.all:
            order.setdefault(row["header"], len(order))
        rows = sorted(self.all, key=lambda r: (r["header"], order[
            r["header"]]))
        write_rows(self.path, self.columns,
                   ([row[c] for c in self.columns] for row in rows))


class Syscalls:
    """syscalls.tsv and syscall_args.tsv."""

    TABLE = "syscalls.tsv"
    ARGS = "syscall_args.tsv"

    def __init__(self, directory, report):
        self.path = os.path.join(directory, self.TABLE)
        self.args_path = os.path.join(directory, self.ARGS)
        self.report = report
        self.columns = self.args_columns = None
        self.numbers = {}       # (arch, nr) -> row
        for self.columns, row in read_rows(self.path):
            self.numbers[row[0], int(row[1])] = row
        self.args = []
        for self.args_columns, row in read_rows(self.args_path):
            self.args.append(row)

    def update(self, arch, numbers):
        """Takes in the table of an ABI: nr -> (name, entry, parameters),
        parameters a list of (type, name) or None if unknown."""
        for nr, (name, entry, parameters) in numbers.items():
            row = self.numbers.get((arch, nr))
            if row and row[2] == name and row[4] == entry:
                continue
            if parameters is None:
                self.report.add(self.TABLE, "?", "%s %d %s: no prototype"
                                % (arch, nr, name))
                continue
            new = [arch, str(nr), name,
                   str(registers(arch, parameters)), entry]
            self.report.add(self.TABLE, "~" if row else "+", "%s%s" % (
                " ".join(row) + " -> " if row else "", " ".join(new)))
            self.numbers[arch, nr] = new
            self.add_args(arch, name, entry, parameters)

    def add_args(self, arch, name, entry, parameters):
        listed = parameters or [("void", "-")]
        rows = [[name, str(i + 1 if parameters else 0), type_, argument,
                 entry] for i, (type_, argument) in enumerate(listed)]
        old = [r for r in self.args if r[0] == name and
               arch in archs_of(r[5])]
        if [r[:5] for r in old] == rows:
            return
        for row in old:
            self.set_archs(row, archs_of(row[5]) - {arch})
        for row in rows:
            same = [r for r in self.args if r[:5] == row]
            if same:
                self.set_archs(same[0], archs_of(same[0][5]) | {arch})
            else:
                self.args.append(row + [arch])
        self.args = [r for r in self.args if archs_of(r[5])]

    @staticmethod
    def set_archs(row, archs):
        row[5] = "all" if len(archs) == len(ABIS) else \
            ",".join(a for a in ABIS if a in archs)

    def save(self):
        order = {arch: i for i, arch in enumerate(ABIS)}
        write_rows(self.path, self.columns,
                   (self.numbers[key] for key in sorted(
                       self.numbers, key=lambda k: (order[k[0]], k[1]))))
        rows = sorted(self.args, key=lambda r: (
            r[0], min(order[a] for a in archs_of(r[5])), int(r[1])))
        write_rows(self.args_path, self.args_columns, rows)


def archs_of(text):
    if text == "all":
        return set(ABIS)
    return set(text.split(",")) - {""}


def registers(arch, parameters):
    """How many registers arguments of these types take."""
    wide = ("loff_t", "u64", "__u64", "s64", "__s64")
    return sum(2 if arch == "i386" and type_ in wide else 1
               for type_, _ in parameters)
