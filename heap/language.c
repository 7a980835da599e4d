/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds an interpreter in this process; see language.h.
 */
#include "language.h"

#include <dlfcn.h>
#include <link.h>

__thread int language_quiet __attribute__((tls_model("initial-exec")));

static int find_range(struct dl_phdr_info *info, size_t size, void *closure)
{
	struct code_range *range = closure, found = { ~(uintptr_t)0, 0 };

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
		uintptr_t end = start + info->dlpi_phdr[i].p_memsz;

		if (info->dlpi_phdr[i].p_type != PT_LOAD)
			continue;
		if (start < found.start)
			found.start = start;
		if (end > found.end)
			found.end = end;
	}
	if (range->start < found.start || range->start >= found.end)
		return 0;
	*range = found;
	return 1;
}

struct code_range code_range_of(const void *address)
{
	struct code_range range = { .start = (uintptr_t)address };

	if (!dl_iterate_phdr(find_range, &range))
		range.start = 0;
	return range;
}

struct thread_local thread_local_find(const char *name)
{
	char *variable = dlsym(RTLD_DEFAULT, name);

	return (struct thread_local){
		.offset = variable - (char *)&self, .found = variable,
	};
}

uint32_t stack_unlocked(uint32_t stack)
{
	const struct heap_stack *locked = &heap_state->stacks[stack];
	struct heap_frame frame = heap_state->frames[locked->frame];
	uint32_t index;

	frame.flags |= HEAP_FRAME_UNLOCKED;
	index = frame_index(&frame);
	return index ? stack_index(locked->caller, index) : 0;
}

void language_start(void)
{
	heap_language = ruby_find();
	if (!heap_language)
		heap_language = python_find();
}
