/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the environment variable MWRAP asks for when a process ends: a table of
 * its locations, in a file or to a file descriptor.
 */
#include "tracer-heap.h"

#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wanted {
	char path[4096];
	int fd;			/* -1: none */
	uint64_t min;
	unsigned heap;		/* bits */
};

enum {
	HEAP_SUMMARY = 1,
	HEAP_NO_TABLE = 4,
};

static bool has_key(const char *item, const char *key, const char **value)
{
	size_t length = strlen(key);

	if (strncmp(item, key, length) || item[length] != ':')
		return false;
	*value = item + length + 1;
	return true;
}

static void take(struct wanted *wanted, const char *item, size_t length)
{
	const char *value;

	if (has_key(item, "dump_path", &value)) {
		length -= value - item;
		if (length >= sizeof(wanted->path))
			length = 0;
		memcpy(wanted->path, value, length);
		wanted->path[length] = '\0';
	} else if (has_key(item, "dump_fd", &value)) {
		wanted->fd = atoi(value);
	} else if (has_key(item, "dump_min", &value)) {
		wanted->min = strtoull(value, NULL, 10);
	} else if (has_key(item, "dump_heap", &value)) {
		wanted->heap = strtoul(value, NULL, 10);
	}
}

static void read_wanted(struct wanted *wanted, const char *text)
{
	wanted->fd = -1;
	while (*text) {
		size_t length = strcspn(text, ",");

		take(wanted, text, length);
		text += length + (text[length] == ',');
	}
}

static void dump(int fd, const struct wanted *wanted)
{
	uint64_t allocated, freed;

	if (wanted->heap & HEAP_SUMMARY) {
		tracer_heap_totals(&allocated, &freed);
		dprintf(fd, "%16lu bytes allocated, %lu freed, process %d\n",
			allocated, freed, (int)getpid());
	}
	if (!(wanted->heap & HEAP_NO_TABLE))
		tracer_heap_dump(fd, wanted->min);
}

__attribute__((destructor))
static void end(void)
{
	const char *text = getenv("MWRAP");
	struct wanted wanted = { 0 };
	int fd;

	if (!text || !process_is_started())
		return;
	read_wanted(&wanted, text);
	if (!*wanted.path) {
		if (wanted.fd >= 0)
			dump(wanted.fd, &wanted);
		return;
	}
	fd = open(wanted.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		  0666);
	if (fd < 0)
		return;
	dump(fd, &wanted);
	close(fd);
}
