/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a stopped tracee is asking of the kernel: number, arguments and result
 * of a system call, by PTRACE_GET_SYSCALL_INFO or out of its registers.  The
 * only file that knows registers.
 */
#ifndef TRACER_REGISTERS_H
#define TRACER_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "abi/abi.h"

enum call_op {
	CALL_NONE,		/* the stop is not one of a system call */
	CALL_ENTRY,
	CALL_EXIT,
};

struct call_info {
	enum call_op op;
	const struct abi *abi;	/* by which the call is made */
	uint64_t ip, sp;
	/* CALL_ENTRY */
	uint64_t nr;
	uint64_t args[6];	/* as wide as the ABI's registers */
	/* CALL_EXIT */
	int64_t result;
	int error;		/* errno or a restart code; 0: success */
};

/* From now on, do as on a kernel without PTRACE_GET_SYSCALL_INFO. */
void registers_only(void);

/*
 * Asks about the current stop.  Registers do not tell an entry from an exit,
 * so the caller says what a system call stop must be (expected).  Returns
 * false if the tracee is gone or, with errno ENOTSUP, if this machine's
 * registers are not known here.
 */
bool registers_read(pid_t tid, enum call_op expected, struct call_info *info);

/*
 * The number of the call that the tracee is in or has last been in, for a
 * tracee in any stop; false if there is none or it cannot be read.
 */
bool registers_last_call(pid_t tid, const struct abi **abi, uint64_t *nr);

#endif
