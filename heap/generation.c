/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Generations: how many collections of garbage there had been when a block was
 * allocated.  A header says when that was on the clock of allocations; so it
 * is enough to keep when each collection began.
 */
#include "language.h"

#include <sched.h>

enum { KEPT = 1 << 14 };	/* collections, the last ones; a power of two */

/* When the collections began, in HEAP_LIFE_UNIT; a fork inherits it. */
static uint32_t began[KEPT];
static uint32_t last, oldest;
static bool any;
static char busy;

uint32_t generation_start;

static uint32_t begin_of(uint32_t generation)
{
	return __atomic_load_n(&began[generation % KEPT], __ATOMIC_RELAXED);
}

/*
 * What the thread allocates from now on is of another unit of the clock than
 * what was before.
 */
static uint32_t next_unit(struct thread *thread)
{
	thread->clock += HEAP_LIFE_UNIT;
	return clock_now(thread);
}

void generation_begins(struct thread *thread, uint32_t generation)
{
	uint32_t now;

	if (any && generation <= last)
		return;
	while (__atomic_test_and_set(&busy, __ATOMIC_ACQUIRE))
		sched_yield();
	if (!any || generation > last) {
		now = next_unit(thread);
		if (!any || generation - last >= KEPT)
			last = oldest = generation - 1;
		while (last < generation)
			__atomic_store_n(&began[++last % KEPT], now,
					 __ATOMIC_RELAXED);
		if (last - oldest >= KEPT)
			oldest = last - KEPT + 1;
		any = true;
		__atomic_store_n(&generation_start, now, __ATOMIC_RELAXED);
	}
	__atomic_clear(&busy, __ATOMIC_RELEASE);
}

/* The last collection that began before; the clock may have gone round. */
uint32_t generation_at(uint32_t born)
{
	uint32_t low = oldest, high = last;

	while (low < high) {
		uint32_t middle = low + (high - low + 1) / 2;

		if ((int32_t)(born - begin_of(middle)) >= 0)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

void count_generations(struct heap_counters *counters, uint32_t born)
{
	uint64_t age = last - generation_at(born);
	uint64_t max = counters->generations & HEAP_GENERATIONS_MAX;

	if (max < age)
		max = age < HEAP_GENERATIONS_MAX ? age : HEAP_GENERATIONS_MAX;
	counters->generations = ((counters->generations >>
				  HEAP_GENERATIONS_SHIFT) + age)
		<< HEAP_GENERATIONS_SHIFT | max;
}
