/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the command line asked for.  main.c fills it; everybody else reads.
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
#include "unwind.h"

enum output_format { FORMAT_TEXT, FORMAT_JSON };

enum quiet {
	QUIET_ATTACH = 1,
	QUIET_EXIT = 2,
	QUIET_PATH_RESOLUTION = 4,
	QUIET_PERSONALITY = 8,
	QUIET_SUPERSEDED = 16,
};

enum decode_fds { DECODE_FDS_NONE, DECODE_FDS_PATH, DECODE_FDS_ALL };

enum summary { SUMMARY_NONE, SUMMARY_ONLY, SUMMARY_TOO };

struct options {
	char **command;			/* argv of the command, or NULL */
	const char *argv0;		/* --argv0, or NULL */
	char **environment;		/* -E: VAR=VALUE sets, VAR unsets */
	size_t environment_count;
	const char *user;		/* -u, or NULL */
	pid_t *attach;			/* -p */
	size_t attach_count;
	bool follow_forks;		/* -f */
	bool output_separately;		/* -ff */
	const char *output;		/* -o, or NULL */
	bool append;			/* -A */
	enum output_format format;
	struct text_options text;
	struct json_options json;
	struct decode_options decode;
	unsigned decode_fds;		/* -y -yy */
	bool decode_pids;		/* -Y */
	bool show_pid_always;
	unsigned quiet;			/* enum quiet */
	enum summary summary;		/* -c -C */
	struct summary_options summary_options;	/* -w -S -U -O */
	bool stack;			/* -k */
	struct unwind_options unwind;
	const char *unwinder;		/* --unwinder, or NULL */
	struct filter filter;
	bool debug;			/* -d */
	bool debug_registers;		/* --debug-registers: as on a kernel
					 * without PTRACE_GET_SYSCALL_INFO */
};

#endif
