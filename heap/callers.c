/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions of the C library whose result is a block for their caller: it is
 * the caller that allocates, and not a line of the C library.  What they
 * allocate for themselves meanwhile is the C library's.
 *
 * A program with a malloc of its own has these call that.
 */
/* The headers must not define them, too. */
#undef __NO_INLINE__
#define __NO_INLINE__	1

#include "block.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

/* The block's counts move to the caller, as if it had been its all along. */
static void adopt(void *block, uintptr_t caller)
{
	struct heap_counters *old, *new;
	struct header *header = header_of(block);
	struct thread *thread = self;

	/* A sample has all its callers. */
	if (!block || !thread || !block_is_ours(block) ||
	    header_site(header) >= HEAP_SITES)
		return;
	old = counters_by_index(thread, header_site(header));
	new = counters_at(thread, caller, HEAP_KIND_MALLOC);
	/* Only the sum over all threads must not be negative. */
	old->allocations--;
	old->bytes -= header_size(header);
	count_allocation(new, header_size(header));
	header->site_shift = new->site_word | (header->site_shift & 0xff);
}

#define FUNCTION(name)							\
	static __typeof__(&name) function;				\
									\
	if (!function)							\
		function = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define ADOPTED(call)							\
	({								\
		__typeof__(call) result_ = (call);			\
									\
		adopt(result_, CALLER());				\
		result_;						\
	})

/* ---- copies of strings ---- */

EXPORT char *strdup(const char *string)
{
	FUNCTION(strdup);
	return ADOPTED(function(string));
}

EXPORT char *__strdup(const char *string);
EXPORT char *__strdup(const char *string)
{
	FUNCTION(strdup);
	return ADOPTED(function(string));
}

EXPORT char *strndup(const char *string, size_t size)
{
	FUNCTION(strndup);
	return ADOPTED(function(string, size));
}

EXPORT char *__strndup(const char *string, size_t size);
EXPORT char *__strndup(const char *string, size_t size)
{
	FUNCTION(strndup);
	return ADOPTED(function(string, size));
}

EXPORT wchar_t *wcsdup(const wchar_t *string)
{
	FUNCTION(wcsdup);
	return ADOPTED(function(string));
}

/* ---- strings that are printed ---- */

static int print(char **result, const char *format, va_list arguments,
		 uintptr_t caller)
{
	FUNCTION(vasprintf);
	int length = function(result, format, arguments);

	if (length >= 0)
		adopt(*result, caller);
	return length;
}

EXPORT int vasprintf(char **result, const char *format, va_list arguments)
{
	return print(result, format, arguments, CALLER());
}

EXPORT int asprintf(char **result, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = print(result, format, arguments, CALLER());
	va_end(arguments);
	return length;
}

/* What these are compiled to when the C library is to check them. */
extern int __vasprintf_chk(char **result, int flag, const char *format,
			   va_list arguments);
extern int __asprintf_chk(char **result, int flag, const char *format, ...);

static int print_checked(char **result, int flag, const char *format,
			 va_list arguments, uintptr_t caller)
{
	FUNCTION(__vasprintf_chk);
	int length = function(result, flag, format, arguments);

	if (length >= 0)
		adopt(*result, caller);
	return length;
}

EXPORT int __vasprintf_chk(char **result, int flag, const char *format,
			   va_list arguments)
{
	return print_checked(result, flag, format, arguments, CALLER());
}

EXPORT int __asprintf_chk(char **result, int flag, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = print_checked(result, flag, format, arguments, CALLER());
	va_end(arguments);
	return length;
}

/* ---- lines ---- */

/* A block that has become larger is the caller's, like one of realloc. */
static ssize_t read_until(char **line, size_t *size, int delimiter,
			  FILE *file, uintptr_t caller)
{
	FUNCTION(getdelim);
	const char *old = line ? *line : NULL;
	size_t old_size = size ? *size : 0;
	ssize_t length = function(line, size, delimiter, file);

	if (line && size && *line && (*line != old || *size != old_size))
		adopt(*line, caller);
	return length;
}

EXPORT ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
	return read_until(line, size, delimiter, file, CALLER());
}

EXPORT ssize_t __getdelim(char **line, size_t *size, int delimiter,
			  FILE *file)
{
	return read_until(line, size, delimiter, file, CALLER());
}

EXPORT ssize_t getline(char **line, size_t *size, FILE *file)
{
	return read_until(line, size, '\n', file, CALLER());
}

/* ---- paths ---- */

EXPORT char *realpath(const char *path, char *result)
{
	FUNCTION(realpath);

	return result ? function(path, result) :
		ADOPTED(function(path, result));
}

EXPORT char *canonicalize_file_name(const char *path)
{
	FUNCTION(canonicalize_file_name);
	return ADOPTED(function(path));
}

EXPORT char *getcwd(char *result, size_t size)
{
	FUNCTION(getcwd);

	return result ? function(result, size) :
		ADOPTED(function(result, size));
}

EXPORT char *get_current_dir_name(void)
{
	FUNCTION(get_current_dir_name);
	return ADOPTED(function());
}

/* ---- streams ---- */

EXPORT FILE *fopen(const char *path, const char *mode)
{
	FUNCTION(fopen);
	return ADOPTED(function(path, mode));
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	FUNCTION(fopen64);
	return ADOPTED(function(path, mode));
}

EXPORT FILE *fdopen(int fd, const char *mode)
{
	FUNCTION(fdopen);
	return ADOPTED(function(fd, mode));
}

EXPORT DIR *opendir(const char *path)
{
	FUNCTION(opendir);
	return ADOPTED(function(path));
}

EXPORT DIR *fdopendir(int fd)
{
	FUNCTION(fdopendir);
	return ADOPTED(function(fd));
}
