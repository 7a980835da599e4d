/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes the table of a process; see table.h.
 */
#include "config.h"

#include "table.h"

#include <stdlib.h>
#include <string.h>

static uint64_t difference(uint64_t a, uint64_t b)
{
	/* A running process is read while it counts. */
	return a > b ? a - b : 0;
}

static void add_total(struct row *row, const struct heap_total *total)
{
	uint64_t life_max = total->life_max * HEAP_LIFE_UNIT;

	row->value[COLUMN_BYTES] += total->bytes;
	row->value[COLUMN_ALLOCATIONS] += total->allocations;
	row->value[COLUMN_FREES] += total->frees;
	row->freed += total->freed;
	row->life += total->life * HEAP_LIFE_UNIT;
	if (life_max > row->value[COLUMN_MAX_LIFE])
		row->value[COLUMN_MAX_LIFE] = life_max;
}

static void finish(struct row *row)
{
	uint64_t *value = row->value;

	value[COLUMN_LIVE_BYTES] = difference(value[COLUMN_BYTES],
					      row->freed);
	value[COLUMN_LIVE_BLOCKS] = difference(value[COLUMN_ALLOCATIONS],
					       value[COLUMN_FREES]);
	value[COLUMN_MEAN_LIFE] = value[COLUMN_FREES] ?
		row->life / value[COLUMN_FREES] : 0;
}

/* ---- one row for each location ---- */

static int compare_pointers(const void *a, const void *b)
{
	return (a > b) - (a < b);
}

/*
 * Strings are interned, so equal ones are the same.  With a line, the offset
 * into the function does not matter: one line may allocate in many places.
 */
static int compare_locations(const void *first, const void *second)
{
	const struct row *a = first, *b = second;
	int result = (int)a->kind - (int)b->kind;

	if (!result)
		result = a->location.unlocked - b->location.unlocked;
	if (!result)
		result = (int)a->location.language -
			(int)b->location.language;
	if (!result)
		result = compare_pointers(a->location.module,
					  b->location.module);
	if (!result)
		result = compare_pointers(a->location.function,
					  b->location.function);
	if (!result)
		result = compare_pointers(a->location.file, b->location.file);
	if (!result)
		result = (a->location.line > b->location.line) -
			(a->location.line < b->location.line);
	if (!result && !a->location.file)
		result = (a->location.offset > b->location.offset) -
			(a->location.offset < b->location.offset);
	return result;
}

static void merge(struct row *into, const struct row *row)
{
	into->value[COLUMN_BYTES] += row->value[COLUMN_BYTES];
	into->value[COLUMN_ALLOCATIONS] += row->value[COLUMN_ALLOCATIONS];
	into->value[COLUMN_FREES] += row->value[COLUMN_FREES];
	into->freed += row->freed;
	into->life += row->life;
	if (row->value[COLUMN_MAX_LIFE] > into->value[COLUMN_MAX_LIFE])
		into->value[COLUMN_MAX_LIFE] = row->value[COLUMN_MAX_LIFE];
}

static size_t merge_rows(struct row *rows, size_t count)
{
	size_t kept = 0;

	qsort(rows, count, sizeof(*rows), compare_locations);
	for (size_t i = 0; i < count; i++) {
		if (kept && !compare_locations(&rows[kept - 1], &rows[i]))
			merge(&rows[kept - 1], &rows[i]);
		else
			rows[kept++] = rows[i];
	}
	return kept;
}

/* ---- order ---- */

static enum column sort_column;

static int compare_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_values(const void *first, const void *second)
{
	const struct row *a = first, *b = second;
	uint64_t x = a->value[sort_column], y = b->value[sort_column];
	int result;

	if (x != y)
		return x < y ? 1 : -1;
	/* Always the same order. */
	result = compare_text(a->location.file, b->location.file);
	if (!result)
		result = (a->location.line > b->location.line) -
			(a->location.line < b->location.line);
	if (!result)
		result = compare_text(a->location.function,
				      b->location.function);
	if (!result)
		result = compare_text(a->location.module, b->location.module);
	if (!result)
		result = (a->location.offset > b->location.offset) -
			(a->location.offset < b->location.offset);
	return result;
}

/* ---- the whole ---- */

static void take_site(struct table *table, const struct heap_file *file,
		      const struct heap_total *total)
{
	struct row *row;

	if (total->site->flags & HEAP_SITE_INHERITED) {
		add_total(&table->inherited, total);
		return;
	}
	if (!total->allocations && !total->frees)
		return;
	row = &table->rows[table->count++];
	*row = (struct row){
		.kind = total->site->kind < HEAP_KINDS ?
			total->site->kind : HEAP_KIND_MALLOC,
	};
	locate_site(file, total->site, &row->location);
	add_total(row, total);
	add_total(&table->totals[row->kind], total);
}

bool table_make(struct table *table, const struct heap_file *file,
		enum column sort, uint64_t min)
{
	size_t shown = 0;

	*table = (struct table){
		.rows = calloc(file->count + 1, sizeof(*table->rows)),
	};
	if (!table->rows)
		return false;
	for (size_t i = 0; i < file->count; i++)
		take_site(table, file, &file->totals[i]);
	table->count = merge_rows(table->rows, table->count);
	for (size_t i = 0; i < table->count; i++)
		finish(&table->rows[i]);
	for (int kind = 0; kind < HEAP_KINDS; kind++) {
		table->totals[kind].kind = kind;
		finish(&table->totals[kind]);
	}
	sort_column = sort;
	qsort(table->rows, table->count, sizeof(*table->rows), compare_values);
	while (shown < table->count && table->rows[shown].value[sort] >= min)
		shown++;
	table->hidden = table->count - shown;
	table->count = shown;
	return true;
}

void table_free(struct table *table)
{
	free(table->rows);
	*table = (struct table){ 0 };
}
