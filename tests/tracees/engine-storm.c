/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls without end or pause.
 *
 *	engine-storm race PROCESSES MS	processes that make calls as fast as
 *					they can for a while; prints the least
 *					and the largest number that one made
 *	engine-storm file FILE MS	creates FILE, then makes calls
 *	engine-storm count COUNT	makes exactly that many
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static unsigned long call_until(long end)
{
	unsigned long count = 0;

	while (now_ms() < end) {
		syscall(SYS_getppid);
		count++;
	}
	return count;
}

static int race(int processes, long ms)
{
	unsigned long *counts = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned long least = -1UL, most = 0;
	long start = now_ms() + 200;

	for (int i = 0; i < processes; i++) {
		if (fork())
			continue;
		while (now_ms() < start)
			;
		counts[i] = call_until(start + ms);
		_exit(0);
	}
	while (wait(NULL) > 0)
		;
	for (int i = 0; i < processes; i++) {
		least = counts[i] < least ? counts[i] : least;
		most = counts[i] > most ? counts[i] : most;
	}
	printf("%lu %lu\n", least, most);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "race"))
		return race(atoi(argv[2]), atol(argv[3]));
	if (argc > 3 && !strcmp(argv[1], "file")) {
		close(open(argv[2], O_WRONLY | O_CREAT, 0666));
		call_until(now_ms() + atol(argv[3]));
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "count")) {
		for (int i = 0; i < atoi(argv[2]); i++)
			syscall(SYS_getppid);
		return 0;
	}
	return 2;
}
