# SPDX-License-Identifier: LGPL-2.1-or-later
"""ELF files under libFuzzer: a fixed number of runs from a fixed seed, which
begin with the test programs.

Without a fuzzer (FUZZER_ELF, made by a build with --enable-fuzzing) it is
skipped.
"""

import os
import shutil

from tap import done, ok, run, skip_all, tmpdir, tmpfile, tracee

FUZZER = os.environ.get('FUZZER_ELF')
RUNS = 5000

if not FUZZER:
    skip_all('this build has no fuzzer (--enable-fuzzing, with clang)')
if not os.access(FUZZER, os.X_OK):
    skip_all('%s was not built' % FUZZER)

corpus = os.path.join(tmpdir(), 'corpus')
os.mkdir(corpus)
for name in ('hello', 'unwind-symbols.so'):
    if os.path.exists(tracee(name)):
        shutil.copy(tracee(name), corpus)
# Some that are compressed.
hello = os.path.join(corpus, 'hello')
if shutil.which('objcopy') and os.path.exists(hello):
    mini = tmpfile('mini')
    run(['objcopy', '-S', '--keep-symbol=main', hello, mini])
    run(['xz', mini])
    run(['objcopy', '-g', '--add-section', '.gnu_debugdata=%s.xz' % mini,
         hello, hello + '-embedded'])
    for kind in ('zlib', 'zstd'):
        run(['objcopy', '--compress-debug-sections=' + kind, hello,
             hello + '-' + kind])
result = run([FUZZER, '-seed=1', '-runs=%d' % RUNS, '-max_len=20000',
              '-len_control=0', '-timeout=10', '-rss_limit_mb=1000',
              '-artifact_prefix=' + tmpdir() + '/', corpus], timeout=250)
ok(result.status == 0, '%d files' % RUNS, result.stderr[-4000:])
done()
