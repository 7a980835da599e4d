/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-busy: makes processes and threads of all kinds, which all make calls
 * without end.  Somebody has to kill it: all of it is one process group, and
 * dies with its first process.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void *calls(void *unused)
{
	const struct timespec shortly = { 0, 50000 };
	char buf[16];

	(void)unused;
	for (;;) {
		syscall(SYS_getppid);
		readlink("/proc/self/exe", buf, sizeof(buf));
		nanosleep(&shortly, NULL);
	}
	return NULL;
}

static void *forks(void *unused)
{
	(void)unused;
	for (;;) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
		pid = vfork();
		if (!pid) {
			execl("/bin/true", "true", NULL);
			_exit(1);
		}
		waitpid(pid, NULL, 0);
	}
	return NULL;
}

int main(void)
{
	pthread_t thread;

	setpgid(0, 0);
	for (int i = 0; i < 2; i++) {
		if (fork())
			continue;
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == 1)
			_exit(1);
		break;
	}
	pthread_create(&thread, NULL, calls, NULL);
	pthread_create(&thread, NULL, forks, NULL);
	calls(NULL);
}
