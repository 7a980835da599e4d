/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The memory that a walk reads: the stack from the stack pointer on in large
 * blocks, all else through the tracee's view.  It notes what was read, for the
 * next walk to see whether that has changed.
 */
#ifndef TRACER_UNWIND_MEMORY_H
#define TRACER_UNWIND_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "unwind-space.h"

/*
 * Begins a walk at stack pointer sp; top is how far the last one came, or 0.
 * Reads are noted in the stack `notes`.
 */
void unwind_memory_begin(struct walk *walk, uint64_t sp, uint64_t top,
			 struct past_stack *notes);

/*
 * From now on the walk is in a frame with that stack pointer: what lies below
 * is of frames that have been passed.
 */
void unwind_memory_pass(uint64_t sp);

/* How many words, counted from the last one, are what they were. */
size_t unwind_memory_unchanged(struct walk *walk,
			       const struct past_stack *past);

#endif
