/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffered output, and the formatting of numbers without the printf family.
 *
 * Most of a tracer's output goes through here, byte by byte: what is done to
 * each byte counts.
 */
#include "output/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	FIRST_CAPACITY = 4096,
	FULL = 65536,		/* a file's buffer is written out at this */
	HIGHEST_FD = 1024,	/* no need to make the kernel's table longer */
	HIGH_FDS = 64,		/* how many below that are ours */
	MAX_DIGITS = 22,	/* of 64 bits in octal */
};

/* ---- opening and closing ---- */

static struct stream *stream_new(int fd)
{
	struct stream *stream = calloc(1, sizeof(*stream));

	if (!stream)
		return NULL;
	stream->data = malloc(FIRST_CAPACITY);
	if (!stream->data) {
		free(stream);
		return NULL;
	}
	stream->capacity = FIRST_CAPACITY;
	stream->fd = fd;
	return stream;
}

struct stream *stream_open_memory(void)
{
	return stream_new(-1);
}

/* A high-numbered, close-on-exec copy of fd; fd itself if there is none. */
static int move_high(int fd)
{
	struct rlimit limit;
	rlim_t highest = HIGHEST_FD;
	int high;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < highest)
		highest = limit.rlim_cur;
	if (highest <= HIGH_FDS)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, (int)(highest - HIGH_FDS));
	if (high < 0)
		return fd;
	close(fd);
	return high;
}

static void ignore_signal(int signo)
{
	(void)signo;
}

static void survive_sigpipe(void)
{
	struct sigaction action;

	if (sigaction(SIGPIPE, NULL, &action) || action.sa_handler != SIG_DFL)
		return;
	action.sa_handler = ignore_signal;
	action.sa_flags = SA_RESTART;
	sigaction(SIGPIPE, &action, NULL);
}

/* Runs a command that reads the other end of the descriptor returned. */
static int open_command(const char *command, pid_t *child)
{
	extern char **environ;
	char *argv[] = { (char *)"sh", (char *)"-c", (char *)command, NULL };
	posix_spawn_file_actions_t actions;
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	error = posix_spawn_file_actions_init(&actions);
	if (!error) {
		error = posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
		if (!error)
			error = posix_spawn(child, "/bin/sh", &actions, NULL,
					    argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	close(ends[0]);
	if (error) {
		close(ends[1]);
		errno = error;
		return -1;
	}
	return ends[1];
}

struct stream *stream_open(const char *target, bool append)
{
	struct stream *stream;
	pid_t child = 0;
	int fd;

	survive_sigpipe();
	if (!target)
		fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
	else if (*target == '|' || *target == '!')
		fd = open_command(target + 1, &child);
	else
		fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC |
			  (append ? O_APPEND : O_TRUNC), 0666);
	if (fd < 0)
		return NULL;
	fd = move_high(fd);
	stream = stream_new(fd);
	if (!stream) {
		close(fd);
		errno = ENOMEM;
		return NULL;
	}
	stream->terminal = isatty(fd);
	stream->child = child;
	return stream;
}

static void wait_for(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
}

int stream_close(struct stream *stream)
{
	int error = stream_flush(stream);

	if (stream->fd >= 0 && close(stream->fd) && !stream->error)
		error = errno;
	if (stream->child)
		wait_for(stream->child);
	free(stream->data);
	free(stream);
	return error;
}

/* ---- writing out ---- */

/* Writes as much as goes at once; 0 if it is worth another try. */
static ssize_t write_some(int fd, const char *bytes, size_t len)
{
	struct pollfd wait = { .fd = fd, .events = POLLOUT };
	ssize_t n = write(fd, bytes, len);

	if (n >= 0 || errno == EINTR)
		return n < 0 ? 0 : n;
	if (errno != EAGAIN)
		return -1;
	/* somebody who shares the file has made it non-blocking */
	poll(&wait, 1, -1);
	return 0;
}

static void write_out(struct stream *stream)
{
	size_t done = 0;

	if (stream->fd < 0)
		return;
	while (done < stream->len && !stream->error) {
		ssize_t n = write_some(stream->fd, stream->data + done,
				       stream->len - done);

		if (n < 0)
			stream->error = errno;
		else
			done += n;
	}
	stream->line_written += stream->len - stream->line_start;
	stream->line_start = 0;
	stream->len = 0;
}

int stream_flush(struct stream *stream)
{
	if (stream->len)
		write_out(stream);
	if (!stream->error || stream->reported)
		return 0;
	stream->reported = true;
	return stream->error;
}

void stream_grow(struct stream *stream, size_t more)
{
	size_t capacity = stream->capacity;
	char *data;

	if (stream->fd >= 0 && stream->len + more > FULL)
		write_out(stream);
	if (capacity - stream->len >= more)
		return;
	while (capacity - stream->len < more)
		capacity *= 2;
	data = realloc(stream->data, capacity);
	if (!data) {
		write_out(stream);
		if (stream->capacity - stream->len < more)
			abort();
		return;
	}
	stream->data = data;
	stream->capacity = capacity;
}

void stream_newline(struct stream *stream)
{
	stream_char(stream, '\n');
	stream->line_start = stream->len;
	stream->line_written = 0;
	stream->line_hidden = 0;
	if (stream->terminal)
		write_out(stream);
}

/* ---- numbers ---- */

static const char digit_pairs[] =
	"00010203040506070809" "10111213141516171819"
	"20212223242526272829" "30313233343536373839"
	"40414243444546474849" "50515253545556575859"
	"60616263646566676869" "70717273747576777879"
	"80818283848586878889" "90919293949596979899";

/* Writes the digits that end at end; returns where they begin. */
static char *put_decimal(char *end, uint64_t value)
{
	while (value >= 100) {
		end -= 2;
		memcpy(end, digit_pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value < 10) {
		*--end = '0' + value;
	} else {
		end -= 2;
		memcpy(end, digit_pairs + value * 2, 2);
	}
	return end;
}

void stream_decimal(struct stream *stream, uint64_t value)
{
	char digits[MAX_DIGITS], *end = digits + sizeof(digits), *begin;

	if (value < 10) {
		stream_char(stream, '0' + value);
		return;
	}
	begin = put_decimal(end, value);
	stream_bytes(stream, begin, end - begin);
}

void stream_signed(struct stream *stream, int64_t value)
{
	if (value < 0) {
		stream_char(stream, '-');
		stream_decimal(stream, -(uint64_t)value);
	} else {
		stream_decimal(stream, value);
	}
}

void stream_hex(struct stream *stream, uint64_t value)
{
	unsigned count = value ? (67 - __builtin_clzll(value)) / 4 : 1;
	char *end;

	stream_reserve(stream, count);
	stream->len += count;
	end = stream->data + stream->len;
	do {
		*--end = "0123456789abcdef"[value & 15];
		value >>= 4;
	} while (--count);
}

void stream_octal(struct stream *stream, uint64_t value)
{
	char digits[MAX_DIGITS], *end = digits + sizeof(digits), *begin = end;

	do {
		*--begin = '0' + (value & 7);
		value >>= 3;
	} while (value);
	stream_bytes(stream, begin, end - begin);
}

void stream_fill(struct stream *stream, char c, size_t count)
{
	stream_reserve(stream, count);
	memset(stream->data + stream->len, c, count);
	stream->len += count;
}

void stream_padded(struct stream *stream, uint64_t value, unsigned width,
		   char c)
{
	char digits[MAX_DIGITS], *end = digits + sizeof(digits);
	char *begin = put_decimal(end, value);
	size_t len = end - begin;

	if (len < width)
		stream_fill(stream, c, width - len);
	stream_bytes(stream, begin, len);
}

/* ---- strings ---- */

#define EACH_BYTE(byte)	(UINT64_C(0x0101010101010101) * (byte))

/* A high bit for the lowest of those bytes that are less than limit <= 128. */
static uint64_t bytes_below(uint64_t word, uint8_t limit)
{
	return (word - EACH_BYTE(limit)) & ~word & EACH_BYTE(0x80);
}

/* Likewise for bytes that are greater than limit <= 127. */
static uint64_t bytes_above(uint64_t word, uint8_t limit)
{
	return ((word + EACH_BYTE(127 - limit)) | word) & EACH_BYTE(0x80);
}

static bool is_plain(uint8_t byte)
{
	return byte >= ' ' && byte <= '~' && byte != '"' && byte != '\\';
}

size_t stream_plain_length(const void *bytes, size_t len)
{
	const uint8_t *at = bytes;
	size_t done = 0;
	uint64_t word;

	/* eight bytes at once, as long as all of them are plain */
	for (; len - done >= sizeof(word); done += sizeof(word)) {
		memcpy(&word, at + done, sizeof(word));
		if (bytes_above(word, '~') | bytes_below(word, ' ') |
		    bytes_below(word ^ EACH_BYTE('"'), 1) |
		    bytes_below(word ^ EACH_BYTE('\\'), 1))
			break;
	}
	while (done < len && is_plain(at[done]))
		done++;
	return done;
}
