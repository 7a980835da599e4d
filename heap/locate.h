/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names the places of a state file: function, source file and line.  Those of
 * machine code come from the symbols and debug information that stack traces
 * use; a language's are in the state.
 */
#ifndef HEAP_LOCATE_H
#define HEAP_LOCATE_H

#include "read.h"

struct location {
	const char *module;	/* path, or NULL; these strings are interned */
	const char *function;	/* or NULL */
	const char *file;	/* or NULL */
	unsigned line;		/* 0: none */
	uint64_t offset;	/* into the function, else into the module */
	enum heap_language language;
	bool unlocked;		/* HEAP_FRAME_UNLOCKED */
};

/* Of machine code, by the address that a call returns to. */
void locate_address(const struct heap_file *file, uint64_t address,
		    uint32_t module, struct location *location);
/* A frame by its index; of 0, nothing is known. */
void locate_frame(const struct heap_file *file, uint32_t frame,
		  struct location *location);
/* Its address, or the innermost frame of its stack. */
void locate_site(const struct heap_file *file, const struct heap_site *site,
		 struct location *location);

/* Forgets all modules; the strings stay until intern_fini(). */
void locate_fini(void);

#endif
