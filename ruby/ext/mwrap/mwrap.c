/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The module Mwrap: asks libtracer-heap.so, which was preloaded, what it has
 * counted.  All counting is done there; see tracer-heap.h.
 */
#include <ruby.h>
#include <ruby/debug.h>
#include <ruby/io.h>
#include <ruby/thread.h>

#include <dlfcn.h>
#include <math.h>

#include <tracer-heap.h>

static struct {
	size_t (*locations)(struct tracer_heap_location *list, size_t room);
	size_t (*name)(uint64_t id, char *text, size_t size);
	uint64_t (*find)(const char *name);
	size_t (*blocks)(uint64_t id, struct tracer_heap_block *list,
			 size_t room);
	void (*totals)(uint64_t *allocated, uint64_t *freed);
	void (*reset)(void);
	void (*quiet)(int change);
	void (*collects)(uint32_t count);
	void (*dump)(int fd, uint64_t min);
} heap;

static VALUE source_location_class;

/* ---- lists, which Ruby frees whatever happens meanwhile ---- */

static struct tracer_heap_location *list_locations(VALUE *buffer,
						   size_t *count)
{
	size_t room = heap.locations(NULL, 0) + 256;
	struct tracer_heap_location *list;

	heap.quiet(1);
	list = rb_alloc_tmp_buffer2(buffer, room, sizeof(*list));
	heap.quiet(-1);
	*count = heap.locations(list, room);
	if (*count > room)
		*count = room;
	return list;
}

static VALUE name_of(uint64_t id)
{
	char text[8192];
	size_t length = heap.name(id, text, sizeof(text));

	if (length >= sizeof(text))
		length = sizeof(text) - 1;
	return rb_str_freeze(rb_external_str_new(text, length));
}

static uint64_t optional_min(int argc, VALUE *argv, int at)
{
	return argc > at && !NIL_P(argv[at]) ? NUM2ULL(argv[at]) : 0;
}

/* ---- Mwrap ---- */

struct dump {
	int fd;
	uint64_t min;
};

static void *dump_without_lock(void *closure)
{
	const struct dump *dump = closure;

	heap.dump(dump->fd, dump->min);
	return NULL;
}

/*
 * call-seq: Mwrap.dump([io [, min]]) -> nil
 *
 * Writes a line for each location that has allocated more than min bytes: how
 * many those were, in how many allocations, and where.
 */
static VALUE mwrap_dump(int argc, VALUE *argv, VALUE module)
{
	VALUE io = rb_stderr;
	struct dump dump = { 0 };
	rb_io_t *file;

	(void)module;
	rb_check_arity(argc, 0, 2);
	if (argc && !NIL_P(argv[0]))
		io = argv[0];
	dump.min = optional_min(argc, argv, 1);
	io = rb_io_get_io(io);
	GetOpenFile(io, file);
	rb_io_flush(io);
	dump.fd = NUM2INT(rb_funcall(io, rb_intern("fileno"), 0));
	rb_thread_call_without_gvl(dump_without_lock, &dump, NULL, NULL);
	RB_GC_GUARD(io);
	return Qnil;
}

/*
 * call-seq: Mwrap.each([min]) { |location, total, allocations, frees,
 *                                age_total, max_lifespan| ... }
 *
 * Yields each location that has allocated more than min bytes.
 */
static VALUE mwrap_each(int argc, VALUE *argv, VALUE module)
{
	uint64_t min;
	size_t count;
	VALUE buffer;
	struct tracer_heap_location *list;

	rb_check_arity(argc, 0, 1);
	RETURN_ENUMERATOR(module, argc, argv);
	min = optional_min(argc, argv, 0);
	list = list_locations(&buffer, &count);
	for (size_t i = 0; i < count; i++)
		if (list[i].bytes > min)
			rb_yield_values(6, name_of(list[i].id),
					ULL2NUM(list[i].bytes),
					ULL2NUM(list[i].allocations),
					ULL2NUM(list[i].frees),
					ULL2NUM(list[i].generations),
					ULL2NUM(list[i].generations_max));
	rb_free_tmp_buffer(&buffer);
	return module;
}

/*
 * call-seq: Mwrap.reset -> nil
 *
 * Begins to count at zero.  Blocks that are alive stay so.
 */
static VALUE mwrap_reset(VALUE module)
{
	(void)module;
	heap.reset();
	return Qnil;
}

static __thread int depth;

static VALUE yield_depth(VALUE unused)
{
	(void)unused;
	return rb_yield(INT2NUM(depth));
}

static VALUE end_quiet(VALUE unused)
{
	(void)unused;
	depth--;
	heap.quiet(-1);
	return Qnil;
}

/*
 * call-seq: Mwrap.quiet { |depth| ... } -> value of the block
 *
 * What the thread allocates in the block is in no location.
 */
static VALUE mwrap_quiet(VALUE module)
{
	(void)module;
	rb_need_block();
	depth++;
	heap.quiet(1);
	return rb_ensure(yield_depth, Qnil, end_quiet, Qnil);
}

static VALUE location_object(uint64_t id)
{
	VALUE object = rb_obj_alloc(source_location_class);

	rb_ivar_set(object, rb_intern("id"), ULL2NUM(id));
	return object;
}

/*
 * call-seq: Mwrap[name] -> SourceLocation or nil
 *
 * The location of a name, "file:line" or "...[0xADDRESS]".
 */
static VALUE mwrap_aref(VALUE module, VALUE name)
{
	const char *text = StringValueCStr(name);
	uint64_t id = heap.find(text);

	(void)module;
	return id ? location_object(id) : Qnil;
}

/* call-seq: Mwrap.total_bytes_allocated -> Integer */
static VALUE mwrap_total_allocated(VALUE module)
{
	uint64_t allocated, freed;

	(void)module;
	heap.totals(&allocated, &freed);
	return ULL2NUM(allocated);
}

/* call-seq: Mwrap.total_bytes_freed -> Integer */
static VALUE mwrap_total_freed(VALUE module)
{
	uint64_t allocated, freed;

	(void)module;
	heap.totals(&allocated, &freed);
	return ULL2NUM(freed);
}

/* ---- Mwrap::SourceLocation ---- */

static uint64_t id_of(VALUE self)
{
	return NUM2ULL(rb_ivar_get(self, rb_intern("id")));
}

/* All zero if it has allocated nothing since the last reset. */
static struct tracer_heap_location values_of(VALUE self)
{
	struct tracer_heap_location values = { .id = id_of(self) };
	size_t count;
	VALUE buffer;
	struct tracer_heap_location *list = list_locations(&buffer, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].id == values.id)
			values = list[i];
	rb_free_tmp_buffer(&buffer);
	return values;
}

/* The name of the location, which Mwrap[] takes. */
static VALUE location_name(VALUE self)
{
	return name_of(id_of(self));
}

/* Bytes that were asked for. */
static VALUE location_total(VALUE self)
{
	return ULL2NUM(values_of(self).bytes);
}

/* How many blocks were allocated. */
static VALUE location_allocations(VALUE self)
{
	return ULL2NUM(values_of(self).allocations);
}

/* How many of them were freed. */
static VALUE location_frees(VALUE self)
{
	return ULL2NUM(values_of(self).frees);
}

/*
 * How many times garbage was collected while a block was alive, of those that
 * were freed.
 */
static VALUE location_mean_lifespan(VALUE self)
{
	struct tracer_heap_location values = values_of(self);

	return DBL2NUM(values.frees ?
		       (double)values.generations / values.frees : INFINITY);
}

/* The most of these. */
static VALUE location_max_lifespan(VALUE self)
{
	return ULL2NUM(values_of(self).generations_max);
}

struct search {
	uint64_t id;
	struct tracer_heap_block *list;
	size_t room, count;
};

/*
 * call-seq: location.each { |size, generation| ... } -> location
 *
 * Yields each of its blocks that is alive, with the GC.count of when it was
 * allocated.  All memory is looked at for them.
 */
static VALUE location_each(VALUE self)
{
	struct search search = { .id = id_of(self) };
	VALUE buffer;

	RETURN_ENUMERATOR(self, 0, NULL);
	search.room = heap.blocks(search.id, NULL, 0) + 64;
	heap.quiet(1);
	search.list = rb_alloc_tmp_buffer2(&buffer, search.room,
					   sizeof(*search.list));
	heap.quiet(-1);
	search.count = heap.blocks(search.id, search.list, search.room);
	for (size_t i = 0; i < search.count && i < search.room; i++)
		rb_yield_values(2, ULL2NUM(search.list[i].size),
				ULL2NUM(search.list[i].generation));
	rb_free_tmp_buffer(&buffer);
	return self;
}

/* ---- Mwrap::HeapPageBody ---- */

#ifdef HAVE_RB_OBJSPACE_EACH_OBJECTS
/* Ruby exports it, and does not declare it. */
void rb_objspace_each_objects(int (*callback)(void *start, void *end,
					      size_t stride, void *closure),
			      void *closure);

static int add_page(void *start, void *end, size_t stride, void *closure)
{
	VALUE pages = (VALUE)closure;

	(void)end;
	(void)stride;
	rb_ary_push(pages, ULL2NUM((uintptr_t)start));
	return 0;
}

/* The first object of each page. */
static VALUE page_addresses(VALUE module)
{
	VALUE pages = rb_ary_new();

	(void)module;
	rb_objspace_each_objects(add_page, (void *)pages);
	RB_GC_GUARD(pages);
	return pages;
}
#else
static VALUE page_addresses(VALUE module)
{
	(void)module;
	return rb_ary_new();
}
#endif

/* ---- the beginning ---- */

static void collection_begins(VALUE point, void *closure)
{
	(void)point;
	(void)closure;
	heap.collects(rb_gc_count());
}

static void find_library(void)
{
#define FIND(name)							\
	heap.name = (__typeof__(heap.name))dlsym(RTLD_DEFAULT,		\
						 "tracer_heap_" #name)
	FIND(locations);
	FIND(name);
	FIND(find);
	FIND(blocks);
	FIND(totals);
	FIND(reset);
	FIND(quiet);
	FIND(collects);
	FIND(dump);
#undef FIND
	if (!heap.locations || !heap.name || !heap.find || !heap.blocks ||
	    !heap.totals || !heap.reset || !heap.quiet || !heap.collects ||
	    !heap.dump)
		rb_raise(rb_eLoadError, "mwrap counts what is allocated from "
			 "the start of a program: run it by \"mwrap COMMAND\" "
			 "or \"tracer-heap COMMAND\", or preload "
			 "libtracer-heap.so");
}

static void define_heap_page_body(VALUE mwrap)
{
	VALUE pages = rb_define_class_under(mwrap, "HeapPageBody",
					    rb_cObject);

	rb_undef_alloc_func(pages);
	rb_define_singleton_method(pages, "addresses",
				   page_addresses, 0);
}

static void define_source_location(VALUE mwrap)
{
	source_location_class = rb_define_class_under(mwrap, "SourceLocation",
						      rb_cObject);
	rb_gc_register_mark_object(source_location_class);
	rb_undef_method(rb_singleton_class(source_location_class), "new");
#define METHOD(name) rb_define_method(source_location_class, #name,	\
				      location_##name, 0)
	METHOD(each);
	METHOD(name);
	METHOD(total);
	METHOD(allocations);
	METHOD(frees);
	METHOD(mean_lifespan);
	METHOD(max_lifespan);
#undef METHOD
}

void Init_mwrap_ext(void);
void Init_mwrap_ext(void)
{
	VALUE mwrap, point;

	find_library();
	mwrap = rb_define_module("Mwrap");
	rb_define_singleton_method(mwrap, "dump", mwrap_dump, -1);
	rb_define_singleton_method(mwrap, "each", mwrap_each, -1);
	rb_define_singleton_method(mwrap, "reset", mwrap_reset, 0);
	rb_define_singleton_method(mwrap, "clear", mwrap_reset, 0);
	rb_define_singleton_method(mwrap, "quiet", mwrap_quiet, 0);
	rb_define_singleton_method(mwrap, "[]", mwrap_aref, 1);
	rb_define_singleton_method(mwrap, "total_bytes_allocated",
				   mwrap_total_allocated, 0);
	rb_define_singleton_method(mwrap, "total_bytes_freed",
				   mwrap_total_freed, 0);
	define_source_location(mwrap);
	define_heap_page_body(mwrap);
	heap.collects(rb_gc_count());
	point = rb_tracepoint_new(0, RUBY_INTERNAL_EVENT_GC_START,
				  collection_begins, NULL);
	rb_gc_register_mark_object(point);
	rb_tracepoint_enable(point);
}
