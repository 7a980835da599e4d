/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The symbol table of an ELF file: which symbol an address belongs to.  The
 * choice is the one that elfutils makes, so that every back end prints the
 * names that people know from there.
 */
#ifndef TRACER_SYMBOLS_H
#define TRACER_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf-file.h"

struct symbols;

/* Whether the file has the full table, .symtab. */
bool symbols_full(const struct elf_file *elf);

/*
 * Reads the best table that the file has: .symtab, else .dynsym, else what
 * the dynamic segment points to.  The file must stay open.  NULL: none, or
 * memory is short.
 */
struct symbols *symbols_load(const struct elf_file *elf);
void symbols_free(struct symbols *symbols);

/*
 * The name of the symbol that address (of the ELF file) belongs to, as it is
 * in the file, and how far into it; or NULL.  It lasts until the next call.
 */
const char *symbols_find(struct symbols *symbols, uint64_t address,
			 uint64_t *offset);

/*
 * The same, if a file has two tables: the one in .gnu_debugdata leaves out
 * what .dynsym has.  Either may be NULL.
 */
const char *symbols_find_in_both(struct symbols *one, struct symbols *other,
				 uint64_t address, uint64_t *offset);

/*
 * The name as people write it: C++ and Rust names demangled, interned.  The
 * version behind an "@" stays.
 */
const char *symbols_demangle(const char *name);

#endif
