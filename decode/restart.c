/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * restart_syscall, by which the kernel goes on with a call that a stop has
 * interrupted.  It has no arguments; what is shown is which call that was.
 */
#include <stdio.h>

#include "decode/decode.h"

static void show_interrupted(struct decoder *d, const struct type *type,
			     const struct place *place)
{
	const char *name = d->previous ? d->previous : "system call";
	char text[80];
	const struct expression e = {
		.text = text,
		.str = name,
		.fixed = true,
	};

	(void)type;
	(void)place;
	snprintf(text, sizeof(text), "<... resuming interrupted %s ...>",
		 name);
	SINK_CALL(d->sink, expression, &e);
}

SYSCALL(restart_syscall, 0, ARGS(
	ARG(interrupted, CUSTOM(show_interrupted))));
