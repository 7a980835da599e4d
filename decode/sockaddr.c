/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket addresses: a structure for each family, chosen by its first field.
 * The families of machines' ordinary networks are here, the others in
 * decode/sockaddr_rare.c.
 */
#include "decode/sockaddr.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

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
	FIELD(nl_pad, U16, HEX, .show = SHOW_NONZERO),
	FIELD(nl_pid, U32, PID),
	FIELD(nl_groups, U32, SCALAR(print_groups, U32)));

STRUCTURE(sockaddr_ll,
	FIELD(sll_family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(sll_protocol, U16, ETHERTYPE),
	FIELD(sll_ifindex, INT, IFINDEX),
	FIELD(sll_hatype, U16, ENUM(hardware_types)),
	FIELD(sll_pkttype, U8, ENUM(packet_types)),
	FIELD(sll_halen, U8, UDEC),
	MEMBER(sll_addr, REST_ARRAY(OCTET, SIBLING(sll_halen)), .cname = "",
	       .when = IF_UNEQUAL(SIBLING(sll_halen), 0)),
	PADDING(U8, .count = 8));	/* the room for sll_addr */

ADDRESS_FAMILY(V_AF_INET, sockaddr_in);
ADDRESS_FAMILY(V_AF_INET6, sockaddr_in6, .least = 24, .filled = true);
ADDRESS_FAMILY(V_AF_NETLINK, sockaddr_nl);
ADDRESS_FAMILY(V_AF_PACKET, sockaddr_ll);

/* ---- addresses ---- */

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

/* Bytes that mean nothing to us; label NULL: unnamed. */
static void show_data(struct decoder *d, const char *label,
		      const uint8_t *data, size_t len)
{
	if (!len)
		return;
	SINK_CALL(d->sink, field, label, label ? 0 : FIELD_UNNAMED);
	SINK_CALL(d->sink, string, data, len, 0);
}

static size_t least_size(struct decoder *d, const struct address_family *f)
{
	return f->least ? f->least : sizeof_type(f->type, CT_DEFAULT, d->abi);
}

/* Of those that are not longer than the address, the longest. */
static const struct address_family *find_family(struct decoder *d,
						uint16_t family, size_t len)
{
	const struct address_family *found = NULL;

	for (const struct address_family *const *f = __start_address_families;
	     f < __stop_address_families; f++) {
		size_t least = least_size(d, *f);

		if ((*f)->family == family && len >= least &&
		    (!(*f)->most || len <= (*f)->most) &&
		    (!found || least > least_size(d, found)))
			found = *f;
	}
	return found;
}

void decode_address_members(struct decoder *d, uint16_t family,
			    const struct place *place, const char *label)
{
	const struct address_family *f = find_family(d, family, place->len);
	struct place whole = *place;
	uint8_t bytes[MAX_SOCKADDR] = { 0 };
	size_t size;

	if (!f) {
		show_data(d, label, place->bytes + 2, place->len - 2);
		return;
	}
	size = sizeof_type(f->type, CT_DEFAULT, d->abi);
	if (f->filled && place->len > f->least && place->len < size) {
		memcpy(bytes, place->bytes, place->len);
		whole.bytes = bytes;
		whole.len = size;
	}
	decode_object(d, f->type, CT_DEFAULT, &whole);
	if (f->more && place->len > size)
		SINK_CALL(d->sink, more);
}

void decode_sockaddr(struct decoder *d, const struct type *type,
		     const struct place *place)
{
	uint8_t bytes[MAX_SOCKADDR];
	int32_t given = decode_ref(d, &type->length);
	size_t len = given < MAX_SOCKADDR ? given : MAX_SOCKADDR;
	uint16_t family;

	if (place->bytes && len > place->len)
		len = place->len;
	if (place->bytes && given >= 2 && len >= 2)
		memcpy(bytes, place->bytes, len);
	else if (given < 2 ||
		 !view_read_exactly(d->view, place->addr, bytes, len)) {
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
		decode_address_members(d, family, &(struct place){
			.addr = place->addr, .bytes = bytes, .len = len },
			"sa_data");
	SINK_CALL(d->sink, struct_end);
}
