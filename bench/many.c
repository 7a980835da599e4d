/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * COUNT "processes" or "threads" that are all there at once, each with a stack
 * of 30 frames under its calls: what many of them take of a tracer's memory.
 * Says when all are there, and goes on at the end of its input.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEPTH = 30, CALLS = 3, STACK = 1 << 16 };

static int ready[2], go[2];

/* Tells that it is there, and waits until all are. */
static void work(void)
{
	char byte;

	for (int i = 0; i < CALLS; i++)
		access("/", F_OK);
	if (write(ready[1], "", 1) != 1 || read(go[0], &byte, 1) < 0)
		abort();
}

/* The barrier keeps it from becoming a loop. */
__attribute__((noinline)) static void deeper(int depth)
{
	if (depth)
		deeper(depth - 1);
	else
		work();
	__asm__ volatile("" ::: "memory");
}

static void *thread(void *unused)
{
	deeper(DEPTH - 4);
	return unused;
}

static void start(const char *what)
{
	pthread_attr_t attributes;
	pthread_t id;

	if (strcmp(what, "threads")) {
		if (!fork()) {
			close(go[1]);
			thread(NULL);
			_exit(0);
		}
		return;
	}
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&id, &attributes, thread, NULL))
		abort();
}

int main(int argc, char **argv)
{
	int count = argc == 3 ? atoi(argv[1]) : 0;
	char byte;

	if (!count || pipe(ready) || pipe(go))
		return 1;
	for (int i = 0; i < count; i++)
		start(argv[2]);
	for (int i = 0; i < count; i++)
		if (read(ready[0], &byte, 1) != 1)
			return 1;
	if (write(STDOUT_FILENO, "ready\n", 6) != 6)
		return 1;
	while (read(STDIN_FILENO, &byte, 1) > 0)
		;
	close(go[1]);
	while (wait(NULL) > 0)
		;
	return 0;
}
