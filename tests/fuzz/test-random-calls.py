# SPDX-License-Identifier: LGPL-2.1-or-later
"""Traces random calls: no crash, no hang, no line over a bound.

    tests/fuzz/test-random-calls.py [--seeds FIRST-LAST] [--calls COUNT]

By default a few seeds are run, always the same; best with a tracer that has
been built with --enable-sanitizers.  A failure names the seed, and random-calls
SEED COUNT makes these calls again.
"""

import argparse
import json
import os

from tap import done, ok, run_tracer, skip_all

PROGRAM = os.path.join(os.path.dirname(os.environ.get('TRACER', './tracer')),
                       'tests/fuzz/random-calls')
SKIPPED = 77
LONGEST = 1 << 20       # a line
OPTIONS = (
    [],
    ['-v', '-yy', '-s', '200'],
    ['--format=json', '-v'],
    ['-X', 'verbose', '-x', '-N'],
    ['-X', 'raw', '-y', '-Y', '-T', '-ttt'],
    ['-e', 'raw=all', '-n', '-i'],
    ['--format=json', '-y', '-s', '1000'],
    ['-e', 'verbose=none', '-z'],
    ['-k', '-e', 'trace=%file,%memory'],
    ['-c', '-w', '-S', 'name'],
)

parser = argparse.ArgumentParser()
parser.add_argument('--seeds', default='0-%d' % (len(OPTIONS) - 1))
parser.add_argument('--calls', type=int, default=400)
args = parser.parse_args()
first, last = map(int, (args.seeds + '-' + args.seeds).split('-')[:2])


def problems(result, as_json):
    if result.status is None:
        yield 'it hung'
    elif result.status != 0:
        yield 'exit status %s' % result.status
    if 'ERROR: ' in result.stderr or 'runtime error' in result.stderr:
        yield 'the sanitizers found something'
    if not result.trace:
        yield 'there is no output'
    for line in result.trace.split('\n'):
        if len(line) > LONGEST:
            yield 'a line of %d: %s...' % (len(line), line[:200])
        if as_json and line:
            try:
                json.loads(line)
            except ValueError as error:
                yield 'no JSON: %s: %s' % (error, line[:2000])


for seed in range(first, last + 1):
    options = OPTIONS[seed % len(OPTIONS)]
    result = run_tracer('-f', *options, PROGRAM, str(seed), str(args.calls),
                        timeout=120)
    if result.status == SKIPPED:
        skip_all('namespaces cannot be had here')
    found = list(problems(result, '--format=json' in options))
    ok(not found, 'seed %d: %s' % (seed, ' '.join(options)), *found[:5],
       result.stderr[-3000:] if found else '')
done()
