/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks JIT compilers about their code; see unwind-jit.h.
 *
 * Everything is read from the tracee's memory, or from a file that it may have
 * written, and so is hostile: counts and sizes are bounded, lists may be
 * circular.
 */
#include "unwind-jit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"
#include "mmap_cache.h"
#include "symbols/intern.h"
#include "symbols/jit-object.h"
#include "symbols/module.h"
#include "symbols/perf-map.h"
#include "tracee.h"

enum {
	OBJECTS_MAX = 1 << 16,		/* in all lists of a space */
	OBJECT_SIZE_MAX = 4 << 20,
	SITES_MAX = 1 << 16,		/* then they are made anew */
	TRIES_BETWEEN = 64,		/* stacks, while there is no map */
};

/* __jit_debug_descriptor: what changes with every registration. */
struct descriptor {
	uint64_t address;
	struct mapping file;		/* that it belongs to */
	uint64_t action, relevant, first;
};

/* An entry of the list that begins there. */
struct entry {
	uint64_t address;
	uint64_t next, previous;
	uint64_t object, size;
};

/* An object that has been read once, to know where its code is. */
struct candidate {
	struct entry entry;
	uint64_t start, end;		/* both 0: it has none */
};

/* An object whose code has been on a stack. */
struct object {
	struct entry entry;
	uint8_t *bytes;			/* as it was registered */
	struct code code;
};

struct jit {
	struct perf_map *map;
	const char *map_path;		/* as the tracee names it */
	unsigned map_tries;
	struct site **sites;		/* of addresses in the map */
	size_t site_count, site_capacity;

	struct mapping *searched;	/* files, for a descriptor */
	size_t searched_count, searched_capacity;
	struct descriptor *descriptors;
	size_t descriptor_count, descriptor_capacity;
	struct candidate *candidates;
	size_t candidate_count, candidate_capacity;
	bool listed;			/* candidates are those of the lists */
	struct object **objects;
	size_t object_count, object_capacity;
};

struct jit *jit_new(void)
{
	return calloc(1, sizeof(struct jit));
}

static void free_sites(struct jit *jit)
{
	for (size_t i = 0; i < jit->site_count; i++)
		free(jit->sites[i]);
	jit->site_count = 0;
}

static void free_object(struct object *object)
{
	if (object->code.module)
		module_release(object->code.module);
	free(object->bytes);
	free(object);
}

void jit_free(struct jit *jit)
{
	if (!jit)
		return;
	for (size_t i = 0; i < jit->object_count; i++)
		free_object(jit->objects[i]);
	free_sites(jit);
	perf_map_close(jit->map);
	free(jit->sites);
	free(jit->searched);
	free(jit->descriptors);
	free(jit->candidates);
	free(jit->objects);
	free(jit);
}

/* Room for one more element; false if memory is short. */
static bool have_room(void *array, size_t count, size_t *capacity,
		      size_t element)
{
	void **elements = array;
	size_t wanted = *capacity * 2 + 16;
	void *more;

	if (count < *capacity)
		return true;
	more = realloc(*elements, wanted * element);
	if (!more)
		return false;
	*elements = more;
	*capacity = wanted;
	return true;
}

#define HAVE_ROOM(jit, array, kind) \
	have_room(&(jit)->array, (jit)->kind##_count, \
		  &(jit)->kind##_capacity, sizeof(*(jit)->array))

/* ---- /tmp/perf-PID.map ---- */

/* The id of a process in the namespace that it lives in; 0: not told. */
static int own_process_id(pid_t tid)
{
	char path[32], line[256];
	int id = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", (int)tid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	while (!id && fgets(line, sizeof(line), file)) {
		const char *last = strrchr(line, '\t');

		if (!strncmp(line, "NStgid:", 7) && last)
			id = atoi(last);
	}
	fclose(file);
	return id;
}

/*
 * Whoever may write into /tmp could give wrong names to another's code: the
 * file must be that of the tracee's user, of root, or of our own user.
 */
static bool is_trusted(int fd, pid_t tid)
{
	struct stat st, process;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d", (int)tid);
	return !fstat(fd, &st) && !stat(path, &process) &&
		(st.st_uid == process.st_uid || st.st_uid == 0 ||
		 st.st_uid == geteuid());
}

/*
 * In the tracee's mount namespace.  No symbolic link is followed: it would
 * lead into ours.
 */
static int open_map(pid_t tid, const char *name)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
	char path[32];
	int tmp, fd;

	snprintf(path, sizeof(path), "/proc/%d/root/tmp", (int)tid);
	tmp = open(path, flags | O_DIRECTORY);
	if (tmp < 0)
		return -1;
	fd = openat(tmp, name, flags | O_NONBLOCK | O_NOCTTY);
	close(tmp);
	if (fd >= 0 && !is_trusted(fd, tid)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static void try_map(struct jit *jit, pid_t tid)
{
	char path[64];
	int id, fd;

	/* At the 1st, 2nd, 4th, 8th... stack, and then every 64th one. */
	jit->map_tries++;
	if ((jit->map_tries & (jit->map_tries - 1)) &&
	    jit->map_tries % TRIES_BETWEEN)
		return;
	id = own_process_id(tid);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", id);
	fd = open_map(tid, path + strlen("/tmp/"));
	if (fd < 0)
		return;
	jit->map_path = intern(path, strlen(path));
	jit->map = jit->map_path ? perf_map_open(fd) : NULL;
}

static bool update_map(struct jit *jit, pid_t tid)
{
	bool had_one = jit->map;
	enum perf_map_news news = PERF_MAP_SAME;

	if (jit->map)
		news = perf_map_update(jit->map);
	if (news == PERF_MAP_REPLACED) {
		perf_map_close(jit->map);
		jit->map = NULL;
		jit->map_tries = 0;
	}
	if (!jit->map) {
		try_map(jit, tid);
		if (jit->map)
			perf_map_update(jit->map);
	}
	return news != PERF_MAP_SAME || had_one != !!jit->map;
}

static void name_place(struct jit *jit, struct code_place *place)
{
	struct site *site = NULL;
	uint64_t offset;
	const char *name;

	if (!jit->map)
		return;
	name = perf_map_find(jit->map, place->address, &offset);
	if (name && HAVE_ROOM(jit, sites, site))
		site = calloc(1, sizeof(*site));
	if (!site)
		return;
	*site = (struct site){
		.address = place->address,
		.symbol = name,
		.symbol_offset = offset,
		.rules = CFI_NONE,
	};
	jit->sites[jit->site_count++] = site;
	place->site = site;
	if (!place->module)
		place->module = jit->map_path;
}

/* ---- the descriptors ---- */

/* Words of the tracee's, 4 or 8 bytes each, one after the other. */
static bool read_words(struct walk *walk, uint64_t address, uint64_t *words,
		       size_t count)
{
	size_t word = walk->arch->word;
	uint8_t bytes[4 * sizeof(uint64_t)];

	if (!view_read_exactly(walk->view, address, bytes, count * word))
		return false;
	for (size_t i = 0; i < count; i++) {
		words[i] = 0;
		memcpy(&words[i], bytes + i * word, word);
	}
	return true;
}

/* Two 32-bit numbers, then two pointers. */
static bool read_descriptor(struct walk *walk, uint64_t address,
			    struct descriptor *descriptor)
{
	uint32_t numbers[2];
	uint64_t words[2];

	if (!view_read_exactly(walk->view, address, numbers,
			       sizeof(numbers)) ||
	    !read_words(walk, address + sizeof(numbers), words, 2))
		return false;
	descriptor->address = address;
	descriptor->action = numbers[1];
	descriptor->relevant = words[0];
	descriptor->first = words[1];
	return true;
}

/* Three pointers and a 64-bit size, which i386 aligns like a pointer. */
static bool read_entry(struct walk *walk, uint64_t address,
		       struct entry *entry)
{
	uint64_t words[3];

	if (!address || !read_words(walk, address, words, 3) ||
	    !view_read_exactly(walk->view, address + 3 * walk->arch->word,
			       &entry->size, sizeof(entry->size)))
		return false;
	entry->address = address;
	entry->next = words[0];
	entry->previous = words[1];
	entry->object = words[2];
	return true;
}

static bool is_searched(const struct jit *jit, const struct mapping *m)
{
	for (size_t i = 0; i < jit->searched_count; i++) {
		const struct mapping *s = &jit->searched[i];

		if (s->start == m->start && s->inode == m->inode &&
		    s->dev_major == m->dev_major &&
		    s->dev_minor == m->dev_minor)
			return true;
	}
	return false;
}

static void add_descriptor(struct jit *jit, struct walk *walk,
			   const struct mapping *file, uint64_t address)
{
	struct descriptor descriptor = { .file = *file };

	for (size_t i = 0; i < jit->descriptor_count; i++)
		if (jit->descriptors[i].address == address)
			return;
	if (!read_descriptor(walk, address, &descriptor) ||
	    !HAVE_ROOM(jit, descriptors, descriptor))
		return;
	jit->descriptors[jit->descriptor_count++] = descriptor;
	jit->listed = false;
}

static void search_file(struct jit *jit, struct walk *walk,
			const struct mapping *file)
{
	uint64_t address, bias;
	struct module *module;

	if (!HAVE_ROOM(jit, searched, searched))
		return;
	jit->searched[jit->searched_count++] = *file;
	module = module_open(walk->space, file, walk->view);
	if (!module)
		return;
	if (module_jit_descriptor(module, &address) &&
	    module_bias(module, file, &bias))
		add_descriptor(jit, walk, file, address + bias);
	module_release(module);
}

/* Searches the files that have been mapped since the last time. */
static void search_files(struct jit *jit, struct walk *walk)
{
	const struct mapping *mappings;
	size_t count, i = 0;

	/* Opening a module may read the mappings again: they are others then. */
	while (mmap_cache_get(walk->space, &mappings, &count) && i < count) {
		struct mapping m = mappings[i++];

		if (!m.executable || !m.inode || m.path[0] != '/' ||
		    is_searched(jit, &m))
			continue;
		m.path = intern(m.path, strlen(m.path));
		if (m.path)
			search_file(jit, walk, &m);
	}
}

/* ---- the lists of objects ---- */

static bool same_entry(const struct entry *a, const struct entry *b)
{
	return a->address == b->address && a->object == b->object &&
		a->size == b->size;
}

/* A copy of an object's bytes, or NULL. */
static uint8_t *read_object(struct walk *walk, const struct entry *entry)
{
	uint8_t *bytes = NULL;

	if (entry->size && entry->size <= OBJECT_SIZE_MAX)
		bytes = malloc(entry->size);
	if (bytes && !view_read_exactly(walk->view, entry->object, bytes,
					entry->size)) {
		free(bytes);
		bytes = NULL;
	}
	return bytes;
}

static struct candidate make_candidate(struct walk *walk,
				       const struct entry *entry)
{
	struct candidate candidate = { .entry = *entry };
	uint8_t *bytes = read_object(walk, entry);
	struct elf_file elf;

	if (bytes && jit_object_open(&elf, bytes, entry->size,
				     &candidate.start, &candidate.end))
		elf_close(&elf);
	else
		candidate.start = candidate.end = 0;
	free(bytes);
	return candidate;
}

/* The candidate of an entry, from index `from' on. */
static const struct candidate *find_candidate(const struct candidate *all,
					      size_t from, size_t count,
					      const struct entry *entry)
{
	for (size_t i = from; i < count; i++)
		if (same_entry(&all[i].entry, entry))
			return &all[i];
	return NULL;
}

/*
 * Follows one list.  New entries come at its beginning, and old ones keep
 * their order, so a search that begins where the last one ended is short.
 */
static void follow_list(struct jit *jit, struct walk *walk, uint64_t first,
			const struct candidate *old, size_t old_count)
{
	struct entry entry = { .next = first };
	size_t at = 0;

	while (jit->candidate_count < OBJECTS_MAX &&
	       read_entry(walk, entry.next, &entry) &&
	       HAVE_ROOM(jit, candidates, candidate)) {
		const struct candidate *known =
			find_candidate(old, at, old_count, &entry);
		struct candidate *next =
			&jit->candidates[jit->candidate_count++];

		if (known) {
			*next = *known;
			next->entry = entry;
			at = known - old + 1;
		} else {
			*next = make_candidate(walk, &entry);
		}
	}
}

/* Lists the objects anew; what is known of those that stay is kept. */
static void list_objects(struct jit *jit, struct walk *walk, bool believe)
{
	struct candidate *old = jit->candidates;
	size_t old_count = believe ? jit->candidate_count : 0;

	jit->candidates = NULL;
	jit->candidate_count = jit->candidate_capacity = 0;
	for (size_t i = 0; i < jit->descriptor_count; i++)
		follow_list(jit, walk, jit->descriptors[i].first, old,
			    old_count);
	free(old);
	jit->listed = true;
}

/* The smallest one around address, or NULL. */
static const struct candidate *candidate_at(const struct jit *jit,
					    uint64_t address)
{
	const struct candidate *found = NULL;

	for (size_t i = 0; i < jit->candidate_count; i++) {
		const struct candidate *c = &jit->candidates[i];

		if (c->start <= address && address < c->end &&
		    (!found || c->end - c->start < found->end - found->start))
			found = c;
	}
	return found;
}

/* Makes an object of a candidate; NULL: it is no longer what it was. */
static struct object *open_object(struct walk *walk,
				  const struct candidate *candidate)
{
	static const char name[] = "[jit]";
	struct object *object = calloc(1, sizeof(*object));
	struct code *code;

	if (!object)
		return NULL;
	code = &object->code;
	object->entry = candidate->entry;
	object->bytes = read_object(walk, &object->entry);
	if (object->bytes)
		code->module = module_open_object(object->bytes,
						  object->entry.size,
						  &code->low, &code->high);
	code->path = intern(name, sizeof(name) - 1);
	if (!code->module || code->low != candidate->start ||
	    code->high != candidate->end) {
		free_object(object);
		return NULL;
	}
	code->start = code->low;
	code->end = code->high;
	return object;
}

static struct object *object_at(const struct jit *jit,
				const struct candidate *candidate)
{
	for (size_t i = 0; i < jit->object_count; i++)
		if (same_entry(&jit->objects[i]->entry, &candidate->entry))
			return jit->objects[i];
	return NULL;
}

/* The object around address, or NULL. */
static const struct object *find_object(struct jit *jit, struct walk *walk,
					uint64_t address)
{
	const struct candidate *candidate;
	struct object *object;

	if (!jit->descriptor_count)
		return NULL;
	if (!jit->listed)
		list_objects(jit, walk, true);
	candidate = candidate_at(jit, address);
	object = candidate ? object_at(jit, candidate) : NULL;
	if (!candidate || object)
		return object;
	object = open_object(walk, candidate);
	if (!object) {
		/* One that came to lie where another one was. */
		list_objects(jit, walk, false);
		candidate = candidate_at(jit, address);
		object = candidate ? open_object(walk, candidate) : NULL;
	}
	if (object && !HAVE_ROOM(jit, objects, object)) {
		free_object(object);
		return NULL;
	}
	if (object)
		jit->objects[jit->object_count++] = object;
	return object;
}

/* ---- what has changed ---- */

/* Whether a descriptor has changed; they are read again. */
static bool update_descriptors(struct jit *jit, struct walk *walk)
{
	bool changed = false;

	for (size_t i = 0; i < jit->descriptor_count; ) {
		struct descriptor *known = &jit->descriptors[i];
		struct descriptor now = *known;

		if (!mmap_cache_has_code(walk->space, &known->file) ||
		    !read_descriptor(walk, known->address, &now)) {
			/* Its library has been closed. */
			*known = jit->descriptors[--jit->descriptor_count];
			jit->searched_count = 0;
			changed = true;
			continue;
		}
		changed |= known->action != now.action ||
			known->relevant != now.relevant ||
			known->first != now.first;
		*known = now;
		i++;
	}
	return changed;
}

/* Whether neither its entry nor any of its bytes is another one. */
static bool is_unchanged(struct walk *walk, const struct object *object)
{
	struct entry now;
	uint8_t *bytes;
	bool same;

	if (!read_entry(walk, object->entry.address, &now) ||
	    !same_entry(&now, &object->entry))
		return false;
	bytes = read_object(walk, &now);
	same = bytes && !memcmp(bytes, object->bytes, now.size);
	free(bytes);
	return same;
}

/* Whether the neighbours in the list are others: so it is another list. */
static bool has_moved(struct walk *walk, const struct object *object)
{
	struct entry now;

	return !read_entry(walk, object->entry.address, &now) ||
		now.next != object->entry.next ||
		now.previous != object->entry.previous;
}

/* Drops the objects that are in no list, or are others.  True: there were. */
static bool drop_objects(struct jit *jit, struct walk *walk)
{
	size_t kept = 0, count = jit->object_count;

	for (size_t i = 0; i < count; i++) {
		struct object *object = jit->objects[i];
		const struct candidate *candidate =
			find_candidate(jit->candidates, 0,
				       jit->candidate_count, &object->entry);

		if (candidate && is_unchanged(walk, object)) {
			object->entry = candidate->entry;
			jit->objects[kept++] = object;
		} else {
			free_object(object);
		}
	}
	jit->object_count = kept;
	return kept != count;
}

enum jit_news jit_update(struct jit *jit, struct walk *walk)
{
	bool more = update_map(jit, walk->space->pid);

	more |= jit->site_count >= SITES_MAX;
	if (update_descriptors(jit, walk)) {
		jit->listed = false;
		more = true;
	}
	for (size_t i = 0; i < jit->object_count && jit->listed; i++)
		jit->listed = !has_moved(walk, jit->objects[i]);
	if (!jit->listed && jit->object_count)
		list_objects(jit, walk, true);

	bool lost = drop_objects(jit, walk);

	if (lost || more)
		free_sites(jit);
	return lost ? JIT_LOST : more ? JIT_MORE : JIT_SAME;
}

/* ---- asking ---- */

void jit_place(struct jit *jit, struct walk *walk, struct code_place *place)
{
	const struct object *object;

	search_files(jit, walk);
	object = find_object(jit, walk, place->address);
	if (!object) {
		name_place(jit, place);
		return;
	}
	place->code = &object->code;
	place->module = object->code.path;
	place->site = module_site(object->code.module, place->address,
				  walk->source);
}

size_t jit_code_count(const struct jit *jit)
{
	return jit ? jit->object_count : 0;
}

const struct code *jit_code(const struct jit *jit, size_t index)
{
	return &jit->objects[index]->code;
}
