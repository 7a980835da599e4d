/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream is an append-only buffer over an output file.  It is written out
 * when it is full and when the engine says so (before it sleeps), so that
 * neither a line nor a field costs a write(2) of its own.
 */
#ifndef TRACER_STREAM_H
#define TRACER_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct sink;

struct stream {
	int fd;			/* -1: memory only, for tests and staged lines */
	char *data;
	size_t len, capacity;
	size_t line_start;	/* index in data of the line's first byte... */
	size_t line_column;	/* ...or how much of the line is written out */
	struct sink *open_line;	/* whose unfinished call ends the stream */
	bool terminal;		/* every line at once */
	bool failed;		/* a write failed: reported once, then silent */
	pid_t child;		/* of "|command", else 0 */
};

/*
 * Opens target: a path, "|command" or "!command" (run by sh), or NULL for
 * standard error.  Returns NULL with errno set.  The descriptor is close-on-
 * exec and moved to a high number, out of the tracee's sight.
 */
struct stream *stream_open(const char *target, bool append);

/* A stream that only collects in memory. */
struct stream *stream_open_memory(void);

/*
 * Writes out, closes, and waits for "|command".  Returns 0, or the errno of
 * the first write that failed.
 */
int stream_close(struct stream *stream);

/*
 * Writes out everything, blocking if need be.  An error is remembered in
 * failed (and returned as errno, once).
 */
int stream_flush(struct stream *stream);

/* Appending cannot fail: short memory flushes, or ends the program. */
void stream_grow(struct stream *stream, size_t more);

static inline void stream_reserve(struct stream *stream, size_t more)
{
	if (stream->capacity - stream->len < more)
		stream_grow(stream, more);
}

static inline void stream_char(struct stream *stream, char c)
{
	stream_reserve(stream, 1);
	stream->data[stream->len++] = c;
}

void stream_bytes(struct stream *stream, const void *bytes, size_t len);
void stream_text(struct stream *stream, const char *text);
void stream_decimal(struct stream *stream, uint64_t value);
void stream_signed(struct stream *stream, int64_t value);
void stream_hex(struct stream *stream, uint64_t value);	/* without 0x */

/* The width of the current line so far, in bytes. */
size_t stream_column(const struct stream *stream);

/* Ends the line: "\n"; on a terminal, also writes it out. */
void stream_newline(struct stream *stream);

#endif
