/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of all options: what they are called, what they do, and what -h
 * says of them.  Only for the parts of the command line.
 */
#ifndef TRACER_SETTINGS_H
#define TRACER_SETTINGS_H

#include <stdbool.h>

#include "options.h"

/* The command line while it is being read. */
struct cmdline_state {
	struct options *options;
	/* how the option at hand is spelled: "-s", "--string-limit" */
	const char *spelling;
	/* how often options came that mean more if repeated */
	unsigned follow, quiet, hex, stack, time, decode_fds;
	/* what came in their long forms instead: both is too much */
	bool quiet_set, hex_set, time_set, decode_fds_set;
	bool separately;	/* --output-separately */
	bool interruptible;	/* -I */
	bool sort, columns;	/* -S, -U */
	bool successful, failed;	/* -z, -Z */
	enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color;
	bool done;		/* -h, -V */
};

enum setting_arg { ARG_NONE, ARG_REQUIRED, ARG_OPTIONAL };

/*
 * An option: -LETTER, --NAME, -e QUALIFIER=ARG, each of which may be missing.
 * A setting with nothing but help begins a group of -h.
 */
struct setting {
	char letter;
	const char *name;
	const char *qualifier;
	enum setting_arg arg;
	const char *metavar;	/* what -h calls the argument */
	/*
	 * Does it; returns a message, as parse.h has them, or NULL.  A
	 * setting without it is not supported.
	 */
	const char *(*set)(struct cmdline_state *, const char *arg);
	/* lines for -h; NULL: not told there */
	const char *help;
};

enum { MAX_SETTINGS = 128 };	/* aliases included */

extern const struct setting settings[];
extern const unsigned setting_count;

/* Other spellings of long names and qualifiers. */
struct alias {
	const char *alias;
	const char *of;
};

extern const struct alias name_aliases[], qualifier_aliases[];

/* help.c */
void print_help(void);
void print_version(void);

#endif
