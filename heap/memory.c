/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How much memory the process has, beside what is alive in it.
 */
#include "library.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The second number of /proc/self/statm is of pages. */
static uint64_t resident(void)
{
	char text[128], *second;
	int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
	ssize_t length;

	if (fd < 0)
		return 0;
	length = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[length < 0 ? 0 : length] = '\0';
	second = strchr(text, ' ');
	return second ? strtoull(second, NULL, 10) * sysconf(_SC_PAGESIZE) : 0;
}

void memory_tell(void)
{
	uint32_t asked = __atomic_load_n(&heap_state->asked,
					 __ATOMIC_RELAXED);
	int saved = errno;

	/* One thread is enough, and it cannot be asked meanwhile. */
	if (__atomic_exchange_n(&heap_state->answered, asked,
				__ATOMIC_RELAXED) == asked)
		return;
	if (next.glibc && next.mallinfo2) {
		struct mallinfo2 info = next.mallinfo2();

		heap_state->heap = info.arena + info.hblkhd;
	}
	heap_state->resident = resident();
	errno = saved;
}

__attribute__((destructor))
static void at_end(void)
{
	if (!process_is_started())
		return;
	__atomic_fetch_add(&heap_state->asked, 1, __ATOMIC_RELAXED);
	memory_tell();
}
