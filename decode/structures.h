/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures and types that the descriptions of several subjects share.
 * Each is defined in the subject that it belongs to.
 */
#ifndef TRACER_DECODE_STRUCTURES_H
#define TRACER_DECODE_STRUCTURES_H

#include "decode/type.h"

/* time.c */
extern const struct structure structure_timespec;	/* the ABI's long */
extern const struct structure structure_timespec64;	/* on every ABI */
extern const struct structure structure_timeval;
extern const struct structure structure_timex_timeval64; /* on every ABI */
extern const struct structure structure_itimerval;
extern const struct structure structure_itimerspec;
extern const struct structure structure_itimerspec64;
extern const struct structure structure_sigevent;

/* A sigevent's members; what the kernel reads behind them means nothing. */
uint64_t sigevent_size(struct decoder *d);
#define SIGEVENT	PTR(STRUCT_SIZED(sigevent, 0, CALC(sigevent_size)))

/* file.c */
extern const struct structure structure_iovec;		/* data in memory */
extern const struct structure structure_iovec_read;	/* filled by a call */
extern const struct structure structure_iovec_address;	/* addresses only */
extern const struct structure structure_stat;
extern const struct structure structure_flock;
extern const struct structure structure_flock64;

/* Pointers to times, and vectors of buffers that a call only names. */
#define TIMESPEC	PTR_TO(timespec)
#define TIMESPEC64	PTR_TO(timespec64)
#define TIMEVAL		PTR_TO(timeval)

/* Vectors of buffers: IOVEC(ARGV(2)), count from what stands there. */
#define IOVEC(...)		PTR(ARRAY(STRUCT(iovec), __VA_ARGS__))
#define IOVEC_ADDRESS(...)	PTR(ARRAY(STRUCT(iovec_address), __VA_ARGS__))
/* The same as a LATE argument: RESULT bytes were read into them. */
#define IOVEC_READ(...)							\
	SELECT(CALC(decode_failed),					\
	       CHOICE(1, IOVEC_ADDRESS(__VA_ARGS__)),			\
	       OTHERWISE(SHARED_PTR(ARRAY(STRUCT(iovec_read), __VA_ARGS__), \
				    RESULT)))

/*
 * signal.c: a set of signals as an object in memory, as large as the kernel's
 * (8 bytes); PTR(SIGSET) is an argument that points to one.
 */
extern const struct type type_sigset;
#define SIGSET	(&type_sigset)
/* SELECT(size, SIGSET_SIZES): one of 8 bytes, or of 4 on i386 and x32. */
extern const struct type type_sigset_word;
#define SIGSET_SIZES							\
	CHOICE(8, PTR(SIGSET)), CHOICE(4, PTR(&type_sigset_word)),	\
	OTHERWISE(ADDR)
/* Likewise a siginfo, of which decode_siginfo shows what its code means. */
extern const struct type type_siginfo;
#define SIGINFO	(&type_siginfo)

/* Times in the unit of times(), with what that is in seconds. */
enum { USER_HZ = 100 };
void print_clock_ticks(struct decoder *d, const struct type *type,
		       uint64_t value);
#define CLOCK_TICKS(ctype_)	SCALAR(print_clock_ticks, ctype_)

/* A member structure without braces of its own. */
#define BARE(id_)							\
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_,	\
	     .flags = TYPE_BARE)

/* sched.c: the priority of input and output; base: of the bare number */
void print_ioprio(struct decoder *d, const struct type *type, uint64_t value);
#define PRIORITY(ctype_, base_)						\
	TYPE(.kind = KIND_SCALAR, .ctype = (ctype_),			\
	     .print = print_ioprio, .number = (base_))

/* process.c */
extern const struct structure structure_user_desc;

/* sched.c */
extern const struct structure structure_rusage;

/* bpf_filter.c: programs that filter packets, and system calls */
extern const struct structure structure_sock_fprog;
extern const struct structure structure_seccomp_fprog;

#endif
