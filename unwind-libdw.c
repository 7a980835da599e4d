/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The back end that unwinds with elfutils' libdw.  It has one Dwfl for an
 * address space, which lasts as long as that; modules are added to it when a
 * walk comes to them, and all but the lost ones stay, with libdw's caches.
 * Files are those of the table of modules: none is opened again.
 */
#include "config.h"

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/module.h"
#include "tracee.h"
#include "unwind-backend.h"

/* A module that the Dwfl has been told of. */
struct reported {
	struct module *module;		/* held */
	uint64_t low, high;
};

struct context {
	Dwfl *dwfl;
	bool attached;
	uint64_t losses;		/* of code, when modules were reported */
	struct reported *reported;
	size_t count, capacity;
	size_t last_found;
	/* The walk in progress. */
	struct walk *walk;
	const struct frame_state *from;
	walk_frame_fn *frame;
	void *frame_context;
	bool first;			/* the frame that the walk began at */
	struct registers regs;		/* of the frame that is unwound */
	uint64_t address;		/* in it, where the rules are taken */
};

/* ---- modules ---- */

static void free_elf(void *data)
{
	elf_end(data);
}

/* libelf's view of a module, opened once. */
static Elf *elf_of(struct module *module)
{
	struct module_extra *extra = module_extra(module);
	const struct elf_file *file = module_elf(module);

	if (!extra->data) {
		extra->data = file->fd >= 0 ?
			elf_begin(file->fd, ELF_C_READ, NULL) :
			elf_memory((char *)file->bytes, file->size);
		extra->free = free_elf;
	}
	return extra->data;
}

/* One more reference to the Elf: the Dwfl drops it when the module goes. */
static int find_elf(Dwfl_Module *mod, void **userdata, const char *name,
		    Dwarf_Addr base, char **file_name, Elf **elfp)
{
	struct module *module = *userdata;
	Elf *elf = module ? elf_of(module) : NULL;

	(void)mod;
	(void)name;
	(void)base;
	(void)file_name;
	*elfp = elf ? elf_begin(-1, ELF_C_READ, elf) : NULL;
	return -1;
}

/* Only rules are asked for, and .debug_frame is in few debug files. */
static int find_debuginfo(Dwfl_Module *mod, void **userdata, const char *name,
			  Dwarf_Addr base, const char *file,
			  const char *debug_link, GElf_Word crc,
			  char **debug_name)
{
	(void)mod;
	(void)userdata;
	(void)name;
	(void)base;
	(void)file;
	(void)debug_link;
	(void)crc;
	(void)debug_name;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
};

static bool is_in(const struct reported *reported, uint64_t address)
{
	return address - reported->low < reported->high - reported->low;
}

static bool is_reported(struct context *context, uint64_t address)
{
	if (context->last_found < context->count &&
	    is_in(&context->reported[context->last_found], address))
		return true;
	for (size_t i = 0; i < context->count; i++) {
		if (is_in(&context->reported[i], address)) {
			context->last_found = i;
			return true;
		}
	}
	return false;
}

static bool remember(struct context *context, const struct code *code)
{
	if (context->count == context->capacity) {
		size_t capacity = context->capacity * 2 + 16;
		struct reported *more = realloc(context->reported,
						capacity * sizeof(*more));

		if (!more)
			return false;
		context->reported = more;
		context->capacity = capacity;
	}
	module_hold(code->module);
	context->reported[context->count++] = (struct reported){
		.module = code->module,
		.low = code->low,
		.high = code->high,
	};
	return true;
}

/* Tells the Dwfl of the code that it does not know. */
static void report_new(struct context *context)
{
	struct walk *walk = context->walk;

	for (size_t i = 0; i < walk_code_count(walk); i++) {
		const struct code *code = walk_code(walk, i);
		Dwfl_Module *mod;
		void **userdata;

		if (!code->module || is_reported(context, code->start))
			continue;
		mod = dwfl_report_module(context->dwfl, code->path, code->low,
					 code->high);
		if (!mod || !remember(context, code))
			continue;
		dwfl_module_info(mod, &userdata, NULL, NULL, NULL, NULL, NULL,
				 NULL);
		*userdata = code->module;
	}
}

/*
 * Brings the Dwfl up to date.  After a loss all modules are reported again,
 * and libdw drops those that are not; it keeps what it knows of the others.
 */
static void report_modules(struct context *context)
{
	struct reported *old = NULL;
	size_t count = 0;

	if (context->losses != walk_code_losses(context->walk)) {
		context->losses = walk_code_losses(context->walk);
		old = context->reported;
		count = context->count;
		context->reported = NULL;
		context->count = context->capacity = 0;
		dwfl_report_begin(context->dwfl);
	} else {
		dwfl_report_begin_add(context->dwfl);
	}
	report_new(context);
	dwfl_report_end(context->dwfl, NULL, NULL);
	for (size_t i = 0; i < count; i++)
		module_release(old[i].module);
	free(old);
}

/* ---- what libdw asks of a thread ---- */

static pid_t next_thread(Dwfl *dwfl, void *arg, void **thread_arg)
{
	struct context *context = arg;

	(void)dwfl;
	/* Called until it returns 0; this thread is the only one shown. */
	if (*thread_arg)
		return 0;
	*thread_arg = context;
	return context->walk->tid;
}

static bool get_thread(Dwfl *dwfl, pid_t tid, void *arg, void **thread_arg)
{
	(void)dwfl;
	(void)tid;
	*thread_arg = arg;
	return true;
}

static bool read_memory(Dwfl *dwfl, Dwarf_Addr address, Dwarf_Word *result,
			void *arg)
{
	struct context *context = arg;
	uint64_t value;

	(void)dwfl;
	if (!walk_read(context->walk, address, &value))
		return false;
	*result = value;
	return true;
}

/*
 * libdw takes the first frame's program counter for that of the next
 * instruction; one that is a return address must look like that of the call.
 */
static bool set_registers(Dwfl_Thread *thread, void *arg)
{
	const struct context *context = arg;
	const struct unwind_arch *arch = context->walk->arch;
	const struct registers *regs = &context->from->regs;

	for (unsigned i = 0; i < arch->count; i++) {
		Dwarf_Word value = i == arch->pc ? context->from->address :
			regs->value[i];

		if ((regs->known & 1u << i) &&
		    !dwfl_thread_state_registers(thread, i, 1, &value))
			return false;
	}
	dwfl_thread_state_register_pc(thread, context->from->address);
	return true;
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = get_thread,
	.memory_read = read_memory,
	.set_initial_registers = set_registers,
};

/* ---- contexts ---- */

static struct context *context_of(struct walk *walk)
{
	void **slot = &walk->space->unwind_context[UNWINDER_LIBDW];
	struct context *context = *slot;

	if (context)
		return context;
	context = calloc(1, sizeof(*context));
	if (!context)
		return NULL;
	context->dwfl = dwfl_begin(&callbacks);
	if (!context->dwfl) {
		free(context);
		return NULL;
	}
	context->losses = walk_code_losses(walk);
	*slot = context;
	return context;
}

static void forget(struct space *space)
{
	struct context *context = space->unwind_context[UNWINDER_LIBDW];

	if (!context)
		return;
	dwfl_end(context->dwfl);
	for (size_t i = 0; i < context->count; i++)
		module_release(context->reported[i].module);
	free(context->reported);
	free(context);
	space->unwind_context[UNWINDER_LIBDW] = NULL;
}

/* Which machine it is libdw learns from the first module. */
static bool attach(struct context *context, const struct code_place *place)
{
	Elf *elf = elf_of(place->code->module);

	context->attached = elf &&
		dwfl_attach_state(context->dwfl, elf, context->walk->tid,
				  &thread_callbacks, context);
	return context->attached;
}

/* ---- walking ---- */

static bool knows(const struct unwind_arch *arch)
{
	(void)arch;
	return true;
}

static bool read_registers(Dwfl_Frame *state, const struct context *context,
			   struct registers *regs)
{
	const struct unwind_arch *arch = context->walk->arch;
	Dwarf_Addr pc;

	if (!dwfl_frame_pc(state, &pc, NULL))
		return false;
	regs->known = 0;
	for (unsigned i = 0; i < arch->count; i++) {
		Dwarf_Word value;

		if (i == arch->pc || dwfl_frame_reg(state, i, &value))
			continue;
		regs->value[i] = value;
		regs->known |= 1u << i;
	}
	regs->value[arch->pc] = pc;
	regs->known |= 1u << arch->pc;
	return regs->known & 1u << arch->sp;
}

static const struct cfi_row *row_at(struct walk *walk, uint64_t address)
{
	const struct code_place *place = walk_place(walk, address);

	return place && place->site ? place->site->row : NULL;
}

static bool has_rule(const struct cfi_row *row, unsigned reg)
{
	for (unsigned i = 0; i < row->count; i++)
		if (row->saved[i].which == reg)
			return true;
	return false;
}

/*
 * libdw takes rbx for a register that calls change, and so loses it in every
 * function that does not save it.
 */
static void find_lost(struct context *context, struct registers *regs)
{
	const struct unwind_arch *arch = context->walk->arch;
	uint32_t lost = arch->preserved & context->regs.known & ~regs->known;
	const struct cfi_row *row = lost ?
		row_at(context->walk, context->address) : NULL;

	for (unsigned i = 0; row && i < arch->count; i++) {
		if ((lost & 1u << i) && !has_rule(row, i)) {
			regs->value[i] = context->regs.value[i];
			regs->known |= 1u << i;
		}
	}
}

/*
 * Whether libdw can unwind a frame: knows its rules and the registers.  Else
 * it would guess.
 */
static bool can_unwind(struct context *context, uint64_t address,
		       uint32_t known)
{
	const struct cfi_row *row;

	if (!is_reported(context, address))
		return false;
	row = row_at(context->walk, address);
	return !row || (!row->separate && (row->cfa_is_expression ||
					   known & 1u << row->cfa_reg));
}

static int on_frame(Dwfl_Frame *state, void *arg)
{
	struct context *context = arg;
	struct registers regs;
	const struct cfi_row *row;
	uint32_t known;
	bool signal;

	if (context->first) {
		context->first = false;
		return DWARF_CB_OK;
	}
	if (!read_registers(state, context, &regs))
		return DWARF_CB_ABORT;
	known = regs.known;
	row = row_at(context->walk, context->address);
	signal = row && row->signal;
	find_lost(context, &regs);
	if (!context->frame(context->frame_context, &regs))
		return DWARF_CB_ABORT;
	context->regs = regs;
	context->address = regs.value[context->walk->arch->pc] - !signal;
	/* Else the walk is to be begun again at this frame. */
	return can_unwind(context, context->address, known) ?
		DWARF_CB_OK : DWARF_CB_ABORT;
}

static enum walk_end walk(struct walk *walk, const struct frame_state *from,
			  walk_frame_fn *frame, void *frame_context)
{
	struct context *context = context_of(walk);
	const struct code_place *place = walk_place(walk, from->address);

	if (!context || !place || !place->code || !place->code->module)
		return WALK_LOST;
	context->walk = walk;
	context->from = from;
	context->frame = frame;
	context->frame_context = frame_context;
	context->first = true;
	context->regs = from->regs;
	context->address = from->address;
	if (context->losses != walk_code_losses(walk) ||
	    !is_reported(context, from->address))
		report_modules(context);
	if (!can_unwind(context, from->address, from->regs.known))
		return WALK_LOST;
	if (!context->attached && !attach(context, place))
		return WALK_LOST;
	switch (dwfl_getthread_frames(context->dwfl, walk->tid, on_frame,
				      context)) {
	case DWARF_CB_OK:
		return WALK_OUTERMOST;
	case DWARF_CB_ABORT:
		return WALK_STOPPED;
	default:
		return WALK_LOST;
	}
}

const struct unwind_backend unwind_libdw = {
	.name = "libdw",
	.id = UNWINDER_LIBDW,
	.knows = knows,
	.walk = walk,
	.forget = forget,
};
