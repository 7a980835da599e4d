/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * C escapes, as short as they can be.
 */
#include "escape.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 4 };	/* \303 */

size_t escape(char *buf, size_t size, const char *bytes, size_t len,
	      const char *also)
{
	static const char letters[] = "\t\n\v\f\r\"\\";
	size_t used = 0;

	for (size_t i = 0; i < len && bytes[i]; i++) {
		unsigned char c = bytes[i];
		const char *letter = strchr(letters, c);
		bool digit_follows = i + 1 < len && bytes[i + 1] >= '0' &&
				     bytes[i + 1] <= '7';

		if (used + LONGEST >= size)
			break;
		if (letter)
			used += sprintf(buf + used, "\\%c",
					"tnvfr\"\\"[letter - letters]);
		else if (c < ' ' || c >= 0x7f || strchr(also, c))
			used += sprintf(buf + used,
					digit_follows ? "\\%03o" : "\\%o", c);
		else
			buf[used++] = c;
	}
	buf[used] = '\0';
	return used;
}
