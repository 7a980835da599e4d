/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-ptrace: a debugger that is traced itself.  What it tries with itself
 * and with a child must fail as ptrace(2) says for a traced process, and do no
 * harm.  Exit status 0 if so.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int expect(const char *what, long result, int error)
{
	if (result == -1 && errno == error)
		return 0;
	fprintf(stderr, "%s: %ld, errno %d\n", what, result, errno);
	return 1;
}

int main(void)
{
	int wrong = 0, status;
	pid_t child;

	wrong += expect("PTRACE_TRACEME",
			ptrace(PTRACE_TRACEME, 0, NULL, NULL), EPERM);
	child = fork();
	if (!child) {
		pause();
		_exit(1);
	}
	wrong += expect("PTRACE_ATTACH",
			ptrace(PTRACE_ATTACH, child, NULL, NULL), EPERM);
	wrong += expect("PTRACE_SEIZE",
			ptrace(PTRACE_SEIZE, child, NULL, NULL), EPERM);
	wrong += expect("PTRACE_CONT",
			ptrace(PTRACE_CONT, child, NULL, NULL), ESRCH);
	kill(child, SIGTERM);
	if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status) ||
	    WTERMSIG(status) != SIGTERM)
		wrong++;
	return wrong;
}
