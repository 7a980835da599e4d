/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a library in all programs must live through.  The argument says what;
 * the program tells what it saw, and fails if it saw anything that it would not
 * see by itself.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- signals in the middle of malloc ---- */

static _Atomic unsigned hits, handled;

/* It does what a handler may: system calls, memory among them. */
static void on_timer(int number)
{
	void *memory = mmap(NULL, 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	(void)number;
	hits++;
	if (memory != MAP_FAILED && !munmap(memory, 8192))
		handled++;
}

static void *allocates(void *argument)
{
	void *blocks[64] = { NULL };
	unsigned *count = argument;

	while (hits < 300 || *count < 100000) {
		unsigned at = *count % 64;

		free(blocks[at]);
		blocks[at] = malloc(at * 10 + 1);
		++*count;
	}
	for (int i = 0; i < 64; i++)
		free(blocks[i]);
	return NULL;
}

static int signals(void)
{
	const struct itimerval often = { { 0, 500 }, { 0, 500 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action = { .sa_handler = on_timer };
	unsigned counts[2] = { 0, 0 };
	pthread_t thread;

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	pthread_create(&thread, NULL, allocates, &counts[0]);
	allocates(&counts[1]);
	pthread_join(thread, NULL);
	setitimer(ITIMER_REAL, &never, NULL);
	dprintf(1, "%u %u\n", counts[0] + counts[1], handled);
	return hits != handled;
}

/* ---- no memory ---- */

static unsigned takes_all(void **first, size_t size)
{
	unsigned count = 0;
	void **block;

	/* Each one has the address of the one before. */
	while ((block = malloc(size))) {
		*block = *first;
		*first = block;
		count++;
	}
	return count;
}

static void gives_all(void *block)
{
	while (block) {
		void *before = *(void **)block;

		free(block);
		block = before;
	}
}

static int exhausts(void)
{
	struct rlimit limit = { 600 << 20, 600 << 20 };
	void *blocks = NULL;
	unsigned count;

	setrlimit(RLIMIT_AS, &limit);
	count = takes_all(&blocks, 1 << 20);
	if (errno != ENOMEM || count < 50 || calloc(1, 100 << 20))
		return 1;
	count += takes_all(&blocks, 5000);
	gives_all(blocks);
	dprintf(1, "%u\n", count);
	return 0;
}

/* ---- more places than there is room for ---- */

/* A function for each: mov $24, %edi; movabs $malloc, %rax; jump behind. */
static int places(unsigned count)
{
#ifdef __x86_64__
	enum { SIZE = 32 };
	static const uint8_t code[SIZE] = {
		0x48, 0x83, 0xec, 0x08,		/* sub $8, %rsp */
		0xbf, 24, 0, 0, 0,		/* mov $24, %edi */
		0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0,	/* mov $x, %rax */
		0xff, 0xd0,			/* call *%rax */
		0x48, 0x83, 0xc4, 0x08,		/* add $8, %rsp */
		0xc3,				/* ret */
	};
	void *(*function)(size_t) = malloc;
	uint8_t *memory = mmap(NULL, (size_t)count * SIZE,
			       PROT_READ | PROT_WRITE | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return 1;
	for (unsigned i = 0; i < count; i++) {
		uint8_t *at = memory + (size_t)i * SIZE;

		memcpy(at, code, SIZE);
		memcpy(at + 11, &function, sizeof(function));
		free(((void *(*)(void))(void *)at)());
	}
#else
	(void)count;
#endif
	return 0;
}

/* ---- children by other ways than fork ---- */

extern char **environ;

static int spawns(char *program)
{
	char *arguments[] = { program, "nothing", NULL };
	pid_t pid;
	int status;

	free(malloc(10));
	if (posix_spawn(&pid, program, NULL, NULL, arguments, environ) ||
	    waitpid(pid, &status, 0) != pid || status)
		return 1;
	pid = vfork();
	if (!pid) {
		execv(program, arguments);
		_exit(1);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		return 1;
	free(malloc(20));
	return system("exit 3") != 3 << 8;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "signals"))
		return signals();
	if (!strcmp(what, "exhausts"))
		return exhausts();
	if (!strcmp(what, "places"))
		return places(140000);
	if (!strcmp(what, "spawns"))
		return spawns(argv[0]);
	if (!strcmp(what, "nothing"))
		free(malloc(30));
	return 0;
}
