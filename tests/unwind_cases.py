# SPDX-License-Identifier: LGPL-2.1-or-later
"""The cases of the unwinding tests: the functions on the stacks are known.

test-unwind-BACKEND.py runs them with each back end, test-unwind.py compares
what the back ends print.
"""

import ctypes
import json
import os
import re
import shutil
import sys

from tap import (TRACER, TOP_SRCDIR, can_run, done, is_eq, like, note, ok,
                 run, run_tracer, skip, skip_all, tmpdir, tmpfile, tracee)

FRAME = re.compile(r'^ > (?:(?P<module>/.*?(?: \(deleted\))?|\[(?:vdso|jit)\])'
                   r'\((?:(?P<symbol>.*)\+0x(?P<into>[0-9a-f]+))?\) )?'
                   r'\[0x(?P<offset>[0-9a-f]+)\](?: (?P<line>\S+:\d+))?'
                   r'(?P<inlined> \(inlined\))?(?P<uncertain> \(uncertain\))?$')


class Frame:
    def __init__(self, line):
        match = FRAME.match(line)
        self.module = match and match.group('module')
        self.symbol = match and match.group('symbol')
        self.offset = match and int(match.group('offset'), 16)
        self.into = match and int(match.group('into') or '0', 16)
        self.line = match and match.group('line')
        self.inlined = bool(match and match.group('inlined'))
        self.uncertain = bool(match and match.group('uncertain'))
        self.text = line

    def __repr__(self):
        return self.text

    @property
    def name(self):
        """What the test compares: '?' is a frame without a name."""
        return self.symbol or (self.text[3:] if not self.offset else '?')


def stacks(trace):
    """All calls of a trace, as (line, [frames])."""
    result = []
    unfinished = {}
    for line in trace.splitlines():
        pid = line.split()[0]
        if line.startswith(' > '):
            if result:
                result[-1][1].append(Frame(line))
            continue
        if line.endswith('<unfinished ...>'):
            unfinished[pid] = line
        if re.search(r'<\.\.\. \w+ resumed>', line):
            line = unfinished.pop(pid, line)
        if not line.endswith('<unfinished ...>') or pid not in unfinished:
            result.append((line, []))
    return result


def marked(trace):
    """The stacks under the marks of a trace, by the names of the marks."""
    found = {}
    for line, frames in stacks(trace):
        match = re.search(r'access\("mark:([^"]*)"', line)
        if match:
            found.setdefault(match.group(1), []).append(frames)
    return found


def names(frames):
    return [frame.name for frame in frames]


def unwinders():
    """The back ends of this build."""
    return [name for name in ('cfi', 'libdw', 'libunwind')
            if has_unwinder(name)]


def fix_addresses():
    """Lets the children have the same addresses every time, as gdb does."""
    ADDR_NO_RANDOMIZE = 0x40000
    ctypes.CDLL(None).personality(ADDR_NO_RANDOMIZE)


def trace_case(unwinder, program, *args, options=()):
    result = run_tracer('--unwinder=' + unwinder, '-f', '-k', '-e',
                        'trace=access', *options, tracee(program), *args)
    if result.status != 0 or result.stderr:
        note('status %r, stderr: %s' % (result.status, result.stderr))
    return marked(result.trace)


def check(title, found, mark, want, whole=True):
    """The stack of a mark begins with these functions.

    whole: and goes on to where the program began.
    """
    all_frames = found.get(mark, [])
    if not ok(len(all_frames) == 1, '%s: %s is seen once' % (title, mark),
              found):
        return
    got = names(all_frames[0])
    good = got[:len(want)] == want
    if whole:
        good = good and got[-1] == '_start'
    ok(good, '%s: %s has the right functions' % (title, mark),
       'want: %s' % want, 'got:', *all_frames[0])


PLAIN = ['mark', 'inner', 'middle', 'outer', 'main']

IN_HANDLER = ['mark', 'inner', 'handler', '__restore_rt']


def check_program(unwinder, program):
    title = '%s, %s' % (unwinder, program)
    found = trace_case(unwinder, program, 'plain', 'deep', 'signal',
                       'altstack', 'fault', 'threads', 'fork', 'vfork')
    check(title, found, 'plain', PLAIN)
    check(title, found, 'fault',
          ['mark', 'inner', 'fault_handler', '__restore_rt', 'faulty',
           'fault', 'main'])
    for mark, function in (('child', 'run_child'),
                           ('vfork-child', 'run_vfork_child')):
        check(title, found, mark,
              ['mark', 'inner', 'in_child', function, 'main'])
    check(title, found, 'parent', ['mark', 'inner', 'run_child', 'main'])
    check(title, found, 'vfork-parent',
          ['mark', 'inner', 'run_vfork_child', 'main'])
    check(title, found, 'joined', ['mark', 'inner', 'run_threads', 'main'])
    for i in range(2):
        check(title, found, 'thread-%d' % i,
              ['mark', 'inner', 'in_thread', 'thread', 'start_thread'],
              whole=False)
    # The handlers of kill, which is a function of the C library's: its name
    # depends on what is installed to tell it.
    check_handlers(title, found)
    check(title, found, 'deep', ['mark', 'inner'] + ['deeper'] * 254,
          whole=False)
    frames = found.get('deep', [[]])[0]
    is_eq((len(frames), frames and frames[-1].text),
          (257, ' > too many stack frames'), '%s: 256 frames' % title)


def check_handlers(title, found):
    for function in ('interrupted', 'interrupted_elsewhere'):
        frames = [f for f in found.get('handler', [])
                  if function in names(f)]
        if not ok(len(frames) == 1, '%s: handler in %s' % (title, function),
                  found.get('handler')):
            continue
        got = names(frames[0])
        at = got.index(function)
        ok(got[:4] == IN_HANDLER and at in (5, 6) and got[at + 1] == 'main'
           and got[-1] == '_start',
           '%s: the handler in %s' % (title, function), got)


def check_noreturn(unwinder):
    for program in ('unwind', 'unwind-O2'):
        found = trace_case(unwinder, program, 'noreturn')
        check('%s, %s' % (unwinder, program), found, 'noreturn',
              ['mark', 'inner', 'leave', 'last_call', 'main'])


def check_optimised(unwinder):
    found = trace_case(unwinder, 'unwind-O2', 'plain', 'deep')
    check('%s, -O2' % unwinder, found, 'plain', PLAIN)


def check_stripped(unwinder):
    found = trace_case(unwinder, 'unwind-stripped', 'plain', 'threads',
                       'signal')
    # mark is not exported: nothing may be made up for it.
    check('%s, stripped' % unwinder, found, 'plain', ['?'] + PLAIN[1:])
    check('%s, stripped' % unwinder, found, 'thread-0',
          ['?', 'inner', 'in_thread', '?'], whole=False)


def check_exec(unwinder):
    found = trace_case(unwinder, 'unwind', 'plain', 'exec',
                       tracee('unwind-static'), 'plain', 'exec',
                       tracee('unwind-nopie'), 'plain')
    all_frames = found.get('plain', [])
    is_eq([names(frames)[:5] for frames in all_frames], [PLAIN] * 3,
          '%s: before and after exec' % unwinder)
    is_eq([os.path.basename(frames[1].module) for frames in all_frames],
          ['unwind', 'unwind-static', 'unwind-nopie'],
          '%s: the modules are those of each program' % unwinder)


def check_plugins(unwinder):
    a, b = tracee('unwind-plugin-a.so'), tracee('unwind-plugin-b.so')
    for title, options, first in (
            ('libraries that come and go', [], []),
            ('in other threads', ['-f'], ['--thread']),
            ('in threads that are not traced', [], ['--thread'])):
        result = run_tracer('--unwinder=' + unwinder, '-k', '-e',
                            'trace=access', *options,
                            tracee('unwind-plugins'), *first, a, b, a, a, b)
        all_frames = marked(result.trace).get('plugin', [])
        title = '%s: %s' % (unwinder, title)
        is_eq([[names(frames)[1], os.path.basename(frames[1].module)]
               for frames in all_frames],
              [['work_of_' + x, 'unwind-plugin-%s.so' % x] for x in 'abaab'],
              title)
        is_eq([names(frames)[:5] for frames in all_frames],
              [['mark', 'work_of_' + x, 'plugin', 'use', 'main']
               for x in 'abaab'], title + ', the whole stacks')


def check_names(unwinder):
    found = trace_case(unwinder, 'unwind-names')
    for frames in found.get('names', []):
        # Some compilers mangle what is static, even if it is extern "C".
        if frames[0].symbol == 'mark(char const*)':
            frames[0].symbol = 'mark'
    check('%s, C++' % unwinder, found, 'names',
          ['mark',
           'house::Room<std::vector<int, std::allocator<int> > >::enter('
           'std::vector<int, std::allocator<int> > const&, int)',
           'house::door(house::Room<std::vector<int, std::allocator<int> > '
           '>&, char const*)',
           'house::Wing<%s >::cross()' % long_type(),
           'main'])


def long_type():
    """A type whose name has some ten thousand characters."""
    name = 'int'
    for _ in range(10):
        name = 'house::Pair<%s, %s%s>' % (
            name, name, ' ' if name.endswith('>') else '')
    return name


def check_generated(unwinder):
    for program in ('unwind', 'unwind-norules'):
        title = '%s, %s' % (unwinder, program)
        found = trace_case(unwinder, program, 'generated')
        check(title, found, 'generated',
              ['mark', 'inner', 'middle', 'outer', '?', 'run_generated',
               'main'])
        frames = found.get('generated', [[]])[0]
        ok(len(frames) > 4 and frames[4].module is None and
           re.match(r'^ > \[0x[0-9a-f]+\]( \(uncertain\))?$',
                    frames[4].text),
           '%s: code that is in no file is an address' % title, *frames)


def check_uncertain(unwinder):
    """Frames that are guessed are marked, and no others."""
    title = unwinder + ', uncertain: '
    for program in ('unwind', 'unwind-nofp', 'unwind-debugframe'):
        found = trace_case(unwinder, program, 'plain', 'signal', 'threads')
        ok(not any(frame.uncertain for stacks in found.values()
                   for frames in stacks for frame in frames),
           title + 'none in %s' % program, found)
    found = trace_case(unwinder, 'unwind-norules', 'plain', 'signal')
    for mark in ('plain', 'handler'):
        frames = found.get(mark, [[]])[0]
        # Those whose callee is in the program, which has no rules.
        want = [bool(callee.module and callee.module.endswith('-norules'))
                for callee in frames[:-1]]
        is_eq([frame.uncertain for frame in frames[1:]], want,
              title + 'in unwind-norules, ' + mark)


def check_limit(unwinder):
    for limit in (1, 3, 1200):
        found = trace_case(unwinder, 'unwind', 'deep', 'plain',
                           options=['--stack-trace-frame-limit=%d' % limit])
        deep, plain = found['deep'][0], found['plain'][0]
        want = (['mark', 'inner'] + ['deeper'] * 1001 + ['main'])
        if limit < len(want):
            want = want[:limit] + ['too many stack frames']
            is_eq(names(deep), want, '%s: limit %d' % (unwinder, limit))
        else:
            is_eq(names(deep)[:len(want)], want,
                  '%s: all frames below the limit' % unwinder)
        want = PLAIN[:limit]
        is_eq(names(plain)[:len(want)], want,
              '%s: limit %d, a shallow stack' % (unwinder, limit))
    count = len(plain)
    found = trace_case(unwinder, 'unwind', 'plain',
                       options=['--stack-trace-frame-limit=%d' % count])
    is_eq(names(found['plain'][0]), names(plain),
          '%s: a limit that is just enough' % unwinder)


def source_lines(name='unwind.c'):
    """The numbers of the lines that are marked LINE."""
    path = os.path.join(TOP_SRCDIR, 'tests/tracees', name)
    with open(path) as file:
        return {match.group(1): number
                for number, line in enumerate(file, 1)
                for match in [re.search(r'/\* LINE (\w+) \*/', line)]
                if match}


def check_source(unwinder):
    lines = source_lines()
    result = run_tracer('--unwinder=' + unwinder, '-kk', '-e',
                        'trace=access', tracee('unwind'), 'plain')
    frames = marked(result.trace).get('plain', [[]])[0]
    got = {frame.symbol: frame.line for frame in frames}
    for function in ('inner', 'middle', 'outer', 'main'):
        like(got.get(function) or '', r'(^|/)tests/tracees/unwind\.c:%d$'
             % lines[function], '%s: the line in %s' % (unwinder, function))


def check_m32(unwinder):
    program = tracee('unwind-m32')
    title = '%s, 32 bits' % unwinder
    if not os.path.exists(program):
        skip(title, 'there is no 32-bit compiler')
    elif not can_run(program):
        skip(title, 'the kernel runs no 32-bit programs')
    elif unwinder == 'libunwind':
        found = trace_case(unwinder, 'unwind-m32', 'plain')
        like(str(found), 'does not know', '%s: says that it cannot' % title)
    else:
        found = trace_case(unwinder, 'unwind-m32', 'plain', 'fork')
        check(title, found, 'plain', PLAIN)
        check(title, found, 'child',
              ['mark', 'inner', 'in_child', 'run_child', 'main'])


GDB_SCRIPT = '''
set pagination off
set backtrace past-main on
set confirm off
set debuginfod enabled off
catch syscall %(call)s
run
python
import gdb
frame = gdb.newest_frame()
while frame:
    if frame.type() != gdb.INLINE_FRAME:
        print('FRAME %%x %%s' %% (frame.pc(), frame.name()))
    frame = frame.older()
end
kill
quit
'''


def gdb_frames(call, program):
    """The program counters of the stack at the first such call."""
    script = tmpfile('gdb-script', GDB_SCRIPT % {'call': call})
    result = run(['gdb', '-nx', '-batch', '-iex', 'set auto-load no', '-x',
                  script, '--args'] + program, env={'LC_ALL': 'C'})
    return [(int(pc, 16), name) for pc, name in
            re.findall(r'^FRAME ([0-9a-f]+) (.*)$', result.stdout, re.M)]


def check_gdb(unwinder):
    if not shutil.which('gdb'):
        skip('%s: as gdb' % unwinder, 'gdb is not installed')
        return
    for call, program in (
            ('access', [tracee('unwind-static'), 'plain']),
            ('clone3', [tracee('unwind'), 'threads']),
            ('getdents64', ['/bin/ls', '/']),
            ('exit_group', ['/bin/true']),
            ('getcwd', [sys.executable, '-S', '-c',
                        'import os; os.getcwd()'])):
        title = '%s: as gdb: %s in %s' % (unwinder, call,
                                         os.path.basename(program[0]))
        want = gdb_frames(call, program)
        if len(want) < 2:
            skip(title, 'gdb does not show a stack here')
            continue
        result = run_tracer('--unwinder=' + unwinder, '--format=json', '-k',
                            '-e', 'trace=' + call, *program,
                            env={'LC_ALL': 'C'}, preexec_fn=fix_addresses)
        check_against_gdb(title, result.trace, want)


def check_against_gdb(title, trace, want):
    for line in trace.splitlines():
        event = json.loads(line)
        frames = event.get('stack') or event.get('frames')
        if frames:
            got = [int(frame['address'], 16)
                   if isinstance(frame['address'], str)
                   else frame['address'] for frame in frames
                   if 'address' in frame]
            # Ours are in the call, gdb's behind it; and not all of gdb's
            # are return addresses.
            same = len(got) == len(want) and all(
                abs(a - pc) <= 1 for a, (pc, _) in zip(got, want))
            ok(same, title, 'want: %s' % [hex(pc) for pc, _ in want],
               'got: %s' % [hex(a) for a in got])
            return
    ok(False, title, 'no stack', trace)


def check_detached_names(unwinder):
    """A program that is deleted while it runs keeps its names."""
    path = os.path.join(tmpdir(), 'unwind-deleted')
    shutil.copy(tracee('unwind'), path)
    code = ('import os, sys; os.unlink(sys.argv[1]);'
            'os.execv("/proc/self/fd/%d" % int(sys.argv[2]), '
            '["unwind", "plain"])')
    fd = os.open(path, os.O_RDONLY)
    try:
        result = run_tracer('--unwinder=' + unwinder, '-k', '-e',
                            'trace=access', sys.executable, '-S', '-c', code,
                            path, str(fd), pass_fds=(fd,))
    finally:
        os.close(fd)
    frames = marked(result.trace).get('plain', [[]])[0]
    is_eq(names(frames)[:5], PLAIN, '%s: a deleted program' % unwinder)
    like(frames[0].text if frames else '', r'/unwind-deleted \(deleted\)\(',
         '%s: it is marked as such' % unwinder)


def counters(*args):
    """What --debug-unwinding tells of a run with -k."""
    result = run_tracer('-f', '-k', '--debug-unwinding', *args)
    return {match.group(1): int(match.group(2)) for match in
            re.finditer(r'unwinding: (\w+)=(\d+)$', result.stderr, re.M)}


def check_counters(unwinder):
    """What is to be kept is kept."""
    title = unwinder + ': '
    option = '--unwinder=' + unwinder

    # Two processes, one of which maps and unmaps.
    c = counters(option, '-e', 'trace=access,munmap',
                 tracee('unwind-mappings'), 'fork')
    is_eq(c.get('contexts'), 2, title + 'a context for each process')
    is_eq(c.get('invalidations'), 0, title + 'data costs nothing', )
    ok(c.get('map_reads', 99) <= 4, title + 'and no reading of maps', c)
    ok(c.get('modules', 99) <= 4 <= 4, title + 'modules are shared', c)
    ok(c.get('reused_frames', 0) > 1000, title + 'frames are reused', c)

    # Threads.
    c = counters(option, '-e', 'trace=access', tracee('unwind-mappings'),
                 'threads')
    is_eq(c.get('contexts'), 1, title + 'one context for all threads')
    ok(c.get('map_reads', 99) <= 3, title + 'maps are read once for all', c)

    # The same program, many times.
    c = counters(option, '-e', 'trace=access,munmap', '/bin/sh', '-c',
                 'for i in 1 2 3 4 5 6 7 8 9 10; do %s plain; done'
                 % tracee('unwind'))
    ok(c.get('contexts', 0) >= 11, title + 'a context for each program', c)
    ok(c.get('modules', 99) <= 4, title + 'but one for each module', c)


def has_unwinder(name):
    return run([TRACER, '--unwinder=' + name, '-k', '-o', '/dev/null',
                'true']).status == 0


def check_all(unwinder):
    """The whole test of a back end."""
    if not has_unwinder(unwinder):
        skip_all('this build has no unwinder %s' % unwinder)
    for program in ('unwind', 'unwind-static', 'unwind-static-pie',
                    'unwind-nopie', 'unwind-nofp', 'unwind-debugframe',
                    'unwind-norules'):
        check_program(unwinder, program)
    for function in (check_optimised, check_noreturn, check_stripped,
                     check_exec, check_plugins, check_names,
                     check_generated, check_uncertain, check_limit, check_source, check_m32,
                     check_gdb, check_detached_names, check_counters):
        function(unwinder)
    done()
