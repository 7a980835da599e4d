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
extern const struct structure structure_itimerval;
extern const struct structure structure_itimerspec;
extern const struct structure structure_itimerspec64;

/* file.c */
extern const struct structure structure_iovec;
extern const struct structure structure_stat;
extern const struct structure structure_flock;
extern const struct structure structure_flock64;

/* Pointers to times, and vectors of buffers that a call only names. */
#define TIMESPEC	PTR_TO(timespec)
#define TIMESPEC64	PTR_TO(timespec64)
#define TIMEVAL		PTR_TO(timeval)

/*
 * signal.c: a set of signals as an object in memory, as large as the kernel's
 * (8 bytes); PTR(SIGSET) is an argument that points to one.
 */
extern const struct type type_sigset;
#define SIGSET	(&type_sigset)

#endif
