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
	bool all;			/* numbers beyond the table, too */
	uint64_t *bits[ABI_COUNT];	/* NULL: all says it for every number */
	uint32_t slots[ABI_COUNT];	/* how many bits */
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
 * before the whole inverts.  Returns NULL, or an error message as parse.h has
 * them; then *set is as it was.
 */
const char *call_set_parse(struct call_set *set, const char *text);
void call_set_free(struct call_set *set);

static inline bool call_set_has(const struct call_set *set,
				const struct abi *abi,
				const struct sysent *sysent)
{
	const uint64_t *bits = set->bits[abi->id];
	uint64_t slot = sysent->nr ^ abi->nr_bit;

	if (!bits || slot >= set->slots[abi->id])
		return set->all;
	return bits[slot / 64] >> slot % 64 & 1;
}

/* Likewise for signals ("SIGINT,TERM,!9"), and for statuses. */
const char *signal_set_parse(uint64_t *set, const char *text);
const char *status_set_parse(unsigned *set, const char *text);

#endif
