#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Runs programs under strace and under tracer, and compares what both say.

    tests/differential.py [--strace PATH] [--options 'OPTIONS'] [--all]
                          [--save DIR] PROGRAM [ARG...]

compares one command and shows the lines that differ ('-' strace's, '+' ours).
By default TRACER and the newest strace that tests/reference-strace finds are
taken.  OPTIONS are for both of them (-v, -y, -X verbose...).

As a module, Comparison does the same for the tests in test-differential.py.

Each process and thread has a log of its own (-ff); they are paired by who
started whom, so the order in which processes run does not matter.  Address
space randomisation is off and the environment fixed, so that most numbers are
the same in both runs; what can be no other way than different is taken out
(times, inodes) or must only differ in the same way everywhere (process ids,
addresses, names of temporary files).
"""

import argparse
import ctypes
import difflib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ADDR_NO_RANDOMIZE = 0x0040000

# The environment of every command: nothing of the caller's but PATH.
ENVIRONMENT = {
    'HOME': '/', 'LC_ALL': 'C.UTF-8', 'TZ': 'UTC', 'PYTHONHASHSEED': '0',
    'PYTHONDONTWRITEBYTECODE': '1', 'GIT_CONFIG_NOSYSTEM': '1',
    'MALLOC_ARENA_MAX': '1',
}


# ---- finding strace ----

def version_of(strace):
    """The version as a tuple; None if it does not run."""
    try:
        text = subprocess.run([strace, '-V'], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL).stdout.decode()
    except OSError:
        return None
    match = re.search(r'version (\d+)\.(\d+)', text)
    return tuple(map(int, match.groups())) if match else None


def find_strace():
    """(path, version) of the best strace there is, or (None, why not)."""
    step = os.path.join(HERE, 'reference-strace')
    got = subprocess.run([step], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
    for path in (got.stdout.decode().strip(), shutil.which('strace')):
        version = path and version_of(path)
        if version:
            return path, version
    return None, 'there is no strace: ' + (
        got.stderr.decode().strip().split('\n')[-1] or 'not installed')


# ---- what a strace older than 7.2 says differently ----

# (version that has it like tracer, pattern, replacement): taken out of the lines
# of both if strace is older.
NEWER = (
    ((6, 3), r'^rseq\(.*\)', 'rseq()'),
    ((6, 5), r'\{u32=(\d+), u64=\d+\}', lambda m: '0x%x' % int(m[1])),
)


# ---- lines without what is different in every run ----

VOLATILE = (
    # times, and what is counted while time passes
    (r'\b(\w*(?:tv_sec|tv_nsec|tv_usec))=-?\d+', r'\1=T'),
    (r'\b([sd]t[xi]?_?\w*time(?:_nsec)?)=(?:-?\d+|\{[^{}]*\})', r'\1=T'),
    (r'\b(stx_(?:[abcm]time))=\{[^{}]*\}', r'\1=T'),
    (r' /\* \d{4}-\d\d-\d\dT[^*]* \*/', ''),
    (r'\b(si_[us]time)=\d+(?: /\* [\d.]+ s \*/)?', r'\1=T'),
    (r'\b(tms_\w+)=\d+(?: /\* [\d.]+ s \*/)?', r'\1=T'),
    (r'\b(ru_(?:maxrss|minflt|majflt|inblock|oublock|nvcsw|nivcsw))=\d+',
     r'\1=N'),
    (r'^(times\()(?:buf=)+', r'\1buf='),     # strace -N says it twice
    (r'^(get_thread_area\(.*)u_info=(?=[,)])', r'\1'),
    (r'^(times\(.*\)) += \d+', r'\1 = T'),
    (r'^(time\(.*\)) += \d+.*', r'\1 = T'),
    (r'^time\(\[\d+[^]]*\]\)', r'time([T])'),
    # objects of System V and names of message queues
    (r'\b((?:sem|shm|msg)_[a-z]time)=\d+', r'\1=T'),
    (r'^((?:shm|sem|msg)get\(.*\) += )\d+', r'\1ID'),
    (r'^((?:shm|sem|msg)(?:ctl|at|op|snd|rcv)\((?:\w+=)?|'
     r'semtimedop\((?:\w+=)?)\d+', r'\1ID'),
    (r'tracee-\d+', 'tracee-N'),
    # -X raw: a result's meaning that is only the result again
    (r' = (\d+) \(\1\)$', r' = \1'),
    # the machine
    (r'\b(uptime|freeram|bufferram|sharedram|procs)=\d+', r'\1=N'),
    (r'\bloads=\[[^]]*\]', 'loads=L'),
    (r'\b(f_(?:bfree|bavail|ffree|favail))=\d+', r'\1=N'),
    # what files and sockets are called by the kernel
    (r'\b(st_ino|stx_ino|d_ino|st_mnt_id|stx_mnt_id)=\d+', r'\1=N'),
    (r'\b(st_blocks|stx_blocks)=\d+', r'\1=N'),
    (r'\b(socket|pipe|TCP|UDP|UNIX|UNIX-\w+|NETLINK|anon_inode):\[[^]]*\]',
     r'\1:[N]'),
    (r'htons\(\d{5}\)', 'htons(P)'),
    (r'^(getrandom\((?:buf=)?)"[^"]*"', r'\1"R"'),
    # git's checksum of an index, in which are inodes and times
    (r'^(pread64\([^,]*, )"[^"]*", 20,', r'\1"H", 20,'),
    (r'\b(memfd|eventfd-id)([:=])\d+', r'\1\2N'),
    # the kernel's own scheduling
    (r'^(rt_sigreturn\(.*\)) += .*', r'\1 = R'),
    (r'^(poll\(.*), \d{3,}\) += ', r'\1, T) = '),
    (r'^(sched_getaffinity\(.*\)) += \d+', r'\1 = N'),
    (r'^(getcpu\().*', r'\1'),
    (r'^(kcmp\(.*\)) += [0-3]$', r'\1 = ORDER'),
    (r'\b(cpu_id(?:_start)?|mm_cid)=\d+', r'\1=N'),
)
VOLATILE = tuple((re.compile(p), r) for p, r in VOLATILE)

# Calls whose number depends on what other threads happen to do.
TIMING = re.compile(
    r'(futex|sched_yield|madvise|restart_syscall|poll|ppoll|select|pselect6|'
    r'epoll_wait|epoll_pwait|nanosleep|clock_nanosleep|'
    r'rt_sigreturn|wait4|waitid|times|sysinfo)\(|--- SIG(CHLD|ALRM)')


TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|0x[0-9a-f]+|\d+|\w+|\s+|.', re.S)
NUMBER = re.compile(r'0x[0-9a-f]+$|\d+$')
LARGE = 1 << 16


def number(text):
    """What a C compiler reads, octal included."""
    return int(text, 8 if re.match('0[0-7]+$', text) else 0)


def clean(line, version):
    for since, pattern, replacement in NEWER:
        if version < since:
            line = re.sub(pattern, replacement, line)
    for pattern, replacement in VOLATILE:
        line = pattern.sub(replacement, line)
    # the column of the result depends on how long all that is
    return re.sub(r'\) += ', ') = ', line)


def shape(line):
    """The line without any number or string, to find its counterpart."""
    return re.sub(r'"(?:[^"\\]|\\.)*"(?:\.\.\.)?|0x[0-9a-f]+|\d+|<[^<>]*>', '#',
                  line)


class Renaming:
    """Names that may differ between two runs, but always in the same way."""

    def __init__(self):
        self.to = {}
        self.back = {}

    def same(self, a, b):
        if self.to.setdefault(a, b) == b and self.back.setdefault(b, a) == a:
            return True
        return False


def same_random_word(renaming, a, b):
    """Whether words may be such as mkstemp makes, and not constants."""
    return (len(a) == len(b) >= 6 and not a.isupper() and not b.isupper()
            and renaming.same(a, b))


def same_random_name(renaming, a, b):
    """Whether strings differ only in random parts like that of tmpXXXXXX."""
    if len(a) != len(b) or a == b:
        return a == b
    words_a, words_b = re.split(r'(\W)', a), re.split(r'(\W)', b)
    if len(words_a) != len(words_b):
        return False
    for x, y in zip(words_a, words_b):
        if x != y and not same_random_word(renaming, x, y):
            return False
    return True


# ---- logs ----

OPENED = re.compile(r'open(?:at)?\(.*"(/dev/u?random|/proc/[^"]*)".* = (\d+)')
READ = re.compile(r'((?:read|pread64)\((\d+).*?, )"(?:[^"\\]|\\.)*"(?:\.\.\.)?'
                  r'(.*) = \d+$')


def without_random_data(lines):
    """The lines without what was read from the kernel's own files."""
    files = {}
    result = []
    for line in lines:
        match = OPENED.match(line)
        if match:
            files[match[2]] = match[1]
        elif re.match(r'open|close\(|dup|socket|pipe|accept', line):
            match = re.match(r'close\((\d+)', line) or \
                re.search(r' = (\d+)', line)
            files.pop(match and match[1], None)
        match = READ.match(line)
        if match and match[2] in files:
            line = '%s"#"%s = N' % (match[1], match[3])
        result.append(line)
    return result


START = re.compile(r'(?:clone|clone3|fork|vfork)\(|'
                   r'<\.\.\. (?:clone|clone3|fork|vfork) resumed>')
RESULT = re.compile(r'\) += (\d+)(?: |$)')


def read_logs(directory):
    """The lines of each process or thread: {pid: lines}."""
    logs = {}
    for name in os.listdir(directory):
        if name.startswith('log.'):
            path = os.path.join(directory, name)
            with open(path, encoding='utf-8', errors='surrogateescape') as f:
                logs[int(name[4:])] = f.read().splitlines()
    return logs


def children(lines):
    """The ids of those that the lines tell the start of, in order."""
    found = []
    for line in lines:
        match = START.match(line) and RESULT.search(line)
        if match and int(match[1]):
            found.append(int(match[1]))
    return found


def root_of(logs):
    started = {pid for lines in logs.values() for pid in children(lines)}
    roots = [pid for pid in logs if pid not in started]
    return min(roots or logs)


def pair_up(ours, theirs, renaming):
    """Pairs of ids, found from the first process on."""
    pairs, todo = [], [(root_of(theirs), root_of(ours))]
    while todo:
        a, b = todo.pop(0)
        renaming.same(str(a), str(b))
        pairs.append((a, b))
        todo += zip(children(theirs.get(a, ())), children(ours.get(b, ())))
    return pairs


# ---- comparing ----

class Comparison:
    """Compares the runs of one command.  differences is [(kind, line)]."""

    def __init__(self, strace, version, tracer, options=(), vague=None):
        self.strace = strace
        self.version = version
        self.tracer = tracer
        self.options = list(options)
        # what lines look like that may be there or not
        self.vague = re.compile(vague or '(?!)')
        self.differences = []
        self.lines = 0
        self.pids = []          # of the tracers
        self.status = None
        self.why = None         # why there is nothing to compare

    def run(self, program, command, cwd, directory, timeout):
        """One run; returns its exit status."""
        environment = dict(ENVIRONMENT, PATH=os.environ.get('PATH', ''),
                           PWD=cwd)
        libc = ctypes.CDLL(None)

        def prepare():
            os.setsid()
            libc.personality(ADDR_NO_RANDOMIZE)

        # A shell in between, as the reference strace has one, too: it sorts
        # the environment.
        shell = ['/bin/sh', '-c', 'exec "$0" "$@"']
        with open(os.path.join(cwd, os.pardir, 'out'), 'wb') as out:
            process = subprocess.Popen(
                shell + [program, '-ff', '-o', os.path.join(directory, 'log')]
                + self.options + command, stdin=subprocess.DEVNULL,
                stdout=out, stderr=out, cwd=cwd, env=environment,
                preexec_fn=prepare)
            self.pids.append(str(process.pid))
            try:
                return process.wait(timeout)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return None

    def compare(self, command, prepare=None, attempts=3, timeout=120,
                save=None):
        """Runs command both ways; True if the logs say the same.

        prepare(directory) makes the directory that it runs in.  As programs
        do not do the same each time, there are several attempts.
        """
        for _ in range(attempts):
            work = tempfile.mkdtemp(prefix='tracer-diff-')
            try:
                if self.attempt(command, prepare, work, timeout):
                    return True
                if self.why:
                    return False
            finally:
                if save:
                    shutil.rmtree(save, ignore_errors=True)
                    shutil.copytree(work, save, symlinks=True)
                shutil.rmtree(work, ignore_errors=True)
        return False

    def attempt(self, command, prepare, work, timeout):
        statuses = []
        self.pids = []
        for name in 'strace', 'tracer':
            os.mkdir(os.path.join(work, name))
        for name, program in (('strace', self.strace),
                              ('tracer', self.tracer)):
            # the directory has the same name in both runs, and neighbours
            cwd = os.path.join(work, 'here', 'cwd')
            os.makedirs(cwd)
            if prepare:
                prepare(cwd)
            statuses.append(self.run(program, command, cwd,
                                     os.path.join(work, name), timeout))
            shutil.rmtree(os.path.join(work, 'here'))
        self.differences = []
        self.status = statuses[0]
        if statuses[0] is None:
            self.why = 'strace did not end'
            return False
        if statuses[0] != statuses[1]:
            self.differences.append(('-', 'exit status %s' % statuses[0]))
            self.differences.append(('+', 'exit status %s' % statuses[1]))
        theirs = read_logs(os.path.join(work, 'strace'))
        ours = read_logs(os.path.join(work, 'tracer'))
        if not theirs:
            self.why = 'strace wrote nothing'
            return False
        if not ours:
            self.differences.append(('+', 'nothing'))
            return False
        self.lines = sum(map(len, theirs.values()))
        self.logs(theirs, ours)
        return not self.differences

    def logs(self, theirs, ours):
        renaming = Renaming()
        renaming.same(*self.pids)
        pairs = pair_up(ours, theirs, renaming)
        if len(theirs) != len(ours):
            self.differences.append(('-', '%d processes' % len(theirs)))
            self.differences.append(('+', '%d processes' % len(ours)))
        for a, b in pairs:
            self.log(*(without_random_data(clean(line, self.version)
                                           for line in lines)
                       for lines in (theirs.get(a, ()), ours.get(b, ()))),
                     renaming)

    def log(self, theirs, ours, renaming):
        matcher = difflib.SequenceMatcher(
            None, [shape(l) for l in theirs], [shape(l) for l in ours], False)
        missing, extra = [], []
        for tag, i1, i2, j1, j2 in matcher.get_opcodes():
            if tag == 'equal':
                for a, b in zip(theirs[i1:i2], ours[j1:j2]):
                    self.pair(a, b, renaming)
                continue
            missing += theirs[i1:i2]
            extra += ours[j1:j2]
        # What is on both sides is only in another order.
        for line in list(missing):
            for other in extra:
                if line == other or (shape(line) == shape(other) and
                                     self.same(line, other, renaming)):
                    missing.remove(line)
                    extra.remove(other)
                    break
        for sign, lines in (('-', missing), ('+', extra)):
            self.differences += [(sign, l) for l in lines if not (
                TIMING.match(l) or ' = -1 EAGAIN ' in l or
                self.vague.match(l))]

    def pair(self, a, b, renaming):
        if a != b and not self.same(a, b, renaming):
            self.differences += [('-', a), ('+', b)]

    def same(self, a, b, renaming):
        """Whether lines of one shape say the same."""
        tokens_a, tokens_b = TOKEN.findall(a), TOKEN.findall(b)
        if len(tokens_a) != len(tokens_b):
            return False
        before = None
        for x, y in zip(tokens_a, tokens_b):
            if x == y:
                before = x
                continue
            if before == '/' and not NUMBER.match(x):
                if not same_random_word(renaming, x, y):
                    return False
            elif x.startswith('"') and y.startswith('"'):
                if not same_random_name(renaming, x, y):
                    return False
            elif not (NUMBER.match(x) and NUMBER.match(y)):
                return False
            elif x in renaming.to or y in renaming.back:
                if not renaming.same(x, y):
                    return False
            # an address, or the id of a process that is not ours
            elif number(x) < LARGE and number(y) < LARGE:
                return False
            elif not renaming.same(x, y):
                return False
        return True


def report(differences, limit=None):
    """The differences as text, a line each."""
    lines = ['%s %s' % d for d in differences]
    if limit and len(lines) > limit:
        lines[limit:] = ['... %d more' % (len(lines) - limit)]
    return '\n'.join(lines)


def main():
    parser = argparse.ArgumentParser(
        description='Compares what strace and tracer say of a command.')
    parser.add_argument('--strace', help='this strace')
    parser.add_argument('--tracer', default=os.environ.get('TRACER',
                                                           './tracer'))
    parser.add_argument('--options', default='', help='for both of them')
    parser.add_argument('--all', action='store_true',
                        help='show all differences, not the first 40 lines')
    parser.add_argument('--save', help='keep the logs in this directory')
    parser.add_argument('--attempts', type=int, default=1)
    parser.add_argument('command', nargs=argparse.REMAINDER)
    args = parser.parse_args()
    if not args.command:
        parser.error('which command?')
    strace, version = args.strace, None
    if strace:
        version = version_of(strace)
        if not version:
            sys.exit('%s is no strace that runs' % strace)
    else:
        strace, version = find_strace()
        if not strace:
            sys.exit(version)
    command = [os.path.abspath(args.command[0])
               if os.sep in args.command[0] else args.command[0]]
    comparison = Comparison(strace, version, os.path.abspath(args.tracer),
                            shlex.split(args.options))
    same = comparison.compare(command + args.command[1:],
                              attempts=args.attempts, save=args.save)
    if comparison.why:
        sys.exit(comparison.why)
    print('%d lines of strace %d.%d, %d differ' % (
        (comparison.lines,) + version
        + (len([d for d in comparison.differences if d[0] == '-']),)))
    if not same:
        print(report(comparison.differences, None if args.all else 40))
    sys.exit(not same)


if __name__ == '__main__':
    main()
