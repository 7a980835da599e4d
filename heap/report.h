/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reports of state files: which go where, and in what order.
 */
#ifndef HEAP_REPORT_H
#define HEAP_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "read.h"
#include "table.h"

struct file_list {
	struct heap_file *files;
	size_t count, capacity;
};

/* False: errno says why, EINVAL that it is no state file. */
bool file_list_add(struct file_list *list, const char *path);
/* All states of a directory; messages tell of those that cannot be read. */
bool file_list_add_directory(struct file_list *list, const char *directory);
/* Forgets the names of places as well. */
void file_list_free(struct file_list *list);

/* Reports all, in the order in which the processes began. */
bool report_files(struct file_list *list);

/* Reports of one process, to settings.output or else where. */
FILE *report_open(FILE *otherwise);
bool report_close(FILE *out);
void report_table(FILE *out, const struct heap_file *file,
		  const struct table *table, enum column sort);

/* settings.sort, or what suits the command. */
enum column report_sort(enum column otherwise);

#endif
