/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tracer-heap: which lines of a program allocate, and what is still alive.
 * It runs a command under the preloaded library, and prints what the state
 * files of its processes say; here is the command line.
 */
#include "config.h"

#include <dirent.h>
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

#include "symbols/intern.h"
#include "locate.h"
#include "message.h"
#include "print.h"
#include "run.h"
#include "table.h"

static struct {
	const struct format *format;
	const char *output;	/* NULL: standard error */
	const char *keep;	/* a directory of the user's for the states */
	enum column sort;
	uint64_t min;
	struct run_options run;
} settings = { .format = formats, .run.follow = true };

/* ---- options ---- */

static void usage(FILE *out)
{
	fprintf(out, "\
Usage: %s [options] command [argument...]\n\
       %s [options] report file...\n\
\n\
Counts what a command allocates, by the line that does, and reports at its end.\n\
The second form reports what state files (of --keep) say.\n\
\n\
  -o, --output=FILE    write the report there; %%p is the process ID, and makes\n\
                       a file for each process (default: standard error)\n\
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
  -h, --help           this\n\
  -V, --version        the version\n",
		program_invocation_short_name, program_invocation_short_name);
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
		SAMPLE_ONLY,
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
			settings.run.sample = parse_positive("--sample",
							     optarg, 1ull << 40);
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

/* ---- reports ---- */

/* One for each process: the path with its ID for %p. */
static char *output_path(pid_t pid)
{
	const char *mark = strstr(settings.output, "%p");
	char *path;

	if (asprintf(&path, "%.*s%d%s", (int)(mark - settings.output),
		     settings.output, (int)pid, mark + 2) < 0)
		return NULL;
	return path;
}

static bool is_per_process(void)
{
	return settings.output && strstr(settings.output, "%p");
}

static FILE *open_output(const char *path, const char *mode)
{
	FILE *file = path ? fopen(path, mode) : NULL;

	if (!file)
		message_errno("%s", path ? path : "no memory");
	return file;
}

static bool close_output(FILE *out, const char *path)
{
	bool failed = fflush(out) || ferror(out);

	if (out != stderr)
		failed |= fclose(out) != 0;
	if (failed)
		message_errno("%s", path ? path : "cannot write");
	return !failed;
}

static void begin(FILE *out)
{
	if (settings.format->begin)
		settings.format->begin(out);
}

static void end(FILE *out)
{
	if (settings.format->end)
		settings.format->end(out);
}

static bool report_one(FILE *out, const struct heap_file *file, bool first)
{
	struct table table;

	if (!table_make(&table, file, settings.sort, settings.min)) {
		message("out of memory");
		return false;
	}
	settings.format->process(out, file, &table, settings.sort, first);
	table_free(&table);
	return true;
}

/* A process that executes programs is one after another in its file. */
static bool report_per_process(struct heap_file *files, size_t count,
			       size_t first)
{
	pid_t pid = files[first].state->pid;
	char *path = output_path(pid);
	FILE *out = open_output(path, "w");
	bool done = out;

	if (out) {
		begin(out);
		for (size_t i = first; i < count; i++)
			if (files[i].state->pid == pid)
				done &= report_one(out, &files[i], i == first);
		end(out);
		done &= close_output(out, path);
	}
	free(path);
	return done;
}

static bool is_repeated(const struct heap_file *files, size_t index)
{
	for (size_t i = 0; i < index; i++)
		if (files[i].state->pid == files[index].state->pid)
			return true;
	return false;
}

static int compare_starts(const void *first, const void *second)
{
	const struct heap_file *a = first, *b = second;

	return (a->state->start > b->state->start) -
		(a->state->start < b->state->start);
}

/* In the order in which the processes began. */
static bool report_files(struct heap_file *files, size_t count)
{
	bool done = true;
	FILE *out;

	if (count)
		qsort(files, count, sizeof(*files), compare_starts);

	if (is_per_process()) {
		for (size_t i = 0; i < count; i++)
			if (!is_repeated(files, i))
				done &= report_per_process(files, count, i);
		return done;
	}
	out = settings.output ? open_output(settings.output, "w") : stderr;
	if (!out)
		return false;
	begin(out);
	for (size_t i = 0; i < count; i++)
		done &= report_one(out, &files[i], !i);
	end(out);
	return close_output(out, settings.output) && done;
}

struct file_list {
	struct heap_file *files;
	size_t count, capacity;
};

static bool add_file(struct file_list *list, const char *path)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity * 2 + 16;
		struct heap_file *more = realloc(list->files,
						 capacity * sizeof(*more));

		if (!more)
			return false;
		list->files = more;
		list->capacity = capacity;
	}
	if (!heap_file_open(&list->files[list->count], path))
		return false;
	list->count++;
	return true;
}

static void free_files(struct file_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		heap_file_close(&list->files[i]);
	free(list->files);
	locate_fini();
	intern_fini();
}

/* ---- a command ---- */

static const char *suffix_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot ? dot : "";
}

static bool add_directory(struct file_list *list, const char *directory,
			  bool discard)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	char *path;

	if (!dir)
		return false;
	while ((entry = readdir(dir))) {
		if (strcmp(suffix_of(entry->d_name), HEAP_STATE_SUFFIX))
			continue;
		if (asprintf(&path, "%s/%s", directory, entry->d_name) < 0)
			continue;
		/* One that was killed as it began has nothing to tell. */
		if (!add_file(list, path) && errno != EINVAL)
			message_errno("%s", path);
		if (discard)
			unlink(path);
		free(path);
	}
	closedir(dir);
	return true;
}

/* In memory if that is possible: pages need not be written back. */
static char *make_directory(void)
{
	const char *temporary = getenv("TMPDIR");
	const char *places[] = {
		"/dev/shm", temporary && *temporary ? temporary : "/tmp",
	};
	char *path;

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		if (asprintf(&path, "%s/tracer-heap.XXXXXX", places[i]) < 0)
			return NULL;
		if (mkdtemp(path))
			return path;
		free(path);
	}
	return NULL;
}

static char *state_directory(void)
{
	if (!settings.keep)
		return make_directory();
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
	char *library = run_find_library(), *directory = state_directory();
	struct file_list list = { 0 };
	bool ran, reported = false;
	int status = 0;
	pid_t pid = 0;

	if (!library || !directory) {
		message("%s", library ? "no directory for the counters" :
			"libtracer-heap.so is not where it was installed");
		free(library);
		free(directory);
		return EXIT_FAILURE;
	}
	ran = run_command(command, library, directory, &settings.run, &pid,
			  &status);
	add_directory(&list, directory, !settings.keep);
	if (!settings.keep)
		rmdir(directory);
	if (ran) {
		if (!has_pid(&list, pid))
			message("%s was not counted: %s", *command,
				run_explain(*command));
		reported = report_files(list.files, list.count);
	}
	free_files(&list);
	free(library);
	free(directory);
	if (!ran)
		return 127;
	return WIFEXITED(status) && !WEXITSTATUS(status) && !reported ?
		EXIT_FAILURE : end_like(status);
}

/* ---- the other form ---- */

static int report_paths(char **paths)
{
	struct file_list list = { 0 };
	bool done = *paths;

	if (!done)
		message("report: no state file is given");
	for (; *paths; paths++) {
		struct stat status;

		if (!stat(*paths, &status) && S_ISDIR(status.st_mode) ?
		    add_directory(&list, *paths, false) :
		    add_file(&list, *paths))
			continue;
		if (errno == EINVAL)
			message("%s: not a state file", *paths);
		else
			message_errno("%s", *paths);
		done = false;
	}
	if (list.count)
		done &= report_files(list.files, list.count);
	free_files(&list);
	return done ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
	parse_options(argc, argv);
	if (optind == argc) {
		message("no command is given");
		fprintf(stderr, "Try '%s -h' for more information.\n",
			program_invocation_name);
		return EXIT_FAILURE;
	}
	if (!strcmp(argv[optind], "report"))
		return report_paths(argv + optind + 1);
	return count_command(argv + optind);
}
