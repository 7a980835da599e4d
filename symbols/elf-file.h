/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads ELF files: headers, sections and segments, in 64-bit form whatever
 * the class.  It knows nothing of what is in a section.
 *
 * The file belongs to a traced program and is hostile: it may lie about every
 * size and offset, and shrink while it is read.  So it is read with pread,
 * never mapped, and nothing is allocated that the file is not long enough for.
 */
#ifndef TRACER_ELF_FILE_H
#define TRACER_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct elf_file {
	int fd;			/* -1: the bytes are in memory */
	uint8_t *bytes;		/* if fd is -1; freed by elf_close */
	uint64_t size;
	uint64_t bias;		/* of a loaded image in memory: what was added
				 * to its addresses */
	bool is64;
	uint16_t type, machine;
	Elf64_Phdr *segments;
	size_t segment_count;
	Elf64_Shdr *sections;	/* the first one is the null section */
	size_t section_count;
	char *section_names;	/* NUL-terminated, or NULL */
	size_t section_names_size;
};

/* Bytes read from a file; .data is followed by a NUL that .size leaves out. */
struct elf_data {
	uint8_t *data;		/* NULL: nothing */
	size_t size;
};

/* Takes fd over, even if it fails: then it is closed. */
bool elf_open(struct elf_file *elf, int fd);
/* Takes bytes (malloc'ed) over, even if it fails. */
bool elf_open_memory(struct elf_file *elf, void *bytes, size_t size);
void elf_close(struct elf_file *elf);

/* All size bytes at offset, or false. */
bool elf_read(const struct elf_file *elf, uint64_t offset, void *buf,
	      size_t size);

/* The section of that name, or NULL. */
const Elf64_Shdr *elf_section(const struct elf_file *elf, const char *name);
/* The first section of that type, or NULL. */
const Elf64_Shdr *elf_section_of_type(const struct elf_file *elf,
				      uint32_t type);
/* The first segment of that type, or NULL. */
const Elf64_Phdr *elf_segment(const struct elf_file *elf, uint32_t type);

/*
 * What the file holds of a section, decompressed, or at an address range;
 * false if that is nothing or cannot be read.  The caller frees data.
 */
bool elf_section_data(const struct elf_file *elf, const Elf64_Shdr *section,
		      struct elf_data *data);
bool elf_data_at(const struct elf_file *elf, uint64_t address, uint64_t size,
		 struct elf_data *data);

/*
 * A part of a file that is read piece by piece, when it is needed; the file
 * must stay open.  What cannot be read is zero.
 */
struct elf_window {
	const struct elf_file *elf;
	uint64_t offset;	/* in the file */
	size_t size;
	uint8_t *bytes;		/* only what elf_window_need asked for */
	uint8_t *loaded;	/* a flag for every piece; NULL: all are */
};

bool elf_window_open(struct elf_window *window, const struct elf_file *elf,
		     uint64_t offset, uint64_t size);
void elf_window_close(struct elf_window *window);
/* Lets bytes [at, at + size) be there, as far as they are in the window. */
void elf_window_need(struct elf_window *window, size_t at, size_t size);

/* The segment that backs an address, or NULL. */
const Elf64_Phdr *elf_segment_at(const struct elf_file *elf,
				 uint64_t address);
/* How many bytes from address on the file backs, in the segment there. */
uint64_t elf_backed_size(const struct elf_file *elf, uint64_t address);

/*
 * Finds the descriptor of the note (owner, type); its size must be from 1 to
 * *size and is stored there.
 */
bool elf_note(const struct elf_file *elf, const char *owner, uint32_t type,
	      void *desc, size_t *size);

#endif
