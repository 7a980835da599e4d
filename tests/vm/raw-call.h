/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A system call of this program's own ABI with six arguments, and nothing of
 * libc in between.
 */
#ifndef TRACER_RAW_CALL_H
#define TRACER_RAW_CALL_H

#if defined(__i386__)
static long raw_call(long nr, const long args[6])
{
	long result;
	const long registers[] = {
		nr, args[0], args[1], args[2], args[3], args[4], args[5],
	};

	/* all registers are taken: they come from memory, by way of eax */
	__asm__ volatile("push %%ebp\n\t"
			 "push %%ebx\n\t"
			 "mov 4(%%eax), %%ebx\n\t"
			 "mov 8(%%eax), %%ecx\n\t"
			 "mov 12(%%eax), %%edx\n\t"
			 "mov 16(%%eax), %%esi\n\t"
			 "mov 20(%%eax), %%edi\n\t"
			 "mov 24(%%eax), %%ebp\n\t"
			 "mov (%%eax), %%eax\n\t"
			 "int $0x80\n\t"
			 "pop %%ebx\n\t"
			 "pop %%ebp"
			 : "=a"(result)
			 : "0"(registers)
			 : "ecx", "edx", "esi", "edi", "memory", "cc");
	return result;
}
#else
static long raw_call(long nr, const long args[6])
{
#if defined(__ILP32__)
	const long long number = nr | 0x40000000;
#else
	const long long number = nr;
#endif
	long long result;
	register long long r10 __asm__("r10") = args[3];
	register long long r8 __asm__("r8") = args[4];
	register long long r9 __asm__("r9") = args[5];

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"((long long)args[0]),
			   "S"((long long)args[1]), "d"((long long)args[2]),
			   "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}
#endif

#endif
