# SPDX-License-Identifier: LGPL-2.1-or-later
"""The decoders under libFuzzer, for a fixed number of runs from fixed seeds.

Without a fuzzer (FUZZER, made by a build with --enable-fuzzing) it is skipped.
"""

import os

from tap import done, ok, run, skip_all, tmpdir

FUZZER = os.environ.get('FUZZER')
SEEDS = (1, 2)
RUNS = 40000

if not FUZZER:
    skip_all('this build has no fuzzer (--enable-fuzzing, with clang)')
if not os.access(FUZZER, os.X_OK):
    skip_all('%s was not built' % FUZZER)

for seed in SEEDS:
    result = run([FUZZER, '-seed=%d' % seed, '-runs=%d' % RUNS,
                  '-max_len=2000', '-len_control=0', '-timeout=10',
                  '-artifact_prefix=' + tmpdir() + '/'], timeout=200)
    ok(result.status == 0, '%d calls from seed %d' % (RUNS, seed),
       result.stderr[-4000:])
done()
