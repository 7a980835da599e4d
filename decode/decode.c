/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interpreter of descriptions: values and objects.  What a call's
 * arguments and result are is in decode/call.c, how simple scalars look in
 * decode/scalars.c.
 */
#include "decode/decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/interpret.h"

enum {
	MAX_OBJECT = 8192,	/* bytes of one structure read at once */
	MAX_FLAG_PARTS = 64,
	MAX_COMMENT = 512,
	MAX_BITS = 1 << 16,	/* of a set in memory */
	MAX_ELEMENTS = 1 << 16,	/* of an array, even if all are wanted */
	MAX_STRUCTURE = 4096,	/* bytes that any structure may have */
	SIZE_MEMBER = 4,	/* of a structure that begins with its size */
	MAX_PATH = 4096,	/* PATH_MAX, the NUL included */
};

uint64_t decode_normalize(const struct abi *abi, enum ctype ctype,
			  uint64_t value)
{
	switch (ctype_size(ctype, abi)) {
	case 1:
		return ctype_is_signed(ctype) ? (uint64_t)(int8_t)value
					      : (uint8_t)value;
	case 2:
		return ctype_is_signed(ctype) ? (uint64_t)(int16_t)value
					      : (uint16_t)value;
	case 4:
		return ctype_is_signed(ctype) ? (uint64_t)(int32_t)value
					      : (uint32_t)value;
	default:
		return value;
	}
}

uint64_t decode_load(const struct decoder *d, enum ctype ctype,
		     const uint8_t *bytes)
{
	uint64_t value = 0;

	/* tracer and tracee have the same byte order: ptrace sees to that */
	memcpy(&value, bytes, ctype_size(ctype, d->abi));
	return decode_normalize(d->abi, ctype, value);
}

static bool exists(const struct decoder *d, const struct field *field)
{
	return !field->abis || (field->abis & 1u << d->abi->id);
}

/* Finds a sibling field in the innermost structure that has one. */
static bool find_field(struct decoder *d, const char *name, uint64_t *value)
{
	for (const struct scope *s = d->scope; s; s = s->outer) {
		for (size_t i = 0; i < s->structure->count; i++) {
			const struct field *f = &s->structure->fields[i];
			enum ctype ctype = f->ctype;

			if (!f->name || strcmp(f->name, name) ||
			    !exists(d, f))
				continue;
			if (ctype == CT_DEFAULT)
				ctype = f->type->ctype;
			if (s->layout->offsets[i] +
			    ctype_size(ctype, d->abi) > s->len)
				return false;
			*value = decode_load(d, ctype,
					     s->bytes + s->layout->offsets[i]);
			return true;
		}
	}
	return false;
}

uint64_t decode_ref(struct decoder *d, const struct ref *ref)
{
	uint64_t value = 0;
	uint32_t pointee;

	switch (ref->kind) {
	case REF_NONE:
		return 0;
	case REF_CONST:
		return ref->value;
	case REF_ARG:
		value = decode_arg_value(d, ref->index);
		break;
	case REF_RESULT:
		if (d->exiting && !d->error)
			value = d->result;
		break;
	case REF_FIELD:
		find_field(d, ref->field, &value);
		break;
	case REF_POINTEE:
		if (view_read_exactly(d->view, decode_arg_value(d, ref->index),
				      &pointee, sizeof(pointee)))
			value = pointee;
		break;
	case REF_FN:
		value = ref->fn(d);
		break;
	}
	return ref->value ? value & ref->value : value;
}

bool decode_cond(struct decoder *d, const struct cond *cond)
{
	switch (cond->op) {
	case COND_ALWAYS:
		return true;
	case COND_ANY_BIT:
		return decode_ref(d, &cond->ref) & cond->value;
	case COND_NO_BIT:
		return !(decode_ref(d, &cond->ref) & cond->value);
	case COND_EQUAL:
		return decode_ref(d, &cond->ref) == cond->value;
	case COND_UNEQUAL:
		return decode_ref(d, &cond->ref) != cond->value;
	case COND_FN:
		return cond->test(d);
	}
	return true;
}

/* ---- scalars ---- */

static enum number_base set_base(const struct constset *set)
{
	if (set->is_signed)
		return BASE_SIGNED;
	return set->decimal ? BASE_UNSIGNED : BASE_HEX;
}

void decode_enum(struct decoder *d, const struct constset *set,
		 uint64_t value)
{
	SINK_CALL(d->sink, symbol, value, set_base(set),
		  constset_name(set, d->abi, value),
		  set->unknown[0] ? set->unknown : NULL);
}

static void show_flags(struct decoder *d, const struct constset *set,
		       uint64_t value, const char *label)
{
	struct flag_part parts[MAX_FLAG_PARTS];
	uint64_t rest = value;
	size_t count = 0;

	if (set->base) {
		uint64_t base = value & set->base_mask;
		const char *name = constset_name(set->base, d->abi, base);

		if (name) {
			parts[count++] = (struct flag_part){
				.value = base, .name = name,
			};
			rest &= ~base;
		}
	}
	for (size_t i = 0; i < set->count && count < MAX_FLAG_PARTS; i++) {
		const struct constant *c = &set->members[i];

		if (!(c->abis & (1 << d->abi->id)))
			continue;
		/* a member without bits stands for "no flag at all" */
		if (c->value ? (rest & c->value) == c->value : !value) {
			parts[count++] = (struct flag_part){
				.value = c->value, .name = c->name,
			};
			rest &= ~c->value;
			if (!rest)
				break;
		}
	}
	SINK_CALL(d->sink, flags, value, parts, count, rest,
		  label && *label ? label : NULL);
}

void decode_flags(struct decoder *d, const struct constset *set,
		  uint64_t value)
{
	show_flags(d, set, value, set->unknown);
}

static void show_path(struct decoder *d, uint64_t addr)
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

/* Bytes of tracee memory, in blocks so that no limit asks for a buffer. */
static bool read_block(struct decoder *d, uint64_t addr, uint8_t **buf,
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

void decode_bytes(struct decoder *d, uint64_t addr, uint64_t len,
		  unsigned string_flags)
{
	uint8_t fixed[1024], *buf;
	size_t want = len;

	if (want > d->options->string_limit) {
		want = d->options->string_limit;
		string_flags |= STRING_TRUNCATED;
	}
	if (!read_block(d, addr, &buf, fixed, sizeof(fixed), want)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	SINK_CALL(d->sink, string, buf, want, string_flags);
	if (buf != fixed)
		free(buf);
}

static void show_bytes(struct decoder *d, const struct type *type,
		       uint64_t addr, uint64_t len)
{
	if (type->flags & TYPE_SHARING) {
		if (len > d->shared)
			len = d->shared;
		d->shared -= len;
	}
	if (type->decode)
		type->decode(d, type, &(struct place){ .addr = addr,
						       .len = len });
	else
		decode_bytes(d, addr, len,
			     type->flags & TYPE_HEX ? STRING_HEX : 0);
}

static void show_str(struct decoder *d, const struct type *type,
		     uint64_t addr)
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

static bool is_address(const struct type *type)
{
	return type->kind == KIND_PTR || type->kind == KIND_PATH ||
	       type->kind == KIND_STR || type->kind == KIND_BYTES;
}

static void comment_address(struct decoder *d, uint64_t addr)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	SINK_CALL(d->sink, comment, text);
}

static void show_pointee(struct decoder *d, const struct type *type,
			 uint64_t addr)
{
	/* -e verbose= is about structures: strings are always shown. */
	if (!addr || (type->kind == KIND_PTR &&
		      !d->options->follow_pointers)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	switch (type->kind) {
	case KIND_PATH:
		show_path(d, addr);
		break;
	case KIND_STR:
		show_str(d, type, addr);
		break;
	case KIND_BYTES:
		show_bytes(d, type, addr, decode_ref(d, &type->length));
		break;
	default:
		if (type->length.kind)
			d->shared = decode_ref(d, &type->length);
		if (decode_at(d, type->to, addr) &&
		    (type->flags & TYPE_LOCATED))
			comment_address(d, addr);
		break;
	}
}

/* The names of the flags in a word, as a comment has them. */
static const char *flag_names(struct decoder *d, const struct constset *set,
			      uint64_t value, char *buf, size_t size)
{
	size_t len = 0;

	for (size_t i = 0; i < set->count && value; i++) {
		const struct constant *c = &set->members[i];

		if (!(c->abis & (1 << d->abi->id)) || !c->value ||
		    (value & c->value) != c->value)
			continue;
		len += snprintf(buf + len, size - len, "%s%s", len ? "|" : "",
				c->name);
		value &= ~c->value;
		if (len >= size)
			return buf;
	}
	if (value && len)
		snprintf(buf + len, size - len, "|0x%" PRIx64, value);
	return len ? buf : set->unknown;
}

/* The number, and as a comment what it means. */
static void show_number_first(struct decoder *d, const struct type *type,
			      uint64_t value)
{
	const char *name = constset_name(type->set, d->abi, value);
	char buf[MAX_COMMENT];

	SINK_CALL(d->sink, number, value, set_base(type->set));
	if (type->kind == KIND_FLAGS) {
		if (!value)
			return;
		name = flag_names(d, type->set, value, buf, sizeof(buf));
	}
	SINK_CALL(d->sink, comment, name ? name : type->set->unknown);
}

const struct type *decode_choose(struct decoder *d, const struct type *type)
{
	uint64_t value = decode_ref(d, &type->by);
	const struct type *otherwise = NULL;

	for (size_t i = 0; i < type->choice_count; i++) {
		const struct choice *c = &type->choices[i];

		if (c->otherwise)
			otherwise = c->type;
		else if ((c->mask ? value & c->mask : value) == c->value)
			return c->type;
	}
	return otherwise;
}

void decode_value(struct decoder *d, const struct type *type,
		  enum ctype ctype, uint64_t value)
{
	if (ctype == CT_DEFAULT)
		ctype = type->ctype;
	if (type->kind == KIND_SELECT) {
		const struct type *chosen = decode_choose(d, type);

		decode_value(d, chosen ? chosen : HEXLONG, CT_DEFAULT, value);
		return;
	}
	value = decode_normalize(d->abi, ctype, value);
	d->ctype = ctype;
	switch (type->kind) {
	case KIND_SCALAR:
		type->print(d, type, value);
		break;
	case KIND_ENUM:
		if (type->flags & TYPE_NUMBER_FIRST)
			show_number_first(d, type, value);
		else if (type->flags & TYPE_UNLABELLED)
			SINK_CALL(d->sink, symbol, value, set_base(type->set),
				  constset_name(type->set, d->abi, value),
				  NULL);
		else
			decode_enum(d, type->set, value);
		break;
	case KIND_FLAGS:
		if (type->flags & TYPE_NUMBER_FIRST)
			show_number_first(d, type, value);
		else
			show_flags(d, type->set, value,
				   type->flags & TYPE_UNLABELLED
				   ? NULL : type->set->unknown);
		break;
	case KIND_CUSTOM:
		type->decode(d, type, &(struct place){ .value = value,
						       .addr = value });
		break;
	default:
		show_pointee(d, type, value);
		break;
	}
}

/* ---- objects ---- */

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

static bool all_zero(const uint8_t *bytes, size_t len)
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
	if (!exists(d, field))
		return false;
	if (field->show & SHOW_NEVER)
		return false;
	if (!decode_cond(d, &field->when))
		return false;
	if ((field->show & SHOW_NONZERO) && all_zero(bytes, len))
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

/*
 * The members of a structure of which len bytes are at hand.  Returns whether
 * some were left out, which is told.
 */
static bool show_members(struct decoder *d, const struct structure *structure,
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
	if (all_zero(bytes, len))
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
	    all_zero(place->bytes + from, place->len - from))
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
	show_members(d, type->structure, place);
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

static void show_struct(struct decoder *d, const struct type *type,
			const struct place *place)
{
	uint64_t size = 0;
	bool abridged;

	if (type->flags & TYPE_BARE) {
		show_members(d, type->structure, place);
		return;
	}
	if (type->flags & TYPE_EXTRA) {
		show_with_extra(d, type, place);
		return;
	}
	if (type->flags & TYPE_SIZED)
		size = decode_ref(d, &type->length);
	SINK_CALL(d->sink, struct_begin);
	abridged = show_members(d, type->structure, place);
	if (size > place->len && (type->flags & TYPE_FILLED) && !abridged)
		SINK_CALL(d->sink, more);
	else if (size > place->len && !(type->flags & TYPE_FILLED))
		show_tail(d, place->addr, place->len, size);
	SINK_CALL(d->sink, struct_end);
	if (type->flags & TYPE_DATED)
		show_date(d, type, place);
}

/* A C string in a fixed array: whole, since the array bounds it. */
static void show_chars(struct decoder *d, const struct place *place)
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

	if (len > limit) {
		len = limit;
		flags |= STRING_TRUNCATED;
	}
	if (!read_block(d, addr, &buf, fixed, sizeof(fixed), len)) {
		SINK_CALL(d->sink, expression, &(struct expression){
			.text = "???", .fixed = true });
		return;
	}
	SINK_CALL(d->sink, string, buf, len, flags);
	if (buf != fixed)
		free(buf);
}

static void show_data(struct decoder *d, const struct type *type,
		      const struct place *place)
{
	uint64_t len = decode_ref(d, &type->length);
	unsigned flags = type->flags & TYPE_HEX ? STRING_HEX : 0;

	if (type->length.kind != REF_CONST) {
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

void decode_object(struct decoder *d, const struct type *type,
		   enum ctype ctype, const struct place *place)
{
	if (ctype == CT_DEFAULT)
		ctype = type->ctype;
	switch (type->kind) {
	case KIND_STRUCT:
		show_struct(d, type, place);
		break;
	case KIND_CHARS:
		show_chars(d, place);
		break;
	case KIND_DATA:
		show_data(d, type, place);
		break;
	case KIND_ARRAY:
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
	show_members(d, type->structure, &place);
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

static bool is_scalar(const struct type *type)
{
	return type->kind <= KIND_FLAGS || is_address(type);
}

/* The bits that are set; words are little-endian, so are their bytes. */
static void show_bits(struct decoder *d, const struct type *type,
		      uint64_t addr)
{
	uint64_t count = decode_ref(d, &type->length);
	uint8_t fixed[1024], *bytes;
	size_t size;

	if (count > MAX_BITS)
		count = MAX_BITS;
	size = (count + 7) / 8;
	if (type->flags & TYPE_WORDS)
		size = (size + d->abi->word - 1) / d->abi->word * d->abi->word;
	if (!read_block(d, addr, &bytes, fixed, sizeof(fixed), size)) {
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
	SINK_CALL(d->sink, array_end);
	if (bytes != fixed)
		free(bytes);
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
		show_bits(d, type, addr);
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
	    !read_block(d, addr, &buf, bytes, sizeof(bytes), size)) {
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

/* ---- arrays ---- */

static void show_unreadable_rest(struct decoder *d, uint64_t addr)
{
	SINK_CALL(d->sink, more);
	comment_address(d, addr);
}

static bool is_end(const struct type *type, const uint8_t *bytes, size_t size)
{
	return (type->flags & TYPE_ENDED) && all_zero(bytes, size);
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

	if (!type->by.kind)
		return true;

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

void decode_array(struct decoder *d, const struct type *type, uint64_t addr)
{
	uint64_t count = decode_ref(d, &type->length);
	size_t size = sizeof_type(type->to, CT_DEFAULT, d->abi);
	uint64_t limit = d->options->verbose || (type->flags & TYPE_WHOLE)
			 ? UINT64_MAX : d->options->string_limit;
	uint64_t shown = 0;
	uint8_t bytes[MAX_OBJECT];
	bool set = type->flags & TYPE_SET;

	/* an array cannot wrap around the address space */
	if (!size || size > sizeof(bytes) || count > (UINT64_MAX - addr) / size) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	if ((type->flags & TYPE_COUNTED) && !d->options->verbose) {
		show_count(d, type, addr, size);
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
		if (readable && !is_picked(d, type, &place))
			continue;
		if (shown >= limit || i >= MAX_ELEMENTS) {
			SINK_CALL(d->sink, more);
			break;
		}
		if (!readable) {
			show_unreadable_rest(d, place.addr);
			break;
		}
		shown++;
		SINK_CALL(d->sink, item);
		decode_object(d, type->to, CT_DEFAULT, &place);
	}
	if (!count)
		SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	SINK_CALL(d->sink, array_end);
}
