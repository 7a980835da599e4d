/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the interpreter share, and custom decoders may use
 * besides decode/decode.h.
 */
#ifndef TRACER_INTERPRET_H
#define TRACER_INTERPRET_H

#include "decode/decode.h"

/* A value as the C type would hold it: cut, then sign- or zero-extended. */
uint64_t decode_normalize(const struct abi *abi, enum ctype ctype,
			  uint64_t value);

/* One constant, or a flag word, of a set. */
void decode_enum(struct decoder *d, const struct constset *set,
		 uint64_t value);
void decode_flags(struct decoder *d, const struct constset *set,
		  uint64_t value);

/* What a SELECT stands for now; NULL: nothing. */
const struct type *decode_choose(struct decoder *d, const struct type *type);

/* An array in tracee memory: type->length elements of type->to at addr. */
void decode_array(struct decoder *d, const struct type *type, uint64_t addr);

/*
 * The local date of a time, as a comment; nothing for time zero.  A second has
 * so many parts.
 */
void decode_time_comment(struct decoder *d, int64_t seconds,
			 uint64_t fraction, uint64_t parts);

#endif
