/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads stacks; see unwind-memory.h.
 */
#include "unwind-memory.h"

#include <stdlib.h>
#include <string.h>

#include "mem.h"

enum {
	FIRST_READ = 8192,	/* of a thread whose stack is not known */
	BLOCK_SIZE = 1 << 18,
};

/* One walk at a time: the block is used again and again. */
static uint8_t block[BLOCK_SIZE];
static uint64_t block_start;
static size_t block_have;
static bool block_ended;	/* what follows is unreadable */
static uint64_t passed;
static struct past_stack *noted;

static void read_on(struct walk *walk, size_t size)
{
	size_t room = BLOCK_SIZE - block_have;
	size_t take = size < room ? size : room;
	size_t got = view_read(walk->view, block_start + block_have,
			       block + block_have, take);

	block_have += got;
	block_ended = got < take || block_have == BLOCK_SIZE;
}

void unwind_memory_begin(struct walk *walk, uint64_t sp, uint64_t top,
			 struct past_stack *notes)
{
	size_t size = FIRST_READ;

	noted = notes;
	passed = 0;
	block_start = sp & -(uint64_t)walk->arch->word;
	block_have = 0;
	block_ended = false;
	if (top > block_start && top - block_start < BLOCK_SIZE / 2)
		size = (top - block_start + 1024) & ~(size_t)511;
	read_on(walk, size);
}

void unwind_memory_pass(uint64_t sp)
{
	passed = sp;
}

static bool peek(struct walk *walk, uint64_t address, uint64_t *value)
{
	size_t word = walk->arch->word;
	uint64_t offset = address - block_start;

	*value = 0;
	/* Not far behind what there is: that, and as much again. */
	while (!block_ended && address >= block_start &&
	       offset + word > block_have &&
	       offset < block_have + 4 * (uint64_t)FIRST_READ)
		read_on(walk, block_have > FIRST_READ ? block_have :
			FIRST_READ);
	if (address >= block_start && block_have >= word &&
	    offset <= block_have - word) {
		memcpy(value, block + offset, word);
		return true;
	}
	return view_read_exactly(walk->view, address, value, word);
}

/* Almost all of them are in the block, which makes this a short loop. */
size_t unwind_memory_unchanged(struct walk *walk,
			       const struct past_stack *past)
{
	size_t size = walk->arch->word, i = past->word_count;

	for (; i; i--) {
		const struct past_word *word = &past->words[i - 1];
		uint64_t offset = word->address - block_start, value;

		if (size == sizeof(value) && offset < block_have &&
		    block_have - offset >= sizeof(value)) {
			memcpy(&value, block + offset, sizeof(value));
			if (value != word->value)
				break;
		} else if (!peek(walk, word->address, &value) ||
			   value != word->value) {
			break;
		}
	}
	return past->word_count - i;
}

static void note(uint64_t address, uint64_t value)
{
	if (noted->word_count == noted->word_capacity) {
		size_t capacity = noted->word_capacity * 2 + 256;
		struct past_word *more = realloc(noted->words,
						 capacity * sizeof(*more));

		if (!more) {
			noted->unreliable = true;
			return;
		}
		noted->words = more;
		noted->word_capacity = capacity;
	}
	noted->words[noted->word_count++] =
		(struct past_word){ address, value };
}

bool walk_read(struct walk *walk, uint64_t address, uint64_t *value)
{
	if (!peek(walk, address, value))
		return false;
	if (address >= passed)
		note(address, *value);
	return true;
}
