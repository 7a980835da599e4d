/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-work THREADS: threads that make calls of many kinds until SIGTERM
 * comes, and check each result, so that whoever attaches and detaches
 * meanwhile had better leave no trace.  Says "ready" once all threads work; the
 * exit status is 0 if no call failed.
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t done, failed;
static unsigned long progress[64];

static void finish(int signo)
{
	(void)signo;
	done = 1;
}

static void fail(const char *what)
{
	if (!done) {
		perror(what);
		failed = 1;
	}
}

static void *work(void *arg)
{
	unsigned long *rounds = arg;
	const struct timespec time = { 0, 500000 };
	char buf[100], copy[100];
	int ends[2];

	if (pipe(ends))
		fail("pipe");
	memset(buf, 'x', sizeof(buf));
	while (!done) {
		if (nanosleep(&time, NULL) < 0)
			fail("nanosleep");
		if (write(ends[1], buf, sizeof(buf)) != sizeof(buf))
			fail("write");
		if (read(ends[0], copy, sizeof(copy)) != sizeof(copy) ||
		    memcmp(buf, copy, sizeof(buf)))
			fail("read");
		if (poll(NULL, 0, 1) != 0)
			fail("poll");
		for (int i = 0; i < 20; i++)
			if (syscall(SYS_getpid) != getpid())
				fail("getpid");
		++*rounds;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_t threads[64];

	signal(SIGTERM, finish);
	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, work, &progress[i]);
	for (int i = 0; i < count; i++)
		while (!*(volatile unsigned long *)&progress[i])
			usleep(1000);
	puts("ready");
	fflush(stdout);
	while (!done)
		usleep(1000);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	return failed;
}
