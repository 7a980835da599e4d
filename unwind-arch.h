/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Machines whose stacks can be unwound: their registers, by the numbers that
 * DWARF gives them.  Another machine is one more table.
 */
#ifndef TRACER_UNWIND_ARCH_H
#define TRACER_UNWIND_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "symbols/cfi.h"

struct registers {
	uint64_t value[CFI_REGISTERS];
	uint32_t known;			/* bit i: value[i] is */
};

struct unwind_arch {
	const char *name;
	uint16_t machine;		/* EM_ */
	uint8_t word;			/* bytes of a stack slot */
	uint8_t count;			/* of registers */
	uint8_t pc, sp, fp;		/* their numbers */
	/*
	 * Registers that mean something in a caller's frame: those that a
	 * function preserves, and pc and sp.
	 */
	uint32_t preserved;
	size_t regset_size;		/* of NT_PRSTATUS */
	uint8_t regset[CFI_REGISTERS];	/* the word of each in the regset */
};

/* Reads the registers of a stopped thread; NULL: gone, or not known here. */
const struct unwind_arch *unwind_arch_read(pid_t tid, struct registers *regs);

#endif
