/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads the state file of a counted process, which may still be running, or
 * have ended in the middle of anything: the file may lie, so that whatever is
 * taken from it is checked.
 */
#ifndef HEAP_READ_H
#define HEAP_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state.h"

/*
 * A site with the sums over all threads, and over its samples.  If only samples
 * count, it is what they stand for.
 */
struct heap_total {
	const struct heap_site *site;
	uint64_t allocations, bytes, frees, freed, life, life_max;
};

struct heap_file {
	const struct heap_state *state;
	size_t size;		/* of what is mapped */
	int fd;
	uint64_t resident;	/* bytes; 0: not known */
	uint64_t taken;		/* when it was so, if that is known; ns */
	struct heap_total *totals;	/* index: site */
	size_t count;
	size_t sample_count;	/* of state->samples */
};

/* False: errno says why; EINVAL: it is no state file. */
bool heap_file_open(struct heap_file *file, const char *path);
void heap_file_close(struct heap_file *file);

/* By an index + 1, as sites and frames have it; NULL: none. */
const struct heap_module *heap_file_module(const struct heap_file *file,
					   uint32_t module);

/* By their indices; NULL: there is none of that index, or it is damaged. */
const char *heap_file_string(const struct heap_file *file, uint32_t at);
const struct heap_frame *heap_file_frame(const struct heap_file *file,
					 uint32_t index);
/* Its caller, if any, has a smaller index. */
const struct heap_stack *heap_file_stack(const struct heap_file *file,
					 uint32_t index);

#endif
