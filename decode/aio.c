/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asynchronous input and output: the older calls (io_*), and io_uring at the
 * level of its calls.
 */
#include "decode/decode.h"
#include "decode/structures.h"

/* ---- io_submit and its like ---- */

static uint64_t iocb_command(struct decoder *d)
{
	static const struct ref opcode = SIBLING(aio_lio_opcode);

	return decode_ref(d, &opcode);
}

static bool iocb_has_buffer(struct decoder *d)
{
	uint64_t command = iocb_command(d);

	return command == V_IOCB_CMD_PREAD || command == V_IOCB_CMD_PWRITE ||
	       command == V_IOCB_CMD_PREADV || command == V_IOCB_CMD_PWRITEV ||
	       command == V_IOCB_CMD_POLL;
}

static bool iocb_has_length(struct decoder *d)
{
	uint64_t command = iocb_command(d);

	return command == V_IOCB_CMD_PREAD || command == V_IOCB_CMD_PWRITE;
}

static bool iocb_has_offset(struct decoder *d)
{
	return iocb_has_buffer(d) && iocb_command(d) != V_IOCB_CMD_POLL;
}

static uint64_t iocb_flags(struct decoder *d)
{
	static const struct ref flags = SIBLING(aio_flags);

	return decode_ref(d, &flags);
}

/* Nothing, unless there is a descriptor to tell or something else there. */
static bool iocb_has_resfd(struct decoder *d)
{
	static const struct ref resfd = SIBLING(aio_resfd);

	return iocb_has_buffer(d) && ((iocb_flags(d) & V_IOCB_FLAG_RESFD) ||
				      decode_ref(d, &resfd));
}

static bool iocb_has_priority(struct decoder *d)
{
	static const struct ref priority = SIBLING(aio_reqprio);

	return (iocb_flags(d) & V_IOCB_FLAG_IOPRIO) ||
	       decode_ref(d, &priority);
}

#define IOCB_BUFFER							\
	SELECT(SIBLING(aio_lio_opcode),					\
	       CHOICE(V_IOCB_CMD_PWRITE, BYTES(SIBLING(aio_nbytes))),	\
	       CHOICE(V_IOCB_CMD_PREADV,				\
		      IOVEC_ADDRESS(SIBLING(aio_nbytes))),		\
	       CHOICE(V_IOCB_CMD_PWRITEV, IOVEC(SIBLING(aio_nbytes))),	\
	       CHOICE(V_IOCB_CMD_POLL, FLAGS_OF(U64, iocb_poll_events)),	\
	       OTHERWISE(HEX64))

#define IOCB_PRIORITY							\
	SELECT(SIBLING_MASK(aio_flags, V_IOCB_FLAG_IOPRIO),		\
	       CHOICE(V_IOCB_FLAG_IOPRIO,				\
		      PRIORITY(U16, BASE_HEX)),				\
	       OTHERWISE(DEC_OF(S16)))

#define IOCB_RESFD							\
	SELECT(SIBLING_MASK(aio_flags, V_IOCB_FLAG_RESFD),		\
	       CHOICE(V_IOCB_FLAG_RESFD, FD), OTHERWISE(HEX))

/* The members that say what to do, and those that say which request it is. */
#define IOCB(id_, show_)						\
	STRUCTURE_AS(id_, "struct iocb",				\
		FIELD(aio_data, U64, HEX64),				\
		FIELD(aio_key, U32, UDEC, .show = SHOW_NONZERO),	\
		FIELD(aio_rw_flags, S32, FLAGS(rwf_flags),		\
		      .show = SHOW_NONZERO),				\
		FIELD(aio_lio_opcode, U16, ENUM_OF(U16, iocb_commands)), \
		FIELD(aio_reqprio, S16, IOCB_PRIORITY,			\
		      .when = IF_FN(iocb_has_priority)),		\
		FIELD(aio_fildes, U32, FD),				\
		FIELD(aio_buf, U64, IOCB_BUFFER, .show = (show_),	\
		      .when = IF_FN(iocb_has_buffer)),		\
		FIELD(aio_nbytes, U64, UDEC, .show = (show_),		\
		      .when = IF_FN(iocb_has_length)),		\
		FIELD(aio_offset, S64, DEC, .show = (show_),		\
		      .when = IF_FN(iocb_has_offset)),		\
		PADDING(U64),						\
		FIELD(aio_flags, U32, FLAGS(iocb_flags),		\
		      .show = (show_) | SHOW_NONZERO,			\
		      .when = IF_FN(iocb_has_buffer)),			\
		FIELD(aio_resfd, U32, IOCB_RESFD, .show = (show_),	\
		      .when = IF_FN(iocb_has_resfd)))

IOCB(iocb, SHOW_ALWAYS);
IOCB(iocb_named, SHOW_NEVER);

STRUCTURE(io_event,
	FIELD(data, U64, HEX64),
	FIELD(obj, U64, HEX64),
	FIELD(res, S64, DEC),
	FIELD(res2, S64, DEC));

#define AIO_CONTEXT	ADDR_OF(ULONG)

SYSCALL(io_setup, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(nr_events, UDEC),
	OUT(ctx_idp, PTR(AIO_CONTEXT))));

SYSCALL(io_destroy, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(ctx_id, AIO_CONTEXT)));

SYSCALL(io_submit, 0, ARGS(
	ARG(ctx_id, AIO_CONTEXT),
	ARG(nr, SSIZE),
	ARG(iocbpp, PTR(ARRAY(PTR_TO(iocb), ARGV(1))))));

SYSCALL(io_cancel, 0, ARGS(
	ARG(ctx_id, AIO_CONTEXT),
	ARG(iocb, PTR_TO(iocb_named)),
	OUT(result, PTR_TO(io_event))));

SYSCALL(io_getevents, 0, ARGS(
	ARG(ctx_id, AIO_CONTEXT),
	ARG(min_nr, SSIZE),
	ARG(nr, SSIZE),
	OUT(events, PTR(ARRAY(STRUCT(io_event), RESULT))),
	LATE(timeout, TIMESPEC)));

STRUCTURE_UNNAMED(__aio_sigset,
	FIELD(sigmask, POINTER, SELECT(SIBLING(sigsetsize),
		CHOICE(8, PTR(SIGSET)), OTHERWISE(ADDR))),
	FIELD(sigsetsize, ULONG, SIZE));

SYSCALL(io_pgetevents, 0, ARGS(
	ARG(ctx_id, AIO_CONTEXT),
	ARG(min_nr, SSIZE),
	ARG(nr, SSIZE),
	OUT(events, PTR(ARRAY(STRUCT(io_event), RESULT))),
	LATE(timeout, TIMESPEC),
	LATE(sig, PTR_TO(__aio_sigset))));

SYSCALL(io_pgetevents_time64, 0, ARGS(
	ARG(ctx_id, AIO_CONTEXT),
	ARG(min_nr, SSIZE),
	ARG(nr, SSIZE),
	OUT(events, PTR(ARRAY(STRUCT(io_event), RESULT))),
	LATE(timeout, TIMESPEC64),
	LATE(sig, PTR_TO(__aio_sigset))));

/* ---- io_uring ---- */

STRUCTURE(io_sqring_offsets,
	FIELD(head, U32, UDEC),
	FIELD(tail, U32, UDEC),
	FIELD(ring_mask, U32, UDEC),
	FIELD(ring_entries, U32, UDEC),
	FIELD(flags, U32, UDEC),
	FIELD(dropped, U32, UDEC),
	FIELD(array, U32, UDEC),
	FIELD(resv1, U32, HEX, .show = SHOW_NONZERO),
	FIELD(user_addr, U64, HEX64));

STRUCTURE(io_cqring_offsets,
	FIELD(head, U32, UDEC),
	FIELD(tail, U32, UDEC),
	FIELD(ring_mask, U32, UDEC),
	FIELD(ring_entries, U32, UDEC),
	FIELD(overflow, U32, UDEC),
	FIELD(cqes, U32, UDEC),
	FIELD(flags, U32, UDEC),
	FIELD(resv1, U32, HEX, .show = SHOW_NONZERO),
	FIELD(user_addr, U64, HEX64));

/* What the kernel answers stands behind what it was asked. */
static bool is_set_up(struct decoder *d)
{
	return !d->error;
}

enum { TURN_ASKED, TURN_ANSWERED };

STRUCTURE(io_uring_params,
	FIELD(sq_entries, U32, UDEC, .turn = TURN_ANSWERED,
	      .when = IF_FN(is_set_up)),
	FIELD(cq_entries, U32, UDEC, .turn = TURN_ANSWERED,
	      .when = IF_FN(is_set_up)),
	FIELD(flags, U32, FLAGS(io_uring_setup_flags)),
	FIELD(sq_thread_cpu, U32, HEX),
	FIELD(sq_thread_idle, U32, UDEC),
	FIELD(features, U32, FLAGS(io_uring_features), .turn = TURN_ANSWERED,
	      .when = IF_FN(is_set_up)),
	FIELD(wq_fd, U32, FD, .when = IF_ANY_BIT(SIBLING(flags),
						 V_IORING_SETUP_ATTACH_WQ)),
	FIELD(resv, U32, HEX, .count = 3, .show = SHOW_NONZERO),
	MEMBER(sq_off, STRUCT(io_sqring_offsets), .turn = TURN_ANSWERED,
	       .when = IF_FN(is_set_up)),
	MEMBER(cq_off, STRUCT(io_cqring_offsets), .turn = TURN_ANSWERED,
	       .when = IF_FN(is_set_up)));

SYSCALL(io_uring_setup, TRACE_DESC, ARGS(
	ARG(entries, UDEC),
	LATE(params, PTR_TO(io_uring_params))),
	.returns = FD);

STRUCTURE(io_uring_getevents_arg,
	FIELD(sigmask, U64, SELECT(SIBLING(sigmask_sz),
		CHOICE(8, PTR(SIGSET)), OTHERWISE(ADDR))),
	FIELD(sigmask_sz, U32, UDEC),
	FIELD(min_wait_usec, U32, UDEC),
	FIELD(ts, U64, TIMESPEC64));

#define ENTER_VARIANT(flags_, arg_, type_, size_) \
	VARIANT(flags_, ARGS(ARG(arg_, type_), ARG(size_, SIZE)))

/* What stands in the last two arguments depends on the flags. */
SYSCALL(io_uring_enter, TRACE_DESC | TRACE_SIGNAL, ARGS(
	ARG(fd, FD),
	ARG(to_submit, UDEC),
	ARG(min_complete, UDEC),
	ARG(flags, FLAGS(io_uring_enter_flags))),
	.select = ARGV_MASK(3, V_IORING_ENTER_EXT_ARG |
			       V_IORING_ENTER_EXT_ARG_REG),
	VARIANTS(
		ENTER_VARIANT(0, sigset,
			SELECT(ARGV(5), CHOICE(8, PTR(SIGSET)),
			       OTHERWISE(ADDR)), sigsetsize),
		ENTER_VARIANT(V_IORING_ENTER_EXT_ARG, arg,
			PTR_TO(io_uring_getevents_arg), argsz),
		OTHER_VARIANT(ARGS(ARG(sigset, ADDR),
				   ARG(sigsetsize, SIZE)))));

/* A bit of the operation says that the descriptor is an index instead. */
#define REGISTER_OPCODE							\
	JOINED(UINT,							\
	       CHOICE(~(uint64_t)V_IORING_REGISTER_USE_REGISTERED_RING,	\
		      ENUM(io_uring_register_commands)),		\
	       CHOICE(V_IORING_REGISTER_USE_REGISTERED_RING,		\
		      FLAGS(io_uring_register_flags)))

SYSCALL(io_uring_register, TRACE_DESC | TRACE_MEMORY, ARGS(
	ARG(fd, SELECT(ARGV_MASK(1, V_IORING_REGISTER_USE_REGISTERED_RING),
		       CHOICE(0, FD), OTHERWISE(UDEC))),
	ARG(opcode, REGISTER_OPCODE),
	ARG(arg, SELECT(ARGV_MASK(1, ~V_IORING_REGISTER_USE_REGISTERED_RING),
		CHOICE(V_IORING_REGISTER_BUFFERS, IOVEC_ADDRESS(ARGV(3))),
		OTHERWISE(ADDR))),
	ARG(nr_args, UDEC)));
