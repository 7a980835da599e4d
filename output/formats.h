/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sinks there are.
 */
#ifndef TRACER_FORMATS_H
#define TRACER_FORMATS_H

#include <stdbool.h>
#include <stdint.h>

#include "output/sink.h"
#include "output/stream.h"

enum const_style { CONST_ABBREV, CONST_RAW, CONST_VERBOSE };
enum hex_strings {
	HEX_STRINGS_NONE,	/* octal escapes */
	HEX_STRINGS_NON_ASCII,	/* -x: a string with non-ASCII bytes, whole */
	HEX_STRINGS_NON_ASCII_CHARS,
	HEX_STRINGS_ALL,	/* -xx */
};
enum time_format { TIME_NONE, TIME_CLOCK, TIME_UNIX };

struct text_options {
	unsigned column;		/* -a: where " = " is aligned to; 40 */
	bool arg_names;			/* -N */
	bool syscall_number;		/* -n */
	bool instruction_pointer;	/* -i */
	enum time_format wall;		/* -t */
	uint8_t wall_digits;		/* 0, 3, 6 or 9 */
	bool relative;			/* -r */
	uint8_t relative_digits;
	bool duration;			/* -T */
	uint8_t duration_digits;
	bool pid_brackets;		/* "[pid  1234] " (terminal) or "1234  " */
	enum const_style const_style;	/* -X */
	enum hex_strings hex_strings;	/* -x */
	bool color;
	const char *colors;		/* "KEY=SGR:...", or NULL: defaults */
	bool frame_source;		/* -kk */
	/*
	 * Whole calls only (-z, -Z, -e status): a line is staged in memory
	 * and committed at its end.
	 */
	bool staged;
	struct timespec *last_line;	/* for -r, shared by all sinks */
};

/*
 * A sink for one tracee.  options and stream are shared and outlive it.
 * Returns NULL if memory is short.  Freed with ops->destroy.
 */
struct sink *text_sink_new(struct stream *stream,
			   const struct text_options *options);

struct json_options {
	bool durations;
};

struct sink *json_sink_new(struct stream *stream,
			   const struct json_options *options);

/* A sink that shows nothing: for -c. */
struct sink *null_sink_new(void);

#endif
