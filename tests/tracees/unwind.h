/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the tracees of the unwinding tests have in common: a system call whose
 * name in the trace tells which stack is to be seen below it.
 */
#ifndef TRACEES_UNWIND_H
#define TRACEES_UNWIND_H

#include <sys/syscall.h>
#include <unistd.h>

#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noinline, noclone))
#endif

/* Behind a call: so it is not made a jump. */
#define NO_TAIL_CALL() __asm__ volatile("" ::: "memory")

/* access("mark:NAME", 0), without any function of the C library's. */
static NOINLINE long mark(const char *name)
{
	long result;
#if defined(__x86_64__)
	__asm__ volatile("syscall" : "=a"(result)
			 : "a"(SYS_access), "D"(name), "S"(0)
			 : "rcx", "r11", "memory");
#elif defined(__i386__)
	__asm__ volatile("int $0x80" : "=a"(result)
			 : "a"(SYS_access), "b"(name), "c"(0) : "memory");
#else
	result = access(name, 0);
#endif
	return result;
}

#endif
