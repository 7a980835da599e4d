/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The malloc family where only samples count: all other blocks are the C
 * library's, and nothing is done about them but to add up their bytes.  A
 * sampled block has its header, and before that a proof.
 */
#include "block.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>

enum {
	SHIFT = HEADER_SHIFT + 1,
	BEFORE = 1 << SHIFT,	/* bytes before a sampled block */
};

/*
 * glibc's header is before any block of its own, and is not like ours.
 * Another allocator's memory there may be anything, so that a few bits prove
 * nothing: this depends on the block and on a secret.  It is not wiped in a
 * child, which has its parent's blocks.
 */
static uint64_t proof(const void *block)
{
	static uint64_t secret;
	const uint64_t *random;

	if (!secret) {
		random = (const uint64_t *)getauxval(AT_RANDOM);
		secret = random ? *random | 1 : 1;
	}
	return scramble((uintptr_t)block ^ secret);
}

static uint64_t *proof_of(const void *block)
{
	return (uint64_t *)header_of(block) - 1;
}

bool sampled_is_proved(const void *block)
{
	return *proof_of(block) == proof(block);
}

/* The bytes before a block of that alignment, as a shift; 0: not sampled. */
static inline unsigned shift_before(size_t size, size_t alignment)
{
	if (!clock_adds(sampler, size) || !thread_tick(sampler))
		return 0;
	return shift_of(alignment, SHIFT);
}

static void *begin(char *base, unsigned shift, size_t size, uintptr_t caller)
{
	uint32_t site = sample_allocation(sampler, size, caller);
	void *block = block_make(sampler, base, shift, size, site << 8);

	*proof_of(block) = proof(block);
	return block;
}

static inline size_t offset(unsigned shift)
{
	return shift ? (size_t)1 << shift : 0;
}

void *sampled_allocate(size_t size, bool zero, uintptr_t caller)
{
	unsigned shift = shift_before(size, 1);
	char *base;

	if (LIKELY(!shift))
		return zero ? next.calloc(1, size) : next.malloc(size);
	size += BEFORE;
	base = zero ? next.calloc(1, size) : next.malloc(size);
	return base ? begin(base, shift, size - BEFORE, caller) : NULL;
}

void *sampled_allocate_aligned(void *(*function)(size_t, size_t),
			       size_t alignment, size_t size,
			       uintptr_t caller)
{
	unsigned shift = shift_before(size, alignment);
	char *base = function(alignment, size + offset(shift));

	return base && shift ? begin(base, shift, size, caller) : base;
}

/* realloc knows no alignment: the block would be elsewhere in the new one. */
static void *move_aligned(void *block, size_t size, uintptr_t caller)
{
	size_t old = header_size(header_of(block));
	void *copy = sampled_allocate(size, false, caller);

	if (!copy)
		return NULL;
	memcpy(copy, block, old < size ? old : size);
	block_free(block);
	return copy;
}

/* With a header or without, before and after. */
void *sampled_reallocate(void *block, size_t size, uintptr_t caller)
{
	bool ours = block_is_ours(block);
	struct header header = { 0 };
	size_t before, after, keep;
	unsigned shift;
	char *base;

	if (!size && next.realloc_frees) {
		block_free(block);
		return NULL;
	}
	if (size > BLOCK_MAX) {
		errno = ENOMEM;
		return NULL;
	}
	if (ours && block_offset(block) != BEFORE)
		return move_aligned(block, size, caller);
	shift = shift_before(size, 1);
	if (!ours && !shift)
		return next.realloc(block, size);
	if (ours)
		header = *header_of(block);
	keep = ours ? header_size(&header) : next.malloc_usable_size(block);
	before = ours ? BEFORE : 0;
	after = offset(shift);
	/* Both must fit until the contents are where they are to be. */
	base = next.realloc((char *)block - before, size + BEFORE);
	if (!base)
		return NULL;
	if (ours)
		block_count_end(&header);
	if (before != after)
		memmove(base + after, base + before,
			keep < size ? keep : size);
	return shift ? begin(base, shift, size, caller) : base;
}
