/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Running processes.  The state of one is a file that it has mapped shared, so
 * whoever may read the file has the counters as they are, without any help of
 * the process's.
 */
#ifndef HEAP_LIVE_H
#define HEAP_LIVE_H

#include <stdbool.h>
#include <sys/types.h>

#include "read.h"

/* The path of the state that a process has mapped, or NULL; to be freed. */
char *live_find(pid_t pid);

/*
 * Opens it.  If ask is true, the process is asked how much memory it has, and
 * gets a moment to answer: one that does not allocate does not.  False: errno
 * says why; ESRCH: there is no such process; ENOENT: it is not counted.
 */
bool live_open(struct heap_file *file, pid_t pid, bool ask);

/* Calls a function for each process that has a state; until it says false. */
void live_each(bool (*function)(pid_t pid, const char *path));

/*
 * Copies a state to a new file, holes remaining holes.  False: errno says why.
 */
bool live_copy(const struct heap_file *file, const char *path);

/* ---- directories of states that are made for a command ---- */

/* A new one, which is this process's until it ends; or NULL. */
char *live_make_directory(void);

/* Removes those whose processes, and whose tracer-heap, have ended. */
void live_clean(void);

/* Removes one, but for states of processes that still run. */
void live_remove_directory(const char *path);

#endif
