/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What unwinding knows of an address space; see unwind-space.h.
 */
#include "unwind-space.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/intern.h"
#include "mem.h"
#include "mmap_cache.h"
#include "symbols/module.h"
#include "tracee.h"
#include "unwind-jit.h"

enum {
	PLACES_MAX = 1 << 16,	/* then it is begun anew */
	PAST_MAX = 16,		/* threads whose last stack is kept */
};

struct unwind_space {
	uint64_t generation;	/* of the mappings that this comes from */
	uint64_t losses;
	struct code **codes;	/* sorted, without overlaps */
	size_t code_count, code_capacity;
	struct code_place *places;	/* hash table; address 0 is a free slot */
	size_t place_count, place_capacity;
	struct jit *jit;		/* NULL: no code but that of files yet */
	struct past_stack pasts[PAST_MAX];
	struct past_stack now;
	uint64_t clock;
};

uint64_t unwind_space_places, unwind_space_contexts, unwind_space_losses;

static struct unwind_space *space_of(struct space *space)
{
	if (!space->unwind) {
		space->unwind = calloc(1, sizeof(*space->unwind));
		unwind_space_contexts++;
	}
	return space->unwind;
}

/* ---- past stacks ---- */

static void forget_pasts(struct unwind_space *us)
{
	for (unsigned i = 0; i < PAST_MAX; i++)
		us->pasts[i].tid = 0;
}

bool unwind_space_stacks(struct walk *walk, struct past_stack **past,
			 struct past_stack **now)
{
	struct unwind_space *us = space_of(walk->space);

	if (!us)
		return false;
	*past = NULL;
	for (unsigned i = 0; i < PAST_MAX; i++)
		if (us->pasts[i].tid == walk->tid)
			*past = &us->pasts[i];
	*now = &us->now;
	us->now.count = us->now.word_count = 0;
	us->now.error = NULL;
	us->now.whole = us->now.unreliable = false;
	us->now.arch = walk->arch;
	return true;
}

void unwind_space_keep(struct walk *walk, struct past_stack *now)
{
	struct unwind_space *us = walk->space->unwind;
	struct past_stack *slot = &us->pasts[0];

	for (unsigned i = 0; i < PAST_MAX; i++) {
		struct past_stack *past = &us->pasts[i];

		if (past->tid == walk->tid) {
			slot = past;
			break;
		}
		if (past->used < slot->used)
			slot = past;
	}

	struct past_stack swap = *slot;

	*slot = *now;
	*now = swap;
	slot->tid = walk->tid;
	slot->used = ++us->clock;
}

static void free_stack(struct past_stack *stack)
{
	free(stack->frames);
	free(stack->words);
}

/* ---- places ---- */

static struct code_place *find_place(const struct unwind_space *us,
				uint64_t address)
{
	size_t mask = us->place_capacity - 1;
	size_t i = (address * 0x9e3779b97f4a7c15) >> 32 & mask;

	while (us->places[i].address && us->places[i].address != address)
		i = (i + 1) & mask;
	return &us->places[i];
}

static bool grow_places(struct unwind_space *us)
{
	struct code_place *old = us->places;
	size_t old_capacity = us->place_capacity;
	size_t capacity = old_capacity ? old_capacity * 2 : 256;
	struct code_place *more = calloc(capacity, sizeof(*more));

	if (!more)
		return false;
	us->places = more;
	us->place_capacity = capacity;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i].address)
			*find_place(us, old[i].address) = old[i];
	free(old);
	return true;
}

static void forget_places(struct unwind_space *us)
{
	if (us->place_count)
		memset(us->places, 0,
		       us->place_capacity * sizeof(*us->places));
	us->place_count = 0;
}

/* ---- code ---- */

/* The first code that ends behind address. */
static size_t first_code_behind(const struct unwind_space *us,
				uint64_t address)
{
	size_t low = 0, high = us->code_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (us->codes[middle]->end > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

static void free_code(struct code *code)
{
	if (code->module)
		module_release(code->module);
	free(code);
}

/* Everything that came from a code must be forgotten with it. */
static void note_loss(struct unwind_space *us)
{
	forget_places(us);
	forget_pasts(us);
	us->losses++;
	unwind_space_losses++;
}

static bool still_mapped(struct space *space, const struct code *code)
{
	const struct mapping old = {
		.start = code->start,
		.end = code->end,
		.offset = code->file_offset,
		.dev_major = code->dev_major,
		.dev_minor = code->dev_minor,
		.inode = code->inode,
	};

	return mmap_cache_has_code(space, &old);
}

/* Drops the code that is no longer mapped. */
static void drop_lost_code(struct unwind_space *us, struct space *space)
{
	size_t kept = 0;

	for (size_t i = 0; i < us->code_count; i++) {
		if (still_mapped(space, us->codes[i]))
			us->codes[kept++] = us->codes[i];
		else
			free_code(us->codes[i]);
	}
	if (kept != us->code_count) {
		us->code_count = kept;
		note_loss(us);
	}
}

/* The range of addresses that the segments of a module take up. */
static void set_module_range(struct code *code)
{
	const struct elf_file *elf = module_elf(code->module);
	bool first = true;

	code->low = code->start;
	code->high = code->end;
	for (size_t i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *s = &elf->segments[i];
		uint64_t align = s->p_align ? -s->p_align : -(uint64_t)1;

		if (s->p_type != PT_LOAD)
			continue;
		if (first)
			code->low = code->bias + (s->p_vaddr & align);
		first = false;
		code->high = code->bias + s->p_vaddr + s->p_memsz;
	}
}

/* As libdw and the kernel show it. */
static const char *shown_path(const struct mapping *mapping)
{
	char path[4096 + 16];
	size_t length = strlen(mapping->path);

	if (!length || (mapping->path[0] != '/' &&
			strcmp(mapping->path, "[vdso]")))
		return NULL;
	if (!mapping->deleted || length > 4096)
		return intern(mapping->path, length);
	memcpy(path, mapping->path, length);
	memcpy(path + length, " (deleted)", 10);
	return intern(path, length + 10);
}

static struct code *make_code(struct walk *walk, const struct mapping *m)
{
	struct code *code = calloc(1, sizeof(*code));

	if (!code)
		return NULL;
	*code = (struct code){
		.start = m->start,
		.end = m->end,
		.file_offset = m->offset,
		.inode = m->inode,
		.dev_major = m->dev_major,
		.dev_minor = m->dev_minor,
		.path = shown_path(m),
	};
	if (!code->path)
		return code;
	/* Opening may read the mappings again: m is a copy that lasts. */
	struct mapping copy = *m;
	char *path = strdup(m->path);

	copy.path = path;
	if (path)
		code->module = module_open(walk->space, &copy, walk->view);
	if (code->module && !module_bias(code->module, &copy, &code->bias)) {
		module_release(code->module);
		code->module = NULL;
	}
	free(path);
	if (code->module)
		set_module_range(code);
	return code;
}

static bool insert_code(struct unwind_space *us, struct code *code)
{
	size_t at = first_code_behind(us, code->start);

	/* What it overlaps cannot be there any more. */
	while (at < us->code_count && us->codes[at]->start < code->end) {
		free_code(us->codes[at]);
		us->code_count--;
		memmove(&us->codes[at], &us->codes[at + 1],
			(us->code_count - at) * sizeof(*us->codes));
		note_loss(us);
	}
	if (us->code_count == us->code_capacity) {
		size_t capacity = us->code_capacity * 2 + 16;
		struct code **more = realloc(us->codes,
					     capacity * sizeof(*more));

		if (!more)
			return false;
		us->codes = more;
		us->code_capacity = capacity;
	}
	memmove(&us->codes[at + 1], &us->codes[at],
		(us->code_count - at) * sizeof(*us->codes));
	us->codes[at] = code;
	us->code_count++;
	return true;
}

static struct code *known_code(const struct unwind_space *us,
			       uint64_t address)
{
	size_t i = first_code_behind(us, address);

	return i < us->code_count && us->codes[i]->start <= address ?
		us->codes[i] : NULL;
}

/* Forgets what is no longer mapped, if the mappings have changed. */
static void follow_mappings(struct unwind_space *us, struct space *space)
{
	if (us->generation == mmap_cache_generation(space))
		return;
	drop_lost_code(us, space);
	us->generation = mmap_cache_generation(space);
}

/* The code at an address that is not among the known; NULL: there is none. */
static struct code *discover_code(struct walk *walk, uint64_t address)
{
	struct unwind_space *us = walk->space->unwind;
	uint64_t losses = us->losses;
	const struct mapping *mapping =
		mmap_cache_find_code(walk->space, address);
	struct code *code = mapping ? make_code(walk, mapping) : NULL;

	if (code && !insert_code(us, code)) {
		free_code(code);
		code = NULL;
	}
	follow_mappings(us, walk->space);
	walk->stale |= us->losses != losses;
	return code;
}

/* What a JIT compiler tells of a place in code of no file. */
static void ask_jit(struct walk *walk, struct code_place *place)
{
	struct unwind_space *us = walk->space->unwind;
	uint64_t losses = us->losses;

	if (!us->jit) {
		us->jit = jit_new();
		if (us->jit)
			jit_update(us->jit, walk);
	}
	if (us->jit)
		jit_place(us->jit, walk, place);
	follow_mappings(us, walk->space);
	walk->stale |= us->losses != losses;
}

bool unwind_space_update(struct walk *walk)
{
	struct unwind_space *us = space_of(walk->space);
	enum jit_news news;

	if (!us)
		return false;
	news = us->jit ? jit_update(us->jit, walk) : JIT_SAME;
	if (news == JIT_LOST) {
		note_loss(us);
	} else if (news == JIT_MORE) {
		forget_places(us);
		forget_pasts(us);
	}
	follow_mappings(us, walk->space);
	return true;
}

void unwind_space_free(struct space *space)
{
	struct unwind_space *us = space->unwind;

	if (!us)
		return;
	for (size_t i = 0; i < us->code_count; i++)
		free_code(us->codes[i]);
	for (unsigned i = 0; i < PAST_MAX; i++)
		free_stack(&us->pasts[i]);
	free_stack(&us->now);
	jit_free(us->jit);
	free(us->codes);
	free(us->places);
	free(us);
	space->unwind = NULL;
}

/* ---- for back ends ---- */

const struct code_place *walk_place(struct walk *walk, uint64_t address)
{
	static const struct code_place nowhere;
	struct unwind_space *us = walk->space->unwind;

	if (!address)
		return &nowhere;
	if (us->place_count * 2 >= us->place_capacity) {
		if (us->place_count >= PLACES_MAX)
			forget_places(us);
		else if (!grow_places(us))
			return NULL;
	}

	struct code_place *place = find_place(us, address);

	if (place->code)
		return place;
	/* Where there was no code there may be some now. */
	if (place->address) {
		place->looks++;
		if (place->looks & (place->looks - 1))
			return place;
	}

	struct code *code = known_code(us, address);

	if (!code)
		code = discover_code(walk, address);
	if (walk->stale)
		return NULL;
	unwind_space_places++;
	us->place_count += !place->address;
	place->address = address;
	place->code = code;
	place->module = code ? code->path : NULL;
	place->site = code && code->module ?
		module_site(code->module, address - code->bias,
			    walk->source) : NULL;
	if (code && !code->module)
		ask_jit(walk, place);
	return walk->stale ? NULL : place;
}

size_t walk_code_count(const struct walk *walk)
{
	const struct unwind_space *us = walk->space->unwind;

	return us->code_count + jit_code_count(us->jit);
}

const struct code *walk_code(const struct walk *walk, size_t index)
{
	const struct unwind_space *us = walk->space->unwind;

	return index < us->code_count ? us->codes[index] :
		jit_code(us->jit, index - us->code_count);
}

uint64_t walk_code_losses(const struct walk *walk)
{
	return walk->space->unwind->losses;
}
