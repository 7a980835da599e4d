/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-stop COUNT: a child stops itself COUNT times; its parent sees each
 * stop by waitpid, finds that the child really stays stopped, and
 * continues it.  The exit status is 0 if all was so.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what, int status)
{
	fprintf(stderr, "%s: status %#x\n", what, status);
	exit(1);
}

int main(int argc, char **argv)
{
	static const int signals[] = { SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU };
	int count = argc > 1 ? atoi(argv[1]) : 1;
	volatile int *step;
	const struct timespec while_stopped = { 0, 3000000 };
	pid_t child;
	int status;

	step = mmap(NULL, sizeof(*step), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	child = fork();
	if (!child) {
		/*
		 * SIGTSTP stops nobody in an orphaned process group: one that
		 * has no parent in another group of the session.
		 */
		setpgid(0, 0);
		for (int i = 0; i < count; i++) {
			*step = 2 * i + 1;
			raise(signals[i % 4]);
			*step = 2 * i + 2;
		}
		_exit(7);
	}
	for (int i = 0; i < count; i++) {
		if (waitpid(child, &status, WUNTRACED) != child ||
		    !WIFSTOPPED(status) ||
		    WSTOPSIG(status) != signals[i % 4])
			fail("not stopped", status);
		nanosleep(&while_stopped, NULL);
		if (*step != 2 * i + 1)
			fail("runs while it is stopped", status);
		kill(child, SIGCONT);
	}
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
	    WEXITSTATUS(status) != 7 || *step != 2 * count)
		fail("not exited", status);
	return 0;
}
