/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Taking running threads under trace.
 *
 * ptrace(2), PTRACE_SEIZE: unlike PTRACE_ATTACH it does not stop the thread
 * and sends no signal, so nothing can be mistaken for a SIGSTOP of somebody
 * else.  PTRACE_INTERRUPT then makes it stop, without any trace of that in
 * what it does.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include "attach.h"
#include "family.h"
#include "message.h"
#include "mmap_notify.h"
#include "options.h"
#include "report.h"
#include "tracee.h"

/*
 * PTRACE_O_TRACEEXIT makes each thread stop once more before it is gone.
 * Without that, an exec could give a thread's id to another one, in its
 * PTRACE_EVENT_EXEC stop, while we still work on an older stop of the first
 * one, and would restart the wrong thread.
 */
static unsigned long ptrace_options(const struct options *options)
{
	unsigned long set = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC |
			    PTRACE_O_TRACEEXIT;

	if (options->follow_forks)
		set |= PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
		       PTRACE_O_TRACECLONE;
	if (options->kill_on_exit)
		set |= PTRACE_O_EXITKILL;
	return set;
}

/* ---- why it did not work ---- */

static bool yama_restricts(void)
{
	int fd = open("/proc/sys/kernel/yama/ptrace_scope",
		      O_RDONLY | O_CLOEXEC);
	char digit = '0';
	ssize_t len;

	if (fd < 0)
		return false;
	len = read(fd, &digit, 1);
	close(fd);
	return len == 1 && digit != '0';
}

static bool belongs_to_another(pid_t pid)
{
	struct stat st;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	return stat(path, &st) == 0 && st.st_uid != geteuid();
}

static void explain_refusal(pid_t tid)
{
	long tracer = family_status_number(tid, "TracerPid:");
	long process = family_status_number(tid, "Tgid:");

	if (process == getpid())
		message("A tracer cannot trace itself");
	else if (tracer > 0)
		message("Process %d is already being traced by pid %ld",
			(int)tid, tracer);
	else if (geteuid() != 0 && belongs_to_another(tid))
		message("Process %d belongs to another user", (int)tid);
	else if (geteuid() != 0 && yama_restricts())
		message("/proc/sys/kernel/yama/ptrace_scope allows to trace "
			"one's own children only");
}

void attach_explain(pid_t tid)
{
	int err = errno;

	message_errno("attach: ptrace(PTRACE_SEIZE, %d)", (int)tid);
	if (err == EPERM)
		explain_refusal(tid);
}

/* ---- attaching ---- */

static bool seize(const struct options *options, pid_t tid)
{
	if (ptrace(PTRACE_SEIZE, tid, NULL, ptrace_options(options)) < 0)
		return false;
	/* If this fails, the thread has just died: wait tells. */
	ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
	return true;
}

bool attach_thread(const struct options *options, pid_t tid)
{
	return seize(options, tid);
}

/* One of a process that is attached to. */
struct attaching {
	const struct options *options;
	pid_t pid, tgid;
	struct tracee *first;	/* the first one of the process, or NULL */
	unsigned count;
	int err;		/* why pid itself was refused */
};

/* Returns whether the thread is new to us. */
static bool attach_one(struct attaching *a, pid_t tid)
{
	struct tracee *tracee;

	if (tracee_find(tid))
		return false;
	if (!seize(a->options, tid)) {
		/*
		 * EPERM: a zombie leader, or a thread that another one has
		 * made since that was seized: we trace it already.  ESRCH: it
		 * has just ended.
		 */
		if (tid == a->pid)
			a->err = errno;
		return false;
	}
	tracee = family_found(tid, a->tgid, a->first);
	if (!tracee) {
		message("attach: out of memory");
		return false;
	}
	tracee->attached = true;
	if (!a->first)
		a->first = tracee;
	a->count++;
	return true;
}

/*
 * A thread that is not attached to yet may make others while the directory is
 * read: it is read again until nothing new is there.  One that is attached to
 * tells of those that it makes.
 */
static void attach_threads(struct attaching *a)
{
	char path[32];
	bool more = true;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)a->pid);
	while (more) {
		DIR *dir = opendir(path);
		struct dirent *entry;

		more = false;
		if (!dir)
			return;
		while ((entry = readdir(dir)))
			if (isdigit((unsigned char)*entry->d_name) &&
			    attach_one(a, atoi(entry->d_name)))
				more = true;
		closedir(dir);
	}
}

static bool attach_process(const struct options *options, pid_t pid)
{
	struct attaching a = { .options = options, .pid = pid };

	if (tracee_find(pid))
		return true;
	a.tgid = family_status_number(pid, "Tgid:");
	attach_one(&a, pid);
	if (options->follow_forks)
		attach_threads(&a);
	if (!a.count) {
		errno = a.err;
		attach_explain(pid);
		return false;
	}
	if (options->quiet & QUIET_ATTACH)
		return true;
	if (a.count > 1)
		report_message("Process %d attached with %u threads",
			       (int)pid, a.count);
	else
		report_message("Process %d attached", (int)pid);
	return true;
}

bool attach_all(const struct options *options)
{
	bool any = false;

	for (size_t i = 0; i < options->attach_count; i++)
		if (attach_process(options, options->attach[i]))
			any = true;
	if (any && mmap_notify_wanted())
		family_look_for_strangers();
	return any;
}
