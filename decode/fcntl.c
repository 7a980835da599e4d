/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fcntl and file locks.
 */
#include "decode/decode.h"
#include "decode/structures.h"

/* What holds a lock is only told by an answer. */
static bool is_answer(struct decoder *d)
{
	return d->exiting;
}

#define FLOCK(id_, offset_)						\
	STRUCTURE(id_,							\
		FIELD(l_type, S16, ENUM_OF(U16, lock_types)),		\
		FIELD(l_whence, S16, ENUM_OF(U16, seek_whence)),	\
		FIELD(l_start, offset_, DEC),				\
		FIELD(l_len, offset_, DEC),				\
		FIELD(l_pid, INT, PID, .when = IF_FN(is_answer)))

FLOCK(flock, KLONG);
FLOCK(flock64, S64);

STRUCTURE(f_owner_ex,
	FIELD(type, INT, ENUM(owner_types)),
	FIELD(pid, INT, PID));

STRUCTURE(delegation,
	FIELD(d_flags, U32, HEX),
	FIELD(d_type, U16, ENUM_OF(U16, lock_types)),
	FIELD(__pad, U16, HEX));

#define COMMAND(name_, ...)	VARIANT(V_F_##name_, ARGS(__VA_ARGS__))
#define COMMAND_ALONE(name_)	VARIANT(V_F_##name_, NO_ARGS)

#define LOCK_COMMANDS(suffix_, lock_)					\
	COMMAND(GETLK##suffix_, OUT(arg, lock_)),			\
	COMMAND(SETLK##suffix_, ARG(arg, lock_)),			\
	COMMAND(SETLKW##suffix_, ARG(arg, lock_))

#define FCNTL_VARIANTS(lock_)						\
	VARIANTS(							\
	VARIANT(V_F_DUPFD, ARGS(ARG(arg, DEC_OF(LONG))), .returns = FD), \
	VARIANT(V_F_DUPFD_CLOEXEC, ARGS(ARG(arg, DEC_OF(LONG))),	\
		.returns = FD),						\
	VARIANT(V_F_GETFD, ARGS(AUX_RESULT("flags",		\
					   NAMED_FLAGS(UINT, fd_flags),	\
					   .when = IF_UNEQUAL(RESULT, 0))), \
		.returns = HEX),					\
	COMMAND(SETFD, ARG(arg, FLAGS(fd_flags))),			\
	VARIANT(V_F_GETFL, ARGS(AUX_RESULT("flags", FLAG_NAMES(open_flags))), \
		.returns = HEX),					\
	COMMAND(SETFL, ARG(arg, FLAGS(open_flags))),			\
	LOCK_COMMANDS(, lock_),						\
	LOCK_COMMANDS(64, PTR_TO(flock64)),				\
	COMMAND(OFD_GETLK, OUT(arg, PTR_TO(flock64))),			\
	COMMAND(OFD_SETLK, ARG(arg, PTR_TO(flock64))),			\
	COMMAND(OFD_SETLKW, ARG(arg, PTR_TO(flock64))),			\
	COMMAND(SETOWN, ARG(arg, PID)),					\
	VARIANT(V_F_GETOWN, NO_ARGS, .returns = PID),			\
	COMMAND(SETOWN_EX, ARG(arg, PTR_TO(f_owner_ex))),		\
	COMMAND(GETOWN_EX, OUT(arg, PTR_TO(f_owner_ex))),		\
	COMMAND(SETSIG, ARG(arg, SIGNAL)),				\
	COMMAND(GETSIG, AUX_RESULT("", SIGNAL,				\
				   .when = IF_UNEQUAL(RESULT, 0))),	\
	COMMAND(SETLEASE, ARG(arg, ENUM(lock_types))),			\
	VARIANT(V_F_GETLEASE, ARGS(AUX_RESULT("", ENUM(lock_types))),	\
		.returns = HEX),					\
	COMMAND(GETDELEG, OUT(arg, PTR_TO(delegation))),		\
	COMMAND(SETDELEG, ARG(arg, PTR_TO(delegation))),		\
	COMMAND(NOTIFY, ARG(arg, FLAGS(dnotify_events))),		\
	COMMAND(DUPFD_QUERY, ARG(arg, FD)),				\
	COMMAND(SETPIPE_SZ, ARG(arg, DEC_OF(LONG))),			\
	COMMAND_ALONE(GETPIPE_SZ),					\
	COMMAND(ADD_SEALS, ARG(arg, FLAGS(file_seals))),		\
	VARIANT(V_F_GET_SEALS,						\
		ARGS(AUX_RESULT("seals", FLAGS(file_seals),		\
				.when = IF_UNEQUAL(RESULT, 0))),	\
		.returns = HEX),					\
	COMMAND(GET_RW_HINT, OUT(arg, PTR(ENUM_OF(U64, rw_hints)))),	\
	COMMAND(SET_RW_HINT, ARG(arg, PTR(ENUM_OF(U64, rw_hints)))),	\
	COMMAND(GET_FILE_RW_HINT, OUT(arg, PTR(ENUM_OF(U64, rw_hints)))), \
	COMMAND(SET_FILE_RW_HINT, ARG(arg, PTR(ENUM_OF(U64, rw_hints)))), \
	OTHER_VARIANT(ARGS(ARG(arg, HEXLONG))))

SYSCALL(fcntl, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(op, ENUM(fcntl_commands))),
	.select = ARGV(1),
	FCNTL_VARIANTS(PTR_TO(flock)));

SYSCALL(fcntl64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(op, ENUM(fcntl_commands))),
	.select = ARGV(1),
	FCNTL_VARIANTS(PTR_TO(flock)));

SYSCALL(flock, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(op, FLAGS(flock_operations))));
