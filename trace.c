/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The event loop: wait, dispatch, restart.
 *
 * It goes in rounds.  All stops that are pending are collected first, and then
 * handled in that order, each tracee being restarted at once: however fast one
 * comes to its next stop, that belongs to the next round, so nobody starves.
 *
 * Whatever is done to a stopped tracee can fail with ESRCH, as SIGKILL ends
 * any stop: then nothing more is done with it, and wait tells of its death.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/registers.h"
#include "attach.h"
#include "events.h"
#include "family.h"
#include "launch.h"
#include "message.h"
#include "mmap_notify.h"
#include "options.h"
#include "report.h"
#include "syscall.h"
#include "trace.h"
#include "tracee.h"

/* With PTRACE_O_TRACESYSGOOD, the signal of a system call stop. */
enum { SYSCALL_STOP = SIGTRAP | 0x80 };

static const struct options *options;

/* The process that was started, and how it ended. */
static struct {
	pid_t pid;		/* 0: none, or none any more */
	int status;
	int signal;		/* that killed it, or 0 */
} command;

/* ---- restarting ---- */

static void restart(struct tracee *tracee, int signo)
{
	ptrace(PTRACE_SYSCALL, tracee->tid, NULL, (long)signo);
}

/*
 * ptrace(2), group-stop: a tracee that is restarted with PTRACE_LISTEN stays
 * stopped as job control wants it, and tells when SIGCONT comes.
 */
static void leave_stopped(struct tracee *tracee)
{
	if (ptrace(PTRACE_LISTEN, tracee->tid, NULL, NULL) < 0 &&
	    errno != ESRCH)
		restart(tracee, 0);
}

static bool event_message(struct tracee *tracee, unsigned long *message)
{
	return ptrace(PTRACE_GETEVENTMSG, tracee->tid, NULL, message) == 0;
}

static void handle_stop(struct tracee *tracee, int code);

/* ---- system calls ---- */

static void handle_syscall(struct tracee *tracee)
{
	bool inside = tracee->where == INSIDE_CALL;
	struct call_info info;

	if (registers_read(tracee->tid, inside ? CALL_EXIT : CALL_ENTRY,
			   &info)) {
		if (info.op == CALL_ENTRY)
			syscall_entry(tracee, &info);
		else if (info.op == CALL_EXIT)
			syscall_exit(tracee, &info);
	} else if (inside) {
		syscall_lost(tracee, RESULT_UNAVAILABLE);
	}
	restart(tracee, 0);
}

/* ---- signals ---- */

/*
 * ptrace(2), signal-delivery-stop: restarting with the signal's number
 * delivers it, with the siginfo that it came with.
 */
static void handle_signal(struct tracee *tracee, int signo)
{
	struct call_info info;
	siginfo_t siginfo;

	if (ptrace(PTRACE_GETSIGINFO, tracee->tid, NULL, &siginfo) == 0) {
		if (options->text.instruction_pointer)
			tracee->ip_known = registers_read(tracee->tid,
							  CALL_NONE, &info);
		if (options->text.instruction_pointer && tracee->ip_known)
			tracee->ip = info.ip;
		report_signal(tracee, signo, &siginfo);
	}
	restart(tracee, signo);
}

/* ---- stops that ptrace makes ---- */

/*
 * The first stop of a thread that was attached to, or of a child.  A call that
 * we have interrupted by attaching is made again, perhaps as restart_syscall:
 * what it was can be asked now.
 */
static void handle_first_stop(struct tracee *tracee)
{
	static const struct map_change unknown = { .kind = MAP_CHANGE_UNKNOWN };
	const struct abi *abi;
	uint64_t nr;

	tracee->expecting_stop = false;
	if (tracee->attached) {
		/* It may have been in a call whose end we do not see. */
		mmap_notify_publish(tracee->space, &unknown);
		if (registers_last_call(tracee->tid, &abi, &nr)) {
			tracee->decoder.abi = abi;
			tracee->decoder.sysent =
				sysent_find(abi, nr, &tracee->sysent,
					    tracee->sysent_name);
		}
	} else if (!tracee->launching && !(options->quiet & QUIET_ATTACH)) {
		report_message("Process %d attached", (int)tracee->tid);
	}
}

static bool stops_group(int signo)
{
	return signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN ||
	       signo == SIGTTOU;
}

/*
 * ptrace(2), PTRACE_EVENT_STOP: the first stop of a new child, one that
 * PTRACE_INTERRUPT asked for, the end of a group-stop, or if the signal says
 * so, a group-stop.
 */
static void handle_event_stop(struct tracee *tracee, int signo)
{
	if (tracee->expecting_stop)
		handle_first_stop(tracee);
	if (stops_group(signo)) {
		report_group_stop(tracee, signo);
		leave_stopped(tracee);
		return;
	}
	restart(tracee, 0);
	/* Now that it will stop at every call, let it become the command. */
	if (tracee->launching && tracee->tid == command.pid)
		launch_release();
}

/*
 * ptrace(2), PTRACE_EVENT_FORK and the like: the child is under trace already.
 * Its first stop may come before or after this one, or it may have been killed
 * and be gone.
 */
static void handle_fork(struct tracee *parent)
{
	struct tracee *child;
	unsigned long message_;
	uint64_t flags;
	bool known;
	pid_t tid;

	if (!event_message(parent, &message_))
		return;
	tid = (pid_t)message_;
	child = tracee_find(tid);
	if (child ? !child->orphaned : !events_expected(tid))
		return;
	known = syscall_clone_flags(parent, &flags);
	child = family_child(parent, tid, known ? flags : 0);
	if (!child) {
		report_message("Process %d is lost: out of memory", (int)tid);
		return;
	}
	if (!known)
		family_inquire(child);
	if (child->held_stop) {
		int code = child->held_stop;

		child->held_stop = 0;
		handle_stop(child, code);
	}
}

/*
 * ptrace(2), PTRACE_EVENT_EXEC: an exec ends all other threads of the process,
 * and the thread that did it takes over the leader's id.  The event comes from
 * that id; its message is the thread's old id.  All other threads have been
 * reported as dead before, but the leader, of which nothing more is told.
 * tracee is who we know by the new id, if anybody.
 */
static struct tracee *handle_exec(struct tracee *tracee, pid_t tgid)
{
	struct tracee *old_self;
	unsigned long old_tid;

	if (ptrace(PTRACE_GETEVENTMSG, tgid, NULL, &old_tid) < 0)
		return tracee;
	if ((pid_t)old_tid != tgid) {
		old_self = tracee_find((pid_t)old_tid);
		if (!old_self)
			return tracee;
		if (tracee) {
			syscall_lost(tracee, RESULT_NEVER);
			report_superseded(tracee, (pid_t)old_tid);
			family_remove(tracee);
		}
		tracee = old_self;
	}
	if (tracee && !family_exec(tracee, tgid))
		report_message("Process %d: out of memory", (int)tgid);
	return tracee;
}

/*
 * ptrace(2), PTRACE_EVENT_EXIT: the thread is about to end.  It may wait yet
 * until it is reaped, but it will make no call any more, and its memory can
 * still be read.
 */
static void handle_exit_event(struct tracee *tracee)
{
	syscall_lost(tracee, RESULT_NEVER);
	tracee->ip_known = false;
	restart(tracee, 0);
}

/* ---- dispatch ---- */

static void handle_stop(struct tracee *tracee, int code)
{
	switch (code >> 8) {
	case 0:
		if (code == SYSCALL_STOP)
			handle_syscall(tracee);
		else
			handle_signal(tracee, code);
		return;
	case PTRACE_EVENT_STOP:
		handle_event_stop(tracee, code & 0xff);
		return;
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		handle_fork(tracee);
		restart(tracee, 0);
		return;
	case PTRACE_EVENT_EXEC:
		tracee = handle_exec(tracee, tracee->tid);
		restart(tracee, 0);
		return;
	case PTRACE_EVENT_EXIT:
		handle_exit_event(tracee);
		return;
	default:
		restart(tracee, 0);
		return;
	}
}

static void handle_death(struct tracee *tracee,
			 const struct tracee_event *event)
{
	syscall_lost(tracee, RESULT_NEVER);
	tracee->ip_known = false;
	if (event->type == EVENT_IS_EXIT)
		report_exited(tracee, event->code);
	else
		report_killed(tracee, event->code, event->core);
	family_remove(tracee);
}

static void note_command(const struct tracee_event *event)
{
	if (event->tid != command.pid || event->type == EVENT_IS_STOP)
		return;
	command.pid = 0;
	if (event->type == EVENT_IS_EXIT)
		command.status = event->code;
	else
		command.signal = event->code;
}

/*
 * Somebody who is not in the table: a child whose parent has not yet told of
 * it, a thread that has just got another id by an exec, or if dead, "|command"
 * or a child that was killed at once.
 */
static void handle_stranger(const struct tracee_event *event)
{
	struct tracee *tracee;

	if (event->type != EVENT_IS_STOP)
		return;
	if (event->code >> 8 == PTRACE_EVENT_EXEC) {
		tracee = handle_exec(NULL, event->tid);
		if (tracee)
			restart(tracee, 0);
		return;
	}
	tracee = family_orphan(event->tid);
	if (tracee) {
		tracee->held_stop = event->code;
		return;
	}
	report_message("Process %d is lost: out of memory", (int)event->tid);
	ptrace(PTRACE_DETACH, event->tid, NULL, NULL);
}

static void handle_event(const struct tracee_event *event)
{
	struct tracee *tracee = tracee_find(event->tid);

	note_command(event);
	if (!tracee) {
		handle_stranger(event);
		return;
	}
	tracee->system_time = event->system_time;
	if (event->type == EVENT_IS_STOP)
		handle_stop(tracee, event->code);
	else
		handle_death(tracee, event);
}

/* ---- rounds ---- */

/*
 * An orphan whose parent has not told of it although nothing else happens any
 * more: the parent was killed before it could, or was in the middle of its
 * fork when we attached to it.
 */
static void settle_orphan(struct tracee *tracee, void *any)
{
	int code = tracee->held_stop;

	if (!tracee->orphaned)
		return;
	*(bool *)any = true;
	if (!family_inquire(tracee)) {
		report_message("Process %d is lost: out of memory",
			       (int)tracee->tid);
		ptrace(PTRACE_DETACH, tracee->tid, NULL, NULL);
		family_remove(tracee);
		return;
	}
	tracee->held_stop = 0;
	handle_stop(tracee, code);
}

static bool settle_orphans(void)
{
	bool any = false;

	if (family_orphan_count())
		tracee_for_each(settle_orphan, &any);
	return any;
}

/*
 * Output is written before the tracer sleeps; a tracer that never sleeps
 * writes it after a few milliseconds.
 */
static void flush_old_output(void)
{
	enum { ROUNDS = 16, LONGEST_MS = 5 };
	static unsigned rounds;
	static struct timespec since;
	struct timespec now;

	if (rounds++ % ROUNDS)
		return;
	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	if ((now.tv_sec - since.tv_sec) * 1000 +
	    (now.tv_nsec - since.tv_nsec) / 1000000 < LONGEST_MS)
		return;
	since = now;
	report_flush();
}

static bool next_round(void)
{
	flush_old_output();
	if (events_poll() || events_spin())
		return true;
	if (settle_orphans())
		return true;
	report_flush();
	return events_sleep();
}

static void trace_all(void)
{
	struct tracee_event event;

	while (tracee_count() && !events_signal()) {
		if (!next_round() && events_childless())
			return;
		while (events_next(&event))
			handle_event(&event);
	}
}

/* ---- detaching ---- */

enum { DETACH_MS = 1000 };	/* longest wait for all to stop */

static void let_go(struct tracee *tracee, int signo)
{
	ptrace(PTRACE_DETACH, tracee->tid, NULL, (long)signo);
	/* With PTRACE_O_EXITKILL, it is not let go but about to die. */
	if (!(options->quiet & QUIET_ATTACH) && !options->kill_on_exit)
		report_message("Process %d detached", (int)tracee->tid);
	syscall_lost(tracee, RESULT_DETACHED);
	family_remove(tracee);
}

/* ptrace(2), PTRACE_DETACH: the tracee must be stopped. */
static void ask_to_stop(struct tracee *tracee, void *unused)
{
	(void)unused;
	if (tracee->orphaned)
		let_go(tracee, 0);
	else
		ptrace(PTRACE_INTERRUPT, tracee->tid, NULL, NULL);
}

/*
 * Any stop will do.  If it is the delivery of a signal, it is delivered; if it
 * is a group-stop, the tracee stays stopped.
 */
static void let_stopped_go(struct tracee *tracee, int code)
{
	if (code >> 8 == PTRACE_EVENT_EXEC)
		tracee = handle_exec(tracee, tracee->tid);
	let_go(tracee, code >> 8 || code == SYSCALL_STOP ? 0 : code);
}

static void detach_by_event(const struct tracee_event *event)
{
	struct tracee *tracee = tracee_find(event->tid);

	note_command(event);
	if (!tracee)
		/* a new child, or somebody dead */
		ptrace(PTRACE_DETACH, event->tid, NULL, NULL);
	else if (event->type == EVENT_IS_STOP)
		let_stopped_go(tracee, event->code);
	else
		handle_death(tracee, event);
}

static void forget(struct tracee *tracee, void *unused)
{
	(void)unused;
	let_go(tracee, 0);
}

/*
 * A tracee that does not stop, as it waits for the end of a vfork or in an
 * uninterruptible sleep, is let go by the kernel when the tracer ends.
 */
static void detach_all(void)
{
	const struct timespec pause = { 0, 1000000 };
	struct tracee_event event;

	tracee_for_each(ask_to_stop, NULL);
	for (int ms = 0; tracee_count() && ms < DETACH_MS; ms++) {
		if (!events_poll())
			nanosleep(&pause, NULL);
		while (events_next(&event))
			detach_by_event(&event);
	}
	tracee_for_each(forget, NULL);
}

/* ---- the whole of it ---- */

/*
 * Somebody has killed the command before it could be seized, which a zombie
 * refuses with EPERM.
 */
static bool died_before(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, WNOHANG) != pid)
		return false;
	if (WIFSIGNALED(status))
		command.signal = WTERMSIG(status);
	else
		command.status = WEXITSTATUS(status);
	return true;
}

static bool start_command(const struct signals *signals)
{
	struct tracee *tracee;
	pid_t pid = launch(options, signals);

	if (pid < 0)
		return false;
	if (attach_thread(options, pid)) {
		tracee = family_found(pid, pid, NULL);
		if (tracee) {
			tracee->launching = true;
			command.pid = pid;
			return true;
		}
		message("Cannot trace the command: out of memory");
	} else if (died_before(pid)) {
		return true;
	} else {
		attach_explain(pid);
	}
	kill(pid, SIGKILL);
	return false;
}

static bool start(const struct signals *signals)
{
	bool any = false;

	if (options->command) {
		if (!start_command(signals))
			return false;
		any = true;
	}
	return attach_all(options) || any;
}

/* As the command ended; its core is the one that is wanted. */
static void die_by(int signo)
{
	const struct rlimit none = { 0, 0 };
	struct sigaction normal = { .sa_handler = SIG_DFL };
	sigset_t set;

	setrlimit(RLIMIT_CORE, &none);
	sigaction(signo, &normal, NULL);
	sigemptyset(&set);
	sigaddset(&set, signo);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(signo);
}

/*
 * A signal for the tracer is one for the command, too, but not for processes
 * that were attached to, which run on.
 */
static void end_early(int signo)
{
	if (!options->kill_on_exit)
		detach_all();
	if (command.pid) {
		kill(command.pid, signo);
		kill(command.pid, SIGCONT);
	}
}

int trace_run(const struct options *opts)
{
	struct signals signals;
	bool started;

	options = opts;
	if (opts->debug_registers)
		registers_only();
	events_init(opts->summary != SUMMARY_NONE &&
		    summary_needs_system_time(&opts->summary_options));
	syscall_init(opts);
	signals_save(&signals);
	if (!report_open(opts))
		return EXIT_FAILURE;
	events_catch_signals(opts->interruptible);
	started = start(&signals);
	if (started)
		trace_all();
	if (events_signal())
		end_early(events_signal());
	/* Those of which nothing was told: see handle_exec. */
	tracee_for_each(forget, NULL);
	report_close();
	events_fini();
	if (events_signal())
		die_by(events_signal());
	if (command.signal)
		die_by(command.signal);
	return started ? command.status : EXIT_FAILURE;
}
