/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Arrays and sets of bits in tracee memory.
 */
#include "decode/interpret.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum {
	MAX_BITS = 1 << 20,	/* of a set in memory */
	MAX_ELEMENTS = 1 << 16,	/* of an array, even if all are wanted */
};

/* Words are little-endian, so are their bytes. */
void decode_bits(struct decoder *d, const struct type *type, uint64_t addr)
{
	uint64_t limit = type->number ? type->number : MAX_BITS;
	uint64_t count = decode_ref(d, &type->length);
	uint8_t fixed[1024], *bytes;
	bool more = type->number && count > limit;
	size_t size;

	if (count > limit)
		count = limit;
	size = (count + 7) / 8;
	if (type->flags & TYPE_WORDS)
		size = (size + d->abi->word - 1) / d->abi->word * d->abi->word;
	if (!decode_read_block(d, addr, &bytes, fixed, sizeof(fixed), size)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_SET);
	for (uint64_t i = 0; i < count; i++) {
		if (!(bytes[i / 8] & 1u << i % 8))
			continue;
		SINK_CALL(d->sink, item);
		decode_value(d, type->to, CT_DEFAULT, i);
	}
	if (more)
		SINK_CALL(d->sink, more);
	SINK_CALL(d->sink, array_end);
	if (bytes != fixed)
		free(bytes);
}

static void show_unreadable_rest(struct decoder *d, uint64_t addr)
{
	SINK_CALL(d->sink, more);
	decode_address_comment(d, addr);
}

static bool is_end(const struct type *type, const uint8_t *bytes, size_t size)
{
	return (type->flags & TYPE_ENDED) && decode_all_zero(bytes, size);
}

/* The address, and the count of the elements as a comment. */
static void show_count(struct decoder *d, const struct type *type,
		       uint64_t addr, size_t size)
{
	uint64_t bound = decode_ref(d, &type->length), count = 0;
	uint8_t bytes[MAX_OBJECT];
	bool readable = true;
	char text[64];

	SINK_CALL(d->sink, address, addr);
	for (; count < bound; count++) {
		readable = view_read_exactly(d->view, addr + count * size,
					     bytes, size);
		if (!readable || is_end(type, bytes, size))
			break;
	}
	if (!readable && !count)
		return;
	snprintf(text, sizeof(text), "%" PRIu64 " %s%s%s", count, type->label,
		 count == 1 ? "" : "s", readable ? "" : ", unterminated");
	SINK_CALL(d->sink, comment, text);
}

/* Whether an element is one of those that are to be shown. */
static bool is_picked(struct decoder *d, const struct type *type,
		      const struct place *place)
{
	const struct structure *structure = type->to->structure;
	bool picked;

	const struct scope scope = {
		.structure = structure,
		.layout = structure_layout(structure, d->abi),
		.bytes = place->bytes,
		.len = place->len,
		.addr = place->addr,
		.outer = d->scope,
	};

	d->scope = &scope;
	picked = decode_ref(d, &type->by);
	d->scope = scope.outer;
	return picked;
}

/* What a call has picked is never more than a few: it is cut even with -v. */
static void show_picked(struct decoder *d, const struct type *type,
			uint64_t addr, size_t size)
{
	uint64_t count = decode_ref(d, &type->length), shown = 0;
	uint8_t bytes[MAX_OBJECT];

	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (uint64_t i = 0; i < count && i < MAX_ELEMENTS; i++) {
		struct place place = {
			.addr = addr + i * size,
			.bytes = bytes,
			.len = size,
		};

		if (!view_read_exactly(d->view, place.addr, bytes, size)) {
			SINK_CALL(d->sink, item);
			SINK_CALL(d->sink, address, place.addr);
			break;
		}
		if (!is_picked(d, type, &place))
			continue;
		if (shown++ >= d->options->string_limit) {
			SINK_CALL(d->sink, more);
			break;
		}
		SINK_CALL(d->sink, item);
		decode_object(d, type->to, CT_DEFAULT, &place);
	}
	SINK_CALL(d->sink, array_end);
}

void decode_array(struct decoder *d, const struct type *type, uint64_t addr)
{
	uint64_t count = decode_ref(d, &type->length);
	size_t size = sizeof_type(type->to, CT_DEFAULT, d->abi);
	uint64_t limit = d->options->verbose || (type->flags & TYPE_WHOLE)
			 ? UINT64_MAX : d->options->string_limit;
	uint8_t bytes[MAX_OBJECT];
	bool set = type->flags & TYPE_SET;

	if (type->number && limit > type->number)
		limit = type->number;
	/* an array cannot wrap around the address space */
	if (!size || size > sizeof(bytes) || count > (UINT64_MAX - addr) / size) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	if ((type->flags & TYPE_COUNTED) && !d->options->verbose) {
		show_count(d, type, addr, size);
		return;
	}
	if (type->by.kind) {
		show_picked(d, type, addr, size);
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		struct place place = {
			.addr = addr + i * size,
			.bytes = bytes,
			.len = size,
		};

		bool readable = view_read_exactly(d->view, place.addr, bytes,
						  size);

		if (!i) {
			if (!readable) {
				SINK_CALL(d->sink, address, addr);
				return;
			}
			SINK_CALL(d->sink, array_begin,
				  set ? ARRAY_SET : ARRAY_LIST);
		}
		if (readable && is_end(type, bytes, size))
			break;
		if (!readable) {
			show_unreadable_rest(d, place.addr);
			break;
		}
		if (i >= limit || i >= MAX_ELEMENTS) {
			SINK_CALL(d->sink, more);
			break;
		}
		SINK_CALL(d->sink, item);
		decode_object(d, type->to, CT_DEFAULT, &place);
	}
	if (!count)
		SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	SINK_CALL(d->sink, array_end);
}

void decode_rest(struct decoder *d, const struct type *type,
		 const struct place *place)
{
	uint64_t count = decode_ref(d, &type->length);
	size_t size = sizeof_type(type->to, CT_DEFAULT, d->abi);
	size_t room = size ? place->len / size : 0;

	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (size_t i = 0; i < count && i < room; i++) {
		SINK_CALL(d->sink, item);
		decode_object(d, type->to, CT_DEFAULT, &(struct place){
			.addr = place->addr + i * size,
			.bytes = place->bytes + i * size, .len = size });
	}
	if (count > room)
		SINK_CALL(d->sink, more);
	SINK_CALL(d->sink, array_end);
}
