/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel's socket diagnosis (NETLINK_SOCK_DIAG) tells about a socket
 * of which only the inode is known: its addresses.  It sees the sockets of the
 * network namespace that the tracer is in.
 */
#ifndef TRACER_SOCK_DIAG_H
#define TRACER_SOCK_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Describes a socket, for instance as TCP:[127.0.0.1:80->127.0.0.1:50000].
 * protocol: its name as the kernel has it; inode: its number.  Returns false
 * if the protocol is none that this can describe.
 */
bool sock_diag_describe(const char *protocol, uint64_t inode, char *buf,
			size_t size);

#endif
