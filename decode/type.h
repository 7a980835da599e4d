/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The description language: what a value is, how it lies in tracee memory and
 * what it means.  Descriptions are constant data; the interpreter
 * (decode/decode.h) shows what they say.  They are made with the macros below,
 * a file a subject:
 *
 *	STRUCTURE(timespec,
 *		FIELD(tv_sec, KLONG, DEC),
 *		FIELD(tv_nsec, KLONG, DEC));
 *
 * and used by the system calls of sysent.h.
 *
 * A description is analysable: what memory a type needs follows from its
 * kind, without running code.  Only CUSTOM types are opaque.
 */
#ifndef TRACER_DECODE_TYPE_H
#define TRACER_DECODE_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/abi.h"
#include "constants/constants.h"

struct decoder;
struct type;
struct structure;

/* The C type of a scalar, as the kernel's ABI has it. */
enum ctype {
	CT_DEFAULT,	/* in a field or argument: what its type says */
	S8, U8, S16, U16, S32, U32, S64, U64,
	LONG, ULONG,	/* C long, size_t: 4 bytes on i386 and x32 */
	KLONG, KULONG,	/* __kernel_long_t: 8 bytes on x32 */
	POINTER,
	CT_COUNT,
	INT = S32,
	UINT = U32,
};

/*
 * A number that a description refers to: a length, a count, a selector.
 */
enum ref_kind {
	REF_NONE,
	REF_CONST,	/* value */
	REF_ARG,	/* argument index (from 0), truncated to its C type */
	REF_RESULT,	/* the call's result; 0 at entry or if it failed */
	REF_FIELD,	/* sibling field by name, in the innermost structure
			 * that has it */
	REF_POINTEE,	/* the 32-bit integer argument index points to, now */
	REF_FN,		/* fn(decoder) */
};

struct ref {
	enum ref_kind kind;
	uint8_t index;
	const char *field;
	uint64_t value;		/* REF_CONST; else: a mask if not 0 */
	uint64_t (*fn)(struct decoder *);
};

/* The initialisers of a struct ref. */
#define N(value_)	{ .kind = REF_CONST, .value = (value_) }
#define ARGV(index_)	{ .kind = REF_ARG, .index = (index_) }
#define ARGV_MASK(index_, mask_) \
	{ .kind = REF_ARG, .index = (index_), .value = (mask_) }
#define RESULT		{ .kind = REF_RESULT }
#define SIBLING(name_)	{ .kind = REF_FIELD, .field = #name_ }
#define SIBLING_MASK(name_, mask_) \
	{ .kind = REF_FIELD, .field = #name_, .value = (mask_) }
#define POINTEE(index_)	{ .kind = REF_POINTEE, .index = (index_) }
#define CALC(fn_)	{ .kind = REF_FN, .fn = (fn_) }

/* When an argument or field is shown at all. */
enum cond_op {
	COND_ALWAYS,
	COND_ANY_BIT,	/* ref & value */
	COND_NO_BIT,	/* !(ref & value) */
	COND_EQUAL,	/* ref == value */
	COND_UNEQUAL,	/* ref != value */
	COND_FN,	/* test(decoder) */
};

struct cond {
	enum cond_op op;
	struct ref ref;
	uint64_t value;
	bool (*test)(struct decoder *);
};

#define IF_ANY_BIT(ref_, value_)  { COND_ANY_BIT, ref_, (value_), NULL }
#define IF_NO_BIT(ref_, value_)   { COND_NO_BIT, ref_, (value_), NULL }
#define IF_EQUAL(ref_, value_)    { COND_EQUAL, ref_, (value_), NULL }
#define IF_UNEQUAL(ref_, value_)  { COND_UNEQUAL, ref_, (value_), NULL }
#define IF_FN(test_)              { .op = COND_FN, .test = (test_) }

enum kind {
	/* scalars: a value of up to 64 bits, from a register or memory */
	KIND_SCALAR,	/* print(decoder, type, value); reads no memory */
	KIND_ENUM,	/* set */
	KIND_FLAGS,	/* set */
	/* scalars that are addresses; what they point to is shown */
	KIND_PTR,	/* to: any type; its address if unreadable */
	KIND_PATH,	/* C string, whole up to PATH_MAX */
	KIND_STR,	/* C string, cut at the string limit, and at number
			 * characters if that is not 0 */
	KIND_BYTES,	/* buffer of length bytes, cut at the string limit, not
			 * looked at if they are more than number (if not 0);
			 * if there is a decode(), it shows the len bytes at
			 * addr */
	/* objects in memory; as arguments and fields only behind a PTR or
	 * inside a structure */
	KIND_STRUCT,	/* structure */
	KIND_ARRAY,	/* length elements of type to */
	KIND_CHARS,	/* char[length] holding a NUL-terminated string */
	KIND_DATA,	/* length bytes in place, as a quoted string */
	KIND_BITS,	/* set bits of length ones, each number as type to; no
			 * more than .number ones if that is not 0 */
	KIND_SELECT,	/* one of choices, by the value of ref */
	/* the way out: decode(decoder, type, where) */
	KIND_CUSTOM,
};

/*
 * Where a value is.  For scalars and CUSTOM arguments: value.  For objects
 * (and CUSTOM objects): the tracee address, and len bytes of it already read.
 */
struct place {
	uint64_t value;
	uint64_t addr;
	const uint8_t *bytes;
	size_t len;
};

struct choice {
	uint64_t value;
	uint64_t mask;			/* 0: compare all bits */
	const struct type *type;
	bool otherwise;			/* the choice if no other fits */
};

#define CHOICE(value_, type_)	{ .value = (value_), .type = (type_) }
#define OTHERWISE(type_)	{ .type = (type_), .otherwise = true }

enum type_flags {
	TYPE_HEX = 1,		/* strings: all bytes as \xNN */
	TYPE_SET = 2,		/* arrays: [a b] */
	TYPE_WHOLE = 4,		/* arrays: never cut at the string limit */
	TYPE_COUNTED = 8,	/* arrays: without -v shown as their address
				 * and the count of what label names */
	TYPE_SIZED = 16,	/* structures: length bytes of it exist, at
				 * least number; a longer tail of non-zero
				 * bytes is shown */
	TYPE_BARE = 32,		/* structures: the members without { } (for
				 * SELECT members of an enclosing structure) */
	TYPE_DATED = 64,	/* structures of seconds and their number-th
				 * parts: the date as a comment behind them */
	TYPE_SHARING = 128,	/* buffers: no longer than what is left of the
				 * bytes that the pointer around them shares
				 * out; see SHARED_PTR */
	TYPE_NUMBER_FIRST = 256, /* constants: the number, and what it means
				 * as a comment */
	TYPE_ENDED = 512,	/* arrays: end before an element of zeros;
				 * buffers: without a last byte that is NUL */
	TYPE_LOCATED = 1024,	/* pointers: the address as a comment behind
				 * what is there; data: if it is unreadable */
	TYPE_UNLABELLED = 2048,	/* constants: a number without a name is just
				 * a number */
	TYPE_WORDS = 4096,	/* bits: lie in words of the C type long */
	TYPE_FILLED = 8192,	/* structures of a given size: zeros stand for
				 * what is missing of the last member, and "..."
				 * for members that are not known */
	TYPE_EXTRA = 16384,	/* structures: as TYPE_FILLED, but all up to
				 * byte .number is shown, however short it is,
				 * and bytes behind it as "extra_data"; .label
				 * names a structure around the members */
	TYPE_REST = 32768,	/* the last member of a structure: it reaches as
				 * far as there are bytes.  An array: of so many
				 * elements, "..." for those that do not fit */
	TYPE_EXPLAINED = 65536,	/* constants: as TYPE_NUMBER_FIRST, but the
				 * comment belongs to the style of constants:
				 * -X raw has none */
};

struct type {
	enum kind kind;
	enum ctype ctype;		/* scalars: the default C type */
	unsigned flags;			/* enum type_flags */
	const struct constset *set;
	const struct type *to;
	const struct structure *structure;
	struct ref length;
	struct ref by;			/* SELECT; ARRAY of structures: if given,
					 * only those are shown of which it is
					 * not zero */
	const struct choice *choices;
	size_t choice_count;
	uint64_t number;		/* a parameter for print() or decode() */
	const char *label;		/* likewise */
	void (*print)(struct decoder *, const struct type *, uint64_t value);
	void (*decode)(struct decoder *, const struct type *,
		       const struct place *);
	/* CUSTOM objects: size and alignment in memory per ABI */
	const struct structure *layout_of;
};

enum field_show {
	SHOW_ALWAYS,
	SHOW_VERBOSE = 1,	/* only with -v; else "..." ends the struct */
	SHOW_NONZERO = 2,	/* only if not zero */
	SHOW_NEVER = 4,		/* padding, or a length that others refer to */
	SHOW_UNNAMED = 8,	/* without "name=" in text */
	SHOW_OVERLAY = 16,	/* at the offset of the field before (union) */
	SHOW_PACKED = 32,	/* no alignment */
	SHOW_VALUE_NAMED = 128,	/* without "name=" where text shows an
				 * expression; see FIELD_VALUE_NAMED */
	SHOW_CHANGE = 64,	/* what it was at entry, too, if that was
				 * different: 16 => 8; see DIR_INOUT */
	SHOW_AT_ENTRY = 256,	/* with SHOW_CHANGE: of a call that failed, only
				 * what it was at entry */
};

struct field {
	const char *name;
	enum ctype ctype;
	const struct type *type;
	uint16_t count;		/* > 0: an array of so many in place */
	const struct constset *index;	/* the names of its elements */
	uint16_t show;		/* enum field_show */
	uint8_t abis;		/* enum abi_mask; 0: all */
	uint8_t turn;		/* fields are shown in order of this number,
				 * then of memory */
	/*
	 * The member's name in the kernel's definition if it is another one,
	 * "" if no member there is this field (bit-fields): for the test that
	 * compares layouts with the facts.
	 */
	const char *cname;
	struct cond when;
};

struct layout {
	bool known;
	uint16_t size;
	uint16_t align;
	uint16_t *offsets;	/* of each field */
	uint16_t *sizes;
	uint16_t *order;	/* in which fields are shown: their indices */
};

/*
 * A structure of the kernel's interface.  name is that of its definition
 * there ("struct timespec"), by which tests find its layout in the facts;
 * NULL if it has none.
 */
struct structure {
	const char *name;
	const struct field *fields;
	size_t count;
	bool is_union;			/* every field at offset 0 */
	bool packed;
	struct layout *layouts;		/* [ABI_COUNT], computed on first use */
	uint16_t *places;		/* room for their arrays */
};

/* Offsets, size and alignment on an ABI; computed once, kept for ever. */
const struct layout *structure_layout(const struct structure *structure,
				      const struct abi *abi);
size_t sizeof_type(const struct type *type, enum ctype ctype,
		 const struct abi *abi);
size_t alignof_type(const struct type *type, enum ctype ctype,
		  const struct abi *abi);
size_t ctype_size(enum ctype ctype, const struct abi *abi);
bool ctype_is_signed(enum ctype ctype);

/*
 * Definitions register themselves: a pointer to each goes into a linker
 * section of its own, so that adding one is all there is to do.
 */
#define REGISTER(section_, type_, name_)				\
	static const type_ *const registered_##name_			\
	__attribute__((section(section_), used)) = &name_

extern const struct structure *const __start_structures[];
extern const struct structure *const __stop_structures[];

#define STRUCTURE_AS(id_, cname_, ...)					\
	static const struct field fields_##id_[] = { __VA_ARGS__ };	\
	static struct layout layouts_##id_[ABI_COUNT];			\
	static uint16_t places_##id_[3 * ABI_COUNT			\
		* sizeof(fields_##id_) / sizeof(struct field)];		\
	const struct structure structure_##id_ = {			\
		.name = cname_,						\
		.fields = fields_##id_,					\
		.count = sizeof(fields_##id_) / sizeof(struct field),	\
		.layouts = layouts_##id_,				\
		.places = places_##id_,					\
	};								\
	REGISTER("structures", struct structure, structure_##id_)

/* struct id_ of the kernel's interface. */
#define STRUCTURE(id_, ...) STRUCTURE_AS(id_, "struct " #id_, __VA_ARGS__)
/* A layout that the facts have no name for. */
#define STRUCTURE_UNNAMED(id_, ...) STRUCTURE_AS(id_, NULL, __VA_ARGS__)

#define UNION(id_, cname_, ...)						\
	static const struct field fields_##id_[] = { __VA_ARGS__ };	\
	static struct layout layouts_##id_[ABI_COUNT];			\
	static uint16_t places_##id_[3 * ABI_COUNT			\
		* sizeof(fields_##id_) / sizeof(struct field)];		\
	const struct structure structure_##id_ = {			\
		.name = cname_,						\
		.fields = fields_##id_,					\
		.count = sizeof(fields_##id_) / sizeof(struct field),	\
		.is_union = true,					\
		.layouts = layouts_##id_,				\
		.places = places_##id_,					\
	};								\
	REGISTER("structures", struct structure, structure_##id_)

/* FIELD(name, C type, TYPE, options...): .count, .show, .when, .abis */
#define FIELD(name_, ctype_, type_, ...) \
	{ .name = #name_, .ctype = (ctype_), .type = (type_), ##__VA_ARGS__ }
/* A member that is a structure, an array or a selection. */
#define MEMBER(name_, type_, ...) \
	{ .name = #name_, .type = (type_), ##__VA_ARGS__ }
/* Bytes that are never shown. */
#define PADDING(ctype_, ...) \
	{ .ctype = (ctype_), .type = HEX, .show = SHOW_NEVER, ##__VA_ARGS__ }

/* Types with parameters.  They are compile-time constant objects. */
#define TYPE(...)	(&(const struct type){ __VA_ARGS__ })

#define ENUM(name_) \
	TYPE(.kind = KIND_ENUM, .ctype = UINT, .set = &set_##name_)
#define FLAGS(name_) \
	TYPE(.kind = KIND_FLAGS, .ctype = UINT, .set = &set_##name_)
#define PTR(type_) \
	TYPE(.kind = KIND_PTR, .ctype = POINTER, .to = (type_))
#define STRUCT(id_) \
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_)
/* DATED(timespec, 1000000000): its date as a comment */
#define DATED(id_, parts_) \
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_, \
	     .flags = TYPE_DATED, .number = (parts_))
/* STRUCT_SIZED(clone_args, minimum size, ARGV(1)) */
#define STRUCT_SIZED(id_, minimum_, ...) \
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_, \
	     .flags = TYPE_SIZED, .number = (minimum_), .length = __VA_ARGS__)
/* The same, of which a member that is not whole is filled up with zeros. */
#define STRUCT_FILLED(id_, minimum_, ...) \
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_, \
	     .flags = TYPE_SIZED | TYPE_FILLED, .number = (minimum_), \
	     .length = __VA_ARGS__)
/* A pointer to buffers that are filled one after the other, with so many
 * bytes altogether: readv's, to a vector of BYTES_SHARED. */
#define SHARED_PTR(type_, ...) \
	TYPE(.kind = KIND_PTR, .ctype = POINTER, .to = (type_), \
	     .length = __VA_ARGS__)
#define BYTES_SHARED(...) \
	TYPE(.kind = KIND_BYTES, .ctype = POINTER, .flags = TYPE_SHARING, \
	     .length = __VA_ARGS__)
/* PTR_TO(timespec): the most frequent form */
#define PTR_TO(id_)	PTR(STRUCT(id_))
#define ARRAY(type_, ...) \
	TYPE(.kind = KIND_ARRAY, .to = (type_), .length = __VA_ARGS__)
/* Those of the structures whose member by_ is not zero: poll's answers. */
#define ARRAY_PICKED(id_, by_, ...) \
	TYPE(.kind = KIND_ARRAY, .to = STRUCT(id_), .by = SIBLING(by_), \
	     .length = __VA_ARGS__)
/* An array of which at most so many elements are shown, even with -v. */
#define ARRAY_UP_TO(limit_, type_, ...) \
	TYPE(.kind = KIND_ARRAY, .to = (type_), .number = (limit_), \
	     .length = __VA_ARGS__)
#define ARRAY_WITH(flags_, type_, ...) \
	TYPE(.kind = KIND_ARRAY, .flags = (flags_), .to = (type_), \
	     .length = __VA_ARGS__)
#define BYTES(...) \
	TYPE(.kind = KIND_BYTES, .ctype = POINTER, .length = __VA_ARGS__)
#define BYTES_HEX(...) \
	TYPE(.kind = KIND_BYTES, .ctype = POINTER, .flags = TYPE_HEX, \
	     .length = __VA_ARGS__)
/* BYTES_TEXT(maximum, length): what may end in a NUL that is not shown. */
#define BYTES_TEXT(maximum_, ...) \
	TYPE(.kind = KIND_BYTES, .ctype = POINTER, .flags = TYPE_ENDED, \
	     .number = (maximum_), .length = __VA_ARGS__)
/* An array that ends before an element of zeros: argv. */
#define ARRAY_ENDED(type_) \
	TYPE(.kind = KIND_ARRAY, .flags = TYPE_ENDED, .to = (type_), \
	     .length = N(UINT32_MAX))
/* BITS(DEC, number of bits): [0 1 63], what is set of them */
#define BITS(type_, ...) \
	TYPE(.kind = KIND_BITS, .to = (type_), .length = __VA_ARGS__)
/* The same, of which at most so many bits are shown. */
#define BITS_UP_TO(limit_, type_, ...) \
	TYPE(.kind = KIND_BITS, .to = (type_), .number = (limit_), \
	     .length = __VA_ARGS__)
/* The same, of whole words. */
#define BITS_IN_WORDS(type_, ...) \
	TYPE(.kind = KIND_BITS, .to = (type_), .flags = TYPE_WORDS, \
	     .length = __VA_ARGS__)
/* A C string of which only so many characters count. */
#define STR_MAX(count_) \
	TYPE(.kind = KIND_STR, .ctype = POINTER, .number = (count_))
#define CHARS(count_) \
	TYPE(.kind = KIND_CHARS, .length = N(count_))
#define DATA(...) \
	TYPE(.kind = KIND_DATA, .length = __VA_ARGS__)
/* What there is behind the other members of a structure: a C string; bytes. */
#define REST_CHARS \
	TYPE(.kind = KIND_CHARS, .flags = TYPE_REST)
#define REST_DATA \
	TYPE(.kind = KIND_DATA, .flags = TYPE_REST | TYPE_WHOLE)
/* The same, of count elements. */
#define REST_ARRAY(type_, ...) \
	TYPE(.kind = KIND_ARRAY, .flags = TYPE_REST, .to = (type_), \
	     .length = __VA_ARGS__)
/* The same behind a structure: its address if it is unreadable. */
#define DATA_LOCATED(flags_, ...) \
	TYPE(.kind = KIND_DATA, .flags = TYPE_LOCATED | (flags_), \
	     .length = __VA_ARGS__)
#define DATA_HEX(...) \
	TYPE(.kind = KIND_DATA, .flags = TYPE_HEX, .length = __VA_ARGS__)
#define SELECT(by_, ...)						\
	TYPE(.kind = KIND_SELECT, .by = by_,				\
	     .choices = (const struct choice[]){ __VA_ARGS__ },		\
	     .choice_count = sizeof((const struct choice[]){ __VA_ARGS__ }) \
			   / sizeof(struct choice))
#define CUSTOM(fn_) \
	TYPE(.kind = KIND_CUSTOM, .ctype = POINTER, .decode = (fn_))
#define SCALAR(fn_, ctype_) \
	TYPE(.kind = KIND_SCALAR, .ctype = (ctype_), .print = (fn_))
/*
 * A flag word of which the bits from shift_ on are a number:
 * MAP_PRIVATE|MAP_HUGETLB|21<<MAP_HUGE_SHIFT.
 */
#define FLAGS_SHIFTED(name_, shift_, label_) \
	TYPE(.kind = KIND_SCALAR, .ctype = UINT, .print = print_shifted, \
	     .set = &set_##name_, .number = (shift_), .label = (label_))
/*
 * Several values in one word, each shown by itself:
 * JOINED(UINT, CHOICE(0xc, ENUM(classes)), CHOICE(~0xc, FLAGS(flags))).
 */
#define JOINED(ctype_, ...)						\
	TYPE(.kind = KIND_SCALAR, .ctype = (ctype_), .print = print_joined, \
	     .choices = (const struct choice[]){ __VA_ARGS__ },		\
	     .choice_count = sizeof((const struct choice[]){ __VA_ARGS__ }) \
			   / sizeof(struct choice))
/* Flags by name in every style: behind the result of a call. */
#define FLAG_NAMES(set_name_) \
	TYPE(.kind = KIND_SCALAR, .ctype = UINT, .print = print_names, \
	     .set = &set_##set_name_)
/*
 * Two values in one word, shown like the macro that makes it:
 * PACKED("QCMD", UINT, BASE_UNSIGNED, 8, commands, ENUM(types)) is
 * QCMD(Q_SYNC, USRQUOTA): the bits from 8 on are a command.
 */
#define PACKED(label_, ctype_, base_, shift_, upper_set_, lower_)	\
	TYPE(.kind = KIND_SCALAR, .ctype = (ctype_), .print = print_packed, \
	     .label = (label_), .number = (shift_),			\
	     .set = &set_##upper_set_,					\
	     .choices = (const struct choice[]){ CHOICE(base_, lower_) }, \
	     .choice_count = 1)
/* The same presentations for another C type: PTR(DEC_OF(U64)). */
#define DEC_OF(ctype_)		SCALAR(print_dec, ctype_)
#define HEX_OF(ctype_)		SCALAR(print_hex, ctype_)
#define ADDR_OF(ctype_)		SCALAR(print_addr, ctype_)
#define ENUM_OF(ctype_, name_) \
	TYPE(.kind = KIND_ENUM, .ctype = (ctype_), .set = &set_##name_)
/* Of the number, only the bits of a mask. */
#define MASKED(ctype_, mask_) \
	TYPE(.kind = KIND_SCALAR, .ctype = (ctype_), .print = print_masked, \
	     .number = (mask_))
#define FLAGS_OF(ctype_, name_) \
	TYPE(.kind = KIND_FLAGS, .ctype = (ctype_), .set = &set_##name_)
/* Shown as a number, and its name as a comment behind it. */
#define NUMBERED_ENUM(ctype_, name_) \
	TYPE(.kind = KIND_ENUM, .ctype = (ctype_), .set = &set_##name_, \
	     .flags = TYPE_NUMBER_FIRST)
/* A number that may have a name. */
#define NAMED(ctype_, name_) \
	TYPE(.kind = KIND_ENUM, .ctype = (ctype_), .set = &set_##name_, \
	     .flags = TYPE_UNLABELLED)
#define EXPLAINED_ENUM(ctype_, name_) \
	TYPE(.kind = KIND_ENUM, .ctype = (ctype_), .set = &set_##name_, \
	     .flags = TYPE_EXPLAINED)
#define EXPLAINED_FLAGS(ctype_, name_) \
	TYPE(.kind = KIND_FLAGS, .ctype = (ctype_), .set = &set_##name_, \
	     .flags = TYPE_EXPLAINED)
#define NAMED_FLAGS(ctype_, name_) \
	TYPE(.kind = KIND_FLAGS, .ctype = (ctype_), .set = &set_##name_, \
	     .flags = TYPE_UNLABELLED)
#define NUMBERED_FLAGS(ctype_, name_) \
	TYPE(.kind = KIND_FLAGS, .ctype = (ctype_), .set = &set_##name_, \
	     .flags = TYPE_NUMBER_FIRST)

/* Formatters for SCALAR: decode/scalars.c. */
void print_dec(struct decoder *d, const struct type *type, uint64_t value);
void print_hex(struct decoder *d, const struct type *type, uint64_t value);
void print_octet(struct decoder *d, const struct type *type, uint64_t value);
void print_addr(struct decoder *d, const struct type *type, uint64_t value);
void print_masked(struct decoder *d, const struct type *type, uint64_t value);
void print_id(struct decoder *d, const struct type *type, uint64_t value);
void print_time(struct decoder *d, const struct type *type, uint64_t value);
/* decode/flags.c */
void print_shifted(struct decoder *d, const struct type *type, uint64_t value);
void print_joined(struct decoder *d, const struct type *type, uint64_t value);
void print_packed(struct decoder *d, const struct type *type, uint64_t value);
void print_names(struct decoder *d, const struct type *type, uint64_t value);

/* The scalars that need no parameter: decode/scalars.c. */
extern const struct type
	type_dec, type_udec, type_size, type_ssize, type_loff,
	type_hex, type_hexlong, type_hex64, type_octal, type_umode, type_mode,
	type_addr, type_path, type_str, type_fd, type_dirfd, type_pid,
	type_uid, type_gid, type_signal, type_dev, type_olddev, type_void,
	type_time, type_date, type_octet;

#define DEC	(&type_dec)	/* int, decimal */
#define UDEC	(&type_udec)	/* unsigned int, decimal */
#define SIZE	(&type_size)	/* size_t, unsigned long */
#define SSIZE	(&type_ssize)	/* ssize_t, long */
#define LOFF	(&type_loff)	/* loff_t: two registers on i386 */
#define HEX	(&type_hex)	/* unsigned int */
#define HEXLONG	(&type_hexlong)	/* unsigned long */
#define HEX64	(&type_hex64)
#define OCTAL	(&type_octal)
#define OCTET	(&type_octet)	/* a byte: 0x1, 00 */
#define UMODE	(&type_umode)	/* 0644, 000; permission bits only */
#define MODE	(&type_mode)	/* S_IFREG|0644 */
#define ADDR	(&type_addr)	/* a pointer that is not followed */
#define PATH	(&type_path)
#define STR	(&type_str)
#define FD	(&type_fd)
#define DIRFD	(&type_dirfd)	/* AT_FDCWD or a descriptor */
#define PID	(&type_pid)
#define UID	(&type_uid)	/* -1 is -1 */
#define GID	(&type_gid)
#define SIGNAL	(&type_signal)
#define DEV	(&type_dev)	/* makedev(0x8, 0x1), 32-bit new encoding */
#define OLDDEV	(&type_olddev)	/* the same, 16-bit old encoding */
#define TIME	(&type_time)	/* seconds; date as a comment */
#define DATE	(&type_date)	/* seconds as a date only: for AUX_RESULT */
/* the same with nanoseconds in another field: TIME_WITH(st_mtime_nsec) */
#define TIME_WITH(nsec_field_) \
	TYPE(.kind = KIND_SCALAR, .ctype = KLONG, .print = print_time, \
	     .length = SIBLING(nsec_field_))
#define VOID	(&type_void)	/* returns: nothing to show but 0 */

#include "sets.h"	/* generated: extern const struct constset set_NAME */

#endif
