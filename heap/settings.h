/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the command line asks for, for the commands of tracer-heap.
 */
#ifndef HEAP_SETTINGS_H
#define HEAP_SETTINGS_H

#include "print.h"
#include "run.h"

struct settings {
	const struct format *format;
	const char *output;	/* NULL: standard error, or output */
	const char *keep;	/* a directory of the user's for the states */
	int sort;		/* enum column; -1: what suits the command */
	uint64_t min;
	double interval;	/* seconds; 0: what suits the command */
	unsigned count;		/* of looks; likewise */
	struct run_options run;
};
extern struct settings settings;

#endif
