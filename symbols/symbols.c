/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Symbol tables; see symbols.h.
 */
#include "config.h"

#include "symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#ifdef HAVE_LIBIBERTY
#include <setjmp.h>

#include <libiberty/demangle.h>
#endif

#include "symbols/intern.h"

/* Small: there are many, and memory that is touched first is not cheap. */
struct symbol {
	uint64_t value;
	uint32_t size;		/* UINT32_MAX: that or more */
	uint32_t index;		/* in the file's table */
	uint32_t name;		/* offset in strings */
	uint16_t section;
	uint8_t rank;		/* the binding: more is better */
};

/* Where sections lie: the first one that holds an address is its section. */
struct extent {
	uint64_t start, size;
};

struct symbols {
	struct symbol *symbols;	/* in the table's order */
	uint32_t *order;	/* the same by value, then by the table */
	uint64_t *ends;		/* ends[i]: the highest end up to order[i] */
	size_t count;
	uint32_t first_global;	/* index */
	const struct elf_file *elf;
	uint64_t strings, strings_size;	/* where they are in it */
	char *name;		/* the last one found */
	size_t name_capacity;
	struct extent *extents;
	size_t extent_count;
	const struct symbol **found;	/* scratch of a search */
	size_t found_count, found_capacity;
};

/* ---- loading ---- */

/* Where a table is in the file. */
struct raw_table {
	uint64_t symbols, symbols_size;
	uint64_t strings, strings_size;
	uint32_t first_global;
	struct elf_data sections;	/* numbers that do not fit into 16 bits */
};

static bool find_section_table(const struct elf_file *elf, uint32_t type,
			       struct raw_table *raw)
{
	const Elf64_Shdr *table = elf_section_of_type(elf, type), *strings;

	*raw = (struct raw_table){ 0 };
	if (!table || table->sh_link >= elf->section_count ||
	    table->sh_offset > elf->size ||
	    table->sh_size > elf->size - table->sh_offset)
		return false;
	strings = &elf->sections[table->sh_link];
	raw->symbols = table->sh_offset;
	raw->symbols_size = table->sh_size;
	raw->strings = strings->sh_offset;
	raw->strings_size = strings->sh_size;
	raw->first_global = table->sh_info;
	for (size_t i = 1; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];

		if (section->sh_type == SHT_SYMTAB_SHNDX &&
		    section->sh_link == table - elf->sections) {
			elf_section_data(elf, section, &raw->sections);
			break;
		}
	}
	return true;
}

static uint64_t dynamic_value(const struct elf_file *elf,
			      const struct elf_data *dynamic, int64_t tag)
{
	size_t entry = elf->is64 ? sizeof(Elf64_Dyn) : sizeof(Elf32_Dyn);

	for (size_t at = 0; dynamic->size - at >= entry; at += entry) {
		Elf64_Dyn wide;
		Elf32_Dyn narrow;

		if (elf->is64) {
			memcpy(&wide, dynamic->data + at, entry);
		} else {
			memcpy(&narrow, dynamic->data + at, entry);
			wide.d_tag = narrow.d_tag;
			wide.d_un.d_val = narrow.d_un.d_val;
		}
		if (wide.d_tag == DT_NULL)
			break;
		if (wide.d_tag != tag)
			continue;
		/* The dynamic linker may have made it absolute. */
		if (wide.d_un.d_val >= elf->bias &&
		    !elf_backed_size(elf, wide.d_un.d_val))
			wide.d_un.d_val -= elf->bias;
		return wide.d_un.d_val;
	}
	return 0;
}

/*
 * Without section headers the symbols' number is nowhere: but linkers put the
 * strings right behind them.
 */
static bool find_dynamic_table(const struct elf_file *elf,
			       struct raw_table *raw)
{
	const Elf64_Phdr *segment = elf_segment(elf, PT_DYNAMIC);
	struct elf_data dynamic;

	*raw = (struct raw_table){ 0 };
	if (!segment || !elf_data_at(elf, segment->p_vaddr, segment->p_filesz,
				     &dynamic))
		return false;

	uint64_t symbols = dynamic_value(elf, &dynamic, DT_SYMTAB);
	uint64_t strings = dynamic_value(elf, &dynamic, DT_STRTAB);

	raw->strings_size = dynamic_value(elf, &dynamic, DT_STRSZ);
	free(dynamic.data);
	segment = elf_segment_at(elf, symbols);
	raw->symbols_size = strings - symbols;
	if (!segment || strings <= symbols ||
	    raw->symbols_size > elf_backed_size(elf, symbols) ||
	    raw->strings_size > elf_backed_size(elf, strings))
		return false;
	raw->symbols = segment->p_offset + (symbols - segment->p_vaddr);
	raw->strings = raw->symbols + raw->symbols_size;
	return true;
}

static uint8_t rank_of(unsigned char info)
{
	switch (ELF64_ST_BIND(info)) {
	case STB_GLOBAL:
		return 3;
	case STB_WEAK:
		return 2;
	case STB_LOCAL:
		return 1;
	default:
		return 0;
	}
}

/* Whether the symbol can name code, and so is kept. */
static bool is_wanted(const struct elf_file *elf, const Elf64_Sym *sym,
		      uint32_t section)
{
	switch (ELF64_ST_TYPE(sym->st_info)) {
	case STT_SECTION:
	case STT_FILE:
	case STT_TLS:
		return false;
	}
	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_COMMON)
		return false;
	/* Only code is asked for; and data cannot be where code is. */
	if (section < SHN_LORESERVE && section < elf->section_count &&
	    !(elf->sections[section].sh_flags & SHF_EXECINSTR))
		return false;
	/* An absolute value means nothing in what is moved to anywhere. */
	if (sym->st_shndx == SHN_ABS && elf->type != ET_EXEC)
		return false;
	return sym->st_name != 0;
}

static void widen_symbol(const struct elf_file *elf, const uint8_t *bytes,
			 Elf64_Sym *sym)
{
	Elf32_Sym narrow;

	if (elf->is64) {
		memcpy(sym, bytes, sizeof(*sym));
		return;
	}
	memcpy(&narrow, bytes, sizeof(narrow));
	*sym = (Elf64_Sym){
		.st_name = narrow.st_name,
		.st_info = narrow.st_info,
		.st_other = narrow.st_other,
		.st_shndx = narrow.st_shndx,
		.st_value = narrow.st_value,
		.st_size = narrow.st_size,
	};
}

static uint32_t section_of(const struct raw_table *raw, size_t index,
			   const Elf64_Sym *sym)
{
	uint32_t section = sym->st_shndx;

	if (section != SHN_XINDEX)
		return section;
	if (index >= raw->sections.size / sizeof(section))
		return SHN_UNDEF;
	memcpy(&section, raw->sections.data + index * sizeof(section),
	       sizeof(section));
	return section;
}

/* Radix sort: stable, so that equal values stay in the table's order. */
static bool sort_by_value(struct symbols *symbols)
{
	enum { BITS = 11, BUCKETS = 1 << BITS };
	const struct symbol *all = symbols->symbols;
	uint32_t *other = malloc(symbols->count * sizeof(*other));
	uint64_t used = 0;

	symbols->order = malloc(symbols->count * sizeof(*symbols->order));
	if (!other || !symbols->order) {
		free(other);
		return false;
	}
	for (size_t i = 0; i < symbols->count; i++) {
		symbols->order[i] = i;
		used |= all[i].value;
	}
	for (unsigned shift = 0; shift < 64 && used >> shift; shift += BITS) {
		uint32_t starts[BUCKETS] = { 0 }, sum = 0;
		uint32_t *swap = symbols->order;

		for (size_t i = 0; i < symbols->count; i++)
			starts[all[i].value >> shift & (BUCKETS - 1)]++;
		for (size_t b = 0; b < BUCKETS; b++) {
			uint32_t count = starts[b];

			starts[b] = sum;
			sum += count;
		}
		for (size_t i = 0; i < symbols->count; i++) {
			uint64_t value = all[swap[i]].value;

			other[starts[value >> shift & (BUCKETS - 1)]++] =
				swap[i];
		}
		symbols->order = other;
		other = swap;
	}
	free(other);
	return true;
}

/*
 * Goes over the table in pieces: once to count the symbols that are wanted,
 * and once to keep them, in the room that there is.
 */
static bool read_table(struct symbols *symbols, const struct elf_file *elf,
		       const struct raw_table *raw, size_t room)
{
	enum { PIECE = 512 };
	uint8_t bytes[PIECE * sizeof(Elf64_Sym)];
	size_t entry = elf->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	size_t total = raw->symbols_size / entry;

	symbols->count = 0;
	for (size_t i = 0; i < total; i++) {
		size_t in_piece = i % PIECE, left = total - i;
		uint32_t section;
		Elf64_Sym sym;

		if (!in_piece &&
		    !elf_read(elf, raw->symbols + i * entry, bytes,
			      (left < PIECE ? left : PIECE) * entry))
			return false;
		widen_symbol(elf, bytes + in_piece * entry, &sym);
		section = section_of(raw, i, &sym);
		if (!i || !is_wanted(elf, &sym, section))
			continue;
		if (symbols->symbols && symbols->count == room)
			break;
		if (symbols->symbols)
			symbols->symbols[symbols->count] = (struct symbol){
				.value = sym.st_value,
				.size = sym.st_size < UINT32_MAX ?
					sym.st_size : UINT32_MAX,
				.index = i,
				.name = sym.st_name,
				.section = section < SHN_XINDEX ?
					section : SHN_XINDEX,
				.rank = rank_of(sym.st_info),
			};
		symbols->count++;
	}
	return symbols->count != 0;
}

static const struct symbol *ordered(const struct symbols *symbols, size_t i)
{
	return &symbols->symbols[symbols->order[i]];
}

static bool fill(struct symbols *symbols, const struct elf_file *elf,
		 const struct raw_table *raw)
{
	uint64_t highest = 0;

	symbols->elf = elf;
	symbols->strings = raw->strings;
	symbols->strings_size = raw->strings_size;
	if (!read_table(symbols, elf, raw, 0))
		return false;
	symbols->symbols = malloc(symbols->count * sizeof(struct symbol));
	symbols->ends = malloc(symbols->count * sizeof(uint64_t));
	if (!symbols->symbols || !symbols->ends ||
	    !read_table(symbols, elf, raw, symbols->count) || !sort_by_value(symbols))
		return false;
	for (size_t i = 0; i < symbols->count; i++) {
		const struct symbol *s = ordered(symbols, i);

		if (s->value + s->size > highest)
			highest = s->value + s->size;
		symbols->ends[i] = highest;
	}
	return true;
}

static bool copy_extents(struct symbols *symbols, const struct elf_file *elf)
{
	symbols->extents = calloc(elf->section_count + 1,
				  sizeof(*symbols->extents));
	if (!symbols->extents)
		return false;
	symbols->extent_count = elf->section_count;
	for (size_t i = 1; i < elf->section_count; i++)
		symbols->extents[i] = (struct extent){
			.start = elf->sections[i].sh_addr,
			.size = elf->sections[i].sh_size,
		};
	return true;
}

bool symbols_full(const struct elf_file *elf)
{
	const Elf64_Shdr *table = elf_section_of_type(elf, SHT_SYMTAB);

	return table && table->sh_size;
}

struct symbols *symbols_load(const struct elf_file *elf)
{
	struct raw_table raw;

	if (!find_section_table(elf, SHT_SYMTAB, &raw) &&
	    !find_section_table(elf, SHT_DYNSYM, &raw) &&
	    !find_dynamic_table(elf, &raw))
		return NULL;

	struct symbols *symbols = calloc(1, sizeof(*symbols));

	if (symbols) {
		symbols->first_global = raw.first_global;
		if (!fill(symbols, elf, &raw) || !copy_extents(symbols, elf)) {
			symbols_free(symbols);
			symbols = NULL;
		}
	}
	free(raw.sections.data);
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	free(symbols->name);
	free(symbols->symbols);
	free(symbols->order);
	free(symbols->ends);
	free(symbols->extents);
	free(symbols->found);
	free(symbols);
}

/* ---- searching ---- */

/* How many symbols begin at or below address. */
static size_t count_up_to(const struct symbols *symbols, uint64_t address)
{
	size_t low = 0, high = symbols->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ordered(symbols, middle)->value > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static bool keep(struct symbols *symbols, const struct symbol *symbol)
{
	if (symbols->found_count == symbols->found_capacity) {
		size_t capacity = symbols->found_capacity * 2 + 16;
		const struct symbol **more =
			realloc(symbols->found, capacity * sizeof(*more));

		if (!more)
			return false;
		symbols->found = more;
		symbols->found_capacity = capacity;
	}
	symbols->found[symbols->found_count++] = symbol;
	return true;
}

static int by_index(const void *a, const void *b)
{
	const struct symbol *left = *(const struct symbol *const *)a;
	const struct symbol *right = *(const struct symbol *const *)b;

	return (left->index > right->index) - (left->index < right->index);
}

/* Collects the symbols whose range holds address, in the table's order. */
static void collect(struct symbols *symbols, size_t below, uint64_t address)
{
	symbols->found_count = 0;
	for (size_t i = below; i-- && symbols->ends[i] > address; ) {
		const struct symbol *s = ordered(symbols, i);

		if (address - s->value < s->size && !keep(symbols, s))
			break;
	}
	if (symbols->found_count > 1)
		qsort(symbols->found, symbols->found_count,
		      sizeof(*symbols->found), by_index);
}

/*
 * Whether a symbol is to be preferred to an earlier one: it begins nearer to
 * the address, or is bound better, or begins at the same place and is no
 * worse bound but ends earlier.
 */
static bool is_better(const struct symbol *symbol, const struct symbol *than)
{
	if (symbol->value > than->value || symbol->rank > than->rank)
		return true;
	return symbol->value == than->value && symbol->size < than->size &&
		symbol->rank == than->rank;
}

static const struct symbol *best_found(const struct symbols *symbols,
				       bool global)
{
	const struct symbol *best = NULL;

	for (size_t i = 0; i < symbols->found_count; i++) {
		const struct symbol *s = symbols->found[i];

		if ((s->index >= symbols->first_global) == global &&
		    (!best || is_better(s, best)))
			best = s;
	}
	return best;
}

/* The section that holds address, or else one that ends there. */
static uint32_t section_at(const struct symbols *symbols, uint64_t address)
{
	uint32_t ending = SHN_ABS;

	for (size_t i = 1; i < symbols->extent_count; i++) {
		uint64_t offset = address - symbols->extents[i].start;

		if (offset < symbols->extents[i].size)
			return i;
		if (offset == symbols->extents[i].size && ending == SHN_ABS)
			ending = i;
	}
	return ending;
}

static bool in_section(const struct symbol *symbol, uint64_t address,
		       uint32_t section)
{
	/* Sections of so high a number hold no labels that anybody saw. */
	return symbol->section >= SHN_LORESERVE ? symbol->value == address :
		symbol->section == section;
}

/* The last global label without a size that is right at the address. */
static const struct symbol *find_exact_label(const struct symbols *symbols,
					     size_t below, uint64_t address)
{
	uint32_t section = section_at(symbols, address);

	for (size_t i = below; i-- &&
	     ordered(symbols, i)->value == address; ) {
		const struct symbol *s = ordered(symbols, i);

		if (!s->size && s->index >= symbols->first_global &&
		    in_section(s, address, section))
			return s;
	}
	return NULL;
}

/*
 * A label without a size, as assembly has them, counts up to the next symbol
 * in its section; but not if a symbol before it reaches beyond it.
 */
static const struct symbol *find_label(const struct symbols *symbols,
				       size_t below, uint64_t address)
{
	uint32_t section = section_at(symbols, address);
	const struct symbol *global = NULL;

	for (size_t i = below; i--; ) {
		const struct symbol *s = ordered(symbols, i);

		if (s->value < symbols->ends[below - 1])
			break;
		if (s->size || !in_section(s, address, section))
			continue;
		/* The last local one of the table, else the last global. */
		if (s->index < symbols->first_global)
			return s;
		if (!global)
			global = s;
	}
	return global;
}

/* The string in the file, if it ends within it. */
static const char *name_of(struct symbols *symbols,
			   const struct symbol *symbol)
{
	uint64_t left = symbols->strings_size - symbol->name;

	if (symbol->name >= symbols->strings_size)
		return NULL;
	for (size_t size = 256; ; size *= 4) {
		size_t take = size < left ? size : left;

		if (take > symbols->name_capacity) {
			char *more = realloc(symbols->name, take);

			if (!more)
				return NULL;
			symbols->name = more;
			symbols->name_capacity = take;
		}
		if (!elf_read(symbols->elf, symbols->strings + symbol->name,
			      symbols->name, take))
			return NULL;
		if (memchr(symbols->name, '\0', take))
			return symbols->name;
		if (take == left)
			return NULL;
	}
}

static const struct symbol *find(struct symbols *symbols, uint64_t address)
{
	size_t below = count_up_to(symbols, address);
	const struct symbol *best;

	if (!below)
		return NULL;
	collect(symbols, below, address);
	best = best_found(symbols, true);
	if (!best)
		best = find_exact_label(symbols, below, address);
	if (!best)
		best = best_found(symbols, false);
	return best ? best : find_label(symbols, below, address);
}

const char *symbols_find(struct symbols *symbols, uint64_t address,
			 uint64_t *offset)
{
	const struct symbol *best = find(symbols, address);

	if (!best)
		return NULL;
	*offset = address - best->value;
	return name_of(symbols, best);
}

const char *symbols_find_in_both(struct symbols *one, struct symbols *other,
				 uint64_t address, uint64_t *offset)
{
	const struct symbol *a = one ? find(one, address) : NULL;
	const struct symbol *b = other ? find(other, address) : NULL;

	/* A label ends where the next symbol begins, be it in the other. */
	if (!a || (b && (!a->size == !b->size ? b->value > a->value :
			 !a->size)))
		return b ? symbols_find(other, address, offset) : NULL;
	*offset = address - a->value;
	return name_of(one, a);
}

/* ---- demangling ---- */

#ifdef HAVE_LIBIBERTY

/* What a name may grow to: templates of templates have no other bound. */
enum { DEMANGLED_MAX = 1 << 20 };

struct demangled {
	char *text;
	size_t length, capacity;
	jmp_buf too_long;
};

static void add_text(const char *text, size_t length, void *context)
{
	struct demangled *to = context;

	if (length > DEMANGLED_MAX - to->length)
		longjmp(to->too_long, 1);
	if (length > to->capacity - to->length) {
		size_t capacity = (to->length + length) * 2;
		char *more = realloc(to->text, capacity);

		if (!more)
			longjmp(to->too_long, 1);
		to->text = more;
		to->capacity = capacity;
	}
	memcpy(to->text + to->length, text, length);
	to->length += length;
}

/* Neither demangler holds memory of its own while it calls back. */
static bool demangle_to(struct demangled *to, const char *mangled)
{
	if (setjmp(to->too_long))
		return false;
	if (rust_demangle_callback(mangled, DMGL_PARAMS, add_text, to))
		return true;
	to->length = 0;
	return cplus_demangle_v3_callback(mangled, DMGL_PARAMS, add_text, to);
}

/*
 * Demangles the first length bytes of name and appends the version.  NULL: it
 * is not mangled.
 */
static const char *demangle(const char *name, size_t length,
			    const char *version)
{
	struct demangled to = { .text = NULL };
	const char *result = NULL;
	char *mangled = strndup(name, length);

	if (mangled && demangle_to(&to, mangled)) {
		size_t more = strlen(version);
		char *text = realloc(to.text, to.length + more);

		if (text) {
			memcpy(text + to.length, version, more);
			result = intern(text, to.length + more);
			to.text = text;
		}
	}
	free(to.text);
	free(mangled);
	return result;
}

static bool is_mangled(const char *name)
{
	return name[0] == '_' &&
		(name[1] == 'Z' || name[1] == 'R' ||
		 !strncmp(name, "__Z", 3) || !strncmp(name, "_GLOBAL_", 8));
}

#else

static const char *demangle(const char *name, size_t length,
			    const char *version)
{
	(void)name;
	(void)length;
	(void)version;
	return NULL;
}

static bool is_mangled(const char *name)
{
	(void)name;
	return false;
}

#endif

const char *symbols_demangle(const char *name)
{
	if (is_mangled(name)) {
		const char *version = strchrnul(name, '@');
		const char *result = demangle(name, version - name, version);

		if (result)
			return result;
	}
	return intern(name, strlen(name));
}
