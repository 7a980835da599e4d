/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An ABI: how a tracee's C types lie in memory and which number names which
 * system call.  Pure data; nothing here knows ptrace or a running process.
 */
#ifndef TRACER_ABI_H
#define TRACER_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum abi_id {
	ABI_X86_64,
	ABI_I386,
	ABI_X32,
	ABI_COUNT
};

/* Sets of ABIs, for descriptions and constants that only some of them have. */
enum abi_mask {
	ON_X86_64 = 1 << ABI_X86_64,
	ON_I386 = 1 << ABI_I386,
	ON_X32 = 1 << ABI_X32,
	ON_64BIT_CALLS = ON_X86_64 | ON_X32,	/* share the 64-bit entry code */
	ON_ALL = ON_X86_64 | ON_I386 | ON_X32,
};

struct abi {
	enum abi_id id;
	const char *name;	/* "x86_64", "i386", "x32" */
	const char *mode;	/* "64 bit", "32 bit", "x32": for messages */
	uint8_t word;		/* bytes of a C long, of size_t */
	uint8_t pointer;	/* bytes of a pointer in a structure */
	uint8_t kernel_long;	/* bytes of __kernel_long_t: 8 on x32 */
	uint8_t align64;	/* alignment of a 64-bit integer: 4 on i386 */
	uint8_t reg;		/* bytes of a system call argument register */
	uint32_t nr_bit;	/* bits or'ed into every number: 0x40000000 on x32 */
};

extern const struct abi abis[ABI_COUNT];

/*
 * Generated from facts/syscalls.tsv and facts/syscall_args.tsv: the name of
 * every number, and what its arguments are called, for calls that have no
 * description.  A hole has name NULL.
 */
struct syscall_number {
	const char *name;
	uint8_t nargs;			/* registers used */
	const char *const *arg_names;	/* nargs names, or NULL if unknown */
};

struct syscall_numbers {
	const struct syscall_number *entries;	/* indexed by nr & ~nr_bit */
	size_t count;
};

extern const struct syscall_numbers syscall_numbers[ABI_COUNT];

#endif
