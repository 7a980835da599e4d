/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls about events, programs in the kernel, security and the kernel itself,
 * and ptrace, with good and bad arguments; nothing that could succeed in
 * changing the machine.
 */
#include "calls.h"

/* The same numbers on every ABI. */
enum {
	SYS_landlock_create = 444, SYS_landlock_rule, SYS_landlock_restrict,
	SYS_lsm_get = 459, SYS_lsm_set, SYS_lsm_list,
	SYS_namespaces = 470,
};

enum { NOBODY = 0x7ffffff0 };	/* more than any process id */

static void landlock(void)
{
	CALL(landlock_create, 0, 0, 3);
	CALL(landlock_create, PUT(uint64_t, 0x10003), 8, 0xfc);
	CALL(landlock_create, PUT(uint64_t, 1, 2, 0), 20, 0xfc);
	CALL(landlock_create, PUT(uint64_t, 0, 0, 3, 0, 0, 0, 0), 56, 0xfc);
	CALL(landlock_create, PUT(uint64_t, 1), 7, 0xfc);
	CALL(landlock_create, BAD, 8, 0xfc);
	CALL(landlock_rule, -1, 1, PUT(uint64_t, 0x2000, 0xffffffff), 0);
	CALL(landlock_rule, -1, 2, PUT(uint64_t, 4, 8080), 1);
	CALL(landlock_rule, -1, 2, PUT(uint64_t, 4), 0);
	CALL(landlock_rule, -1, 3, BAD, 2);
	CALL(landlock_restrict, -1, 0x10000);
}

static void modules(void)
{
	CALL(lsm_set, 100, PUT(uint64_t, 104, 0, 34, 2, 0x4241), 34, 0x80);
	CALL(lsm_set, 106, PUT(uint64_t, 9, 1, 32, 0), 32, 0x80);
	CALL(lsm_set, 105, BAD, 31, 0x80);
	CALL(lsm_get, 101, BAD, PUT(uint32_t, 64), 0x82);
	CALL(lsm_list, BAD, PUT(uint32_t, 64), 0x80);
	CALL(namespaces, PUT(uint64_t, 32, 5, 0x4000000, -1), BAD, 2, 1);
	CALL(namespaces, PUT(uint32_t, 8), BAD, 2, 1);
	CALL(init_module, BAD, 0, STR("a=1"));
	CALL(finit_module, -1, STR("b=2"), 0x87);
	CALL(delete_module, BAD, 04000 | 01000);
	CALL(kexec_load, BAD, 2, PUT(long, 0x1000, 2, 0x3000, 4), 0x3e0300);
	CALL(kexec_load, BAD, 17, BAD, 0x3f0001);
	CALL(kexec_file_load, -1, -1, 3, TEXT("a=b"), 0x104);
}

static void events(void)
{
	uint64_t attr[18] = { [0] = 72ull << 32 | 1, [1] = 3, [2] = 1000,
			      [3] = 0x5, [4] = 0x9, [5] = 1 << 10 | 2 << 15,
			      [6] = 7, [7] = 0x11, [8] = 0x12 };

	CALL(perf_event_open, put(attr, sizeof(attr)), -1, -2, -1, 0x80);
	attr[0] = 64ull << 32 | 3;
	attr[1] = 0x10102;
	attr[5] = 0;
	CALL(perf_event_open, put(attr, sizeof(attr)), -1, -2, -1, 0x89);
	attr[0] = 200ull << 32 | 5;
	attr[6] = 4ull << 32;
	CALL(perf_event_open, put(attr, 200), 0, 0, -1, 0x80);
	attr[0] = 63ull << 32;
	CALL(perf_event_open, put(attr, sizeof(attr)), 0, 0, -1, 0x80);
	CALL(perf_event_open, BAD, 0, 0, -1, 0x80);
}

static void programs(void)
{
	CALL(bpf, 0, PUT(uint32_t, 1, 4, 0, 9, 0x84, 0, 3), 28);
	CALL(bpf, 1, PUT(uint64_t, 0xffffffff, BAD, BAD, 4), 32);
	CALL(bpf, 2, PUT(uint64_t, 0xffffffff, BAD, BAD, 2), 32);
	CALL(bpf, 3, PUT(uint64_t, 0xffffffff, BAD, 0x4241), 24);
	CALL(bpf, 7, PUT(uint64_t, STR("/nowhere/x"), 0), 16);
	CALL(bpf, 15, PUT(uint64_t, 8ull << 32 | 0xffffffff, BAD), 16);
	CALL(bpf, 99, BAD, 16);
	CALL(bpf, 0, BAD, 16);
}

static void tracing(void)
{
	CALL(ptrace, 1, NOBODY, BAD, BAD);
	CALL(ptrace, 4, NOBODY, BAD, 5);
	CALL(ptrace, 7, NOBODY, 1, 9);
	CALL(ptrace, 8, NOBODY, 1, 9);
	CALL(ptrace, 24, NOBODY, 0, 0);
	CALL(ptrace, 0x4200, NOBODY, 0, 0x100011);
	CALL(ptrace, 0x4203, NOBODY, 0, put((int[32]){ 11, 0, 1 }, 128));
	CALL(ptrace, 0x4204, NOBODY, 0x202, PUT(long, BAD, 64));
	CALL(ptrace, 0x4209, NOBODY, PUT(uint64_t, 2, 3ull << 32 | 1), BAD);
	CALL(ptrace, 0x420b, NOBODY, 8, PUT(uint64_t, 0x200));
	CALL(ptrace, 0x420e, NOBODY, 88, BAD);
	CALL(ptrace, 0x4212, NOBODY, 33,
	     put("\2\0\0\0\x3e\0\0\xc0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0"
		 "\xfe\xff\xff\xff\xff\xff\xff\xff\1", 33));
	CALL(ptrace, 99, NOBODY, 1, 2);
#ifdef __x86_64__
	CALL(ptrace, 3, NOBODY, 128, BAD);
	CALL(ptrace, 6, NOBODY, 850, 1);
	CALL(ptrace, 0x4205, NOBODY, 1,
	     PUT(long, PUT(long, 1, 2, 3), 3 * sizeof(long)));
#endif
}

/* Structures that say themselves how long they are. */
static void sizes(void)
{
	long context = PUT(uint64_t, 104, 1, 34, 200, 0x4241);

	CALL(lsm_set, 100, context, 100, 0x80);
	CALL(lsm_set, 100, context, 33, 0x80);
	CALL(lsm_set, 100, PUT(uint64_t, 104, 1, 40, 8), 40, 0x80);
	CALL(lsm_get, 100, ROOM(32), PUT(uint32_t, 32), 0x81);
	CALL(lsm_get, 100, ROOM(31), PUT(uint32_t, 32), 0x81);
	CALL(lsm_get, 100, ROOM(32), BAD, 0x81);
	CALL(lsm_list, ROOM(8), BAD, 0);
	CALL(namespaces, PUT(uint32_t, 40), BAD, 0, 1);
	CALL(namespaces, PUT(uint64_t, 40, 5, 0x4000000, 7, 0), BAD, 2, 1);
	CALL(namespaces, PUT(uint64_t, 40, 5, 0x4000000, 7, 8), BAD, 2, 1);
	CALL(namespaces, PUT(uint64_t, 41, 5, 0x4000000, 7, 8), BAD, 2, 1);
	CALL(_sysctl, PUT(long, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
	CALL(_sysctl, PUT(long, 1, 2, 3, 4, 5, 6));
}

int main(void)
{
	begin();
	landlock();
	modules();
	events();
	programs();
	tracing();
	sizes();
	return 0;
}
