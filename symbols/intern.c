/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps strings in a hash table and their bytes in chunks; see intern.h.
 */
#include "symbols/intern.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 1 << 16 };

struct chunk {
	struct chunk *next;
	size_t used, size;
	char bytes[];
};

struct slot {
	const char *string;	/* NULL: free */
	size_t length;
	uint64_t hash;
};

static struct chunk *chunks;
static struct slot *slots;
static size_t slot_count, string_count;

static uint64_t hash_bytes(const char *bytes, size_t length)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3;
	return hash;
}

/* The slot of a string, or the free one where it belongs. */
static struct slot *find(const char *bytes, size_t length, uint64_t hash)
{
	for (size_t i = hash & (slot_count - 1); ; i = (i + 1) &
	     (slot_count - 1)) {
		struct slot *slot = &slots[i];

		if (!slot->string ||
		    (slot->hash == hash && slot->length == length &&
		     !memcmp(slot->string, bytes, length)))
			return slot;
	}
}

static int grow(void)
{
	struct slot *old = slots;
	size_t old_count = slot_count;
	size_t count = old_count ? old_count * 2 : 1024;
	struct slot *more = calloc(count, sizeof(*more));

	if (!more)
		return 0;
	slots = more;
	slot_count = count;
	for (size_t i = 0; i < old_count; i++)
		if (old[i].string)
			*find(old[i].string, old[i].length, old[i].hash) =
				old[i];
	free(old);
	return 1;
}

static char *store(const char *bytes, size_t length)
{
	if (!chunks || chunks->size - chunks->used <= length) {
		size_t size = length < CHUNK_SIZE ? CHUNK_SIZE : length + 1;
		struct chunk *chunk = malloc(sizeof(*chunk) + size);

		if (!chunk)
			return NULL;
		chunk->next = chunks;
		chunk->used = 0;
		chunk->size = size;
		chunks = chunk;
	}

	char *copy = chunks->bytes + chunks->used;

	memcpy(copy, bytes, length);
	copy[length] = '\0';
	chunks->used += length + 1;
	return copy;
}

const char *intern(const char *bytes, size_t length)
{
	uint64_t hash = hash_bytes(bytes, length);

	if (string_count * 2 >= slot_count && !grow())
		return NULL;

	struct slot *slot = find(bytes, length, hash);

	if (!slot->string) {
		const char *copy = store(bytes, length);

		if (!copy)
			return NULL;
		*slot = (struct slot){ copy, length, hash };
		string_count++;
	}
	return slot->string;
}

void intern_fini(void)
{
	while (chunks) {
		struct chunk *chunk = chunks;

		chunks = chunk->next;
		free(chunk);
	}
	free(slots);
	slots = NULL;
	slot_count = string_count = 0;
}
