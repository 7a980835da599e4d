/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the interpreter share, and custom decoders may use
 * besides decode/decode.h.  The parts:
 *
 *	call.c		a call's arguments and result
 *	value.c		values of up to 64 bits; scalars.c, flags.c: their forms
 *	object.c	objects in memory: reading them, and which kind is which
 *	struct.c, array.c, strings.c	those kinds
 *	refs.c		what descriptions refer to: lengths, selectors
 *	layout.c	where the members of structures are
 */
#ifndef TRACER_INTERPRET_H
#define TRACER_INTERPRET_H

#include "decode/decode.h"

enum {
	MAX_OBJECT = 8192,	/* bytes of one structure read at once */
};

/* ---- refs.c ---- */

/* A value as the C type would hold it: cut, then sign- or zero-extended. */
uint64_t decode_normalize(const struct abi *abi, enum ctype ctype,
			  uint64_t value);

/* Whether the tracee's ABI has that member. */
bool decode_has_field(const struct decoder *d, const struct field *field);

/* What a SELECT stands for now; NULL: nothing. */
const struct type *decode_choose(struct decoder *d, const struct type *type);

/* ---- value.c ---- */

/* One constant, or a flag word, of a set. */
void decode_enum(struct decoder *d, const struct constset *set,
		 uint64_t value);
void decode_flags(struct decoder *d, const struct constset *set,
		  uint64_t value);

/* An address as a comment behind what was shown. */
void decode_address_comment(struct decoder *d, uint64_t addr);

/* ---- strings.c ---- */

/*
 * Reads len bytes at addr: into fixed if they fit there, else into memory
 * that the caller frees if *buf is not fixed.  False if they are not all
 * readable; then there is nothing to free.
 */
bool decode_read_block(struct decoder *d, uint64_t addr, uint8_t **buf,
		       uint8_t *fixed, size_t fixed_size, size_t len);

/* A path, whole up to PATH_MAX, and a KIND_STR; addr is not NULL. */
void decode_path(struct decoder *d, uint64_t addr);
void decode_str(struct decoder *d, const struct type *type, uint64_t addr);
/* A KIND_BYTES of len bytes. */
void decode_buffer(struct decoder *d, const struct type *type, uint64_t addr,
		   uint64_t len);
/* KIND_CHARS and KIND_DATA in place. */
void decode_chars(struct decoder *d, const struct place *place);
void decode_data(struct decoder *d, const struct type *type,
		 const struct place *place);

/* ---- struct.c ---- */

bool decode_all_zero(const uint8_t *bytes, size_t len);

/* A KIND_STRUCT with all that its flags ask for. */
void decode_struct(struct decoder *d, const struct type *type,
		   const struct place *place);
/*
 * The members of a structure of which len bytes are at hand.  Returns whether
 * some were left out, which is told.
 */
bool decode_members(struct decoder *d, const struct structure *structure,
		    const struct place *place);

/* ---- array.c ---- */

/* An array in tracee memory: type->length elements of type->to at addr. */
void decode_array(struct decoder *d, const struct type *type, uint64_t addr);
/* A TYPE_REST array: those of the elements that fit into the place. */
void decode_rest(struct decoder *d, const struct type *type,
		 const struct place *place);
/* A set of type->length bits, likewise. */
void decode_bits(struct decoder *d, const struct type *type, uint64_t addr);

/* ---- scalars.c ---- */

/* A value as a word of bits: a negative one is as wide as its C type. */
uint64_t decode_unsigned(const struct decoder *d, uint64_t value);

/*
 * An expression that is composed of constants and numbers, in each of the
 * styles that a sink may want: names, numbers, both.
 */
enum { COMPOSED_SIZE = 256 };

struct composed {
	char names[COMPOSED_SIZE];
	char numbers[COMPOSED_SIZE];
	char both[COMPOSED_SIZE];
};

/* Appends text in the way of printf to all of them; what fits. */
void compose_text(struct composed *c, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Appends a comment where only numbers are. */
void compose_number_comment(struct composed *c, const char *text);
/* Appends a constant of a set. */
void compose_symbol(struct decoder *d, struct composed *c,
		    const struct constset *set, uint64_t value);
/* Shows it; value is the whole. */
void compose_show(struct decoder *d, const struct composed *c,
		  uint64_t value);

/*
 * The local date of a time, as a comment; nothing for time zero.  A second has
 * so many parts.
 */
void decode_time_comment(struct decoder *d, int64_t seconds,
			 uint64_t fraction, uint64_t parts);

#endif
