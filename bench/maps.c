/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Maps memory, reads a file into it and unmaps it, COUNT times, at the bottom
 * of a stack of 30 frames: what a mapping change costs the stacks after it.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { DEPTH = 30, SIZE = 8192 };

static void work(int zero)
{
	void *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || read(zero, memory, 64) != 64 ||
	    munmap(memory, SIZE))
		abort();
}

/* The barrier keeps it from becoming a loop. */
__attribute__((noinline)) static void deeper(int depth, int zero,
					     unsigned long count)
{
	if (depth)
		deeper(depth - 1, zero, count);
	else
		while (count--)
			work(zero);
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	int zero = open("/dev/zero", O_RDONLY);

	deeper(DEPTH - 4, zero, count);
	return 0;
}
