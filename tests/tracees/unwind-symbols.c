/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A shared library whose symbols lie in each other: aliases, labels without a
 * size, ranges that overlap, in two sections.
 */
#define SYMBOL(section, binding, name, offset, size, type)		\
	__asm__(binding " " name "\n"					\
		".set " name ", base_" section "+" offset "\n"		\
		".size " name ", " size "\n"				\
		".type " name ", " type "\n")

__asm__(".section .text.first,\"ax\",@progbits\n"
	".balign 64\n"
	"base_first: .skip 200, 0x90\n"
	".section .text.second,\"ax\",@progbits\n"
	"base_second: .skip 200, 0x90\n"
	".text\n");

/* The same range, bound in every way; the table has local ones first. */
SYMBOL("first", ".local", "alias_local", "0", "20", "@function");
SYMBOL("first", ".weak", "alias_weak", "0", "20", "@function");
SYMBOL("first", ".globl", "alias_global", "0", "20", "@function");
SYMBOL("first", ".globl", "alias_global_again", "0", "20", "@function");
/* One begins where another does, but ends earlier. */
SYMBOL("first", ".weak", "long_weak", "20", "20", "@function");
SYMBOL("first", ".weak", "short_weak", "20", "10", "@function");
SYMBOL("first", ".globl", "long_global", "40", "20", "@function");
SYMBOL("first", ".weak", "short_weak_in_global", "40", "10", "@function");
/* A local one nearer by, in a global one. */
SYMBOL("first", ".globl", "around", "60", "30", "@function");
SYMBOL("first", ".local", "within", "70", "10", "@function");
SYMBOL("first", ".weak", "within_weak", "75", "10", "@function");
/* Labels: a global one hides what is local, but only right there. */
SYMBOL("first", ".local", "under_label", "90", "30", "@function");
SYMBOL("first", ".globl", "global_label", "100", "0", "@notype");
SYMBOL("first", ".local", "local_label", "120", "0", "@notype");
SYMBOL("first", ".globl", "label_global", "130", "0", "@notype");
SYMBOL("first", ".local", "label_local", "130", "0", "@notype");
SYMBOL("first", ".globl", "ends_label", "140", "5", "@function");
/* An object is as good as a function. */
SYMBOL("first", ".globl", "object", "180", "10", "@object");
/* A label counts to the end of its section, not into the next. */
SYMBOL("first", ".globl", "last_label", "195", "0", "@function");
SYMBOL("second", ".globl", "in_second", "50", "20", "@function");
SYMBOL("second", ".local", "label_in_second", "100", "0", "@function");
