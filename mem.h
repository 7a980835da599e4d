/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tracee memory: a view through which everything that a tracee points to is
 * read.  A decoder cannot tell whether a view reads a stopped process or a
 * snapshot taken earlier.
 *
 * Everything read is hostile.  The view never allocates by a size that the
 * tracee named, and never reports bytes that it does not have.
 */
#ifndef TRACER_MEM_H
#define TRACER_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct view;

/* How a view gets at memory that its cache does not hold. */
struct view_source {
	/*
	 * Copies up to len bytes from addr; returns how many could be read
	 * from the beginning on (0 if the first byte is unreadable).
	 */
	size_t (*fetch)(struct view *view, uint64_t addr, void *buf,
			size_t len);
	bool cached;		/* worth being read page by page and kept */
};

enum {
	VIEW_PAGE = 4096,	/* granularity of reading, not the tracee's page */
	VIEW_SLOTS = 8,
};

struct view_slot {
	uint64_t page;		/* address of the first byte */
	uint32_t have;		/* bytes readable from there on */
	uint32_t generation;	/* of the view when it was read; 0: never */
};

struct view {
	const struct view_source *source;
	pid_t pid;			/* for a process view */
	const struct view_blob *blobs;	/* for a snapshot view */
	size_t blob_count;
	uint32_t generation;
	uint8_t next_slot;
	struct view_slot slots[VIEW_SLOTS];
	uint8_t *pages;			/* VIEW_SLOTS * VIEW_PAGE, on first use */
};

/* A piece of captured memory; the bytes belong to the caller. */
struct view_blob {
	uint64_t addr;
	const void *bytes;
	size_t len;
};

/* A view of the memory of thread pid, which must be in a ptrace stop. */
void view_open_process(struct view *view, pid_t pid);

/* A view of a snapshot: nothing but these blobs is readable. */
void view_open_snapshot(struct view *view, const struct view_blob *blobs,
			size_t count);

/* Frees what the view holds, not the view itself. */
void view_close(struct view *view);

/* Forgets everything read: the tracee has run, or is another one now. */
void view_forget(struct view *view);

/*
 * Copies len bytes from addr; returns how many bytes from the beginning on
 * could be read: len, or fewer if a page in between is not readable.
 */
size_t view_read(struct view *view, uint64_t addr, void *buf, size_t len);

/* The same, all or nothing: true if all len bytes were read. */
bool view_read_exactly(struct view *view, uint64_t addr, void *buf,
		       size_t len);

/*
 * Copies a C string of at most size bytes, its NUL included.  Returns the
 * length without the NUL; *terminated tells whether the NUL was seen within
 * size.  Returns -1 if a page was unreadable before the NUL or size.
 */
ssize_t view_read_string(struct view *view, uint64_t addr, char *buf,
			 size_t size, bool *terminated);

#endif
