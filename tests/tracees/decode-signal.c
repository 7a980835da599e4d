/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about signals with good and bad arguments. */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "calls.h"

/* What the kernel takes, behind which there may be more memory. */
struct action {
	unsigned long handler, flags, restorer;
	uint64_t mask;
	uint64_t room[8];
};

/* A siginfo by its words, as the kernel lays them out. */
struct info {
	int32_t signo, error, code, pad;
	uint32_t words[28];
};

#define SET(bits_)	PUT(uint64_t, bits_)
#define INFO(signo_, error_, code_, ...) \
	PUT(struct info, { signo_, error_, code_, 0, { __VA_ARGS__ } })
/* To nobody: what counts is how it is shown. */
#define QUEUE(signo_, ...) \
	CALL(rt_sigqueueinfo, 0x7ffffff0, signo_, INFO(signo_, __VA_ARGS__))

static void sets(void)
{
	CALL(rt_sigprocmask, SIG_BLOCK, SET(0), 0, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, SET(1), ROOM(8), 8);
	CALL(rt_sigprocmask, SIG_UNBLOCK, SET(0x80000001), ROOM(8), 8);
	CALL(rt_sigprocmask, SIG_SETMASK, SET(-1), 0, 8);
	/* 41 signals are named, of 42 those that are missing */
	CALL(rt_sigprocmask, SIG_SETMASK, SET((1ULL << 41) - 1), 0, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, SET((1ULL << 42) - 1), 0, 8);
	CALL(rt_sigprocmask, SIG_SETMASK, SET(0), ROOM(8), 8);
	CALL(rt_sigprocmask, 3, BAD, 0, 8);
	CALL(rt_sigprocmask, SIG_BLOCK, SET(1), ROOM(8), 4);
	CALL(rt_sigpending, ROOM(8), 8);
	CALL(rt_sigpending, BAD, 8);
	CALL(rt_sigsuspend, SET(5), 9);
	CALL(rt_sigtimedwait, SET(1 << 9), ROOM(128), PUT(long, 0, 1000), 8);
	CALL(rt_sigtimedwait, BAD, BAD, BAD, 8);
}

static void actions(void)
{
	CALL(rt_sigaction, SIGUSR1, 0, ROOM(96), 8);
	CALL(rt_sigaction, SIGUSR1, PUT(struct action, { 1, 0, 0, 0, { 0 } }),
	     0, 8);
	CALL(rt_sigaction, SIGUSR1, PUT(struct action, { 0x123456, 0x14000004,
			0x5678, 0x201, { 0 } }), ROOM(96), 8);
	CALL(rt_sigaction, SIGKILL, PUT(struct action, { -1UL, 0xfb000000, 0,
			-2ULL, { 0 } }), ROOM(96), 8);
	CALL(rt_sigaction, 65, BAD, BAD, 8);
	CALL(rt_sigaction, 64, 0, 0, 9);
	CALL(rt_sigaction, SIGUSR1, PUT(struct action, { 0, 0, 0, 0, { 0 } }),
	     ROOM(96), 8);
}

static void infos(void)
{
	QUEUE(SIGCHLD, 0, SI_QUEUE, 55, 66, 0xdeadbeef, 0);
	QUEUE(SIGCHLD, EIO, SI_QUEUE, 55, 66);
	QUEUE(33, 0, SI_MESGQ, 1, 2, 3);
	QUEUE(SIGUSR1, 999, SI_USER, 55, 66, 77);
	QUEUE(SIGUSR1, 0, SI_TKILL, 55, 66, 77);
	QUEUE(SIGUSR1, 0, SI_TIMER, 0x37, 66, 77);
	QUEUE(SIGUSR1, 0, SI_SIGIO, 7, 0, 3);
	QUEUE(SIGUSR1, 0, SI_KERNEL, 0);
	QUEUE(SIGUSR1, 0, 77, 1, 2, 3);
	QUEUE(SIGCHLD, 0, CLD_EXITED, 100, 200, 300, 0, 400, 0, 5);
	QUEUE(SIGCHLD, 0, CLD_KILLED, 100, 200, SIGKILL);
	QUEUE(SIGCHLD, 0, 7, 100, 200, 0);
	QUEUE(SIGSEGV, 0, SEGV_MAPERR, 0x1000);
	QUEUE(SIGSEGV, 0, SEGV_BNDERR, 0x1000, 0, 0, 0, 0x2000, 0, 0x3000);
	QUEUE(SIGSEGV, 0, SEGV_PKUERR, 0x1000, 0, 0, 0, 77);
	QUEUE(SIGBUS, 0, BUS_MCEERR_AR, 0x1000, 0, 12);
	QUEUE(SIGFPE, 0, FPE_INTDIV, 0);
	QUEUE(SIGILL, 0, 99, 0x1000);
	QUEUE(SIGTRAP, 0, 1 /* TRAP_BRKPT */, 0x1000);
	QUEUE(SIGIO, 0, POLL_IN, 7, 0, 3);
	QUEUE(SIGIO, 0, 7, 7, 0, 3);
	QUEUE(SIGSYS, 0, 1, 0x1000, 0, 1, 0xc000003e);
	QUEUE(SIGSYS, 0, 1, 0x1000, 0, 9999, 0x40000003);
	CALL(rt_sigqueueinfo, 0x7ffffff0, 0, ROOM(128));
	CALL(rt_sigqueueinfo, 0x7ffffff0, 65, BAD);
	CALL(rt_tgsigqueueinfo, 0x7ffffff0, 0x7ffffff1, SIGUSR2, 0);
}

static void others(void)
{
	struct {
		unsigned long sp;
		int flags, pad;
		unsigned long size;
	} stack = { 0x1000, 0, 0, 0x2000 };

	CALL(kill, 0x7ffffff0, SIGTERM);
	CALL(kill, -0x7ffffff0, 0);
	CALL(tkill, 0x7ffffff0, 32);
	CALL(tgkill, 0x7ffffff0, -1, 65);
	CALL(sigaltstack, put(&stack, sizeof(stack)), ROOM(sizeof(stack)));
	stack.flags = SS_DISABLE | SS_ONSTACK | 4;
	CALL(sigaltstack, put(&stack, sizeof(stack)), 0);
	stack.flags = SS_DISABLE;
	CALL(sigaltstack, put(&stack, sizeof(stack)), ROOM(sizeof(stack)));
	CALL(sigaltstack, BAD, BAD);
	CALL(signalfd, -1, SET(1ULL << 9 | 1ULL << 33), 9);
	CALL(signalfd4, -2, SET(1 << 9), 8, SFD_CLOEXEC | SFD_NONBLOCK);
	CALL(signalfd4, -2, BAD, 8, 5);
}

static void handler(int signo)
{
	(void)signo;
}

/* Sets of sizes that the kernel does not take, or takes a part of. */
static void edges(void)
{
	long set = SET(0x8000000000003);
	struct { long sp; uint32_t flags, pad; long size; } stack = {
		1, 0x80000001, 0, 3 };

	CALL(rt_sigpending, ROOM(8), 0);
	CALL(rt_sigpending, ROOM(3), 3);
	CALL(rt_sigpending, ROOM(3), 4);
	CALL(rt_sigpending, ROOM(16), 9);
	CALL(rt_sigsuspend, set, 9);
	CALL(rt_sigtimedwait, set, 0, BAD, 8);
	CALL(rt_sigtimedwait, set, 0, 0, 4);
	CALL(sigaltstack, put(&stack, sizeof(stack)), 0);
	stack.flags = -1;
	CALL(sigaltstack, put(&stack, sizeof(stack)), BAD);
	CALL(sigaltstack, put(&stack, 23), 0);
}

int main(void)
{
	begin();
	sets();
	actions();
	infos();
	others();
	/* the mask to which the handler returns */
	CALL(rt_sigprocmask, SIG_SETMASK, SET(1 << 6), 0, 8);
	signal(SIGUSR2, handler);
	CALL(tkill, (long)syscall(SYS_gettid), SIGUSR2);
	edges();
	return 0;
}
