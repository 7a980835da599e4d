/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Control messages: what goes beside the data of a socket message.
 */
#ifndef TRACER_CMSG_H
#define TRACER_CMSG_H

#include "decode/type.h"

/* A sequence of struct cmsghdr behind a pointer, length bytes of it. */
void decode_control_messages(struct decoder *d, const struct type *type,
			     const struct place *place);
#define CONTROL_MESSAGES(...)						\
	PTR(TYPE(.kind = KIND_CUSTOM, .ctype = POINTER,			\
		 .decode = decode_control_messages, .length = __VA_ARGS__))

#endif
