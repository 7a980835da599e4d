/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs a command; see run.h.
 */
#include "config.h"

#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "symbols/elf-file.h"
#include "message.h"

/* ---- the library ---- */

/* The places beside a program: in a build directory, and moved as a whole. */
static const char *const beside[] = {
	"heap/libtracer-heap.so",
	"../lib/tracer/libtracer-heap.so",
};

char *run_find_library(void)
{
	char program[4096], *path, *slash;
	ssize_t length = readlink("/proc/self/exe", program,
				  sizeof(program) - 1);

	program[length < 0 ? 0 : length] = '\0';
	slash = strrchr(program, '/');
	for (size_t i = 0; slash && i < sizeof(beside) / sizeof(*beside);
	     i++) {
		if (asprintf(&path, "%.*s/%s", (int)(slash - program),
			     program, beside[i]) < 0)
			return NULL;
		if (!access(path, R_OK))
			return path;
		free(path);
	}
	return access(HEAP_LIBRARY, R_OK) ? NULL : strdup(HEAP_LIBRARY);
}

/* ---- the command ---- */

static volatile sig_atomic_t child;

static void pass_on(int signal)
{
	if (child)
		kill(child, signal);
}

static const int passed_on[] = { SIGTERM, SIGHUP };
static const int ignored[] = { SIGINT, SIGQUIT };

/* The terminal sends these to the command, too: it decides. */
static void set_signals(void (*ignore)(int), void (*pass)(int))
{
	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], ignore);
	for (size_t i = 0; i < sizeof(passed_on) / sizeof(*passed_on); i++)
		signal(passed_on[i], pass);
}

static bool set_number(const char *name, uint64_t value)
{
	char text[24];

	if (!value)
		return !unsetenv(name);
	snprintf(text, sizeof(text), "%" PRIu64, value);
	return !setenv(name, text, 1);
}

static bool set_preload(const char *library)
{
	const char *others = getenv("LD_PRELOAD");
	char *preload;
	bool done;

	if (asprintf(&preload, "%s%s%s", library,
		     others && *others ? ":" : "", others ? others : "") < 0)
		return false;
	done = !setenv("LD_PRELOAD", preload, 1);
	free(preload);
	return done;
}

static bool set_environment(const char *library, const char *directory,
			    const struct run_options *options)
{
	return set_preload(library) &&
		!setenv("TRACER_HEAP_DIR", directory, 1) &&
		!setenv("TRACER_HEAP_FOLLOW", options->follow ? "yes" : "no",
			1) &&
		!setenv("TRACER_HEAP_SAMPLE_ONLY",
			options->sample_only ? "yes" : "no", 1) &&
		set_number("TRACER_HEAP_STACKS", options->stacks) &&
		set_number("TRACER_HEAP_SAMPLE", options->sample);
}

/* Tells by the pipe why it could not; a pipe that is closed tells nothing. */
static void execute(char **command, const char *library,
		    const char *directory, const struct run_options *options,
		    int pipe)
{
	int error;

	set_signals(SIG_DFL, SIG_DFL);
	if (set_environment(library, directory, options))
		execvp(*command, command);
	error = errno;
	if (write(pipe, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

bool run_command(char **command, const char *library, const char *directory,
		 const struct run_options *options, pid_t *pid, int *status)
{
	int ends[2], error;

	if (pipe2(ends, O_CLOEXEC)) {
		message_errno("pipe");
		return false;
	}
	set_signals(SIG_IGN, pass_on);
	*pid = fork();
	if (*pid < 0) {
		message_errno("fork");
		return false;
	}
	if (!*pid)
		execute(command, library, directory, options, ends[1]);
	child = *pid;
	close(ends[1]);
	if (read(ends[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(ends[0]);
	while (waitpid(*pid, status, 0) < 0 && errno == EINTR)
		continue;
	child = 0;
	if (!error)
		return true;
	errno = error;
	message_errno("cannot run %s", *command);
	return false;
}

/* ---- why nothing was counted ---- */

static int open_program(const char *command)
{
	const char *path = getenv("PATH");
	int fd = -1;

	if (strchr(command, '/'))
		return open(command, O_RDONLY | O_CLOEXEC);
	while (fd < 0 && path && *path) {
		size_t length = strcspn(path, ":");
		char *file;

		if (asprintf(&file, "%.*s/%s", (int)length, path, command) < 0)
			return -1;
		fd = open(file, O_RDONLY | O_CLOEXEC);
		free(file);
		path += length + (path[length] == ':');
	}
	return fd;
}

static bool has_interpreter(const struct elf_file *elf, const char *part)
{
	const Elf64_Phdr *segment = elf_segment(elf, PT_INTERP);
	char name[256] = "";

	if (!segment || segment->p_filesz >= sizeof(name) ||
	    !elf_read(elf, segment->p_offset, name, segment->p_filesz))
		return false;
	return strstr(name, part);
}

const char *run_explain(const char *command)
{
	int fd = open_program(command);
	const char *reason = "was the library kept from it?";
	struct elf_file elf, self;
	struct stat status;

	if (fd < 0)
		return "it cannot be read to tell why";
	if (!fstat(fd, &status) && status.st_mode & (S_ISUID | S_ISGID)) {
		close(fd);
		return "it is set-user-ID or set-group-ID";
	}
	if (!elf_open(&elf, fd))
		return "it is a script that an uncounted program runs";
	if (!elf_segment(&elf, PT_INTERP) &&
	    !elf_section_of_type(&elf, SHT_DYNAMIC))
		reason = "it is statically linked";
	else if (!elf_segment(&elf, PT_INTERP))
		reason = "it is statically linked (static-pie)";
	else if (has_interpreter(&elf, "ld-musl"))
		reason = "its C library is musl, and the library was built "
			 "for another";
	else if (elf_open(&self, open("/proc/self/exe",
				      O_RDONLY | O_CLOEXEC))) {
		if (self.machine != elf.machine || self.is64 != elf.is64)
			reason = "it is for another architecture";
		elf_close(&self);
	}
	elf_close(&elf);
	return reason;
}
