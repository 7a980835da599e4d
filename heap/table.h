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
};

struct table {
	struct row *rows;
	size_t count;
	size_t hidden;		/* rows that were cut */
	struct row totals[HEAP_KINDS];	/* by kind, of the hidden ones as well */
	struct row inherited;	/* frees of blocks of the parent's */
};

/* False: memory is short. */
bool table_make(struct table *table, const struct heap_file *file,
		enum column sort, uint64_t min);
void table_free(struct table *table);

#endif
