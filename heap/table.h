/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of a process: what its state file holds, one row for each
 * location, sorted and cut.  It knows nothing of how rows are printed.
 */
#ifndef HEAP_TABLE_H
#define HEAP_TABLE_H

#include "locate.h"

enum column {
	COLUMN_BYTES,
	COLUMN_ALLOCATIONS,
	COLUMN_FREES,
	COLUMN_LIVE_BYTES,
	COLUMN_LIVE_BLOCKS,
	COLUMN_MEAN_LIFE,
	COLUMN_MAX_LIFE,
	COLUMN_COUNT
};

/* Lives are in bytes that the process allocated meanwhile. */
struct row {
	enum heap_kind kind;
	struct location location;
	uint64_t value[COLUMN_COUNT];
	uint64_t freed;
	uint64_t life;		/* sum */
	uint32_t first_site, last_site;	/* a list: table->next_site */
	size_t first_stack, stack_count;	/* in table->stacks */
};

/*
 * A part of a row: what was allocated with one stack.  The parts of a row come
 * to the whole, as far as numbers can be added; with samples, they are shares
 * in the proportion of those.
 */
struct stack_row {
	uint32_t site;
	uint32_t stack;		/* 0: nothing but the site is known */
	uint64_t value[COLUMN_COUNT];
};

struct table {
	struct row *rows;
	size_t count;
	size_t hidden;		/* rows that were cut */
	struct row totals[HEAP_KINDS];	/* by kind, of hidden ones as well */
	struct row inherited;	/* frees of blocks of the parent's */
	uint32_t *next_site;	/* of the same row, up to its last one */
	struct stack_row *stacks;	/* of the rows that are left */
	size_t stack_count;
	bool has_stacks;	/* some of them are more than a place */
	struct located *located;	/* frames that have been */
	/* Values are what has grown since, and may be negative. */
	bool is_growth;
	double seconds;		/* if that is known: how long it took */
};

/* False: memory is short. */
bool table_make(struct table *table, const struct heap_file *file,
		enum column sort, uint64_t min);
void table_free(struct table *table);

/*
 * What has grown from one table to another, which have no minimum.  There are
 * no stacks in it.
 */
bool table_growth(struct table *growth, const struct table *before,
		  const struct table *after, enum column sort, uint64_t min);

/* Keeps those locations whose live bytes have grown in another one as well. */
void table_keep_growing(struct table *growth, const struct table *step);

/* The frames of a stack, innermost first: how many; at most limit are told. */
size_t table_frames(const struct table *table, const struct heap_file *file,
		    const struct stack_row *stack, struct location *frames,
		    size_t limit);

#endif
