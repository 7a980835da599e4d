/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * C++ new and delete, so that a site is the caller of new and not the C++
 * library.  It knows no C++: the names are the mangled ones, and an exception
 * is thrown by the function that would have been called without us.
 *
 * A program that has operators of its own keeps them: the other forms call
 * those, so all of them are passed on.
 */
#include "block.h"

#include <dlfcn.h>
#include <stdlib.h>

/* How size_t is mangled. */
#ifdef __LP64__
#define SIZE m
#else
#define SIZE j
#endif
#define PASTE_(a, b, c) a##b##c
#define PASTE(a, b, c) PASTE_(a, b, c)
#define NOTHROW RKSt9nothrow_t
#define ALIGN St11align_val_t

/* The definition behind ours, which may be in a library loaded later. */
static void *find_next(const char *name)
{
	static const char *const libraries[] = {
		"libstdc++.so.6", "libc++abi.so.1", "libc++.so.1",
	};
	void *function = dlsym(RTLD_NEXT, name);

	for (size_t i = 0; !function &&
	     i < sizeof(libraries) / sizeof(*libraries); i++) {
		void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

		if (!library)
			continue;
		function = dlsym(library, name);
		dlclose(library);
	}
	if (!function)
		abort();
	return function;
}

static inline bool is_ours(void)
{
	if (LIKELY(next.cxx))
		return true;
	resolve();
	return next.cxx;
}

/* ---- new ---- */

/* malloc(0) may be NULL, new never is. */
static void *try_new(size_t size, uintptr_t caller)
{
	return block_allocate(size ? size : 1, caller);
}

static void *try_new_aligned(size_t size, size_t alignment, uintptr_t caller)
{
	return block_allocate_aligned(next.memalign, alignment,
				      size ? size : 1, caller);
}

/*
 * The four forms of one operator.  Where memory is short, what is behind us
 * calls the new-handler, and throws if there is none.
 */
#define NEW(operator)							\
EXPORT void *PASTE(operator, SIZE,)(size_t size);			\
EXPORT void *PASTE(operator, SIZE,)(size_t size)			\
{									\
	void *block = NULL;						\
									\
	if (LIKELY(is_ours()))						\
		block = try_new(size, CALLER());			\
	if (LIKELY(block))						\
		return block;						\
	return ((void *(*)(size_t))find_next(NAME(operator, )))(size);	\
}									\
EXPORT void *PASTE(operator, SIZE, RKSt9nothrow_t)(size_t, const void *);\
EXPORT void *PASTE(operator, SIZE, RKSt9nothrow_t)(size_t size,		\
						   const void *tag)	\
{									\
	void *block = NULL;						\
									\
	if (LIKELY(is_ours()))						\
		block = try_new(size, CALLER());			\
	if (LIKELY(block))						\
		return block;						\
	return ((void *(*)(size_t, const void *))			\
		find_next(NAME(operator, RKSt9nothrow_t)))(size, tag);	\
}									\
EXPORT void *PASTE(operator, SIZE, St11align_val_t)(size_t, size_t);	\
EXPORT void *PASTE(operator, SIZE, St11align_val_t)(size_t size,	\
						    size_t alignment)	\
{									\
	void *block = NULL;						\
									\
	if (LIKELY(is_ours()))						\
		block = try_new_aligned(size, alignment, CALLER());	\
	if (LIKELY(block))						\
		return block;						\
	return ((void *(*)(size_t, size_t))				\
		find_next(NAME(operator, St11align_val_t)))		\
		(size, alignment);					\
}									\
EXPORT void *PASTE(operator, SIZE, St11align_val_tRKSt9nothrow_t)	\
	(size_t, size_t, const void *);					\
EXPORT void *PASTE(operator, SIZE, St11align_val_tRKSt9nothrow_t)	\
	(size_t size, size_t alignment, const void *tag)		\
{									\
	void *block = NULL;						\
									\
	if (LIKELY(is_ours()))						\
		block = try_new_aligned(size, alignment, CALLER());	\
	if (LIKELY(block))						\
		return block;						\
	return ((void *(*)(size_t, size_t, const void *))		\
		find_next(NAME(operator, St11align_val_tRKSt9nothrow_t)))\
		(size, alignment, tag);					\
}
#define STRING_(name) #name
#define STRING(name) STRING_(name)
#define NAME(operator, form) STRING(PASTE(operator, SIZE, form))

NEW(_Znw)
NEW(_Zna)

/* ---- delete ---- */

/*
 * Each form takes the block and up to three arguments that say nothing new;
 * they are passed on to a program's own.
 */
#define DELETE(name)							\
EXPORT void name(void *, size_t, size_t, size_t);			\
EXPORT void name(void *block, size_t a, size_t b, size_t c)		\
{									\
	if (LIKELY(is_ours()))						\
		block_free(block);					\
	else								\
		((void (*)(void *, size_t, size_t, size_t))		\
		 find_next(STRING(name)))(block, a, b, c);		\
}

#define DELETES(operator)						\
DELETE(operator)							\
DELETE(PASTE(operator, SIZE,))						\
DELETE(PASTE(operator, RKSt9nothrow_t,))				\
DELETE(PASTE(operator, St11align_val_t,))				\
DELETE(PASTE(operator, SIZE, St11align_val_t))				\
DELETE(PASTE(operator, St11align_val_t, RKSt9nothrow_t))

DELETES(_ZdlPv)
DELETES(_ZdaPv)

SECOND_NAME(own_new, NAME_OF_NEW);
SECOND_NAME(own_delete, "_ZdlPv");
