/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Modules: the ELF files that tracees have mapped.  A file is opened and
 * parsed once in a run, however many processes map it, and what has been
 * found out about a place in it is kept.
 *
 * It knows files, not stacks; and how to find a file, which may be deleted,
 * replaced by another, or be in another mount namespace.
 */
#ifndef TRACER_MODULE_H
#define TRACER_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi.h"
#include "symbols/elf-file.h"
#include "symbols/source.h"

struct mapping;
struct space;
struct view;
struct module;

/* What is known about an address of a file: found out once. */
struct site {
	uint64_t address;	/* of the ELF file */
	const char *symbol;	/* demangled, interned; NULL: none */
	uint64_t symbol_offset;
	const char *file;	/* of the source line, interned; or NULL */
	unsigned line;
	bool has_source;	/* file and line have been looked for */
	uint8_t inlined_count;	/* functions, innermost first, that the line */
	struct inlined *inlined;	/* lies in */
	uint8_t rules;		/* enum cfi_result */
	const struct cfi_row *row;	/* if CFI_FOUND */
};

/*
 * The module that is mapped there, which the caller then holds; NULL if it is
 * no ELF file or cannot be read.  view reads the memory of a thread of space.
 */
struct module *module_open(struct space *space, const struct mapping *mapping,
			   struct view *view);
/*
 * The module of an object that a JIT compiler has registered, from a copy of
 * its bytes, for the caller to hold, and where its code is.  Its addresses are
 * those in memory.  NULL: it is none, has no code, or memory is short.
 */
struct module *module_open_object(const uint8_t *bytes, size_t size,
				  uint64_t *start, uint64_t *end);
void module_hold(struct module *module);
void module_release(struct module *module);
/* Frees all modules, held or not. */
void module_fini(void);

const struct elf_file *module_elf(const struct module *module);
/* The separate debug file, looked for at the first call; NULL: none. */
const struct elf_file *module_debug_elf(struct module *module);
/* Hexadecimal, interned; NULL: it has none. */
const char *module_build_id(const struct module *module);

/*
 * Where in the file a JIT compiler tells debuggers of its objects; false:
 * there is none in it.
 */
bool module_jit_descriptor(struct module *module, uint64_t *address);

/*
 * What is to be added to the file's addresses to get those in memory, if
 * mapping is of the module.
 */
bool module_bias(const struct module *module, const struct mapping *mapping,
		 uint64_t *bias);

/*
 * The site of an address of the file, with source if that is asked for.  It
 * lives as long as the module is held.  NULL: memory is short.
 */
const struct site *module_site(struct module *module, uint64_t address,
			       bool source);

/* NULL: the file has no call frame information. */
struct cfi *module_cfi(struct module *module);

/* Something that a back end keeps with a module, and how it is freed. */
struct module_extra {
	void *data;
	void (*free)(void *data);
};
struct module_extra *module_extra(struct module *module);

/* Counters of the run. */
extern uint64_t module_opens, module_shares, module_sites;

#endif
