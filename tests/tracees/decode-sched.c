/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about scheduling, limits and use of resources. */
#include <sys/resource.h>

#include "calls.h"

struct attr {		/* of sched_setattr() */
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
	uint32_t util_min, util_max;
};

#define WORDS(...)	PUT(uint64_t, __VA_ARGS__)
#define PARAM(n_)	PUT(int, n_)
#define ATTR(...)	PUT(struct attr, { __VA_ARGS__ })

static void policies(void)
{
	CALL(sched_setscheduler, 0, 0, PARAM(0));
	CALL(sched_setscheduler, 0, 1, PARAM(200));
	CALL(sched_setscheduler, 0, 9, BAD);
	CALL(sched_setscheduler, 0, 9, 0);
	CALL(sched_getscheduler, 0);
	CALL(sched_setscheduler, 0, 0x40000003, PARAM(0));
	CALL(sched_getscheduler, 0);
	CALL(sched_getscheduler, -1);
	CALL(sched_getparam, 0, ROOM(4));
	CALL(sched_setparam, 0, PARAM(-5));
	CALL(sched_setparam, 0, BAD);
	CALL(sched_get_priority_max, 1);
	CALL(sched_get_priority_min, 6);
	CALL(sched_rr_get_interval, -1, ROOM(16));
	CALL(sched_yield);

	CALL(sched_setattr, 0, ATTR(56, 6, 0x7f, 5, 7, 8, 9, 10, 11, 12), 1);
	CALL(sched_setattr, 0, PUT(struct attr, { 0, 7, 0, -5, 7, 8, 9, 10,
						  0, 0 }), 1);
	CALL(sched_setattr, 0, 0, 1);
	CALL(sched_setattr, 0, PUT(uint32_t, 3), 1);
	CALL(sched_getattr, 0, ROOM(56), 47, 0);
	CALL(sched_getattr, 0, BAD, 48, 0);
	CALL(sched_getattr, 0, ROOM(56), 56, 1);
}

static void affinity(void)
{
	CALL(sched_setaffinity, -1, 8, WORDS(3));
	CALL(sched_setaffinity, -1, 16, WORDS(1UL << 63, 5));
	CALL(sched_setaffinity, -1, 0, ROOM(0));
	CALL(sched_setaffinity, -1, 8, WORDS(0));
	CALL(sched_setaffinity, -1, 16, WORDS(3));
	CALL(sched_setaffinity, -1, 8, 0);
	CALL(sched_getaffinity, 0, 4, ROOM(4));
	CALL(sched_getaffinity, 0, 8, BAD);
}

static void priorities(void)
{
	CALL(getpriority, PRIO_PROCESS, -1);
	CALL(getpriority, 5, 0);
	CALL(setpriority, PRIO_PROCESS, 0, 0);
	CALL(setpriority, PRIO_PGRP, -1, -5);
	CALL(ioprio_set, 1, 0, 2 << 13 | 4);
	CALL(ioprio_get, 1, 0);
	CALL(ioprio_set, 3, 0x7ffffff0, 3 << 13 | 8);
	CALL(ioprio_set, 1, 0, 7 << 13);
	CALL(ioprio_get, 9, 0);
}

static void limits(void)
{
	CALL(prlimit64, 0, RLIMIT_CORE, WORDS(0, 1048576), ROOM(16));
	CALL(prlimit64, 0, RLIMIT_CORE, 0, ROOM(16));
	CALL(prlimit64, 0, RLIMIT_CORE, WORDS(3 * 1024, 1023), 0);
	CALL(prlimit64, -1, RLIMIT_CORE, WORDS(1UL << 31, -1UL), BAD);
	CALL(setrlimit, RLIMIT_CORE, WORDS(123, 1025));
	CALL(getrlimit, RLIMIT_CORE, ROOM(16));
	CALL(setrlimit, RLIMIT_CORE, BAD);
	CALL(setrlimit, RLIMIT_CORE, 0);
	CALL(setrlimit, 77, WORDS(512, 2047));
	CALL(getrlimit, 77, ROOM(16));
}

static void usage(void)
{
	CALL(getrusage, RUSAGE_SELF, ROOM(144));
	CALL(getrusage, RUSAGE_CHILDREN, ROOM(144));
	CALL(getrusage, 2, ROOM(144));
	CALL(getrusage, 1, 0);
	CALL(times, ROOM(32));
	CALL(times, 0);
	CALL(times, BAD);
}

/* Words and sizes that are neither right nor plainly wrong. */
static void edges(void)
{
	const long nobody = 0x7ffffff0;
	const char cpus[128] = { 5, [127] = 1 };
	struct attr attr = { 56, -1u, 8, -5, 2, 3, 4, 5, 6, 7 };

	CALL(sched_setscheduler, nobody, 0x40000009, BAD);
	CALL(sched_setscheduler, nobody, 0xc0000001, BAD);
	CALL(sched_setattr, nobody, put(&attr, sizeof(attr)), 0);
	attr.policy = 1;
	CALL(sched_setattr, nobody, put(&attr, sizeof(attr)), 0);
	attr.flags = 0x10;
	CALL(sched_setattr, nobody, put(&attr, sizeof(attr)), 1);
	attr.flags = 0;
	attr.size = 52;
	CALL(sched_setattr, nobody, put(&attr, sizeof(attr)), 0);
	CALL(sched_setattr, nobody, put(&attr, 48), 0);
	attr.size = 0;
	CALL(sched_setattr, nobody, put(&attr, 48), 0);
	attr.size = 47;
	CALL(sched_setattr, nobody, put(&attr, 48), 0);
	CALL(sched_getattr, nobody, BAD, 56, 9);
	CALL(sched_setaffinity, nobody, 129, put(cpus, 128));
	CALL(sched_setaffinity, nobody, -1, put(cpus, 127));
	CALL(sched_setaffinity, nobody, 3, PUT(char, 1, 2, 0x84));
}

int main(void)
{
	const struct rlimit limit = { 0, 1048576 };

	if (setrlimit(RLIMIT_CORE, &limit))
		return 1;
	begin();
	policies();
	affinity();
	priorities();
	limits();
	usage();
	edges();
	return 0;
}
