/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of system calls: names, numbers, classes and patterns, turned into a
 * bit for every number of every ABI.
 */
#include "filter/filter.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

/* Classes, with % before them. */
static const struct word classes[] = {
	{ "file", TRACE_FILE },
	{ "process", TRACE_PROCESS },
	{ "net", TRACE_NETWORK },
	{ "network", TRACE_NETWORK },
	{ "signal", TRACE_SIGNAL },
	{ "ipc", TRACE_IPC },
	{ "desc", TRACE_DESC },
	{ "memory", TRACE_MEMORY },
	{ "creds", TRACE_CREDS },
	{ "clock", TRACE_CLOCK },
	{ "pure", TRACE_PURE },
	{ "stat", TRACE_STAT },
	{ "lstat", TRACE_LSTAT },
	{ "fstat", TRACE_FSTAT },
	{ "%stat", TRACE_STAT_LIKE },
	{ "statfs", TRACE_STATFS },
	{ "fstatfs", TRACE_FSTATFS },
	{ "%statfs", TRACE_STATFS_LIKE },
	{ NULL, 0 },
};

/* Those that go without it as well, by old habit. */
static const struct word bare_classes[] = {
	{ "file", TRACE_FILE },
	{ "process", TRACE_PROCESS },
	{ "network", TRACE_NETWORK },
	{ "signal", TRACE_SIGNAL },
	{ "ipc", TRACE_IPC },
	{ "desc", TRACE_DESC },
	{ "memory", TRACE_MEMORY },
	{ NULL, 0 },
};

static const struct word designators[] = {
	{ "64", ON_X86_64 },
	{ "32", ON_I386 },
	{ "x32", ON_X32 },
	{ NULL, 0 },
};

enum { MAX_PATTERN = 256 };

/* What one word of a set asks of a call. */
struct match {
	enum { MATCH_ALL, MATCH_CLASS, MATCH_NUMBER, MATCH_REGEX,
	       MATCH_NAME } by;
	unsigned abis;			/* enum abi_mask */
	unsigned classes;
	uint64_t number;
	const char *name;
	size_t name_len;
	regex_t regex;
};

static void add_bit(struct call_set *set, enum abi_id abi, size_t slot)
{
	set->bits[abi][slot / 64] |= UINT64_C(1) << slot % 64;
}

static bool same_name(const char *name, const struct match *match)
{
	return !strncmp(name, match->name, match->name_len) &&
	       !name[match->name_len];
}

static bool matches(const struct match *match, const struct sysent *call)
{
	switch (match->by) {
	case MATCH_CLASS:
		return call->classes & match->classes;
	case MATCH_REGEX:
		return !regexec(&match->regex, call->name, 0, NULL, 0);
	case MATCH_NAME:
		/* A call may be shown under another name than the kernel's. */
		return same_name(call->name, match) ||
		       (call->number && same_name(call->number->name, match));
	default:
		return false;
	}
}

/* A number, with the ABI's bits in it or without; it may be a hole. */
static bool add_number(struct call_set *set, const struct abi *abi,
		       uint64_t number)
{
	uint64_t slot = number;

	if (slot >= set->slots[abi->id])
		slot ^= abi->nr_bit;
	if (slot >= set->slots[abi->id])
		return false;
	add_bit(set, abi->id, slot);
	return true;
}

static bool add_matching(struct call_set *set, const struct abi *abi,
			 const struct match *match)
{
	bool any = false;

	if (match->by == MATCH_NUMBER)
		return add_number(set, abi, match->number);
	for (size_t slot = 0; slot < set->slots[abi->id]; slot++) {
		const struct sysent *call = sysent_at(abi, slot);

		if (match->by != MATCH_ALL && !(call && matches(match, call)))
			continue;
		add_bit(set, abi->id, slot);
		any = true;
	}
	return any;
}

/* Takes "@DESIGNATOR" off the end of a word. */
static const char *parse_designator(struct match *match, const char *word,
				    size_t *len)
{
	const struct word *designator;
	size_t at = *len;

	match->abis = ON_ALL;
	while (at > 0 && word[at - 1] != '@')
		at--;
	if (at == 0)
		return NULL;
	designator = parse_find_word(designators, word + at, *len - at);
	if (!designator)
		return parse_error("incorrect personality designator '%.*s' "
				   "in qualification '%.*s'",
				   (int)(*len - at), word + at,
				   (int)*len, word);
	match->abis = designator->bits;
	*len = at - 1;
	return NULL;
}

static const char *parse_regex(struct match *match, const char *word,
			       size_t len)
{
	char pattern[MAX_PATTERN], why[MAX_PATTERN];
	int error;

	if (len >= sizeof(pattern))
		return parse_error("regular expression '%.*s' is too long",
				   (int)len, word);
	memcpy(pattern, word, len);
	pattern[len] = '\0';
	error = regcomp(&match->regex, pattern, REG_EXTENDED | REG_NOSUB);
	if (!error) {
		match->by = MATCH_REGEX;
		return NULL;
	}
	regerror(error, &match->regex, why, sizeof(why));
	return parse_error("invalid regular expression '%s': %s", pattern,
			   why);
}

/* What a word without its '?' and its designator asks for. */
static const char *parse_match(struct match *match, const char *word,
			       size_t len)
{
	const struct word *class = parse_find_word(bare_classes, word, len);
	char digits[24];

	if (len && *word == '/')
		return parse_regex(match, word + 1, len - 1);
	if (len && *word == '%')
		class = parse_find_word(classes, word + 1, len - 1);
	match->name = word;
	match->name_len = len;
	match->by = MATCH_NAME;
	if (len == strlen("all") && !memcmp(word, "all", len)) {
		match->by = MATCH_ALL;
	} else if (class) {
		match->by = MATCH_CLASS;
		match->classes = class->bits;
	} else if (len < sizeof(digits)) {
		memcpy(digits, word, len);
		digits[len] = '\0';
		if (parse_number(digits, UINT32_MAX, &match->number))
			match->by = MATCH_NUMBER;
	}
	return NULL;
}

static const char *add_word(void *context, const char *word, size_t len)
{
	struct call_set *set = context;
	const char *whole = word, *message;
	size_t whole_len = len;
	struct match match;
	bool any = false;

	for (; len && *word == '?'; word++, len--)
		any = true;
	message = parse_designator(&match, word, &len);
	if (!message)
		message = parse_match(&match, word, len);
	if (message)
		return message;
	for (enum abi_id abi = 0; abi < ABI_COUNT; abi++) {
		if (match.abis & 1u << abi)
			any |= add_matching(set, &abis[abi], &match);
	}
	if (match.by == MATCH_REGEX)
		regfree(&match.regex);
	if (match.by == MATCH_ALL && match.abis == ON_ALL)
		set->all = true;
	/* An ABI may have no call of a class. */
	return any || match.by == MATCH_CLASS ? NULL
		   : parse_unknown_word("system call", whole, whole_len);
}

static void invert(struct call_set *set)
{
	set->all = !set->all;
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		for (size_t i = 0; i * 64 < set->slots[abi]; i++)
			set->bits[abi][i] = ~set->bits[abi][i];
	}
}

static bool make_empty(struct call_set *set)
{
	*set = (struct call_set){ .all = false };
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		size_t count = sysent_count(&abis[abi]);

		/* One more, so that no set is without an array. */
		set->bits[abi] = calloc(count / 64 + 1, sizeof(uint64_t));
		if (!set->bits[abi])
			return false;
		set->slots[abi] = count;
	}
	return true;
}

const char *call_set_parse(struct call_set *set, const char *text)
{
	struct call_set new;
	const char *message;
	bool inverted;

	if (!make_empty(&new)) {
		call_set_free(&new);
		return parse_error("out of memory");
	}
	message = parse_set(text, "system call", add_word, &new, &inverted);
	if (message) {
		call_set_free(&new);
		return message;
	}
	if (inverted)
		invert(&new);
	call_set_free(set);
	*set = new;
	return NULL;
}

void call_set_free(struct call_set *set)
{
	for (size_t abi = 0; abi < ABI_COUNT; abi++)
		free(set->bits[abi]);
	*set = (struct call_set){ .all = false };
}
