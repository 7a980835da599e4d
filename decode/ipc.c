/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Communication between processes: System V shared memory, semaphores and
 * message queues, and POSIX message queues.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- what the three have in common ---- */

#define KEY	NAMED(INT, ipc_keys)

enum { PERMISSIONS = 0777 };

/* Flags, a huge page size from bit .number on (if not 0), permissions. */
static void print_get_flags(struct decoder *d, const struct type *type,
			    uint64_t value)
{
	uint64_t flags = value & ~(uint64_t)PERMISSIONS;

	SINK_CALL(d->sink, array_begin, ARRAY_JOINED);
	if (flags) {
		SINK_CALL(d->sink, item);
		if (type->number)
			print_shifted(d, type, flags);
		else
			decode_flags(d, type->set, flags);
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
	FIELD(key, INT, KEY, .turn = 3),
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
	FIELD(key, INT, KEY, .show = SHOW_NEVER),
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

STRUCTURE_UNNAMED(shmid64_ds_set,
	MEMBER(shm_perm, STRUCT(ipc64_perm_set)));

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

enum { SHM_HUGE_SHIFT = 26 };

SYSCALL(shmget, TRACE_IPC, ARGS(
	ARG(key, KEY),
	ARG(size, SIZE),
	ARG(shmflg, TYPE(.kind = KIND_SCALAR, .ctype = UINT,
		.print = print_get_flags, .set = &set_shmget_flags,
		.number = SHM_HUGE_SHIFT, .label = "SHM_HUGE_SHIFT"))));

SYSCALL(shmat, TRACE_IPC | TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(shmid, DEC),
	ARG(shmaddr, ADDR),
	ARG(shmflg, FLAGS(shmat_flags))),
	.returns = ADDR);

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

STRUCTURE_UNNAMED(semid64_ds_set,
	MEMBER(sem_perm, STRUCT(ipc64_perm_set)));

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

SYSCALL(semop, TRACE_IPC, ARGS(
	ARG(semid, DEC),
	ARG(sops, SEMBUFS),
	ARG(nsops, UDEC)));

SYSCALL(semtimedop, TRACE_IPC, ARGS(
	ARG(semid, DEC),
	ARG(sops, SEMBUFS),
	ARG(nsops, UDEC),
	ARG(timeout, TIMESPEC)));

SYSCALL(semtimedop_time64, TRACE_IPC, ARGS(
	ARG(semid, DEC),
	ARG(sops, SEMBUFS),
	ARG(nsops, UDEC),
	ARG(timeout, TIMESPEC64)));

SYSCALL(semctl, TRACE_IPC, ARGS(
	ARG(semid, DEC),
	ARG(semnum, DEC),
	ARG(op, OPERATION(semctl_operations))),
	BY_OPERATION(2),
	VARIANTS(
		VARIANT(V_IPC_SET, ARGS(ARG(arg, PTR_TO(semid64_ds_set)))),
		VARIANT(V_IPC_STAT, ARGS(OUT(arg, PTR_TO(semid64_ds)))),
		VARIANT(V_SEM_STAT, ARGS(OUT(arg, PTR_TO(semid64_ds)))),
		VARIANT(V_SEM_STAT_ANY, ARGS(OUT(arg, PTR_TO(semid64_ds)))),
		VARIANT(V_IPC_INFO, ARGS(OUT(arg, PTR_TO(seminfo)))),
		VARIANT(V_SEM_INFO, ARGS(OUT(arg, PTR_TO(seminfo)))),
		OTHER_VARIANT(ARGS(ARG(arg, ADDR)))));

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

STRUCTURE_UNNAMED(msgbuf,
	FIELD(mtype, KLONG, DEC),
	MEMBER(mtext, DATA(ARGV(2))));

SYSCALL(msgget, TRACE_IPC, ARGS(
	ARG(key, KEY),
	ARG(msgflg, GET_FLAGS(ipc_get_flags))));

SYSCALL(msgsnd, TRACE_IPC, ARGS(
	ARG(msqid, DEC),
	ARG(msgp, PTR_TO(msgbuf)),
	ARG(msgsz, SIZE),
	ARG(msgflg, FLAGS(msg_flags))));

SYSCALL(msgrcv, TRACE_IPC, ARGS(
	ARG(msqid, DEC),
	OUT(msgp, PTR_TO(msgbuf)),
	ARG(msgsz, SIZE),
	ARG(msgtyp, SSIZE),
	ARG(msgflg, FLAGS(msg_flags))),
	.returns = SSIZE);

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
	ARG(mode, UMODE, .when = IF_ANY_BIT(ARGV(1), V_O_CREAT)),
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
	ARG(sevp, PTR_TO(sigevent))));

SYSCALL(mq_getsetattr, TRACE_DESC, ARGS(
	ARG(mqdes, FD),
	ARG(newattr, PTR_TO(mq_attr)),
	OUT(oldattr, PTR_TO(mq_attr))));
