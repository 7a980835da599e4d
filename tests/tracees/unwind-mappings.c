/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes system calls while memory is mapped and unmapped: by itself, by
 * another process ("fork"), or in many threads ("threads").
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "unwind.h"

enum { TIMES = 200, THREADS = 40 };

NOINLINE void map_and_unmap(void)
{
	void *at = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(at, 4096, PROT_READ);
	munmap(at, 8192);
}

NOINLINE void work(void)
{
	for (int i = 0; i < TIMES; i++)
		mark("mark:work");
}

NOINLINE void map(void)
{
	for (int i = 0; i < TIMES; i++)
		map_and_unmap();
}

static void *thread(void *unused)
{
	mark("mark:thread");
	return unused;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "fork")) {
		if (!fork()) {
			map();
			_exit(0);
		}
		work();
		wait(NULL);
	} else if (!strcmp(what, "threads")) {
		pthread_t threads[THREADS];

		for (int i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, thread, NULL);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
	}
	return 0;
}
