/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ELF objects that a JIT compiler has registered for debuggers.  Many are
 * relocatable: their sections tell where they were loaded, but symbols and
 * .eh_frame have not been relocated.  This makes them files like any other,
 * with addresses as they are in memory.
 */
#ifndef TRACER_JIT_OBJECT_H
#define TRACER_JIT_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf-file.h"

/*
 * Opens an object from a copy of its bytes and tells where its code is.
 * False: it is none, has no code, or memory is short.
 */
bool jit_object_open(struct elf_file *elf, const uint8_t *bytes, size_t size,
		     uint64_t *start, uint64_t *end);

#endif
