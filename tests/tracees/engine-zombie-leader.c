/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-zombie-leader: a process whose leading thread has ended, while two
 * others go on making calls until somebody kills it.
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void *work(void *unused)
{
	const struct timespec shortly = { 0, 1000000 };

	(void)unused;
	for (;;)
		nanosleep(&shortly, NULL);
	return NULL;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, work, NULL);
	pthread_create(&thread, NULL, work, NULL);
	puts("ready");
	fflush(stdout);
	pthread_exit(NULL);
}
