/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Streams: files, commands, what goes wrong with them, and numbers.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "output/stream.h"

static char directory[] = "/tmp/test-stream-XXXXXX";
static char path[64];

static char *name_file(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	return path;
}

/* The contents of the file in path, up to what there is room for. */
static const char *contents(void)
{
	static char text[300000];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n, len = 0;

	if (fd < 0)
		return NULL;
	while ((n = read(fd, text + len, sizeof(text) - 1 - len)) > 0)
		len += n;
	close(fd);
	text[len] = '\0';
	return text;
}

static void test_file(void)
{
	struct stream *stream = stream_open(name_file("file"), false);

	OK(stream && stream->fd >= 900, "the descriptor has a high number");
	OK(fcntl(stream->fd, F_GETFD) & FD_CLOEXEC,
	   "the descriptor is close-on-exec");
	stream_text(stream, "one");
	IS_STR(contents(), "", "nothing is written yet");
	IS_INT(stream_column(stream), 3, "the column before writing");
	IS_INT(stream_flush(stream), 0, "flushing");
	IS_STR(contents(), "one", "flushing writes half a line");
	IS_INT(stream_column(stream), 3, "the column after writing");
	stream_hidden(stream, "\033[0m", 4);
	stream_text(stream, "two");
	IS_INT(stream_column(stream), 6, "the column of the whole");
	stream_newline(stream);
	IS_INT(stream_column(stream), 0, "the column of a new line");
	IS_STR(contents(), "one", "a line is not written by itself");
	IS_INT(stream_close(stream), 0, "closing");
	IS_STR(contents(), "one\033[0mtwo\n", "closing writes the rest");

	stream = stream_open(path, true);
	stream_text(stream, "three");
	stream_close(stream);
	IS_STR(contents(), "one\033[0mtwo\nthree", "appending");
	stream = stream_open(path, false);
	stream_close(stream);
	IS_STR(contents(), "", "starting anew");

	errno = 0;
	OK(!stream_open("/nonexistent/file", false) && errno == ENOENT,
	   "a file that cannot be opened");
}

static void test_much(void)
{
	struct stream *stream = stream_open(name_file("much"), false);
	char *want = malloc(250001), *block = malloc(200000);
	size_t len = 0;

	for (int i = 0; i < 5000; i++) {
		stream_text(stream, "123456789");
		stream_newline(stream);
		memcpy(want + len, "123456789\n", 10);
		len += 10;
	}
	OK(stream->capacity <= 65536, "a file's buffer stays small");
	memset(block, 'x', 200000);
	stream_bytes(stream, block, 200000);
	IS_INT(stream_column(stream), 200000, "the column in a long line");
	memset(want + len, 'x', 200000);
	want[250000] = '\0';
	stream_close(stream);
	OK(contents() && !strcmp(contents(), want),
	   "more than the buffer holds");
	free(want);
	free(block);
}

static void test_command(void)
{
	char command[128];
	struct stream *stream;

	name_file("command");
	snprintf(command, sizeof(command), "|sleep 0.1; cat >%s", path);
	stream = stream_open(command, false);
	OK(stream, "a command");
	stream_text(stream, "to the command\n");
	IS_INT(stream_close(stream), 0, "closing waits for the command");
	IS_STR(contents(), "to the command\n", "what it got");
	*command = '!';
	stream = stream_open(command, false);
	stream_text(stream, "again\n");
	stream_close(stream);
	IS_STR(contents(), "again\n", "the other way to say it");
	IS_INT(waitpid(-1, NULL, WNOHANG), -1, "no child is left");
}

static void test_dead_reader(void)
{
	struct stream *stream = stream_open("|exec true", false);
	char block[1000];
	int error = 0;

	memset(block, 'x', sizeof(block));
	usleep(1000);
	for (int i = 0; i < 1000 && !error; i++) {
		for (int n = 0; n < 200; n++)
			stream_bytes(stream, block, sizeof(block));
		error = stream_flush(stream);
	}
	IS_INT(error, EPIPE, "a reader that is gone is an error");
	stream_bytes(stream, block, sizeof(block));
	IS_INT(stream_flush(stream), 0, "which is told once");
	IS_INT(stream_close(stream), 0, "also at closing");
}

static void test_full(void)
{
	struct stream *stream = stream_open("/dev/full", false);

	if (!stream) {
		check_skip("a full disk", "there is no /dev/full");
		return;
	}
	stream_text(stream, "x");
	IS_INT(stream_close(stream), ENOSPC, "a full disk");
}

/* What a program that we start sees of our SIGPIPE. */
static void test_sigpipe(void)
{
	struct sigaction action;
	int status = 0;
	pid_t child;

	sigaction(SIGPIPE, NULL, &action);
	OK(action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN,
	   "SIGPIPE has a handler");
	child = fork();
	if (!child) {
		execlp("sh", "sh", "-c", "kill -PIPE $$; exit 3", NULL);
		_exit(4);
	}
	waitpid(child, &status, 0);
	OK(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE,
	   "and its default action in other programs");
}

/* A pipe that somebody has made non-blocking, with a slow reader. */
static void test_nonblocking(void)
{
	int ends[2], stderr_copy = dup(STDERR_FILENO), status = 0;
	struct stream *stream;
	pid_t reader;

	OK(pipe(ends) == 0, "a pipe");
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	reader = fork();
	if (!reader) {
		static char buf[4096];
		size_t sum = 0;
		ssize_t n;

		close(ends[1]);
		usleep(50000);
		while ((n = read(ends[0], buf, sizeof(buf))) > 0)
			sum += n;
		_exit(sum == 500000 ? 0 : 1);
	}
	close(ends[0]);
	dup2(ends[1], STDERR_FILENO);
	close(ends[1]);
	stream = stream_open(NULL, false);
	dup2(stderr_copy, STDERR_FILENO);
	close(stderr_copy);
	for (int i = 0; i < 50000; i++)
		stream_text(stream, "123456789\n");
	IS_INT(stream_close(stream), 0, "writing to a full pipe waits");
	waitpid(reader, &status, 0);
	IS_INT(status, 0, "and nothing is lost");
}

/* What snprintf thinks of a number. */
static void test_number(uint64_t value)
{
	struct stream *stream = stream_open_memory();
	char want[200];

	stream_decimal(stream, value);
	stream_char(stream, ' ');
	stream_signed(stream, value);
	stream_char(stream, ' ');
	stream_hex(stream, value);
	stream_char(stream, ' ');
	stream_octal(stream, value);
	stream_char(stream, ' ');
	stream_padded(stream, value, 5, ' ');
	stream_char(stream, ' ');
	stream_padded(stream, value, 9, '0');
	stream_char(stream, '\0');
	snprintf(want, sizeof(want),
		 "%" PRIu64 " %" PRId64 " %" PRIx64 " %" PRIo64 " %5" PRIu64
		 " %09" PRIu64, value, (int64_t)value, value, value, value,
		 value);
	IS_STR(stream->data, want, "the number %" PRIu64, value);
	stream_close(stream);
}

static void test_numbers(void)
{
	uint64_t power = 1;

	test_number(0);
	test_number(UINT64_MAX);
	test_number(INT64_MAX);
	test_number((uint64_t)INT64_MIN);
	for (int i = 0; i < 20; i++) {
		test_number(power - 1);
		test_number(power);
		test_number(-power);
		power *= 10;
	}
	for (int i = 0; i < 64; i += 3)
		test_number(UINT64_C(1) << i);
}

/* Every byte at every place of a string. */
static void test_plain(void)
{
	char text[40];
	bool right = true;

	for (int byte = 0; byte < 256; byte++) {
		bool plain = byte >= 32 && byte < 127 && byte != '"' &&
			     byte != '\\';

		for (size_t at = 0; at < sizeof(text); at++) {
			memset(text, at % 2 ? '~' : ' ', sizeof(text));
			text[at] = byte;
			if (stream_plain_length(text, sizeof(text)) !=
			    (plain ? sizeof(text) : at))
				right = false;
		}
	}
	OK(right, "what needs no escape");
	IS_INT(stream_plain_length("", 0), 0, "an empty string");
}

int main(void)
{
	signal(SIGPIPE, SIG_DFL);
	if (!mkdtemp(directory))
		check_skip_all("no temporary directory");
	test_file();
	test_much();
	test_command();
	test_dead_reader();
	test_full();
	test_sigpipe();
	test_nonblocking();
	test_numbers();
	test_plain();
	unlink(name_file("file"));
	unlink(name_file("much"));
	unlink(name_file("command"));
	rmdir(directory);
	return check_done();
}
