/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading call frame information byte by byte, and keeping what came of it.
 */
#include "symbols/cfi-internal.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_SIZE = 16384 };

struct cfi_chunk {
	struct cfi_chunk *next;
	size_t used;
	_Alignas(8) uint8_t bytes[CHUNK_SIZE];
};

/* ---- reading ---- */

uint64_t cfi_read_bytes(struct cursor *c, size_t size)
{
	uint64_t value = 0;

	if ((size_t)(c->end - c->at) < size) {
		c->bad = true;
		c->at = c->end;
		return 0;
	}
	/* Only files of the machine's own byte order are opened. */
	switch (size) {
	case 1:
		value = *c->at;
		break;
	case 2: {
		uint16_t v;
		memcpy(&v, c->at, sizeof(v));
		value = v;
		break;
	}
	case 4: {
		uint32_t v;
		memcpy(&v, c->at, sizeof(v));
		value = v;
		break;
	}
	default:
		memcpy(&value, c->at, sizeof(value));
	}
	c->at += size;
	return value;
}

uint64_t cfi_read_uleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cfi_read_bytes(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return value;
}

int64_t cfi_read_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = cfi_read_bytes(c, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (shift < 64 && (byte & 0x40))
		value |= ~(uint64_t)0 << shift;
	return value;
}

void cfi_skip(struct cursor *c, uint64_t size)
{
	if (size > (uint64_t)(c->end - c->at)) {
		c->bad = true;
		size = c->end - c->at;
	}
	c->at += size;
}

uint64_t cfi_read_pointer(const struct cfi *cfi, struct cursor *c,
			     uint8_t encoding, bool relative)
{
	uint64_t here = c->address + (c->at - c->start);
	uint64_t value;

	if ((encoding & PE_BASE) == PE_ALIGNED) {
		cfi_skip(c, -here & (cfi->word - 1));
		return cfi_read_bytes(c, cfi->word);
	}
	switch (encoding & PE_FORM) {
	case PE_ABSOLUTE:
		value = cfi_read_bytes(c, cfi->word);
		break;
	case PE_ULEB128:
		value = cfi_read_uleb(c);
		break;
	case PE_UDATA2:
		value = cfi_read_bytes(c, 2);
		break;
	case PE_UDATA4:
		value = cfi_read_bytes(c, 4);
		break;
	case PE_UDATA8:
	case PE_SDATA8:
		value = cfi_read_bytes(c, 8);
		break;
	case PE_SLEB128:
		value = cfi_read_sleb(c);
		break;
	case PE_SDATA2:
		value = (int16_t)cfi_read_bytes(c, 2);
		break;
	case PE_SDATA4:
		value = (int32_t)cfi_read_bytes(c, 4);
		break;
	default:
		c->bad = true;
		return 0;
	}
	if (!relative)
		return value;
	if ((encoding & PE_BASE) == PE_PCREL)
		value += here;
	else if ((encoding & PE_BASE) == PE_DATAREL)
		value += cfi->header;
	return cfi->word == 4 ? (uint32_t)value : value;
}

/* ---- memory ---- */

void *cfi_allocate(struct cfi *cfi, size_t size)
{
	size = (size + 7) & ~(size_t)7;
	if (size > CHUNK_SIZE)
		return NULL;
	if (!cfi->chunks || CHUNK_SIZE - cfi->chunks->used < size) {
		struct cfi_chunk *chunk = malloc(sizeof(*chunk));

		if (!chunk)
			return NULL;
		chunk->next = cfi->chunks;
		chunk->used = 0;
		cfi->chunks = chunk;
	}

	void *bytes = cfi->chunks->bytes + cfi->chunks->used;

	cfi->chunks->used += size;
	return bytes;
}

void cfi_free_memory(struct cfi *cfi)
{
	struct cfi_chunk *chunk, *next;

	for (chunk = cfi->chunks; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
}
