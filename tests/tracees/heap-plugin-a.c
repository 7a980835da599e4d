/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A library that may be loaded where another one was. */
#include <stdlib.h>

void plugin_a(void);

void plugin_a(void)
{
	for (int i = 0; i < 10; i++)
		free(malloc(100));
}
