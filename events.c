/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waiting.
 */
#include <errno.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "events.h"
#include "tracee.h"

/* ---- the round ---- */

enum { FEWEST_EVENTS = 64 };

static struct tracee_event few_events[FEWEST_EVENTS];
static struct {
	struct tracee_event *events;
	size_t capacity;
	size_t count;
	size_t next;		/* to be handled */
} round_ = { few_events, FEWEST_EVENTS, 0, 0 };

static bool childless;

/* Fills of which waitid knows; that of the kernel has a fifth argument. */
static siginfo_t waited;
static struct rusage used;
static struct rusage *wanted_usage;	/* &used, or NULL */

/*
 * ptrace(2): stops of tracees are reported whatever is asked for, so WSTOPPED
 * is not: that would tell of stops of a "|command", too.  __WALL is for
 * threads and other clones, of which the parent is not told by SIGCHLD.
 */
static bool wait_for_any(int flags)
{
	waited.si_pid = 0;
	if (syscall(SYS_waitid, P_ALL, 0, &waited, WEXITED | __WALL | flags,
		    wanted_usage) < 0) {
		childless = errno == ECHILD;
		return false;
	}
	return waited.si_pid;
}

/* At most one stop of each tracee can be pending, so more is not waited for. */
static size_t round_limit(void)
{
	size_t tracees = tracee_count();

	if (tracees > round_.capacity) {
		size_t capacity = tracees * 2;
		struct tracee_event *events;

		events = malloc(capacity * sizeof(*events));
		if (!events)
			return round_.capacity;
		for (size_t i = 0; i < round_.count; i++)
			events[i] = round_.events[i];
		if (round_.events != few_events)
			free(round_.events);
		round_.events = events;
		round_.capacity = capacity;
	}
	return tracees;
}

/*
 * Of two events of one thread, the first was a stop that a SIGKILL has ended:
 * nothing can be done about it any more.
 */
static void replace_older(pid_t tid)
{
	struct tracee *tracee = tracee_find(tid);

	if (!tracee)
		return;
	if (tracee->queued)
		round_.events[tracee->queued - 1].tid = 0;
	tracee->queued = round_.count + 1;
}

static void add_waited(void)
{
	struct tracee_event *event = &round_.events[round_.count];

	replace_older(waited.si_pid);
	round_.count++;
	event->tid = waited.si_pid;
	event->code = waited.si_status;
	event->core = waited.si_code == CLD_DUMPED;
	switch (waited.si_code) {
	case CLD_EXITED:
		event->type = EVENT_IS_EXIT;
		break;
	case CLD_KILLED:
	case CLD_DUMPED:
		event->type = EVENT_IS_KILL;
		break;
	default:
		event->type = EVENT_IS_STOP;
		break;
	}
	event->system_time.tv_sec = used.ru_stime.tv_sec;
	event->system_time.tv_nsec = used.ru_stime.tv_usec * 1000;
}

bool events_poll(void)
{
	size_t limit;

	if (round_.next == round_.count)
		round_.next = round_.count = 0;
	limit = round_limit();
	while (round_.count < limit && wait_for_any(WNOHANG))
		add_waited();
	return round_.next < round_.count;
}

bool events_next(struct tracee_event *event)
{
	while (round_.next < round_.count) {
		struct tracee *tracee;

		*event = round_.events[round_.next++];
		if (!event->tid)
			continue;
		tracee = tracee_find(event->tid);
		if (tracee)
			tracee->queued = 0;
		return true;
	}
	return false;
}

bool events_expected(pid_t tid)
{
	siginfo_t unused;

	for (size_t i = round_.next; i < round_.count; i++)
		if (round_.events[i].tid == tid)
			return true;
	return waitid(P_PID, tid, &unused,
		      WEXITED | __WALL | WNOHANG | WNOWAIT) == 0;
}

bool events_childless(void)
{
	return childless;
}

/* ---- looking for a while ---- */

/*
 * A tracee that makes one call after the other comes back within a few
 * microseconds.  To sleep that long costs more than to look again and again:
 * the wake-up takes longer than the wait.  This is right only where the tracee
 * runs on another CPU meanwhile, and only as long as it does come soon; so the
 * past decides.
 */
enum {
	SPIN_NS = 50000,
	SCORE_MAX = 1024,
	SCORE_WORTHWHILE = SCORE_MAX / 4,
	PROBE_INTERVAL = 32,	/* sleeps between two tries that do not pay */
};

static struct {
	bool possible;		/* there is a second CPU */
	unsigned score;		/* how often it paid, lately */
	unsigned sleeps;	/* without a try */
} spin;

static void init_spin(void)
{
	cpu_set_t cpus;

	/* EINVAL: there are more CPUs than the set has room for. */
	spin.possible = sched_getaffinity(0, sizeof(cpus), &cpus) < 0
			? errno == EINVAL : CPU_COUNT(&cpus) > 1;
	spin.score = SCORE_MAX;
}

static uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static bool spin_is_worthwhile(void)
{
	if (!spin.possible)
		return false;
	if (spin.score >= SCORE_WORTHWHILE)
		return true;
	if (++spin.sleeps < PROBE_INTERVAL)
		return false;
	spin.sleeps = 0;
	return true;
}

bool events_spin(void)
{
	uint64_t end;

	if (!spin_is_worthwhile())
		return false;
	end = nanoseconds() + SPIN_NS;
	do {
		if (events_poll()) {
			spin.score += (SCORE_MAX - spin.score) / 8;
			return true;
		}
	} while (nanoseconds() < end && !childless);
	spin.score -= spin.score / 8;
	return false;
}

/* ---- signals that end the tracer ---- */

static volatile sig_atomic_t caught;
static volatile sig_atomic_t can_leave_sleep;
static sigjmp_buf leave_sleep;

static void catch_signal(int signo)
{
	if (!caught)
		caught = signo;
	if (can_leave_sleep)
		siglongjmp(leave_sleep, 1);
}

void events_catch_signals(enum interruptible when)
{
	static const int fatal[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM,
	};
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction catch = { .sa_handler = catch_signal };
	struct sigaction normal = { .sa_handler = SIG_DFL };
	bool never = when >= INTERRUPT_NEVER;

	/* One after the other, and what is being written is written. */
	sigfillset(&catch.sa_mask);
	catch.sa_flags = SA_RESTART;
	for (size_t i = 0; i < sizeof(fatal) / sizeof(fatal[0]); i++)
		sigaction(fatal[i], never ? &ignore : &catch, NULL);
	if (when == INTERRUPT_NEVER_TSTP)
		sigaction(SIGTSTP, &ignore, NULL);
	/*
	 * The tracer writes to the terminal while the command has it.  And if
	 * SIGCHLD were ignored, as it may have been inherited, the command's
	 * exit status would be lost.
	 */
	sigaction(SIGTTOU, &ignore, NULL);
	sigaction(SIGTTIN, &ignore, NULL);
	sigaction(SIGCHLD, &normal, NULL);
}

int events_signal(void)
{
	return caught;
}

/* ---- sleeping ---- */

/*
 * A signal that comes between the look at caught and the sleep must not be
 * slept over.  So its handler jumps.  No event is lost by that: what waitid
 * gives is in static memory before it returns.
 */
bool events_sleep(void)
{
	childless = false;
	waited.si_pid = 0;
	if (!sigsetjmp(leave_sleep, 0)) {
		can_leave_sleep = true;
		if (!caught)
			wait_for_any(0);
	}
	can_leave_sleep = false;
	if (!waited.si_pid)
		return false;
	if (round_.next == round_.count)
		round_.next = round_.count = 0;
	add_waited();
	return events_poll();
}

/* ---- beginning and end ---- */

void events_init(bool system_times)
{
	wanted_usage = system_times ? &used : NULL;
	init_spin();
}

void events_fini(void)
{
	if (round_.events != few_events)
		free(round_.events);
	round_.events = few_events;
	round_.capacity = FEWEST_EVENTS;
}
