/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ptrace: what one process does to another, and asks about it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- places in the other's "struct user" ---- */

struct user_place {
	uint16_t offset;
	const char *name;
};

#define USER(member_)	"offsetof(struct user, " member_ ")"

/* In the order of their offsets; the last one is the end. */
static const struct user_place places_64[] = {
	{ 0, "8*R15" }, { 8, "8*R14" }, { 16, "8*R13" }, { 24, "8*R12" },
	{ 32, "8*RBP" }, { 40, "8*RBX" }, { 48, "8*R11" }, { 56, "8*R10" },
	{ 64, "8*R9" }, { 72, "8*R8" }, { 80, "8*RAX" }, { 88, "8*RCX" },
	{ 96, "8*RDX" }, { 104, "8*RSI" }, { 112, "8*RDI" },
	{ 120, "8*ORIG_RAX" }, { 128, "8*RIP" }, { 136, "8*CS" },
	{ 144, "8*EFL" }, { 152, "8*RSP" }, { 160, "8*SS" },
	{ 216, USER("u_fpvalid") }, { 224, USER("i387") },
	{ 736, USER("u_tsize") }, { 744, USER("u_dsize") },
	{ 752, USER("u_ssize") }, { 760, USER("start_code") },
	{ 768, USER("start_stack") }, { 776, USER("signal") },
	{ 784, USER("reserved") }, { 792, USER("u_ar0") },
	{ 800, USER("u_fpstate") }, { 808, USER("magic") },
	{ 816, USER("u_comm") }, { 848, USER("u_debugreg") },
	{ 912, "sizeof(struct user)" },
};

static const struct user_place places_32[] = {
	{ 0, "4*EBX" }, { 4, "4*ECX" }, { 8, "4*EDX" }, { 12, "4*ESI" },
	{ 16, "4*EDI" }, { 20, "4*EBP" }, { 24, "4*EAX" }, { 28, "4*DS" },
	{ 32, "4*ES" }, { 36, "4*FS" }, { 40, "4*GS" },
	{ 44, "4*ORIG_EAX" }, { 48, "4*EIP" }, { 52, "4*CS" },
	{ 56, "4*EFL" }, { 60, "4*UESP" }, { 64, "4*SS" },
	{ 68, USER("u_fpvalid") }, { 72, USER("i387") },
	{ 180, USER("u_tsize") }, { 184, USER("u_dsize") },
	{ 188, USER("u_ssize") }, { 192, USER("start_code") },
	{ 196, USER("start_stack") }, { 200, USER("signal") },
	{ 204, USER("reserved") }, { 208, USER("u_ar0") },
	{ 212, USER("u_fpstate") }, { 216, USER("magic") },
	{ 220, USER("u_comm") }, { 252, USER("u_debugreg") },
	{ 284, "sizeof(struct user)" },
};

static void print_user_offset(struct decoder *d, const struct type *type,
			      uint64_t value)
{
	bool narrow = d->abi->id == ABI_I386;
	const struct user_place *places = narrow ? places_32 : places_64;
	size_t i = narrow ? sizeof(places_32) / sizeof(*places_32)
			  : sizeof(places_64) / sizeof(*places_64);
	char text[64];

	(void)type;
	if (value > places[i - 1].offset) {
		SINK_CALL(d->sink, address, value);
		return;
	}
	while (places[--i].offset > value)
		;
	if (value == places[i].offset)
		snprintf(text, sizeof(text), "%s", places[i].name);
	else
		snprintf(text, sizeof(text), "%s+%" PRIu64, places[i].name,
			 value - places[i].offset);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX });
}

#define USER_OFFSET	SCALAR(print_user_offset, ULONG)

/* ---- registers ---- */

#define REG64(name_)	FIELD(name_, U64, HEX64, .abis = ON_64BIT_CALLS)
#define REG32(name_)	FIELD(name_, U32, HEX, .abis = ON_I386)

STRUCTURE_UNNAMED(user_regs,
	REG64(r15), REG64(r14), REG64(r13), REG64(r12), REG64(rbp), REG64(rbx),
	REG64(r11), REG64(r10), REG64(r9), REG64(r8), REG64(rax), REG64(rcx),
	REG64(rdx), REG64(rsi), REG64(rdi), REG64(orig_rax), REG64(rip),
	REG64(cs), REG64(eflags), REG64(rsp), REG64(ss), REG64(fs_base),
	REG64(gs_base), REG64(ds), REG64(es), REG64(fs), REG64(gs),
	REG32(ebx), REG32(ecx), REG32(edx), REG32(esi), REG32(edi),
	REG32(ebp), REG32(eax), REG32(xds), REG32(xes), REG32(xfs),
	REG32(xgs), REG32(orig_eax), REG32(eip), REG32(xcs), REG32(eflags),
	REG32(esp), REG32(xss));

#define FP64(name_, ctype_, type_, ...) \
	FIELD(name_, ctype_, type_, .abis = ON_64BIT_CALLS, ##__VA_ARGS__)

STRUCTURE_UNNAMED(user_fpregs,
	FP64(cwd, U16, HEX), FP64(swd, U16, HEX), FP64(ftw, U16, HEX),
	FP64(fop, U16, HEX), FP64(rip, U64, HEX64), FP64(rdp, U64, HEX64),
	FP64(mxcsr, U32, HEX), FP64(mxcr_mask, U32, HEX),
	FP64(st_space, U32, HEX, .count = 32),
	FP64(xmm_space, U32, HEX, .count = 64),
	FP64(padding, U32, HEX, .count = 24),
	REG32(cwd), REG32(swd), REG32(twd), REG32(fip), REG32(fcs), REG32(foo),
	REG32(fos),
	FIELD(st_space, U32, HEX, .count = 20, .abis = ON_I386));

/* A set of registers: whole words, as many as there is room for. */
static uint64_t regset_length(struct decoder *d)
{
	uint64_t len = decode_ref(d, &(struct ref)SIBLING(iov_len));
	unsigned word = d->abi->id == ABI_I386 ? 4 : 8;

	return len % word ? 0 : len;
}

#define REGS(id_)							\
	PTR(TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_,	\
		 .flags = TYPE_SIZED | TYPE_FILLED, .number = 1,		\
		 .length = CALC(regset_length)))

#define REGISTERS							\
	SELECT(ARGV(2), CHOICE(V_NT_PRSTATUS, REGS(user_regs)),		\
	       CHOICE(V_NT_FPREGSET, REGS(user_fpregs)), OTHERWISE(ADDR))

STRUCTURE_AS(regset_given, "struct iovec",
	FIELD(iov_base, POINTER, REGISTERS),
	FIELD(iov_len, ULONG, SIZE));

STRUCTURE_AS(regset_got, "struct iovec",
	FIELD(iov_base, POINTER, SELECT(CALC(decode_failed),
		CHOICE(0, REGISTERS), OTHERWISE(ADDR))),
	FIELD(iov_len, ULONG, SIZE, .show = SHOW_CHANGE));

/* ---- signals ---- */

STRUCTURE(ptrace_peeksiginfo_args,
	FIELD(off, U64, UDEC),
	FIELD(flags, U32, FLAGS(ptrace_peek_flags)),
	FIELD(nr, U32, UDEC));

enum { SIGSET_SIZE = 8 };

#define MASK								\
	SELECT(ARGV(2), CHOICE(SIGSET_SIZE, PTR(SIGSET)), OTHERWISE(ADDR))

/* ---- system calls ---- */

STRUCTURE(seccomp_metadata,
	FIELD(filter_off, U64, DEC_OF(U64)),
	FIELD(flags, U64, HEX64));

/* What the kernel has said only after it has said so. */
static uint64_t metadata_length(struct decoder *d)
{
	uint64_t size = decode_arg_value(d, 2);

	if (size < sizeof(uint64_t))
		return 0;
	return d->error || size < 2 * sizeof(uint64_t) ? sizeof(uint64_t)
						       : 2 * sizeof(uint64_t);
}

/* struct ptrace_syscall_info, of which any part may be there. */
enum {
	INFO_OP = 0,
	INFO_RESERVED = 1,
	INFO_FLAGS = 2,
	INFO_ARCH = 4,
	INFO_IP = 8,
	INFO_SP = 16,
	INFO_NR = 24,		/* entry and seccomp */
	INFO_ARGS = 32,
	INFO_RVAL = 24,		/* exit */
	INFO_IS_ERROR = 32,
	INFO_RET_DATA = 80,	/* seccomp */
	INFO_SIZE = 88,
};

struct info {
	uint8_t bytes[INFO_SIZE];
	size_t len;
};

/* Loads a member and begins to show it, if it is all there. */
static bool load_member(struct decoder *d, const struct info *info,
			size_t offset, enum ctype ctype, uint64_t *value)
{
	if (offset + ctype_size(ctype, d->abi) > info->len)
		return false;
	*value = decode_load(d, ctype, info->bytes + offset);
	return true;
}

static void show_member(struct decoder *d, const struct info *info,
			const char *name, size_t offset, enum ctype ctype,
			const struct type *type)
{
	uint64_t value;

	if (!load_member(d, info, offset, ctype, &value))
		return;
	SINK_CALL(d->sink, field, name, 0);
	decode_value(d, type, ctype, value);
}

static void show_unless_zero(struct decoder *d, const struct info *info,
			     const char *name, size_t offset,
			     enum ctype ctype)
{
	uint64_t value;

	if (load_member(d, info, offset, ctype, &value) && value)
		show_member(d, info, name, offset, ctype, HEX);
}

/* The ABI of a call, by what the kernel calls its architecture. */
static const struct abi *abi_of(uint32_t arch, uint64_t nr)
{
	if (arch == V_AUDIT_ARCH_I386)
		return &abis[ABI_I386];
	if (arch != V_AUDIT_ARCH_X86_64)
		return NULL;
	return &abis[nr & abis[ABI_X32].nr_bit ? ABI_X32 : ABI_X86_64];
}

/* By name if the reader's ABI has the call, else the name as a comment. */
static void show_number(struct decoder *d, uint64_t nr, uint32_t arch)
{
	const struct abi *abi = abi_of(arch, nr);
	const struct sysent *sysent = NULL;
	struct sysent scratch;
	char scratch_name[SYSENT_NAME_SIZE], name[96];

	if (abi && nr <= UINT32_MAX)
		sysent = sysent_find(abi, nr, &scratch, scratch_name);
	if (!sysent || !sysent->number) {
		SINK_CALL(d->sink, number, nr, BASE_UNSIGNED);
		return;
	}
	if (abi == d->abi) {
		snprintf(name, sizeof(name), "__NR_%s", sysent->number->name);
		SINK_CALL(d->sink, symbol, nr, BASE_UNSIGNED, name, NULL);
		return;
	}
	snprintf(name, sizeof(name), "%" PRIu64 " /* %s */", nr,
		 sysent->number->name);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = name, .comment = sysent->number->name, .value = nr,
		.base = BASE_UNSIGNED });
}

static void show_call(struct decoder *d, const struct info *info,
		      const char *kind, uint32_t arch)
{
	uint64_t value;

	if (!load_member(d, info, INFO_NR, U64, &value))
		return;
	SINK_CALL(d->sink, field, kind, 0);
	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "nr", 0);
	show_number(d, value, arch);
	for (unsigned i = 0; i < 6 && load_member(d, info, INFO_ARGS + 8 * i,
						  U64, &value); i++) {
		if (!i) {
			SINK_CALL(d->sink, field, "args", 0);
			SINK_CALL(d->sink, array_begin, ARRAY_LIST);
		}
		SINK_CALL(d->sink, item);
		SINK_CALL(d->sink, number, value, BASE_HEX);
	}
	if (load_member(d, info, INFO_ARGS, U64, &value))
		SINK_CALL(d->sink, array_end);
	if (!strcmp(kind, "seccomp"))
		show_member(d, info, "ret_data", INFO_RET_DATA, U32, UDEC);
	SINK_CALL(d->sink, struct_end);
}

static void show_return(struct decoder *d, int64_t value, bool is_error)
{
	const char *name = is_error && value < 0
			   ? constset_name(&set_errnos, d->abi, -value) : NULL;
	char text[64];

	if (!name) {
		SINK_CALL(d->sink, number, value, BASE_SIGNED);
		return;
	}
	snprintf(text, sizeof(text), "-%s", name);
	SINK_CALL(d->sink, symbol, value, BASE_SIGNED, text, NULL);
}

static void show_exit(struct decoder *d, const struct info *info)
{
	uint64_t value, is_error = 0;

	if (!load_member(d, info, INFO_RVAL, S64, &value))
		return;
	load_member(d, info, INFO_IS_ERROR, U8, &is_error);
	SINK_CALL(d->sink, field, "exit", 0);
	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "rval", 0);
	show_return(d, value, is_error);
	show_member(d, info, "is_error", INFO_IS_ERROR, U8, UDEC);
	SINK_CALL(d->sink, struct_end);
}

static void show_info(struct decoder *d, const struct info *info)
{
	uint64_t arch = 0;

	SINK_CALL(d->sink, struct_begin);
	show_member(d, info, "op", INFO_OP, U8, ENUM(ptrace_info_kinds));
	show_unless_zero(d, info, "reserved", INFO_RESERVED, U8);
	show_unless_zero(d, info, "flags", INFO_FLAGS, U16);
	show_member(d, info, "arch", INFO_ARCH, U32,
		    ENUM(audit_architectures));
	show_member(d, info, "instruction_pointer", INFO_IP, U64, ADDR);
	show_member(d, info, "stack_pointer", INFO_SP, U64, ADDR);
	load_member(d, info, INFO_ARCH, U32, &arch);
	switch (info->bytes[INFO_OP]) {
	case V_PTRACE_SYSCALL_INFO_ENTRY:
		show_call(d, info, "entry", arch);
		break;
	case V_PTRACE_SYSCALL_INFO_EXIT:
		show_exit(d, info);
		break;
	case V_PTRACE_SYSCALL_INFO_SECCOMP:
		show_call(d, info, "seccomp", arch);
		break;
	}
	SINK_CALL(d->sink, struct_end);
}

/* A result that is given says how much there is. */
static void decode_info(struct decoder *d, const struct type *type,
			const struct place *place)
{
	uint64_t len = decode_arg_value(d, 2);
	struct info info = { .len = 0 };

	if (type->length.kind && decode_ref(d, &type->length) < len)
		len = decode_ref(d, &type->length);
	if (len > INFO_SIZE)
		len = INFO_SIZE;
	if (!len || !view_read_exactly(d->view, place->addr, info.bytes, len)) {
		SINK_CALL(d->sink, address, place->addr);
		return;
	}
	info.len = len;
	show_info(d, &info);
}

#define INFO		PTR(CUSTOM(decode_info))
#define INFO_GOT \
	PTR(TYPE(.kind = KIND_CUSTOM, .decode = decode_info, .length = RESULT))

/* ---- the operations ---- */

#define ON(op_, ...) \
	VARIANT(V_PTRACE_##op_, ARGS(ARG(pid, PID), ##__VA_ARGS__))
#define RESUME(op_)	ON(op_, ARG(addr, ADDR), ARG(data, SIGNAL))
#define PEEK(op_, addr_) \
	ON(op_, ARG(addr, addr_), OUT(data, PTR(HEX_OF(ULONG))))
#define POKE(op_, addr_) \
	ON(op_, ARG(addr, addr_), ARG(data, ADDR))
#define OPTIONS(op_) \
	ON(op_, ARG(addr, ADDR), ARG(data, FLAGS_OF(ULONG, ptrace_options)))
#define NOTE_TYPE	ENUM(elf_notes)

SYSCALL(ptrace, 0, ARGS(
	ARG(op, ENUM_OF(ULONG, ptrace_operations))),
	.select = ARGV(0),
	VARIANTS(
		VARIANT(V_PTRACE_TRACEME, NO_ARGS),
		ON(KILL), ON(ATTACH), ON(INTERRUPT), ON(LISTEN),
		PEEK(PEEKTEXT, ADDR), PEEK(PEEKDATA, ADDR),
		PEEK(PEEKUSER, USER_OFFSET), PEEK(GETEVENTMSG, ADDR),
		POKE(POKETEXT, ADDR), POKE(POKEDATA, ADDR),
		POKE(POKEUSER, USER_OFFSET),
		RESUME(CONT), RESUME(SINGLESTEP), RESUME(DETACH),
		RESUME(SYSCALL), RESUME(SYSEMU), RESUME(SYSEMU_SINGLESTEP),
		RESUME(SINGLEBLOCK),
		OPTIONS(SETOPTIONS), OPTIONS(OLDSETOPTIONS), OPTIONS(SEIZE),
		ON(GETREGS, UNUSED_ARG, OUT(data, PTR_TO(user_regs))),
		ON(SETREGS, UNUSED_ARG, ARG(data, PTR_TO(user_regs))),
		ON(GETFPREGS, UNUSED_ARG, OUT(data, PTR_TO(user_fpregs))),
		ON(SETFPREGS, UNUSED_ARG, ARG(data, PTR_TO(user_fpregs))),
		ON(GETREGSET, ARG(addr, NOTE_TYPE),
		   INOUT(data, PTR_TO(regset_got))),
		ON(SETREGSET, ARG(addr, NOTE_TYPE),
		   ARG(data, PTR_TO(regset_given))),
		ON(GETSIGINFO, ARG(addr, ADDR), OUT(data, PTR(SIGINFO))),
		ON(SETSIGINFO, ARG(addr, ADDR), ARG(data, PTR(SIGINFO))),
		ON(PEEKSIGINFO, ARG(addr, PTR_TO(ptrace_peeksiginfo_args)),
		   OUT(data, PTR(ARRAY(SIGINFO, RESULT)))),
		ON(GETSIGMASK, ARG(addr, SIZE), OUT(data, MASK)),
		ON(SETSIGMASK, ARG(addr, SIZE), ARG(data, MASK)),
		ON(SECCOMP_GET_FILTER, ARG(addr, SIZE), ARG(data, ADDR)),
		ON(SECCOMP_GET_METADATA, ARG(addr, SIZE),
		   LATE(data, PTR(STRUCT_SIZED(seccomp_metadata, 8,
					       CALC(metadata_length))))),
		ON(GET_SYSCALL_INFO, ARG(addr, SIZE), OUT(data, INFO_GOT)),
		ON(SET_SYSCALL_INFO, ARG(addr, SIZE), ARG(data, INFO)),
		OTHER_VARIANT(ARGS(ARG(pid, PID), ARG(addr, ADDR),
				   ARG(data, ADDR)))));
