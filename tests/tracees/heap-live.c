/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program that tells its process ID, does what letters on its input say, and
 * tells each letter when it is done.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <stdio.h>

static void *swinging, *shrinking;

static void grows(void)
{
	for (int i = 0; i < 10; i++)
		memset(malloc(1000), 1, 1000);
}

static void swings(void)
{
	if (swinging) {
		free(swinging);
		swinging = NULL;
	} else {
		swinging = malloc(5000);
	}
}

static void begins(void)
{
	shrinking = malloc(7000);
}

static void passes(void)
{
	for (int i = 0; i < 1000; i++)
		free(malloc(300));
}

int main(void)
{
	char letter;

	begins();
	dprintf(1, "%d\n", (int)getpid());
	while (read(0, &letter, 1) == 1) {
		if (letter == 'g')
			grows();
		else if (letter == 's')
			swings();
		else if (letter == 'p')
			passes();
		else if (letter == 'f')
			free(shrinking);
		else if (letter == 'd' && fork())
			_exit(0);
		dprintf(1, "%c\n", letter);
	}
	return 0;
}
