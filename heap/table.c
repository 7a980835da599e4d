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

static void merge(struct table *table, struct row *into,
		  const struct row *row)
{
	table->next_site[into->last_site] = row->first_site;
	into->last_site = row->last_site;
	into->value[COLUMN_BYTES] += row->value[COLUMN_BYTES];
	into->value[COLUMN_ALLOCATIONS] += row->value[COLUMN_ALLOCATIONS];
	into->value[COLUMN_FREES] += row->value[COLUMN_FREES];
	into->freed += row->freed;
	into->life += row->life;
	if (row->value[COLUMN_MAX_LIFE] > into->value[COLUMN_MAX_LIFE])
		into->value[COLUMN_MAX_LIFE] = row->value[COLUMN_MAX_LIFE];
}

static void merge_rows(struct table *table)
{
	struct row *rows = table->rows;
	size_t kept = 0;

	qsort(rows, table->count, sizeof(*rows), compare_locations);
	for (size_t i = 0; i < table->count; i++) {
		if (kept && !compare_locations(&rows[kept - 1], &rows[i]))
			merge(table, &rows[kept - 1], &rows[i]);
		else
			rows[kept++] = rows[i];
	}
	table->count = kept;
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
		return (int64_t)x < (int64_t)y ? 1 : -1;
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

/* ---- stacks ---- */

/* What the samples say of a stack, in the columns that can be added. */
enum { SHARED = COLUMN_MEAN_LIFE };

static void sample_values(const struct heap_sample *sample, double *value)
{
	double life = sample->frees ?
		(double)sample->life / sample->frees : 0;

	value[COLUMN_BYTES] = sample->weight;
	value[COLUMN_ALLOCATIONS] = sample->number;
	value[COLUMN_FREES] = sample->freed_number;
	value[COLUMN_LIVE_BYTES] = difference(sample->weight,
					      sample->freed_weight);
	value[COLUMN_LIVE_BLOCKS] = difference(sample->number,
					       sample->freed_number);
	value[COLUMN_MEAN_LIFE] = life * HEAP_LIFE_UNIT;
	value[COLUMN_MAX_LIFE] = sample->life_max * (double)HEAP_LIFE_UNIT;
}

/* The samples of each site: a list by indices, and 0 ends it. */
struct sample_lists {
	uint32_t *first, *next;
};

static bool list_samples(const struct heap_file *file,
			 struct sample_lists *lists)
{
	lists->first = calloc(file->count + 1, sizeof(*lists->first));
	lists->next = calloc(file->sample_count + 1, sizeof(*lists->next));
	if (!lists->first || !lists->next)
		return false;
	for (size_t i = file->sample_count; i-- > 1;) {
		uint32_t site = file->state->samples[i].site;

		if (site >= file->count)
			continue;
		lists->next[i] = lists->first[site];
		lists->first[site] = i;
	}
	return true;
}

static void site_values(const struct heap_total *total, uint64_t *value)
{
	struct row row = { 0 };

	add_total(&row, total);
	finish(&row);
	memcpy(value, row.value, sizeof(row.value));
}

/*
 * Shares out what a site counts.  Sums are rounded, and not each share, so
 * that nothing gets lost.
 */
static void share_out(struct table *table, const struct heap_file *file,
		      const struct sample_lists *lists, uint32_t site)
{
	double sums[COLUMN_COUNT] = { 0 }, now[COLUMN_COUNT] = { 0 };
	double value[COLUMN_COUNT];
	uint64_t whole[COLUMN_COUNT], given[COLUMN_COUNT] = { 0 };

	site_values(&file->totals[site], whole);
	for (uint32_t i = lists->first[site]; i; i = lists->next[i]) {
		sample_values(&file->state->samples[i], value);
		for (int column = 0; column < SHARED; column++)
			sums[column] += value[column];
	}
	for (uint32_t i = lists->first[site]; i; i = lists->next[i]) {
		const struct heap_sample *sample = &file->state->samples[i];
		struct stack_row *row = &table->stacks[table->stack_count++];

		*row = (struct stack_row){ site, sample->stack, { 0 } };
		sample_values(sample, value);
		for (int column = 0; column < COLUMN_COUNT; column++) {
			/* Where samples tell nothing, bytes do. */
			int by = column < SHARED && sums[column] ? column :
				COLUMN_BYTES;

			if (column >= SHARED) {
				row->value[column] = value[column];
				continue;
			}
			now[column] += value[by];
			row->value[column] = now[column] / sums[by] *
				whole[column] + 0.5;
			row->value[column] -= given[column];
			given[column] += row->value[column];
		}
	}
}

static void take_stacks(struct table *table, const struct heap_file *file,
			const struct sample_lists *lists, uint32_t site)
{
	struct stack_row *row = &table->stacks[table->stack_count];
	const struct heap_stack *stack;

	if (lists->first[site]) {
		table->has_stacks = true;
		share_out(table, file, lists, site);
		return;
	}
	*row = (struct stack_row){ site, file->totals[site].site->stack,
		{ 0 } };
	site_values(&file->totals[site], row->value);
	stack = heap_file_stack(file, row->stack);
	table->has_stacks |= stack && stack->caller;
	table->stack_count++;
}

static int compare_stacks(const void *first, const void *second)
{
	const struct stack_row *a = first, *b = second;
	uint64_t x = a->value[sort_column], y = b->value[sort_column];

	if (x != y)
		return x < y ? 1 : -1;
	return (a->stack > b->stack) - (a->stack < b->stack);
}

static bool make_stacks(struct table *table, const struct heap_file *file)
{
	struct sample_lists lists;
	bool done = list_samples(file, &lists);

	table->stacks = calloc(file->count + file->sample_count + 1,
			       sizeof(*table->stacks));
	done &= table->stacks != NULL;
	for (size_t i = 0; done && i < table->count; i++) {
		struct row *row = &table->rows[i];
		uint32_t site = row->first_site;

		row->first_stack = table->stack_count;
		for (;; site = table->next_site[site]) {
			take_stacks(table, file, &lists, site);
			if (site == row->last_site)
				break;
		}
		row->stack_count = table->stack_count - row->first_stack;
		qsort(table->stacks + row->first_stack, row->stack_count,
		      sizeof(*table->stacks), compare_stacks);
	}
	free(lists.first);
	free(lists.next);
	return done;
}

/* One frame is in many stacks. */
struct located {
	bool known;
	struct location location;
};

static void find_frame(const struct table *table,
		       const struct heap_file *file, uint32_t frame,
		       struct location *location)
{
	struct located *located;

	if (!heap_file_frame(file, frame) || !table->located) {
		locate_frame(file, frame, location);
		return;
	}
	located = &table->located[frame];
	if (!located->known)
		locate_frame(file, frame, &located->location);
	located->known = true;
	*location = located->location;
}

size_t table_frames(const struct table *table, const struct heap_file *file,
		    const struct stack_row *row, struct location *frames,
		    size_t limit)
{
	const struct heap_stack *stack = heap_file_stack(file, row->stack);
	size_t count = 0;

	if (!stack) {
		locate_site(file, file->totals[row->site].site, frames);
		return 1;
	}
	while (stack && count < limit) {
		find_frame(table, file, stack->frame, &frames[count++]);
		stack = heap_file_stack(file, stack->caller);
	}
	return count;
}

/* ---- the whole ---- */

static void take_site(struct table *table, const struct heap_file *file,
		      const struct heap_total *total)
{
	uint32_t site = total - file->totals;
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
		.first_site = site,
		.last_site = site,
	};
	locate_site(file, total->site, &row->location);
	add_total(row, total);
	add_total(&table->totals[row->kind], total);
}

static void sort_and_cut(struct table *table, enum column sort, uint64_t min)
{
	size_t shown = 0;

	sort_column = sort;
	qsort(table->rows, table->count, sizeof(*table->rows), compare_values);
	while (shown < table->count &&
	       (!min || (int64_t)table->rows[shown].value[sort] >=
		(int64_t)min))
		shown++;
	table->hidden = table->count - shown;
	table->count = shown;
}

bool table_make(struct table *table, const struct heap_file *file,
		enum column sort, uint64_t min)
{
	*table = (struct table){
		.rows = calloc(file->count + 1, sizeof(*table->rows)),
		.next_site = calloc(file->count + 1,
				    sizeof(*table->next_site)),
		.located = calloc(HEAP_FRAMES, sizeof(*table->located)),
	};
	if (!table->rows || !table->next_site || !table->located)
		return false;
	for (size_t i = 0; i < file->count; i++)
		take_site(table, file, &file->totals[i]);
	merge_rows(table);
	for (size_t i = 0; i < table->count; i++)
		finish(&table->rows[i]);
	for (int kind = 0; kind < HEAP_KINDS; kind++) {
		table->totals[kind].kind = kind;
		finish(&table->totals[kind]);
	}
	sort_and_cut(table, sort, min);
	return make_stacks(table, file);
}

/* ---- growth ---- */

static void subtract(struct row *from, const struct row *row)
{
	uint64_t *value = from->value;

	for (int column = 0; column < COLUMN_MEAN_LIFE; column++)
		value[column] -= row->value[column];
	from->freed -= row->freed;
	from->life -= row->life;
	value[COLUMN_MEAN_LIFE] = value[COLUMN_FREES] ?
		from->life / value[COLUMN_FREES] : 0;
}

static struct row *by_location(const struct table *table)
{
	struct row *rows = malloc((table->count + 1) * sizeof(*rows));

	if (!rows)
		return NULL;
	memcpy(rows, table->rows, table->count * sizeof(*rows));
	qsort(rows, table->count, sizeof(*rows), compare_locations);
	return rows;
}

static void add_growth(struct table *growth, const struct row *after,
		       const struct row *before)
{
	static const struct row none;
	struct row *row = &growth->rows[growth->count];

	*row = after ? *after : none;
	if (!after) {
		row->kind = before->kind;
		row->location = before->location;
	}
	if (before)
		subtract(row, before);
	row->stack_count = 0;
	for (int column = 0; column < COLUMN_MEAN_LIFE; column++)
		if (row->value[column]) {
			growth->count++;
			return;
		}
}

static void join(struct table *growth, const struct row *before, size_t b,
		 const struct row *after, size_t a)
{
	while (a || b) {
		int order = !a ? 1 : !b ? -1 :
			compare_locations(after, before);

		add_growth(growth, order <= 0 ? after : NULL,
			   order >= 0 ? before : NULL);
		if (order <= 0)
			after++, a--;
		if (order >= 0)
			before++, b--;
	}
}

bool table_growth(struct table *growth, const struct table *before,
		  const struct table *after, enum column sort, uint64_t min)
{
	struct row *old = by_location(before), *new = by_location(after);

	*growth = (struct table){
		.rows = calloc(before->count + after->count + 1,
			       sizeof(*growth->rows)),
		.is_growth = true,
	};
	if (growth->rows && old && new) {
		join(growth, old, before->count, new, after->count);
		memcpy(growth->totals, after->totals, sizeof(growth->totals));
		for (int kind = 0; kind < HEAP_KINDS; kind++)
			subtract(&growth->totals[kind], &before->totals[kind]);
		sort_and_cut(growth, sort, min);
	}
	free(old);
	free(new);
	return growth->rows && old && new;
}

static bool grows(const struct table *step, const struct row *row)
{
	for (size_t i = 0; i < step->count; i++)
		if (!compare_locations(&step->rows[i], row))
			return (int64_t)step->rows[i].value[COLUMN_LIVE_BYTES]
				> 0;
	return false;
}

void table_keep_growing(struct table *growth, const struct table *step)
{
	size_t kept = 0;

	for (size_t i = 0; i < growth->count; i++)
		if (grows(step, &growth->rows[i]))
			growth->rows[kept++] = growth->rows[i];
	growth->count = kept;
}

void table_free(struct table *table)
{
	free(table->rows);
	free(table->next_site);
	free(table->stacks);
	free(table->located);
	*table = (struct table){ 0 };
}
