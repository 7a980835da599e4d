/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Blocks and their headers, for the files of the library that allocate.
 */
#ifndef HEAP_BLOCK_H
#define HEAP_BLOCK_H

#include "library.h"

#pragma GCC visibility push(hidden)

enum {
	HEADER_SHIFT = 4,
	HEADER = 1 << HEADER_SHIFT,	/* bytes before a block */
};
/* More cannot be had; a header has room for it. */
#define BLOCK_MAX	(((size_t)1 << 47) - 1)

struct header {
	uint32_t born;		/* clock_now() */
	uint32_t site_shift;	/* 24 bits: site; 8 bits: the block begins
				 * 1 << shift bytes behind its base */
	uint64_t size_check;	/* 48 bits: size; 16 bits: check */
};

_Static_assert(sizeof(struct header) == HEADER, "a header is 16 bytes");
_Static_assert(HEAP_SITES <= 1 << 24, "a header has room for a site");

static inline struct header *header_of(const void *block)
{
	return (struct header *)block - 1;
}

static inline uint32_t header_site(const struct header *header)
{
	return header->site_shift >> 8;
}

static inline unsigned header_shift(const struct header *header)
{
	return header->site_shift & 63;
}

static inline size_t header_size(const struct header *header)
{
	return header->size_check & ((1ull << 48) - 1);
}

/*
 * What size_check would be of an empty block: bits of where it is, which is a
 * multiple of 16, above those of the size; and the uppermost one.  glibc has
 * the size of its chunk there, in which that is never set.
 */
static inline uint64_t header_check(const void *block)
{
	return (uint64_t)(uintptr_t)block << 44 | 1ull << 63;
}

/* Whether its header is one, if what is before it can be read. */
static inline bool header_is_right(const void *block)
{
	return !((header_of(block)->size_check ^ header_check(block)) >> 48);
}

/* The same for memory of which nothing is known: any pointer may be freed. */
bool block_proves_itself(const void *block);

static inline bool block_is_ours(const void *block)
{
	if (UNLIKELY(!next.glibc))
		return block_proves_itself(block);
	return header_is_right(block);
}

static inline struct thread *thread_self(void)
{
	struct thread *thread = self;

	return LIKELY(thread) ? thread : thread_find();
}

/* A block begins an alignment behind its base: its header fits before. */
static inline unsigned shift_of(size_t alignment, unsigned least)
{
	unsigned shift = alignment <= 1 ? 0 :
		64 - __builtin_clzl(alignment - 1);

	return shift < least ? least : shift;
}

/* The bytes before a block. */
static inline size_t block_offset(const void *block)
{
	return (size_t)1 << header_shift(header_of(block));
}

/* A block of what begins at base, which somebody counts. */
static inline void *block_make(const struct thread *thread, char *base,
			       unsigned shift, size_t size, uint32_t site_word)
{
	char *block = base + ((size_t)1 << shift);
	struct header *header = header_of(block);

	header->born = clock_now(thread);
	header->site_shift = site_word | shift;
	header->size_check = header_check(block) | size;
	return block;
}

static inline void *block_make_counted(struct thread *thread, char *base,
				       unsigned shift, size_t size,
				       uintptr_t caller)
{
	struct heap_counters *counters = counters_at(thread, caller,
						     HEAP_KIND_MALLOC);

	count_allocation(counters, size);
	return block_make(thread, base, shift, size, counters->site_word);
}

/* It may be sampled. */
void *block_begin_slowly(struct thread *thread, char *base, unsigned shift,
			 size_t size, uintptr_t caller);

/* Makes a block of what begins at base, and counts it. */
static inline void *block_begin(struct thread *thread, char *base,
				unsigned shift, size_t size, uintptr_t caller)
{
	if (clock_adds(thread, size))
		return block_begin_slowly(thread, base, shift, size, caller);
	return block_make_counted(thread, base, shift, size, caller);
}

void *block_allocate_slowly(size_t size, uintptr_t caller);
void block_free_slowly(void *block);

/* malloc, counted for a caller. */
static inline void *block_allocate(size_t size, uintptr_t caller)
{
	struct thread *thread = self;
	size_t whole;
	char *base;

	if (UNLIKELY(!thread) || __builtin_add_overflow(size, HEADER, &whole))
		return block_allocate_slowly(size, caller);
	base = next.malloc(whole);
	if (UNLIKELY(!base))
		return NULL;
	return block_begin(thread, base, HEADER_SHIFT, size, caller);
}

/* It calls nothing before the end, and so needs no frame. */
static inline void block_free(void *block)
{
	struct header *header = header_of(block);
	struct thread *thread = self;
	struct heap_counters *page;
	uint32_t site;

	if (UNLIKELY(!block || !thread || !next.glibc ||
		     !block_is_ours(block))) {
		block_free_slowly(block);
		return;
	}
	site = header_site(header);
	page = thread->pages[site / HEAP_PAGE_SITES];
	if (UNLIKELY(!page)) {
		block_free_slowly(block);
		return;
	}
	count_free(thread, page + site % HEAP_PAGE_SITES,
		   header->size_check ^ header_check(block), header->born);
	/* Nobody who looks for blocks in memory is to find it. */
	header->size_check = 0;
	next.free((char *)block - block_offset(block));
}

/* Counts the end of a block, which had this header. */
void block_count_end(const struct header *header);

/* Likewise with an alignment; function is the one to pass it on to. */
void *block_allocate_aligned(void *(*function)(size_t, size_t),
			     size_t alignment, size_t size, uintptr_t caller);

/* ---- sampled.c: where self is NULL, and sampler is not ---- */

void *sampled_allocate(size_t size, bool zero, uintptr_t caller);
void *sampled_allocate_aligned(void *(*function)(size_t, size_t),
			       size_t alignment, size_t size,
			       uintptr_t caller);
/* The block is not NULL, and of the allocator behind this library. */
void *sampled_reallocate(void *block, size_t size, uintptr_t caller);
/* Whether a block is sampled, when all that may be known is its header. */
bool sampled_is_proved(const void *block);

#pragma GCC visibility pop

#endif
