/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From a successful call to the change of the memory map that it made.  What
 * is not known here, by name, has changed something unknown.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>

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
		   uint64_t prot)
{
	change->kind = MAP_CHANGE_MAP;
	set_range(change, start, len);
	change->protection = (int)prot;
}

static bool change_mmap(struct tracee *tracee, struct map_change *change)
{
	const struct decoder *d = &tracee->decoder;
	const uint64_t *a = d->args;
	uint32_t packed[3];

	if (d->abi->id != ABI_I386 || strcmp(d->sysent->name, "mmap")) {
		mapped(change, (uint64_t)d->result, a[1], a[2]);
		return true;
	}
	/* i386's first mmap has its arguments in memory. */
	view_forget(&tracee->view);
	if (view_read_exactly(&tracee->view, a[0], packed, sizeof(packed)))
		mapped(change, (uint64_t)d->result, packed[1], packed[2]);
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
	change->protection = (int)a[2];
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

static bool change_shadow_stack(struct tracee *tracee,
				struct map_change *change)
{
	const struct decoder *d = &tracee->decoder;

	mapped(change, (uint64_t)d->result, d->args[1], PROT_READ);
	return true;
}

/* i386's ipc tells the address only in memory, and SHM_REMAP no end. */
static bool change_shmat(struct tracee *tracee, struct map_change *change)
{
	const struct decoder *d = &tracee->decoder;
	uint64_t flags = d->args[2];

	if (!d->result || flags & SHM_REMAP)
		return true;
	change->kind = MAP_CHANGE_ATTACH;
	change->start = change->end = (uint64_t)d->result;
	change->protection = PROT_READ | (flags & SHM_EXEC ? PROT_EXEC : 0) |
		(flags & SHM_RDONLY ? 0 : PROT_WRITE);
	return true;
}

static bool change_shmdt(struct tracee *tracee, struct map_change *change)
{
	change->kind = MAP_CHANGE_DETACH;
	change->start = change->end = tracee->decoder.args[0];
	return true;
}

/* Of all that it does, only ARCH_MAP_VDSO_* maps something. */
static bool change_arch(struct tracee *tracee, struct map_change *change)
{
	(void)change;
	return tracee->decoder.args[0] - 0x2001 <= 2;
}

/* PTRACE_EVENT_EXEC has told of it, and given the tracee a new space. */
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
	{ "arch_prctl", change_arch },
	{ "mmap", change_mmap },
	{ "mmap2", change_mmap },
	{ "munmap", change_munmap },
	{ "mprotect", change_protection },
	{ "brk", change_brk },
	{ "mremap", change_mremap },
	{ "pkey_mprotect", change_protection },
	{ "map_shadow_stack", change_shadow_stack },
	{ "shmat", change_shmat },
	{ "shmdt", change_shmdt },
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
