/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads state files; see read.h.
 */
#include "config.h"

#include "read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The used parts are copied, for to map the file would be to depend on it: on
 * its not being cut off, and on room for holes that are looked at, which a full
 * file system in memory does not have.  What cannot be read remains zeros.
 */
static void load(int fd, char *bytes, off_t size)
{
	off_t at = 0, end = 0;
	ssize_t length;

	while ((at = lseek(fd, at, SEEK_DATA)) >= 0 && at < size) {
		end = lseek(fd, at, SEEK_HOLE);
		if (end < 0 || end > size)
			end = size;
		for (; at < end; at += length) {
			length = pread(fd, bytes + at, end - at, at);
			if (length <= 0)
				return;
		}
	}
}

static bool map(struct heap_file *file, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat status;
	char *bytes;

	if (fd < 0)
		return false;
	if (fstat(fd, &status) || !S_ISREG(status.st_mode) ||
	    (size_t)status.st_size < offsetof(struct heap_state, pages)) {
		close(fd);
		errno = EINVAL;
		return false;
	}
	bytes = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED) {
		close(fd);
		return false;
	}
	file->state = (struct heap_state *)bytes;
	file->fd = fd;
	load(fd, bytes, status.st_size);
	file->size = status.st_size;
	return true;
}

static uint32_t at_most(uint32_t value, uint64_t limit)
{
	return value < limit ? value : (uint32_t)limit;
}

static void add(struct heap_total *total, const struct heap_counters *from)
{
	total->allocations += from->allocations;
	total->bytes += from->bytes;
	total->frees += from->frees;
	total->freed += from->freed;
	total->life += from->life;
	if (from->life_max > total->life_max)
		total->life_max = from->life_max;
}

static void add_pages(struct heap_file *file)
{
	const struct heap_state *state = file->state;
	uint64_t in_file = (file->size - offsetof(struct heap_state, pages)) /
		HEAP_PAGE;
	uint32_t count = at_most(state->page_count,
				 in_file < HEAP_PAGES ? in_file : HEAP_PAGES);

	for (uint32_t page = 0; page < count; page++) {
		uint32_t first = state->page_first[page] - 1;

		for (uint32_t i = 0; i < HEAP_PAGE_SITES; i++)
			if ((uint64_t)first + i < file->count)
				add(&file->totals[first + i],
				    &state->pages[page][i]);
	}
}

/* A mean life is that of the sampled blocks. */
static uint64_t scale_life(const struct heap_sample *sample, uint64_t frees)
{
	return sample->frees ?
		(double)sample->life / sample->frees * frees : 0;
}

static void add_samples(struct heap_file *file)
{
	const struct heap_state *state = file->state;
	bool only = state->flags & HEAP_STATE_SAMPLE_ONLY;

	file->sample_count = at_most(state->sample_count, HEAP_SAMPLES);
	for (size_t i = 0; i < file->sample_count; i++) {
		const struct heap_sample *sample = &state->samples[i];
		uint64_t frees = sample->freed_number / HEAP_NUMBER_UNIT;
		struct heap_counters counters = {
			.allocations = only ?
				sample->number / HEAP_NUMBER_UNIT :
				sample->allocations,
			.bytes = only ? sample->weight : sample->bytes,
			.frees = only ? frees : sample->frees,
			.freed = only ? sample->freed_weight : sample->freed,
			.life = only ? scale_life(sample, frees) :
				sample->life,
			.life_max = sample->life_max,
		};

		if (sample->site < file->count)
			add(&file->totals[sample->site], &counters);
	}
}

bool heap_file_open(struct heap_file *file, const char *path)
{
	*file = (struct heap_file){ 0 };
	if (!map(file, path))
		return false;
	if (file->state->magic != HEAP_STATE_MAGIC) {
		heap_file_close(file);
		errno = EINVAL;
		return false;
	}
	file->count = at_most(file->state->site_count, HEAP_SITES);
	file->totals = calloc(file->count + 1, sizeof(*file->totals));
	if (!file->totals) {
		heap_file_close(file);
		errno = ENOMEM;
		return false;
	}
	for (size_t i = 0; i < file->count; i++)
		file->totals[i].site = &file->state->sites[i];
	add_pages(file);
	add_samples(file);
	file->resident = file->state->resident;
	file->taken = file->state->taken;
	return true;
}

void heap_file_close(struct heap_file *file)
{
	if (file->state) {
		munmap((void *)file->state, file->size);
		close(file->fd);
	}
	free(file->totals);
	*file = (struct heap_file){ 0 };
}

const struct heap_module *heap_file_module(const struct heap_file *file,
					   uint32_t module)
{
	if (!module || module > HEAP_MODULES ||
	    module > file->state->module_count)
		return NULL;
	return &file->state->modules[module - 1];
}

const char *heap_file_string(const struct heap_file *file, uint32_t at)
{
	const char *string;

	if (!at || at >= HEAP_STRINGS)
		return NULL;
	string = file->state->strings + at;
	if (!*string || !memchr(string, '\0', HEAP_STRINGS - at))
		return NULL;
	return string;
}

const struct heap_frame *heap_file_frame(const struct heap_file *file,
					 uint32_t index)
{
	if (!index || index >= at_most(file->state->frame_count, HEAP_FRAMES))
		return NULL;
	return &file->state->frames[index];
}

const struct heap_stack *heap_file_stack(const struct heap_file *file,
					 uint32_t index)
{
	const struct heap_stack *stack;

	if (!index || index >= at_most(file->state->stack_count, HEAP_STACKS))
		return NULL;
	stack = &file->state->stacks[index];
	return stack->caller < index ? stack : NULL;
}
