/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-signals COUNT: a child queues COUNT real-time signals to its parent,
 * which checks that each comes exactly once, in order, with its siginfo.  The
 * exit status is 0 if so.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int received, wrong;
static volatile pid_t child;

static void handler(int signo, siginfo_t *info, void *context)
{
	(void)context;
	if (signo != SIGRTMIN + 1 || info->si_code != SI_QUEUE ||
	    info->si_pid != child || info->si_uid != getuid() ||
	    info->si_value.sival_int != received + 1)
		wrong++;
	received++;
}

int main(int argc, char **argv)
{
	struct sigaction action = {
		.sa_sigaction = handler,
		.sa_flags = SA_SIGINFO | SA_RESTART,
	};
	int count = argc > 1 ? atoi(argv[1]) : 1;
	int gate[2], status;
	char byte;

	if (pipe(gate))
		return 2;
	sigaction(SIGRTMIN + 1, &action, NULL);
	child = fork();
	if (!child) {
		read(gate[0], &byte, 1);
		for (int i = 1; i <= count; i++) {
			union sigval value = { .sival_int = i };

			while (sigqueue(getppid(), SIGRTMIN + 1, value) < 0)
				if (errno != EAGAIN)
					_exit(1);
		}
		_exit(0);
	}
	write(gate[1], "", 1);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 3;
	if (status || received != count || wrong) {
		fprintf(stderr, "status %#x, received %d, wrong %d\n", status,
			received, wrong);
		return 1;
	}
	return 0;
}
