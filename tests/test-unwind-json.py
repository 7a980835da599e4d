# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks as data: what JSON says of a frame, compared with what binutils say
of the program."""

import json
import os
import re

from tap import (TOP_SRCDIR, done, is_eq, need, ok, run, run_tracer, skip,
                 skip_all, tracee)
from unwind_cases import PLAIN, has_unwinder, source_lines

try:
    import jsonschema
except ImportError:
    jsonschema = None

UNWINDERS = [name for name in ('cfi', 'libdw', 'libunwind')
             if has_unwinder(name)]


def functions(program):
    """The addresses of a program's functions, as nm tells them."""
    return {line.split()[2]: int(line.split()[0], 16)
            for line in run(['nm', program]).stdout.splitlines()
            if re.match(r'[0-9a-f]+ [tTwW] ', line)}


def build_id(program):
    match = re.search(r'Build ID: ([0-9a-f]+)',
                      run(['readelf', '-n', program]).stdout)
    return match and match.group(1)


def stack(title, unwinder, mark, program, *args, options=('-kk',)):
    """The stack of a mark; all lines must be as the schema says."""
    result = run_tracer('--unwinder=' + unwinder, '--format=json', *options,
                        '-e', 'trace=access', program, *args)
    check_schema(title, result.lines)
    for line in result.lines:
        if '"mark:%s"' % mark in line:
            return json.loads(line)['stack']
    ok(False, title + ': the mark is seen', result.trace, result.stderr)
    return []


def check_schema(title, lines):
    if not hasattr(jsonschema, 'Draft202012Validator'):
        skip(title + ': the schema', 'python3-jsonschema is not installed')
        return
    path = os.path.join(TOP_SRCDIR, 'doc', 'schema.json')
    with open(path, encoding='utf-8') as file:
        validator = jsonschema.Draft202012Validator(json.load(file))
    errors = [error.message for line in lines
              for error in validator.iter_errors(json.loads(line))]
    ok(lines and not errors, title + ': as the schema says', *errors[:5])


def check_plain(unwinder):
    program = tracee('unwind')
    title = unwinder
    frames = stack(title, unwinder, 'plain', program, 'plain')[:5]
    addresses, lines = functions(program), source_lines()
    is_eq([frame.get('symbol') for frame in frames], PLAIN,
          title + ': symbols')
    for frame in frames:
        name = frame['symbol']
        is_eq((frame['module'], frame.get('build_id')),
              (program, build_id(program)),
              '%s: module and build-id of %s' % (title, name))
        is_eq(int(frame['offset'], 16) - int(frame['symbol_offset'], 16),
              addresses[name], '%s: where %s begins' % (title, name))
        is_eq({int(f['address'], 16) - int(f['offset'], 16)
               for f in frames}, {int(frame['address'], 16) -
                                  int(frame['offset'], 16)},
              '%s: address and offset of %s' % (title, name))
        ok(frame['file'].endswith('unwind.h' if name == 'mark'
                                  else 'tests/tracees/unwind.c'),
           '%s: the file of %s' % (title, name), frame['file'])
        if name in lines:
            is_eq(frame['line'], lines[name],
                  '%s: the line in %s' % (title, name))
        ok('inlined' not in frame and 'uncertain' not in frame,
           '%s: %s is neither inlined nor uncertain' % (title, name), frame)
    frames = stack(title, unwinder, 'plain', program, 'plain',
                   options=['-k'])
    ok(frames and not any('file' in f or 'line' in f for f in frames),
       title + ': no lines with -k', *frames)
    frames = stack(title, unwinder, 'plain', program, 'plain',
                   options=['-k', '--stack-trace-frame-limit=2'])
    is_eq(frames[2:], [{'error': 'too many stack frames'}],
          title + ': why there are no more')


def check_inlined(unwinder):
    program = tracee('unwind-hard-O2')
    title = unwinder + ', inlined'
    frames = stack(title, unwinder, 'inlined', program, 'inlined')
    found = {frame.get('symbol'): frame for frame in frames}
    is_eq([name for name in ('innermost', 'between', 'around')
           if found.get(name, {}).get('inlined')], ['innermost', 'between'],
          title + ': which functions')
    is_eq(len({found[name]['offset'] for name in
               ('innermost', 'between', 'around')}), 1,
          title + ': all at the address that they are put in at')


def check_generated(unwinder):
    program = tracee('unwind-jit')
    for how, mark, module, name in (
            ('perf', 'first', r'/tmp/perf-\d+\.map$', 'first function'),
            ('memfd', 'first', r'/memfd:generated \(deleted\)$',
             'first function'),
            ('objects', 'first', r'\[jit\]$', 'first')):
        title = '%s, %s' % (unwinder, how)
        frame = stack(title, unwinder, mark, program, how)[2]
        is_eq(frame.get('symbol'), name, title + ': symbol')
        ok(re.match(module, frame['module']), title + ': module', frame)
        address = int(frame['address'], 16)
        # The function begins at the beginning of a page.
        is_eq((int(frame['symbol_offset'], 16), frame.get('build_id')),
              (address % 4096, None), title + ': symbol offset')
        is_eq(int(frame['offset'], 16), address % 4096 if how == 'memfd'
              else address, title + ': offset')
    frame = stack(title, unwinder, 'untold', program, 'perf')[2]
    is_eq(set(frame), {'address'}, unwinder + ': of code that nobody names '
          'there is the address')
    frame = stack(title, unwinder, 'untold', program, 'perf')[3]
    is_eq((frame.get('symbol'), frame.get('uncertain')), ('run', True),
          unwinder + ': who called it is uncertain')


def main():
    if not UNWINDERS:
        skip_all('this build has no unwinder')
    need('nm', 'readelf')
    for unwinder in UNWINDERS:
        check_plain(unwinder)
        check_inlined(unwinder)
        if os.uname().machine == 'x86_64':
            check_generated(unwinder)
    done()


main()
