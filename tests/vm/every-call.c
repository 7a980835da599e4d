/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes every system call of its ABI, each in a child of its own:
 *
 *	every-call FIRST LAST ARGUMENT
 *
 * ARGUMENT is what all six arguments are: a number, "zeros" or "ones" for the
 * address of 64 KiB of such bytes, "edge" for an address at which 4 bytes are
 * readable, "words" for the address of the 32-bit words 1, 2, 3...
 *
 * Before the call, the child tells its number: close(1000000 + number).
 *
 * For a machine that may come to harm: some calls succeed.
 */
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "raw-call.h"

enum { ROOM = 1 << 16, PAGE = 4096, MARK = 1000000 };

/* At addresses that are the same in every run. */
#define BUFFER	((char *)0x20000000)
#define EDGE	((char *)0x21000000)

static char *map(char *at, size_t len)
{
	char *got = mmap(at, len, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (got != at)
		_exit(2);
	return got;
}

static long argument(const char *text)
{
	char *buffer;

	if (!strcmp(text, "edge"))
		return (long)map(EDGE, PAGE) + PAGE - 4;
	if (text[0] < 'a')
		return strtoul(text, NULL, 0);
	buffer = map(BUFFER, ROOM);
	if (!strcmp(text, "ones"))
		memset(buffer, 255, ROOM);
	if (!strcmp(text, "words"))
		for (int i = 0; i < ROOM / 4; i++)
			((uint32_t *)buffer)[i] = i + 1;
	return (long)buffer;
}

/*
 * Whether the call's child would run on our stack, or on one in our buffer,
 * where it faults for ever as the first process of a namespace.
 */
static int spoils(long nr, const char *text)
{
	return nr == (SYS_vfork & 0xfff) ||
	       (nr == (SYS_clone & 0xfff) && text[0] >= 'a');
}

int main(int argc, char **argv)
{
	const struct itimerval soon = { .it_value = { 0, 150000 } };
	int first, last, status;
	long a, args[6];

	if (argc != 4)
		return 2;
	first = atoi(argv[1]);
	last = atoi(argv[2]);
	a = argument(argv[3]);
	for (int i = 0; i < 6; i++)
		args[i] = a;
	for (int nr = first; nr <= last; nr++) {
		pid_t pid = -1;

		if (!spoils(nr, argv[3]))
			pid = fork();
		if (pid == 0) {
			/* what waits for ever is ended by SIGALRM */
			setitimer(ITIMER_REAL, &soon, NULL);
			close(MARK + nr);
			raw_call(nr, args);
			_exit(0);
		}
		if (pid > 0)
			waitpid(pid, &status, 0);
	}
	return 0;
}
