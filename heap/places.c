/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The places of a process: its modules, strings, frames, stacks and sites.
 * Each is in the state once, and is found by hash tables that are private to
 * the process: a forked child starts with empty ones.
 *
 * To find what is known takes no lock.
 */
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	/* Slots of hash tables: powers of two, twice what may be in them. */
	STRING_SLOTS = 1 << 17,
	FRAME_SLOTS = 2 * HEAP_FRAMES,
	STACK_SLOTS = 2 * HEAP_STACKS,
	SITE_SLOTS = 2 * HEAP_SITES,
	SAMPLE_SLOTS = 2 * HEAP_SAMPLES,
};

/* Wiped in a child. */
static struct places {
	uint32_t strings[STRING_SLOTS];
	uint32_t string_count;
	uint32_t frames[FRAME_SLOTS];
	uint32_t stacks[STACK_SLOTS];
	uint32_t sites[SITE_SLOTS];
	uint32_t samples[SAMPLE_SLOTS];
	size_t strings_ready, frames_ready, stacks_ready, sites_ready;
	size_t samples_ready, modules_ready;
} *places;

bool places_start(void)
{
	if (!places)
		places = map_private(sizeof(*places));
	return places;
}

/* ---- interning ---- */

/* What is looked for; each kind of place uses what it needs. */
struct key {
	const char *text;
	size_t length;
	struct heap_frame frame;
	struct heap_stack stack;
	struct heap_site site;
	uint32_t sample_site, sample_stack;
	/* The module of an address. */
	bool known;
	struct heap_module found;
	const char *name;
};

struct interner {
	uint32_t *slots;
	uint32_t mask;
	bool (*same)(uint32_t index, const struct key *key);
	/* The lock is held; 0: no room. */
	uint32_t (*add)(const struct key *key);
};

/* Where the index of the key is, or is to be. */
static uint32_t *find_slot(const struct interner *in, uint64_t hash,
			   const struct key *key)
{
	for (;; hash++) {
		uint32_t *slot = &in->slots[hash & in->mask];
		uint32_t index = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

		if (!index || in->same(index, key))
			return slot;
	}
}

static uint32_t enter(const struct interner *in, uint64_t hash,
		      const struct key *key)
{
	uint32_t *slot, index;
	int saved = errno;

	lock();
	slot = find_slot(in, hash, key);
	index = *slot;
	if (!index) {
		index = in->add(key);
		__atomic_store_n(slot, index, __ATOMIC_RELEASE);
	}
	unlock();
	errno = saved;
	return index;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15;
	return hash ^ hash >> 32;
}

/*
 * Takes the next entry of a table of the state: its index, or 0 if that is
 * full.  Who fills it in then counts it.
 */
static uint32_t next_entry(void *table, size_t each, uint32_t count,
			   uint32_t limit, size_t *ready)
{
	if (count >= limit ||
	    !state_ready(table, (size_t)(count + 1) * each, ready))
		return 0;
	return count;
}

static void count_entry(uint32_t *count)
{
	__atomic_store_n(count, *count + 1, __ATOMIC_RELEASE);
}

/* ---- strings ---- */

static bool same_string(uint32_t at, const struct key *key)
{
	const char *string = heap_state->strings + at;

	return !memcmp(string, key->text, key->length) && !string[key->length];
}

static uint32_t add_string(const struct key *key)
{
	uint32_t at = heap_state->string_size;

	if (places->string_count >= STRING_SLOTS / 2 ||
	    key->length >= HEAP_STRINGS - at ||
	    !state_ready(heap_state->strings, at + key->length + 1,
			 &places->strings_ready))
		return 0;
	places->string_count++;
	memcpy(heap_state->strings + at, key->text, key->length);
	__atomic_store_n(&heap_state->string_size, at + key->length + 1,
			 __ATOMIC_RELEASE);
	return at;
}

static uint64_t hash_string(const struct key *key)
{
	uint64_t hash = key->length;

	for (size_t i = 0; i < key->length; i++)
		hash = (hash ^ (unsigned char)key->text[i]) * 0x100000001b3;
	return hash ^ hash >> 32;
}

uint32_t string_index(const char *text, size_t length)
{
	struct key key = { .text = text, .length = length };
	const struct interner in = {
		places->strings, STRING_SLOTS - 1, same_string, add_string,
	};
	uint64_t hash;
	uint32_t index;

	if (!length)
		return 0;
	if (length > HEAP_STRING_MAX)
		key.length = HEAP_STRING_MAX;
	hash = hash_string(&key);
	index = *find_slot(&in, hash, &key);
	return index ? index : enter(&in, hash, &key);
}

/* ---- modules ---- */

static bool find_loaded(uintptr_t address, struct heap_module *module,
			const char **name)
{
	Dl_info info;

#ifdef DLFO_STRUCT_HAS_EH_DBASE
	/* Takes no lock, which dladdr does. */
	extern __typeof__(_dl_find_object) _dl_find_object
		__attribute__((weak));
	struct dl_find_object object;

	if (_dl_find_object) {
		if (_dl_find_object((void *)address, &object))
			return false;
		*module = (struct heap_module){
			.bias = *(uintptr_t *)object.dlfo_link_map,
			.start = (uintptr_t)object.dlfo_map_start,
			.end = (uintptr_t)object.dlfo_map_end,
		};
		*name = ((const char **)object.dlfo_link_map)[1];
		return true;
	}
#endif
	if (!dladdr((void *)address, &info))
		return false;
	*module = (struct heap_module){
		.bias = (uintptr_t)info.dli_fbase,
		.start = (uintptr_t)info.dli_fbase,
		.end = address + 1,
	};
	*name = info.dli_fname;
	return true;
}

/* What is returned to may be behind the end of the function. */
static void find_module(struct key *key, uintptr_t address)
{
	key->known = find_loaded(address - 1, &key->found, &key->name);
}

/* Its path, as it will be found from elsewhere. */
static uint32_t add_path(struct heap_module *module, const char *name)
{
	char path[4096];
	struct stat status;
	size_t length = 0;

	if (!*name) {
		length = strlen(heap_state->program);
		memcpy(path, heap_state->program, length);
	} else if (*name != '/' &&
		   syscall(SYS_getcwd, path, sizeof(path) - 1) > 0) {
		length = strlen(path);
		path[length++] = '/';
	}
	while (*name && length < sizeof(path) - 1)
		path[length++] = *name++;
	path[length] = '\0';
	if (!stat(path, &status)) {
		module->device = status.st_dev;
		module->inode = status.st_ino;
		module->mtime = status.st_mtim.tv_sec * 1000000000ull +
			status.st_mtim.tv_nsec;
	}
	return add_string(&(struct key){ .text = path, .length = length });
}

/* The index + 1 of a key's module, or 0; the lock is held. */
static uint16_t module_of(const struct key *key, uintptr_t address)
{
	uint32_t count = heap_state->module_count;
	struct heap_module *module;

	if (!key->known)
		return 0;
	for (uint32_t i = count; i--;) {
		module = &heap_state->modules[i];
		if (!module->gone && module->bias == key->found.bias &&
		    module->start == key->found.start) {
			if (module->end < address)
				module->end = address;
			return i + 1;
		}
	}
	if (count == HEAP_MODULES ||
	    !state_ready(heap_state->modules,
			 (count + 1) * sizeof(*heap_state->modules),
			 &places->modules_ready))
		return 0;
	module = &heap_state->modules[count];
	*module = key->found;
	module->path = add_path(module, key->name);
	count_entry(&heap_state->module_count);
	return count + 1;
}

static void mark_gone(uint32_t module)
{
	heap_state->modules[module].gone = 1;
	for (uint32_t i = 1; i < heap_state->site_count; i++)
		if (heap_state->sites[i].module == module + 1)
			heap_state->sites[i].flags |= HEAP_SITE_GONE;
	for (uint32_t i = 1; i < heap_state->frame_count; i++)
		if (heap_state->frames[i].module == module + 1)
			heap_state->frames[i].flags |= HEAP_FRAME_GONE;
}

/* Sites in unloaded modules are not those any more. */
static void check_modules(void)
{
	bool any = false;

	if (!process_is_started())
		return;
	for (uint32_t i = 0; i < heap_state->module_count; i++) {
		struct heap_module *module = &heap_state->modules[i], now;
		const char *name;

		if (module->gone || (find_loaded(module->end - 1, &now, &name)
				     && now.bias == module->bias))
			continue;
		lock();
		mark_gone(i);
		unlock();
		any = true;
	}
	if (any)
		threads_forget();
}

EXPORT int dlclose(void *library)
{
	int result;

	resolve();
	result = next.dlclose(library);
	walk_forget();
	check_modules();
	return result;
}

/* ---- frames ---- */

static bool same_frame(uint32_t index, const struct key *key)
{
	const struct heap_frame *a = &heap_state->frames[index];
	const struct heap_frame *b = &key->frame;

	return a->address == b->address && a->function == b->function &&
		a->file == b->file && a->line == b->line &&
		a->language == b->language && a->flags == b->flags;
}

static uint32_t add_frame(const struct key *key)
{
	uint32_t index = next_entry(heap_state->frames,
				    sizeof(*heap_state->frames),
				    heap_state->frame_count, HEAP_FRAMES,
				    &places->frames_ready);

	if (!index)
		return 0;
	heap_state->frames[index] = key->frame;
	if (key->frame.address)
		heap_state->frames[index].module =
			module_of(key, key->frame.address);
	count_entry(&heap_state->frame_count);
	return index;
}

static uint64_t hash_frame(const struct heap_frame *frame)
{
	uint64_t hash = mix(0, frame->address);

	hash = mix(hash, (uint64_t)frame->file << 32 | frame->line);
	return mix(hash, (uint64_t)frame->function << 32 |
		   frame->language << 8 | frame->flags);
}

uint32_t frame_index(const struct heap_frame *frame)
{
	struct key key = { .frame = *frame };
	const struct interner in = {
		places->frames, FRAME_SLOTS - 1, same_frame, add_frame,
	};
	uint64_t hash = hash_frame(frame);
	uint32_t index = *find_slot(&in, hash, &key);

	if (index)
		return index;
	if (frame->address)
		find_module(&key, frame->address);
	return enter(&in, hash, &key);
}

/* ---- stacks ---- */

static bool same_stack(uint32_t index, const struct key *key)
{
	const struct heap_stack *stack = &heap_state->stacks[index];

	return stack->caller == key->stack.caller &&
		stack->frame == key->stack.frame;
}

static uint32_t add_stack(const struct key *key)
{
	uint32_t index = next_entry(heap_state->stacks,
				    sizeof(*heap_state->stacks),
				    heap_state->stack_count, HEAP_STACKS,
				    &places->stacks_ready);

	if (!index)
		return 0;
	heap_state->stacks[index] = key->stack;
	count_entry(&heap_state->stack_count);
	return index;
}

static uint64_t hash_stack(const struct heap_stack *stack)
{
	return mix(0, (uint64_t)stack->caller << 32 | stack->frame);
}

uint32_t stack_index(uint32_t caller, uint32_t frame)
{
	struct key key = { .stack = { caller, frame } };
	const struct interner in = {
		places->stacks, STACK_SLOTS - 1, same_stack, add_stack,
	};
	uint64_t hash = hash_stack(&key.stack);
	uint32_t index = *find_slot(&in, hash, &key);

	return index ? index : enter(&in, hash, &key);
}

/* ---- sites ---- */

static bool same_site(uint32_t index, const struct key *key)
{
	const struct heap_site *site = &heap_state->sites[index];

	return site->address == key->site.address &&
		site->stack == key->site.stack &&
		site->kind == key->site.kind && !site->flags;
}

static uint32_t add_site(const struct key *key)
{
	uint32_t index = next_entry(heap_state->sites,
				    sizeof(*heap_state->sites),
				    heap_state->site_count, HEAP_SITES,
				    &places->sites_ready);

	if (!index)
		return 0;
	heap_state->sites[index] = key->site;
	if (key->site.address)
		heap_state->sites[index].module =
			module_of(key, key->site.address);
	count_entry(&heap_state->site_count);
	return index;
}

uint32_t site_index(enum heap_kind kind, uintptr_t address, uint32_t stack)
{
	struct key key = {
		.site = { .address = address, .kind = kind, .stack = stack },
	};
	const struct interner in = {
		places->sites, SITE_SLOTS - 1, same_site, add_site,
	};
	uint64_t hash = mix(mix(kind, address), stack);
	uint32_t index = *find_slot(&in, hash, &key);

	if (index)
		return index;
	if (address)
		find_module(&key, address);
	return enter(&in, hash, &key);
}

/* ---- samples ---- */

static bool same_sample(uint32_t index, const struct key *key)
{
	const struct heap_sample *sample = &heap_state->samples[index];

	return sample->site == key->sample_site &&
		sample->stack == key->sample_stack;
}

static uint32_t add_sample(const struct key *key)
{
	uint32_t index = next_entry(heap_state->samples,
				    sizeof(*heap_state->samples),
				    heap_state->sample_count, HEAP_SAMPLES,
				    &places->samples_ready);

	if (!index)
		return 0;
	heap_state->samples[index].site = key->sample_site;
	heap_state->samples[index].stack = key->sample_stack;
	count_entry(&heap_state->sample_count);
	return index;
}

bool samples_can_be(void)
{
	return state_ready(heap_state->samples, sizeof(*heap_state->samples),
			   &places->samples_ready);
}

uint32_t sample_index(uint32_t site, uint32_t stack)
{
	struct key key = { .sample_site = site, .sample_stack = stack };
	const struct interner in = {
		places->samples, SAMPLE_SLOTS - 1, same_sample, add_sample,
	};
	uint64_t hash = mix(0, (uint64_t)site << 32 | stack);
	uint32_t index = *find_slot(&in, hash, &key);

	return index ? index : enter(&in, hash, &key);
}

/* ---- forks ---- */

/* Copies the used part of a table; false: there is no room for it. */
static bool copy(void *to, const void *from, size_t size, size_t *ready)
{
	if (!state_ready(to, size, ready))
		return false;
	memcpy(to, from, size);
	return true;
}

/* It is there once, and so its slot is the first that is free. */
static void index_again(uint32_t *slots, uint32_t mask, uint64_t hash,
			uint32_t index)
{
	while (slots[hash & mask])
		hash++;
	slots[hash & mask] = index;
}

static void index_strings(void)
{
	uint32_t at = 1;

	while (at < heap_state->string_size) {
		struct key key = { .text = heap_state->strings + at };

		key.length = strlen(key.text);
		index_again(places->strings, STRING_SLOTS - 1,
			    hash_string(&key), at);
		places->string_count++;
		at += key.length + 1;
	}
}

/*
 * Stacks and what they are made of are the same in a child.  Sites keep their
 * indices, which its blocks have, but what is allocated there is another site.
 */
void places_inherit(const struct heap_state *parent)
{
	struct heap_state *state = heap_state;
	struct places *p = places;
	uint32_t sites = __atomic_load_n(&parent->site_count,
					 __ATOMIC_ACQUIRE);
	uint32_t samples = __atomic_load_n(&parent->sample_count,
					   __ATOMIC_ACQUIRE);

	if (!copy(state->strings, parent->strings, parent->string_size,
		  &p->strings_ready) ||
	    !copy(state->frames, parent->frames,
		  parent->frame_count * sizeof(*state->frames),
		  &p->frames_ready) ||
	    !copy(state->stacks, parent->stacks,
		  parent->stack_count * sizeof(*state->stacks),
		  &p->stacks_ready) ||
	    !copy(state->sites, parent->sites, sites * sizeof(*state->sites),
		  &p->sites_ready) ||
	    !copy(state->modules, parent->modules,
		  parent->module_count * sizeof(*state->modules),
		  &p->modules_ready) ||
	    !state_ready(state->samples, samples * sizeof(*state->samples),
			 &p->samples_ready))
		return;
	for (uint32_t i = 1; i < samples; i++) {
		state->samples[i].site = parent->samples[i].site;
		state->samples[i].stack = parent->samples[i].stack;
	}
	state->sample_count = samples;
	state->module_count = parent->module_count;
	state->string_size = parent->string_size;
	state->frame_count = parent->frame_count;
	state->stack_count = parent->stack_count;
	state->site_count = sites;
	index_strings();
	for (uint32_t i = 1; i < state->frame_count; i++)
		index_again(p->frames, FRAME_SLOTS - 1,
			    hash_frame(&state->frames[i]), i);
	for (uint32_t i = 1; i < state->stack_count; i++)
		index_again(p->stacks, STACK_SLOTS - 1,
			    hash_stack(&state->stacks[i]), i);
	for (uint32_t i = 1; i < sites; i++)
		state->sites[i].flags |= HEAP_SITE_INHERITED;
}
