/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text sink: lines, byte for byte as strace prints them.
 *
 * A call that does not end at once leaves its line open at the end of the
 * stream; whoever writes next ends the line with "<unfinished ...>", and the
 * call goes on with "<... NAME resumed>" on a line of its own.  A staged call
 * is collected in memory and is always one line.
 */
#include "output/text.h"

#include <stdlib.h>
#include <string.h>

#include "unwind.h"

/* ---- the beginning of a line ---- */

static void put_pid(struct text *t, const struct event_head *head)
{
	if (t->options->pid_brackets) {
		TEXT_LITERAL(t, "[pid ");
		stream_padded(t->out, head->pid, 5, ' ');
		text_comm(t, head->comm);
		text_color(t, COLOR_NONE);
		TEXT_LITERAL(t, "] ");
		return;
	}

	size_t column = stream_column(t->out);

	stream_decimal(t->out, head->pid);
	if (head->comm)
		text_comm(t, head->comm);
	else
		while (stream_column(t->out) < column + 5)
			stream_char(t->out, ' ');
	text_color(t, COLOR_NONE);
	stream_char(t->out, ' ');
}

/* Cut, not rounded. */
static void put_fraction(struct text *t, long nanoseconds, unsigned digits)
{
	unsigned cut = digits < 9 ? 9 - digits : 0;

	if (!digits)
		return;
	while (cut--)
		nanoseconds /= 10;
	stream_char(t->out, '.');
	stream_padded(t->out, nanoseconds, digits, '0');
}

static void put_two_digits(char *at, int value)
{
	at[0] = '0' + value / 10 % 10;
	at[1] = '0' + value % 10;
}

static void put_clock(struct text *t, time_t second)
{
	struct tm tm;

	if (second != t->clock_second) {
		if (!localtime_r(&second, &tm))
			memset(&tm, 0, sizeof(tm));
		memcpy(t->clock, "00:00:00", sizeof(t->clock));
		put_two_digits(t->clock, tm.tm_hour);
		put_two_digits(t->clock + 3, tm.tm_min);
		put_two_digits(t->clock + 6, tm.tm_sec);
		t->clock_second = second;
	}
	stream_bytes(t->out, t->clock, sizeof(t->clock));
}

static void put_wall(struct text *t, const struct timespec *wall)
{
	if (t->options->wall == TIME_CLOCK)
		put_clock(t, wall->tv_sec);
	else
		stream_decimal(t->out, wall->tv_sec);
	put_fraction(t, wall->tv_nsec, t->options->wall_digits);
	stream_char(t->out, ' ');
}

/* The time since the line before, whichever tracee's that was. */
static void put_relative(struct text *t, const struct timespec *mono)
{
	struct timespec *last = t->options->last_line;
	struct timespec since = { 0, 0 };

	if (last->tv_sec || last->tv_nsec) {
		since.tv_sec = mono->tv_sec - last->tv_sec;
		since.tv_nsec = mono->tv_nsec - last->tv_nsec;
		if (since.tv_nsec < 0) {
			since.tv_sec--;
			since.tv_nsec += 1000000000;
		}
	}
	*last = *mono;
	if (t->options->wall != TIME_NONE)
		TEXT_LITERAL(t, "(+");
	stream_padded(t->out, since.tv_sec, 6, ' ');
	put_fraction(t, since.tv_nsec, t->options->relative_digits);
	if (t->options->wall != TIME_NONE)
		stream_char(t->out, ')');
	stream_char(t->out, ' ');
}

static void put_call_number(struct text *t, bool known, uint64_t nr)
{
	stream_char(t->out, '[');
	if (known)
		stream_padded(t->out, nr, 4, ' ');
	else
		TEXT_LITERAL(t, "???");
	TEXT_LITERAL(t, "] ");
}

static void put_instruction_pointer(struct text *t,
				    const struct event_head *head)
{
	unsigned digits = head->ip_size ? head->ip_size * 2 : 16;

	stream_char(t->out, '[');
	if (!head->ip_known)
		stream_fill(t->out, '?', digits);
	else
		while (digits--)
			stream_hex(t->out, head->ip >> digits * 4 & 15);
	TEXT_LITERAL(t, "] ");
}

static void put_prefix(struct text *t, const struct event_head *head,
		       bool nr_known, uint64_t nr)
{
	const struct text_options *o = t->options;

	if (head->show_pid)
		put_pid(t, head);
	if (o->wall != TIME_NONE)
		put_wall(t, &head->wall);
	if (o->relative)
		put_relative(t, &head->mono);
	if (o->syscall_number)
		put_call_number(t, nr_known, nr);
	if (o->instruction_pointer)
		put_instruction_pointer(t, head);
}

/* Somebody else's call, or our own, gives way to another line. */
static void interrupt_open_line(struct stream *stream)
{
	struct text *owner = (struct text *)stream->open_line;

	if (!owner)
		return;
	stream->open_line = NULL;
	owner->unfinished = true;
	TEXT_LITERAL(owner, " <unfinished ...>");
	stream_newline(stream);
}

/* ---- the end of a line ---- */

/* Module and function; an address in neither stands alone. */
static void put_place(struct text *t, const struct frame *frame)
{
	stream_text(t->out, frame->module);
	stream_char(t->out, '(');
	if (frame->symbol) {
		stream_text(t->out, frame->symbol);
		TEXT_LITERAL(t, "+0x");
		stream_hex(t->out, frame->symbol_offset);
	}
	TEXT_LITERAL(t, ") ");
}

static void put_frame(struct text *t, const struct frame *frame)
{
	TEXT_LITERAL(t, " > ");
	if (frame->error) {
		stream_text(t->out, frame->error);
		stream_newline(t->out);
		return;
	}
	if (frame->module)
		put_place(t, frame);
	TEXT_LITERAL(t, "[0x");
	stream_hex(t->out, frame->module ? frame->offset : frame->address);
	stream_char(t->out, ']');
	if (frame->file && t->options->frame_source) {
		stream_char(t->out, ' ');
		stream_text(t->out, frame->file);
		stream_char(t->out, ':');
		stream_decimal(t->out, frame->line);
	}
	if (frame->inlined)
		TEXT_LITERAL(t, " (inlined)");
	if (frame->uncertain)
		TEXT_LITERAL(t, " (uncertain)");
	stream_newline(t->out);
}

static void end_line(struct text *t)
{
	text_color(t, COLOR_NONE);
	stream_newline(t->out);
	for (size_t i = 0; i < t->frame_count; i++)
		put_frame(t, &t->frames[i]);
	t->frame_count = 0;
}

static void text_frames(struct sink *sink, const struct frame *frames,
			size_t count)
{
	struct text *t = (struct text *)sink;

	t->frames = frames;
	t->frame_count = count;
}

/* ---- calls ---- */

static void begin_values(struct text *t)
{
	t->depth = 0;
	t->levels[0] = (struct level){ .style = ARRAY_LIST };
	t->in_result = false;
}

static void text_call_begin(struct sink *sink, const struct call_head *head)
{
	struct text *t = (struct text *)sink;

	if (t->stage) {
		t->out = t->stage;
	} else {
		interrupt_open_line(t->stream);
		t->stream->open_line = sink;
	}
	put_prefix(t, &head->event, true, head->nr);
	text_color(t, COLOR_SYSCALL);
	stream_text(t->out, head->name);
	TEXT_PUNCT(t, "(");
	begin_values(t);
	t->in_call = true;
	t->unfinished = false;
	t->any_aux = false;
}

static void text_arg(struct sink *sink, const char *name, unsigned flags)
{
	struct text *t = (struct text *)sink;

	text_item(sink);
	if (name && !(flags & FIELD_UNNAMED) &&
	    (t->options->arg_names || (flags & ARG_NAMED)))
		text_name(t, name);
}

static void text_call_pause(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_NONE);
	/* a user who waits sees what for */
	if (t->out->terminal)
		stream_flush(t->out);
}

static void text_call_resume(struct sink *sink, const struct call_head *head)
{
	struct text *t = (struct text *)sink;

	if (!t->unfinished)
		return;
	interrupt_open_line(t->stream);
	t->unfinished = false;
	t->stream->open_line = sink;
	put_prefix(t, &head->event, true, head->nr);
	TEXT_LITERAL(t, "<... ");
	stream_text(t->out, head->name);
	TEXT_LITERAL(t, " resumed>");
}

static void text_args_lost(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_NONE);
	TEXT_LITERAL(t, " <unfinished ...>");
}

static void text_result_begin(struct sink *sink)
{
	struct text *t = (struct text *)sink;
	size_t column;

	TEXT_PUNCT(t, ") ");
	column = stream_column(t->out);
	if (column < t->options->column)
		stream_fill(t->out, ' ', t->options->column - column);
	TEXT_LITERAL(t, "= ");
	t->depth = 0;
	t->in_result = true;
}

static void put_error(struct text *t, int err, const char *name,
		      const char *text)
{
	text_color(t, COLOR_NONE);
	stream_char(t->out, ' ');
	text_color(t, COLOR_ERROR);
	if (!name) {
		TEXT_LITERAL(t, "(errno ");
		stream_signed(t->out, err);
		stream_char(t->out, ')');
		return;
	}
	stream_text(t->out, name);
	if (text) {
		TEXT_LITERAL(t, " (");
		stream_text(t->out, text);
		stream_char(t->out, ')');
	}
}

static void text_error(struct sink *sink, int err, const char *name,
		       const char *text)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_RETVAL);
	TEXT_LITERAL(t, "-1");
	put_error(t, err, name, text);
}

static void text_restart(struct sink *sink, int err, const char *name,
			 const char *text)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_RETVAL);
	stream_char(t->out, '?');
	put_error(t, err, name, text);
}

static void text_aux(struct sink *sink, const char *label)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_RETVAL);
	if (t->any_aux)
		TEXT_LITERAL(t, ", ");
	else
		TEXT_LITERAL(t, " (");
	t->any_aux = true;
	if (label && *label) {
		stream_text(t->out, label);
		stream_char(t->out, ' ');
	}
}

static void put_no_result(struct text *t, enum why_no_result why)
{
	text_color(t, COLOR_RETVAL);
	if (why == RESULT_NEVER)
		stream_char(t->out, '?');
	else if (why == RESULT_UNAVAILABLE)
		TEXT_LITERAL(t, "? <unavailable>");
}

static void put_duration(struct text *t, const struct timespec *duration)
{
	t->in_result = false;
	TEXT_PUNCT(t, " <");
	text_color(t, COLOR_ARGVAL);
	stream_decimal(t->out, duration->tv_sec);
	put_fraction(t, duration->tv_nsec, t->options->duration_digits);
	TEXT_PUNCT(t, ">");
}

static void put_tail(struct text *t, const struct call_tail *tail)
{
	if (t->any_aux) {
		text_color(t, COLOR_RETVAL);
		stream_char(t->out, ')');
	}
	text_color(t, COLOR_NONE);
	if (tail->injected)
		TEXT_LITERAL(t, " (INJECTED)");
	if (tail->timed && t->options->duration)
		put_duration(t, &tail->duration);
}

/* Moves a staged line to where everybody sees it. */
static void commit(struct text *t)
{
	interrupt_open_line(t->stream);
	stream_bytes(t->stream, t->stage->data, t->stage->len - 1);
	stream_newline(t->stream);
	t->stage->len = t->stage->line_start = 0;
}

static void end_call(struct text *t)
{
	t->in_call = false;
	t->in_result = false;
	t->unfinished = false;
	if (t->stream->open_line == &t->sink)
		t->stream->open_line = NULL;
	t->out = t->stream;
}

static void text_call_end(struct sink *sink, const struct call_tail *tail)
{
	struct text *t = (struct text *)sink;

	if (tail->why == RESULT_DETACHED && t->unfinished) {
		/* its line has been ended already */
		end_call(t);
		return;
	}
	if (tail->why == RESULT_DETACHED)
		TEXT_LITERAL(t, " <detached ...>");
	else if (tail->why != RESULT_KNOWN)
		put_no_result(t, tail->why);
	else
		put_tail(t, tail);
	end_line(t);
	if (t->stage)
		commit(t);
	end_call(t);
}

static void text_call_drop(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_NONE);
	if (t->stage) {
		t->stage->len = t->stage->line_start = 0;
		t->stage->line_hidden = 0;
	} else if (t->stream->open_line == sink) {
		interrupt_open_line(t->stream);
	}
	t->frame_count = 0;
	end_call(t);
}

/* ---- other events ---- */

/* A line that is not a call's, even if a call is still being staged. */
static void begin_event(struct text *t, const struct event_head *head)
{
	text_color(t, COLOR_NONE);
	interrupt_open_line(t->stream);
	t->out = t->stream;
	put_prefix(t, head, head->nr_known, head->nr);
}

static void end_event(struct text *t)
{
	end_line(t);
	if (t->in_call && t->stage)
		t->out = t->stage;
}

static void put_signal(struct text *t, int signo, const char *name)
{
	if (name)
		stream_text(t->out, name);
	else
		stream_signed(t->out, signo);
}

static void text_signal_begin(struct sink *sink, const struct event_head *head,
			      int signo, const char *name)
{
	struct text *t = (struct text *)sink;

	begin_event(t, head);
	TEXT_LITERAL(t, "--- ");
	put_signal(t, signo, name);
	stream_char(t->out, ' ');
	begin_values(t);
	t->signal_column = stream_column(t->out);
}

static void text_signal_end(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_NONE);
	if (stream_column(t->out) != t->signal_column)
		stream_char(t->out, ' ');
	TEXT_LITERAL(t, "---");
	end_event(t);
}

static void text_event(struct sink *sink, const struct event_head *head,
		       const struct event *event)
{
	struct text *t = (struct text *)sink;

	begin_event(t, head);
	switch (event->kind) {
	case EVENT_STOPPED:
		TEXT_LITERAL(t, "--- stopped by ");
		put_signal(t, event->number, event->name);
		TEXT_LITERAL(t, " ---");
		break;
	case EVENT_EXITED:
		TEXT_LITERAL(t, "+++ exited with ");
		stream_signed(t->out, event->number);
		TEXT_LITERAL(t, " +++");
		break;
	case EVENT_KILLED:
		TEXT_LITERAL(t, "+++ killed by ");
		put_signal(t, event->number, event->name);
		if (event->core)
			TEXT_LITERAL(t, " (core dumped)");
		TEXT_LITERAL(t, " +++");
		break;
	case EVENT_SUPERSEDED:
		TEXT_LITERAL(t, "+++ superseded by execve in pid ");
		stream_signed(t->out, event->number);
		TEXT_LITERAL(t, " +++");
		break;
	}
	end_event(t);
}

/* ---- the sink ---- */

static void text_destroy(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	if (t->stream->open_line == sink)
		interrupt_open_line(t->stream);
	if (t->stage)
		stream_close(t->stage);
	free(t->palette);
	free(t);
}

static const struct sink_ops text_ops = {
	.call_begin = text_call_begin,
	.arg = text_arg,
	.call_pause = text_call_pause,
	.call_resume = text_call_resume,
	.args_lost = text_args_lost,
	.result_begin = text_result_begin,
	.error = text_error,
	.restart = text_restart,
	.aux = text_aux,
	.call_end = text_call_end,
	.call_drop = text_call_drop,
	.frames = text_frames,
	.signal_begin = text_signal_begin,
	.signal_end = text_signal_end,
	.event = text_event,
	.number = text_number,
	.address = text_address,
	.symbol = text_symbol,
	.flags = text_flags,
	.string = text_string,
	.fd = text_fd,
	.pid = text_pid,
	.expression = text_expression,
	.struct_begin = text_struct_begin,
	.field = text_field,
	.struct_end = text_struct_end,
	.array_begin = text_array_begin,
	.item = text_item,
	.array_end = text_array_end,
	.more = text_more,
	.unreadable = text_unreadable,
	.change_begin = text_change_begin,
	.change_to = text_change_to,
	.change_end = text_change_end,
	.comment = text_comment,
	.destroy = text_destroy,
};

static bool text_init(struct text *t)
{
	if (t->options->color) {
		t->palette = malloc(sizeof(*t->palette));
		if (!t->palette)
			return false;
		palette_init(t->palette, t->options->colors);
	}
	if (t->options->staged) {
		t->stage = stream_open_memory();
		if (!t->stage)
			return false;
	}
	return true;
}

struct sink *text_sink_new(struct stream *stream,
			   const struct text_options *options)
{
	struct text *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->sink.ops = &text_ops;
	t->options = options;
	t->stream = t->out = stream;
	t->clock_second = -1;
	if (!text_init(t)) {
		text_destroy(&t->sink);
		return NULL;
	}
	return &t->sink;
}
