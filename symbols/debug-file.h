/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Separate debug files: where the symbols and lines are that were stripped off
 * a file.
 */
#ifndef TRACER_DEBUG_FILE_H
#define TRACER_DEBUG_FILE_H

#include <stdbool.h>

#include "symbols/elf-file.h"

/*
 * Opens the debug file of the ELF file at path: by its build-id (hexadecimal,
 * or NULL), else by the name in its .gnu_debuglink, else from a server if such
 * are asked.  False: there is none.
 */
bool debug_file_open(const struct elf_file *elf, const char *path,
		     const char *build_id, struct elf_file *debug);

#endif
