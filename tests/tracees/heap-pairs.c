/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Allocates and frees as often as its argument says. */
#include <stdlib.h>

int main(int argc, char **argv)
{
	long count = argc > 1 ? atol(argv[1]) : 0;

	for (long i = 0; i < count; i++)
		free(malloc(16 + i % 256));
	return 0;
}
