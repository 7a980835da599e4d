/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Some calls with known values, for tests of options.  With the argument
 * "env" it shows its name and environment instead; with "alone" it makes no
 * child, whose signal comes at any time.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void handle(int signo)
{
	(void)signo;
}

static int show_environment(const char *name)
{
	const char *added = getenv("TRACER_TEST_ADDED");
	const char *removed = getenv("TRACER_TEST_REMOVED");

	printf("%s %s %s %d\n", name, added ? added : "-",
	       removed ? removed : "-", (int)getuid());
	return 0;
}

int main(int argc, char **argv)
{
	static const char bytes[] = "tab\t\303\251\0017<";
	static const char many[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	struct timespec pause = { 0, 50000000 };
	struct stat st;
	pid_t child;
	int fd;

	if (argc > 1 && !strcmp(argv[1], "env"))
		return show_environment(argv[0]);
	fd = open("/dev/null", O_RDWR);
	if (write(fd, bytes, 9) != 9 || write(fd, many, 40) != 40)
		return 1;
	if (chdir("/nonexistent/directory") != -1 || errno != ENOENT)
		return 1;
	syscall(SYS_fstat, fd, &st);
	signal(SIGUSR1, handle);
	kill(getpid(), SIGUSR1);
	nanosleep(&pause, NULL);
	if (argc > 1)
		return 5;
	child = fork();
	if (child == 0)
		_exit(3);
	waitpid(child, NULL, 0);
	return 5;
}
