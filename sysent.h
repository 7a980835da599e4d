/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The description of a system call.  One entry serves text and JSON output,
 * filters and every ABI:
 *
 *	SYSCALL(openat, TRACE_DESC | TRACE_FILE, ARGS(
 *		ARG(dirfd, DIRFD),
 *		ARG(pathname, PATH),
 *		ARG(flags, FLAGS(open_flags)),
 *		ARG(mode, UMODE, .when = IF_ANY_BIT(ARGV(2), O_CREAT_BITS))),
 *		.returns = FD);
 *
 * Arguments are named as the manual pages name them.
 */
#ifndef TRACER_SYSENT_H
#define TRACER_SYSENT_H

#include "decode/type.h"

/* Classes of -e trace=%CLASS, and what the engine must know. */
enum syscall_class {
	TRACE_FILE = 1 << 0,
	TRACE_DESC = 1 << 1,
	TRACE_MEMORY = 1 << 2,
	TRACE_PROCESS = 1 << 3,
	TRACE_SIGNAL = 1 << 4,
	TRACE_NETWORK = 1 << 5,
	TRACE_IPC = 1 << 6,
	TRACE_CREDS = 1 << 7,
	TRACE_CLOCK = 1 << 8,
	TRACE_PURE = 1 << 9,
	TRACE_STAT = 1 << 10,
	TRACE_LSTAT = 1 << 11,
	TRACE_FSTAT = 1 << 12,
	TRACE_STAT_LIKE = 1 << 13,	/* %%stat */
	TRACE_STATFS = 1 << 14,
	TRACE_FSTATFS = 1 << 15,
	TRACE_STATFS_LIKE = 1 << 16,	/* %%statfs */

	CHANGES_MAP = 1 << 20,		/* fires mmap_notify on success */
	NEVER_RETURNS = 1 << 21,	/* exit, exit_group */
	IS_EXEC = 1 << 22,		/* execve, execveat */
	IS_SIGRETURN = 1 << 23,		/* result registers are not a result */
	FOLDED = 1 << 24,		/* on ABIs without a number for it there
					 * is a call that stands for it */
};

enum direction {
	DIR_IN,		/* shown at entry */
	DIR_OUT,	/* shown at exit; a pointer is followed only if the
			 * call succeeded */
	DIR_INOUT,	/* before and after: PTR to a scalar as [16 => 8]; PTR
			 * to a structure with SHOW_CHANGE fields at exit, these
			 * fields as 16 => 8; other pointers as
			 * BEFORE => AFTER */
	DIR_LATE,	/* like DIR_IN, but shown at exit */
	DIR_KEPT,	/* a pointer to a structure, shown at exit as it was at
			 * entry */
	DIR_AUX,	/* not an argument position: shown in parentheses
			 * behind the result, name is the label ("" for none),
			 * value is that of argument .index */
};

struct arg {
	const char *name;
	const struct type *type;
	enum direction dir;
	enum ctype ctype;	/* CT_DEFAULT: the type's own */
	uint8_t index;		/* DIR_AUX: of which argument */
	uint8_t room_of;	/* DIR_INOUT: 1 + the argument of which this
				 * tells the length: shown only if that is not
				 * NULL, and unchanged by a call that fails */
	bool named;		/* text shows "name=" even without -N */
	bool again;		/* in the register of the argument before: one
				 * of the two is shown, by their .when */
	/*
	 * DIR_INOUT: as what it is shown at exit, if that is another type,
	 * and even if the call failed; a SELECT without a choice: not at all.
	 */
	const struct type *after;
	struct cond when;
};

static inline enum ctype arg_ctype(const struct arg *arg)
{
	return arg->ctype ? arg->ctype : arg->type->ctype;
}

/* Registers that it takes: a pair for 64 bits in 32-bit ones. */
static inline unsigned arg_registers(const struct arg *arg,
				     const struct abi *abi)
{
	enum ctype ctype = arg_ctype(arg);

	if (arg->dir == DIR_AUX)
		return 0;
	return abi->reg < 8 && (ctype == S64 || ctype == U64) ? 2 : 1;
}

#define MAX_ARGS 7	/* six registers and one for DIR_AUX */
#define OF_RESULT 255	/* DIR_AUX: .index for the result itself */

/*
 * Arguments that depend on a selector: fcntl's by its operation.  The args
 * stand after the call's own.
 */
struct variant {
	uint64_t value;
	const struct arg *args;		/* up to an entry with type NULL */
	const struct type *returns;	/* NULL: the call's own */
	bool otherwise;			/* the variant if no other fits */
};

struct syscall {
	const char *name;		/* the kernel's name on that ABI */
	uint32_t classes;		/* enum syscall_class */
	const struct arg *args;		/* up to an entry with type NULL */
	const struct type *returns;	/* NULL: DEC */
	struct ref select;
	const struct variant *variants;
	size_t variant_count;
	/* finds the variant instead, where they are too many for a list */
	const struct variant *(*variant_of)(uint64_t value);
	uint8_t abis;			/* enum abi_mask; 0: all */
	const char *shown_as;		/* another name in output, or NULL */
	uint8_t raw_count;		/* so many arguments -e raw= shows, not
					 * those that the facts have; 0: all */
	/*
	 * Where the entry has registers in another order than args: for args
	 * position i, the number of its register plus one (clone on some
	 * ABIs); 0: in order.
	 */
	uint8_t order[6];
};

#define ARG(name_, type_, ...) \
	{ .name = #name_, .type = (type_), ##__VA_ARGS__ }
#define OUT(name_, type_, ...) \
	{ .name = #name_, .type = (type_), .dir = DIR_OUT, ##__VA_ARGS__ }
#define INOUT(name_, type_, ...) \
	{ .name = #name_, .type = (type_), .dir = DIR_INOUT, ##__VA_ARGS__ }
#define LATE(name_, type_, ...) \
	{ .name = #name_, .type = (type_), .dir = DIR_LATE, ##__VA_ARGS__ }
#define KEPT(name_, type_, ...) \
	{ .name = #name_, .type = (type_), .dir = DIR_KEPT, ##__VA_ARGS__ }
#define AUX(label_, index_, type_, ...) \
	{ .name = label_, .type = (type_), .dir = DIR_AUX, \
	  .index = (index_), ##__VA_ARGS__ }

/* an argument that the call does not look at: not shown */
#define UNUSED_ARG \
	{ .name = "", .type = HEXLONG, .when = IF_EQUAL(N(0), 1) }
/* the result once more, in another form: 0x8000 (flags O_LARGEFILE) */
#define AUX_RESULT(label_, type_, ...) \
	AUX(label_, OF_RESULT, type_, ##__VA_ARGS__)

#define ARGS(...)	(const struct arg[]){ __VA_ARGS__, { 0 } }
#define NO_ARGS		(const struct arg[]){ { 0 } }

#define VARIANT(value_, args_, ...) \
	{ .value = (value_), .args = args_, ##__VA_ARGS__ }
#define OTHER_VARIANT(args_, ...) \
	{ .args = args_, .otherwise = true, ##__VA_ARGS__ }
#define VARIANTS(...)							\
	.variants = (const struct variant[]){ __VA_ARGS__ },		\
	.variant_count = sizeof((const struct variant[]){ __VA_ARGS__ }) \
		       / sizeof(struct variant)

/*
 * SYSCALL(name, classes, ARGS(...), options...).  SYSCALL_ON describes the
 * call of that name on some ABIs only (i386's 16-bit chown); the more special
 * description wins.
 */
#define SYSCALL_ID(id_, name_, classes_, args_, ...)			\
	static const struct syscall syscall_##id_ = {			\
		.name = name_, .classes = (classes_), .args = args_,	\
		##__VA_ARGS__						\
	};								\
	REGISTER("syscalls", struct syscall, syscall_##id_)
#define SYSCALL(name_, classes_, args_, ...) \
	SYSCALL_ID(name_, #name_, classes_, args_, ##__VA_ARGS__)
#define SYSCALL_ON(abis_, name_, classes_, args_, ...) \
	SYSCALL_ID(name_##_##abis_, #name_, classes_, args_, \
		   .abis = (abis_), ##__VA_ARGS__)

/*
 * What an ioctl command takes: a variant of ioctl that registers itself, by
 * the command's number as constants/NAME.sets has it: IOCTL(TIOCGWINSZ,
 * ARGS(OUT(argp, PTR_TO(winsize)))).
 */
#define IOCTL(name_, args_, ...)					\
	static const struct variant ioctl_##name_ =			\
		VARIANT(V_##name_, args_, ##__VA_ARGS__);		\
	REGISTER("ioctls", struct variant, ioctl_##name_)

extern const struct variant *const __start_ioctls[];
extern const struct variant *const __stop_ioctls[];

extern const struct syscall *const __start_syscalls[];
extern const struct syscall *const __stop_syscalls[];

/*
 * What a number means on an ABI: the table that the engine, the filters and
 * the decoder look things up in.  Built by sysent_init().
 */
struct sysent {
	const char *name;		/* never NULL; "syscall_0x1bd" */
	uint64_t nr;			/* with the ABI's nr_bit */
	uint32_t classes;
	const struct syscall *desc;	/* NULL: none; shown generically */
	const struct syscall_number *number;	/* NULL: unknown number, or none */
	/*
	 * The usual case: no variants, and argument i, of so many, in register
	 * i.  Otherwise this is 0, and where arguments are must be counted.
	 */
	uint8_t plain_args;
};

/*
 * Builds the tables; call once before anything else here.  Returns false if
 * memory is short.
 */
bool sysent_init(void);

enum { SYSENT_NAME_SIZE = 28 };	/* "syscall_0x" and 16 digits */

/*
 * The entry of a number; a number that nobody knows gets one made up into
 * *scratch (its name is inside scratch_name, SYSENT_NAME_SIZE bytes).
 */
const struct sysent *sysent_find(const struct abi *abi, uint64_t nr,
				 struct sysent *scratch, char *scratch_name);

/*
 * The entry of a call by the name of its description, also of one that has no
 * number on that ABI (FOLDED); NULL: there is none.
 */
const struct sysent *sysent_named(const struct abi *abi, const char *name);

/*
 * The known entries of an ABI, for filters: count of table slots, and one
 * slot; NULL if that number is not known.  The FOLDED ones have slots behind
 * those of all numbers.
 */
size_t sysent_count(const struct abi *abi);
const struct sysent *sysent_at(const struct abi *abi, size_t index);

#endif
