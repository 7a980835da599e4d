/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Clocks, timers and sleeping.
 *
 * A call whose structures hold 64-bit seconds on every ABI is i386's own
 * (clock_gettime64); it takes the structures with 64 in their names here.
 */
#include "decode/decode.h"
#include "decode/structures.h"

STRUCTURE_AS(timespec, "struct __kernel_old_timespec",
	FIELD(tv_sec, KLONG, DEC),
	FIELD(tv_nsec, KULONG, DEC));

STRUCTURE_AS(timespec64, "struct __kernel_timespec",
	FIELD(tv_sec, S64, DEC),
	FIELD(tv_nsec, U64, DEC));

STRUCTURE_AS(timeval, "struct __kernel_old_timeval",
	FIELD(tv_sec, KLONG, DEC),
	FIELD(tv_usec, KULONG, DEC));

STRUCTURE_AS(itimerval, "struct __kernel_old_itimerval",
	MEMBER(it_interval, STRUCT(timeval)),
	MEMBER(it_value, STRUCT(timeval)));

STRUCTURE(itimerspec,
	MEMBER(it_interval, STRUCT(timespec)),
	MEMBER(it_value, STRUCT(timespec)));

STRUCTURE_AS(itimerspec64, "struct __kernel_itimerspec",
	MEMBER(it_interval, STRUCT(timespec64)),
	MEMBER(it_value, STRUCT(timespec64)));

STRUCTURE(timezone,
	FIELD(tz_minuteswest, INT, DEC),
	FIELD(tz_dsttime, INT, DEC));

/* ---- sleeping ---- */

/* What is left to sleep is told only to a sleeper that was woken. */
static uint64_t was_interrupted(struct decoder *d)
{
	return d->error == V_EINTR || d->error == V_ERESTARTNOHAND ||
	       d->error == V_ERESTART_RESTARTBLOCK;
}

#define REMAINING(timespec_) \
	SELECT(CALC(was_interrupted), CHOICE(1, timespec_), OTHERWISE(ADDR))

SYSCALL(nanosleep, 0, ARGS(
	ARG(req, TIMESPEC),
	LATE(rem, REMAINING(TIMESPEC))));

/* An absolute sleep leaves nothing. */
#define ABSOLUTE_OR(timespec_) \
	SELECT(ARGV_MASK(1, V_TIMER_ABSTIME), CHOICE(0, \
	       REMAINING(timespec_)), OTHERWISE(ADDR))

SYSCALL(clock_nanosleep, 0, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	ARG(flags, FLAGS(clock_flags)),
	ARG(request, TIMESPEC),
	LATE(remain, ABSOLUTE_OR(TIMESPEC))));

SYSCALL(clock_nanosleep_time64, 0, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	ARG(flags, FLAGS(clock_flags)),
	ARG(request, TIMESPEC64),
	LATE(remain, ABSOLUTE_OR(TIMESPEC64))));

/* ---- clocks ---- */

SYSCALL(time, TRACE_CLOCK, ARGS(
	OUT(tloc, PTR(TIME)),
	AUX_RESULT("", DATE, .when = IF_UNEQUAL(RESULT, 0))));

SYSCALL(stime, TRACE_CLOCK, ARGS(
	ARG(t, PTR(TIME))));

SYSCALL(gettimeofday, TRACE_CLOCK, ARGS(
	OUT(tv, TIMEVAL),
	OUT(tz, PTR_TO(timezone))));

SYSCALL(settimeofday, TRACE_CLOCK, ARGS(
	ARG(tv, TIMEVAL),
	ARG(tz, PTR_TO(timezone))));

SYSCALL(clock_gettime, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	OUT(tp, TIMESPEC)));

SYSCALL(clock_gettime64, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	OUT(tp, TIMESPEC64)));

SYSCALL(clock_getres, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	OUT(tp, TIMESPEC)));

SYSCALL(clock_getres_time64, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	OUT(tp, TIMESPEC64)));

SYSCALL(clock_settime, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	ARG(tp, TIMESPEC)));

SYSCALL(clock_settime64, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	ARG(tp, TIMESPEC64)));

STRUCTURE(timex,
	FIELD(modes, UINT, FLAGS(adjtimex_modes)),
	FIELD(offset, KLONG, DEC),
	FIELD(freq, KLONG, DEC),
	FIELD(maxerror, KLONG, DEC),
	FIELD(esterror, KLONG, DEC),
	FIELD(status, INT, FLAGS_OF(UINT, adjtimex_status)),
	FIELD(constant, KLONG, DEC),
	FIELD(precision, KLONG, DEC),
	FIELD(tolerance, KLONG, DEC),
	MEMBER(time, STRUCT(timeval)),
	FIELD(tick, KLONG, DEC),
	FIELD(ppsfreq, KLONG, DEC),
	FIELD(jitter, KLONG, DEC),
	FIELD(shift, INT, DEC),
	FIELD(stabil, KLONG, DEC),
	FIELD(jitcnt, KLONG, DEC),
	FIELD(calcnt, KLONG, DEC),
	FIELD(errcnt, KLONG, DEC),
	FIELD(stbcnt, KLONG, DEC),
	FIELD(tai, INT, DEC),
	PADDING(INT, .count = 11));

STRUCTURE_AS(timex_timeval64, "struct __kernel_timex_timeval",
	FIELD(tv_sec, S64, DEC),
	FIELD(tv_usec, U64, DEC));

STRUCTURE_AS(timex64, "struct __kernel_timex",
	FIELD(modes, UINT, FLAGS(adjtimex_modes)),
	PADDING(INT),
	FIELD(offset, S64, DEC),
	FIELD(freq, S64, DEC),
	FIELD(maxerror, S64, DEC),
	FIELD(esterror, S64, DEC),
	FIELD(status, INT, FLAGS_OF(UINT, adjtimex_status)),
	PADDING(INT),
	FIELD(constant, S64, DEC),
	FIELD(precision, S64, DEC),
	FIELD(tolerance, S64, DEC),
	MEMBER(time, STRUCT(timex_timeval64)),
	FIELD(tick, S64, DEC),
	FIELD(ppsfreq, S64, DEC),
	FIELD(jitter, S64, DEC),
	FIELD(shift, INT, DEC),
	PADDING(INT),
	FIELD(stabil, S64, DEC),
	FIELD(jitcnt, S64, DEC),
	FIELD(calcnt, S64, DEC),
	FIELD(errcnt, S64, DEC),
	FIELD(stbcnt, S64, DEC),
	FIELD(tai, INT, DEC),
	PADDING(INT, .count = 11));

/* The state is told with the structure, which must be readable. */
static bool has_timex(struct decoder *d, uint64_t addr)
{
	uint8_t bytes[256];

	return view_read_exactly(d->view, addr, bytes,
				 structure_layout(&structure_timex,
						  d->abi)->size);
}

static bool adjtimex_has_state(struct decoder *d)
{
	return has_timex(d, decode_arg_value(d, 0));
}

static bool clock_adjtime_has_state(struct decoder *d)
{
	return has_timex(d, decode_arg_value(d, 1));
}

SYSCALL(adjtimex, TRACE_CLOCK, ARGS(
	OUT(buf, PTR_TO(timex)),
	AUX_RESULT("", ENUM(adjtimex_states),
		   .when = IF_FN(adjtimex_has_state))));

SYSCALL(clock_adjtime, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	OUT(buf, PTR_TO(timex)),
	AUX_RESULT("", ENUM(adjtimex_states),
		   .when = IF_FN(clock_adjtime_has_state))));

SYSCALL(clock_adjtime64, TRACE_CLOCK, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	OUT(buf, PTR_TO(timex64)),
	AUX_RESULT("", ENUM(adjtimex_states),
		   .when = IF_FN(clock_adjtime_has_state))));

STRUCTURE(tms,
	FIELD(tms_utime, KULONG, CLOCK_TICKS(KULONG)),
	FIELD(tms_stime, KULONG, CLOCK_TICKS(KULONG)),
	FIELD(tms_cutime, KULONG, CLOCK_TICKS(KULONG)),
	FIELD(tms_cstime, KULONG, CLOCK_TICKS(KULONG)));

SYSCALL(times, 0, ARGS(
	OUT(buf, PTR_TO(tms))));

/* ---- timers of a process ---- */

SYSCALL(alarm, 0, ARGS(
	ARG(seconds, UDEC)),
	.returns = UDEC);

SYSCALL(getitimer, 0, ARGS(
	ARG(which, ENUM(interval_timers)),
	OUT(curr_value, PTR_TO(itimerval))));

SYSCALL(setitimer, 0, ARGS(
	ARG(which, ENUM(interval_timers)),
	ARG(new_value, PTR_TO(itimerval)),
	OUT(old_value, PTR_TO(itimerval))));

/* ---- POSIX timers ---- */

UNION(sigval, "union sigval",
	FIELD(sival_int, INT, DEC),
	FIELD(sival_ptr, POINTER, ADDR));

STRUCTURE(sigevent,
	MEMBER(sigev_value, STRUCT(sigval), .show = SHOW_NONZERO),
	MEMBER(sigev_signo, SELECT(SIBLING(sigev_notify),
		CHOICE(V_SIGEV_SIGNAL, SIGNAL),
		CHOICE(V_SIGEV_THREAD, SIGNAL),
		CHOICE(V_SIGEV_THREAD_ID, SIGNAL),
		OTHERWISE(UDEC))),
	FIELD(sigev_notify, UINT, ENUM(sigev_notify)),
	FIELD(sigev_notify_thread_id, INT, PID,
	      .when = IF_EQUAL(SIBLING(sigev_notify), V_SIGEV_THREAD_ID),
	      .cname = "_sigev_un._tid"),
	FIELD(sigev_notify_function, POINTER, ADDR, .show = SHOW_OVERLAY,
	      .when = IF_EQUAL(SIBLING(sigev_notify), V_SIGEV_THREAD),
	      .cname = "_sigev_un._sigev_thread._function"),
	FIELD(sigev_notify_attributes, POINTER, ADDR,
	      .when = IF_EQUAL(SIBLING(sigev_notify), V_SIGEV_THREAD),
	      .cname = "_sigev_un._sigev_thread._attribute"),
	PADDING(INT, .count = 8, .abis = ON_X86_64),
	PADDING(INT, .count = 11, .abis = ON_I386 | ON_X32));

uint64_t sigevent_size(struct decoder *d)
{
	return 3 * d->abi->word + 2 * sizeof(uint32_t);
}

SYSCALL(timer_create, 0, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	ARG(sevp, SIGEVENT),
	OUT(timerid, PTR(DEC))));

SYSCALL(timer_settime, 0, ARGS(
	ARG(timerid, DEC),
	ARG(flags, FLAGS(clock_flags)),
	ARG(new_value, PTR_TO(itimerspec)),
	OUT(old_value, PTR_TO(itimerspec))));

SYSCALL(timer_settime64, 0, ARGS(
	ARG(timerid, DEC),
	ARG(flags, FLAGS(clock_flags)),
	ARG(new_value, PTR_TO(itimerspec64)),
	OUT(old_value, PTR_TO(itimerspec64))));

SYSCALL(timer_gettime, 0, ARGS(
	ARG(timerid, DEC),
	OUT(curr_value, PTR_TO(itimerspec))));

SYSCALL(timer_gettime64, 0, ARGS(
	ARG(timerid, DEC),
	OUT(curr_value, PTR_TO(itimerspec64))));

SYSCALL(timer_getoverrun, 0, ARGS(
	ARG(timerid, DEC)));

SYSCALL(timer_delete, 0, ARGS(
	ARG(timerid, DEC)));

/* ---- timers with a descriptor ---- */

SYSCALL(timerfd_create, TRACE_DESC, ARGS(
	ARG(clockid, ENUM(clock_ids)),
	ARG(flags, FLAGS(timerfd_flags))),
	.returns = FD);

SYSCALL(timerfd_settime, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(flags, FLAGS(timerfd_flags)),
	ARG(new_value, PTR_TO(itimerspec)),
	OUT(old_value, PTR_TO(itimerspec))));

SYSCALL(timerfd_settime64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(flags, FLAGS(timerfd_flags)),
	ARG(new_value, PTR_TO(itimerspec64)),
	OUT(old_value, PTR_TO(itimerspec64))));

SYSCALL(timerfd_gettime, TRACE_DESC, ARGS(
	ARG(fd, FD),
	OUT(curr_value, PTR_TO(itimerspec))));

SYSCALL(timerfd_gettime64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	OUT(curr_value, PTR_TO(itimerspec64))));
