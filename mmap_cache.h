/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mappings of an address space, as /proc/PID/maps tells them.  What
 * mmap_notify publishes updates them: a range that was unmapped is cut out,
 * another protection is noted, and something new makes them incomplete, to be
 * read again when they are asked for something that they do not have; for
 * code only if what is new is executable.  So what is believed of code that is
 * still mapped stays.
 */
#ifndef TRACER_MMAP_CACHE_H
#define TRACER_MMAP_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct space;

struct mapping {
	uint64_t start, end;	/* [start, end) */
	uint64_t offset;	/* in the file */
	uint32_t dev_major, dev_minor;
	uint64_t inode;
	bool readable, writable, executable;
	bool deleted;		/* the file has been unlinked */
	const char *path;	/* never NULL; "" for anonymous memory */
};

/* Subscribes to mmap_notify; call once.  False if memory is short. */
bool mmap_cache_init(void);

/*
 * The mappings of space, sorted by address, read again if they have changed.
 * They stay valid until the next call for the same space.  Returns false if
 * they cannot be read.
 */
bool mmap_cache_get(struct space *space, const struct mapping **mappings,
		    size_t *count);

/* The mapping that contains address, or NULL. */
const struct mapping *mmap_cache_find(struct space *space, uint64_t address);

/*
 * The executable mapping that contains address, or NULL.  Looks again if there
 * is none, even if no change was told of: not every time, but the more rarely
 * the more often it was in vain.
 */
const struct mapping *mmap_cache_find_code(struct space *space,
					   uint64_t address);

/*
 * Whether all of a piece of code is still mapped from the same place of the
 * same file; its path is not looked at.
 */
bool mmap_cache_has_code(struct space *space, const struct mapping *old);

/*
 * A number that is another one after executable memory has been unmapped or
 * replaced: what was derived from the mappings is then to be forgotten.
 * Mapping something new does not change it.
 */
uint64_t mmap_cache_generation(struct space *space);

/*
 * There may have been changes that were not told of: reads the mappings again.
 * The generation is another one then if code has changed.
 */
void mmap_cache_doubt(struct space *space);

/* Forgets what is believed, because it did not fit what was found. */
void mmap_cache_forget(struct space *space);

/*
 * Parses a line of /proc/PID/maps, without its newline, in place: path is in
 * line.  Returns false if it is none.
 */
bool mapping_parse(char *line, struct mapping *mapping);

/* How often maps were read, in all spaces. */
extern uint64_t mmap_cache_reads;

#endif
