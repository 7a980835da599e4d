/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text sink: values, as C programmers would write them.
 */
#include <string.h>

#include "output/text.h"

/* ---- strings ---- */

enum byte_class {
	PLAIN,
	LETTER,		/* \n and the like */
	QUOTED,		/* '"' and '\\', a backslash before them */
	ANGLE,		/* '<' and '>', plain but within those */
	OTHER,		/* \NNN */
};

/* As a table, since most of the bytes of a trace pass through it. */
static const uint8_t byte_classes[256] = {
	[0 ... 8] = OTHER,
	['\t'] = LETTER, ['\n'] = LETTER, ['\v'] = LETTER, ['\f'] = LETTER,
	['\r'] = LETTER,
	[14 ... 31] = OTHER,
	['"'] = QUOTED, ['\\'] = QUOTED,
	['<'] = ANGLE, ['>'] = ANGLE,
	[127 ... 255] = OTHER,
};

static const char hex_digits[] = "0123456789abcdef";

enum {
	CHUNK = 1024,		/* bytes of a string that are escaped at once */
	MAX_ESCAPE = 4,		/* \377, \xff */
};

static char *put_hex(char *p, uint8_t byte)
{
	*p++ = '\\';
	*p++ = 'x';
	*p++ = hex_digits[byte >> 4];
	*p++ = hex_digits[byte & 15];
	return p;
}

/* As few digits as the next byte allows. */
static char *put_octal_escape(char *p, uint8_t byte, bool digit_follows)
{
	*p++ = '\\';
	if (byte >= 64 || digit_follows)
		*p++ = '0' + (byte >> 6);
	if (byte >= 8 || digit_follows)
		*p++ = '0' + (byte >> 3 & 7);
	*p++ = '0' + (byte & 7);
	return p;
}

static bool is_octal_digit(uint8_t byte)
{
	return byte >= '0' && byte <= '7';
}

static char *put_escape(char *p, const uint8_t *at, const uint8_t *end,
			bool hex, enum byte_class class)
{
	switch (class) {
	case LETTER:
		*p++ = '\\';
		*p++ = "tnvfr"[*at - '\t'];
		return p;
	case QUOTED:
		*p++ = '\\';
		*p++ = *at;
		return p;
	default:
		if (hex)
			return put_hex(p, *at);
		return put_octal_escape(p, *at,
				 at + 1 < end && is_octal_digit(at[1]));
	}
}

static void escape_hex(struct stream *out, const uint8_t *at, size_t len)
{
	char *p;

	stream_reserve(out, len * MAX_ESCAPE);
	p = out->data + out->len;
	for (const uint8_t *end = at + len; at < end; at++)
		p = put_hex(p, *at);
	out->len = p - out->data;
}

static void escape_chunk(struct stream *out, const uint8_t *at, size_t len,
			 const uint8_t *end, bool hex, bool angle)
{
	size_t plain = angle ? 0 : stream_plain_length(at, len);
	const uint8_t *stop = at + len;
	char *p;

	stream_reserve(out, len * MAX_ESCAPE);
	p = mempcpy(out->data + out->len, at, plain);
	for (at += plain; at < stop; at++) {
		enum byte_class class = byte_classes[*at];

		if (class == PLAIN || (class == ANGLE && !angle))
			*p++ = *at;
		else
			p = put_escape(p, at, end, hex, class);
	}
	out->len = p - out->data;
}

static bool any_non_ascii(const uint8_t *at, size_t len)
{
	for (const uint8_t *end = at + len; at < end; at++)
		if (byte_classes[*at] == OTHER)
			return true;
	return false;
}

void text_escape(struct text *t, const void *bytes, size_t len, bool hex,
		 bool angle)
{
	const uint8_t *at = bytes, *end = at + len;
	enum hex_strings style = t->options->hex_strings;

	hex |= style == HEX_STRINGS_ALL ||
	       (style == HEX_STRINGS_NON_ASCII && any_non_ascii(at, len));
	while (at < end) {
		size_t n = end - at < CHUNK ? end - at : CHUNK;

		if (hex)
			escape_hex(t->out, at, n);
		else
			escape_chunk(t->out, at, n, end,
				     style == HEX_STRINGS_NON_ASCII_CHARS,
				     angle);
		at += n;
	}
}

static void put_quoted(struct text *t, const void *bytes, size_t len,
			bool hex)
{
	stream_char(t->out, '"');
	text_escape(t, bytes, len, hex, false);
	stream_char(t->out, '"');
}

void text_string(struct sink *sink, const void *bytes, size_t len,
		 unsigned flags)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_ARGVAL);
	if (flags & STRING_ABSTRACT)
		stream_char(t->out, '@');
	put_quoted(t, bytes, len, flags & STRING_HEX);
	if (flags & STRING_TRUNCATED)
		TEXT_PUNCT(t, "...");
}

/* ---- numbers ---- */

static void put_hex_number(struct text *t, uint64_t value)
{
	TEXT_LITERAL(t, "0x");
	stream_hex(t->out, value);
}

static void put_mode(struct text *t, uint64_t value)
{
	if (value < 8)
		TEXT_LITERAL(t, "00");
	else
		stream_char(t->out, '0');
	stream_octal(t->out, value);
}

/* "0x" and zeros up to width; zero is nothing but zeros. */
static void put_mask(struct text *t, uint64_t value, unsigned width)
{
	unsigned digits = width - 2;

	if (!value) {
		stream_fill(t->out, '0', width);
		return;
	}
	TEXT_LITERAL(t, "0x");
	while (digits > 1 && !(value >> (digits - 1) * 4)) {
		stream_char(t->out, '0');
		digits--;
	}
	stream_hex(t->out, value);
}

static void put_octal(struct text *t, uint64_t value)
{
	if (value)
		stream_char(t->out, '0');
	stream_octal(t->out, value);
}

static void put_number(struct text *t, uint64_t value, enum number_base base)
{
	switch (base) {
	case BASE_SIGNED:
		stream_signed(t->out, value);
		break;
	case BASE_UNSIGNED:
		stream_decimal(t->out, value);
		break;
	case BASE_HEX:
		if (value)
			put_hex_number(t, value);
		else
			stream_char(t->out, '0');
		break;
	case BASE_HEX0:
		put_hex_number(t, value);
		break;
	case BASE_OCTAL:
		put_octal(t, value);
		break;
	case BASE_MODE:
		put_mode(t, value);
		break;
	case BASE_MASK32:
		put_mask(t, value, 8);
		break;
	case BASE_MASK64:
		put_mask(t, value, 16);
		break;
	}
}

void text_number(struct sink *sink, uint64_t value, enum number_base base)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_ARGVAL);
	put_number(t, value, base);
}

void text_address(struct sink *sink, uint64_t value)
{
	struct text *t = (struct text *)sink;

	text_color(t, COLOR_ARGVAL);
	if (value)
		put_hex_number(t, value);
	else
		TEXT_LITERAL(t, "NULL");
}

/* ---- constants ---- */

static void open_comment(struct text *t)
{
	text_color(t, COLOR_COMMENT);
	TEXT_LITERAL(t, " /* ");
}

static void close_comment(struct text *t)
{
	text_color(t, COLOR_COMMENT);
	TEXT_LITERAL(t, " */");
}

void text_comment(struct sink *sink, const char *text)
{
	struct text *t = (struct text *)sink;

	open_comment(t);
	stream_text(t->out, text);
	close_comment(t);
}

void text_symbol(struct sink *sink, uint64_t value, enum number_base base,
		 const char *name, const char *label)
{
	struct text *t = (struct text *)sink;
	enum const_style style = t->options->const_style;

	/*
	 * Behind the result, a name is all that there is to tell, unless it is
	 * a part of a word.
	 */
	if (name && (style == CONST_ABBREV || (t->any_aux && !t->depth))) {
		text_color(t, COLOR_CONST);
		stream_text(t->out, name);
		return;
	}
	text_number(sink, value, base);
	if (style != CONST_RAW && (name || label))
		text_comment(sink, name ? name : label);
}

/* A|B|0x40; a rest that stands alone has the label. */
static void put_flag_names(struct text *t, const struct flag_part *parts,
			   size_t count, uint64_t rest, const char *label)
{
	for (size_t i = 0; i < count; i++) {
		if (i)
			TEXT_PUNCT(t, "|");
		text_symbol(&t->sink, parts[i].value, BASE_HEX, parts[i].name,
			    parts[i].label);
	}
	if (!rest && count)
		return;
	if (count)
		TEXT_PUNCT(t, "|");
	text_symbol(&t->sink, rest, BASE_HEX, NULL,
		    rest && !count ? label : NULL);
}

/* The names within a comment. */
static void put_flag_comment(struct text *t, const struct flag_part *parts,
			     size_t count, uint64_t rest)
{
	open_comment(t);
	for (size_t i = 0; i < count; i++) {
		if (i)
			stream_char(t->out, '|');
		if (parts[i].name)
			stream_text(t->out, parts[i].name);
		else
			put_number(t, parts[i].value, BASE_HEX);
		if (parts[i].label && !parts[i].name)
			text_comment(&t->sink, parts[i].label);
	}
	if (rest) {
		stream_char(t->out, '|');
		put_number(t, rest, BASE_HEX);
	}
	close_comment(t);
}

void text_flags(struct sink *sink, uint64_t value,
		const struct flag_part *parts, size_t count, uint64_t rest,
		const char *label)
{
	struct text *t = (struct text *)sink;

	if (t->options->const_style == CONST_ABBREV) {
		put_flag_names(t, parts, count, rest, label);
		return;
	}
	text_number(sink, value, BASE_HEX);
	if (t->options->const_style == CONST_RAW)
		return;
	if (count)
		put_flag_comment(t, parts, count, rest);
	else if (rest && label)
		text_comment(sink, label);
}

/* ---- expressions ---- */

/* The length of the name in "name(arguments)", or 0. */
static size_t call_name(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return text[len] == '(' ? len : 0;
}

static void put_call(struct text *t, const char *text, size_t name)
{
	const char *arguments = text + name + 1;
	size_t len = strlen(arguments);
	bool closed = len && arguments[len - 1] == ')';

	text_color(t, COLOR_CALL);
	stream_bytes(t->out, text, name);
	TEXT_PUNCT(t, "(");
	text_color(t, COLOR_ARGVAL);
	stream_bytes(t->out, arguments, len - closed);
	if (closed)
		TEXT_PUNCT(t, ")");
}

static void put_expression(struct text *t, const char *text)
{
	size_t name = t->palette ? call_name(text) : 0;

	if (name) {
		put_call(t, text, name);
		return;
	}
	text_color(t, COLOR_ARGVAL);
	stream_text(t->out, text);
}

/* {name="\x01\x02"} */
static void put_raw_member(struct text *t, const struct expression *e)
{
	struct sink *sink = &t->sink;

	text_struct_begin(sink);
	text_field(sink, e->raw_field, 0);
	text_string(sink, e->raw, e->raw_len, STRING_HEX);
	text_struct_end(sink);
}

void text_expression(struct sink *sink, const struct expression *e)
{
	struct text *t = (struct text *)sink;
	const char *comment = e->comment ? e->comment : e->text;

	if (t->options->const_style == CONST_ABBREV || e->fixed) {
		put_expression(t, e->text);
		return;
	}
	if (e->numbers) {
		put_expression(t, t->options->const_style == CONST_RAW
				  ? e->numbers : e->both);
		return;
	}
	if (t->any_aux && t->options->const_style == CONST_VERBOSE) {
		/* as with names: the value has been told */
		put_expression(t, comment);
		return;
	}
	text_color(t, COLOR_ARGVAL);
	if (e->raw_field)
		put_raw_member(t, e);
	else if (e->raw)
		put_quoted(t, e->raw, e->raw_len, true);
	else
		put_number(t, e->value, e->base);
	if (t->options->const_style == CONST_VERBOSE && *comment)
		text_comment(sink, comment);
}

/* ---- descriptors and processes ---- */

static void put_target(struct text *t, const struct fd_target *target)
{
	TEXT_PUNCT(t, "<");
	text_color(t, COLOR_ARGVAL);
	if (target->path)
		text_escape(t, target->path, strlen(target->path), false,
			    true);
	if (target->path && target->details)
		TEXT_PUNCT(t, "<");
	if (target->details) {
		text_color(t, COLOR_ARGVAL);
		stream_text(t->out, target->details);
	}
	if (target->path && target->details)
		TEXT_PUNCT(t, ">");
	TEXT_PUNCT(t, ">");
	if (target->deleted)
		TEXT_PUNCT(t, "(deleted)");
}

void text_fd(struct sink *sink, int fd, const char *symbol,
	     const struct fd_target *target)
{
	struct text *t = (struct text *)sink;

	if (symbol)
		text_symbol(sink, fd, BASE_SIGNED, symbol, NULL);
	else
		text_number(sink, (int64_t)fd, BASE_SIGNED);
	if (target)
		put_target(t, target);
}

void text_comm(struct text *t, const char *comm)
{
	if (!comm)
		return;
	TEXT_PUNCT(t, "<");
	text_color(t, COLOR_ARGVAL);
	text_escape(t, comm, strlen(comm), false, true);
	TEXT_PUNCT(t, ">");
}

void text_pid(struct sink *sink, int pid, const char *comm)
{
	text_number(sink, (int64_t)pid, BASE_SIGNED);
	text_comm((struct text *)sink, comm);
}

/* ---- compound values ---- */

/* Deeper levels than there is room for share the last one. */
static struct level *level(struct text *t)
{
	unsigned depth = t->depth < MAX_LEVELS ? t->depth : MAX_LEVELS - 1;

	return &t->levels[depth];
}

static void push(struct text *t, enum array_style style)
{
	t->depth++;
	*level(t) = (struct level){ .style = style };
}

static void pop(struct text *t)
{
	if (t->depth)
		t->depth--;
}

static void next_element(struct text *t)
{
	struct level *l = level(t);

	if (!l->any)
		l->any = true;
	else if (l->style == ARRAY_LIST || l->style == ARRAY_INDEXED)
		TEXT_PUNCT(t, ", ");
	else if (l->style == ARRAY_JOINED)
		TEXT_PUNCT(t, "|");
	else
		TEXT_PUNCT(t, " ");
}

void text_name(struct text *t, const char *name)
{
	text_color(t, COLOR_ARGNAME);
	stream_text(t->out, name);
	TEXT_PUNCT(t, "=");
}

void text_struct_begin(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	TEXT_PUNCT(t, "{");
	push(t, ARRAY_LIST);
}

void text_field(struct sink *sink, const char *name, unsigned flags)
{
	struct text *t = (struct text *)sink;

	next_element(t);
	if (!name)
		return;
	if (flags & FIELD_COMMENT) {
		text_color(t, COLOR_COMMENT);
		TEXT_LITERAL(t, "/* ");
		stream_text(t->out, name);
		TEXT_LITERAL(t, " */ ");
	} else if (level(t)->style == ARRAY_INDEXED) {
		TEXT_PUNCT(t, "[");
		text_color(t, COLOR_ARGNAME);
		stream_text(t->out, name);
		TEXT_PUNCT(t, "]=");
	} else if (!(flags & FIELD_UNNAMED) &&
		   !((flags & FIELD_VALUE_NAMED) &&
		     t->options->const_style == CONST_ABBREV)) {
		text_name(t, name);
	}
}

void text_struct_end(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	pop(t);
	TEXT_PUNCT(t, "}");
}

void text_array_begin(struct sink *sink, enum array_style style)
{
	struct text *t = (struct text *)sink;

	if (style == ARRAY_SET_INVERTED)
		TEXT_PUNCT(t, "~[");
	else if (style != ARRAY_JOINED)
		TEXT_PUNCT(t, "[");
	push(t, style);
}

void text_item(struct sink *sink)
{
	next_element((struct text *)sink);
}

void text_array_end(struct sink *sink)
{
	struct text *t = (struct text *)sink;
	bool joined = level(t)->style == ARRAY_JOINED;

	pop(t);
	if (!joined)
		TEXT_PUNCT(t, "]");
}

void text_more(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	next_element(t);
	TEXT_PUNCT(t, "...");
}

void text_unreadable(struct sink *sink)
{
	struct text *t = (struct text *)sink;

	next_element(t);
	TEXT_PUNCT(t, "???");
}

void text_change_begin(struct sink *sink)
{
	(void)sink;
}

void text_change_to(struct sink *sink)
{
	TEXT_PUNCT((struct text *)sink, " => ");
}

void text_change_end(struct sink *sink)
{
	(void)sink;
}
