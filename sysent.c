/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Brings the numbers of the kernel's tables and the descriptions of the build
 * together.  Knows both as data and nothing of a tracee.
 */
#include "sysent.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SLOTS = 1024 };	/* of the hash table; a power of two */

/* Descriptions by name, only while the tables are built. */
struct described {
	const struct syscall *syscall;
	struct described *next;
};

struct table {
	struct sysent *entries;
	size_t count;
};

static struct table tables[ABI_COUNT];

static uint32_t hash(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return (h ^ h >> 16) % NAME_SLOTS;
}

static unsigned abis_of(const struct syscall *syscall)
{
	return syscall->abis ? syscall->abis : ON_ALL;
}

/* The description of a call on an ABI: of several the most special one. */
static const struct syscall *describe(struct described *const *by_name,
				      enum abi_id abi, const char *name)
{
	const struct syscall *best = NULL;

	for (const struct described *d = by_name[hash(name)]; d; d = d->next) {
		if (!(abis_of(d->syscall) & 1u << abi) ||
		    strcmp(d->syscall->name, name) != 0)
			continue;
		if (!best || __builtin_popcount(abis_of(d->syscall)) <
			     __builtin_popcount(abis_of(best)))
			best = d->syscall;
	}
	return best;
}

static uint8_t plain_args(const struct syscall *desc, enum abi_id abi)
{
	uint8_t count = 0;

	if (!desc || desc->variant_count || desc->variant_of)
		return 0;
	for (const struct arg *arg = desc->args; arg->type; arg++) {
		if (arg->again || arg_registers(arg, &abis[abi]) != 1)
			return 0;
		count++;
	}
	return count;
}

static void fill_entry(struct table *table, size_t slot, enum abi_id abi,
		       const char *name, const struct syscall *desc)
{
	table->entries[slot] = (struct sysent){
		.name = desc && desc->shown_as ? desc->shown_as : name,
		.nr = slot | abis[abi].nr_bit,
		.classes = desc ? desc->classes : 0,
		.desc = desc,
		.plain_args = plain_args(desc, abi),
	};
}

static bool has_number(enum abi_id abi, const char *name)
{
	const struct syscall_numbers *numbers = &syscall_numbers[abi];

	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->entries[i].name &&
		    !strcmp(numbers->entries[i].name, name))
			return true;
	return false;
}

/* The calls without a number, behind all the others. */
static void add_folded(struct table *table, enum abi_id abi)
{
	const struct syscall *const *desc;

	for (desc = __start_syscalls; desc < __stop_syscalls; desc++)
		if ((*desc)->classes & FOLDED &&
		    abis_of(*desc) & 1u << abi &&
		    !has_number(abi, (*desc)->name))
			fill_entry(table, table->count++, abi, (*desc)->name,
				   *desc);
}

static void build_table(struct described *const *by_name, enum abi_id abi,
			struct sysent *entries)
{
	const struct syscall_numbers *numbers = &syscall_numbers[abi];

	tables[abi] = (struct table){ entries, numbers->count };
	for (size_t i = 0; i < numbers->count; i++) {
		const struct syscall_number *number = &numbers->entries[i];

		if (!number->name)
			continue;
		fill_entry(&tables[abi], i, abi, number->name,
			   describe(by_name, abi, number->name));
		entries[i].number = number;
	}
	add_folded(&tables[abi], abi);
}

static size_t count_folded(void)
{
	const struct syscall *const *desc;
	size_t count = 0;

	for (desc = __start_syscalls; desc < __stop_syscalls; desc++)
		count += (*desc)->classes & FOLDED ? 1 : 0;
	return count;
}

bool sysent_init(void)
{
	size_t described = __stop_syscalls - __start_syscalls;
	struct described *by_name[NAME_SLOTS] = { NULL };
	struct described *descriptions;
	struct sysent *entries;
	size_t total = ABI_COUNT * count_folded();

	for (size_t abi = 0; abi < ABI_COUNT; abi++)
		total += syscall_numbers[abi].count;
	descriptions = calloc(described + 1, sizeof(*descriptions));
	entries = calloc(total, sizeof(*entries));
	if (!descriptions || !entries) {
		free(descriptions);
		free(entries);
		return false;
	}
	for (size_t i = 0; i < described; i++) {
		struct described **slot =
			&by_name[hash(__start_syscalls[i]->name)];

		descriptions[i] = (struct described){ __start_syscalls[i],
						      *slot };
		*slot = &descriptions[i];
	}
	free(tables[0].entries);
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		build_table(by_name, abi, entries);
		entries += tables[abi].count;
	}
	free(descriptions);
	return true;
}

const struct sysent *sysent_find(const struct abi *abi, uint64_t nr,
				 struct sysent *scratch, char *scratch_name)
{
	const struct table *table = &tables[abi->id];
	uint64_t slot = nr ^ abi->nr_bit;

	if (slot < syscall_numbers[abi->id].count && table->entries[slot].name)
		return &table->entries[slot];
	snprintf(scratch_name, SYSENT_NAME_SIZE, "syscall_0x%llx",
		 (unsigned long long)nr);
	*scratch = (struct sysent){ .name = scratch_name, .nr = nr };
	return scratch;
}

const struct sysent *sysent_named(const struct abi *abi, const char *name)
{
	const struct table *table = &tables[abi->id];

	for (size_t i = 0; i < table->count; i++)
		if (table->entries[i].desc &&
		    !strcmp(table->entries[i].desc->name, name))
			return &table->entries[i];
	return NULL;
}

size_t sysent_count(const struct abi *abi)
{
	return tables[abi->id].count;
}

const struct sysent *sysent_at(const struct abi *abi, size_t index)
{
	const struct sysent *entry = &tables[abi->id].entries[index];

	return entry->name ? entry : NULL;
}
