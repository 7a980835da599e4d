/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket addresses, and the values in them that other network structures have
 * too.
 */
#ifndef TRACER_SOCKADDR_H
#define TRACER_SOCKADDR_H

#include "decode/structures.h"

/* A socket address behind a pointer, as long as the reference says. */
void decode_sockaddr(struct decoder *d, const struct type *type,
		     const struct place *place);
#define SOCKADDR(...)							\
	PTR(TYPE(.kind = KIND_CUSTOM, .ctype = POINTER,			\
		 .decode = decode_sockaddr, .length = __VA_ARGS__))

/*
 * What addresses of a family hold, and how long they are.  Several may be
 * registered for a family, of different lengths; shorter addresses than any of
 * them are shown as bytes.
 */
struct address_family {
	uint16_t family;
	uint8_t least, most;	/* bytes; least 0: the whole structure,
				 * most 0: any number */
	bool filled;		/* if longer than least, zeros stand for what
				 * is missing of the last member */
	bool more;		/* "..." stands for bytes behind the members */
	const struct type *type;	/* members without braces */
};

extern const struct address_family *const __start_address_families[];
extern const struct address_family *const __stop_address_families[];

#define ADDRESS_FAMILY_AS(id_, ...)					\
	static const struct address_family family_of_##id_ = { __VA_ARGS__ }; \
	REGISTER("address_families", struct address_family, family_of_##id_)
#define ADDRESS_FAMILY(family_, id_, ...)				\
	ADDRESS_FAMILY_AS(id_, .family = (family_), .type = BARE(id_),	\
			  ##__VA_ARGS__)

/*
 * The members of an address, of which place has at least the family; or its
 * bytes, called label.
 */
void decode_address_members(struct decoder *d, uint16_t family,
			    const struct place *place, const char *label);

/*
 * A hardware address, 01:02:03:04:05:06: up to eight of the bytes at place are
 * shown as text, place->len of them as they are.
 */
void show_octets(struct decoder *d, const struct place *place, size_t shown);
extern const struct structure structure_octets6, structure_octets8;

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
