/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which thread is whose: processes, parents, and who shares an address space
 * with whom.  It keeps the books; it neither waits nor restarts anybody.
 */
#ifndef TRACER_FAMILY_H
#define TRACER_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tracee;

/* All return NULL, or false, if memory is short. */

/* A thread whose stop came before the news of its birth. */
struct tracee *family_orphan(pid_t tid);
size_t family_orphan_count(void);

/*
 * A thread that was running before: of process tgid, like sibling if that is
 * not NULL.  Else it may share its memory with those of another process.
 */
struct tracee *family_found(pid_t tid, pid_t tgid, struct tracee *sibling);

/*
 * A child that the parent says it has made, with these flags of clone.  It may
 * be known as an orphan, and is none any more.
 */
struct tracee *family_child(struct tracee *parent, pid_t tid, uint64_t flags);

/* An orphan, or a child of unknown flags: finds out what it is by itself. */
bool family_inquire(struct tracee *tracee);

/*
 * The tracee, now the only thread of process tgid, executes a new program, in
 * a space of its own.
 */
bool family_exec(struct tracee *tracee, pid_t tgid);

/*
 * Marks the spaces of attached threads in which others live that are not
 * traced, or may live if the system does not tell.  Call it when all are
 * attached.
 */
void family_look_for_strangers(void);

/* The tracee is no more, or no more under trace. */
void family_remove(struct tracee *tracee);

/* A number from /proc/TID/status, like that of "Tgid:"; -1: there is none. */
long family_status_number(pid_t tid, const char *key);

#endif
