/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The JSON sink: one object a line.  A call is collected in memory and
 * written when it ends, so lines are in the order of the ends of calls; each
 * says when it began.
 */
#include "output/json.h"

#include <stdlib.h>

#include "unwind.h"

/* ---- the parts of an object ---- */

static void put_text(struct json *j, const char *key, const char *text)
{
	json_key(j, key);
	j->slot = false;
	json_put_text(j, text);
}

static void put_signed(struct json *j, const char *key, int64_t value)
{
	json_key(j, key);
	j->slot = false;
	json_put_signed(j, value);
}

static void put_address(struct json *j, const char *key, uint64_t address)
{
	json_key(j, key);
	j->slot = false;
	json_put_address(j, address);
}

static void put_seconds(struct json *j, const char *key,
			const struct timespec *time)
{
	json_key(j, key);
	j->slot = false;
	json_put_seconds(j, time);
}

static void put_true(struct json *j, const char *key)
{
	json_key(j, key);
	j->slot = false;
	JSON_LITERAL(j, "true");
}

static void begin_object(struct json *j)
{
	j->slot = false;
	json_push(j, JSON_OBJECT);
	j->levels[j->depth - 1].fixed = true;
	stream_char(j->line, '{');
}

/* Back to the line's own object, whatever is still open in it. */
static void close_members(struct json *j)
{
	json_close(j, j->event_depth + 1);
}

static void put_head(struct json *j, const char *type,
		     const struct event_head *head)
{
	begin_object(j);
	put_text(j, "type", type);
	put_signed(j, "pid", head->pid);
	if (head->tgid)
		put_signed(j, "tgid", head->tgid);
	if (head->comm)
		put_text(j, "comm", head->comm);
	if (head->wall.tv_sec || head->wall.tv_nsec)
		put_seconds(j, "time", &head->wall);
	if (head->ip_known)
		put_address(j, "ip", head->ip);
}

static void put_frame(struct json *j, const struct frame *frame)
{
	if (frame->error) {
		put_text(j, "error", frame->error);
		return;
	}
	put_address(j, "address", frame->address);
	if (frame->module) {
		put_text(j, "module", frame->module);
		put_address(j, "offset", frame->offset);
	}
	if (frame->build_id)
		put_text(j, "build_id", frame->build_id);
	if (frame->symbol) {
		put_text(j, "symbol", frame->symbol);
		put_address(j, "symbol_offset", frame->symbol_offset);
	}
	if (frame->file) {
		put_text(j, "file", frame->file);
		put_signed(j, "line", frame->line);
	}
	if (frame->inlined)
		put_true(j, "inlined");
	if (frame->uncertain)
		put_true(j, "uncertain");
}

static void put_frames(struct json *j)
{
	if (!j->frame_count)
		return;
	json_key(j, "stack");
	j->slot = false;
	json_push(j, JSON_ARRAY);
	stream_char(j->line, '[');
	for (size_t i = 0; i < j->frame_count; i++) {
		unsigned depth = j->depth;

		json_key(j, NULL);
		begin_object(j);
		put_frame(j, &j->frames[i]);
		json_close(j, depth);
	}
	j->frame_count = 0;
}

static void json_frames(struct sink *sink, const struct frame *frames,
			size_t count)
{
	struct json *j = (struct json *)sink;

	j->frames = frames;
	j->frame_count = count;
}

/* ---- lines ---- */

static void forget_line(struct json *j)
{
	j->line->len = 0;
	j->keys->len = 0;
	j->depth = 0;
	j->skip = 0;
	j->slot = false;
	j->in_call = j->in_result = j->any_aux = false;
	j->event_begin = 0;
	j->event_depth = 0;
}

static void commit(struct json *j)
{
	close_members(j);
	put_frames(j);
	json_close(j, j->event_depth);
	stream_bytes(j->stream, j->line->data + j->event_begin,
		     j->line->len - j->event_begin);
	stream_newline(j->stream);
}

/* An event in the middle of a call is written behind the half told call. */
static void begin_event(struct json *j, const char *type,
			const struct event_head *head)
{
	j->event_begin = j->line->len;
	j->event_depth = j->depth;
	j->event_skip = j->skip;
	j->event_slot = j->slot;
	j->skip = 0;
	j->slot = false;
	put_head(j, type, head);
}

static void end_event(struct json *j)
{
	commit(j);
	j->line->len = j->event_begin;
	j->skip = j->event_skip;
	j->slot = j->event_slot;
	j->event_begin = 0;
	j->event_depth = 0;
	j->unnamed = NULL;
}

/* ---- calls ---- */

static void json_call_begin(struct sink *sink, const struct call_head *head)
{
	struct json *j = (struct json *)sink;

	forget_line(j);
	j->in_call = true;
	put_head(j, "syscall", &head->event);
	put_text(j, "name", head->name);
	json_key(j, "nr");
	j->slot = false;
	json_put_unsigned(j, head->nr);
	if (head->abi)
		put_text(j, "abi", head->abi);
	json_key(j, "args");
	begin_object(j);
}

static void json_arg(struct sink *sink, const char *name, unsigned flags)
{
	struct json *j = (struct json *)sink;

	(void)flags;
	if (!j->in_call)
		return;
	json_close(j, 2);
	json_key(j, name);
}

static void json_call_pause(struct sink *sink)
{
	(void)sink;
}

static void json_call_resume(struct sink *sink, const struct call_head *head)
{
	(void)sink;
	(void)head;
}

static void json_result_begin(struct sink *sink)
{
	struct json *j = (struct json *)sink;

	if (!j->in_call || j->in_result)
		return;
	j->in_result = true;
	close_members(j);
	json_key(j, "result");
	begin_object(j);
}

/* {"errno":2,"name":"ENOENT","text":"No such file or directory"} */
static void put_error(struct json *j, const char *key, int err,
		      const char *name, const char *text)
{
	json_key(j, key);
	if (!json_value(j))
		return;
	JSON_LITERAL(j, "{\"errno\":");
	stream_signed(j->line, err);
	if (name) {
		JSON_LITERAL(j, ",\"name\":");
		json_put_text(j, name);
	}
	if (text) {
		JSON_LITERAL(j, ",\"text\":");
		json_put_text(j, text);
	}
	stream_char(j->line, '}');
}

static void json_error(struct sink *sink, int err, const char *name,
		       const char *text)
{
	put_error((struct json *)sink, "error", err, name, text);
}

static void json_restart(struct sink *sink, int err, const char *name,
			 const char *text)
{
	put_error((struct json *)sink, "restart", err, name, text);
}

static void json_aux(struct sink *sink, const char *label)
{
	struct json *j = (struct json *)sink;

	if (!j->in_call)
		return;
	if (!j->any_aux) {
		close_members(j);
		json_key(j, "also");
		begin_object(j);
	}
	j->any_aux = true;
	json_close(j, 2);
	json_key(j, label && *label ? label : NULL);
}

static void put_no_result(struct json *j, enum why_no_result why)
{
	static const char *const reasons[] = {
		[RESULT_NEVER] = "never",
		[RESULT_UNAVAILABLE] = "unavailable",
		[RESULT_DETACHED] = "detached",
	};

	json_result_begin(&j->sink);
	json_close(j, 2);
	put_text(j, "missing", reasons[why]);
}

static void json_call_end(struct sink *sink, const struct call_tail *tail)
{
	struct json *j = (struct json *)sink;

	if (!j->in_call)
		return;
	if (tail->why != RESULT_KNOWN)
		put_no_result(j, tail->why);
	close_members(j);
	if (tail->injected)
		put_true(j, "injected");
	if (tail->timed && j->options->durations)
		put_seconds(j, "duration", &tail->duration);
	commit(j);
	forget_line(j);
}

static void json_call_drop(struct sink *sink)
{
	struct json *j = (struct json *)sink;

	j->frame_count = 0;
	forget_line(j);
}

/* ---- other events ---- */

static void put_signal(struct json *j, int signo, const char *name)
{
	json_key(j, "signal");
	j->slot = false;
	json_put_symbol(j, (int64_t)signo, BASE_SIGNED, name);
}

static void json_signal_begin(struct sink *sink, const struct event_head *head,
			      int signo, const char *name)
{
	struct json *j = (struct json *)sink;

	begin_event(j, "signal", head);
	put_signal(j, signo, name);
	/* the siginfo, if there is one */
	j->unnamed = "info";
}

static void json_signal_end(struct sink *sink)
{
	end_event((struct json *)sink);
}

static void json_event(struct sink *sink, const struct event_head *head,
		       const struct event *event)
{
	static const char *const types[] = {
		[EVENT_STOPPED] = "stopped",
		[EVENT_EXITED] = "exit",
		[EVENT_KILLED] = "killed",
		[EVENT_SUPERSEDED] = "superseded",
	};
	struct json *j = (struct json *)sink;

	begin_event(j, types[event->kind], head);
	switch (event->kind) {
	case EVENT_STOPPED:
	case EVENT_KILLED:
		put_signal(j, event->number, event->name);
		if (event->core)
			put_true(j, "core");
		break;
	case EVENT_EXITED:
		put_signed(j, "status", event->number);
		break;
	case EVENT_SUPERSEDED:
		put_signed(j, "by", event->number);
		break;
	}
	end_event(j);
}

/* ---- the sink ---- */

static void json_destroy(struct sink *sink)
{
	struct json *j = (struct json *)sink;

	if (j->line)
		stream_close(j->line);
	if (j->keys)
		stream_close(j->keys);
	free(j);
}

static const struct sink_ops json_ops = {
	.call_begin = json_call_begin,
	.arg = json_arg,
	.call_pause = json_call_pause,
	.call_resume = json_call_resume,
	.result_begin = json_result_begin,
	.error = json_error,
	.restart = json_restart,
	.aux = json_aux,
	.call_end = json_call_end,
	.call_drop = json_call_drop,
	.frames = json_frames,
	.signal_begin = json_signal_begin,
	.signal_end = json_signal_end,
	.event = json_event,
	.number = json_number,
	.address = json_address,
	.symbol = json_symbol,
	.flags = json_flags,
	.string = json_string,
	.fd = json_fd,
	.pid = json_pid,
	.expression = json_expression,
	.struct_begin = json_struct_begin,
	.field = json_field,
	.struct_end = json_struct_end,
	.array_begin = json_array_begin,
	.item = json_item,
	.array_end = json_array_end,
	.more = json_more,
	.unreadable = json_unreadable,
	.change_begin = json_change_begin,
	.change_to = json_change_to,
	.change_end = json_change_end,
	.comment = json_comment,
	.destroy = json_destroy,
};

struct sink *json_sink_new(struct stream *stream,
			   const struct json_options *options)
{
	struct json *j = calloc(1, sizeof(*j));

	if (!j)
		return NULL;
	j->sink.ops = &json_ops;
	j->stream = stream;
	j->options = options;
	j->line = stream_open_memory();
	j->keys = stream_open_memory();
	if (!j->line || !j->keys) {
		json_destroy(&j->sink);
		return NULL;
	}
	return &j->sink;
}
