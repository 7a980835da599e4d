/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values of up to 64 bits, from a register or read from memory: constants,
 * flag words, and addresses with what is there.
 */
#include "decode/interpret.h"

#include <inttypes.h>
#include <stdio.h>

enum {
	MAX_FLAG_PARTS = 64,
	MAX_COMMENT = 512,
};

static enum number_base set_base(const struct constset *set)
{
	if (set->is_signed)
		return BASE_SIGNED;
	return set->decimal ? BASE_UNSIGNED : BASE_HEX;
}

void decode_enum(struct decoder *d, const struct constset *set, uint64_t value)
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

void decode_flags(struct decoder *d, const struct constset *set, uint64_t value)
{
	show_flags(d, set, value, set->unknown);
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

/* The same in the style of constants. */
static void show_explained(struct decoder *d, const struct type *type,
			   uint64_t value)
{
	const char *name = constset_name(type->set, d->abi, value);
	char buf[MAX_COMMENT], text[MAX_COMMENT + 32];

	if (type->kind == KIND_FLAGS)
		name = value ? flag_names(d, type->set, value, buf,
					  sizeof(buf)) : "";
	else if (!name)
		name = type->set->unknown;
	if (!*name) {
		SINK_CALL(d->sink, number, value, set_base(type->set));
		return;
	}
	snprintf(text, sizeof(text), "%#" PRIx64 " /* %s */", value, name);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .comment = name, .value = value,
		.base = set_base(type->set) });
}

void decode_address_comment(struct decoder *d, uint64_t addr)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%" PRIx64, addr);
	SINK_CALL(d->sink, comment, text);
}

static bool is_empty_array(struct decoder *d, const struct type *type)
{
	return type->kind == KIND_PTR && type->to->kind == KIND_ARRAY &&
	       !decode_ref(d, &type->to->length);
}

static void show_pointee(struct decoder *d, const struct type *type,
			 uint64_t addr)
{
	/* -e verbose= is about what is read: strings are always shown. */
	if (addr && is_empty_array(d, type)) {
		decode_array(d, type->to, addr);
		return;
	}
	if (!addr || (type->kind == KIND_PTR &&
		      !d->options->follow_pointers)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	switch (type->kind) {
	case KIND_PATH:
		decode_path(d, addr);
		break;
	case KIND_STR:
		decode_str(d, type, addr);
		break;
	case KIND_BYTES:
		decode_buffer(d, type, addr, decode_ref(d, &type->length));
		break;
	default:
		if (type->length.kind)
			d->shared = decode_ref(d, &type->length);
		if (decode_at(d, type->to, addr) &&
		    (type->flags & TYPE_LOCATED))
			decode_address_comment(d, addr);
		break;
	}
}

void decode_value(struct decoder *d, const struct type *type, enum ctype ctype,
		  uint64_t value)
{
	if (ctype == CT_DEFAULT)
		ctype = type->ctype;
	if (type->kind == KIND_SELECT) {
		const struct type *chosen = decode_choose(d, type);

		decode_value(d, chosen ? chosen : HEXLONG, CT_DEFAULT, value);
		return;
	}
	value = decode_normalize(d->abi, ctype, value);
	if (type->set && !type->set->is_signed && ctype_size(ctype, d->abi) < 8)
		value &= (UINT64_C(1) << ctype_size(ctype, d->abi) * 8) - 1;
	d->ctype = ctype;
	switch (type->kind) {
	case KIND_SCALAR:
		type->print(d, type, value);
		break;
	case KIND_ENUM:
		if (type->flags & TYPE_NUMBER_FIRST)
			show_number_first(d, type, value);
		else if (type->flags & TYPE_EXPLAINED)
			show_explained(d, type, value);
		else if (type->flags & TYPE_UNLABELLED)
			SINK_CALL(d->sink, symbol, value, set_base(type->set),
				  constset_name(type->set, d->abi, value),
				  NULL);
		else
			decode_enum(d, type->set, value);
		break;
	case KIND_FLAGS:
		value = decode_unsigned(d, value);
		if (type->flags & TYPE_NUMBER_FIRST)
			show_number_first(d, type, value);
		else if (type->flags & TYPE_EXPLAINED)
			show_explained(d, type, value);
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
