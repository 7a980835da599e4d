/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The commands that look at processes while they run, or compare states.
 * Each takes its arguments, up to NULL, and returns an exit status.
 */
#ifndef HEAP_WATCH_H
#define HEAP_WATCH_H

int watch_list(char **arguments);
int watch_top(char **arguments);
int watch_snapshot(char **arguments);
int watch_diff(char **arguments);
int watch_leaks(char **arguments);

#endif
