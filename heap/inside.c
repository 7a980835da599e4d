/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a counted program can ask about itself; see tracer-heap.h.  Nothing here
 * allocates by malloc: it would be counted.
 */
#include "tracer-heap.h"

#include "block.h"
#include "language.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	LINE = 1,		/* top byte of an id: a frame's index follows */
	NAME_MAX_SIZE = 8192,
};

/* What sites had at the last reset; wiped in a child, which begins anew. */
static struct heap_counters *before;

static void *map_memory(size_t size)
{
	void *memory = next.mmap(NULL, size, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				 -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

/* ---- counters ---- */

static void add_counters(struct heap_counters *sum,
			 const struct heap_counters *more)
{
	uint64_t max = more->generations & HEAP_GENERATIONS_MAX;

	sum->allocations += more->allocations;
	sum->bytes += more->bytes;
	sum->frees += more->frees;
	sum->freed += more->freed;
	if (max < (sum->generations & HEAP_GENERATIONS_MAX))
		max = sum->generations & HEAP_GENERATIONS_MAX;
	sum->generations = ((sum->generations >> HEAP_GENERATIONS_SHIFT) +
			    (more->generations >> HEAP_GENERATIONS_SHIFT))
		<< HEAP_GENERATIONS_SHIFT | max;
}

static void add_samples(struct heap_counters *sums, uint32_t sites)
{
	uint32_t count = __atomic_load_n(&heap_state->sample_count,
					 __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < count; i++) {
		const struct heap_sample *sample = &heap_state->samples[i];

		if (sample->site >= sites)
			continue;
		sums[sample->site].allocations += sample->allocations;
		sums[sample->site].bytes += sample->bytes;
		sums[sample->site].frees += sample->frees;
		sums[sample->site].freed += sample->freed;
	}
}

/* The counters of all sites, for munmap(); NULL: memory is short. */
static struct heap_counters *sum_sites(uint32_t *count)
{
	struct heap_counters *sums = map_memory(HEAP_SITES * sizeof(*sums));
	uint32_t pages;

	if (!sums || !process_is_started()) {
		*count = 0;
		return sums;
	}
	pages = __atomic_load_n(&heap_state->page_count, __ATOMIC_ACQUIRE);
	*count = __atomic_load_n(&heap_state->site_count, __ATOMIC_ACQUIRE);
	for (uint32_t page = 0; page < pages; page++) {
		uint32_t first = heap_state->page_first[page] - 1;

		for (uint32_t i = 0; i < HEAP_PAGE_SITES; i++)
			if (first + i < *count)
				add_counters(&sums[first + i],
					     &heap_state->pages[page][i]);
	}
	add_samples(sums, *count);
	return sums;
}

static void subtract(struct heap_counters *now,
		     const struct heap_counters *then)
{
	now->allocations -= then->allocations;
	now->bytes -= then->bytes;
	now->frees -= then->frees;
	now->freed -= then->freed;
	now->generations -= then->generations & ~HEAP_GENERATIONS_MAX;
}

static struct heap_counters *sum_since_reset(uint32_t *count)
{
	struct heap_counters *sums = sum_sites(count);

	for (uint32_t i = 0; sums && before && i < *count; i++)
		subtract(&sums[i], &before[i]);
	return sums;
}

static void unmap_sums(struct heap_counters *sums)
{
	if (sums)
		next.munmap(sums, HEAP_SITES * sizeof(*sums));
}

EXPORT void tracer_heap_reset(void)
{
	uint32_t count;
	struct heap_counters *sums = sum_sites(&count);

	if (!before)
		before = map_private(HEAP_SITES * sizeof(*before));
	if (sums && before)
		memcpy(before, sums, count * sizeof(*before));
	unmap_sums(sums);
	/* The most of all can only be forgotten. */
	for (uint32_t i = 0; heap_state && i < heap_state->page_count; i++)
		for (uint32_t j = 0; j < HEAP_PAGE_SITES; j++)
			heap_state->pages[i][j].generations &=
				~HEAP_GENERATIONS_MAX;
}

/* ---- locations ---- */

static bool is_counted(const struct heap_site *site)
{
	const struct heap_frame *frame =
		&heap_state->frames[heap_state->stacks[site->stack].frame];

	return site->kind == HEAP_KIND_MALLOC &&
		!(site->flags & HEAP_SITE_INHERITED) &&
		!(site->stack && frame->flags & HEAP_FRAME_QUIET);
}

/* All stacks that end in a line are the same location. */
static uint32_t line_of(uint32_t stack)
{
	struct heap_frame frame =
		heap_state->frames[heap_state->stacks[stack].frame];

	if (frame.file)
		frame.function = 0;
	return frame_index(&frame);
}

static uint64_t location_of(const struct heap_site *site)
{
	if (!site->stack)
		return site->address;
	return (uint64_t)LINE << 56 | line_of(site->stack);
}

static void add_to(struct tracer_heap_location *location, uint64_t id,
		   const struct heap_counters *counters)
{
	uint64_t max = counters->generations & HEAP_GENERATIONS_MAX;

	location->id = id;
	location->allocations += counters->allocations;
	location->bytes += counters->bytes;
	location->frees += counters->frees;
	location->freed += counters->freed;
	location->generations += counters->generations >>
		HEAP_GENERATIONS_SHIFT;
	if (location->generations_max < max)
		location->generations_max = max;
}

static bool is_empty(const struct tracer_heap_location *location)
{
	return !location->allocations && !location->frees;
}

struct listing {
	struct tracer_heap_location *list;
	size_t room, count;
};

static void list_location(struct listing *listing,
			  const struct tracer_heap_location *location)
{
	if (is_empty(location))
		return;
	if (listing->count < listing->room)
		listing->list[listing->count] = *location;
	listing->count++;
}

EXPORT size_t tracer_heap_locations(struct tracer_heap_location *list,
				    size_t room)
{
	struct listing listing = { list, room, 0 };
	size_t size = HEAP_FRAMES * sizeof(*list);
	struct tracer_heap_location *lines = map_memory(size);
	uint32_t sites;
	struct heap_counters *sums = sum_since_reset(&sites);

	for (uint32_t i = 0; lines && sums && i < sites; i++) {
		const struct heap_site *site = &heap_state->sites[i];
		struct tracer_heap_location one = { 0 };

		if (!is_counted(site))
			continue;
		if (site->stack) {
			uint64_t id = location_of(site);

			add_to(&lines[(uint32_t)id], id, &sums[i]);
			continue;
		}
		add_to(&one, site->address, &sums[i]);
		list_location(&listing, &one);
	}
	for (uint32_t i = 0; lines && sums && i < HEAP_FRAMES; i++)
		list_location(&listing, &lines[i]);
	if (lines)
		next.munmap(lines, size);
	unmap_sums(sums);
	return listing.count;
}

EXPORT void tracer_heap_totals(uint64_t *allocated, uint64_t *freed)
{
	uint32_t count;
	struct heap_counters *sums = sum_since_reset(&count);

	*allocated = *freed = 0;
	for (uint32_t i = 0; sums && i < count; i++) {
		if (!is_counted(&heap_state->sites[i]))
			continue;
		*allocated += sums[i].bytes;
		*freed += sums[i].freed;
	}
	unmap_sums(sums);
}

/* ---- names ---- */

static size_t name_line(uint32_t index, char *text, size_t size)
{
	const struct heap_frame *frame = &heap_state->frames[index];
	const char *strings = heap_state->strings;

	if (!index)
		return snprintf(text, size, "(other)");
	if (!frame->file)
		return snprintf(text, size, "%s", strings + frame->function);
	return snprintf(text, size, "%s:%u%s", strings + frame->file,
			frame->line, !(frame->flags & HEAP_FRAME_UNLOCKED) ?
			"" : frame->language == HEAP_RUBY ? " [nogvl]" :
			" [nogil]");
}

static size_t name_address(uint64_t address, char *text, size_t size)
{
	uint32_t modules = heap_state->module_count;

	for (uint32_t i = modules; i--;) {
		const struct heap_module *module = &heap_state->modules[i];

		if (!module->gone && address - 1 >= module->start &&
		    address - 1 < module->end)
			return snprintf(text, size, "%s(+0x%lx)[0x%lx]",
					heap_state->strings + module->path,
					address - module->bias, address);
	}
	return snprintf(text, size, "[0x%lx]", address);
}

EXPORT size_t tracer_heap_name(uint64_t id, char *text, size_t size)
{
	if (!process_is_started() || !id)
		return snprintf(text, size, "(other)");
	if (id >> 56 != LINE)
		return name_address(id, text, size);
	return name_line((uint32_t)id % HEAP_FRAMES, text, size);
}

/* A name that ends with an address in brackets is that of the address. */
static uint64_t address_in(const char *name)
{
	const char *bracket = strrchr(name, '[');
	char *end;
	uint64_t address;

	if (!bracket || strncmp(bracket, "[0x", 3))
		return 0;
	address = strtoull(bracket + 1, &end, 16);
	return strcmp(end, "]") ? 0 : address;
}

EXPORT uint64_t tracer_heap_find(const char *name)
{
	char text[NAME_MAX_SIZE];
	uint64_t address = address_in(name);

	if (!process_is_started())
		return 0;
	for (uint32_t i = 1; i < heap_state->site_count; i++) {
		const struct heap_site *site = &heap_state->sites[i];
		uint64_t id;

		if (!is_counted(site) || (address && site->stack) ||
		    (!address && !site->stack))
			continue;
		if (address && site->address == address)
			return address;
		if (address)
			continue;
		id = location_of(site);
		tracer_heap_name(id, text, sizeof(text));
		if (!strcmp(text, name))
			return id;
	}
	return 0;
}

EXPORT void tracer_heap_dump(int fd, uint64_t min)
{
	size_t count = tracer_heap_locations(NULL, 0), room = count + 64;
	struct tracer_heap_location *list = map_memory(room * sizeof(*list));

	if (!list)
		return;
	count = tracer_heap_locations(list, room);
	for (size_t i = 0; i < count && i < room; i++) {
		char text[NAME_MAX_SIZE];

		if (list[i].bytes <= min)
			continue;
		tracer_heap_name(list[i].id, text, sizeof(text));
		dprintf(fd, "%16lu %12lu %s\n", list[i].bytes,
			list[i].allocations, text);
	}
	next.munmap(list, room * sizeof(*list));
}

/* ---- blocks ---- */

enum {
	CHUNK_PAGES = 256,
	CHUNK = CHUNK_PAGES * HEAP_PAGE,
};

struct scan {
	uint64_t id;
	int pagemap;
	struct tracer_heap_block *list;
	size_t room, count;
	uint64_t present[CHUNK_PAGES];
	char bytes[CHUNK];	/* a copy: memory may go away meanwhile */
};

static bool is_block(const struct scan *scan, const struct header *header,
		     uintptr_t block, uintptr_t end)
{
	unsigned shift = header->site_shift & 0xff;
	uint32_t site = header_site(header);

	if ((header->size_check ^ header_check((void *)block)) >> 48 ||
	    shift < HEADER_SHIFT || shift > 47)
		return false;
	if (site >= HEAP_SITES &&
	    site - HEAP_SITES < heap_state->sample_count)
		site = heap_state->samples[site - HEAP_SITES].site;
	return site < heap_state->site_count &&
		(header->size_check ^ header_check((void *)block)) <=
		end - block &&
		is_counted(&heap_state->sites[site]) &&
		location_of(&heap_state->sites[site]) == scan->id;
}

static void scan_run(struct scan *scan, uintptr_t start, size_t size,
		     uintptr_t end)
{
	struct iovec to = { scan->bytes, size };
	struct iovec from = { (void *)start, size };
	ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);

	for (ssize_t at = 0; at + HEADER <= got; at += HEADER) {
		const struct header *header = (void *)(scan->bytes + at);
		uintptr_t block = start + at + HEADER;

		/* Nearly all are sorted out by the first word. */
		if (LIKELY(!(header->size_check >> 63)) ||
		    !is_block(scan, header, block, end))
			continue;
		if (scan->count < scan->room)
			scan->list[scan->count] = (struct tracer_heap_block){
				.address = block,
				.size = header->size_check ^
					header_check((void *)block),
				.generation = generation_at(header->born),
			};
		scan->count++;
	}
}

/* What is neither present nor swapped out was never written to. */
static void scan_chunk(struct scan *scan, uintptr_t start, size_t size,
		       uintptr_t end)
{
	size_t pages = size / HEAP_PAGE, from = 0;
	ssize_t got = pread(scan->pagemap, scan->present,
			    pages * sizeof(*scan->present),
			    start / HEAP_PAGE * sizeof(*scan->present));

	if (got != (ssize_t)(pages * sizeof(*scan->present)))
		memset(scan->present, 0xff, sizeof(scan->present));
	for (size_t page = 0; page <= pages; page++) {
		if (page < pages && scan->present[page] >> 62)
			continue;
		if (page > from)
			scan_run(scan, start + from * HEAP_PAGE,
				 (page - from) * HEAP_PAGE, end);
		from = page + 1;
	}
}

static void scan_range(struct scan *scan, uintptr_t start, uintptr_t end)
{
	for (uintptr_t at = start; at < end; at += CHUNK)
		scan_chunk(scan, at, end - at < CHUNK ? end - at : CHUNK, end);
}

/* Private memory that is no file's, but for the scan's own. */
static void scan_mapping(struct scan *scan, const char *line)
{
	uintptr_t start, end, own = (uintptr_t)scan, own_end;
	unsigned long inode;
	char flags[5];
	int name = 0;

	if (sscanf(line, "%lx-%lx %4s %*x %*s %lu %n", &start, &end, flags,
		   &inode, &name) != 4 || strcmp(flags, "rw-p") || inode ||
	    (name && line[name] && strncmp(line + name, "[heap]", 6) &&
	     strncmp(line + name, "[anon", 5)))
		return;
	own_end = own + ((sizeof(*scan) + HEAP_PAGE - 1) &
			 -(size_t)HEAP_PAGE);
	if (own_end <= start || own >= end) {
		scan_range(scan, start, end);
		return;
	}
	if (start < own)
		scan_range(scan, start, own);
	if (own_end < end)
		scan_range(scan, own_end, end);
}

/* A mapping a line; the file is read as a whole first, as far as it goes. */
static void scan_mappings(struct scan *scan, int fd)
{
	const size_t size = 16 << 20;
	char *text = map_memory(size);
	size_t length = 0;
	ssize_t got;

	if (!text)
		return;
	while (length < size - 1 &&
	       (got = read(fd, text + length, size - 1 - length)) > 0)
		length += got;
	for (char *line = text, *end; (end = strchr(line, '\n'));
	     line = end + 1) {
		*end = '\0';
		scan_mapping(scan, line);
	}
	next.munmap(text, size);
}

EXPORT size_t tracer_heap_blocks(uint64_t id, struct tracer_heap_block *list,
				 size_t room)
{
	int maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	struct scan *scan = map_memory(sizeof(*scan));
	size_t count = 0;

	if (scan && maps >= 0 && process_is_started()) {
		scan->id = id;
		scan->list = list;
		scan->room = room;
		scan->pagemap = open("/proc/self/pagemap",
				     O_RDONLY | O_CLOEXEC);
		scan_mappings(scan, maps);
		count = scan->count;
		if (scan->pagemap >= 0)
			close(scan->pagemap);
	}
	if (maps >= 0)
		close(maps);
	if (scan)
		next.munmap(scan, sizeof(*scan));
	return count;
}

EXPORT void tracer_heap_quiet(int change)
{
	language_quiet += change;
}

EXPORT void tracer_heap_collects(uint32_t count)
{
	struct thread *thread = thread_self();

	if (thread)
		generation_begins(thread, count);
}
