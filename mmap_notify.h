/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Publishes "the map of this address space has changed" to whoever
 * subscribed.  It knows no subscriber by name, and nothing of ptrace.
 */
#ifndef TRACER_MMAP_NOTIFY_H
#define TRACER_MMAP_NOTIFY_H

#include <stdbool.h>
#include <stdint.h>

struct space;

enum map_change_kind {
	MAP_CHANGE_UNKNOWN,	/* anything may have changed */
	MAP_CHANGE_MAP,		/* [start, end) is mapped anew */
	MAP_CHANGE_UNMAP,
	MAP_CHANGE_PROTECT,
	MAP_CHANGE_MOVE,	/* from old_start, old_end to start, end */
	MAP_CHANGE_BREAK,	/* start and end are the new break */
	MAP_CHANGE_ATTACH,	/* System V shared memory begins at start; how
				 * long it is is not known; nothing was there */
	MAP_CHANGE_DETACH,	/* that which begins at start is gone */
	MAP_CHANGE_EXEC,	/* the space is new, with a new program; the
				 * thread has left its old one to others */
	MAP_CHANGE_GONE,	/* the address space ceases to exist */
};

struct map_change {
	enum map_change_kind kind;
	uint64_t start, end;
	uint64_t old_start, old_end;
	int protection;		/* MAP, PROTECT, ATTACH: PROT_EXEC and so on */
};

typedef void mmap_notify_fn(void *context, struct space *space,
			    const struct map_change *change);

/* Subscribes for the rest of the run.  Returns false if memory is short. */
bool mmap_notify_subscribe(mmap_notify_fn *notify, void *context);

/* Tells all subscribers, in the order of their subscription. */
void mmap_notify_publish(struct space *space,
			 const struct map_change *change);

/* Whether anybody listens: if not, changes need not be looked for. */
bool mmap_notify_wanted(void);

#endif
