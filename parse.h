/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What people type: numbers, words and sets of them.  It knows no option and
 * no system call.
 *
 * A function that returns a message returns NULL if all is well; the message
 * is good until the next one is made.
 */
#ifndef TRACER_PARSE_H
#define TRACER_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes a message. */
__attribute__((format(printf, 1, 2)))
const char *parse_error(const char *format, ...);

/* A decimal number of at most max: digits and nothing else. */
bool parse_number(const char *text, uint64_t max, uint64_t *value);

/*
 * A time like 5, 5us or 1.5ms in nanoseconds; without s, ms, us or ns behind
 * it is in microseconds.
 */
bool parse_duration(const char *text, int64_t *nanoseconds);

/*
 * Adds what one word stands for; the word is not NUL-terminated.  Returns a
 * message, for instance parse_unknown_word's.
 */
typedef const char *parse_word_fn(void *context, const char *word,
				  size_t len);

/*
 * Parses [!]WORD[,WORD]..., all or none, and calls add for each word.  The
 * set is what the words stand for or, if *inverted, all the rest: all is none
 * inverted.  what: of what kind the words are, for messages.
 */
const char *parse_set(const char *text, const char *what, parse_word_fn *add,
		      void *context, bool *inverted);

/* "invalid WHAT 'WORD'" */
const char *parse_unknown_word(const char *what, const char *word,
			       size_t len);

/* Words and what they stand for, up to one without a name. */
struct word {
	const char *name;
	unsigned bits;
};

/* The word of that name, or NULL. */
const struct word *parse_find_word(const struct word *words, const char *name,
				   size_t len);

/* A set of such words; all: the bits of "all". */
const char *parse_word_set(unsigned *set, const char *text, const char *what,
			   const struct word *words, unsigned all);

#endif
