/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Starting the command.
 *
 * The child must not run a single call of the command's before it is under
 * trace.  So it reads from a socket until the tracer has seized it.  Nothing of
 * this is left in the command: the socket is closed on exec, no signal is used.
 */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "launch.h"
#include "message.h"
#include "options.h"
#include "parse.h"

/* ---- signals ---- */

void signals_save(struct signals *signals)
{
	sigprocmask(SIG_SETMASK, NULL, &signals->mask);
	for (int signo = 1; signo < _NSIG; signo++)
		/* fails for those that libc keeps to itself */
		if (sigaction(signo, NULL, &signals->actions[signo]) < 0)
			signals->actions[signo].sa_handler = SIG_DFL;
}

void signals_restore(const struct signals *signals)
{
	for (int signo = 1; signo < _NSIG; signo++)
		sigaction(signo, &signals->actions[signo], NULL);
	sigprocmask(SIG_SETMASK, &signals->mask, NULL);
}

/* ---- which program ---- */

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH);
}

/* Looks a name without a slash up in PATH. */
static bool search_path(const char *name, char *buf, size_t size)
{
	const char *dir = getenv("PATH");
	size_t len;

	if (!*name)
		return false;
	for (; dir; dir = dir[len] ? dir + len + 1 : NULL) {
		const char *where = dir;
		int where_len;
		int n;

		len = strcspn(dir, ":");
		where_len = (int)len;
		if (!len) {
			/* an empty entry: the working directory */
			where = ".";
			where_len = 1;
		}
		n = snprintf(buf, size, "%.*s/%s", where_len, where, name);
		if (n > 0 && (size_t)n < size && is_program(buf))
			return true;
	}
	return false;
}

static bool find_program(const char *name, char *buf, size_t size)
{
	struct stat st;

	if (!strchr(name, '/')) {
		if (search_path(name, buf, size))
			return true;
		message("Cannot find executable '%s'", name);
		return false;
	}
	if (stat(name, &st) < 0) {
		message_errno("Cannot stat '%s'", name);
		return false;
	}
	if (strlen(name) >= size) {
		errno = ENAMETOOLONG;
		message_errno("Cannot execute '%s'", name);
		return false;
	}
	strcpy(buf, name);
	return true;
}

/* ---- as which user ---- */

struct user {
	const char *name;	/* for its groups, or NULL: none */
	uid_t uid;
	gid_t gid;
};

/* NAME, or UID:GID as numbers. */
static bool find_user(const char *text, struct user *user)
{
	const char *colon = strchr(text, ':');
	struct passwd *pw;
	char uid_text[24];
	uint64_t uid, gid;

	if (colon) {
		snprintf(uid_text, sizeof(uid_text), "%.*s",
			 (int)(colon - text), text);
		/* -1 is no id: set*id would leave the old one. */
		if (!parse_number(uid_text, UINT32_MAX - 1, &uid) ||
		    !parse_number(colon + 1, UINT32_MAX - 1, &gid)) {
			message("Cannot parse UID:GID '%s'", text);
			return false;
		}
		*user = (struct user){ NULL, (uid_t)uid, (gid_t)gid };
		return true;
	}
	pw = getpwnam(text);
	if (!pw) {
		message("Cannot find user '%s'", text);
		return false;
	}
	*user = (struct user){ pw->pw_name, pw->pw_uid, pw->pw_gid };
	return true;
}

/* ---- the child ---- */

__attribute__((noreturn))
static void child_fails(const char *what)
{
	message_errno("%s", what);
	_exit(EXIT_FAILURE);
}

static void become_user(const struct user *user)
{
	if (user->name ? initgroups(user->name, user->gid)
		       : setgroups(0, NULL))
		child_fails("Cannot set groups");
	if (setregid(user->gid, user->gid) < 0)
		child_fails("Cannot set group");
	if (setreuid(user->uid, user->uid) < 0)
		child_fails("Cannot set user");
}

static void change_environment(const struct options *options)
{
	for (size_t i = 0; i < options->environment_count; i++) {
		char *variable = options->environment[i];

		if (strchr(variable, '=') ? putenv(variable)
					  : unsetenv(variable))
			child_fails("Cannot change the environment");
	}
}

__attribute__((noreturn))
static void child(const struct options *options, const char *program,
		  const struct user *user, const struct signals *signals,
		  int gate)
{
	char **argv = options->command;
	char byte;
	ssize_t n;

	if (options->argv0)
		argv[0] = (char *)(uintptr_t)options->argv0;
	if (user)
		become_user(user);
	change_environment(options);
	signals_restore(signals);
	do
		n = read(gate, &byte, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(EXIT_FAILURE);
	execve(program, argv, environ);
	child_fails("exec");
}

/* ---- the tracer's side ---- */

static int release_fd = -1;

pid_t launch(const struct options *options, const struct signals *signals)
{
	char program[PATH_MAX];
	struct user user = { 0 };
	int gate[2];
	pid_t pid;

	if (options->user && !find_user(options->user, &user))
		return -1;
	if (!find_program(options->command[0], program, sizeof(program)))
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, gate) < 0) {
		message_errno("socketpair");
		return -1;
	}
	pid = fork();
	if (pid < 0) {
		message_errno("fork");
		close(gate[0]);
		close(gate[1]);
		return -1;
	}
	if (pid == 0) {
		/* Else the tracer's death would not be seen. */
		close(gate[1]);
		child(options, program, options->user ? &user : NULL, signals,
		      gate[0]);
	}
	close(gate[0]);
	release_fd = gate[1];
	return pid;
}

bool launch_release(void)
{
	if (release_fd < 0)
		return false;
	/* This cannot block; if the child has died, wait tells. */
	send(release_fd, "", 1, MSG_NOSIGNAL);
	close(release_fd);
	release_fd = -1;
	return true;
}
