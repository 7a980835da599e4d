/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looking constants up.
 */
#include "constants/constants.h"
#include "sets.h"
#include "check.h"

/* A set with what can be difficult: gaps, names of some ABIs, negative. */
static const struct constant odd_members[] = {
	{ 1, "ONE", ON_ALL },
	{ 2, "TWO", ON_X86_64 },
	{ 2, "ZWEI", ON_I386 | ON_X32 },
	{ 3, "THREE", ON_I386 },
	{ 100, "HUNDRED", ON_ALL },
	{ 0xffffff9c, "MINUS_HUNDRED", ON_ALL },
	{ 0xfffffffffffffff0, "HUGE", ON_X86_64 },
};

static const struct constset odd = {
	.name = "odd",
	.members = odd_members,
	.count = sizeof(odd_members) / sizeof(odd_members[0]),
	.unknown = "ODD_???",
};

static const struct constset based = {
	.name = "based",
	.members = odd_members,
	.count = 1,
	.is_flags = true,
	.unknown = "BASED_???",
	.base_mask = 0xf0,
	.base = &odd,
};

static const char *name(const struct constset *set, enum abi_id abi,
			uint64_t value)
{
	return constset_name(set, &abis[abi], value);
}

static void check_names(void)
{
	IS_STR(name(&odd, ABI_X86_64, 1), "ONE", "the first member");
	IS_STR(name(&odd, ABI_X86_64, 2), "TWO", "one value, two names");
	IS_STR(name(&odd, ABI_I386, 2), "ZWEI", "on another ABI the other");
	IS_STR(name(&odd, ABI_X32, 2), "ZWEI", "and on the third");
	IS_STR(name(&odd, ABI_I386, 3), "THREE", "a name of one ABI");
	IS_STR(name(&odd, ABI_X86_64, 3), NULL, "which others lack");
	IS_STR(name(&odd, ABI_X86_64, 100), "HUNDRED", "behind a gap");
	IS_STR(name(&odd, ABI_X86_64, 4), NULL, "inside a gap");
	IS_STR(name(&odd, ABI_X86_64, 0), NULL, "below the first");
	IS_STR(name(&odd, ABI_X86_64, -100), "MINUS_HUNDRED",
	       "a sign-extended negative number");
	IS_STR(name(&odd, ABI_X86_64, 0xffffff9c), "MINUS_HUNDRED",
	       "the same, zero-extended");
	IS_STR(name(&odd, ABI_X86_64, -16), "HUGE", "a 64-bit value");
	IS_STR(name(&odd, ABI_I386, -16), NULL, "not on i386");
	IS_STR(name(&odd, ABI_X86_64, UINT64_MAX), NULL, "above the last");
	IS_STR(name(&odd, ABI_X86_64, 0x100000001), NULL,
	       "the upper half counts");
}

static void check_values(void)
{
	uint64_t value = 7;

	OK(constset_value(&odd, "HUNDRED", &value) && value == 100,
	   "the value of a name");
	OK(constset_value(&odd, "THREE", &value) && value == 3,
	   "the value of a name that x86-64 lacks");
	OK(!constset_value(&odd, "FOUR", &value) && value == 3,
	   "no value for no name");
	OK(constset_value(&based, "TWO", &value) && value == 2,
	   "the value of a name in the base");
	OK(constset_value(NULL, "EPIPE", &value) && value == 32,
	   "the value of a name in any set");
	OK(!constset_value(NULL, "EPI", &value),
	   "a name must be complete");
}

/* Values that are written down in every manual. */
static void check_generated(void)
{
	IS_STR(name(&set_errnos, ABI_X86_64, 2), "ENOENT", "errno 2");
	IS_STR(name(&set_errnos, ABI_I386, 11), "EAGAIN",
	       "errno 11 by its first name");
	IS_STR(name(&set_errnos, ABI_X86_64, 35), "EDEADLK", "errno 35");
	IS_STR(name(&set_errnos, ABI_X86_64, 95), "EOPNOTSUPP", "errno 95");
	IS_STR(name(&set_errnos, ABI_X86_64, 133), "EHWPOISON", "errno 133");
	IS_STR(name(&set_errnos, ABI_X86_64, 41), NULL, "errno 41");
	IS_STR(name(&set_errnos, ABI_X86_64, 512), "ERESTARTSYS",
	       "errno 512");
	IS_STR(name(&set_errnos, ABI_X32, 516), "ERESTART_RESTARTBLOCK",
	       "errno 516");
	IS_STR(name(&set_signals, ABI_X86_64, 6), "SIGABRT", "signal 6");
	IS_STR(name(&set_signals, ABI_X86_64, 29), "SIGIO", "signal 29");
	IS_STR(name(&set_signals, ABI_X86_64, 31), "SIGSYS", "signal 31");
	IS_STR(name(&set_signals, ABI_X86_64, 0), NULL, "signal 0");
	IS_STR(name(&set_signals_short, ABI_I386, 9), "KILL",
	       "signal 9 without SIG");
	IS_INT(V_ENOSYS, 38, "V_ENOSYS");
	IS_INT(V_AT_FDCWD, -100, "V_AT_FDCWD");
	IS_INT(V_S_IFMT, 0170000, "V_S_IFMT");
	IS_STR(set_errnos.unknown, "E???", "the label for unknown values");
}

/* What constset_name() relies on, for all sets of the build. */
static void check_order(void)
{
	unsigned disorder = 0, empty = 0;

	for (size_t i = 0; i < constset_count; i++) {
		const struct constset *set = constsets[i];

		empty += set->count == 0 || !set->unknown;
		for (uint32_t j = 1; j < set->count && !set->is_flags; j++)
			disorder += set->members[j - 1].value >
				    set->members[j].value;
	}
	IS_INT(disorder, 0, "enums are in order of value");
	IS_INT(empty, 0, "no set is empty");
}

int main(void)
{
	check_names();
	check_values();
	check_generated();
	check_order();
	return check_done();
}
