/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sink that shows nothing: for runs that only count.
 */
#include <stdlib.h>

#include "output/formats.h"

static void no_head(struct sink *sink, const struct call_head *head)
{
	(void)sink;
	(void)head;
}

static void no_name(struct sink *sink, const char *name, unsigned flags)
{
	(void)sink;
	(void)name;
	(void)flags;
}

static void nothing(struct sink *sink)
{
	(void)sink;
}

static void no_error(struct sink *sink, int err, const char *name,
		     const char *text)
{
	(void)sink;
	(void)err;
	(void)name;
	(void)text;
}

static void no_text(struct sink *sink, const char *text)
{
	(void)sink;
	(void)text;
}

static void no_tail(struct sink *sink, const struct call_tail *tail)
{
	(void)sink;
	(void)tail;
}

static void no_frames(struct sink *sink, const struct frame *frames,
		      size_t count)
{
	(void)sink;
	(void)frames;
	(void)count;
}

static void no_signal(struct sink *sink, const struct event_head *head,
		      int signo, const char *name)
{
	(void)sink;
	(void)head;
	(void)signo;
	(void)name;
}

static void no_event(struct sink *sink, const struct event_head *head,
		     const struct event *event)
{
	(void)sink;
	(void)head;
	(void)event;
}

static void no_number(struct sink *sink, uint64_t value, enum number_base base)
{
	(void)sink;
	(void)value;
	(void)base;
}

static void no_address(struct sink *sink, uint64_t value)
{
	(void)sink;
	(void)value;
}

static void no_symbol(struct sink *sink, uint64_t value,
		      enum number_base base, const char *name,
		      const char *label)
{
	(void)sink;
	(void)value;
	(void)base;
	(void)name;
	(void)label;
}

static void no_flags(struct sink *sink, uint64_t value,
		     const struct flag_part *parts, size_t count,
		     uint64_t rest, const char *label)
{
	(void)sink;
	(void)value;
	(void)parts;
	(void)count;
	(void)rest;
	(void)label;
}

static void no_string(struct sink *sink, const void *bytes, size_t len,
		      unsigned flags)
{
	(void)sink;
	(void)bytes;
	(void)len;
	(void)flags;
}

static void no_fd(struct sink *sink, int fd, const char *symbol,
		  const struct fd_target *target)
{
	(void)sink;
	(void)fd;
	(void)symbol;
	(void)target;
}

static void no_pid(struct sink *sink, int pid, const char *comm)
{
	(void)sink;
	(void)pid;
	(void)comm;
}

static void no_expression(struct sink *sink, const struct expression *e)
{
	(void)sink;
	(void)e;
}

static void no_array(struct sink *sink, enum array_style style)
{
	(void)sink;
	(void)style;
}

static void null_destroy(struct sink *sink)
{
	free(sink);
}

static const struct sink_ops null_ops = {
	.call_begin = no_head,
	.arg = no_name,
	.call_pause = nothing,
	.args_lost = nothing,
	.call_resume = no_head,
	.result_begin = nothing,
	.error = no_error,
	.restart = no_error,
	.aux = no_text,
	.call_end = no_tail,
	.call_drop = nothing,
	.frames = no_frames,
	.signal_begin = no_signal,
	.signal_end = nothing,
	.event = no_event,
	.number = no_number,
	.address = no_address,
	.symbol = no_symbol,
	.flags = no_flags,
	.string = no_string,
	.fd = no_fd,
	.pid = no_pid,
	.expression = no_expression,
	.struct_begin = nothing,
	.field = no_name,
	.struct_end = nothing,
	.array_begin = no_array,
	.item = nothing,
	.array_end = nothing,
	.more = nothing,
	.unreadable = nothing,
	.change_begin = nothing,
	.change_to = nothing,
	.change_end = nothing,
	.comment = no_text,
	.destroy = null_destroy,
};

struct sink *null_sink_new(void)
{
	struct sink *sink = malloc(sizeof(*sink));

	if (sink)
		sink->ops = &null_ops;
	return sink;
}
