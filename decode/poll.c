/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting until descriptors are ready: poll, select, epoll; and eventfd.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* What a call that waits says of a result of 0. */
#define AUX_TIMEOUT							\
	AUX_RESULT("", ENUM(poll_timeout), .when = IF_EQUAL(RESULT, 0))

#define SIGMASK(size_arg_)	SELECT(ARGV(size_arg_), SIGSET_SIZES)

/* ---- poll ---- */

static bool pollfd_is_used(struct decoder *d)
{
	return (int)decode_ref(d, &(struct ref)SIBLING(fd)) >= 0;
}

STRUCTURE(pollfd,
	FIELD(fd, INT, FD),
	FIELD(events, U16, FLAGS(poll_events), .when = IF_FN(pollfd_is_used)),
	FIELD(revents, U16, HEX, .show = SHOW_NEVER));

/* What was found; results name no files. */
STRUCTURE_AS(pollfd_after, "struct pollfd",
	FIELD(fd, INT, DEC),
	FIELD(events, U16, HEX, .show = SHOW_NEVER),
	FIELD(revents, U16, FLAGS(poll_events)));

#define POLL_ARGS							\
	ARG(fds, PTR(ARRAY(STRUCT(pollfd), ARGV(1)))),			\
	ARG(nfds, UDEC)
#define POLL_AUX							\
	AUX_TIMEOUT,							\
	AUX("", 0, PTR(ARRAY_PICKED(pollfd_after, revents, ARGV(1))),	\
	    .when = IF_UNEQUAL(RESULT, 0))

SYSCALL(poll, TRACE_DESC, ARGS(
	POLL_ARGS,
	ARG(timeout, DEC),
	POLL_AUX));

static bool ppoll_has_left(struct decoder *d)
{
	return d->result && decode_arg_value(d, 2);
}

#define PPOLL_ARGS(timespec_) ARGS(					\
	POLL_ARGS,							\
	ARG(tmo_p, timespec_),						\
	ARG(sigmask, SIGMASK(4)),					\
	ARG(sigsetsize, SIZE),						\
	POLL_AUX,							\
	AUX("left", 2, timespec_, .when = IF_FN(ppoll_has_left)))

SYSCALL(ppoll, TRACE_DESC, PPOLL_ARGS(TIMESPEC));
SYSCALL(ppoll_time64, TRACE_DESC, PPOLL_ARGS(TIMESPEC64));

/* ---- select ---- */

/* No kernel has more descriptors in a process by default. */
enum { MAX_FDS = 1 << 20 };

static uint64_t select_bits(struct decoder *d)
{
	uint64_t bits = decode_arg_value(d, 0);

	return bits < MAX_FDS ? bits : MAX_FDS;
}

static uint64_t select_is_wrong(struct decoder *d)
{
	return (int)decode_arg_value(d, 0) < 0;
}

#define BITS_OF(number_)						\
	SELECT(CALC(select_is_wrong), CHOICE(1, ADDR),			\
	       OTHERWISE(PTR(BITS_IN_WORDS(number_, CALC(select_bits)))))
#define FDSET		BITS_OF(FD)
#define FDSET_FOUND	BITS_OF(DEC)

/* Whether any descriptor is in the set that argument arg points to. */
static bool any_in_set(struct decoder *d, unsigned arg)
{
	uint64_t addr = decode_arg_value(d, arg), bits = select_bits(d);
	uint8_t word[8];

	if (!d->result || !addr)
		return false;
	for (uint64_t i = 0; i < bits; i += d->abi->word * 8) {
		uint64_t left = bits - i, value = 0;

		if (!view_read_exactly(d->view, addr + i / 8, word,
				       d->abi->word))
			return false;
		value = decode_load(d, ULONG, word);
		if (left < d->abi->word * 8)
			value &= (UINT64_C(1) << left) - 1;
		if (value)
			return true;
	}
	return false;
}

static bool any_to_read(struct decoder *d)
{
	return any_in_set(d, 1);
}

static bool any_to_write(struct decoder *d)
{
	return any_in_set(d, 2);
}

static bool any_exception(struct decoder *d)
{
	return any_in_set(d, 3);
}

static bool select_has_left(struct decoder *d)
{
	return d->result && decode_arg_value(d, 4);
}

#define SELECT_ARGS(timeout_)						\
	ARG(nfds, DEC),							\
	ARG(readfds, FDSET),						\
	ARG(writefds, FDSET),						\
	ARG(exceptfds, FDSET),						\
	ARG(timeout, timeout_)
#define SELECT_AUX(timeout_)						\
	AUX_TIMEOUT,							\
	AUX("in", 1, FDSET_FOUND, .when = IF_FN(any_to_read)),		\
	AUX("out", 2, FDSET_FOUND, .when = IF_FN(any_to_write)),		\
	AUX("except", 3, FDSET_FOUND, .when = IF_FN(any_exception)),		\
	AUX("left", 4, timeout_, .when = IF_FN(select_has_left))

SYSCALL_ON(ON_64BIT_CALLS, select, TRACE_DESC, ARGS(
	SELECT_ARGS(TIMEVAL),
	SELECT_AUX(TIMEVAL)));

/* i386's first select has one argument: all of them in memory. */
STRUCTURE_UNNAMED(select_arguments,
	FIELD(nfds, LONG, DEC),
	FIELD(readfds, POINTER, ADDR),
	FIELD(writefds, POINTER, ADDR),
	FIELD(exceptfds, POINTER, ADDR),
	FIELD(timeout, POINTER, TIMEVAL));

SYSCALL_ON(ON_I386, select, TRACE_DESC, ARGS(
	ARG(arg, PTR_TO(select_arguments))));

SYSCALL_ON(ON_I386, _newselect, TRACE_DESC, ARGS(
	SELECT_ARGS(TIMEVAL),
	SELECT_AUX(TIMEVAL)));

/* The sixth register points to two words: there is no seventh. */
STRUCTURE_UNNAMED(pselect_mask,
	FIELD(sigmask, POINTER, SELECT(SIBLING(sigsetsize), SIGSET_SIZES)),
	FIELD(sigsetsize, ULONG, SIZE));

#define PSELECT_ARGS(timespec_) ARGS(					\
	SELECT_ARGS(timespec_),						\
	ARG(sig, PTR_TO(pselect_mask)),					\
	SELECT_AUX(timespec_))

SYSCALL(pselect6, TRACE_DESC, PSELECT_ARGS(TIMESPEC));
SYSCALL(pselect6_time64, TRACE_DESC, PSELECT_ARGS(TIMESPEC64));

/* ---- epoll ---- */

SYSCALL(epoll_create, TRACE_DESC, ARGS(
	ARG(size, DEC)),
	.returns = FD);

SYSCALL(epoll_create1, TRACE_DESC, ARGS(
	ARG(flags, FLAGS(epoll_create_flags))),
	.returns = FD);

STRUCTURE(epoll_event,
	FIELD(events, UINT, FLAGS(epoll_events)),
	FIELD(data, U64, HEX64, .show = SHOW_PACKED));

SYSCALL(epoll_ctl, TRACE_DESC, ARGS(
	ARG(epfd, FD),
	ARG(op, ENUM(epoll_operations)),
	ARG(fd, FD),
	ARG(event, SELECT(ARGV(1), CHOICE(V_EPOLL_CTL_DEL, ADDR),
			  OTHERWISE(PTR_TO(epoll_event))))));

#define EPOLL_WAIT_ARGS							\
	ARG(epfd, FD),							\
	OUT(events, PTR(ARRAY(STRUCT(epoll_event), RESULT))),		\
	ARG(maxevents, DEC)

SYSCALL(epoll_wait, TRACE_DESC, ARGS(
	EPOLL_WAIT_ARGS,
	ARG(timeout, DEC)));

SYSCALL(epoll_pwait, TRACE_DESC, ARGS(
	EPOLL_WAIT_ARGS,
	ARG(timeout, DEC),
	OUT(sigmask, SIGMASK(5)),
	ARG(sigsetsize, SIZE)));

SYSCALL(epoll_pwait2, TRACE_DESC, ARGS(
	EPOLL_WAIT_ARGS,
	OUT(timeout, TIMESPEC64),
	OUT(sigmask, SIGMASK(5)),
	ARG(sigsetsize, SIZE)));

/* ---- eventfd ---- */

SYSCALL(eventfd, TRACE_DESC, ARGS(
	ARG(initval, UDEC)),
	.returns = FD);

SYSCALL(eventfd2, TRACE_DESC, ARGS(
	ARG(initval, UDEC),
	ARG(flags, FLAGS(eventfd_flags))),
	.returns = FD);
