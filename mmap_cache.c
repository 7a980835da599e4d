/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the mappings of address spaces; see mmap_cache.h.
 */
#include "mmap_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mmap_notify.h"
#include "tracee.h"

struct mmap_cache {
	struct mapping *mappings;	/* sorted, without overlaps */
	size_t count, capacity;
	char *text;			/* of the file; paths lie in it */
	bool complete;			/* nothing is mapped but these */
	uint64_t generation;
	unsigned misses;		/* since the last change told of */
};

uint64_t mmap_cache_reads;

/* ---- parsing ---- */

/* A number in hexadecimal and the character behind it. */
static bool parse_hex(char **at, char end, uint64_t *value)
{
	static const char digits[] = "0123456789abcdef";
	size_t length = strspn(*at, digits);

	if (!length || (*at)[length] != end)
		return false;
	*value = 0;
	for (size_t i = 0; i < length; i++)
		*value = *value << 4 | (strchr(digits, (*at)[i]) - digits);
	*at += length + 1;
	return true;
}

/* The kernel writes a newline in a path as "\012", and nothing else so. */
static void unescape(char *path)
{
	char *to = strstr(path, "\\012");

	if (!to)
		return;
	for (const char *from = to; *from; to++) {
		if (!strncmp(from, "\\012", 4)) {
			*to = '\n';
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

bool mapping_parse(char *line, struct mapping *mapping)
{
	static const char deleted[] = " (deleted)";
	uint64_t major, minor;
	char *at = line;

	*mapping = (struct mapping){ 0 };
	if (!parse_hex(&at, '-', &mapping->start) ||
	    !parse_hex(&at, ' ', &mapping->end) ||
	    mapping->start >= mapping->end)
		return false;
	if (strlen(at) < 5 || at[4] != ' ')
		return false;
	mapping->readable = at[0] == 'r';
	mapping->writable = at[1] == 'w';
	mapping->executable = at[2] == 'x';
	at += 5;
	if (!parse_hex(&at, ' ', &mapping->offset) ||
	    !parse_hex(&at, ':', &major) || !parse_hex(&at, ' ', &minor))
		return false;
	mapping->dev_major = major;
	mapping->dev_minor = minor;
	if (*at < '0' || *at > '9')
		return false;
	mapping->inode = strtoull(at, &at, 10);
	at += strspn(at, " ");
	mapping->path = at;

	size_t length = strlen(at);
	size_t tail = sizeof(deleted) - 1;

	if (*at == '/' && length > tail &&
	    !strcmp(at + length - tail, deleted)) {
		at[length - tail] = '\0';
		mapping->deleted = true;
	}
	unescape(at);
	return true;
}

/* ---- reading ---- */

/* The whole of /proc/PID/maps, NUL-terminated, or NULL. */
static char *read_maps(pid_t pid)
{
	char name[32];
	size_t size = 16384, length = 0;
	ssize_t got;

	snprintf(name, sizeof(name), "/proc/%d/maps", pid);

	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return NULL;

	char *text = malloc(size);

	while (text && (got = read(fd, text + length,
				   size - length - 1)) > 0) {
		length += got;
		if (size - length < 8192) {
			char *more = realloc(text, size *= 2);

			if (!more)
				free(text);
			text = more;
		}
	}
	close(fd);
	if (text)
		text[length] = '\0';
	mmap_cache_reads++;
	return text;
}

static bool append(struct mmap_cache *cache, const struct mapping *mapping)
{
	if (cache->count == cache->capacity) {
		size_t capacity = cache->capacity ? cache->capacity * 2 : 64;
		struct mapping *more = realloc(cache->mappings,
					       capacity * sizeof(*more));

		if (!more)
			return false;
		cache->mappings = more;
		cache->capacity = capacity;
	}
	cache->mappings[cache->count++] = *mapping;
	return true;
}

/* Takes text over. */
static bool parse_maps(struct mmap_cache *cache, char *text)
{
	struct mapping mapping;

	cache->text = text;
	for (char *line = text; *line; ) {
		char *end = line + strcspn(line, "\n");
		char *next = *end ? end + 1 : end;

		*end = '\0';
		if (mapping_parse(line, &mapping) &&
		    (!cache->count || mapping.start >=
		     cache->mappings[cache->count - 1].end) &&
		    !append(cache, &mapping))
			return false;
		line = next;
	}
	return cache->count != 0;
}

/* The first mapping that ends behind address; count if there is none. */
static size_t first_behind(const struct mmap_cache *cache, uint64_t address)
{
	size_t low = 0, high = cache->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (cache->mappings[middle].end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static const struct mapping *find(const struct mmap_cache *cache,
				  uint64_t address)
{
	size_t i = first_behind(cache, address);

	return i < cache->count && cache->mappings[i].start <= address ?
		&cache->mappings[i] : NULL;
}

/* Whether all of a mapping is still mapped as it was, in a newer state. */
static bool still_there(const struct mapping *old,
			const struct mmap_cache *newer)
{
	const struct mapping *now = find(newer, old->start);

	return now && now->executable && now->end >= old->end &&
		now->inode == old->inode &&
		now->dev_major == old->dev_major &&
		now->dev_minor == old->dev_minor &&
		(!old->inode ||
		 now->offset + (old->start - now->start) == old->offset);
}

static void drop(struct mmap_cache *cache)
{
	free(cache->mappings);
	free(cache->text);
	cache->mappings = NULL;
	cache->text = NULL;
	cache->count = cache->capacity = 0;
	cache->complete = false;
}

static bool refresh(struct mmap_cache *cache, pid_t pid)
{
	struct mmap_cache newer = { .generation = cache->generation };
	char *text = read_maps(pid);

	if (!text)
		return false;
	if (!parse_maps(&newer, text)) {
		drop(&newer);
		return false;
	}
	newer.complete = true;
	newer.misses = cache->misses;
	for (size_t i = 0; i < cache->count; i++) {
		if (cache->mappings[i].executable &&
		    !still_there(&cache->mappings[i], &newer)) {
			newer.generation++;
			break;
		}
	}
	drop(cache);
	*cache = newer;
	return true;
}

/* ---- changes ---- */

/* Takes [start, end) out; splits a mapping that has it in its middle. */
static void cut(struct mmap_cache *cache, uint64_t start, uint64_t end)
{
	size_t i = first_behind(cache, start);
	bool code = false;

	while (i < cache->count && cache->mappings[i].start < end) {
		struct mapping *mapping = &cache->mappings[i];
		struct mapping tail = *mapping;

		code |= mapping->executable;
		if (tail.end > end) {
			tail.offset += end - tail.start;
			tail.start = end;
		}
		if (mapping->start < start) {
			mapping->end = start;
			i++;
			if (tail.start != end)
				continue;
			/* In the middle: what is behind becomes another one. */
			if (!append(cache, &tail)) {
				cache->complete = false;
				continue;
			}
			memmove(&cache->mappings[i + 1], &cache->mappings[i],
				(cache->count - 1 - i) * sizeof(tail));
			cache->mappings[i++] = tail;
		} else if (tail.start == end) {
			*mapping = tail;
			i++;
		} else {
			cache->count--;
			memmove(mapping, mapping + 1,
				(cache->count - i) * sizeof(tail));
		}
	}
	cache->generation += code;
}

static void forget(struct mmap_cache *cache)
{
	drop(cache);
	cache->generation++;
	cache->misses = 0;
}

static void on_change(void *context, struct space *space,
		      const struct map_change *change)
{
	struct mmap_cache *cache = space->mmap_cache;

	(void)context;
	if (!cache)
		return;
	cache->misses = 0;
	switch (change->kind) {
	case MAP_CHANGE_UNMAP:
		cut(cache, change->start, change->end);
		break;
	case MAP_CHANGE_MOVE:
		cut(cache, change->old_start, change->old_end);
		/* fall through */
	case MAP_CHANGE_MAP:
	case MAP_CHANGE_PROTECT:
	case MAP_CHANGE_BREAK:
		cut(cache, change->start, change->end);
		cache->complete = false;
		break;
	case MAP_CHANGE_GONE:
		drop(cache);
		free(cache);
		space->mmap_cache = NULL;
		break;
	case MAP_CHANGE_UNKNOWN:
	case MAP_CHANGE_EXEC:
		forget(cache);
		break;
	}
}

bool mmap_cache_init(void)
{
	return mmap_notify_subscribe(on_change, NULL);
}

/* ---- asking ---- */

static struct mmap_cache *cache_of(struct space *space)
{
	if (!space->mmap_cache) {
		space->mmap_cache = calloc(1, sizeof(*space->mmap_cache));
		if (space->mmap_cache)
			space->mmap_cache->generation = 1;
	}
	return space->mmap_cache;
}

bool mmap_cache_get(struct space *space, const struct mapping **mappings,
		    size_t *count)
{
	struct mmap_cache *cache = cache_of(space);

	if (!cache || (!cache->complete && !refresh(cache, space->pid)))
		return false;
	*mappings = cache->mappings;
	*count = cache->count;
	return true;
}

const struct mapping *mmap_cache_find(struct space *space, uint64_t address)
{
	struct mmap_cache *cache = cache_of(space);

	if (!cache || (!cache->complete && !refresh(cache, space->pid)))
		return NULL;
	return find(cache, address);
}

static const struct mapping *find_code(const struct mmap_cache *cache,
				       uint64_t address)
{
	const struct mapping *mapping = find(cache, address);

	return mapping && mapping->executable ? mapping : NULL;
}

const struct mapping *mmap_cache_find_code(struct space *space,
					   uint64_t address)
{
	struct mmap_cache *cache = cache_of(space);

	if (!cache)
		return NULL;

	const struct mapping *mapping = find_code(cache, address);

	if (mapping)
		return mapping;
	if (cache->complete) {
		/* Look again at the 1st, 2nd, 4th, 8th... miss. */
		cache->misses++;
		if (cache->misses & (cache->misses - 1))
			return NULL;
	}
	return refresh(cache, space->pid) ? find_code(cache, address) : NULL;
}

uint64_t mmap_cache_generation(struct space *space)
{
	struct mmap_cache *cache = cache_of(space);

	return cache ? cache->generation : 0;
}

void mmap_cache_doubt(struct space *space)
{
	struct mmap_cache *cache = space->mmap_cache;

	if (cache && cache->count && !refresh(cache, space->pid))
		forget(cache);
}

void mmap_cache_forget(struct space *space)
{
	if (space->mmap_cache)
		forget(space->mmap_cache);
}
