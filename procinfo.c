/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads /proc/TID: a thread may have descriptors and a working directory of
 * its own.  Nothing is kept, for what it says is true for this stop only.
 */
#include "procinfo.h"

#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "constants/constants.h"
#include "escape.h"
#include "sock_diag.h"

enum {
	PROC_NAME = 64,		/* of "/proc/123/fdinfo/456" */
	FDINFO_SIZE = 4096,	/* what it begins with is enough */
	SIGNALS = 64,
	COMM_SIZE = 64,		/* a kernel thread's may be long */
};

/* What the answers point to, until the next question. */
static char path[PATH_MAX + 1];
static char details[1024];
static struct fd_target answer;

#define DELETED " (deleted)"

/* Where link leads to, into path; false: nowhere. */
static bool read_link(const char *link)
{
	ssize_t len = readlink(link, path, sizeof(path) - 1);

	if (len <= 0)
		return false;
	path[len] = '\0';
	return true;
}

static bool read_file(const char *name, char *buf, size_t size)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	if (fd >= 0) {
		len = read(fd, buf, size - 1);
		close(fd);
	}
	if (len < 0)
		return false;
	buf[len] = '\0';
	return true;
}

/* ---- files ---- */

static bool is_at(const char *name, const struct stat *file)
{
	struct stat there;

	return !lstat(name, &there) && there.st_dev == file->st_dev &&
	       there.st_ino == file->st_ino;
}

/*
 * The kernel says " (deleted)" behind a path; a file may also be called so.
 * Then it is there: where we see it, or if its mount is not ours, where the
 * tracee does.
 */
static bool is_deleted(pid_t tid, const struct stat *file)
{
	size_t len = strlen(path), tail = strlen(DELETED);
	char name[PROC_NAME + sizeof(path)];

	if (len <= tail || strcmp(path + len - tail, DELETED) != 0)
		return false;
	snprintf(name, sizeof(name), "/proc/%d/root%s", tid, path);
	if (is_at(path, file) || is_at(name, file))
		return false;
	path[len - tail] = '\0';
	return true;
}

/* The value of a field in a /proc file, in the base it is written in. */
static bool field(const char *text, const char *name, int base,
		  uint64_t *value)
{
	size_t len = strlen(name);

	while (text && *text) {
		if (!strncmp(text, name, len) && text[len] == ':') {
			char *end;

			*value = strtoull(text + len + 1, &end, base);
			return end != text + len + 1;
		}
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return false;
}

static bool read_fdinfo(pid_t tid, int fd, char *buf, size_t size)
{
	char name[PROC_NAME];

	snprintf(name, sizeof(name), "/proc/%d/fdinfo/%d", tid, fd);
	return read_file(name, buf, size);
}

static void describe_device(const struct procinfo *p, int fd,
			    const struct stat *file)
{
	char info[FDINFO_SIZE];
	uint64_t tty;
	int len;

	len = snprintf(details, sizeof(details), "%s %u:%u",
		       S_ISBLK(file->st_mode) ? "block" : "char",
		       major(file->st_rdev), minor(file->st_rdev));
	/* The master of a pseudo-terminal tells which one it is of. */
	if (S_ISCHR(file->st_mode) &&
	    read_fdinfo(p->tid, fd, info, sizeof(info)) &&
	    field(info, "tty-index", 10, &tty))
		snprintf(details + len, sizeof(details) - len,
			 " @/dev/pts/%" PRIu64, tty);
	answer.details = details;
}

static void describe_file(const struct procinfo *p, int fd, const char *link)
{
	size_t len = strlen(path);
	struct stat file;

	answer.path = path;
	/* Most descriptors need no further look. */
	if (!(p->decode_fds & DECODE_FDS_DEV) && path[len - 1] != ')')
		return;
	if (stat(link, &file) < 0)
		return;
	answer.deleted = is_deleted(p->tid, &file);
	if ((p->decode_fds & DECODE_FDS_DEV) &&
	    (S_ISCHR(file.st_mode) || S_ISBLK(file.st_mode)))
		describe_device(p, fd, &file);
}

/* ---- sockets ---- */

static bool describe_socket(const char *link)
{
	char protocol[32];
	uint64_t inode;
	ssize_t len;

	if (sscanf(path, "socket:[%" SCNu64 "]", &inode) != 1)
		return false;
	len = getxattr(link, "system.sockprotoname", protocol,
		       sizeof(protocol) - 1);
	if (len <= 0)
		return false;
	protocol[len] = '\0';
	return sock_diag_describe(protocol, inode, details, sizeof(details));
}

/* ---- anonymous inodes ---- */

static bool describe_eventfd(const struct procinfo *p, const char *info)
{
	uint64_t count, id, semaphore;
	int len;

	(void)p;
	if (!field(info, "eventfd-count", 16, &count) ||
	    !field(info, "eventfd-id", 10, &id))
		return false;
	len = snprintf(details, sizeof(details),
		       count ? "{eventfd-count=%#" PRIx64 ", eventfd-id=%" PRIu64
			     : "{eventfd-count=%" PRIu64 ", eventfd-id=%" PRIu64,
		       count, id);
	/* since Linux 6.5 */
	if (field(info, "eventfd-semaphore", 10, &semaphore))
		len += snprintf(details + len, sizeof(details) - len,
				", eventfd-semaphore=%" PRIu64, semaphore);
	snprintf(details + len, sizeof(details) - len, "}");
	return true;
}

static bool describe_pidfd(const struct procinfo *p, const char *info)
{
	uint64_t pid;
	char comm[COMM_SIZE];
	int len;

	/* -1: it has ended */
	if (!field(info, "Pid", 10, &pid) || (int64_t)pid <= 0)
		return false;
	len = snprintf(details, sizeof(details), "pid:%" PRIu64, pid);
	if (p->decode_pids && procinfo_comm(pid, comm, sizeof(comm))) {
		details[len++] = '<';
		len += escape(details + len, sizeof(details) - len, comm,
			      strlen(comm), "<>");
		strcpy(details + len, ">");
	}
	return true;
}

static bool describe_signalfd(const struct procinfo *p, const char *info)
{
	char *at = details, *end = details + sizeof(details);
	const char *separator = "";
	bool inverted;
	uint64_t mask;

	(void)p;
	if (!field(info, "sigmask", 16, &mask))
		return false;
	/* Of a set with nearly all signals, those that are not in it. */
	inverted = __builtin_popcountll(mask) >= SIGNALS * 2 / 3;
	if (inverted)
		mask = ~mask;
	at += snprintf(at, end - at, "signalfd:%s[", inverted ? "~" : "");
	for (unsigned signo = 1; signo <= SIGNALS; signo++) {
		const char *name;

		if (!(mask >> (signo - 1) & 1))
			continue;
		name = constset_name(&set_signals_short, &abis[ABI_X86_64],
				     signo);
		if (name)
			at += snprintf(at, end - at, "%s%s", separator, name);
		else
			at += snprintf(at, end - at, "%sRT_%u", separator,
				       signo - 32);
		separator = " ";
	}
	snprintf(at, end - at, "]");
	return true;
}

static const struct {
	const char *link;
	unsigned wanted;
	bool (*describe)(const struct procinfo *p, const char *fdinfo);
} anonymous[] = {
	{ "anon_inode:[eventfd]", DECODE_FDS_EVENTFD, describe_eventfd },
	{ "anon_inode:[pidfd]", DECODE_FDS_PIDFD, describe_pidfd },
	{ "anon_inode:[signalfd]", DECODE_FDS_SIGNALFD, describe_signalfd },
};

static bool describe_anonymous(const struct procinfo *p, int fd)
{
	char info[FDINFO_SIZE];

	for (size_t i = 0; i < sizeof(anonymous) / sizeof(*anonymous); i++) {
		if ((p->decode_fds & anonymous[i].wanted) &&
		    !strcmp(path, anonymous[i].link))
			return read_fdinfo(p->tid, fd, info, sizeof(info)) &&
			       anonymous[i].describe(p, info);
	}
	return false;
}

/* ---- answers ---- */

static const struct fd_target *fd_target(struct inspector *inspector, int fd)
{
	const struct procinfo *p = (const struct procinfo *)inspector;
	char link[PROC_NAME];

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", p->tid, fd);
	if (!read_link(link))
		return NULL;
	answer = (struct fd_target){ .path = NULL };
	if (path[0] == '/')
		describe_file(p, fd, link);
	else if (((p->decode_fds & DECODE_FDS_SOCKET) &&
		  describe_socket(link)) || describe_anonymous(p, fd))
		answer.details = details;
	else
		answer.path = path;
	/* Details are shown with their path, but not the path alone. */
	if (!(p->decode_fds & DECODE_FDS_PATH) && !answer.details)
		return NULL;
	return &answer;
}

static const struct fd_target *fd_target_of(struct inspector *inspector,
					    int pid, int fd)
{
	struct procinfo other = *(const struct procinfo *)inspector;

	other.tid = pid;
	return fd_target(&other.inspector, fd);
}

static int pid_of(struct inspector *inspector, int fd)
{
	const struct procinfo *p = (const struct procinfo *)inspector;
	char info[FDINFO_SIZE];
	uint64_t pid;

	if (!read_fdinfo(p->tid, fd, info, sizeof(info)) ||
	    !field(info, "Pid", 10, &pid) || (int64_t)pid <= 0)
		return 0;
	return pid;
}

static const struct fd_target *cwd(struct inspector *inspector)
{
	const struct procinfo *p = (const struct procinfo *)inspector;
	char link[PROC_NAME];

	snprintf(link, sizeof(link), "/proc/%d/cwd", p->tid);
	if (!(p->decode_fds & DECODE_FDS_PATH) || !read_link(link))
		return NULL;
	answer = (struct fd_target){ .path = path };
	return &answer;
}

bool procinfo_comm(pid_t tid, char *buf, size_t size)
{
	char name[PROC_NAME];

	snprintf(name, sizeof(name), "/proc/%d/comm", tid);
	if (!read_file(name, buf, size))
		return false;
	buf[strcspn(buf, "\n")] = '\0';
	return true;
}

static bool pid_comm(struct inspector *inspector, int pid, char *buf,
		     size_t size)
{
	(void)inspector;
	return procinfo_comm(pid, buf, size);
}

/* Taken from what sock_diag says: NETLINK:[ROUTE:1234]. */
static bool netlink_protocol(struct inspector *inspector, int fd, char *buf,
			     size_t size)
{
	static const char prefix[] = "NETLINK:[";
	const struct procinfo *p = (const struct procinfo *)inspector;
	char link[PROC_NAME], *name = details + sizeof(prefix) - 1;

	snprintf(link, sizeof(link), "/proc/%d/fd/%d", p->tid, fd);
	if (!read_link(link) || !describe_socket(link) ||
	    strncmp(details, prefix, sizeof(prefix) - 1))
		return false;
	name[strcspn(name, ":]")] = '\0';
	snprintf(buf, size, "%s", *name >= 'A' ? name : "");
	return true;
}

void procinfo_init(struct procinfo *procinfo, pid_t tid, unsigned decode_fds,
		   bool decode_pids)
{
	*procinfo = (struct procinfo){
		.inspector = {
			.fd_target = decode_fds ? fd_target : NULL,
			.fd_target_of = decode_fds ? fd_target_of : NULL,
			.pid_of = decode_fds ? pid_of : NULL,
			.cwd = decode_fds ? cwd : NULL,
			.pid_comm = decode_pids ? pid_comm : NULL,
			.netlink_protocol = netlink_protocol,
		},
		.tid = tid,
		.decode_fds = decode_fds,
		.decode_pids = decode_pids,
	};
}
