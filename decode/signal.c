/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals: what they do, which are blocked, and what a siginfo tells.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- sets of signals ---- */

enum { MAX_SIGNALS = 64, OLD_SIGNALS = 32 };

static void show_signals(struct decoder *d, uint64_t set, unsigned count)
{
	/* a set that is nearly full is better told by what it lacks */
	bool inverted = (unsigned)__builtin_popcountll(set) >= count * 2 / 3;

	if (inverted)
		set = ~set;
	SINK_CALL(d->sink, array_begin,
		  inverted ? ARRAY_SET_INVERTED : ARRAY_SET);
	for (unsigned i = 0; i < count; i++) {
		if (!(set >> i & 1))
			continue;
		SINK_CALL(d->sink, item);
		SINK_CALL(d->sink, symbol, i + 1, BASE_UNSIGNED,
			  constset_name(&set_signals_short, d->abi, i + 1),
			  NULL);
	}
	SINK_CALL(d->sink, array_end);
}

static void decode_sigset(struct decoder *d, const struct type *type,
			  const struct place *place)
{
	(void)type;
	show_signals(d, decode_load(d, U64, place->bytes), MAX_SIGNALS);
}

static void decode_old_sigset(struct decoder *d, const struct type *type,
			      const struct place *place)
{
	(void)type;
	show_signals(d, decode_load(d, U32, place->bytes), OLD_SIGNALS);
}

/* A set that is itself in a register. */
static void print_old_sigset(struct decoder *d, const struct type *type,
			     uint64_t value)
{
	(void)type;
	show_signals(d, value & UINT32_MAX, OLD_SIGNALS);
}

STRUCTURE_UNNAMED(sigset, FIELD(bits, U64, HEX64));
STRUCTURE_UNNAMED(old_sigset, FIELD(bits, UINT, HEX));

const struct type type_sigset = {
	.kind = KIND_CUSTOM,
	.decode = decode_sigset,
	.layout_of = &structure_sigset,
};

static const struct type type_old_sigset = {
	.kind = KIND_CUSTOM,
	.decode = decode_old_sigset,
	.layout_of = &structure_old_sigset,
};

/* Where a word has 8 bytes, half of one is no set. */
static void decode_sigset_word(struct decoder *d, const struct type *type,
			       const struct place *place)
{
	if (d->abi->word == 4)
		decode_old_sigset(d, type, place);
	else
		SINK_CALL(d->sink, address, place->addr);
}

const struct type type_sigset_word = {
	.kind = KIND_CUSTOM,
	.decode = decode_sigset_word,
	.layout_of = &structure_old_sigset,
};

#define OLD_SIGSET	PTR(&type_old_sigset)
#define OLD_SIGSET_WORD	SCALAR(print_old_sigset, UINT)

/* ---- siginfo ---- */

static const struct constset *codes_of(int signo)
{
	switch (signo) {
	case V_SIGILL:
		return &set_si_codes_ill;
	case V_SIGTRAP:
		return &set_si_codes_trap;
	case V_SIGBUS:
		return &set_si_codes_bus;
	case V_SIGFPE:
		return &set_si_codes_fpe;
	case V_SIGSEGV:
		return &set_si_codes_segv;
	case V_SIGCHLD:
		return &set_si_codes_chld;
	case V_SIGIO:
		return &set_si_codes_io;
	case V_SIGSYS:
		return &set_si_codes_sys;
	}
	return NULL;
}

/* .by: the signal */
static void print_si_code(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	const char *name = constset_name(&set_si_codes, d->abi, value);
	const struct constset *codes = codes_of(decode_ref(d, &type->by));

	if (!name && codes)
		name = constset_name(codes, d->abi, value);
	SINK_CALL(d->sink, symbol, value & UINT32_MAX, BASE_HEX, name, NULL);
}

void print_clock_ticks(struct decoder *d, const struct type *type,
		       uint64_t value)
{
	char text[48];

	(void)type;
	snprintf(text, sizeof(text), "%" PRIu64 ".%02" PRIu64 " s",
		 value / USER_HZ, value % USER_HZ);
	SINK_CALL(d->sink, symbol, value, BASE_UNSIGNED, NULL,
		  value ? text : NULL);
}

/* .by: the architecture of the call */
static void print_si_syscall(struct decoder *d, const struct type *type,
			     uint64_t value)
{
	uint64_t arch = decode_ref(d, &type->by);
	const struct sysent *sysent;
	struct sysent scratch;
	char scratch_name[SYSENT_NAME_SIZE], text[64];

	if (arch == (d->abi->id == ABI_I386 ? V_AUDIT_ARCH_I386
					    : V_AUDIT_ARCH_X86_64)) {
		sysent = sysent_find(d->abi, value, &scratch, scratch_name);
		if (sysent->number) {
			snprintf(text, sizeof(text), "__NR_%s", sysent->name);
			SINK_CALL(d->sink, symbol, value, BASE_UNSIGNED, text,
				  NULL);
			return;
		}
	}
	SINK_CALL(d->sink, number, value, BASE_UNSIGNED);
}

/* A value that the sender gave. */
#define IF_SIGVAL	IF_UNEQUAL(SIBLING(si_ptr), 0)
#define SIGVAL								\
	FIELD(si_int, INT, DEC, .when = IF_SIGVAL),			\
	FIELD(si_ptr, POINTER, ADDR, .show = SHOW_OVERLAY, .when = IF_SIGVAL)

STRUCTURE_UNNAMED(si_kill,
	FIELD(si_pid, INT, PID),
	FIELD(si_uid, UINT, UID));

STRUCTURE_UNNAMED(si_queue,
	FIELD(si_pid, INT, PID),
	FIELD(si_uid, UINT, UID),
	SIGVAL);

static bool si_has_sender(struct decoder *d)
{
	return decode_ref(d, &(struct ref)SIBLING(si_pid)) ||
	       decode_ref(d, &(struct ref)SIBLING(si_uid));
}

/* From the kernel: the sender only if there is one. */
STRUCTURE_UNNAMED(si_other,
	FIELD(si_pid, INT, PID, .when = IF_FN(si_has_sender)),
	FIELD(si_uid, UINT, UID, .when = IF_FN(si_has_sender)),
	SIGVAL);

STRUCTURE_UNNAMED(si_timer,
	FIELD(si_timerid, UINT, HEX),
	FIELD(si_overrun, INT, DEC),
	SIGVAL);

STRUCTURE_UNNAMED(si_child,
	FIELD(si_pid, INT, PID),
	FIELD(si_uid, UINT, UID),
	FIELD(si_status, INT, SELECT(SIBLING(si_code),
		CHOICE(V_CLD_EXITED, DEC),
		OTHERWISE(SIGNAL))),
	FIELD(si_utime, KULONG, CLOCK_TICKS(KULONG),
	      .abis = ON_X86_64 | ON_I386),
	FIELD(si_utime, KULONG, CLOCK_TICKS(KULONG), .abis = ON_X32,
	      .show = SHOW_PACKED),
	FIELD(si_stime, KULONG, CLOCK_TICKS(KULONG),
	      .abis = ON_X86_64 | ON_I386),
	FIELD(si_stime, KULONG, CLOCK_TICKS(KULONG), .abis = ON_X32,
	      .show = SHOW_PACKED));

STRUCTURE_UNNAMED(si_fault,
	FIELD(si_addr, POINTER, ADDR));

STRUCTURE_UNNAMED(si_memory_error,
	FIELD(si_addr, POINTER, ADDR),
	FIELD(si_addr_lsb, U16, HEX));

STRUCTURE_UNNAMED(si_bound_error,
	FIELD(si_addr, POINTER, ADDR),
	PADDING(POINTER),
	FIELD(si_lower, POINTER, ADDR),
	FIELD(si_upper, POINTER, ADDR));

STRUCTURE_UNNAMED(si_key_error,
	FIELD(si_addr, POINTER, ADDR),
	PADDING(POINTER),
	FIELD(si_pkey, UINT, UDEC));

STRUCTURE_UNNAMED(si_poll,
	FIELD(si_band, LONG, SSIZE),
	FIELD(si_fd, INT, FD));

STRUCTURE_UNNAMED(si_sys,
	FIELD(si_call_addr, POINTER, ADDR),
	FIELD(si_syscall, INT, TYPE(.kind = KIND_SCALAR, .ctype = UINT,
		.print = print_si_syscall, .by = SIBLING(si_arch))),
	FIELD(si_arch, UINT, ENUM(audit_architectures)));

enum siginfo_kind {
	SI_NOTHING,
	SI_KIND_KILL, SI_KIND_QUEUE, SI_KIND_TIMER,	/* from processes */
	SI_KIND_CHILD, SI_KIND_FAULT, SI_KIND_MEMORY, SI_KIND_BOUND,
	SI_KIND_KEY, SI_KIND_POLL, SI_KIND_SYS, SI_KIND_OTHER,
};

static enum siginfo_kind kind_of_fault(int signo, int code)
{
	if (signo == V_SIGBUS &&
	    (code == V_BUS_MCEERR_AR || code == V_BUS_MCEERR_AO))
		return SI_KIND_MEMORY;
	if (signo == V_SIGSEGV && code == V_SEGV_BNDERR)
		return SI_KIND_BOUND;
	if (signo == V_SIGSEGV && code == V_SEGV_PKUERR)
		return SI_KIND_KEY;
	return SI_KIND_FAULT;
}

static enum siginfo_kind kind_from_kernel(int signo, int code)
{
	switch (signo) {
	case V_SIGILL:
	case V_SIGTRAP:
	case V_SIGBUS:
	case V_SIGFPE:
	case V_SIGSEGV:
		return kind_of_fault(signo, code);
	case V_SIGCHLD:
		return SI_KIND_CHILD;
	case V_SIGIO:
		return code >= V_POLL_IN && code <= V_POLL_HUP
		       ? SI_KIND_POLL : SI_NOTHING;
	case V_SIGSYS:
		return SI_KIND_SYS;
	}
	return SI_KIND_OTHER;
}

static uint64_t siginfo_kind(struct decoder *d)
{
	int signo = decode_ref(d, &(struct ref)SIBLING(si_signo));
	int code = decode_ref(d, &(struct ref)SIBLING(si_code));

	if (!signo)
		return SI_NOTHING;
	switch (code) {
	case V_SI_USER:
	case V_SI_TKILL:
		return SI_KIND_KILL;
	case V_SI_TIMER:
		return SI_KIND_TIMER;
	case V_SI_SIGIO:
		return SI_KIND_POLL;
	}
	return code < 0 ? SI_KIND_QUEUE : kind_from_kernel(signo, code);
}

static const struct type type_si_fields = {
	.kind = KIND_SELECT,
	.by = CALC(siginfo_kind),
	.choices = (const struct choice[]){
		CHOICE(SI_KIND_KILL, BARE(si_kill)),
		CHOICE(SI_KIND_QUEUE, BARE(si_queue)),
		CHOICE(SI_KIND_TIMER, BARE(si_timer)),
		CHOICE(SI_KIND_CHILD, BARE(si_child)),
		CHOICE(SI_KIND_FAULT, BARE(si_fault)),
		CHOICE(SI_KIND_MEMORY, BARE(si_memory_error)),
		CHOICE(SI_KIND_BOUND, BARE(si_bound_error)),
		CHOICE(SI_KIND_KEY, BARE(si_key_error)),
		CHOICE(SI_KIND_POLL, BARE(si_poll)),
		CHOICE(SI_KIND_SYS, BARE(si_sys)),
		CHOICE(SI_KIND_OTHER, BARE(si_other)),
	},
	.choice_count = 11,
};

#define IF_SIGNO	IF_UNEQUAL(SIBLING(si_signo), 0)

STRUCTURE_UNNAMED(siginfo,
	FIELD(si_signo, INT, SIGNAL, .when = IF_SIGNO),
	FIELD(si_errno, UINT, NAMED(UINT, errnos), .turn = 1,
	      .show = SHOW_NONZERO, .when = IF_SIGNO),
	FIELD(si_code, INT, TYPE(.kind = KIND_SCALAR, .ctype = INT,
		.print = print_si_code, .by = SIBLING(si_signo)),
	      .when = IF_SIGNO),
	{ .type = &type_si_fields, .turn = 2 });

/* The kernel's is always so long. */
UNION(siginfo_128, NULL,
	{ .type = BARE(siginfo) },
	PADDING(U8, .count = 128));

const struct type type_siginfo = {
	.kind = KIND_STRUCT,
	.structure = &structure_siginfo_128,
};

void decode_siginfo(struct decoder *d, const void *bytes, size_t len)
{
	decode_object(d, SIGINFO, CT_DEFAULT,
		      &(struct place){ .bytes = bytes, .len = len });
}

/* ---- actions ---- */

static void print_handler(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	const char *name = constset_name(&set_signal_handlers, d->abi, value);

	(void)type;
	if (name)
		SINK_CALL(d->sink, symbol, value, BASE_HEX, name, NULL);
	else
		SINK_CALL(d->sink, address, value);
}

#define HANDLER		SCALAR(print_handler, POINTER)
#define IF_RESTORER	IF_ANY_BIT(SIBLING(sa_flags), V_SA_RESTORER)

STRUCTURE_UNNAMED(sigaction,
	FIELD(sa_handler, POINTER, HANDLER),
	FIELD(sa_flags, ULONG, FLAGS(sigaction_flags), .turn = 2),
	FIELD(sa_restorer, POINTER, ADDR, .turn = 3, .when = IF_RESTORER),
	/* x32 has two words of 32 bits there */
	MEMBER(sa_mask, SIGSET, .turn = 1, .show = SHOW_PACKED));

STRUCTURE_UNNAMED(old_sigaction,
	FIELD(sa_handler, POINTER, HANDLER),
	MEMBER(sa_mask, &type_old_sigset),
	FIELD(sa_flags, UINT, FLAGS(sigaction_flags)),
	FIELD(sa_restorer, POINTER, ADDR, .when = IF_RESTORER));

SYSCALL(rt_sigaction, TRACE_SIGNAL, ARGS(
	ARG(signum, SIGNAL),
	ARG(act, PTR_TO(sigaction)),
	OUT(oldact, PTR_TO(sigaction)),
	LATE(sigsetsize, SIZE)));

SYSCALL(sigaction, TRACE_SIGNAL, ARGS(
	ARG(signum, SIGNAL),
	ARG(act, PTR_TO(old_sigaction)),
	OUT(oldact, PTR_TO(old_sigaction))));

SYSCALL(signal, TRACE_SIGNAL, ARGS(
	ARG(signum, SIGNAL),
	ARG(handler, HANDLER)),
	.returns = HANDLER);

/* ---- masks ---- */

/* The kernel takes sets of one size only, as argument so many says. */

SYSCALL(rt_sigprocmask, TRACE_SIGNAL, ARGS(
	ARG(how, ENUM(sigprocmask_how)),
	ARG(set, SELECT(ARGV(3), SIGSET_SIZES)),
	OUT(oldset, SELECT(ARGV(3), SIGSET_SIZES)),
	LATE(sigsetsize, SIZE)));

SYSCALL(sigprocmask, TRACE_SIGNAL, ARGS(
	ARG(how, ENUM(sigprocmask_how)),
	ARG(set, OLD_SIGSET),
	OUT(oldset, OLD_SIGSET)));

/* The first bytes of a pending set can be had, too. */
static uint64_t pending_bytes(struct decoder *d)
{
	uint64_t size = decode_arg_value(d, 1);

	return size <= MAX_SIGNALS / 8 ? size : 0;
}

static void decode_pending(struct decoder *d, const struct type *type,
			   const struct place *place)
{
	size_t size = pending_bytes(d);
	uint8_t bytes[MAX_SIGNALS / 8] = { 0 };

	(void)type;
	if (view_read_exactly(d->view, place->addr, bytes, size))
		show_signals(d, decode_load(d, U64, bytes), size * 8);
	else
		SINK_CALL(d->sink, address, place->addr);
}

SYSCALL(rt_sigpending, TRACE_SIGNAL, ARGS(
	OUT(set, SELECT(CALC(pending_bytes), CHOICE(0, ADDR),
			OTHERWISE(PTR(CUSTOM(decode_pending))))),
	LATE(sigsetsize, SIZE)));

SYSCALL(sigpending, TRACE_SIGNAL, ARGS(
	OUT(set, OLD_SIGSET)));

SYSCALL(sgetmask, TRACE_SIGNAL, ARGS(
	AUX_RESULT("mask", OLD_SIGSET_WORD)),
	.returns = HEX);

SYSCALL(ssetmask, TRACE_SIGNAL, ARGS(
	ARG(newmask, OLD_SIGSET_WORD),
	AUX_RESULT("old mask", OLD_SIGSET_WORD)),
	.returns = HEX);

/* ---- waiting ---- */

SYSCALL(pause, TRACE_SIGNAL, NO_ARGS);

SYSCALL(rt_sigsuspend, TRACE_SIGNAL, ARGS(
	ARG(set, SELECT(ARGV(1), SIGSET_SIZES)),
	ARG(sigsetsize, SIZE)));

SYSCALL(sigsuspend, TRACE_SIGNAL, ARGS(
	UNUSED_ARG,
	UNUSED_ARG,
	ARG(mask, OLD_SIGSET_WORD)));

static bool got_signal(struct decoder *d)
{
	return constset_name(&set_signals, d->abi, d->result);
}

#define SIGTIMEDWAIT_ARGS(timespec_) ARGS(				\
	ARG(set, SELECT(ARGV(3), SIGSET_SIZES)),				\
	OUT(info, PTR(SIGINFO)),					\
	LATE(timeout, timespec_),					\
	LATE(sigsetsize, SIZE),						\
	AUX_RESULT("", SIGNAL, .when = IF_FN(got_signal)))

SYSCALL(rt_sigtimedwait, TRACE_SIGNAL, SIGTIMEDWAIT_ARGS(TIMESPEC));
SYSCALL(rt_sigtimedwait_time64, TRACE_SIGNAL, SIGTIMEDWAIT_ARGS(TIMESPEC64));

#define SIGNALFD_ARGS							\
	ARG(fd, FD),							\
	ARG(mask, SELECT(ARGV(2), SIGSET_SIZES)),				\
	ARG(sizemask, SIZE)

SYSCALL(signalfd, TRACE_DESC | TRACE_SIGNAL, ARGS(
	SIGNALFD_ARGS),
	.returns = FD);

SYSCALL(signalfd4, TRACE_DESC | TRACE_SIGNAL, ARGS(
	SIGNALFD_ARGS,
	ARG(flags, FLAGS(signalfd_flags))),
	.returns = FD);

/* ---- sending ---- */

SYSCALL(kill, TRACE_SIGNAL | TRACE_PROCESS, ARGS(
	ARG(pid, PID),
	ARG(signum, SIGNAL)));

SYSCALL(tkill, TRACE_SIGNAL | TRACE_PROCESS, ARGS(
	ARG(tid, PID),
	ARG(signum, SIGNAL)));

SYSCALL(tgkill, TRACE_SIGNAL | TRACE_PROCESS, ARGS(
	ARG(tgid, PID),
	ARG(tid, PID),
	ARG(signum, SIGNAL)));

SYSCALL(rt_sigqueueinfo, TRACE_SIGNAL | TRACE_PROCESS, ARGS(
	ARG(tgid, PID),
	ARG(signum, SIGNAL),
	ARG(info, PTR(SIGINFO))));

SYSCALL(rt_tgsigqueueinfo, TRACE_SIGNAL | TRACE_PROCESS, ARGS(
	ARG(tgid, PID),
	ARG(tid, PID),
	ARG(signum, SIGNAL),
	ARG(info, PTR(SIGINFO))));

/* ---- the stack of handlers, and the way back from them ---- */

STRUCTURE_AS(sigaltstack, "struct sigaltstack",
	FIELD(ss_sp, POINTER, ADDR),
	FIELD(ss_flags, INT, FLAGS(sigaltstack_flags)),
	FIELD(ss_size, ULONG, SIZE));

SYSCALL(sigaltstack, TRACE_SIGNAL, ARGS(
	ARG(ss, PTR_TO(sigaltstack)),
	OUT(old_ss, PTR_TO(sigaltstack))));

/*
 * What sigreturn restores lies on the stack: from the stack pointer at entry
 * on, so many bytes, there is the mask.
 */
static const uint16_t rt_frame_mask[ABI_COUNT] = {
	[ABI_X86_64] = 296,	/* ucontext: 40 bytes, then 256 of registers */
	[ABI_X32] = 280,
	[ABI_I386] = 12 + 128 + 20 + 88, /* pointers, siginfo, ucontext */
};

STRUCTURE_UNNAMED(sigframe, MEMBER(mask, SIGSET));
STRUCTURE_UNNAMED(old_sigframe, MEMBER(mask, &type_old_sigset));

static void decode_rt_sigframe(struct decoder *d, const struct type *type,
			       const struct place *place)
{
	(void)type;
	(void)place;
	decode_at(d, STRUCT(sigframe),
		  d->stack_pointer + rt_frame_mask[d->abi->id]);
}

SYSCALL(rt_sigreturn, TRACE_SIGNAL | IS_SIGRETURN, ARGS(
	ARG(sigmask, CUSTOM(decode_rt_sigframe))));

enum { OLD_FRAME_MASK = 80 };	/* the oldmask of a struct sigcontext_32 */

static void decode_sigframe(struct decoder *d, const struct type *type,
			    const struct place *place)
{
	(void)type;
	(void)place;
	decode_at(d, STRUCT(old_sigframe), d->stack_pointer + OLD_FRAME_MASK);
}

SYSCALL(sigreturn, TRACE_SIGNAL | IS_SIGRETURN, ARGS(
	ARG(sigmask, CUSTOM(decode_sigframe))));
