/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-exec COUNT [zombie]: a process with several threads, one of which
 * executes the program anew with COUNT - 1; with zombie, its leader has ended
 * before.  At 0 it exits with status 42.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static char **arguments;
static int count;

static void *idle(void *unused)
{
	(void)unused;
	for (;;)
		pause();
	return NULL;
}

/* Always in and out of a call when the exec comes. */
static void *busy(void *unused)
{
	(void)unused;
	for (;;)
		syscall(SYS_getppid);
	return NULL;
}

static void *execute(void *unused)
{
	char text[16];

	(void)unused;
	snprintf(text, sizeof(text), "%d", count - 1);
	arguments[1] = text;
	execv(*arguments, arguments);
	perror("execv");
	_exit(1);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	if (argc < 2)
		return 2;
	count = atoi(argv[1]);
	if (!count)
		return 42;
	arguments = argv;
	pthread_create(&thread, NULL, idle, NULL);
	pthread_create(&thread, NULL, busy, NULL);
	pthread_create(&thread, NULL, execute, NULL);
	if (argc > 2)
		pthread_exit(NULL);
	busy(NULL);
}
