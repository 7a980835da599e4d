/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The JSON sink: syntax.  Strings and numbers that lose nothing, keys that
 * are unique, brackets that match.
 */
#include <string.h>

#include "output/json.h"

/* ---- strings ---- */

#define CUT_OFF	SIZE_MAX

/*
 * The length of the UTF-8 sequence at bytes; CUT_OFF if they end within it,
 * or 0 if it is none: overlong forms, surrogates and what is beyond U+10FFFF
 * are none.
 */
static size_t sequence_length(const uint8_t *bytes, size_t len)
{
	uint8_t low = 0x80, high = 0xbf;
	size_t n;

	if (bytes[0] < 0x80)
		return 1;
	if (bytes[0] < 0xc2 || bytes[0] > 0xf4)
		return 0;
	n = bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
	if (bytes[0] == 0xe0)
		low = 0xa0;
	else if (bytes[0] == 0xed)
		high = 0x9f;
	else if (bytes[0] == 0xf0)
		low = 0x90;
	else if (bytes[0] == 0xf4)
		high = 0x8f;
	for (size_t i = 1; i < n; i++) {
		if (i == len)
			return CUT_OFF;
		if (bytes[i] < low || bytes[i] > high)
			return 0;
		low = 0x80;
		high = 0xbf;
	}
	return n;
}

size_t json_utf8_length(const void *bytes, size_t len, bool *cut_off)
{
	const uint8_t *at = bytes;
	size_t done = 0, n = 1;

	while (done < len) {
		n = sequence_length(at + done, len - done);
		if (!n || n == CUT_OFF)
			break;
		done += n;
	}
	if (cut_off)
		*cut_off = n == CUT_OFF;
	return done;
}

static char *put_escape(char *p, uint8_t byte)
{
	static const char letters[] = "btn\0fr";	/* from 8 on */

	*p++ = '\\';
	if (byte == '"' || byte == '\\') {
		*p++ = byte;
	} else if (byte >= 8 && byte <= 13 && letters[byte - 8]) {
		*p++ = letters[byte - 8];
	} else {
		memcpy(p, "u00", 3);
		p[3] = "0123456789abcdef"[byte >> 4];
		p[4] = "0123456789abcdef"[byte & 15];
		p += 5;
	}
	return p;
}

static void put_escaped(struct json *j, const uint8_t *at, size_t len)
{
	enum { CHUNK = 1024, MAX_ESCAPE = 6 };
	const uint8_t *end = at + len;

	while (at < end) {
		const uint8_t *stop = end - at < CHUNK ? end : at + CHUNK;
		char *p;

		stream_reserve(j->line, CHUNK * MAX_ESCAPE);
		p = j->line->data + j->line->len;
		for (; at < stop; at++) {
			if (*at < ' ' || *at == '"' || *at == '\\')
				p = put_escape(p, *at);
			else
				*p++ = *at;
		}
		j->line->len = p - j->line->data;
	}
}

/* The part of a string that is UTF-8; returns how long that is. */
static size_t put_utf8(struct json *j, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;
	size_t plain = stream_plain_length(bytes, len), rest = 0;

	stream_reserve(j->line, plain + 2);
	j->line->data[j->line->len++] = '"';
	memcpy(j->line->data + j->line->len, at, plain);
	j->line->len += plain;
	if (plain < len) {
		rest = json_utf8_length(at + plain, len - plain, NULL);
		put_escaped(j, at + plain, rest);
	}
	stream_char(j->line, '"');
	return plain + rest;
}

void json_put_hex_string(struct json *j, const void *bytes, size_t len)
{
	const uint8_t *at = bytes;

	stream_char(j->line, '"');
	for (const uint8_t *end = at + len; at < end; at++) {
		stream_char(j->line, "0123456789abcdef"[*at >> 4]);
		stream_char(j->line, "0123456789abcdef"[*at & 15]);
	}
	stream_char(j->line, '"');
}

void json_put_bytes(struct json *j, const void *bytes, size_t len)
{
	size_t begin = j->line->len;

	if (put_utf8(j, bytes, len) == len)
		return;
	j->line->len = begin;
	JSON_LITERAL(j, "{\"hex\":");
	json_put_hex_string(j, bytes, len);
	stream_char(j->line, '}');
}

void json_put_text(struct json *j, const char *text)
{
	json_put_bytes(j, text, strlen(text));
}

/* ---- numbers ---- */

/* The integers that every reader of JSON keeps exactly. */
#define MAX_EXACT	((INT64_C(1) << 53) - 1)

void json_put_signed(struct json *j, int64_t value)
{
	bool exact = value >= -MAX_EXACT && value <= MAX_EXACT;

	if (!exact)
		JSON_LITERAL(j, "{\"integer\":\"");
	stream_signed(j->line, value);
	if (!exact)
		JSON_LITERAL(j, "\"}");
}

void json_put_unsigned(struct json *j, uint64_t value)
{
	bool exact = value <= MAX_EXACT;

	if (!exact)
		JSON_LITERAL(j, "{\"integer\":\"");
	stream_decimal(j->line, value);
	if (!exact)
		JSON_LITERAL(j, "\"}");
}

void json_put_address(struct json *j, uint64_t address)
{
	JSON_LITERAL(j, "\"0x");
	stream_hex(j->line, address);
	stream_char(j->line, '"');
}

void json_put_seconds(struct json *j, const struct timespec *time)
{
	stream_char(j->line, '"');
	stream_signed(j->line, time->tv_sec);
	stream_char(j->line, '.');
	stream_padded(j->line, time->tv_nsec, 9, '0');
	stream_char(j->line, '"');
}

/* ---- keys ---- */

static struct json_level *innermost(struct json *j)
{
	return j->depth ? &j->levels[j->depth - 1] : NULL;
}

/* Whether the line ends with a key that an open object has at offset. */
static bool same_key(const struct json *j, size_t offset, size_t key)
{
	size_t len = j->line->len - key;

	return offset + len <= key &&
	       !memcmp(j->line->data + offset, j->line->data + key, len);
}

static bool is_taken(const struct json *j, const struct json_level *level,
		     size_t key)
{
	const size_t *keys = (const size_t *)j->keys->data;
	size_t count = j->keys->len / sizeof(*keys);

	for (size_t i = level->first_key; i < count; i++)
		if (same_key(j, keys[i], key))
			return true;
	return false;
}

/* One of 64 bits, for most keys of an object another one. */
static uint64_t key_bit(const char *name, size_t len)
{
	unsigned hash = len;

	if (len)
		hash += (unsigned char)name[0] * 7 +
			(unsigned char)name[len - 1] * 3 +
			(unsigned char)name[len / 2] * 31;
	return UINT64_C(1) << (hash & 63);
}

/* The second "pad" of an object is "pad#2". */
static void put_unique_key(struct json *j, struct json_level *level,
			   const char *name)
{
	size_t len = strlen(name), key = j->line->len;
	uint64_t bit = key_bit(name, len);

	/* of a name that is not UTF-8, and so no key, only what is */
	put_utf8(j, name, len);
	if (level->key_bits & bit) {
		for (unsigned n = 2; is_taken(j, level, key); n++) {
			j->line->len = key;
			put_utf8(j, name, len);
			j->line->len--;
			stream_char(j->line, '#');
			stream_decimal(j->line, n);
			stream_char(j->line, '"');
		}
	}
	level->key_bits |= bit;
	stream_bytes(j->keys, &key, sizeof(key));
	stream_char(j->line, ':');
}

/*
 * The keys of the objects that stand for scalars and marked arrays.  So that
 * a structure is never taken for one of those, it must have another key.
 */
static bool is_form_key(const char *name)
{
	static const char *const keys[] = {
		"address", "after", "before", "comm", "deleted", "details",
		"expression", "fd", "flags", "hex", "integer", "items",
		"more", "name", "not", "path", "pid", "rest", "string",
		"truncated", "unreadable", "value",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		if (!strcmp(name, keys[i]))
			return true;
	return false;
}

static void fill_slot(struct json *j)
{
	if (j->slot)
		JSON_LITERAL(j, "null");
	j->slot = false;
}

void json_key(struct json *j, const char *name)
{
	struct json_level *level = innermost(j);

	if (j->skip || !level || level->kind == JSON_CHANGE)
		return;
	fill_slot(j);
	if (level->any)
		stream_char(j->line, ',');
	level->any = true;
	if (level->kind == JSON_OBJECT) {
		if (!name)
			name = "value";
		put_unique_key(j, level, name);
		if (!level->ordinary && !level->fixed)
			level->ordinary = !is_form_key(name);
	}
	j->slot = true;
}

bool json_value(struct json *j)
{
	bool in_line = j->depth == j->event_depth + 1;

	if (!j->slot && in_line && j->unnamed)
		json_key(j, j->unnamed);
	else if (!j->slot && !in_line)
		json_key(j, NULL);
	if (j->skip || !j->slot)
		return false;
	j->slot = false;
	return true;
}

/* ---- levels ---- */

void json_push(struct json *j, enum json_level_kind kind)
{
	j->levels[j->depth++] = (struct json_level){
		.kind = kind,
		.begin = j->line->len,
		.first_key = j->keys->len / sizeof(size_t),
	};
}

void json_insert(struct json *j, size_t at, const char *text)
{
	struct stream *line = j->line;
	size_t len = strlen(text);

	stream_reserve(line, len);
	memmove(line->data + at + len, line->data + at, line->len - at);
	memcpy(line->data + at, text, len);
	line->len += len;
}

static void put_mark(struct json *j, const char *key)
{
	json_key(j, key);
	JSON_LITERAL(j, "true");
	j->slot = false;
}

/* An array that has marks becomes a member of an object that has them. */
static void close_array(struct json *j, const struct json_level *level)
{
	bool wrapped = level->kind == JSON_INVERTED;

	if (!wrapped && (level->cut || level->unreadable)) {
		json_insert(j, level->begin, "{\"items\":");
		wrapped = true;
	}
	stream_char(j->line, ']');
	if (level->cut)
		JSON_LITERAL(j, ",\"more\":true");
	if (level->unreadable)
		JSON_LITERAL(j, ",\"unreadable\":true");
	if (wrapped)
		stream_char(j->line, '}');
}

static void close_level(struct json *j)
{
	struct json_level *level = innermost(j);

	fill_slot(j);
	switch (level->kind) {
	case JSON_OBJECT:
		if (level->any && !level->ordinary && !level->fixed)
			put_mark(j, "struct");
		if (level->cut)
			put_mark(j, "more");
		if (level->unreadable)
			put_mark(j, "unreadable");
		stream_char(j->line, '}');
		break;
	case JSON_ARRAY:
	case JSON_INVERTED:
		close_array(j, level);
		break;
	case JSON_CHANGE:
		if (level->changed)
			stream_char(j->line, '}');
		break;
	}
	j->keys->len = level->first_key * sizeof(size_t);
	j->depth--;
}

void json_close(struct json *j, unsigned depth)
{
	j->skip = 0;
	while (j->depth > depth)
		close_level(j);
}
