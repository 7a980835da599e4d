/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads ELF files; see elf-file.h.
 */
#include "symbols/elf-file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/decompress.h"

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define NATIVE_DATA ELFDATA2LSB
#else
#define NATIVE_DATA ELFDATA2MSB
#endif

/* No tracee of ours has a note section longer than this. */
enum { NOTES_MAX = 1 << 16 };

bool elf_read(const struct elf_file *elf, uint64_t offset, void *buf,
	      size_t size)
{
	if (offset > elf->size || size > elf->size - offset)
		return false;
	if (elf->fd < 0) {
		memcpy(buf, elf->bytes + offset, size);
		return true;
	}

	uint8_t *to = buf;

	while (size) {
		ssize_t got = pread(elf->fd, to, size, offset);

		if (got <= 0)
			return false;
		to += got;
		offset += got;
		size -= got;
	}
	return true;
}

static bool read_data(const struct elf_file *elf, uint64_t offset,
		      uint64_t size, struct elf_data *data)
{
	data->data = NULL;
	data->size = 0;
	if (!size || offset > elf->size || size > elf->size - offset)
		return false;

	uint8_t *bytes = malloc(size + 1);

	if (!bytes)
		return false;
	if (!elf_read(elf, offset, bytes, size)) {
		free(bytes);
		return false;
	}
	bytes[size] = '\0';
	data->data = bytes;
	data->size = size;
	return true;
}

static void widen_segment(const Elf32_Phdr *from, Elf64_Phdr *to)
{
	*to = (Elf64_Phdr){
		.p_type = from->p_type,
		.p_flags = from->p_flags,
		.p_offset = from->p_offset,
		.p_vaddr = from->p_vaddr,
		.p_paddr = from->p_paddr,
		.p_filesz = from->p_filesz,
		.p_memsz = from->p_memsz,
		.p_align = from->p_align,
	};
}

static void widen_section(const Elf32_Shdr *from, Elf64_Shdr *to)
{
	*to = (Elf64_Shdr){
		.sh_name = from->sh_name,
		.sh_type = from->sh_type,
		.sh_flags = from->sh_flags,
		.sh_addr = from->sh_addr,
		.sh_offset = from->sh_offset,
		.sh_size = from->sh_size,
		.sh_link = from->sh_link,
		.sh_info = from->sh_info,
		.sh_addralign = from->sh_addralign,
		.sh_entsize = from->sh_entsize,
	};
}

/* Both classes' headers, in the wide form. */
static bool read_header(struct elf_file *elf, Elf64_Ehdr *header)
{
	unsigned char ident[EI_NIDENT];

	if (!elf_read(elf, 0, ident, sizeof(ident)) ||
	    memcmp(ident, ELFMAG, SELFMAG) || ident[EI_DATA] != NATIVE_DATA)
		return false;
	if (ident[EI_CLASS] == ELFCLASS64) {
		elf->is64 = true;
		return elf_read(elf, 0, header, sizeof(*header));
	}

	Elf32_Ehdr narrow;

	if (ident[EI_CLASS] != ELFCLASS32 ||
	    !elf_read(elf, 0, &narrow, sizeof(narrow)))
		return false;
	*header = (Elf64_Ehdr){
		.e_type = narrow.e_type,
		.e_machine = narrow.e_machine,
		.e_phoff = narrow.e_phoff,
		.e_shoff = narrow.e_shoff,
		.e_phentsize = narrow.e_phentsize,
		.e_phnum = narrow.e_phnum,
		.e_shentsize = narrow.e_shentsize,
		.e_shnum = narrow.e_shnum,
		.e_shstrndx = narrow.e_shstrndx,
	};
	return true;
}

static bool read_segments(struct elf_file *elf, const Elf64_Ehdr *header)
{
	size_t entry = elf->is64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	struct elf_data raw;

	if (!header->e_phnum)
		return true;
	if (header->e_phentsize != entry ||
	    !read_data(elf, header->e_phoff, header->e_phnum * entry, &raw))
		return false;
	elf->segments = calloc(header->e_phnum, sizeof(*elf->segments));
	if (elf->segments) {
		elf->segment_count = header->e_phnum;
		if (elf->is64)
			memcpy(elf->segments, raw.data, raw.size);
		for (size_t i = 0; !elf->is64 && i < header->e_phnum; i++) {
			Elf32_Phdr narrow;

			memcpy(&narrow, raw.data + i * entry, entry);
			widen_segment(&narrow, &elf->segments[i]);
		}
	}
	free(raw.data);
	return elf->segments != NULL;
}

/* A file without usable section headers is still good for its segments. */
static void read_sections(struct elf_file *elf, const Elf64_Ehdr *header)
{
	size_t entry = elf->is64 ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
	uint64_t count = header->e_shnum;
	uint32_t names = header->e_shstrndx;
	struct elf_data raw;

	if (!header->e_shoff || header->e_shentsize != entry)
		return;
	/* Numbers that the header has no room for are in section 0. */
	if (!count || names == SHN_XINDEX) {
		Elf64_Shdr first;
		Elf32_Shdr narrow;

		if (elf->is64) {
			if (!elf_read(elf, header->e_shoff, &first, entry))
				return;
		} else {
			if (!elf_read(elf, header->e_shoff, &narrow, entry))
				return;
			widen_section(&narrow, &first);
		}
		if (!count)
			count = first.sh_size;
		if (names == SHN_XINDEX)
			names = first.sh_link;
	}
	if (count > elf->size / entry ||
	    !read_data(elf, header->e_shoff, count * entry, &raw))
		return;
	elf->sections = calloc(count, sizeof(*elf->sections));
	if (elf->sections) {
		elf->section_count = count;
		if (elf->is64)
			memcpy(elf->sections, raw.data, raw.size);
		for (size_t i = 0; !elf->is64 && i < count; i++) {
			Elf32_Shdr narrow;

			memcpy(&narrow, raw.data + i * entry, entry);
			widen_section(&narrow, &elf->sections[i]);
		}
	}
	free(raw.data);

	if (names < elf->section_count &&
	    elf_section_data(elf, &elf->sections[names], &raw)) {
		elf->section_names = (char *)raw.data;
		elf->section_names_size = raw.size;
	}
}

static bool read_all(struct elf_file *elf)
{
	Elf64_Ehdr header;

	if (!read_header(elf, &header) || !read_segments(elf, &header)) {
		elf_close(elf);
		return false;
	}
	elf->type = header.e_type;
	elf->machine = header.e_machine;
	read_sections(elf, &header);
	return true;
}

bool elf_open(struct elf_file *elf, int fd)
{
	struct stat st;

	*elf = (struct elf_file){ .fd = fd };
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		elf_close(elf);
		return false;
	}
	elf->size = st.st_size;
	return read_all(elf);
}

bool elf_open_memory(struct elf_file *elf, void *bytes, size_t size)
{
	*elf = (struct elf_file){ .fd = -1, .bytes = bytes, .size = size };
	return read_all(elf);
}

void elf_close(struct elf_file *elf)
{
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->bytes);
	free(elf->segments);
	free(elf->sections);
	free(elf->section_names);
	*elf = (struct elf_file){ .fd = -1 };
}

const Elf64_Shdr *elf_section(const struct elf_file *elf, const char *name)
{
	for (size_t i = 1; elf->section_names && i < elf->section_count; i++) {
		uint32_t at = elf->sections[i].sh_name;

		if (at < elf->section_names_size &&
		    !strcmp(elf->section_names + at, name))
			return &elf->sections[i];
	}
	return NULL;
}

const Elf64_Shdr *elf_section_of_type(const struct elf_file *elf,
				      uint32_t type)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (elf->sections[i].sh_type == type)
			return &elf->sections[i];
	return NULL;
}

const Elf64_Phdr *elf_segment(const struct elf_file *elf, uint32_t type)
{
	for (size_t i = 0; i < elf->segment_count; i++)
		if (elf->segments[i].p_type == type)
			return &elf->segments[i];
	return NULL;
}

/* Puts what is compressed in data in its place. */
static bool decompress(const struct elf_file *elf, struct elf_data *data)
{
	struct elf_data from = *data;
	size_t header_size = elf->is64 ? sizeof(Elf64_Chdr) :
		sizeof(Elf32_Chdr);
	Elf64_Chdr header = { 0 };
	Elf32_Chdr narrow;

	*data = (struct elf_data){ 0 };
	if (from.size >= header_size && elf->is64) {
		memcpy(&header, from.data, header_size);
	} else if (from.size >= header_size) {
		memcpy(&narrow, from.data, header_size);
		header.ch_type = narrow.ch_type;
		header.ch_size = narrow.ch_size;
	}
	if (header.ch_type)
		data->data = decompress_section(header.ch_type,
						from.data + header_size,
						from.size - header_size,
						header.ch_size);
	if (data->data)
		data->size = header.ch_size;
	free(from.data);
	return data->data;
}

bool elf_section_data(const struct elf_file *elf, const Elf64_Shdr *section,
		      struct elf_data *data)
{
	*data = (struct elf_data){ 0 };
	if (section->sh_type == SHT_NOBITS ||
	    !read_data(elf, section->sh_offset, section->sh_size, data))
		return false;
	return !(section->sh_flags & SHF_COMPRESSED) || decompress(elf, data);
}

const Elf64_Phdr *elf_segment_at(const struct elf_file *elf,
				 uint64_t address)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];

		if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
		    address - segment->p_vaddr < segment->p_filesz)
			return segment;
	}
	return NULL;
}

uint64_t elf_backed_size(const struct elf_file *elf, uint64_t address)
{
	const Elf64_Phdr *segment = elf_segment_at(elf, address);

	return segment ? segment->p_filesz - (address - segment->p_vaddr) : 0;
}

bool elf_data_at(const struct elf_file *elf, uint64_t address, uint64_t size,
		 struct elf_data *data)
{
	const Elf64_Phdr *segment = elf_segment_at(elf, address);

	*data = (struct elf_data){ 0 };
	if (!segment || size > elf_backed_size(elf, address))
		return false;
	return read_data(elf, segment->p_offset + (address - segment->p_vaddr),
			 size, data);
}

/* ---- windows ---- */

enum { PIECE = 4096 };

bool elf_window_open(struct elf_window *window, const struct elf_file *elf,
		     uint64_t offset, uint64_t size)
{
	*window = (struct elf_window){
		.elf = elf,
		.offset = offset,
		.size = size,
	};
	if (!size || offset > elf->size || size > elf->size - offset)
		return false;
	if (elf->fd < 0) {
		window->bytes = elf->bytes + offset;
		return true;
	}
	window->bytes = malloc(size);
	window->loaded = calloc(1, size / PIECE + 1);
	if (window->bytes && window->loaded)
		return true;
	elf_window_close(window);
	return false;
}

void elf_window_close(struct elf_window *window)
{
	if (window->loaded || (window->elf && window->elf->fd >= 0))
		free(window->bytes);
	free(window->loaded);
	*window = (struct elf_window){ 0 };
}

static void load_piece(struct elf_window *window, size_t piece)
{
	size_t at = piece * PIECE;
	size_t size = window->size - at < PIECE ? window->size - at : PIECE;

	if (!elf_read(window->elf, window->offset + at, window->bytes + at,
		      size))
		memset(window->bytes + at, 0, size);
	window->loaded[piece] = true;
}

void elf_window_need(struct elf_window *window, size_t at, size_t size)
{
	if (!window->loaded || !size || at >= window->size)
		return;
	if (size > window->size - at)
		size = window->size - at;
	for (size_t i = at / PIECE; i <= (at + size - 1) / PIECE; i++)
		if (!window->loaded[i])
			load_piece(window, i);
}

/* ---- notes ---- */

static bool find_note(const struct elf_data *notes, size_t align,
		      const char *owner, uint32_t type, void *desc,
		      size_t *size)
{
	size_t at = 0;

	while (notes->size - at >= sizeof(Elf64_Nhdr)) {
		Elf64_Nhdr note;

		memcpy(&note, notes->data + at, sizeof(note));

		size_t name = at + sizeof(note);
		size_t bytes = (name + note.n_namesz + align - 1) & -align;

		if (bytes > notes->size || note.n_descsz > notes->size - bytes)
			return false;
		if (note.n_type == type && note.n_descsz &&
		    note.n_descsz <= *size &&
		    note.n_namesz == strlen(owner) + 1 &&
		    !memcmp(notes->data + name, owner, note.n_namesz)) {
			memcpy(desc, notes->data + bytes, note.n_descsz);
			*size = note.n_descsz;
			return true;
		}
		at = (bytes + note.n_descsz + align - 1) & -align;
		if (at > notes->size)
			return false;
	}
	return false;
}

static bool note_in(const struct elf_file *elf, uint64_t offset,
		    uint64_t length, uint64_t align, const char *owner,
		    uint32_t type, void *desc, size_t *size)
{
	struct elf_data notes;

	if (length > NOTES_MAX || !read_data(elf, offset, length, &notes))
		return false;

	bool found = find_note(&notes, align == 8 ? 8 : 4, owner, type, desc,
			       size);

	free(notes.data);
	return found;
}

bool elf_note(const struct elf_file *elf, const char *owner, uint32_t type,
	      void *desc, size_t *size)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *segment = &elf->segments[i];

		if (segment->p_type == PT_NOTE &&
		    note_in(elf, segment->p_offset, segment->p_filesz,
			    segment->p_align, owner, type, desc, size))
			return true;
	}
	for (size_t i = 1; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];

		if (section->sh_type == SHT_NOTE &&
		    note_in(elf, section->sh_offset, section->sh_size,
			    section->sh_addralign, owner, type, desc, size))
			return true;
	}
	return false;
}
