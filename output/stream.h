/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stream is an append-only buffer over an output file.  It is written out
 * when it is full and when the engine says so (before it sleeps), so that
 * neither a line nor a field costs a write(2) of its own.
 *
 * It knows files and lines, not what the lines say.
 */
#ifndef TRACER_STREAM_H
#define TRACER_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

struct sink;

struct stream {
	int fd;			/* -1: memory only, for tests and staged lines */
	char *data;
	size_t len, capacity;
	size_t line_start;	/* index in data of the current line's first
				 * byte that is not yet written out */
	size_t line_written;	/* how many bytes of the line are */
	size_t line_hidden;	/* bytes of the line without width: colours */
	struct sink *open_line;	/* whose unfinished call ends the stream */
	bool terminal;		/* every line at once */
	int error;		/* errno of the first write that failed, or 0;
				 * from then on everything is thrown away */
	bool reported;		/* the error has been returned */
	pid_t child;		/* of "|command", else 0 */
};

/*
 * Opens target: a path, "|command" or "!command" (run by sh), or NULL for
 * standard error.  Returns NULL with errno set.  The descriptor is close-on-
 * exec and moved to a high number, out of the tracee's sight.
 *
 * So that a reader who goes away gives an error instead of a death, SIGPIPE
 * gets a handler if it had none; unlike SIG_IGN, that does not pass to
 * programs that this one runs.
 */
struct stream *stream_open(const char *target, bool append);

/* A stream that only collects in memory. */
struct stream *stream_open_memory(void);

/*
 * Writes out, closes, and waits for "|command" (if nobody else has).  Returns
 * 0, or the error of the first write that failed unless stream_flush has
 * returned it before.
 */
int stream_close(struct stream *stream);

/*
 * Writes out everything, blocking if need be.  Returns 0 or an errno; of a
 * stream that has failed, once.
 */
int stream_flush(struct stream *stream);

/* Appending cannot fail: short memory flushes, or ends the program. */
void stream_grow(struct stream *stream, size_t more);

static inline void stream_reserve(struct stream *stream, size_t more)
{
	if (__builtin_expect(stream->capacity - stream->len < more, 0))
		stream_grow(stream, more);
}

static inline void stream_char(struct stream *stream, char c)
{
	stream_reserve(stream, 1);
	stream->data[stream->len++] = c;
}

static inline void stream_bytes(struct stream *stream, const void *bytes,
				size_t len)
{
	stream_reserve(stream, len);
	memcpy(stream->data + stream->len, bytes, len);
	stream->len += len;
}

static inline void stream_text(struct stream *stream, const char *text)
{
	stream_bytes(stream, text, strlen(text));
}

void stream_fill(struct stream *stream, char c, size_t count);
void stream_decimal(struct stream *stream, uint64_t value);
void stream_signed(struct stream *stream, int64_t value);
void stream_hex(struct stream *stream, uint64_t value);	/* without 0x */
void stream_octal(struct stream *stream, uint64_t value);
/* With leading zeros, or c, up to width. */
void stream_padded(struct stream *stream, uint64_t value, unsigned width,
		   char c);

/*
 * How many bytes from the beginning on are printable ASCII other than '"' and
 * '\\': what no format needs to escape in a string.
 */
size_t stream_plain_length(const void *bytes, size_t len);

/* Bytes that take no column: a terminal's escape sequence. */
static inline void stream_hidden(struct stream *stream, const char *bytes,
				 size_t len)
{
	stream_bytes(stream, bytes, len);
	stream->line_hidden += len;
}

/* The width of the current line so far, in bytes. */
static inline size_t stream_column(const struct stream *stream)
{
	return stream->len - stream->line_start + stream->line_written -
	       stream->line_hidden;
}

/* Ends the line: "\n"; on a terminal, also writes it out. */
void stream_newline(struct stream *stream);

#endif
