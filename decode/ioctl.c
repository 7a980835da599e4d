/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * ioctl: the call, and what is shown of a command that no description knows.
 * The known commands are described with what they are about, and register
 * themselves.
 */
#include <stdlib.h>

#include "decode/decode.h"
#include "decode/ioctl_names.h"
#include "decode/structures.h"

static void print_command(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	char buf[IOCTL_NAME_SIZE];

	(void)type;
	SINK_CALL(d->sink, symbol, value, BASE_HEX,
		  ioctl_name(d->abi, value, buf), NULL);
}

/* ---- commands that are not known ---- */

/* The number itself says how much memory is read and written. */
enum {
	IOC_SIZE_SHIFT = 16,
	IOC_SIZE_MASK = 0x3fff,
	IOC_DIR_SHIFT = 30,
	IOC_WRITE = 1,		/* by the caller */
	IOC_READ = 2,
};

static uint64_t argument_size(struct decoder *d)
{
	return decode_arg_value(d, 1) >> IOC_SIZE_SHIFT & IOC_SIZE_MASK;
}

/* The direction; ~0 if the argument is not to be looked at. */
static unsigned argument_direction(struct decoder *d)
{
	if (!d->options->verbose || !argument_size(d) ||
	    !decode_arg_value(d, 2))
		return ~0u;
	return decode_arg_value(d, 1) >> IOC_DIR_SHIFT & 3;
}

static bool is_plain(struct decoder *d)
{
	return argument_direction(d) == ~0u;
}

static bool is_written(struct decoder *d)
{
	return argument_direction(d) == IOC_WRITE;
}

static bool is_read(struct decoder *d)
{
	return argument_direction(d) == IOC_READ;
}

/* Those with a size that are not said to do either may do both. */
static bool is_changed(struct decoder *d)
{
	return !is_plain(d) && !is_written(d) && !is_read(d);
}

static uint64_t is_unreadable(struct decoder *d)
{
	uint8_t byte;

	return !view_read_exactly(d->view, decode_arg_value(d, 2), &byte, 1);
}

#define ARGUMENT_BYTES	BYTES_HEX(CALC(argument_size))

static const struct variant unknown = OTHER_VARIANT(ARGS(
	ARG(argp, HEXLONG, .when = IF_FN(is_plain)),
	ARG(argp, ARGUMENT_BYTES, .again = true, .when = IF_FN(is_written)),
	INOUT(argp, ARGUMENT_BYTES, .again = true, .when = IF_FN(is_changed),
	      .after = SELECT(CALC(is_unreadable), CHOICE(0, ARGUMENT_BYTES))),
	LATE(argp, ARGUMENT_BYTES, .again = true, .when = IF_FN(is_read))));

/* ---- known ones ---- */

static int compare(const void *a, const void *b)
{
	const struct variant *const *x = a, *const *y = b;

	return ((*x)->value > (*y)->value) - ((*x)->value < (*y)->value);
}

/*
 * The described commands in order of their numbers, made on first use; if
 * memory is short, none.
 */
static const struct variant *find_command(uint64_t value)
{
	static const struct variant **sorted;
	static size_t count;
	const struct variant key = { .value = value }, *wanted = &key;
	const struct variant *const *found;

	if (!sorted) {
		count = __stop_ioctls - __start_ioctls;
		sorted = malloc(count * sizeof(*sorted));
		if (!sorted)
			return &unknown;
		for (size_t i = 0; i < count; i++)
			sorted[i] = __start_ioctls[i];
		qsort(sorted, count, sizeof(*sorted), compare);
	}
	found = bsearch(&wanted, sorted, count, sizeof(*sorted), compare);
	return found ? *found : &unknown;
}

SYSCALL(ioctl, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(op, SCALAR(print_command, UINT))),
	.select = ARGV(1),
	.variant_of = find_command);
