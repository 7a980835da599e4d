/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Taking running threads under trace.
 */
#ifndef TRACER_ATTACH_H
#define TRACER_ATTACH_H

#include <stdbool.h>
#include <sys/types.h>

struct options;

/*
 * Seizes a thread that is to stop soon; false with errno set if that fails.
 */
bool attach_thread(const struct options *options, pid_t tid);

/* Says why a thread could not be seized, by errno and what it can find out. */
void attach_explain(pid_t tid);

/*
 * Attaches to what -p says, with -f to all threads of it, and tells so.
 * Returns whether there was any.
 */
bool attach_all(const struct options *options);

#endif
