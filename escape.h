/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names that others have chosen, made fit to be shown: no control character
 * of theirs reaches a terminal.
 */
#ifndef TRACER_ESCAPE_H
#define TRACER_ESCAPE_H

#include <stddef.h>

/*
 * Copies a C string of at most len bytes into buf, with C escapes, octal where
 * there is no letter, for all that is no printable ASCII character, and for
 * the characters in also.  What does not fit is left out.  Returns the length.
 */
size_t escape(char *buf, size_t size, const char *bytes, size_t len,
	      const char *also);

#endif
