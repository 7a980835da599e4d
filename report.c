/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From the engine to the output.
 *
 * All tracees share one stream, or with -ff, each thread has a file of its
 * own.  Nothing here writes a line out: report_flush does, when the engine is
 * about to sleep.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "constants/constants.h"
#include "message.h"
#include "options.h"
#include "output/formats.h"
#include "output/stream.h"
#include "output/summary.h"
#include "report.h"
#include "sets.h"
#include "tracee.h"

static const struct options *options;
static struct stream *shared;		/* NULL with -ff */
static struct summary *summary;		/* NULL without -c, -C */
static struct tracee *touched;		/* with -ff: who has written */

/* How the kernel gives a siginfo to this program, whatever the tracee is. */
static const struct abi *own_abi(void)
{
	return &abis[sizeof(long) == 8 ? ABI_X86_64 : ABI_I386];
}

/* ---- opening and closing ---- */

static const char *output_name(void)
{
	return options->output ? options->output : "standard error";
}

static bool open_output(void)
{
	if (options->output_separately)
		return true;
	shared = stream_open(options->output, options->append);
	if (!shared)
		message_errno("Cannot open '%s'", output_name());
	return shared;
}

static bool open_unwinder(void)
{
	const char *why;

	if (!options->stack)
		return true;
	why = unwind_init(options->unwinder, &options->unwind);
	if (why)
		message("Cannot unwind stacks: %s", why);
	return !why;
}

static bool open_summary(void)
{
	if (options->summary == SUMMARY_NONE)
		return true;
	summary = summary_new(&options->summary_options);
	if (!summary)
		message("Cannot count calls: out of memory");
	return summary;
}

static void tell_write_error(int err)
{
	if (!err)
		return;
	errno = err;
	message_errno("Cannot write '%s'", output_name());
}

bool report_open(const struct options *opts)
{
	options = opts;
	if (open_output() && open_summary() && open_unwinder())
		return true;
	report_close();
	return false;
}

static void tell_of_unwinding(void)
{
	struct unwind_counters c;

	unwind_get_counters(&c);
#define TELL(counter) message("unwinding: %s=%llu", #counter, \
			      (unsigned long long)c.counter)
	TELL(stacks);
	TELL(frames);
	TELL(reused_frames);
	TELL(places);
	TELL(contexts);
	TELL(invalidations);
	TELL(map_reads);
	TELL(modules);
	TELL(shared_modules);
	TELL(restarts);
	TELL(handed_over);
#undef TELL
}

void report_close(void)
{
	if (options->stack && options->debug_unwinding)
		tell_of_unwinding();
	if (options->stack)
		unwind_fini();
	if (summary && shared)
		summary_print(summary, shared);
	if (summary)
		summary_free(summary);
	summary = NULL;
	if (shared)
		tell_write_error(stream_close(shared));
	shared = NULL;
}

/* ---- a tracee's sink ---- */

static struct stream *open_own_stream(struct tracee *tracee)
{
	char path[4096];
	int len = snprintf(path, sizeof(path), "%s.%d", options->output,
			   (int)tracee->tid);

	errno = ENAMETOOLONG;
	if (len > 0 && (size_t)len < sizeof(path))
		tracee->stream = stream_open(path, options->append);
	if (!tracee->stream)
		message_errno("Cannot open '%s'", path);
	return tracee->stream;
}

bool report_tracee(struct tracee *tracee)
{
	struct stream *stream = shared;
	struct decoder *d = &tracee->decoder;

	if (options->summary == SUMMARY_ONLY)
		return true;
	if (options->output_separately)
		stream = open_own_stream(tracee);
	if (!stream)
		return false;
	if (options->format == FORMAT_JSON)
		tracee->sink = json_sink_new(stream, &options->json);
	else
		tracee->sink = text_sink_new(stream, &options->text);
	if (!tracee->sink)
		return false;

	procinfo_init(&tracee->procinfo, tracee->tid, options->decode_fds,
		      options->decode_pids);
	d->view = &tracee->view;
	d->sink = tracee->sink;
	d->options = &options->decode;
	d->inspector = &tracee->procinfo.inspector;
	return true;
}

void report_tracee_gone(struct tracee *tracee)
{
	struct tracee **link = &touched;

	if (!tracee->is_touched)
		return;
	while (*link != tracee)
		link = &(*link)->next_touched;
	*link = tracee->next_touched;
	tracee->is_touched = false;
}

/* ---- when it is written ---- */

void report_touched(struct tracee *tracee)
{
	if (tracee->is_touched || !tracee->stream)
		return;
	tracee->is_touched = true;
	tracee->next_touched = touched;
	touched = tracee;
}

bool report_pending(void)
{
	return touched || (shared && shared->len);
}

void report_flush(void)
{
	if (shared && shared->len)
		tell_write_error(stream_flush(shared));
	while (touched) {
		struct tracee *tracee = touched;

		touched = tracee->next_touched;
		tracee->is_touched = false;
		tell_write_error(stream_flush(tracee->stream));
	}
}

void report_message(const char *format, ...)
{
	char text[512];
	va_list args;

	if (shared && !options->output)
		report_flush();
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	message("%s", text);
}

/* ---- the beginning of a line ---- */

/*
 * On a terminal, only while there are several threads; in a file, if there
 * may ever be.
 */
static bool shows_pid(size_t threads)
{
	if (options->show_pid_always)
		return true;
	if (options->output_separately)
		return false;
	if (options->text.pid_brackets)
		return threads > 1;
	return options->follow_forks ||
	       options->attach_count + !!options->command > 1;
}

void report_head(struct tracee *tracee, struct event_head *head)
{
	const struct text_options *text = &options->text;
	bool json = options->format == FORMAT_JSON;

	memset(head, 0, sizeof(*head));
	head->pid = tracee->tid;
	head->tgid = tracee->tgid;
	head->show_pid = shows_pid(tracee_count());
	if (options->decode_pids) {
		/* One that has ended has no name any more: show the last. */
		procinfo_comm(tracee->tid, tracee->comm,
			      sizeof(tracee->comm));
		head->comm = tracee->comm;
	}
	if (json || text->wall != TIME_NONE)
		clock_gettime(CLOCK_REALTIME, &head->wall);
	if (json || text->relative)
		clock_gettime(CLOCK_MONOTONIC, &head->mono);
	head->ip = tracee->ip;
	head->ip_known = tracee->ip_known;
	head->ip_size = tracee->abi->reg;
	head->nr_known = tracee->decoder.sysent;
	if (head->nr_known)
		head->nr = tracee->nr;
	report_touched(tracee);
}

void report_take_stack(struct tracee *tracee)
{
	/* Of the threads in its space, this one is alive for sure. */
	tracee->space->pid = tracee->tid;
	unwind_capture(tracee, &tracee->stack);
}

/* ---- events ---- */

static const char *signal_name(int signo)
{
	return constset_name(&set_signals, own_abi(), (unsigned)signo);
}

bool report_wants_signal(int signo)
{
	return signo >= 1 && signo <= 64 &&
	       options->filter.signals >> (signo - 1) & 1;
}

static void report_event(struct tracee *tracee, const struct event *event)
{
	struct event_head head;

	if (!tracee->sink)
		return;
	report_head(tracee, &head);
	SINK_CALL(tracee->sink, event, &head, event);
}

void report_signal(struct tracee *tracee, int signo, const siginfo_t *info)
{
	struct event_head head;
	struct decoder *d = &tracee->decoder;
	const struct abi *abi = d->abi;

	if (!tracee->sink || !report_wants_signal(signo))
		return;
	view_forget(&tracee->view);
	decoder_reset(d);
	report_head(tracee, &head);
	SINK_CALL(tracee->sink, signal_begin, &head, signo,
		  signal_name(signo));
	d->abi = own_abi();
	decode_siginfo(d, info, sizeof(*info));
	d->abi = abi;
	if (options->stack) {
		report_take_stack(tracee);
		SINK_CALL(tracee->sink, frames, tracee->stack.frames,
			  tracee->stack.count);
	}
	SINK_CALL(tracee->sink, signal_end);
}

void report_group_stop(struct tracee *tracee, int signo)
{
	struct event event = {
		.kind = EVENT_STOPPED,
		.number = signo,
		.name = signal_name(signo),
	};

	if (report_wants_signal(signo))
		report_event(tracee, &event);
}

void report_exited(struct tracee *tracee, int status)
{
	struct event event = { .kind = EVENT_EXITED, .number = status };

	if (!(options->quiet & QUIET_EXIT))
		report_event(tracee, &event);
}

void report_killed(struct tracee *tracee, int signo, bool core)
{
	struct event event = {
		.kind = EVENT_KILLED,
		.number = signo,
		.name = signal_name(signo),
		.core = core,
	};

	if (report_wants_signal(signo))
		report_event(tracee, &event);
}

void report_superseded(struct tracee *tracee, pid_t by)
{
	struct event event = { .kind = EVENT_SUPERSEDED, .number = by };
	struct event_head head;

	if (!tracee->sink || options->quiet & QUIET_SUPERSEDED)
		return;
	report_head(tracee, &head);
	/* It does not count any more. */
	head.show_pid = shows_pid(tracee_count() - 1);
	SINK_CALL(tracee->sink, event, &head, &event);
}

void report_returned(struct tracee *tracee, bool failed,
		     struct timespec system, struct timespec wall)
{
	if (summary)
		summary_count(summary, tracee->decoder.abi,
			      tracee->decoder.sysent, failed, system, wall);
}
