/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counts calls by table slot and prints what was counted as a table.
 */
#include "output/summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

/* The clocks: CPU time in the kernel, and wall time. */
enum clock { SYSTEM, WALL, CLOCKS };

struct counter {
	uint64_t calls, errors;
	struct {
		int64_t total, min, max;	/* nanoseconds */
	} time[CLOCKS];
};

/*
 * Numbers that no table has are kept in a list, which a tracee cannot make
 * long: what does not fit into it is counted in its last entry.
 */
enum { MAX_UNKNOWN = 256 };

struct unknown {
	uint64_t nr;
	struct counter counter;
};

struct abi_summary {
	size_t slots;
	struct counter *counters;
	struct unknown *unknown;
	size_t unknown_count;
};

struct summary {
	const struct summary_options *options;
	struct abi_summary abis[ABI_COUNT];
};

/* ---- columns ---- */

static const struct {
	const char *title;
	int width;		/* at least */
} columns[COLUMN_COUNT] = {
	[COLUMN_TIME_PERCENT] = { "% time", 6 },
	[COLUMN_TIME_TOTAL] = { "seconds", 11 },
	[COLUMN_TIME_MIN] = { "shortest", 8 },
	[COLUMN_TIME_MAX] = { "longest", 8 },
	[COLUMN_TIME_AVG] = { "usecs/call", 11 },
	[COLUMN_WALL_TOTAL] = { "wall-total", 11 },
	[COLUMN_WALL_MIN] = { "wall-min", 8 },
	[COLUMN_WALL_MAX] = { "wall-max", 8 },
	[COLUMN_WALL_AVG] = { "wall-avg", 11 },
	[COLUMN_CALLS] = { "calls", 9 },
	[COLUMN_ERRORS] = { "errors", 9 },
	[COLUMN_NAME] = { "syscall", 16 },
};

/* What columns are called; '_' is as good as '-'. */
static const struct word column_names[] = {
	{ "time", COLUMN_TIME_PERCENT },
	{ "time-percent", COLUMN_TIME_PERCENT },
	{ "time-total", COLUMN_TIME_TOTAL },
	{ "total-time", COLUMN_TIME_TOTAL },
	{ "time-min", COLUMN_TIME_MIN },
	{ "min-time", COLUMN_TIME_MIN },
	{ "shortest", COLUMN_TIME_MIN },
	{ "time-max", COLUMN_TIME_MAX },
	{ "max-time", COLUMN_TIME_MAX },
	{ "longest", COLUMN_TIME_MAX },
	{ "time-avg", COLUMN_TIME_AVG },
	{ "avg-time", COLUMN_TIME_AVG },
	{ "wall-total", COLUMN_WALL_TOTAL },
	{ "total-wall", COLUMN_WALL_TOTAL },
	{ "wall-min", COLUMN_WALL_MIN },
	{ "min-wall", COLUMN_WALL_MIN },
	{ "wall-max", COLUMN_WALL_MAX },
	{ "max-wall", COLUMN_WALL_MAX },
	{ "wall-avg", COLUMN_WALL_AVG },
	{ "avg-wall", COLUMN_WALL_AVG },
	{ "calls", COLUMN_CALLS },
	{ "count", COLUMN_CALLS },
	{ "errors", COLUMN_ERRORS },
	{ "error", COLUMN_ERRORS },
	{ "name", COLUMN_NAME },
	{ "syscall", COLUMN_NAME },
	{ "syscall-name", COLUMN_NAME },
	{ NULL, 0 },
};

/* The column of that name, or COLUMN_COUNT. */
static enum summary_column find_column(const char *name, size_t len)
{
	char text[32];
	const struct word *word;

	if (len >= sizeof(text))
		return COLUMN_COUNT;
	for (size_t i = 0; i < len; i++)
		text[i] = name[i] == '_' ? '-' : name[i];
	word = parse_find_word(column_names, text, len);
	return word ? word->bits : COLUMN_COUNT;
}

void summary_options_init(struct summary_options *options)
{
	*options = (struct summary_options){
		.sort = COLUMN_TIME_TOTAL,
		.columns = {
			COLUMN_TIME_PERCENT, COLUMN_TIME_TOTAL,
			COLUMN_TIME_AVG, COLUMN_CALLS, COLUMN_ERRORS,
			COLUMN_NAME,
		},
		.column_count = 6,
	};
}

const char *summary_parse_sort(struct summary_options *options,
			       const char *text)
{
	enum summary_column column = find_column(text, strlen(text));

	if (!strcmp(text, "none") || !strcmp(text, "nothing"))
		column = COLUMN_NONE;
	else if (column == COLUMN_COUNT)
		return parse_error("invalid sortby: '%s'", text);
	options->sort = column;
	return NULL;
}

const char *summary_parse_columns(struct summary_options *options,
				  const char *text)
{
	struct summary_options new = *options;
	unsigned seen = 0;

	new.column_count = 0;
	for (const char *name = text;; name++) {
		size_t len = strcspn(name, ",");
		enum summary_column column = find_column(name, len);

		if (column == COLUMN_COUNT)
			return parse_error("unknown column name: '%.*s'",
					   (int)len, name);
		if (seen & 1u << column)
			return parse_error("call summary column has been "
					   "provided more than once: '%.*s'",
					   (int)len, name);
		seen |= 1u << column;
		new.columns[new.column_count++] = column;
		name += len;
		if (!*name)
			break;
	}
	/* Without names the table would say nothing. */
	if (!(seen & 1u << COLUMN_NAME))
		new.columns[new.column_count++] = COLUMN_NAME;
	*options = new;
	return NULL;
}

const char *summary_parse_overhead(struct summary_options *options,
				   const char *text)
{
	if (parse_duration(text, &options->overhead))
		return NULL;
	return parse_error("invalid -O argument: '%s'", text);
}

/* Which clock a column shows; CLOCKS: none. */
static enum clock clock_of(const struct summary_options *options,
			   enum summary_column column)
{
	switch (column) {
	case COLUMN_TIME_PERCENT:
	case COLUMN_TIME_TOTAL:
	case COLUMN_TIME_MIN:
	case COLUMN_TIME_MAX:
	case COLUMN_TIME_AVG:
		return options->wall ? WALL : SYSTEM;
	case COLUMN_WALL_TOTAL:
	case COLUMN_WALL_MIN:
	case COLUMN_WALL_MAX:
	case COLUMN_WALL_AVG:
		return WALL;
	default:
		return CLOCKS;
	}
}

static bool needs(const struct summary_options *options, enum clock clock)
{
	for (unsigned i = 0; i < options->column_count; i++) {
		if (clock_of(options, options->columns[i]) == clock)
			return true;
	}
	return clock_of(options, options->sort) == clock;
}

bool summary_needs_system_time(const struct summary_options *options)
{
	return needs(options, SYSTEM);
}

bool summary_needs_wall_time(const struct summary_options *options)
{
	return needs(options, WALL);
}

/* ---- counting ---- */

struct summary *summary_new(const struct summary_options *options)
{
	struct summary *summary = calloc(1, sizeof(*summary));

	if (!summary)
		return NULL;
	summary->options = options;
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		struct abi_summary *s = &summary->abis[abi];

		s->slots = sysent_count(&abis[abi]);
		s->counters = calloc(s->slots + 1, sizeof(*s->counters));
		if (!s->counters) {
			summary_free(summary);
			return NULL;
		}
	}
	return summary;
}

void summary_free(struct summary *summary)
{
	if (!summary)
		return;
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		free(summary->abis[abi].counters);
		free(summary->abis[abi].unknown);
	}
	free(summary);
}

static struct counter *count_unknown(struct abi_summary *s, uint64_t nr)
{
	size_t i;

	if (!s->unknown) {
		s->unknown = calloc(MAX_UNKNOWN, sizeof(*s->unknown));
		if (!s->unknown)
			return NULL;
	}
	for (i = 0; i < s->unknown_count; i++) {
		if (s->unknown[i].nr == nr)
			return &s->unknown[i].counter;
	}
	if (i == MAX_UNKNOWN)
		return &s->unknown[MAX_UNKNOWN - 1].counter;
	s->unknown[i].nr = nr;
	s->unknown_count++;
	return &s->unknown[i].counter;
}

static void add_time(struct counter *counter, enum clock clock,
		     struct timespec time, int64_t overhead)
{
	int64_t ns = time.tv_sec * INT64_C(1000000000) + time.tv_nsec;

	ns = ns > overhead ? ns - overhead : 0;
	counter->time[clock].total += ns;
	if (counter->calls == 1 || ns < counter->time[clock].min)
		counter->time[clock].min = ns;
	if (ns > counter->time[clock].max)
		counter->time[clock].max = ns;
}

void summary_count(struct summary *summary, const struct abi *abi,
		   const struct sysent *call, bool failed,
		   struct timespec system, struct timespec wall)
{
	struct abi_summary *s = &summary->abis[abi->id];
	int64_t overhead = summary->options->overhead;
	uint64_t slot = call->nr ^ abi->nr_bit;
	struct counter *counter;

	if (slot < s->slots)
		counter = &s->counters[slot];
	else
		counter = count_unknown(s, call->nr);
	if (!counter)
		return;
	counter->calls++;
	counter->errors += failed;
	add_time(counter, SYSTEM, system, overhead);
	add_time(counter, WALL, wall, overhead);
}

/* ---- printing ---- */

enum { CELL_SIZE = 40 };

struct row {
	char name[CELL_SIZE];
	size_t order;			/* of rows that sort alike */
	const struct counter *counter;
	const struct summary_options *options;
};

/* What a column shows, as a number: nanoseconds, or a count. */
static uint64_t cell_value(const struct row *row, enum summary_column column)
{
	const struct counter *counter = row->counter;
	enum clock clock = clock_of(row->options, column);

	switch (column) {
	case COLUMN_TIME_PERCENT:
	case COLUMN_TIME_TOTAL:
	case COLUMN_WALL_TOTAL:
		return counter->time[clock].total;
	case COLUMN_TIME_MIN:
	case COLUMN_WALL_MIN:
		return counter->time[clock].min;
	case COLUMN_TIME_MAX:
	case COLUMN_WALL_MAX:
		return counter->time[clock].max;
	case COLUMN_TIME_AVG:
	case COLUMN_WALL_AVG:
		return counter->time[clock].total / counter->calls;
	case COLUMN_CALLS:
		return counter->calls;
	case COLUMN_ERRORS:
		return counter->errors;
	default:
		return 0;
	}
}

static void cell_text(char *text, const struct row *row,
		      const struct row *total, enum summary_column column)
{
	uint64_t value = cell_value(row, column);
	uint64_t usec = (value + 500) / 1000;
	uint64_t whole;

	switch (column) {
	case COLUMN_NAME:
		snprintf(text, CELL_SIZE, "%s", row->name);
		break;
	case COLUMN_TIME_PERCENT:
		whole = cell_value(total, column);
		snprintf(text, CELL_SIZE, "%.2f", row == total ? 100.0 :
			 whole ? 100.0 * value / whole : 0.0);
		break;
	case COLUMN_TIME_AVG:
	case COLUMN_WALL_AVG:
		snprintf(text, CELL_SIZE, "%llu",
			 (unsigned long long)value / 1000);
		break;
	case COLUMN_CALLS:
	case COLUMN_ERRORS:
		text[0] = '\0';
		if (value)
			snprintf(text, CELL_SIZE, "%llu",
				 (unsigned long long)value);
		break;
	default:
		snprintf(text, CELL_SIZE, "%llu.%06llu",
			 (unsigned long long)usec / 1000000,
			 (unsigned long long)usec % 1000000);
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	enum summary_column sort = x->options->sort;
	uint64_t key_x = 0, key_y = 0;

	if (sort == COLUMN_NAME) {
		int difference = strcmp(x->name, y->name);

		if (difference)
			return difference;
	} else if (sort != COLUMN_NONE) {
		key_x = cell_value(x, sort);
		key_y = cell_value(y, sort);
	}
	if (key_x != key_y)
		return key_x > key_y ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void sum_up(struct counter *sum, const struct counter *counter)
{
	for (size_t clock = 0; clock < CLOCKS; clock++) {
		int64_t min = counter->time[clock].min;
		int64_t max = counter->time[clock].max;

		if (!sum->calls || min < sum->time[clock].min)
			sum->time[clock].min = min;
		if (max > sum->time[clock].max)
			sum->time[clock].max = max;
		sum->time[clock].total += counter->time[clock].total;
	}
	sum->calls += counter->calls;
	sum->errors += counter->errors;
}

/* Makes a row of every counter that has counted; returns how many. */
static size_t make_rows(const struct summary *summary, const struct abi *abi,
			struct row *rows)
{
	const struct abi_summary *s = &summary->abis[abi->id];
	size_t count = 0;

	for (size_t i = 0; i < s->slots + s->unknown_count; i++) {
		bool in_table = i < s->slots;
		const struct sysent *call = in_table ? sysent_at(abi, i) : NULL;
		uint64_t nr = in_table ? i | abi->nr_bit
				       : s->unknown[i - s->slots].nr;
		struct row *row = &rows[count];

		row->counter = in_table ? &s->counters[i]
					: &s->unknown[i - s->slots].counter;
		if (!row->counter->calls)
			continue;
		row->order = count++;
		row->options = summary->options;
		if (call)
			snprintf(row->name, CELL_SIZE, "%s", call->name);
		else
			snprintf(row->name, CELL_SIZE, "syscall_0x%llx",
				 (unsigned long long)nr);
	}
	return count;
}

struct table {
	const struct summary_options *options;
	const struct row *rows;
	size_t count;
	const struct row *total;
	int widths[COLUMN_COUNT];	/* by place; less than CELL_SIZE */
	struct stream *stream;
};

static void pad(struct table *table, char with, int count)
{
	for (; count > 0; count--)
		stream_char(table->stream, with);
}

/* One cell: names to the left, numbers to the right. */
static void print_cell(struct table *table, unsigned i, const char *text)
{
	int space = table->widths[i] - (int)strlen(text);
	bool left = table->options->columns[i] == COLUMN_NAME;
	bool last = i == table->options->column_count - 1;

	if (!left)
		pad(table, ' ', space);
	stream_text(table->stream, text);
	if (left && !last)
		pad(table, ' ', space);
	if (last)
		stream_newline(table->stream);
	else
		stream_char(table->stream, ' ');
}

static void print_row(struct table *table, const struct row *row)
{
	char text[CELL_SIZE];

	for (unsigned i = 0; i < table->options->column_count; i++) {
		cell_text(text, row, table->total, table->options->columns[i]);
		print_cell(table, i, text);
	}
}

static void print_dashes(struct table *table)
{
	char text[CELL_SIZE];

	for (unsigned i = 0; i < table->options->column_count; i++) {
		memset(text, '-', table->widths[i]);
		text[table->widths[i]] = '\0';
		print_cell(table, i, text);
	}
}

static void measure_row(struct table *table, const struct row *row)
{
	char text[CELL_SIZE];

	for (unsigned i = 0; i < table->options->column_count; i++) {
		cell_text(text, row, table->total, table->options->columns[i]);
		if (table->widths[i] < (int)strlen(text))
			table->widths[i] = strlen(text);
	}
}

static void print_table(struct table *table)
{
	const struct summary_options *options = table->options;

	for (unsigned i = 0; i < options->column_count; i++)
		table->widths[i] = columns[options->columns[i]].width;
	measure_row(table, table->total);
	for (size_t i = 0; i < table->count; i++)
		measure_row(table, &table->rows[i]);

	for (unsigned i = 0; i < options->column_count; i++)
		print_cell(table, i, columns[options->columns[i]].title);
	print_dashes(table);
	for (size_t i = 0; i < table->count; i++)
		print_row(table, &table->rows[i]);
	print_dashes(table);
	print_row(table, table->total);
}

static void print_abi(const struct summary *summary, const struct abi *abi,
		      struct stream *stream)
{
	const struct abi_summary *s = &summary->abis[abi->id];
	struct counter sum = { 0 };
	struct row total = { .name = "total", .counter = &sum,
			     .options = summary->options };
	struct row *rows = calloc(s->slots + s->unknown_count + 1,
				  sizeof(*rows));
	size_t count;

	if (!rows)
		return;
	count = make_rows(summary, abi, rows);
	for (size_t i = 0; i < count; i++)
		sum_up(&sum, rows[i].counter);
	qsort(rows, count, sizeof(*rows), compare_rows);
	if (count) {
		if (abi->id != ABI_X86_64) {
			stream_text(stream, "System call usage summary for ");
			stream_text(stream, abi->mode);
			stream_text(stream, " mode:");
			stream_newline(stream);
		}
		print_table(&(struct table){
			.options = summary->options, .rows = rows,
			.count = count, .total = &total, .stream = stream,
		});
	}
	free(rows);
}

void summary_print(struct summary *summary, struct stream *stream)
{
	for (size_t abi = 0; abi < ABI_COUNT; abi++)
		print_abi(summary, &abis[abi], stream);
}
