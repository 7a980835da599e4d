/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A syscall storm: COUNT cheap system calls of mixed kinds, with nothing in
 * between, so that what is measured is the tracer.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char path[] = "/dev/null";

/* Eight calls: some without arguments, some with memory behind them. */
static void round_of_calls(int zero, int null)
{
	char buf[64];
	struct stat st;

	syscall(SYS_getppid);
	if (read(zero, buf, sizeof(buf)) != sizeof(buf))
		abort();
	if (write(null, buf, 16) != 16)
		abort();
	syscall(SYS_getuid);
	if (fstat(null, &st))
		abort();
	lseek(zero, 0, SEEK_CUR);
	if (access(path, R_OK))
		abort();
	syscall(SYS_gettid);
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	int zero = open("/dev/zero", O_RDONLY);
	int null = open(path, O_WRONLY);

	if (!count || zero < 0 || null < 0) {
		fprintf(stderr, "usage: storm COUNT\n");
		return 2;
	}
	for (unsigned long done = 0; done < count; done += 8)
		round_of_calls(zero, null);
	return 0;
}
