/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads COUNT times at the bottom of a stack of 30 frames, while another
 * process maps code and unmaps it as often ("maps"), or makes as many calls
 * that change no mapping ("idles"): what one process costs the stacks of
 * another.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { DEPTH = 30, SIZE = 8192 };

static void map(void)
{
	void *memory = mmap(NULL, SIZE, PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || munmap(memory, SIZE))
		abort();
}

static void idle(void)
{
	syscall(SYS_getppid);
	syscall(SYS_getppid);
}

static void work(int zero)
{
	char bytes[64];

	if (read(zero, bytes, sizeof(bytes)) != sizeof(bytes))
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
	unsigned long count = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
	bool maps = argc == 3 && !strcmp(argv[2], "maps");
	int zero = open("/dev/zero", O_RDONLY);
	pid_t child = fork();

	if (!child) {
		while (count--)
			(maps ? map : idle)();
		_exit(0);
	}
	deeper(DEPTH - 4, zero, count);
	return waitpid(child, NULL, 0) != child;
}
