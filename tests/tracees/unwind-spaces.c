/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes its mappings in all ways that there are, and makes system calls
 * after each.
 *
 *	unwind-spaces HOW LIBRARY...	opens each, calls its function, closes it
 *	unwind-spaces data		changes that are none of code
 *	unwind-spaces exec PROGRAM	a child that shares memory executes it
 *
 * HOW tells who opens and closes the libraries:
 *
 *	self		the thread itself
 *	thread		another thread
 *	process		a process that shares the memory
 *	untraced	the same, hidden from tracers
 *	vfork		the same, by vfork
 *	helper		the same, but one that is there all the time; waits for
 *			a line of input when that is ready
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/wait.h>

#include "unwind.h"

enum { TIMES = 20, PAGE = 4096 };

typedef void plugin_fn(const char *name);
typedef void *task_fn(void *argument);

static char stack[1 << 18] __attribute__((aligned(16)));

/* ---- who does it ---- */

struct task {
	task_fn *what;
	void *argument;
};

static int run_task(void *argument)
{
	struct task *task = argument;

	mark("mark:opener");
	task->what(task->argument);
	return 0;
}

static void in_process(struct task *task, int flags)
{
	/* The C library's state is the parent's, which waits meanwhile. */
	int pid = clone(run_task, stack + sizeof(stack),
			CLONE_VM | SIGCHLD | flags, task);

	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		abort();
}

static struct task helper_task;
static int to_helper[2], from_helper[2];

static int helper(void *unused)
{
	char byte;

	(void)unused;
	while (read(to_helper[0], &byte, 1) == 1 && helper_task.what) {
		run_task(&helper_task);
		if (write(from_helper[1], "", 1) != 1)
			break;
	}
	return 0;
}

static void start_helper(void)
{
	int pid;

	if (pipe(to_helper) || pipe(from_helper))
		abort();
	pid = clone(helper, stack + sizeof(stack), CLONE_VM | SIGCHLD, NULL);
	printf("ready %d\n", pid);
	fflush(stdout);
	if (getchar() != '\n')
		exit(1);
}

static void in_helper(struct task *task)
{
	char byte;

	helper_task = *task;
	if (write(to_helper[1], "", 1) != 1 ||
	    (task->what && read(from_helper[0], &byte, 1) != 1))
		abort();
}

static void do_it(const char *how, task_fn *what, void *argument)
{
	struct task task = { what, argument };
	pthread_t thread;

	if (!strcmp(how, "thread")) {
		pthread_create(&thread, NULL, what, argument);
		pthread_join(thread, NULL);
	} else if (!strcmp(how, "process")) {
		in_process(&task, 0);
	} else if (!strcmp(how, "untraced")) {
		in_process(&task, CLONE_UNTRACED);
	} else if (!strcmp(how, "vfork")) {
		in_process(&task, CLONE_VFORK);
	} else if (!strcmp(how, "helper")) {
		in_helper(&task);
	} else {
		what(argument);
	}
}

/* ---- libraries ---- */

static void *library;

static void *open_library(void *path)
{
	library = dlopen(path, RTLD_NOW);
	return NULL;
}

static void *close_library(void *unused)
{
	dlclose(library);
	return unused;
}

static void use(const char *how, char *path)
{
	plugin_fn *plugin;

	do_it(how, open_library, path);
	plugin = library ? (plugin_fn *)dlsym(library, "plugin") : NULL;
	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	printf("%p\n", (void *)plugin);
	plugin("mark:plugin");
	NO_TAIL_CALL();
	do_it(how, close_library, NULL);
}

/* ---- changes of data ---- */

static NOINLINE void work(void)
{
	mark("mark:work");
}

static void *map(size_t pages)
{
	void *at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		abort();
	work();
	return at;
}

static void change_data(int segment)
{
	char *at = map(4), *shared;

	mmap(at + PAGE, PAGE, PROT_READ,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	work();
	mprotect(at, 2 * PAGE, PROT_NONE);
	work();
	at = mremap(at + 2 * PAGE, 2 * PAGE, 512 * PAGE, MREMAP_MAYMOVE);
	work();
	munmap(at, 512 * PAGE);
	work();
	sbrk(16 * PAGE);
	work();
	sbrk(-16 * PAGE);
	work();
	if (segment < 0)
		return;
	shared = shmat(segment, NULL, 0);
	work();
	munmap(shared + PAGE, PAGE);
	work();
	shmdt(shared);
	work();
}

static void data(void)
{
	int segment = shmget(IPC_PRIVATE, 4 * PAGE, IPC_CREAT | 0600);

	work();
	for (int i = 0; i < TIMES; i++)
		change_data(segment);
	shmctl(segment, IPC_RMID, NULL);
}

/* ---- exec ---- */

static void *execute(void *program)
{
	mark("mark:before-exec");
	execl(program, program, "plain", NULL);
	_exit(127);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "data")) {
		data();
	} else if (!strcmp(how, "exec")) {
		do_it("process", execute, argv[2]);
		work();
	} else {
		if (!strcmp(how, "helper"))
			start_helper();
		for (int i = 2; i < argc; i++)
			use(how, argv[i]);
		if (!strcmp(how, "helper"))
			do_it(how, NULL, NULL);
	}
	return 0;
}
