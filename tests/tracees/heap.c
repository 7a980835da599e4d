/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that knows what it allocates.  Its argument says what it does; it
 * prints what a counter of allocations must have found.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

#define CHECK(condition)						\
	do {								\
		if (!(condition)) {					\
			dprintf(1, "line %d: %s\n", __LINE__, #condition); \
			failures++;					\
		}							\
	} while (0)

static int failures;
static void *kept[1000];
/* No compiler knows what is in here. */
static volatile size_t zero;

/* ---- what is said of each function is what it prints ---- */

static void leaks_some(void)
{
	for (int i = 0; i < 100; i++)
		kept[i] = malloc(1000 + i);
	for (int i = 0; i < 40; i++)
		free(kept[i]);
}

static void frees_all(void)
{
	for (int i = 0; i < 500; i++)
		free(calloc(3, 7));
}

static void grows(void)
{
	char *block = NULL;

	/* Each step allocates what it has then, and frees what it had. */
	for (int i = 1; i <= 100; i++)
		block = realloc(block, i * 10);
	free(block);
}

static void aligns(void)
{
	void *block;

	for (size_t alignment = 8; alignment <= 65536; alignment *= 2) {
		if (!posix_memalign(&block, alignment, 100))
			free(block);
		free(aligned_alloc(alignment, alignment));
		free(memalign(alignment, 10));
	}
	free(valloc(10));
	free(pvalloc(10));
	free(reallocarray(NULL, 5, 6));
}

static void counts(void)
{
	leaks_some();
	frees_all();
	grows();
	aligns();
}

/* ---- as the C library does it ---- */

static void aligned_everywhere(void)
{
	static const size_t sizes[] = { 0, 1, 15, 16, 17, 4095, 1 << 20 };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (size_t align = 8; align <= 1 << 16; align *= 2) {
			void *block = NULL;

			CHECK(!posix_memalign(&block, align, sizes[i]));
			CHECK(!((uintptr_t)block % align));
			CHECK(malloc_usable_size(block) >= sizes[i]);
			memset(block, 1, malloc_usable_size(block));
			block = realloc(block, sizes[i] + 100);
			CHECK(!sizes[i] || *(char *)block == 1);
			free(block);
		}
	}
	CHECK(!((uintptr_t)malloc(1) % 16));
}

static void errors(void)
{
	size_t huge = (size_t)PTRDIFF_MAX + 1 + zero, most = SIZE_MAX - zero;
	void *block = &failures, *old = malloc(10);

	errno = 0;
	CHECK(!malloc(huge) && errno == ENOMEM);
	errno = 0;
	CHECK(!malloc(most) && errno == ENOMEM);
	errno = 0;
	CHECK(!malloc(most - 8) && errno == ENOMEM);
	errno = 0;
	CHECK(!calloc(most / 2, 3) && errno == ENOMEM);
	errno = 0;
	CHECK(!calloc(1, most) && errno == ENOMEM);
	errno = 0;
	CHECK(!realloc(old, most) && errno == ENOMEM);
	errno = 0;
	CHECK(!reallocarray(old, most / 2, 3) && errno == ENOMEM);
	errno = 0;
	CHECK(!pvalloc(most) && errno == ENOMEM);
	errno = 0;
	CHECK(!aligned_alloc(64, most) && errno == ENOMEM);
	errno = 77;
	CHECK(posix_memalign(&block, 3, 10) == EINVAL);
	CHECK(posix_memalign(&block, 24, 10) == EINVAL);
	CHECK(posix_memalign(&block, zero, 10) == EINVAL);
	CHECK(posix_memalign(&block, 64, most) == ENOMEM);
	CHECK(block == &failures && errno == 77);
	free(old);
	CHECK(errno == 77);
	free(NULL);
	CHECK(!malloc_usable_size(NULL));
	CHECK(!realloc(malloc(5), zero));
	CHECK(errno == 77);
	block = malloc(zero);
	CHECK(block);
	CHECK(malloc_usable_size(block));
	free(block);
}

static long resident(void)
{
	long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	if (!file || fscanf(file, "%*d %ld", &pages) != 1)
		failures++;
	if (file)
		fclose(file);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void pages(void)
{
	long before = resident();
	char *block = calloc(1, 256 << 20);
	struct rusage usage;

	CHECK(block && !block[100 << 20]);
	CHECK(resident() - before < 8 << 10);
	free(block);
	block = malloc(48 << 20);
	memset(block, 1, 48 << 20);
	block = realloc(block, 150 << 20);
	CHECK(block[(48 << 20) - 1] == 1);
	getrusage(RUSAGE_SELF, &usage);
	CHECK(usage.ru_maxrss < before + (64 << 10));
	free(block);
}

static void foreign(void)
{
	void *(*unseen)(size_t) = dlsym(RTLD_DEFAULT, "__libc_malloc");
	void *(*aligned)(size_t, size_t) =
		dlsym(RTLD_DEFAULT, "__libc_memalign");
	char *block;

	if (!unseen || !aligned)
		return;
	for (size_t size = 0; size < 5000; size += 7)
		free(unseen(size));
	free(aligned(4096, 100));
	block = unseen(10);
	strcpy(block, "foreign");
	CHECK(malloc_usable_size(block) >= 10);
	block = realloc(block, 100000);
	CHECK(!strcmp(block, "foreign"));
	free(block);
}

static int edges(void)
{
	aligned_everywhere();
	errors();
	pages();
	foreign();
	return failures;
}

/* ---- random work, and what it should come to ---- */

enum { SLOTS = 64, STEPS = 20000, WORKERS = 4 };

static struct {
	pthread_mutex_t mutex;
	unsigned char *block;
	size_t size;
} slots[SLOTS];

static struct model {
	uint64_t allocations, bytes, frees, freed;
} models[WORKERS];

static void fill(int slot)
{
	for (size_t i = 0; i < slots[slot].size; i += 61)
		slots[slot].block[i] = slot;
}

static void verify(int slot)
{
	for (size_t i = 0; i < slots[slot].size; i += 61)
		if (slots[slot].block[i] != slot)
			abort();
}

static void *any_block(unsigned choice, size_t *size)
{
	void *block;

	switch (choice % 5) {
	case 0:
		return calloc(1, *size);
	case 1:
		return posix_memalign(&block, 64, *size) ? NULL : block;
	case 2:
		return aligned_alloc(4096, *size);
	default:
		return malloc(*size);
	}
}

/* A block may be freed or resized by another thread than has made it. */
static void step(struct model *model, unsigned *seed)
{
	int slot = rand_r(seed) % SLOTS;
	unsigned choice = rand_r(seed);
	size_t size = 1 + rand_r(seed) % (choice % 50 ? 500 : 200000);

	pthread_mutex_lock(&slots[slot].mutex);
	if (!slots[slot].block) {
		slots[slot].block = any_block(choice, &size);
		model->allocations++;
		model->bytes += size;
	} else {
		verify(slot);
		model->frees++;
		model->freed += slots[slot].size;
		if (choice & 1) {
			slots[slot].block = realloc(slots[slot].block, size);
			model->allocations++;
			model->bytes += size;
		} else {
			free(slots[slot].block);
			slots[slot].block = NULL;
			size = 0;
		}
	}
	slots[slot].size = size;
	fill(slot);
	pthread_mutex_unlock(&slots[slot].mutex);
}

static void *work(void *argument)
{
	struct model *model = argument;
	unsigned seed = model - models + 1;

	for (int i = 0; i < STEPS; i++)
		step(model, &seed);
	return NULL;
}

static void print_models(void)
{
	struct model sum = { 0 };

	for (int i = 0; i < WORKERS; i++) {
		sum.allocations += models[i].allocations;
		sum.bytes += models[i].bytes;
		sum.frees += models[i].frees;
		sum.freed += models[i].freed;
	}
	dprintf(1, "%ju %ju %ju %ju\n", (uintmax_t)sum.allocations,
		(uintmax_t)sum.bytes, (uintmax_t)sum.frees,
		(uintmax_t)sum.freed);
}

static void model(void)
{
	pthread_t threads[WORKERS];

	for (int i = 0; i < SLOTS; i++)
		pthread_mutex_init(&slots[i].mutex, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, work, &models[i]);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	print_models();
}

/* ---- threads that come and go ---- */

static pthread_key_t late_key;

static void late(void *block)
{
	free(block);
	free(malloc(33));
}

static void *short_life(void *argument)
{
	pthread_setspecific(late_key, malloc(22));
	/* A buffer that the C library frees after all else. */
	strerror(12345);
	return malloc(11 + 0 * (size_t)argument);
}

static void thread_exits(void)
{
	pthread_key_create(&late_key, late);
	for (int i = 0; i < 2000; i++) {
		pthread_t thread;
		void *block;

		pthread_create(&thread, NULL, short_life, NULL);
		pthread_join(thread, &block);
		free(block);
	}
}

/* ---- processes ---- */

static void allocates_before(void)
{
	for (int i = 0; i < 10; i++)
		kept[i] = malloc(100);
}

static void allocates_in_child(void)
{
	for (int i = 0; i < 20; i++)
		kept[100 + i] = malloc(50);
}

static void child(void)
{
	for (int i = 0; i < 4; i++)
		free(kept[i]);
	allocates_in_child();
	free(kept[100]);
}

/* By calls that the C library has no handlers for as well. */
static void forks(char *program)
{
	allocates_before();
	if (!fork()) {
		child();
		_exit(0);
	}
	wait(NULL);
	if (!syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) {
		child();
		raise(SIGKILL);
	}
	wait(NULL);
	execl(program, program, "counts", NULL);
}

/* A thread is in the middle of it while another one forks. */
static void *allocates_forever(void *argument)
{
	for (;;) {
		free(malloc(10));
		free(argument);
		argument = calloc(3, 100);
	}
	return NULL;
}

static void fork_storm(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, allocates_forever, NULL);
	for (int i = 0; i < 100; i++) {
		pid_t pid = fork();

		if (!pid) {
			for (int j = 0; j < 100; j++)
				free(malloc(j));
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void on_alarm(int signal)
{
	(void)signal;
	raise(SIGKILL);
}

static void killed(void)
{
	leaks_some();
	signal(SIGALRM, on_alarm);
	raise(SIGALRM);
}

static void crashes(void)
{
	leaks_some();
	*(volatile int *)zero = 1;
}

static void freed_twice(void)
{
	void *volatile block = malloc(100);

	free(block);
	free(block);
}

/* ---- what the C library allocates for its caller ---- */

static void copies(void)
{
	free(strdup("12345"));
	free(strndup("1234567", 3));
	free(wcsdup(L"123"));
}

static void prints(void)
{
	char *text;

	CHECK(asprintf(&text, "%d %s", 12, "345") == 6);
	CHECK(!strcmp(text, "12 345"));
	free(text);
}

static void reads(FILE *file)
{
	char *line = NULL;
	size_t size = 0;

	CHECK(getline(&line, &size, file) == 6 && !strcmp(line, "12345\n"));
	CHECK(getdelim(&line, &size, '8', file) == 3);
	CHECK(!strcmp(line, "678"));
	CHECK(getline(&line, NULL, file) == -1 && errno == EINVAL);
	free(line);
}

static FILE *opens(const char *path)
{
	return fopen(path, "r");
}

static void finds(void)
{
	char *path = realpath("/proc/self/../..", NULL), place[4096];

	CHECK(!strcmp(path, "/"));
	free(path);
	CHECK(realpath("/proc/..", place) == place && !place[1]);
	CHECK(getcwd(place, sizeof(place)) == place);
	path = getcwd(NULL, 0);
	CHECK(!strcmp(path, place));
	free(path);
}

static int callers(const char *path)
{
	FILE *file = opens(path);

	CHECK(file);
	copies();
	prints();
	reads(file);
	finds();
	fclose(file);
	return failures;
}

/* ---- mappings ---- */

static char *map(size_t size, int flags, int fd)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, flags, fd, 0);
}

static void maps_whole(void)
{
	for (int i = 0; i < 10; i++) {
		char *memory = map(100000, MAP_PRIVATE | MAP_ANONYMOUS, -1);

		if (i < 7)
			munmap(memory, 100000);
	}
}

/* What is left of 8 pages: the 4th to the 6th, and the 8th. */
static void maps_parts(void)
{
	char *memory = map(8 << 12, MAP_PRIVATE | MAP_ANONYMOUS, -1);

	munmap(memory, 3 << 12);
	munmap(memory + (6 << 12), 1 << 12);
}

/* The middle page is another one's in the end. */
static char *maps_middle(void)
{
	return map(3 << 12, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void maps_over(char *memory)
{
	mmap(memory + (1 << 12), 1 << 12, PROT_READ,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* 4 pages that become 64, and then 1. */
static char *maps_small(void)
{
	return map(4 << 12, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void remaps(char *memory)
{
	memory = mremap(memory, 4 << 12, 64 << 12, MREMAP_MAYMOVE);
	memory = mremap(memory, 64 << 12, 1 << 12, 0);
	CHECK(memory != MAP_FAILED);
	CHECK(mremap(memory, 1 << 12, zero, 0) == MAP_FAILED);
	CHECK(munmap(memory + 1, 1 << 12) && errno == EINVAL);
}

static void maps_file(const char *program)
{
	int fd = open(program, O_RDONLY);
	char *memory = mmap(NULL, 5000, PROT_READ, MAP_PRIVATE, fd, 0);

	memory = mremap(memory, 5000, 100, 0);
	CHECK(memory != MAP_FAILED);
	CHECK(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED);
	close(fd);
}

static void *maps_often(void *argument)
{
	for (int i = 0; i < 2000; i++) {
		char *memory = map(12 << 12, MAP_PRIVATE | MAP_ANONYMOUS, -1);

		munmap(memory + ((i % 12) << 12), 1 << 12);
		munmap(memory, 12 << 12);
	}
	return argument;
}

static int mappings(const char *program)
{
	pthread_t threads[WORKERS];

	maps_whole();
	maps_parts();
	maps_over(maps_middle());
	remaps(maps_small());
	maps_file(program);
	for (int i = 0; i < WORKERS; i++)
		pthread_create(&threads[i], NULL, maps_often, NULL);
	for (int i = 0; i < WORKERS; i++)
		pthread_join(threads[i], NULL);
	return failures;
}

static int unload(char **plugins)
{
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 2; i++) {
			void *library = dlopen(plugins[i], RTLD_NOW);
			void (*allocate)(void) = library ?
				dlsym(library, i ? "plugin_b" : "plugin_a") :
				NULL;

			if (!allocate)
				return 1;
			allocate();
			dlclose(library);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "counts"))
		counts();
	else if (!strcmp(what, "edges"))
		return edges();
	else if (!strcmp(what, "model"))
		model();
	else if (!strcmp(what, "threads"))
		thread_exits();
	else if (!strcmp(what, "forks"))
		forks(argv[0]);
	else if (!strcmp(what, "fork-storm"))
		fork_storm();
	else if (!strcmp(what, "killed"))
		killed();
	else if (!strcmp(what, "crashes"))
		crashes();
	else if (!strcmp(what, "freed-twice"))
		freed_twice();
	else if (!strcmp(what, "callers") && argc == 3)
		return callers(argv[2]);
	else if (!strcmp(what, "mappings"))
		return mappings(argv[0]);
	else if (!strcmp(what, "unload") && argc == 4)
		return unload(argv + 2);
	_exit(0);
}
