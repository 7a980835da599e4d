/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entry and exit of a system call: the filter, decoding, the stack, the
 * changes of the memory map.  It knows no wait and restarts nobody.
 */
#ifndef TRACER_SYSCALL_H
#define TRACER_SYSCALL_H

#include "abi/registers.h"
#include "output/sink.h"

struct options;
struct tracee;

/* Call once; the options must outlive the run. */
void syscall_init(const struct options *options);

void syscall_entry(struct tracee *tracee, const struct call_info *info);
void syscall_exit(struct tracee *tracee, const struct call_info *info);

/*
 * The end of the call in progress, if there is one, will not be seen: the
 * tracee is dead or about to be let go.
 */
void syscall_lost(struct tracee *tracee, enum why_no_result why);

/*
 * The flags of the clone, or what is like it, that the tracee is in, which
 * has just made a child.  False if that cannot be said.
 */
bool syscall_clone_flags(struct tracee *tracee, uint64_t *flags);

#endif
