/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unit tests that speak TAP, the Test Anything Protocol.
 *
 *	int main(void)
 *	{
 *		OK(x > 0, "x is positive");
 *		IS_INT(f(2), 4, "f doubles %d", 2);
 *		IS_STR(name(3), "three", "the name of 3");
 *		return check_done();
 *	}
 *
 * Each check is an expression that is true if it passed; its name is a printf
 * format with arguments.  A failed check prints what it got and what it
 * wanted, and the test goes on.
 */
#ifndef TRACER_CHECK_H
#define TRACER_CHECK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned check_count, check_failures;

/* A TAP diagnostic: every line of the text gets its own '#'. */
__attribute__((format(printf, 1, 2), unused))
static void check_note(const char *format, ...)
{
	va_list args;
	char text[4096];

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (char *line = text, *end; line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		if (*line || end)
			printf("#   %s\n", line);
	}
}

__attribute__((format(printf, 4, 5), unused))
static bool check_report(bool passed, const char *file, int line,
			 const char *format, ...)
{
	va_list args;

	check_count++;
	printf("%sok %u - ", passed ? "" : "not ", check_count);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	if (!passed) {
		check_failures++;
		check_note("at %s:%d", file, line);
	}
	/* What was printed must survive a crash in the next check. */
	fflush(stdout);
	return passed;
}

/* A string that is shown so that every byte of it can be seen. */
__attribute__((unused))
static void check_show(const char *label, const char *str)
{
	printf("#   %s", label);
	if (!str) {
		puts("NULL");
		return;
	}
	putchar('"');
	for (; *str; str++) {
		unsigned char c = *str;

		if (c == '\n')
			fputs("\\n", stdout);
		else if (c == '\t')
			fputs("\\t", stdout);
		else if (c < ' ' || c == 0x7f)
			printf("\\%03o", c);
		else
			putchar(c);
	}
	puts("\"");
}

__attribute__((unused))
static void check_differ(const char *got, const char *want)
{
	check_show("got:  ", got);
	check_show("want: ", want);
	fflush(stdout);
}

/* Ends the TAP output of a test; returns the exit status of main(). */
__attribute__((unused))
static int check_done(void)
{
	printf("1..%u\n", check_count);
	return check_failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A whole test that cannot be run here: skips it and exits. */
__attribute__((noreturn, unused))
static void check_skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	exit(EXIT_SUCCESS);
}

/* One check that cannot be made here. */
__attribute__((unused))
static void check_skip(const char *name, const char *why)
{
	printf("ok %u - %s # SKIP %s\n", ++check_count, name, why);
}

#define OK(cond, ...) \
	check_report((cond), __FILE__, __LINE__, __VA_ARGS__)

/* Signed or unsigned, up to 64 bits; shown in both ways. */
#define IS_INT(got_, want_, ...)					\
({									\
	__typeof__((got_) + 0) check_got_ = (got_);			\
	__typeof__((want_) + 0) check_want_ = (want_);			\
	bool check_same_ = (uint64_t)check_got_				\
			   == (uint64_t)check_want_;			\
									\
	check_report(check_same_, __FILE__, __LINE__, __VA_ARGS__);	\
	if (!check_same_) {						\
		check_note("got:  %" PRId64 " (%#" PRIx64 ")",		\
			   (int64_t)check_got_, (uint64_t)check_got_);	\
		check_note("want: %" PRId64 " (%#" PRIx64 ")",		\
			   (int64_t)check_want_,			\
			   (uint64_t)check_want_);			\
	}								\
	check_same_;							\
})

#define IS_STR(got_, want_, ...)					\
({									\
	const char *check_got_ = (got_);				\
	const char *check_want_ = (want_);				\
	bool check_same_ = check_got_ && check_want_			\
			   ? !strcmp(check_got_, check_want_)		\
			   : check_got_ == check_want_;			\
									\
	check_report(check_same_, __FILE__, __LINE__, __VA_ARGS__);	\
	if (!check_same_)						\
		check_differ(check_got_, check_want_);			\
	check_same_;							\
})

#endif
