/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ABIs of an x86-64 kernel.
 */
#include "abi/abi.h"

const struct abi abis[ABI_COUNT] = {
	[ABI_X86_64] = {
		.id = ABI_X86_64,
		.name = "x86_64",
		.mode = "64 bit",
		.word = 8,
		.pointer = 8,
		.kernel_long = 8,
		.align64 = 8,
		.reg = 8,
	},
	[ABI_I386] = {
		.id = ABI_I386,
		.name = "i386",
		.mode = "32 bit",
		.word = 4,
		.pointer = 4,
		.kernel_long = 4,
		.align64 = 4,
		.reg = 4,
	},
	[ABI_X32] = {
		.id = ABI_X32,
		.name = "x32",
		.mode = "x32",
		.word = 4,
		.pointer = 4,
		.kernel_long = 8,
		.align64 = 8,
		.reg = 8,
		.nr_bit = 0x40000000,
	},
};
