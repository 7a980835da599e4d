/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * System call stops: what the kernel says of them, or the registers.
 */
#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "abi/registers.h"

/* Results in [-MAX_ERRNO, -1] are errors. */
enum { MAX_ERRNO = 4095 };

static bool use_registers;

void registers_only(void)
{
	use_registers = true;
}

/* x32 is the x86-64 ABI with a bit in the number. */
static const struct abi *abi_of_64bit_call(uint64_t nr)
{
	return &abis[nr & abis[ABI_X32].nr_bit ? ABI_X32 : ABI_X86_64];
}

/* ---- out of the registers ---- */

#if defined(__x86_64__)

/* struct user_regs_struct of a 64-bit and of a 32-bit tracee. */
struct regs64 {
	uint64_t r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si,
		 di, orig_ax, ip, cs, flags, sp, ss, fs_base, gs_base, ds, es,
		 fs, gs;
};

struct regs32 {
	uint32_t bx, cx, dx, si, di, bp, ax, ds, es, fs, gs, orig_ax, ip, cs,
		 flags, sp, ss;
};

union regs {
	struct regs64 r64;
	struct regs32 r32;
};

/* Returns which of the two the kernel gave, by bytes; 0 if the tracee is
 * gone. */
static size_t get_regs(pid_t tid, union regs *regs)
{
	struct iovec iov = { regs, sizeof(*regs) };

	if (ptrace(PTRACE_GETREGSET, tid, (void *)NT_PRSTATUS, &iov) < 0)
		return 0;
	return iov.iov_len;
}

/*
 * The 32-bit kernel entry (int $0x80) can be used by 64-bit code as well; its
 * registers are 64-bit then, and nothing tells: such a call is taken for a
 * 64-bit one.  PTRACE_GET_SYSCALL_INFO knows better.
 */
static bool read_registers(pid_t tid, enum call_op op, struct call_info *info)
{
	union regs regs = { 0 };
	size_t size = get_regs(tid, &regs);
	int64_t ax;

	if (!size)
		return false;
	info->op = op;
	info->error = 0;
	if (size == sizeof(regs.r32)) {
		const struct regs32 *r = &regs.r32;

		info->abi = &abis[ABI_I386];
		info->ip = r->ip;
		info->sp = r->sp;
		info->nr = (uint64_t)(int32_t)r->orig_ax;
		info->args[0] = r->bx;
		info->args[1] = r->cx;
		info->args[2] = r->dx;
		info->args[3] = r->si;
		info->args[4] = r->di;
		info->args[5] = r->bp;
		ax = (int32_t)r->ax;
		info->result = r->ax;
	} else {
		const struct regs64 *r = &regs.r64;

		info->abi = abi_of_64bit_call(r->orig_ax);
		info->ip = r->ip;
		info->sp = r->sp;
		info->nr = (uint64_t)(int32_t)r->orig_ax;
		info->args[0] = r->di;
		info->args[1] = r->si;
		info->args[2] = r->dx;
		info->args[3] = r->r10;
		info->args[4] = r->r8;
		info->args[5] = r->r9;
		ax = (int64_t)r->ax;
		info->result = ax;
	}
	if (op == CALL_EXIT && ax < 0 && ax >= -MAX_ERRNO)
		info->error = (int)-ax;
	return true;
}

bool registers_last_call(pid_t tid, const struct abi **abi, uint64_t *nr)
{
	union regs regs = { 0 };
	size_t size = get_regs(tid, &regs);

	if (size == sizeof(regs.r32)) {
		*abi = &abis[ABI_I386];
		*nr = regs.r32.orig_ax;
		return (int32_t)regs.r32.orig_ax >= 0;
	}
	if (!size)
		return false;
	*abi = abi_of_64bit_call(regs.r64.orig_ax);
	*nr = regs.r64.orig_ax;
	return (int64_t)regs.r64.orig_ax >= 0;
}

#else

static bool read_registers(pid_t tid, enum call_op op, struct call_info *info)
{
	(void)tid;
	(void)op;
	(void)info;
	errno = ENOTSUP;
	return false;
}

bool registers_last_call(pid_t tid, const struct abi **abi, uint64_t *nr)
{
	(void)tid;
	(void)abi;
	(void)nr;
	return false;
}

#endif

/* ---- as the kernel says ---- */

bool registers_read(pid_t tid, enum call_op expected, struct call_info *info)
{
	/* The kernel fills no more of it than the stop has. */
	struct __ptrace_syscall_info psi = { 0 };
	long size;

	if (use_registers)
		return read_registers(tid, expected, info);

	size = ptrace(PTRACE_GET_SYSCALL_INFO, tid, (void *)sizeof(psi), &psi);
	if (size < 0) {
		if (errno == ESRCH)
			return false;
		/* EIO or EINVAL: older than Linux 5.3. */
		use_registers = true;
		return read_registers(tid, expected, info);
	}
	info->abi = &abis[psi.arch == AUDIT_ARCH_I386 ? ABI_I386 : ABI_X86_64];
	info->ip = psi.instruction_pointer;
	info->sp = psi.stack_pointer;
	info->op = CALL_NONE;
	info->error = 0;
	if (psi.op == PTRACE_SYSCALL_INFO_ENTRY) {
		info->op = CALL_ENTRY;
		info->nr = psi.entry.nr;
		memcpy(info->args, psi.entry.args, sizeof(info->args));
		if (psi.arch != AUDIT_ARCH_I386)
			info->abi = abi_of_64bit_call(info->nr);
	} else if (psi.op == PTRACE_SYSCALL_INFO_EXIT) {
		info->op = CALL_EXIT;
		info->result = psi.exit.rval;
		if (psi.exit.is_error)
			info->error = (int)-psi.exit.rval;
	}
	return true;
}
