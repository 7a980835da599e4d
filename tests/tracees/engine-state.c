/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-state: prints what a program can see of how it was started, and
 * nothing that differs from run to run.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void show_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;

	while ((entry = readdir(dir))) {
		int fd = atoi(entry->d_name);
		struct stat st;

		if (*entry->d_name == '.' || fd == dirfd(dir))
			continue;
		fstat(fd, &st);
		printf("fd %d: type %o\n", fd, st.st_mode & S_IFMT);
	}
	closedir(dir);
}

static void show_signals(void)
{
	struct sigaction action;
	sigset_t set;

	sigprocmask(SIG_SETMASK, NULL, &set);
	for (int signo = 1; signo <= SIGRTMAX; signo++) {
		if (sigaction(signo, NULL, &action) < 0)
			continue;
		if (action.sa_handler == SIG_DFL && !sigismember(&set, signo))
			continue;
		printf("signal %d:%s%s\n", signo,
		       action.sa_handler == SIG_IGN ? " ignored" : "",
		       sigismember(&set, signo) ? " blocked" : "");
	}
	sigpending(&set);
	for (int signo = 1; signo <= SIGRTMAX; signo++)
		if (sigismember(&set, signo))
			printf("signal %d: pending\n", signo);
}

static void show_limits(void)
{
	struct rlimit limit;

	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (!getrlimit(i, &limit))
			printf("limit %d: %lu %lu\n", i,
			       (unsigned long)limit.rlim_cur,
			       (unsigned long)limit.rlim_max);
}

int main(int argc, char **argv)
{
	int death = 0;

	for (int i = 0; i < argc; i++)
		printf("argument %d: %s\n", i, i ? argv[i] : "");
	for (char **variable = environ; *variable; variable++)
		printf("environment: %s\n", *variable);
	show_descriptors();
	show_signals();
	show_limits();
	prctl(PR_GET_PDEATHSIG, &death);
	printf("death signal: %d\n", death);
	printf("dumpable: %d\n", prctl(PR_GET_DUMPABLE));
	printf("subreaper: %d\n", prctl(PR_GET_CHILD_SUBREAPER, &death));
	printf("no new privileges: %d\n",
	       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
	printf("nice: %d\n", getpriority(PRIO_PROCESS, 0));
	printf("group of its own: %d, session: %d\n", getpgrp() == getpid(),
	       getsid(0) == getpid());
	printf("children: %d\n", wait(NULL) < 0 && errno == ECHILD ? 0 : 1);
	printf("umask: %o\n", umask(0));
	return 0;
}
