/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decompression; see decompress.h.
 */
#include "config.h"

#include "symbols/decompress.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

/* Older headers do not know it. */
#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

enum {
	RATIO_MAX = 1032,	/* what zlib reaches with nothing but zeros */
	XZ_MEMORY_MAX = 64 << 20,
	XZ_FIRST_SIZE = 1 << 16,
};

/* ---- sections ---- */

static bool inflate_zlib(const uint8_t *bytes, size_t compressed, uint8_t *to,
			 size_t size)
{
#ifdef HAVE_ZLIB
	uLongf got = size;

	return uncompress(to, &got, bytes, compressed) == Z_OK && got == size;
#else
	(void)bytes;
	(void)compressed;
	(void)to;
	(void)size;
	return false;
#endif
}

static bool inflate_zstd(const uint8_t *bytes, size_t compressed, uint8_t *to,
			 size_t size)
{
#ifdef HAVE_ZSTD
	return ZSTD_decompress(to, size, bytes, compressed) == size;
#else
	(void)bytes;
	(void)compressed;
	(void)to;
	(void)size;
	return false;
#endif
}

uint8_t *decompress_section(uint32_t type, const uint8_t *bytes,
			    size_t compressed, uint64_t size)
{
	uint8_t *to;
	bool good;

	if (!size || size / RATIO_MAX > compressed)
		return NULL;
	to = malloc(size + 1);
	if (!to)
		return NULL;
	to[size] = '\0';
	good = type == ELFCOMPRESS_ZLIB ?
		inflate_zlib(bytes, compressed, to, size) :
		type == ELFCOMPRESS_ZSTD &&
		inflate_zstd(bytes, compressed, to, size);
	if (good)
		return to;
	free(to);
	return NULL;
}

/* ---- xz ---- */

#ifdef HAVE_LZMA

/* Doubles the room when it is full.  False: that is too much. */
static bool make_room(lzma_stream *stream, uint8_t **bytes, size_t *capacity,
		      size_t max)
{
	size_t used = *capacity, grown = used ? used * 2 : XZ_FIRST_SIZE;
	uint8_t *more;

	if (stream->avail_out)
		return true;
	grown = grown < max ? grown : max;
	more = grown > used ? realloc(*bytes, grown) : NULL;
	if (!more)
		return false;
	*bytes = more;
	*capacity = grown;
	stream->next_out = more + used;
	stream->avail_out = grown - used;
	return true;
}

uint8_t *decompress_xz(const uint8_t *bytes, size_t compressed, size_t max,
		       size_t *size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	lzma_ret status = LZMA_OK;
	uint8_t *to = NULL;
	size_t capacity = 0;

	if (lzma_stream_decoder(&stream, XZ_MEMORY_MAX, 0) != LZMA_OK)
		return NULL;
	stream.next_in = bytes;
	stream.avail_in = compressed;
	while (status == LZMA_OK && make_room(&stream, &to, &capacity, max))
		status = lzma_code(&stream, LZMA_FINISH);
	*size = capacity - stream.avail_out;
	lzma_end(&stream);
	if (status == LZMA_STREAM_END)
		return to;
	free(to);
	return NULL;
}

#else

uint8_t *decompress_xz(const uint8_t *bytes, size_t compressed, size_t max,
		       size_t *size)
{
	(void)bytes;
	(void)compressed;
	(void)max;
	*size = 0;
	return NULL;
}

#endif
