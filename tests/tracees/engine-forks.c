/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * engine-forks MODE [COUNT]: children of all kinds.  The exit status is 0 if
 * each did what it should.
 *
 *	many COUNT	short-lived children, one after the other
 *	vfork		a child that borrows the parent's memory for 200 ms
 *	clone COUNT	fork, vfork, clone and clone3 in turn, several at a time
 *	threads COUNT	short-lived threads
 *	outlive FILE	a grandchild that writes FILE when all others are gone
 *	tree COUNT	children that have children, COUNT levels, two each
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void sleep_ms(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	nanosleep(&time, NULL);
}

static int check(pid_t pid, int expected)
{
	int status;

	if (waitpid(pid, &status, __WALL) == pid && WIFEXITED(status) &&
	    WEXITSTATUS(status) == expected)
		return 0;
	fprintf(stderr, "child %d: status %#x\n", pid, status);
	return 1;
}

static int many(int count)
{
	int wrong = 0;

	for (int i = 0; i < count; i++) {
		pid_t pid = vfork();

		if (!pid)
			_exit(i % 100);
		wrong += check(pid, i % 100);
	}
	return wrong != 0;
}

static int long_vfork(void)
{
	volatile int shared = 0;
	pid_t pid = vfork();

	if (!pid) {
		sleep_ms(200);
		shared = 1;
		_exit(3);
	}
	return !shared || check(pid, 3);
}

static pid_t clone3_child(void)
{
	struct clone_args args = { .exit_signal = SIGCHLD };

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

static pid_t clone_child(void)
{
	/* no signal at its end: PTRACE_EVENT_CLONE */
	return (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, NULL);
}

static int all_kinds(int count)
{
	pid_t pids[4];
	int wrong = 0;

	while (count--) {
		for (int i = 0; i < 4; i++) {
			switch (i) {
			case 0:
				pids[i] = fork();
				break;
			case 1:
				pids[i] = vfork();
				break;
			case 2:
				pids[i] = clone_child();
				break;
			case 3:
				pids[i] = clone3_child();
				break;
			}
			if (!pids[i])
				_exit(10 + i);
		}
		for (int i = 0; i < 4; i++)
			wrong += check(pids[i], 10 + i);
	}
	return wrong != 0;
}

static void *thread(void *arg)
{
	return (void *)((uintptr_t)arg + (getppid() > 0));
}

static int threads(int count)
{
	for (int i = 0; i < count; i++) {
		pthread_t id;
		void *result;

		if (pthread_create(&id, NULL, thread, (void *)(uintptr_t)i) ||
		    pthread_join(id, &result) ||
		    (uintptr_t)result != (uintptr_t)i + 1)
			return 1;
	}
	return 0;
}

static int outlive(const char *path)
{
	if (fork())
		return 0;
	sleep_ms(300);
	close(open(path, O_WRONLY | O_CREAT, 0666));
	return 9;
}

static int tree(int levels)
{
	pid_t pids[2];

	if (!levels)
		return 0;
	for (int i = 0; i < 2; i++) {
		pids[i] = fork();
		if (!pids[i])
			_exit(tree(levels - 1));
	}
	return check(pids[0], 0) | check(pids[1], 0);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int count = argc > 2 ? atoi(argv[2]) : 1;

	if (!strcmp(mode, "many"))
		return many(count);
	if (!strcmp(mode, "vfork"))
		return long_vfork();
	if (!strcmp(mode, "clone"))
		return all_kinds(count);
	if (!strcmp(mode, "threads"))
		return threads(count);
	if (!strcmp(mode, "outlive"))
		return outlive(argv[2]);
	if (!strcmp(mode, "tree"))
		return tree(count);
	return 2;
}
