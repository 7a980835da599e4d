/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine: starts or attaches to what is to be traced, waits, dispatches,
 * restarts, and detaches.  trace.c is the one file that calls wait and lets
 * tracees go on.
 */
#ifndef TRACER_TRACE_H
#define TRACER_TRACE_H

struct options;

/*
 * Runs the whole trace that the options ask for, output and summary included.
 * Opens the output, chooses the unwinder; sysent_init() must have been called
 * (main.c needs it earlier, to parse filters).
 *
 * Returns the tracer's exit status: the command's own, or 1 if the trace
 * could not be begun, which has been said on standard error then.  If the
 * command was killed by a signal, the tracer kills itself with the same one
 * and does not return.
 */
int trace_run(const struct options *options);

#endif
