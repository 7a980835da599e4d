/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looks up the functions that the library is in front of.  The dynamic linker
 * may allocate meanwhile, before there is anything to allocate with; it gets
 * bytes out of an array.
 */
#include "language.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>

struct next next;

/* ---- bootstrap memory ---- */

_Alignas(64) char bootstrap[BOOTSTRAP_SIZE];
static size_t bootstrap_used;

/* Each block has its size, and room where a counted one has its header. */
struct bootstrap_header {
	size_t size;
	size_t zero[3];
};

void *bootstrap_allocate(size_t size, size_t alignment)
{
	size_t at = bootstrap_used + sizeof(struct bootstrap_header);
	struct bootstrap_header *header;

	if (alignment < 16)
		alignment = 16;
	at = (at + alignment - 1) & -alignment;
	if (at > sizeof(bootstrap) || size > sizeof(bootstrap) - at) {
		errno = ENOMEM;
		return NULL;
	}
	header = (struct bootstrap_header *)(bootstrap + at) - 1;
	header->size = size;
	bootstrap_used = at + size;
	return bootstrap + at;
}

size_t bootstrap_size(const void *block)
{
	return ((const struct bootstrap_header *)block - 1)->size;
}

/* ---- the functions ---- */

static enum { UNKNOWN, LOOKING, KNOWN, OWN_MALLOC } progress;

/* glibc's name for its own malloc; no other library has it. */
extern void *__libc_malloc(size_t) __attribute__((weak));

static void look_up(void)
{
#define FIND(name) next.name = (__typeof__(next.name))dlsym(RTLD_NEXT, #name)
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(free);
	FIND(memalign);
	FIND(aligned_alloc);
	FIND(posix_memalign);
	FIND(malloc_usable_size);
	FIND(mmap);
	FIND(munmap);
	FIND(mremap);
	FIND(dlclose);
	FIND(mallinfo2);
#undef FIND
}

/*
 * Whether the address of a function is a stub in an executable that is not
 * position-independent and uses the address: it calls the real definition.
 */
static bool is_stub(const void *function)
{
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;

	return dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) &&
		symbol && symbol->st_shndx == SHN_UNDEF;
}

/* Whether the program's first definition of the function is this one. */
static bool is_first(const char *name, void *function)
{
	const void *found = dlsym(RTLD_DEFAULT, name);

	return found == function || (found && is_stub(found));
}

static bool realloc_frees(void)
{
	void *block = next.malloc(16), *rest;

	if (!block)
		return true;
	rest = next.realloc(block, 0);
	if (rest)
		next.free(rest);
	return !rest;
}

enum resolved resolve(void)
{
	int saved = errno;

	if (progress == LOOKING)
		return RESOLVING;
	if (progress == UNKNOWN) {
		bool own;

		progress = LOOKING;
		look_up();
		next.glibc = __libc_malloc && next.malloc == __libc_malloc;
		next.realloc_frees = next.glibc || realloc_frees();
		own = !is_first("malloc", (void *)own_malloc) ||
			!is_first("free", (void *)own_free);
		next.cxx = !own && is_first(NAME_OF_NEW, (void *)own_new) &&
			is_first("_ZdlPv", (void *)own_delete);
		/* A symbol that is not there is a message, which allocates. */
		if (!own)
			language_start();
		progress = own ? OWN_MALLOC : KNOWN;
		errno = saved;
	}
	return progress == KNOWN ? RESOLVED : BYPASSED;
}
