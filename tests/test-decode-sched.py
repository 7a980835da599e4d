# SPDX-License-Identifier: LGPL-2.1-or-later
"""What calls about scheduling and limits look like."""

import re

from decode import lines, some, trace
from tap import done, ok

lines('decode-sched', '/sched_,/prio,/rlimit,prlimit64,getrusage', r'''
sched_setscheduler(0, SCHED_OTHER, {sched_priority=0}) = ...
sched_setscheduler(0, SCHED_FIFO, {sched_priority=200}) = ...
sched_setscheduler(0, 0x9 /* SCHED_??? */, 0x7fff0000) = ...
sched_setscheduler(0, 0x9 /* SCHED_??? */, NULL) = ...
sched_getscheduler(0) = 0 (SCHED_OTHER)
sched_setscheduler(0, SCHED_RESET_ON_FORK|SCHED_BATCH, {sched_priority=0}) = ...
sched_getscheduler(0) = 0x40000003 (SCHED_RESET_ON_FORK|SCHED_BATCH)
sched_getscheduler(-1) = -1 EINVAL (Invalid argument)
sched_getparam(0, {sched_priority=0}) = 0
sched_setparam(0, {sched_priority=-5}) = -1 EINVAL (Invalid argument)
sched_setparam(0, 0x7fff0000) = -1 EFAULT (Bad address)
sched_get_priority_max(SCHED_FIFO) = 99
sched_get_priority_min(SCHED_DEADLINE) = 0
sched_rr_get_interval(-1, PTR) = -1 EINVAL (Invalid argument)
sched_yield() = ...
sched_setattr(0, {size=56, sched_flags=SCHED_FLAG_RESET_ON_FORK|SCHED_FLAG_RECLAIM|SCHED_FLAG_DL_OVERRUN|SCHED_FLAG_KEEP_POLICY|SCHED_FLAG_KEEP_PARAMS|SCHED_FLAG_UTIL_CLAMP_MIN|SCHED_FLAG_UTIL_CLAMP_MAX, sched_util_min=11, sched_util_max=12}, 0x1) = -1 EINVAL (Invalid argument)
sched_setattr(0, {size=0, sched_policy=SCHED_EXT, sched_flags=0, sched_nice=-5, sched_priority=7, sched_runtime=8, sched_deadline=9, sched_period=10}, 0x1) = -1 EINVAL (Invalid argument)
sched_setattr(0, NULL, 0x1) = -1 EINVAL (Invalid argument)
sched_setattr(0, {size=3}, 0x1) = -1 EINVAL (Invalid argument)
sched_getattr(0, PTR, 47, 0) = -1 EINVAL (Invalid argument)
sched_getattr(0, 0x7fff0000, 48, 0) = -1 EFAULT (Bad address)
sched_getattr(0, PTR, 56, SCHED_GETATTR_FLAG_DL_DYNAMIC) = -1 EINVAL (Invalid argument)
sched_setaffinity(-1, 8, [0 1]) = -1 ESRCH (No such process)
sched_setaffinity(-1, 16, [63 64 66]) = -1 ESRCH (No such process)
sched_setaffinity(-1, 0, []) = -1 ESRCH (No such process)
sched_setaffinity(-1, 8, []) = -1 ESRCH (No such process)
sched_setaffinity(-1, 16, PTR) = -1 EFAULT (Bad address)
sched_setaffinity(-1, 8, NULL) = -1 EFAULT (Bad address)
sched_getaffinity(0, 4, PTR) = -1 EINVAL (Invalid argument)
sched_getaffinity(0, 8, 0x7fff0000) = -1 EFAULT (Bad address)
getpriority(PRIO_PROCESS, -1) = -1 ESRCH (No such process)
getpriority(0x5 /* PRIO_??? */, 0) = -1 EINVAL (Invalid argument)
setpriority(PRIO_PROCESS, 0, 0) = ...
setpriority(PRIO_PGRP, -1, -5) = ...
ioprio_set(IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4)) = ...
ioprio_get(IOPRIO_WHO_PROCESS, 0) = 16388 (IOPRIO_PRIO_VALUE(IOPRIO_CLASS_BE, 4))
ioprio_set(IOPRIO_WHO_USER, 2147483632, IOPRIO_PRIO_VALUE(IOPRIO_CLASS_IDLE, 8)) = ...
ioprio_set(IOPRIO_WHO_PROCESS, 0, IOPRIO_PRIO_VALUE(0x7 /* IOPRIO_CLASS_??? */, 0)) = ...
ioprio_get(0x9 /* IOPRIO_WHO_??? */, 0) = -1 EINVAL (Invalid argument)
prlimit64(0, RLIMIT_CORE, {rlim_cur=0, rlim_max=1024*1024}, {rlim_cur=0, rlim_max=1024*1024}) = ...
prlimit64(0, RLIMIT_CORE, NULL, {rlim_cur=0, rlim_max=1024*1024}) = ...
prlimit64(0, RLIMIT_CORE, {rlim_cur=3*1024, rlim_max=1023}, NULL) = ...
prlimit64(-1, RLIMIT_CORE, {rlim_cur=2097152*1024, rlim_max=RLIM64_INFINITY}, 0x7fff0000) = -1 ESRCH (No such process)
setrlimit(RLIMIT_CORE, {rlim_cur=123, rlim_max=1025}) = 0
getrlimit(RLIMIT_CORE, {rlim_cur=123, rlim_max=1025}) = 0
setrlimit(RLIMIT_CORE, 0x7fff0000) = -1 EFAULT (Bad address)
setrlimit(RLIMIT_CORE, NULL) = -1 EFAULT (Bad address)
setrlimit(0x4d /* RLIMIT_??? */, {rlim_cur=512, rlim_max=2047}) = -1 EINVAL (Invalid argument)
getrlimit(0x4d /* RLIMIT_??? */, PTR) = -1 EINVAL (Invalid argument)
getrusage(RUSAGE_SELF, {ru_utime={tv_sec=0, tv_usec=NUM}, ru_stime={tv_sec=0, tv_usec=NUM}, ...}) = 0
getrusage(RUSAGE_CHILDREN, {ru_utime={tv_sec=0, tv_usec=NUM}, ru_stime={tv_sec=0, tv_usec=NUM}, ...}) = 0
getrusage(0x2 /* RUSAGE_??? */, PTR) = -1 EINVAL (Invalid argument)
getrusage(RUSAGE_THREAD, NULL) = -1 EFAULT (Bad address)
sched_setscheduler(2147483632, SCHED_RESET_ON_FORK|0x9, 0x7fff0000) = -1 EFAULT (Bad address)
sched_setscheduler(2147483632, 0xc0000001 /* SCHED_??? */, 0x7fff0000) = ...
sched_setattr(2147483632, {size=56, sched_policy=0xffffffff /* SCHED_??? */, sched_flags=SCHED_FLAG_KEEP_POLICY, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5, sched_util_min=6, sched_util_max=7}, 0) = ...
sched_setattr(2147483632, {size=56, sched_flags=SCHED_FLAG_KEEP_POLICY, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5, sched_util_min=6, sched_util_max=7}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, {size=56, sched_flags=SCHED_FLAG_KEEP_PARAMS, sched_util_min=6, sched_util_max=7}, 0x1) = ...
sched_setattr(2147483632, {size=52, sched_policy=SCHED_FIFO, sched_flags=0, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, PTR, 0) = -1 EFAULT (Bad address)
sched_setattr(2147483632, {size=0, sched_policy=SCHED_FIFO, sched_flags=0, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, {size=47} => {size=56}, 0) = ...
sched_getattr(2147483632, 0x7fff0000, 56, SCHED_GETATTR_FLAG_DL_DYNAMIC|0x8) = ...
sched_setaffinity(2147483632, 129, [0 2 1016 ...]) = -1 ESRCH (No such process)
sched_setaffinity(2147483632, 4294967295, PTR) = -1 ESRCH (No such process)
sched_setaffinity(2147483632, 3, [0 9 18 23]) = -1 ESRCH (No such process)
''')

# A time is in ticks, and in seconds unless it is none.
TICKS = r'(0|\d+ /\* \d+\.\d\d s \*/)'
TIMES = (r'times\(\{tms_utime=T, tms_stime=T, tms_cutime=0, tms_cstime=0\}\)'
         r' = \d+$'.replace('T', TICKS), r'times\(NULL\) = \d+$',
         r'times\(0x7fff0000\) = -1 EFAULT \(Bad address\)$')
for regex, line in zip(TIMES, trace('decode-sched', 'times')):
    ok(re.match(regex, line), line, 'want: ' + regex)

some('decode-sched', '/sched_,/prio,/rlimit,prlimit64,getrusage', r'''
sched_setscheduler(2147483632, 0x40000009, 0x7fff0000) = -1 EFAULT (Bad address)
sched_setscheduler(2147483632, 0xc0000001, 0x7fff0000) = ...
sched_setattr(2147483632, {size=56, sched_policy=0xffffffff, sched_flags=0x8, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5, sched_util_min=6, sched_util_max=7}, 0) = ...
sched_setattr(2147483632, {size=56, sched_flags=0x8, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5, sched_util_min=6, sched_util_max=7}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, {size=56, sched_flags=0x10, sched_util_min=6, sched_util_max=7}, 0x1) = ...
sched_setattr(2147483632, {size=52, sched_policy=0x1, sched_flags=0, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, {size=0, sched_policy=0x1, sched_flags=0, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5}, 0) = -1 ESRCH (No such process)
sched_getattr(2147483632, 0x7fff0000, 56, 0x9) = ...
''', '-X', 'raw')

some('decode-sched', '/sched_,/prio,/rlimit,prlimit64,getrusage', r'''
sched_setscheduler(2147483632, 0x40000009 /* SCHED_RESET_ON_FORK|0x9 */, 0x7fff0000) = -1 EFAULT (Bad address)
sched_setattr(2147483632, {size=56, sched_policy=0xffffffff /* SCHED_??? */, sched_flags=0x8 /* SCHED_FLAG_KEEP_POLICY */, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5, sched_util_min=6, sched_util_max=7}, 0) = ...
sched_setattr(2147483632, {size=56, sched_flags=0x8 /* SCHED_FLAG_KEEP_POLICY */, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5, sched_util_min=6, sched_util_max=7}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, {size=56, sched_flags=0x10 /* SCHED_FLAG_KEEP_PARAMS */, sched_util_min=6, sched_util_max=7}, 0x1) = ...
sched_setattr(2147483632, {size=52, sched_policy=0x1 /* SCHED_FIFO */, sched_flags=0, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5}, 0) = -1 ESRCH (No such process)
sched_setattr(2147483632, {size=0, sched_policy=0x1 /* SCHED_FIFO */, sched_flags=0, sched_nice=-5, sched_priority=2, sched_runtime=3, sched_deadline=4, sched_period=5}, 0) = -1 ESRCH (No such process)
sched_getattr(2147483632, 0x7fff0000, 56, 0x9 /* SCHED_GETATTR_FLAG_DL_DYNAMIC|0x8 */) = ...
''', '-X', 'verbose')

done()
