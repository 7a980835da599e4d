/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Copies of ELF files whose sections are not compressed, for libraries that
 * cannot decompress them.
 */
#ifndef TRACER_INFLATE_H
#define TRACER_INFLATE_H

#include <stdbool.h>

#include "symbols/elf-file.h"

/* Whether a section is compressed in another way than with zlib. */
bool inflate_needed(const struct elf_file *elf);

/*
 * Opens a copy in memory.  A section that cannot be decompressed stays as it
 * is.  False: memory is short, or the file is too large.
 */
bool inflate_copy(const struct elf_file *elf, struct elf_file *copy);

#endif
