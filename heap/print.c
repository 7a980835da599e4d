/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Prints tables; see print.h.  Names come from a program that was run, and
 * from its files: each format escapes them in its own way.
 */
#include "config.h"

#include "print.h"

#include <inttypes.h>
#include <string.h>

#include "escape.h"
#include "output/json.h"

const char *const column_names[COLUMN_COUNT] = {
	"bytes", "allocations", "frees", "live_bytes", "live_blocks",
	"mean_life", "max_life",
};

static const struct {
	const char *name;
	const char *mark;	/* before a location in text */
} kinds[HEAP_KINDS] = {
	[HEAP_KIND_MALLOC] = { "malloc", "" },
	[HEAP_KIND_MMAP] = { "mmap", "mmap " },
	[HEAP_KIND_FILE] = { "file", "mmap file " },
};

static const struct {
	const char *name;
	const char *unlocked;	/* what HEAP_FRAME_UNLOCKED is called there */
} languages[HEAP_LANGUAGES] = {
	[HEAP_NATIVE] = { "native", "" },
	[HEAP_RUBY] = { "ruby", " [nogvl]" },
	[HEAP_PYTHON] = { "python", " [nogil]" },
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- names ---- */

enum {
	NAME_SIZE = 4096,
	FRAMES_MAX = 1024,	/* of a stack: more are left out */
};

/* "function (file:line)", or as much of it as is known. */
static void describe(const struct location *location, char *name)
{
	int at = 0;

	if (location->function)
		at = snprintf(name, NAME_SIZE, "%s", location->function);
	if (at >= NAME_SIZE)
		return;
	if (location->file)
		snprintf(name + at, NAME_SIZE - at,
			 location->function ? " (%s:%u)%s" : "%s:%u%s",
			 location->file, location->line,
			 location->unlocked ?
			 languages[location->language].unlocked : "");
	else if (location->function && location->module)
		snprintf(name + at, NAME_SIZE - at, "+0x%" PRIx64 " (%s)",
			 location->offset, location->module);
	else if (location->module)
		snprintf(name, NAME_SIZE, "%s+0x%" PRIx64, location->module,
			 location->offset);
	else if (location->offset)
		snprintf(name, NAME_SIZE, "0x%" PRIx64, location->offset);
	else if (!location->function)
		snprintf(name, NAME_SIZE, "(other)");
}

/* The next argument of a command line, or NULL. */
static const char *next_argument(const struct heap_state *state,
				 const char *argument)
{
	const char *end = state->command + sizeof(state->command) - 1;

	if (!argument)
		return *state->command ? state->command : NULL;
	argument += strnlen(argument, end - argument) + 1;
	return argument < end && *argument ? argument : NULL;
}

static size_t argument_length(const struct heap_state *state,
			      const char *argument)
{
	return strnlen(argument,
		       state->command + sizeof(state->command) - argument);
}

/* ---- text ---- */

/* A life: three digits and a unit, for it is a mean or a guess. */
static void print_life(FILE *out, uint64_t bytes)
{
	static const char units[] = "BKMGTPE";
	double value = bytes;
	unsigned unit = 0;

	while (value >= 1000 && units[unit + 1]) {
		value /= 1024;
		unit++;
	}
	if (!unit)
		fprintf(out, " %9.0f", value);
	else
		fprintf(out, " %8.*f%c", value < 10 ? 2 : value < 100 ? 1 : 0,
			value, units[unit]);
}

static void print_values(FILE *out, const struct row *row)
{
	const uint64_t *value = row->value;

	fprintf(out, "%14" PRId64 " %11" PRId64 " %11" PRId64 " %12" PRId64
		" %11" PRId64, value[COLUMN_BYTES],
		value[COLUMN_ALLOCATIONS], value[COLUMN_FREES],
		value[COLUMN_LIVE_BYTES], value[COLUMN_LIVE_BLOCKS]);
	print_life(out, value[COLUMN_MEAN_LIFE]);
	print_life(out, value[COLUMN_MAX_LIFE]);
}

static void print_row(FILE *out, const struct row *row)
{
	char name[NAME_SIZE], text[4 * NAME_SIZE];

	describe(&row->location, name);
	escape(text, sizeof(text), name, sizeof(name), "");
	print_values(out, row);
	fprintf(out, "  %s%s\n", kinds[row->kind].mark, text);
}

/* The stack that most of a row comes from, but for its place. */
static void print_stack(FILE *out, const struct heap_file *file,
			const struct table *table, const struct row *row,
			enum column sort)
{
	const struct stack_row *stack = &table->stacks[row->first_stack];
	struct location frames[FRAMES_MAX];
	size_t count = table_frames(table, file, stack, frames, FRAMES_MAX);
	double whole = row->value[sort] ? row->value[sort] : 1;
	char name[NAME_SIZE], text[4 * NAME_SIZE];

	for (size_t i = 1; i < count; i++) {
		describe(&frames[i], name);
		escape(text, sizeof(text), name, sizeof(name), "");
		if (i == 1)
			fprintf(out, "%90.0f%%  %s\n",
				100 * stack->value[sort] / whole, text);
		else
			fprintf(out, "%93s%s\n", "", text);
	}
}

static void text_title(FILE *out, const struct heap_state *state)
{
	char text[512];

	fprintf(out, "process %d, child of %d:", state->pid, state->parent);
	for (const char *argument = next_argument(state, NULL); argument;
	     argument = next_argument(state, argument)) {
		escape(text, sizeof(text), argument,
		       argument_length(state, argument), "");
		fprintf(out, " %s", text);
	}
	putc('\n', out);
}

static void text_growth(FILE *out, const struct table *table)
{
	fputs("growth", out);
	if (table->seconds > 0)
		fprintf(out, " in %.1f seconds", table->seconds);
	fputs("; negative numbers are less than before\n", out);
}

/* What there is beside the live bytes is lost between them, or kept ready. */
static void text_memory(FILE *out, const struct heap_file *file,
			const struct table *table)
{
	const struct heap_state *state = file->state;
	uint64_t live = table->totals[HEAP_KIND_MALLOC].
		value[COLUMN_LIVE_BYTES];

	if (!file->resident || table->is_growth)
		return;
	fprintf(out, "memory: %" PRIu64 " bytes live", live);
	if (state->heap)
		fprintf(out, " in %" PRIu64 " of malloc's (%.0f%%)",
			state->heap, 100.0 * live / state->heap);
	fprintf(out, "; %" PRIu64 " resident\n", file->resident);
}

static void text_notes(FILE *out, const struct heap_state *state,
		       const struct table *table)
{
	if (table->hidden)
		fprintf(out, "%zu more locations are not shown\n",
			table->hidden);
	if (table->inherited.value[COLUMN_FREES])
		fprintf(out, "%" PRIu64 " blocks of %" PRIu64 " bytes that "
			"the parent process had allocated were freed\n",
			table->inherited.value[COLUMN_FREES],
			table->inherited.freed);
	if (state->foreign_frees)
		fprintf(out, "%" PRIu64 " blocks were freed that had not been "
			"counted\n", state->foreign_frees);
	if (state->flags & HEAP_STATE_SAMPLE_ONLY)
		fprintf(out, "these are estimates, from samples %" PRIu64
			" bytes apart in the mean\n", state->sample);
	if (state->flags & HEAP_STATE_BYPASSED)
		fputs("the program has a malloc of its own: "
		      "nothing was counted\n", out);
	if (state->lost_mappings)
		fprintf(out, "%u mappings were not counted: there were too "
			"many at a time\n", state->lost_mappings);
	if (state->lost_pages)
		fputs("there was no room for all counters: "
		      "counts are too low\n", out);
	if (state->lost_children)
		fprintf(out, "%u child processes could not be counted\n",
			state->lost_children);
}

static void text_process(FILE *out, const struct heap_file *file,
			 const struct table *table, enum column sort,
			 bool first)
{
	if (!first)
		putc('\n', out);
	text_title(out, file->state);
	if (table->is_growth)
		text_growth(out, table);
	fprintf(out, "%14s %11s %11s %12s %11s %9s %9s  %s\n", "bytes",
		"allocations", "frees", "live bytes", "live blocks",
		"mean life", "max life", "location");
	for (size_t i = 0; i < table->count; i++) {
		print_row(out, &table->rows[i]);
		if (table->has_stacks)
			print_stack(out, file, table, &table->rows[i], sort);
	}
	for (int kind = 0; kind < HEAP_KINDS; kind++) {
		const struct row *total = &table->totals[kind];

		if (kind && !total->value[COLUMN_ALLOCATIONS])
			continue;
		print_values(out, total);
		fprintf(out, "  %stotal\n", kinds[kind].mark);
	}
	text_memory(out, file, table);
	text_notes(out, file->state, table);
}

/* ---- JSON ---- */

static void json_put_string(FILE *out, const char *text, size_t length)
{
	putc('"', out);
	while (length) {
		size_t valid = json_utf8_length(text, length, NULL);

		for (size_t i = 0; i < valid; i++) {
			unsigned char c = text[i];

			if (c == '"' || c == '\\')
				fprintf(out, "\\%c", c);
			else if (c < ' ' || c == 0x7f)
				fprintf(out, "\\u%04x", c);
			else
				putc(c, out);
		}
		text += valid;
		length -= valid;
		if (length) {
			/* No UTF-8: the replacement character. */
			fputs("\\ufffd", out);
			text++;
			length--;
		}
	}
	putc('"', out);
}

static void json_string_member(FILE *out, const char *key, const char *text)
{
	if (!text)
		return;
	fprintf(out, ",\"%s\":", key);
	json_put_string(out, text, strlen(text));
}

static void json_values(FILE *out, const struct row *row)
{
	fprintf(out, "{\"kind\":\"%s\"", kinds[row->kind].name);
	for (int i = 0; i < COLUMN_COUNT; i++)
		fprintf(out, ",\"%s\":%" PRId64, column_names[i],
			row->value[i]);
	fprintf(out, ",\"freed_bytes\":%" PRId64, row->freed);
}

static void json_location(FILE *out, const struct location *location)
{
	fprintf(out, "\"language\":\"%s\"",
		languages[location->language].name);
	if (location->unlocked)
		fputs(",\"unlocked\":true", out);
	json_string_member(out, "function", location->function);
	json_string_member(out, "file", location->file);
	if (location->file)
		fprintf(out, ",\"line\":%u", location->line);
	json_string_member(out, "module", location->module);
	if (location->language == HEAP_NATIVE)
		fprintf(out, ",\"offset\":%" PRIu64, location->offset);
}

static void json_stack(FILE *out, const struct heap_file *file,
		       const struct table *table,
		       const struct stack_row *stack)
{
	struct location frames[FRAMES_MAX];
	size_t count = table_frames(table, file, stack, frames, FRAMES_MAX);

	for (int i = 0; i < COLUMN_COUNT; i++)
		fprintf(out, "%c\"%s\":%" PRIu64, i ? ',' : '{',
			column_names[i], stack->value[i]);
	fputs(",\"frames\":[", out);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? "},{" : "{", out);
		json_location(out, &frames[i]);
	}
	fputs("}]}", out);
}

static void json_row(FILE *out, const struct heap_file *file,
		     const struct table *table, const struct row *row)
{
	json_values(out, row);
	putc(',', out);
	json_location(out, &row->location);
	if (table->has_stacks) {
		fputs(",\"stacks\":[", out);
		for (size_t i = 0; i < row->stack_count; i++) {
			fputs(i ? ",\n" : "\n", out);
			json_stack(out, file, table,
				   &table->stacks[row->first_stack + i]);
		}
		putc(']', out);
	}
	putc('}', out);
}

static void json_state(FILE *out, const struct heap_file *file)
{
	const struct heap_state *state = file->state;

	fprintf(out, "{\"pid\":%d,\"parent\":%d,\"start\":%" PRIu64 ".%09u",
		state->pid, state->parent, state->start / 1000000000,
		(unsigned)(state->start % 1000000000));
	fputs(",\"program\":", out);
	json_put_string(out, state->program,
			strnlen(state->program, sizeof(state->program)));
	fputs(",\"command\":[", out);
	for (const char *argument = next_argument(state, NULL), *first =
	     argument; argument; argument = next_argument(state, argument)) {
		if (argument != first)
			putc(',', out);
		json_put_string(out, argument,
				argument_length(state, argument));
	}
	fprintf(out, "],\"bypassed\":%s,\"complete\":%s",
		state->flags & HEAP_STATE_BYPASSED ? "true" : "false",
		state->lost_pages || state->lost_mappings ? "false" : "true");
	if (file->resident)
		fprintf(out, ",\"heap_bytes\":%" PRIu64
			",\"resident_bytes\":%" PRIu64, state->heap,
			file->resident);
	if (file->taken)
		fprintf(out, ",\"taken\":%" PRIu64 ".%09u",
			file->taken / 1000000000,
			(unsigned)(file->taken % 1000000000));
	if (state->sample)
		fprintf(out, ",\"sample\":%" PRIu64 ",\"estimated\":%s",
			state->sample, state->flags & HEAP_STATE_SAMPLE_ONLY ?
			"true" : "false");
	fprintf(out, ",\"foreign_frees\":%" PRIu64 ",\"lost_children\":%u",
		state->foreign_frees, state->lost_children);
}

static void json_begin(FILE *out)
{
	fputs("{\"processes\":[", out);
}

static void json_process(FILE *out, const struct heap_file *file,
			 const struct table *table, enum column sort,
			 bool first)
{
	(void)sort;
	fputs(first ? "\n" : ",\n", out);
	json_state(out, file);
	if (table->is_growth)
		fprintf(out, ",\"growth\":true,\"seconds\":%.3f",
			table->seconds);
	fprintf(out, ",\n\"inherited\":{\"frees\":%" PRIu64
		",\"freed_bytes\":%" PRIu64 "}",
		table->inherited.value[COLUMN_FREES], table->inherited.freed);
	fputs(",\n\"totals\":[", out);
	for (int kind = 0; kind < HEAP_KINDS; kind++) {
		fputs(kind ? "}," : "", out);
		json_values(out, &table->totals[kind]);
	}
	fputs("}],\n\"sites\":[", out);
	for (size_t i = 0; i < table->count; i++) {
		fputs(i ? ",\n" : "\n", out);
		json_row(out, file, table, &table->rows[i]);
	}
	fputs("]}", out);
}

static void json_end(FILE *out)
{
	fputs("\n]}\n", out);
}

/* ---- CSV ---- */

static void csv_begin(FILE *out)
{
	fputs("pid,program,kind", out);
	for (int i = 0; i < COLUMN_COUNT; i++)
		fprintf(out, ",%s", column_names[i]);
	fputs(",freed_bytes,language,function,file,line,module,offset\n", out);
}

static void csv_field(FILE *out, const char *text)
{
	fputs(",\"", out);
	for (; text && *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void csv_process(FILE *out, const struct heap_file *file,
			const struct table *table, enum column sort,
			bool first)
{
	(void)sort;
	(void)first;
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];
		const struct location *location = &row->location;

		fprintf(out, "%d", file->state->pid);
		csv_field(out, file->state->program);
		fprintf(out, ",%s", kinds[row->kind].name);
		for (int column = 0; column < COLUMN_COUNT; column++)
			fprintf(out, ",%" PRId64, row->value[column]);
		fprintf(out, ",%" PRId64 ",%s", row->freed,
			languages[location->language].name);
		csv_field(out, location->function);
		csv_field(out, location->file);
		if (location->file)
			fprintf(out, ",%u", location->line);
		else
			putc(',', out);
		csv_field(out, location->module);
		fprintf(out, ",%" PRIu64 "\n", location->offset);
	}
}

/* ---- folded stacks, for flame graphs ---- */

/* Semicolons separate frames, and a line is a stack. */
static void folded_frame(FILE *out, const char *name)
{
	for (; *name; name++)
		putc(*name == ';' ? ':' : *name == '\n' ? ' ' : *name, out);
}

static void folded_stack(FILE *out, const struct heap_file *file,
			 const struct table *table, const struct row *row,
			 const struct stack_row *stack, enum column sort)
{
	struct location frames[FRAMES_MAX];
	size_t count = table_frames(table, file, stack, frames, FRAMES_MAX);
	const char *module = frames[count - 1].module;
	char name[NAME_SIZE];

	folded_frame(out, base_name(file->state->program));
	fprintf(out, "-%d;", file->state->pid);
	if (row->kind)
		fprintf(out, "%s;", kinds[row->kind].name);
	/* All that is known of a place by itself. */
	if (!stack->stack && module) {
		folded_frame(out, base_name(module));
		putc(';', out);
	}
	while (count--) {
		describe(&frames[count], name);
		folded_frame(out, name);
		putc(count ? ';' : ' ', out);
	}
	fprintf(out, "%" PRIu64 "\n", stack->value[sort]);
}

static void folded_process(FILE *out, const struct heap_file *file,
			   const struct table *table, enum column sort,
			   bool first)
{
	(void)first;
	for (size_t i = 0; i < table->count; i++) {
		const struct row *row = &table->rows[i];

		for (size_t j = 0; j < row->stack_count; j++) {
			const struct stack_row *stack =
				&table->stacks[row->first_stack + j];

			if (stack->value[sort])
				folded_stack(out, file, table, row, stack,
					     sort);
		}
	}
}

const struct format formats[] = {
	{ "text", NULL, text_process, NULL },
	{ "json", json_begin, json_process, json_end },
	{ "csv", csv_begin, csv_process, NULL },
	{ "folded", NULL, folded_process, NULL },
	{ NULL, NULL, NULL, NULL },
};
