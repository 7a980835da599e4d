/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The line of Python that runs.  CPython's public functions make objects for
 * that, which must not be done where memory is allocated; so its frames are
 * read where they are, by a table of where each version has what.  A version
 * that is not in the table is left alone.
 *
 * Only a thread with Python's lock looks: nobody else changes its frames.
 * Nothing is remembered by the addresses of Python's objects.
 */
#include "language.h"

#include <dlfcn.h>
#include <string.h>

enum {
	DEPTH_MAX = 512,	/* frames of a stack */
	OWNED_BY_GENERATOR = 1,	/* enum _frameowner */
};

/* Offsets in bytes. */
struct layout {
	unsigned version;		/* as in Py_Version, without micro */
	struct {
		unsigned interp, cframe;
	} thread;			/* PyThreadState */
	unsigned current_frame;		/* in _PyCFrame */
	struct {
		unsigned code, previous, prev_instr, owner;
	} frame;			/* _PyInterpreterFrame */
	struct {
		unsigned filename, qualname, first_traceable, instructions;
	} code;				/* PyCodeObject */
};

static const struct layout layouts[] = {
	{
		.version = 0x030b,
		.thread = { .interp = 16, .cframe = 56 },
		.current_frame = 8,
		.frame = { .code = 32, .previous = 48, .prev_instr = 56,
			   .owner = 69 },
		.code = { .filename = 112, .qualname = 128,
			  .first_traceable = 168, .instructions = 184 },
	},
};

/* The start of every object, and of a type. */
struct object {
	ptrdiff_t references;
	const void *type;
};

struct type {
	struct object object;
	ptrdiff_t size;
	const char *name;
	ptrdiff_t basic_size;
};

/* Python's functions and variables; none of these allocates. */
static struct {
	void *(*_PyThreadState_UncheckedGet)(void);
	void *(*PyGILState_GetThisThreadState)(void);
	void *(*PyThreadState_GetInterpreter)(void *thread);
	int (*PyCode_Addr2Line)(void *code, int offset);
	ptrdiff_t (*PyUnicode_GetLength)(void *string);
	uint32_t (*PyUnicode_ReadChar)(void *string, ptrdiff_t index);
	const struct type *PyCode_Type;
	const struct type *PyUnicode_Type;
	const unsigned long *Py_Version;
	const struct layout *layout;
	struct code_range code;
} python;

static void *pointer_at(const void *object, unsigned offset)
{
	void *pointer;

	memcpy(&pointer, (const char *)object + offset, sizeof(pointer));
	return pointer;
}

static int int_at(const void *object, unsigned offset)
{
	int number;

	memcpy(&number, (const char *)object + offset, sizeof(number));
	return number;
}

/* What is being freed has no references any more, and half of its parts. */
static bool is_a(const void *pointer, const struct type *type)
{
	const struct object *object = pointer;

	return object && object->references > 0 && object->type == type;
}

/* ---- text ---- */

/* UTF-8; bytes of file names that were none are what they were. */
static size_t encode(uint32_t c, char *text)
{
	size_t size = 0;

	if (c < 0x80) {
		text[size++] = c;
	} else if (c >= 0xdc80 && c <= 0xdcff) {
		text[size++] = c - 0xdc00;
	} else if (c < 0x800) {
		text[size++] = 0xc0 | c >> 6;
		text[size++] = 0x80 | (c & 0x3f);
	} else if (c < 0x10000) {
		text[size++] = 0xe0 | c >> 12;
		text[size++] = 0x80 | (c >> 6 & 0x3f);
		text[size++] = 0x80 | (c & 0x3f);
	} else {
		text[size++] = 0xf0 | c >> 18;
		text[size++] = 0x80 | (c >> 12 & 0x3f);
		text[size++] = 0x80 | (c >> 6 & 0x3f);
		text[size++] = 0x80 | (c & 0x3f);
	}
	return size;
}

/* 0: no string, or no room. */
static uint32_t text_index(void *string)
{
	char text[HEAP_STRING_MAX + 4];
	size_t size = 0;
	ptrdiff_t length;

	if (!is_a(string, python.PyUnicode_Type))
		return 0;
	length = python.PyUnicode_GetLength(string);
	for (ptrdiff_t i = 0; i < length && size < HEAP_STRING_MAX; i++)
		size += encode(python.PyUnicode_ReadChar(string, i),
			       text + size);
	return string_index(text, size < HEAP_STRING_MAX ? size :
			    HEAP_STRING_MAX);
}

/* ---- frames ---- */

/* The innermost frame of this thread; NULL: none, or it has not the lock. */
static void *innermost(void)
{
	void *thread = python._PyThreadState_UncheckedGet();
	void *cframe;

	if (!thread || thread != python.PyGILState_GetThisThreadState() ||
	    pointer_at(thread, python.layout->thread.interp) !=
	    python.PyThreadState_GetInterpreter(thread))
		return NULL;
	cframe = pointer_at(thread, python.layout->thread.cframe);
	return cframe ? pointer_at(cframe, python.layout->current_frame) :
		NULL;
}

/* How far a frame is in the instructions of its code. */
static ptrdiff_t position(void *frame, void *code)
{
	return (char *)pointer_at(frame, python.layout->frame.prev_instr) -
		((char *)code + python.layout->code.instructions);
}

/* This frame or the next outer one that runs, as in Python's tracebacks. */
static void *running(void *frame)
{
	for (; frame; frame = pointer_at(frame, python.layout->frame.previous)) {
		void *code = pointer_at(frame, python.layout->frame.code);

		if (!is_a(code, python.PyCode_Type))
			continue;
		if (((char *)frame)[python.layout->frame.owner] ==
		    OWNED_BY_GENERATOR ||
		    position(frame, code) >= 2 * int_at(code,
				python.layout->code.first_traceable))
			break;
	}
	return frame;
}

static uint32_t index_of(void *frame, bool function)
{
	void *code = pointer_at(frame, python.layout->frame.code);
	int line = python.PyCode_Addr2Line(code, position(frame, code));
	struct heap_frame known = {
		.language = HEAP_PYTHON,
		.line = line > 0 ? line : 0,
		.file = text_index(pointer_at(code,
					python.layout->code.filename)),
	};

	if (function)
		known.function = text_index(pointer_at(code,
					python.layout->code.qualname));
	return known.file || known.function ? frame_index(&known) : 0;
}

/* 0: there is none; ~0: there is, and no room for it. */
static uint32_t whole_stack(unsigned limit)
{
	void *frames[DEPTH_MAX];
	void *frame = running(innermost());
	unsigned depth = 0;
	uint32_t stack = 0;

	while (frame && depth < limit && depth < DEPTH_MAX) {
		frames[depth++] = frame;
		frame = running(pointer_at(frame,
					   python.layout->frame.previous));
	}
	while (depth) {
		uint32_t index = index_of(frames[--depth], true);

		stack = index ? stack_index(stack, index) : 0;
		if (!stack)
			return ~0u;
	}
	return stack;
}

static uint32_t line_stack(void)
{
	void *frame = running(innermost());
	uint32_t index, stack;

	if (!frame)
		return 0;
	index = index_of(frame, false);
	stack = index ? stack_index(0, index) : 0;
	return stack ? stack : ~0u;
}

static uint32_t python_site(struct thread *thread, enum heap_kind kind)
{
	uint32_t stack = heap_options.stacks ?
		whole_stack(heap_options.stacks) : line_stack();

	(void)thread;
	return stack == ~0u ? site_of_others(kind) :
		stack ? site_index(kind, 0, stack) : 0;
}

static uint32_t python_stack(struct thread *thread)
{
	uint32_t stack = whole_stack(DEPTH_MAX);

	(void)thread;
	return stack == ~0u ? 0 : stack;
}

static bool python_owns(uintptr_t address)
{
	return address >= python.code.start && address < python.code.end;
}

/* ---- what is in this process ---- */

/* NULL: this version, or the way that it was built, is not known. */
static const struct layout *find_layout(void)
{
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if (*python.Py_Version >> 16 == layouts[i].version &&
		    python.PyCode_Type->basic_size ==
		    layouts[i].code.instructions)
			return &layouts[i];
	return NULL;
}

const struct language *python_find(void)
{
	static const struct language language = {
		.site = python_site, .stack = python_stack,
		.owns = python_owns,
	};

#define FIND(name) \
	(python.name = (__typeof__(python.name))dlsym(RTLD_DEFAULT, #name))
	if (!FIND(Py_Version) || !FIND(_PyThreadState_UncheckedGet) ||
	    !FIND(PyGILState_GetThisThreadState) ||
	    !FIND(PyThreadState_GetInterpreter) || !FIND(PyCode_Addr2Line) ||
	    !FIND(PyUnicode_GetLength) || !FIND(PyUnicode_ReadChar) ||
	    !FIND(PyCode_Type) || !FIND(PyUnicode_Type))
		return NULL;
#undef FIND
	python.layout = find_layout();
	python.code = code_range_of((void *)python.PyCode_Addr2Line);
	return python.layout ? &language : NULL;
}
