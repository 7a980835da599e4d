/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Futexes: one call with operations that have arguments of their own, and the
 * newer calls that do one thing each.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* 2<<28, or what the number is called there. */
static void add_operation(struct decoder *d, struct composed *c,
			  const struct constset *set, unsigned value,
			  unsigned shift)
{
	if (constset_name(set, d->abi, value)) {
		compose_symbol(d, c, set, value);
		compose_text(c, "<<%u", shift);
		compose_number_comment(c, set->unknown);
	} else {
		compose_text(c, "%#x<<%u /* %s */", value, shift,
			     set->unknown);
	}
}

/* What FUTEX_WAKE_OP does to the second word, and how it compares it. */
static void print_wake_op(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	unsigned op = value >> 28 & 15, cmp = value >> 24 & 15;
	struct composed c = { 0 };

	(void)type;
	if (op & V_FUTEX_OP_OPARG_SHIFT) {
		compose_symbol(d, &c, &set_futex_wake_shift,
			       V_FUTEX_OP_OPARG_SHIFT);
		compose_text(&c, "<<28|");
	}
	add_operation(d, &c, &set_futex_wake_ops,
		      op & ~V_FUTEX_OP_OPARG_SHIFT, 28);
	compose_text(&c, "|%#x<<12|", (unsigned)(value >> 12 & 0xfff));
	add_operation(d, &c, &set_futex_wake_comparisons, cmp, 24);
	compose_text(&c, "|%#x", (unsigned)(value & 0xfff));
	compose_show(d, &c, (uint32_t)value);
}

#define OP(name_, ...)	VARIANT(V_FUTEX_##name_, ARGS(__VA_ARGS__))
#define VAL		ARG(val, UDEC)
#define VAL2		ARG(val2, UDEC)
#define UADDR2		ARG(uaddr2, ADDR)
#define VAL3(type_)	ARG(val3, type_)
#define BITSET		NAMED(UINT, futex_bitsets)
/* As wide as a register: there, all ones are another number. */
#define BITSET_LONG(arg_)						\
	SELECT(ARGV(arg_), CHOICE(UINT64_MAX, HEXLONG),		\
	       OTHERWISE(NAMED(ULONG, futex_bitsets)))

#define TIMED(name_)							\
	{ .value = V_FUTEX_CLOCK_REALTIME | V_FUTEX_##name_,		\
	  .mask = ~(uint64_t)V_FUTEX_PRIVATE_FLAG,			\
	  .type = FLAGS(futex_timed_operations) }
#define FUTEX_OPERATION							\
	SELECT(ARGV(1), TIMED(WAIT), TIMED(WAIT_BITSET),		\
	       TIMED(WAIT_REQUEUE_PI),					\
	       CHOICE(V_FUTEX_FD | V_FUTEX_PRIVATE_FLAG, FLAGS(futex_fd)), \
	       OTHERWISE(ENUM(futex_operations)))

#define FUTEX_ARGS ARGS(						\
	ARG(uaddr, ADDR),						\
	ARG(futex_op, FUTEX_OPERATION))

#define FUTEX_VARIANTS(timespec_) VARIANTS(				\
	OP(WAIT, VAL, ARG(timeout, timespec_)),				\
	OP(WAKE, VAL),							\
	OP(FD, VAL),							\
	OP(REQUEUE, VAL, VAL2, UADDR2),					\
	OP(CMP_REQUEUE, VAL, VAL2, UADDR2, VAL3(UDEC)),			\
	OP(WAKE_OP, VAL, VAL2, UADDR2,					\
	   VAL3(SCALAR(print_wake_op, UINT))),				\
	OP(LOCK_PI, UNUSED_ARG, ARG(timeout, timespec_)),		\
	VARIANT(V_FUTEX_UNLOCK_PI, NO_ARGS),				\
	VARIANT(V_FUTEX_TRYLOCK_PI, NO_ARGS),				\
	OP(WAIT_BITSET, VAL, ARG(timeout, timespec_), UNUSED_ARG,	\
	   VAL3(BITSET)),						\
	OP(WAKE_BITSET, VAL, UNUSED_ARG, UNUSED_ARG, VAL3(BITSET)),	\
	OP(WAIT_REQUEUE_PI, VAL, ARG(timeout, timespec_), UADDR2),	\
	OP(CMP_REQUEUE_PI, VAL, VAL2, UADDR2, VAL3(UDEC)),		\
	OP(LOCK_PI2, UNUSED_ARG, ARG(timeout, timespec_)),		\
	OTHER_VARIANT(ARGS(						\
		VAL,							\
		ARG(timeout, ADDR),					\
		UADDR2,							\
		VAL3(HEX))))

SYSCALL(futex, 0, FUTEX_ARGS,
	.select = ARGV_MASK(1, 0x7f),
	FUTEX_VARIANTS(TIMESPEC));
SYSCALL(futex_time64, 0, FUTEX_ARGS,
	.select = ARGV_MASK(1, 0x7f),
	FUTEX_VARIANTS(TIMESPEC64));

/* ---- the newer calls ---- */

STRUCTURE(futex_waitv,
	FIELD(val, U64, HEX64),
	FIELD(uaddr, U64, ADDR_OF(U64)),
	FIELD(flags, UINT, FLAGS(futex2_flags)),
	FIELD(__reserved, UINT, HEX, .show = SHOW_NONZERO));

SYSCALL(futex_waitv, 0, ARGS(
	ARG(waiters, PTR(ARRAY_UP_TO(V_FUTEX_WAITV_MAX, STRUCT(futex_waitv),
				     ARGV(1)))),
	ARG(nr_futexes, UDEC),
	ARG(flags, HEX),
	ARG(timeout, TIMESPEC64),
	ARG(clockid, ENUM(clock_ids))));

SYSCALL(futex_wake, 0, ARGS(
	ARG(uaddr, ADDR),
	ARG(mask, BITSET_LONG(1)),
	ARG(nr, DEC),
	ARG(flags, FLAGS(futex2_flags))));

SYSCALL(futex_wait, 0, ARGS(
	ARG(uaddr, ADDR),
	ARG(val, SIZE),
	ARG(mask, BITSET_LONG(2)),
	ARG(flags, FLAGS(futex2_flags)),
	ARG(timeout, TIMESPEC64),
	ARG(clockid, ENUM(clock_ids))));

SYSCALL(futex_requeue, 0, ARGS(
	ARG(waiters, PTR(ARRAY(STRUCT(futex_waitv), N(2)))),
	ARG(flags, HEX),
	ARG(nr_wake, DEC),
	ARG(nr_requeue, DEC)));
