/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What unwind.c and its back ends have in common.  A back end goes from one
 * frame's registers to its caller's.  What a frame is called, where a walk
 * begins, and what to do where there are no rules is not its concern.
 */
#ifndef TRACER_UNWIND_BACKEND_H
#define TRACER_UNWIND_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/cfi.h"
#include "unwind-arch.h"
#include "unwind.h"

struct module;
struct site;
struct walk;

/* A piece of executable memory. */
struct code {
	uint64_t start, end;
	uint64_t file_offset;		/* of start */
	uint64_t inode;
	uint32_t dev_major, dev_minor;
	const char *path;		/* interned; NULL: of no file */
	struct module *module;		/* held; NULL: not an ELF file */
	uint64_t bias;			/* of the module's addresses */
	uint64_t low, high;		/* of the whole module */
};

/* What is known of an address of a space. */
struct code_place {
	uint64_t address;
	const struct code *code;	/* NULL: in no executable memory */
	const struct site *site;	/* may be there without a module, too:
					 * then it has a name, but no rules */
	const char *module;		/* what that is called, or NULL */
	uint32_t looks;			/* in vain, if code is NULL */
};

/* The state of a frame. */
struct frame_state {
	struct registers regs;
	/*
	 * The program counter, but one less if that is a return address: it
	 * lies in the calling instruction, where the rules are to be taken
	 * from.
	 */
	uint64_t address;
	/* Nothing was lost: the innermost frame, or one that a signal hit. */
	bool complete;
	/* Nobody called it: a switch of stacks leads to its first instruction,
	 * which address is. */
	bool entered;
};

/* A walk along a stack. */
struct walk {
	struct space *space;
	pid_t tid;
	const struct unwind_arch *arch;
	struct view *view;
	bool source;		/* places are to have source lines */
	bool stale;		/* the walk is over: the mappings changed */
};

/*
 * The place of an address, valid until the next call.  NULL: memory is short,
 * or the walk is over, because the mappings turned out not to be what they
 * were.
 */
const struct code_place *walk_place(struct walk *walk, uint64_t address);

/* A word of the tracee's memory. */
bool walk_read(struct walk *walk, uint64_t address, uint64_t *value);

/* All executable memory of the space that is known so far. */
size_t walk_code_count(const struct walk *walk);
const struct code *walk_code(const struct walk *walk, size_t index);
/* Another number than before if some of it is no longer there. */
uint64_t walk_code_losses(const struct walk *walk);

enum walk_end {
	WALK_OUTERMOST,		/* the last frame has no caller */
	WALK_STOPPED,		/* it was not to go on */
	WALK_LOST,		/* it does not know how to go on */
};

/* Receives a caller's registers; false: do not go on. */
typedef bool walk_frame_fn(void *context, const struct registers *regs);

struct unwind_backend {
	const char *name;
	enum unwinder id;
	/* Whether it can walk stacks of that machine. */
	bool (*knows)(const struct unwind_arch *arch);
	/*
	 * Walks outwards from a frame; tells its callers, not itself.  What it
	 * keeps is in space->unwind_context[id].
	 */
	enum walk_end (*walk)(struct walk *walk,
			      const struct frame_state *from,
			      walk_frame_fn *frame, void *context);
	/* Frees what it keeps of a space. */
	void (*forget)(struct space *space);
};

extern const struct unwind_backend unwind_cfi, unwind_libdw, unwind_libunwind;

#endif
