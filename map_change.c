/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From a successful call to the change of the memory map that it made.  What
 * is not known here, by name, has changed something unknown.
 */
#include <string.h>
#include <sys/mman.h>

#include "map_change.h"
#include "mmap_notify.h"
#include "tracee.h"

static uint64_t page_end(uint64_t addr)
{
	return (addr + VIEW_PAGE - 1) & -(uint64_t)VIEW_PAGE;
}

static void set_range(struct map_change *change, uint64_t start, uint64_t len)
{
	change->start = start & -(uint64_t)VIEW_PAGE;
	change->end = page_end(start + len);
}

typedef bool change_fn(struct tracee *, struct map_change *);

static void mapped(struct map_change *change, uint64_t start, uint64_t len,
		   uint64_t prot, uint64_t flags)
{
	change->kind = MAP_CHANGE_MAP;
	set_range(change, start, len);
	change->executable = prot & PROT_EXEC;
	change->anonymous = flags & MAP_ANONYMOUS;
}

static bool change_mmap(struct tracee *tracee, struct map_change *change)
{
	const struct decoder *d = &tracee->decoder;
	const uint64_t *a = d->args;
	uint32_t packed[4];

	if (d->abi->id != ABI_I386 || strcmp(d->sysent->name, "mmap")) {
		mapped(change, (uint64_t)d->result, a[1], a[2], a[3]);
		return true;
	}
	/* i386's first mmap has its arguments in memory. */
	view_forget(&tracee->view);
	if (view_read_exactly(&tracee->view, a[0], packed, sizeof(packed)))
		mapped(change, (uint64_t)d->result, packed[1], packed[2],
		       packed[3]);
	return true;
}

static bool change_munmap(struct tracee *tracee, struct map_change *change)
{
	const uint64_t *a = tracee->decoder.args;

	change->kind = MAP_CHANGE_UNMAP;
	set_range(change, a[0], a[1]);
	return true;
}

/* mprotect and pkey_mprotect */
static bool change_protection(struct tracee *tracee,
			      struct map_change *change)
{
	const uint64_t *a = tracee->decoder.args;

	change->kind = MAP_CHANGE_PROTECT;
	set_range(change, a[0], a[1]);
	change->executable = a[2] & PROT_EXEC;
	return true;
}

static bool change_mremap(struct tracee *tracee, struct map_change *change)
{
	const struct decoder *d = &tracee->decoder;
	const uint64_t *a = d->args;

	change->kind = MAP_CHANGE_MOVE;
	change->old_start = a[0];
	change->old_end = page_end(a[0] + a[1]);
	set_range(change, (uint64_t)d->result, a[2]);
	return true;
}

/* A question for the current break, or a refusal, changes nothing. */
static bool change_brk(struct tracee *tracee, struct map_change *change)
{
	const struct decoder *d = &tracee->decoder;

	change->kind = MAP_CHANGE_BREAK;
	change->start = change->end = (uint64_t)d->result;
	return d->args[0] && d->args[0] == (uint64_t)d->result;
}

/* The trace of PTRACE_EVENT_EXEC has given the tracee a new space. */
static bool change_nothing(struct tracee *tracee, struct map_change *change)
{
	(void)tracee;
	(void)change;
	return false;
}

static const struct {
	const char *name;
	change_fn *change;
} changes[] = {
	{ "mmap", change_mmap },
	{ "mmap2", change_mmap },
	{ "munmap", change_munmap },
	{ "mprotect", change_protection },
	{ "brk", change_brk },
	{ "mremap", change_mremap },
	{ "pkey_mprotect", change_protection },
	{ "execve", change_nothing },
	{ "execveat", change_nothing },
};

void map_change_publish(struct tracee *tracee)
{
	const char *name = tracee->decoder.sysent->name;
	struct map_change change = { .kind = MAP_CHANGE_UNKNOWN };

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		if (strcmp(changes[i].name, name))
			continue;
		if (!changes[i].change(tracee, &change))
			return;
		break;
	}
	mmap_notify_publish(tracee->space, &change);
}
