/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What unwinding knows of an address space: which modules are where, the
 * places met so far, the last stacks of its threads.  For unwind.c; back ends
 * ask through unwind-backend.h.
 */
#ifndef TRACER_UNWIND_SPACE_H
#define TRACER_UNWIND_SPACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "unwind-backend.h"

/* A frame of a remembered stack. */
struct past_frame {
	struct frame_state state;
	struct frame frame;
	const struct site *site;	/* NULL: in no module */
	size_t first_word;	/* of those read to get to its caller */
};

struct past_word {
	uint64_t address, value;
};

/*
 * The last stack of a thread.  How it goes on from a frame follows from the
 * registers there and the words read from there on: so when a new stack comes
 * to a frame with the same registers, and the words are still the same, then
 * the rest is the same.
 */
struct past_stack {
	pid_t tid;		/* 0: none */
	uint64_t used;		/* a clock: the oldest one is replaced */
	const struct unwind_arch *arch;
	struct past_frame *frames;
	size_t count, capacity;
	struct past_word *words;
	size_t word_count, word_capacity;
	bool whole;		/* its last frame is the outermost */
	const char *error;	/* why there is no more, or NULL */
	bool unreliable;	/* memory was short for its words */
};

/*
 * Brings what is known in line with the mappings.  False: memory is short.
 * The past stacks are forgotten if anything was lost.
 */
bool unwind_space_update(struct walk *walk);

/*
 * The past stack of the walk's thread, and an empty one to fill; they change
 * places with unwind_space_keep.
 */
bool unwind_space_stacks(struct walk *walk, struct past_stack **past,
			 struct past_stack **now);
void unwind_space_keep(struct walk *walk, struct past_stack *now);

void unwind_space_free(struct space *space);

extern uint64_t unwind_space_places, unwind_space_contexts,
	unwind_space_losses;

#endif
