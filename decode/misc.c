/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that belong to no larger subject.
 */
#include "decode/decode.h"
#include "decode/structures.h"

SYSCALL(getrandom, 0, ARGS(
	OUT(buf, BYTES_HEX(RESULT)),
	ARG(buflen, SIZE),
	ARG(flags, FLAGS(getrandom_flags))),
	.returns = SSIZE);
