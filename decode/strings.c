/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes of tracee memory as strings: paths, C strings, buffers, and arrays of
 * characters within structures.
 */
#include "decode/interpret.h"

#include <stdlib.h>
#include <string.h>

enum {
	MAX_PATH = 4096,	/* PATH_MAX, the NUL included */
};

bool decode_read_block(struct decoder *d, uint64_t addr, uint8_t **buf,
		       uint8_t *fixed, size_t fixed_size, size_t len)
{
	*buf = fixed;
	if (len > fixed_size) {
		*buf = malloc(len);
		if (!*buf)
			return false;
	}
	if (view_read_exactly(d->view, addr, *buf, len))
		return true;
	if (*buf != fixed)
		free(*buf);
	return false;
}

void decode_path(struct decoder *d, uint64_t addr)
{
	char buf[MAX_PATH];
	bool terminated;
	ssize_t len = view_read_string(d->view, addr, buf, sizeof(buf),
				       &terminated);

	if (len < 0) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	if (!terminated)
		len--;		/* as much as fits beside a NUL */
	SINK_CALL(d->sink, string, buf, len,
		  STRING_PATH | (terminated ? 0 : STRING_TRUNCATED));
}

void decode_str(struct decoder *d, const struct type *type, uint64_t addr)
{
	size_t limit = d->options->string_limit;
	char fixed[1024], *buf = fixed;
	bool terminated;
	ssize_t len;

	if (type->number && limit > type->number)
		limit = type->number;
	/* one byte more than is shown: it tells whether that was all */
	if (limit + 1 > sizeof(fixed)) {
		buf = malloc(limit + 1);
		if (!buf) {
			SINK_CALL(d->sink, address, addr);
			return;
		}
	}
	len = view_read_string(d->view, addr, buf, limit + 1, &terminated);
	if (len < 0 && limit == type->number)
		len = view_read_string(d->view, addr, buf, limit, &terminated);
	if (len < 0)
		SINK_CALL(d->sink, address, addr);
	else if (terminated)
		SINK_CALL(d->sink, string, buf, len, 0);
	else
		SINK_CALL(d->sink, string, buf, limit, STRING_TRUNCATED);
	if (buf != fixed)
		free(buf);
}

static void show_bytes(struct decoder *d, uint64_t addr, uint64_t len,
		       unsigned string_flags, bool ended)
{
	uint8_t fixed[1024], *buf;
	size_t want = len, read = len;

	/* a byte more than is shown must be there, too */
	if (want > d->options->string_limit) {
		want = d->options->string_limit;
		read = want + 1;
		string_flags |= STRING_TRUNCATED;
	}
	if (!decode_read_block(d, addr, &buf, fixed, sizeof(fixed), read)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	if (ended && want && !buf[want - 1]) {
		want--;
		string_flags &= ~STRING_TRUNCATED;
	}
	SINK_CALL(d->sink, string, buf, want, string_flags);
	if (buf != fixed)
		free(buf);
}

void decode_bytes(struct decoder *d, uint64_t addr, uint64_t len,
		  unsigned string_flags)
{
	show_bytes(d, addr, len, string_flags, false);
}

void decode_buffer(struct decoder *d, const struct type *type, uint64_t addr,
		   uint64_t len)
{
	if (type->flags & TYPE_SHARING) {
		if (len > d->shared)
			len = d->shared;
		d->shared -= len;
	}
	if (type->decode)
		type->decode(d, type, &(struct place){ .addr = addr,
						       .len = len });
	else if (type->number && len > type->number)
		SINK_CALL(d->sink, address, addr);
	else
		show_bytes(d, addr, len,
			   type->flags & TYPE_HEX ? STRING_HEX : 0,
			   type->flags & TYPE_ENDED);
}

/* Whole, since the array bounds it. */
void decode_chars(struct decoder *d, const struct place *place)
{
	const char *text = (const char *)place->bytes;
	size_t len = strnlen(text, place->len);
	bool cut = len == place->len && len;

	SINK_CALL(d->sink, string, text, cut ? len - 1 : len,
		  cut ? STRING_TRUNCATED : 0);
}

/* Data behind a structure, of a length that only the tracee knows. */
static void show_flexible_data(struct decoder *d, const struct type *type,
			       uint64_t addr, uint64_t len, unsigned flags)
{
	uint8_t fixed[1024], *buf;
	uint64_t limit = type->number ? type->number
				      : d->options->string_limit;

	if (type->flags & TYPE_LOCATED) {
		decode_bytes(d, addr, len, flags);
		return;
	}
	if (len > limit) {
		len = limit;
		flags |= STRING_TRUNCATED;
	}
	if (!decode_read_block(d, addr, &buf, fixed, sizeof(fixed), len)) {
		SINK_CALL(d->sink, expression, &(struct expression){
			.text = "???", .fixed = true });
		return;
	}
	SINK_CALL(d->sink, string, buf, len, flags);
	if (buf != fixed)
		free(buf);
}

void decode_data(struct decoder *d, const struct type *type,
		 const struct place *place)
{
	uint64_t len = type->flags & TYPE_REST ? place->len
					       : decode_ref(d, &type->length);
	unsigned flags = type->flags & TYPE_HEX ? STRING_HEX : 0;

	if (type->length.kind != REF_CONST && !(type->flags & TYPE_REST)) {
		show_flexible_data(d, type, place->addr, len, flags);
		return;
	}
	if (len > place->len)
		len = place->len;
	if (len > d->options->string_limit && !(type->flags & TYPE_WHOLE)) {
		len = d->options->string_limit;
		flags |= STRING_TRUNCATED;
	}
	SINK_CALL(d->sink, string, place->bytes, len, flags);
}
