/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the mappings of address spaces; see mmap_cache.h.
 */
#include "mmap_cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mmap_notify.h"
#include "tracee.h"

struct mmap_cache {
	struct mapping *mappings;	/* sorted, without overlaps */
	size_t count, capacity;
	char *text;			/* of the file; paths lie in it */
	bool complete;			/* nothing is mapped but these */
	bool code_complete;		/* nothing executable is */
	uint64_t generation;
	unsigned misses;		/* since code_complete became true */
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

/* Whether all of a piece of code is mapped as it was, in one or more pieces. */
static bool has_code(const struct mmap_cache *cache, const struct mapping *old)
{
	uint64_t at = old->start;

	while (at < old->end) {
		const struct mapping *now = find(cache, at);

		if (!now || !now->executable || now->inode != old->inode ||
		    now->dev_major != old->dev_major ||
		    now->dev_minor != old->dev_minor ||
		    (old->inode && now->offset - now->start !=
		     old->offset - old->start))
			return false;
		at = now->end;
	}
	return true;
}

static void drop(struct mmap_cache *cache)
{
	free(cache->mappings);
	free(cache->text);
	cache->mappings = NULL;
	cache->text = NULL;
	cache->count = cache->capacity = 0;
	cache->complete = cache->code_complete = false;
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
	newer.complete = newer.code_complete = true;
	newer.misses = cache->code_complete ? cache->misses : 0;
	for (size_t i = 0; i < cache->count; i++) {
		if (cache->mappings[i].executable &&
		    !has_code(&newer, &cache->mappings[i])) {
			newer.generation++;
			break;
		}
	}
	drop(cache);
	*cache = newer;
	return true;
}

/* ---- changes ---- */

static void forget(struct mmap_cache *cache)
{
	drop(cache);
	cache->generation++;
}

/*
 * Makes two mappings of one that has address in its middle.  Returns the
 * index of the first one that ends behind address.
 */
static size_t split(struct mmap_cache *cache, uint64_t address)
{
	size_t i = first_behind(cache, address);
	struct mapping head;

	if (i == cache->count || cache->mappings[i].start >= address)
		return i;
	head = cache->mappings[i];
	if (!append(cache, &head)) {
		forget(cache);
		return 0;
	}
	memmove(&cache->mappings[i + 1], &cache->mappings[i],
		(cache->count - 1 - i) * sizeof(head));
	cache->mappings[i].end = address;
	cache->mappings[i + 1].offset += address - head.start;
	cache->mappings[i + 1].start = address;
	return i + 1;
}

/* The mappings within [start, end), split off what is around them. */
static size_t isolate(struct mmap_cache *cache, uint64_t start, uint64_t end,
		      size_t *count)
{
	size_t first, last;

	split(cache, start);
	last = split(cache, end);
	first = first_behind(cache, start);
	*count = last > first ? last - first : 0;
	return first;
}

/* Takes [start, end) out.  Returns whether there was code. */
static bool cut(struct mmap_cache *cache, uint64_t start, uint64_t end)
{
	size_t count, first = isolate(cache, start, end, &count);
	struct mapping *at;
	bool code = false;

	if (!count)
		return false;
	at = cache->mappings + first;
	for (size_t i = 0; i < count; i++)
		code |= at[i].executable;
	memmove(at, at + count,
		(cache->count - first - count) * sizeof(*at));
	cache->count -= count;
	cache->generation += code;
	return code;
}

static void protect(struct mmap_cache *cache, const struct map_change *change)
{
	size_t count, first = isolate(cache, change->start, change->end,
				      &count);
	bool executable = change->protection & PROT_EXEC, lost = false;
	uint64_t at = change->start;

	for (size_t i = first; i < first + count; i++) {
		struct mapping *m = &cache->mappings[i];

		if (m->start == at)
			at = m->end;
		lost |= m->executable && !executable;
		m->readable = change->protection & PROT_READ;
		m->writable = change->protection & PROT_WRITE;
		m->executable = executable;
	}
	/* All of it is mapped, but not all of it may be known. */
	if (executable && at < change->end)
		cache->code_complete = false;
	cache->generation += lost;
}

/*
 * A segment of shared memory goes with all that is left of it behind its
 * beginning, as far as shmdt finds it.
 */
static void detach(struct mmap_cache *cache, uint64_t start)
{
	const struct mapping *first = find(cache, start);
	uint64_t end = start;

	if (!first || first->start != start || first->offset)
		return;
	for (const struct mapping *m = first;
	     m < cache->mappings + cache->count &&
	     m->inode == first->inode && m->dev_major == first->dev_major &&
	     m->dev_minor == first->dev_minor && m->offset == m->start - start;
	     m++)
		end = m->end;
	cut(cache, start, end);
}

static void update(struct mmap_cache *cache, const struct map_change *change)
{
	switch (change->kind) {
	case MAP_CHANGE_UNMAP:
		cut(cache, change->start, change->end);
		return;
	case MAP_CHANGE_PROTECT:
		protect(cache, change);
		return;
	case MAP_CHANGE_DETACH:
		detach(cache, change->start);
		return;
	case MAP_CHANGE_MOVE:
		if (cut(cache, change->old_start, change->old_end))
			cache->code_complete = false;
		break;
	case MAP_CHANGE_MAP:
	case MAP_CHANGE_ATTACH:
	case MAP_CHANGE_BREAK:
		if (change->protection & PROT_EXEC)
			cache->code_complete = false;
		break;
	default:
		forget(cache);
		return;
	}
	cut(cache, change->start, change->end);
	cache->complete = false;
}

static void on_change(void *context, struct space *space,
		      const struct map_change *change)
{
	struct mmap_cache *cache = space->mmap_cache;

	(void)context;
	if (!cache)
		return;
	if (change->kind != MAP_CHANGE_GONE) {
		update(cache, change);
		return;
	}
	drop(cache);
	free(cache);
	space->mmap_cache = NULL;
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
	if (cache->code_complete) {
		/* Look again at the 1st, 2nd, 4th, 8th... miss. */
		cache->misses++;
		if (cache->misses & (cache->misses - 1))
			return NULL;
	}
	return refresh(cache, space->pid) ? find_code(cache, address) : NULL;
}

bool mmap_cache_has_code(struct space *space, const struct mapping *old)
{
	struct mmap_cache *cache = cache_of(space);

	return cache && (has_code(cache, old) ||
			 (!cache->code_complete &&
			  refresh(cache, space->pid) &&
			  has_code(cache, old)));
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
