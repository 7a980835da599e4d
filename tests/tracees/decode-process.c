/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about processes with good and bad arguments. */
#include <linux/sched.h>
#include <signal.h>
#include <sys/wait.h>

#include "calls.h"

struct clone3 {
	uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack,
		 stack_size, tls, set_tid, set_tid_size, cgroup;
};

enum { NOBODY = 0x7ffffff0 };	/* no process has this id */

/* Ends in the way that is asked for; raw, so that nothing else is shown. */
static long child(int status, int sig)
{
	long pid = fork();

	if (pid)
		return pid;
	if (sig)
		kill(getpid(), sig);
	syscall(SYS_exit, status);
	return 0;
}

static void waits(void)
{
	long pid = child(3, 0);

	CALL(wait4, pid, ROOM(4), 0, 0);
	pid = child(0, SIGKILL);
	CALL(wait4, pid, ROOM(4), 0x40000000, 0);
	pid = child(0, SIGSTOP);
	CALL(wait4, pid, ROOM(4), WUNTRACED, 0);
	kill(pid, SIGCONT);
	CALL(waitid, P_PID, pid, ROOM(128), WEXITED, 0);
	pid = child(5, 0);
	CALL(waitid, P_PID, pid, ROOM(128), WEXITED | WNOWAIT, ROOM(144));
	CALL(waitid, P_PID, pid, 0, WEXITED, 0);
	CALL(wait4, NOBODY, ROOM(4), WNOHANG, ROOM(144));
	CALL(wait4, -1, BAD, WNOHANG | WCONTINUED, BAD);
	CALL(waitid, 9, 5, BAD, 0x100, BAD);
}

static void clones(void)
{
	CALL(clone, CLONE_THREAD, 1, 2, 3, 4);
	CALL(clone, CLONE_THREAD | CLONE_SETTLS, 1, 2, 3, 4);
	CALL(clone3, BAD, 64);
	CALL(clone3, 0, 64);
	CALL(clone3, ROOM(88), 63);
	CALL(clone3, PUT(struct clone3, { CLONE_THREAD, 0, 0, 0, SIGCHLD, 0, 0,
					  0, 0, 0, 0 }), 88);
	CALL(clone3, PUT(struct clone3, { CLONE_SIGHAND | CLONE_PIDFD, BAD,
					  0, BAD, 999, 0x456, 0x1000, 0x123,
					  PUT(int, 5, 7), 2, 4 }), 88);
	CALL(unshare, 0x80000000);
	CALL(unshare, CLONE_THREAD | CLONE_SIGHAND);
	CALL(setns, -1, CLONE_NEWNET);
	CALL(setns, -1, 0);
}

static void executions(void)
{
	long one = PUT(long, STR("arg"), STR("a\nb"), 0);
	long none = PUT(long, 0);

	CALL(execve, STR("/nonexistent"), one, none);
	CALL(execve, STR("/nonexistent"), none, one);
	CALL(execve, STR("/nonexistent"), 0, 0);
	CALL(execve, BAD, BAD, BAD);
	CALL(execve, STR("/nonexistent"), PUT(long, STR("x"), BAD, 0), none);
	CALL(execve, STR("/nonexistent"), PUT(long, STR("x")), none);
	CALL(execveat, -100, STR("/nonexistent"), one, none, 0x1100);
	CALL(execveat, -1, STR(""), one, none, 1);
}

static void groups(void)
{
	CALL(setpgid, -1, -2);
	CALL(getpgid, NOBODY);
	CALL(getsid, NOBODY);
	CALL(kcmp, NOBODY, NOBODY, 0, 1, 2);
	CALL(kcmp, NOBODY, NOBODY, 1, 1, 2);
	CALL(kcmp, NOBODY, NOBODY, 7, 1, PUT(uint32_t, 1, 2, 3));
	CALL(kcmp, NOBODY, NOBODY, 99, 1, 2);
	CALL(pidfd_open, NOBODY, 0);
	CALL(pidfd_open, -1, 04000 | 0x100);
	CALL(pidfd_getfd, -1, 0, 9);
	CALL(pidfd_send_signal, -1, SIGUSR1, 0, 0);
	CALL(pidfd_send_signal, -1, 0, BAD, 15);
}

/* Descriptors of this process, in calls about two processes. */
static void descriptors(void)
{
	long self = getpid();

	CALL(kcmp, self, self, 0, 1, 2);
	CALL(kcmp, self, NOBODY, 7, 1, PUT(uint32_t, 1, 2, 3));
	CALL(kcmp, self, self, 7, 1, BAD);
	CALL(pidfd_getfd, -1, 1, 0);
}

static void personalities(void)
{
	long old = CALL(personality, 0xffffffff);

	CALL(personality, 6);
	CALL(personality, 0x20008);
	CALL(personality, 0x4000005);
	CALL(personality, 0x400);
	syscall(SYS_personality, old);
}

static void capabilities(void)
{
	long data = PUT(uint32_t, 1, 2, 0x84, 0x300, 0x1000000, 0);

	CALL(capget, PUT(uint32_t, 0x20080522, NOBODY), ROOM(24));
	CALL(capget, BAD, 0);
	CALL(capset, PUT(uint32_t, 0x20080522, NOBODY), data);
	CALL(capset, PUT(uint32_t, 0x20071026, NOBODY), data);
	CALL(capset, PUT(uint32_t, 0x19980330, NOBODY), data);
	CALL(capset, PUT(uint32_t, 0x19980330, NOBODY), PUT(uint32_t, 1, 2));
	CALL(capset, PUT(uint32_t, 0x20080522), data);
	CALL(capset, PUT(uint32_t, 0x20080522, NOBODY), BAD);
	CALL(capset, PUT(uint32_t, 0x20080522, NOBODY), 0);
}

/* The first of them is not one of x86-64. */
static void segments(void)
{
	CALL(get_thread_area, PUT(uint32_t, -1, 2, 3, 4));
	CALL(get_thread_area, PUT(uint32_t, 5, 2, 3));
	CALL(set_thread_area, PUT(uint32_t, -1, 2, 3, 0xa5));
	CALL(set_thread_area, PUT(uint32_t, -2, 2, 3));
	CALL(modify_ldt, 1, PUT(uint32_t, 7, 0xabcdef0, 0xfffff, 0x51), 15);
	CALL(modify_ldt, 9, PUT(uint32_t, 7, 0xabcdef0, 0xfffff, 0x5a), 16);
	CALL(modify_ldt, 9, BAD, 16);
	CALL(iopl, 4);
	CALL(ioperm, 0x10000, 1, -1);
}

static void threads(void)
{
	CALL(set_tid_address, BAD);
	CALL(rseq, BAD, 32, 0, 1);
	CALL(rseq, PUT(uint64_t, -1, 0, 3, 0x500000004), 32, 6, 0xabcd);
	CALL(rseq, ROOM(32), 31, 1, 0xabcd);
	CALL(unshare, 0x1000000000000000);
	CALL(unshare, -1);
	CALL(exit_group, 7);
}

static void machine(void)
{
	CALL(arch_prctl, 0x1004, BAD);
	CALL(arch_prctl, 0x1012, 2);
	CALL(arch_prctl, 0x9999, 2);
	CALL(getcpu, 0, 0, BAD);
	CALL(getcpu, BAD, 0, 0);
	CALL(uname, BAD);
	CALL(sysinfo, BAD);
	CALL(set_robust_list, BAD, 5);
	CALL(get_robust_list, 0, BAD, BAD);
	CALL(reboot, 1, 2, 3, BAD);
	CALL(seccomp, 0, 1, 2);
	CALL(seccomp, 2, 0, PUT(uint32_t, 0x50000));
	CALL(seccomp, 9, 1, BAD);
	CALL(seccomp, 3, 0, ROOM(6));
	CALL(seccomp, 3, 1, BAD);
	CALL(seccomp, 1, 0x40, BAD);
	CALL(syslog, 99, 0, 7);
	CALL(syslog, -1, BAD, -1);
	CALL(syslog, 3, BAD, -1);
	CALL(sethostname, TEXT("name"), -1);
	CALL(setdomainname, BAD, 65);
	CALL(acct, STR("/nonexistent/file"));
	CALL(acct, BAD);
}

int main(void)
{
	sigset_t children;

	/* nothing shall interrupt waiting */
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL);
	begin();
	waits();
	clones();
	executions();
	groups();
	machine();
	descriptors();
	personalities();
	capabilities();
	segments();
	threads();
	return 0;
}
