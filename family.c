/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which thread is whose.
 */
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "family.h"
#include "message.h"
#include "report.h"
#include "tracee.h"

long family_status_number(pid_t tid, const char *key)
{
	char path[32], text[4096];
	const char *line;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	len = read(fd, text, sizeof(text) - 1);
	close(fd);
	if (len <= 0)
		return -1;
	text[len] = '\0';
	/* The first line has the name, in which anything may stand. */
	for (line = strchr(text, '\n'); line; line = strchr(line, '\n')) {
		line++;
		if (!strncmp(line, key, strlen(key)))
			return atol(line + strlen(key));
	}
	return -1;
}

static size_t orphan_count;

static struct tracee *new_tracee(pid_t tid)
{
	struct tracee *tracee = tracee_add(tid);

	if (tracee && !report_tracee(tracee))
		message("Process %d cannot be shown", (int)tid);
	return tracee;
}

/*
 * Gives the tracee its place, in an old space or in a new one (NULL).  If memory is
 * short it stays where it is.
 */
static bool settle(struct tracee *tracee, pid_t tgid, struct space *space)
{
	struct space *old = tracee->space;

	space = space ? space_get(space) : space_new(tracee->tid);
	if (!space)
		return false;
	tracee->space = space;
	tracee->tgid = tgid;
	if (old)
		space_put(old);
	if (tracee->orphaned)
		orphan_count--;
	tracee->orphaned = false;
	return true;
}

struct tracee *family_orphan(pid_t tid)
{
	struct tracee *tracee = new_tracee(tid);

	if (tracee) {
		tracee->orphaned = true;
		orphan_count++;
		tracee->expecting_stop = true;
	}
	return tracee;
}

size_t family_orphan_count(void)
{
	return orphan_count;
}

struct tracee *family_found(pid_t tid, pid_t tgid, struct tracee *sibling)
{
	struct tracee *tracee = new_tracee(tid);

	if (!tracee)
		return NULL;
	tracee->expecting_stop = true;
	if (settle(tracee, tgid, sibling ? sibling->space : NULL))
		return tracee;
	family_remove(tracee);
	return NULL;
}

struct tracee *family_child(struct tracee *parent, pid_t tid, uint64_t flags)
{
	struct tracee *child = tracee_find(tid);

	if (!child) {
		child = new_tracee(tid);
		if (!child)
			return NULL;
		child->expecting_stop = true;
	}
	child->abi = parent->abi;
	if (settle(child, flags & CLONE_THREAD ? parent->tgid : tid,
		   flags & CLONE_VM ? parent->space : NULL))
		return child;
	family_remove(child);
	return NULL;
}

struct kinship {
	pid_t tgid, parent;
	struct tracee *tracee, *sharing;
};

/* Shares the tracee's memory: a thread of its process, or by vfork. */
static void look_for_sharing(struct tracee *other, void *context)
{
	struct kinship *k = context;

	if (k->sharing || other == k->tracee || !other->space)
		return;
	if (other->tgid == k->tgid ||
	    (other->tgid == k->parent &&
	     syscall(SYS_kcmp, other->tid, k->tracee->tid, KCMP_VM, 0, 0) == 0))
		k->sharing = other;
}

bool family_inquire(struct tracee *tracee)
{
	struct kinship k = { .tracee = tracee };

	k.tgid = family_status_number(tracee->tid, "Tgid:");
	k.parent = family_status_number(tracee->tid, "PPid:");
	if (k.tgid <= 0)
		k.tgid = tracee->tid;
	tracee_for_each(look_for_sharing, &k);
	return settle(tracee, k.tgid, k.sharing ? k.sharing->space : NULL);
}

bool family_exec(struct tracee *tracee, pid_t tgid)
{
	if (tracee->tid != tgid)
		tracee_rename(tracee, tgid);
	view_forget(&tracee->view);
	return settle(tracee, tgid, NULL);
}

void family_remove(struct tracee *tracee)
{
	if (tracee->orphaned)
		orphan_count--;
	report_tracee_gone(tracee);
	tracee_remove(tracee);
}
