/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What descriptions refer to: registers, sibling fields, results, and the
 * conditions and choices that depend on them.  Shows nothing.
 */
#include "decode/interpret.h"

#include <string.h>

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

bool decode_has_field(const struct decoder *d, const struct field *field)
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
			    !decode_has_field(d, f))
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
