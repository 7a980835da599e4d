/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Statistics of system calls (-c, -C): counted as calls end, printed as a
 * table for each ABI at the end.  It knows names and times, no tracee.
 */
#ifndef TRACER_SUMMARY_H
#define TRACER_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "abi/abi.h"
#include "output/stream.h"
#include "sysent.h"

enum summary_column {
	COLUMN_TIME_PERCENT,
	COLUMN_TIME_TOTAL,
	COLUMN_TIME_MIN,
	COLUMN_TIME_MAX,
	COLUMN_TIME_AVG,
	COLUMN_WALL_TOTAL,
	COLUMN_WALL_MIN,
	COLUMN_WALL_MAX,
	COLUMN_WALL_AVG,
	COLUMN_CALLS,
	COLUMN_ERRORS,
	COLUMN_NAME,
	COLUMN_COUNT,
	COLUMN_NONE = COLUMN_COUNT	/* as a sort key: by number */
};

struct summary_options {
	bool wall;			/* -w: the time columns show wall time */
	enum summary_column sort;	/* -S */
	enum summary_column columns[COLUMN_COUNT];	/* -U, in order */
	unsigned column_count;
	int64_t overhead;		/* -O: nanoseconds taken off a call */
};

/* What is shown if nothing else is asked for. */
void summary_options_init(struct summary_options *options);

/*
 * The arguments of -S, -U and -O.  They return NULL, or an error message as
 * parse.h has them.
 */
const char *summary_parse_sort(struct summary_options *options,
			       const char *text);
const char *summary_parse_columns(struct summary_options *options,
				  const char *text);
const char *summary_parse_overhead(struct summary_options *options,
				   const char *text);

/* Which of the two times have to be taken. */
bool summary_needs_system_time(const struct summary_options *options);
bool summary_needs_wall_time(const struct summary_options *options);

struct summary;

/* options outlive it.  Returns NULL if memory is short. */
struct summary *summary_new(const struct summary_options *options);
void summary_free(struct summary *summary);

/*
 * Counts a call that has returned (one that never returns is not counted).
 * system: CPU time that the kernel spent for the tracee during the call, the
 * difference of ru_stime as wait4 gives it at entry and exit; wall: time from
 * entry to exit.  A time that is not needed may be zero.
 */
void summary_count(struct summary *summary, const struct abi *abi,
		   const struct sysent *call, bool failed,
		   struct timespec system, struct timespec wall);

void summary_print(struct summary *summary, struct stream *stream);

#endif
