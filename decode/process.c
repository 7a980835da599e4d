/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Processes and threads: their making, ending and waiting for, what a process
 * can be told about itself, and the machine as a whole.
 */
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- execve ---- */

#define STRINGS		ARRAY_ENDED(STR)
#define ENVIRONMENT							\
	TYPE(.kind = KIND_ARRAY, .flags = TYPE_ENDED | TYPE_COUNTED,	\
	     .to = STR, .length = N(UINT32_MAX), .label = "var")

SYSCALL(execve, TRACE_FILE | TRACE_PROCESS | CHANGES_MAP | IS_EXEC, ARGS(
	ARG(pathname, PATH),
	ARG(argv, PTR(STRINGS)),
	ARG(envp, PTR(ENVIRONMENT))));

SYSCALL(execveat, TRACE_DESC | TRACE_FILE | TRACE_PROCESS | CHANGES_MAP |
		  IS_EXEC, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(argv, PTR(STRINGS)),
	ARG(envp, PTR(ENVIRONMENT)),
	ARG(flags, FLAGS(execveat_flags))));

/* ---- new processes ---- */

SYSCALL(fork, TRACE_PROCESS, NO_ARGS, .returns = PID);
SYSCALL(vfork, TRACE_PROCESS, NO_ARGS, .returns = PID);

/* The lowest byte is the signal that tells the parent of the end. */
static void print_clone_flags(struct decoder *d, const struct type *type,
			      uint64_t value)
{
	uint64_t flags = value & ~UINT64_C(0xff), signal = value & 0xff;

	(void)type;
	SINK_CALL(d->sink, array_begin, ARRAY_JOINED);
	if (flags) {
		SINK_CALL(d->sink, item);
		decode_flags(d, &set_clone_flags, flags);
	}
	if (signal || !flags) {
		SINK_CALL(d->sink, item);
		decode_value(d, SIGNAL, CT_DEFAULT, signal);
	}
	SINK_CALL(d->sink, array_end);
}

#define CLONE_STACK	ARG(child_stack, ADDR, .named = true)
#define CLONE_FLAGS							\
	ARG(flags, SCALAR(print_clone_flags, KULONG), .named = true)
#define CLONE_PARENT_TID						\
	OUT(parent_tid, PTR(DEC), .named = true,			\
	    .when = IF_ANY_BIT(ARGV(1),					\
			       V_CLONE_PARENT_SETTID | V_CLONE_PIDFD))
#define CLONE_TLS(type_)						\
	LATE(tls, type_, .named = true,					\
	     .when = IF_ANY_BIT(ARGV(1), V_CLONE_SETTLS))
#define CLONE_CHILD_TID							\
	LATE(child_tidptr, ADDR, .named = true,				\
	     .when = IF_ANY_BIT(ARGV(1), V_CLONE_CHILD_SETTID |		\
					 V_CLONE_CHILD_CLEARTID))

SYSCALL_ON(ON_64BIT_CALLS, clone, TRACE_PROCESS, ARGS(
	CLONE_STACK,
	CLONE_FLAGS,
	CLONE_PARENT_TID,
	CLONE_TLS(ADDR),
	CLONE_CHILD_TID),
	.order = { 2, 1, 3, 5, 4 },
	.returns = PID);

SYSCALL_ON(ON_I386, clone, TRACE_PROCESS, ARGS(
	CLONE_STACK,
	CLONE_FLAGS,
	CLONE_PARENT_TID,
	CLONE_TLS(PTR_TO(user_desc)),
	CLONE_CHILD_TID),
	.order = { 2, 1, 3, 4, 5 },
	.returns = PID);

#define IF_CLONE(flags_)	IF_ANY_BIT(SIBLING(flags), flags_)
#define IF_CLONE_TIDS \
	IF_CLONE(V_CLONE_CHILD_SETTID | V_CLONE_CHILD_CLEARTID)
/* The kernel takes no more thread ids than there are levels of namespaces. */
enum { MAX_PID_NS_LEVEL = 32 };

static bool clone_tids_are_shown(struct decoder *d)
{
	return decode_ref(d, &(struct ref)SIBLING(set_tid)) ||
	       decode_ref(d, &(struct ref)SIBLING(set_tid_size));
}

static bool clone_cgroup_is_shown(struct decoder *d)
{
	return decode_ref(d, &(struct ref)SIBLING(cgroup)) ||
	       decode_ref(d, &(struct ref)SIBLING(flags)) &
	       V_CLONE_INTO_CGROUP;
}

static uint64_t clone_tid_count(struct decoder *d)
{
	uint64_t size = decode_ref(d, &(struct ref)SIBLING(set_tid_size));

	return size <= MAX_PID_NS_LEVEL ? size : 0;
}

#define POINTER_64(type_) \
	TYPE(.kind = KIND_PTR, .ctype = U64, .to = (type_))
#define ADDR_64		ADDR_OF(U64)

STRUCTURE(clone_args,
	FIELD(flags, U64, FLAGS_OF(U64, clone3_flags)),
	FIELD(pidfd, U64, ADDR_64, .when = IF_CLONE(V_CLONE_PIDFD)),
	FIELD(child_tid, U64, ADDR_64, .when = IF_CLONE_TIDS),
	FIELD(parent_tid, U64, ADDR_64,
	      .when = IF_CLONE(V_CLONE_PARENT_SETTID)),
	FIELD(exit_signal, U64, SIGNAL),
	FIELD(stack, U64, ADDR_64),
	FIELD(stack_size, U64, HEX64),
	FIELD(tls, U64, HEX64, .when = IF_CLONE(V_CLONE_SETTLS)),
	FIELD(set_tid, U64, SELECT(CALC(clone_tid_count), CHOICE(0, ADDR_64),
		OTHERWISE(POINTER_64(ARRAY(DEC, CALC(clone_tid_count))))),
	      .when = IF_FN(clone_tids_are_shown)),
	FIELD(set_tid_size, U64, DEC_OF(U64),
	      .when = IF_FN(clone_tids_are_shown)),
	FIELD(cgroup, U64, DEC_OF(U64),
	      .when = IF_FN(clone_cgroup_is_shown)));

/* What a successful call has stored. */
STRUCTURE_UNNAMED(clone_args_after,
	FIELD(flags, U64, HEX64, .show = SHOW_NEVER),
	FIELD(pidfd, U64, POINTER_64(FD), .when = IF_CLONE(V_CLONE_PIDFD)),
	PADDING(U64),
	FIELD(parent_tid, U64, POINTER_64(PID),
	      .when = IF_CLONE(V_CLONE_PARENT_SETTID)));

#define CLONE_ARGS_SIZE_VER0	64	/* less is an error */

static uint64_t clone3_has_stored(struct decoder *d)
{
	uint64_t flags;

	return !d->error && decode_arg_value(d, 1) >= CLONE_ARGS_SIZE_VER0 &&
	       view_read_exactly(d->view, decode_arg_value(d, 0), &flags,
				 sizeof(flags)) &&
	       flags & (V_CLONE_PIDFD | V_CLONE_PARENT_SETTID);
}

SYSCALL(clone3, TRACE_PROCESS, ARGS(
	INOUT(cl_args, PTR(STRUCT_SIZED(clone_args, CLONE_ARGS_SIZE_VER0,
					 ARGV(1))),
	      .after = SELECT(CALC(clone3_has_stored),
			      CHOICE(1, PTR_TO(clone_args_after)))),
	ARG(size, SIZE)),
	.returns = PID);

SYSCALL(unshare, 0, ARGS(
	ARG(flags, FLAGS_OF(ULONG, unshare_flags))));

SYSCALL(setns, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(nstype, FLAGS(setns_types))));

SYSCALL(set_tid_address, 0, ARGS(
	ARG(tidptr, ADDR)),
	.returns = PID);

SYSCALL(set_robust_list, 0, ARGS(
	ARG(addr, ADDR),
	ARG(length, SIZE)));

SYSCALL(get_robust_list, 0, ARGS(
	ARG(pid, PID),
	OUT(head_ptr, PTR(ADDR)),
	OUT(len_ptr, PTR(SIZE))));

/* ---- restartable sequences ---- */

STRUCTURE(rseq_cs,
	FIELD(version, UINT, UDEC),
	FIELD(flags, UINT, FLAGS(rseq_cs_flags)),
	FIELD(start_ip, U64, HEX64),
	FIELD(post_commit_offset, U64, HEX64),
	FIELD(abort_ip, U64, HEX64));

STRUCTURE_UNNAMED(rseq_slice_ctrl,
	FIELD(request, U8, DEC_OF(U8)),
	FIELD(granted, U8, DEC_OF(U8)),
	FIELD(__reserved, U16, HEX_OF(U16)));

/*
 * The kernel's structure is aligned to 32 bytes and open-ended; a byte more
 * is known than what a registration of 32 bytes has.
 */
enum { RSEQ_ALIGN = 32, RSEQ_SIZE = 32, RSEQ_KNOWN = 33 };

static void print_rseq_reserved(struct decoder *d, const struct type *type,
				uint64_t value)
{
	(void)value;
	print_hex(d, type, decode_ref(d, &type->by));
}

#define RSEQ_CPU(name_)							\
	FIELD(name_, UINT, SELECT(SIBLING(name_),			\
		CHOICE(V_RSEQ_CPU_ID_UNINITIALIZED & UINT32_MAX,	\
		       ENUM_OF(INT, rseq_cpu_ids)),			\
		CHOICE(V_RSEQ_CPU_ID_REGISTRATION_FAILED & UINT32_MAX,	\
		       ENUM_OF(INT, rseq_cpu_ids)),			\
		OTHERWISE(UDEC)))

STRUCTURE_UNNAMED(rseq,
	RSEQ_CPU(cpu_id_start),
	RSEQ_CPU(cpu_id),
	FIELD(rseq_cs, U64, TYPE(.kind = KIND_PTR, .ctype = U64,
		.to = STRUCT(rseq_cs), .flags = TYPE_LOCATED)),
	FIELD(flags, UINT, FLAGS(rseq_cs_flags)),
	FIELD(node_id, UINT, UDEC),
	FIELD(mm_cid, UINT, UDEC),
	MEMBER(slice_ctrl, STRUCT(rseq_slice_ctrl)),
	FIELD(__reserved, U8, TYPE(.kind = KIND_SCALAR, .ctype = U8,
		.print = print_rseq_reserved, .by = SIBLING(beyond)),
	      .show = SHOW_OVERLAY),
	FIELD(beyond, U8, HEX, .show = SHOW_NEVER));

static uint64_t rseq_size(struct decoder *d)
{
	uint64_t len = decode_arg_value(d, 1);

	if (len < RSEQ_SIZE || decode_arg_value(d, 0) % RSEQ_ALIGN)
		return 0;
	return len < RSEQ_KNOWN ? len : RSEQ_KNOWN;
}

SYSCALL(rseq, 0, ARGS(
	ARG(rseq, SELECT(CALC(rseq_size), CHOICE(0, ADDR), OTHERWISE(
		PTR(STRUCT_SIZED(rseq, RSEQ_SIZE, CALC(rseq_size)))))),
	ARG(rseq_len, UDEC),
	ARG(flags, FLAGS(rseq_flags)),
	ARG(sig, HEX)));

SYSCALL(rseq_slice_yield, 0, NO_ARGS);

/* ---- the end, and waiting for it ---- */

SYSCALL(exit, TRACE_PROCESS | NEVER_RETURNS, ARGS(
	ARG(status, DEC)));
SYSCALL(exit_group, TRACE_PROCESS | NEVER_RETURNS, ARGS(
	ARG(status, DEC)));

/* Signals have their names in every style. */
static void add_signal(struct decoder *d, struct composed *c, unsigned signal)
{
	const char *name = constset_name(&set_signals, d->abi, signal);

	if (name)
		compose_text(c, "%s", name);
	else
		compose_text(c, "%u", signal);
}

/* The status as the macros of wait(2) take it apart, and what is left. */
static void print_wait_status(struct decoder *d, const struct type *type,
			      uint64_t value)
{
	unsigned status = value, low = status & 0x7f;
	unsigned high = status >> 8 & 0xff, event = status >> 16;
	unsigned rest = 0;
	struct composed c = { 0 };

	(void)type;
	if (status == 0xffff) {
		compose_text(&c, "{WIFCONTINUED(s)}");
		event = 0;
	} else if (!low && !(status & 0x80)) {
		compose_text(&c, "{WIFEXITED(s) && WEXITSTATUS(s) == %u}",
			     high);
	} else if ((status & 0xff) == 0x7f) {
		compose_text(&c, "{WIFSTOPPED(s) && WSTOPSIG(s) == ");
		add_signal(d, &c, high & 0x7f);
		compose_text(&c, "%s}", high & 0x80 ? " | 0x80" : "");
	} else if (low != 0x7f) {
		compose_text(&c, "{WIFSIGNALED(s) && WTERMSIG(s) == ");
		add_signal(d, &c, low);
		compose_text(&c, "%s}",
			     status & 0x80 ? " && WCOREDUMP(s)" : "");
		rest = high << 8;
	} else {
		SINK_CALL(d->sink, number, status, BASE_HEX);
		return;
	}
	if (event) {
		compose_text(&c, "|");
		compose_symbol(d, &c, &set_ptrace_events, event);
		compose_text(&c, "<<16");
	}
	if (rest)
		compose_text(&c, "|%#x", rest);
	compose_show(d, &c, status);
}

/* A status is there only if a process was. */
#define WAIT_STATUS							\
	SELECT(RESULT, CHOICE(0, ADDR),					\
	       OTHERWISE(PTR(SCALAR(print_wait_status, INT))))
#define WAIT_USAGE \
	SELECT(RESULT, CHOICE(0, ADDR), OTHERWISE(PTR_TO(rusage)))

SYSCALL(wait4, TRACE_PROCESS, ARGS(
	ARG(pid, PID),
	OUT(status, WAIT_STATUS),
	LATE(options, FLAGS(wait_options)),
	OUT(usage, WAIT_USAGE)),
	.returns = PID);

SYSCALL(waitpid, TRACE_PROCESS, ARGS(
	ARG(pid, PID),
	OUT(status, WAIT_STATUS),
	LATE(options, FLAGS(wait_options))),
	.returns = PID);

SYSCALL(waitid, TRACE_PROCESS, ARGS(
	ARG(idtype, ENUM(waitid_types)),
	ARG(id, SELECT(ARGV(0), CHOICE(V_P_PID, PID), CHOICE(V_P_PGID, PID),
		       CHOICE(V_P_PIDFD, FD), OTHERWISE(DEC))),
	OUT(siginfo, PTR(SIGINFO)),
	LATE(options, FLAGS(wait_options)),
	OUT(usage, PTR_TO(rusage))));

/* ---- who a process is ---- */

SYSCALL(getpid, TRACE_PURE, NO_ARGS, .returns = PID);
SYSCALL(gettid, TRACE_PURE, NO_ARGS, .returns = PID);
SYSCALL(getppid, TRACE_PURE, NO_ARGS, .returns = PID);
SYSCALL(getpgrp, TRACE_PURE, NO_ARGS, .returns = PID);
SYSCALL(setsid, 0, NO_ARGS, .returns = PID);

SYSCALL(getpgid, 0, ARGS(
	ARG(pid, PID)),
	.returns = PID);

SYSCALL(getsid, 0, ARGS(
	ARG(pid, PID)),
	.returns = PID);

SYSCALL(setpgid, 0, ARGS(
	ARG(pid, PID),
	ARG(pgid, PID)));

SYSCALL(vhangup, 0, NO_ARGS);

SYSCALL(getcpu, 0, ARGS(
	OUT(cpu, PTR(UDEC)),
	OUT(node, PTR(UDEC)),
	ARG(tcache, ADDR)));

/* A descriptor of another process, whose id is .by. */
static void print_fd_of(struct decoder *d, const struct type *type,
			uint64_t value)
{
	const struct fd_target *target = NULL;
	int pid = decode_ref(d, &type->by), fd = value;

	if (pid > 0 && fd >= 0 && d->inspector && d->inspector->fd_target_of)
		target = d->inspector->fd_target_of(d->inspector, pid, fd);
	SINK_CALL(d->sink, fd, fd, NULL, target);
}

#define FD_OF(...)							\
	TYPE(.kind = KIND_SCALAR, .ctype = INT, .print = print_fd_of,	\
	     .by = __VA_ARGS__)

STRUCTURE(kcmp_epoll_slot,
	FIELD(efd, UINT, FD_OF(ARGV(1))),
	FIELD(tfd, UINT, FD_OF(ARGV(1))),
	FIELD(toff, UINT, UDEC));

SYSCALL(kcmp, 0, ARGS(
	ARG(pid1, PID),
	ARG(pid2, PID),
	ARG(type, ENUM(kcmp_types))),
	.select = ARGV(2),
	VARIANTS(
		VARIANT(V_KCMP_FILE, ARGS(
			ARG(idx1, FD_OF(ARGV(0))),
			ARG(idx2, FD_OF(ARGV(1))))),
		VARIANT(V_KCMP_VM, NO_ARGS),
		VARIANT(V_KCMP_FILES, NO_ARGS),
		VARIANT(V_KCMP_FS, NO_ARGS),
		VARIANT(V_KCMP_SIGHAND, NO_ARGS),
		VARIANT(V_KCMP_IO, NO_ARGS),
		VARIANT(V_KCMP_SYSVSEM, NO_ARGS),
		VARIANT(V_KCMP_EPOLL_TFD, ARGS(
			ARG(idx1, FD_OF(ARGV(0))),
			ARG(idx2, PTR_TO(kcmp_epoll_slot)))),
		OTHER_VARIANT(ARGS(
			ARG(idx1, HEXLONG),
			ARG(idx2, HEXLONG)))));

/* ---- descriptors of processes ---- */

SYSCALL(pidfd_open, TRACE_DESC, ARGS(
	ARG(pid, PID),
	ARG(flags, FLAGS(pidfd_flags))),
	.returns = FD);

/* The process that the first argument refers to. */
static uint64_t process_of_pidfd(struct decoder *d)
{
	if (!d->inspector || !d->inspector->pid_of)
		return 0;
	return d->inspector->pid_of(d->inspector, decode_arg_value(d, 0));
}

SYSCALL(pidfd_getfd, TRACE_DESC, ARGS(
	ARG(pidfd, FD),
	ARG(targetfd, FD_OF(CALC(process_of_pidfd))),
	ARG(flags, HEX)),
	.returns = FD);

SYSCALL(pidfd_send_signal, TRACE_DESC | TRACE_SIGNAL | TRACE_PROCESS, ARGS(
	ARG(pidfd, FD),
	ARG(signum, SIGNAL),
	ARG(info, PTR(SIGINFO)),
	ARG(flags, FLAGS(pidfd_signal_flags))));

/* ---- the processor ---- */

#define ARCH_GET	ARGS(OUT(addr, PTR(ADDR)))
#define XFEATURE	ARGS(ARG(addr, NUMBERED_ENUM(ULONG, xfeatures)))
#define XFEATURE_MASK \
	ARGS(OUT(addr, PTR(NUMBERED_FLAGS(U64, xfeature_masks))))

SYSCALL(arch_prctl, CHANGES_MAP, ARGS(
	ARG(op, ENUM(arch_prctl_operations))),
	.select = ARGV(0),
	VARIANTS(
		VARIANT(V_ARCH_GET_FS, ARCH_GET),
		VARIANT(V_ARCH_GET_GS, ARCH_GET),
		VARIANT(V_ARCH_GET_CPUID, NO_ARGS),
		VARIANT(V_ARCH_GET_XCOMP_SUPP, XFEATURE_MASK),
		VARIANT(V_ARCH_GET_XCOMP_PERM, XFEATURE_MASK),
		VARIANT(V_ARCH_GET_XCOMP_GUEST_PERM, XFEATURE_MASK),
		VARIANT(V_ARCH_REQ_XCOMP_PERM, XFEATURE),
		VARIANT(V_ARCH_REQ_XCOMP_GUEST_PERM, XFEATURE),
		OTHER_VARIANT(ARGS(ARG(addr, HEXLONG)))));

/* Bits of a word, from bit number .number on as many as .length masks. */
static void print_bits(struct decoder *d, const struct type *type,
		       uint64_t value)
{
	SINK_CALL(d->sink, number, value >> type->number & type->length.value,
		  BASE_UNSIGNED);
}

#define BIT_FIELD(name_, first_, mask_, ...)				\
	FIELD(name_, UINT, TYPE(.kind = KIND_SCALAR, .ctype = UINT,	\
				.print = print_bits, .number = (first_), \
				.length = N(mask_)),			\
	      .show = SHOW_OVERLAY, .cname = "", ##__VA_ARGS__)

/* 0x00000a: six digits at least. */
static void print_six_digits(struct decoder *d, const struct type *type,
			     uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, value, BASE_MASK32);
}

#define SIX_DIGITS	SCALAR(print_six_digits, UINT)

/* -1: the call shall choose one. */
#define ENTRY_NUMBER							\
	FIELD(entry_number, UINT, SELECT(SIBLING(entry_number),		\
		CHOICE(UINT32_MAX, DEC), OTHERWISE(UDEC)))

STRUCTURE_UNNAMED(user_desc_asked, ENTRY_NUMBER);

STRUCTURE(user_desc,
	ENTRY_NUMBER,
	FIELD(base_addr, UINT, SIX_DIGITS),
	FIELD(limit, UINT, SIX_DIGITS),
	FIELD(bits, UINT, HEX, .show = SHOW_NEVER, .cname = ""),
	BIT_FIELD(seg_32bit, 0, 1),
	BIT_FIELD(contents, 1, 3),
	BIT_FIELD(read_exec_only, 3, 1),
	BIT_FIELD(limit_in_pages, 4, 1),
	BIT_FIELD(seg_not_present, 5, 1),
	BIT_FIELD(useable, 6, 1),
	BIT_FIELD(lm, 7, 1, .abis = ON_64BIT_CALLS));

/* The call cuts its errors to 32 bits, so that they are no errors any more. */
static void print_cut_result(struct decoder *d, const struct type *type,
			     uint64_t value)
{
	unsigned error = -(uint32_t)value;
	const char *name = constset_name(&set_errnos, d->abi, error);
	char text[128];

	if (!name) {
		print_dec(d, type, value);
		return;
	}
	snprintf(text, sizeof(text), "%u %s (%s)", (uint32_t)value, name,
		 strerrordesc_np(error));
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = (uint32_t)value,
		.base = BASE_UNSIGNED, .fixed = true });
}

SYSCALL(modify_ldt, 0, ARGS(
	ARG(func, DEC),
	ARG(ptr, SELECT(ARGV(2), CHOICE(16, PTR_TO(user_desc)),
			OTHERWISE(ADDR))),
	ARG(bytecount, SIZE)),
	.returns = SCALAR(print_cut_result, UINT));

/* The entry that the call has chosen. */
static void print_entry_chosen(struct decoder *d, const struct type *type,
			       uint64_t addr)
{
	uint32_t entry = decode_ref(d, &(struct ref)POINTEE(0));
	char text[40];

	(void)type;
	(void)addr;
	snprintf(text, sizeof(text), "entry_number=%u", entry);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = entry, .base = BASE_UNSIGNED,
		.fixed = true });
}

static bool area_is_shown(struct decoder *d)
{
	uint32_t area[4];

	return d->options->follow_pointers &&
	       view_read_exactly(d->view, decode_arg_value(d, 0), area,
				 sizeof(area));
}

static uint64_t area_is_unknown(struct decoder *d)
{
	return d->error || !area_is_shown(d);
}

SYSCALL(set_thread_area, 0, ARGS(
	ARG(u_info, PTR_TO(user_desc)),
	AUX("", 0, SCALAR(print_entry_chosen, POINTER),
	    .when = IF_FN(area_is_shown))));

SYSCALL(get_thread_area, 0, ARGS(
	LATE(u_info, SELECT(CALC(area_is_unknown),
		CHOICE(1, PTR(STRUCT_FILLED(user_desc_asked, 4, N(16)))),
		OTHERWISE(PTR_TO(user_desc))))));

SYSCALL(iopl, 0, ARGS(
	ARG(level, DEC)));

SYSCALL(ioperm, 0, ARGS(
	ARG(from, HEXLONG),
	ARG(num, HEXLONG),
	ARG(turn_on, DEC)));

#define PERSONALITY							\
	JOINED(UINT, CHOICE(V_PER_MASK, ENUM(personalities)),		\
	       CHOICE(UINT32_MAX & ~V_PER_MASK, FLAGS(personality_flags)))

SYSCALL(personality, 0, ARGS(
	ARG(persona, SELECT(ARGV(0), CHOICE(UINT32_MAX, HEX),
			    OTHERWISE(PERSONALITY)), .ctype = UINT),
	AUX_RESULT("", PERSONALITY)),
	.returns = HEX);

/* Entered from the kernel's own code in a traced program, never by it. */
SYSCALL(uretprobe, 0, NO_ARGS);
SYSCALL(uprobe, 0, NO_ARGS);

/* ---- capabilities ---- */

/* .by: the upper half, where there is one; a word of flags by itself. */
static void print_capabilities(struct decoder *d, const struct type *type,
			       uint64_t value)
{
	uint64_t high = decode_ref(d, &type->by);

	SINK_CALL(d->sink, array_begin, ARRAY_JOINED);
	if (value || !high) {
		SINK_CALL(d->sink, item);
		decode_flags(d, &set_capability_bits, value);
	}
	if (high) {
		SINK_CALL(d->sink, item);
		decode_flags(d, &set_capability_high_bits, high);
	}
	SINK_CALL(d->sink, array_end);
}

#define CAPABILITIES(...)						\
	TYPE(.kind = KIND_SCALAR, .ctype = UINT,			\
	     .print = print_capabilities, .by = __VA_ARGS__)

STRUCTURE_AS(cap_user_header, "struct __user_cap_header_struct",
	FIELD(version, UINT, ENUM(capability_versions)),
	FIELD(pid, INT, PID));

STRUCTURE_UNNAMED(cap_user_data_32,
	FIELD(effective, UINT, CAPABILITIES(N(0))),
	FIELD(permitted, UINT, CAPABILITIES(N(0))),
	FIELD(inheritable, UINT, CAPABILITIES(N(0))));

STRUCTURE_UNNAMED(cap_user_data_64,
	FIELD(effective, UINT, CAPABILITIES(SIBLING(effective_high))),
	FIELD(permitted, UINT, CAPABILITIES(SIBLING(permitted_high))),
	FIELD(inheritable, UINT, CAPABILITIES(SIBLING(inheritable_high))),
	FIELD(effective_high, UINT, HEX, .show = SHOW_NEVER),
	FIELD(permitted_high, UINT, HEX, .show = SHOW_NEVER),
	FIELD(inheritable_high, UINT, HEX, .show = SHOW_NEVER));

static uint64_t capability_header_is_bad(struct decoder *d)
{
	uint32_t header[2];

	return !view_read_exactly(d->view, decode_arg_value(d, 0), header,
				  sizeof(header));
}

/* Of a version that nobody knows, as much as the first one has. */
#define CAPABILITY_DATA							\
	SELECT(CALC(capability_header_is_bad), CHOICE(1, ADDR),		\
	       OTHERWISE(SELECT(POINTEE(0),				\
		       CHOICE(V__LINUX_CAPABILITY_VERSION_2,		\
			      PTR_TO(cap_user_data_64)),		\
		       CHOICE(V__LINUX_CAPABILITY_VERSION_3,		\
			      PTR_TO(cap_user_data_64)),		\
		       OTHERWISE(PTR_TO(cap_user_data_32)))))

SYSCALL(capget, TRACE_CREDS, ARGS(
	ARG(hdrp, PTR_TO(cap_user_header)),
	OUT(datap, CAPABILITY_DATA)));

SYSCALL(capset, TRACE_CREDS, ARGS(
	ARG(hdrp, PTR_TO(cap_user_header)),
	ARG(datap, CAPABILITY_DATA)));

/* ---- seccomp ---- */

STRUCTURE(seccomp_notif_sizes,
	FIELD(seccomp_notif, U16, DEC_OF(U16)),
	FIELD(seccomp_notif_resp, U16, DEC_OF(U16)),
	FIELD(seccomp_data, U16, DEC_OF(U16)));

SYSCALL(seccomp, 0, ARGS(
	ARG(operation, ENUM(seccomp_operations))),
	.select = ARGV(0),
	VARIANTS(
		VARIANT(V_SECCOMP_SET_MODE_FILTER, ARGS(
			ARG(flags, FLAGS(seccomp_filter_flags)),
			ARG(args, PTR_TO(seccomp_fprog)))),
		VARIANT(V_SECCOMP_GET_ACTION_AVAIL, ARGS(
			ARG(flags, HEX),
			ARG(args, PTR(ENUM(seccomp_actions))))),
		VARIANT(V_SECCOMP_GET_NOTIF_SIZES, ARGS(
			ARG(flags, HEX),
			OUT(args, PTR_TO(seccomp_notif_sizes)))),
		OTHER_VARIANT(ARGS(
			ARG(flags, HEX),
			ARG(args, ADDR)))));

/* ---- the machine ---- */

#define UTS_FIELDS(size_)						\
	MEMBER(sysname, CHARS(size_)),					\
	MEMBER(nodename, CHARS(size_)),					\
	MEMBER(release, CHARS(size_), .show = SHOW_VERBOSE),		\
	MEMBER(version, CHARS(size_), .show = SHOW_VERBOSE),		\
	MEMBER(machine, CHARS(size_), .show = SHOW_VERBOSE)

STRUCTURE(new_utsname,
	UTS_FIELDS(65),
	MEMBER(domainname, CHARS(65), .show = SHOW_VERBOSE));

SYSCALL(uname, 0, ARGS(
	OUT(buf, PTR_TO(new_utsname))));
SYSCALL_ON(ON_I386, olduname, 0, ARGS(
	ARG(buf, ADDR)));
SYSCALL_ON(ON_I386, oldolduname, 0, ARGS(
	ARG(buf, ADDR)));

STRUCTURE(sysinfo,
	FIELD(uptime, KULONG, DEC),
	FIELD(loads, KULONG, DEC, .count = 3),
	FIELD(totalram, KULONG, DEC),
	FIELD(freeram, KULONG, DEC),
	FIELD(sharedram, KULONG, DEC),
	FIELD(bufferram, KULONG, DEC),
	FIELD(totalswap, KULONG, DEC),
	FIELD(freeswap, KULONG, DEC),
	FIELD(procs, U16, DEC),
	FIELD(pad, U16, DEC, .show = SHOW_NEVER),
	FIELD(totalhigh, KULONG, DEC),
	FIELD(freehigh, KULONG, DEC),
	FIELD(mem_unit, UINT, DEC),
	FIELD(_f, U8, DEC, .count = 8, .show = SHOW_NEVER, .abis = ON_I386));

SYSCALL(sysinfo, 0, ARGS(
	OUT(info, PTR_TO(sysinfo))));

#define SYSLOG_READ ARGS(						\
	OUT(bufp, BYTES(RESULT)),					\
	ARG(len, DEC))

SYSCALL(syslog, 0, ARGS(
	ARG(type, NUMBERED_ENUM(INT, syslog_actions))),
	.select = ARGV(0),
	VARIANTS(
		VARIANT(V_SYSLOG_ACTION_CLOSE, NO_ARGS),
		VARIANT(V_SYSLOG_ACTION_OPEN, NO_ARGS),
		VARIANT(V_SYSLOG_ACTION_READ, SYSLOG_READ),
		VARIANT(V_SYSLOG_ACTION_READ_ALL, SYSLOG_READ),
		VARIANT(V_SYSLOG_ACTION_READ_CLEAR, SYSLOG_READ),
		VARIANT(V_SYSLOG_ACTION_CLEAR, NO_ARGS),
		VARIANT(V_SYSLOG_ACTION_CONSOLE_OFF, NO_ARGS),
		VARIANT(V_SYSLOG_ACTION_CONSOLE_ON, NO_ARGS),
		VARIANT(V_SYSLOG_ACTION_CONSOLE_LEVEL, ARGS(
			ARG(bufp, ADDR),
			ARG(len, NUMBERED_ENUM(INT, syslog_levels)))),
		VARIANT(V_SYSLOG_ACTION_SIZE_UNREAD, NO_ARGS),
		VARIANT(V_SYSLOG_ACTION_SIZE_BUFFER, NO_ARGS),
		OTHER_VARIANT(ARGS(
			ARG(bufp, ADDR),
			ARG(len, DEC)))));

SYSCALL(reboot, 0, ARGS(
	ARG(magic, ENUM(reboot_magic1)),
	ARG(magic2, ENUM(reboot_magic2)),
	ARG(op, ENUM(reboot_commands)),
	ARG(arg, STR, .when = IF_EQUAL(ARGV(2), V_LINUX_REBOOT_CMD_RESTART2))));

/* A name that the kernel would take. */
static uint64_t uts_name_fits(struct decoder *d)
{
	return decode_arg_value(d, 1) <= 64;
}

#define UTS_NAME							\
	SELECT(CALC(uts_name_fits), CHOICE(1, BYTES(ARGV(1))),		\
	       OTHERWISE(ADDR))

SYSCALL(sethostname, 0, ARGS(
	ARG(name, UTS_NAME),
	ARG(len, UDEC)));

SYSCALL(setdomainname, 0, ARGS(
	ARG(name, UTS_NAME),
	ARG(len, UDEC)));

SYSCALL(acct, TRACE_FILE, ARGS(
	ARG(path, PATH)));
