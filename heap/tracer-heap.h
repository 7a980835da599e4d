/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a counted program can ask about itself.  The functions are in the
 * library that was preloaded, so a program has to look them up with dlsym():
 * it runs without them as well.
 *
 * A location is all that one line allocates, or one call in machine code.
 * None of these functions may be called by several threads at once.
 */
#ifndef TRACER_HEAP_H
#define TRACER_HEAP_H

#include <stddef.h>
#include <stdint.h>

struct tracer_heap_location {
	uint64_t id;
	uint64_t allocations, bytes, frees, freed;
	/*
	 * Collections of garbage that the freed blocks have lived through:
	 * their sum, and the most.
	 */
	uint64_t generations, generations_max;
};

struct tracer_heap_block {
	uint64_t address, size;
	uint64_t generation;	/* collections before it was allocated */
};

/*
 * Fills in the first room of the locations, in no order; how many there are.
 * Counts are those since the last reset.
 */
size_t tracer_heap_locations(struct tracer_heap_location *list, size_t room);

/* The name of a location, as snprintf() would write it. */
size_t tracer_heap_name(uint64_t id, char *text, size_t size);

/* The location of a name; 0: there is none. */
uint64_t tracer_heap_find(const char *name);

/*
 * Fills in the first room of a location's blocks that are alive; how many
 * there are.  They are found by a look at all memory.
 */
size_t tracer_heap_blocks(uint64_t id, struct tracer_heap_block *list,
			  size_t room);

/* Bytes that were allocated and freed since the last reset. */
void tracer_heap_totals(uint64_t *allocated, uint64_t *freed);

/* Begins at zero; what tracer-heap reports is still of the whole time. */
void tracer_heap_reset(void);

/* The calling thread is quiet, or no longer; that may be nested. */
void tracer_heap_quiet(int change);

/* A collection begins, and is the count'th. */
void tracer_heap_collects(uint32_t count);

/*
 * Writes a line for each location that has allocated more than min bytes:
 * bytes, allocations, name.
 */
void tracer_heap_dump(int fd, uint64_t min);

#endif
