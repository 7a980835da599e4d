/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The commands that look at processes while they run, or compare states; see
 * watch.h.
 */
#include "config.h"

#include "watch.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "escape.h"
#include "live.h"
#include "message.h"
#include "report.h"
#include "settings.h"

/* ---- arguments ---- */

static bool is_number(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* The only argument, a process ID; 0 after a message. */
static pid_t only_process(const char *command, char **arguments)
{
	long pid = *arguments && is_number(*arguments) && !arguments[1] ?
		strtol(*arguments, NULL, 10) : 0;

	if (pid > 0 && pid <= INT32_MAX)
		return pid;
	message("%s: give one process ID", command);
	return 0;
}

static bool open_process(struct heap_file *file, pid_t pid, bool ask)
{
	if (live_open(file, pid, ask))
		return true;
	if (errno == ENOENT)
		message("process %d is not being counted, or not yours",
			(int)pid);
	else if (errno == EINVAL)
		message("process %d is counted by another version",
			(int)pid);
	else
		message_errno("process %d", (int)pid);
	return false;
}

/* A state file, or a running process. */
static bool open_any(struct heap_file *file, const char *name)
{
	if (is_number(name) && access(name, F_OK))
		return open_process(file, strtol(name, NULL, 10), false);
	if (heap_file_open(file, name))
		return true;
	if (errno == EINVAL)
		message("%s: not a state file", name);
	else
		message_errno("%s", name);
	return false;
}

static bool out_of_memory(void)
{
	message("out of memory");
	return false;
}

static void forget(struct heap_file *files, size_t count)
{
	struct file_list names = { 0 };

	for (size_t i = 0; i < count; i++)
		heap_file_close(&files[i]);
	file_list_free(&names);
}

/* ---- list ---- */

static FILE *list_out;
static bool list_begun;

static void print_command(const struct heap_state *state)
{
	const char *end = state->command + sizeof(state->command) - 1;
	char text[512];

	for (const char *at = state->command; at < end && *at;
	     at += strnlen(at, end - at) + 1) {
		escape(text, sizeof(text), at, strnlen(at, end - at), "");
		fprintf(list_out, " %s", text);
	}
	putc('\n', list_out);
}

static bool list_one(pid_t pid, const char *path)
{
	struct heap_file file;
	uint64_t live = 0, allocations = 0;

	(void)path;
	if (!live_open(&file, pid, false))
		return true;
	for (size_t i = 0; i < file.count; i++) {
		const struct heap_total *total = &file.totals[i];

		if (total->site->kind != HEAP_KIND_MALLOC ||
		    total->site->flags & HEAP_SITE_INHERITED)
			continue;
		allocations += total->allocations;
		live += total->bytes - total->freed;
	}
	if (!list_begun)
		fprintf(list_out, "%8s %14s %12s %14s  %s\n", "process",
			"live bytes", "allocations", "resident", "command");
	list_begun = true;
	fprintf(list_out, "%8d %14" PRIu64 " %12" PRIu64 " %14" PRIu64 " ",
		(int)pid, live, allocations, file.resident);
	print_command(file.state);
	heap_file_close(&file);
	return true;
}

int watch_list(char **arguments)
{
	if (*arguments) {
		message("list: it takes no argument");
		return EXIT_FAILURE;
	}
	live_clean();
	list_out = settings.output ? fopen(settings.output, "w") : stdout;
	if (!list_out) {
		message_errno("%s", settings.output);
		return EXIT_FAILURE;
	}
	live_each(list_one);
	if (!list_begun)
		message("no process is being counted");
	return fclose(list_out) ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* ---- top ---- */

/* Rows of a terminal that are no locations: head, sums and notes. */
enum { OTHER_LINES = 8 };

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	(void)number;
	interrupted = 1;
}

static struct timespec time_of(double seconds)
{
	struct timespec time = { .tv_sec = (time_t)seconds };

	time.tv_nsec = (seconds - (double)time.tv_sec) * 1e9;
	return time;
}

/* Keys come one by one, and unseen. */
static bool set_terminal(struct termios *saved)
{
	const struct sigaction action = { .sa_handler = on_signal };
	struct termios raw;

	if (tcgetattr(STDIN_FILENO, saved))
		return false;
	raw = *saved;
	raw.c_lflag &= ~(ICANON | ECHO);
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

/* False: the user has had enough. */
static bool wait_for_key(double seconds, bool keys)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec time = time_of(seconds);
	char key;

	if (ppoll(&in, keys, &time, NULL) <= 0)
		return !interrupted;
	return read(STDIN_FILENO, &key, 1) == 1 && key != 'q' && key != 'Q';
}

/* As much of a text as there is room for. */
static void show_screen(const char *text, const struct winsize *size)
{
	fputs("\033[H", stdout);
	for (unsigned line = 1; *text && line < size->ws_row; line++) {
		int length = strcspn(text, "\n");

		printf("%.*s\033[K\n",
		       length < size->ws_col ? length : size->ws_col, text);
		text += length + (text[length] == '\n');
	}
	fputs("\033[J", stdout);
	fflush(stdout);
}

static bool show_process(const struct heap_file *file, FILE *out,
			 unsigned lines)
{
	enum column sort = report_sort(COLUMN_LIVE_BYTES);
	struct table table;
	bool done = table_make(&table, file, sort, settings.min);
	size_t room = lines > OTHER_LINES ? lines - OTHER_LINES : 1;

	if (!done)
		out_of_memory();
	else if (lines && table.count > room) {
		table.hidden += table.count - room;
		table.count = room;
	}
	if (done)
		report_table(out, file, &table, sort);
	table_free(&table);
	return done;
}

static bool show_on_terminal(const struct heap_file *file)
{
	struct winsize size = { 24, 80, 0, 0 };
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	bool done;

	if (!out)
		return out_of_memory();
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
	done = show_process(file, out, size.ws_row);
	fclose(out);
	if (done)
		show_screen(text, &size);
	free(text);
	return done;
}

static bool show_in_file(const struct heap_file *file)
{
	FILE *out = report_open(stdout);

	return out && show_process(file, out, 0) && report_close(out);
}

/* Until the process ends, or the looks have been had. */
static bool show_again(pid_t pid, bool terminal, bool keys)
{
	double interval = settings.interval ? settings.interval : 2;
	unsigned left = settings.count ? settings.count :
		terminal || settings.interval ? ~0u : 1;
	bool done = true;

	for (bool first = true; done && left; left--, first = false) {
		struct heap_file file;

		if (!first && !wait_for_key(interval, keys))
			break;
		if (first && !open_process(&file, pid, true))
			return false;
		if (!first && !live_open(&file, pid, true)) {
			message("process %d has ended", (int)pid);
			break;
		}
		done = terminal ? show_on_terminal(&file) :
			show_in_file(&file);
		heap_file_close(&file);
	}
	return done;
}

int watch_top(char **arguments)
{
	pid_t pid = only_process("top", arguments);
	bool terminal = isatty(STDOUT_FILENO) && !settings.output;
	struct termios saved;
	bool keys = false, done;

	if (!pid)
		return EXIT_FAILURE;
	if (terminal)
		keys = set_terminal(&saved);
	if (terminal)
		fputs("\033[2J", stdout);
	done = show_again(pid, terminal, keys);
	if (keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &saved);
	forget(NULL, 0);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- snapshot ---- */

/* PID-TIME.heap, or as the user wants it. */
static char *snapshot_path(pid_t pid, uint64_t taken)
{
	time_t seconds = taken / 1000000000;
	char when[32], *path;
	struct tm local;

	if (settings.output)
		return strdup(settings.output);
	localtime_r(&seconds, &local);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &local);
	if (asprintf(&path, "%d-%s.%03u" HEAP_STATE_SUFFIX, (int)pid, when,
		     (unsigned)(taken / 1000000 % 1000)) < 0)
		return NULL;
	return path;
}

int watch_snapshot(char **arguments)
{
	pid_t pid = only_process("snapshot", arguments);
	struct heap_file file;
	char *path;
	bool done;

	if (!pid || !open_process(&file, pid, true))
		return EXIT_FAILURE;
	path = snapshot_path(pid, file.taken);
	done = path && live_copy(&file, path);
	if (done)
		puts(path);
	else
		message_errno("%s", path ? path : "no memory");
	free(path);
	forget(&file, 1);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* ---- diff, leaks ---- */

static double seconds_between(const struct heap_file *before,
			      const struct heap_file *after)
{
	if (!before->taken || after->taken < before->taken)
		return 0;
	return (after->taken - before->taken) / 1e9;
}

/* From one state to another, sorted but not cut. */
static bool make_growth(struct table *growth, const struct heap_file *before,
			const struct heap_file *after, uint64_t min)
{
	enum column sort = report_sort(COLUMN_LIVE_BYTES);
	struct table old, new = { 0 };
	bool done = table_make(&old, before, sort, 0) &&
		table_make(&new, after, sort, 0) &&
		table_growth(growth, &old, &new, sort, min);

	table_free(&old);
	table_free(&new);
	if (!done)
		return out_of_memory();
	growth->seconds = seconds_between(before, after);
	return true;
}

static bool print_growth(const struct heap_file *file,
			 const struct table *growth)
{
	FILE *out = report_open(stdout);

	if (!out)
		return false;
	report_table(out, file, growth, report_sort(COLUMN_LIVE_BYTES));
	return report_close(out);
}

static bool is_foldable(const char *command)
{
	if (strcmp(settings.format->name, "folded"))
		return true;
	message("%s: growth has no stacks", command);
	return false;
}

int watch_diff(char **arguments)
{
	struct heap_file files[2] = { { 0 } };
	struct table growth = { 0 };
	bool done = is_foldable("diff");

	if (!arguments[0] || !arguments[1] || arguments[2]) {
		message("diff: give two state files or process IDs");
		return EXIT_FAILURE;
	}
	done = done && open_any(&files[0], arguments[0]) &&
		open_any(&files[1], arguments[1]) &&
		make_growth(&growth, &files[0], &files[1], settings.min) &&
		print_growth(&files[1], &growth);
	table_free(&growth);
	forget(files, 2);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static bool open_files(struct heap_file *files, char **names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!open_any(&files[i], names[i]))
			return false;
	return true;
}

static bool look_often(struct heap_file *files, pid_t pid, size_t count)
{
	struct timespec wait = time_of(settings.interval ?
				       settings.interval : 2);

	for (size_t i = 0; i < count; i++) {
		if (i)
			nanosleep(&wait, NULL);
		if (!open_process(&files[i], pid, false))
			return false;
		if (files[i].state->start == files[0].state->start)
			continue;
		message("process %d has executed another program", (int)pid);
		return false;
	}
	return true;
}

/* What has grown in each step, by what it has grown in all. */
static bool print_leaks(const struct heap_file *files, size_t count)
{
	struct table growth = { 0 }, step = { 0 };
	bool done = make_growth(&growth, files, &files[count - 1],
				settings.min);

	for (size_t i = 1; done && i < count; i++) {
		done = make_growth(&step, &files[i - 1], &files[i], 0);
		if (done)
			table_keep_growing(&growth, &step);
		table_free(&step);
	}
	if (done)
		done = print_growth(files, &growth);
	if (done && !growth.count)
		message("no location's live bytes have grown each time");
	table_free(&growth);
	return done;
}

int watch_leaks(char **arguments)
{
	size_t given = 0, count;
	struct heap_file *files;
	bool done = is_foldable("leaks");

	while (arguments[given])
		given++;
	count = given > 1 ? given : settings.count ? settings.count : 5;
	if (!given || count < 2) {
		message("leaks: give a process ID and at least two looks, "
			"or at least two state files");
		return EXIT_FAILURE;
	}
	files = calloc(count, sizeof(*files));
	if (!files)
		return out_of_memory() ? EXIT_SUCCESS : EXIT_FAILURE;
	if (given > 1)
		done = done && open_files(files, arguments, count);
	else
		done = done && only_process("leaks", arguments) &&
			look_often(files, only_process("leaks", arguments),
				   count);
	done = done && print_leaks(files, count);
	forget(files, count);
	free(files);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}
