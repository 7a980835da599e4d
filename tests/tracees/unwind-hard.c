/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Stacks that are hard to get right, whose functions are known.  Every
 * argument is a case; the lines that are marked LINE are those to be seen.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>

#include "unwind.h"

#define INLINE static inline __attribute__((always_inline))

static volatile int zero;

/* ---- inlined functions ---- */

INLINE void innermost(const char *name)
{
	mark(name);			/* LINE innermost */
	NO_TAIL_CALL();
}

INLINE void between(const char *name)
{
	if (!zero)
		innermost(name);	/* LINE between */
}

NOINLINE void around(const char *name)
{
	between(name);			/* LINE around */
	NO_TAIL_CALL();
}

INLINE void caller_of_around(const char *name)
{
	around(name);			/* LINE caller_of_around */
	NO_TAIL_CALL();
}

/* Two copies of one function, in different lines. */
NOINLINE void inlined(void)
{
	caller_of_around("mark:inlined");	/* LINE inlined */
	caller_of_around("mark:inlined-again");	/* LINE inlined_again */
}

/* ---- tail calls ---- */

NOINLINE void tail_target(const char *name)
{
	mark(name);
	NO_TAIL_CALL();
}

/* Jumps: there is no frame of it when its callee runs. */
NOINLINE void jumps(const char *name)
{
	zero = 0;
	tail_target(name);
}

NOINLINE void calls_jumps(const char *name)
{
	jumps(name);
	NO_TAIL_CALL();
}

/* ---- depth ---- */

NOINLINE int deeper(int depth)
{
	if (depth)
		deeper(depth - 1);
	else
		mark("mark:very-deep");
	NO_TAIL_CALL();
	return depth;
}

static void *run_deep(void *depth)
{
	deeper((intptr_t)depth);
	return depth;
}

/* On a stack that is large enough, whatever the limits are. */
static void very_deep(void)
{
	enum { DEPTH = 100000, FRAME_MAX = 512 };
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, (size_t)DEPTH * FRAME_MAX);
	pthread_create(&thread, &attributes, run_deep, (void *)(intptr_t)DEPTH);
	pthread_join(thread, NULL);
}

/* ---- stacks that are switched ---- */

static ucontext_t main_context, coroutine_context;

NOINLINE void in_coroutine(void)
{
	mark("mark:coroutine");
	swapcontext(&coroutine_context, &main_context);
	mark("mark:coroutine-again");
	NO_TAIL_CALL();
}

NOINLINE void coroutine(void)
{
	in_coroutine();
	NO_TAIL_CALL();
}

NOINLINE void run_coroutine(void)
{
	size_t size = 1 << 16;
	char *stack = malloc(size);

	getcontext(&coroutine_context);
	coroutine_context.uc_stack.ss_sp = stack;
	coroutine_context.uc_stack.ss_size = size;
	coroutine_context.uc_link = &main_context;
	makecontext(&coroutine_context, coroutine, 0);
	swapcontext(&main_context, &coroutine_context);
	mark("mark:coroutine-left");
	swapcontext(&main_context, &coroutine_context);
	mark("mark:coroutine-ended");
	free(stack);
}

#ifdef __x86_64__
/*
 * A switch as libraries of coroutines have it: what a function must preserve
 * is pushed, the stack pointers are exchanged, and the other's are popped.
 */
void switch_stacks(void **from, void *to);
__asm__(".text\n"
	".globl switch_stacks\n"
	".type switch_stacks, @function\n"
	"switch_stacks: .cfi_startproc\n"
	".irp reg, rbp, rbx, r12, r13, r14, r15\n"
	"push %\\reg\n"
	".cfi_adjust_cfa_offset 8\n"
	".cfi_rel_offset \\reg, 0\n"
	".endr\n"
	"mov %rsp, (%rdi)\n"
	"mov %rsi, %rsp\n"
	".irp reg, r15, r14, r13, r12, rbx, rbp\n"
	"pop %\\reg\n"
	".cfi_adjust_cfa_offset -8\n"
	".cfi_restore \\reg\n"
	".endr\n"
	"ret\n"
	".cfi_endproc\n"
	".size switch_stacks, . - switch_stacks\n");

static void *main_stack, *fiber_stack;

NOINLINE void in_fiber(void)
{
	mark("mark:fiber");
	NO_TAIL_CALL();
}

NOINLINE void fiber(void)
{
	in_fiber();
	switch_stacks(&fiber_stack, main_stack);
}

NOINLINE void run_fiber(void)
{
	enum { WORDS = 8192 };
	void **stack = calloc(WORDS, sizeof(*stack));
	void **top = stack + WORDS;

	/* The registers that are popped, and no return address for fiber. */
	top[-2] = (void *)fiber;
	top[-1] = NULL;
	fiber_stack = top - 8;
	switch_stacks(&main_stack, fiber_stack);
	mark("mark:fiber-left");
	free(stack);
}
#else
NOINLINE void run_fiber(void)
{
}
#endif

/* ---- without a frame or rules ---- */

#ifdef __x86_64__
long bare(const char *name, int mode);
__asm__(".text\n"
	".type bare, @function\n"
	"bare: mov $21, %eax\n"	/* access */
	"syscall\n"
	"ret\n"
	".size bare, . - bare\n");

/* The frame pointer is that of a frame farther out, if it is one. */
NOINLINE void calls_bare(void)
{
	bare("mark:bare", 0);
	NO_TAIL_CALL();
}

NOINLINE void around_bare(void)
{
	calls_bare();
	NO_TAIL_CALL();
}

/* ---- instruction by instruction ---- */

enum { TRAP_FLAG = 0x100 };

static int steps;

static void on_step(int signo, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)signo;
	(void)info;
	if (!--steps)
		uc->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
}

/*
 * Calls a function that has not been called before: so it is gone through the
 * PLT and the dynamic linker, and there is a signal at every instruction.
 */
NOINLINE int stepped(const char *a, const char *b)
{
	int result;

	__asm__ volatile("sub $128, %%rsp\n"
			 "pushf\n"
			 "orl %0, (%%rsp)\n"
			 "popf\n"
			 "add $128, %%rsp\n"
			 : : "i"(TRAP_FLAG) : "cc", "memory");
	result = strverscmp(a, b);
	__asm__ volatile("sub $128, %%rsp\n"
			 "pushf\n"
			 "andl %0, (%%rsp)\n"
			 "popf\n"
			 "add $128, %%rsp\n"
			 : : "i"(~TRAP_FLAG) : "cc", "memory");
	return result;
}

static void run_steps(void)
{
	struct sigaction action = { .sa_sigaction = on_step,
				    .sa_flags = SA_SIGINFO };

	steps = 3000;
	sigaction(SIGTRAP, &action, NULL);
	zero = stepped("a12", "a9") < 0;
}
#else
static void around_bare(void)
{
}

static void run_steps(void)
{
}
#endif

/* ---- several threads at once ---- */

enum { BUSY_THREADS = 4, BUSY_ROUNDS = 40 };

NOINLINE void busy(const char *name, int depth)
{
	if (depth)
		busy(name, depth - 1);
	else
		mark(name);
	NO_TAIL_CALL();
}

/* Marks say how deep they are. */
static void *run_busy(void *number)
{
	char name[32];

	for (int i = 0; i < BUSY_ROUNDS; i++) {
		int depth = (i * 7 + (intptr_t)number) % 31;
		char *memory = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		snprintf(name, sizeof(name), "mark:busy-%d", depth);
		busy(name, depth);
		munmap(memory, 1 << 16);
	}
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[BUSY_THREADS];

	for (intptr_t i = 0; i < BUSY_THREADS; i++)
		pthread_create(&threads[i], NULL, run_busy, (void *)i);
	run_busy((void *)(intptr_t)BUSY_THREADS);
	for (int i = 0; i < BUSY_THREADS; i++)
		pthread_join(threads[i], NULL);
}

/* ---- names ---- */

/*
 * As the compilers of Rust and Go call functions: no compiler of C can say
 * them all.
 */
#if defined(__x86_64__)
#define ROOM	"sub $8, %rsp\n.cfi_adjust_cfa_offset 8\n"
#define NO_ROOM	"add $8, %rsp\n.cfi_adjust_cfa_offset -8\n"
#else
#define ROOM	"sub $12, %esp\n.cfi_adjust_cfa_offset 12\n"
#define NO_ROOM	"add $12, %esp\n.cfi_adjust_cfa_offset -12\n"
#endif
#define CALLER(name, callee)				\
	__asm__(".text\n"				\
		".type \"" name "\", @function\n"	\
		"\"" name "\": .cfi_startproc\n"	\
		ROOM					\
		"call \"" callee "\"\n"		\
		NO_ROOM					\
		"ret\n"				\
		".cfi_endproc\n"			\
		".size \"" name "\", . - \"" name "\"\n")

#define RUST_V0		"_RNvNtCs1234_7mycrate3foo3bar"
#define RUST_LEGACY	"_ZN7mycrate3foo3bar17h0123456789abcdefE"
#define GO_METHOD	"main.(*Server).handle"
#define GO_CLOSURE	"net/http.(*conn).serve.func1"

__attribute__((used)) NOINLINE void names(void)
{
	mark("mark:names");
	NO_TAIL_CALL();
}

CALLER(RUST_V0, "names");
CALLER(RUST_LEGACY, RUST_V0);
CALLER(GO_METHOD, RUST_LEGACY);
CALLER(GO_CLOSURE, GO_METHOD);
CALLER("foreign_names", GO_CLOSURE);
void foreign_names(void);

/* ---- the vDSO ---- */

/* A clock that the vDSO asks the kernel for. */
NOINLINE void ask_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	NO_TAIL_CALL();
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const char *what = argv[i];

		if (!strcmp(what, "inlined"))
			inlined();
		else if (!strcmp(what, "tail"))
			calls_jumps("mark:tail");
		else if (!strcmp(what, "very-deep"))
			very_deep();
		else if (!strcmp(what, "coroutine"))
			run_coroutine();
		else if (!strcmp(what, "fiber"))
			run_fiber();
		else if (!strcmp(what, "bare"))
			around_bare();
		else if (!strcmp(what, "steps"))
			run_steps();
		else if (!strcmp(what, "threads"))
			run_threads();
		else if (!strcmp(what, "names"))
			foreign_names();
		else if (!strcmp(what, "vdso"))
			ask_clock();
		else
			return 2;
	}
	return 0;
}
