/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Scheduling: policies, affinity, priorities, and what a process may use and
 * has used.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- policies ---- */

enum { NEGATIVE = 1u << 31 };

/* SCHED_RESET_ON_FORK|SCHED_BATCH */
static void print_policy(struct decoder *d, const struct type *type,
			 uint64_t value)
{
	struct flag_part parts[2];
	uint64_t reset = value & V_SCHED_RESET_ON_FORK;
	uint64_t policy = value & ~(uint64_t)V_SCHED_RESET_ON_FORK;
	const char *name = constset_name(&set_sched_policies, d->abi, policy);
	size_t count = 0;

	(void)type;
	/* a negative policy is no policy */
	if (value & NEGATIVE) {
		policy = value;
		reset = 0;
		name = NULL;
	}
	if (reset)
		parts[count++] = (struct flag_part){
			.value = reset, .name = "SCHED_RESET_ON_FORK" };
	if (name)
		parts[count++] = (struct flag_part){ .value = policy,
						     .name = name };
	SINK_CALL(d->sink, flags, value, parts, count, name ? 0 : policy,
		  set_sched_policies.unknown);
}

#define POLICY	SCALAR(print_policy, UINT)

/* Behind a result: names in every style of constants. */
static void print_policy_names(struct decoder *d, const struct type *type,
			       uint64_t value)
{
	uint64_t policy = value & ~(uint64_t)V_SCHED_RESET_ON_FORK;
	const char *name = constset_name(&set_sched_policies, d->abi, policy);
	const char *reset = policy == value ? "" : "SCHED_RESET_ON_FORK|";
	char text[64];

	(void)type;
	if (name)
		snprintf(text, sizeof(text), "%s%s", reset, name);
	else
		snprintf(text, sizeof(text), "%s%#" PRIx64, reset, policy);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX,
		.fixed = true });
}

STRUCTURE_UNNAMED(sched_param,
	FIELD(sched_priority, INT, DEC));

SYSCALL(sched_setscheduler, 0, ARGS(
	ARG(pid, PID),
	ARG(policy, POLICY),
	ARG(param, PTR_TO(sched_param))));

static bool got_policy(struct decoder *d)
{
	return d->result & V_SCHED_RESET_ON_FORK ||
	       constset_name(&set_sched_policies, d->abi, d->result);
}

SYSCALL(sched_getscheduler, 0, ARGS(
	ARG(pid, PID),
	AUX_RESULT("", SCALAR(print_policy_names, UINT),
		   .when = IF_FN(got_policy))),
	.returns = HEX);

SYSCALL(sched_setparam, 0, ARGS(
	ARG(pid, PID),
	ARG(param, PTR_TO(sched_param))));

SYSCALL(sched_getparam, 0, ARGS(
	ARG(pid, PID),
	OUT(param, PTR_TO(sched_param))));

SYSCALL(sched_get_priority_max, 0, ARGS(
	ARG(policy, ENUM(sched_policies))));

SYSCALL(sched_get_priority_min, 0, ARGS(
	ARG(policy, ENUM(sched_policies))));

SYSCALL(sched_rr_get_interval, 0, ARGS(
	ARG(pid, PID),
	OUT(tp, TIMESPEC)));

SYSCALL(sched_rr_get_interval_time64, 0, ARGS(
	ARG(pid, PID),
	OUT(tp, TIMESPEC64)));

SYSCALL(sched_yield, 0, NO_ARGS);

/* ---- all parameters at once ---- */

enum { ATTR_SIZE_VER0 = 48, ATTR_KNOWN = 56 };

/* How much of the structure counts is in its first member. */
static bool attr_has_base(struct decoder *d)
{
	return decode_ref(d, &(struct ref)SIBLING(size)) >= ATTR_SIZE_VER0;
}

static bool attr_has_clamps(struct decoder *d)
{
	return decode_ref(d, &(struct ref)SIBLING(size)) >= ATTR_KNOWN;
}

/* For the kernel, nothing is as much as there was at first. */
static bool attr_is_given(struct decoder *d)
{
	return attr_has_base(d) || !decode_ref(d, &(struct ref)SIBLING(size));
}

/* To keep the parameters is to keep the policy; a negative one keeps none. */
static bool policy_is_set(struct decoder *d)
{
	uint64_t flags = decode_ref(d, &(struct ref)SIBLING(sched_flags));

	return attr_is_given(d) &&
	       (decode_ref(d, &(struct ref)SIBLING(sched_policy)) & NEGATIVE ||
		!(flags & (V_SCHED_FLAG_KEEP_POLICY |
			   V_SCHED_FLAG_KEEP_PARAMS)));
}

static bool params_are_set(struct decoder *d)
{
	return attr_is_given(d) &&
	       !(decode_ref(d, &(struct ref)SIBLING(sched_flags)) &
		 V_SCHED_FLAG_KEEP_PARAMS);
}

#define IF_PARAMS_SET	.when = IF_FN(params_are_set)

static bool attr_is_longer(struct decoder *d)
{
	return decode_ref(d, &(struct ref)SIBLING(size)) > ATTR_KNOWN;
}

static void print_more(struct decoder *d, const struct type *type,
		       uint64_t value)
{
	(void)type;
	(void)value;
	SINK_CALL(d->sink, more);
}

STRUCTURE(sched_attr,
	FIELD(size, UINT, UDEC),
	FIELD(sched_policy, UINT, ENUM(sched_policies),
	      .when = IF_FN(policy_is_set)),
	FIELD(sched_flags, U64, FLAGS_OF(U64, sched_attr_flags),
	      .when = IF_FN(attr_is_given)),
	FIELD(sched_nice, INT, DEC, IF_PARAMS_SET),
	FIELD(sched_priority, UINT, UDEC, IF_PARAMS_SET),
	FIELD(sched_runtime, U64, DEC_OF(U64), IF_PARAMS_SET),
	FIELD(sched_deadline, U64, DEC_OF(U64), IF_PARAMS_SET),
	FIELD(sched_period, U64, DEC_OF(U64), IF_PARAMS_SET),
	FIELD(sched_util_min, UINT, UDEC, .when = IF_FN(attr_has_clamps)),
	FIELD(sched_util_max, UINT, UDEC, .when = IF_FN(attr_has_clamps)),
	{ .ctype = UINT, .type = SCALAR(print_more, UINT), .cname = "",
	  .show = SHOW_OVERLAY, .when = IF_FN(attr_is_longer) });

/* As the call fills it in. */
#define IF_FILLED(size_)	.when = IF_FN(attr_has_##size_)

STRUCTURE_AS(sched_attr_filled, "struct sched_attr",
	FIELD(size, UINT, UDEC),
	FIELD(sched_policy, UINT, ENUM(sched_policies), IF_FILLED(base)),
	FIELD(sched_flags, U64, FLAGS_OF(U64, sched_attr_flags),
	      IF_FILLED(base)),
	FIELD(sched_nice, INT, DEC, IF_FILLED(base)),
	FIELD(sched_priority, UINT, UDEC, IF_FILLED(base)),
	FIELD(sched_runtime, U64, DEC_OF(U64), IF_FILLED(base)),
	FIELD(sched_deadline, U64, DEC_OF(U64), IF_FILLED(base)),
	FIELD(sched_period, U64, DEC_OF(U64), IF_FILLED(base)),
	FIELD(sched_util_min, UINT, UDEC, IF_FILLED(clamps)),
	FIELD(sched_util_max, UINT, UDEC, IF_FILLED(clamps)));

/* How much of it is given: its first member says; only that, if too small. */
static uint64_t attr_given(struct decoder *d)
{
	uint64_t size = decode_ref(d, &(struct ref)POINTEE(1));

	if (!size)
		return ATTR_SIZE_VER0;
	if (size < ATTR_SIZE_VER0)
		return sizeof(uint32_t);
	return size < ATTR_KNOWN ? size : ATTR_KNOWN;
}

static uint64_t attr_wanted(struct decoder *d)
{
	uint64_t size = decode_arg_value(d, 2);

	return size < ATTR_KNOWN ? size : ATTR_KNOWN;
}

/* The kernel says which size it knows. */
static uint64_t attr_was_too_big(struct decoder *d)
{
	return d->error == V_E2BIG;
}

STRUCTURE_UNNAMED(sched_attr_size,
	FIELD(size, UINT, UDEC));

/* Zeros stand for what is not there. */
#define ATTR(id_, given_)						\
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_,	\
	     .flags = TYPE_SIZED | TYPE_FILLED | TYPE_EXTRA,		\
	     .number = ATTR_KNOWN, .length = CALC(given_))

SYSCALL(sched_setattr, 0, ARGS(
	ARG(pid, PID),
	INOUT(attr, PTR(ATTR(sched_attr, attr_given)),
	      .after = SELECT(CALC(attr_was_too_big),
			      CHOICE(1, PTR_TO(sched_attr_size)))),
	LATE(flags, HEX)));

SYSCALL(sched_getattr, 0, ARGS(
	ARG(pid, PID),
	OUT(attr, PTR(ATTR(sched_attr_filled, attr_wanted))),
	LATE(size, UDEC),
	LATE(flags, FLAGS(sched_getattr_flags))));

/* ---- affinity ---- */

enum { MAX_CPUS = 1024 };	/* more are not shown */

static uint64_t given_cpus(struct decoder *d)
{
	return decode_arg_value(d, 1) * 8;
}

static uint64_t got_cpus(struct decoder *d)
{
	return (uint64_t)d->result * 8;
}

SYSCALL(sched_setaffinity, 0, ARGS(
	ARG(pid, PID),
	ARG(cpusetsize, UDEC),
	ARG(mask, PTR(BITS_UP_TO(MAX_CPUS, DEC, CALC(given_cpus))))));

SYSCALL(sched_getaffinity, 0, ARGS(
	ARG(pid, PID),
	ARG(cpusetsize, UDEC),
	OUT(mask, PTR(BITS_UP_TO(MAX_CPUS, DEC, CALC(got_cpus))))));

/* ---- priorities ---- */

SYSCALL(getpriority, 0, ARGS(
	ARG(which, ENUM(priority_which)),
	ARG(who, DEC)));

SYSCALL(setpriority, 0, ARGS(
	ARG(which, ENUM(priority_which)),
	ARG(who, DEC),
	ARG(prio, DEC)));

enum { IOPRIO_CLASS_SHIFT = 13 };

void print_ioprio(struct decoder *d, const struct type *type, uint64_t value)
{
	unsigned class = (uint32_t)value >> IOPRIO_CLASS_SHIFT;
	unsigned data = value & ((1u << IOPRIO_CLASS_SHIFT) - 1);
	const char *name = constset_name(&set_ioprio_classes, d->abi, class);
	char text[80], comment[80];

	snprintf(comment, sizeof(comment),
		 "IOPRIO_PRIO_VALUE(%#x /* %s */, %u)", class,
		 name ? name : set_ioprio_classes.unknown, data);
	if (name)
		snprintf(text, sizeof(text), "IOPRIO_PRIO_VALUE(%s, %u)",
			 name, data);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = name ? text : comment, .comment = comment,
		.value = value, .base = type->number });
}

#define IOPRIO	PRIORITY(INT, BASE_SIGNED)

SYSCALL(ioprio_set, 0, ARGS(
	ARG(which, ENUM(ioprio_who)),
	ARG(who, DEC),
	ARG(ioprio, IOPRIO)));

SYSCALL(ioprio_get, 0, ARGS(
	ARG(which, ENUM(ioprio_who)),
	ARG(who, DEC),
	AUX_RESULT("", IOPRIO)));

/* ---- limits ---- */

/* .number: no limit; .label: how that is called */
static void print_limit(struct decoder *d, const struct type *type,
			uint64_t value)
{
	uint64_t infinity = type->number;
	char text[48];

	if (ctype_size(d->ctype, d->abi) == 4)
		infinity = UINT32_MAX;
	if (value == infinity)
		snprintf(text, sizeof(text), "%s", type->label);
	else if (value > 1024 && !(value % 1024))
		snprintf(text, sizeof(text), "%" PRIu64 "*1024",
			 value / 1024);
	else {
		SINK_CALL(d->sink, number, value, BASE_UNSIGNED);
		return;
	}
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_UNSIGNED });
}

#define LIMIT(ctype_, label_)						\
	TYPE(.kind = KIND_SCALAR, .ctype = (ctype_), .print = print_limit, \
	     .number = UINT64_MAX, .label = label_)

STRUCTURE(rlimit,
	FIELD(rlim_cur, KULONG, LIMIT(KULONG, "RLIM64_INFINITY")),
	FIELD(rlim_max, KULONG, LIMIT(KULONG, "RLIM64_INFINITY")));

STRUCTURE(rlimit64,
	FIELD(rlim_cur, U64, LIMIT(U64, "RLIM64_INFINITY")),
	FIELD(rlim_max, U64, LIMIT(U64, "RLIM64_INFINITY")));

STRUCTURE_UNNAMED(rlimit32,
	FIELD(rlim_cur, UINT, LIMIT(UINT, "RLIM_INFINITY")),
	FIELD(rlim_max, UINT, LIMIT(UINT, "RLIM_INFINITY")));

SYSCALL(getrlimit, 0, ARGS(
	ARG(resource, ENUM(rlimit_resources)),
	OUT(rlim, PTR_TO(rlimit))));

SYSCALL(setrlimit, 0, ARGS(
	ARG(resource, ENUM(rlimit_resources)),
	ARG(rlim, PTR_TO(rlimit))));

SYSCALL_ON(ON_I386, getrlimit, 0, ARGS(
	ARG(resource, ENUM(rlimit_resources)),
	OUT(rlim, PTR_TO(rlimit32))));

SYSCALL_ON(ON_I386, ugetrlimit, 0, ARGS(
	ARG(resource, ENUM(rlimit_resources)),
	OUT(rlim, PTR_TO(rlimit32))));

SYSCALL_ON(ON_I386, setrlimit, 0, ARGS(
	ARG(resource, ENUM(rlimit_resources)),
	ARG(rlim, PTR_TO(rlimit32))));

SYSCALL(prlimit64, 0, ARGS(
	ARG(pid, PID),
	ARG(resource, ENUM(rlimit_resources)),
	ARG(new_limit, PTR_TO(rlimit64)),
	OUT(old_limit, PTR_TO(rlimit64))));

/* ---- what was used ---- */

#define USAGE(name_)	FIELD(name_, KULONG, DEC, .show = SHOW_VERBOSE)

STRUCTURE(rusage,
	MEMBER(ru_utime, STRUCT(timeval)),
	MEMBER(ru_stime, STRUCT(timeval)),
	USAGE(ru_maxrss),
	USAGE(ru_ixrss),
	USAGE(ru_idrss),
	USAGE(ru_isrss),
	USAGE(ru_minflt),
	USAGE(ru_majflt),
	USAGE(ru_nswap),
	USAGE(ru_inblock),
	USAGE(ru_oublock),
	USAGE(ru_msgsnd),
	USAGE(ru_msgrcv),
	USAGE(ru_nsignals),
	USAGE(ru_nvcsw),
	USAGE(ru_nivcsw));

SYSCALL(getrusage, 0, ARGS(
	ARG(who, ENUM(rusage_who)),
	OUT(usage, PTR_TO(rusage))));
