/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket addresses, and the values in them that other network structures have
 * too.
 */
#ifndef TRACER_SOCKADDR_H
#define TRACER_SOCKADDR_H

#include "decode/type.h"

/* A socket address behind a pointer, as long as the reference says. */
void decode_sockaddr(struct decoder *d, const struct type *type,
		     const struct place *place);
#define SOCKADDR(...)							\
	PTR(TYPE(.kind = KIND_CUSTOM, .ctype = POINTER,			\
		 .decode = decode_sockaddr, .length = __VA_ARGS__))

/* Numbers in network order: htons(80), htonl(7), htons(ETH_P_IP). */
void print_htons(struct decoder *d, const struct type *type, uint64_t value);
void print_htonl(struct decoder *d, const struct type *type, uint64_t value);
void print_ethernet_protocol(struct decoder *d, const struct type *type,
			     uint64_t value);
/* inet_addr("127.0.0.1") */
void print_inet_addr(struct decoder *d, const struct type *type,
		     uint64_t value);
/* if_nametoindex("lo"), or the number of an interface that there is not */
void print_ifindex(struct decoder *d, const struct type *type,
		   uint64_t value);
/* 16 bytes in place: inet_pton(AF_INET6, "::1"); &NAME is the label's */
void decode_inet6_addr(struct decoder *d, const struct type *type,
		       const struct place *place);

#define HTONS		SCALAR(print_htons, U16)
#define HTONL		SCALAR(print_htonl, U32)
#define ETHERTYPE	SCALAR(print_ethernet_protocol, U16)
#define INET_ADDR	SCALAR(print_inet_addr, U32)
#define IFINDEX		SCALAR(print_ifindex, INT)

#endif
