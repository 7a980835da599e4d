/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The line of Ruby that runs.  Ruby's public functions for profilers tell it;
 * they are looked up when the program starts, so that nothing here is built
 * for one version of Ruby.
 *
 * Only a thread with Ruby's lock may ask, and none while garbage is collected:
 * then its objects move.  A thread of Ruby's that runs without the lock counts
 * for the last line that it was seen at.
 *
 * What the functions tell is remembered by the addresses of Ruby's objects.
 * Another object may be there the next time; so the names are compared.
 */
#include "language.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

typedef uintptr_t value;	/* Ruby's VALUE */

enum {
	LINES = 1024,		/* slots of caches */
	FRAMES = 2048,
	DEPTH_MAX = 512,	/* frames of a stack */
	/* Frames looked at for one that is of the program's own code. */
	SEARCHED = 16,
};

/* Ruby's functions and variables; NULL: this version lacks it. */
static struct {
	int (*ruby_thread_has_gvl_p)(void);
	int (*rb_during_gc)(void);
	size_t (*rb_gc_count)(void);
	const char *(*rb_source_location_cstr)(int *line);
	const char *(*rb_sourcefile)(void);
	int (*rb_sourceline)(void);
	int (*rb_profile_frames)(int start, int limit, value *frames,
				 int *lines);
	value (*rb_profile_frame_path)(value frame);
	value (*rb_profile_frame_label)(value frame);
	value (*rb_profile_frame_method_name)(value frame);
	char *(*rb_string_value_ptr)(volatile value *string);
	const value *rb_cObject;
	void *const *ruby_current_vm_ptr;
	struct thread_local current_ec;
	struct code_range code;
} ruby;

/* A line by the text that its file's name is: that is one for each file. */
struct line {
	const char *path;
	int line;
	uint32_t text;		/* offset in heap_state->strings; 0: no room */
	uint32_t stack, site;
};

/*
 * A frame of Ruby's.  A method that is written in C has no line; as in Ruby's
 * own messages, it is shown at the line that calls it.
 */
struct frame {
	value frame;
	int line;
	uint32_t caller;	/* frame; 0: it does not matter */
	uint32_t index;		/* 0: no room */
	bool internal;		/* none of the program's own code */
};

/* What is known for a thread, in memory that a forked child finds empty. */
struct ruby_thread {
	uint32_t last;		/* stack that it was seen with */
	uint32_t unlocked_last;	/* what follows is for this one */
	uint32_t unlocked_stack, unlocked_site;
	uint32_t gc_stack, gc_site;
	uint32_t quiet_stack, quiet_site;
	bool busy;
	/*
	 * The last whole stack, outermost frame first.  To make another frame
	 * where one was takes allocations, which see the stack without it.
	 */
	size_t collections;
	int depth;
	struct {
		value frame;
		int line;
		uint32_t file;	/* if it was known better; or 0 */
		uint32_t stack;
	} known[DEPTH_MAX];
	/* What rb_profile_frames() fills in; the machine stack may be small. */
	value frames[DEPTH_MAX];
	int lines[DEPTH_MAX];
	struct line line_cache[LINES];
	struct frame frame_cache[FRAMES];
};

/* Whether thread->language is still this thread's, or was another one's. */
static __thread void *mine __attribute__((tls_model("initial-exec")));

/*
 * A thread without a Ruby thread's state, though Ruby may take it for what
 * its last Ruby thread has left: it asks for the bounds of its stack when it
 * gets another one, and that allocates.
 */
static __thread bool between __attribute__((tls_model("initial-exec")));

static bool is_object(value object)
{
	/* nil, true, false and small numbers are no addresses. */
	return object > 255 && !(object & 7);
}

static struct ruby_thread *thread_state(struct thread *thread)
{
	struct ruby_thread *state = thread->language;

	if (LIKELY(state && state == mine))
		return state;
	if (!state)
		state = map_private(sizeof(*state));
	if (!state)
		return NULL;
	state->last = 0;
	state->busy = false;
	thread->language = mine = state;
	return state;
}

/* ---- frames ---- */

/* The text of a Ruby string; names end with a zero.  NULL: it is none. */
static const char *text_of(value string)
{
	return is_object(string) ? ruby.rb_string_value_ptr(&string) : NULL;
}

static uint32_t text_index(const char *text)
{
	return string_index(text, strnlen(text, HEAP_STRING_MAX));
}

static bool is_internal(const char *path)
{
	return !strncmp(path, "<internal:", 10);
}

/* Whether a string that is known, and may be cut off, is this text. */
static bool same_text(uint32_t known, const char *text)
{
	return !strncmp(heap_state->strings + known, text, HEAP_STRING_MAX);
}

static const char *name_of(value frame, bool in_c)
{
	const char *name = in_c && ruby.rb_profile_frame_method_name ?
		text_of(ruby.rb_profile_frame_method_name(frame)) :
		text_of(ruby.rb_profile_frame_label(frame));

	return name ? name : "";
}

static void look_at(struct frame *entry)
{
	const char *file = text_of(ruby.rb_profile_frame_path(entry->frame));
	const char *name = name_of(entry->frame, !file);
	const struct heap_frame *old = &heap_state->frames[entry->index];
	struct heap_frame frame = { .language = HEAP_RUBY };

	if (LIKELY(entry->index && (!file || same_text(old->file, file)) &&
		   same_text(old->function, name)))
		return;
	entry->internal = !file || is_internal(file);
	if (file) {
		frame.file = text_index(file);
		frame.line = entry->line;
	} else {
		frame.file = heap_state->frames[entry->caller].file;
		frame.line = heap_state->frames[entry->caller].line;
	}
	frame.function = text_index(name);
	entry->index = frame.file || frame.function ? frame_index(&frame) : 0;
}

static const struct frame *find_frame(struct ruby_thread *state, value frame,
				      int line, uint32_t caller)
{
	uintptr_t hash = frame >> 3 ^ frame >> 14 ^ line * 31 ^ caller * 17;
	struct frame *entry = &state->frame_cache[hash % FRAMES];

	if (entry->frame != frame || entry->line != line ||
	    entry->caller != caller)
		*entry = (struct frame){
			.frame = frame, .line = line, .caller = caller,
		};
	look_at(entry);
	return entry;
}

/* ---- the innermost line ---- */

static const char *source_location(int *line)
{
	if (LIKELY(ruby.rb_source_location_cstr))
		return ruby.rb_source_location_cstr(line);
	*line = ruby.rb_sourceline();
	return ruby.rb_sourcefile();
}

static void make_line(struct line *entry, const char *path, int line)
{
	struct heap_frame frame = { .language = HEAP_RUBY, .line = line };

	entry->path = path;
	entry->line = line;
	entry->text = frame.file = text_index(path);
	entry->stack = entry->text ? stack_index(0, frame_index(&frame)) : 0;
	entry->site = entry->stack ?
		site_index(HEAP_KIND_MALLOC, 0, entry->stack) :
		site_of_others(HEAP_KIND_MALLOC);
}

static const struct line *find_line(struct ruby_thread *state,
				    const char *path, int line)
{
	uintptr_t hash = (uintptr_t)path >> 3 ^ (uintptr_t)path >> 14;
	struct line *entry = &state->line_cache[(hash ^ line * 31) % LINES];

	if (UNLIKELY(entry->path != path || entry->line != line ||
		     !same_text(entry->text, path)))
		make_line(entry, path, line);
	return entry;
}

/* ---- whole stacks ---- */

/*
 * The index of a frame in the state.  Of code that is evaluated in a method,
 * Ruby's functions tell the method's file; the innermost one is known.
 */
static uint32_t index_of(struct ruby_thread *state, value frame, int line,
			 uint32_t caller, uint32_t file)
{
	uint32_t index = find_frame(state, frame, line, caller)->index;
	struct heap_frame evaluated = heap_state->frames[index];

	if (LIKELY(!index || !file || evaluated.file == file))
		return index;
	evaluated.file = file;
	return frame_index(&evaluated);
}

/* The file of the innermost frame that has a line, and which one that is. */
static uint32_t innermost(struct ruby_thread *state, int depth, int *frame)
{
	const char *path;
	int line;

	*frame = 0;
	while (*frame < depth && !state->lines[*frame])
		++*frame;
	path = source_location(&line);
	if (!path || *frame == depth || line != state->lines[*frame])
		return 0;
	return find_line(state, path, line)->text;
}

/* 0: there is none; ~0: there is, and no room for it. */
static uint32_t whole_stack(struct ruby_thread *state, unsigned limit)
{
	size_t collections = ruby.rb_gc_count();
	int depth = ruby.rb_profile_frames(0, limit < DEPTH_MAX ? limit :
					   DEPTH_MAX, state->frames,
					   state->lines);
	bool same = state->collections == collections;
	int evaluated;
	uint32_t text = innermost(state, depth, &evaluated), stack = 0;

	state->collections = collections;
	for (int i = 0, from = depth - 1; i < depth; i++, from--) {
		value frame = state->frames[from];
		int line = state->lines[from];
		uint32_t file = from == evaluated ? text : 0, index;

		same = same && i < state->depth &&
			state->known[i].frame == frame &&
			state->known[i].line == line &&
			state->known[i].file == file;
		if (same) {
			stack = state->known[i].stack;
			continue;
		}
		index = index_of(state, frame, line, line || !stack ? 0 :
				 heap_state->stacks[stack].frame, file);
		stack = index ? stack_index(stack, index) : 0;
		state->depth = i;
		if (!stack)
			return ~0u;
		state->known[i].frame = frame;
		state->known[i].line = line;
		state->known[i].file = file;
		state->known[i].stack = stack;
	}
	state->depth = depth;
	return stack;
}

/* ---- a line of the program's own ---- */

/*
 * Ruby's own methods that are written in Ruby are no more of interest than
 * those in C: the line is the one that calls them.
 */
static uint32_t outside_stack(struct ruby_thread *state)
{
	int depth = ruby.rb_profile_frames(0, SEARCHED, state->frames,
					   state->lines);

	for (int i = 0; i < depth; i++) {
		const struct frame *frame = find_frame(state, state->frames[i],
			state->lines[i], 0);
		struct heap_frame line;

		if (frame->internal || !frame->index)
			continue;
		line = heap_state->frames[frame->index];
		line.function = 0;
		return stack_index(0, frame_index(&line));
	}
	return 0;
}

/* ---- what the thread is at ---- */

static uint32_t site_of(uint32_t stack, enum heap_kind kind)
{
	return stack == ~0u ? site_of_others(kind) :
		stack ? site_index(kind, 0, stack) : 0;
}

static uint32_t site_unlocked(struct ruby_thread *state, enum heap_kind kind)
{
	if (!state->last)
		return 0;
	if (state->unlocked_last != state->last) {
		state->unlocked_last = state->last;
		state->unlocked_stack = stack_unlocked(state->last);
		state->unlocked_site = site_of(state->unlocked_stack,
					       HEAP_KIND_MALLOC);
	}
	return kind == HEAP_KIND_MALLOC ? state->unlocked_site :
		site_of(state->unlocked_stack, kind);
}

/* A site that is no line. */
static uint32_t site_named(const char *name, uint8_t flags,
			   enum heap_kind kind, uint32_t *stack,
			   uint32_t *site)
{
	if (!*site) {
		struct heap_frame frame = {
			.language = HEAP_RUBY,
			.function = text_index(name),
			.flags = flags,
		};

		*stack = stack_index(0, frame_index(&frame));
		*site = site_of(*stack, HEAP_KIND_MALLOC);
	}
	return kind == HEAP_KIND_MALLOC ? *site : site_of(*stack, kind);
}

static uint32_t site_in_gc(struct ruby_thread *state, enum heap_kind kind)
{
	return site_named("(gc)", 0, kind, &state->gc_stack,
			  &state->gc_site);
}

static uint32_t site_when_quiet(struct ruby_thread *state,
				enum heap_kind kind)
{
	return site_named("(quiet)", HEAP_FRAME_QUIET, kind,
			  &state->quiet_stack, &state->quiet_site);
}

static uint32_t site_at_line(struct ruby_thread *state, enum heap_kind kind)
{
	const struct line *entry;
	const char *path;
	int line;

	path = source_location(&line);
	if (!path)
		return 0;
	entry = find_line(state, path, line);
	if (UNLIKELY(*path == '<' && is_internal(path))) {
		uint32_t stack = outside_stack(state);

		if (stack) {
			state->last = stack;
			return site_of(stack, kind);
		}
	}
	state->last = entry->stack;
	return LIKELY(kind == HEAP_KIND_MALLOC) ? entry->site :
		site_of(entry->stack ? entry->stack : ~0u, kind);
}

static uint32_t site_with_stack(struct ruby_thread *state,
				enum heap_kind kind)
{
	uint32_t stack = whole_stack(state, heap_options.stacks);

	state->last = stack == ~0u ? 0 : stack;
	return site_of(stack, kind);
}

/*
 * The thread runs Ruby code, and has the lock.  Before it does, and after its
 * end, there is no control frame: that is the third word of what Ruby knows
 * of the running code.
 */
static bool runs_ruby(void)
{
	void **ec = thread_local_pointer(&ruby.current_ec);

	/* What the others tell is of no worth after Ruby's own end. */
	return *ruby.ruby_current_vm_ptr && ec && ec[2] &&
		ruby.ruby_thread_has_gvl_p() && *ruby.rb_cObject;
}

static uint32_t ruby_site(struct thread *thread, enum heap_kind kind)
{
	struct ruby_thread *state;
	uint32_t site;

	if (UNLIKELY(between))
		return 0;
	state = thread_state(thread);
	if (UNLIKELY(!state || state->busy))
		return 0;
	if (UNLIKELY(language_quiet))
		return site_when_quiet(state, kind);
	if (UNLIKELY(!runs_ruby()))
		return site_unlocked(state, kind);
	if (UNLIKELY(ruby.rb_during_gc()))
		return site_in_gc(state, kind);
	state->busy = true;
	site = heap_options.stacks ?
		site_with_stack(state, kind) : site_at_line(state, kind);
	state->busy = false;
	return site;
}

static uint32_t ruby_stack(struct thread *thread)
{
	struct ruby_thread *state = between ? NULL : thread_state(thread);
	uint32_t stack;

	if (!state || state->busy)
		return 0;
	if (!runs_ruby())
		return state->last ? stack_unlocked(state->last) : 0;
	if (ruby.rb_during_gc())
		return site_in_gc(state, HEAP_KIND_MALLOC) ?
			state->gc_stack : 0;
	state->busy = true;
	stack = whole_stack(state, DEPTH_MAX);
	state->busy = false;
	return stack == ~0u ? 0 : stack;
}

static bool ruby_owns(uintptr_t address)
{
	return address >= ruby.code.start && address < ruby.code.end;
}

/* ---- what is in this process ---- */

EXPORT int pthread_getattr_np(unsigned long id, void *attributes);
EXPORT int pthread_getattr_np(unsigned long id, void *attributes)
{
	static int (*real)(unsigned long, void *);
	bool before = between;
	int error;

	if (!real)
		real = (__typeof__(real))dlsym(RTLD_NEXT,
					       "pthread_getattr_np");
	between = true;
	error = real(id, attributes);
	between = before;
	return error;
}

const struct language *ruby_find(void)
{
	static const struct language language = {
		.site = ruby_site, .stack = ruby_stack, .owns = ruby_owns,
	};

#define FIND(name) ruby.name = (__typeof__(ruby.name))dlsym(RTLD_DEFAULT, #name)
	FIND(rb_profile_frames);
	if (!ruby.rb_profile_frames)
		return NULL;
	FIND(ruby_thread_has_gvl_p);
	FIND(rb_during_gc);
	FIND(rb_gc_count);
	FIND(rb_source_location_cstr);
	FIND(rb_sourcefile);
	FIND(rb_sourceline);
	FIND(rb_profile_frame_path);
	FIND(rb_profile_frame_label);
	FIND(rb_profile_frame_method_name);
	FIND(rb_string_value_ptr);
	FIND(rb_cObject);
	FIND(ruby_current_vm_ptr);
#undef FIND
	ruby.current_ec = thread_local_find("ruby_current_ec");
	ruby.code = code_range_of((void *)ruby.rb_profile_frames);
	if (!ruby.current_ec.found || !ruby.ruby_thread_has_gvl_p ||
	    !ruby.rb_during_gc || !ruby.rb_gc_count || !ruby.rb_sourcefile ||
	    !ruby.rb_sourceline || !ruby.rb_profile_frame_path ||
	    !ruby.rb_profile_frame_label || !ruby.rb_string_value_ptr ||
	    !ruby.rb_cObject || !ruby.ruby_current_vm_ptr)
		return NULL;
	return &language;
}
