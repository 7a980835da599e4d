/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads maps of generated code; see perf-map.h.  Names stay in the file until
 * one is asked for.
 */
#include "symbols/perf-map.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/intern.h"

enum {
	CHUNK = 1 << 16,	/* also the longest line */
	ENTRIES_MAX = 1 << 20,
	NAME_MAX_SHOWN = 4096,
};

struct entry {
	uint64_t start, end;
	uint64_t name;		/* where it is in the file: later is newer */
	uint64_t reach;		/* the last end up to this entry */
};

struct perf_map {
	int fd;
	uint64_t read_to;	/* the beginning of a line */
	struct entry *entries;	/* sorted by start */
	size_t count, capacity;
};

struct perf_map *perf_map_open(int fd)
{
	struct perf_map *map = calloc(1, sizeof(*map));
	struct stat st;

	if (!map || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		free(map);
		close(fd);
		return NULL;
	}
	map->fd = fd;
	return map;
}

void perf_map_close(struct perf_map *map)
{
	if (!map)
		return;
	close(map->fd);
	free(map->entries);
	free(map);
}

/* ---- lines ---- */

static bool read_number(const char **at, const char *end, uint64_t *number)
{
	const char *start;

	if (end - *at > 2 && (*at)[0] == '0' && (*at)[1] == 'x')
		*at += 2;
	start = *at;
	*number = 0;
	for (; *at < end && *at - start < 16; ++*at) {
		char c = **at;
		unsigned digit = c >= '0' && c <= '9' ? c - '0' :
			c >= 'a' && c <= 'f' ? c - 'a' + 10 :
			c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;

		if (digit == 16)
			break;
		*number = *number << 4 | digit;
	}
	if (*at == start || *at == end || **at != ' ')
		return false;
	while (*at < end && **at == ' ')
		++*at;
	return *at < end;
}

static bool add_entry(struct perf_map *map, const struct entry *entry)
{
	if (map->count == map->capacity) {
		size_t capacity = map->capacity * 2 + 256;
		struct entry *more = realloc(map->entries,
					     capacity * sizeof(*more));

		if (!more)
			return false;
		map->entries = more;
		map->capacity = capacity;
	}
	map->entries[map->count++] = *entry;
	return true;
}

/* A line without its end; one that is none is passed over. */
static bool add_line(struct perf_map *map, const char *line, size_t length,
		     uint64_t offset)
{
	const char *at = line, *end = line + length;
	struct entry entry;
	uint64_t size;

	if (!read_number(&at, end, &entry.start) ||
	    !read_number(&at, end, &size) || !size ||
	    entry.start + size < entry.start)
		return true;
	entry.end = entry.start + size;
	entry.name = offset + (at - line);
	return map->count < ENTRIES_MAX && add_entry(map, &entry);
}

/* Appends the entries of all lines that are whole. */
static void read_lines(struct perf_map *map)
{
	static char chunk[CHUNK];
	ssize_t got;

	while ((got = pread(map->fd, chunk, CHUNK, map->read_to)) > 0) {
		size_t at = 0;
		const char *end;

		while ((end = memchr(chunk + at, '\n', got - at))) {
			size_t length = end - (chunk + at);

			if (!add_line(map, chunk + at, length,
				      map->read_to + at))
				return;
			at += length + 1;
		}
		if (!at && got < CHUNK)
			return;
		/* No line is so long: the rest of this one is none either. */
		map->read_to += at ? at : CHUNK;
	}
}

/* ---- the table ---- */

static int by_start(const void *a, const void *b)
{
	const struct entry *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

/* Sorts the entries behind the first `sorted' in among those. */
static void merge(struct perf_map *map, size_t sorted)
{
	size_t count = map->count - sorted, to = map->count;
	size_t size = count * sizeof(struct entry);
	struct entry *added = malloc(size);
	uint64_t reach = 0;

	if (!added) {
		map->count = sorted;
		return;
	}
	memcpy(added, map->entries + sorted, size);
	qsort(added, count, sizeof(*added), by_start);
	while (count) {
		bool old = sorted && map->entries[sorted - 1].start >
			added[count - 1].start;

		map->entries[--to] = old ? map->entries[--sorted] :
			added[--count];
	}
	free(added);
	for (size_t i = 0; i < map->count; i++) {
		if (map->entries[i].end > reach)
			reach = map->entries[i].end;
		map->entries[i].reach = reach;
	}
}

enum perf_map_news perf_map_update(struct perf_map *map)
{
	size_t before = map->count;
	struct stat st;

	if (fstat(map->fd, &st) || !st.st_nlink ||
	    (uint64_t)st.st_size < map->read_to)
		return PERF_MAP_REPLACED;
	if ((uint64_t)st.st_size == map->read_to)
		return PERF_MAP_SAME;
	read_lines(map);
	if (map->count == before)
		return PERF_MAP_SAME;
	merge(map, before);
	return PERF_MAP_LONGER;
}

/* ---- searching ---- */

/* How many entries begin before address. */
static size_t count_before(const struct perf_map *map, uint64_t address)
{
	size_t low = 0, high = map->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->entries[middle].start >= address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* The newest of the entries that have a part of [start, end), or NULL. */
static const struct entry *newest(const struct perf_map *map, uint64_t start,
				  uint64_t end)
{
	const struct entry *found = NULL;

	for (size_t i = count_before(map, end);
	     i && map->entries[i - 1].reach > start; i--) {
		const struct entry *entry = &map->entries[i - 1];

		if (entry->end > start && (!found || entry->name > found->name))
			found = entry;
	}
	return found;
}

/* What would disturb a terminal is no part of a name. */
static const char *read_name(const struct perf_map *map, uint64_t offset)
{
	char name[NAME_MAX_SHOWN];
	ssize_t got = pread(map->fd, name, sizeof(name), offset);
	ssize_t length = 0;

	while (length < got && name[length] != '\n') {
		unsigned char c = name[length];

		if (c < ' ' || c == 0x7f)
			name[length] = '?';
		length++;
	}
	return length ? intern(name, length) : NULL;
}

const char *perf_map_find(const struct perf_map *map, uint64_t address,
			  uint64_t *offset)
{
	const struct entry *entry = newest(map, address, address + 1);

	/* If a part of it was overwritten, all of it is gone. */
	if (!entry || newest(map, entry->start, entry->end) != entry)
		return NULL;
	*offset = address - entry->start;
	return read_name(map, entry->name);
}
