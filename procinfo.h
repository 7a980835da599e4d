/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel tells about a tracee besides its memory: what is behind its
 * descriptors, where it works, what it is called.  It reads /proc and asks
 * the kernel's socket diagnosis; it knows no ptrace.
 */
#ifndef TRACER_PROCINFO_H
#define TRACER_PROCINFO_H

#include <stdbool.h>
#include <sys/types.h>

#include "decode/decode.h"

/* What is shown of a descriptor (-y, -yy, --decode-fds). */
enum decode_fds {
	DECODE_FDS_PATH = 1,		/* the path, or the kernel's name */
	DECODE_FDS_SOCKET = 2,		/* protocol and addresses */
	DECODE_FDS_DEV = 4,		/* numbers of a device */
	DECODE_FDS_EVENTFD = 8,
	DECODE_FDS_PIDFD = 16,
	DECODE_FDS_SIGNALFD = 32,
	DECODE_FDS_ALL = 63,
};

/* The inspector of a thread that is in a ptrace stop. */
struct procinfo {
	struct inspector inspector;	/* for struct decoder */
	pid_t tid;
	unsigned decode_fds;		/* enum decode_fds */
	bool decode_pids;
};

/* decode_fds: what is wanted; decode_pids: names of processes, too (-Y). */
void procinfo_init(struct procinfo *procinfo, pid_t tid, unsigned decode_fds,
		   bool decode_pids);

/* The name of a process or thread as the kernel has it; false: no such. */
bool procinfo_comm(pid_t tid, char *buf, size_t size);

#endif
