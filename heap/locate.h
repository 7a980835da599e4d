/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names the places of a state file: function, source file and line, with the
 * symbols and debug information that stack traces use.
 */
#ifndef HEAP_LOCATE_H
#define HEAP_LOCATE_H

#include "read.h"

struct location {
	const char *module;	/* path, or NULL; these strings are interned */
	const char *function;	/* or NULL */
	const char *file;	/* or NULL */
	unsigned line;
	uint64_t offset;	/* into the function, else into the module */
};

void locate(const struct heap_file *file, const struct heap_site *site,
	    struct location *location);

/* Forgets all modules; the strings stay until intern_fini(). */
void locate_fini(void);

#endif
