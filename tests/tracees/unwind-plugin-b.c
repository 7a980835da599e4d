/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A shared library: unwind-plugin-a has other names at the same addresses.
 */
#include "unwind.h"

NOINLINE static void work_of_b(const char *name)
{
	mark(name);
	NO_TAIL_CALL();
}

void plugin(const char *name)
{
	work_of_b(name);
	NO_TAIL_CALL();
}
