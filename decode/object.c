/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects in tracee memory: how large they are, reading them, and what shows
 * which kind.
 */
#include "decode/interpret.h"

#include <stdlib.h>
#include <string.h>

enum {
	SIZE_MEMBER = 4,	/* of a structure that begins with its size */
};

void decode_object(struct decoder *d, const struct type *type, enum ctype ctype,
		   const struct place *place)
{
	if (ctype == CT_DEFAULT)
		ctype = type->ctype;
	switch (type->kind) {
	case KIND_STRUCT:
		decode_struct(d, type, place);
		break;
	case KIND_CHARS:
		decode_chars(d, place);
		break;
	case KIND_DATA:
		decode_data(d, type, place);
		break;
	case KIND_ARRAY:
		if (type->flags & TYPE_REST)
			decode_rest(d, type, place);
		else
			decode_array(d, type, place->addr);
		break;
	case KIND_SELECT: {
		const struct type *chosen = decode_choose(d, type);

		if (chosen)
			decode_object(d, chosen, CT_DEFAULT, place);
		break;
	}
	case KIND_CUSTOM:
		if (type->layout_of || !ctype_size(ctype, d->abi)) {
			type->decode(d, type, place);
			break;
		}
		/* fall through */
	default:
		if (ctype_size(ctype, d->abi) <= place->len)
			decode_value(d, type, ctype,
				     decode_load(d, ctype, place->bytes));
		break;
	}
}

/* A structure whose first member says how large it is. */
static bool sizes_itself(const struct type *type)
{
	return (type->flags & TYPE_SIZED) && type->length.kind == REF_POINTEE;
}

/* Of such a structure, the size may be all that can be read. */
static bool show_size_only(struct decoder *d, const struct type *type,
			   uint64_t addr)
{
	uint8_t bytes[SIZE_MEMBER];
	const struct place place = {
		.addr = addr,
		.bytes = bytes,
		.len = sizeof(bytes),
	};

	if (!sizes_itself(type) ||
	    !view_read_exactly(d->view, addr, bytes, sizeof(bytes)))
		return false;
	SINK_CALL(d->sink, struct_begin);
	decode_members(d, type->structure, &place);
	SINK_CALL(d->sink, unreadable);
	SINK_CALL(d->sink, struct_end);
	return true;
}

/* How many bytes of an object of this type there are at its address. */
static size_t object_size(struct decoder *d, const struct type *type)
{
	uint64_t size = sizeof_type(type, CT_DEFAULT, d->abi);

	if (type->kind == KIND_STRUCT && (type->flags & TYPE_SIZED)) {
		uint64_t given = decode_ref(d, &type->length);

		if (given < size || (type->flags & TYPE_EXTRA))
			size = given;
		if (sizes_itself(type) && size < SIZE_MEMBER)
			size = SIZE_MEMBER;
	}
	if (type->kind == KIND_DATA) {
		size = decode_ref(d, &type->length);
		if (size > MAX_OBJECT)
			size = MAX_OBJECT;
	}
	return size;
}

/*
 * Where the member ends that the byte before size is in: so long an object of
 * a TYPE_FILLED structure is when the rest has been filled with zeros.
 */
static size_t filled_size(struct decoder *d, const struct type *type,
			  size_t size)
{
	const struct structure *structure = type->structure;
	const struct layout *layout = structure_layout(structure, d->abi);
	size_t end;

	if ((type->flags & TYPE_EXTRA) && size < type->number)
		size = type->number;
	end = size;
	for (size_t i = 0; i < structure->count; i++) {
		size_t field_end = layout->offsets[i] + layout->sizes[i];

		if (layout->offsets[i] < size && field_end > end)
			end = field_end;
	}
	return end;
}

static bool is_too_short(const struct type *type, size_t size)
{
	if (type->flags & TYPE_EXTRA)
		return !size;
	return (type->flags & TYPE_SIZED) && size < type->number;
}

static bool is_address(const struct type *type)
{
	return type->kind == KIND_PTR || type->kind == KIND_PATH ||
	       type->kind == KIND_STR || type->kind == KIND_BYTES;
}

static bool is_scalar(const struct type *type)
{
	return type->kind <= KIND_FLAGS || is_address(type);
}

bool decode_at(struct decoder *d, const struct type *type, uint64_t addr)
{
	uint8_t bytes[1024], *buf;

	if (!addr || d->depth >= MAX_DEPTH) {
		SINK_CALL(d->sink, address, addr);
		return false;
	}
	if (type->kind == KIND_SELECT) {
		const struct type *chosen = decode_choose(d, type);

		if (chosen)
			return decode_at(d, chosen, addr);
		SINK_CALL(d->sink, address, addr);
		return false;
	}
	if (type->kind == KIND_ARRAY) {
		d->depth++;
		decode_array(d, type, addr);
		d->depth--;
		return true;
	}
	if (type->kind == KIND_BITS) {
		decode_bits(d, type, addr);
		return true;
	}
	if (type->kind == KIND_CUSTOM && !type->layout_of) {
		type->decode(d, type, &(struct place){ .value = addr,
						       .addr = addr });
		return true;
	}

	size_t size = object_size(d, type);

	if (size > MAX_OBJECT ||
	    is_too_short(type, size) ||
	    !decode_read_block(d, addr, &buf, bytes, sizeof(bytes), size)) {
		if (show_size_only(d, type, addr))
			return true;
		SINK_CALL(d->sink, address, addr);
		return false;
	}

	struct place place = { .addr = addr, .bytes = buf, .len = size };

	if (type->flags & TYPE_FILLED && buf == bytes) {
		place.len = filled_size(d, type, size);
		memset(bytes + size, 0, place.len - size);
	}
	d->depth++;
	if (is_scalar(type)) {
		/* a pointer to a number is an array of one */
		SINK_CALL(d->sink, array_begin, ARRAY_LIST);
		SINK_CALL(d->sink, item);
		decode_object(d, type, CT_DEFAULT, &place);
		SINK_CALL(d->sink, array_end);
	} else {
		decode_object(d, type, CT_DEFAULT, &place);
	}
	d->depth--;
	if (buf != bytes)
		free(buf);
	return true;
}
