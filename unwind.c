/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The front end of unwinding; see unwind.h.  It goes along a stack with the
 * chosen back end, helps it where there are no rules, names the frames, and
 * leaves off where the thread's last stack goes on in the same way.
 */
#include "config.h"

#include "unwind.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/debuginfod.h"
#include "symbols/intern.h"
#include "mem.h"
#include "mmap_cache.h"
#include "mmap_notify.h"
#include "symbols/module.h"
#include "tracee.h"
#include "unwind-arch.h"
#include "unwind-backend.h"
#include "unwind-memory.h"
#include "unwind-space.h"

enum {
	RESTARTS_MAX = 4,	/* of a walk whose mappings turn out wrong */
	CALL_MAX = 7,		/* bytes of a call instruction */
	FRAME_SIZE_MAX = 1 << 24,	/* bytes a frame pointer may go up */
};

#if defined(HAVE_LIBDW) || defined(HAVE_LIBUNWIND)
#define HAVE_UNWINDER
#endif

/* In the order of preference; the first one leaves some to the others. */
static const struct unwind_backend *const backends[] = {
#ifdef HAVE_UNWINDER
	&unwind_cfi,
#endif
#ifdef HAVE_LIBDW
	&unwind_libdw,
#endif
#ifdef HAVE_LIBUNWIND
	&unwind_libunwind,
#endif
	NULL
};

const char *const unwinder_names[] = {
#ifdef HAVE_UNWINDER
	"cfi",
#endif
#ifdef HAVE_LIBDW
	"libdw",
#endif
#ifdef HAVE_LIBUNWIND
	"libunwind",
#endif
	NULL
};

static const char too_many_frames[] = "too many stack frames";

static const struct unwind_backend *const *chosen;	/* in backends */
static struct unwind_options options;
static struct unwind_counters counters;

/* ---- life cycle ---- */

static void on_change(void *context, struct space *space,
		      const struct map_change *change)
{
	(void)context;
	/* All else is noticed by the generation of the mappings. */
	if (change->kind != MAP_CHANGE_GONE || !chosen)
		return;
	for (unsigned i = 0; backends[i]; i++)
		backends[i]->forget(space);
	unwind_space_free(space);
}

const char *unwind_init(const char *name, const struct unwind_options *opts)
{
	const struct unwind_backend *const *backend = backends;

	if (!*backend)
		return "this build has no unwinder";
	while (name && *backend && strcmp((*backend)->name, name))
		backend++;
	if (!*backend)
		return "this build has no such unwinder";
	if (opts->debuginfod) {
		const char *why = debuginfod_init();

		if (why)
			return why;
	}
	chosen = backend;
	options = *opts;
	/* Before the mappings: what hangs on them goes first. */
	if (!mmap_notify_subscribe(on_change, NULL) || !mmap_cache_init())
		return "out of memory";
	return NULL;
}

void unwind_fini(void)
{
	module_fini();
	debuginfod_fini();
	intern_fini();
	chosen = NULL;
}

void frame_list_free(struct frame_list *list)
{
	free(list->frames);
	*list = (struct frame_list){ 0 };
}

void unwind_get_counters(struct unwind_counters *result)
{
	*result = counters;
	result->places = unwind_space_places;
	result->contexts = unwind_space_contexts;
	result->invalidations = unwind_space_losses;
	result->map_reads = mmap_cache_reads;
	result->modules = module_opens;
	result->shared_modules = module_shares;
}

/* ---- a capture ---- */

struct capture {
	struct walk walk;
	struct past_stack *past;	/* NULL: none, or of no use */
	struct past_stack *now;
	size_t past_at;			/* frames before it lie deeper */
	size_t valid_from;		/* words of past from here on still are */
	bool validated;
	bool uncertain;			/* the next frame is a guess */
	bool finished;			/* nothing more is to be done */
};

static void finish(struct capture *c, const char *error)
{
	c->finished = true;
	c->now->error = error;
}

static void describe(const struct code_place *place, struct frame *frame)
{
	const struct code *code = place->code;
	const struct site *site = place->site;

	*frame = (struct frame){
		.address = place->address,
		.module = place->module,
	};
	if (!place->module)
		return;
	if (code->module && site) {
		frame->offset = site->address;
		frame->build_id = module_build_id(code->module);
	} else {
		/* In code of no file the address itself is all there is. */
		frame->offset = code->path ? place->address - code->start +
			code->file_offset : place->address;
	}
	if (!site)
		return;
	frame->symbol = site->symbol;
	frame->symbol_offset = site->symbol_offset;
	if (options.source) {
		frame->file = site->file;
		frame->line = site->line;
	}
}

static bool is_signal(const struct code_place *place)
{
	const struct site *site = place->site;

	return site && site->row && site->row->signal;
}

/* Whether there are rules how to go on from a place. */
static bool has_rules(const struct code_place *place)
{
	return place->site && place->site->rules != CFI_NONE;
}

/* Whether an x86 call instruction ends at address. */
static bool follows_call(struct walk *walk, uint64_t address)
{
	uint8_t code[CALL_MAX + 1] = { 0 }, *end = code + CALL_MAX;
	unsigned have = CALL_MAX;

	/* Memory may begin shortly before. */
	while (have && !view_read_exactly(walk->view, address - have,
					  end - have, have))
		have--;
	/* call rel32 */
	if (have >= 5 && end[-5] == 0xe8)
		return true;
	/* call through a register or memory: ff /2, 2 to 7 bytes */
	for (unsigned length = 2; length <= have; length++)
		if (end[-(int)length] == 0xff &&
		    (end[1 - (int)length] & 0x38) == 0x10)
			return true;
	return false;
}

/*
 * Whether pc is where a function begins, and no return address: where a new
 * coroutine is, or what it returns to in the end.
 */
static bool is_entry(struct capture *c, uint64_t pc)
{
	const struct code_place *place = walk_place(&c->walk, pc);

	return place && has_rules(place) && !follows_call(&c->walk, pc);
}

/*
 * The place of a frame.  A return address lies behind the call, which may be
 * the last instruction of its function; but nothing was called where a signal
 * came, and its handler returns to the trampoline without having been called.
 */
static const struct code_place *place_of(struct capture *c,
					 struct frame_state *state)
{
	uint64_t pc = state->regs.value[c->walk.arch->pc];
	const struct code_place *place;

	state->address = state->complete ? pc : pc - 1;
	place = walk_place(&c->walk, state->address);
	if (!place || state->complete)
		return place;
	if (!is_signal(place)) {
		state->entered = !has_rules(place) && is_entry(c, pc);
		if (!state->entered)
			return walk_place(&c->walk, state->address);
	}
	state->address = pc;
	return walk_place(&c->walk, pc);
}

/* ---- going on like the last time ---- */

static bool same_registers(const struct capture *c,
			   const struct frame_state *a,
			   const struct frame_state *b)
{
	const struct unwind_arch *arch = c->walk.arch;
	uint32_t mask = a->complete ? ~0u : arch->preserved;

	if (a->complete != b->complete ||
	    (a->regs.known & mask) != (b->regs.known & mask))
		return false;
	for (unsigned i = 0; i < arch->count; i++)
		if ((mask & a->regs.known & 1u << i) &&
		    a->regs.value[i] != b->regs.value[i])
			return false;
	return true;
}

/* The frame of the past stack from which on it goes on like this one. */
static bool find_past(struct capture *c, const struct frame_state *state,
		      size_t *index)
{
	unsigned sp = c->walk.arch->sp;
	const struct past_stack *past = c->past;

	if (!past)
		return false;
	while (c->past_at < past->count &&
	       past->frames[c->past_at].state.regs.value[sp] <
	       state->regs.value[sp])
		c->past_at++;
	if (c->past_at == past->count ||
	    !same_registers(c, state, &past->frames[c->past_at].state))
		return false;
	if (!c->validated) {
		c->valid_from = past->word_count -
			unwind_memory_unchanged(&c->walk, past);
		c->validated = true;
	}
	*index = c->past_at;
	return past->frames[c->past_at].first_word >= c->valid_from;
}

static bool add_past_frames(struct past_stack *now,
			    const struct past_frame *frames, size_t count)
{
	if (now->capacity - now->count < count) {
		size_t capacity = (now->count + count) * 2 + 32;
		struct past_frame *more = realloc(now->frames,
						  capacity * sizeof(*more));

		if (!more)
			return false;
		now->frames = more;
		now->capacity = capacity;
	}
	memcpy(now->frames + now->count, frames, count * sizeof(*frames));
	now->count += count;
	return true;
}

static bool add_past_words(struct past_stack *now,
			   const struct past_word *words, size_t count)
{
	if (now->word_capacity - now->word_count < count) {
		size_t capacity = (now->word_count + count) * 2;
		struct past_word *more = realloc(now->words,
						 capacity * sizeof(*more));

		if (!more)
			return false;
		now->words = more;
		now->word_capacity = capacity;
	}
	if (count)
		memcpy(now->words + now->word_count, words,
		       count * sizeof(*words));
	now->word_count += count;
	return true;
}

/* Takes over the past stack from frame index on. */
static void reuse(struct capture *c, size_t index)
{
	const struct past_stack *past = c->past;
	struct past_stack *now = c->now;
	size_t first = now->count, words = past->frames[index].first_word;
	size_t shift = now->word_count - words;
	size_t room = options.frame_limit - now->count;
	size_t count = past->count - index;
	bool all = count <= room;

	if (!all)
		count = room;
	if (!add_past_frames(now, past->frames + index, count) ||
	    !add_past_words(now, past->words + words,
			    past->word_count - words)) {
		finish(c, "out of memory");
		return;
	}
	for (size_t i = first; i < now->count; i++)
		now->frames[i].first_word += shift;
	counters.reused_frames += count;
	c->past = NULL;
	if (all && past->whole) {
		now->whole = true;
		finish(c, past->error);
	}
}

/* ---- frames ---- */

/* Adds the frame with these registers.  False: that was all. */
static bool add_frame(struct capture *c, const struct registers *regs,
		      bool complete)
{
	const struct unwind_arch *arch = c->walk.arch;
	struct past_frame next = {
		.state = { .regs = *regs, .complete = complete },
	};
	const struct code_place *place;
	size_t index;

	if (c->now->count == options.frame_limit) {
		finish(c, too_many_frames);
		return false;
	}
	if (find_past(c, &next.state, &index)) {
		reuse(c, index);
		return !c->finished;
	}
	place = place_of(c, &next.state);
	if (!place) {
		if (!c->walk.stale)
			finish(c, "out of memory");
		return false;
	}
	describe(place, &next.frame);
	next.frame.uncertain = c->uncertain;
	next.site = place->site;
	next.first_word = c->now->word_count;
	if (!add_past_frames(c->now, &next, 1)) {
		finish(c, "out of memory");
		return false;
	}
	unwind_memory_pass(regs->value[arch->sp]);
	return true;
}

/* The outermost frame so far. */
static const struct frame_state *last_state(const struct capture *c)
{
	return &c->now->frames[c->now->count - 1].state;
}

/* Whether it has these registers. */
static bool is_last(const struct capture *c, const struct registers *regs)
{
	const struct unwind_arch *arch = c->walk.arch;
	const struct registers *last = &last_state(c)->regs;

	return regs->value[arch->pc] == last->value[arch->pc] &&
		regs->value[arch->sp] == last->value[arch->sp];
}

/* Its place; NULL: the walk is over. */
static const struct code_place *last_place(struct capture *c)
{
	return walk_place(&c->walk, last_state(c)->address);
}

/* Whether what nobody called has no caller's address on its stack either. */
static bool leads_nowhere(struct capture *c, const struct registers *regs)
{
	const struct code_place *place;

	if (!last_state(c)->entered)
		return false;
	place = walk_place(&c->walk, regs->value[c->walk.arch->pc]);
	return place && !place->code;
}

/* A back end has come to a frame.  False: it shall not go on. */
static bool on_frame(void *context, const struct registers *regs)
{
	struct capture *c = context;
	const struct code_place *place = last_place(c);
	bool signal;

	if (!place)
		return false;
	signal = is_signal(place);
	if (!regs->value[c->walk.arch->pc] || leads_nowhere(c, regs)) {
		c->now->whole = true;
		finish(c, NULL);
		return false;
	}
	if (is_last(c, regs)) {
		c->now->whole = true;
		finish(c, "the stack does not get any further");
		return false;
	}
	c->uncertain = false;
	if (!add_frame(c, regs, signal))
		return false;
	/* After a stack was taken over the last frame is another one. */
	if (!is_last(c, regs) || last_state(c)->entered)
		return false;
	place = last_place(c);
	return place && has_rules(place);
}

/* ---- where there are no rules ---- */

static bool is_return_address(struct capture *c, uint64_t address)
{
	const struct code_place *place;

	if (!address)
		return false;
	place = walk_place(&c->walk, address - 1);
	if (place && place->code && follows_call(&c->walk, address))
		return true;
	/* Handlers of signals return to where they were not called. */
	place = walk_place(&c->walk, address);
	return place && is_signal(place);
}

/* Whether a direct call that ends at address is of the function at pc. */
static bool follows_call_of(struct capture *c, uint64_t address, uint64_t pc)
{
	const struct code_place *place = walk_place(&c->walk, pc);
	uint8_t code[5];
	int32_t distance;

	if (!place || !place->site || !place->site->symbol ||
	    !view_read_exactly(c->walk.view, address - 5, code, 5) ||
	    code[0] != 0xe8)
		return false;
	memcpy(&distance, code + 1, sizeof(distance));
	return address + distance == pc - place->site->symbol_offset;
}

/* By the frame pointer. */
static bool guess_by_frame(struct capture *c, struct registers *caller)
{
	const struct unwind_arch *arch = c->walk.arch;
	const struct registers *regs = &last_state(c)->regs;
	uint64_t sp = regs->value[arch->sp], fp = regs->value[arch->fp];
	uint64_t pc, outer_fp;

	if (!(regs->known & 1u << arch->fp) || fp < sp ||
	    fp - sp >= FRAME_SIZE_MAX || fp % arch->word ||
	    !walk_read(&c->walk, fp, &outer_fp) ||
	    !walk_read(&c->walk, fp + arch->word, &pc) ||
	    !is_return_address(c, pc))
		return false;
	*caller = (struct registers){
		.known = 1u << arch->pc | 1u << arch->sp | 1u << arch->fp,
	};
	caller->value[arch->pc] = pc;
	caller->value[arch->sp] = fp + 2 * arch->word;
	caller->value[arch->fp] = outer_fp;
	return true;
}

/*
 * The caller of a function without rules.  The innermost one may have pushed
 * nothing: then the return address is on top of the stack, and the frame
 * pointer is its caller's.
 */
static bool guess_caller(struct capture *c, struct registers *caller)
{
	const struct unwind_arch *arch = c->walk.arch;
	const struct frame_state *last = last_state(c);
	uint64_t sp = last->regs.value[arch->sp], pc = 0;
	bool on_top = last->complete && walk_read(&c->walk, sp, &pc) &&
		is_return_address(c, pc);

	if (!(on_top && follows_call_of(c, pc, last->address)) &&
	    guess_by_frame(c, caller))
		return true;
	if (!on_top)
		return false;
	*caller = last->regs;
	caller->known &= arch->preserved;
	caller->value[arch->pc] = pc;
	caller->value[arch->sp] = sp + arch->word;
	return true;
}

static void step_without_rules(struct capture *c)
{
	const struct unwind_arch *arch = c->walk.arch;
	const struct frame_state *last = last_state(c);
	struct registers caller;

	if (guess_caller(c, &caller)) {
		c->uncertain = true;
		add_frame(c, &caller, false);
	} else if (!c->walk.stale) {
		/* A frame pointer of 0 marks the outermost frame. */
		bool outermost = (last->regs.known & 1u << arch->fp) &&
			!last->regs.value[arch->fp];

		c->now->whole = true;
		finish(c, outermost ? NULL : "no rules to unwind any further");
	}
}

/*
 * Lets the chosen back end go on; if it cannot go a single step, one of the
 * others may.
 */
static void step_with_backend(struct capture *c)
{
	const struct unwind_backend *const *next = backends;
	const struct unwind_backend *backend = *chosen;
	size_t count = c->now->count;
	enum walk_end end;

	for (;;) {
		struct frame_state last = *last_state(c);

		end = backend->walk(&c->walk, &last, on_frame, c);
		if (c->finished || c->walk.stale)
			return;
		if (end == WALK_OUTERMOST || c->now->count != count)
			break;
		while (*next && (*next == *chosen ||
				 !(*next)->knows(c->walk.arch)))
			next++;
		if (!*next)
			break;
		backend = *next++;
		counters.handed_over++;
	}
	if (end == WALK_OUTERMOST || c->now->count == count) {
		c->now->whole = true;
		finish(c, end == WALK_OUTERMOST ? NULL :
		       "cannot unwind any further");
	}
}

/* ---- the list ---- */

static bool add_to_list(struct frame_list *list, const struct frame *frame)
{
	if (list->count == list->capacity) {
		size_t capacity = list->capacity * 2 + 64;
		struct frame *more = realloc(list->frames,
					     capacity * sizeof(*more));

		if (!more)
			return false;
		list->frames = more;
		list->capacity = capacity;
	}
	list->frames[list->count++] = *frame;
	return true;
}

/*
 * A frame and, before it, the functions that were put into its own.  The line
 * of the address is that of the innermost; each of the others is where it
 * calls the one before.
 */
static bool list_frame(struct frame_list *list, const struct past_frame *past)
{
	const struct site *site = past->site;
	size_t count = site && options.inlined ? site->inlined_count : 0;
	struct frame frame = past->frame;

	for (size_t i = 0; i < count; i++) {
		const struct inlined *inlined = &site->inlined[i];

		frame.inlined = true;
		frame.symbol = inlined->function;
		frame.symbol_offset = site->address - inlined->start;
		if (list->count == options.frame_limit ||
		    !add_to_list(list, &frame))
			return false;
		frame.file = inlined->call_file;
		frame.line = inlined->call_line;
	}
	frame.inlined = false;
	frame.symbol = past->frame.symbol;
	frame.symbol_offset = past->frame.symbol_offset;
	return list->count < options.frame_limit && add_to_list(list, &frame);
}

/* Lists a walked stack; returns why there is no more, or NULL. */
static const char *list_frames(const struct past_stack *stack,
			       struct frame_list *list)
{
	for (size_t i = 0; i < stack->count; i++)
		if (!list_frame(list, &stack->frames[i]))
			return list->count == options.frame_limit ?
				too_many_frames : "out of memory";
	return stack->error;
}

/* ---- the whole ---- */

static void walk_stack(struct capture *c, const struct registers *regs)
{
	uint64_t sp = regs->value[c->walk.arch->sp];
	uint64_t top = 0;

	if (c->past && c->past->count)
		top = c->past->frames[c->past->count - 1]
			.state.regs.value[c->walk.arch->sp];
	unwind_memory_begin(&c->walk, sp, top, c->now);
	add_frame(c, regs, true);
	while (!c->finished && !c->walk.stale) {
		const struct code_place *place = last_place(c);

		if (!place)
			break;
		if (has_rules(place))
			step_with_backend(c);
		else
			step_without_rules(c);
	}
}

static const char *capture(struct tracee *tracee, struct frame_list *list)
{
	struct registers regs;
	struct capture c = {
		.walk = {
			.space = tracee->space,
			.tid = tracee->tid,
			.view = &tracee->view,
			.source = options.source,
		},
	};

	c.walk.arch = unwind_arch_read(tracee->tid, &regs);
	if (!c.walk.arch)
		return "cannot read the registers";
	if (!(*chosen)->knows(c.walk.arch))
		return "this unwinder does not know this kind of process";
	/* A thread that is stopped is one whose mappings can be read. */
	tracee->space->pid = tracee->tid;
	/* Who is not traced changes the mappings without being seen. */
	if (tracee->space->has_strangers)
		mmap_cache_doubt(tracee->space);
	for (unsigned i = 0; i < RESTARTS_MAX; i++) {
		counters.restarts += i != 0;
		c.walk.stale = c.finished = c.validated = false;
		c.uncertain = false;
		c.past_at = 0;
		if (!unwind_space_update(&c.walk) ||
		    !unwind_space_stacks(&c.walk, &c.past, &c.now))
			return "out of memory";
		if (c.past && c.past->arch != c.walk.arch)
			c.past = NULL;
		walk_stack(&c, &regs);
		if (!c.walk.stale) {
			const char *error = list_frames(c.now, list);

			if (!c.now->unreliable)
				unwind_space_keep(&c.walk, c.now);
			return error;
		}
	}
	return "the mappings do not stay the same";
}

void unwind_capture(struct tracee *tracee, struct frame_list *list)
{
	const char *error;

	list->count = 0;
	if (!chosen || !tracee->space)
		return;
	error = capture(tracee, list);
	if (error)
		add_to_list(list, &(struct frame){ .error = error });
	counters.stacks++;
	counters.frames += list->count;
}
