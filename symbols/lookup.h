/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From a name to its address in an ELF file: for the few names that debuggers
 * look for.  It reads all of the tables, and keeps nothing.
 */
#ifndef TRACER_LOOKUP_H
#define TRACER_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

#include "symbols/elf-file.h"

/* The address of the data that the file defines by this name, or false. */
bool lookup_data(const struct elf_file *elf, const char *name,
		 uint64_t *address);

#endif
