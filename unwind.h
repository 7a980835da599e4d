/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stack unwinding: the front end above the back ends.  It owns what they have
 * in common: symbols, demangling, source lines, the frame limit.
 */
#ifndef TRACER_UNWIND_H
#define TRACER_UNWIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tracee;
struct space;

enum unwinder {
	UNWINDER_CFI,
	UNWINDER_LIBDW,
	UNWINDER_LIBUNWIND,
	UNWINDER_COUNT
};

/*
 * One frame.  The strings live until the run's end.
 *
 * A step of the walk gives a native frame.  Which frames are shown for it is
 * decided when the walk is over, by list_frame in unwind.c: one, or those of
 * the functions that were inlined there and then its own.  That is also where
 * the frames of a language's runtime come in: what an interpreter's function
 * executes is shown before it, or instead of it.  For that, it has all that a
 * native frame has, with a symbol of the language and its file and line; and
 * the site that the frame was found at tells whether it is an interpreter's.
 */
struct frame {
	uint64_t address;	/* the return address minus one, but for the
				 * innermost and for signal frames: what lies
				 * in the calling line */
	uint64_t offset;	/* of address in the module (its ELF address) */
	const char *module;	/* path; NULL: in no known file */
	const char *build_id;	/* hexadecimal, or NULL */
	const char *symbol;	/* demangled; NULL: none */
	uint64_t symbol_offset;
	const char *file;	/* of the source line, or NULL */
	unsigned line;
	bool inlined;		/* into the next one */
	bool uncertain;		/* found by a frame pointer, without rules */
	const char *error;	/* instead of all: why the walk ended */
};

struct frame_list {
	struct frame *frames;
	size_t count, capacity;
};

struct unwind_options {
	bool source;		/* -kk: file and line */
	bool inlined;		/* and inlined functions */
	bool debuginfod;	/* servers are asked for debug files */
	unsigned frame_limit;	/* 256 */
};

/* The back ends of this build, default first; NULL ends the list. */
extern const char *const unwinder_names[];

/*
 * Chooses a back end by name (NULL: the default) and subscribes to
 * mmap_notify.  Returns NULL, or why not (a static text).
 */
const char *unwind_init(const char *name, const struct unwind_options *opts);
void unwind_fini(void);

/*
 * Takes the stack of a stopped tracee into list (which it empties first).
 * Never fails: what goes wrong becomes a frame with an error.
 */
void unwind_capture(struct tracee *tracee, struct frame_list *list);

void frame_list_free(struct frame_list *list);

/* What has been done since the start, for tests and the debug option. */
struct unwind_counters {
	uint64_t stacks;	/* captured */
	uint64_t frames;	/* in them */
	uint64_t reused_frames;	/* taken from the thread's last stack */
	uint64_t places;	/* addresses looked up: not found in the cache */
	uint64_t contexts;	/* made, one for an address space */
	uint64_t invalidations;	/* times a context lost something */
	uint64_t map_reads;	/* of /proc/PID/maps */
	uint64_t modules;	/* files opened and parsed */
	uint64_t shared_modules;	/* mapped, and open already */
	uint64_t restarts;	/* walks begun again */
	uint64_t handed_over;	/* by our own back end to a library's */
};

void unwind_get_counters(struct unwind_counters *counters);

#endif
