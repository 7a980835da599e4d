/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reports of state files; see report.h.
 */
#include "config.h"

#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/intern.h"
#include "locate.h"
#include "message.h"
#include "settings.h"

/* ---- where they go ---- */

/* One for each process: the path with its ID for %p. */
static char *output_path(pid_t pid)
{
	const char *mark = strstr(settings.output, "%p");
	char *path;

	if (asprintf(&path, "%.*s%d%s", (int)(mark - settings.output),
		     settings.output, (int)pid, mark + 2) < 0)
		return NULL;
	return path;
}

static bool is_per_process(void)
{
	return settings.output && strstr(settings.output, "%p");
}

static FILE *open_output(const char *path)
{
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file) {
		message_errno("%s", path ? path : "no memory");
		return NULL;
	}
	if (settings.format->begin)
		settings.format->begin(file);
	return file;
}

static bool close_output(FILE *out, const char *path)
{
	bool failed;

	if (settings.format->end)
		settings.format->end(out);
	failed = fflush(out) || ferror(out);
	if (out != stderr && out != stdout)
		failed |= fclose(out) != 0;
	if (failed)
		message_errno("%s", path ? path : "cannot write");
	return !failed;
}

FILE *report_open(FILE *otherwise)
{
	if (settings.output)
		return open_output(settings.output);
	if (settings.format->begin)
		settings.format->begin(otherwise);
	return otherwise;
}

bool report_close(FILE *out)
{
	return close_output(out, settings.output);
}

/* ---- what they have ---- */

enum column report_sort(enum column otherwise)
{
	return settings.sort < 0 ? otherwise : (enum column)settings.sort;
}

void report_table(FILE *out, const struct heap_file *file,
		  const struct table *table, enum column sort)
{
	settings.format->process(out, file, table, sort, true);
}

static bool report_one(FILE *out, const struct heap_file *file, bool first)
{
	enum column sort = report_sort(COLUMN_BYTES);
	struct table table;
	bool done = table_make(&table, file, sort, settings.min);

	if (done)
		settings.format->process(out, file, &table, sort, first);
	else
		message("out of memory");
	table_free(&table);
	return done;
}

/* A process that executes programs is one after another in its file. */
static bool report_per_process(struct heap_file *files, size_t count,
			       size_t first)
{
	pid_t pid = files[first].state->pid;
	char *path = output_path(pid);
	FILE *out = open_output(path);
	bool done = out;

	if (out) {
		for (size_t i = first; i < count; i++)
			if (files[i].state->pid == pid)
				done &= report_one(out, &files[i], i == first);
		done &= close_output(out, path);
	}
	free(path);
	return done;
}

static bool is_repeated(const struct heap_file *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files[i].state->pid == files[index].state->pid)
			return true;
	return false;
}

static int compare_starts(const void *first, const void *second)
{
	const struct heap_file *a = first, *b = second;

	return (a->state->start > b->state->start) -
		(a->state->start < b->state->start);
}

bool report_files(struct file_list *list)
{
	struct heap_file *files = list->files;
	size_t count = list->count;
	bool done = true;
	FILE *out;

	if (count)
		qsort(files, count, sizeof(*files), compare_starts);
	if (is_per_process()) {
		for (size_t i = 0; i < count; i++)
			if (!is_repeated(files, i))
				done &= report_per_process(files, count, i);
		return done;
	}
	out = report_open(stderr);
	if (!out)
		return false;
	for (size_t i = 0; i < count; i++)
		done &= report_one(out, &files[i], !i);
	return report_close(out) && done;
}

/* ---- lists of files ---- */

bool file_list_add(struct file_list *list, const char *path)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity * 2 + 16;
		struct heap_file *more = realloc(list->files,
						 capacity * sizeof(*more));

		if (!more)
			return false;
		list->files = more;
		list->capacity = capacity;
	}
	if (!heap_file_open(&list->files[list->count], path))
		return false;
	list->count++;
	return true;
}

static const char *suffix_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot : "";
}

bool file_list_add_directory(struct file_list *list, const char *directory)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char *path;

	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		if (strcmp(suffix_of(entry->d_name), HEAP_STATE_SUFFIX))
			continue;
		if (asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
			continue;
		/* One that was killed as it began has nothing to tell. */
		if (!file_list_add(list, path) && errno != EINVAL)
			message_errno("%s", path);
		free(path);
	}
	closedir(dir);
	return true;
}

void file_list_free(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		heap_file_close(&list->files[i]);
	free(list->files);
	locate_fini();
	intern_fini();
}
