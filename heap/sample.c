/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sampling: of the bytes that are allocated, each has the same chance of being
 * hit, one in heap_options.sample; an allocation that is hit gets a record with
 * its stack.  The distance from one hit to the next is drawn from an
 * exponential distribution, so a pattern in the program cannot hide from it.
 *
 * An allocation of s bytes is hit with the chance p = 1 - exp(-s / sample),
 * and so stands for 1 / p of its like.
 */
#include "block.h"

enum { STACK_MAX = 256 };

/* ---- chances ---- */

static uint64_t next_random(uint64_t *state)
{
	return scramble(*state += 0x9e3779b97f4a7c15);
}

/* The natural logarithm, to six digits; the mathematics library is not here. */
static double logarithm(uint64_t x)
{
	int exponent = 63 - __builtin_clzll(x);
	double m = (double)x / (double)(1ull << exponent);
	double t = (m - 1) / (m + 1), square = t * t;
	double sum = 1.0 / 11;

	for (int odd = 9; odd > 0; odd -= 2)
		sum = sum * square + 1.0 / odd;
	return exponent * 0.69314718055994531 + 2 * t * sum;
}

/* 1 - exp(-x) */
static double chance(double x)
{
	unsigned halvings = 0;
	double p;

	if (x > 40)
		return 1;
	for (; x > 1.0 / 32; halvings++)
		x /= 2;
	p = x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4)));
	while (halvings--)
		p *= 2 - p;
	return p;
}

/* How many bytes until the next hit. */
static uint64_t draw(struct thread *thread)
{
	uint64_t any = (next_random(&thread->random) >> 11) + 1;
	double distance = 53 * 0.69314718055994531 - logarithm(any);

	return distance * heap_options.sample + 1;
}

static void seed(struct thread *thread)
{
	thread->random = scramble((uintptr_t)thread ^ heap_state->start) | 1;
	thread->until = draw(thread);
}

static bool is_hit(struct thread *thread, uint64_t bytes)
{
	if (!heap_options.sample)
		return false;
	if (!thread->random)
		seed(thread);
	if (bytes < thread->until) {
		thread->until -= bytes;
		return false;
	}
	thread->until = draw(thread);
	return true;
}

bool thread_tick(struct thread *thread)
{
	uint64_t bytes = thread->clock;
	bool hit;

	thread->clock = 0;
	thread->limit = CLOCK_STEP;
	if (!process_start())
		return false;
	__atomic_fetch_add(heap_clock, bytes, __ATOMIC_RELAXED);
	if (UNLIKELY(heap_state->asked != heap_state->answered))
		memory_tell();
	hit = is_hit(thread, bytes);
	if (heap_options.sample && thread->until < CLOCK_STEP)
		thread->limit = thread->until;
	return hit;
}

/* ---- records ---- */

static uint32_t stack_now(struct thread *thread, uintptr_t caller)
{
	uintptr_t frames[STACK_MAX];
	const struct language *language = heap_language;
	uint32_t stack = language ? language->stack(thread) : 0;
	unsigned limit = heap_options.stacks < STACK_MAX ?
		heap_options.stacks : STACK_MAX;
	unsigned count = walk_stack(caller, frames, limit), own = 0;

	if (!count && limit)
		frames[count++] = caller;
	while (own < count && !(stack && language->owns(frames[own])))
		own++;
	while (own--)
		stack = stack_index(stack, frame_index(&(struct heap_frame){
			.address = frames[own],
		}));
	return stack;
}

static void add(uint64_t *counter, uint64_t value)
{
	__atomic_fetch_add(counter, value, __ATOMIC_RELAXED);
}

/* What an allocation of that size stands for. */
static void weigh(size_t size, uint64_t *bytes, uint64_t *number)
{
	/* One of nothing is never hit, but what is freed may be anything. */
	double p = chance((double)(size ? size : 1) / heap_options.sample);

	*bytes = size / p + 0.5;
	*number = HEAP_NUMBER_UNIT / p + 0.5;
}

uint32_t sample_allocation(struct thread *thread, size_t size,
			   uintptr_t caller)
{
	uint32_t site = site_now(thread, caller, HEAP_KIND_MALLOC);
	uint32_t index = sample_index(site, stack_now(thread, caller));
	struct heap_sample *sample = &heap_state->samples[index];
	uint64_t weight, number;

	weigh(size, &weight, &number);
	add(&sample->allocations, 1);
	add(&sample->bytes, size);
	add(&sample->weight, weight);
	add(&sample->number, number);
	return HEAP_SITES + index;
}

void sample_free(const struct thread *thread, uint32_t site, size_t size,
		 uint32_t born)
{
	struct heap_sample *sample;
	int32_t life = clock_now(thread) - born;
	uint64_t weight, number, longest;

	if (!process_start() ||
	    site - HEAP_SITES >= heap_state->sample_count)
		return;
	sample = &heap_state->samples[site - HEAP_SITES];
	weigh(size, &weight, &number);
	add(&sample->frees, 1);
	add(&sample->freed, size);
	add(&sample->freed_weight, weight);
	add(&sample->freed_number, number);
	if (life <= 0)
		return;
	add(&sample->life, life);
	longest = __atomic_load_n(&sample->life_max, __ATOMIC_RELAXED);
	while ((uint64_t)life > longest &&
	       !__atomic_compare_exchange_n(&sample->life_max, &longest, life,
					    true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED))
		continue;
}
