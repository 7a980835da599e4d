/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes random system calls:
 *
 *	random-calls SEED COUNT
 *
 * Numbers, arguments and the memory that they point to follow from SEED.  The
 * calls are made in batches, each in a child of its own, as a call may well
 * end its process or take away its memory; what waits is interrupted, and a
 * batch that hangs is killed.  A batch runs as nobody, in namespaces of its
 * own and in an empty directory as root, with small limits, so no harm is
 * done.  Exits with 77 where that cannot be had.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../vm/raw-call.h"

enum {
	SKIPPED = 77,
	NOBODY = 65534,
	BATCH = 40,		/* calls */
	PATIENCE = 1500,	/* milliseconds for a batch */
	ROOM = 1 << 16,
	LAST_NUMBER = 480,
};

/* At the same address in every run. */
#define MEMORY	((uint8_t *)0x20000000)

/* ---- random numbers (splitmix64) ---- */

static uint64_t state;

static uint64_t next(void)
{
	uint64_t z = state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static unsigned below(unsigned limit)
{
	return next() % limit;
}

/* ---- arguments and memory ---- */

static const int64_t special[] = {
	0, 1, 2, 3, 4, 7, 8, 12, 16, 24, 28, 31, 32, 33, 40, 48, 56, 64, 88,
	112, 120, 128, 136, 255, 256, 1024, 4095, 4096, 65535, 65536,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000,
	-1, -2, -4, -100, -4095, -4096, INT64_MAX, INT64_MIN,
};

static uint64_t number(void)
{
	switch (below(6)) {
	case 0:
		return special[below(sizeof(special) / sizeof(special[0]))];
	case 1:
		return 1ull << below(64);
	case 2:
		return below(64);
	case 3:
		return below(1 << 16);
	case 4:		/* three bits */
		return 1ull << below(32) | 1ull << below(32) | 1 << below(16);
	default:
		return next();
	}
}

static uint64_t address(void)
{
	switch (below(8)) {
	case 0:		/* its last bytes */
		return (uintptr_t)MEMORY + ROOM - below(64);
	case 1:		/* nowhere near it */
		return number();
	case 2:
		return (uintptr_t)MEMORY + below(ROOM);
	default:
		return (uintptr_t)MEMORY + below(ROOM / 16) * 16;
	}
}

static uint64_t argument(void)
{
	switch (below(4)) {
	case 0:
		return number();
	case 1:		/* a descriptor */
		return below(12);
	default:
		return address();
	}
}

/* Writes over a part of the memory. */
static void fill(unsigned words)
{
	const unsigned begin = below(ROOM / 8);

	for (unsigned i = 0; i < words; i++) {
		uint8_t *at = MEMORY + (begin + i) % (ROOM / 8) * 8;
		uint64_t value = below(3) ? number() : address();
		uint32_t pair[] = { number(), number() };

		switch (below(4)) {
		case 0:
			memset(at, 0, 8);
			break;
		case 1:
			memcpy(at, pair, 8);
			break;
		case 2:
			for (int k = 0; k < 8; k++)
				at[k] = ' ' + below(95);
			break;
		default:
			memcpy(at, &value, 8);
		}
	}
}

/* ---- calls ---- */

/*
 * What would only end the batch, or go on in a process that is not ours to
 * end.
 */
static const short excluded[] = {
	SYS_clone, SYS_clone3, SYS_vfork, SYS_exit, SYS_exit_group,
	SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo,
	SYS_rt_tgsigqueueinfo, SYS_pidfd_send_signal, SYS_rt_sigreturn,
	SYS_pause, SYS_request_key, SYS_setitimer, SYS_sync,
};

static long call_number(void)
{
	for (;;) {
		long nr = below(LAST_NUMBER);
		size_t i = 0;

		while (i < sizeof(excluded) / sizeof(excluded[0]) &&
		       excluded[i] != nr)
			i++;
		if (i < sizeof(excluded) / sizeof(excluded[0]))
			continue;
		/* x32's numbers: most kernels know none of them */
		if (below(16) == 0)
			return (nr < 64 ? nr + 512 : nr) | 0x40000000;
		return nr;
	}
}

static void interrupted(int signo)
{
	(void)signo;
}

static void open_descriptors(void)
{
	int pair[2];

	/* from 3 on; what fails leaves a gap that nobody minds */
	open("/", O_RDONLY | O_DIRECTORY);
	if (memfd_create("a file", 0) >= 0)
		socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair);
	epoll_create1(0);
	if (pipe2(pair, O_NONBLOCK) == 0)
		socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK, 0);
}

static void run_batch(uint64_t seed, unsigned count)
{
	const struct itimerval tick = {
		.it_interval = { 0, 20000 },
		.it_value = { 0, 20000 },
	};
	const struct sigaction action = { .sa_handler = interrupted };
	const pid_t self = getpid();

	state = seed;
	if (mmap(MEMORY, ROOM, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MEMORY)
		_exit(SKIPPED);
	open_descriptors();
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &tick, NULL);
	fill(ROOM / 8);
	for (unsigned i = 0; i < count; i++) {
		long args[6];
		long nr;

		fill(64);
		nr = call_number();
		for (int k = 0; k < 6; k++)
			args[k] = argument();
		raw_call(nr, args);
		if (getpid() != self)
			_exit(0);	/* a fork */
	}
	_exit(0);
}

/* ---- where no harm is done ---- */

static void limit(int resource, rlim_t value)
{
	const struct rlimit both = { value, value };

	setrlimit(resource, &both);
}

/* Enters the namespaces; their first process is yet to come. */
static void separate(void)
{
	const int spaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET |
			   CLONE_NEWIPC | CLONE_NEWUTS;

	if (unshare(spaces | (getuid() ? CLONE_NEWUSER : 0)) < 0)
		exit(SKIPPED);
}

static void confine(void)
{
	char directory[] = "/tmp/random-calls-XXXXXX";
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || !mkdtemp(directory) || chdir(directory) < 0 ||
	    rmdir(directory) < 0 || chroot(".") < 0)
		exit(SKIPPED);
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	closefrom(3);
	limit(RLIMIT_AS, 512 << 20);
	limit(RLIMIT_FSIZE, 1 << 20);
	limit(RLIMIT_MEMLOCK, 1 << 20);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_NOFILE, 64);
	limit(RLIMIT_NPROC, 64);
	if (getuid() == 0 &&
	    (setgroups(0, NULL) < 0 || setgid(NOBODY) < 0 ||
	     setuid(NOBODY) < 0))
		exit(SKIPPED);
}

/* Waits for the batch; kills it when it has had its time. */
static int end_batch(pid_t pid)
{
	const struct timespec moment = { 0, 2000000 };
	int status = 0;

	for (int ms = 0; ms < PATIENCE; ms += 2) {
		if (waitpid(pid, &status, WNOHANG | __WALL) == pid)
			return status;
		nanosleep(&moment, NULL);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, __WALL);
	return status;
}

static void run_batches(uint64_t seed, unsigned count)
{
	for (unsigned done = 0; done < count; done += BATCH) {
		pid_t pid = fork();
		int status;

		if (pid < 0)
			_exit(1);
		if (pid == 0)
			run_batch(seed * 1000003 + done, count - done < BATCH ?
				  count - done : BATCH);
		status = end_batch(pid);
		if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED)
			_exit(SKIPPED);
		/* forks that outlive it */
		kill(-1, SIGKILL);
		while (waitpid(-1, NULL, __WALL) > 0)
			;
	}
	_exit(0);
}

int main(int argc, char **argv)
{
	int status;
	pid_t pid;

	if (argc != 3)
		return 2;
	separate();
	pid = fork();
	if (pid < 0)
		return SKIPPED;
	if (pid == 0) {
		confine();
		run_batches(strtoull(argv[1], NULL, 0), atoi(argv[2]));
	}
	if (waitpid(pid, &status, 0) < 0)
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
