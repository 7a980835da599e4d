/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The back end that unwinds with libunwind.  It is given everything by
 * accessors of our own: stack words out of the walk's blocks, and unwind
 * tables out of the modules, never word by word out of the tracee.
 */
#include "config.h"

#include <libunwind.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/module.h"
#include "tracee.h"
#include "unwind-backend.h"

/*
 * Searches a table for an address and parses what it finds.  libunwind exports
 * it for tracers, without a header.
 */
int UNW_OBJ(dwarf_search_unwind_table)(unw_addr_space_t as, unw_word_t ip,
				       unw_dyn_info_t *di,
				       unw_proc_info_t *pi,
				       int need_unwind_info, void *arg);

enum {
	STATES = 4096,		/* rules that libunwind keeps for a space */
};

/* Where libunwind finds a module's search table: in nobody's memory. */
#define TABLE_ADDRESS	0xcf10000000000000u

struct context {
	unw_addr_space_t space;
	uint64_t losses;	/* of code, when its cache was flushed */
};

/* What accessors are told of the walk. */
struct access {
	struct walk *walk;
	const struct frame_state *from;
	/* The tables of the module that was last asked for. */
	struct cfi *cfi;
	struct cfi_tables tables;
	uint64_t frames;	/* where its .eh_frame is in memory */
};

/* ---- accessors ---- */

/* Whether a word lies in a range at least in part. */
static bool touches(unw_word_t address, uint64_t start, size_t size)
{
	return address + sizeof(unw_word_t) > start && address < start + size;
}

static int access_mem(unw_addr_space_t as, unw_word_t address,
		      unw_word_t *value, int write, void *arg)
{
	struct access *access = arg;
	uint64_t word;

	(void)as;
	if (write)
		return -UNW_EINVAL;
	if (access->cfi && touches(address, TABLE_ADDRESS,
				   access->tables.table_size)) {
		*value = cfi_table_word(access->cfi, address - TABLE_ADDRESS);
		return 0;
	}
	if (access->cfi && touches(address, access->frames,
				   access->tables.size)) {
		*value = cfi_frame_word(access->cfi, address - access->frames);
		return 0;
	}
	if (!walk_read(access->walk, address, &word))
		return -UNW_EINVAL;
	*value = word;
	return 0;
}

static int access_reg(unw_addr_space_t as, unw_regnum_t reg,
		      unw_word_t *value, int write, void *arg)
{
	const struct access *access = arg;
	const struct unwind_arch *arch = access->walk->arch;

	(void)as;
	/* libunwind has DWARF's numbers. */
	if (write || reg < 0 || reg >= arch->count ||
	    !(access->from->regs.known & 1u << reg))
		return -UNW_EBADREG;
	/* The rules are to be those of the calling instruction. */
	*value = reg == arch->pc ? access->from->address :
		access->from->regs.value[reg];
	return 0;
}

static int access_fpreg(unw_addr_space_t as, unw_regnum_t reg,
			unw_fpreg_t *value, int write, void *arg)
{
	(void)as;
	(void)reg;
	(void)value;
	(void)write;
	(void)arg;
	return -UNW_EBADREG;
}

/*
 * Where there are no rules for it libunwind guesses, unless this is some
 * other error than that there are none.
 */
enum { NO_RULES = -UNW_EBADFRAME };

static int find_proc_info(unw_addr_space_t as, unw_word_t ip,
			  unw_proc_info_t *info, int need_unwind_info,
			  void *arg)
{
	struct access *access = arg;
	const struct code_place *place = walk_place(access->walk, ip);
	const struct code *code;

	if (!place || !place->code || !place->code->module)
		return NO_RULES;
	code = place->code;
	access->cfi = module_cfi(code->module);
	if (!access->cfi || !cfi_tables(access->cfi, &access->tables))
		return NO_RULES;
	access->frames = code->bias + access->tables.address;

	unw_dyn_info_t table = {
		.start_ip = code->low,
		.end_ip = code->high,
		.format = UNW_INFO_FORMAT_REMOTE_TABLE,
		.u.rti = {
			.segbase = code->bias + access->tables.base,
			.table_data = TABLE_ADDRESS,
			.table_len = access->tables.table_size /
				sizeof(unw_word_t),
		},
	};

	return UNW_OBJ(dwarf_search_unwind_table)(as, ip, &table, info,
						  need_unwind_info, arg) ?
		NO_RULES : 0;
}

/* libunwind itself frees what dwarf_search_unwind_table allocated. */
static void put_unwind_info(unw_addr_space_t as, unw_proc_info_t *info,
			    void *arg)
{
	(void)as;
	(void)info;
	(void)arg;
}

static int get_dyn_info_list_addr(unw_addr_space_t as, unw_word_t *address,
				  void *arg)
{
	(void)as;
	(void)address;
	(void)arg;
	return -UNW_ENOINFO;
}

static int resume(unw_addr_space_t as, unw_cursor_t *cursor, void *arg)
{
	(void)as;
	(void)cursor;
	(void)arg;
	return -UNW_EINVAL;
}

static int get_proc_name(unw_addr_space_t as, unw_word_t address, char *buf,
			 size_t size, unw_word_t *offset, void *arg)
{
	(void)as;
	(void)address;
	(void)buf;
	(void)size;
	(void)offset;
	(void)arg;
	return -UNW_ENOINFO;
}

static unw_accessors_t accessors = {
	.find_proc_info = find_proc_info,
	.put_unwind_info = put_unwind_info,
	.get_dyn_info_list_addr = get_dyn_info_list_addr,
	.access_mem = access_mem,
	.access_reg = access_reg,
	.access_fpreg = access_fpreg,
	.resume = resume,
	.get_proc_name = get_proc_name,
};

/* ---- contexts ---- */

/* The context of a space, with nothing in its cache that is out of date. */
static struct context *context_of(const struct walk *walk)
{
	void **slot = &walk->space->unwind_context[UNWINDER_LIBUNWIND];
	struct context *context = *slot;

	if (context) {
		if (context->losses != walk_code_losses(walk)) {
			unw_flush_cache(context->space, 0, 0);
			context->losses = walk_code_losses(walk);
		}
		return context;
	}
	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->space = unw_create_addr_space(&accessors, 0);
	if (!context->space) {
		free(context);
		return NULL;
	}
	unw_set_caching_policy(context->space, UNW_CACHE_GLOBAL);
	unw_set_cache_size(context->space, STATES, 0);
	context->losses = walk_code_losses(walk);
	*slot = context;
	return context;
}

static void forget(struct space *space)
{
	struct context *context = space->unwind_context[UNWINDER_LIBUNWIND];

	if (!context)
		return;
	unw_destroy_addr_space(context->space);
	free(context);
	space->unwind_context[UNWINDER_LIBUNWIND] = NULL;
}

/* ---- walking ---- */

/* The library is for one machine: that of the tracer. */
static bool knows(const struct unwind_arch *arch)
{
	return arch->word == sizeof(unw_word_t);
}

static bool read_registers(unw_cursor_t *cursor,
			   const struct unwind_arch *arch, bool all,
			   struct registers *regs)
{
	uint32_t mask = all ? ~0u : arch->preserved;

	regs->known = 0;
	for (unsigned i = 0; i < arch->count; i++) {
		unw_word_t value;

		if (!(mask & 1u << i) || unw_get_reg(cursor, i, &value))
			continue;
		regs->value[i] = value;
		regs->known |= 1u << i;
	}
	return (regs->known & 1u << arch->pc) &&
		(regs->known & 1u << arch->sp);
}

static bool from_signal(struct walk *walk, uint64_t address)
{
	const struct code_place *place = walk_place(walk, address);

	return place && place->site && place->site->row &&
		place->site->row->signal;
}

static enum walk_end walk(struct walk *walk, const struct frame_state *from,
			  walk_frame_fn *frame, void *frame_context)
{
	struct access access = { .walk = walk, .from = from };
	struct context *context = context_of(walk);
	uint64_t address = from->address;
	unw_cursor_t cursor;

	if (!context || unw_init_remote(&cursor, context->space, &access))
		return WALK_LOST;
	for (;;) {
		struct registers regs;
		bool signal = from_signal(walk, address);
		int step = unw_step(&cursor);

		if (walk->stale)
			return WALK_STOPPED;
		if (step <= 0)
			return step ? WALK_LOST : WALK_OUTERMOST;
		if (!read_registers(&cursor, walk->arch, signal, &regs))
			return WALK_LOST;
		if (!frame(frame_context, &regs))
			return WALK_STOPPED;
		address = regs.value[walk->arch->pc] - !signal;
	}
}

const struct unwind_backend unwind_libunwind = {
	.name = "libunwind",
	.id = UNWINDER_LIBUNWIND,
	.knows = knows,
	.walk = walk,
	.forget = forget,
};
