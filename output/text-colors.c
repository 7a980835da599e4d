/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The colours of the text sink.  A line begins and ends without a colour, and
 * a sequence is written only where the colour changes.
 */
#include <string.h>

#include "output/text.h"

static const struct {
	const char *key;
	const char *sgr;
} defaults[COLOR_COUNT] = {
	[COLOR_SYSCALL] = { "syscall", "33" },
	[COLOR_ARGNAME] = { "argname", "39" },
	[COLOR_ARGVAL] = { "argval", "35" },
	[COLOR_CALL] = { "call", "33" },
	[COLOR_CONST] = { "const", "34" },
	[COLOR_COMMENT] = { "comment", "36" },
	[COLOR_PUNCT] = { "punct", "0" },
	[COLOR_RETVAL] = { "retval", "32" },
	[COLOR_ERROR] = { "error", "31" },
};

#define ESCAPE_BEGIN	"\033["
#define ESCAPE_END	"m"
#define RESET		ESCAPE_BEGIN "0" ESCAPE_END

static void set_code(struct palette *palette, enum color color,
		     const char *sgr, size_t len)
{
	char *text = palette->codes[color].text;

	if (!len || strspn(sgr, "0123456789;") < len ||
	    len + strlen(ESCAPE_BEGIN ESCAPE_END) > sizeof(palette->codes->text))
		return;
	if (len == 1 && *sgr == '0') {	/* as good as no colour */
		palette->codes[color].len = 0;
		return;
	}
	memcpy(text, ESCAPE_BEGIN, strlen(ESCAPE_BEGIN));
	memcpy(text + strlen(ESCAPE_BEGIN), sgr, len);
	memcpy(text + strlen(ESCAPE_BEGIN) + len, ESCAPE_END,
	       strlen(ESCAPE_END));
	palette->codes[color].len = len + strlen(ESCAPE_BEGIN ESCAPE_END);
}

static void set_key(struct palette *palette, const char *key, size_t key_len,
		    const char *sgr, size_t len)
{
	for (enum color c = COLOR_SYSCALL; c < COLOR_COUNT; c++)
		if (strlen(defaults[c].key) == key_len &&
		    !memcmp(defaults[c].key, key, key_len))
			set_code(palette, c, sgr, len);
}

void palette_init(struct palette *palette, const char *spec)
{
	memset(palette, 0, sizeof(*palette));
	for (enum color c = COLOR_SYSCALL; c < COLOR_COUNT; c++)
		set_code(palette, c, defaults[c].sgr, strlen(defaults[c].sgr));
	while (spec && *spec) {
		size_t len = strcspn(spec, ":");
		const char *value = memchr(spec, '=', len);

		if (value)
			set_key(palette, spec, value - spec, value + 1,
				spec + len - value - 1);
		spec += len;
		spec += *spec == ':';
	}
}

void text_color_changes(struct text *t, enum color color)
{
	/* within a result, only an error stands out */
	if (t->in_result && color != COLOR_NONE && color != COLOR_ERROR)
		color = COLOR_RETVAL;
	if (!t->palette->codes[color].len)
		color = COLOR_NONE;
	if (color == t->color)
		return;
	if (t->color != COLOR_NONE)
		stream_hidden(t->out, RESET, strlen(RESET));
	if (color != COLOR_NONE)
		stream_hidden(t->out, t->palette->codes[color].text,
			      t->palette->codes[color].len);
	t->color = color;
}
