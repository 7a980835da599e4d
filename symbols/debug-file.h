/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Separate debug files: where the symbols and lines are that were stripped off
 * a file.
 */
#ifndef TRACER_DEBUG_FILE_H
#define TRACER_DEBUG_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf-file.h"

/*
 * Opens the debug file of the ELF file at path: by its build-id (hexadecimal,
 * or NULL), else by the name in its .gnu_debuglink, else from a server if such
 * are asked.  False: there is none.
 */
bool debug_file_open(const struct elf_file *elf, const char *path,
		     const char *build_id, struct elf_file *debug);

/*
 * Opens the file of that build-id (in binary) that several debug files have in
 * common: under the debug directory, else at path.
 */
bool debug_file_open_common(const char *path, const uint8_t *build_id,
			    size_t size, struct elf_file *common);

/* The symbols in .gnu_debugdata, which a file may have without .symtab. */
bool debug_file_open_embedded(const struct elf_file *elf,
			      struct elf_file *embedded);

#endif
