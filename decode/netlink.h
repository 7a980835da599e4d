/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Netlink messages: what is sent through sockets to and from the kernel.
 */
#ifndef TRACER_NETLINK_H
#define TRACER_NETLINK_H

#include "decode/type.h"

/*
 * A buffer that goes through the socket of argument 0: netlink messages if
 * that is a netlink socket, else bytes.
 */
void decode_socket_bytes(struct decoder *d, const struct type *type,
			 const struct place *place);
#define SOCKET_BYTES(...)						\
	TYPE(.kind = KIND_BYTES, .ctype = POINTER,			\
	     .decode = decode_socket_bytes, .length = __VA_ARGS__)
#define SOCKET_BYTES_SHARED(...)					\
	TYPE(.kind = KIND_BYTES, .ctype = POINTER, .flags = TYPE_SHARING, \
	     .decode = decode_socket_bytes, .length = __VA_ARGS__)

#endif
