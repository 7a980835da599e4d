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

enum { POLLFD_SIZE = 8, REVENTS_OFFSET = 6, MAX_POLLED = 1 << 16 };

/* Whether there is anything to tell of what was found. */
static bool any_polled(struct decoder *d)
{
	uint64_t addr = decode_arg_value(d, 0);
	uint64_t count = decode_arg_value(d, 1);
	uint16_t revents;

	if (!d->result || !addr || count > (UINT64_MAX - addr) / POLLFD_SIZE)
		return false;
	for (uint64_t i = 0; i < count && i < MAX_POLLED; i++)
		if (!view_read_exactly(d->view, addr + i * POLLFD_SIZE +
				       REVENTS_OFFSET, &revents,
				       sizeof(revents)) || revents)
			return true;
	return false;
}

#define POLL_ARGS							\
	ARG(fds, PTR(ARRAY(STRUCT(pollfd), ARGV(1)))),			\
	ARG(nfds, UDEC)
#define POLL_AUX							\
	AUX_TIMEOUT,							\
	AUX("", 0, PTR(ARRAY_PICKED(pollfd_after, revents, ARGV(1))),	\
	    .when = IF_FN(any_polled))

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

static uint64_t select_has_no_sets(struct decoder *d)
{
	return (int)decode_arg_value(d, 0) <= 0;
}

#define BITS_OF(number_, ...)						\
	SELECT(CALC(select_has_no_sets), CHOICE(1, ADDR),		\
	       OTHERWISE(PTR(BITS_IN_WORDS(number_, __VA_ARGS__))))
#define FDSET		BITS_OF(FD, CALC(select_bits))
#define FDSET_FOUND(bits_)	BITS_OF(DEC, CALC(bits_))

/*
 * How many bits there are up to the last of the count bits that are set, and
 * takes those off the count; 0: none is set, or the set is unreadable.
 */
static uint64_t bits_found(struct decoder *d, uint64_t addr, uint64_t *count)
{
	uint64_t bits = select_bits(d), word = d->abi->word * 8, found = 0;
	uint8_t bytes[8];

	uint64_t left = *count;

	for (uint64_t i = 0; addr && i < bits; i++) {
		if (i % word == 0 &&
		    !view_read_exactly(d->view, addr + i / 8, bytes,
				       d->abi->word))
			return 0;
		if (left && bytes[i % word / 8] & 1u << i % 8) {
			found = i + 1;
			left--;
		}
	}
	*count = left;
	return found;
}

/* What argument arg says was found, if all are as many as the result. */
static uint64_t found_in(struct decoder *d, unsigned arg)
{
	uint64_t left = d->result, found = 0;

	for (unsigned i = 1; i <= arg; i++)
		found = bits_found(d, decode_arg_value(d, i), &left);
	return found;
}

static uint64_t found_to_read(struct decoder *d)
{
	return found_in(d, 1);
}

static uint64_t found_to_write(struct decoder *d)
{
	return found_in(d, 2);
}

static uint64_t found_exceptions(struct decoder *d)
{
	return found_in(d, 3);
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
#define FOUND(label_, arg_, bits_)					\
	AUX(label_, arg_, FDSET_FOUND(bits_),				\
	    .when = IF_UNEQUAL(CALC(bits_), 0))
#define SELECT_AUX(timeout_)						\
	AUX_TIMEOUT,							\
	FOUND("in", 1, found_to_read),					\
	FOUND("out", 2, found_to_write),				\
	FOUND("except", 3, found_exceptions),				\
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
