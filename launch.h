/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starting the command: a child that waits until it is under trace, and then
 * becomes the command.
 */
#ifndef TRACER_LAUNCH_H
#define TRACER_LAUNCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

struct options;

/*
 * How signals were for the tracer when it started: so they must be for the
 * command.
 */
struct signals {
	sigset_t mask;
	struct sigaction actions[_NSIG];
};

void signals_save(struct signals *signals);
void signals_restore(const struct signals *signals);

/*
 * Finds the program and starts the child, which has the user and the
 * environment that the options say.  It waits for launch_release before it
 * executes the program; if the tracer dies first, it exits.  Returns the
 * child's id, or -1 with a message given.
 */
pid_t launch(const struct options *options, const struct signals *signals);

/* Lets the child go on; true unless that has happened before. */
bool launch_release(void);

#endif
