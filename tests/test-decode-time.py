# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls about time."""

import os

from decode import lines, some
from tap import done

# dates are shown in local time
os.environ['TZ'] = 'UTC'

PROGRAM = 'decode-time'
CALLS = (
    'adjtimex,alarm,clock_adjtime,clock_getres,clock_gettime,'
    'clock_nanosleep,clock_settime,getitimer,gettimeofday,nanosleep,'
    'setitimer,settimeofday,time,timer_create,timer_delete,'
    'timer_getoverrun,timer_gettime,timer_settime,timerfd_create,'
    'timerfd_gettime,timerfd_settime'
)

lines(PROGRAM, CALLS, r'''
nanosleep({tv_sec=0, tv_nsec=1000}, 0x7fff0000) = 0
nanosleep({tv_sec=-1, tv_nsec=999999999}, NULL) = -1 EINVAL (Invalid argument)
nanosleep(0x7fff0000, NULL) = -1 EFAULT (Bad address)
clock_nanosleep(CLOCK_MONOTONIC, 0, {tv_sec=0, tv_nsec=1000}, NULL) = 0
clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, {tv_sec=1700000000, tv_nsec=5}, NULL) = 0
clock_nanosleep(0x4d /* CLOCK_??? */, 0x2 /* TIMER_??? */, 0x7fff0000, 0x7fff0000) = -1 EINVAL (Invalid argument)
clock_gettime(CLOCK_BOOTTIME, 0x7fff0000) = ...
clock_gettime(0x63 /* CLOCK_??? */, NULL) = ...
clock_getres(CLOCK_MONOTONIC_RAW, NULL) = ...
clock_getres(0xfffffffa /* CLOCK_??? */, 0x7fff0000) = ...
clock_settime(CLOCK_TAI, {tv_sec=1700000000, tv_nsec=1000000000}) = ...
gettimeofday(0x7fff0000, NULL) = -1 EFAULT (Bad address)
settimeofday({tv_sec=1, tv_usec=1000000}, {tz_minuteswest=-60, tz_dsttime=1}) = ...
time(0x7fff0000) = -1 EFAULT (Bad address)
alarm(0) = 0
getitimer(ITIMER_VIRTUAL, {it_interval={tv_sec=0, tv_usec=0}, it_value={tv_sec=0, tv_usec=0}}) = 0
getitimer(0x5 /* ITIMER_??? */, 0x7fff0000) = -1 EINVAL (Invalid argument)
setitimer(ITIMER_PROF, {it_interval={tv_sec=1000, tv_usec=5}, it_value={tv_sec=2000, tv_usec=6}}, {it_interval={tv_sec=0, tv_usec=0}, it_value={tv_sec=0, tv_usec=0}}) = 0
setitimer(ITIMER_REAL, 0x7fff0000, NULL) = -1 EFAULT (Bad address)
timer_create(CLOCK_MONOTONIC, {sigev_signo=0, sigev_notify=SIGEV_NONE}, [0]) = 0
timer_create(CLOCK_REALTIME, {sigev_value={sival_int=5, sival_ptr=0x5}, sigev_signo=SIGUSR1, sigev_notify=SIGEV_SIGNAL}, 0x7fff0000) = -1 EFAULT (Bad address)
timer_settime(0, TIMER_ABSTIME, {it_interval={tv_sec=1, tv_nsec=2}, it_value={tv_sec=0, tv_nsec=0}}, {it_interval={tv_sec=0, tv_nsec=0}, it_value={tv_sec=0, tv_nsec=0}}) = 0
timer_gettime(0, {it_interval={tv_sec=0, tv_nsec=0}, it_value={tv_sec=0, tv_nsec=0}}) = 0
timer_getoverrun(0) = 0
timer_delete(0) = 0
timer_delete(12345) = -1 EINVAL (Invalid argument)
timerfd_create(CLOCK_REALTIME, 0x10 /* TFD_??? */) = -1 EINVAL (Invalid argument)
timerfd_settime(9, TFD_TIMER_ABSTIME|TFD_TIMER_CANCEL_ON_SET, {it_interval={tv_sec=0, tv_nsec=0}, it_value={tv_sec=1, tv_nsec=2}}, NULL) = -1 EBADF (Bad file descriptor)
timerfd_gettime(9, 0x7fff0000) = -1 EBADF (Bad file descriptor)
adjtimex(0x7fff0000) = ...
clock_adjtime(0x4d /* CLOCK_??? */, 0x7fff0000) = ...
''')

some(PROGRAM, CALLS, r'''
clock_nanosleep(0, 0x1, {tv_sec=1700000000, tv_nsec=5}, NULL) = 0
timer_create(0, {sigev_value={sival_int=5, sival_ptr=0x5}, sigev_signo=10, sigev_notify=0}, 0x7fff0000) = -1 EFAULT (Bad address)
''', '-X', 'raw')

some(PROGRAM, CALLS, r'''
clock_gettime(0x63 /* CLOCK_??? */, NULL) = ...
timerfd_settime(9, 0x3 /* TFD_TIMER_ABSTIME|TFD_TIMER_CANCEL_ON_SET */, {it_interval={tv_sec=0, tv_nsec=0}, it_value={tv_sec=1, tv_nsec=2}}, NULL) = -1 EBADF (Bad file descriptor)
''', '-X', 'verbose')

some(PROGRAM, CALLS, r'''
nanosleep(req={tv_sec=0, tv_nsec=1000}, rem=0x7fff0000) = 0
nanosleep(req={tv_sec=-1, tv_nsec=999999999}, rem=NULL) = -1 EINVAL (Invalid argument)
nanosleep(req=0x7fff0000, rem=NULL) = -1 EFAULT (Bad address)
setitimer(which=ITIMER_PROF, new_value={it_interval={tv_sec=1000, tv_usec=5}, it_value={tv_sec=2000, tv_usec=6}}, old_value={it_interval={tv_sec=0, tv_usec=0}, it_value={tv_sec=0, tv_usec=0}}) = 0
''', '-N')

done()
