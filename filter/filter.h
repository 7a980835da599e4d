/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which calls, signals and outcomes are shown.
 */
#ifndef TRACER_FILTER_H
#define TRACER_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/abi.h"
#include "sysent.h"

/* A set of system calls on every ABI: a bit per table slot. */
struct call_set {
	bool all;			/* unknown numbers, too */
	uint64_t *bits[ABI_COUNT];
};

enum status {
	STATUS_SUCCESSFUL = 1,
	STATUS_FAILED = 2,
	STATUS_UNFINISHED = 4,
	STATUS_UNAVAILABLE = 8,
	STATUS_DETACHED = 16,
	STATUS_ALL = 31,
};

struct filter {
	struct call_set trace;		/* -e trace= */
	uint64_t signals;		/* -e signal=: bit signo - 1 */
	unsigned status;		/* -e status=, -z, -Z */
};

/* Everything is shown. */
void filter_init(struct filter *filter);

/*
 * Parses SET of -e trace=SET: names, numbers, %classes, /regex, each perhaps
 * behind ? (no error if nothing fits) and with @64, @32, @x32 behind; '!'
 * before the whole inverts.  Returns NULL, or an error message that the caller
 * frees; then *set is as it was.
 */
char *call_set_parse(struct call_set *set, const char *text);
void call_set_free(struct call_set *set);

bool call_set_has(const struct call_set *set, const struct abi *abi,
		  const struct sysent *sysent);

/* Likewise for signals ("SIGINT,TERM,!9"), and for statuses. */
char *signal_set_parse(uint64_t *set, const char *text);
char *status_set_parse(unsigned *set, const char *text);

#endif
