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
#include <signal.h>
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
	INDEX_SIZE = 2 * HEAP_SITES,	/* of a hash table: a power of two */
	PAGES_AT_ONCE = 16,		/* that are made sure of together */
};

/* Wiped in a child. */
struct process {
	bool started;
	int locked;
	sigset_t mask;			/* of the thread that has the lock */
	struct thread *threads, *free_threads;
	uint32_t pages_ready;		/* page_count may grow up to this */
	uint32_t index[INDEX_SIZE];	/* of own sites; 0: none */
};

__thread struct thread *self __attribute__((tls_model("initial-exec")));
struct heap_state *heap_state;

static uint64_t no_clock;
uint64_t *heap_clock = &no_clock;

static struct process *process;
static pthread_key_t thread_key;
static bool have_key;

static __thread bool past_end __attribute__((tls_model("initial-exec")));

/* Where there is no file, the counters of this go nowhere. */
static struct heap_counters sink[HEAP_PAGE_SITES];

/* A signal handler that allocates must not wait for what it interrupted. */
void lock(void)
{
	sigset_t all, mask;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	while (__atomic_exchange_n(&process->locked, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	process->mask = mask;
}

void unlock(void)
{
	sigset_t mask = process->mask;

	__atomic_store_n(&process->locked, 0, __ATOMIC_RELEASE);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

/* Memory that a forked child finds full of zeros. */
static void *map_private(size_t size)
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

/*
 * What the parent knew: its blocks live on here.  Their sites keep their
 * indices, but what is allocated at the same place is another site.
 */
static void inherit(struct heap_state *state, struct heap_state *parent)
{
	uint32_t count = __atomic_load_n(&parent->site_count,
					 __ATOMIC_ACQUIRE);

	state->clock = parent->clock;
	state->module_count = parent->module_count;
	state->string_size = parent->string_size;
	memcpy(state->modules, parent->modules,
	       state->module_count * sizeof(*state->modules));
	memcpy(state->strings, parent->strings, state->string_size);
	memcpy(state->sites, parent->sites, count * sizeof(*state->sites));
	for (uint32_t i = 1; i < count; i++)
		state->sites[i].flags |= HEAP_SITE_INHERITED;
	state->site_count = count;
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

static bool follows(void)
{
	const char *value = getenv("TRACER_HEAP_FOLLOW");

	return !value || strcmp(value, "no");
}

/* The lock is held, or nobody else is there. */
static void start_state(void)
{
	struct heap_state *parent = heap_state, *state;
	int fd = !parent || follows() ? create_file() : -1;
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
	state->site_count = 1;
	if (parent) {
		inherit(state, parent);
		if (fd < 0 && follows())
			__atomic_fetch_add(&parent->lost_children, 1,
					   __ATOMIC_RELAXED);
	} else if (!follows()) {
		stop_following();
	}
	if (resolve() == BYPASSED)
		state->flags |= HEAP_STATE_BYPASSED;
	heap_state = state;
	heap_clock = &state->clock;
	__atomic_store_n(&state->magic, HEAP_STATE_MAGIC, __ATOMIC_RELEASE);
	if (parent)
		next.munmap(parent, parent->size);
}

static void end_thread(void *thread);

/* False: nothing can be counted. */
static bool start_process(void)
{
	extern char **environ;
	int saved = errno;

	/* The dynamic linker has not got to the C library yet. */
	if (!environ)
		return false;
	if (!process)
		process = map_private(sizeof(*process));
	if (!process)
		return false;
	if (__atomic_load_n(&process->started, __ATOMIC_ACQUIRE))
		return heap_state;
	lock();
	if (!process->started) {
		if (!have_key)
			have_key = !pthread_key_create(&thread_key,
						       end_thread);
		start_state();
		/* The thread that forked is the only one here. */
		process->threads = self;
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

	self = NULL;
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

	if (resolve() != RESOLVED || !start_process())
		return NULL;
	thread = take_thread();
	self = thread;
	if (thread && !past_end && have_key)
		pthread_setspecific(thread_key, thread);
	errno = saved;
	return thread;
}

/* ---- pages of counters ---- */

/* A full file system must not become a SIGBUS. */
static bool page_is_ready(uint32_t page)
{
	uint32_t count = PAGES_AT_ONCE;

	if (page < process->pages_ready)
		return true;
	if (page >= heap_state->page_limit)
		return false;
	if (count > heap_state->page_limit - page)
		count = heap_state->page_limit - page;
#ifdef MADV_POPULATE_WRITE
	if (madvise(heap_state->pages[page], count * HEAP_PAGE,
		    MADV_POPULATE_WRITE) && errno != EINVAL)
		return false;
#endif
	process->pages_ready = page + count;
	return true;
}

static struct heap_counters *new_page(uint32_t first)
{
	struct heap_counters *page = NULL;
	uint32_t index;

	lock();
	index = heap_state->page_count;
	if (page_is_ready(index)) {
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

	if (!start_process())
		return sink;
	/* What looks like a header may still be none. */
	if (site >= heap_state->site_count)
		site = 0, page = thread->pages;
	if (!*page)
		*page = new_page(site / HEAP_PAGE_SITES * HEAP_PAGE_SITES);
	errno = saved;
	return *page ? *page + site % HEAP_PAGE_SITES : sink;
}

/* ---- modules ---- */

static uint32_t add_string(const char *string, size_t length)
{
	uint32_t at = heap_state->string_size;

	if (length >= HEAP_STRINGS - at)
		return HEAP_STRINGS - 1;
	memcpy(heap_state->strings + at, string, length);
	heap_state->string_size = at + length + 1;
	return at;
}

static bool find_loaded(uintptr_t address, struct heap_module *module,
			const char **name)
{
	Dl_info info;

#ifdef DLFO_STRUCT_HAS_EH_DBASE
	/* Takes no lock, which dladdr does. */
	extern __typeof__(_dl_find_object) _dl_find_object
		__attribute__((weak));
	struct dl_find_object object;

	if (_dl_find_object) {
		if (_dl_find_object((void *)address, &object))
			return false;
		*module = (struct heap_module){
			.bias = *(uintptr_t *)object.dlfo_link_map,
			.start = (uintptr_t)object.dlfo_map_start,
			.end = (uintptr_t)object.dlfo_map_end,
		};
		*name = ((const char **)object.dlfo_link_map)[1];
		return true;
	}
#endif
	if (!dladdr((void *)address, &info))
		return false;
	*module = (struct heap_module){
		.bias = (uintptr_t)info.dli_fbase,
		.start = (uintptr_t)info.dli_fbase,
		.end = address + 1,
	};
	*name = info.dli_fname;
	return true;
}

/* Its path, as it will be found from elsewhere. */
static uint32_t add_path(struct heap_module *module, const char *name)
{
	char path[4096];
	struct stat status;
	size_t length = 0;

	if (!*name) {
		length = strlen(heap_state->program);
		memcpy(path, heap_state->program, length);
	} else if (*name != '/' && getcwd(path, sizeof(path) - 1)) {
		length = strlen(path);
		path[length++] = '/';
	}
	while (*name && length < sizeof(path) - 1)
		path[length++] = *name++;
	path[length] = '\0';
	if (!stat(path, &status)) {
		module->device = status.st_dev;
		module->inode = status.st_ino;
		module->mtime = status.st_mtim.tv_sec * 1000000000ull +
			status.st_mtim.tv_nsec;
	}
	return add_string(path, length);
}

/* The index + 1 of the module of an address; the lock is held. */
static uint16_t module_of(uintptr_t address, struct heap_module *found,
			  const char *name)
{
	uint32_t count = heap_state->module_count;
	struct heap_module *module;

	for (uint32_t i = count; i--;) {
		module = &heap_state->modules[i];
		if (!module->gone && module->bias == found->bias &&
		    module->start == found->start) {
			if (module->end <= address)
				module->end = address + 1;
			return i + 1;
		}
	}
	if (count == HEAP_MODULES)
		return 0;
	module = &heap_state->modules[count];
	*module = *found;
	module->path = add_path(module, name);
	heap_state->module_count = count + 1;
	return count + 1;
}

static void mark_gone(uint32_t module)
{
	heap_state->modules[module].gone = 1;
	for (uint32_t i = 1; i < heap_state->site_count; i++)
		if (heap_state->sites[i].module == module + 1)
			heap_state->sites[i].flags |= HEAP_SITE_GONE;
}

void modules_check(void)
{
	bool any = false;

	if (!process || !process->started || !heap_state)
		return;
	for (uint32_t i = 0; i < heap_state->module_count; i++) {
		struct heap_module *module = &heap_state->modules[i], now;
		const char *name;

		if (module->gone || (find_loaded(module->end - 1, &now, &name)
				     && now.bias == module->bias))
			continue;
		lock();
		mark_gone(i);
		unlock();
		any = true;
	}
	if (!any)
		return;
	lock();
	for (struct thread *thread = process->threads; thread;
	     thread = thread->next)
		for (int i = 0; i < CACHE_SIZE; i++)
			__atomic_store_n(&thread->cache[i].address, 0,
					 __ATOMIC_RELAXED);
	unlock();
}

/* ---- sites ---- */

static uint32_t hash(uintptr_t address, enum heap_kind kind)
{
	return (address + kind) * 0x9e3779b97f4a7c15 >> 40;
}

static bool is_site(uint32_t index, uintptr_t address, enum heap_kind kind)
{
	const struct heap_site *site = &heap_state->sites[index];

	return site->address == address && site->kind == kind && !site->flags;
}

/* The site, or the place in the index where it is to be. */
static uint32_t *find_site(uintptr_t address, enum heap_kind kind)
{
	uint32_t at = hash(address, kind);

	for (;; at++) {
		uint32_t *slot = &process->index[at % INDEX_SIZE];
		uint32_t index = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (!index || is_site(index, address, kind))
			return slot;
	}
}

static uint32_t add_site(uintptr_t address, enum heap_kind kind)
{
	struct heap_module found;
	const char *name = NULL;
	/* What is returned to may be behind the end of the function. */
	bool known = find_loaded(address - 1, &found, &name);
	uint32_t *slot, index;

	lock();
	slot = find_site(address, kind);
	index = *slot;
	if (!index && heap_state->site_count < HEAP_SITES) {
		index = heap_state->site_count;
		heap_state->sites[index] = (struct heap_site){
			.address = address,
			.kind = kind,
			.module = known ? module_of(address - 1, &found,
						    name) : 0,
		};
		__atomic_store_n(&heap_state->site_count, index + 1,
				 __ATOMIC_RELEASE);
		__atomic_store_n(slot, index, __ATOMIC_RELEASE);
	}
	unlock();
	return index;
}

struct heap_counters *counters_find(struct thread *thread, uintptr_t address,
				    enum heap_kind kind)
{
	struct heap_counters *counters;
	struct cached_site *slot;
	int saved = errno;
	uint32_t index;

	if (!start_process())
		return sink;
	index = *find_site(address, kind);
	if (!index)
		index = add_site(address, kind);
	counters = counters_by_index(thread, index);
	errno = saved;
	if (kind != HEAP_KIND_MALLOC || counters == sink)
		return counters;
	slot = cache_slot(thread, address);
	slot->counters = counters;
	slot->address = address;
	return counters;
}

/* ---- from elsewhere ---- */

EXPORT int dlclose(void *library)
{
	int result;

	resolve();
	result = next.dlclose(library);
	modules_check();
	return result;
}

/* A program that never allocates leaves a state, too. */
__attribute__((constructor))
static void start(void)
{
	if (resolve() == BYPASSED)
		start_process();
	else
		thread_find();
}
