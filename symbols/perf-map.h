/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names of generated code, as a JIT compiler writes them into a file
 * /tmp/perf-PID.map: lines "START SIZE NAME", both numbers in hexadecimal.
 *
 * The file is a log: lines are added while the program runs, and code that is
 * overwritten has a newer line.  It is read as far as it goes, and bounded: it
 * may be written by anybody.  Knows nothing of processes.
 */
#ifndef TRACER_PERF_MAP_H
#define TRACER_PERF_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct perf_map;

/* Takes fd over, even if it fails.  NULL: no regular file, or no memory. */
struct perf_map *perf_map_open(int fd);
void perf_map_close(struct perf_map *map);

enum perf_map_news {
	PERF_MAP_SAME,
	PERF_MAP_LONGER,	/* names are new, or others than before */
	PERF_MAP_REPLACED,	/* truncated or deleted: to be closed */
};

/* Reads what has been added since the last time; the first time, all. */
enum perf_map_news perf_map_update(struct perf_map *map);

/*
 * The name of the code at address, interned, and how far into it that is.
 * NULL: the map does not know, or what it knew there was overwritten in part.
 */
const char *perf_map_find(const struct perf_map *map, uint64_t address,
			  uint64_t *offset);

#endif
