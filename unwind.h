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
struct module;

enum unwinder {
	UNWINDER_LIBDW,
	UNWINDER_LIBUNWIND,
	UNWINDER_COUNT
};

/*
 * One frame.  Strings belong to the front end's caches and live until the
 * run's end.
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
	bool inlined;
	const char *error;	/* instead of all: why the walk ended */
};

struct frame_list {
	struct frame *frames;
	size_t count, capacity;
};

struct unwind_options {
	enum unwinder unwinder;
	bool source;		/* -kk: file and line */
	unsigned frame_limit;	/* 256 */
};

/* The back ends of this build, default first; NULL ends the list. */
extern const char *const unwinder_names[];

/*
 * Chooses a back end by name (NULL: the default) and subscribes it to
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

/* ---- what a back end is ---- */

/* Receives raw program counters, innermost first; false: enough. */
typedef bool unwind_pc_fn(void *context, uint64_t pc, bool is_return_address);

struct unwind_backend {
	const char *name;
	enum unwinder id;
	/* Once per run, before all else: subscribes to mmap_notify. */
	bool (*init)(void);
	void (*fini)(void);
	/*
	 * Walks the stack of a stopped tracee.  The back end keeps what it
	 * knows of an address space in space->unwind_context[id].  Returns
	 * NULL, or why the walk ended early (a static text).
	 */
	const char *(*walk)(struct tracee *tracee, unwind_pc_fn *pc,
			    void *context);
};

extern const struct unwind_backend unwind_libdw, unwind_libunwind;

#endif
