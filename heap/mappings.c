/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mmap, munmap and mremap as the program calls them.  What the C library maps
 * for itself (for malloc, stacks, libraries) does not come along here.
 *
 * Mappings have no header; a table has them, and a lock is held from before
 * the system call until the table tells the same: so no other thread can get
 * a range while it is still another mapping's there.
 */
#include "block.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAPPINGS = 1 << 16 };

struct mapping {
	uintptr_t start, end;
	uint32_t site;
	uint32_t born;
	/*
	 * What is unmapped in the middle leaves two pieces; only the first one
	 * is a free when it goes.
	 */
	bool first;
};

/*
 * Wiped in a child, which knows none of its parent's mappings.  The highest
 * addresses come first: the kernel goes downwards, and so most additions are
 * at the end.
 */
static struct mappings {
	struct lock lock;
	uint32_t count;
	struct mapping table[MAPPINGS];
} *mappings;

/* Somebody else's mmap, behind ours, may call ours. */
static __thread bool inside __attribute__((tls_model("initial-exec")));

static bool mappings_start(void)
{
	if (!mappings)
		mappings = map_private(sizeof(*mappings));
	return mappings;
}

/* ---- the table; the lock is held ---- */

/* The first entry that begins below an address. */
static uint32_t first_below(uintptr_t address)
{
	uint32_t low = 0, high = mappings->count;

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (mappings->table[middle].start < address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void erase(uint32_t at)
{
	struct mapping *entry = &mappings->table[at];

	mappings->count--;
	memmove(entry, entry + 1, (mappings->count - at) * sizeof(*entry));
}

static bool insert(const struct mapping *mapping)
{
	uint32_t at = first_below(mapping->start);
	struct mapping *entry = &mappings->table[at];

	if (mappings->count == MAPPINGS) {
		heap_state->lost_mappings++;
		return false;
	}
	memmove(entry + 1, entry, (mappings->count - at) * sizeof(*entry));
	*entry = *mapping;
	mappings->count++;
	return true;
}

/* What lies between start and end is no longer in an entry. */
static void cut(struct thread *thread, uint32_t at, uintptr_t start,
		uintptr_t end)
{
	struct mapping *entry = &mappings->table[at], rest = *entry;
	uintptr_t low = start > entry->start ? start : entry->start;
	uintptr_t high = end < entry->end ? end : entry->end;
	struct heap_counters *counters = counters_by_index(thread,
							   entry->site);

	if (low == entry->start && high == entry->end) {
		if (entry->first)
			count_free(thread, counters, high - low, entry->born);
		else
			counters->freed += high - low;
		erase(at);
		return;
	}
	counters->freed += high - low;
	if (low > entry->start)
		entry->end = low;
	else
		entry->start = high;
	if (low > rest.start && high < rest.end) {
		rest.start = high;
		rest.first = false;
		insert(&rest);
	}
}

static void remove_range(struct thread *thread, uintptr_t start, size_t size)
{
	uintptr_t end = start + size;
	uint32_t at = first_below(end);

	while (at < mappings->count && mappings->table[at].end > start) {
		uint32_t count = mappings->count;

		cut(thread, at, start, end);
		/* One that is still there has been seen to. */
		at += mappings->count >= count;
	}
}

static void add_range(struct thread *thread, struct heap_counters *counters,
		      uintptr_t start, size_t size)
{
	struct mapping mapping = {
		.start = start,
		.end = start + size,
		.site = counters->site_word >> 8,
		.born = clock_now(thread),
		.first = true,
	};

	if (!insert(&mapping))
		return;
	count_allocation(counters, size);
}

/* ---- the functions ---- */

/* The kind of what is mapped there. */
static enum heap_kind kind_at(uintptr_t address)
{
	uint32_t at = first_below(address + 1);

	if (at < mappings->count && mappings->table[at].end > address)
		return heap_state->sites[mappings->table[at].site].kind;
	return HEAP_KIND_MMAP;
}

/* NULL: this call is not counted. */
static struct thread *enter(void)
{
	struct thread *thread;

	if (inside || resolve() == RESOLVING)
		return NULL;
	inside = true;
	thread = thread_self();
	if (!thread)
		thread = sampler;
	if (thread && mappings_start())
		return thread;
	inside = false;
	return NULL;
}

static void leave(void)
{
	inside = false;
}

static size_t whole_pages(size_t size)
{
	size_t page = sysconf(_SC_PAGESIZE);

	return (size + page - 1) & -page;
}

static void *map(void *address, size_t size, int protection, int flags, int fd,
		 long offset, uintptr_t caller)
{
	struct thread *thread = enter();
	struct heap_counters *counters;
	void *result;

	if (!thread)
		return next.mmap(address, size, protection, flags, fd, offset);
	counters = counters_at(thread, caller, flags & MAP_ANONYMOUS ?
			       HEAP_KIND_MMAP : HEAP_KIND_FILE);
	lock_take(&mappings->lock);
	result = next.mmap(address, size, protection, flags, fd, offset);
	if (result != MAP_FAILED) {
		/* MAP_FIXED replaces what is there. */
		remove_range(thread, (uintptr_t)result, whole_pages(size));
		add_range(thread, counters, (uintptr_t)result,
			  whole_pages(size));
	}
	lock_release(&mappings->lock);
	leave();
	return result;
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags,
		  int fd, off_t offset)
{
	return map(address, size, protection, flags, fd, offset, CALLER());
}

EXPORT void *mmap64(void *address, size_t size, int protection, int flags,
		    int fd, off64_t offset)
{
	return map(address, size, protection, flags, fd, offset, CALLER());
}

EXPORT int munmap(void *address, size_t size)
{
	struct thread *thread = enter();
	int result;

	if (!thread)
		return next.munmap(address, size);
	lock_take(&mappings->lock);
	result = next.munmap(address, size);
	if (!result)
		remove_range(thread, (uintptr_t)address, whole_pages(size));
	lock_release(&mappings->lock);
	leave();
	return result;
}

/* Like realloc: an allocation, and a free of what there was. */
static void *remap(void *address, size_t old, size_t size, int flags,
		   void *target, uintptr_t caller)
{
	struct thread *thread = enter();
	struct heap_counters *counters;
	void *result;

	if (!thread)
		return next.mremap(address, old, size, flags, target);
	lock_take(&mappings->lock);
	counters = counters_at(thread, caller, kind_at((uintptr_t)address));
	result = next.mremap(address, old, size, flags, target);
	if (result != MAP_FAILED) {
		if (!(flags & MREMAP_DONTUNMAP))
			remove_range(thread, (uintptr_t)address,
				     whole_pages(old));
		remove_range(thread, (uintptr_t)result, whole_pages(size));
		add_range(thread, counters, (uintptr_t)result,
			  whole_pages(size));
	}
	lock_release(&mappings->lock);
	leave();
	return result;
}

EXPORT void *mremap(void *address, size_t old, size_t size, int flags, ...)
{
	void *target = NULL;

	if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
		va_list rest;

		va_start(rest, flags);
		target = va_arg(rest, void *);
		va_end(rest);
	}
	return remap(address, old, size, flags, target, CALLER());
}
