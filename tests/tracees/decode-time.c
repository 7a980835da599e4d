/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about time, with good and bad arguments. */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>

#include "calls.h"

enum { FD = 9 };	/* a descriptor that is not open */

int main(void)
{
	long soon = PUT(struct timespec, { 0, 1000 });

	begin();
	CALL(nanosleep, soon, BAD);
	CALL(nanosleep, PUT(struct timespec, { -1, 999999999 }), 0);
	CALL(nanosleep, BAD, 0);
	CALL(clock_nanosleep, CLOCK_MONOTONIC, 0, soon, 0);
	CALL(clock_nanosleep, CLOCK_REALTIME, TIMER_ABSTIME,
	     PUT(struct timespec, { 1700000000, 5 }), 0);
	CALL(clock_nanosleep, 77, 2, BAD, BAD);
	CALL(clock_gettime, CLOCK_BOOTTIME, BAD);
	CALL(clock_gettime, 99, 0);
	CALL(clock_getres, CLOCK_MONOTONIC_RAW, 0);
	CALL(clock_getres, -6, BAD);
	CALL(clock_settime, CLOCK_TAI,
	     PUT(struct timespec, { 1700000000, 1000000000 }));
	CALL(gettimeofday, BAD, 0);
	CALL(settimeofday, PUT(struct timeval, { 1, 1000000 }),
	     PUT(struct timezone, { -60, 1 }));
	CALL(time, BAD);
	CALL(alarm, 0);
	CALL(getitimer, ITIMER_VIRTUAL, ROOM(sizeof(struct itimerval)));
	CALL(getitimer, 5, BAD);
	CALL(setitimer, ITIMER_PROF,
	     PUT(struct itimerval, { { 1000, 5 }, { 2000, 6 } }),
	     ROOM(sizeof(struct itimerval)));
	CALL(setitimer, ITIMER_REAL, BAD, 0);

	CALL(timer_create, CLOCK_MONOTONIC,
	     PUT(struct sigevent, { .sigev_notify = SIGEV_NONE }), ROOM(4));
	CALL(timer_create, CLOCK_REALTIME,
	     PUT(struct sigevent, { .sigev_notify = SIGEV_SIGNAL,
				    .sigev_signo = SIGUSR1,
				    .sigev_value.sival_int = 5 }), BAD);
	CALL(timer_settime, 0, TIMER_ABSTIME,
	     PUT(struct itimerspec, { { 1, 2 }, { 0, 0 } }),
	     ROOM(sizeof(struct itimerspec)));
	CALL(timer_gettime, 0, ROOM(sizeof(struct itimerspec)));
	CALL(timer_getoverrun, 0);
	CALL(timer_delete, 0);
	CALL(timer_delete, 12345);
	CALL(timerfd_create, CLOCK_REALTIME, 0x10);
	CALL(timerfd_settime, FD, 3,
	     PUT(struct itimerspec, { { 0, 0 }, { 1, 2 } }), 0);
	CALL(timerfd_gettime, FD, BAD);
	CALL(adjtimex, BAD);
	CALL(clock_adjtime, 77, BAD);
	return 0;
}
