/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The process that is counted: its state file, its threads, and its sites.
 *
 * All that is private here is in memory that the kernel wipes when the process
 * forks.  So a child, made by whatever call, knows nothing, notices that, and
 * starts a state of its own; only then is anything done about the fork.
 */
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	READY_STEP = 1 << 16,	/* bytes that are made sure of together */
	/* Defaults. */
	SAMPLE = 512 << 10,
	STACK = 128,
};

/* Wiped in a child. */
struct process {
	bool started;
	struct lock lock;
	struct thread *threads, *free_threads;
	size_t pages_ready, firsts_ready;	/* bytes of tables */
};

__thread struct thread *self __attribute__((tls_model("initial-exec")));
__thread struct thread *sampler __attribute__((tls_model("initial-exec")));
struct heap_state *heap_state;

const struct language *heap_language;
struct options heap_options;

static uint64_t no_clock;
uint64_t *heap_clock = &no_clock;

static struct process *process;
static pthread_key_t thread_key;
static bool have_key;

static __thread bool past_end __attribute__((tls_model("initial-exec")));

/* Where there is no file, the counters of this go nowhere. */
static struct heap_counters sink[HEAP_PAGE_SITES];

void lock_take(struct lock *lock)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	lock->mask = mask;
}

void lock_release(struct lock *lock)
{
	sigset_t mask = lock->mask;

	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

void lock(void)
{
	lock_take(&process->lock);
}

void unlock(void)
{
	lock_release(&process->lock);
}

void *map_private(size_t size)
{
	void *memory = next.mmap(NULL, size, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	if (madvise(memory, size, MADV_WIPEONFORK)) {
		next.munmap(memory, size);
		return NULL;
	}
	return memory;
}

/* ---- the state file ---- */

/* $TRACER_HEAP_DIR; or a directory of the user's, and only his. */
static bool state_directory(char *path, size_t size)
{
	const char *name = getenv("TRACER_HEAP_DIR");
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	struct stat status;

	if (name && *name)
		return (size_t)snprintf(path, size, "%s", name) < size;
	if ((size_t)snprintf(path, size, "%s/tracer-heap-%u",
			     runtime && *runtime ? runtime : "/tmp",
			     (unsigned)geteuid()) >= size)
		return false;
	mkdir(path, 0700);
	return !lstat(path, &status) && S_ISDIR(status.st_mode) &&
		status.st_uid == geteuid() && !(status.st_mode & 077);
}

/* A process that executes another program has one file for each. */
static int create_file(void)
{
	char directory[3072], path[4096];
	int fd = -1;

	if (!state_directory(directory, sizeof(directory)))
		return -1;
	for (unsigned i = 0; fd < 0 && i < 10000; i++) {
		snprintf(path, sizeof(path), "%s/%d.%u" HEAP_STATE_SUFFIX,
			 directory, (int)getpid(), i);
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC |
			  O_NOFOLLOW, 0600);
		if (fd < 0 && errno != EEXIST)
			return -1;
	}
	return fd;
}

static size_t state_size(uint64_t pages)
{
	return offsetof(struct heap_state, pages) + pages * HEAP_PAGE;
}

/* A full file system must not become a SIGBUS. */
static bool populate(uintptr_t from, uintptr_t to)
{
#ifdef MADV_POPULATE_WRITE
	from &= -(uintptr_t)HEAP_PAGE;
	return !madvise((void *)from, to - from, MADV_POPULATE_WRITE) ||
		errno == EINVAL;
#else
	(void)from;
	(void)to;
	return true;
#endif
}

static struct heap_state *map_state(int fd, uint64_t pages)
{
	int kind = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED;
	struct heap_state *state;

	if (fd >= 0 && ftruncate(fd, state_size(pages)))
		return NULL;
	state = next.mmap(NULL, state_size(pages), PROT_READ | PROT_WRITE,
			  kind | MAP_NORESERVE, fd, 0);
	if (state == MAP_FAILED)
		return NULL;
	if (!populate((uintptr_t)state, (uintptr_t)state->modules)) {
		next.munmap(state, state_size(pages));
		return NULL;
	}
	state->size = state_size(pages);
	state->page_limit = pages;
	return state;
}

/* Fewer pages where files or the address space are limited. */
static struct heap_state *create_state(int fd)
{
	struct rlimit limit;
	uint64_t most = ~0ull;

	if (fd >= 0 && !getrlimit(RLIMIT_FSIZE, &limit))
		most = limit.rlim_cur;
	for (uint64_t pages = HEAP_PAGES; pages >= 64; pages /= 4) {
		struct heap_state *state;

		if (state_size(pages) > most)
			continue;
		state = map_state(fd, pages);
		if (state)
			return state;
	}
	return NULL;
}

bool state_ready(const void *table, size_t size, size_t *ready)
{
	uintptr_t to = (uintptr_t)table + size + READY_STEP;
	uintptr_t end = (uintptr_t)heap_state + heap_state->size;

	if (size <= *ready)
		return true;
	if (to > end)
		to = end;
	if (!populate((uintptr_t)table + *ready, to))
		return false;
	*ready = to - (uintptr_t)table;
	return true;
}

static void read_command(struct heap_state *state)
{
	ssize_t length = readlink("/proc/self/exe", state->program,
				  sizeof(state->program) - 1);
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);

	state->program[length < 0 ? 0 : length] = '\0';
	if (fd < 0)
		return;
	length = read(fd, state->command, sizeof(state->command) - 2);
	state->command[length < 0 ? 0 : length] = '\0';
	close(fd);
}

/* Takes this library out of what the children preload. */
static void stop_following(void)
{
	extern char **environ;

	for (char **entry = environ; entry && *entry; entry++) {
		char *item, *rest;

		if (strncmp(*entry, "LD_PRELOAD=", 11))
			continue;
		for (item = *entry + 11; *item; item = rest) {
			size_t length = strcspn(item, ": ");
			static const char name[] = "libtracer-heap.so";

			rest = item + length + (item[length] != '\0');
			if (length < sizeof(name) - 1 ||
			    memcmp(item + length - (sizeof(name) - 1), name,
				   sizeof(name) - 1))
				continue;
			memmove(item, rest, strlen(rest) + 1);
			rest = item;
		}
	}
}

static uint64_t number_option(const char *name)
{
	const char *value = getenv(name);

	return value ? strtoull(value, NULL, 10) : 0;
}

/* Once: the program may change its environment. */
static void read_options(void)
{
	const char *follow = getenv("TRACER_HEAP_FOLLOW");
	const char *only = getenv("TRACER_HEAP_SAMPLE_ONLY");

	heap_options = (struct options){
		.follow = !follow || strcmp(follow, "no"),
		.stacks = number_option("TRACER_HEAP_STACKS"),
		.sample = number_option("TRACER_HEAP_SAMPLE"),
		.sample_only = only && !strcmp(only, "yes"),
	};
	if (!heap_options.sample &&
	    (heap_options.sample_only || heap_options.stacks))
		heap_options.sample = SAMPLE;
	if (!heap_options.stacks && heap_options.sample)
		heap_options.stacks = STACK;
}

/* The lock is held, or nobody else is there. */
static void start_state(void)
{
	struct heap_state *parent = heap_state, *state;
	int fd = !parent || heap_options.follow ? create_file() : -1;
	struct timespec now;

	state = create_state(fd);
	if (!state && fd >= 0)
		state = create_state(-1);
	if (fd >= 0)
		close(fd);
	if (!state) {
		/* Not the parent's, whatever happens. */
		heap_state = NULL;
		heap_clock = &no_clock;
		return;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	state->start = now.tv_sec * 1000000000ull + now.tv_nsec;
	state->pid = getpid();
	state->parent = getppid();
	read_command(state);
	state->string_size = 1;
	state->frame_count = state->stack_count = state->site_count = 1;
	state->sample_count = 1;
	state->sample = heap_options.sample;
	if (heap_options.sample_only)
		state->flags |= HEAP_STATE_SAMPLE_ONLY;
	heap_state = state;
	if (parent) {
		state->clock = parent->clock;
		places_inherit(parent);
		if (fd < 0 && heap_options.follow)
			__atomic_fetch_add(&parent->lost_children, 1,
					   __ATOMIC_RELAXED);
	} else if (!heap_options.follow) {
		stop_following();
	}
	if (heap_options.sample && !samples_can_be())
		heap_options.sample = 0;
	if (resolve() == BYPASSED)
		state->flags |= HEAP_STATE_BYPASSED;
	heap_clock = &state->clock;
	__atomic_store_n(&state->magic, HEAP_STATE_MAGIC, __ATOMIC_RELEASE);
	if (parent)
		next.munmap(parent, parent->size);
}

bool process_is_started(void)
{
	return process && process->started && heap_state;
}

static void end_thread(void *thread);

bool process_start(void)
{
	extern char **environ;
	int saved = errno;

	/* The dynamic linker has not got to the C library yet. */
	if (!environ)
		return false;
	if (!process)
		process = map_private(sizeof(*process));
	if (!process || !places_start())
		return false;
	if (__atomic_load_n(&process->started, __ATOMIC_ACQUIRE))
		return heap_state;
	lock();
	if (!process->started) {
		if (!heap_state)
			read_options();
		if (!have_key)
			have_key = !pthread_key_create(&thread_key,
						       end_thread);
		start_state();
		/* The thread that forked is the only one here. */
		process->threads = self ? self : sampler;
		__atomic_store_n(&process->started, true, __ATOMIC_RELEASE);
	}
	unlock();
	errno = saved;
	return heap_state;
}

/* ---- threads ---- */

/* A thread that has ended hands what it had over to the next one. */
static void end_thread(void *pointer)
{
	struct thread *thread = pointer;

	self = sampler = NULL;
	past_end = true;
	/* A child of fork that has not allocated yet. */
	if (!process->started)
		return;
	lock();
	thread->next_free = process->free_threads;
	process->free_threads = thread;
	unlock();
}

/*
 * One that was used after the end of its thread, when there was nobody any
 * more to tell that the thread has gone.
 */
static struct thread *reclaim(void)
{
	struct thread *thread = process->threads;

	while (thread && !(thread->late &&
			   syscall(SYS_tgkill, getpid(), thread->late, 0) &&
			   errno == ESRCH))
		thread = thread->next;
	return thread;
}

static struct thread *take_thread(void)
{
	struct thread *thread;

	lock();
	thread = process->free_threads;
	if (thread)
		process->free_threads = thread->next_free;
	else
		thread = reclaim();
	if (!thread) {
		thread = map_private(sizeof(*thread));
		if (thread) {
			thread->next = process->threads;
			process->threads = thread;
		}
	}
	if (thread)
		thread->late = past_end ? (int)syscall(SYS_gettid) : 0;
	unlock();
	return thread;
}

struct thread *thread_find(void)
{
	struct thread *thread;
	int saved = errno;

	if (sampler || resolve() != RESOLVED || !process_start())
		return NULL;
	thread = take_thread();
	if (heap_options.sample_only)
		sampler = thread;
	else
		self = thread;
	if (thread && !past_end && have_key)
		pthread_setspecific(thread_key, thread);
	errno = saved;
	return self;
}

void threads_forget(void)
{
	lock();
	for (struct thread *thread = process->threads; thread;
	     thread = thread->next)
		for (int i = 0; i < CACHE_SIZE; i++)
			__atomic_store_n(&thread->cache[i].address, 0,
					 __ATOMIC_RELAXED);
	unlock();
}

/* ---- pages of counters ---- */

static struct heap_counters *new_page(uint32_t first)
{
	struct heap_counters *page = NULL;
	uint32_t index;

	lock();
	index = heap_state->page_count;
	if (index < heap_state->page_limit &&
	    state_ready(heap_state->pages, (index + 1) * (size_t)HEAP_PAGE,
			&process->pages_ready) &&
	    state_ready(heap_state->page_first,
			(index + 1) * sizeof(*heap_state->page_first),
			&process->firsts_ready)) {
		page = heap_state->pages[index];
		for (uint32_t i = 0; i < HEAP_PAGE_SITES; i++)
			page[i].site_word = (first + i) << 8;
		heap_state->page_first[index] = first + 1;
		__atomic_store_n(&heap_state->page_count, index + 1,
				 __ATOMIC_RELEASE);
	} else {
		heap_state->lost_pages++;
	}
	unlock();
	return page;
}

struct heap_counters *counters_of_site(struct thread *thread, uint32_t site)
{
	struct heap_counters **page = &thread->pages[site / HEAP_PAGE_SITES];
	int saved = errno;

	if (!process_start())
		return sink;
	/* What looks like a header may still be none. */
	if (site >= heap_state->site_count)
		site = 0, page = thread->pages;
	if (!*page)
		*page = new_page(site / HEAP_PAGE_SITES * HEAP_PAGE_SITES);
	errno = saved;
	return *page ? *page + site % HEAP_PAGE_SITES : sink;
}

/* ---- sites ---- */

struct heap_counters *counters_find(struct thread *thread, uintptr_t address,
				    enum heap_kind kind)
{
	struct heap_counters *counters;
	struct cached_site *slot;
	int saved = errno;

	if (!process_start())
		return sink;
	counters = counters_by_index(thread, site_index(kind, address, 0));
	errno = saved;
	if (kind != HEAP_KIND_MALLOC || counters == sink)
		return counters;
	slot = cache_slot(thread, address);
	slot->counters = counters;
	slot->address = address;
	return counters;
}

uint32_t site_now(struct thread *thread, uintptr_t address,
		  enum heap_kind kind)
{
	uint32_t site = heap_language ? heap_language->site(thread, kind) : 0;

	return site ? site : site_index(kind, address, 0);
}

struct heap_counters *counters_of_language(struct thread *thread,
					   uintptr_t address,
					   enum heap_kind kind)
{
	uint32_t site;

	/* A forked child knows nothing yet. */
	if (!process_start())
		return sink;
	site = heap_language->site(thread, kind);
	return site ? counters_by_index(thread, site) :
		counters_native(thread, address, kind);
}

/* A program that never allocates leaves a state, too. */
__attribute__((constructor))
static void start(void)
{
	if (resolve() == BYPASSED)
		process_start();
	else
		thread_find();
}
