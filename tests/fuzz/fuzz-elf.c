/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A libFuzzer target: an ELF file made of the fuzzer's bytes is opened, its
 * symbols, unwind rules, lines and inlined functions are looked up at many
 * addresses, and its notes are searched; then the same in what is embedded in
 * it, and as a JIT compiler's object.  What must hold is the sanitizers'
 * silence, and that it ends.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/cfi.h"
#include "symbols/debug-file.h"
#include "symbols/elf-file.h"
#include "symbols/jit-object.h"
#include "symbols/lookup.h"
#include "symbols/source.h"
#include "symbols/symbols.h"

/* Addresses of an executable segment, and some around it. */
static void look_up(const struct elf_file *elf, struct symbols *symbols,
		    struct cfi *cfi)
{
	for (size_t i = 0; i < elf->segment_count && i < 16; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];
		uint64_t step = segment->p_memsz / 64 + 1;

		for (uint64_t j = 0; j < 70; j++) {
			uint64_t address = segment->p_vaddr + j * step;
			const struct cfi_row *row;
			const char *name;
			uint64_t offset;

			name = symbols ? symbols_find(symbols, address,
						      &offset) : NULL;
			if (name)
				symbols_demangle(name);
			if (cfi)
				cfi_find(cfi, address, &row);
		}
	}
}

static void look_up_source(const struct elf_file *elf)
{
	struct source *source = source_is_in(elf) ? source_open(elf) : NULL;

	for (size_t i = 0; source && i < elf->segment_count && i < 16; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];

		for (uint64_t j = 0; j < 16 && segment->p_flags & PF_X; j++) {
			uint64_t address = segment->p_vaddr +
				j * (segment->p_memsz / 15);
			struct inlined inlined[8];
			const char *file;
			unsigned line;

			source_find(source, address, &file, &line);
			source_inlined(source, address, inlined, 8);
		}
	}
	source_close(source);
}

/* All that is asked of an open file, which is then closed. */
static void examine(struct elf_file *elf)
{
	uint8_t id[64];
	size_t id_size = sizeof(id);
	uint64_t address;

	elf_note(elf, "GNU", NT_GNU_BUILD_ID, id, &id_size);
	lookup_data(elf, "__jit_debug_descriptor", &address);

	struct symbols *symbols = symbols_load(elf);
	/* It may be a debug file, too: its own. */
	struct cfi *cfi = cfi_load(elf, elf);
	struct cfi_tables tables;

	look_up(elf, symbols, cfi);
	if (cfi && cfi_tables(cfi, &tables)) {
		for (int64_t at = -9; at < 64; at += 3) {
			cfi_frame_word(cfi, at);
			cfi_table_word(cfi, at);
			cfi_frame_word(cfi, tables.size - at);
			cfi_table_word(cfi, tables.table_size - at);
		}
	}
	cfi_free(cfi);
	symbols_free(symbols);
	look_up_source(elf);
	elf_close(elf);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size + 1);
	struct elf_file elf, embedded;
	uint64_t start, end;

	if (!copy)
		return 0;
	memcpy(copy, bytes, size);
	if (elf_open_memory(&elf, copy, size)) {
		if (debug_file_open_embedded(&elf, &embedded))
			examine(&embedded);
		examine(&elf);
	}
	if (jit_object_open(&elf, bytes, size, &start, &end))
		examine(&elf);
	return 0;
}
