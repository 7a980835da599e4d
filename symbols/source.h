/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source lines: which file and line an address of an ELF file was compiled
 * from, and through which functions that were put into others.  libdw reads
 * that; a build without it knows nothing.
 */
#ifndef TRACER_SOURCE_H
#define TRACER_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf-file.h"

struct source;

/* A function that the compiler put into its caller. */
struct inlined {
	const char *function;	/* demangled, interned; NULL: not known */
	uint64_t start;		/* of this copy of it */
	const char *call_file;	/* where it is called; or NULL */
	unsigned call_line;
};

#ifdef HAVE_LIBDW

/* Whether the file has what source_open wants. */
bool source_is_in(const struct elf_file *elf);

/*
 * Opens the DWARF of a file; the file must stay open.  NULL: it has none, or
 * lacks the file that it has parts of it in common with others in.
 */
struct source *source_open(const struct elf_file *elf);
void source_close(struct source *source);

/* The interned name of the source file, and the line; false: not known. */
bool source_find(struct source *source, uint64_t address, const char **file,
		 unsigned *line);

/*
 * The inlined functions that address is in, innermost first: at most max.
 * Returns how many.
 */
size_t source_inlined(struct source *source, uint64_t address,
		      struct inlined *inlined, size_t max);

#else

static inline bool source_is_in(const struct elf_file *elf)
{
	(void)elf;
	return false;
}

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

static inline size_t source_inlined(struct source *source, uint64_t address,
				    struct inlined *inlined, size_t max)
{
	(void)source;
	(void)address;
	(void)inlined;
	(void)max;
	return 0;
}

#endif

#endif
