/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that i386 and x32 have in a way of their own; known.py says how they
 * are to be shown.  What they point to lies at MEMORY.
 */
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "raw-call.h"

#define MEMORY	0x20000000
#define CALL(nr_, ...) \
	raw_call((nr_) & 0xfff, (const long[6]){ __VA_ARGS__ })

/* What is at MEMORY; the names are the offsets. */
static struct {
	char path[16];			/* 0 */
	uint32_t iovec[2];		/* 0x10 */
	uint32_t connect[4];		/* 0x18: socketcall's arguments */
	uint8_t address[16];		/* 0x28 */
	uint32_t select[6];		/* 0x38 */
	uint32_t mmap[6];		/* 0x50 */
	uint32_t second32[2];		/* 0x68: too many nanoseconds */
	uint64_t second64[2];		/* 0x70 */
	uint32_t timeval32[2];		/* 0x80 */
	uint32_t message[7];		/* 0x88: struct msghdr */
	uint32_t unused;
	uint32_t mask[2];		/* 0xa8 */
} contents = {
	.path = "/nonexistent/x",
	.iovec = { MEMORY, 4 },
	.connect = { -1, MEMORY + 0x28, 16 },
	.address = { 2, 0, 0, 80, 127, 0, 0, 1 },
	.select = { 0, 0, 0, 0, MEMORY + 0x80 },
	.mmap = { 0, 0, 1, 0x22, -1, 0 },
	.second32 = { 0, 1000000000 },
	.second64 = { 0, 1000000000 },
	.message = { 0, 0, MEMORY + 0x10, 1, 0, 0, 0 },
	.mask = { 1 << 9 | 1 << 11, 1 },
};

int main(void)
{
	void *at = mmap((void *)MEMORY, 4096, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (at != (void *)MEMORY)
		return 1;
	memcpy(at, &contents, sizeof(contents));
	close(1000000);
#if defined(__i386__)
	/* 64 bits in two registers */
	CALL(SYS_pread64, -1, 0x1000, 3, 2, 1);
	CALL(SYS_truncate64, MEMORY, 2, 1);
	CALL(SYS_fadvise64_64, -1, 2, 1, 4, 3, 3);
	CALL(SYS__llseek, -1, 1, 2, MEMORY, 0);
	/* arguments in memory */
	CALL(SYS_socketcall, 3, MEMORY + 0x18);
	CALL(SYS_ipc, 2, 0x1234, 0, 0);
	CALL(SYS_select, MEMORY + 0x38);
	CALL(SYS_mmap, MEMORY + 0x50);
	CALL(SYS_mmap2, 0, 4096, 1, 2, -1, 1);
	/* ids of 16 bits */
	CALL(SYS_chown, MEMORY, 0xffff, 1);
	CALL(SYS_chown32, MEMORY, -1, 65536);
	/* times of 32 and of 64 bits */
	CALL(SYS_nanosleep, MEMORY + 0x68, 0);
	CALL(SYS_clock_nanosleep_time64, 0, 0, MEMORY + 0x70, 0);
	CALL(SYS_sigprocmask, 0, MEMORY + 0xa8, 0);
#else
	CALL(SYS_pread64, -1, 0x1000, 3, 5);
	CALL(SYS_truncate, MEMORY, 5);
	CALL(SYS_nanosleep, MEMORY + 0x70, 0);
	CALL(SYS_clock_nanosleep, 0, 0, MEMORY + 0x70, 0);
	/* numbers that only x32 has */
	CALL(SYS_preadv, -1, MEMORY + 0x10, 1, 5);
	CALL(SYS_execve, MEMORY, 0, 0);
#endif
	CALL(SYS_writev, -1, MEMORY + 0x10, 1);
	CALL(SYS_sendmsg, -1, MEMORY + 0x88, 0);
	CALL(SYS_rt_sigprocmask, 0, MEMORY + 0xa8, 0, 8);
	return 0;
}
