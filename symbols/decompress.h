/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decompression of what is compressed in ELF files.  It knows bytes, not
 * files.  They are hostile: what they may grow to is bounded.
 */
#ifndef TRACER_DECOMPRESS_H
#define TRACER_DECOMPRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Decompresses a section of that type (ELFCOMPRESS_ZLIB or _ZSTD), which must
 * give exactly size bytes; a NUL follows.  The caller frees them.  NULL: it
 * does not, or this build cannot.
 */
uint8_t *decompress_section(uint32_t type, const uint8_t *bytes,
			    size_t compressed, uint64_t size);

/*
 * Decompresses a file of xz's into at most max bytes; *size is how many.  The
 * caller frees them.  NULL likewise.
 */
uint8_t *decompress_xz(const uint8_t *bytes, size_t compressed, size_t max,
		       size_t *size);

#endif
