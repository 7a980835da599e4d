/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads under trace, and the address spaces they live in.  A table by
 * thread id, with the life cycle of both: a space lives as long as a thread
 * in it does; threads of a process, and CLONE_VM children until they exec,
 * share one.
 */
#ifndef TRACER_TRACEE_H
#define TRACER_TRACEE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include "abi/abi.h"
#include "decode/decode.h"
#include "mem.h"
#include "procinfo.h"
#include "sysent.h"
#include "unwind.h"

/* What is known about one memory map; subscribers hang their state here. */
struct space {
	unsigned refs;		/* threads living in it */
	pid_t pid;		/* a thread of it: names /proc/PID/maps */
	uint64_t id;		/* never reused */
	bool has_strangers;	/* threads live in it that are not traced */
	struct mmap_cache *mmap_cache;		/* of mmap_cache.c, or NULL */
	struct unwind_space *unwind;		/* of unwind.c, or NULL */
	void *unwind_context[UNWINDER_COUNT];	/* of each back end, or NULL */
};

enum tracee_where {
	OUTSIDE_CALL,
	INSIDE_CALL,		/* entry seen, exit not yet */
};

struct tracee {
	struct tracee *next;		/* in the hash chain */
	pid_t tid, tgid;
	struct space *space;		/* NULL only while orphaned */
	const struct abi *abi;		/* of its latest call */
	struct view view;
	struct procinfo procinfo;
	struct sink *sink;		/* NULL: nothing is shown */
	struct stream *stream;		/* of its own (-ff), or NULL */
	struct decoder decoder;
	struct frame_list stack;	/* captured at entry, shown at exit */

	bool attached;			/* by -p, not started by us */
	bool expecting_stop;		/* its first stop has not been seen */
	/*
	 * A child that showed up before its parent's fork event: it waits,
	 * stopped, until it is known whose child it is.
	 */
	bool orphaned;
	int held_stop;			/* what it waits in */
	size_t queued;			/* trace.c: its event's place in the
					 * round, plus one; or 0 */

	/* The call in progress, or the latest one. */
	enum tracee_where where;
	bool launching;			/* still running the tracer's own code:
					 * nothing but its execve is shown */
	bool counted;			/* the call is one that -e trace= asks
					 * for: in the summary, at least */
	bool shown;			/* its beginning was told to the sink */
	bool ip_known;
	uint64_t ip;			/* at entry, or of a signal */
	uint64_t nr;			/* of the call as it was made; decoder's
					 * sysent may be one inside of it */
	struct sysent sysent;		/* of a number that nobody knows... */
	char sysent_name[SYSENT_NAME_SIZE];	/* ... and its made-up name */
	char comm[64];			/* -Y: as it was last seen */
	struct timespec call_start;	/* CLOCK_MONOTONIC */
	struct timespec system_time;	/* CPU time spent in the kernel */
	struct timespec system_start;	/* the same at the call's entry */

	/* report.c: its own stream is to be written out. */
	bool is_touched;
	struct tracee *next_touched;
};

/* Returns NULL if memory is short.  The thread is in no space yet. */
struct tracee *tracee_add(pid_t tid);
struct tracee *tracee_find(pid_t tid);
/* Frees it and all that it has, and leaves its space. */
void tracee_remove(struct tracee *tracee);
size_t tracee_count(void);
/* Calls fn for every tracee; fn may remove the one that it is given. */
void tracee_for_each(void (*fn)(struct tracee *, void *), void *context);
/*
 * After an exec by a thread that does not lead its process: it takes over the
 * leader's id, which must be free.
 */
void tracee_rename(struct tracee *tracee, pid_t tid);

/* A new space with one reference, NULL if memory is short. */
struct space *space_new(pid_t pid);
/* One more reference to an old one. */
struct space *space_get(struct space *space);
/* Drops a reference; the last one publishes MAP_CHANGE_GONE. */
void space_put(struct space *space);

#endif
