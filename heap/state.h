/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of a counted process: the layout of the file that the preloaded
 * library writes while the process runs, and that the reader reads while it
 * runs and after its end.  The library maps the file shared, so that what has
 * been counted outlives the process however that ends.
 *
 * A site is a place that allocates: the address that a call returns to, or,
 * while a language's interpreter runs, the stack of that language.  Its
 * counters are spread over pages, one or none for each thread and 64 sites;
 * their sum is what counts.
 *
 * Stacks are made of frames, and frames of strings.  Each of these is there
 * once, and is known by its index (a string, by its offset).  The tables only
 * grow; once one is full, what is new in it has the index 0.
 */
#ifndef HEAP_STATE_H
#define HEAP_STATE_H

#include <stdint.h>

#define HEAP_STATE_MAGIC	0x3330706165487274	/* "trHeap03" */
#define HEAP_STATE_SUFFIX	".heap"

enum {
	HEAP_PAGE = 4096,
	HEAP_PAGE_SITES = 64,		/* sites that a page counts for */
	HEAP_PAGES = 1 << 16,		/* at most, in a file */
	HEAP_SITES = 1 << 17,
	HEAP_MODULES = 1024,
	HEAP_STRINGS = 8 << 20,		/* bytes of all strings */
	HEAP_STRING_MAX = 4095,		/* bytes of one: more is cut off */
	HEAP_FRAMES = 1 << 17,
	HEAP_STACKS = 1 << 20,
	HEAP_SAMPLES = 1 << 16,
	HEAP_NUMBER_UNIT = 256,		/* an allocation, in a sample */
	HEAP_GENERATIONS_SHIFT = 20,
	HEAP_GENERATIONS_MAX = (1 << HEAP_GENERATIONS_SHIFT) - 1,
	HEAP_LIFE_UNIT = 4096,		/* bytes: what lives are counted in */
};

/* Written by one thread at a time, without any lock. */
struct heap_counters {
	uint64_t allocations;
	uint64_t bytes;
	uint64_t frees;
	uint64_t freed;		/* bytes */
	uint64_t life;		/* sum over the freed blocks, HEAP_LIFE_UNIT */
	uint64_t life_max;
	uint64_t site_word;	/* the site's index << 8 */
	/*
	 * Collections of garbage that the freed blocks have lived through:
	 * their sum << HEAP_GENERATIONS_SHIFT, and the most.
	 */
	uint64_t generations;
};

enum heap_kind {
	HEAP_KIND_MALLOC,	/* the malloc family, and C++ new */
	HEAP_KIND_MMAP,		/* the caller's own anonymous mappings */
	HEAP_KIND_FILE,		/* and those of files */
	HEAP_KINDS
};

enum {
	HEAP_SITE_INHERITED = 1,	/* of the process that forked this */
	HEAP_SITE_GONE = 2,		/* its module was unloaded */
};

/* The first site is for all that has no other. */
struct heap_site {
	uint64_t address;	/* what the allocation returns to, or 0 */
	uint16_t module;	/* of address: index + 1; 0: none */
	uint8_t kind;		/* enum heap_kind */
	uint8_t flags;		/* HEAP_SITE_... */
	uint32_t stack;		/* of a language; 0: none, address counts */
};

/* What a frame is in.  Zero is machine code, which has no line here. */
enum heap_language {
	HEAP_NATIVE,
	HEAP_RUBY,
	HEAP_PYTHON,
	HEAP_LANGUAGES
};

enum {
	HEAP_FRAME_GONE = 1,	/* native: its module was unloaded */
	/* The thread's last one: it runs without the interpreter's lock. */
	HEAP_FRAME_UNLOCKED = 2,
	HEAP_FRAME_QUIET = 4,	/* the program wants it in no location */
};

/* The first frame is for all that have no room. */
struct heap_frame {
	uint64_t address;	/* native: what is returned to, else 0 */
	uint32_t function;	/* strings, and 0 for none */
	uint32_t file;
	uint32_t line;		/* 0: none */
	uint16_t module;	/* of address: index + 1; 0: none */
	uint8_t language;	/* enum heap_language */
	uint8_t flags;		/* HEAP_FRAME_... */
};

/* A frame with all its callers.  The first one is no stack. */
struct heap_stack {
	uint32_t caller;	/* stack; 0: none.  It is before this one */
	uint32_t frame;
};

/*
 * What was sampled at a site with a stack.  A sampled block's header has the
 * index of its sample, after those of all sites.  With exact counters, what is
 * here is part of what the site counts, and is not in those; and the stack
 * begins with that of the site.  The first sample is for what has no room.
 */
struct heap_sample {
	uint32_t site, stack;
	uint64_t allocations, bytes, frees, freed;
	uint64_t life, life_max;	/* as in the counters */
	/* What they stand for. */
	uint64_t weight, freed_weight;	/* bytes */
	uint64_t number, freed_number;	/* allocations * HEAP_NUMBER_UNIT */
};

/* An ELF file that sites are in. */
struct heap_module {
	uint64_t bias;		/* memory address less ELF address */
	uint64_t start, end;	/* in memory */
	uint64_t device, inode, mtime;	/* of the file, if it was found */
	uint32_t path;		/* offset into strings */
	uint32_t gone;		/* unloaded */
};

enum {
	/* The program's own malloc comes first: nothing is counted. */
	HEAP_STATE_BYPASSED = 1,
	/* Only the samples count, and the mappings. */
	HEAP_STATE_SAMPLE_ONLY = 2,
};

struct heap_state {
	uint64_t magic;
	uint64_t size;		/* of the file */
	uint64_t page_limit;	/* pages that fit into it */
	int32_t pid, parent;
	uint64_t start;		/* CLOCK_REALTIME, ns */
	uint32_t flags;		/* HEAP_STATE_... */
	uint32_t site_count;
	uint32_t module_count;
	uint32_t string_size;	/* the first one is empty */
	uint32_t frame_count;
	uint32_t stack_count;
	uint32_t sample_count;
	uint32_t page_count;
	uint32_t lost_pages;	/* that could not be had: counts are missing */
	uint32_t lost_children;	/* forked processes without a state */
	uint32_t lost_mappings;	/* more at a time than are noted */
	uint64_t sample;	/* bytes, mean from one to the next; 0: none */

	/*
	 * What malloc has of the system, and what of the process is resident;
	 * bytes, as they were at the process's end or when they were last asked
	 * for: a reader makes asked another number, and the process, when it
	 * has allocated some more, answered the same.
	 */
	uint64_t heap;		/* 0: not known */
	uint64_t resident;
	uint32_t asked, answered;
	uint64_t taken;		/* a snapshot: when, CLOCK_REALTIME, ns */
	uint64_t foreign_frees;	/* of blocks that were not counted */

	/* How much the process has allocated, as far as threads told. */
	_Alignas(64) uint64_t clock;

	_Alignas(64) char program[4096];
	char command[4096];	/* arguments, as /proc/PID/cmdline has them */

	struct heap_module modules[HEAP_MODULES];
	char strings[HEAP_STRINGS];
	struct heap_site sites[HEAP_SITES];
	struct heap_frame frames[HEAP_FRAMES];
	struct heap_stack stacks[HEAP_STACKS];
	struct heap_sample samples[HEAP_SAMPLES];
	uint32_t page_first[HEAP_PAGES];	/* site of a page, + 1 */

	_Alignas(HEAP_PAGE) struct heap_counters pages[][HEAP_PAGE_SITES];
};

_Static_assert(sizeof(struct heap_frame) == 24, "a frame has no padding");
_Static_assert(sizeof(struct heap_counters) * HEAP_PAGE_SITES == HEAP_PAGE,
	       "the counters of a page fill it");

#endif
