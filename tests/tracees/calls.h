/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * For tracees that make calls with chosen arguments: raw calls, and memory at
 * known addresses, each piece ending where nothing is mapped.
 */
#ifndef TRACEES_CALLS_H
#define TRACEES_CALLS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__i386__)
#define SYS_newfstatat SYS_fstatat64	/* another name of the same */
#endif

#define BAD	0x7fff0000L	/* an address where nothing is */

enum { PAGE = 4096 };

/* Returns the address of a copy of the bytes, behind which is no memory. */
static long put(const void *bytes, size_t len)
{
	static uintptr_t next = 0x20000000;
	size_t pages = (len + PAGE - 1) / PAGE;
	char *at;

	if (!pages)
		pages = 1;
	at = mmap((void *)next, pages * PAGE, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (at == MAP_FAILED)
		abort();
	next += (pages + 1) * PAGE;
	at += pages * PAGE - len;
	if (bytes)
		memcpy(at, bytes, len);
	return (long)at;
}

/* PUT(int, 1, 2): the address of an array. */
#define PUT(type_, ...) \
	put((const type_[]){ __VA_ARGS__ }, \
	    sizeof((const type_[]){ __VA_ARGS__ }))
#define ROOM(size_)	put(NULL, size_)	/* zeros */
#define STR(text_)	put(text_, sizeof(text_))
#define TEXT(text_)	put(text_, sizeof(text_) - 1)	/* without a NUL */

/* CALL(close, -1); arguments are integers. */
#define CALL(name_, ...) \
	call(SYS_##name_, (const long[6]){ __VA_ARGS__ })

static inline long call(long nr, const long *args)
{
	return syscall(nr, args[0], args[1], args[2], args[3], args[4],
		       args[5]);
}

/* Tests look at what comes behind this call. */
static inline void begin(void)
{
	CALL(chdir, STR("/begin of the calls"));
}

#endif
