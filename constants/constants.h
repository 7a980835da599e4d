/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of named constants.  The sets are written down in constants/NAME.sets
 * by name or prefix only; tools/gen-constants looks their values up in
 * facts/constants.tsv and writes sets.c and sets.h at build time.
 *
 * A line of a .sets file, continued on indented lines:
 *
 *	NAME enum|flags [option]... MEMBER...
 *
 * MEMBER is a constant's name; <header>NAME for the one of that header, where
 * several have one of that name; NAME=VALUE for one that no header has; a
 * pattern like PR_* (all of the facts in header order), or <header>PATTERN to
 * take only those of one header; @SET for all members of a set above.
 * -MEMBER takes members out again.  '#' begins a comment.  Options:
 *
 *	unknown=O_???	the label for a value that no member names; if not
 *			given, made of what the members' names begin with
 *	strip=SIG	members are shown without this prefix (A,B: several)
 *	base=MASK:A,B	(flags) the bits of MASK, a name or number, are not
 *			flags but an enumeration of A, B..., shown first
 *	bits		(flags) members are numbers of bits: 1<<CAP_KILL
 *	bits=32		the same of a second word: bit 0 is number 32
 *	decimal		numbers are shown in decimal, not in hexadecimal
 *	signed		numbers are 32-bit signed (AT_FDCWD is -100)
 *
 * A line "values MEMBER..." makes no set.  For every constant that a set or
 * such a line names, sets.h defines a macro V_NAME, its value on x86-64 (or,
 * if it has none there, on i386): V_O_CREAT.
 *
 * An enum is sorted by value; of two names with one value the first listed is
 * shown.  Flags keep the order of the line, which is the order of output: list
 * a combination (O_SYNC) before its parts.  Negative values of an int are kept
 * as their 32 bits.
 */
#ifndef TRACER_CONSTANTS_H
#define TRACER_CONSTANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"

struct constant {
	uint64_t value;
	const char *name;
	uint8_t abis;		/* enum abi_mask: where this value holds */
};

struct constset {
	const char *name;
	const struct constant *members;
	uint32_t count;
	bool is_flags;
	bool decimal;
	bool is_signed;
	const char *unknown;		/* "O_???"; never NULL */
	uint64_t base_mask;		/* 0: no base */
	const struct constset *base;	/* an enum; NULL: no base */
};

/* Every set of the build. */
extern const struct constset *const constsets[];
extern const size_t constset_count;

/*
 * The name of value in an enum, or NULL.  The value may be sign-extended from
 * 32 bits.
 */
const char *constset_name(const struct constset *set, const struct abi *abi,
			  uint64_t value);

/*
 * The value of a name in a set or its base, or if set is NULL, in any set, for
 * tests and options: the value on x86-64 where it has one there.  Returns
 * false if there is no such name.
 */
bool constset_value(const struct constset *set, const char *name,
		    uint64_t *value);

#endif
