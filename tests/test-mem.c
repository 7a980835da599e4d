/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Views of tracee memory: of a snapshot, and of this very process, which has
 * unreadable pages at known places.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "mem.h"
#include "tests/check.h"

/* ---- a snapshot ---- */

static void test_snapshot(void)
{
	static const struct view_blob blobs[] = {
		{ 0x2000, "world", 6 },		/* with its NUL */
		{ 0x1ffa, "hello ", 6 },	/* right before it */
		{ 0x5000, "abc", 3 },
		{ UINT64_MAX - 3, "end", 3 },
	};
	struct view view;
	char buf[64];
	bool terminated;

	view_open_snapshot(&view, blobs, 4);
	IS_INT(view_read(&view, 0x2000, buf, 5), 5, "a piece is read");
	OK(!memcmp(buf, "world", 5), "it has its bytes");
	IS_INT(view_read(&view, 0x1ffa, buf, 12), 12,
	       "pieces side by side are read as one");
	OK(!memcmp(buf, "hello world", 12), "in the order of addresses");
	IS_INT(view_read(&view, 0x2003, buf, 10), 3,
	       "reading ends where the piece ends");
	IS_INT(view_read(&view, 0x3000, buf, 1), 0, "between pieces is nothing");
	IS_INT(view_read(&view, 0x1ff9, buf, 4), 0,
	       "and nothing is read from behind an unreadable byte");
	IS_INT(view_read(&view, 0x2000, buf, 0), 0, "no bytes can be asked for");
	OK(view_read_exactly(&view, 0x5000, buf, 3), "exactly what is there");
	OK(!view_read_exactly(&view, 0x5000, buf, 4), "is not more than that");
	IS_INT(view_read(&view, UINT64_MAX - 3, buf, 64), 3,
	       "reading ends at the last address");
	IS_INT(view_read(&view, UINT64_MAX, buf, 64), 0,
	       "where nothing can be read");

	IS_INT(view_read_string(&view, 0x1ffa, buf, sizeof(buf), &terminated),
	       11, "a string over two pieces");
	OK(terminated, "ends with its NUL");
	IS_STR(buf, "hello world", "it is the whole string");
	IS_INT(view_read_string(&view, 0x1ffa, buf, 4, &terminated), 4,
	       "of a longer string as much as is wanted");
	OK(!terminated, "is known not to be all");
	IS_INT(view_read_string(&view, 0x2000, buf, 5, &terminated), 5,
	       "of a string that just fits without its NUL");
	OK(!terminated, "the end is not seen");
	IS_INT(view_read_string(&view, 0x2000, buf, 6, &terminated), 5,
	       "of one that fits with it");
	OK(terminated, "the end is seen");
	IS_INT(view_read_string(&view, 0x5000, buf, sizeof(buf), &terminated),
	       -1, "a string without an end is unreadable");
	IS_INT(view_read_string(&view, 0x5000, buf, 3, &terminated), 3,
	       "unless enough of it is there");
	IS_INT(view_read_string(&view, 0x9000, buf, 3, &terminated), -1,
	       "nothing is no string");
	view_close(&view);
}

/* ---- a process ---- */

enum { PAGES = 20 };

/*
 * PAGES readable pages between two that are not, filled so that the bytes at
 * different places differ.
 */
static uint8_t *make_pages(void)
{
	uint8_t *all = mmap(NULL, (PAGES + 2) * VIEW_PAGE, PROT_NONE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint8_t *pages = all + VIEW_PAGE;

	if (all == MAP_FAILED ||
	    mprotect(pages, PAGES * VIEW_PAGE, PROT_READ | PROT_WRITE))
		exit(99);
	for (size_t i = 0; i < PAGES * VIEW_PAGE; i++)
		pages[i] = 1 + i % 251;
	return pages;
}

static void test_process(void)
{
	static uint8_t buf[(PAGES + 1) * VIEW_PAGE];
	uint8_t *pages = make_pages();
	uint64_t start = (uintptr_t)pages;
	uint64_t end = start + PAGES * VIEW_PAGE;
	static const size_t lengths[] = {
		1, 2, 8, 100, VIEW_PAGE - 1, VIEW_PAGE, VIEW_PAGE + 1,
		3 * VIEW_PAGE, 9 * VIEW_PAGE + 5,
	};
	struct view view;
	unsigned wrong = 0;

	view_open_process(&view, getpid());
	for (size_t l = 0; l < sizeof(lengths) / sizeof(lengths[0]); l++) {
		size_t len = lengths[l];

		for (int from = -3; from <= 3; from++) {
			size_t at = 5 * VIEW_PAGE + from;

			memset(buf, 0, len);
			if (view_read(&view, start + at, buf, len) != len ||
			    memcmp(buf, pages + at, len))
				wrong++;
			/* again: from the cache, if that is used */
			if (view_read(&view, start + at, buf, len) != len ||
			    memcmp(buf, pages + at, len))
				wrong++;
		}
	}
	IS_INT(wrong, 0, "pieces of all lengths, over page borders");

	IS_INT(view_read(&view, end - 10, buf, 20), 10,
	       "reading ends at an unreadable page");
	OK(!memcmp(buf, pages + PAGES * VIEW_PAGE - 10, 10),
	   "with the right bytes");
	IS_INT(view_read(&view, end - 10, buf, sizeof(buf)), 10,
	       "also that of a long piece");
	IS_INT(view_read(&view, start, buf, sizeof(buf)), PAGES * VIEW_PAGE,
	       "and that of a very long one");
	IS_INT(view_read(&view, end, buf, 1), 0,
	       "an unreadable page has nothing");
	IS_INT(view_read(&view, end, buf, 1), 0, "also when asked again");
	IS_INT(view_read(&view, start - 1, buf, 10), 0,
	       "nor what begins in one");
	IS_INT(view_read(&view, start, buf, 10), 10,
	       "which does not hide what is behind");
	IS_INT(view_read(&view, 0, buf, 10), 0, "nothing is at NULL");
	IS_INT(view_read(&view, UINT64_MAX - 100, buf, sizeof(buf)), 0,
	       "nothing is at the end of all addresses");
	IS_INT(view_read(&view, 1ULL << 63, buf, sizeof(buf)), 0,
	       "nor in the kernel");
	view_close(&view);
}

static void test_strings(void)
{
	static char buf[2 * VIEW_PAGE];
	uint8_t *pages = make_pages();
	uint64_t end = (uintptr_t)pages + PAGES * VIEW_PAGE;
	struct view view;
	bool terminated;

	view_open_process(&view, getpid());
	/* a string over a page border, and one that ends with its page */
	strcpy((char *)pages + VIEW_PAGE - 3, "border");
	strcpy((char *)pages + PAGES * VIEW_PAGE - 5, "last");
	IS_INT(view_read_string(&view, (uintptr_t)pages + VIEW_PAGE - 3, buf,
				sizeof(buf), &terminated), 6,
	       "a string over a page border");
	IS_STR(buf, "border", "is whole");
	IS_INT(view_read_string(&view, end - 5, buf, sizeof(buf),
				&terminated), 4,
	       "a string that ends where memory ends");
	OK(terminated, "is seen to end");
	IS_STR(buf, "last", "is whole, too");
	/* without the NUL it runs into the unreadable page */
	pages[PAGES * VIEW_PAGE - 1] = '!';
	view_forget(&view);
	IS_INT(view_read_string(&view, end - 5, buf, sizeof(buf),
				&terminated), -1,
	       "one that does not end there is unreadable");
	IS_INT(view_read_string(&view, end - 5, buf, 5, &terminated), 5,
	       "if more than what is there is wanted");
	view_close(&view);
}

/* What has been read is kept, until it is forgotten. */
static void test_cache(void)
{
	uint8_t *pages = make_pages();
	uint64_t start = (uintptr_t)pages;
	struct view view;
	uint8_t byte;
	unsigned wrong = 0;

	view_open_process(&view, getpid());
	pages[0] = 'a';
	view_read(&view, start, &byte, 1);
	pages[0] = 'b';
	view_read(&view, start, &byte, 1);
	IS_INT(byte, 'a', "what was read stays");
	view_forget(&view);
	view_read(&view, start, &byte, 1);
	IS_INT(byte, 'b', "until it is forgotten");

	/* more pages than the cache has slots, several times */
	for (unsigned round = 0; round < 3; round++)
		for (unsigned i = 0; i < PAGES; i++) {
			view_read(&view, start + i * VIEW_PAGE + 7, &byte, 1);
			wrong += byte != pages[i * VIEW_PAGE + 7];
		}
	IS_INT(wrong, 0, "a small cache serves many pages");

	/* the count of generations wraps around */
	view.generation = UINT32_MAX;
	pages[0] = 'c';
	view_read(&view, start, &byte, 1);
	pages[0] = 'd';
	view_forget(&view);
	view_read(&view, start, &byte, 1);
	IS_INT(byte, 'd', "very many times forgotten is forgotten");
	view_close(&view);
}

int main(void)
{
	test_snapshot();
	test_process();
	test_strings();
	test_cache();
	return check_done();
}
