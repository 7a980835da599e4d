/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks whose functions are known.  Every argument is a case; the test has
 * the names that are to be seen, and the lines that are marked LINE.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

#include "unwind.h"

/* ---- a plain stack ---- */

NOINLINE void inner(const char *name)
{
	mark(name);			/* LINE inner */
	NO_TAIL_CALL();
}

NOINLINE void middle(const char *name)
{
	volatile char room[300];

	room[0] = *name;
	inner(name);			/* LINE middle */
	room[1] = *name;
}

NOINLINE void outer(const char *name)
{
	middle(name);			/* LINE outer */
	NO_TAIL_CALL();
}

/* ---- depth ---- */

NOINLINE int deeper(const char *name, int depth)
{
	int result = depth ? deeper(name, depth - 1) : (inner(name), 0);

	NO_TAIL_CALL();
	return result + 1;
}

/* ---- a call that does not return, at a function's end ---- */

NOINLINE __attribute__((noreturn)) void leave(const char *name)
{
	inner(name);
	exit(0);
}

NOINLINE void last_call(const char *name)
{
	leave(name);
}

NOINLINE void after_last_call(const char *name)
{
	inner(name);
}

/* ---- signals ---- */

static void handler(int signo)
{
	(void)signo;
	inner("mark:handler");
}

static void set_handler(int signo, int flags)
{
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = flags };

	sigaction(signo, &action, NULL);
}

static void fault_handler(int signo, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)signo;
	(void)info;
	(void)uc;
	inner("mark:fault");
#if defined(__x86_64__)
	uc->uc_mcontext.gregs[REG_RIP] += 2;
#elif defined(__i386__)
	uc->uc_mcontext.gregs[REG_EIP] += 2;
#endif
}

/* Faults in its first instruction, which is two bytes long. */
#if defined(__x86_64__) || defined(__i386__)
void faulty(void);
__asm__(".text\n"
	".type before_faulty, @function\n"
	"before_faulty: nop\n"
	".size before_faulty, . - before_faulty\n"
	".globl faulty\n"
	".type faulty, @function\n"
	"faulty: .cfi_startproc\n"
	"ud2\n"
	"ret\n"
	".cfi_endproc\n"
	".size faulty, . - faulty\n");
#else
NOINLINE void faulty(void)
{
	raise(SIGILL);
}
#endif

NOINLINE void fault(void)
{
	struct sigaction action = { .sa_sigaction = fault_handler,
				    .sa_flags = SA_SIGINFO };

	sigaction(SIGILL, &action, NULL);
	faulty();
	NO_TAIL_CALL();
}

NOINLINE void interrupted(void)
{
	set_handler(SIGUSR1, 0);
	kill(getpid(), SIGUSR1);
	NO_TAIL_CALL();
}

NOINLINE void interrupted_elsewhere(void)
{
	stack_t stack = { .ss_sp = malloc(1 << 16), .ss_size = 1 << 16 };

	sigaltstack(&stack, NULL);
	set_handler(SIGUSR2, SA_ONSTACK);
	kill(getpid(), SIGUSR2);
	stack.ss_flags = SS_DISABLE;
	sigaltstack(&stack, NULL);
	free(stack.ss_sp);
}

/* ---- other threads and processes ---- */

NOINLINE void in_thread(const char *name)
{
	inner(name);
	NO_TAIL_CALL();
}

static void *thread(void *name)
{
	in_thread(name);
	return name;
}

static void run_threads(void)
{
	pthread_t threads[2];

	pthread_create(&threads[0], NULL, thread, "mark:thread-0");
	pthread_create(&threads[1], NULL, thread, "mark:thread-1");
	pthread_join(threads[0], NULL);
	pthread_join(threads[1], NULL);
	inner("mark:joined");
}

NOINLINE void in_child(const char *name)
{
	inner(name);
	NO_TAIL_CALL();
}

static void run_child(void)
{
	pid_t pid = fork();

	if (!pid) {
		in_child("mark:child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	inner("mark:parent");
}

static void run_vfork_child(void)
{
	pid_t pid = vfork();

	if (!pid) {
		in_child("mark:vfork-child");
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	inner("mark:vfork-parent");
}

/* ---- code that is in no file ---- */

typedef void call_fn(const char *name, void (*fn)(const char *));

static void run_generated(void)
{
#if defined(__x86_64__)
	/* push rbp; mov rbp, rsp; call *rsi; pop rbp; ret */
	static const unsigned char code[] = {
		0x55, 0x48, 0x89, 0xe5, 0xff, 0xd6, 0x5d, 0xc3
	};
	unsigned char *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(at, code, sizeof(code));
	mprotect(at, 4096, PROT_READ | PROT_EXEC);
	((call_fn *)at)("mark:generated", outer);
	munmap(at, 4096);
#endif
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *what = argv[i];

		if (!strcmp(what, "plain"))
			outer("mark:plain");	/* LINE main */
		else if (!strcmp(what, "deep"))
			deeper("mark:deep", 1000);
		else if (!strcmp(what, "noreturn"))
			last_call("mark:noreturn");
		else if (!strcmp(what, "signal"))
			interrupted();
		else if (!strcmp(what, "altstack"))
			interrupted_elsewhere();
		else if (!strcmp(what, "fault"))
			fault();
		else if (!strcmp(what, "threads"))
			run_threads();
		else if (!strcmp(what, "fork"))
			run_child();
		else if (!strcmp(what, "vfork"))
			run_vfork_child();
		else if (!strcmp(what, "generated"))
			run_generated();
		else if (!strcmp(what, "exec") && i + 1 < argc)
			execv(argv[i + 1], argv + i + 1);
		else
			return 2;
	}
	return 0;
}
