/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words that are more than a set of flags: flags around a number, values of
 * different kinds side by side, values packed by a macro, and expressions of
 * constants.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"

enum { MAX_PARTS = 64, MAX_MADE_UP = 64 };

struct flag_word {
	struct flag_part parts[MAX_PARTS];
	size_t count;
	uint64_t rest;
};

static void add_part(struct flag_word *word, uint64_t value, const char *name,
		     const char *label)
{
	if (word->count == MAX_PARTS)
		return;
	word->parts[word->count++] = (struct flag_part){
		.value = value, .name = name, .label = label,
	};
	word->rest &= ~value;
}

/* The base of a set; one that is unknown is labelled by itself. */
static void add_base(struct decoder *d, const struct constset *set,
		     struct flag_word *word)
{
	uint64_t base = word->rest & set->base_mask;

	add_part(word, base, constset_name(set->base, d->abi, base),
		 set->unknown);
}

/* What no flag names; the label only if nothing stands before it. */
static void add_rest(const struct constset *set, struct flag_word *word)
{
	add_part(word, word->rest, NULL, word->count ? NULL : set->unknown);
}

void print_shifted(struct decoder *d, const struct type *type, uint64_t value)
{
	const struct constset *set = type->set;
	char number[MAX_MADE_UP];
	uint64_t shifted = value >> type->number;
	struct flag_word word = {
		.rest = value & ~(UINT64_MAX << type->number),
	};

	if (set->base)
		add_base(d, set, &word);
	for (size_t i = 0; i < set->count && word.rest; i++) {
		const struct constant *c = &set->members[i];

		if ((c->abis & 1u << d->abi->id) && c->value &&
		    (word.rest & c->value) == c->value)
			add_part(&word, c->value, c->name, NULL);
	}
	if (word.rest)
		add_rest(set, &word);
	if (shifted) {
		snprintf(number, sizeof(number), "%" PRIu64 "<<%s", shifted,
			 type->label);
		add_part(&word, shifted << type->number, number, NULL);
	}
	SINK_CALL(d->sink, flags, value, word.parts, word.count, 0,
		  set->unknown);
}

/* No flag needs no "0" beside the other values, unless it has a name. */
static bool names_zero(const struct constset *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (!set->members[i].value)
			return true;
	return false;
}

void print_joined(struct decoder *d, const struct type *type, uint64_t value)
{
	SINK_CALL(d->sink, array_begin, ARRAY_JOINED);
	for (size_t i = 0; i < type->choice_count; i++) {
		const struct choice *c = &type->choices[i];
		uint64_t part = value & c->value;

		if (!part && c->type->kind == KIND_FLAGS &&
		    !names_zero(c->type->set))
			continue;
		SINK_CALL(d->sink, item);
		decode_value(d, c->type, type->ctype, part);
	}
	SINK_CALL(d->sink, array_end);
}

/* A name, or the number with the label of what it is not. */
static const char *name_or_number(struct decoder *d,
				  const struct constset *set, uint64_t value,
				  char *text, size_t size)
{
	const char *name = constset_name(set, d->abi, value);

	if (name)
		return name;
	snprintf(text, size, "%#" PRIx64 " /* %s */", value, set->unknown);
	return text;
}

void print_packed(struct decoder *d, const struct type *type, uint64_t value)
{
	const struct type *lower = type->choices->type;
	uint64_t rest = value & ~(UINT64_MAX << type->number);
	char upper_text[MAX_MADE_UP], lower_text[MAX_MADE_UP];
	char text[3 * MAX_MADE_UP];
	const char *rest_name = lower_text;

	if (lower->kind == KIND_ENUM)
		rest_name = name_or_number(d, lower->set, rest, lower_text,
					   sizeof(lower_text));
	else
		snprintf(lower_text, sizeof(lower_text), "%" PRIu64, rest);
	snprintf(text, sizeof(text), "%s(%s, %s)", type->label,
		 name_or_number(d, type->set, value >> type->number,
				upper_text, sizeof(upper_text)), rest_name);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = type->choices->value });
}

/* Appends to a text of the given size, of which len are taken, what fits. */
static size_t append(char *text, size_t size, size_t len, const char *more)
{
	int added = snprintf(text + len, size - len, "%s%s", len ? "|" : "",
			     more);

	return added < 0 || (size_t)added >= size - len ? len : len + added;
}

void print_names(struct decoder *d, const struct type *type, uint64_t value)
{
	const struct constset *set = type->set;
	char text[512], rest_text[MAX_MADE_UP];
	uint64_t rest = value;
	size_t len = 0;

	if (set->base) {
		const char *name = constset_name(set->base, d->abi,
						 value & set->base_mask);

		if (name) {
			len = append(text, sizeof(text), len, name);
			rest &= ~set->base_mask;
		}
	}
	for (size_t i = 0; i < set->count && rest; i++) {
		const struct constant *c = &set->members[i];

		if ((c->abis & 1u << d->abi->id) && c->value &&
		    (rest & c->value) == c->value) {
			len = append(text, sizeof(text), len, c->name);
			rest &= ~c->value;
		}
	}
	if (rest || !len) {
		snprintf(rest_text, sizeof(rest_text), "%#" PRIx64, rest);
		append(text, sizeof(text), len, rest_text);
	}
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX,
		.fixed = true });
}

/* ---- expressions ---- */

static void add_formatted(char *text, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add_formatted(char *text, const char *format, ...)
{
	size_t len = strlen(text);
	va_list args;

	va_start(args, format);
	vsnprintf(text + len, COMPOSED_SIZE - len, format, args);
	va_end(args);
}

void compose_text(struct composed *c, const char *format, ...)
{
	char text[COMPOSED_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	add_formatted(c->names, "%s", text);
	add_formatted(c->numbers, "%s", text);
	add_formatted(c->both, "%s", text);
}

void compose_number_comment(struct composed *c, const char *text)
{
	add_formatted(c->numbers, " /* %s */", text);
}

void compose_symbol(struct decoder *d, struct composed *c,
		    const struct constset *set, uint64_t value)
{
	const char *name = constset_name(set, d->abi, value);
	char number[24];

	snprintf(number, sizeof(number),
		 set->decimal ? "%" PRIu64 : "%#" PRIx64, value);
	if (name)
		add_formatted(c->names, "%s", name);
	else
		add_formatted(c->names, "%s /* %s */", number, set->unknown);
	add_formatted(c->numbers, "%s", number);
	add_formatted(c->both, "%s /* %s */", number,
		      name ? name : set->unknown);
}

void compose_show(struct decoder *d, const struct composed *c,
		  uint64_t value)
{
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = c->names, .numbers = c->numbers, .both = c->both,
		.value = value, .base = BASE_HEX });
}
