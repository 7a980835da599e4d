/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Communication between processes: System V shared memory, semaphores and
 * message queues, and POSIX message queues.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- what the three have in common ---- */

#define KEY	NAMED(UINT, ipc_keys)

enum { PERMISSIONS = 0777 };

/* A huge page size: 21<<SHM_HUGE_SHIFT. */
static void show_huge_size(struct decoder *d, unsigned shift, uint64_t size)
{
	struct composed c = { 0 };

	compose_text(&c, "%" PRIu64 "<<", size);
	compose_symbol(d, &c, &set_shm_huge_shift, shift);
	compose_show(d, &c, size << shift);
}

/* Flags, a huge page size from bit .number on (if not 0), permissions. */
static void print_get_flags(struct decoder *d, const struct type *type,
			    uint64_t value)
{
	uint64_t size = type->number ? (uint32_t)value >> type->number : 0;
	uint64_t flags = value & ~(uint64_t)PERMISSIONS &
			 ~(size << type->number);

	SINK_CALL(d->sink, array_begin, ARRAY_JOINED);
	if (flags) {
		SINK_CALL(d->sink, item);
		decode_flags(d, type->set, flags);
	}
	if (size) {
		SINK_CALL(d->sink, item);
		show_huge_size(d, type->number, size);
	}
	SINK_CALL(d->sink, item);
	decode_value(d, UMODE, CT_DEFAULT, value & PERMISSIONS);
	SINK_CALL(d->sink, array_end);
}

#define GET_FLAGS(name_)						\
	TYPE(.kind = KIND_SCALAR, .ctype = UINT, .print = print_get_flags, \
	     .set = &set_##name_)

/* IPC_64, which means nothing to a 64-bit kernel, beside an operation. */
#define OPERATION(name_)						\
	JOINED(UINT, CHOICE(V_IPC_64, FLAGS(ipc_64)),			\
	       CHOICE(~(uint64_t)V_IPC_64, ENUM(name_)))
#define BY_OPERATION(arg_) \
	.select = ARGV_MASK(arg_, ~(uint32_t)V_IPC_64)

/* On i386 the mode is 16 bits, and something else behind it. */
STRUCTURE(ipc64_perm,
	FIELD(key, INT, HEX_OF(INT), .turn = 3),
	FIELD(uid, UINT, UID),
	FIELD(gid, UINT, GID),
	FIELD(cuid, UINT, UID, .turn = 3),
	FIELD(cgid, UINT, GID, .turn = 3),
	FIELD(mode, UINT, UMODE, .turn = 2, .abis = ON_64BIT_CALLS),
	FIELD(mode, U16, UMODE, .turn = 2, .abis = ON_I386),
	FIELD(__pad1, U8, HEX, .count = 2, .show = SHOW_NEVER,
	      .abis = ON_I386),
	FIELD(seq, U16, DEC, .show = SHOW_NEVER),
	FIELD(__pad2, U16, DEC, .show = SHOW_NEVER),
	PADDING(KULONG, .count = 2));

/* What IPC_SET takes of it. */
STRUCTURE_AS(ipc64_perm_set, "struct ipc64_perm",
	FIELD(key, INT, HEX_OF(INT), .show = SHOW_NEVER),
	FIELD(uid, UINT, UID),
	FIELD(gid, UINT, GID),
	FIELD(cuid, UINT, UID, .show = SHOW_NEVER),
	FIELD(cgid, UINT, GID, .show = SHOW_NEVER),
	FIELD(mode, UINT, UMODE, .abis = ON_64BIT_CALLS),
	FIELD(mode, U16, UMODE, .abis = ON_I386),
	FIELD(__pad1, U8, HEX, .count = 2, .show = SHOW_NEVER,
	      .abis = ON_I386),
	FIELD(seq, U16, DEC, .show = SHOW_NEVER),
	FIELD(__pad2, U16, DEC, .show = SHOW_NEVER),
	PADDING(KULONG, .count = 2));

/* A time; 32-bit ABIs have its upper half as a member of its own. */
#define IPC_TIME(name_, ...)						\
	FIELD(name_, KLONG, DEC_OF(KULONG), ##__VA_ARGS__),		\
	FIELD(name_##_high, ULONG, HEX, .show = SHOW_NEVER, .abis = ON_I386)

/* ---- shared memory ---- */

STRUCTURE(shmid64_ds,
	MEMBER(shm_perm, STRUCT(ipc64_perm)),
	FIELD(shm_segsz, ULONG, DEC),
	IPC_TIME(shm_atime, .turn = 2),
	IPC_TIME(shm_dtime, .turn = 2),
	IPC_TIME(shm_ctime, .turn = 2),
	FIELD(shm_cpid, INT, PID),
	FIELD(shm_lpid, INT, PID),
	FIELD(shm_nattch, KULONG, DEC),
	PADDING(KULONG, .count = 2));

STRUCTURE_AS(shmid64_ds_set, "struct shmid64_ds",
	MEMBER(shm_perm, STRUCT(ipc64_perm_set)),
	FIELD(shm_segsz, ULONG, DEC, .show = SHOW_NEVER),
	IPC_TIME(shm_atime, .show = SHOW_NEVER),
	IPC_TIME(shm_dtime, .show = SHOW_NEVER),
	IPC_TIME(shm_ctime, .show = SHOW_NEVER),
	PADDING(INT, .count = 2),
	PADDING(KULONG, .count = 3));

STRUCTURE(shminfo64,
	FIELD(shmmax, KULONG, DEC),
	FIELD(shmmin, KULONG, DEC),
	FIELD(shmmni, KULONG, DEC),
	FIELD(shmseg, KULONG, DEC),
	FIELD(shmall, KULONG, DEC),
	PADDING(KULONG, .count = 4));

STRUCTURE(shm_info,
	FIELD(used_ids, INT, DEC),
	FIELD(shm_tot, KULONG, DEC),
	FIELD(shm_rss, KULONG, DEC),
	FIELD(shm_swp, KULONG, DEC),
	FIELD(swap_attempts, KULONG, DEC),
	FIELD(swap_successes, KULONG, DEC));

SYSCALL(shmget, TRACE_IPC, ARGS(
	ARG(key, KEY),
	ARG(size, SIZE),
	ARG(shmflg, TYPE(.kind = KIND_SCALAR, .ctype = UINT,
		.print = print_get_flags, .set = &set_shmget_flags,
		.number = V_SHM_HUGE_SHIFT))));

#define SHMAT_ARGS ARGS(						\
	ARG(shmid, DEC),						\
	ARG(shmaddr, ADDR),						\
	ARG(shmflg, FLAGS(shmat_flags)))

SYSCALL(shmat, TRACE_IPC | TRACE_MEMORY | CHANGES_MAP, SHMAT_ARGS,
	.returns = HEXLONG);
/* The same, with its result in memory. */
SYSCALL_ON(ON_I386, ipc_shmat,
	   TRACE_IPC | TRACE_MEMORY | CHANGES_MAP | FOLDED, SHMAT_ARGS,
	   .returns = ADDR, .shown_as = "shmat");

SYSCALL(shmdt, TRACE_IPC | TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(shmaddr, ADDR)));

SYSCALL(shmctl, TRACE_IPC, ARGS(
	ARG(shmid, DEC),
	ARG(op, OPERATION(shmctl_operations))),
	BY_OPERATION(1),
	VARIANTS(
		VARIANT(V_IPC_SET, ARGS(ARG(buf, PTR_TO(shmid64_ds_set)))),
		VARIANT(V_IPC_STAT, ARGS(OUT(buf, PTR_TO(shmid64_ds)))),
		VARIANT(V_SHM_STAT, ARGS(OUT(buf, PTR_TO(shmid64_ds)))),
		VARIANT(V_SHM_STAT_ANY, ARGS(OUT(buf, PTR_TO(shmid64_ds)))),
		VARIANT(V_IPC_INFO, ARGS(OUT(buf, PTR_TO(shminfo64)))),
		VARIANT(V_SHM_INFO, ARGS(OUT(buf, PTR_TO(shm_info)))),
		OTHER_VARIANT(ARGS(ARG(buf, ADDR)))));

/* ---- semaphores ---- */

STRUCTURE(sembuf,
	FIELD(sem_num, U16, DEC_OF(U16)),
	FIELD(sem_op, S16, DEC_OF(S16)),
	FIELD(sem_flg, S16, FLAGS_OF(U16, semop_flags)));

STRUCTURE(semid64_ds,
	MEMBER(sem_perm, STRUCT(ipc64_perm)),
	IPC_TIME(sem_otime),
	PADDING(KULONG, .abis = ON_64BIT_CALLS),
	IPC_TIME(sem_ctime),
	PADDING(KULONG, .abis = ON_64BIT_CALLS),
	FIELD(sem_nsems, KULONG, DEC),
	PADDING(KULONG, .count = 2));

STRUCTURE_AS(semid64_ds_set, "struct semid64_ds",
	MEMBER(sem_perm, STRUCT(ipc64_perm_set)),
	IPC_TIME(sem_otime, .show = SHOW_NEVER),
	PADDING(KULONG, .abis = ON_64BIT_CALLS),
	IPC_TIME(sem_ctime, .show = SHOW_NEVER),
	PADDING(KULONG, .abis = ON_64BIT_CALLS),
	PADDING(KULONG, .count = 3));

STRUCTURE(seminfo,
	FIELD(semmap, INT, DEC),
	FIELD(semmni, INT, DEC),
	FIELD(semmns, INT, DEC),
	FIELD(semmnu, INT, DEC),
	FIELD(semmsl, INT, DEC),
	FIELD(semopm, INT, DEC),
	FIELD(semume, INT, DEC),
	FIELD(semusz, INT, DEC),
	FIELD(semvmx, INT, DEC),
	FIELD(semaem, INT, DEC));

#define SEMBUFS	PTR(ARRAY(STRUCT(sembuf), ARGV(2)))

SYSCALL(semget, TRACE_IPC, ARGS(
	ARG(key, KEY),
	ARG(nsems, DEC),
	ARG(semflg, GET_FLAGS(ipc_get_flags))));

SYSCALL(semop, TRACE_IPC | FOLDED, ARGS(
	ARG(semid, DEC),
	ARG(sops, SEMBUFS),
	ARG(nsops, UDEC)));

SYSCALL(semtimedop, TRACE_IPC | FOLDED, ARGS(
	ARG(semid, DEC),
	ARG(sops, SEMBUFS),
	ARG(nsops, UDEC),
	ARG(timeout, TIMESPEC)));

SYSCALL(semtimedop_time64, TRACE_IPC, ARGS(
	ARG(semid, DEC),
	ARG(sops, SEMBUFS),
	ARG(nsops, UDEC),
	ARG(timeout, TIMESPEC64)));

#define SEMCTL_ARGS ARGS(						\
	ARG(semid, DEC),						\
	ARG(semnum, DEC),						\
	ARG(op, OPERATION(semctl_operations)))
/* What arg is of the operations without a structure is given. */
#define SEMCTL_VARIANTS(other_) VARIANTS(				\
	VARIANT(V_IPC_SET, ARGS(ARG(arg, PTR_TO(semid64_ds_set)))),	\
	VARIANT(V_IPC_STAT, ARGS(OUT(arg, PTR_TO(semid64_ds)))),	\
	VARIANT(V_SEM_STAT, ARGS(OUT(arg, PTR_TO(semid64_ds)))),	\
	VARIANT(V_SEM_STAT_ANY, ARGS(OUT(arg, PTR_TO(semid64_ds)))),	\
	VARIANT(V_IPC_INFO, ARGS(OUT(arg, PTR_TO(seminfo)))),		\
	VARIANT(V_SEM_INFO, ARGS(OUT(arg, PTR_TO(seminfo)))),		\
	OTHER_VARIANT(ARGS(ARG(arg, other_))))

SYSCALL(semctl, TRACE_IPC, SEMCTL_ARGS, BY_OPERATION(2),
	SEMCTL_VARIANTS(ADDR));
/* The same, with a pointer to arg. */
SYSCALL_ON(ON_I386, ipc_semctl, TRACE_IPC | FOLDED, SEMCTL_ARGS,
	   BY_OPERATION(2), SEMCTL_VARIANTS(PTR(ADDR)), .shown_as = "semctl");

/* ---- message queues ---- */

STRUCTURE(msqid64_ds,
	MEMBER(msg_perm, STRUCT(ipc64_perm)),
	IPC_TIME(msg_stime),
	IPC_TIME(msg_rtime),
	IPC_TIME(msg_ctime),
	FIELD(msg_cbytes, KULONG, DEC, .show = SHOW_NEVER),
	FIELD(msg_qnum, KULONG, DEC),
	FIELD(msg_qbytes, KULONG, DEC),
	FIELD(msg_lspid, INT, PID),
	FIELD(msg_lrpid, INT, PID),
	PADDING(KULONG, .count = 2));

STRUCTURE_AS(msqid64_ds_set, "struct msqid64_ds",
	MEMBER(msg_perm, STRUCT(ipc64_perm_set)),
	IPC_TIME(msg_stime, .show = SHOW_NEVER),
	IPC_TIME(msg_rtime, .show = SHOW_NEVER),
	IPC_TIME(msg_ctime, .show = SHOW_NEVER),
	FIELD(msg_cbytes, KULONG, DEC, .show = SHOW_NEVER),
	FIELD(msg_qnum, KULONG, DEC, .show = SHOW_NEVER),
	FIELD(msg_qbytes, KULONG, DEC),
	PADDING(INT, .count = 2),
	PADDING(KULONG, .count = 2));

STRUCTURE(msginfo,
	FIELD(msgpool, INT, DEC),
	FIELD(msgmap, INT, DEC),
	FIELD(msgmax, INT, DEC),
	FIELD(msgmnb, INT, DEC),
	FIELD(msgmni, INT, DEC),
	FIELD(msgssz, INT, DEC),
	FIELD(msgtql, INT, DEC),
	FIELD(msgseg, U16, DEC));

/* C's structure has a byte of text, and is as large as is aligned then. */
STRUCTURE_UNNAMED(msgbuf,
	FIELD(mtype, KLONG, DEC),
	MEMBER(mtext, DATA_LOCATED(0, ARGV(2))),
	PADDING(KLONG));

/* The structure as a header declares it has a text of one byte. */
static uint64_t msgbuf_is_whole(struct decoder *d)
{
	uint64_t words[2];

	return view_read_exactly(d->view, decode_arg_value(d, 1), words,
				 2 * d->abi->kernel_long);
}

#define MSGBUF								\
	SELECT(CALC(msgbuf_is_whole), CHOICE(1, PTR_TO(msgbuf)),	\
	       OTHERWISE(ADDR))

SYSCALL(msgget, TRACE_IPC, ARGS(
	ARG(key, KEY),
	ARG(msgflg, GET_FLAGS(ipc_get_flags))));

SYSCALL(msgsnd, TRACE_IPC, ARGS(
	ARG(msqid, DEC),
	ARG(msgp, MSGBUF),
	ARG(msgsz, SIZE),
	ARG(msgflg, FLAGS(msg_flags))));

SYSCALL(msgrcv, TRACE_IPC, ARGS(
	ARG(msqid, DEC),
	OUT(msgp, MSGBUF),
	ARG(msgsz, SIZE),
	ARG(msgtyp, SSIZE, .ctype = KLONG),
	ARG(msgflg, FLAGS(msg_flags))),
	.returns = SSIZE);

/* Through ipc(), with memory that cannot be read instead of two arguments. */
SYSCALL_ON(ON_I386, ipc_msgrcv, TRACE_IPC | FOLDED, ARGS(
	ARG(msqid, DEC),
	ARG(msgp, ADDR),
	ARG(msgsz, SIZE),
	ARG(msgflg, FLAGS(msg_flags))),
	.returns = SSIZE, .shown_as = "msgrcv");

SYSCALL(msgctl, TRACE_IPC, ARGS(
	ARG(msqid, DEC),
	ARG(op, OPERATION(msgctl_operations))),
	BY_OPERATION(1),
	VARIANTS(
		VARIANT(V_IPC_SET, ARGS(ARG(buf, PTR_TO(msqid64_ds_set)))),
		VARIANT(V_IPC_STAT, ARGS(OUT(buf, PTR_TO(msqid64_ds)))),
		VARIANT(V_MSG_STAT, ARGS(OUT(buf, PTR_TO(msqid64_ds)))),
		VARIANT(V_MSG_STAT_ANY, ARGS(OUT(buf, PTR_TO(msqid64_ds)))),
		VARIANT(V_IPC_INFO, ARGS(OUT(buf, PTR_TO(msginfo)))),
		VARIANT(V_MSG_INFO, ARGS(OUT(buf, PTR_TO(msginfo)))),
		OTHER_VARIANT(ARGS(ARG(buf, ADDR)))));

/* ---- i386's call for all of them ---- */

/* Shown if it is none of them: 2<<16|25, a version and which call. */
static void print_ipc_call(struct decoder *d, const struct type *type,
			   uint64_t value)
{
	unsigned version = value >> 16 & 0xffff, call = value & 0xffff;
	char text[24];

	(void)type;
	if (version)
		snprintf(text, sizeof(text), "%u<<16|%u", version, call);
	else
		snprintf(text, sizeof(text), "%u", call);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_UNSIGNED,
		.fixed = true });
}

SYSCALL_ON(ON_I386, ipc, 0, ARGS(
	ARG(call, SCALAR(print_ipc_call, UINT)),
	ARG(first, HEXLONG),
	ARG(second, HEXLONG),
	ARG(third, HEXLONG),
	ARG(ptr, HEXLONG),
	ARG(fifth, HEXLONG)));

/* ---- POSIX message queues ---- */

#define MQ_ATTR(id_, flags_)						\
	STRUCTURE_AS(id_, "struct mq_attr",				\
		FIELD(mq_flags, KLONG, flags_),				\
		FIELD(mq_maxmsg, KLONG, DEC),				\
		FIELD(mq_msgsize, KLONG, DEC),				\
		FIELD(mq_curmsgs, KLONG, DEC),				\
		PADDING(KLONG, .count = 4))

/* The flags are those of open(), too, which say more when it is opened. */
MQ_ATTR(mq_attr, FLAGS(mq_flags));
MQ_ATTR(mq_attr_open, HEXLONG);

SYSCALL(mq_open, TRACE_DESC, ARGS(
	ARG(name, PATH),
	ARG(flags, FLAGS(open_flags)),
	ARG(mode, UMODE, .ctype = U16,
	    .when = IF_ANY_BIT(ARGV(1), V_O_CREAT)),
	ARG(attr, PTR_TO(mq_attr_open),
	    .when = IF_ANY_BIT(ARGV(1), V_O_CREAT))),
	.returns = FD);

SYSCALL(mq_unlink, 0, ARGS(
	ARG(path, PATH)));

#define MQ_SEND_ARGS(timespec_) ARGS(					\
	ARG(mqdes, FD),							\
	ARG(msg_ptr, BYTES(ARGV(2))),					\
	ARG(msg_len, SIZE),						\
	ARG(msg_prio, UDEC),						\
	ARG(abs_timeout, timespec_))
#define MQ_RECEIVE_ARGS(timespec_) ARGS(				\
	ARG(mqdes, FD),							\
	OUT(msg_ptr, BYTES(RESULT)),					\
	ARG(msg_len, SIZE),						\
	OUT(msg_prio, PTR(UDEC)),					\
	LATE(abs_timeout, timespec_))

SYSCALL(mq_timedsend, TRACE_DESC, MQ_SEND_ARGS(TIMESPEC));
SYSCALL(mq_timedsend_time64, TRACE_DESC, MQ_SEND_ARGS(TIMESPEC64));
SYSCALL(mq_timedreceive, TRACE_DESC, MQ_RECEIVE_ARGS(TIMESPEC),
	.returns = SSIZE);
SYSCALL(mq_timedreceive_time64, TRACE_DESC, MQ_RECEIVE_ARGS(TIMESPEC64),
	.returns = SSIZE);

SYSCALL(mq_notify, TRACE_DESC, ARGS(
	ARG(mqdes, FD),
	ARG(sevp, SIGEVENT)));

SYSCALL(mq_getsetattr, TRACE_DESC, ARGS(
	ARG(mqdes, FD),
	ARG(newattr, PTR_TO(mq_attr)),
	OUT(oldattr, PTR_TO(mq_attr))));
