/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory: mappings and what the kernel is told about them, memory policies,
 * the memory of other processes.
 */
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

enum { PAGE = 4096 };

/* ---- mappings ---- */

#define MMAP_FLAGS	FLAGS_SHIFTED(mmap_flags, 26, "MAP_HUGE_SHIFT")
#define PROTECTION	FLAGS_OF(ULONG, memory_protection)

SYSCALL(brk, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR)),
	.returns = HEXLONG);

SYSCALL_ON(ON_64BIT_CALLS, mmap, TRACE_DESC | TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(prot, PROTECTION),
	ARG(flags, MMAP_FLAGS),
	ARG(fd, FD),
	ARG(offset, HEXLONG)),
	.returns = HEXLONG);

/* i386 has its arguments in memory, and a call that counts pages. */
STRUCTURE_UNNAMED(mmap_arguments,
	FIELD(addr, POINTER, ADDR),
	FIELD(length, ULONG, SIZE),
	FIELD(prot, ULONG, PROTECTION),
	FIELD(flags, UINT, MMAP_FLAGS),
	FIELD(fd, INT, FD),
	FIELD(offset, ULONG, HEXLONG));

SYSCALL_ON(ON_I386, mmap, TRACE_DESC | TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(arg, PTR_TO(mmap_arguments))),
	.returns = HEXLONG);

static void print_pages(struct decoder *d, const struct type *type,
			uint64_t value)
{
	print_hex(d, type, value * PAGE);
}

#define PAGES	TYPE(.kind = KIND_SCALAR, .ctype = ULONG, .print = print_pages)

SYSCALL(mmap2, TRACE_DESC | TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(prot, PROTECTION),
	ARG(flags, MMAP_FLAGS),
	ARG(fd, FD),
	ARG(pgoffset, PAGES)),
	.returns = HEXLONG);

SYSCALL(munmap, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE)));

SYSCALL(mprotect, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(prot, PROTECTION)));

SYSCALL(pkey_mprotect, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(prot, PROTECTION),
	ARG(pkey, DEC)));

/* Only what may move can be told where to. */
static bool mremap_has_address(struct decoder *d)
{
	uint64_t flags = decode_arg_value(d, 3);

	return (flags & V_MREMAP_MAYMOVE) &&
	       (flags & (V_MREMAP_FIXED | V_MREMAP_DONTUNMAP));
}

SYSCALL(mremap, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(old_address, ADDR),
	ARG(old_size, SIZE),
	ARG(new_size, SIZE),
	ARG(flags, FLAGS_OF(ULONG, mremap_flags)),
	ARG(new_address, ADDR, .when = IF_FN(mremap_has_address))),
	.returns = HEXLONG);

SYSCALL(remap_file_pages, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(size, SIZE),
	ARG(prot, PROTECTION),
	ARG(pgoff, SIZE),
	ARG(flags, MMAP_FLAGS)));

SYSCALL(map_shadow_stack, TRACE_MEMORY | CHANGES_MAP, ARGS(
	ARG(addr, ADDR),
	ARG(len, SIZE),
	ARG(flags, FLAGS(shadow_stack_flags))));

SYSCALL(pkey_alloc, 0, ARGS(
	ARG(flags, HEXLONG),
	ARG(access_rights, FLAGS_OF(ULONG, pkey_rights))));

SYSCALL(pkey_free, 0, ARGS(
	ARG(pkey, DEC)));

/* ---- what is done with mapped memory ---- */

SYSCALL(msync, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(flags, FLAGS(msync_flags))));

SYSCALL(madvise, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(advice, ENUM(madvise_advice))));

SYSCALL(process_madvise, TRACE_DESC, ARGS(
	ARG(pidfd, FD),
	ARG(iovec, IOVEC_ADDRESS(ARGV(2))),
	ARG(n, SIZE),
	ARG(advice, ENUM(process_madvise_advice)),
	ARG(flags, HEX)));

SYSCALL(process_mrelease, TRACE_DESC, ARGS(
	ARG(pidfd, FD),
	ARG(flags, HEX)));

static uint64_t mincore_pages(struct decoder *d)
{
	uint64_t length = decode_arg_value(d, 1);

	return length / PAGE + !!(length % PAGE);
}

SYSCALL(mincore, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	OUT(vec, PTR(ARRAY(MASKED(U8, 1), CALC(mincore_pages))))));

SYSCALL(mlock, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE)));

SYSCALL(mlock2, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(flags, FLAGS(mlock2_flags))));

SYSCALL(munlock, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE)));

SYSCALL(mlockall, TRACE_MEMORY, ARGS(
	ARG(flags, FLAGS(mlockall_flags))));

SYSCALL(munlockall, TRACE_MEMORY, NO_ARGS);

SYSCALL(mseal, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE),
	ARG(flags, HEXLONG)));

SYSCALL(memfd_secret, TRACE_DESC, ARGS(
	ARG(flags, NAMED_FLAGS(UINT, memfd_secret_flags))),
	.returns = FD);

SYSCALL(userfaultfd, TRACE_DESC, ARGS(
	ARG(flags, FLAGS(userfaultfd_flags))),
	.returns = FD);

STRUCTURE(cachestat_range,
	FIELD(off, U64, HEX64),
	FIELD(len, U64, DEC_OF(U64)));

STRUCTURE(cachestat,
	FIELD(nr_cache, U64, DEC_OF(U64)),
	FIELD(nr_dirty, U64, DEC_OF(U64)),
	FIELD(nr_writeback, U64, DEC_OF(U64)),
	FIELD(nr_evicted, U64, DEC_OF(U64)),
	FIELD(nr_recently_evicted, U64, DEC_OF(U64)));

SYSCALL(cachestat, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(cstat_range, PTR_TO(cachestat_range)),
	OUT(cstat, PTR_TO(cachestat)),
	ARG(flags, HEX)));

/* Only a query has commands as its result. */
static bool membarrier_tells_commands(struct decoder *d)
{
	return (uint32_t)decode_arg_value(d, 0) == V_MEMBARRIER_CMD_QUERY &&
	       decode_ref(d, &(struct ref)RESULT);
}

SYSCALL(membarrier, 0, ARGS(
	ARG(cmd, ENUM(membarrier_commands)),
	ARG(flags, FLAGS(membarrier_flags)),
	ARG(cpu_id, DEC, .when = IF_ANY_BIT(ARGV(1),
		V_MEMBARRIER_CMD_FLAG_CPU)),
	AUX_RESULT("", FLAGS(membarrier_supported),
		   .when = IF_FN(membarrier_tells_commands))),
	.returns = SELECT(ARGV(0), CHOICE(V_MEMBARRIER_CMD_QUERY, HEX),
			  OTHERWISE(DEC)));

/* ---- other processes ---- */

SYSCALL(process_vm_readv, 0, ARGS(
	ARG(pid, PID),
	LATE(local_iov, IOVEC_READ(ARGV(2))),
	ARG(liovcnt, SIZE),
	ARG(remote_iov, IOVEC_ADDRESS(ARGV(4))),
	ARG(riovcnt, SIZE),
	ARG(flags, SIZE)),
	.returns = SSIZE);

SYSCALL(process_vm_writev, 0, ARGS(
	ARG(pid, PID),
	ARG(local_iov, IOVEC(ARGV(2))),
	ARG(liovcnt, SIZE),
	ARG(remote_iov, IOVEC_ADDRESS(ARGV(4))),
	ARG(riovcnt, SIZE),
	ARG(flags, SIZE)),
	.returns = SSIZE);

/* ---- NUMA ---- */

/* The words of a node mask: maxnode counts one bit more than there are. */
static uint64_t mask_words(struct decoder *d, unsigned arg)
{
	uint64_t bits = decode_arg_value(d, arg);
	unsigned word = d->abi->word * 8;

	return bits < 2 ? 0 : (bits - 2) / word + 1;
}

static uint64_t mask_words_by_1(struct decoder *d)
{
	return mask_words(d, 1);
}

static uint64_t mask_words_by_2(struct decoder *d)
{
	return mask_words(d, 2);
}

static uint64_t mask_words_by_4(struct decoder *d)
{
	return mask_words(d, 4);
}

static void print_mask_word(struct decoder *d, const struct type *type,
			    uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, value,
		  d->abi->word == 8 ? BASE_MASK64 : BASE_MASK32);
}

/* A mask without a bit, or of impossibly many, is not looked at. */
#define NODE_MASK(arg_)							\
	SELECT(ARGV(arg_), CHOICE(1, ADDR), CHOICE(UINT64_MAX, ADDR),	\
	       OTHERWISE(						\
	       PTR(ARRAY(SCALAR(print_mask_word, ULONG),		\
			 CALC(mask_words_by_##arg_)))))

SYSCALL(mbind, TRACE_MEMORY, ARGS(
	ARG(addr, ADDR),
	ARG(len, SIZE),
	ARG(mode, FLAGS_OF(ULONG, mempolicy_mode_flags)),
	ARG(nodemask, NODE_MASK(4)),
	ARG(maxnode, SIZE),
	ARG(flags, FLAGS(mbind_flags))));

SYSCALL(set_mempolicy, TRACE_MEMORY, ARGS(
	ARG(mode, FLAGS(mempolicy_mode_flags)),
	ARG(nodemask, NODE_MASK(2)),
	ARG(maxnode, SIZE)));

SYSCALL(get_mempolicy, TRACE_MEMORY, ARGS(
	OUT(mode, PTR(ENUM(mempolicy_modes))),
	OUT(nodemask, NODE_MASK(2)),
	ARG(maxnode, SIZE),
	ARG(addr, ADDR),
	ARG(flags, FLAGS_OF(ULONG, get_mempolicy_flags))));

SYSCALL(set_mempolicy_home_node, TRACE_MEMORY, ARGS(
	ARG(start, ADDR),
	ARG(len, SIZE),
	ARG(home_node, SIZE),
	ARG(flags, HEXLONG)));

SYSCALL(migrate_pages, TRACE_MEMORY, ARGS(
	ARG(pid, PID),
	ARG(maxnode, SIZE),
	ARG(old_nodes, NODE_MASK(1)),
	ARG(new_nodes, NODE_MASK(1))));

/* A node, or the error that kept a page from being moved: -EFAULT. */
static void print_status(struct decoder *d, const struct type *type,
			 uint64_t value)
{
	const char *name = NULL;
	char text[32];

	(void)type;
	if ((int64_t)value < 0)
		name = constset_name(&set_errnos, d->abi, -value);
	if (name)
		snprintf(text, sizeof(text), "-%s", name);
	SINK_CALL(d->sink, symbol, value, BASE_SIGNED, name ? text : NULL,
		  NULL);
}

SYSCALL(move_pages, TRACE_MEMORY, ARGS(
	ARG(pid, PID),
	ARG(count, SIZE),
	ARG(pages, PTR(ARRAY(ADDR, ARGV(1)))),
	ARG(nodes, PTR(ARRAY(DEC, ARGV(1)))),
	OUT(status, PTR(ARRAY(SCALAR(print_status, INT), ARGV(1)))),
	ARG(flags, FLAGS(move_pages_flags))));
