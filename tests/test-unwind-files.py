# SPDX-License-Identifier: LGPL-2.1-or-later
"""Where names, lines and rules come from: stripped files, separate debug
files, compressed sections, files that are replaced or not visible from here.
Every case with every back end.
"""

import os
import shlex
import shutil
import struct
import sys

from tap import (TRACER, done, is_eq, like, need, note, ok, run, run_tracer,
                 skip, skip_all, tmpdir, tmpfile, tracee)
from unwind_cases import PLAIN, marked, names, source_lines, unwinders

PLUGIN = ['mark', 'work_of_a', 'plugin', 'use', 'main']


def directory(name):
    """An empty directory of a case's own."""
    path = os.path.join(tmpdir(), name)
    shutil.rmtree(path, ignore_errors=True)
    os.mkdir(path)
    return path


def copy(program, path):
    shutil.copy(tracee(program), path)
    return path


def objcopy(*args):
    """Whether this objcopy can do it."""
    result = run(['objcopy', *args])
    if result.status:
        note(result.stderr)
    return result.status == 0


def stack_of(unwinder, *command, mark='plain', before=()):
    """The stack of a mark in what the command does.

    before: a command whose last argument is a shell's, which is to run "$0".
    """
    args = ['--unwinder=' + unwinder, '-f', '-kk', '-e', 'trace=access',
            *command]
    if before:
        output = tmpfile('trace', '')
        result = run([*before, ' '.join(map(shlex.quote, [
            TRACER, '-o', output, *args]))])
        with open(output) as file:
            trace = file.read()
    else:
        result = run_tracer(*args)
        trace = result.trace
    if result.status != 0 or result.stderr:
        note('status %r, stderr: %s' % (result.status, result.stderr))
    found = marked(trace).get(mark, [])
    ok(len(found) == 1, '%s: the mark is seen once' % unwinder, trace[-2000:])
    return found[0] if found else []


def check_names(title, frames, want=PLAIN):
    got = names(frames)
    ok(got[:len(want)] == want and got[-1:] == ['_start'],
       title + ': the right functions', 'want: %s' % want, 'got:', *frames)


def check_lines(title, frames):
    lines = source_lines()
    got = [frame.line for frame in frames[1:5]]
    want = [lines[name] for name in PLAIN[1:]]
    is_eq([line and int(line.split(':')[-1]) for line in got], want,
          title + ': the right lines')


def check_certain(title, frames):
    ok(frames and not any(frame.uncertain for frame in frames),
       title + ': nothing is guessed', *frames)


# ---- separate debug files ----

def split(path):
    """Strips a program; the path of its debug file, in another directory."""
    debug = os.path.join(directory('debug'), 'unwind.debug')
    objcopy('--only-keep-debug', path, debug)
    run(['strip', '--strip-all', path])
    return debug


def check_debug_links(unwinder):
    for place in ('.', '.debug'):
        title = '%s, debug link to %s' % (unwinder, place)
        top = directory('link')
        program = copy('unwind', os.path.join(top, 'unwind'))
        debug = split(program)
        ok(objcopy('--add-gnu-debuglink=' + debug, program), title)
        frames = stack_of(unwinder, program, 'plain')
        is_eq(names(frames)[1], '?', title + ': without it no names')
        os.makedirs(os.path.join(top, place), exist_ok=True)
        shutil.copy(debug, os.path.join(top, place))
        frames = stack_of(unwinder, program, 'plain')
        check_names(title, frames)
        check_lines(title, frames)

    # One of another program's: nothing of it may be shown.
    title = '%s, wrong debug file' % unwinder
    other = copy('unwind-hard', os.path.join(top, 'other'))
    shutil.rmtree(os.path.join(top, '.debug'))
    shutil.copy(split(other), os.path.join(top, 'unwind.debug'))
    frames = stack_of(unwinder, program, 'plain')
    is_eq(set(names(frames)[:5]), {'?'}, title + ': no names of it')
    ok(not any(frame.line for frame in frames[:5]), title + ': no lines',
       *frames)


def build_id(path):
    """By what readelf prints of the notes."""
    for line in run(['readelf', '-n', path]).stdout.splitlines():
        if 'Build ID:' in line:
            return line.split()[-1]
    return None


def check_build_ids(unwinder):
    title = '%s, debug file by build-id' % unwinder
    base = '/usr/lib/debug'
    if not os.path.isdir(base) or run([
            'unshare', '-m', 'mount', '-t', 'tmpfs', 'none', base]).status:
        skip(title, 'no private %s' % base)
        return
    top = directory('build-id')
    # The rules of -debugframe are nowhere else.
    for name in ('unwind', 'unwind-debugframe'):
        program = copy(name, os.path.join(top, name))
        number = build_id(program)
        debug = split(program)
        if not number:
            skip(title, 'no build-id')
            return
        place = '%s/.build-id/%s' % (base, number[:2])
        before = ['unshare', '-m', 'sh', '-c',
                  'mount -t tmpfs none %s && mkdir -p %s && cp %s %s/%s.debug '
                  '&& eval exec "$0"' % (base, place, debug, place,
                                         number[2:])]
        frames = stack_of(unwinder, program, 'plain', before=before)
        check_names(title + ', ' + name, frames)
        check_lines(title + ', ' + name, frames)
        check_certain(title + ', ' + name, frames)


def check_compressed(unwinder):
    for kind in ('zlib', 'zstd'):
        for name in ('unwind', 'unwind-debugframe'):
            title = '%s, %s, compressed with %s' % (unwinder, name, kind)
            top = directory('compressed')
            program = copy(name, os.path.join(top, name))
            if not objcopy('--compress-debug-sections=' + kind, program):
                skip(title, 'objcopy cannot')
                continue
            frames = stack_of(unwinder, program, 'plain')
            check_names(title, frames)
            check_lines(title, frames)
            check_certain(title, frames)
            # A separate file that is compressed.
            shutil.copy(split(program), top)
            objcopy('--add-gnu-debuglink=' +
                    os.path.join(top, 'unwind.debug'), program)
            frames = stack_of(unwinder, program, 'plain')
            check_names(title + ', separate', frames)
            check_lines(title + ', separate', frames)
            check_certain(title + ', separate', frames)


def check_debugdata(unwinder):
    """The symbols that are not exported, as Fedora embeds them."""
    title = '%s, .gnu_debugdata' % unwinder
    top = directory('debugdata')
    library = copy('unwind-plugin-a.so', os.path.join(top, 'a.so'))
    keep = tmpfile('keep', 'mark\nwork_of_a\n')
    debug = os.path.join(top, 'debug')
    mini = os.path.join(top, 'mini')
    if not shutil.which('xz') or not objcopy(
            '--only-keep-debug', library, debug) or not objcopy(
            '-S', '--keep-symbols=' + keep, debug, mini) or run(
            ['xz', mini]).status:
        skip(title, 'objcopy or xz cannot')
        return
    run(['strip', '--strip-all', library])
    command = (tracee('unwind-plugins'), library)
    frames = stack_of(unwinder, *command, mark='plugin')
    check_names(title + ', without it', frames, ['?', '?'] + PLUGIN[2:])
    ok(objcopy('--add-section', '.gnu_debugdata=%s.xz' % mini, library),
       title)
    frames = stack_of(unwinder, *command, mark='plugin')
    check_names(title, frames, PLUGIN)


def check_common_debug(unwinder):
    """What dwz has moved to a file that several have in common."""
    title = '%s, dwz' % unwinder
    if not shutil.which('dwz'):
        skip(title, 'dwz is not installed')
        return
    top = directory('dwz')
    one, two = (copy('unwind-hard-O2', os.path.join(top, name))
                for name in ('one', 'two'))
    common = os.path.join(top, 'common')
    result = run(['dwz', '-m', common, '-M', common, one, two])
    if result.status or not os.path.exists(common):
        skip(title, 'dwz cannot: ' + result.stderr.split('\n')[0])
        return
    want = ['mark', 'innermost', 'between', 'around', 'caller_of_around',
            'inlined', 'main']
    frames = stack_of(unwinder, one, 'inlined', mark='inlined')
    check_names(title, frames, want)
    # A hostile file may name something that lets who opens it wait.
    os.unlink(common)
    os.mkfifo(common)
    frames = stack_of(unwinder, one, 'inlined', mark='inlined')
    check_names(title + ', a FIFO instead', frames,
                ['mark', 'around', 'inlined', 'main'])


# ---- files without sections ----

def check_no_sections(unwinder):
    title = '%s, no section headers' % unwinder
    program = copy('unwind-stripped',
                   os.path.join(directory('sections'), 'unwind'))
    with open(program, 'r+b') as file:
        header = bytearray(file.read(64))
        is64 = header[4] == 2
        # e_shoff; e_shnum and e_shstrndx
        struct.pack_into('Q' if is64 else 'I', header, 40 if is64 else 32, 0)
        struct.pack_into('HH', header, 60 if is64 else 48, 0, 0)
        file.seek(0)
        file.write(header)
    frames = stack_of(unwinder, program, 'plain')
    check_names(title, frames, ['?'] + PLAIN[1:])
    check_certain(title, frames)


# ---- files that are others now, or elsewhere ----

def check_replaced(unwinder):
    title = '%s, a library that is replaced' % unwinder
    top = directory('replaced')
    library = os.path.join(top, 'lib.so')
    new = os.path.join(top, 'new.so')
    command = (tracee('unwind-plugins'), '--replace', new, library)

    def prepare():
        copy('unwind-plugin-a.so', library)
        copy('unwind-plugin-b.so', new)

    prepare()
    frames = stack_of(unwinder, *command, mark='plugin')
    check_names(title, frames, PLUGIN)
    like(frames[0].text if frames else '', r'/lib\.so \(deleted\)\(mark',
         title + ': it is marked')
    ok(frames and all(frame.line for frame in frames[:3]),
       title + ': lines', *frames)

    # Who may not look at the deleted file has what is mapped of it.
    title += ', without privileges'
    if run(['unshare', '-Ur', 'true']).status:
        skip(title, 'no user namespaces')
        return
    prepare()
    frames = stack_of(unwinder, *command, mark='plugin', before=[
        'unshare', '-Ur', 'sh', '-c', 'eval exec "$0"'])
    check_names(title, frames, ['?', '?'] + PLUGIN[2:])


REPLACE = '''
import os, sys
path, new, fd = sys.argv[1:]
os.rename(new, path)
os.execv("/proc/self/fd/" + fd, ["unwind", "plain"])
'''


def check_replaced_program(unwinder):
    title = '%s, a program that is replaced' % unwinder
    top = directory('replaced-program')
    program = copy('unwind', os.path.join(top, 'unwind'))
    new = copy('unwind-hard', os.path.join(top, 'new'))
    fd = os.open(program, os.O_RDONLY)
    result = run_tracer('--unwinder=' + unwinder, '-kk', '-e', 'trace=access',
                        sys.executable, '-S', '-c', REPLACE, program, new,
                        str(fd), pass_fds=(fd,))
    os.close(fd)
    frames = marked(result.trace).get('plain', [[]])[0]
    check_names(title, frames)
    check_lines(title, frames)
    like(frames[0].text if frames else '', r'/unwind \(deleted\)\(mark',
         title + ': it is marked')


MEMFD = '''
import os, sys
fd = os.memfd_create("program", 0)
with open(sys.argv[1], "rb") as file:
    os.write(fd, file.read())
os.execv("/proc/self/fd/%d" % fd, ["unwind", "plain"])
'''


def check_memfd(unwinder):
    title = '%s, a program in no file system' % unwinder
    frames = stack_of(unwinder, sys.executable, '-S', '-c', MEMFD,
                      tracee('unwind'))
    check_names(title, frames)
    check_lines(title, frames)


def check_namespaces(unwinder):
    """The same path is another file, or none, where the tracer is."""
    top = directory('namespaces')
    here, there = (os.path.join(top, name) for name in ('here', 'there'))
    upper = os.path.join(top, 'upper')
    for path in (here, there, upper):
        os.mkdir(path)
    copy('unwind', os.path.join(there, 'unwind'))
    cases = {
        'bind mount': f'mount --bind {there} {here}',
        'tmpfs': f'mount -t tmpfs none {here} && cp {there}/unwind {here}',
        # Device and inode of its files are not those that stat shows.
        'overlay': f'mount -t tmpfs none {upper} && '
                   f'mkdir {upper}/upper {upper}/work && '
                   f'mount -t overlay overlay -o lowerdir={there},'
                   f'upperdir={upper}/upper,workdir={upper}/work {here}',
    }
    for case, command in cases.items():
        if run(['unshare', '-m', 'sh', '-c', command]).status:
            skip('%s, %s' % (unwinder, case), 'it cannot be mounted')
            continue
        for other in (None, 'unwind-hard'):
            title = '%s, %s, over %s' % (unwinder, case, other)
            if other:
                copy(other, os.path.join(here, 'unwind'))
            elif os.path.exists(os.path.join(here, 'unwind')):
                os.unlink(os.path.join(here, 'unwind'))
            frames = stack_of(unwinder, 'unshare', '-m', 'sh', '-c',
                              '%s && exec %s/unwind plain' % (command, here))
            check_names(title, frames)
            check_lines(title, frames)
            like(frames[0].text if frames else '',
                 r'^ > .*/here/unwind\(mark', title + ': its path there')


def main():
    need('objcopy', 'strip', 'readelf')
    backends = unwinders()
    if not backends:
        skip_all('this build has no unwinder')
    for unwinder in backends:
        for function in (check_debug_links, check_build_ids,
                         check_compressed, check_debugdata,
                         check_common_debug, check_no_sections,
                         check_replaced, check_replaced_program, check_memfd,
                         check_namespaces):
            function(unwinder)
    done()


main()
