/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source lines: which file and line an address of an ELF file was compiled
 * from.  libdw reads them; a build without it knows none.
 */
#ifndef TRACER_SOURCE_H
#define TRACER_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/elf-file.h"

struct source;

#ifdef HAVE_LIBDW

/*
 * Opens the DWARF of a file; the file must stay open.  NULL: it has none.
 */
struct source *source_open(const struct elf_file *elf);
void source_close(struct source *source);

/* The interned name of the source file, and the line; false: not known. */
bool source_find(struct source *source, uint64_t address, const char **file,
		 unsigned *line);

#else

static inline struct source *source_open(const struct elf_file *elf)
{
	(void)elf;
	return NULL;
}

static inline void source_close(struct source *source)
{
	(void)source;
}

static inline bool source_find(struct source *source, uint64_t address,
			       const char **file, unsigned *line)
{
	(void)source;
	(void)address;
	(void)file;
	(void)line;
	return false;
}

#endif

#endif
