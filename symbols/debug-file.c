/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds separate debug files; see debug-file.h.
 */
#include "symbols/debug-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/debuginfod.h"
#include "symbols/decompress.h"

enum {
	BUILD_ID_MAX = 64,		/* bytes */
	EMBEDDED_MAX = 64 << 20,	/* bytes, decompressed */
};

static const char debug_directory[] = "/usr/lib/debug";

static bool open_path(const char *path, struct elf_file *debug)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	return fd >= 0 && elf_open(debug, fd);
}

static void write_hex(const uint8_t *id, size_t size, char *hex)
{
	for (size_t i = 0; i < size; i++)
		snprintf(hex + 2 * i, 3, "%02x", id[i]);
}

/* A debug file must have been stripped off this very file. */
static bool has_build_id(const struct elf_file *debug, const char *build_id)
{
	uint8_t id[BUILD_ID_MAX];
	char hex[2 * BUILD_ID_MAX + 1];
	size_t size = sizeof(id);

	if (!elf_note(debug, "GNU", NT_GNU_BUILD_ID, id, &size))
		return false;
	write_hex(id, size, hex);
	return !strcmp(build_id, hex);
}

static bool open_by_build_id(const char *build_id, struct elf_file *debug)
{
	char path[256];

	if (strlen(build_id) < 3)
		return false;
	snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s.debug",
		 debug_directory, build_id, build_id + 2);
	if (!open_path(path, debug))
		return false;
	if (has_build_id(debug, build_id))
		return true;
	elf_close(debug);
	return false;
}

static bool open_from_server(const char *build_id, struct elf_file *debug)
{
	int fd = debuginfod_open(build_id);

	if (fd < 0 || !elf_open(debug, fd))
		return false;
	if (has_build_id(debug, build_id))
		return true;
	elf_close(debug);
	return false;
}

/* The checksum that .gnu_debuglink has of the debug file. */
static uint32_t crc_of(const struct elf_file *file)
{
	static uint32_t table[256];
	uint8_t bytes[16384];
	uint32_t crc = ~0u;

	for (uint32_t i = 0; !table[255] && i < 256; i++) {
		uint32_t value = i;

		for (unsigned bit = 0; bit < 8; bit++)
			value = value & 1 ? value >> 1 ^ 0xedb88320 :
				value >> 1;
		table[i] = value;
	}
	for (uint64_t at = 0; at < file->size; at += sizeof(bytes)) {
		size_t size = file->size - at < sizeof(bytes) ?
			file->size - at : sizeof(bytes);

		if (!elf_read(file, at, bytes, size))
			return 0;
		for (size_t i = 0; i < size; i++)
			crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
	}
	return ~crc;
}

static bool open_linked(const char *path, uint32_t crc, const char *build_id,
			struct elf_file *debug)
{
	if (!open_path(path, debug))
		return false;
	if (build_id ? has_build_id(debug, build_id) : crc_of(debug) == crc)
		return true;
	elf_close(debug);
	return false;
}

/* Beside the file, in .debug there, and under the debug directory. */
static bool open_by_link(const struct elf_file *elf, const char *path,
			 const char *build_id, struct elf_file *debug)
{
	static const char *const forms[] = {
		"%s%.*s%s", "%s%.*s.debug/%s", "%s%.*s%s"
	};
	const Elf64_Shdr *section = elf_section(elf, ".gnu_debuglink");
	const char *slash = strrchr(path, '/');
	struct elf_data link;
	uint32_t crc;
	bool found = false;

	if (!section || !slash || !elf_section_data(elf, section, &link))
		return false;

	const char *name = (const char *)link.data;
	size_t crc_at = (strlen(name) + 4) & ~(size_t)3;

	if (*name && !strchr(name, '/') &&
	    crc_at + sizeof(crc) <= link.size) {
		memcpy(&crc, link.data + crc_at, sizeof(crc));
		for (unsigned i = 0; i < 3 && !found; i++) {
			char *candidate;

			if (asprintf(&candidate, forms[i],
				     i == 2 ? debug_directory : "",
				     (int)(slash - path) + 1, path,
				     name) < 0)
				break;
			/* A stripped file may name itself. */
			found = strcmp(candidate, path) &&
				open_linked(candidate, crc, build_id, debug);
			free(candidate);
		}
	}
	free(link.data);
	return found;
}

bool debug_file_open(const struct elf_file *elf, const char *path,
		     const char *build_id, struct elf_file *debug)
{
	if (build_id && open_by_build_id(build_id, debug))
		return true;
	return open_by_link(elf, path, build_id, debug) ||
		(build_id && open_from_server(build_id, debug));
}

bool debug_file_open_common(const char *path, const uint8_t *build_id,
			    size_t size, struct elf_file *common)
{
	char hex[2 * BUILD_ID_MAX + 1];

	if (!size || size > BUILD_ID_MAX)
		return false;
	write_hex(build_id, size, hex);
	if (open_by_build_id(hex, common))
		return true;
	if (*path == '/' && open_path(path, common)) {
		if (has_build_id(common, hex))
			return true;
		elf_close(common);
	}
	return open_from_server(hex, common);
}

bool debug_file_open_embedded(const struct elf_file *elf,
			      struct elf_file *embedded)
{
	const Elf64_Shdr *section = elf_section(elf, ".gnu_debugdata");
	struct elf_data data;
	uint8_t *bytes;
	size_t size;

	if (!section || !elf_section_data(elf, section, &data))
		return false;
	bytes = decompress_xz(data.data, data.size, EMBEDDED_MAX, &size);
	free(data.data);
	return bytes && elf_open_memory(embedded, bytes, size);
}
