# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks that are hard to get right, with every back end."""

import re

from tap import done, is_eq, like, ok, run_tracer, skip_all, tracee
from unwind_cases import (check, marked, names, source_lines, stacks,
                          trace_case, unwinders)

HARD = ('unwind-hard', 'unwind-hard-O2')


def one_stack(found, mark):
    """The only stack of a mark, or an empty one."""
    stacks = found.get(mark, [])
    ok(len(stacks) == 1, '%s is seen once' % mark, found)
    return stacks[0] if stacks else []


def check_inlined(unwinder):
    lines = source_lines('unwind-hard.c')
    inner = ['mark', 'innermost', 'between', 'around', 'caller_of_around',
             'inlined', 'main']
    is_inlined = {'innermost', 'between', 'caller_of_around'}
    for program in HARD:
        title = '%s, %s, inlined: ' % (unwinder, program)
        found = trace_case(unwinder, program, 'inlined', options=['-kk'])
        for mark in ('inlined', 'inlined-again'):
            frames = one_stack(found, mark)
            is_eq(names(frames)[:len(inner)], inner, title + 'functions')
            is_eq({frame.name for frame in frames[:6] if frame.inlined},
                  is_inlined, title + 'which are marked')
            last = mark.replace('-', '_')
            want = ['%s:%d' % (name, lines[last if name == 'inlined'
                                           else name])
                    for name in inner[1:6]]
            is_eq(['%s:%s' % (frame.name, (frame.line or '').split(':')[-1])
                   for frame in frames[1:6]], want, title + 'lines')
            ok(all(re.search(r'(^|/)tests/tracees/unwind-hard\.c:\d+$',
                             frame.line or '') for frame in frames[1:6]),
               title + 'files', *frames)
            ok(all(frame.into < 0x100 for frame in frames[:6]),
               title + 'offsets', *frames)
            is_eq(len({frame.offset for frame in frames[1:4]}), 1,
                  title + 'they have the address of their function')
        check_without_inlined(title, unwinder, program, lines, inner,
                              is_inlined)


def check_without_inlined(title, unwinder, program, lines, inner, is_inlined):
    want = [name for name in inner if name not in is_inlined]
    for options in ([], ['-kk', '--no-inlined-frames']):
        found = trace_case(unwinder, program, 'inlined', options=options)
        frames = one_stack(found, 'inlined')
        is_eq(names(frames)[:len(want)], want,
              title + 'not with %s' % (options or '-k'))
        ok(not any(frame.inlined for frame in frames),
           title + 'nor a mark', *frames)
    # Then the line is that of the address.
    around = [frame for frame in frames if frame.name == 'around']
    like(around[0].text if around else '', r':%d$' % lines['innermost'],
         title + 'the line without them')
    for limit in range(1, 6):
        found = trace_case(unwinder, program, 'inlined', options=[
            '-kk', '--stack-trace-frame-limit=%d' % limit])
        is_eq(names(one_stack(found, 'inlined')),
              inner[:limit] + ['too many stack frames'],
              title + 'they count, limit %d' % limit)


def check_tail_calls(unwinder):
    found = trace_case(unwinder, 'unwind-hard-O2', 'tail')
    check('%s, tail calls' % unwinder, found, 'tail',
          ['mark', 'tail_target', 'calls_jumps', 'main'])


def check_depth(unwinder):
    depth = 100000
    limit = ['--stack-trace-frame-limit=%d' % (2 * depth)]
    found = trace_case(unwinder, 'unwind-hard-O2', 'very-deep', options=limit)
    got = names(one_stack(found, 'very-deep'))
    want = ['mark'] + ['deeper'] * (depth + 1) + ['run_deep', 'start_thread']
    ok(got[:len(want)] == want, '%s: all of %d frames' % (unwinder, depth),
       len(got), got[:3], got[-5:])
    found = trace_case(unwinder, 'unwind-hard-O2', 'very-deep')
    is_eq(names(one_stack(found, 'very-deep')),
          ['mark'] + ['deeper'] * 255 + ['too many stack frames'],
          '%s: 256 of them, and no more' % unwinder)


def check_coroutines(unwinder):
    for program in HARD:
        title = '%s, %s' % (unwinder, program)
        found = trace_case(unwinder, program, 'coroutine', 'fiber')
        for mark in ('coroutine', 'coroutine-again'):
            # It returns to code of the C library's that was never called:
            # this has a name where there are debug symbols.
            frames = one_stack(found, mark)
            is_eq(names(frames)[:3], ['mark', 'in_coroutine', 'coroutine'],
                  '%s: %s' % (title, mark))
            ok(len(frames) == 4 and frames[3].module and
               frames[3].symbol in (None, '__start_context'),
               '%s: %s ends there' % (title, mark), *frames)
        for mark in ('coroutine-left', 'coroutine-ended'):
            check(title, found, mark, ['mark', 'run_coroutine', 'main'])
        is_eq(names(one_stack(found, 'fiber')), ['mark', 'in_fiber', 'fiber'],
              '%s: a fiber' % title)
        check(title, found, 'fiber-left', ['mark', 'run_fiber', 'main'])


def check_bare(unwinder):
    """A function without a frame, whose caller follows from its call."""
    for program in HARD:
        found = trace_case(unwinder, program, 'bare')
        check('%s, %s' % (unwinder, program), found, 'bare',
              ['bare', 'calls_bare', 'around_bare', 'main'])
        frames = found.get('bare', [[]])[0]
        is_eq([frame.uncertain for frame in frames][:4],
              [False, True, False, False], '%s: its caller is marked'
              % unwinder)


def check_steps(unwinder):
    """The stack at each instruction on the way through the PLT."""
    title = '%s, every instruction: ' % unwinder
    result = run_tracer('--unwinder=' + unwinder, '-k', '-e', 'trace=none',
                        tracee('unwind-hard'), 'steps')
    found = [names(frames) for line, frames in stacks(result.trace)
             if 'SIGTRAP' in line]
    ok(len(found) > 500, title + 'there are enough', len(found))
    outer = ['stepped', 'run_steps', 'main']
    wrong = [got for got in found
             if got[-1] != '_start' or got.count('stepped') != 1 or
             got[got.index('stepped'):][:3] != outer]
    ok(not wrong, title + 'all know the callers', len(wrong), *wrong[:5])
    callees = [got[0] for got in found if len(got) > 1 and
               got[1] == 'stepped']
    # The PLT's entries have no names.
    ok('?' in callees, title + 'the PLT is gone through', set(callees))
    ok(any('strverscmp' in name for name in callees),
       title + 'and leads to the function', set(callees))
    ok(any('_dl_fixup' in got or '_dl_runtime_resolve' in got[1] or
           len(got) > 8 for got in found if len(got) > 1),
       title + 'by the dynamic linker')


def check_threads(unwinder):
    """Other threads run, and map memory, while a stack is walked."""
    for options in ([], ['-e', 'trace=all']):
        found = trace_case(unwinder, 'unwind-hard-O2', 'threads',
                           options=options)
        count, wrong = 0, []
        for mark, all_frames in found.items():
            depth = int(mark.split('-')[1])
            for frames in all_frames:
                got = names(frames)
                count += 1
                if got[:depth + 3] != ['mark'] + (depth + 1) * ['busy'] + [
                        'run_busy']:
                    wrong.append(frames)
        is_eq(count, 5 * 40, '%s, threads: all stacks are seen' % unwinder)
        ok(not wrong, '%s, threads: all are right' % unwinder, *wrong[:3])


def check_names(unwinder):
    found = trace_case(unwinder, 'unwind-hard', 'names')
    check('%s: names of other languages' % unwinder, found, 'names',
          ['mark', 'names', 'mycrate::foo::bar', 'mycrate::foo::bar',
           'main.(*Server).handle', 'net/http.(*conn).serve.func1',
           'foreign_names', 'main'])


def check_vdso(unwinder):
    result = run_tracer('--unwinder=' + unwinder, '-k', '-e',
                        'trace=clock_gettime', tracee('unwind-hard'), 'vdso')
    frames = [frames for line, frames in stacks(result.trace)
              if 'CLOCK_PROCESS_CPUTIME_ID' in line]
    frames = frames[0] if frames else []
    # A kernel without it: the C library makes the call itself.
    if frames and frames[0].module == '[vdso]':
        like(frames[0].symbol or '', r'clock_gettime$',
             '%s: the vDSO' % unwinder)
        frames = frames[1:]
    like(frames[0].symbol if frames else '', r'^(__)?clock_gettime',
         '%s: its caller' % unwinder)
    is_eq(names(frames)[1:3] + names(frames)[-1:],
          ['ask_clock', 'main', '_start'], '%s: and on' % unwinder)


def main():
    backends = unwinders()
    if not backends:
        skip_all('this build has no unwinder')
    for unwinder in backends:
        for function in (check_inlined, check_tail_calls, check_depth,
                         check_coroutines, check_bare, check_steps,
                         check_threads, check_names, check_vdso):
            function(unwinder)
    done()


main()
