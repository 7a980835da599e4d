/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tracer-heap: which lines of a program allocate, and what is still alive.
 * It runs a command under the preloaded library, and prints what the state
 * files of its processes say; here is the command line.
 */
#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "live.h"
#include "message.h"
#include "report.h"
#include "settings.h"
#include "watch.h"

struct settings settings = {
	.format = formats,
	.sort = -1,
	.run.follow = true,
};

/* ---- options ---- */

static void usage(FILE *out)
{
	fprintf(out, "\
Usage: %s [options] command [argument...]\n\
       %s [options] report file...\n\
       %s [options] list\n\
       %s [options] top|leaks|snapshot process-ID\n\
       %s [options] diff|leaks file-or-process-ID...\n\
\n\
Counts what a command allocates, by the line that does, and reports at its\n\
end, or from state files (of --keep) or processes that are being counted:\n\
  list      which those are\n\
  top       what one has now, again and again in a terminal\n\
  snapshot  write its state to a file, which is then named\n\
  diff      what has grown from one state to another\n\
  leaks     what has grown whenever one looked\n\
\n\
  -o, --output=FILE    write the report there, not to standard error; %%p is\n\
                       the process ID, and makes a file for each process\n\
      --format=FORMAT  text, json, csv, or folded, for flame graphs\n\
      --sort=COLUMN    bytes, allocations, frees, live-bytes, live-blocks,\n\
                       mean-life or max-life\n\
      --min=NUMBER     leave out what is less in that column; K, M, G\n\
      --stacks[=N]     whole stacks, of at most N frames (128): those of an\n\
                       interpreter's language, and of sampled allocations\n\
      --sample=BYTES   one sample in so many bytes (512K)\n\
      --sample-only    estimate all from samples: cheaper still\n\
      --follow=yes|no  count child processes too (default: yes)\n\
      --keep=DIR       keep the state files there\n\
      --interval=SECONDS, --count=NUMBER\n\
                       of looks, for top (2 seconds, until it ends) and leaks\n\
                       (2 seconds, 5 looks)\n\
  -h, --help           this\n\
  -V, --version        the version\n",
		program_invocation_short_name, program_invocation_short_name,
		program_invocation_short_name, program_invocation_short_name,
		program_invocation_short_name);
}

__attribute__((noreturn))
static void bad_usage(const char *option, const char *value)
{
	message("%s: invalid value '%s'", option, value);
	fprintf(stderr, "Try '%s -h' for more information.\n",
		program_invocation_name);
	exit(EXIT_FAILURE);
}

static uint64_t parse_size(const char *option, const char *value)
{
	static const char units[] = "KMGT";
	const char *unit;
	char *end;
	uint64_t number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (errno || end == value || *value == '-')
		bad_usage(option, value);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit) {
		unsigned shift = 10 * (unit - units + 1);

		if (number > UINT64_MAX >> shift)
			bad_usage(option, value);
		number <<= shift;
		end++;
		if (!strcmp(end, "iB"))
			end += 2;
	}
	if (*end)
		bad_usage(option, value);
	return number;
}

/* A number from 1 on. */
static uint64_t parse_positive(const char *option, const char *value,
			       uint64_t most)
{
	uint64_t number = parse_size(option, value);

	if (!number || number > most)
		bad_usage(option, value);
	return number;
}

static double parse_seconds(const char *value)
{
	char *end;
	double seconds = strtod(value, &end);

	if (end == value || *end || !(seconds >= 0.01 && seconds <= 1e6))
		bad_usage("--interval", value);
	return seconds;
}

static enum column parse_column(const char *value)
{
	for (int i = 0; i < COLUMN_COUNT; i++) {
		const char *name = column_names[i], *at = value;

		while (*name && (*at == *name || (*at == '-' && *name == '_')))
			at++, name++;
		if (!*name && !*at)
			return i;
	}
	bad_usage("--sort", value);
}

static const struct format *parse_format(const char *value)
{
	const struct format *format = formats;

	while (format->name && strcmp(format->name, value))
		format++;
	if (!format->name)
		bad_usage("--format", value);
	return format;
}

static bool parse_follow(const char *value)
{
	if (strcmp(value, "yes") && strcmp(value, "no"))
		bad_usage("--follow", value);
	return *value == 'y';
}

static void parse_options(int argc, char **argv)
{
	enum {
		FORMAT = 256, SORT, MIN, FOLLOW, KEEP, STACKS, SAMPLE,
		SAMPLE_ONLY, INTERVAL, COUNT,
	};
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "format", required_argument, NULL, FORMAT },
		{ "sort", required_argument, NULL, SORT },
		{ "min", required_argument, NULL, MIN },
		{ "follow", required_argument, NULL, FOLLOW },
		{ "keep", required_argument, NULL, KEEP },
		{ "stacks", optional_argument, NULL, STACKS },
		{ "sample", required_argument, NULL, SAMPLE },
		{ "sample-only", no_argument, NULL, SAMPLE_ONLY },
		{ "interval", required_argument, NULL, INTERVAL },
		{ "count", required_argument, NULL, COUNT },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};

	for (;;) {
		switch (getopt_long(argc, argv, "+o:hV", options, NULL)) {
		case -1:
			return;
		case 'o':
			settings.output = optarg;
			break;
		case FORMAT:
			settings.format = parse_format(optarg);
			break;
		case SORT:
			settings.sort = parse_column(optarg);
			break;
		case MIN:
			settings.min = parse_size("--min", optarg);
			break;
		case FOLLOW:
			settings.run.follow = parse_follow(optarg);
			break;
		case KEEP:
			settings.keep = optarg;
			break;
		case STACKS:
			settings.run.stacks = optarg ?
				parse_positive("--stacks", optarg, 256) : 128;
			break;
		case SAMPLE:
			settings.run.sample =
				parse_positive("--sample", optarg, 1ull << 40);
			break;
		case INTERVAL:
			settings.interval = parse_seconds(optarg);
			break;
		case COUNT:
			settings.count = parse_positive("--count", optarg,
							1000000);
			break;
		case SAMPLE_ONLY:
			settings.run.sample_only = true;
			break;
		case 'h':
			usage(stdout);
			exit(EXIT_SUCCESS);
		case 'V':
			printf("tracer-heap %s\n", PACKAGE_VERSION);
			exit(EXIT_SUCCESS);
		default:
			fprintf(stderr, "Try '%s -h' for more information.\n",
				program_invocation_name);
			exit(EXIT_FAILURE);
		}
	}
}

/* ---- a command ---- */

static char *state_directory(void)
{
	if (!settings.keep)
		return live_make_directory();
	if (mkdir(settings.keep, 0700) && errno != EEXIST)
		return NULL;
	return realpath(settings.keep, NULL);
}

/* As the command ended. */
static int end_like(int status)
{
	static const struct rlimit no_core;

	if (!WIFSIGNALED(status))
		return WEXITSTATUS(status);
	setrlimit(RLIMIT_CORE, &no_core);
	signal(WTERMSIG(status), SIG_DFL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static bool has_pid(const struct file_list *list, pid_t pid)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->files[i].state->pid == pid)
			return true;
	return false;
}

static int count_command(char **command)
{
	char *library = run_find_library(), *directory;
	struct file_list list = { 0 };
	bool ran, reported = false;
	int status = 0;
	pid_t pid = 0;

	live_clean();
	directory = state_directory();
	if (!library || !directory) {
		message("%s", library ? "no directory for the counters" :
			"libtracer-heap.so is not where it was installed");
		free(library);
		free(directory);
		return EXIT_FAILURE;
	}
	ran = run_command(command, library, directory, &settings.run, &pid,
			  &status);
	file_list_add_directory(&list, directory);
	if (ran) {
		if (!has_pid(&list, pid))
			message("%s was not counted: %s", *command,
				run_explain(*command));
		reported = report_files(&list);
	}
	if (!settings.keep)
		live_remove_directory(directory);
	file_list_free(&list);
	free(library);
	free(directory);
	if (!ran)
		return 127;
	return WIFEXITED(status) && !WEXITSTATUS(status) && !reported ?
		EXIT_FAILURE : end_like(status);
}

/* ---- the other form ---- */

static int report(char **paths)
{
	struct file_list list = { 0 };
	bool done = *paths;

	if (!done)
		message("report: no state file is given");
	for (; *paths; paths++) {
		struct stat status;

		if (!stat(*paths, &status) && S_ISDIR(status.st_mode) ?
		    file_list_add_directory(&list, *paths) :
		    file_list_add(&list, *paths))
			continue;
		if (errno == EINVAL)
			message("%s: not a state file", *paths);
		else
			message_errno("%s", *paths);
		done = false;
	}
	if (list.count)
		done &= report_files(&list);
	file_list_free(&list);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

static const struct {
	const char *name;
	int (*run)(char **arguments);
} commands[] = {
	{ "report", report },
	{ "list", watch_list },
	{ "top", watch_top },
	{ "snapshot", watch_snapshot },
	{ "diff", watch_diff },
	{ "leaks", watch_leaks },
};

int main(int argc, char **argv)
{
	parse_options(argc, argv);
	if (optind == argc) {
		message("no command is given");
		fprintf(stderr, "Try '%s -h' for more information.\n",
			program_invocation_name);
		return EXIT_FAILURE;
	}
	/* Behind --, a name is that of a program. */
	for (size_t i = 0; strcmp(argv[optind - 1], "--") &&
	     i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(argv[optind], commands[i].name))
			return commands[i].run(argv + optind + 1);
	return count_command(argv + optind);
}
