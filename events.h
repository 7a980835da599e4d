/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting: what happens to tracees, in rounds, and the signals that end the
 * tracer.  It tells events and does nothing with tracees.
 */
#ifndef TRACER_EVENTS_H
#define TRACER_EVENTS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "options.h"

enum event_type { EVENT_IS_STOP, EVENT_IS_EXIT, EVENT_IS_KILL };

struct tracee_event {
	pid_t tid;
	enum event_type type;
	/*
	 * A stop as ptrace(2) has it in status >> 8: the signal, with 0x80 for
	 * a system call stop, and a PTRACE_EVENT in the bits above; or the
	 * exit status; or the signal that killed.
	 */
	int code;
	bool core;			/* dumped by EVENT_IS_KILL */
	struct timespec system_time;	/* that the tracee has used */
};

/*
 * The events that are pending make a round; they are taken out of it one by
 * one.  A function that adds to it returns whether there is anything now.
 */
bool events_poll(void);		/* what is there already */
bool events_spin(void);		/* likewise, looking for a little while if
				 * something is likely to come soon */
/*
 * Sleeps until something happens or a signal ends the tracer: then, or if
 * there is nothing any more to wait for, false.
 */
bool events_sleep(void);
bool events_next(struct tracee_event *event);

/*
 * Whether there will be, or still is, an event of a thread that is or was under
 * trace: not if its last one has been taken.  An id that waits to be reaped by
 * the thread's own parent says nothing of that.
 */
bool events_expected(pid_t tid);

/* Whether the last look found that no process is left to wait for. */
bool events_childless(void);

/* system_times: they are asked for. */
void events_init(bool system_times);
void events_fini(void);

/* From now on, signals that end a program end the tracer in good order. */
void events_catch_signals(enum interruptible when);
/* The first such signal that has come, or 0. */
int events_signal(void);

#endif
