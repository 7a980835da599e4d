/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program with a malloc of its own, which gives each block from an array.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char memory[1 << 20];
static size_t used;

void *malloc(size_t size)
{
	size_t at = used + 16;

	if (size > sizeof(memory) - at)
		return NULL;
	*(size_t *)(memory + at - 16) = size;
	used = at + (size + 15) / 16 * 16;
	return memory + at;
}

void free(void *block)
{
	if (block && ((char *)block < memory ||
		      (char *)block >= memory + sizeof(memory)))
		abort();
}

void *calloc(size_t count, size_t size)
{
	/* Nothing is used twice. */
	return malloc(count * size);
}

void *realloc(void *block, size_t size)
{
	void *copy = malloc(size);

	if (copy && block)
		memcpy(copy, block, ((size_t *)block)[-2] < size ?
		       ((size_t *)block)[-2] : size);
	free(block);
	return copy;
}

int main(void)
{
	free(strdup("text"));
	free(realloc(malloc(10), 20));
	puts("fine");
	return 0;
}
