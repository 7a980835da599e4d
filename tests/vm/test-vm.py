# SPDX-License-Identifier: LGPL-2.1-or-later
"""i386 and x32 programs, on kernels that run them: each in a small machine.

What tracer says there of every system call is compared with strace, and
of some calls with lines worked out from their arguments.  With arguments only
the comparisons whose name contains one of them are run:

    make check-vm
    tests/vm/test-vm.py 'i386 zeros'

Without qemu, busybox or a kernel it is skipped.
"""

import functools
import glob
import os
import re
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import machine
from differential import (Comparison, Renaming, clean, find_strace,
                          read_logs, report)
from known import DIFFERENT, LINES, OTHERWISE
from tap import TRACER, done, is_eq, ok, run, skip, skip_all, tmpdir
from unwind_cases import PLAIN, marked, names, unwinders

CC = os.environ.get('CC', 'gcc')
KERNELS = {
    # what is compared with, package of the kernel, ABIs that it runs
    'Linux 6.12': ('linux-image-6.12-amd64', ('i386', 'x32')),
    'Linux 6.1': ('linux-image-cloud-amd64', ('i386',)),
}
FLAGS = {'i386': ['-m32'], 'x32': ['-mx32']}

# The numbers of the last calls that there are.
LAST = {'i386': 472, 'x32': 547}
# Numbers from here on are no calls.
NOTHING = {'i386': 1000, 'x32': 0x40000000 + 1000}
# Arguments of every-call, and options.  The older kernel has less to tell.
EVERY = {
    'Linux 6.12': (('0x7fff0000', ''), ('-1', '-X raw'), ('zeros', '-v')),
    'Linux 6.1': (('zeros', ''),),
}

# Options for the programs with good arguments.
GOOD = {
    'Linux 6.12': ('', '-v', '-X raw', '-X verbose', '-y'),
    'Linux 6.1': ('',),
}
# Programs of one ABI only.
FOR = {'folded-calls': 'i386'}

only = sys.argv[1:]

SOURCES = [os.path.join(HERE, name) for name in
           ('every-call.c', 'known-calls.c', 'folded-calls.c')] + sorted(
    glob.glob(os.path.join(os.path.dirname(HERE), 'tracees', 'decode-*.c'))) + [
        os.path.join(os.path.dirname(HERE), 'tracees', 'unwind.c')]
# What is compared with strace in another way, or not at all.
SPECIAL = ('every-call', 'known-calls', 'unwind')
# The stacks under the marks of unwind.c; libunwind does not know these ABIs.
STACKS = {'plain': PLAIN,
          'child': ['mark', 'inner', 'in_child', 'run_child', 'main'],
          'parent': ['mark', 'inner', 'run_child', 'main']}


def wanted(name):
    return not only or any(word in name for word in only)


UNKNOWN = re.compile(r"'(SYS_\w+)' undeclared")


@functools.lru_cache(None)
def compile_tracee(source, abi):
    """The path of a static program; None if there is no compiler for it.

    Calls that the ABI does not have are made with a number that nothing has.
    """
    name = os.path.basename(source)[:-2]
    path = os.path.join(tmpdir(), '%s-%s' % (name, abi))
    command = shlex.split(CC) + FLAGS[abi] + [
        '-std=gnu11', '-D_GNU_SOURCE', '-g', '-O0', '-w', '-static',
        '-o', path, source, '-pthread']
    made = run(command, env={'LC_ALL': 'C'})
    if made.status != 0:
        command += ['-D%s=%#x' % (call, NOTHING[abi] + i)
                    for i, call in enumerate(UNKNOWN.findall(made.stderr))]
        made = run(command)
    if made.status != 0 and source != SOURCES[0]:
        raise RuntimeError(made.stderr)
    return path if made.status == 0 else None


MARK = re.compile(r'close\(1(\d{6})\) ')


# What comes after the call: who is late may be ended by the timer.
END = re.compile(r'exit_group\(|\+\+\+ |--- SIG(?:ALRM|CHLD) ')


def calls_of(logs):
    """What the children of every-call did: {number: lines}."""
    calls = {}
    for lines in logs.values():
        for i, line in enumerate(lines):
            match = MARK.match(line)
            if match:
                calls[int(match[1])] = [line for line in lines[i + 1:]
                                        if not END.match(line)]
    return calls


def otherwise(line):
    for pattern, replacement in OTHERWISE:
        line = pattern.sub(replacement, line)
    return line


def compare_calls(comparison, logs):
    theirs, ours = calls_of(logs['strace']), calls_of(logs['tracer'])
    if not theirs:
        comparison.differences.append(('-', 'no calls at all'))
    for nr in sorted(set(theirs) | set(ours)):
        if any(DIFFERENT.match(line) for line in theirs.get(nr, ())):
            continue
        renaming = Renaming()
        renaming.same(*comparison.pids)
        comparison.log([clean(line, comparison.version)
                        for line in theirs.get(nr, ())],
                       [clean(line, (99,)) for line in ours.get(nr, ())],
                       renaming)


class Job:
    """One comparison in a machine."""

    def __init__(self, number, name, command, options):
        self.number = number
        self.name = name
        self.command = command
        self.options = options

    def script(self, programs):
        lines = []
        for who, program in programs:
            directory = '/out/%d/%s' % (self.number, who)
            lines.append(
                'mkdir -p %s\nmkdir /tmp/cwd && cd /tmp/cwd\n'
                'echo 100000 >/proc/sys/kernel/ns_last_pid\n'
                'timeout 60 sh -c \'echo $$ >%s/pid; '
                'exec env -i PATH=/bin unshare -i %s -ff -o %s/log %s %s\' '
                '>%s/out 2>&1\necho $? >%s/status\n'
                'cd /; rm -rf /tmp/cwd\n' % (
                    directory, directory, program, directory, self.options,
                    self.command, directory, directory))
        return ''.join(lines)


class Run:
    """What is done with one kernel."""

    def __init__(self, kernel, abi, programs, strace, version):
        self.title = kernel + ' ' + abi
        self.package = KERNELS[kernel][0]
        self.kernel = kernel
        self.abi = abi
        self.programs = programs
        self.strace = strace
        self.version = version
        self.why = None
        self.jobs = []
        self.unwinders = [name for name in unwinders()
                          if name != 'libunwind']

    def add(self, name, command, options):
        name = ' '.join(filter(None, (self.title, name, options)))
        if wanted(name):
            self.jobs.append(Job(len(self.jobs), name, command, options))

    def prepare(self):
        for argument, options in EVERY[self.kernel]:
            self.add(argument, 'every-call 0 %d %s' % (
                LAST[self.abi], argument), options)
        for name in self.programs:
            if name not in SPECIAL:
                for options in GOOD[self.kernel]:
                    self.add(name, name, options)

    def boot(self):
        got = run([os.path.join(HERE, 'kernel'), self.package], timeout=120)
        if got.status != 0:
            self.why = got.stderr.strip().split('\n')[-1]
            return
        directory = os.path.join(os.environ.get('VM_SAVE', tmpdir()),
                                 self.title.replace(' ', '-'))
        shutil.rmtree(directory, ignore_errors=True)
        os.makedirs(directory)
        self.machine = machine.Machine(got.stdout.strip(), directory)
        self.machine.add_program('/bin/tracer', TRACER)
        for name, path in self.programs.items():
            self.machine.add_program('/bin/' + name, path)
        tracers = [('tracer', 'tracer')]
        if self.strace:
            tracers.append(('strace', self.strace))
            root = os.path.join(os.path.dirname(self.strace), 'root')
            if os.path.isdir(root):
                self.machine.add_tree(os.path.dirname(self.strace),
                                      os.path.dirname(self.strace))
            else:
                self.machine.add_program(self.strace, self.strace)
        script = ['tracer -a1 -o /out/known known-calls\n']
        script += ['tracer --unwinder=%s -f -k -e trace=access '
                   '-o /out/stacks-%s unwind plain fork\n' % (name, name)
                   for name in self.unwinders]
        if self.strace:
            script += [job.script(tracers) for job in self.jobs]
        self.ended = self.machine.boot(''.join(script), 'syscall.x32=y')

    def compare(self, job):
        directory = os.path.join(self.machine.out, str(job.number))
        comparison = Comparison(None, self.version, None)
        logs, statuses = {}, []
        for who in 'strace', 'tracer':
            path = os.path.join(directory, who)
            logs[who] = read_logs(path)
            for name, to in (('pid', comparison.pids), ('status', statuses)):
                with open(os.path.join(path, name), encoding='ascii') as file:
                    to.append(file.read().strip())
        logs['strace'] = {pid: [otherwise(line) for line in lines]
                          for pid, lines in logs['strace'].items()}
        if job.command.startswith('every-call '):
            compare_calls(comparison, logs)
        else:
            comparison.logs(logs['strace'], logs['tracer'])
        if statuses[0] != statuses[1]:
            comparison.differences += [('-', 'exit status ' + statuses[0]),
                                       ('+', 'exit status ' + statuses[1])]
        lines = sum(map(len, logs['strace'].values()))
        ok(lines and not comparison.differences,
           '%s: %d lines' % (job.name, lines),
           report(comparison.differences, int(os.environ.get('LIMIT', 40))))

    def stacks(self):
        """Checks the frames of a program whose functions are known."""
        for unwinder in self.unwinders:
            path = os.path.join(self.machine.out, 'stacks-' + unwinder)
            try:
                with open(path, encoding='utf-8') as file:
                    found = marked(file.read())
            except FileNotFoundError:
                found = {}
            for mark, want in STACKS.items():
                got = [names(frames) for frames in found.get(mark, ())]
                ok(len(got) == 1 and got[0][:len(want)] == want and
                   got[0][-1] == '_start',
                   '%s: stack of %s, %s' % (self.title, mark, unwinder), got)

    def known(self):
        """Checks the lines that are known without any strace."""
        path = os.path.join(self.machine.out, 'known')
        try:
            with open(path, encoding='utf-8') as file:
                lines = file.read().splitlines()
        except FileNotFoundError:
            lines = []
        start = [i for i, line in enumerate(lines) if MARK.match(line)]
        got = lines[start[0] + 1:] if start else []
        for i, want in enumerate(LINES[self.abi]):
            is_eq(got[i] if i < len(got) else None, want,
                  '%s: %s' % (self.title, want))

    def tell(self):
        if self.why:
            skip(self.title, self.why)
            return
        if not ok(self.ended, self.title + ': the machine ran to its end',
                  self.machine.console[-2000:]):
            return
        self.known()
        self.stacks()
        if not self.strace:
            skip(self.title + ': comparison', self.version)
            return
        for job in self.jobs:
            self.compare(job)


if machine.lacking():
    skip_all(machine.lacking())
strace, version = find_strace()
runs = []
for kernel, (package, abis) in KERNELS.items():
    for abi in abis:
        programs = {}
        for source in SOURCES:
            name = os.path.basename(source)[:-2]
            if FOR.get(name, abi) != abi:
                continue
            path = compile_tracee(source, abi)
            if path:
                programs[name] = path
        if 'every-call' not in programs:
            skip('%s %s' % (kernel, abi), 'no compiler for it')
            continue
        runs.append(Run(kernel, abi, programs, strace, version))
for each in runs:
    each.prepare()
runs = [each for each in runs if each.jobs]
with ThreadPoolExecutor(2) as pool:
    list(pool.map(Run.boot, runs))
for each in runs:
    each.tell()
done()
