/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * System call numbers and their descriptions: looking them up, and what must
 * hold for every description.
 */
#include "sysent.h"
#include "check.h"

#include <time.h>

static char scratch_name[SYSENT_NAME_SIZE];
static struct sysent scratch;

static const struct sysent *find(enum abi_id abi, uint64_t nr)
{
	return sysent_find(&abis[abi], nr, &scratch, scratch_name);
}

/* Numbers that programs have been compiled with for many years. */
static void check_numbers(void)
{
	static const struct {
		enum abi_id abi;
		uint64_t nr;
		const char *name;
	} known[] = {
		{ ABI_X86_64, 0, "read" },
		{ ABI_X86_64, 59, "execve" },
		{ ABI_X86_64, 231, "exit_group" },
		{ ABI_X86_64, 257, "openat" },
		{ ABI_X86_64, 435, "clone3" },
		{ ABI_I386, 1, "exit" },
		{ ABI_I386, 11, "execve" },
		{ ABI_I386, 102, "socketcall" },
		{ ABI_I386, 192, "mmap2" },
		{ ABI_I386, 295, "openat" },
		{ ABI_I386, 435, "clone3" },
		{ ABI_X32, 0x40000000, "read" },
		{ ABI_X32, 0x40000101, "openat" },
		{ ABI_X32, 0x40000208, "execve" },
		{ ABI_X32, 0x40000202, "ioctl" },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct sysent *entry = find(known[i].abi, known[i].nr);

		IS_STR(entry->name, known[i].name, "%s on %s", known[i].name,
		       abis[known[i].abi].name);
		IS_INT(entry->nr, known[i].nr, "and its number");
		OK(entry->number != NULL, "and what is known of it");
	}
	IS_INT(find(ABI_X86_64, 257)->number->nargs, 4,
	       "openat has 4 arguments");
	IS_STR(find(ABI_I386, 295)->number->arg_names[2], "flags",
	       "the third one is called flags");
	IS_INT(find(ABI_I386, 180)->number->nargs, 5,
	       "pread64 has an argument in two registers on i386");
}

static void check_unknown(void)
{
	static const struct {
		enum abi_id abi;
		uint64_t nr;
		const char *name;
	} unknown[] = {
		{ ABI_X86_64, 0x1fff, "syscall_0x1fff" },
		{ ABI_X86_64, 511, "syscall_0x1ff" },
		{ ABI_X86_64, UINT64_MAX, "syscall_0xffffffffffffffff" },
		{ ABI_I386, 0xffffffff, "syscall_0xffffffff" },
		{ ABI_X32, 0x40000fa0, "syscall_0x40000fa0" },
		{ ABI_X32, 1, "syscall_0x1" },
	};

	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		const struct sysent *entry = find(unknown[i].abi,
						  unknown[i].nr);

		IS_STR(entry->name, unknown[i].name, "an unknown number");
		IS_INT(entry->nr, unknown[i].nr, "keeps its value");
		OK(!entry->desc && !entry->number && !entry->classes,
		   "and nothing is known of it");
	}
}

static void check_slots(void)
{
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		unsigned wrong = 0, entries = 0;

		for (size_t i = 0; i < sysent_count(&abis[abi]); i++) {
			const struct sysent *entry = sysent_at(&abis[abi], i);

			if (!entry)
				continue;
			entries++;
			/* what has no number has a slot all the same */
			wrong += entry->number
				 ? entry != find(abi, entry->nr)
				 : entry == find(abi, entry->nr);
		}
		OK(entries > 300, "%s has %u calls", abis[abi].name, entries);
		IS_INT(wrong, 0, "each is found by its number");
	}
}

static void check_folded(void)
{
	const struct abi *i386 = &abis[ABI_I386], *native = &abis[ABI_X86_64];
	const struct sysent *semop = sysent_named(i386, "semop");

	OK(semop && !semop->number, "i386 has semop without a number");
	OK(sysent_named(native, "semop")->number, "x86_64 with one");
	OK(sysent_named(i386, "accept4")->number, "accept4 has one on i386");
	IS_STR(sysent_named(i386, "ipc_semctl")->name, "semctl",
	       "another description of a call has its name");
	OK(!sysent_named(native, "ipc_semctl"), "where there is one");
	OK(!sysent_named(i386, "no such call"), "a name that nothing has");
}

/* Starting up must not be felt. */
static void check_speed(void)
{
	struct timespec start, end;
	long best = 1000000000;

	for (int i = 0; i < 5; i++) {
		long took;

		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
		sysent_init();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
		took = (end.tv_sec - start.tv_sec) * 1000000000 +
		       end.tv_nsec - start.tv_nsec;
		if (took < best)
			best = took;
	}
	OK(best < 1000000, "the tables are built in %ld us", best / 1000);
}

/* ---- every description ---- */

static unsigned abis_of(const struct syscall *syscall)
{
	return syscall->abis ? syscall->abis : ON_ALL;
}

/* The number of a call on an ABI, or NULL. */
static const struct syscall_number *number_of(const char *name,
					      enum abi_id abi)
{
	const struct syscall_numbers *numbers = &syscall_numbers[abi];

	for (size_t i = 0; i < numbers->count; i++)
		if (numbers->entries[i].name &&
		    !strcmp(numbers->entries[i].name, name))
			return &numbers->entries[i];
	return NULL;
}

/* Registers that the arguments of a description take up on an ABI. */
static unsigned registers(const struct syscall *syscall,
			  const struct arg *args, const struct abi *abi)
{
	unsigned count = 0, highest = 0;

	for (size_t i = 0; args[i].type; i++) {
		enum ctype ctype = args[i].ctype ? args[i].ctype
						 : args[i].type->ctype;

		if (args[i].dir == DIR_AUX || args[i].again)
			continue;
		count += ctype_size(ctype, abi) > abi->reg ? 2 : 1;
		if (args == syscall->args && syscall->order[i] > highest)
			highest = syscall->order[i];
	}
	return count > highest ? count : highest;
}

/* UNUSED_ARGs have no name. */
static bool names_are_unique(const struct arg *args)
{
	for (const struct arg *a = args; a->type; a++)
		for (const struct arg *b = a + 1; b->type; b++)
			if (a->name && *a->name && b->name &&
			    a->dir != DIR_AUX && b->dir != DIR_AUX &&
			    !strcmp(a->name, b->name))
				return false;
	return true;
}

/*
 * Registers that the kernel's function has but does not look at: the upper
 * half of an offset, where the lower one holds it all.
 */
static unsigned ignored_registers(const struct syscall *syscall,
				  const struct abi *abi)
{
	if (abi->id == ABI_X86_64 && (!strcmp(syscall->name, "preadv") ||
				      !strcmp(syscall->name, "pwritev")))
		return 1;
	return 0;
}

/*
 * The calls whose last arguments depend on what is asked for: the call's own
 * and those of any of its variants must fit.
 */
static bool count_fits(const struct syscall *syscall, unsigned nargs,
		       const struct abi *abi)
{
	unsigned own = registers(syscall, syscall->args, abi);

	if (syscall->classes & IS_SIGRETURN)
		return nargs == 0;	/* what is shown is on the stack */
	if (!strcmp(syscall->name, "restart_syscall"))
		return nargs == 0;	/* what is shown is the call before */
	if (!strcmp(syscall->name, "vm86"))
		return nargs == 2;	/* more is shown than it looks at */
	if (syscall->variant_of)
		return own <= nargs;
	if (syscall->variant_count == 0)
		return own + ignored_registers(syscall, abi) == nargs;
	for (size_t i = 0; i < syscall->variant_count; i++) {
		unsigned all = own + registers(syscall,
					       syscall->variants[i].args, abi);

		if (all > nargs) {
			check_note("variant %zu: %u registers", i, all);
			return false;
		}
	}
	return true;
}

static void check_description(const struct syscall *syscall)
{
	unsigned places = 0;

	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		const struct syscall_number *number;

		if (!(abis_of(syscall) & 1u << abi))
			continue;
		number = number_of(syscall->name, abi);
		if (!number)
			continue;
		places++;
		if (find(abi, (number - syscall_numbers[abi].entries) |
			      abis[abi].nr_bit)->desc != syscall)
			continue;	/* a more special one is used */
		if (!OK(count_fits(syscall, number->nargs, &abis[abi]),
			"the arguments of %s on %s", syscall->name,
			abis[abi].name))
			check_note("described: %u registers, known: %u",
				   registers(syscall, syscall->args,
					      &abis[abi]),
				   number->nargs);
	}
	OK(places > 0 || syscall->classes & FOLDED,
	   "%s has a number on an ABI that it is described for",
	   syscall->name);
	OK(names_are_unique(syscall->args), "the argument names of %s",
	   syscall->name);
	for (size_t i = 0; i < syscall->variant_count; i++)
		if (!names_are_unique(syscall->variants[i].args))
			OK(false, "the argument names of variant %zu of %s",
			   i, syscall->name);
}

/* Two descriptions of a call must differ in the ABIs that they are for. */
static void check_doubles(void)
{
	unsigned doubles = 0;

	for (const struct syscall *const *a = __start_syscalls;
	     a < __stop_syscalls; a++) {
		for (const struct syscall *const *b = a + 1;
		     b < __stop_syscalls; b++) {
			unsigned common = abis_of(*a) & abis_of(*b);

			if (strcmp((*a)->name, (*b)->name) != 0 || !common ||
			    __builtin_popcount(abis_of(*a)) !=
			    __builtin_popcount(abis_of(*b)))
				continue;
			doubles++;
			check_note("%s is described twice", (*a)->name);
		}
	}
	IS_INT(doubles, 0, "no call is described twice");
}

int main(void)
{
	OK(sysent_init(), "the tables can be built");
	check_numbers();
	check_unknown();
	check_slots();
	check_folded();
	check_speed();
	for (const struct syscall *const *s = __start_syscalls;
	     s < __stop_syscalls; s++)
		check_description(*s);
	check_doubles();
	return check_done();
}
