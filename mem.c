/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tracee memory, read through a page-wise cache.  A view reads a process in
 * the cheapest way that the system allows, or the pieces of a snapshot.  It
 * knows nothing of what the bytes mean.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#include "mem.h"

/* ---- sources ---- */

static size_t fetch_mem_file(pid_t pid, uint64_t addr, void *buf, size_t len)
{
	char path[32];
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	got = pread(fd, buf, len, (off_t)addr);
	close(fd);
	return got > 0 ? (size_t)got : 0;
}

/* The last resort: a word at a time, each of them aligned. */
static size_t fetch_words(pid_t pid, uint64_t addr, void *buf, size_t len)
{
	size_t done = 0;

	while (done < len) {
		uint64_t at = addr + done;
		size_t skip = at % sizeof(long);
		size_t take = sizeof(long) - skip;
		long word;

		errno = 0;
		word = ptrace(PTRACE_PEEKDATA, pid,
			      (void *)(uintptr_t)(at - skip), NULL);
		if (errno)
			break;
		if (take > len - done)
			take = len - done;
		memcpy((char *)buf + done, (char *)&word + skip, take);
		done += take;
	}
	return done;
}

/*
 * process_vm_readv may be missing (ENOSYS) or forbidden (a seccomp filter in a
 * container); that does not change during a run.  An address that it cannot
 * read is not tried otherwise: the other ways would read what the tracee
 * itself cannot (PROT_NONE), and show what the kernel did not see.
 */
static size_t fetch_process(struct view *view, uint64_t addr, void *buf,
			    size_t len)
{
	static bool no_readv;
	size_t got;

	if ((uintptr_t)addr != addr)
		return 0;
	if (!no_readv) {
		struct iovec local = { buf, len };
		struct iovec remote = { (void *)(uintptr_t)addr, len };
		ssize_t n = process_vm_readv(view->pid, &local, 1, &remote, 1,
					     0);

		if (n >= 0)
			return (size_t)n;
		if (errno != ENOSYS && errno != EPERM)
			return 0;
		no_readv = true;
	}
	got = fetch_mem_file(view->pid, addr, buf, len);
	return got ? got : fetch_words(view->pid, addr, buf, len);
}

static size_t fetch_snapshot(struct view *view, uint64_t addr, void *buf,
			     size_t len)
{
	size_t done = 0;

	/* Blobs may lie side by side, in any order. */
	for (size_t i = 0; i < view->blob_count && done < len; i++) {
		const struct view_blob *blob = &view->blobs[i];
		uint64_t offset = addr + done - blob->addr;
		size_t take;

		if (addr + done < blob->addr || offset >= blob->len)
			continue;
		take = blob->len - offset;
		if (take > len - done)
			take = len - done;
		memcpy((char *)buf + done, (const char *)blob->bytes + offset,
		       take);
		done += take;
		i = -1;
	}
	return done;
}

static const struct view_source process_source = { fetch_process, true };
static const struct view_source snapshot_source = { fetch_snapshot, false };

/* ---- views ---- */

void view_open_process(struct view *view, pid_t pid)
{
	memset(view, 0, sizeof(*view));
	view->source = &process_source;
	view->pid = pid;
	view->generation = 1;
}

void view_open_snapshot(struct view *view, const struct view_blob *blobs,
			size_t count)
{
	memset(view, 0, sizeof(*view));
	view->source = &snapshot_source;
	view->blobs = blobs;
	view->blob_count = count;
	view->generation = 1;
}

void view_close(struct view *view)
{
	free(view->pages);
	view->pages = NULL;
}

void view_forget(struct view *view)
{
	if (++view->generation)
		return;
	/* It has wrapped around: no old slot may look current. */
	view->generation = 1;
	for (unsigned i = 0; i < VIEW_SLOTS; i++)
		view->slots[i].generation = 0;
}

/* How many of len bytes from addr lie below the end of all addresses. */
static size_t clamp(uint64_t addr, size_t len)
{
	uint64_t room = UINT64_MAX - addr;

	return len > room ? (size_t)room : len;
}

/*
 * Reads the page into a slot; if two, the next page into the next slot, too,
 * with the same system call.
 */
static struct view_slot *fill_slot(struct view *view, uint64_t page, bool two)
{
	size_t len = two ? 2 * VIEW_PAGE : VIEW_PAGE;
	struct view_slot *slot;
	size_t got;

	if (!view->pages)
		view->pages = malloc(VIEW_SLOTS * VIEW_PAGE);
	if (!view->pages)
		return NULL;
	if (view->next_slot + two >= VIEW_SLOTS)
		view->next_slot = 0;
	slot = &view->slots[view->next_slot];
	got = view->source->fetch(view, page,
				  view->pages + view->next_slot * VIEW_PAGE,
				  clamp(page, len));
	/* Of the second page nothing is known if the first one ended early. */
	two = two && got >= VIEW_PAGE;
	view->next_slot += 1 + two;
	for (unsigned i = 0; i <= two; i++) {
		slot[i].page = page + i * VIEW_PAGE;
		slot[i].generation = view->generation;
		slot[i].have = got > VIEW_PAGE ? VIEW_PAGE : got;
		got -= slot[i].have;
	}
	return slot;
}

/*
 * The bytes of addr's page from addr on, *have of them; NULL if addr is
 * unreadable.  The caller will want len bytes.
 */
static const uint8_t *page_at(struct view *view, uint64_t addr, size_t len,
			      size_t *have)
{
	uint64_t offset = addr % VIEW_PAGE;
	uint64_t page = addr - offset;
	struct view_slot *slot = NULL;

	for (unsigned i = 0; i < VIEW_SLOTS; i++)
		if (view->slots[i].generation == view->generation &&
		    view->slots[i].page == page)
			slot = &view->slots[i];
	if (!slot)
		slot = fill_slot(view, page, offset + len > VIEW_PAGE);
	if (!slot || slot->have <= offset)
		return NULL;
	*have = slot->have - offset;
	return view->pages + (slot - view->slots) * VIEW_PAGE + offset;
}

size_t view_read(struct view *view, uint64_t addr, void *buf, size_t len)
{
	size_t done = 0;

	len = clamp(addr, len);
	/* A long piece is read at once, past the cache. */
	if (!view->source->cached || len > VIEW_PAGE)
		return view->source->fetch(view, addr, buf, len);
	while (done < len) {
		size_t have, take = len - done;
		const uint8_t *bytes = page_at(view, addr + done, take, &have);

		if (!bytes)
			break;
		if (take > have)
			take = have;
		memcpy((char *)buf + done, bytes, take);
		done += take;
	}
	return done;
}

bool view_read_exactly(struct view *view, uint64_t addr, void *buf,
		       size_t len)
{
	return view_read(view, addr, buf, len) == len;
}

ssize_t view_read_string(struct view *view, uint64_t addr, char *buf,
			 size_t size, bool *terminated)
{
	size_t done = 0;

	*terminated = false;
	while (done < size) {
		/* No further than the page's end: the string may end before. */
		size_t take = VIEW_PAGE - (addr + done) % VIEW_PAGE;
		size_t got;
		const char *nul;

		if (take > size - done)
			take = size - done;
		got = view_read(view, addr + done, buf + done, take);
		nul = memchr(buf + done, '\0', got);
		if (nul) {
			*terminated = true;
			return nul - buf;
		}
		done += got;
		if (got < take)
			return -1;
	}
	return (ssize_t)done;
}
