/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What JIT compilers tell of the code that they generate: by the interface
 * that GDB has for them, a list of ELF objects in their memory, and by a file
 * /tmp/perf-PID.map.  For unwind-space.c, which asks where code is of no file.
 *
 * Generated code changes without any system call.  So what is believed of it
 * is compared with what the compiler tells now, once for every stack.
 */
#ifndef TRACER_UNWIND_JIT_H
#define TRACER_UNWIND_JIT_H

#include <stddef.h>
#include <stdint.h>

#include "unwind-backend.h"

/* Of an address space; made when code of no file is first on a stack. */
struct jit;

struct jit *jit_new(void);
void jit_free(struct jit *jit);

enum jit_news {
	JIT_SAME,
	JIT_MORE,	/* what had no name, or another one, may have one now */
	JIT_LOST,	/* some of the codes are no more */
};

/*
 * Before a walk: looks what has changed.  If anything has, all sites that came
 * from here are freed.
 */
enum jit_news jit_update(struct jit *jit, struct walk *walk);

/*
 * Fills in what is known of place->address, which lies in code of no file:
 * code with a module, or a site without, and what the module is called; or
 * nothing.  May read the mappings again.
 */
void jit_place(struct jit *jit, struct walk *walk, struct code_place *place);

/* The codes that places have from here; those that are lost come no more. */
size_t jit_code_count(const struct jit *jit);
const struct code *jit_code(const struct jit *jit, size_t index);

#endif
