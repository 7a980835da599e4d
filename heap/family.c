/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The malloc family.  A block that is counted has a header of 16 bytes before
 * it, with the site that it is of, its size, and when it was allocated; the
 * call is passed on with that much more, so that the C library answers it as
 * always: calloc leaves fresh pages alone, realloc moves pages.
 *
 * A block without a header may come along at any time: from before the
 * library was ready, from a function that it does not know.  A header proves
 * itself by its check, which depends on where it is.
 */
#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- blocks without a header ---- */

/* Another allocator may have nothing before a block, not even memory. */
static bool is_readable(const void *block)
{
	size_t before = heap_options.sample_only ? 2 * HEADER : HEADER;
	uintptr_t page = ((uintptr_t)block - before) & -(uintptr_t)HEAP_PAGE;
	unsigned char resident;
	int saved = errno;
	bool mapped = (uintptr_t)block % HEAP_PAGE >= before ||
		!mincore((void *)page, HEAP_PAGE, &resident);

	errno = saved;
	return mapped;
}

bool block_proves_itself(const void *block)
{
	return is_readable(block) && header_is_right(block) &&
		(!heap_options.sample_only || sampled_is_proved(block));
}

__attribute__((noinline))
static void free_foreign(void *block)
{
	if (bootstrap_owns(block) || resolve() == RESOLVING)
		return;
	if (heap_state && !sampler)
		__atomic_fetch_add(&heap_state->foreign_frees, 1,
				   __ATOMIC_RELAXED);
	next.free(block);
}

__attribute__((noinline))
static void *realloc_foreign(void *block, size_t size)
{
	void *copy;
	size_t old;

	if (!bootstrap_owns(block))
		return next.realloc(block, size);
	copy = malloc(size);
	old = bootstrap_size(block);
	return copy ? memcpy(copy, block, old < size ? old : size) : NULL;
}

/* ---- allocating ---- */

/* An allocation that has no header, whatever the reason. */
__attribute__((noinline))
static void *allocate_uncounted(size_t size, bool zero, uintptr_t caller)
{
	if (resolve() == RESOLVING)
		return bootstrap_allocate(size, 16);
	if (sampler && size <= BLOCK_MAX)
		return sampled_allocate(size, zero, caller);
	return zero ? next.calloc(1, size) : next.malloc(size);
}

void *block_begin_slowly(struct thread *thread, char *base, unsigned shift,
			 size_t size, uintptr_t caller)
{
	uint32_t site;

	if (!thread_tick(thread))
		return block_make_counted(thread, base, shift, size, caller);
	site = sample_allocation(thread, size, caller);
	return block_make(thread, base, shift, size, site << 8);
}

__attribute__((noinline))
static void *allocate_first(size_t size, uintptr_t caller)
{
	/* If that helps, it is like any other. */
	if (size > BLOCK_MAX || !thread_self())
		return allocate_uncounted(size, false, caller);
	return block_allocate(size, caller);
}

void *block_allocate_slowly(size_t size, uintptr_t caller)
{
	if (LIKELY(sampler && size <= BLOCK_MAX))
		return sampled_allocate(size, false, caller);
	return allocate_first(size, caller);
}

static void *allocate_zeroed(size_t count, size_t each, uintptr_t caller)
{
	struct thread *thread = thread_self();
	size_t size;
	char *base;

	if (__builtin_mul_overflow(count, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	if (UNLIKELY(!thread || size > BLOCK_MAX))
		return allocate_uncounted(size, true, caller);
	base = next.calloc(1, size + HEADER);
	if (UNLIKELY(!base))
		return NULL;
	return block_begin(thread, base, HEADER_SHIFT, size, caller);
}

void *block_allocate_aligned(void *(*function)(size_t, size_t),
			     size_t alignment, size_t size, uintptr_t caller)
{
	struct thread *thread = thread_self();
	unsigned shift;
	char *base;

	if (UNLIKELY(resolve() == RESOLVING))
		return bootstrap_allocate(size, alignment);
	if (UNLIKELY(size > BLOCK_MAX || alignment > BLOCK_MAX))
		return function(alignment, size);
	if (UNLIKELY(!thread))
		return sampler ? sampled_allocate_aligned(function, alignment,
							  size, caller) :
			function(alignment, size);
	shift = shift_of(alignment, HEADER_SHIFT);
	base = function(alignment, size + ((size_t)1 << shift));
	if (UNLIKELY(!base))
		return NULL;
	return block_begin(thread, base, shift, size, caller);
}

/* ---- reallocating ---- */

/* realloc knows no alignment: the block would be elsewhere in the new one. */
static void *move_aligned(void *block, size_t old, size_t size,
			  uintptr_t caller)
{
	void *copy = block_allocate(size, caller);

	if (!copy)
		return NULL;
	memcpy(copy, block, old < size ? old : size);
	block_free(block);
	return copy;
}

static void *reallocate(void *block, size_t size, uintptr_t caller)
{
	struct header header;
	struct thread *thread;
	char *base;

	if (!block)
		return block_allocate(size, caller);
	if (UNLIKELY(sampler && !bootstrap_owns(block)))
		return sampled_reallocate(block, size, caller);
	if (UNLIKELY(!block_is_ours(block)))
		return realloc_foreign(block, size);
	if (!size && next.realloc_frees) {
		block_free(block);
		return NULL;
	}
	header = *header_of(block);
	if (header_shift(&header) != HEADER_SHIFT)
		return move_aligned(block, header_size(&header), size, caller);
	if (UNLIKELY(size > BLOCK_MAX)) {
		errno = ENOMEM;
		return NULL;
	}
	/* If it moves, the old place is not to look like a block. */
	header_of(block)->size_check = 0;
	base = next.realloc((char *)block - HEADER, size + HEADER);
	if (UNLIKELY(!base)) {
		*header_of(block) = header;
		return NULL;
	}
	thread = thread_self();
	if (UNLIKELY(!thread)) {
		/* Its own site goes on counting for it. */
		header.size_check = header_check(base + HEADER) | size;
		*(struct header *)base = header;
		return base + HEADER;
	}
	block_count_end(&header);
	return block_begin(thread, base, HEADER_SHIFT, size, caller);
}

/* ---- freeing ---- */

void block_count_end(const struct header *header)
{
	struct thread *thread = thread_self();
	uint32_t site = header_site(header);

	if (!thread)
		thread = sampler;
	if (UNLIKELY(!thread))
		return;
	if (UNLIKELY(site >= HEAP_SITES))
		sample_free(thread, site, header_size(header), header->born);
	else
		count_free(thread, counters_by_index(thread, site),
			   header_size(header), header->born);
}

__attribute__((noinline))
static void free_any(void *block)
{
	char *base;

	if (!block)
		return;
	if (UNLIKELY(!block_is_ours(block))) {
		free_foreign(block);
		return;
	}
	block_count_end(header_of(block));
	base = (char *)block - block_offset(block);
	/* Another allocator may leave it there, and give the memory away. */
	header_of(block)->size_check = 0;
	next.free(base);
}

void block_free_slowly(void *block)
{
	/* Where only samples count, nearly all come along here. */
	if (LIKELY(sampler && next.glibc && block &&
		   !header_is_right(block) && !bootstrap_owns(block)))
		next.free(block);
	else
		free_any(block);
}

/* ---- the functions themselves ---- */

EXPORT void *malloc(size_t size)
{
	return block_allocate(size, CALLER());
}

EXPORT void *calloc(size_t count, size_t size)
{
	return allocate_zeroed(count, size, CALLER());
}

EXPORT void *realloc(void *block, size_t size)
{
	return reallocate(block, size, CALLER());
}

EXPORT void *reallocarray(void *block, size_t count, size_t each)
{
	size_t size;

	if (__builtin_mul_overflow(count, each, &size)) {
		errno = ENOMEM;
		return NULL;
	}
	return reallocate(block, size, CALLER());
}

EXPORT void free(void *block)
{
	block_free(block);
}

/* C23: the caller knows the size; the header does, too. */
EXPORT void free_sized(void *block, size_t size);
EXPORT void free_sized(void *block, size_t size)
{
	(void)size;
	block_free(block);
}

EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size);
EXPORT void free_aligned_sized(void *block, size_t alignment, size_t size)
{
	(void)alignment;
	(void)size;
	block_free(block);
}

EXPORT void *memalign(size_t alignment, size_t size);
EXPORT void *memalign(size_t alignment, size_t size)
{
	resolve();
	return block_allocate_aligned(next.memalign, alignment, size,
				      CALLER());
}

EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
	resolve();
	return block_allocate_aligned(next.aligned_alloc, alignment, size,
				      CALLER());
}

static void *posix_aligned(size_t alignment, size_t size)
{
	void *block = NULL;
	int error = next.posix_memalign(&block, alignment, size);

	if (!error)
		return block;
	errno = error;
	return NULL;
}

/* It tells an error by its result, and leaves errno alone. */
EXPORT int posix_memalign(void **result, size_t alignment, size_t size)
{
	int saved = errno, error;
	void *block;

	resolve();
	block = block_allocate_aligned(posix_aligned, alignment, size,
				       CALLER());
	if (block)
		*result = block;
	error = block ? 0 : errno;
	errno = saved;
	return error;
}

EXPORT void *valloc(size_t size)
{
	resolve();
	return block_allocate_aligned(next.memalign, sysconf(_SC_PAGESIZE),
				      size, CALLER());
}

EXPORT void *pvalloc(size_t size);
EXPORT void *pvalloc(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE), pages;

	if (__builtin_add_overflow(size, page - 1, &pages)) {
		errno = ENOMEM;
		return NULL;
	}
	resolve();
	return block_allocate_aligned(next.memalign, page, pages & -page,
				      CALLER());
}

EXPORT size_t malloc_usable_size(void *block);
EXPORT size_t malloc_usable_size(void *block)
{
	if (!block)
		return 0;
	if (UNLIKELY(!block_is_ours(block))) {
		if (bootstrap_owns(block))
			return bootstrap_size(block);
		return next.malloc_usable_size(block);
	}

	size_t before = block_offset(block);

	return next.malloc_usable_size((char *)block - before) - before;
}

SECOND_NAME(own_malloc, "malloc");
SECOND_NAME(own_free, "free");
