/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Whether text is one value of JSON (RFC 8259) in valid UTF-8.  It shares
 * nothing with the sink that it checks.
 */
#ifndef TRACER_JSON_CHECK_H
#define TRACER_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct json_reader {
	const char *at, *end;
	unsigned depth;
};

static bool json_read_value(struct json_reader *r);

static bool json_eat(struct json_reader *r, const char *text)
{
	const size_t len = strlen(text);

	if ((size_t)(r->end - r->at) < len || memcmp(r->at, text, len))
		return false;
	r->at += len;
	return true;
}

static bool json_read_digits(struct json_reader *r)
{
	const char *begin = r->at;

	while (r->at < r->end && *r->at >= '0' && *r->at <= '9')
		r->at++;
	return r->at > begin;
}

static bool json_read_number(struct json_reader *r)
{
	json_eat(r, "-");
	if (!json_eat(r, "0") && !json_read_digits(r))
		return false;
	if (json_eat(r, ".") && !json_read_digits(r))
		return false;
	if (json_eat(r, "e") || json_eat(r, "E")) {
		if (!json_eat(r, "+"))
			json_eat(r, "-");
		return json_read_digits(r);
	}
	return true;
}

static bool json_read_escape(struct json_reader *r)
{
	if (r->at == r->end)
		return false;
	if (strchr("\"\\/bfnrt", *r->at))
		return *r->at++ != '\0';
	if (*r->at++ != 'u')
		return false;
	for (int i = 0; i < 4; i++)
		if (r->at == r->end ||
		    !memchr("0123456789abcdefABCDEF", *r->at++, 22))
			return false;
	return true;
}

/* One character of more than one byte, in its only form. */
static bool json_read_utf8(struct json_reader *r)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const uint8_t first = *r->at++;
	const int count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
	uint32_t c = first & (0x7f >> count);

	if (first < 0xc2 || first > 0xf4)
		return false;
	for (int i = 1; i < count; i++) {
		if (r->at == r->end || (*r->at & 0xc0) != 0x80)
			return false;
		c = c << 6 | (*r->at++ & 0x3f);
	}
	return c >= least[count] && c <= 0x10ffff &&
	       (c < 0xd800 || c > 0xdfff);
}

static bool json_read_string(struct json_reader *r)
{
	if (!json_eat(r, "\""))
		return false;
	while (r->at < r->end) {
		const uint8_t c = *r->at;

		if (c == '"') {
			r->at++;
			return true;
		}
		if (c < ' ')
			return false;
		if (c >= 0x80) {
			if (!json_read_utf8(r))
				return false;
		} else {
			r->at++;
			if (c == '\\' && !json_read_escape(r))
				return false;
		}
	}
	return false;
}

static bool json_read_list(struct json_reader *r, const char *close,
			   bool keys)
{
	if (json_eat(r, close))
		return true;
	do {
		if (keys && !(json_read_string(r) && json_eat(r, ":")))
			return false;
		if (!json_read_value(r))
			return false;
	} while (json_eat(r, ","));
	return json_eat(r, close);
}

static bool json_read_value(struct json_reader *r)
{
	bool good;

	if (++r->depth > 1000)
		return false;
	if (json_eat(r, "{"))
		good = json_read_list(r, "}", true);
	else if (json_eat(r, "["))
		good = json_read_list(r, "]", false);
	else if (r->at < r->end && *r->at == '"')
		good = json_read_string(r);
	else
		good = json_eat(r, "null") || json_eat(r, "true") ||
		       json_eat(r, "false") || json_read_number(r);
	r->depth--;
	return good;
}

static bool json_is_valid(const char *text, size_t len)
{
	struct json_reader r = { text, text + len, 0 };

	return json_read_value(&r) && r.at == r.end;
}

#endif
