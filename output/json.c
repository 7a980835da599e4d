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

/* Begins a member of an object of the line's own, where keys are known. */
#define MEMBER(j, key) \
	(put_comma(j), JSON_LITERAL(j, "\"" key "\":"))

static void put_comma(struct json *j)
{
	struct json_level *level = &j->levels[j->depth - 1];

	if (level->any)
		stream_char(j->line, ',');
	level->any = true;
}

#define PUT_TRUE(j, key)	(MEMBER(j, key), JSON_LITERAL(j, "true"))

#define PUT(j, key, kind, value) \
	(MEMBER(j, key), json_put_##kind(j, value))

static void begin_object(struct json *j)
{
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
	PUT(j, "type", text, type);
	PUT(j, "pid", signed, head->pid);
	if (head->tgid)
		PUT(j, "tgid", signed, head->tgid);
	if (head->comm)
		PUT(j, "comm", text, head->comm);
	if (head->wall.tv_sec || head->wall.tv_nsec)
		PUT(j, "time", seconds, &head->wall);
	if (head->ip_known)
		PUT(j, "ip", address, head->ip);
}

static void put_frame(struct json *j, const struct frame *frame)
{
	if (frame->error) {
		PUT(j, "error", text, frame->error);
		return;
	}
	PUT(j, "address", address, frame->address);
	if (frame->module) {
		PUT(j, "module", text, frame->module);
		PUT(j, "offset", address, frame->offset);
	}
	if (frame->build_id)
		PUT(j, "build_id", text, frame->build_id);
	if (frame->symbol) {
		PUT(j, "symbol", text, frame->symbol);
		PUT(j, "symbol_offset", address, frame->symbol_offset);
	}
	if (frame->file) {
		PUT(j, "file", text, frame->file);
		PUT(j, "line", signed, frame->line);
	}
	if (frame->inlined)
		PUT_TRUE(j, "inlined");
	if (frame->uncertain)
		PUT_TRUE(j, "uncertain");
}

static void put_frames(struct json *j)
{
	if (!j->frame_count)
		return;
	MEMBER(j, "stack");
	json_push(j, JSON_ARRAY);
	stream_char(j->line, '[');
	for (size_t i = 0; i < j->frame_count; i++) {
		unsigned depth = j->depth;

		put_comma(j);
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
	PUT(j, "name", text, head->name);
	PUT(j, "nr", unsigned, head->nr);
	if (head->abi)
		PUT(j, "abi", text, head->abi);
	MEMBER(j, "args");
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

/* That the call has no result tells enough. */
static void json_args_lost(struct sink *sink)
{
	(void)sink;
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
	MEMBER(j, "result");
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
		MEMBER(j, "also");
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
	json_key(j, "missing");
	if (json_value(j))
		json_put_text(j, reasons[why]);
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
		PUT_TRUE(j, "injected");
	if (tail->timed && j->options->durations)
		PUT(j, "duration", seconds, &tail->duration);
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
	MEMBER(j, "signal");
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
			PUT_TRUE(j, "core");
		break;
	case EVENT_EXITED:
		PUT(j, "status", signed, event->number);
		break;
	case EVENT_SUPERSEDED:
		PUT(j, "by", signed, event->number);
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
	.args_lost = json_args_lost,
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
