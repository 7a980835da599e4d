/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers, words and sets, as they stand on a command line.
 */
#include "parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *parse_error(const char *format, ...)
{
	static char message[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	return message;
}

bool parse_number(const char *text, uint64_t max, uint64_t *value)
{
	uint64_t number = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = *text - '0';

		if (digit > 9 || number > (max - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	if (number > max)
		return false;
	*value = number;
	return true;
}

bool parse_duration(const char *text, int64_t *nanoseconds)
{
	static const struct word units[] = {
		{ "s", 1000000000 },
		{ "ms", 1000000 },
		{ "us", 1000 },
		{ "ns", 1 },
		{ "", 1000 },
		{ NULL, 0 },
	};
	size_t digits = strspn(text, "0123456789");
	size_t decimals = 0;
	const char *behind = text + digits;
	const struct word *unit;
	int64_t whole = 0, part = 0, scale;

	if (*behind == '.') {
		decimals = strspn(++behind, "0123456789");
		behind += decimals;
	}
	unit = parse_find_word(units, behind, strlen(behind));
	/* Nine digits of seconds are 31 years. */
	if (!unit || digits + decimals == 0 || digits > 9)
		return false;
	for (size_t i = 0; i < digits; i++)
		whole = whole * 10 + (text[i] - '0');
	scale = unit->bits;
	for (size_t i = 0; i < decimals && scale > 1; i++) {
		scale /= 10;
		part += (text[digits + 1 + i] - '0') * scale;
	}
	*nanoseconds = whole * unit->bits + part;
	return true;
}

const char *parse_unknown_word(const char *what, const char *word, size_t len)
{
	return parse_error("invalid %s '%.*s'", what, (int)len, word);
}

const char *parse_set(const char *text, const char *what, parse_word_fn *add,
		      void *context, bool *inverted)
{
	const char *rest = text;
	bool any = false;

	*inverted = false;
	for (; *rest == '!'; rest++)
		*inverted = !*inverted;
	if (!strcmp(rest, "none"))
		return NULL;
	if (!strcmp(rest, "all")) {
		*inverted = !*inverted;
		return NULL;
	}
	while (*rest) {
		size_t len = strcspn(rest, ",");

		if (len) {
			const char *message = add(context, rest, len);

			if (message)
				return message;
			any = true;
		}
		rest += len;
		rest += *rest == ',';
	}
	return any ? NULL : parse_unknown_word(what, text, strlen(text));
}

const struct word *parse_find_word(const struct word *words, const char *name,
				   size_t len)
{
	for (const struct word *word = words; word->name; word++) {
		if (strlen(word->name) == len &&
		    !memcmp(word->name, name, len))
			return word;
	}
	return NULL;
}

struct word_set {
	const char *what;
	const struct word *words;
	unsigned bits;
};

static const char *add_word(void *context, const char *name, size_t len)
{
	struct word_set *set = context;
	const struct word *word = parse_find_word(set->words, name, len);

	if (!word)
		return parse_unknown_word(set->what, name, len);
	set->bits |= word->bits;
	return NULL;
}

const char *parse_word_set(unsigned *set, const char *text, const char *what,
			   const struct word *words, unsigned all)
{
	struct word_set new = { .what = what, .words = words };
	bool inverted;
	const char *message = parse_set(text, what, add_word, &new, &inverted);

	if (!message)
		*set = inverted ? all & ~new.bits : new.bits;
	return message;
}
