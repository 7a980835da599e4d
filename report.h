/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From the engine to the output: streams, the sink of each tracee, and every
 * event but system calls.  It knows what happened, not how it was noticed.
 */
#ifndef TRACER_REPORT_H
#define TRACER_REPORT_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "output/sink.h"

struct options;
struct tracee;

/*
 * Opens the output and chooses the unwinder.  False if that fails, with a
 * message given.  The options must outlive the run.
 */
bool report_open(const struct options *options);

/* Prints the summary, if asked for, and closes everything. */
void report_close(void);

/* Makes what a tracee needs to be shown.  False if memory is short. */
bool report_tracee(struct tracee *tracee);
/* The last thing said of a tracee: its own file is closed (-ff). */
void report_tracee_gone(struct tracee *tracee);

/* The tracee has written something since the last report_flush. */
void report_touched(struct tracee *tracee);
/* Whether there is anything to be written out. */
bool report_pending(void);
/* Writes it out: to be called before the tracer sleeps. */
void report_flush(void);

/* Who and when, for the beginning of a line. */
void report_head(struct tracee *tracee, struct event_head *head);

/* Where the stopped tracee is: into its list of frames. */
void report_take_stack(struct tracee *tracee);

/* Whether the user wants to hear of this signal. */
bool report_wants_signal(int signo);

/* A signal that is about to be delivered. */
void report_signal(struct tracee *tracee, int signo, const siginfo_t *info);
void report_group_stop(struct tracee *tracee, int signo);
void report_exited(struct tracee *tracee, int status);
void report_killed(struct tracee *tracee, int signo, bool core);
/* Another thread of its process, by, has executed a program. */
void report_superseded(struct tracee *tracee, pid_t by);

/*
 * The tracee's call has returned: counts it, if that is asked for.  A time
 * that summary_needs_... says is not needed may be zero.
 */
void report_returned(struct tracee *tracee, bool failed,
		     struct timespec system, struct timespec wall);

/* A message on standard error that keeps its place in the output there. */
__attribute__((format(printf, 1, 2)))
void report_message(const char *format, ...);

#endif
