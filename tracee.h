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
#include "unwind.h"

/* What is known about one memory map; subscribers hang their state here. */
struct space {
	unsigned refs;		/* threads living in it */
	pid_t pid;		/* a thread of it: names /proc/PID/maps */
	uint64_t id;		/* never reused */
	struct mmap_cache *mmap_cache;		/* of mmap_cache.c, or NULL */
	void *unwind_context[UNWINDER_COUNT];	/* of each back end, or NULL */
};

enum tracee_where {
	OUTSIDE_CALL,
	INSIDE_CALL,		/* entry seen, exit not yet */
};

struct tracee {
	struct tracee *next;		/* in the hash chain */
	pid_t tid, tgid;
	struct space *space;
	const struct abi *abi;
	struct view view;
	struct sink *sink;
	struct decoder decoder;
	struct frame_list stack;	/* captured at entry, shown at exit */

	enum tracee_where where;
	bool attached;			/* by -p, not started by us */
	bool expecting_stop;		/* PTRACE_EVENT_STOP not yet seen */
	bool filtered;			/* this call is not shown */
	bool staged;			/* its end decides whether it is */
	bool in_group_stop;
	bool known_by_parent;		/* CLONE/FORK/VFORK event seen */
	struct sysent call;		/* of the call in progress */
	char call_name[SYSENT_NAME_SIZE];
	struct timespec call_start;	/* CLOCK_MONOTONIC, -T */
	struct timespec system_start;	/* CPU time at entry, -c */
	uint64_t clone_flags;		/* of a fork-like call in progress */
	char comm[16];			/* -Y; empty: to be read */
};

/* Every function returns NULL if memory is short or there is no such. */
struct tracee *tracee_add(pid_t tid);
struct tracee *tracee_find(pid_t tid);
void tracee_remove(struct tracee *tracee);
size_t tracee_count(void);
/* Calls fn for every tracee; fn may remove the one that it is given. */
void tracee_for_each(void (*fn)(struct tracee *, void *), void *context);
/* After an exec by another thread of its process: the thread's id changes. */
void tracee_rename(struct tracee *tracee, pid_t tid);

/* A new space with one reference, or one more reference to an old one. */
struct space *space_new(pid_t pid);
struct space *space_get(struct space *space);
/* Drops a reference; the last one publishes MAP_CHANGE_GONE. */
void space_put(struct space *space);

#endif
