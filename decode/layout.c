/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * How described structures lie in memory: the rules of the C ABIs of x86-64,
 * i386 and x32, applied to descriptions.  Knows no memory and no sink.
 */
#include "decode/type.h"

size_t ctype_size(enum ctype ctype, const struct abi *abi)
{
	switch (ctype) {
	case S8:
	case U8:
		return 1;
	case S16:
	case U16:
		return 2;
	case S32:
	case U32:
		return 4;
	case S64:
	case U64:
		return 8;
	case LONG:
	case ULONG:
		return abi->word;
	case KLONG:
	case KULONG:
		return abi->kernel_long;
	case POINTER:
		return abi->pointer;
	case CT_DEFAULT:
	case CT_COUNT:
		break;
	}
	return 0;
}

bool ctype_is_signed(enum ctype ctype)
{
	switch (ctype) {
	case S8:
	case S16:
	case S32:
	case S64:
	case LONG:
	case KLONG:
		return true;
	default:
		return false;
	}
}

static size_t ctype_align(enum ctype ctype, const struct abi *abi)
{
	size_t size = ctype_size(ctype, abi);

	if (size == 8)
		return abi->align64;
	return size ? size : 1;
}

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t round_up(size_t n, size_t align)
{
	return (n + align - 1) / align * align;
}

/* A length that is known without a tracee; else 0, a flexible array. */
static size_t constant_length(const struct type *type)
{
	return type->length.kind == REF_CONST ? type->length.value : 0;
}

static size_t largest_choice(const struct type *type, const struct abi *abi,
			     size_t (*measure)(const struct type *, enum ctype,
					       const struct abi *))
{
	size_t largest = 0;

	for (size_t i = 0; i < type->choice_count; i++)
		largest = max(largest, measure(type->choices[i].type,
					       CT_DEFAULT, abi));
	return largest;
}

size_t sizeof_type(const struct type *type, enum ctype ctype,
		   const struct abi *abi)
{
	if (ctype != CT_DEFAULT)
		return ctype_size(ctype, abi);
	switch (type->kind) {
	case KIND_STRUCT:
		return structure_layout(type->structure, abi)->size;
	case KIND_ARRAY:
		return constant_length(type) *
		       sizeof_type(type->to, CT_DEFAULT, abi);
	case KIND_CHARS:
	case KIND_DATA:
		return constant_length(type);
	case KIND_BITS:
		return constant_length(type) / 8;
	case KIND_SELECT:
		return largest_choice(type, abi, sizeof_type);
	case KIND_CUSTOM:
		if (type->layout_of)
			return structure_layout(type->layout_of, abi)->size;
		break;
	default:
		break;
	}
	return ctype_size(type->ctype, abi);
}

size_t alignof_type(const struct type *type, enum ctype ctype,
		    const struct abi *abi)
{
	if (ctype != CT_DEFAULT)
		return ctype_align(ctype, abi);
	switch (type->kind) {
	case KIND_STRUCT:
		return structure_layout(type->structure, abi)->align;
	case KIND_ARRAY:
		return alignof_type(type->to, CT_DEFAULT, abi);
	case KIND_CHARS:
	case KIND_DATA:
	case KIND_BITS:
		return 1;
	case KIND_SELECT:
		return largest_choice(type, abi, alignof_type);
	case KIND_CUSTOM:
		if (type->layout_of)
			return structure_layout(type->layout_of, abi)->align;
		break;
	default:
		break;
	}
	return ctype_align(type->ctype, abi);
}

static bool field_exists(const struct field *field, const struct abi *abi)
{
	return !field->abis || (field->abis & 1u << abi->id);
}

static size_t field_align(const struct structure *structure,
			  const struct field *field, const struct abi *abi)
{
	if (structure->packed || (field->show & SHOW_PACKED))
		return 1;
	return alignof_type(field->type, field->ctype, abi);
}

/*
 * The fields that share an offset: from index i up to the result.  Fields
 * that an ABI lacks may stand in between.
 */
static size_t overlay_end(const struct structure *structure, size_t i)
{
	if (structure->is_union)
		return structure->count;
	for (i++; i < structure->count; i++)
		if (!(structure->fields[i].show & SHOW_OVERLAY))
			break;
	return i;
}

static void compute(const struct structure *structure, const struct abi *abi,
		    struct layout *layout)
{
	size_t end = 0, align = 1;

	for (size_t i = 0, next; i < structure->count; i = next) {
		size_t group_align = 1, group_size = 0, offset;

		next = overlay_end(structure, i);
		for (size_t j = i; j < next; j++) {
			const struct field *f = &structure->fields[j];
			size_t size;

			if (!field_exists(f, abi))
				continue;
			size = sizeof_type(f->type, f->ctype, abi);
			if (f->count)
				size *= f->count;
			layout->sizes[j] = size;
			group_size = max(group_size, size);
			group_align = max(group_align,
					  field_align(structure, f, abi));
		}
		offset = round_up(end, group_align);
		for (size_t j = i; j < next; j++)
			layout->offsets[j] = offset;
		end = offset + group_size;
		align = max(align, group_align);
	}
	layout->align = align;
	layout->size = round_up(end, align);
}

/* The fields in order of their turn; a stable sort, as most have none. */
static void put_in_order(const struct structure *structure, uint16_t *order)
{
	for (size_t i = 0; i < structure->count; i++) {
		unsigned turn = structure->fields[i].turn;
		size_t at = i;

		for (; at && structure->fields[order[at - 1]].turn > turn; at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
}

const struct layout *structure_layout(const struct structure *structure,
				      const struct abi *abi)
{
	struct layout *layout = &structure->layouts[abi->id];

	if (!layout->known) {
		layout->offsets = structure->places +
				  3 * abi->id * structure->count;
		layout->sizes = layout->offsets + structure->count;
		layout->order = layout->sizes + structure->count;
		put_in_order(structure, layout->order);
		compute(structure, abi, layout);
		layout->known = true;
	}
	return layout;
}
