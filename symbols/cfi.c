/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information; see cfi.h.  The bytes are hostile: everything is
 * read through a cursor that does not go beyond its end.
 */
#include "symbols/cfi.h"

#include <stdlib.h>
#include <string.h>

/* Pointer encodings of .eh_frame. */
enum {
	PE_OMIT = 0xff,
	PE_FORM = 0x0f,
	PE_ABSOLUTE = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_BASE = 0x70,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_ALIGNED = 0x50,
};

/* Instructions; the first three have an operand in their low six bits. */
enum {
	OP_ADVANCE = 0x40,
	OP_OFFSET = 0x80,
	OP_RESTORE = 0xc0,
	OP_NOP = 0x00,
	OP_SET_LOCATION,
	OP_ADVANCE1,
	OP_ADVANCE2,
	OP_ADVANCE4,
	OP_OFFSET_EXTENDED,
	OP_RESTORE_EXTENDED,
	OP_UNDEFINED,
	OP_SAME_VALUE,
	OP_REGISTER,
	OP_REMEMBER_STATE,
	OP_RESTORE_STATE,
	OP_CFA,
	OP_CFA_REGISTER,
	OP_CFA_OFFSET,
	OP_CFA_EXPRESSION,
	OP_EXPRESSION,
	OP_OFFSET_EXTENDED_SF,
	OP_CFA_SF,
	OP_CFA_OFFSET_SF,
	OP_VALUE_OFFSET,
	OP_VALUE_OFFSET_SF,
	OP_VALUE_EXPRESSION,
	OP_GNU_ARGS_SIZE = 0x2e,
	OP_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

enum {
	STATES_MAX = 16,	/* that OP_REMEMBER_STATE may nest */
	RULE_SAME = 0xff,	/* no rule: the register keeps its value */
	CHUNK_SIZE = 16384,
};

/* An entry of a search table. */
struct place {
	int32_t start;		/* of a function's rules, relative to base */
	int32_t description;	/* its FDE; in .debug_frame the offset of it */
};

/* Some bytes of a table, kept for who reads it word by word. */
struct block {
	uint64_t start;
	size_t have;
	uint8_t bytes[256];
};

/* One of .eh_frame and .debug_frame. */
struct table {
	const struct elf_file *elf;	/* NULL: there is none */
	struct elf_file inflated;	/* of a compressed section the bytes */
	uint64_t offset;		/* in the file */
	size_t size;
	uint8_t *whole;		/* while all of it is gone through */
	uint64_t address;	/* 0 for .debug_frame */
	bool is_debug, separate;
	/* The search table: of the file, or made here. */
	uint64_t base;
	struct elf_window places;
	struct place *made;
	size_t count;
};

struct chunk {
	struct chunk *next;
	size_t used;
	_Alignas(8) uint8_t bytes[CHUNK_SIZE];
};

struct cfi {
	struct table eh_frame, debug_frame;
	uint64_t header;	/* what PE_DATAREL is relative to */
	uint8_t word;
	struct chunk *chunks;	/* rows and such lie in them */
	struct kept_cie *cies;
	struct block blocks[4];	/* of .eh_frame */
};

/* ---- reading ---- */

struct cursor {
	const uint8_t *start, *at, *end;
	uint64_t address;	/* of start */
	bool bad;		/* something was beyond the end */
};

static uint64_t read_bytes(struct cursor *c, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	/* Only files of the machine's own byte order are opened. */
	switch (size) {
	case 1:
		value = *c->at;
		break;
	case 2: {
		uint16_t v;
		memcpy(&v, c->at, sizeof(v));
		value = v;
		break;
	}
	case 4: {
		uint32_t v;
		memcpy(&v, c->at, sizeof(v));
		value = v;
		break;
	}
	default:
		memcpy(&value, c->at, sizeof(value));
	}
	c->at += size;
	return value;
}

static uint64_t read_uleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = read_bytes(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

static int64_t read_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = read_bytes(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= ~(uint64_t)0 << shift;
	return value;
}

static void skip(struct cursor *c, uint64_t size)
{
	if (size > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		size = c->end - c->at;
	}
	c->at += size;
}

/* A pointer; its base is left out if relative is false, as for a length. */
static uint64_t read_pointer(const struct cfi *cfi, struct cursor *c,
			     uint8_t encoding, bool relative)
{
	uint64_t here = c->address + (c->at - c->start);
	uint64_t value;

	if ((encoding & PE_BASE) == PE_ALIGNED) {
		skip(c, -here & (cfi->word - 1));
		return read_bytes(c, cfi->word);
	}
	switch (encoding & PE_FORM) {
	case PE_ABSOLUTE:
		value = read_bytes(c, cfi->word);
		break;
	case PE_ULEB128:
		value = read_uleb(c);
		break;
	case PE_UDATA2:
		value = read_bytes(c, 2);
		break;
	case PE_UDATA4:
		value = read_bytes(c, 4);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		value = read_bytes(c, 8);
		break;
	case PE_SLEB128:
		value = read_sleb(c);
		break;
	case PE_SDATA2:
		value = (int16_t)read_bytes(c, 2);
		break;
	case PE_SDATA4:
		value = (int32_t)read_bytes(c, 4);
		break;
	default:
		c->bad = true;
		return 0;
	}
	if (!relative)
		return value;
	if ((encoding & PE_BASE) == PE_PCREL)
		value += here;
	else if ((encoding & PE_BASE) == PE_DATAREL)
		value += cfi->header;
	return cfi->word == 4 ? (uint32_t)value : value;
}

/* ---- memory ---- */

static void *allocate(struct cfi *cfi, size_t size)
{
	size = (size + 7) & ~(size_t)7;
	if (size > CHUNK_SIZE)
		return NULL;
	if (!cfi->chunks || CHUNK_SIZE - cfi->chunks->used < size) {
		struct chunk *chunk = malloc(sizeof(*chunk));

		if (!chunk)
			return NULL;
		chunk->next = cfi->chunks;
		chunk->used = 0;
		cfi->chunks = chunk;
	}

	void *bytes = cfi->chunks->bytes + cfi->chunks->used;

	cfi->chunks->used += size;
	return bytes;
}

/* ---- entries: CIE and FDE ---- */

struct entry {
	struct cursor body;	/* behind the identification */
	size_t next;		/* offset in the table */
	bool is_cie;
	size_t cie;		/* offset, of an FDE */
	uint8_t *more;		/* malloc'ed, if it is longer than bytes */
	uint8_t bytes[512];
};

static void free_entry(struct entry *entry)
{
	free(entry->more);
}

/* The first bytes of an entry, or all of them: no less than size. */
static const uint8_t *read_part(const struct table *table, size_t offset,
				struct entry *entry, size_t size)
{
	size_t left = table->size - offset;

	if (table->whole)
		return table->whole + offset;
	if (size <= sizeof(entry->bytes)) {
		size_t take = left < sizeof(entry->bytes) ? left :
			sizeof(entry->bytes);

		return elf_read(table->elf, table->offset + offset,
				entry->bytes, take) ? entry->bytes : NULL;
	}
	entry->more = malloc(size);
	return entry->more && elf_read(table->elf, table->offset + offset,
				       entry->more, size) ?
		entry->more : NULL;
}

/*
 * Reads the entry at offset; false at the end of the table.  It must be freed
 * in any case.
 */
static bool read_entry(const struct table *table, size_t offset,
		       struct entry *entry)
{
	struct cursor c = { .address = table->address + offset };
	unsigned width = 4;
	uint64_t length, id, none;
	size_t size, left = table->size - offset;

	entry->more = NULL;
	if (offset >= table->size)
		return false;
	c.start = c.at = read_part(table, offset, entry, 0);
	if (!c.start)
		return false;
	c.end = c.start + (left < 12 ? left : 12);
	length = read_bytes(&c, 4);
	if (length == 0xffffffff) {
		length = read_bytes(&c, 8);
		width = 8;
	}
	size = c.at - c.start;
	if (c.bad || !length || length > left - size)
		return false;
	if (size + length > sizeof(entry->bytes) && !table->whole) {
		c.start = read_part(table, offset, entry, size + length);
		if (!c.start)
			return false;
		c.at = c.start + size;
	}
	c.end = c.at + length;
	entry->next = offset + size + length;

	size_t here = offset + size;

	/* .eh_frame has 32 bits here even in 64-bit entries. */
	id = read_bytes(&c, table->is_debug ? width : 4);
	none = !table->is_debug ? 0 : width == 8 ? UINT64_MAX : UINT32_MAX;
	entry->is_cie = id == none;
	if (!entry->is_cie) {
		entry->cie = table->is_debug ? id : here - id;
		if (!table->is_debug && id > here)
			return false;
	}
	entry->body = c;
	return !c.bad;
}

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_column;
	uint8_t encoding;
	bool augmented;		/* entries have augmentation data */
	bool signal;
	struct cursor program;
};

/* Many FDEs have the same CIE. */
struct kept_cie {
	struct kept_cie *next;
	const struct table *table;
	size_t offset;
	bool good;
	struct cie cie;
};

static bool read_augmentation(const struct cfi *cfi, struct cie *cie,
			      struct cursor *c, const char *letters)
{
	for (; *letters; letters++) {
		switch (*letters) {
		case 'L':
			skip(c, 1);
			break;
		case 'P':
			read_pointer(cfi, c, read_bytes(c, 1), false);
			break;
		case 'R':
			cie->encoding = read_bytes(c, 1);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B':
			break;
		default:
			/* What it means is not known, but it is skipped. */
			return true;
		}
	}
	return !c->bad;
}

static bool parse_cie(const struct cfi *cfi, struct cursor *c,
		      struct cie *cie)
{
	unsigned version = read_bytes(c, 1);
	const char *letters = (const char *)c->at;

	if (!memchr(c->at, '\0', c->end - c->at))
		return false;
	skip(c, strlen(letters) + 1);
	*cie = (struct cie){ .encoding = PE_ABSOLUTE };
	if (!strcmp(letters, "eh")) {
		skip(c, cfi->word);
		letters += 2;
	}
	if (version >= 4) {
		/* Sizes of an address and of a segment selector. */
		if (read_bytes(c, 1) != cfi->word || read_bytes(c, 1))
			return false;
	}
	cie->code_align = read_uleb(c);
	cie->data_align = read_sleb(c);
	cie->return_column = version == 1 ? read_bytes(c, 1) : read_uleb(c);
	if (*letters == 'z') {
		uint64_t size = read_uleb(c);
		struct cursor data = *c;

		skip(c, size);
		data.end = c->at;
		cie->augmented = true;
		if (!read_augmentation(cfi, cie, &data, letters + 1))
			return false;
	} else if (*letters) {
		return false;
	}
	cie->program = *c;
	return !c->bad && cie->return_column < CFI_REGISTERS;
}

/* The program stays: it is executed for every FDE. */
static bool keep_program(struct cfi *cfi, struct cursor *program)
{
	size_t size = program->end - program->at;
	uint8_t *copy = allocate(cfi, size + 1);

	if (!copy)
		return false;
	memcpy(copy, program->at, size);
	program->address += program->at - program->start;
	program->start = program->at = copy;
	program->end = copy + size;
	return true;
}

static const struct cie *find_cie(struct cfi *cfi, const struct table *table,
				  size_t offset)
{
	struct kept_cie *kept = cfi->cies;
	struct entry entry;

	while (kept && (kept->table != table || kept->offset != offset))
		kept = kept->next;
	if (!kept) {
		kept = allocate(cfi, sizeof(*kept));
		if (!kept)
			return NULL;
		kept->table = table;
		kept->offset = offset;
		kept->good = read_entry(table, offset, &entry) &&
			entry.is_cie &&
			parse_cie(cfi, &entry.body, &kept->cie) &&
			keep_program(cfi, &kept->cie.program);
		free_entry(&entry);
		kept->next = cfi->cies;
		cfi->cies = kept;
	}
	return kept->good ? &kept->cie : NULL;
}

struct fde {
	const struct cie *cie;
	uint64_t start, size;
	struct cursor program;	/* in the entry */
	struct entry entry;
};

/* The FDE is to be freed, by free_entry, in any case. */
static bool read_fde(struct cfi *cfi, const struct table *table,
		     size_t offset, struct fde *fde)
{
	struct entry *entry = &fde->entry;
	struct cursor *c = &entry->body;

	if (!read_entry(table, offset, entry) || entry->is_cie)
		return false;
	fde->cie = find_cie(cfi, table, entry->cie);
	if (!fde->cie)
		return false;
	fde->start = read_pointer(cfi, c, fde->cie->encoding, true);
	fde->size = read_pointer(cfi, c, fde->cie->encoding & PE_FORM, false);
	if (fde->cie->augmented)
		skip(c, read_uleb(c));
	fde->program = *c;
	return !c->bad;
}

/* ---- the search table ---- */

static int by_start(const void *a, const void *b)
{
	const struct place *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static bool add_place(struct table *table, size_t *capacity,
		      uint64_t address, size_t offset)
{
	if (!table->count && table->is_debug)
		table->base = address;

	int64_t start = address - table->base;

	if (start != (int32_t)start || offset > INT32_MAX)
		return true;
	if (table->count == *capacity) {
		struct place *more;

		*capacity = *capacity ? *capacity * 2 : 256;
		more = realloc(table->made, *capacity * sizeof(*more));
		if (!more)
			return false;
		table->made = more;
	}
	table->made[table->count++] = (struct place){ start, offset };
	return true;
}

/* Makes the search table by going through all entries. */
static void index_table(struct cfi *cfi, struct table *table)
{
	size_t capacity = 0, at = 0;
	bool more = true;

	table->whole = malloc(table->size);
	if (!table->whole || !elf_read(table->elf, table->offset,
				       table->whole, table->size))
		more = false;
	table->base = table->address;
	while (more) {
		struct entry entry;
		struct fde fde;

		more = read_entry(table, at, &entry);
		/* It is all in memory: nothing is to be freed. */
		if (more && !entry.is_cie && read_fde(cfi, table, at, &fde) &&
		    fde.size)
			more = add_place(table, &capacity, fde.start, at);
		at = entry.next;
	}
	free(table->whole);
	table->whole = NULL;
	if (table->count)
		qsort(table->made, table->count, sizeof(*table->made),
		      by_start);
}

/* Finds the table in .eh_frame_hdr, if it has the usual form. */
static bool find_header_table(struct cfi *cfi, const struct elf_file *elf,
			      const Elf64_Phdr *segment,
			      const struct elf_data *header)
{
	enum { VERSION = 1, USUAL = PE_DATAREL | PE_SDATA4 };
	struct table *table = &cfi->eh_frame;
	struct cursor c = {
		.start = header->data,
		.at = header->data,
		.end = header->data + header->size,
		.address = cfi->header,
	};

	if (read_bytes(&c, 1) != VERSION)
		return false;

	uint8_t frame_encoding = read_bytes(&c, 1);
	uint8_t count_encoding = read_bytes(&c, 1);
	uint8_t table_encoding = read_bytes(&c, 1);

	if (frame_encoding != PE_OMIT)
		read_pointer(cfi, &c, frame_encoding, true);
	if (count_encoding == PE_OMIT || table_encoding != USUAL)
		return false;

	uint64_t count = read_pointer(cfi, &c, count_encoding, true);
	uint64_t before = c.at - c.start;

	if (c.bad || !count || count > segment->p_filesz / sizeof(struct place))
		return false;
	if (!elf_window_open(&table->places, elf, segment->p_offset + before,
			     count * sizeof(struct place)))
		return false;
	table->count = count;
	table->base = cfi->header;
	return true;
}

static struct place place_at(struct table *table, size_t index)
{
	struct place place;
	size_t at = index * sizeof(place);

	if (table->made)
		return table->made[index];
	elf_window_need(&table->places, at, sizeof(place));
	memcpy(&place, table->places.bytes + at, sizeof(place));
	return place;
}

/* ---- loading ---- */

static bool take_range(struct table *table, const struct elf_file *elf,
		       uint64_t offset, uint64_t size)
{
	if (!size || offset > elf->size || size > elf->size - offset)
		return false;
	table->elf = elf;
	table->offset = offset;
	table->size = size;
	return true;
}

static bool take_section(const struct elf_file *elf, const char *name,
			 struct table *table)
{
	const Elf64_Shdr *section = elf_section(elf, name);

	if (!section || section->sh_type == SHT_NOBITS)
		return false;
	if (section->sh_flags & SHF_COMPRESSED) {
		struct elf_data data;

		if (!elf_section_data(elf, section, &data))
			return false;
		table->inflated = (struct elf_file){
			.fd = -1,
			.bytes = data.data,
			.size = data.size,
		};
		take_range(table, &table->inflated, 0, data.size);
	} else if (!take_range(table, elf, section->sh_offset,
			       section->sh_size)) {
		return false;
	}
	table->address = table->is_debug ? 0 : section->sh_addr;
	return true;
}

/* Where the header says that .eh_frame is, up to the segment's end. */
static bool take_by_header(struct cfi *cfi, const struct elf_file *elf,
			   const struct elf_data *header)
{
	struct cursor c = {
		.start = header->data,
		.at = header->data + 4,
		.end = header->data + header->size,
		.address = cfi->header,
	};
	const Elf64_Phdr *segment;
	uint64_t address;

	if (header->size < 4 || header->data[1] == PE_OMIT)
		return false;
	address = read_pointer(cfi, &c, header->data[1], true);
	segment = elf_segment_at(elf, address);
	if (c.bad || !segment ||
	    !take_range(&cfi->eh_frame, elf,
			segment->p_offset + address - segment->p_vaddr,
			elf_backed_size(elf, address)))
		return false;
	cfi->eh_frame.address = address;
	return true;
}

static void load_eh_frame(struct cfi *cfi, const struct elf_file *elf)
{
	enum { HEADER_MAX = 4 + 8 + 8 };
	const Elf64_Phdr *segment = elf_segment(elf, PT_GNU_EH_FRAME);
	struct elf_data header = { 0 };

	if (segment && elf_data_at(elf, segment->p_vaddr,
				   segment->p_filesz < HEADER_MAX ?
				   segment->p_filesz : HEADER_MAX, &header))
		cfi->header = segment->p_vaddr;
	if ((take_section(elf, ".eh_frame", &cfi->eh_frame) ||
	     (header.data && take_by_header(cfi, elf, &header))) &&
	    !(header.data && find_header_table(cfi, elf, segment, &header)))
		index_table(cfi, &cfi->eh_frame);
	free(header.data);
}

struct cfi *cfi_load(const struct elf_file *elf, const struct elf_file *debug)
{
	struct cfi *cfi = calloc(1, sizeof(*cfi));

	if (!cfi)
		return NULL;
	cfi->word = elf->is64 ? 8 : 4;
	load_eh_frame(cfi, elf);
	cfi->debug_frame.is_debug = true;
	if (!take_section(elf, ".debug_frame", &cfi->debug_frame))
		cfi->debug_frame.separate = debug &&
			take_section(debug, ".debug_frame",
				     &cfi->debug_frame);
	if (cfi->debug_frame.elf)
		index_table(cfi, &cfi->debug_frame);
	if (!cfi->eh_frame.count && !cfi->debug_frame.count) {
		cfi_free(cfi);
		return NULL;
	}
	return cfi;
}

static void free_table(struct table *table)
{
	elf_window_close(&table->places);
	free(table->inflated.bytes);
	free(table->made);
}

void cfi_free(struct cfi *cfi)
{
	if (!cfi)
		return;
	while (cfi->chunks) {
		struct chunk *chunk = cfi->chunks;

		cfi->chunks = chunk->next;
		free(chunk);
	}
	free_table(&cfi->eh_frame);
	free_table(&cfi->debug_frame);
	free(cfi);
}

bool cfi_tables(const struct cfi *cfi, struct cfi_tables *tables)
{
	const struct table *table = &cfi->eh_frame;

	*tables = (struct cfi_tables){
		.address = table->address,
		.size = table->size,
		.base = table->base,
		.table_size = table->count * sizeof(struct place),
	};
	return table->count != 0;
}

/* Up to size bytes at an offset, out of a block. */
static size_t copy_block(struct cfi *cfi, uint64_t offset, uint8_t *to,
			 size_t size)
{
	const struct table *table = &cfi->eh_frame;
	uint64_t number = offset / sizeof(cfi->blocks[0].bytes);
	struct block *block = &cfi->blocks[number % 4];
	uint64_t start = number * sizeof(block->bytes);
	size_t take;

	if (offset >= table->size)
		return 0;
	if (!block->have || block->start != start) {
		block->start = start;
		block->have = table->size - start < sizeof(block->bytes) ?
			table->size - start : sizeof(block->bytes);
		if (!elf_read(table->elf, table->offset + start, block->bytes,
			      block->have))
			block->have = 0;
	}
	if (offset - start >= block->have)
		return 0;
	take = block->have - (offset - start);
	take = take < size ? take : size;
	memcpy(to, block->bytes + (offset - start), take);
	return take;
}

uint64_t cfi_frame_word(struct cfi *cfi, int64_t offset)
{
	uint8_t bytes[8] = { 0 };
	unsigned before = offset < 0 && offset > -8 ? -offset : 0, have;
	uint64_t value;

	have = before + copy_block(cfi, offset + before, bytes + before,
				   sizeof(bytes) - before);
	if (have > before && have < sizeof(bytes))
		copy_block(cfi, offset + have, bytes + have,
			   sizeof(bytes) - have);
	memcpy(&value, bytes, sizeof(value));
	return value;
}

uint64_t cfi_table_word(struct cfi *cfi, int64_t offset)
{
	struct table *table = &cfi->eh_frame;
	struct place pair[2] = { { 0 } };
	uint8_t bytes[8];
	uint64_t value = 0;
	size_t index = offset / (int64_t)sizeof(pair[0]);
	size_t within = offset % sizeof(pair[0]);

	if (offset < 0 || index >= table->count)
		return 0;
	pair[0] = place_at(table, index);
	if (within && index + 1 < table->count)
		pair[1] = place_at(table, index + 1);
	memcpy(bytes, (uint8_t *)pair + within, sizeof(bytes));
	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* ---- executing ---- */

struct rule {
	uint8_t kind;		/* enum cfi_rule, or RULE_SAME */
	uint8_t reg;
	int64_t offset;
	struct cfi_expression expression;
};

struct state {
	bool cfa_known, cfa_is_expression;
	uint8_t cfa_reg;
	int64_t cfa_offset;
	struct cfi_expression cfa;
	struct rule rules[CFI_REGISTERS];
};

struct machine {
	const struct cfi *cfi;
	const struct cie *cie;
	struct state state;
	const struct state *initial;	/* NULL: executing the CIE's program */
	struct state stack[STATES_MAX];
	unsigned depth;
	uint64_t location;
};

static struct cfi_expression read_block(struct cursor *c)
{
	uint64_t size = read_uleb(c);
	struct cfi_expression block = { .code = c->at };

	skip(c, size);
	block.size = c->at - block.code;
	return block;
}

/* The rule of a register; one that we do not follow goes to a dummy. */
static struct rule *rule_of(struct machine *m, uint64_t reg)
{
	static struct rule dummy;

	return reg < CFI_REGISTERS ? &m->state.rules[reg] : &dummy;
}

static void set_rule(struct machine *m, uint64_t reg, uint8_t kind,
		     int64_t offset)
{
	*rule_of(m, reg) = (struct rule){ .kind = kind, .offset = offset };
}

static bool restore(struct machine *m, uint64_t reg)
{
	if (!m->initial)
		return false;
	if (reg < CFI_REGISTERS)
		m->state.rules[reg] = m->initial->rules[reg];
	return true;
}

static bool set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	m->state.cfa_known = true;
	m->state.cfa_is_expression = false;
	m->state.cfa_reg = reg;
	m->state.cfa_offset = offset;
	return reg < CFI_REGISTERS;
}

/* The instructions that say where a register of the caller is. */
static bool execute_rule(struct machine *m, struct cursor *c, uint8_t op)
{
	int64_t align = m->cie->data_align;
	uint64_t reg = read_uleb(c);
	struct rule *rule;

	switch (op) {
	case OP_OFFSET_EXTENDED:
		set_rule(m, reg, CFI_AT, read_uleb(c) * align);
		return true;
	case OP_OFFSET_EXTENDED_SF:
		set_rule(m, reg, CFI_AT, (uint64_t)read_sleb(c) * align);
		return true;
	case OP_GNU_NEGATIVE_OFFSET_EXTENDED:
		set_rule(m, reg, CFI_AT, -(read_uleb(c) * align));
		return true;
	case OP_VALUE_OFFSET:
		set_rule(m, reg, CFI_IS, read_uleb(c) * align);
		return true;
	case OP_VALUE_OFFSET_SF:
		set_rule(m, reg, CFI_IS, (uint64_t)read_sleb(c) * align);
		return true;
	case OP_RESTORE_EXTENDED:
		return restore(m, reg);
	case OP_UNDEFINED:
		set_rule(m, reg, CFI_UNDEFINED, 0);
		return true;
	case OP_SAME_VALUE:
		set_rule(m, reg, RULE_SAME, 0);
		return true;
	case OP_REGISTER: {
		uint64_t from = read_uleb(c);

		rule = rule_of(m, reg);
		*rule = (struct rule){ .kind = CFI_REGISTER, .reg = from };
		return from < CFI_REGISTERS;
	}
	case OP_EXPRESSION:
	case OP_VALUE_EXPRESSION:
		rule = rule_of(m, reg);
		*rule = (struct rule){
			.kind = op == OP_EXPRESSION ? CFI_AT_EXPRESSION :
				CFI_IS_EXPRESSION,
			.expression = read_block(c),
		};
		return true;
	default:
		return false;
	}
}

/* The instructions that say what the CFA is. */
static bool execute_cfa(struct machine *m, struct cursor *c, uint8_t op)
{
	int64_t align = m->cie->data_align;
	uint64_t reg;

	switch (op) {
	case OP_CFA:
		reg = read_uleb(c);
		return set_cfa(m, reg, read_uleb(c));
	case OP_CFA_SF:
		reg = read_uleb(c);
		return set_cfa(m, reg, (uint64_t)read_sleb(c) * align);
	case OP_CFA_REGISTER:
		return set_cfa(m, read_uleb(c), m->state.cfa_offset);
	case OP_CFA_OFFSET:
		return set_cfa(m, m->state.cfa_reg, read_uleb(c));
	case OP_CFA_OFFSET_SF:
		return set_cfa(m, m->state.cfa_reg,
			       (uint64_t)read_sleb(c) * align);
	case OP_CFA_EXPRESSION:
		m->state.cfa_known = m->state.cfa_is_expression = true;
		m->state.cfa = read_block(c);
		return true;
	default:
		return execute_rule(m, c, op);
	}
}

static bool execute_other(struct machine *m, struct cursor *c, uint8_t op)
{
	switch (op) {
	case OP_NOP:
		return true;
	case OP_GNU_ARGS_SIZE:
		read_uleb(c);
		return true;
	case OP_REMEMBER_STATE:
		if (m->depth == STATES_MAX)
			return false;
		m->stack[m->depth++] = m->state;
		return true;
	case OP_RESTORE_STATE:
		if (!m->depth)
			return false;
		m->state = m->stack[--m->depth];
		return true;
	default:
		return execute_cfa(m, c, op);
	}
}

/* Whether op moves the location, and by how much or whereto. */
static bool read_advance(const struct machine *m, struct cursor *c, uint8_t op,
			 uint64_t *location)
{
	uint64_t delta;

	switch (op) {
	case OP_SET_LOCATION:
		*location = read_pointer(m->cfi, c, m->cie->encoding, true);
		return true;
	case OP_ADVANCE1:
		delta = read_bytes(c, 1);
		break;
	case OP_ADVANCE2:
		delta = read_bytes(c, 2);
		break;
	case OP_ADVANCE4:
		delta = read_bytes(c, 4);
		break;
	default:
		if ((op & 0xc0) != OP_ADVANCE)
			return false;
		delta = op & 0x3f;
	}
	*location = m->location + delta * m->cie->code_align;
	return true;
}

/* Executes until the rules are those at address.  False: not understood. */
static bool execute(struct machine *m, struct cursor c, uint64_t address)
{
	while (c.at < c.end && !c.bad) {
		uint8_t op = read_bytes(&c, 1);
		uint64_t location;

		if (read_advance(m, &c, op, &location)) {
			if (location > address)
				break;
			m->location = location;
			continue;
		}

		bool known = true;

		switch (op & 0xc0) {
		case OP_OFFSET:
			set_rule(m, op & 0x3f, CFI_AT,
				 read_uleb(&c) * m->cie->data_align);
			break;
		case OP_RESTORE:
			known = restore(m, op & 0x3f);
			break;
		default:
			known = execute_other(m, &c, op);
		}
		if (!known)
			return false;
	}
	return !c.bad;
}

/* ---- rows ---- */

/* The bytes of an expression stay, those of its FDE do not. */
static bool keep_expression(struct cfi *cfi, struct cfi_expression *e)
{
	uint8_t *copy;

	if (!e->size)
		return true;
	copy = allocate(cfi, e->size);
	if (!copy)
		return false;
	memcpy(copy, e->code, e->size);
	e->code = copy;
	return true;
}

static struct cfi_row *make_row(struct cfi *cfi, const struct machine *m)
{
	const struct state *state = &m->state;
	struct cfi_row *row;
	unsigned count = 0;

	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		count += state->rules[i].kind != RULE_SAME;
	row = allocate(cfi, sizeof(*row) + count * sizeof(row->saved[0]));
	if (!row)
		return NULL;
	*row = (struct cfi_row){
		.signal = m->cie->signal,
		.cfa_is_expression = state->cfa_is_expression,
		.cfa_reg = state->cfa_reg,
		.return_column = m->cie->return_column,
		.cfa_offset = state->cfa_offset,
		.cfa = state->cfa,
	};
	if (row->cfa_is_expression && !keep_expression(cfi, &row->cfa))
		return NULL;
	for (unsigned i = 0; i < CFI_REGISTERS; i++) {
		const struct rule *rule = &state->rules[i];

		if (rule->kind == RULE_SAME)
			continue;
		row->saved[row->count] = (struct cfi_saved){
			.which = i,
			.rule = rule->kind,
			.reg = rule->reg,
			.offset = rule->offset,
			.expression = rule->expression,
		};
		if (!keep_expression(cfi, &row->saved[row->count].expression))
			return NULL;
		row->count++;
	}
	return row;
}

static enum cfi_result run(struct cfi *cfi, const struct fde *fde,
			   uint64_t address, struct cfi_row **row)
{
	struct machine m;	/* large: only what is read is set */
	struct state initial = { .cfa_known = false };

	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		initial.rules[i].kind = RULE_SAME;
	m.cfi = cfi;
	m.cie = fde->cie;
	m.state = initial;
	m.initial = NULL;
	m.depth = 0;
	m.location = fde->start;
	if (!execute(&m, fde->cie->program, UINT64_MAX))
		return CFI_UNKNOWN;
	initial = m.state;
	m.initial = &initial;
	m.location = fde->start;
	if (!execute(&m, fde->program, address) || !m.state.cfa_known)
		return CFI_UNKNOWN;
	*row = make_row(cfi, &m);
	return *row ? CFI_FOUND : CFI_UNKNOWN;
}

/* The FDE is to be freed if this returns true. */
static bool find_fde(struct cfi *cfi, struct table *table, uint64_t address,
		     struct fde *fde)
{
	size_t low = 0, high = table->count;
	int64_t relative = address - table->base, where;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (place_at(table, middle).start > relative)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low)
		return false;
	where = place_at(table, low - 1).description;
	if (!table->is_debug)
		where += table->base - table->address;
	if (where < 0)
		return false;
	if (read_fde(cfi, table, where, fde) &&
	    address - fde->start < fde->size)
		return true;
	free_entry(&fde->entry);
	return false;
}

enum cfi_result cfi_find(struct cfi *cfi, uint64_t address,
			 const struct cfi_row **row)
{
	const struct table *table = &cfi->eh_frame;
	struct cfi_row *found = NULL;
	enum cfi_result result;
	struct fde fde;

	*row = NULL;
	if (!find_fde(cfi, &cfi->eh_frame, address, &fde)) {
		table = &cfi->debug_frame;
		if (!find_fde(cfi, &cfi->debug_frame, address, &fde))
			return CFI_NONE;
	}
	result = run(cfi, &fde, address, &found);
	if (found)
		found->separate = table->separate;
	*row = found;
	free_entry(&fde.entry);
	return result;
}
