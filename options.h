/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the command line asked for.  cmdline.c fills it; everybody else reads.
 */
#ifndef TRACER_OPTIONS_H
#define TRACER_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "decode/decode.h"
#include "filter/filter.h"
#include "output/formats.h"
#include "output/summary.h"
#include "procinfo.h"
#include "unwind.h"

enum output_format { FORMAT_TEXT, FORMAT_JSON };

enum quiet {
	QUIET_ATTACH = 1,
	QUIET_EXIT = 2,
	QUIET_PATH_RESOLUTION = 4,
	QUIET_PERSONALITY = 8,
	QUIET_SUPERSEDED = 16,
	QUIET_ALL = 31,
};

enum summary_mode { SUMMARY_NONE, SUMMARY_ONLY, SUMMARY_TOO };

/* Which signals end or stop the tracer, and when (-I). */
enum interruptible {
	INTERRUPT_ANYWHERE = 1,		/* at once */
	INTERRUPT_WAITING,		/* between two events */
	INTERRUPT_NEVER,		/* not at all; SIGTSTP stops it */
	INTERRUPT_NEVER_TSTP,		/* not even SIGTSTP */
};

struct options {
	char **command;			/* argv of the command, or NULL */
	const char *argv0;		/* --argv0, or NULL */
	char **environment;		/* -E: VAR=VALUE sets, VAR unsets */
	size_t environment_count;
	const char *user;		/* -u, or NULL */
	pid_t *attach;			/* -p */
	size_t attach_count;
	bool follow_forks;		/* -f */
	bool output_separately;		/* -ff, only with -o */
	bool kill_on_exit;		/* --kill-on-exit */
	enum interruptible interruptible;	/* -I */
	const char *output;		/* -o, or NULL */
	bool append;			/* -A */
	enum output_format format;
	struct text_options text;
	struct json_options json;
	/*
	 * How a call is decoded.  Of these, verbose, raw and follow_pointers
	 * hold for calls that the sets below leave to them: see there.
	 */
	struct decode_options decode;
	struct call_set abbrev;		/* not in it: .verbose (-e abbrev=) */
	struct call_set dereference;	/* in it: .follow_pointers (verbose=) */
	struct call_set raw;		/* in it: .raw (-e raw=) */
	unsigned decode_fds;		/* -y -yy: enum decode_fds */
	bool decode_pids;		/* -Y */
	bool show_pid_always;
	unsigned quiet;			/* enum quiet */
	enum summary_mode summary;	/* -c -C */
	struct summary_options summary_options;	/* -w -S -U -O */
	bool stack;			/* -k */
	struct unwind_options unwind;
	const char *unwinder;		/* --unwinder, or NULL */
	struct filter filter;
	bool debug_unwinding;		/* --debug-unwinding: tell at the end
					 * what it cost */
	bool debug_registers;		/* --debug-registers: as on a kernel
					 * without PTRACE_GET_SYSCALL_INFO */
};

#endif
