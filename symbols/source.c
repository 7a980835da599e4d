/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source lines with libdw; see source.h.
 */
#include "config.h"

#include "symbols/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/debug-file.h"
#include "symbols/inflate.h"
#include "symbols/intern.h"
#include "symbols/symbols.h"

enum {
	RANGES_MAX = 1 << 20,	/* in a table */
	STEPS_MAX = 1 << 20,	/* ranges looked at for one address */
	DEPTH_MAX = 64,		/* of scopes in each other */
};

/* Addresses of a compilation unit or of a function. */
struct range {
	uint64_t start, end;
	Dwarf_Off die;
};

/* Sorted when it is searched. */
struct range_table {
	struct range *ranges;
	size_t count, capacity;
};

/* The functions of a compilation unit that was asked for. */
struct unit {
	Dwarf_Off die;
	struct range_table functions;
};

struct source {
	struct elf_file inflated;	/* what libdw cannot decompress */
	bool is_inflated;
	Elf *elf;
	Dwarf *dwarf;
	struct elf_file common_file;	/* see open_common */
	bool has_common;
	Elf *common_elf;
	Dwarf *common;
	/* Made when .debug_aranges, if any, does not tell: clang's habit. */
	struct range_table unit_ranges;
	bool unit_ranges_made;
	struct unit *units;
	size_t unit_count, unit_capacity;
};

bool source_is_in(const struct elf_file *elf)
{
	static const char *const names[] = { ".debug_info", ".zdebug_info" };

	for (unsigned i = 0; i < 2; i++) {
		const Elf64_Shdr *section = elf_section(elf, names[i]);

		if (section && section->sh_type != SHT_NOBITS)
			return true;
	}
	return false;
}

static bool open_dwarf(const struct elf_file *elf, Elf **handle,
		       Dwarf **dwarf)
{
	elf_version(EV_CURRENT);
	*handle = elf->fd >= 0 ? elf_begin(elf->fd, ELF_C_READ, NULL) :
		elf_memory((char *)elf->bytes, elf->size);
	if (*handle)
		*dwarf = dwarf_begin_elf(*handle, DWARF_C_READ, NULL);
	return *dwarf;
}

/*
 * The file that dwz has put into what is common to several.  libdw would look
 * for it itself, and open whatever a hostile file names, be it a FIFO.
 */
static bool open_common(struct source *source)
{
	const char *name;
	const void *id;
	ssize_t size = dwelf_dwarf_gnu_debugaltlink(source->dwarf, &name, &id);

	if (!size)
		return true;
	if (size < 0 ||
	    !debug_file_open_common(name, id, size, &source->common_file))
		return false;
	source->has_common = true;
	if (!open_dwarf(&source->common_file, &source->common_elf,
			&source->common))
		return false;
	dwarf_setalt(source->dwarf, source->common);
	return true;
}

struct source *source_open(const struct elf_file *elf)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		return NULL;
	if (inflate_needed(elf)) {
		source->is_inflated = inflate_copy(elf, &source->inflated);
		if (source->is_inflated)
			elf = &source->inflated;
	}
	if (!open_dwarf(elf, &source->elf, &source->dwarf) ||
	    !open_common(source)) {
		source_close(source);
		return NULL;
	}
	return source;
}

void source_close(struct source *source)
{
	if (!source)
		return;
	dwarf_end(source->dwarf);
	elf_end(source->elf);
	dwarf_end(source->common);
	elf_end(source->common_elf);
	if (source->has_common)
		elf_close(&source->common_file);
	if (source->is_inflated)
		elf_close(&source->inflated);
	free(source->unit_ranges.ranges);
	for (size_t i = 0; i < source->unit_count; i++)
		free(source->units[i].functions.ranges);
	free(source->units);
	free(source);
}

/* ---- tables of addresses ---- */

static bool add_range(struct range_table *table, const struct range *range)
{
	if (table->count == table->capacity) {
		size_t capacity = table->capacity * 2 + 64;
		struct range *more = realloc(table->ranges,
					     capacity * sizeof(*more));

		if (!more)
			return false;
		table->ranges = more;
		table->capacity = capacity;
	}
	table->ranges[table->count++] = *range;
	return true;
}

/* Files may lie: many entries may have the same long list. */
static void add_ranges(struct range_table *table, Dwarf_Die *die)
{
	struct range range = { .die = dwarf_dieoffset(die) };
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (table->count < RANGES_MAX &&
	       (at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		range.start = start;
		range.end = end;
		if (start < end && !add_range(table, &range))
			break;
	}
}

static int by_start(const void *a, const void *b)
{
	const struct range *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static void sort_ranges(struct range_table *table)
{
	if (table->count)
		qsort(table->ranges, table->count, sizeof(*table->ranges),
		      by_start);
}

static bool find_range(struct source *source, const struct range_table *table,
		       uint64_t address, Dwarf_Die *die)
{
	size_t low = 0, high = table->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (table->ranges[middle].start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low && address < table->ranges[low - 1].end &&
		dwarf_offdie(source->dwarf, table->ranges[low - 1].die, die);
}

/* ---- the unit of an address ---- */

static void make_unit_ranges(struct source *source)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;

	source->unit_ranges_made = true;
	while (!dwarf_get_units(source->dwarf, cu, &cu, NULL, NULL, &unit,
				NULL))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit ||
		    dwarf_tag(&unit) == DW_TAG_skeleton_unit)
			add_ranges(&source->unit_ranges, &unit);
	sort_ranges(&source->unit_ranges);
}

static bool find_unit(struct source *source, uint64_t address,
		      Dwarf_Die *unit)
{
	if (dwarf_addrdie(source->dwarf, address, unit))
		return true;
	if (!source->unit_ranges_made)
		make_unit_ranges(source);
	return find_range(source, &source->unit_ranges, address, unit);
}

/* ---- the function of an address ---- */

/* Functions may be within what has no addresses itself. */
static void add_functions(struct range_table *table, Dwarf_Die *parent,
			  unsigned depth)
{
	Dwarf_Die die;

	if (depth == DEPTH_MAX || dwarf_child(parent, &die))
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_ranges(table, &die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_enumeration_type:
			add_functions(table, &die, depth + 1);
			break;
		}
	} while (table->count < RANGES_MAX && !dwarf_siblingof(&die, &die));
}

static struct unit *add_unit(struct source *source, Dwarf_Die *die)
{
	struct unit *unit;

	if (source->unit_count == source->unit_capacity) {
		size_t capacity = source->unit_capacity * 2 + 16;
		struct unit *more = realloc(source->units,
					    capacity * sizeof(*more));

		if (!more)
			return NULL;
		source->units = more;
		source->unit_capacity = capacity;
	}
	unit = &source->units[source->unit_count++];
	*unit = (struct unit){ .die = dwarf_dieoffset(die) };
	add_functions(&unit->functions, die, 0);
	sort_ranges(&unit->functions);
	return unit;
}

static bool find_function(struct source *source, Dwarf_Die *unit_die,
			  uint64_t address, Dwarf_Die *function)
{
	Dwarf_Off offset = dwarf_dieoffset(unit_die);
	struct unit *unit = NULL;

	for (size_t i = 0; i < source->unit_count && !unit; i++)
		if (source->units[i].die == offset)
			unit = &source->units[i];
	if (!unit)
		unit = add_unit(source, unit_die);
	return unit && find_range(source, &unit->functions, address, function);
}

/* ---- inlined functions ---- */

/* Whether a scope has the address; and where it begins. */
static bool has_address(Dwarf_Die *die, uint64_t address, uint64_t *lowest,
			unsigned *steps)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	bool found = false;

	*lowest = UINT64_MAX;
	while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0 &&
	       ++*steps < STEPS_MAX) {
		if (start < *lowest)
			*lowest = start;
		found = found || (address >= start && address < end);
	}
	return found;
}

/* The scope within parent that has the address. */
static bool find_scope(Dwarf_Die *parent, uint64_t address, Dwarf_Die *scope,
		       uint64_t *start, unsigned *steps)
{
	if (dwarf_child(parent, scope))
		return false;
	do {
		switch (dwarf_tag(scope)) {
		case DW_TAG_inlined_subroutine:
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
		case DW_TAG_with_stmt:
			if (has_address(scope, address, start, steps))
				return true;
		}
	} while (++*steps < STEPS_MAX && !dwarf_siblingof(scope, scope));
	return false;
}

static unsigned number_of(Dwarf_Die *die, unsigned attribute)
{
	Dwarf_Attribute found;
	Dwarf_Word value;

	return dwarf_attr(die, attribute, &found) &&
		!dwarf_formudata(&found, &value) && value <= INT32_MAX ?
		value : 0;
}

static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute found;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &found) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &found))
		name = dwarf_formstring(&found);
	if (!name)
		name = dwarf_diename(die);
	return name ? symbols_demangle(name) : NULL;
}

static const char *intern_file(const char *name)
{
	return name ? intern(name, strlen(name)) : NULL;
}

static void describe(Dwarf_Die *unit, Dwarf_Die *die, struct inlined *inlined)
{
	unsigned file = number_of(die, DW_AT_call_file);
	Dwarf_Files *files;
	size_t count;

	inlined->function = name_of(die);
	inlined->call_line = number_of(die, DW_AT_call_line);
	inlined->call_file = NULL;
	if (file && !dwarf_getsrcfiles(unit, &files, &count) && file < count)
		inlined->call_file = intern_file(dwarf_filesrc(files, file,
							       NULL, NULL));
}

static void reverse(struct inlined *inlined, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		struct inlined swap = inlined[i];

		inlined[i] = inlined[count - 1 - i];
		inlined[count - 1 - i] = swap;
	}
}

size_t source_inlined(struct source *source, uint64_t address,
		      struct inlined *inlined, size_t max)
{
	Dwarf_Die unit, die, scope;
	unsigned steps = 0;
	uint64_t start;
	size_t count = 0;

	if (!find_unit(source, address, &unit) ||
	    !find_function(source, &unit, address, &die))
		return 0;
	for (unsigned depth = 0; depth < DEPTH_MAX && count < max &&
	     find_scope(&die, address, &scope, &start, &steps); depth++) {
		if (dwarf_tag(&scope) == DW_TAG_inlined_subroutine) {
			inlined[count].start = start;
			describe(&unit, &scope, &inlined[count++]);
		}
		die = scope;
	}
	reverse(inlined, count);
	return count;
}

/* ---- lines ---- */

bool source_find(struct source *source, uint64_t address, const char **file,
		 unsigned *line)
{
	Dwarf_Die unit;
	Dwarf_Line *entry;
	int number;

	if (!find_unit(source, address, &unit))
		return false;
	entry = dwarf_getsrc_die(&unit, address);
	if (!entry || dwarf_lineno(entry, &number))
		return false;
	*file = intern_file(dwarf_linesrc(entry, NULL, NULL));
	*line = number;
	return *file != NULL;
}
