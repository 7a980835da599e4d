/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A library that may be loaded where another one was. */
#include <stdlib.h>

void plugin_b(void);

void plugin_b(void)
{
	for (int i = 0; i < 20; i++)
		free(malloc(100));
}
