/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What changes the kernel itself: its modules, and another kernel to be
 * started (kexec).
 */
#include "decode/decode.h"
#include "decode/structures.h"

SYSCALL(init_module, 0, ARGS(
	ARG(module_image, ADDR),
	ARG(len, SIZE),
	ARG(param_values, STR)));

SYSCALL(finit_module, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(param_values, STR),
	ARG(flags, FLAGS(module_init_flags))));

SYSCALL(delete_module, 0, ARGS(
	ARG(name, STR),
	ARG(flags, FLAGS(delete_module_flags))));

STRUCTURE(kexec_segment,
	FIELD(buf, POINTER, ADDR),
	FIELD(bufsz, ULONG, SIZE),
	FIELD(mem, POINTER, ADDR),
	FIELD(memsz, ULONG, SIZE));

static uint64_t too_many_segments(struct decoder *d)
{
	return decode_arg_value(d, 1) > V_KEXEC_SEGMENT_MAX;
}

#define KEXEC_FLAGS							\
	JOINED(ULONG, CHOICE(V_KEXEC_ARCH_MASK, ENUM(kexec_archs)),	\
	       CHOICE(~(uint64_t)V_KEXEC_ARCH_MASK, FLAGS(kexec_flags)))

SYSCALL(kexec_load, 0, ARGS(
	ARG(entry, ADDR),
	ARG(nr_segments, SIZE),
	ARG(segments, SELECT(CALC(too_many_segments),
		CHOICE(1, ADDR),
		OTHERWISE(PTR(ARRAY(STRUCT(kexec_segment), ARGV(1)))))),
	ARG(flags, KEXEC_FLAGS)));

SYSCALL(kexec_file_load, TRACE_DESC, ARGS(
	ARG(kernel_fd, FD),
	ARG(initrd_fd, FD),
	ARG(cmdline_len, SIZE),
	ARG(cmdline, BYTES(ARGV(2))),
	ARG(flags, FLAGS_OF(ULONG, kexec_file_flags))));
