/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
/*
 * Makes the system calls of a script, none of which reaches the kernel: each
 * has the result that the script says.
 *
 *	scripted SCRIPT
 *
 * So calls that no test may make (reboot) or that no test can make succeed
 * (for want of a device, a privilege, a newer kernel) look like any other
 * to a tracer.  A seccomp filter hands the calls of one instruction over to
 * another process, which answers; all others are real.
 *
 * The script is a sequence of records, see tests/scripted.py:
 *
 *	u32 number, u16 patches, u16 of them answers, s64 result,
 *	u64 arguments[6], the patches
 *
 * A patch is a piece of memory that is written before the call is made, or,
 * if it is an answer, after it was entered:
 *
 *	u64 address, u32 length, u32 is an answer, the bytes
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Scripts may use this memory, and expect none around it. */
#define ARENA	((char *)0x20000000)

enum {
	ARENA_SIZE = 1 << 20,
	CLEARED = 1 << 16,	/* at its beginning and at its end */
	FILES = 16,		/* descriptors that are the same in every run */
	STACK = 1 << 16,
};

struct record {
	uint32_t number;
	uint16_t patches;
	uint16_t answers;
	int64_t result;
	uint64_t args[6];
};

struct patch {
	uint64_t address;
	uint32_t length;
	uint32_t is_answer;
};

static int listener = -1;		/* of the filter */
static const struct record *current;
static char stack[STACK] __attribute__((aligned(16)));

/*
 * A call whose end the filter knows by its address: seccomp can give some
 * results without anybody's help, which is faster.
 */
#define SITE(name_)							\
	extern const char behind_##name_[];				\
	__attribute__((noinline, noclone))				\
	static void name_(const struct record *r)			\
	{								\
		long long result;					\
		register long long r10 __asm__("r10") = r->args[3];	\
		register long long r8 __asm__("r8") = r->args[4];	\
		register long long r9 __asm__("r9") = r->args[5];	\
									\
		__asm__ volatile("syscall\n"				\
				 "behind_" #name_ ":"			\
				 : "=a"(result)				\
				 : "a"((long long)r->number),		\
				   "D"(r->args[0]), "S"(r->args[1]),	\
				   "d"(r->args[2]), "r"(r10), "r"(r8),	\
				   "r"(r9)				\
				 : "rcx", "r11", "memory");		\
	}

SITE(answered_call)	/* by the other process */
SITE(successful_call)	/* 0 */
SITE(forbidden_call)	/* EPERM */

static const struct {
	const char *end;
	uint32_t action;
} sites[] = {
	{ behind_answered_call, SECCOMP_RET_USER_NOTIF },
	{ behind_successful_call, SECCOMP_RET_ERRNO | 0 },
	{ behind_forbidden_call, SECCOMP_RET_ERRNO | EPERM },
};

enum { SITES = sizeof(sites) / sizeof(*sites) };

static void make_call(const struct record *r)
{
	if (r->result == 0 && !r->answers)
		successful_call(r);
	else if (r->result == -EPERM && !r->answers)
		forbidden_call(r);
	else
		answered_call(r);
}

/* Writes the patches of one kind; returns what is behind them. */
static const char *apply(const struct record *r, uint32_t answers)
{
	const char *at = (const char *)(r + 1);

	for (uint32_t i = 0; i < r->patches; i++) {
		struct patch patch;

		memcpy(&patch, at, sizeof(patch));
		at += sizeof(patch);
		if (patch.is_answer == answers)
			memcpy((void *)(uintptr_t)patch.address, at,
			       patch.length);
		at += (patch.length + 7) & ~7u;
	}
	return at;
}

/* The other process: it shares memory and descriptors. */
static int answer(void *unused)
{
	struct seccomp_notif call;
	struct seccomp_notif_resp response;

	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		while (__atomic_load_n(&listener, __ATOMIC_ACQUIRE) < 0)
			usleep(100);
		memset(&call, 0, sizeof(call));
		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			continue;
		apply(current, 1);
		memset(&response, 0, sizeof(response));
		response.id = call.id;
		if (current->result < 0 && current->result > -4096)
			response.error = current->result;
		else
			response.val = current->result;
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
	}
	return 0;
}

static int install_filter(void)
{
	const unsigned ip = offsetof(struct seccomp_data, instruction_pointer);
	struct sock_filter filter[5 * SITES + 1];
	const struct sock_fprog program = {
		.len = sizeof(filter) / sizeof(*filter), .filter = filter,
	};

	for (size_t i = 0; i < SITES; i++) {
		const uint64_t end = (uintptr_t)sites[i].end;
		const struct sock_filter site[5] = {
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)end,
				 0, 3),
			BPF_STMT(BPF_LD | BPF_W | BPF_ABS, ip + 4),
			BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, end >> 32, 0, 1),
			BPF_STMT(BPF_RET | BPF_K, sites[i].action),
		};

		memcpy(filter + 5 * i, site, sizeof(site));
	}
	filter[5 * SITES] = (struct sock_filter)
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		       SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* Descriptors 3 to FILES are /dev/null, so what answers is above. */
static void open_files(void)
{
	for (int fd = 3; fd < FILES; fd++) {
		int null = open("/dev/null", O_RDWR);

		if (null != fd) {
			dup2(null, fd);
			close(null);
		}
	}
}

int main(int argc, char **argv)
{
	const char *script, *end;
	struct stat st;
	int file, filter;
	pid_t answerer;

	if (argc != 2)
		return 2;
	file = open(argv[1], O_RDONLY);
	if (file < 0 || fstat(file, &st))
		return 2;
	script = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (script == MAP_FAILED ||
	    mmap(ARENA, ARENA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE |
		 MAP_ANONYMOUS | MAP_FIXED, -1, 0) != ARENA)
		return 2;
	open_files();
	answerer = clone(answer, stack + STACK,
			 CLONE_VM | CLONE_FILES | CLONE_UNTRACED | SIGCHLD,
			 NULL);
	if (answerer < 0)
		return 2;
	filter = install_filter();
	if (filter < 0)
		return 77;
	__atomic_store_n(&listener, filter, __ATOMIC_RELEASE);

	end = script + st.st_size;
	while (script < end) {
		current = (const struct record *)script;
		memset(ARENA, 0, CLEARED);
		memset(ARENA + ARENA_SIZE - CLEARED, 0, CLEARED);
		script = apply(current, 0);
		make_call(current);
	}
	kill(answerer, SIGKILL);
	waitpid(answerer, NULL, 0);
	return 0;
}
