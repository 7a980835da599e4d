/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of the languages share: finding an interpreter in this
 * process when that starts, and generations, which are what a collector of
 * garbage counts time in.
 */
#ifndef HEAP_LANGUAGE_H
#define HEAP_LANGUAGE_H

#include "library.h"

#pragma GCC visibility push(hidden)

/* ---- language.c ---- */

/*
 * Looks for an interpreter.  Called once, when the program and the libraries
 * that it is linked to are loaded, and nothing has been allocated: what is
 * loaded later is not found.
 */
void language_start(void);

/* The memory that a file of code is mapped to. */
struct code_range {
	uintptr_t start, end;
};

/* That of the file which an address is in; { 0, 0 }: none. */
struct code_range code_range_of(const void *address);

/* A pointer to a variable's place in thread-local storage. */
struct thread_local {
	intptr_t offset;	/* from self; it is the same for all threads */
	bool found;
};

/* Only for what was loaded with the program: the rest has no fixed place. */
struct thread_local thread_local_find(const char *name);

static inline void *thread_local_pointer(const struct thread_local *variable)
{
	return *(void **)((char *)&self + variable->offset);
}

/* The site of all that there is no room for. */
static inline uint32_t site_of_others(enum heap_kind kind)
{
	return site_index(kind, 0, 0);
}

/*
 * The stack of a thread that let go of the interpreter's lock after what
 * another stack is; its innermost frame is marked so.
 */
uint32_t stack_unlocked(uint32_t stack);

/* How many times the thread has said that it wants to be quiet. */
extern __thread int language_quiet
	__attribute__((tls_model("initial-exec")));

/* ---- generation.c ---- */

/* The generation'th collection begins: no block after that is older. */
void generation_begins(struct thread *thread, uint32_t generation);

/* The generation of a block. */
uint32_t generation_at(uint32_t born);

/* ---- the languages: NULL, if it is not here ---- */

const struct language *python_find(void);
const struct language *ruby_find(void);

#pragma GCC visibility pop

#endif
