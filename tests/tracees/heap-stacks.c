/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that allocates at one place by several ways, which are known by
 * the sizes.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

/* Calls must stay calls, and what is behind them must not vanish. */
#define CALL(call)	do { call; __asm__ volatile(""); } while (0)
#define FUNCTION	__attribute__((noinline, noclone))

FUNCTION static void *place(size_t size)
{
	void *block = malloc(size);

	__asm__ volatile("" : : "r"(block));
	return block;
}

FUNCTION static void keeps(size_t size)
{
	CALL(place(size));
}

FUNCTION static void drops(size_t size)
{
	CALL(free(place(size)));
}

FUNCTION static void deep(unsigned levels, size_t size)
{
	if (levels)
		CALL(deep(levels - 1, size));
	else
		CALL(place(size));
}

/* Its frame is found by a register, and its arrays are larger than a page. */
FUNCTION static void wide(size_t size)
{
	volatile char array[20000 + size];

	array[size] = 1;
	CALL(place(size));
}

static void handler(int number)
{
	CALL(place(110 * number));
}

FUNCTION static void interrupted(int number)
{
	CALL(raise(number));
}

FUNCTION static void handles(void)
{
	static char other[65536];
	stack_t stack = { .ss_sp = other, .ss_size = sizeof(other) };
	struct sigaction action = { .sa_handler = handler };

	sigaction(SIGUSR1, &action, NULL);
	sigaltstack(&stack, NULL);
	action.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR2, &action, NULL);
	CALL(interrupted(SIGUSR1));
	CALL(interrupted(SIGUSR2));
}

static ucontext_t home, fiber;

static void in_fiber(void)
{
	CALL(place(600));
}

/* Stacks as small as some languages' coroutines have them. */
FUNCTION static void fibers(void)
{
	static char stack[16384];

	getcontext(&fiber);
	fiber.uc_stack.ss_sp = stack;
	fiber.uc_stack.ss_size = sizeof(stack);
	fiber.uc_link = &home;
	makecontext(&fiber, in_fiber, 0);
	CALL(swapcontext(&home, &fiber));
}

static void *in_thread(void *argument)
{
	CALL(place(700));
	return argument;
}

FUNCTION static void threads(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
}

FUNCTION static void many(void)
{
	for (int i = 0; i < 200000; i++) {
		CALL(keeps(100));
		CALL(drops(300));
	}
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "many")) {
		many();
		_exit(0);
	}
	for (int i = 0; i < 10; i++) {
		CALL(keeps(100));
		CALL(drops(200));
	}
	CALL(deep(5, 300));
	CALL(deep(1000, 400));
	CALL(wide(500));
	handles();
	fibers();
	threads();
	_exit(0);
}
