/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a command under the preloaded library.
 */
#ifndef HEAP_RUN_H
#define HEAP_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Where the library is, or NULL; freed by the caller. */
char *run_find_library(void);

/* What the library is told. */
struct run_options {
	bool follow;		/* child processes count as well */
	unsigned stacks;	/* frames of a stack at most; 0: no stacks */
	uint64_t sample;	/* bytes from one to the next; 0: the default */
	bool sample_only;
};

/*
 * Runs the command to its end, with its states in directory.  False: it could
 * not be run, and a message has said why.
 */
bool run_command(char **command, const char *library, const char *directory,
		 const struct run_options *options, pid_t *pid, int *status);

/* Why the library may not have been loaded into the command; never NULL. */
const char *run_explain(const char *command);

#endif
