/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers, times and sets of words.
 */
#include "parse.h"
#include "check.h"

static void check_numbers(void)
{
	uint64_t value = 77;

	OK(parse_number("0", 10, &value) && value == 0, "0");
	OK(parse_number("0012", 12, &value) && value == 12, "0012");
	OK(!parse_number("13", 12, &value), "13 is more than 12");
	OK(parse_number("18446744073709551615", UINT64_MAX, &value) &&
	   value == UINT64_MAX, "the biggest one");
	OK(!parse_number("18446744073709551616", UINT64_MAX, &value),
	   "one more");
	OK(!parse_number("5", 4, &value), "one digit too big");
	OK(!parse_number("5", 0, &value), "more than 0");
	OK(!parse_number("", 10, &value), "nothing");
	OK(!parse_number("-1", 10, &value), "-1");
	OK(!parse_number("+1", 10, &value), "+1");
	OK(!parse_number(" 1", 10, &value), "a space");
	OK(!parse_number("1x", 10, &value), "a letter");
	IS_INT(value, UINT64_MAX, "then the value is as it was");
}

static int64_t duration(const char *text)
{
	int64_t nanoseconds = -1;

	return parse_duration(text, &nanoseconds) ? nanoseconds : -1;
}

static void check_durations(void)
{
	IS_INT(duration("5"), 5000, "microseconds by default");
	IS_INT(duration("5us"), 5000, "5us");
	IS_INT(duration("7ns"), 7, "7ns");
	IS_INT(duration("20ms"), 20000000, "20ms");
	IS_INT(duration("3s"), 3000000000, "3s");
	IS_INT(duration("1.5ms"), 1500000, "1.5ms");
	IS_INT(duration(".25"), 250, ".25");
	IS_INT(duration("2.s"), 2000000000, "2.s");
	IS_INT(duration("0.1234567891234s"), 123456789, "more than exact");
	IS_INT(duration("0.9ns"), 0, "less than the smallest");
	IS_INT(duration("999999999s"), 999999999000000000, "31 years");
	IS_INT(duration("1000000000s"), -1, "too long");
	IS_INT(duration(""), -1, "nothing");
	IS_INT(duration("."), -1, "a point");
	IS_INT(duration("us"), -1, "a unit alone");
	IS_INT(duration("1h"), -1, "an unknown unit");
	IS_INT(duration("-1"), -1, "less than nothing");
	IS_INT(duration("1 us"), -1, "a space");
}

static void check_words(void)
{
	static const struct word words[] = {
		{ "red", 1 }, { "green", 2 }, { "yellow", 3 }, { NULL, 0 },
	};
	unsigned set = 77;

	IS_STR(parse_word_set(&set, "purple", "color", words, 7),
	       "invalid color 'purple'", "an unknown word");
	IS_STR(parse_word_set(&set, "red,re", "color", words, 7),
	       "invalid color 're'", "half a word");
	IS_STR(parse_word_set(&set, "", "color", words, 7),
	       "invalid color ''", "nothing");
	IS_STR(parse_word_set(&set, "!", "color", words, 7),
	       "invalid color '!'", "nothing, inverted");
	IS_STR(parse_word_set(&set, "all,red", "color", words, 7),
	       "invalid color 'all'", "all is not one of several");
	IS_INT(set, 77, "then the set is as it was");
	IS_STR(parse_word_set(&set, "green", "color", words, 7), NULL,
	       "a word");
	IS_INT(set, 2, "is what it stands for");
	parse_word_set(&set, "red,yellow", "color", words, 7);
	IS_INT(set, 3, "words add up");
	parse_word_set(&set, "!red", "color", words, 7);
	IS_INT(set, 6, "inverted");
	parse_word_set(&set, "!!red", "color", words, 7);
	IS_INT(set, 1, "inverted twice");
	parse_word_set(&set, "all", "color", words, 7);
	IS_INT(set, 7, "all");
	parse_word_set(&set, "none", "color", words, 7);
	IS_INT(set, 0, "none");
	parse_word_set(&set, "!none", "color", words, 7);
	IS_INT(set, 7, "not none");
}

int main(void)
{
	check_numbers();
	check_durations();
	check_words();
	return check_done();
}
