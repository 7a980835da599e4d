/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Futex calls with good and bad arguments. */
#include <linux/futex.h>

#include "calls.h"

/* The same numbers on every ABI. */
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
enum { SYS_futex_wake_ = 454, SYS_futex_wait_, SYS_futex_requeue_ };
#define SYS_futex_wake SYS_futex_wake_
#define SYS_futex_wait SYS_futex_wait_
#define SYS_futex_requeue SYS_futex_requeue_

struct waiter {
	uint64_t val, uaddr;
	uint32_t flags, reserved;
};

/* A bit that only those that wait for a time have. */
static void edges(long word, long soon)
{
	CALL(futex, word, 0x101, 1, soon);
	CALL(futex, word, 0x10b, 5, soon, BAD);
	CALL(futex, word, 0x18b, 5, 0, BAD);
	CALL(futex, word, 0x82, 5);
	CALL(futex, word, 0x8e, 5, 0, BAD, 0);
	CALL(futex, word, -1, 5, 1, BAD, 0);
}

int main(void)
{
	long word = PUT(uint32_t, 7), soon = PUT(long, 0, 1000);

	begin();
	CALL(futex, word, FUTEX_WAIT, 5, soon);
	CALL(futex, word, FUTEX_WAIT_PRIVATE, 5, BAD);
	CALL(futex, word, FUTEX_WAIT | FUTEX_CLOCK_REALTIME, 5, 0);
	CALL(futex, word, FUTEX_WAKE, 0x7fffffff);
	CALL(futex, word, FUTEX_WAKE_PRIVATE, -1);
	CALL(futex, word, FUTEX_FD, 5);
	CALL(futex, word, FUTEX_REQUEUE, 1, 2, word);
	CALL(futex, word, FUTEX_CMP_REQUEUE, 5, 2, word, -2);
	CALL(futex, word, FUTEX_WAKE_OP, 1, 2, word,
	     FUTEX_OP(FUTEX_OP_ADD, 0x345, FUTEX_OP_CMP_LT, 0x678));
	CALL(futex, word, FUTEX_WAKE_OP_PRIVATE, 1, 2, word, -2);
	CALL(futex, word, FUTEX_UNLOCK_PI);
	CALL(futex, BAD, FUTEX_TRYLOCK_PI_PRIVATE);
	CALL(futex, BAD, FUTEX_LOCK_PI, 5, soon);
	CALL(futex, BAD, FUTEX_LOCK_PI2_PRIVATE, 5, 0);
	CALL(futex, word, FUTEX_WAIT_BITSET_PRIVATE | FUTEX_CLOCK_REALTIME, 5,
	     0, 0, -1);
	CALL(futex, word, FUTEX_WAIT_BITSET, 5, soon, 0, 1);
	CALL(futex, word, FUTEX_WAKE_BITSET, 5, 0, 0, -1);
	CALL(futex, BAD, FUTEX_WAIT_REQUEUE_PI, 5, soon, word);
	CALL(futex, BAD, FUTEX_CMP_REQUEUE_PI, 5, 2, word, 6);
	CALL(futex, word, 14, 5, 2, word, -2);
	CALL(futex, word, 0x280, 1, 2, 3, 4);

	CALL(futex_waitv, PUT(struct waiter, { 5, word, 2, 0 },
			      { 6, BAD, 0x82, 1 }), 2, 0, soon, 1);
	CALL(futex_waitv, PUT(struct waiter, { 5, word, 0x86, 0 }), 3, 1, BAD,
	     0);
	CALL(futex_waitv, BAD, 1, 0, 0, 99);
	CALL(futex_waitv, PUT(struct waiter, { 0, 0, 0, 0 }), 0, 1, 0, 7);
	CALL(futex_wake, BAD, -1, 1, 2);
	CALL(futex_wake, word, 5, -1, 0x101);
	CALL(futex_wait, word, 5, 1, 0x82, soon, 1);
	CALL(futex_requeue, PUT(struct waiter, { 5, 1, 2, 0 }, { 6, 2, 3, 0 }),
	     9, 1, -1);
	edges(word, soon);
	return 0;
}
