/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The mappings of an address space, as /proc/PID/maps tells them, kept until
 * mmap_notify says that they have changed.
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

/* Forgets what is believed, because it did not fit what was found. */
void mmap_cache_forget(struct space *space);

#endif
