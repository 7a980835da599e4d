/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the preloaded library share.  It lives in any process
 * there is, below everything else: it links to the C library alone, calls
 * nothing that allocates, and takes no lock on the way of an allocation once
 * the site is known to the thread.
 */
#ifndef HEAP_LIBRARY_H
#define HEAP_LIBRARY_H

#include <malloc.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "state.h"

/* All that is not exported is known to be here: no detour by a table. */
#pragma GCC visibility push(hidden)

#define EXPORT		__attribute__((visibility("default")))
#define LIKELY(x)	__builtin_expect(!!(x), 1)
#define UNLIKELY(x)	__builtin_expect(!!(x), 0)
#define CALLER()	((uintptr_t)__builtin_return_address(0))

enum {
	CACHE_SIZE = 512,
	CLOCK_STEP = 1 << 16,	/* bytes a thread allocates before it tells */
};

struct cached_site {
	uintptr_t address;	/* 0: none */
	struct heap_counters *counters;
};

/*
 * What a thread knows.  It is private memory that is wiped in a forked child,
 * however the child was made: all is unknown there, so that its first
 * allocation or free finds out that this is another process.
 */
struct thread {
	uint64_t clock;		/* bytes allocated that state.clock lacks */
	uint64_t limit;		/* when it has that many, thread_tick() */
	/* There is never one for samples, which thus go the slow way. */
	struct heap_counters *pages[(HEAP_SITES + HEAP_SAMPLES) /
				    HEAP_PAGE_SITES];
	struct cached_site cache[CACHE_SIZE];
	struct thread *next;	/* in the list of all */
	struct thread *next_free;
	int late;		/* thread that was past its end, or 0 */
	void *language;		/* what a language keeps for the thread */
	uint64_t random;	/* 0: not begun */
	uint64_t until;		/* bytes, to the next one that is sampled */
};

extern __thread struct thread *self
	__attribute__((tls_model("initial-exec")));
/* The same where only samples count, and self is NULL in all threads. */
extern __thread struct thread *sampler
	__attribute__((tls_model("initial-exec")));
extern struct heap_state *heap_state;	/* NULL: there is none */
extern uint64_t *heap_clock;		/* its clock, or another one */

/* The functions that this library is in front of. */
struct next {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	void *(*memalign)(size_t, size_t);
	void *(*aligned_alloc)(size_t, size_t);
	int (*posix_memalign)(void **, size_t, size_t);
	size_t (*malloc_usable_size)(void *);
	void *(*mmap)(void *, size_t, int, int, int, long);
	int (*munmap)(void *, size_t);
	void *(*mremap)(void *, size_t, size_t, int, ...);
	int (*dlclose)(void *);
	struct mallinfo2 (*mallinfo2)(void);	/* NULL: there is none */
	bool glibc;		/* malloc is the C library's */
	bool realloc_frees;	/* realloc(p, 0) does */
	bool cxx;		/* new and delete are ours to answer */
};
extern struct next next;

/* ---- resolve.c ---- */

enum resolved {
	RESOLVED,	/* next is filled in */
	RESOLVING,	/* it is just being so: take bootstrap memory */
	BYPASSED,	/* it is, but the program has a malloc of its own */
};
enum resolved resolve(void);

/* This library's definitions: by their own names they may be another's. */
void *own_malloc(size_t size);
void own_free(void *block);
void *own_new(size_t size);
void own_delete(void *block, size_t, size_t, size_t);
/* An alias would have to have all attributes that the headers give. */
#define SECOND_NAME(second, name)					\
	__asm__(".globl " #second "\n.hidden " #second "\n"		\
		".set " #second ", " name)
#ifdef __LP64__
#define NAME_OF_NEW	"_Znwm"
#else
#define NAME_OF_NEW	"_Znwj"
#endif

/* Zeroed memory for the dynamic linker while it looks functions up. */
enum { BOOTSTRAP_SIZE = 1 << 16 };
extern char bootstrap[BOOTSTRAP_SIZE];
void *bootstrap_allocate(size_t size, size_t alignment);
static inline bool bootstrap_owns(const void *block)
{
	return (uintptr_t)block - (uintptr_t)bootstrap < BOOTSTRAP_SIZE;
}
size_t bootstrap_size(const void *block);

/* ---- languages ---- */

/*
 * An interpreter in this process.  While it runs code, the place of an
 * allocation is the line of that, and not the address in the interpreter.
 *
 * Its functions are called in the middle of any malloc: they must not
 * allocate, take locks of the C library's or the interpreter's, nor need much
 * stack; they leave errno alone.  They intern what they find (string_index,
 * frame_index, stack_index, site_index), which takes a lock only for what is
 * new, and had better keep the result, in memory of map_private() that
 * thread->language points to: there it is wiped in a forked child, like all
 * that is known of the places of its parent.  threads_forget() drops nothing
 * of it, for no language's frame depends on modules.
 */
struct language {
	/*
	 * The site of what the calling thread runs now; 0: nothing of this
	 * language's, the caller's address counts.  With heap_options.stacks
	 * the site has the whole stack, else its innermost line only.
	 */
	uint32_t (*site)(struct thread *thread, enum heap_kind kind);
	/* Likewise its whole stack, whatever the options; 0: none. */
	uint32_t (*stack)(struct thread *thread);
	/*
	 * Whether an address of machine code is in the interpreter: such a
	 * frame and its callers are what stack() tells in another way.
	 */
	bool (*owns)(uintptr_t address);
};

/* NULL: none.  It is set once, before or after threads began. */
extern const struct language *heap_language;

/* ---- process.c ---- */

/* What the environment asks for. */
struct options {
	bool follow;		/* children are counted as well */
	unsigned stacks;	/* frames of a stack at most; 0: no stacks */
	uint64_t sample;	/* bytes from one sample to the next; 0: none */
	bool sample_only;
};
extern struct options heap_options;

/* Makes heap_state this process's own; false: nothing can be counted. */
bool process_start(void);
bool process_is_started(void);

/* Zeroed memory, which a forked child finds full of zeros; or NULL. */
void *map_private(size_t size);

/*
 * Whether the first size bytes of a table of the state can be written to: a
 * full file system must not become a SIGBUS.  ready is how many are so.
 */
bool state_ready(const void *table, size_t size, size_t *ready);

/*
 * The caller's thread, when self is not set; NULL: this allocation cannot be
 * counted, or only sampler can count it, which is then set.
 */
struct thread *thread_find(void);

/* The counters of a return address; for what the thread has not cached. */
struct heap_counters *counters_find(struct thread *thread, uintptr_t address,
				    enum heap_kind kind);
/* The site of what allocates now. */
uint32_t site_now(struct thread *thread, uintptr_t address,
		  enum heap_kind kind);
/* The counters of what the language runs, if that is what counts. */
struct heap_counters *counters_of_language(struct thread *thread,
					   uintptr_t address,
					   enum heap_kind kind);
/* The counters of a site by its index; for what has no page yet. */
struct heap_counters *counters_of_site(struct thread *thread, uint32_t site);

/* With it, no signal comes: its handler might want the same one. */
struct lock {
	int taken;
	sigset_t mask;		/* of the thread that has it */
};
void lock_take(struct lock *lock);
void lock_release(struct lock *lock);

/* That of the state's tables and the threads. */
void lock(void);
void unlock(void);

/* Nothing that threads have cached of sites may be used any more. */
void threads_forget(void);

/* ---- memory.c ---- */

/*
 * Tells the state how much memory the process has.  Locks of malloc are taken
 * for that: it is called where malloc itself has ended, and only when somebody
 * asks.
 */
void memory_tell(void);

/* ---- places.c ---- */

/*
 * Each takes what it is given to the one entry that is equal, which it makes
 * if there is none: its index, or 0 if its table is full.  They may be called
 * where malloc may, and leave errno alone; what is known takes no lock.
 */

/* The offset in heap_state->strings; a long text is cut off; 0 is "". */
uint32_t string_index(const char *text, size_t length);
/* The module of an address is found here, and need not be given. */
uint32_t frame_index(const struct heap_frame *frame);
/* A frame with its caller's stack (0: it is the outermost). */
uint32_t stack_index(uint32_t caller, uint32_t frame);
/* A site has either an address or a stack. */
uint32_t site_index(enum heap_kind kind, uintptr_t address, uint32_t stack);
uint32_t sample_index(uint32_t site, uint32_t stack);

/* For process.c.  The tables that find places; false: no memory. */
bool places_start(void);
/* Takes the places of the process that forked this one. */
void places_inherit(const struct heap_state *parent);

/* Whether there is room for a record of samples. */
bool samples_can_be(void);

/* ---- walk.c ---- */

/*
 * The return addresses of the calling thread's frames, from the one that
 * returns to caller outwards: how many they are.
 */
unsigned walk_stack(uintptr_t caller, uintptr_t *frames, unsigned limit);
/* Modules have gone. */
void walk_forget(void);

/* ---- sample.c ---- */

/* All bits of the result depend on all of x. */
static inline uint64_t scramble(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/*
 * The thread's clock has come to its limit: tells the state, and whether what
 * is just being allocated is to be sampled.
 */
bool thread_tick(struct thread *thread);
/* Counts a block that is; its header is to have this site. */
uint32_t sample_allocation(struct thread *thread, size_t size,
			   uintptr_t caller);
void sample_free(const struct thread *thread, uint32_t site, size_t size,
		 uint32_t born);

/* ---- inline: the hot path ---- */

static inline struct cached_site *cache_slot(struct thread *thread,
					     uintptr_t address)
{
	return &thread->cache[(address ^ address >> 9) % CACHE_SIZE];
}

static inline struct heap_counters *counters_native(struct thread *thread,
						    uintptr_t address,
						    enum heap_kind kind)
{
	const struct cached_site *slot = cache_slot(thread, address);

	if (LIKELY(slot->address == address && kind == HEAP_KIND_MALLOC))
		return slot->counters;
	return counters_find(thread, address, kind);
}

/* The counters of what allocates now. */
static inline struct heap_counters *counters_at(struct thread *thread,
						uintptr_t address,
						enum heap_kind kind)
{
	if (UNLIKELY(heap_language))
		return counters_of_language(thread, address, kind);
	return counters_native(thread, address, kind);
}

static inline struct heap_counters *counters_by_index(struct thread *thread,
						      uint32_t site)
{
	struct heap_counters *page = thread->pages[site / HEAP_PAGE_SITES];

	if (UNLIKELY(!page))
		return counters_of_site(thread, site);
	return page + site % HEAP_PAGE_SITES;
}

/* The age of the process in HEAP_LIFE_UNIT, as this thread sees it. */
static inline uint32_t clock_now(const struct thread *thread)
{
	uint64_t told = __atomic_load_n(heap_clock, __ATOMIC_RELAXED);

	return (told + thread->clock) / HEAP_LIFE_UNIT;
}

static inline void count_allocation(struct heap_counters *counters,
				    size_t size)
{
	counters->allocations++;
	counters->bytes += size;
}

/* Whether this allocation is one for thread_tick(). */
static inline bool clock_adds(struct thread *thread, size_t size)
{
	thread->clock += size;
	return UNLIKELY(thread->clock >= thread->limit);
}

/* ---- generation.c ---- */

/* When the last collection of garbage began; 0: there was none. */
extern uint32_t generation_start;

/* Counts a life that began before that. */
void count_generations(struct heap_counters *counters, uint32_t born);

static inline void count_free(const struct thread *thread,
			      struct heap_counters *counters, size_t size,
			      uint32_t born)
{
	int32_t life = clock_now(thread) - born;

	counters->frees++;
	counters->freed += size;
	/* The thread that allocated may be ahead of what it has told. */
	if (life > 0) {
		counters->life += (uint32_t)life;
		if ((uint32_t)life > counters->life_max)
			counters->life_max = (uint32_t)life;
	}
	if (UNLIKELY(born < generation_start))
		count_generations(counters, born);
}

#pragma GCC visibility pop

#endif
