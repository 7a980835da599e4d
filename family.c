/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which thread is whose.
 */
#include <ctype.h>
#include <dirent.h>
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
#include "mmap_notify.h"
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
 * Gives the tracee its place, in an old space or in a new one (NULL).  If
 * memory is short it stays where it is.
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
	const struct space *excluded;	/* it is not this one */
};

/* Whether two threads have the same memory; -1: that is not told. */
static int shares_memory(pid_t a, pid_t b)
{
	long order = syscall(SYS_kcmp, a, b, KCMP_VM, 0, 0);

	return order < 0 ? -1 : order == 0;
}

/* Shares the tracee's memory: a thread of its process, or by vfork. */
static void look_for_sharing(struct tracee *other, void *context)
{
	struct kinship *k = context;

	if (k->sharing || other == k->tracee || !other->space)
		return;
	if (other->tgid == k->tgid ||
	    (other->tgid == k->parent &&
	     shares_memory(other->tid, k->tracee->tid) == 1))
		k->sharing = other;
}

/* The same, of any process: who attaches sees no clone that tells. */
static void look_at_all(struct tracee *other, void *context)
{
	struct kinship *k = context;

	if (k->sharing || other == k->tracee || !other->space ||
	    other->space == k->excluded)
		return;
	if (shares_memory(other->tid, k->tracee->tid) == 1)
		k->sharing = other;
	else
		k->excluded = other->space;
}

struct tracee *family_found(pid_t tid, pid_t tgid, struct tracee *sibling)
{
	struct kinship k = { .sharing = sibling };

	k.tracee = new_tracee(tid);
	if (!k.tracee)
		return NULL;
	k.tracee->expecting_stop = true;
	if (!sibling && mmap_notify_wanted())
		tracee_for_each(look_at_all, &k);
	if (settle(k.tracee, tgid, k.sharing ? k.sharing->space : NULL))
		return k.tracee;
	family_remove(k.tracee);
	return NULL;
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
	static const struct map_change exec = { .kind = MAP_CHANGE_EXEC };

	if (tracee->tid != tgid)
		tracee_rename(tracee, tgid);
	view_forget(&tracee->view);
	if (!settle(tracee, tgid, NULL))
		return false;
	mmap_notify_publish(tracee->space, &exec);
	return true;
}

/* ---- who changes the mappings unseen ---- */

/* Whether all threads of a process are traced. */
static bool traces_all_of(pid_t pid)
{
	char path[32];
	struct dirent *entry;
	bool all = true;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return true;
	while (all && (entry = readdir(dir)))
		all = !isdigit((unsigned char)*entry->d_name) ||
			tracee_find(atoi(entry->d_name));
	closedir(dir);
	return all;
}

static void look_for_strangers(struct tracee *tracee, void *context)
{
	struct space *space = tracee->space;
	DIR *proc = context;
	struct dirent *entry;

	if (!tracee->attached || !space || space->has_strangers ||
	    space->pid != tracee->tid)
		return;
	/* If nobody tells who shares memory, everybody may. */
	if (shares_memory(tracee->tid, tracee->tid) != 1)
		space->has_strangers = true;
	rewinddir(proc);
	while (!space->has_strangers && (entry = readdir(proc))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0 && (pid == tracee->tgid ||
				shares_memory(tracee->tid, pid) == 1) &&
		    !traces_all_of(pid))
			space->has_strangers = true;
	}
}

void family_look_for_strangers(void)
{
	DIR *proc = opendir("/proc");

	if (!proc)
		return;
	tracee_for_each(look_for_strangers, proc);
	closedir(proc);
}

void family_remove(struct tracee *tracee)
{
	if (tracee->orphaned)
		orphan_count--;
	report_tracee_gone(tracee);
	tracee_remove(tracee);
}
