/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mappings of an address space: how they are read, and what changes do to
 * what is believed of them.  The address space is that of the test itself.
 */
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <unistd.h>

#include "check.h"
#include "mmap_cache.h"
#include "mmap_notify.h"
#include "tracee.h"

/* ---- lines ---- */

static void check_line(const char *text, const char *path, uint64_t start,
		       uint64_t end, uint64_t offset, const char *flags,
		       uint64_t inode)
{
	struct mapping m;
	char line[512];

	snprintf(line, sizeof(line), "%s", text);
	if (!OK(mapping_parse(line, &m), "%s is a mapping", text))
		return;
	IS_STR(m.path, path, "its path");
	IS_INT(m.start, start, "its start");
	IS_INT(m.end, end, "its end");
	IS_INT(m.offset, offset, "its offset");
	IS_INT(m.inode, inode, "its inode");
	OK(m.readable == (flags[0] == 'r') && m.writable == (flags[1] == 'w') &&
	   m.executable == (flags[2] == 'x') && m.deleted == (flags[3] == 'd'),
	   "its flags: %s", flags);
}

static void check_lines(void)
{
	static const char *const bad[] = {
		"", "x", "1000", "1000-2000", "1000-2000 r-xp",
		"2000-1000 r-xp 00000000 00:00 0", "1000-2000 r-xp 0 00:00 ",
		"1000 2000 r-xp 00000000 00:00 0",
		"0x1000-2000 r-xp 00000000 00:00 0", "-1000-2000 r-xp 0 0:0 0",
		"1000-2000 r-xp 00000000 00 0", "Size:                  4 kB",
	};
	char line[64];

	check_line("55d0c0a00000-55d0c0a02000 r--p 00001000 fe:00 332835"
		   "                     /usr/bin/true",
		   "/usr/bin/true", 0x55d0c0a00000, 0x55d0c0a02000, 0x1000,
		   "r---", 332835);
	check_line("7ffd1-7ffd2 rw-p 00000000 00:00 0 ", "", 0x7ffd1, 0x7ffd2,
		   0, "rw--", 0);
	check_line("1-2 r-xp 00000000 00:00 0                          [vdso]",
		   "[vdso]", 1, 2, 0, "r-x-", 0);
	check_line("ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0"
		   "                  [vsyscall]", "[vsyscall]",
		   0xffffffffff600000, 0xffffffffff601000, 0, "--x-", 0);
	check_line("1000-2000 r-xs 7fffffffff000 fd:10 18446744073709551615"
		   "    /a b/c (deleted)", "/a b/c", 0x1000, 0x2000,
		   0x7fffffffff000, "r-xd", 18446744073709551615u);
	check_line("1000-2000 r-xp 00000000 fe:00 5 /new\\012line\\012",
		   "/new\nline\n", 0x1000, 0x2000, 0, "r-x-", 5);
	check_line("1000-2000 r-xp 00000000 fe:00 5 / (deleted) (deleted)",
		   "/ (deleted)", 0x1000, 0x2000, 0, "r-xd", 5);
	check_line("1000-2000 r-xp 00000000 fe:00 5 [anon:x (deleted)",
		   "[anon:x (deleted)", 0x1000, 0x2000, 0, "r-x-", 5);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct mapping m;

		snprintf(line, sizeof(line), "%s", bad[i]);
		OK(!mapping_parse(line, &m), "'%s' is none", bad[i]);
	}
}

/* ---- changes ---- */

static long page;

static void publish(struct space *space, enum map_change_kind kind,
		    uint64_t start, uint64_t size)
{
	struct map_change change = {
		.kind = kind, .start = start, .end = start + size,
		.protection = kind == MAP_CHANGE_MAP ? PROT_EXEC : 0,
	};

	mmap_notify_publish(space, &change);
}

static uint8_t *map(int pages, int protection)
{
	return mmap(NULL, pages * page, protection,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Code of this program: it stays where it is. */
static uint64_t own_code(void)
{
	return (uintptr_t)own_code;
}

static void check_changes(struct space *space)
{
	const struct mapping *m = mmap_cache_find_code(space, own_code());
	uint64_t generation = mmap_cache_generation(space), reads;

	OK(m && m->executable && m->path[0] == '/' &&
	   m->start <= own_code() && own_code() < m->end,
	   "the code of this program is found");

	/* Something new that nobody asks for costs nothing. */
	reads = mmap_cache_reads;

	uint8_t *data = map(4, PROT_READ | PROT_WRITE);

	publish(space, MAP_CHANGE_MAP, (uintptr_t)data, 4 * page);
	OK(mmap_cache_find_code(space, own_code()),
	   "known code is found after something was mapped");
	IS_INT(mmap_cache_reads, reads, "without reading again");
	IS_INT(mmap_cache_generation(space), generation,
	       "and all stays valid");

	m = mmap_cache_find(space, (uintptr_t)data);
	OK(m && m->start <= (uintptr_t)data && m->writable,
	   "what was mapped is found if it is asked for");
	IS_INT(mmap_cache_reads, reads + 1, "by reading once");

	/* A hole in its middle. */
	munmap(data + page, page);
	publish(space, MAP_CHANGE_UNMAP, (uintptr_t)data + page, page);
	OK(mmap_cache_find(space, (uintptr_t)data) &&
	   !mmap_cache_find(space, (uintptr_t)data + page) &&
	   mmap_cache_find(space, (uintptr_t)data + 2 * page),
	   "what was unmapped is gone, what is around it is not");
	IS_INT(mmap_cache_reads, reads + 1, "without reading again");
	IS_INT(mmap_cache_generation(space), generation,
	       "and all stays valid: it was no code");
}

static void check_code_changes(struct space *space)
{
	uint64_t generation = mmap_cache_generation(space);
	uint8_t *code = map(3, PROT_READ | PROT_EXEC);
	uint64_t start = (uintptr_t)code, reads;
	const struct mapping *m;

	publish(space, MAP_CHANGE_MAP, start, 3 * page);
	OK(mmap_cache_find_code(space, start + 2 * page), "new code is found");
	IS_INT(mmap_cache_generation(space), generation,
	       "new code leaves the rest valid");

	munmap(code + page, page);
	publish(space, MAP_CHANGE_UNMAP, start + page, page);
	OK(mmap_cache_generation(space) != generation,
	   "code that goes makes a new generation");
	OK(mmap_cache_find_code(space, start) &&
	   mmap_cache_find_code(space, start + 2 * page),
	   "but the rest of it stays");

	generation = mmap_cache_generation(space);
	mprotect(code, page, PROT_READ);
	publish(space, MAP_CHANGE_PROTECT, start, page);
	OK(!mmap_cache_find_code(space, start) &&
	   mmap_cache_generation(space) != generation,
	   "what is no longer executable is no code");

	/* Changes that nobody tells of. */
	generation = mmap_cache_generation(space);
	munmap(code + 2 * page, page);
	OK(mmap_cache_find_code(space, start + 2 * page),
	   "a change that is not told of is not seen");
	mmap_cache_forget(space);
	m = mmap_cache_find_code(space, start + 2 * page);
	OK(!m && mmap_cache_generation(space) != generation,
	   "until it is asked to look again");
	code = map(1, PROT_READ | PROT_EXEC);
	OK(mmap_cache_find_code(space, (uintptr_t)code),
	   "code that nobody told of is found");

	/* Looking in vain becomes rare, whatever data is mapped meanwhile. */
	reads = mmap_cache_reads;
	for (int i = 0; i < 1000; i++) {
		mmap_notify_publish(space, &(struct map_change){
			.kind = MAP_CHANGE_MAP, .protection = PROT_READ,
			.start = 0x10000, .end = 0x20000,
		});
		mmap_cache_find_code(space, 0x1000);
	}
	OK(mmap_cache_reads - reads <= 11, "1000 misses, %u reads",
	   (unsigned)(mmap_cache_reads - reads));
	munmap(code, page);
}

static void protect(struct space *space, uint8_t *at, int pages,
		    int protection)
{
	struct map_change change = {
		.kind = MAP_CHANGE_PROTECT, .start = (uintptr_t)at,
		.end = (uintptr_t)at + pages * page, .protection = protection,
	};

	mprotect(at, pages * page, protection);
	mmap_notify_publish(space, &change);
}

/* What changes only its protection is known without reading again. */
static void check_protection(struct space *space)
{
	uint8_t *at = map(4, PROT_READ | PROT_EXEC);
	uint64_t start = (uintptr_t)at, generation, reads;
	struct mapping whole;

	mmap_cache_forget(space);
	OK(mmap_cache_find_code(space, start), "code is found");
	whole = *mmap_cache_find_code(space, start);
	generation = mmap_cache_generation(space);
	reads = mmap_cache_reads;

	protect(space, at + page, 1, PROT_READ | PROT_WRITE | PROT_EXEC);
	IS_INT(mmap_cache_generation(space), generation,
	       "code that remains code stays valid");
	OK(mmap_cache_has_code(space, &whole) &&
	   mmap_cache_find(space, start + page)->writable &&
	   !mmap_cache_find(space, start)->writable &&
	   !mmap_cache_find(space, start + 2 * page)->writable,
	   "all of it, in pieces");
	protect(space, at + page, 2, PROT_READ);
	OK(mmap_cache_generation(space) != generation &&
	   !mmap_cache_has_code(space, &whole) &&
	   mmap_cache_find_code(space, start) &&
	   mmap_cache_find_code(space, start + 3 * page),
	   "what is no longer code is lost, and nothing else");
	protect(space, at + page, 2, PROT_READ | PROT_EXEC);
	OK(mmap_cache_has_code(space, &whole), "and comes back");
	IS_INT(mmap_cache_reads, reads, "all without reading");
	munmap(at, 4 * page);
	publish(space, MAP_CHANGE_UNMAP, start, 4 * page);

	/* What is not known becomes code. */
	at = map(1, PROT_READ);
	publish(space, MAP_CHANGE_MAP, (uintptr_t)at, page);
	protect(space, at, 1, PROT_READ | PROT_EXEC);
	OK(mmap_cache_find_code(space, (uintptr_t)at),
	   "new memory becomes code and is found");
	munmap(at, page);
	publish(space, MAP_CHANGE_UNMAP, (uintptr_t)at, page);
}

static void check_shared_memory(struct space *space)
{
	int id = shmget(IPC_PRIVATE, 4 * page, IPC_CREAT | 0600);
	uint64_t generation, reads;
	uint8_t *at;

	if (id < 0) {
		printf("# no System V shared memory here\n");
		return;
	}
	at = shmat(id, NULL, 0);
	shmctl(id, IPC_RMID, NULL);
	OK(mmap_cache_find_code(space, own_code()), "code is found");
	generation = mmap_cache_generation(space);
	reads = mmap_cache_reads;
	publish(space, MAP_CHANGE_ATTACH, (uintptr_t)at, 0);
	OK(mmap_cache_find_code(space, own_code()) &&
	   mmap_cache_reads == reads, "shared memory costs code nothing");
	OK(mmap_cache_find(space, (uintptr_t)at + 3 * page),
	   "and is found if it is asked for");
	munmap(at + page, page);
	publish(space, MAP_CHANGE_UNMAP, (uintptr_t)at + page, page);
	reads = mmap_cache_reads;
	publish(space, MAP_CHANGE_DETACH, (uintptr_t)at + 2 * page, 0);
	OK(mmap_cache_find(space, (uintptr_t)at + 2 * page),
	   "it is not detached from its middle on");
	shmdt(at);
	publish(space, MAP_CHANGE_DETACH, (uintptr_t)at, 0);
	OK(!mmap_cache_find(space, (uintptr_t)at), "it goes");
	IS_INT(mmap_cache_reads, reads, "without reading");
	IS_INT(mmap_cache_generation(space), generation,
	       "and all stays valid");
}

static void check_remap(struct space *space)
{
	uint8_t *from = map(2, PROT_READ | PROT_EXEC);
	struct map_change change = {
		.kind = MAP_CHANGE_MOVE,
		.old_start = (uintptr_t)from,
		.old_end = (uintptr_t)from + 2 * page,
	};
	uint8_t *to;

	mmap_cache_forget(space);
	OK(mmap_cache_find_code(space, (uintptr_t)from), "code is found");
	/* So much that it must move. */
	to = mremap(from, 2 * page, 512 * page, MREMAP_MAYMOVE);
	change.start = (uintptr_t)to;
	change.end = change.start + 512 * page;
	mmap_notify_publish(space, &change);
	OK(mmap_cache_find_code(space, change.start + 511 * page),
	   "code is found where it moved to");
	OK(to == from || !mmap_cache_find_code(space, (uintptr_t)from),
	   "and no longer where it was");
	munmap(to, 512 * page);
	publish(space, MAP_CHANGE_UNMAP, change.start, 512 * page);
}

static void check_exec(struct space *space)
{
	uint64_t generation = mmap_cache_generation(space);
	uint64_t reads = mmap_cache_reads;

	publish(space, MAP_CHANGE_EXEC, 0, 0);
	OK(mmap_cache_generation(space) != generation,
	   "exec makes a new generation");
	OK(mmap_cache_find_code(space, own_code()), "all is found again");
	IS_INT(mmap_cache_reads, reads + 1, "by reading once");
}

static unsigned told;

static void on_change(void *context, struct space *space,
		      const struct map_change *change)
{
	(void)space;
	told += *(unsigned *)context;
	IS_INT(change->kind, MAP_CHANGE_GONE, "a subscriber is told of the end");
}

int main(void)
{
	static unsigned one = 1;
	struct space *space = space_new(getpid()), *other;

	page = sysconf(_SC_PAGESIZE);
	check_lines();
	OK(!mmap_notify_wanted(), "nobody listens at first");
	OK(mmap_cache_init(), "the cache subscribes");
	OK(mmap_notify_wanted(), "then somebody does");
	check_changes(space);
	check_code_changes(space);
	check_protection(space);
	check_shared_memory(space);
	check_remap(space);
	check_exec(space);

	/* Spaces have nothing to do with each other. */
	other = space_new(getpid());
	OK(mmap_cache_find_code(other, own_code()), "another space");

	uint64_t generation = mmap_cache_generation(space);

	publish(other, MAP_CHANGE_EXEC, 0, 0);
	IS_INT(mmap_cache_generation(space), generation,
	       "what happens to one is nothing to the other");
	OK(mmap_notify_subscribe(on_change, &one), "another subscriber");
	space_put(other);
	space_put(space);
	IS_INT(told, 2, "the subscriber was told of both");
	return check_done();
}
