/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entry and exit of a system call.
 *
 * All that is known at entry goes to the sink at entry, so that a user sees
 * what a blocked tracee waits for.  Exceptions are calls of which only the
 * end tells whether they are shown (-z, -Z, -e status=): their sink keeps
 * them, and their stack is taken at the end.
 */
#include <sched.h>
#include <string.h>

#include "map_change.h"
#include "mmap_notify.h"
#include "options.h"
#include "report.h"
#include "syscall.h"
#include "tracee.h"
#include "unfold.h"

static const struct options *options;
static bool staged;		/* a call's end decides whether it is shown */
static bool needs_wall;		/* how long a call takes... */
static bool needs_system;	/* ... and in the kernel */

/*
 * How calls are decoded, which may be different for each: index by
 * enum decoding.
 */
enum decoding {
	DECODING_VERBOSE = 1,
	DECODING_RAW = 2,
	DECODING_SHALLOW = 4,
	DECODING_COUNT = 8,
};

static struct decode_options decodings[DECODING_COUNT];

void syscall_init(const struct options *opts)
{
	const struct summary_options *s = &opts->summary_options;
	bool summary = opts->summary != SUMMARY_NONE;

	options = opts;
	staged = opts->filter.status != STATUS_ALL;
	needs_system = summary && summary_needs_system_time(s);
	needs_wall = (summary && summary_needs_wall_time(s)) ||
		     opts->text.duration || opts->json.durations;
	for (unsigned i = 0; i < DECODING_COUNT; i++) {
		decodings[i] = opts->decode;
		if (i & DECODING_VERBOSE)
			decodings[i].verbose = true;
		if (i & DECODING_RAW)
			decodings[i].raw = true;
		if (i & DECODING_SHALLOW)
			decodings[i].follow_pointers = false;
	}
}

static const struct decode_options *choose_decoding(const struct decoder *d)
{
	unsigned i = 0;

	if (!call_set_has(&options->abbrev, d->abi, d->sysent))
		i |= DECODING_VERBOSE;
	if (call_set_has(&options->raw, d->abi, d->sysent))
		i |= DECODING_RAW;
	if (!call_set_has(&options->dereference, d->abi, d->sysent))
		i |= DECODING_SHALLOW;
	return &decodings[i];
}

/* ---- times ---- */

static struct timespec difference(struct timespec end, struct timespec start)
{
	end.tv_sec -= start.tv_sec;
	end.tv_nsec -= start.tv_nsec;
	if (end.tv_nsec < 0) {
		end.tv_sec--;
		end.tv_nsec += 1000000000;
	}
	return end;
}

static void start_clocks(struct tracee *tracee)
{
	if (needs_wall)
		clock_gettime(CLOCK_MONOTONIC, &tracee->call_start);
	tracee->system_start = tracee->system_time;
}

static struct timespec stop_clocks(struct tracee *tracee)
{
	struct timespec now = { 0, 0 };

	if (!needs_wall)
		return now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return difference(now, tracee->call_start);
}

/* ---- pieces of a call ---- */

static void call_head(struct tracee *tracee, struct call_head *head)
{
	const struct sysent *sysent = tracee->decoder.sysent;

	report_head(tracee, &head->event);
	head->name = sysent->name;
	head->nr = tracee->nr;
	head->abi = tracee->decoder.abi->name;
}

/*
 * A stack is taken at entry, where the tracee is as it called.  But not when
 * the end may not be shown, nor before a program is executed, which makes an
 * end of the stack.
 */
static bool stack_is_taken_late(const struct tracee *tracee)
{
	unsigned classes = tracee->decoder.sysent->classes;

	return classes & IS_EXEC || (staged && !(classes & NEVER_RETURNS));
}

static void end_call(struct tracee *tracee, const struct call_tail *tail)
{
	if (options->stack)
		SINK_CALL(tracee->sink, frames, tracee->stack.frames,
			  tracee->stack.count);
	SINK_CALL(tracee->sink, call_end, tail);
	tracee->shown = false;
}

static void note_abi(struct tracee *tracee, const struct abi *abi)
{
	if (abi == tracee->abi)
		return;
	tracee->abi = abi;
	if (!(options->quiet & QUIET_PERSONALITY))
		report_message("[ Process PID=%d runs in %s mode. ]",
			       (int)tracee->tid, abi->mode);
}

/* ---- entry ---- */

static void show_entry(struct tracee *tracee)
{
	struct decoder *d = &tracee->decoder;
	struct call_head head;

	view_forget(&tracee->view);
	decoder_reset(d);
	d->options = choose_decoding(d);
	call_head(tracee, &head);
	SINK_CALL(tracee->sink, call_begin, &head);
	decode_entry(d);
	tracee->shown = true;
	/* If the call is lost, no other one's stack is to be shown. */
	tracee->stack.count = 0;
	if (options->stack && !stack_is_taken_late(tracee))
		report_take_stack(tracee);
	if (d->sysent->classes & NEVER_RETURNS)
		syscall_lost(tracee, RESULT_NEVER);
	else
		SINK_CALL(tracee->sink, call_pause);
}

/* What restart_syscall goes on with: the call before, if it was another. */
static void note_previous(struct decoder *d, const struct sysent *made_up)
{
	const struct sysent *sysent = d->sysent;

	if (!sysent || sysent == made_up)
		d->previous = NULL;
	else if (strcmp(sysent->name, "restart_syscall"))
		d->previous = sysent->name;
}

void syscall_entry(struct tracee *tracee, const struct call_info *info)
{
	struct decoder *d = &tracee->decoder;

	syscall_lost(tracee, RESULT_UNAVAILABLE);
	note_abi(tracee, info->abi);
	tracee->where = INSIDE_CALL;
	tracee->ip = info->ip;
	tracee->ip_known = true;
	d->abi = info->abi;
	memcpy(d->args, info->args, sizeof(d->args));
	tracee->nr = info->nr;
	d->stack_pointer = info->sp;
	note_previous(d, &tracee->sysent);
	d->sysent = sysent_find(info->abi, info->nr, &tracee->sysent,
				tracee->sysent_name);
	if (d->abi->id == ABI_I386) {
		view_forget(&tracee->view);
		d->sysent = unfold(d->abi, d->sysent, &tracee->view, d->args);
	}
	tracee->counted = call_set_has(&options->filter.trace, d->abi,
				       d->sysent);
	if (tracee->launching && !(d->sysent->classes & IS_EXEC))
		tracee->counted = false;
	if (!tracee->counted)
		return;
	start_clocks(tracee);
	if (tracee->sink)
		show_entry(tracee);
}

/* ---- exit ---- */

/* Whether -z, -Z or -e status= let a call with this end be seen. */
static bool drop_unless(struct tracee *tracee, enum status status)
{
	if (options->filter.status & status)
		return false;
	SINK_CALL(tracee->sink, call_drop);
	tracee->shown = false;
	return true;
}

static void show_exit(struct tracee *tracee, struct timespec duration)
{
	struct decoder *d = &tracee->decoder;
	struct call_tail tail = {
		.why = RESULT_KNOWN,
		.timed = needs_wall,
		.duration = duration,
	};
	struct call_head head;

	if (drop_unless(tracee, d->error ? STATUS_FAILED : STATUS_SUCCESSFUL))
		return;
	view_forget(&tracee->view);
	call_head(tracee, &head);
	SINK_CALL(tracee->sink, call_resume, &head);
	decode_exit(d);
	if (options->stack && stack_is_taken_late(tracee))
		report_take_stack(tracee);
	end_call(tracee, &tail);
}

/*
 * Without -f, or with CLONE_UNTRACED, a new thread lives on in the same space
 * but is not traced.
 */
static void note_stranger(struct tracee *tracee)
{
	static const struct map_change unknown = { .kind = MAP_CHANGE_UNKNOWN };
	uint64_t flags;

	if (!syscall_clone_flags(tracee, &flags) || !(flags & CLONE_VM) ||
	    (options->follow_forks && !(flags & CLONE_UNTRACED)))
		return;
	if (flags & CLONE_VFORK)
		/* It has left it again. */
		mmap_notify_publish(tracee->space, &unknown);
	else
		tracee->space->has_strangers = true;
}

void syscall_exit(struct tracee *tracee, const struct call_info *info)
{
	struct decoder *d = &tracee->decoder;
	struct timespec wall;

	/* We may have come while the tracee was in a call. */
	if (tracee->where != INSIDE_CALL)
		return;
	if (d->sysent->classes & TRACE_PROCESS && !info->error &&
	    info->result > 0 && mmap_notify_wanted())
		note_stranger(tracee);
	tracee->where = OUTSIDE_CALL;
	d->result = info->result;
	d->error = info->error;
	if (d->abi->id == ABI_I386 && !d->error) {
		view_forget(&tracee->view);
		d->result = unfold_result(d->sysent, &tracee->view, d->args,
					  d->result);
	}
	if (d->sysent->classes & CHANGES_MAP && !info->error &&
	    mmap_notify_wanted())
		map_change_publish(tracee);
	/* If it has failed, what follows is not the command's either. */
	if (tracee->launching && d->sysent->classes & IS_EXEC && !info->error)
		tracee->launching = false;
	if (!tracee->counted)
		return;
	wall = stop_clocks(tracee);
	report_returned(tracee, info->error,
			difference(tracee->system_time,
				   tracee->system_start), wall);
	if (tracee->shown)
		show_exit(tracee, wall);
}

/* ---- a call without an exit ---- */

static enum status status_of(enum why_no_result why)
{
	if (why == RESULT_DETACHED)
		return STATUS_DETACHED;
	return why == RESULT_UNAVAILABLE ? STATUS_UNAVAILABLE
					 : STATUS_UNFINISHED;
}

void syscall_lost(struct tracee *tracee, enum why_no_result why)
{
	struct call_tail tail = { .why = why };
	struct call_head head;

	tracee->where = OUTSIDE_CALL;
	if (!tracee->shown || drop_unless(tracee, status_of(why)))
		return;
	if (why != RESULT_DETACHED) {
		call_head(tracee, &head);
		SINK_CALL(tracee->sink, call_resume, &head);
		decode_lost(&tracee->decoder);
	}
	report_touched(tracee);
	end_call(tracee, &tail);
}

/* ---- what a call was about, for the engine ---- */

bool syscall_clone_flags(struct tracee *tracee, uint64_t *flags)
{
	const struct decoder *d = &tracee->decoder;
	const char *name;

	if (tracee->where != INSIDE_CALL)
		return false;
	name = d->sysent->name;
	if (!strcmp(name, "fork"))
		*flags = 0;
	else if (!strcmp(name, "vfork"))
		*flags = CLONE_VM | CLONE_VFORK;
	else if (!strcmp(name, "clone"))
		*flags = d->args[0];
	else if (!strcmp(name, "clone3")) {
		view_forget(&tracee->view);
		/* struct clone_args begins with them */
		return view_read_exactly(&tracee->view, d->args[0], flags,
					 sizeof(*flags));
	} else {
		return false;
	}
	return true;
}
