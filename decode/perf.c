/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Performance events.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

enum {
	ATTR_SIZE_MIN = 64,	/* and what a size of 0 means */
	ATTR_SIZE_OFFSET = 4,
	FLAG_FREQ = 1 << 10,	/* of the word that begins with "disabled" */
	FLAG_WATERMARK = 1 << 14,
	FLAG_CLOCKID = 1 << 25,
};

/* ---- the event that is counted ---- */

/* The upper half says of which unit, if it is not zero. */
static void add_unit(struct composed *c, uint64_t value)
{
	if (value >> 32)
		compose_text(c, "0x%" PRIx64 "<<32|", value >> 32);
}

static void print_hardware(struct decoder *d, const struct type *type,
			   uint64_t value)
{
	struct composed c = { 0 };

	(void)type;
	add_unit(&c, value);
	compose_symbol(d, &c, &set_perf_hardware, (uint32_t)value);
	compose_show(d, &c, value);
}

static void print_cache(struct decoder *d, const struct type *type,
			uint64_t value)
{
	struct composed c = { 0 };
	uint32_t low = value;

	(void)type;
	add_unit(&c, value);
	if (low >> 24)
		compose_text(&c, "%#x<<24|", low >> 24);
	compose_symbol(d, &c, &set_perf_cache_results, low >> 16 & 0xff);
	compose_text(&c, "<<16|");
	compose_symbol(d, &c, &set_perf_cache_operations, low >> 8 & 0xff);
	compose_text(&c, "<<8|");
	compose_symbol(d, &c, &set_perf_caches, low & 0xff);
	compose_show(d, &c, value);
}

#define CONFIG								\
	SELECT(SIBLING(type),						\
	       CHOICE(V_PERF_TYPE_HARDWARE, SCALAR(print_hardware, U64)), \
	       CHOICE(V_PERF_TYPE_SOFTWARE, ENUM_OF(U64, perf_software)), \
	       CHOICE(V_PERF_TYPE_TRACEPOINT, DEC_OF(U64)),		\
	       CHOICE(V_PERF_TYPE_HW_CACHE, SCALAR(print_cache, U64)),	\
	       OTHERWISE(HEX64))

/* ---- bit-fields ---- */

static const struct bit_field {
	const char *name;
	uint8_t width;
} event_bits[] = {
	{ "disabled", 1 }, { "inherit", 1 }, { "pinned", 1 },
	{ "exclusive", 1 }, { "exclude_user", 1 }, { "exclude_kernel", 1 },
	{ "exclude_hv", 1 }, { "exclude_idle", 1 }, { "mmap", 1 },
	{ "comm", 1 }, { "freq", 1 }, { "inherit_stat", 1 },
	{ "enable_on_exec", 1 }, { "task", 1 }, { "watermark", 1 },
	{ "precise_ip", 2 }, { "mmap_data", 1 }, { "sample_id_all", 1 },
	{ "exclude_host", 1 }, { "exclude_guest", 1 },
	{ "exclude_callchain_kernel", 1 }, { "exclude_callchain_user", 1 },
	{ "mmap2", 1 }, { "comm_exec", 1 }, { "use_clockid", 1 },
	{ "context_switch", 1 }, { "write_backward", 1 }, { "namespaces", 1 },
	{ "ksymbol", 1 }, { "bpf_event", 1 }, { "aux_output", 1 },
	{ "cgroup", 1 }, { "text_poke", 1 }, { "build_id", 1 },
	{ "inherit_thread", 1 }, { "remove_on_exec", 1 }, { "sigtrap", 1 },
}, aux_bits[] = {
	{ "aux_start_paused", 1 }, { "aux_pause", 1 }, { "aux_resume", 1 },
};

static const char *const skids[] = {
	"arbitrary skid", "constant skid", "requested to have 0 skid",
	"must have 0 skid",
};

static void show_bit_field(struct decoder *d, const struct bit_field *field,
			   uint64_t value)
{
	/* how exact a sample is: the one that is always worth a look */
	if (field->width > 1) {
		SINK_CALL(d->sink, field, field->name, 0);
		SINK_CALL(d->sink, number, value, BASE_UNSIGNED);
		SINK_CALL(d->sink, comment, skids[value]);
	} else if (value || d->options->verbose) {
		SINK_CALL(d->sink, field, field->name, 0);
		SINK_CALL(d->sink, number, value, BASE_UNSIGNED);
	}
}

/* The fields of a word; returns how many bits they take. */
static unsigned show_bit_fields(struct decoder *d,
				const struct bit_field *fields, size_t count,
				uint64_t word)
{
	unsigned bit = 0;

	for (size_t i = 0; i < count; bit += fields[i].width, i++)
		show_bit_field(d, &fields[i], word >> bit &
			       ((1u << fields[i].width) - 1));
	return bit;
}

static void show_reserved(struct decoder *d, const char *name, uint64_t value,
			  const char *where)
{
	if (!value)
		return;
	SINK_CALL(d->sink, field, name, 0);
	SINK_CALL(d->sink, number, value, BASE_HEX);
	SINK_CALL(d->sink, comment, where);
}

static void decode_event_bits(struct decoder *d, const struct type *type,
			      const struct place *place)
{
	uint64_t word = decode_load(d, U64, place->bytes);
	unsigned used = show_bit_fields(d, event_bits, sizeof(event_bits) /
					sizeof(*event_bits), word);

	(void)type;
	show_reserved(d, "__reserved_1", word >> used, "Bits 63..38");
}

static void decode_aux_bits(struct decoder *d, const struct type *type,
			    const struct place *place)
{
	uint64_t word = decode_load(d, U32, place->bytes);
	unsigned used = show_bit_fields(d, aux_bits, sizeof(aux_bits) /
					sizeof(*aux_bits), word);

	(void)type;
	show_reserved(d, "__reserved_3", word >> used, "Bits 931..959");
}

STRUCTURE_UNNAMED(perf_word64, FIELD(word, U64, HEX64));
STRUCTURE_UNNAMED(perf_word32, FIELD(word, U32, HEX));

#define BIT_FIELDS(fn_, word_)						\
	TYPE(.kind = KIND_CUSTOM, .decode = (fn_), .flags = TYPE_BARE,	\
	     .layout_of = &structure_##word_)

/* ---- struct perf_event_attr ---- */

static void print_stack_depth(struct decoder *d, const struct type *type,
			      uint64_t value)
{
	uint16_t reserved = decode_ref(d, &(struct ref)SIBLING(__reserved_2));
	char text[48];

	(void)type;
	SINK_CALL(d->sink, number, value, BASE_UNSIGNED);
	if (!reserved)
		return;
	snprintf(text, sizeof(text), "bytes 110..111: %#x", reserved);
	SINK_CALL(d->sink, comment, text);
}

#define BP_TYPE								\
	SELECT(SIBLING(bp_type),					\
	       CHOICE(5, ENUM(perf_wrong_breakpoints)),			\
	       CHOICE(6, ENUM(perf_wrong_breakpoints)),			\
	       CHOICE(7, ENUM(perf_wrong_breakpoints)),			\
	       OTHERWISE(ENUM(perf_breakpoints)))

#define IF_BREAKPOINT	IF_EQUAL(SIBLING(type), V_PERF_TYPE_BREAKPOINT)
#define IF_NO_BREAKPOINT IF_UNEQUAL(SIBLING(type), V_PERF_TYPE_BREAKPOINT)
#define IF_FLAG(bit_)	IF_ANY_BIT(SIBLING(bits), bit_)
#define UNLESS_FLAG(bit_) IF_NO_BIT(SIBLING(bits), bit_)
#define IF_SAMPLE(type_) \
	IF_ANY_BIT(SIBLING(sample_type), V_PERF_SAMPLE_##type_)
/* a field, and one in the same place; with -v only */
#define MORE_FIELD(name_, ctype_, type_, ...)				\
	FIELD(name_, ctype_, type_, .show = SHOW_VERBOSE, ##__VA_ARGS__)
#define MORE_OVERLAY(name_, ctype_, type_, ...)				\
	FIELD(name_, ctype_, type_, .show = SHOW_VERBOSE | SHOW_OVERLAY, \
	      ##__VA_ARGS__)

STRUCTURE(perf_event_attr,
	FIELD(type, U32, ENUM(perf_types)),
	FIELD(size, U32, ENUM(perf_attr_sizes), .show = SHOW_CHANGE),
	FIELD(config, U64, CONFIG),
	FIELD(sample_period, U64, DEC_OF(U64), .when = UNLESS_FLAG(FLAG_FREQ)),
	FIELD(sample_freq, U64, DEC_OF(U64), .show = SHOW_OVERLAY,
	      .when = IF_FLAG(FLAG_FREQ)),
	FIELD(sample_type, U64, FLAGS_OF(U64, perf_sample_types)),
	FIELD(read_format, U64, FLAGS_OF(U64, perf_read_formats)),
	FIELD(bits, U64, HEX64, .show = SHOW_NEVER, .cname = ""),
	MEMBER(bits, BIT_FIELDS(decode_event_bits, perf_word64),
	       .show = SHOW_OVERLAY, .cname = ""),
	MORE_FIELD(wakeup_events, U32, UDEC,
		   .when = UNLESS_FLAG(FLAG_WATERMARK)),
	MORE_OVERLAY(wakeup_watermark, U32, UDEC,
		     .when = IF_FLAG(FLAG_WATERMARK)),
	MORE_FIELD(bp_type, U32, BP_TYPE, .when = IF_BREAKPOINT),
	MORE_FIELD(config1, U64, HEX64, .when = IF_NO_BREAKPOINT),
	MORE_OVERLAY(bp_addr, U64, HEX64, .when = IF_BREAKPOINT),
	MORE_FIELD(config2, U64, HEX64, .when = IF_NO_BREAKPOINT),
	MORE_OVERLAY(bp_len, U64, DEC_OF(U64), .when = IF_BREAKPOINT),
	MORE_FIELD(branch_sample_type, U64, FLAGS_OF(U64, perf_branch_types),
		   .when = IF_SAMPLE(BRANCH_STACK)),
	MORE_FIELD(sample_regs_user, U64, HEX64),
	MORE_FIELD(sample_stack_user, U32, HEX, .when = IF_SAMPLE(STACK_USER)),
	MORE_FIELD(clockid, U32, ENUM(clock_ids), .when = IF_FLAG(FLAG_CLOCKID)),
	MORE_FIELD(sample_regs_intr, U64, HEX64),
	MORE_FIELD(aux_watermark, U32, UDEC),
	MORE_FIELD(sample_max_stack, U16, SCALAR(print_stack_depth, U16)),
	FIELD(__reserved_2, U16, HEX, .show = SHOW_NEVER),
	MORE_FIELD(aux_sample_size, U32, UDEC),
	MEMBER(aux_action, BIT_FIELDS(decode_aux_bits, perf_word32),
	       .show = SHOW_VERBOSE),
	MORE_FIELD(sig_data, U64, HEX64),
	MORE_FIELD(config3, U64, HEX64),
	MORE_FIELD(config4, U64, HEX64));

/* How long it was at entry; the kernel may have changed what it says. */
static uint64_t attr_size(struct decoder *d)
{
	uint32_t size;

	if (d->snapshot.len >= ATTR_SIZE_OFFSET + sizeof(size))
		memcpy(&size, d->snapshot.bytes + ATTR_SIZE_OFFSET,
		       sizeof(size));
	else if (!view_read_exactly(d->view, decode_arg_value(d, 0) +
				    ATTR_SIZE_OFFSET, &size, sizeof(size)))
		return 0;
	return size ? size : ATTR_SIZE_MIN;
}

SYSCALL(perf_event_open, TRACE_DESC, ARGS(
	INOUT(attr, PTR(STRUCT_FILLED(perf_event_attr, ATTR_SIZE_MIN,
				      CALC(attr_size)))),
	LATE(pid, PID),
	LATE(cpu, DEC),
	LATE(group_fd, FD),
	LATE(flags, FLAGS_OF(ULONG, perf_flags))),
	.returns = FD);
