/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of modules; see module.h.
 */
#include "config.h"

#include "symbols/module.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "symbols/debug-file.h"
#include "symbols/intern.h"
#include "symbols/jit-object.h"
#include "symbols/lookup.h"
#include "mem.h"
#include "mmap_cache.h"
#include "symbols/source.h"
#include "symbols/symbols.h"
#include "tracee.h"

enum {
	BUILD_ID_MAX = 64,	/* bytes */
	IDLE_MAX = 64,		/* modules kept that no space has mapped */
	IMAGE_MAX = 64 << 20,	/* bytes of a file rebuilt from memory */
	INLINED_MAX = 32,	/* functions in each other */
};

/* What makes a file the same file. */
struct identity {
	dev_t dev;		/* 0: an image taken from memory */
	ino_t inode;
	uint64_t size;
	struct timespec modified, changed;
	const char *build_id;	/* of an image; else NULL */
};

struct module {
	struct module *next;
	struct identity identity;
	unsigned refs;
	uint64_t idle_since;
	const char *build_id;
	char *path;		/* where its debug file is looked for */
	struct elf_file elf, debug, embedded;
	bool debug_tried, symbols_tried, cfi_tried, source_tried;
	bool has_debug, has_embedded;
	bool jit_tried, has_jit;
	uint64_t jit_descriptor;
	struct symbols *symbols, *embedded_symbols;
	struct cfi *cfi;
	struct source *source;
	struct site **sites;	/* open hash table */
	size_t site_count, site_capacity;
	struct module_extra extra;
};

uint64_t module_opens, module_shares, module_sites;

static struct module *modules;
static size_t idle_count;
static uint64_t idle_clock;

/* ---- finding the file ---- */

/* Whether the file has the bytes that are mapped. */
static bool has_same_bytes(int fd, const struct mapping *mapping,
			   struct view *view)
{
	uint8_t in_file[1024], in_memory[sizeof(in_file)];
	size_t size = mapping->end - mapping->start;

	if (size > sizeof(in_file))
		size = sizeof(in_file);

	ssize_t got = pread(fd, in_file, size, mapping->offset);

	return got > 0 && view_read_exactly(view, mapping->start, in_memory,
					    got) &&
		!memcmp(in_file, in_memory, got);
}

/*
 * Opens path if it is the file that is mapped.  Some file systems (btrfs,
 * overlayfs) show another device in maps than in stat: then the bytes tell.
 */
static int open_if_mapped(const char *path, const struct mapping *mapping,
			  struct view *view)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) ||
	    st.st_ino != mapping->inode)
		return -1;

	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (major(st.st_dev) != mapping->dev_major ||
			minor(st.st_dev) != mapping->dev_minor) &&
	    !has_same_bytes(fd, mapping, view)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int open_in_proc(pid_t pid, const char *rest,
			const struct mapping *mapping, struct view *view)
{
	char *path;
	int fd = -1;

	if (asprintf(&path, "/proc/%d/%s", pid, rest) >= 0) {
		fd = open_if_mapped(path, mapping, view);
		free(path);
	}
	return fd;
}

/* The file of a mapping, or -1. */
static int open_mapped(struct space *space, const struct mapping *mapping,
		       struct view *view)
{
	char range[64];
	int fd = -1;

	if (!mapping->deleted)
		fd = open_if_mapped(mapping->path, mapping, view);
	if (fd < 0 && !mapping->deleted) {
		char *rest;

		/* In the tracee's mount namespace. */
		if (asprintf(&rest, "root%s", mapping->path) >= 0) {
			fd = open_in_proc(space->pid, rest, mapping, view);
			free(rest);
		}
	}
	if (fd < 0) {
		snprintf(range, sizeof(range), "map_files/%llx-%llx",
			 (unsigned long long)mapping->start,
			 (unsigned long long)mapping->end);
		fd = open_in_proc(space->pid, range, mapping, view);
	}
	if (fd < 0)
		fd = open_in_proc(space->pid, "exe", mapping, view);
	return fd;
}

/* ---- images in memory ---- */

static bool same_file(const struct mapping *a, const struct mapping *b)
{
	return a->inode == b->inode && a->dev_major == b->dev_major &&
		a->dev_minor == b->dev_minor && !strcmp(a->path, b->path);
}

/*
 * The mappings of the same file around the one at `at', as far as they lie in
 * the file's order: those of one loading of it.
 */
static void find_neighbours(const struct mapping *mappings, size_t count,
			    size_t at, size_t *first, size_t *last)
{
	*first = *last = at;
	while (*first && same_file(&mappings[*first - 1], &mappings[at]) &&
	       mappings[*first - 1].offset <= mappings[*first].offset)
		--*first;
	while (*last + 1 < count &&
	       same_file(&mappings[*last + 1], &mappings[at]) &&
	       mappings[*last + 1].offset >= mappings[*last].offset)
		++*last;
}

/*
 * Rebuilds the mapped parts of a file that cannot be opened: the vDSO, or a
 * deleted file without the right to look into map_files.
 */
static bool open_image(struct space *space, const struct mapping *wanted,
		       struct view *view, struct elf_file *elf)
{
	const struct mapping *mappings;
	uint64_t start = wanted->start;
	size_t count, at = 0, first, last;

	if (!mmap_cache_get(space, &mappings, &count))
		return false;
	while (at < count && mappings[at].end <= start)
		at++;
	if (at == count || mappings[at].start > start)
		return false;
	find_neighbours(mappings, count, at, &first, &last);

	const struct mapping *end = &mappings[last];
	bool is_file = end->inode != 0;
	uint64_t base = mappings[first].start - mappings[first].offset;
	uint64_t size = is_file ? end->offset + (end->end - end->start) :
		end->end - base;

	if (size > IMAGE_MAX)
		return false;

	uint8_t *image = calloc(1, size);

	if (!image)
		return false;
	for (size_t i = first; i <= last; i++) {
		const struct mapping *m = &mappings[i];
		uint64_t offset = is_file ? m->offset : m->start - base;

		view_read(view, m->start, image + offset, m->end - m->start);
	}
	if (!elf_open_memory(elf, image, size))
		return false;
	elf->bias = base;
	return true;
}

/* ---- the table ---- */

static bool same_identity(const struct identity *a, const struct identity *b)
{
	return a->dev == b->dev && a->inode == b->inode &&
		a->size == b->size && a->build_id == b->build_id &&
		!memcmp(&a->modified, &b->modified, sizeof(a->modified)) &&
		!memcmp(&a->changed, &b->changed, sizeof(a->changed));
}

static struct module *find_module(const struct identity *identity)
{
	for (struct module *m = modules; m; m = m->next)
		if (same_identity(&m->identity, identity))
			return m;
	return NULL;
}

static const char *read_build_id(const struct elf_file *elf)
{
	uint8_t id[BUILD_ID_MAX];
	char hex[2 * BUILD_ID_MAX];
	size_t size = sizeof(id);

	if (!elf_note(elf, "GNU", NT_GNU_BUILD_ID, id, &size))
		return NULL;
	for (size_t i = 0; i < size; i++) {
		hex[2 * i] = "0123456789abcdef"[id[i] >> 4];
		hex[2 * i + 1] = "0123456789abcdef"[id[i] & 15];
	}
	return intern(hex, 2 * size);
}

static void free_module(struct module *module)
{
	if (module->extra.free)
		module->extra.free(module->extra.data);
	for (size_t i = 0; i < module->site_capacity; i++) {
		if (module->sites[i])
			free(module->sites[i]->inlined);
		free(module->sites[i]);
	}
	free(module->sites);
	source_close(module->source);
	cfi_free(module->cfi);
	symbols_free(module->symbols);
	symbols_free(module->embedded_symbols);
	if (module->has_embedded)
		elf_close(&module->embedded);
	if (module->has_debug)
		elf_close(&module->debug);
	elf_close(&module->elf);
	free(module->path);
	free(module);
}

/* Makes a module of elf, which it takes over. */
static struct module *add_module(const struct identity *identity,
				 struct elf_file *elf, const char *path)
{
	struct module *module = calloc(1, sizeof(*module));

	if (!module) {
		elf_close(elf);
		return NULL;
	}
	module->identity = *identity;
	module->elf = *elf;
	module->build_id = identity->build_id ? identity->build_id :
		read_build_id(elf);
	module->path = strdup(path);
	module->next = modules;
	modules = module;
	module_opens++;
	return module;
}

static struct module *open_file(int fd, const char *path)
{
	struct identity identity = { 0 };
	struct elf_file elf;
	struct stat st;

	if (fstat(fd, &st)) {
		close(fd);
		return NULL;
	}
	identity.dev = st.st_dev;
	identity.inode = st.st_ino;
	identity.size = st.st_size;
	identity.modified = st.st_mtim;
	identity.changed = st.st_ctim;

	struct module *module = find_module(&identity);

	if (module) {
		close(fd);
		module_shares++;
		return module;
	}
	return elf_open(&elf, fd) ? add_module(&identity, &elf, path) : NULL;
}

/* Images are the same if their build-ids are; without one, every one is new. */
static struct module *open_from_memory(struct space *space,
				       const struct mapping *mapping,
				       struct view *view)
{
	struct identity identity = { 0 };
	char *path = strdup(mapping->path);
	struct module *module = NULL;
	struct elf_file elf;

	if (path && open_image(space, mapping, view, &elf)) {
		identity.size = elf.size;
		identity.build_id = read_build_id(&elf);
		if (identity.build_id)
			module = find_module(&identity);
		if (module) {
			elf_close(&elf);
			module_shares++;
		} else {
			module = add_module(&identity, &elf, path);
		}
	}
	free(path);
	return module;
}

struct module *module_open(struct space *space, const struct mapping *mapping,
			   struct view *view)
{
	struct module *module = NULL;

	if (mapping->path[0] == '/') {
		int fd = open_mapped(space, mapping, view);

		if (fd >= 0)
			module = open_file(fd, mapping->path);
		else
			module = open_from_memory(space, mapping, view);
	} else if (!strcmp(mapping->path, "[vdso]")) {
		module = open_from_memory(space, mapping, view);
	}
	if (module)
		module_hold(module);
	return module;
}

struct module *module_open_object(const uint8_t *bytes, size_t size,
				  uint64_t *start, uint64_t *end)
{
	const struct identity identity = { .size = size };
	struct module *module = NULL;
	struct elf_file elf;

	if (jit_object_open(&elf, bytes, size, start, end))
		module = add_module(&identity, &elf, "");
	if (module)
		module_hold(module);
	return module;
}

void module_hold(struct module *module)
{
	if (!module->refs++ && module->idle_since) {
		module->idle_since = 0;
		idle_count--;
	}
}

static void take_out(struct module *module)
{
	struct module **link = &modules;

	while (*link != module)
		link = &(*link)->next;
	*link = module->next;
	free_module(module);
}

static void free_oldest_idle(void)
{
	struct module *oldest = NULL;

	for (struct module *m = modules; m; m = m->next)
		if (m->idle_since &&
		    (!oldest || m->idle_since < oldest->idle_since))
			oldest = m;
	idle_count--;
	take_out(oldest);
}

/* An image without a build-id cannot be told from another. */
static bool can_be_found_again(const struct module *module)
{
	return module->identity.dev || module->identity.build_id;
}

void module_release(struct module *module)
{
	if (--module->refs)
		return;
	if (!can_be_found_again(module)) {
		take_out(module);
		return;
	}
	module->idle_since = ++idle_clock;
	if (++idle_count > IDLE_MAX)
		free_oldest_idle();
}

void module_fini(void)
{
	while (modules) {
		struct module *module = modules;

		modules = module->next;
		free_module(module);
	}
	idle_count = 0;
}

/* ---- asking ---- */

const struct elf_file *module_elf(const struct module *module)
{
	return &module->elf;
}

const char *module_build_id(const struct module *module)
{
	return module->build_id;
}

struct module_extra *module_extra(struct module *module)
{
	return &module->extra;
}

bool module_jit_descriptor(struct module *module, uint64_t *address)
{
	if (!module->jit_tried) {
		module->jit_tried = true;
		module->has_jit = lookup_data(&module->elf,
					      "__jit_debug_descriptor",
					      &module->jit_descriptor);
	}
	*address = module->jit_descriptor;
	return module->has_jit;
}

const struct elf_file *module_debug_elf(struct module *module)
{
	if (!module->debug_tried) {
		module->debug_tried = true;
		module->has_debug = module->path &&
			debug_file_open(&module->elf, module->path,
					module->build_id, &module->debug);
	}
	return module->has_debug ? &module->debug : NULL;
}

bool module_bias(const struct module *module, const struct mapping *mapping,
		 uint64_t *bias)
{
	const struct elf_file *elf = &module->elf;

	if (!mapping->inode) {
		*bias = mapping->start;
		return true;
	}
	for (size_t i = 0; i < elf->segment_count; i++) {
		const Elf64_Phdr *s = &elf->segments[i];
		uint64_t page = s->p_offset & -(uint64_t)VIEW_PAGE;

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_X) ||
		    mapping->offset < page ||
		    mapping->offset - page >=
		    s->p_filesz + (s->p_offset - page))
			continue;
		*bias = mapping->start - mapping->offset + s->p_offset -
			s->p_vaddr;
		return true;
	}
	return false;
}

struct cfi *module_cfi(struct module *module)
{
	if (!module->cfi_tried) {
		module->cfi_tried = true;
		module->cfi = cfi_load(&module->elf, module_debug_elf(module));
	}
	return module->cfi;
}

/*
 * The full table of the file or its debug file; else what it exports, and
 * what .gnu_debugdata has besides.
 */
static void load_symbols(struct module *module)
{
	const struct elf_file *elf = &module->elf;

	module->symbols_tried = true;
	if (!symbols_full(elf)) {
		const struct elf_file *debug = module_debug_elf(module);

		if (debug && symbols_full(debug))
			elf = debug;
		else
			module->has_embedded =
				debug_file_open_embedded(elf,
							 &module->embedded);
	}
	module->symbols = symbols_load(elf);
	if (module->has_embedded)
		module->embedded_symbols = symbols_load(&module->embedded);
}

/* DWARF is in the file itself or, if that has none, in its debug file. */
static struct source *module_source(struct module *module)
{
	if (!module->source_tried) {
		const struct elf_file *elf = &module->elf;

		module->source_tried = true;
		if (!source_is_in(elf))
			elf = module_debug_elf(module);
		if (elf && source_is_in(elf))
			module->source = source_open(elf);
	}
	return module->source;
}

static struct site **find_site(const struct module *module, uint64_t address)
{
	size_t mask = module->site_capacity - 1;
	size_t i = (address * 0x9e3779b97f4a7c15) >> 32 & mask;

	while (module->sites[i] && module->sites[i]->address != address)
		i = (i + 1) & mask;
	return &module->sites[i];
}

static bool grow_sites(struct module *module)
{
	struct site **old = module->sites;
	size_t old_capacity = module->site_capacity;
	size_t capacity = old_capacity ? old_capacity * 2 : 64;
	struct site **more = calloc(capacity, sizeof(*more));

	if (!more)
		return false;
	module->sites = more;
	module->site_capacity = capacity;
	for (size_t i = 0; i < old_capacity; i++)
		if (old[i])
			*find_site(module, old[i]->address) = old[i];
	free(old);
	return true;
}

static struct site *new_site(struct module *module, uint64_t address)
{
	struct site *site = calloc(1, sizeof(*site));
	struct cfi *cfi = module_cfi(module);
	const char *name;

	if (!site)
		return NULL;
	site->address = address;
	if (!module->symbols_tried)
		load_symbols(module);
	name = symbols_find_in_both(module->symbols, module->embedded_symbols,
				    address, &site->symbol_offset);
	if (name)
		site->symbol = symbols_demangle(name);
	site->rules = cfi ? cfi_find(cfi, address, &site->row) : CFI_NONE;
	module_sites++;
	return site;
}

static void add_source(struct module *module, struct site *site)
{
	struct source *source = module_source(module);
	struct inlined inlined[INLINED_MAX];
	size_t count;

	site->has_source = true;
	if (!source)
		return;
	if (!source_find(source, site->address, &site->file, &site->line))
		site->file = NULL;
	count = source_inlined(source, site->address, inlined, INLINED_MAX);
	if (count)
		site->inlined = malloc(count * sizeof(*inlined));
	if (site->inlined) {
		memcpy(site->inlined, inlined, count * sizeof(*inlined));
		site->inlined_count = count;
	}
}

const struct site *module_site(struct module *module, uint64_t address,
			       bool source)
{
	if (module->site_count * 2 >= module->site_capacity &&
	    !grow_sites(module))
		return NULL;

	struct site **slot = find_site(module, address);

	if (!*slot) {
		*slot = new_site(module, address);
		if (!*slot)
			return NULL;
		module->site_count++;
	}
	if (source && !(*slot)->has_source)
		add_source(module, *slot);
	return *slot;
}
