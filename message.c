/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages on standard error.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "message.h"

/* In one piece, so that those of several processes do not mix. */
__attribute__((format(printf, 1, 0)))
static void say(const char *format, va_list args, const char *why)
{
	char text[1024];
	size_t len;

	/* Room is left for the reason and the newline. */
	snprintf(text, sizeof(text) / 4, "%s: ", program_invocation_name);
	len = strlen(text);
	vsnprintf(text + len, sizeof(text) / 2, format, args);
	len += strlen(text + len);
	len += (size_t)snprintf(text + len, sizeof(text) / 4, "%s%s\n",
				why ? ": " : "", why ? why : "");
	while (write(STDERR_FILENO, text, len) < 0 && errno == EINTR)
		continue;
}

void message(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say(format, args, NULL);
	va_end(args);
}

void message_errno(const char *format, ...)
{
	int err = errno;
	va_list args;

	va_start(args, format);
	say(format, args, strerror(err));
	va_end(args);
	errno = err;
}
