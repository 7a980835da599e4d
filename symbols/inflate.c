/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decompressed copies; see inflate.h.
 */
#include "symbols/inflate.h"

#include <stdlib.h>
#include <string.h>

enum {
	COPY_MAX = 1 << 30,	/* bytes */
	ALIGNMENT = 16,		/* of the sections at its end */
};

/* A copy that is being made. */
struct copy {
	uint8_t *bytes;
	size_t size;
};

bool inflate_needed(const struct elf_file *elf)
{
	for (size_t i = 1; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];
		uint32_t type;

		/* The type is what the header begins with in both classes. */
		if ((section->sh_flags & SHF_COMPRESSED) &&
		    elf_read(elf, section->sh_offset, &type, sizeof(type)) &&
		    type != ELFCOMPRESS_ZLIB)
			return true;
	}
	return false;
}

static uint64_t section_headers(const struct copy *copy, bool is64)
{
	Elf64_Ehdr wide;
	Elf32_Ehdr narrow;

	if (is64) {
		memcpy(&wide, copy->bytes, sizeof(wide));
		return wide.e_shoff;
	}
	memcpy(&narrow, copy->bytes, sizeof(narrow));
	return narrow.e_shoff;
}

/* Lets the header of section index tell of size bytes at offset. */
static void write_header(struct copy *copy, bool is64, size_t index,
			 uint64_t offset, uint64_t size)
{
	uint8_t *at = copy->bytes + section_headers(copy, is64);
	Elf64_Shdr wide;
	Elf32_Shdr narrow;

	if (is64) {
		at += index * sizeof(wide);
		memcpy(&wide, at, sizeof(wide));
		wide.sh_flags &= ~(uint64_t)SHF_COMPRESSED;
		wide.sh_offset = offset;
		wide.sh_size = size;
		memcpy(at, &wide, sizeof(wide));
	} else {
		at += index * sizeof(narrow);
		memcpy(&narrow, at, sizeof(narrow));
		narrow.sh_flags &= ~(uint32_t)SHF_COMPRESSED;
		narrow.sh_offset = offset;
		narrow.sh_size = size;
		memcpy(at, &narrow, sizeof(narrow));
	}
}

/* Adds a section's bytes.  False: that is too much. */
static bool append(struct copy *copy, const struct elf_data *data,
		   uint64_t *offset)
{
	size_t start = (copy->size + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
	uint8_t *more;

	if (start + data->size > COPY_MAX)
		return false;
	more = realloc(copy->bytes, start + data->size);
	if (!more)
		return false;
	memset(more + copy->size, 0, start - copy->size);
	memcpy(more + start, data->data, data->size);
	copy->bytes = more;
	copy->size = start + data->size;
	*offset = start;
	return true;
}

static bool inflate_section(const struct elf_file *elf, size_t index,
			    struct copy *copy)
{
	struct elf_data data;
	uint64_t offset;
	bool good;

	if (!elf_section_data(elf, &elf->sections[index], &data))
		return true;
	good = append(copy, &data, &offset);
	if (good)
		write_header(copy, elf->is64, index, offset, data.size);
	free(data.data);
	return good;
}

bool inflate_copy(const struct elf_file *elf, struct elf_file *inflated)
{
	struct copy copy = { .size = elf->size };
	bool good;

	if (elf->size > COPY_MAX)
		return false;
	copy.bytes = malloc(elf->size);
	good = copy.bytes && elf_read(elf, 0, copy.bytes, elf->size);
	for (size_t i = 1; good && i < elf->section_count; i++)
		if (elf->sections[i].sh_flags & SHF_COMPRESSED)
			good = inflate_section(elf, i, &copy);
	if (good)
		return elf_open_memory(inflated, copy.bytes, copy.size);
	free(copy.bytes);
	return false;
}
