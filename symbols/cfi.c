/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information: its tables, and what they say of an address; see
 * cfi.h.
 */
#include "symbols/cfi-internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- entries: CIE and FDE ---- */

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
	length = cfi_read_bytes(&c, 4);
	if (length == 0xffffffff) {
		length = cfi_read_bytes(&c, 8);
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
	id = cfi_read_bytes(&c, table->is_debug ? width : 4);
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
			cfi_skip(c, 1);
			break;
		case 'P':
			cfi_read_pointer(cfi, c, cfi_read_bytes(c, 1), false);
			break;
		case 'R':
			cie->encoding = cfi_read_bytes(c, 1);
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
	unsigned version = cfi_read_bytes(c, 1);
	const char *letters = (const char *)c->at;

	if (!memchr(c->at, '\0', c->end - c->at))
		return false;
	cfi_skip(c, strlen(letters) + 1);
	*cie = (struct cie){ .encoding = PE_ABSOLUTE };
	if (!strcmp(letters, "eh")) {
		cfi_skip(c, cfi->word);
		letters += 2;
	}
	if (version >= 4) {
		/* Sizes of an address and of a segment selector. */
		if (cfi_read_bytes(c, 1) != cfi->word || cfi_read_bytes(c, 1))
			return false;
	}
	cie->code_align = cfi_read_uleb(c);
	cie->data_align = cfi_read_sleb(c);
	cie->return_column = version == 1 ? cfi_read_bytes(c, 1) :
		cfi_read_uleb(c);
	if (*letters == 'z') {
		uint64_t size = cfi_read_uleb(c);
		struct cursor data = *c;

		cfi_skip(c, size);
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
	uint8_t *copy = cfi_allocate(cfi, size + 1);

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
		kept = cfi_allocate(cfi, sizeof(*kept));
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
	fde->start = cfi_read_pointer(cfi, c, fde->cie->encoding, true);
	fde->size = cfi_read_pointer(cfi, c, fde->cie->encoding & PE_FORM,
				     false);
	if (fde->cie->augmented)
		cfi_skip(c, cfi_read_uleb(c));
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

	if (cfi_read_bytes(&c, 1) != VERSION)
		return false;

	uint8_t frame_encoding = cfi_read_bytes(&c, 1);
	uint8_t count_encoding = cfi_read_bytes(&c, 1);
	uint8_t table_encoding = cfi_read_bytes(&c, 1);

	if (frame_encoding != PE_OMIT)
		cfi_read_pointer(cfi, &c, frame_encoding, true);
	if (count_encoding == PE_OMIT || table_encoding != USUAL)
		return false;

	uint64_t count = cfi_read_pointer(cfi, &c, count_encoding, true);
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
	address = cfi_read_pointer(cfi, &c, header->data[1], true);
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
	cfi_free_memory(cfi);
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
	result = cfi_execute(cfi, &fde, address, &found);
	if (found)
		found->separate = table->separate;
	*row = found;
	free_entry(&fde.entry);
	return result;
}
