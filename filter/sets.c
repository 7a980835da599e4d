/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of signals and of outcomes, and the filter that lets everything pass.
 */
#include "filter/filter.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "constants/constants.h"
#include "parse.h"

enum { SIGNALS = 64, REALTIME_FIRST = 32 };

void filter_init(struct filter *filter)
{
	*filter = (struct filter){
		.trace = { .all = true },
		.signals = UINT64_MAX,
		.status = STATUS_ALL,
	};
}

/* Compares without regard to case, "SIG" in front or not. */
static bool names_signal(const char *name, const char *word, size_t len)
{
	if (len > 3 && !strncasecmp(word, "SIG", 3)) {
		word += 3;
		len -= 3;
	}
	return !strncasecmp(name, word, len) && !name[len];
}

/* The number of a signal, or 0. */
static unsigned signal_number(const char *word, size_t len)
{
	const struct constset *set = &set_signals_short;
	char text[16];
	uint64_t number;

	if (len >= sizeof(text))
		return 0;
	memcpy(text, word, len);
	text[len] = '\0';
	if (parse_number(text, SIGNALS, &number))
		return number;
	for (size_t i = 0; i < set->count; i++) {
		if (set->members[i].value <= SIGNALS &&
		    names_signal(set->members[i].name, word, len))
			return set->members[i].value;
	}
	for (unsigned i = 1; REALTIME_FIRST + i <= SIGNALS; i++) {
		snprintf(text, sizeof(text), "RT_%u", i);
		if (names_signal(text, word, len))
			return REALTIME_FIRST + i;
	}
	return 0;
}

static const char *add_signal(void *context, const char *word, size_t len)
{
	uint64_t *set = context;
	unsigned number = signal_number(word, len);

	if (!number)
		return parse_unknown_word("signal", word, len);
	*set |= UINT64_C(1) << (number - 1);
	return NULL;
}

const char *signal_set_parse(uint64_t *set, const char *text)
{
	uint64_t new = 0;
	bool inverted;
	const char *message = parse_set(text, "signal", add_signal, &new,
					&inverted);

	if (!message)
		*set = inverted ? ~new : new;
	return message;
}

const char *status_set_parse(unsigned *set, const char *text)
{
	static const struct word statuses[] = {
		{ "successful", STATUS_SUCCESSFUL },
		{ "failed", STATUS_FAILED },
		{ "unfinished", STATUS_UNFINISHED },
		{ "unavailable", STATUS_UNAVAILABLE },
		{ "detached", STATUS_DETACHED },
		{ NULL, 0 },
	};

	return parse_word_set(set, text, "status", statuses, STATUS_ALL);
}
