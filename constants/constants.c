/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looking things up in the generated sets of constants.
 */
#include "constants/constants.h"

#include <string.h>

/* The index of the first member whose value is not below value. */
static uint32_t lower_bound(const struct constset *set, uint64_t value)
{
	uint32_t low = 0, high = set->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (set->members[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const char *enum_name(const struct constset *set, unsigned on,
			     uint64_t value)
{
	uint64_t index = value - set->members[0].value;
	const struct constant *member;

	/* Most sets have no holes, at least in the beginning. */
	if (index < set->count) {
		member = &set->members[index];
		if (member->value == value && (member->abis & on))
			return member->name;
	}
	/* One value may have several names, each on other ABIs. */
	for (index = lower_bound(set, value); index < set->count; index++) {
		member = &set->members[index];
		if (member->value != value)
			break;
		if (member->abis & on)
			return member->name;
	}
	return NULL;
}

const char *constset_name(const struct constset *set, const struct abi *abi,
			  uint64_t value)
{
	unsigned on = 1u << abi->id;
	const char *name = enum_name(set, on, value);

	/* Negative ints are listed as 32 bits: undo a sign extension. */
	if (!name && (int64_t)value < 0 && (int64_t)value >= INT32_MIN)
		name = enum_name(set, on, (uint32_t)value);
	return name;
}

static bool value_in(const struct constset *set, const char *name,
		     uint64_t *value)
{
	const struct constant *found = NULL;

	for (uint32_t i = 0; i < set->count; i++) {
		const struct constant *member = &set->members[i];

		if (strcmp(member->name, name) != 0)
			continue;
		if (!found || (member->abis & ON_X86_64))
			found = member;
	}
	if (found)
		*value = found->value;
	return found != NULL;
}

bool constset_value(const struct constset *set, const char *name,
		    uint64_t *value)
{
	if (set)
		return value_in(set, name, value) ||
		       (set->base && value_in(set->base, name, value));
	for (size_t i = 0; i < constset_count; i++)
		if (value_in(constsets[i], name, value))
			return true;
	return false;
}
