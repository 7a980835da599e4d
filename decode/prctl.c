/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * prctl: each operation has arguments of its own.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* Arguments without a meaning, of which some operations check that they are
 * zero. */
#define REST5	ARG(arg5, HEXLONG)
#define REST4	ARG(arg4, HEXLONG), REST5
#define REST3	ARG(arg3, HEXLONG), REST4
#define REST2	ARG(arg2, HEXLONG), REST3

#define OP(name_, ...)		VARIANT(V_PR_##name_, ARGS(__VA_ARGS__))
#define OP_NO_ARGS(name_)	VARIANT(V_PR_##name_, NO_ARGS)
#define OP_RETURNS(name_, returns_, ...) \
	VARIANT(V_PR_##name_, ARGS(__VA_ARGS__), .returns = returns_)

#define LONG_FLAGS(name_)	FLAGS_OF(ULONG, name_)
#define LONG_ENUM(name_)	ENUM_OF(ULONG, name_)
/* arg3 has a meaning if arg2 is a certain value, else it is a number. */
#define ARG3_IF(value_, name_, type_)					\
	ARG(name_, type_, .when = IF_EQUAL(ARGV(1), value_)),		\
	ARG(arg3, HEXLONG, .again = true,				\
	    .when = IF_UNEQUAL(ARGV(1), value_))

static bool ambient_names_capability(struct decoder *d)
{
	uint64_t op = decode_arg_value(d, 1);

	return op >= V_PR_CAP_AMBIENT_IS_SET && op <= V_PR_CAP_AMBIENT_LOWER;
}

static bool ambient_names_none(struct decoder *d)
{
	return !ambient_names_capability(d);
}

/*
 * Behind a result, an expression has no number beside it; .number tells that
 * it stands there.
 */
static void show_expression(struct decoder *d, const struct type *type,
			    uint64_t value, const char *text)
{
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX,
		.fixed = type->number });
}

enum { VECTOR_LENGTH_MASK = 0xffff };

/* Flags above a vector length: PR_SVE_VL_INHERIT|0x10. */
static void print_vector_length(struct decoder *d, const struct type *type,
				uint64_t value)
{
	uint64_t rest = value & ~(uint64_t)VECTOR_LENGTH_MASK;
	char text[160] = "";
	size_t len = 0;

	if (!rest) {
		SINK_CALL(d->sink, number, value, BASE_HEX);
		return;
	}
	for (size_t i = 0; i < type->set->count; i++) {
		const struct constant *c = &type->set->members[i];

		if ((rest & c->value) != c->value)
			continue;
		len += snprintf(text + len, sizeof(text) - len, "%s|",
				c->name);
		rest &= ~c->value;
	}
	if (rest)
		len += snprintf(text + len, sizeof(text) - len,
				"%#" PRIx64 "|", rest);
	snprintf(text + len, sizeof(text) - len, "%#" PRIx64,
		 value & VECTOR_LENGTH_MASK);
	show_expression(d, type, value, text);
}

#define VECTOR_LENGTH(name_)						\
	TYPE(.kind = KIND_SCALAR, .ctype = ULONG, .set = &set_##name_,	\
	     .print = print_vector_length)

static bool result_has_vector_flags(struct decoder *d)
{
	return d->result & ~(uint64_t)VECTOR_LENGTH_MASK;
}

#define AUX_VECTOR_LENGTH(name_)					\
	AUX_RESULT("", TYPE(.kind = KIND_SCALAR, .ctype = ULONG,	\
			    .set = &set_##name_, .number = 1,		\
			    .print = print_vector_length),		\
		   .when = IF_FN(result_has_vector_flags))

/* The address tagging of arm64: a flag, a mode, a mask of tags. */
static void print_tagged_address(struct decoder *d, const struct type *type,
				 uint64_t value)
{
	uint64_t mode = value & V_PR_MTE_TCF_MASK;
	uint64_t mask = value & V_PR_MTE_TAG_MASK;
	uint64_t rest = value & ~(V_PR_TAGGED_ADDR_ENABLE | V_PR_MTE_TCF_MASK |
				  V_PR_MTE_TAG_MASK);
	const char *name = constset_name(&set_prctl_mte, d->abi, mode);
	char text[160];
	size_t len;

	len = snprintf(text, sizeof(text), "%sPR_TAGGED_ADDR_ENABLE|%s",
		       value & V_PR_TAGGED_ADDR_ENABLE ? "" : "!", name);
	if (mask)
		len += snprintf(text + len, sizeof(text) - len,
				"|%#" PRIx64 "<<PR_MTE_TAG_SHIFT",
				mask >> V_PR_MTE_TAG_SHIFT);
	if (rest)
		snprintf(text + len, sizeof(text) - len, "|%#" PRIx64, rest);
	show_expression(d, type, value, text);
}

#define AUX_TAGGED							\
	AUX_RESULT("", TYPE(.kind = KIND_SCALAR, .ctype = ULONG,	\
			    .print = print_tagged_address, .number = 1))

/* The flags in a result, by name. */
#define AUX_FLAGS(name_)						\
	AUX_RESULT("", FLAG_NAMES(name_),				\
		   .when = IF_ANY_BIT(RESULT, UINT32_MAX))

static bool seccomp_mode_is_unknown(struct decoder *d)
{
	uint64_t mode = decode_arg_value(d, 1);

	return mode != V_SECCOMP_MODE_STRICT && mode != V_SECCOMP_MODE_FILTER;
}

static bool misfeature_is_known(struct decoder *d)
{
	return constset_name(&set_prctl_speculation, d->abi,
			     decode_arg_value(d, 1));
}

static uint64_t knows_misfeature(struct decoder *d)
{
	return misfeature_is_known(d);
}

#define SPECULATION_RESULT \
	SELECT(CALC(knows_misfeature), CHOICE(1, HEX), OTHERWISE(DEC))

/* The number, and what it is called as a comment unless numbers are wanted. */
static void print_pid_type(struct decoder *d, const struct type *type,
			   uint64_t value)
{
	const char *name = constset_name(&set_pid_types, d->abi, value);
	char text[80];

	(void)type;
	snprintf(text, sizeof(text), "%#" PRIx64 " /* %s */", value,
		 name ? name : set_pid_types.unknown);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .comment = name ? name : set_pid_types.unknown,
		.value = value, .base = BASE_HEX });
}

#define PID_TYPE	SCALAR(print_pid_type, UINT)

/* The vector state of riscv: now, after execve, and whether it is inherited. */
static void print_riscv_vector(struct decoder *d, const struct type *type,
			       uint64_t value)
{
	uint64_t now = value & V_PR_RISCV_V_VSTATE_CTRL_CUR_MASK;
	uint64_t next = (value & V_PR_RISCV_V_VSTATE_CTRL_NEXT_MASK) >> 2;
	uint64_t rest = value & ~V_PR_RISCV_V_VSTATE_CTRL_MASK;
	const char *now_name = constset_name(&set_prctl_riscv_vstate, d->abi,
					     now);
	const char *next_name = constset_name(&set_prctl_riscv_vstate, d->abi,
					      next);
	char text[200];
	int len;

	(void)type;
	len = snprintf(text, sizeof(text), "%s|%s<<2|%s",
		       now_name ? now_name : "0x3",
		       next_name ? next_name : "0x3",
		       value & V_PR_RISCV_V_VSTATE_CTRL_INHERIT
		       ? "PR_RISCV_V_VSTATE_CTRL_INHERIT"
		       : "!PR_RISCV_V_VSTATE_CTRL_INHERIT");
	if (rest)
		snprintf(text + len, sizeof(text) - len, "|%#" PRIx64, rest);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX });
}

#define SPECULATION	LONG_ENUM(prctl_speculation_set)

SYSCALL(prctl, TRACE_CREDS, ARGS(
	ARG(op, ENUM(prctl_operations))),
	.select = ARGV(0),
	VARIANTS(
		OP(SET_PDEATHSIG, ARG(sig, NAMED(ULONG, signals))),
		OP(GET_PDEATHSIG, OUT(sig, PTR(SIGNAL))),
		OP(GET_DUMPABLE, AUX_RESULT("", ENUM(prctl_dumpable))),
		OP(SET_DUMPABLE, ARG(dumpable, LONG_ENUM(prctl_dumpable))),
		OP(GET_UNALIGN, OUT(flags, PTR(FLAGS(prctl_unalign)))),
		OP(SET_UNALIGN, ARG(flags, FLAGS(prctl_unalign))),
		OP_NO_ARGS(GET_KEEPCAPS),
		OP(SET_KEEPCAPS, ARG(state, SIZE)),
		OP(GET_FPEMU, OUT(fpemu, PTR(UDEC))),
		OP(SET_FPEMU, ARG(fpemu, SIZE)),
		OP(GET_FPEXC, OUT(mode, PTR(UDEC))),
		OP(SET_FPEXC, ARG(mode, SIZE)),
		OP_NO_ARGS(GET_TIMING),
		OP(SET_TIMING, ARG(mode, SIZE)),
		OP(SET_NAME, ARG(name, STR_MAX(15))),
		OP(GET_NAME, OUT(name, STR_MAX(16))),
		OP(GET_ENDIAN, OUT(endianness, PTR(UDEC))),
		OP(SET_ENDIAN, ARG(endianness, SIZE)),
		OP_NO_ARGS(GET_SECCOMP),
		VARIANT(V_PR_SET_SECCOMP, ARGS(
			ARG(mode, LONG_ENUM(seccomp_modes)),
			ARG(filter, PTR_TO(seccomp_fprog), .when =
			    IF_EQUAL(ARGV(1), V_SECCOMP_MODE_FILTER)),
			ARG(arg3, HEXLONG, .again = true,
			    .when = IF_FN(seccomp_mode_is_unknown)),
			ARG(arg4, HEXLONG,
			    .when = IF_FN(seccomp_mode_is_unknown)),
			ARG(arg5, HEXLONG,
			    .when = IF_FN(seccomp_mode_is_unknown)))),
		OP(CAPBSET_READ, ARG(cap, LONG_ENUM(capabilities))),
		OP(CAPBSET_DROP, ARG(cap, LONG_ENUM(capabilities))),
		OP(GET_TSC, OUT(flag, PTR(ENUM(prctl_tsc)))),
		OP(SET_TSC, ARG(flag, ENUM(prctl_tsc))),
		OP_RETURNS(GET_SECUREBITS, HEX,
			   AUX_FLAGS(securebits)),
		OP(SET_SECUREBITS, ARG(flags, LONG_FLAGS(securebits))),
		OP(SET_TIMERSLACK, ARG(slack, SSIZE)),
		OP_NO_ARGS(GET_TIMERSLACK),
		OP_NO_ARGS(TASK_PERF_EVENTS_DISABLE),
		OP_NO_ARGS(TASK_PERF_EVENTS_ENABLE),
		OP(MCE_KILL, ARG(operation, LONG_ENUM(prctl_mce_kill)),
		   ARG3_IF(V_PR_MCE_KILL_SET, policy,
			   LONG_ENUM(prctl_mce_kill_policy)),
		   REST4),
		OP(MCE_KILL_GET, REST2,
		   AUX_RESULT("", ENUM(prctl_mce_kill_policy))),
		OP(SET_MM, ARG(operation, ENUM(prctl_mm)), REST3),
		OP(SET_CHILD_SUBREAPER, ARG(set, SIZE)),
		OP(GET_CHILD_SUBREAPER, OUT(isset, PTR(UDEC))),
		OP(SET_NO_NEW_PRIVS, ARG(set, SIZE), REST3),
		OP(GET_NO_NEW_PRIVS, REST2),
		OP(GET_TID_ADDRESS, OUT(addr, PTR(ADDR_OF(KULONG)))),
		OP(SET_THP_DISABLE, ARG(flag, SIZE), REST3),
		OP(GET_THP_DISABLE, REST2),
		OP(MPX_ENABLE_MANAGEMENT, REST2),
		OP(MPX_DISABLE_MANAGEMENT, REST2),
		OP(SET_FP_MODE, ARG(mode, FLAGS(prctl_fp_mode))),
		OP_RETURNS(GET_FP_MODE, HEX,
			   AUX_FLAGS(prctl_fp_mode)),
		OP(CAP_AMBIENT, ARG(operation, LONG_ENUM(prctl_ambient)),
		   ARG(caps, LONG_ENUM(capabilities),
		       .when = IF_FN(ambient_names_capability)),
		   ARG(arg3, HEXLONG, .again = true,
		       .when = IF_FN(ambient_names_none)),
		   REST4),
		OP_RETURNS(SVE_SET_VL, HEX, ARG(value, VECTOR_LENGTH(prctl_vl)),
			   AUX_VECTOR_LENGTH(prctl_vl)),
		OP_RETURNS(SVE_GET_VL, HEX,
			   AUX_VECTOR_LENGTH(prctl_vl)),
		OP_RETURNS(SME_SET_VL, HEX, ARG(arg, VECTOR_LENGTH(prctl_sme_vl)),
			   AUX_VECTOR_LENGTH(prctl_sme_vl)),
		OP_RETURNS(SME_GET_VL, HEX,
			   AUX_VECTOR_LENGTH(prctl_sme_vl)),
		OP_RETURNS(GET_SPECULATION_CTRL, SPECULATION_RESULT,
			   ARG(misfeature, LONG_ENUM(prctl_speculation)),
			   AUX_RESULT("", FLAG_NAMES(prctl_speculation_got),
				      .when = IF_FN(misfeature_is_known))),
		OP(SET_SPECULATION_CTRL,
		   ARG(misfeature, LONG_ENUM(prctl_speculation)),
		   ARG(value, SELECT(ARGV(1),
			CHOICE(V_PR_SPEC_STORE_BYPASS, SPECULATION),
			CHOICE(V_PR_SPEC_INDIRECT_BRANCH, SPECULATION),
			CHOICE(V_PR_SPEC_L1D_FLUSH, SPECULATION),
			OTHERWISE(HEXLONG)))),
		OP(PAC_RESET_KEYS, ARG(keys, LONG_FLAGS(prctl_pac_keys)),
		   REST3),
		OP(PAC_SET_ENABLED_KEYS,
		   ARG(bitmask_affected, LONG_FLAGS(prctl_pac_enabled_keys)),
		   ARG(bitmask_set, LONG_FLAGS(prctl_pac_enabled_keys)),
		   REST4),
		OP_RETURNS(PAC_GET_ENABLED_KEYS, HEX, REST2,
			   AUX_FLAGS(prctl_pac_enabled_keys)),
		OP(SET_TAGGED_ADDR_CTRL,
		   ARG(mode, SCALAR(print_tagged_address, ULONG)), REST3),
		OP_RETURNS(GET_TAGGED_ADDR_CTRL, HEX, REST2,
			   AUX_TAGGED),
		OP(SET_IO_FLUSHER, ARG(state, SIZE), REST3),
		OP(GET_IO_FLUSHER, REST2),
		OP(SET_SYSCALL_USER_DISPATCH,
		   ARG(operation, LONG_ENUM(prctl_dispatch)),
		   ARG(off, HEXLONG),
		   ARG(size, HEXLONG),
		   ARG(switch, ADDR)),
		OP(SCHED_CORE, ARG(operation, ENUM(prctl_sched_core)),
		   ARG(pid, PID),
		   ARG(pid_type, PID_TYPE),
		   OUT(cookie, PTR(HEX64), .when =
		       IF_EQUAL(ARGV(1), V_PR_SCHED_CORE_GET)),
		   ARG(arg5, HEXLONG, .again = true, .when =
		       IF_UNEQUAL(ARGV(1), V_PR_SCHED_CORE_GET))),
		OP(SET_MDWE, ARG(mask, FLAGS(prctl_mdwe)), REST3),
		OP_RETURNS(GET_MDWE, HEX, REST2,
			   AUX_FLAGS(prctl_mdwe)),
		OP(SET_VMA, ARG(attr, LONG_ENUM(prctl_vma)),
		   ARG(addr, HEXLONG, .when =
		       IF_EQUAL(ARGV(1), V_PR_SET_VMA_ANON_NAME)),
		   ARG(arg3, HEXLONG, .again = true, .when =
		       IF_UNEQUAL(ARGV(1), V_PR_SET_VMA_ANON_NAME)),
		   ARG(size, SIZE, .when =
		       IF_EQUAL(ARGV(1), V_PR_SET_VMA_ANON_NAME)),
		   ARG(arg4, HEXLONG, .again = true, .when =
		       IF_UNEQUAL(ARGV(1), V_PR_SET_VMA_ANON_NAME)),
		   ARG(name, STR, .when =
		       IF_EQUAL(ARGV(1), V_PR_SET_VMA_ANON_NAME)),
		   ARG(arg5, HEXLONG, .again = true, .when =
		       IF_UNEQUAL(ARGV(1), V_PR_SET_VMA_ANON_NAME))),
		OP(RISCV_V_SET_CONTROL,
		   ARG(arg, SCALAR(print_riscv_vector, ULONG))),
		OP_RETURNS(RISCV_V_GET_CONTROL, HEX,
			   AUX_RESULT("", SCALAR(print_riscv_vector, ULONG))),
		OP(RISCV_SET_ICACHE_FLUSH_CTX,
		   ARG(ctx, LONG_ENUM(prctl_riscv_context)),
		   ARG(scope, LONG_ENUM(prctl_riscv_scope))),
		OP_RETURNS(PPC_GET_DEXCR, HEX,
			   ARG(which, LONG_ENUM(prctl_dexcr)), REST3,
			   AUX_FLAGS(prctl_dexcr_control)),
		OP(PPC_SET_DEXCR, ARG(which, LONG_ENUM(prctl_dexcr)),
		   ARG(ctrl, LONG_FLAGS(prctl_dexcr_control)), REST4),
		OP(SET_PTRACER, ARG(pid, SELECT(ARGV(1),
			CHOICE(UINT32_MAX, ENUM_OF(INT, prctl_ptracer)),
			CHOICE(V_PR_SET_PTRACER_ANY,
			       ENUM_OF(INT, prctl_ptracer)),
			OTHERWISE(PID)))),
		OTHER_VARIANT(ARGS(REST2))));
