/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints the tables of processes, in the format that is asked for.
 */
#ifndef HEAP_PRINT_H
#define HEAP_PRINT_H

#include <stdio.h>

#include "table.h"

/* One table: columns, and what they are called in formats for programs. */
extern const char *const column_names[COLUMN_COUNT];

struct format {
	const char *name;
	/* Around all processes; may be NULL. */
	void (*begin)(FILE *out);
	void (*process)(FILE *out, const struct heap_file *file,
			const struct table *table, enum column sort,
			bool first);
	void (*end)(FILE *out);
};

/* The last one has no name. */
extern const struct format formats[];

#endif
