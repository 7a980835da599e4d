/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The JSON sink: values.  doc/json.md says what they look like and why.
 */
#include <string.h>

#include "output/json.h"

/* ---- scalars ---- */

static void put_number(struct json *j, uint64_t value, enum number_base base)
{
	if (base == BASE_SIGNED)
		json_put_signed(j, value);
	else
		json_put_unsigned(j, value);
}

void json_number(struct sink *sink, uint64_t value, enum number_base base)
{
	struct json *j = (struct json *)sink;

	if (json_value(j))
		put_number(j, value, base);
}

void json_address(struct sink *sink, uint64_t value)
{
	struct json *j = (struct json *)sink;

	if (!json_value(j))
		return;
	if (!value) {
		JSON_LITERAL(j, "null");
		return;
	}
	JSON_LITERAL(j, "{\"address\":");
	json_put_address(j, value);
	stream_char(j->line, '}');
}

void json_put_symbol(struct json *j, uint64_t value, enum number_base base,
		     const char *name)
{
	JSON_LITERAL(j, "{\"value\":");
	put_number(j, value, base);
	JSON_LITERAL(j, ",\"name\":");
	if (name)
		json_put_text(j, name);
	else
		JSON_LITERAL(j, "null");
	stream_char(j->line, '}');
}

void json_symbol(struct sink *sink, uint64_t value, enum number_base base,
		 const char *name, const char *label)
{
	struct json *j = (struct json *)sink;

	(void)label;
	if (json_value(j))
		json_put_symbol(j, value, base, name);
}

/* The parts that have a name; returns the others together. */
static uint64_t put_flag_names(struct json *j, const struct flag_part *parts,
			       size_t count)
{
	uint64_t unnamed = 0;
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (!parts[i].name) {
			unnamed |= parts[i].value;
			continue;
		}
		if (any)
			stream_char(j->line, ',');
		any = true;
		json_put_text(j, parts[i].name);
	}
	return unnamed;
}

void json_flags(struct sink *sink, uint64_t value,
		const struct flag_part *parts, size_t count, uint64_t rest,
		const char *label)
{
	struct json *j = (struct json *)sink;

	(void)label;
	if (!json_value(j))
		return;
	JSON_LITERAL(j, "{\"value\":");
	json_put_unsigned(j, value);
	JSON_LITERAL(j, ",\"flags\":[");
	rest |= put_flag_names(j, parts, count);
	stream_char(j->line, ']');
	if (rest) {
		JSON_LITERAL(j, ",\"rest\":");
		json_put_unsigned(j, rest);
	}
	stream_char(j->line, '}');
}

/* A character that was cut through is left out, as its rest is. */
static void put_cut_string(struct json *j, const void *bytes, size_t len)
{
	bool cut_off;
	size_t valid = json_utf8_length(bytes, len, &cut_off);

	if (valid == len || cut_off) {
		JSON_LITERAL(j, "{\"string\":");
		json_put_bytes(j, bytes, valid);
	} else {
		JSON_LITERAL(j, "{\"hex\":");
		json_put_hex_string(j, bytes, len);
	}
	JSON_LITERAL(j, ",\"truncated\":true}");
}

void json_string(struct sink *sink, const void *bytes, size_t len,
		 unsigned flags)
{
	struct json *j = (struct json *)sink;

	if (!json_value(j))
		return;
	if (flags & STRING_ABSTRACT) {
		JSON_LITERAL(j, "{\"abstract\":");
		json_put_bytes(j, bytes, len);
		stream_char(j->line, '}');
	} else if (flags & STRING_HEX) {
		JSON_LITERAL(j, "{\"hex\":");
		json_put_hex_string(j, bytes, len);
		if (flags & STRING_TRUNCATED)
			JSON_LITERAL(j, ",\"truncated\":true");
		stream_char(j->line, '}');
	} else if (flags & STRING_TRUNCATED) {
		put_cut_string(j, bytes, len);
	} else {
		json_put_bytes(j, bytes, len);
	}
}

void json_fd(struct sink *sink, int fd, const char *symbol,
	     const struct fd_target *target)
{
	struct json *j = (struct json *)sink;

	if (!json_value(j))
		return;
	JSON_LITERAL(j, "{\"fd\":");
	stream_signed(j->line, fd);
	if (symbol) {
		JSON_LITERAL(j, ",\"name\":");
		json_put_text(j, symbol);
	}
	if (target && target->path) {
		JSON_LITERAL(j, ",\"path\":");
		json_put_text(j, target->path);
	}
	if (target && target->details) {
		JSON_LITERAL(j, ",\"details\":");
		json_put_text(j, target->details);
	}
	if (target && target->deleted)
		JSON_LITERAL(j, ",\"deleted\":true");
	stream_char(j->line, '}');
}

void json_pid(struct sink *sink, int pid, const char *comm)
{
	struct json *j = (struct json *)sink;

	if (!json_value(j))
		return;
	JSON_LITERAL(j, "{\"pid\":");
	stream_signed(j->line, pid);
	if (comm) {
		JSON_LITERAL(j, ",\"comm\":");
		json_put_text(j, comm);
	}
	stream_char(j->line, '}');
}

void json_expression(struct sink *sink, const struct expression *e)
{
	struct json *j = (struct json *)sink;

	if (!json_value(j))
		return;
	JSON_LITERAL(j, "{\"value\":");
	if (e->str)
		json_put_text(j, e->str);
	else
		put_number(j, e->value, e->base);
	JSON_LITERAL(j, ",\"expression\":");
	json_put_text(j, e->text);
	stream_char(j->line, '}');
}

void json_comment(struct sink *sink, const char *text)
{
	(void)sink;
	(void)text;
}

/* ---- compound values ---- */

static bool begin_level(struct json *j)
{
	if (j->skip) {
		j->skip++;
		return false;
	}
	if (!json_value(j)) {
		j->skip = 1;
		return false;
	}
	if (j->depth >= JSON_MAX_LEVELS) {
		JSON_LITERAL(j, "null");
		j->skip = 1;
		return false;
	}
	return true;
}

/* The innermost level of a value, or NULL. */
static struct json_level *value_level(struct json *j)
{
	struct json_level *level;

	if (j->skip || !j->depth)
		return NULL;
	level = &j->levels[j->depth - 1];
	return level->fixed ? NULL : level;
}

static void end_level(struct json *j)
{
	if (j->skip)
		j->skip--;
	else if (value_level(j))
		json_close(j, j->depth - 1);
}

void json_struct_begin(struct sink *sink)
{
	struct json *j = (struct json *)sink;

	if (!begin_level(j))
		return;
	json_push(j, JSON_OBJECT);
	stream_char(j->line, '{');
}

void json_field(struct sink *sink, const char *name, unsigned flags)
{
	(void)flags;
	json_key((struct json *)sink, name);
}

void json_struct_end(struct sink *sink)
{
	end_level((struct json *)sink);
}

void json_array_begin(struct sink *sink, enum array_style style)
{
	struct json *j = (struct json *)sink;

	if (style == ARRAY_INDEXED) {
		json_struct_begin(sink);
		return;
	}
	if (!begin_level(j))
		return;
	if (style == ARRAY_SET_INVERTED)
		JSON_LITERAL(j, "{\"not\":");
	json_push(j, style == ARRAY_SET_INVERTED ? JSON_INVERTED : JSON_ARRAY);
	stream_char(j->line, '[');
}

void json_item(struct sink *sink)
{
	json_key((struct json *)sink, NULL);
}

void json_array_end(struct sink *sink)
{
	end_level((struct json *)sink);
}

void json_more(struct sink *sink)
{
	struct json_level *level = value_level((struct json *)sink);

	if (level)
		level->cut = true;
}

void json_unreadable(struct sink *sink)
{
	struct json_level *level = value_level((struct json *)sink);

	if (level)
		level->unreadable = true;
}

void json_change_begin(struct sink *sink)
{
	struct json *j = (struct json *)sink;

	if (!begin_level(j))
		return;
	json_push(j, JSON_CHANGE);
	j->slot = true;
}

void json_change_to(struct sink *sink)
{
	struct json *j = (struct json *)sink;
	struct json_level *level = value_level(j);

	if (!level || level->kind != JSON_CHANGE || level->changed)
		return;
	if (j->slot)
		JSON_LITERAL(j, "null");
	json_insert(j, level->begin, "{\"before\":");
	JSON_LITERAL(j, ",\"after\":");
	level->changed = true;
	j->slot = true;
}

void json_change_end(struct sink *sink)
{
	end_level((struct json *)sink);
}
