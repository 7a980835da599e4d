/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The command line.  It knows what options there are and which of them do not
 * go together; what they do is others' business.
 */
#ifndef TRACER_CMDLINE_H
#define TRACER_CMDLINE_H

#include "options.h"

enum cmdline {
	CMDLINE_TRACE,		/* go on */
	CMDLINE_DONE,		/* all is said and done: -h, -V */
	CMDLINE_WRONG,		/* a message is on standard error */
};

/*
 * Turns the arguments into options; sysent_init() must have been called.
 * Options point into argv and the environment.
 */
enum cmdline cmdline_parse(struct options *options, int argc, char **argv);

/* Frees what cmdline_parse allocated, whatever it returned. */
void cmdline_free(struct options *options);

#endif
