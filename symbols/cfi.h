/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Call frame information: how to get from a frame to its caller, as .eh_frame
 * and .debug_frame tell it.  Pure: it knows a file's bytes, not processes.
 *
 * Registers have the numbers that DWARF gives them on the file's machine.
 */
#ifndef TRACER_CFI_H
#define TRACER_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/elf-file.h"

enum { CFI_REGISTERS = 17 };	/* the most that a machine here has */

enum cfi_rule {
	CFI_UNDEFINED,		/* the caller's value is lost */
	CFI_AT,			/* it is in memory at CFA + offset */
	CFI_IS,			/* it is CFA + offset */
	CFI_REGISTER,		/* it is in register reg */
	CFI_AT_EXPRESSION,	/* it is in memory where the expression says */
	CFI_IS_EXPRESSION,	/* it is what the expression says */
};

/* An expression of DWARF's, in the bytes of the file. */
struct cfi_expression {
	const uint8_t *code;
	size_t size;
};

/* What happens to one register; one that no rule names keeps its value. */
struct cfi_saved {
	uint8_t which;
	uint8_t rule;
	uint8_t reg;
	int64_t offset;
	struct cfi_expression expression;
};

/* The rules at an address. */
struct cfi_row {
	bool signal;		/* the frame is a signal trampoline's */
	bool separate;		/* it is from the separate debug file */
	bool cfa_is_expression;
	uint8_t cfa_reg;
	uint8_t return_column;	/* register that stands for the return address */
	int64_t cfa_offset;
	struct cfi_expression cfa;
	uint8_t count;
	struct cfi_saved saved[];
};

/* What there is at an address. */
enum cfi_result {
	CFI_NONE,		/* no rules */
	CFI_FOUND,
	CFI_UNKNOWN,		/* there are rules, but not understood */
};

struct cfi;

/*
 * .eh_frame and its sorted search table, for who reads them otherwise.  An
 * entry of the table is two 32-bit numbers, both relative to a base: where
 * the rules of a function begin to hold, and the address of its FDE.
 */
struct cfi_tables {
	uint64_t address;	/* of .eh_frame */
	size_t size;
	uint64_t base;
	size_t table_size;	/* bytes */
};

/*
 * Reads the tables of a file, and .debug_frame of the file or, if that has
 * none, of its separate debug file (NULL: there is none).  The files must
 * stay open.  NULL: no tables, or memory is short.
 */
struct cfi *cfi_load(const struct elf_file *elf,
		     const struct elf_file *debug);
void cfi_free(struct cfi *cfi);

/*
 * The rules at address (of the ELF file).  They live as long as cfi does; the
 * same address is best asked only once.
 */
enum cfi_result cfi_find(struct cfi *cfi, uint64_t address,
			 const struct cfi_row **row);

/* False: the file has no .eh_frame. */
bool cfi_tables(const struct cfi *cfi, struct cfi_tables *tables);

/*
 * Eight bytes at an offset of .eh_frame, or of its search table; what is not
 * in it is 0.
 */
uint64_t cfi_frame_word(struct cfi *cfi, int64_t offset);
uint64_t cfi_table_word(struct cfi *cfi, int64_t offset);

#endif
