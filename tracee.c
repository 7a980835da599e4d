/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of threads under trace.  It grows and shrinks with their number,
 * and it knows no ptrace.
 */
#include <stdlib.h>

#include "mmap_notify.h"
#include "output/sink.h"
#include "output/stream.h"
#include "tracee.h"

enum { FEWEST_BUCKETS = 16 };

static struct tracee *few_buckets[FEWEST_BUCKETS];
static struct {
	struct tracee **buckets;
	size_t bucket_count;	/* a power of two */
	size_t count;
} table = { few_buckets, FEWEST_BUCKETS, 0 };

/* Ids come one after the other: their low bits are spread well enough. */
static struct tracee **bucket_of(pid_t tid)
{
	return &table.buckets[(size_t)tid & (table.bucket_count - 1)];
}

static void insert(struct tracee *tracee)
{
	struct tracee **bucket = bucket_of(tracee->tid);

	tracee->next = *bucket;
	*bucket = tracee;
}

static void take_out(struct tracee *tracee)
{
	struct tracee **link = bucket_of(tracee->tid);

	while (*link != tracee)
		link = &(*link)->next;
	*link = tracee->next;
}

/* If memory is short, the chains stay as long as they are. */
static void resize(size_t bucket_count)
{
	struct tracee **old = table.buckets;
	size_t old_count = table.bucket_count;
	struct tracee **buckets = few_buckets;

	if (bucket_count < FEWEST_BUCKETS)
		bucket_count = FEWEST_BUCKETS;
	/* They cannot be moved from few_buckets into few_buckets. */
	if (bucket_count == old_count)
		return;
	if (bucket_count > FEWEST_BUCKETS) {
		buckets = calloc(bucket_count, sizeof(*buckets));
		if (!buckets)
			return;
	}
	table.buckets = buckets;
	table.bucket_count = bucket_count;
	for (size_t i = 0; i < old_count; i++) {
		struct tracee *next;

		for (struct tracee *t = old[i]; t; t = next) {
			next = t->next;
			insert(t);
		}
		old[i] = NULL;
	}
	if (old != few_buckets)
		free(old);
}

struct tracee *tracee_add(pid_t tid)
{
	struct tracee *tracee = calloc(1, sizeof(*tracee));

	if (!tracee)
		return NULL;
	tracee->tid = tracee->tgid = tid;
	tracee->abi = &abis[ABI_X86_64];
	view_open_process(&tracee->view, tid);
	if (table.count >= table.bucket_count)
		resize(table.bucket_count * 2);
	insert(tracee);
	table.count++;
	return tracee;
}

struct tracee *tracee_find(pid_t tid)
{
	struct tracee *tracee = *bucket_of(tid);

	while (tracee && tracee->tid != tid)
		tracee = tracee->next;
	return tracee;
}

void tracee_remove(struct tracee *tracee)
{
	take_out(tracee);
	table.count--;
	if (table.count < table.bucket_count / 8)
		resize(table.bucket_count / 4);

	if (tracee->sink)
		SINK_CALL(tracee->sink, destroy);
	if (tracee->stream)
		stream_close(tracee->stream);
	if (tracee->space)
		space_put(tracee->space);
	frame_list_free(&tracee->stack);
	view_close(&tracee->view);
	free(tracee);
}

size_t tracee_count(void)
{
	return table.count;
}

void tracee_for_each(void (*fn)(struct tracee *, void *), void *context)
{
	/* The table may be resized by a removal: go over a copy. */
	struct tracee **all, **end;

	all = calloc(table.count + 1, sizeof(*all));
	if (!all)
		return;
	end = all;
	for (size_t i = 0; i < table.bucket_count; i++)
		for (struct tracee *t = table.buckets[i]; t; t = t->next)
			*end++ = t;
	for (struct tracee **t = all; t < end; t++)
		fn(*t, context);
	free(all);
}

void tracee_rename(struct tracee *tracee, pid_t tid)
{
	take_out(tracee);
	tracee->tid = tid;
	tracee->tgid = tid;
	tracee->view.pid = tid;
	tracee->procinfo.tid = tid;
	view_forget(&tracee->view);
	insert(tracee);
}

/* ---- address spaces ---- */

struct space *space_new(pid_t pid)
{
	static uint64_t last_id;
	struct space *space = calloc(1, sizeof(*space));

	if (!space)
		return NULL;
	space->refs = 1;
	space->pid = pid;
	space->id = ++last_id;
	return space;
}

struct space *space_get(struct space *space)
{
	space->refs++;
	return space;
}

void space_put(struct space *space)
{
	static const struct map_change gone = { .kind = MAP_CHANGE_GONE };

	if (--space->refs)
		return;
	mmap_notify_publish(space, &gone);
	free(space);
}
