/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Source lines with libdw; see source.h.
 */
#include "config.h"

#include "symbols/source.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/intern.h"

/* Addresses of a compilation unit. */
struct unit_range {
	uint64_t start, end;
	Dwarf_Off unit;		/* of its DIE */
};

struct source {
	Elf *elf;
	Dwarf *dwarf;
	/* Made when .debug_aranges, if any, does not tell: clang's habit. */
	struct unit_range *ranges;
	size_t count, capacity;
	bool ranges_made;
};

struct source *source_open(const struct elf_file *elf)
{
	struct source *source = calloc(1, sizeof(*source));

	if (!source)
		return NULL;
	elf_version(EV_CURRENT);
	source->elf = elf->fd >= 0 ? elf_begin(elf->fd, ELF_C_READ, NULL) :
		elf_memory((char *)elf->bytes, elf->size);
	if (source->elf)
		source->dwarf = dwarf_begin_elf(source->elf, DWARF_C_READ,
						NULL);
	if (!source->dwarf) {
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
	free(source->ranges);
	free(source);
}

/* ---- the unit of an address ---- */

static bool add_range(struct source *source, uint64_t start, uint64_t end,
		      Dwarf_Off unit)
{
	if (source->count == source->capacity) {
		size_t capacity = source->capacity * 2 + 64;
		struct unit_range *more = realloc(source->ranges,
						  capacity * sizeof(*more));

		if (!more)
			return false;
		source->ranges = more;
		source->capacity = capacity;
	}
	source->ranges[source->count++] =
		(struct unit_range){ start, end, unit };
	return true;
}

static void add_unit(struct source *source, Dwarf_Die *unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = dwarf_ranges(unit, at, &base, &start, &end)) > 0)
		if (start < end &&
		    !add_range(source, start, end, dwarf_dieoffset(unit)))
			break;
}

static int by_start(const void *a, const void *b)
{
	const struct unit_range *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static void make_ranges(struct source *source)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit, sub;

	source->ranges_made = true;
	while (!dwarf_get_units(source->dwarf, cu, &cu, NULL, NULL, &unit,
				&sub))
		if (dwarf_tag(&unit) == DW_TAG_compile_unit ||
		    dwarf_tag(&unit) == DW_TAG_skeleton_unit)
			add_unit(source, &unit);
	if (source->count)
		qsort(source->ranges, source->count, sizeof(*source->ranges),
		      by_start);
}

static bool find_unit(struct source *source, uint64_t address,
		      Dwarf_Die *unit)
{
	size_t low = 0, high;

	if (dwarf_addrdie(source->dwarf, address, unit))
		return true;
	if (!source->ranges_made)
		make_ranges(source);
	high = source->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (source->ranges[middle].start > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low && address < source->ranges[low - 1].end &&
		dwarf_offdie(source->dwarf, source->ranges[low - 1].unit,
			     unit);
}

bool source_find(struct source *source, uint64_t address, const char **file,
		 unsigned *line)
{
	Dwarf_Die unit;
	Dwarf_Line *entry;
	const char *name;
	int number;

	if (!find_unit(source, address, &unit))
		return false;
	entry = dwarf_getsrc_die(&unit, address);
	if (!entry || dwarf_lineno(entry, &number))
		return false;
	name = dwarf_linesrc(entry, NULL, NULL);
	*file = name ? intern(name, strlen(name)) : NULL;
	*line = number;
	return *file != NULL;
}
