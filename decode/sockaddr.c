/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket addresses: a structure for each family, chosen by its first field.
 */
#include "decode/sockaddr.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"

enum { MAX_SOCKADDR = 128 };	/* sizeof(struct sockaddr_storage) */

/* ---- values in network order ---- */

static void show_swapped(struct decoder *d, const char *text, uint64_t value,
			 const void *raw, size_t raw_len, const char *str)
{
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_UNSIGNED,
		.raw = raw, .raw_len = raw_len, .str = str });
}

void print_htons(struct decoder *d, const struct type *type, uint64_t value)
{
	uint16_t raw = value;
	char text[16];

	(void)type;
	snprintf(text, sizeof(text), "htons(%u)", ntohs(raw));
	show_swapped(d, text, ntohs(raw), &raw, sizeof(raw), NULL);
}

void print_htonl(struct decoder *d, const struct type *type, uint64_t value)
{
	uint32_t raw = value;
	char text[20];

	(void)type;
	snprintf(text, sizeof(text), "htonl(%u)", ntohl(raw));
	show_swapped(d, text, ntohl(raw), &raw, sizeof(raw), NULL);
}

void print_ethernet_protocol(struct decoder *d, const struct type *type,
			     uint64_t value)
{
	uint16_t raw = value, protocol = ntohs(raw);
	const char *name = constset_name(&set_ethernet_protocols, d->abi,
					 protocol);
	char text[48];

	(void)type;
	if (name)
		snprintf(text, sizeof(text), "htons(%s)", name);
	else
		snprintf(text, sizeof(text), "htons(%#x /* %s */)", protocol,
			 set_ethernet_protocols.unknown);
	show_swapped(d, text, protocol, &raw, sizeof(raw), NULL);
}

void print_inet_addr(struct decoder *d, const struct type *type,
		     uint64_t value)
{
	uint32_t raw = value;
	char address[INET_ADDRSTRLEN], text[INET_ADDRSTRLEN + 16];

	(void)type;
	inet_ntop(AF_INET, &raw, address, sizeof(address));
	snprintf(text, sizeof(text), "inet_addr(\"%s\")", address);
	show_swapped(d, text, ntohl(raw), &raw, sizeof(raw), address);
}

void print_ifindex(struct decoder *d, const struct type *type,
		   uint64_t value)
{
	char name[IF_NAMESIZE], text[IF_NAMESIZE + 24];

	if (!value || !if_indextoname(value, name)) {
		print_dec(d, type, value);
		return;
	}
	snprintf(text, sizeof(text), "if_nametoindex(\"%s\")", name);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_UNSIGNED });
}

void decode_inet6_addr(struct decoder *d, const struct type *type,
		       const struct place *place)
{
	char address[INET6_ADDRSTRLEN];
	char text[INET6_ADDRSTRLEN + 48], comment[INET6_ADDRSTRLEN + 32];

	inet_ntop(AF_INET6, place->bytes, address, sizeof(address));
	snprintf(comment, sizeof(comment), "inet_pton(AF_INET6, \"%s\")",
		 address);
	if (type->label)
		snprintf(text, sizeof(text), "inet_pton(AF_INET6, \"%s\", &%s)",
			 address, type->label);
	else
		snprintf(text, sizeof(text), "%s", comment);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .comment = comment, .raw = place->bytes,
		.raw_len = 16, .str = address });
}

/* ---- a structure a family ---- */

STRUCTURE_AS(sockaddr_in, "struct sockaddr_in",
	FIELD(sin_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(sin_port, U16, HTONS),
	FIELD(sin_addr, U32, INET_ADDR),
	FIELD(__pad, U8, HEX, .count = 8, .show = SHOW_NEVER));

/* Only addresses of a link need to say which link. */
static bool is_on_link(struct decoder *d)
{
	const uint8_t *address = d->scope->bytes + 8;

	if (address[0] == 0xfe)
		return (address[1] & 0xc0) == 0x80;
	return address[0] == 0xff && (address[1] & 0x0f) == 0x02;
}

static bool is_not_on_link(struct decoder *d)
{
	return !is_on_link(d);
}

STRUCTURE_UNNAMED(in6_addr,
	FIELD(bytes, U8, HEX, .count = 16));

#define SIN6_ADDR							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_inet6_addr,		\
	     .label = "sin6_addr", .layout_of = &structure_in6_addr)

STRUCTURE_UNNAMED(sockaddr_in6,
	FIELD(sin6_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(sin6_port, U16, HTONS),
	FIELD(sin6_flowinfo, U32, HTONL),
	MEMBER(sin6_addr, SIN6_ADDR, .show = SHOW_VALUE_NAMED),
	FIELD(sin6_scope_id, U32, IFINDEX, .when = IF_FN(is_on_link)),
	FIELD(sin6_scope_id, U32, UDEC, .show = SHOW_OVERLAY,
	      .when = IF_FN(is_not_on_link)));

static void print_groups(struct decoder *d, const struct type *type,
			 uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, value, BASE_MASK32);
}

STRUCTURE(sockaddr_nl,
	FIELD(nl_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(nl_pad, U16, HEX, .show = SHOW_NEVER),
	FIELD(nl_pid, U32, PID),
	FIELD(nl_groups, U32, SCALAR(print_groups, U32)));

static uint64_t hardware_length(struct decoder *d)
{
	static const struct ref halen = SIBLING(sll_halen);
	uint64_t len = decode_ref(d, &halen);

	return len < 8 ? len : 8;
}

STRUCTURE(sockaddr_ll,
	FIELD(sll_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(sll_protocol, U16, ETHERTYPE),
	FIELD(sll_ifindex, INT, IFINDEX),
	FIELD(sll_hatype, U16, ENUM(hardware_types)),
	FIELD(sll_pkttype, U8, ENUM(packet_types)),
	FIELD(sll_halen, U8, UDEC),
	MEMBER(sll_addr, ARRAY_WITH(TYPE_WHOLE, SCALAR(print_hex, U8),
				    CALC(hardware_length)), .cname = ""),
	PADDING(U8, .count = 8));	/* the room for sll_addr */

STRUCTURE(sockaddr_vm,
	FIELD(svm_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(svm_reserved1, U16, HEX, .show = SHOW_NONZERO),
	FIELD(svm_port, U32, HEX),
	FIELD(svm_cid, U32, HEX),
	FIELD(svm_flags, U8, HEX, .show = SHOW_NONZERO),
	FIELD(svm_zero, U8, HEX, .count = 3, .show = SHOW_NEVER));

STRUCTURE(sockaddr_alg,
	FIELD(salg_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	MEMBER(salg_type, CHARS(14)),
	FIELD(salg_feat, U32, HEX),
	FIELD(salg_mask, U32, HEX),
	MEMBER(salg_name, CHARS(64)));

STRUCTURE(sockaddr_xdp,
	FIELD(sxdp_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(sxdp_flags, U16, FLAGS(xdp_flags)),
	FIELD(sxdp_ifindex, U32, IFINDEX),
	FIELD(sxdp_queue_id, U32, UDEC),
	FIELD(sxdp_shared_umem_fd, INT, FD));

/* An address of a family; shorter ones are shown as bytes. */
static const struct {
	uint16_t family;
	uint8_t minimum;
	const struct type *type;
} families[] = {
#define BARE(id_) \
	TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_, \
	     .flags = TYPE_BARE)
	{ V_AF_INET, 16, BARE(sockaddr_in) },
	{ V_AF_INET6, 24, BARE(sockaddr_in6) },
	{ V_AF_NETLINK, 12, BARE(sockaddr_nl) },
	{ V_AF_PACKET, 12, BARE(sockaddr_ll) },
	{ V_AF_VSOCK, 12, BARE(sockaddr_vm) },
	{ V_AF_ALG, 88, BARE(sockaddr_alg) },
	{ V_AF_XDP, 16, BARE(sockaddr_xdp) },
};

/* A path, or behind a NUL a name that is no path and may hold any byte. */
static void show_unix(struct decoder *d, const uint8_t *path, size_t len)
{
	if (!len)
		return;
	SINK_CALL(d->sink, field, "sun_path", 0);
	if (path[0])
		SINK_CALL(d->sink, string, path,
			  strnlen((const char *)path, len), STRING_PATH);
	else
		SINK_CALL(d->sink, string, path + 1, len - 1, STRING_ABSTRACT);
}

static void show_data(struct decoder *d, const uint8_t *data, size_t len)
{
	if (!len)
		return;
	SINK_CALL(d->sink, field, "sa_data", 0);
	SINK_CALL(d->sink, string, data, len, 0);
}

static void show_family_members(struct decoder *d, uint16_t family,
				const struct place *place)
{
	for (size_t i = 0; i < sizeof(families) / sizeof(*families); i++) {
		if (families[i].family == family &&
		    place->len >= families[i].minimum) {
			decode_object(d, families[i].type, CT_DEFAULT, place);
			return;
		}
	}
	show_data(d, place->bytes + 2, place->len - 2);
}

void decode_sockaddr(struct decoder *d, const struct type *type,
		     const struct place *place)
{
	uint8_t bytes[MAX_SOCKADDR];
	int32_t given = decode_ref(d, &type->length);
	size_t len = given < MAX_SOCKADDR ? given : MAX_SOCKADDR;
	uint16_t family;

	if (given < 2 || !view_read_exactly(d->view, place->addr, bytes, len)) {
		SINK_CALL(d->sink, address, place->addr);
		return;
	}
	memcpy(&family, bytes, sizeof(family));
	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "sa_family", 0);
	decode_enum(d, &set_address_families, family);
	if (family == V_AF_UNIX)
		show_unix(d, bytes + 2, len - 2 < 108 ? len - 2 : 108);
	else
		show_family_members(d, family, &(struct place){
			.addr = place->addr, .bytes = bytes, .len = len });
	SINK_CALL(d->sink, struct_end);
}
