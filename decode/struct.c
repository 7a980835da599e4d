/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Structures of which the bytes have been read: their members, and what is
 * missing of them or behind them.
 */
#include "decode/interpret.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
	MAX_STRUCTURE = 4096,	/* bytes that any structure may have */
};

static void begin_named_element(struct decoder *d, const struct constset *names,
				size_t i)
{
	const char *name = constset_name(names, d->abi, i);
	char number[24];

	snprintf(number, sizeof(number), "%zu", i);
	SINK_CALL(d->sink, field, name ? name : number, 0);
}

static void show_field(struct decoder *d, const struct field *field,
		       const uint8_t *bytes, size_t len, uint64_t addr)
{
	struct place place = { .addr = addr, .bytes = bytes, .len = len };

	if (!field->count) {
		decode_object(d, field->type, field->ctype, &place);
		return;
	}

	size_t size = len / field->count;

	SINK_CALL(d->sink, array_begin, field->index ? ARRAY_INDEXED :
		  field->type->flags & TYPE_SET ? ARRAY_SET : ARRAY_LIST);
	for (size_t i = 0; i < field->count; i++) {
		if (i >= d->options->string_limit && !field->index &&
		    !d->options->verbose) {
			SINK_CALL(d->sink, more);
			break;
		}
		place = (struct place){
			.addr = addr + i * size,
			.bytes = bytes + i * size,
			.len = size,
		};
		if (field->index)
			begin_named_element(d, field->index, i);
		else
			SINK_CALL(d->sink, item);
		decode_object(d, field->type, field->ctype, &place);
	}
	SINK_CALL(d->sink, array_end);
}

bool decode_all_zero(const uint8_t *bytes, size_t len)
{
	while (len--)
		if (*bytes++)
			return false;
	return true;
}

/* Where a field was at entry, if it was something else then; or NULL. */
static const uint8_t *changed_from(const struct decoder *d,
				   const struct place *place, size_t offset,
				   size_t size)
{
	if (!d->exiting || place->addr != d->snapshot.addr ||
	    offset + size > d->snapshot.len ||
	    !memcmp(place->bytes + offset, d->snapshot.bytes + offset, size))
		return NULL;
	return d->snapshot.bytes + offset;
}

/* A named field, perhaps with what it was before. */
static void show_named_field(struct decoder *d, const struct field *f,
			     const struct place *place, size_t offset,
			     size_t size)
{
	const uint8_t *before = f->show & SHOW_CHANGE ?
				changed_from(d, place, offset, size) : NULL;

	SINK_CALL(d->sink, field, f->name,
		  (f->show & SHOW_UNNAMED ? FIELD_UNNAMED : 0) |
		  (f->show & SHOW_VALUE_NAMED ? FIELD_VALUE_NAMED : 0));
	if (before && d->error && f->show & SHOW_AT_ENTRY) {
		show_field(d, f, before, size, place->addr + offset);
		return;
	}
	if (before) {
		SINK_CALL(d->sink, change_begin);
		show_field(d, f, before, size, place->addr + offset);
		SINK_CALL(d->sink, change_to);
	}
	show_field(d, f, place->bytes + offset, size, place->addr + offset);
	if (before)
		SINK_CALL(d->sink, change_end);
}

static bool field_is_shown(struct decoder *d, const struct field *field,
			   const uint8_t *bytes, size_t len, bool *hidden)
{
	if (!decode_has_field(d, field))
		return false;
	if (field->show & SHOW_NEVER)
		return false;
	if (!decode_cond(d, &field->when))
		return false;
	if ((field->show & SHOW_NONZERO) && decode_all_zero(bytes, len))
		return false;
	if ((field->show & SHOW_VERBOSE) && !d->options->verbose) {
		*hidden = true;
		return false;
	}
	return true;
}

/* A member of which only the first bytes are there. */
static void show_part(struct decoder *d, const struct field *field,
		      const uint8_t *bytes, size_t len)
{
	SINK_CALL(d->sink, field, field->name, 0);
	SINK_CALL(d->sink, string, bytes, len, STRING_HEX);
}

bool decode_members(struct decoder *d, const struct structure *structure,
		    const struct place *place)
{
	const struct layout *layout = structure_layout(structure, d->abi);
	const struct scope scope = {
		.structure = structure,
		.layout = layout,
		.bytes = place->bytes,
		.len = place->len,
		.addr = place->addr,
		.outer = d->scope,
	};
	bool hidden = false;

	d->scope = &scope;
	for (size_t k = 0; k < structure->count; k++) {
		size_t i = layout->order[k];
		const struct field *f = &structure->fields[i];
		size_t offset = layout->offsets[i], size = layout->sizes[i];

		if ((f->type->flags & TYPE_REST) && offset < place->len)
			size = place->len - offset;
		if (offset + size > place->len) {
			/* an older, shorter structure, or one that was cut */
			if (offset < place->len && f->name)
				show_part(d, f, place->bytes + offset,
					  place->len - offset);
			continue;
		}
		if (!field_is_shown(d, f, place->bytes + offset, size,
				    &hidden))
			continue;
		if (!f->name || (f->type->flags & TYPE_BARE))
			show_field(d, f, place->bytes + offset, size,
				   place->addr + offset);
		else
			show_named_field(d, f, place, offset, size);
	}
	if (hidden)
		SINK_CALL(d->sink, more);
	d->scope = scope.outer;
	return hidden;
}

/*
 * The bytes of a structure that is longer than the one we know: nothing if
 * they are zero, as they then mean nothing to the kernel either.
 */
static void show_tail(struct decoder *d, uint64_t addr, size_t from,
		      uint64_t size)
{
	uint8_t bytes[MAX_STRUCTURE];
	size_t len, limit = d->options->string_limit;
	char name[64];

	if (size > MAX_STRUCTURE)
		size = MAX_STRUCTURE;
	len = size - from;
	if (!view_read_exactly(d->view, addr + from, bytes, len)) {
		SINK_CALL(d->sink, unreadable);
		return;
	}
	if (decode_all_zero(bytes, len))
		return;
	snprintf(name, sizeof(name), "bytes %zu..%" PRIu64, from, size - 1);
	SINK_CALL(d->sink, field, name, FIELD_COMMENT);
	SINK_CALL(d->sink, string, bytes, len < limit ? len : limit,
		  STRING_HEX | (len > limit ? STRING_TRUNCATED : 0));
}

/* The end of the last member, without the padding behind it. */
static size_t end_of_members(struct decoder *d,
			     const struct structure *structure)
{
	const struct layout *layout = structure_layout(structure, d->abi);
	size_t end = 0;

	for (size_t i = 0; i < structure->count; i++)
		if (end < (size_t)layout->offsets[i] + layout->sizes[i])
			end = layout->offsets[i] + layout->sizes[i];
	return end;
}

/* Bytes behind a TYPE_EXTRA structure, if any is not zero. */
static void show_extra(struct decoder *d, const struct place *place,
		       size_t from)
{
	char text[64];

	if (place->len <= from ||
	    decode_all_zero(place->bytes + from, place->len - from))
		return;
	if (!d->options->verbose) {
		SINK_CALL(d->sink, more);
		return;
	}
	SINK_CALL(d->sink, field, "extra_data", 0);
	SINK_CALL(d->sink, string, place->bytes + from, place->len - from,
		  STRING_HEX);
	snprintf(text, sizeof(text), "bytes %zu..%zu", from, place->len - 1);
	SINK_CALL(d->sink, comment, text);
}

/* A structure of which any part may be given; see TYPE_EXTRA. */
static void show_with_extra(struct decoder *d, const struct type *type,
			    const struct place *place)
{
	SINK_CALL(d->sink, struct_begin);
	if (type->label) {
		SINK_CALL(d->sink, field, type->label, 0);
		SINK_CALL(d->sink, struct_begin);
	}
	decode_members(d, type->structure, place);
	if (type->label)
		SINK_CALL(d->sink, struct_end);
	show_extra(d, place, end_of_members(d, type->structure));
	SINK_CALL(d->sink, struct_end);
}

/* The date that a structure of seconds and parts of a second stands for. */
static void show_date(struct decoder *d, const struct type *type,
		      const struct place *place)
{
	const struct structure *structure = type->structure;
	const struct layout *layout = structure_layout(structure, d->abi);
	uint64_t parts = decode_load(d, structure->fields[1].ctype,
				     place->bytes + layout->offsets[1]);

	decode_time_comment(d, decode_load(d, structure->fields[0].ctype,
					   place->bytes),
			    parts, type->number);
}

void decode_struct(struct decoder *d, const struct type *type,
		   const struct place *place)
{
	uint64_t size = 0;
	bool abridged;

	if (type->flags & TYPE_BARE) {
		decode_members(d, type->structure, place);
		return;
	}
	if (type->flags & TYPE_EXTRA) {
		show_with_extra(d, type, place);
		return;
	}
	if (type->flags & TYPE_SIZED)
		size = decode_ref(d, &type->length);
	SINK_CALL(d->sink, struct_begin);
	abridged = decode_members(d, type->structure, place);
	if (size > place->len && (type->flags & TYPE_FILLED) && !abridged)
		SINK_CALL(d->sink, more);
	else if (size > place->len && !(type->flags & TYPE_FILLED))
		show_tail(d, place->addr, place->len, size);
	SINK_CALL(d->sink, struct_end);
	if (type->flags & TYPE_DATED)
		show_date(d, type, place);
}
