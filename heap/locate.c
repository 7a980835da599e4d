/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names places; see locate.h.  The process has gone when this is needed, so
 * it knows paths and not mappings.  A file that is not any more the one that
 * was mapped gives no names: they would be wrong.
 */
#include "config.h"

#include "locate.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debug-file.h"
#include "symbols/elf-file.h"
#include "symbols/intern.h"
#include "symbols/source.h"
#include "symbols/symbols.h"

/* A file that has been opened, or could not be. */
struct object {
	struct object *next;
	const char *path;
	uint64_t inode, mtime;
	bool opened, has_debug;
	struct elf_file elf, debug;
	struct symbols *symbols;
	struct source *source;
};

static struct object *objects;

static bool is_unchanged(int fd, const struct heap_module *module)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) &&
		status.st_dev == module->device &&
		status.st_ino == module->inode &&
		(uint64_t)status.st_mtim.tv_sec * 1000000000 +
		status.st_mtim.tv_nsec == module->mtime;
}

static bool find_build_id(const struct elf_file *elf, char *text, size_t size)
{
	uint8_t id[64];
	size_t length = sizeof(id);

	if (!elf_note(elf, "GNU", NT_GNU_BUILD_ID, id, &length) ||
	    2 * length >= size)
		return false;
	for (size_t i = 0; i < length; i++) {
		text[2 * i] = "0123456789abcdef"[id[i] >> 4];
		text[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	text[2 * length] = '\0';
	return true;
}

static void open_object(struct object *object,
			const struct heap_module *module)
{
	const struct elf_file *symbols = &object->elf;
	int fd = open(object->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char build_id[129];

	if (fd < 0)
		return;
	if (!is_unchanged(fd, module)) {
		close(fd);
		return;
	}
	if (!elf_open(&object->elf, fd))
		return;
	object->opened = true;
	object->source = source_open(&object->elf);
	if (!symbols_full(&object->elf) || !object->source)
		object->has_debug = debug_file_open(&object->elf, object->path,
			find_build_id(&object->elf, build_id,
				      sizeof(build_id)) ? build_id : NULL,
			&object->debug);
	if (object->has_debug && !symbols_full(symbols) &&
	    symbols_full(&object->debug))
		symbols = &object->debug;
	object->symbols = symbols_load(symbols);
	if (!object->source && object->has_debug)
		object->source = source_open(&object->debug);
}

static struct object *find_object(const struct heap_module *module,
				  const char *path)
{
	struct object *object = objects;

	while (object && !(object->path == path &&
			   object->inode == module->inode &&
			   object->mtime == module->mtime))
		object = object->next;
	if (object)
		return object;
	object = calloc(1, sizeof(*object));
	if (!object)
		return NULL;
	object->path = path;
	object->inode = module->inode;
	object->mtime = module->mtime;
	object->next = objects;
	objects = object;
	open_object(object, module);
	return object;
}

static const char *interned(const char *text)
{
	return text ? intern(text, strlen(text)) : NULL;
}

void locate_address(const struct heap_file *file, uint64_t address,
		    uint32_t module_index, struct location *location)
{
	const struct heap_module *module = heap_file_module(file,
							    module_index);
	const char *path = module ?
		interned(heap_file_string(file, module->path)) : NULL;
	const char *name = NULL;
	struct object *object;

	*location = (struct location){ .offset = address };
	if (!path)
		return;
	location->module = path;
	location->offset = address - module->bias;
	/* The call is before what it returns to. */
	address -= module->bias + 1;
	object = find_object(module, path);
	if (!object || !object->opened)
		return;
	if (object->symbols)
		name = symbols_find(object->symbols, address,
				    &location->offset);
	if (name) {
		location->function = symbols_demangle(name);
		location->offset++;
	}
	if (object->source &&
	    !source_find(object->source, address, &location->file,
			 &location->line))
		location->file = NULL;
}

void locate_frame(const struct heap_file *file, uint32_t index,
		  struct location *location)
{
	const struct heap_frame *frame = heap_file_frame(file, index);

	if (frame && frame->address) {
		locate_address(file, frame->address, frame->module, location);
		return;
	}
	*location = (struct location){ 0 };
	if (!frame)
		return;
	location->function = interned(heap_file_string(file,
						       frame->function));
	location->file = interned(heap_file_string(file, frame->file));
	location->line = frame->line;
	location->language = frame->language < HEAP_LANGUAGES ?
		frame->language : HEAP_NATIVE;
	location->unlocked = frame->flags & HEAP_FRAME_UNLOCKED;
}

void locate_site(const struct heap_file *file, const struct heap_site *site,
		 struct location *location)
{
	const struct heap_stack *stack = heap_file_stack(file, site->stack);

	if (site->stack)
		locate_frame(file, stack ? stack->frame : 0, location);
	else
		locate_address(file, site->address, site->module, location);
}

void locate_fini(void)
{
	while (objects) {
		struct object *object = objects;

		objects = object->next;
		source_close(object->source);
		symbols_free(object->symbols);
		if (object->has_debug)
			elf_close(&object->debug);
		if (object->opened)
			elf_close(&object->elf);
		free(object);
	}
}
