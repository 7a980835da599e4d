/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes files of a JIT compiler's objects; see jit-object.h.
 */
#include "symbols/jit-object.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a section, or NULL if they are not all there. */
static uint8_t *bytes_of(const struct elf_file *elf,
			 const Elf64_Shdr *section)
{
	return section->sh_type == SHT_NOBITS ||
		section->sh_offset > elf->size ||
		section->sh_size > elf->size - section->sh_offset ?
		NULL : elf->bytes + section->sh_offset;
}

/* Where the header of a section is, which has been read from there. */
static uint8_t *section_header(const struct elf_file *elf,
			       const Elf64_Shdr *section)
{
	size_t index = section - elf->sections;
	uint64_t at = elf->is64 ?
		((Elf64_Ehdr *)elf->bytes)->e_shoff +
			index * sizeof(Elf64_Shdr) :
		((Elf32_Ehdr *)elf->bytes)->e_shoff +
			index * sizeof(Elf32_Shdr);

	return elf->bytes + at;
}

static bool find_code(const struct elf_file *elf, uint64_t *start,
		      uint64_t *end)
{
	const uint64_t wanted = SHF_ALLOC | SHF_EXECINSTR;

	*start = ~(uint64_t)0;
	*end = 0;
	for (size_t i = 0; i < elf->section_count; i++) {
		const Elf64_Shdr *s = &elf->sections[i];

		if ((s->sh_flags & wanted) != wanted || !s->sh_size ||
		    s->sh_addr + s->sh_size < s->sh_addr)
			continue;
		if (s->sh_addr < *start)
			*start = s->sh_addr;
		if (s->sh_addr + s->sh_size > *end)
			*end = s->sh_addr + s->sh_size;
	}
	return *start < *end;
}

/* ---- relocation ---- */

/* A symbol of a relocatable object counts from its section's beginning. */
static void move_symbols(struct elf_file *elf, const Elf64_Shdr *table)
{
	size_t entry = elf->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	uint8_t *bytes = bytes_of(elf, table);

	for (uint64_t at = 0; bytes && table->sh_size - at >= entry;
	     at += entry) {
		Elf64_Sym wide;
		Elf32_Sym narrow;

		if (elf->is64) {
			memcpy(&wide, bytes + at, entry);
			if (wide.st_shndx >= elf->section_count)
				continue;
			wide.st_value += elf->sections[wide.st_shndx].sh_addr;
			memcpy(bytes + at, &wide, entry);
		} else {
			memcpy(&narrow, bytes + at, entry);
			if (narrow.st_shndx >= elf->section_count)
				continue;
			narrow.st_value +=
				elf->sections[narrow.st_shndx].sh_addr;
			memcpy(bytes + at, &narrow, entry);
		}
	}
}

/* One relocation of x86-64's, of those that are in .eh_frame. */
static void relocate(const Elf64_Rela *rela, const Elf64_Sym *symbol,
		     const Elf64_Shdr *section, uint8_t *bytes)
{
	uint64_t value = symbol->st_value + rela->r_addend;
	size_t size = 4;

	switch (ELF64_R_TYPE(rela->r_info)) {
	case R_X86_64_64:
		size = 8;
		break;
	case R_X86_64_PC64:
		size = 8;
		/* fall through */
	case R_X86_64_PC32:
		value -= section->sh_addr + rela->r_offset;
		break;
	case R_X86_64_32:
	case R_X86_64_32S:
		break;
	default:
		return;
	}
	if (rela->r_offset <= section->sh_size &&
	    size <= section->sh_size - rela->r_offset)
		memcpy(bytes + rela->r_offset, &value, size);
}

static void relocate_section(struct elf_file *elf, const Elf64_Shdr *table)
{
	const Elf64_Shdr *section = &elf->sections[table->sh_info];
	const Elf64_Shdr *symbols = &elf->sections[table->sh_link];
	const uint8_t *from = bytes_of(elf, table);
	const uint8_t *symbol_bytes = bytes_of(elf, symbols);
	uint8_t *to = bytes_of(elf, section);
	uint64_t count = symbols->sh_size / sizeof(Elf64_Sym);
	Elf64_Rela rela;

	if (!from || !to || !symbol_bytes)
		return;
	for (uint64_t at = 0; table->sh_size - at >= sizeof(rela);
	     at += sizeof(rela)) {
		Elf64_Sym symbol;
		uint64_t index;

		memcpy(&rela, from + at, sizeof(rela));
		index = ELF64_R_SYM(rela.r_info);
		if (index >= count)
			continue;
		memcpy(&symbol, symbol_bytes + index * sizeof(symbol),
		       sizeof(symbol));
		relocate(&rela, &symbol, section, to);
	}
}

static void relocate_object(struct elf_file *elf)
{
	const Elf64_Shdr *frames = elf_section(elf, ".eh_frame");

	for (size_t i = 0; i < elf->section_count; i++)
		if (elf->sections[i].sh_type == SHT_SYMTAB)
			move_symbols(elf, &elf->sections[i]);
	for (size_t i = 0; i < elf->section_count; i++) {
		const Elf64_Shdr *table = &elf->sections[i];

		if (frames && elf->machine == EM_X86_64 && elf->is64 &&
		    table->sh_type == SHT_RELA &&
		    table->sh_link < elf->section_count &&
		    table->sh_info == frames - elf->sections)
			relocate_section(elf, table);
	}
}

/* ---- .eh_frame ---- */

/* How an entry's pointer to its function is written. */
enum encoding {
	POINTER = 0x00,		/* as it is */
	RELATIVE_4 = 0x1b,	/* signed, from where it stands */
	RELATIVE_8 = 0x1c,
	TEXT_RELATIVE_4 = 0x23,	/* unsigned, from the beginning of the code */
	ANOTHER = 0xff,
};

/* .eh_frame on its way to another address. */
struct frames {
	uint8_t *bytes;
	size_t size;
	uint64_t from, to, code;
};

static uint32_t number_at(const struct frames *f, size_t at)
{
	uint32_t number = 0;

	if (at <= f->size && f->size - at >= sizeof(number))
		memcpy(&number, f->bytes + at, sizeof(number));
	return number;
}

/* Where the CIE at `at' has its encoding; 0: not where it usually is. */
static size_t encoding_at(const struct frames *f, size_t at)
{
	enum { AUGMENTATION = 9, NUMBERS = 4 };

	at += AUGMENTATION;
	if (f->size < at + 3 || memcmp(f->bytes + at, "zR", 3))
		return 0;
	at += 3;
	/* Two alignments, a register, and a length. */
	for (unsigned i = 0; i < NUMBERS; i++, at++)
		while (at < f->size && f->bytes[at] & 0x80)
			at++;
	return at < f->size ? at : 0;
}

static enum encoding encoding_of(const struct frames *f, size_t cie)
{
	size_t at = encoding_at(f, cie);

	if (at && (f->bytes[at] == RELATIVE_4 || f->bytes[at] == RELATIVE_8 ||
		   f->bytes[at] == TEXT_RELATIVE_4 || !f->bytes[at]))
		return f->bytes[at];
	return !at && cie + 9 < f->size && !f->bytes[cie + 9] ? POINTER : ANOTHER;
}

static bool can_move(const struct frames *f, size_t at,
		     enum encoding encoding)
{
	size_t size = encoding == RELATIVE_8 ? 8 : 4;

	return encoding != ANOTHER && at <= f->size && f->size - at >= size;
}

static void move_pointer(struct frames *f, size_t at, enum encoding encoding)
{
	size_t size = encoding == RELATIVE_8 ? 8 : 4;
	uint64_t value = 0;

	switch (encoding) {
	case RELATIVE_4:
		value = (uint64_t)(int32_t)number_at(f, at) + f->from - f->to;
		break;
	case RELATIVE_8:
		memcpy(&value, f->bytes + at, size);
		value += f->from - f->to;
		break;
	case TEXT_RELATIVE_4:
		value = number_at(f, at) + f->code - (f->to + at);
		break;
	default:
		return;
	}
	memcpy(f->bytes + at, &value, size);
}

/* What counted from the code counts from where it stands then. */
static void change_encodings(struct frames *f)
{
	for (size_t at = 0, length; (length = number_at(f, at));
	     at += 4 + length) {
		size_t encoding = encoding_at(f, at);

		if (!number_at(f, at + 4) && encoding &&
		    f->bytes[encoding] == TEXT_RELATIVE_4)
			f->bytes[encoding] = RELATIVE_4;
	}
}

/* Moves all pointers, or only looks whether that can be done. */
static bool move_frames(struct frames *f, bool really)
{
	for (size_t at = 0, length; (length = number_at(f, at));
	     at += 4 + length) {
		uint32_t back = number_at(f, at + 4);
		enum encoding encoding;

		if (!back)
			continue;
		if (back > at + 4)
			return false;
		encoding = encoding_of(f, at + 4 - back);
		if (really)
			move_pointer(f, at + 8, encoding);
		else if (!can_move(f, at + 8, encoding))
			return false;
	}
	return true;
}

/*
 * Search tables tell how far it is from a function to its entry, in 32 bits.
 * But the table may be anywhere, as if at address 0, or farther from the code
 * than that.  It is only a copy: it may as well lie behind the code.
 */
static void move_frames_to_code(struct elf_file *elf, uint64_t start,
				uint64_t end)
{
	const Elf64_Shdr *section = elf_section(elf, ".eh_frame");
	uint64_t to = (end + 15) & ~(uint64_t)15;
	struct frames frames;
	uint8_t *header;

	if (!section || !bytes_of(elf, section))
		return;
	frames = (struct frames){
		.bytes = bytes_of(elf, section),
		.size = section->sh_size,
		.from = section->sh_addr,
		.to = to,
		.code = start,
	};
	if (!move_frames(&frames, false))
		return;
	move_frames(&frames, true);
	change_encodings(&frames);
	header = section_header(elf, section);
	if (elf->is64)
		memcpy(header + offsetof(Elf64_Shdr, sh_addr), &to, 8);
	else
		memcpy(header + offsetof(Elf32_Shdr, sh_addr), &to, 4);
}

/* ---- headers ---- */

/*
 * Describes the code by a segment, as libraries expect it; its header is put
 * behind all else, where there is room for it.
 */
static void write_headers(uint8_t *bytes, size_t size, bool is64,
			  uint64_t start, uint64_t end)
{
	Elf64_Phdr wide = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = start,
		.p_memsz = end - start, .p_align = 1,
	};
	Elf32_Phdr narrow = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = start,
		.p_memsz = end - start, .p_align = 1,
	};
	Elf64_Ehdr *header64 = (Elf64_Ehdr *)bytes;
	Elf32_Ehdr *header32 = (Elf32_Ehdr *)bytes;

	if (is64) {
		header64->e_type = ET_DYN;
		header64->e_phoff = size;
		header64->e_phentsize = sizeof(wide);
		header64->e_phnum = 1;
		memcpy(bytes + size, &wide, sizeof(wide));
	} else {
		header32->e_type = ET_DYN;
		header32->e_phoff = size;
		header32->e_phentsize = sizeof(narrow);
		header32->e_phnum = 1;
		memcpy(bytes + size, &narrow, sizeof(narrow));
	}
}

bool jit_object_open(struct elf_file *elf, const uint8_t *bytes, size_t size,
		     uint64_t *start, uint64_t *end)
{
	size_t room = (size + 15) & ~(size_t)15;
	uint8_t *copy = calloc(1, room + sizeof(Elf64_Phdr));
	bool is64;

	if (!copy)
		return false;
	memcpy(copy, bytes, size);
	if (!elf_open_memory(elf, copy, room + sizeof(Elf64_Phdr)))
		return false;
	if (!find_code(elf, start, end)) {
		elf_close(elf);
		return false;
	}
	if (elf->type == ET_REL)
		relocate_object(elf);
	move_frames_to_code(elf, *start, *end);
	/* Once more, with the headers that it ought to have. */
	is64 = elf->is64;
	elf->bytes = NULL;
	elf_close(elf);
	write_headers(copy, room, is64, *start, *end);
	return elf_open_memory(elf, copy, room + sizeof(Elf64_Phdr));
}
