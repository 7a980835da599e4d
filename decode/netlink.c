/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Netlink messages: their headers, and the contents of those by which
 * ordinary programs ask for the machine's addresses.
 */
#include "decode/netlink.h"

#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/sockaddr.h"

enum {
	MAX_MESSAGES = 64 * 1024,	/* bytes of them that are looked at */
	HEADER = 16,			/* sizeof(struct nlmsghdr) */
	ATTRIBUTE_HEADER = 4,		/* sizeof(struct nlattr) */
};

static size_t align4(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* ---- contents ---- */

STRUCTURE(ifaddrmsg,
	FIELD(ifa_family, U8, ENUM(address_families)),
	FIELD(ifa_prefixlen, U8, UDEC),
	FIELD(ifa_flags, U8, FLAGS(address_flags)),
	FIELD(ifa_scope, U8, ENUM(route_scopes)),
	FIELD(ifa_index, U32, IFINDEX));

STRUCTURE(ifa_cacheinfo,
	FIELD(ifa_prefered, U32, UDEC),
	FIELD(ifa_valid, U32, UDEC),
	FIELD(cstamp, U32, UDEC),
	FIELD(tstamp, U32, UDEC));

extern const struct structure structure_in6_addr;

#define IN6_ADDR							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_inet6_addr,		\
	     .layout_of = &structure_in6_addr)

/* An address of the family that the message is about. */
#define IFA_ADDR							\
	SELECT(SIBLING(ifa_family),					\
	       CHOICE(V_AF_INET, INET_ADDR),				\
	       CHOICE(V_AF_INET6, IN6_ADDR))

#define TEXT	TYPE(.kind = KIND_CHARS)

struct attribute {
	uint16_t number;
	const struct type *type;
};

static const struct attribute address_attributes[] = {
	{ V_IFA_ADDRESS, IFA_ADDR },
	{ V_IFA_LOCAL, IFA_ADDR },
	{ V_IFA_LABEL, TEXT },
	{ V_IFA_BROADCAST, IFA_ADDR },
	{ V_IFA_ANYCAST, IFA_ADDR },
	{ V_IFA_CACHEINFO, STRUCT(ifa_cacheinfo) },
	{ V_IFA_MULTICAST, IFA_ADDR },
	{ V_IFA_FLAGS, FLAGS_OF(U32, address_flags) },
	{ V_IFA_RT_PRIORITY, DEC_OF(U32) },
	{ V_IFA_TARGET_NETNSID, DEC_OF(INT) },
};

/* What is in a message of one type, behind the header. */
static const struct payload {
	uint16_t first, last;		/* types of messages */
	const struct structure *head;
	const struct type *first_field;	/* a message this short has but that */
	const struct constset *names;
	const struct attribute *attributes;
	size_t count;
} route_payloads[] = {
	{ V_RTM_NEWADDR, V_RTM_GETADDR, &structure_ifaddrmsg,
	  ENUM_OF(U8, address_families), &set_address_attributes,
	  address_attributes,
	  sizeof(address_attributes) / sizeof(*address_attributes) },
};

static const struct payload *find_payload(const char *protocol, uint16_t type)
{
	if (strcmp(protocol, "ROUTE"))
		return NULL;
	for (size_t i = 0;
	     i < sizeof(route_payloads) / sizeof(*route_payloads); i++)
		if (type >= route_payloads[i].first &&
		    type <= route_payloads[i].last)
			return &route_payloads[i];
	return NULL;
}

/* ---- attributes ---- */

static void show_raw(struct decoder *d, const struct place *place)
{
	size_t limit = d->options->string_limit;
	bool cut = place->len > limit;

	SINK_CALL(d->sink, string, place->bytes, cut ? limit : place->len,
		  STRING_HEX | (cut ? STRING_TRUNCATED : 0));
}

static void show_attribute_value(struct decoder *d,
				 const struct payload *payload,
				 unsigned number, const struct place *value)
{
	for (size_t i = 0; i < payload->count; i++) {
		const struct attribute *a = &payload->attributes[i];

		const struct type *type = a->type;

		if (a->number != number)
			continue;
		if (type->kind == KIND_SELECT)
			type = decode_choose(d, type);
		if (!type ||
		    value->len < sizeof_type(type, CT_DEFAULT, d->abi))
			break;
		decode_object(d, type, CT_DEFAULT, value);
		return;
	}
	show_raw(d, value);
}

static struct place part(const struct place *whole, size_t from, size_t to)
{
	return (struct place){
		.addr = whole->addr + from,
		.bytes = whole->bytes + from,
		.len = to - from,
	};
}

static void show_attribute(struct decoder *d, const struct payload *payload,
			   const struct place *attribute)
{
	unsigned len = decode_load(d, U16, attribute->bytes);
	unsigned number = decode_load(d, U16, attribute->bytes + 2);

	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "nla_len", 0);
	SINK_CALL(d->sink, number, len, BASE_UNSIGNED);
	SINK_CALL(d->sink, field, "nla_type", 0);
	decode_enum(d, payload->names, number);
	SINK_CALL(d->sink, struct_end);
}

static void show_attributes(struct decoder *d, const struct payload *payload,
			    const struct place *place)
{
	size_t at = 0;

	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	while (at + ATTRIBUTE_HEADER <= place->len) {
		struct place rest = part(place, at, place->len);
		size_t len = decode_load(d, U16, rest.bytes);
		struct place value;

		if (len > rest.len)
			len = rest.len;
		SINK_CALL(d->sink, item);
		SINK_CALL(d->sink, array_begin, ARRAY_LIST);
		SINK_CALL(d->sink, item);
		show_attribute(d, payload, &rest);
		if (len > ATTRIBUTE_HEADER) {
			value = part(&rest, ATTRIBUTE_HEADER, len);
			SINK_CALL(d->sink, item);
			show_attribute_value(d, payload, decode_load(d, U16,
				rest.bytes + 2), &value);
		}
		SINK_CALL(d->sink, array_end);
		if (len < ATTRIBUTE_HEADER)
			break;
		at += align4(len);
	}
	SINK_CALL(d->sink, array_end);
}

/* ---- messages ---- */

static bool is_new(uint16_t type)
{
	/* requests come in fours: new, delete, get, set */
	return type >= V_RTM_NEWLINK && (type & 3) == 0;
}

static bool is_get(uint16_t type)
{
	return type >= V_RTM_NEWLINK && (type & 3) == 2;
}

static bool is_diag_get(uint16_t type)
{
	return type >= V_TCPDIAG_GETSOCK && type <= V_SOCK_DESTROY;
}

static bool is_none(uint16_t type)
{
	(void)type;
	return false;
}

/* What a protocol calls its messages, and which of them ask or make. */
static const struct protocol {
	const char *name;
	const struct constset *types;
	bool (*gets)(uint16_t type);
	bool (*news)(uint16_t type);
} protocols[] = {
	{ "ROUTE", &set_route_message_types, is_get, is_new },
	{ "SOCK_DIAG", &set_sock_diag_message_types, is_diag_get, is_none },
	{ NULL, &set_netlink_message_types, is_none, is_none },
};

static const struct protocol *find_protocol(const char *name)
{
	const struct protocol *p = protocols;

	while (p->name && strcmp(p->name, name) != 0)
		p++;
	return p;
}

static const struct constset *flags_of(const struct protocol *protocol,
				       uint16_t type)
{
	if (type == V_NLMSG_ERROR)
		return &set_netlink_error_flags;
	if (protocol->gets(type))
		return &set_netlink_get_flags;
	return protocol->news(type) ? &set_netlink_new_flags
				    : &set_netlink_flags;
}

static void show_header(struct decoder *d, const char *protocol,
			const uint8_t *bytes)
{
	const struct protocol *p = find_protocol(protocol);
	uint16_t type = decode_load(d, U16, bytes + 4);

	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "nlmsg_len", 0);
	SINK_CALL(d->sink, number, decode_load(d, U32, bytes), BASE_UNSIGNED);
	SINK_CALL(d->sink, field, "nlmsg_type", 0);
	decode_enum(d, p->types, type);
	SINK_CALL(d->sink, field, "nlmsg_flags", 0);
	decode_flags(d, flags_of(p, type), decode_load(d, U16, bytes + 6));
	SINK_CALL(d->sink, field, "nlmsg_seq", 0);
	SINK_CALL(d->sink, number, decode_load(d, U32, bytes + 8),
		  BASE_UNSIGNED);
	SINK_CALL(d->sink, field, "nlmsg_pid", 0);
	SINK_CALL(d->sink, number, decode_load(d, U32, bytes + 12),
		  BASE_UNSIGNED);
	SINK_CALL(d->sink, struct_end);
}

/* A family alone is all that a request needs to hold. */
static void show_short_head(struct decoder *d, const struct payload *payload,
			    const struct place *body)
{
	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, payload->head->fields[0].name, 0);
	decode_value(d, payload->first_field, CT_DEFAULT, body->bytes[0]);
	SINK_CALL(d->sink, more);
	SINK_CALL(d->sink, struct_end);
}

static void show_known_body(struct decoder *d, const struct payload *payload,
			    const struct place *body)
{
	const struct layout *layout = structure_layout(payload->head, d->abi);
	const struct type head = {
		.kind = KIND_STRUCT, .structure = payload->head,
	};
	struct scope scope = {
		.structure = payload->head, .layout = layout,
		.bytes = body->bytes, .len = body->len,
		.addr = body->addr, .outer = d->scope,
	};
	struct place rest;

	if (body->len < layout->size) {
		show_short_head(d, payload, body);
		return;
	}
	rest = part(body, 0, layout->size);
	decode_object(d, &head, CT_DEFAULT, &rest);
	if (body->len <= align4(layout->size))
		return;
	rest = part(body, align4(layout->size), body->len);
	SINK_CALL(d->sink, item);
	d->scope = &scope;
	show_attributes(d, payload, &rest);
	d->scope = scope.outer;
}

static void show_message(struct decoder *d, const char *protocol,
			 const struct place *message)
{
	uint16_t type = decode_load(d, U16, message->bytes + 4);
	const struct payload *payload = find_payload(protocol, type);
	struct place body;

	if (message->len <= HEADER) {
		show_header(d, protocol, message->bytes);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	SINK_CALL(d->sink, item);
	show_header(d, protocol, message->bytes);
	body = part(message, HEADER, message->len);
	SINK_CALL(d->sink, item);
	if (type == V_NLMSG_DONE && body.len == 4)
		SINK_CALL(d->sink, number, decode_load(d, INT, body.bytes),
			  BASE_SIGNED);
	else if (payload)
		show_known_body(d, payload, &body);
	else
		show_raw(d, &body);
	SINK_CALL(d->sink, array_end);
}

/* The length of the message at the beginning of place; 0: there is none. */
static size_t message_length(struct decoder *d, const struct place *place)
{
	size_t len;

	if (place->len < HEADER)
		return 0;
	len = decode_load(d, U32, place->bytes);
	return len < HEADER ? 0 : len < place->len ? len : place->len;
}

static void show_messages(struct decoder *d, const char *protocol,
			  const struct place *place)
{
	size_t len = message_length(d, place), at;
	struct place message, rest;

	/* what is no message of its own belongs to the one before it */
	if (!len || align4(len) + HEADER > place->len) {
		show_message(d, protocol, place);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (at = 0; at < place->len; at += align4(len)) {
		rest = part(place, at, place->len);
		if (rest.len < HEADER)
			break;
		len = message_length(d, &rest);
		SINK_CALL(d->sink, item);
		message = part(&rest, 0, len ? len : HEADER);
		show_message(d, protocol, &message);
		if (!len)
			break;
	}
	SINK_CALL(d->sink, array_end);
}

/* Whether the bytes could be a message, before the kernel is asked. */
static bool has_header(struct decoder *d, const struct place *place)
{
	uint8_t header[HEADER];

	return place->len >= HEADER &&
	       view_read_exactly(d->view, place->addr, header, HEADER);
}

void decode_socket_bytes(struct decoder *d, const struct type *type,
			 const struct place *place)
{
	struct place messages = *place;
	char protocol[32];
	uint8_t *bytes;

	(void)type;
	if (messages.len > MAX_MESSAGES)
		messages.len = MAX_MESSAGES;
	if (!has_header(d, &messages) || !d->inspector ||
	    !d->inspector->netlink_protocol ||
	    !d->inspector->netlink_protocol(d->inspector,
					    decode_arg_value(d, 0), protocol,
					    sizeof(protocol))) {
		decode_bytes(d, place->addr, place->len, 0);
		return;
	}
	bytes = malloc(messages.len);
	if (bytes && view_read_exactly(d->view, messages.addr, bytes,
				       messages.len)) {
		messages.bytes = bytes;
		show_messages(d, protocol, &messages);
	} else {
		SINK_CALL(d->sink, address, place->addr);
	}
	free(bytes);
}
