/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that stand for another: i386's socketcall and ipc, whose first
 * argument says which, and the old mmap and select, whose arguments are in
 * memory.  Knows descriptions and memory, nothing of sinks or processes.
 */
#ifndef TRACER_UNFOLD_H
#define TRACER_UNFOLD_H

#include "abi/abi.h"
#include "mem.h"
#include "sysent.h"

/*
 * Returns the call that sysent is with these arguments, which become those of
 * that call; or sysent itself, and then args are as they were.
 */
const struct sysent *unfold(const struct abi *abi, const struct sysent *sysent,
			    struct view *view, uint64_t args[6]);

/*
 * The result of a call that has succeeded: ipc() stores that of shmat in
 * memory.  args are as unfold() left them.
 */
int64_t unfold_result(const struct sysent *sysent, struct view *view,
		      const uint64_t args[6], int64_t result);

#endif
