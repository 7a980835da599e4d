/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Maps of generated code: what is a line, which line counts, and what happens
 * while the file grows.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/intern.h"
#include "symbols/perf-map.h"
#include "tests/check.h"

static char path[] = "/tmp/tracer-test-map-XXXXXX";
static int out;

static void say(const char *text)
{
	if (write(out, text, strlen(text)) != (ssize_t)strlen(text))
		exit(2);
}

static void is_at(struct perf_map *map, uint64_t address, const char *name,
		  uint64_t into)
{
	uint64_t offset = 0;
	const char *got = perf_map_find(map, address, &offset);

	OK(name ? got && !strcmp(got, name) && offset == into : !got,
	   "at %#llx: %s", (unsigned long long)address, name ? name : "nothing");
}

static void test_lines(void)
{
	struct perf_map *map;

	say("1000 10 a\n0x2000 0x20 b with blanks\n"
	    "FFFFffff00000000 100 high\n"
	    "no number\n\n3000\n3000 10\n3000 10 \n3000 0 empty\n"
	    "3000 xyz no\nffffffffffffffff 2 around\n"
	    "11111111111111111 1 long number\n-4000 1 negative\n"
	    "4000 10 \033[31mred\n5000 10 unfinished");
	map = perf_map_open(open(path, O_RDONLY));
	if (!OK(map, "a map is opened"))
		return;
	IS_INT(perf_map_update(map), PERF_MAP_LONGER, "it is read");
	is_at(map, 0xfff, NULL, 0);
	is_at(map, 0x1000, "a", 0);
	is_at(map, 0x100f, "a", 15);
	is_at(map, 0x1010, NULL, 0);
	is_at(map, 0x2004, "b with blanks", 4);
	is_at(map, 0xffffffff000000ff, "high", 0xff);
	is_at(map, 0x3000, NULL, 0);
	is_at(map, 0xffffffffffffffff, NULL, 0);
	is_at(map, 0x1111111111111111, NULL, 0);
	is_at(map, 0x4001, "?[31mred", 1);
	is_at(map, 0x5000, NULL, 0);
	IS_INT(perf_map_update(map), PERF_MAP_SAME, "nothing is new");
	say("\n");
	IS_INT(perf_map_update(map), PERF_MAP_LONGER, "a line is finished");
	is_at(map, 0x5000, "unfinished", 0);
	perf_map_close(map);
}

static void test_overwriting(void)
{
	struct perf_map *map = perf_map_open(open(path, O_RDONLY));

	perf_map_update(map);
	say("1008 10 b\n");
	perf_map_update(map);
	is_at(map, 0x1000, NULL, 0);
	is_at(map, 0x1008, "b", 0);
	say("1008 10 c\n0 800 low\n");
	perf_map_update(map);
	is_at(map, 0x1008, "c", 0);
	is_at(map, 0x7ff, "low", 0x7ff);
	say("0 ffffffff00000000 all\n");
	perf_map_update(map);
	is_at(map, 0x1008, "all", 0x1008);
	is_at(map, 0x123456789, "all", 0x123456789);
	is_at(map, 0xffffffff00000001, "high", 1);
	say("1000 10 again\n");
	perf_map_update(map);
	is_at(map, 0x1001, "again", 1);
	is_at(map, 0x2000, NULL, 0);
	IS_INT(ftruncate(out, 0), 0, "the file is truncated");
	IS_INT(perf_map_update(map), PERF_MAP_REPLACED, "that is noticed");
	perf_map_close(map);
}

/* Lines that no compiler writes, and many that one does. */
static void test_size(void)
{
	enum { LONG = 200000, MANY = 50000 };
	char *line = malloc(LONG), text[64];
	struct perf_map *map;
	unsigned wrong = 0;
	uint64_t offset;

	lseek(out, 0, SEEK_SET);
	memset(line, 'x', LONG - 1);
	line[LONG - 1] = '\0';
	say(line);
	say("\n");
	/* Descending: each one comes to lie before all others. */
	for (unsigned i = MANY; i; i--) {
		snprintf(text, sizeof(text), "%x 10 f%u\n", i * 16, i);
		say(text);
	}
	map = perf_map_open(open(path, O_RDONLY));
	perf_map_update(map);
	for (unsigned i = 1; i <= MANY; i++) {
		const char *name = perf_map_find(map, i * 16 + 3, &offset);

		snprintf(text, sizeof(text), "f%u", i);
		wrong += !name || strcmp(name, text) || offset != 3;
	}
	IS_INT(wrong, 0, "all of many are found");
	memcpy(line, "1 1 ", 4);
	say(line);
	say("\n");
	perf_map_update(map);
	is_at(map, 1, NULL, 0);
	say("1 1 short\n");
	perf_map_update(map);
	is_at(map, 1, "short", 0);
	IS_INT(unlink(path), 0, "the file is deleted");
	IS_INT(perf_map_update(map), PERF_MAP_REPLACED, "that is noticed");
	perf_map_close(map);
	free(line);
}

int main(void)
{
	out = mkstemp(path);
	if (out < 0)
		return 2;
	test_lines();
	test_overwriting();
	test_size();
	OK(!perf_map_open(open("/dev/null", O_RDONLY)), "a device is no map");
	OK(!perf_map_open(-1), "nor is nothing");
	close(out);
	intern_fini();
	return check_done();
}
