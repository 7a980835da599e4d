/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information; see cfi.h.  The bytes are hostile: everything is
 * read through a cursor that does not go beyond its end.
 */
#include "cfi.h"

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

/* One of .eh_frame and .debug_frame. */
struct table {
	struct elf_window window;
	uint64_t address;	/* 0 for .debug_frame */
	bool is_debug;
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
	struct chunk *chunks;	/* rows lie in them */
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

/* ---- entries: CIE and FDE ---- */

struct entry {
	struct cursor body;	/* behind the identification */
	size_t offset, next;	/* in the table */
	bool is_cie;
	size_t cie;		/* offset, of an FDE */
};

/* Reads the head of the entry at offset; false at the end of the table. */
static bool read_entry(struct table *table, size_t offset,
		       struct entry *entry)
{
	const uint8_t *bytes = table->window.bytes;
	struct cursor c = {
		.start = bytes,
		.at = bytes + offset,
		.end = bytes + table->window.size,
		.address = table->address,
	};
	unsigned width = 4;
	uint64_t length, id, none;

	if (offset >= table->window.size)
		return false;
	elf_window_need(&table->window, offset, 12);
	length = read_bytes(&c, 4);
	if (length == 0xffffffff) {
		length = read_bytes(&c, 8);
		width = 8;
	}
	if (c.bad || !length || length > (uint64_t)(c.end - c.at))
		return false;
	c.end = c.at + length;
	entry->offset = offset;
	entry->next = c.end - bytes;
	elf_window_need(&table->window, offset, entry->next - offset);

	size_t here = c.at - bytes;

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

static bool read_cie(const struct cfi *cfi, struct table *table,
		     size_t offset, struct cie *cie)
{
	struct entry entry;

	if (!read_entry(table, offset, &entry) || !entry.is_cie)
		return false;

	struct cursor *c = &entry.body;
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

struct fde {
	struct cie cie;
	uint64_t start, size;
	struct cursor program;
};

static bool read_fde(const struct cfi *cfi, struct table *table,
		     size_t offset, struct fde *fde)
{
	struct entry entry;

	if (!read_entry(table, offset, &entry) || entry.is_cie ||
	    !read_cie(cfi, table, entry.cie, &fde->cie))
		return false;

	struct cursor *c = &entry.body;

	fde->start = read_pointer(cfi, c, fde->cie.encoding, true);
	fde->size = read_pointer(cfi, c, fde->cie.encoding & PE_FORM, false);
	if (fde->cie.augmented)
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

/* Makes the search table by going through all entries. */
static void index_table(const struct cfi *cfi, struct table *table)
{
	size_t capacity = 0;
	struct entry entry;
	struct fde fde;

	table->base = table->address;
	for (size_t at = 0; read_entry(table, at, &entry); at = entry.next) {
		if (entry.is_cie || !read_fde(cfi, table, at, &fde) ||
		    !fde.size)
			continue;
		if (!table->count && table->is_debug)
			table->base = fde.start;

		int64_t start = fde.start - table->base;

		if (start != (int32_t)start || at > INT32_MAX)
			continue;
		if (table->count == capacity) {
			struct place *more;

			capacity = capacity ? capacity * 2 : 256;
			more = realloc(table->made, capacity * sizeof(*more));
			if (!more)
				return;
			table->made = more;
		}
		table->made[table->count++] = (struct place){ start, at };
	}
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

static bool take_section(const struct elf_file *elf, const char *name,
			 struct table *table)
{
	const Elf64_Shdr *section = elf_section(elf, name);

	if (!section || section->sh_type == SHT_NOBITS ||
	    (section->sh_flags & SHF_COMPRESSED) ||
	    !elf_window_open(&table->window, elf, section->sh_offset,
			     section->sh_size))
		return false;
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
	    !elf_window_open(&cfi->eh_frame.window, elf,
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
	if (take_section(elf, ".debug_frame", &cfi->debug_frame) ||
	    (debug && take_section(debug, ".debug_frame",
				   &cfi->debug_frame)))
		index_table(cfi, &cfi->debug_frame);
	if (!cfi->eh_frame.count && !cfi->debug_frame.count) {
		cfi_free(cfi);
		return NULL;
	}
	return cfi;
}

static void free_table(struct table *table)
{
	elf_window_close(&table->window);
	elf_window_close(&table->places);
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
		.size = table->window.size,
		.base = table->base,
		.table_size = table->count * sizeof(struct place),
	};
	return table->count != 0;
}

/* Eight bytes that may begin before, and end behind, what there is. */
static uint64_t word_of(const uint8_t *bytes, size_t size, int64_t offset)
{
	uint64_t value = 0;

	if (offset >= 0 && size >= sizeof(value) &&
	    (uint64_t)offset <= size - sizeof(value)) {
		memcpy(&value, bytes + offset, sizeof(value));
		return value;
	}
	for (unsigned i = 0; i < sizeof(value); i++)
		if ((uint64_t)offset + i < size)
			value |= (uint64_t)bytes[offset + i] << 8 * i;
	return value;
}

uint64_t cfi_frame_word(struct cfi *cfi, int64_t offset)
{
	struct elf_window *window = &cfi->eh_frame.window;

	elf_window_need(window, offset < 0 ? 0 : offset, sizeof(uint64_t));
	return word_of(window->bytes, window->size, offset);
}

uint64_t cfi_table_word(struct cfi *cfi, int64_t offset)
{
	struct table *table = &cfi->eh_frame;
	const uint8_t *bytes = (const uint8_t *)table->made;

	if (!bytes) {
		elf_window_need(&table->places, offset < 0 ? 0 : offset,
				sizeof(uint64_t));
		bytes = table->places.bytes;
	}
	return word_of(bytes, table->count * sizeof(struct place), offset);
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

static void *allocate(struct cfi *cfi, size_t size)
{
	size = (size + 7) & ~(size_t)7;
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
	for (unsigned i = 0; i < CFI_REGISTERS; i++) {
		const struct rule *rule = &state->rules[i];

		if (rule->kind == RULE_SAME)
			continue;
		row->saved[row->count++] = (struct cfi_saved){
			.which = i,
			.rule = rule->kind,
			.reg = rule->reg,
			.offset = rule->offset,
			.expression = rule->expression,
		};
	}
	return row;
}

static enum cfi_result run(struct cfi *cfi, const struct fde *fde,
			   uint64_t address, const struct cfi_row **row)
{
	struct machine m;	/* large: only what is read is set */
	struct state initial = { .cfa_known = false };

	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		initial.rules[i].kind = RULE_SAME;
	m.cfi = cfi;
	m.cie = &fde->cie;
	m.state = initial;
	m.initial = NULL;
	m.depth = 0;
	m.location = fde->start;
	if (!execute(&m, fde->cie.program, UINT64_MAX))
		return CFI_UNKNOWN;
	initial = m.state;
	m.initial = &initial;
	m.location = fde->start;
	if (!execute(&m, fde->program, address) || !m.state.cfa_known)
		return CFI_UNKNOWN;
	*row = make_row(cfi, &m);
	return *row ? CFI_FOUND : CFI_UNKNOWN;
}

static bool find_fde(const struct cfi *cfi, struct table *table,
		     uint64_t address, struct fde *fde)
{
	size_t low = 0, high = table->count;
	int64_t relative = address - table->base;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (place_at(table, middle).start > relative)
			high = middle;
		else
			low = middle + 1;
	}
	if (!low)
		return false;

	int64_t where = place_at(table, low - 1).description;

	if (!table->is_debug)
		where += table->base - table->address;
	return where >= 0 && read_fde(cfi, table, where, fde) &&
		address - fde->start < fde->size;
}

enum cfi_result cfi_find(struct cfi *cfi, uint64_t address,
			 const struct cfi_row **row)
{
	struct fde fde;

	*row = NULL;
	if (!find_fde(cfi, &cfi->eh_frame, address, &fde) &&
	    !find_fde(cfi, &cfi->debug_frame, address, &fde))
		return CFI_NONE;
	return run(cfi, &fde, address, row);
}
