/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The machines; see unwind-arch.h.
 */
#include "unwind-arch.h"

#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define BIT(n) (1u << (n))

static const struct unwind_arch arches[] = {
#ifdef __x86_64__
	{
		.name = "x86_64",
		.machine = EM_X86_64,
		.word = 8,
		.count = 17,
		.pc = 16, .sp = 7, .fp = 6,
		/* rbx, rbp, rsp, r12 to r15, rip */
		.preserved = BIT(3) | BIT(6) | BIT(7) | BIT(12) | BIT(13) |
			BIT(14) | BIT(15) | BIT(16),
		.regset_size = 27 * 8,
		/* rax rdx rcx rbx rsi rdi rbp rsp, r8 to r15, rip */
		.regset = { 10, 12, 11, 5, 13, 14, 4, 19,
			    9, 8, 7, 6, 3, 2, 1, 0, 16 },
	},
#endif
#if defined(__x86_64__) || defined(__i386__)
	{
		.name = "i386",
		.machine = EM_386,
		.word = 4,
		.count = 9,
		.pc = 8, .sp = 4, .fp = 5,
		/* ebx, esp, ebp, esi, edi, eip */
		.preserved = BIT(3) | BIT(4) | BIT(5) | BIT(6) | BIT(7) |
			BIT(8),
		.regset_size = 17 * 4,
		/* eax ecx edx ebx esp ebp esi edi eip */
		.regset = { 6, 1, 2, 0, 15, 5, 3, 4, 12 },
	},
#endif
	{ .name = NULL },
};

const struct unwind_arch *unwind_arch_read(pid_t tid, struct registers *regs)
{
	uint8_t bytes[512];
	struct iovec iov = { bytes, sizeof(bytes) };
	const struct unwind_arch *arch = arches;

	if (ptrace(PTRACE_GETREGSET, tid, (void *)(uintptr_t)NT_PRSTATUS,
		   &iov))
		return NULL;
	while (arch->name && arch->regset_size != iov.iov_len)
		arch++;
	if (!arch->name)
		return NULL;
	for (unsigned i = 0; i < arch->count; i++) {
		uint64_t value = 0;

		memcpy(&value, bytes + arch->regset[i] * arch->word,
		       arch->word);
		regs->value[i] = value;
	}
	regs->known = BIT(arch->count) - 1;
	return arch;
}
