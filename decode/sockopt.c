/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket options: names by level, and values by level and name.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/sockaddr.h"
#include "decode/structures.h"

/* ---- names ---- */

/* dir_: set or get, where the same number has two names. */
#define OPTION_NAME(dir_)						\
	SELECT(ARGV(1),							\
	       CHOICE(V_SOL_SOCKET, ENUM(socket_##dir_##_options)),	\
	       CHOICE(V_SOL_IP, ENUM(ip_##dir_##_options)),		\
	       CHOICE(V_SOL_IPV6, ENUM(ipv6_##dir_##_options)),		\
	       CHOICE(V_SOL_TCP, ENUM(tcp_options)),			\
	       CHOICE(V_SOL_UDP, ENUM(udp_options)),			\
	       CHOICE(V_SOL_RAW, ENUM(raw_options)),			\
	       CHOICE(V_SOL_SCTP, ENUM(sctp_options)),			\
	       CHOICE(V_SOL_CAN_RAW, ENUM(can_raw_options)),		\
	       CHOICE(V_SOL_IPX, ENUM(ipx_options)),			\
	       CHOICE(V_SOL_AX25, ENUM(ax25_options)),			\
	       CHOICE(V_SOL_PACKET, ENUM(packet_options)),		\
	       CHOICE(V_SOL_IRDA, ENUM(irda_options)),			\
	       CHOICE(V_SOL_LLC, ENUM(llc_options)),			\
	       CHOICE(V_SOL_DCCP, ENUM(dccp_options)),			\
	       CHOICE(V_SOL_NETLINK, ENUM(netlink_options)),		\
	       CHOICE(V_SOL_TIPC, ENUM(tipc_options)),			\
	       CHOICE(V_SOL_RXRPC, ENUM(rxrpc_options)),		\
	       CHOICE(V_SOL_PPPOL2TP, ENUM(pppol2tp_options)),		\
	       CHOICE(V_SOL_BLUETOOTH, ENUM(bluetooth_options)),	\
	       CHOICE(V_SOL_PNPIPE, ENUM(pnpipe_options)),		\
	       CHOICE(V_SOL_RDS, ENUM(rds_options)),			\
	       CHOICE(V_SOL_IUCV, ENUM(iucv_options)),			\
	       CHOICE(V_SOL_CAIF, ENUM(caif_options)),			\
	       CHOICE(V_SOL_ALG, ENUM(alg_options)),			\
	       CHOICE(V_SOL_NFC, ENUM(nfc_options)),			\
	       CHOICE(V_SOL_KCM, ENUM(kcm_options)),			\
	       CHOICE(V_SOL_TLS, ENUM(tls_options)),			\
	       CHOICE(V_SOL_XDP, ENUM(xdp_options)),			\
	       OTHERWISE(UDEC))

/* ---- values ---- */

extern const struct structure structure_in6_addr, structure_ucred;

STRUCTURE_UNNAMED(linger,
	FIELD(l_onoff, INT, DEC),
	FIELD(l_linger, INT, DEC));

STRUCTURE(ip_mreq,
	FIELD(imr_multiaddr, U32, INET_ADDR),
	FIELD(imr_interface, U32, INET_ADDR));

#define IPV6MR_ADDR							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_inet6_addr,		\
	     .label = "ipv6mr_multiaddr", .layout_of = &structure_in6_addr)

STRUCTURE_AS(ipv6_mreq, "struct ipv6_mreq",
	MEMBER(ipv6mr_multiaddr, IPV6MR_ADDR, .show = SHOW_VALUE_NAMED),
	FIELD(ipv6mr_interface, INT, IFINDEX, .cname = "ipv6mr_ifindex"));

STRUCTURE_UNNAMED(sockaddr_storage,
	FIELD(ss_family, U64, HEX64, .count = 16));

#define SOCKADDR_STORAGE						\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_sockaddr,		\
	     .length = N(128), .layout_of = &structure_sockaddr_storage)

STRUCTURE_UNNAMED(group_req,
	FIELD(gr_interface, U32, IFINDEX),
	MEMBER(gr_group, SOCKADDR_STORAGE));

static void print_bit(struct decoder *d, const struct type *type,
		      uint64_t value)
{
	SINK_CALL(d->sink, number, value >> type->number & 1, BASE_UNSIGNED);
}

#define BIT(number_)							\
	TYPE(.kind = KIND_SCALAR, .ctype = U32, .print = print_bit,	\
	     .number = (number_))

/* Key bytes; the room for them is as large as the longest key. */
static uint64_t key_length(struct decoder *d)
{
	static const struct ref told = SIBLING(keylen);
	uint64_t len = decode_ref(d, &told);

	return len < 80 ? len : 80;
}

static void decode_key(struct decoder *d, const struct type *type,
		       const struct place *place)
{
	(void)type;
	SINK_CALL(d->sink, string, place->bytes, key_length(d), STRING_HEX);
}

STRUCTURE_UNNAMED(key_room, FIELD(b, U8, HEX, .count = 80));

STRUCTURE(tcp_ao_add,
	MEMBER(addr, SOCKADDR_STORAGE),
	MEMBER(alg_name, CHARS(64), .turn = 2),
	FIELD(ifindex, INT, IFINDEX, .turn = 2),
	FIELD(set_current, U32, BIT(0), .turn = 2, .cname = ""),
	FIELD(set_rnext, U32, BIT(1), .turn = 2, .show = SHOW_OVERLAY,
	      .cname = ""),
	FIELD(reserved2, U16, HEX, .show = SHOW_NONZERO, .turn = 2),
	FIELD(prefix, U8, UDEC, .turn = 1),
	FIELD(sndid, U8, UDEC, .turn = 3),
	FIELD(rcvid, U8, UDEC, .turn = 3),
	FIELD(maclen, U8, UDEC, .turn = 3),
	FIELD(keyflags, U8, FLAGS(tcp_ao_key_flags), .turn = 3),
	FIELD(keylen, U8, UDEC, .turn = 5),
	MEMBER(key, TYPE(.kind = KIND_CUSTOM, .decode = decode_key,
			 .layout_of = &structure_key_room), .turn = 4));

/*
 * As long as it says; all of it is shown if it says nothing but must have
 * one.
 */
static void decode_link_address(struct decoder *d, const struct type *type,
				const struct place *place)
{
	static const struct ref told = SIBLING(mr_alen);
	static const struct ref kind = SIBLING(mr_type);
	uint64_t len = decode_ref(d, &told);
	struct place address = *place;

	(void)type;
	if (len < address.len)
		address.len = len;
	show_octets(d, &address,
		    len || decode_ref(d, &kind) == V_PACKET_MR_MULTICAST
		    ? address.len : place->len);
}

STRUCTURE(packet_mreq,
	FIELD(mr_ifindex, INT, IFINDEX),
	FIELD(mr_type, U16, ENUM(packet_memberships)),
	FIELD(mr_alen, U16, UDEC),
	MEMBER(mr_address, TYPE(.kind = KIND_CUSTOM,
				.decode = decode_link_address,
				.layout_of = &structure_octets8)));

STRUCTURE(tpacket_req,
	FIELD(tp_block_size, U32, UDEC),
	FIELD(tp_block_nr, U32, UDEC),
	FIELD(tp_frame_size, U32, UDEC),
	FIELD(tp_frame_nr, U32, UDEC));

STRUCTURE(tpacket_stats_v3,
	FIELD(tp_packets, U32, UDEC),
	FIELD(tp_drops, U32, UDEC),
	FIELD(tp_freeze_q_cnt, U32, UDEC));

STRUCTURE(tipc_group_req,
	FIELD(type, U32, UDEC),
	FIELD(instance, U32, UDEC),
	FIELD(scope, U32, ENUM(tipc_scopes)),
	FIELD(flags, U32, FLAGS(tipc_group_flags)));

/* An error that waits to be told, by name; 0 is none. */
static void print_pending_error(struct decoder *d, const struct type *type,
				uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, symbol, value, BASE_UNSIGNED,
		  constset_name(&set_errnos, d->abi, value), NULL);
}

/* Two ports in a word, zero for one that is not set: 0x20001 is 1..2 */
static void print_port_range(struct decoder *d, const struct type *type,
			     uint64_t value)
{
	unsigned low = value & 0xffff, high = value >> 16 & 0xffff;
	char range[24], text[64];
	int len = 0;

	(void)type;
	if (!value) {
		SINK_CALL(d->sink, number, value, BASE_HEX);
		return;
	}
	if (low)
		len = snprintf(range, sizeof(range), "%u", low);
	len += snprintf(range + len, sizeof(range) - len, "..");
	if (high)
		snprintf(range + len, sizeof(range) - len, "%u", high);
	snprintf(text, sizeof(text), "%#" PRIx64 " /* %s */", value, range);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .comment = range, .value = value,
		.base = BASE_HEX, .str = range });
}

enum { ICMP_TYPES = 32 };

/* The types that are kept out, or if these are most, those that are not. */
static void decode_icmp_filter(struct decoder *d, const struct type *type,
			       const struct place *place)
{
	uint32_t mask = UINT32_MAX;
	bool inverted;

	(void)type;
	memcpy(&mask, place->bytes,
	       place->len < sizeof(mask) ? place->len : sizeof(mask));
	inverted = __builtin_popcount(mask) > ICMP_TYPES / 2;
	if (inverted)
		mask = ~mask;
	SINK_CALL(d->sink, array_begin,
		  inverted ? ARRAY_SET_INVERTED : ARRAY_SET);
	for (unsigned i = 0; i < ICMP_TYPES; i++) {
		if (!(mask >> i & 1))
			continue;
		SINK_CALL(d->sink, item);
		decode_enum(d, &set_icmp_types, i);
	}
	SINK_CALL(d->sink, array_end);
}

STRUCTURE_UNNAMED(icmp_filter_room, FIELD(data, U32, HEX));

#define ICMP_FILTER_TYPE						\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_icmp_filter,		\
	     .layout_of = &structure_icmp_filter_room)

/* ---- which value an option has ---- */

enum option_how {
	GET = 1,
	SET = 2,
	BOTH = GET | SET,
	EXACT = 4,		/* a longer value is none of this type */
	CUT = 8,		/* of a shorter one, what there is */
	FILLED = 16,		/* the same, and zeros for the rest */
	BYTES_ELSE = 32,	/* one that does not fit is shown as bytes, not
				 * by its address */
};

#define ALL_OF(level_)	.level = (level_), .any = true
#define IN(level_, set_name_) \
	.level = (level_), .any = true, .names = &set_##set_name_
#define ONE(level_, name_)	.level = (level_), .name = (name_)

static uint64_t group_count(struct decoder *d);

/*
 * What is not what its length suggests: four bytes a number, anything else a
 * string.  The first that fits counts.
 */
static const struct option {
	uint16_t level, name;
	bool any;			/* every option of the level... */
	const struct constset *names;	/* ...or if given, of the set */
	const struct type *type;
	unsigned how;			/* enum option_how */
} options[] = {
	{ ONE(V_SOL_SOCKET, V_SO_ERROR), .type = SCALAR(print_pending_error, UINT),
	  .how = GET | BYTES_ELSE },
	{ ONE(V_SOL_SOCKET, V_SO_PEERPIDFD), .type = FD, .how = GET | BYTES_ELSE },
	{ ONE(V_SOL_SOCKET, V_SO_LINGER), .type = STRUCT(linger), .how = GET | CUT },
	{ ONE(V_SOL_SOCKET, V_SO_LINGER), .type = STRUCT(linger), .how = SET },
	{ ONE(V_SOL_SOCKET, V_SO_PEERCRED), .type = STRUCT(ucred), .how = GET | CUT },
	{ ONE(V_SOL_SOCKET, V_SO_GET_FILTER), .type = ADDR, .how = GET },
	{ ONE(V_SOL_SOCKET, V_SO_ATTACH_FILTER), .type = STRUCT(sock_fprog),
	  .how = SET | EXACT },
	{ ONE(V_SOL_SOCKET, V_SO_ATTACH_REUSEPORT_CBPF), .type = STRUCT(sock_fprog),
	  .how = SET | EXACT },
	{ ONE(V_SOL_SOCKET, V_SO_TXREHASH), .type = ENUM_OF(INT, txrehash_modes),
	  .how = GET | BYTES_ELSE },
	{ ONE(V_SOL_SOCKET, V_SO_TXREHASH), .type = ENUM_OF(INT, txrehash_modes),
	  .how = SET },
	{ IN(V_SOL_SOCKET, socket_number_options), .type = DEC,
	  .how = GET | BYTES_ELSE },
	{ IN(V_SOL_SOCKET, socket_number_options), .type = DEC, .how = SET },
	{ ONE(V_SOL_IP, V_IP_ADD_MEMBERSHIP), .type = STRUCT(ip_mreq), .how = SET },
	{ ONE(V_SOL_IP, V_IP_DROP_MEMBERSHIP), .type = STRUCT(ip_mreq), .how = SET },
	{ ONE(V_SOL_IP, V_MCAST_JOIN_GROUP), .type = STRUCT(group_req), .how = SET },
	{ ONE(V_SOL_IP, V_MCAST_LEAVE_GROUP), .type = STRUCT(group_req), .how = SET },
	{ ONE(V_SOL_IP, V_IP_LOCAL_PORT_RANGE), .type = SCALAR(print_port_range, U32),
	  .how = BOTH | EXACT | BYTES_ELSE },
	{ ONE(V_SOL_IP, V_IP_PROTOCOL), .type = ENUM(inet_protocols),
	  .how = GET | EXACT | BYTES_ELSE },
	{ ONE(V_SOL_IPV6, V_IPV6_ADD_MEMBERSHIP), .type = STRUCT(ipv6_mreq),
	  .how = SET },
	{ ONE(V_SOL_IPV6, V_IPV6_DROP_MEMBERSHIP), .type = STRUCT(ipv6_mreq),
	  .how = SET },
	{ ONE(V_SOL_IPV6, V_IPV6_JOIN_ANYCAST), .type = STRUCT(ipv6_mreq),
	  .how = SET },
	{ ONE(V_SOL_IPV6, V_IPV6_LEAVE_ANYCAST), .type = STRUCT(ipv6_mreq),
	  .how = SET },
	{ ONE(V_SOL_IPV6, V_MCAST_JOIN_GROUP), .type = STRUCT(group_req), .how = SET },
	{ ONE(V_SOL_IPV6, V_MCAST_LEAVE_GROUP), .type = STRUCT(group_req),
	  .how = SET },
	{ ONE(V_SOL_TCP, V_TCP_AO_ADD_KEY), .type = STRUCT(tcp_ao_add),
	  .how = SET | FILLED },
	{ ONE(V_SOL_RAW, V_ICMP_FILTER), .type = ICMP_FILTER_TYPE, .how = BOTH | CUT },
	{ ONE(V_SOL_PACKET, V_PACKET_ADD_MEMBERSHIP), .type = STRUCT(packet_mreq),
	  .how = SET | EXACT },
	{ ONE(V_SOL_PACKET, V_PACKET_DROP_MEMBERSHIP), .type = STRUCT(packet_mreq),
	  .how = SET | EXACT },
	{ ONE(V_SOL_PACKET, V_PACKET_RX_RING), .type = STRUCT(tpacket_req),
	  .how = SET | EXACT },
	{ ONE(V_SOL_PACKET, V_PACKET_TX_RING), .type = STRUCT(tpacket_req),
	  .how = SET | EXACT },
	{ ONE(V_SOL_PACKET, V_PACKET_STATISTICS), .type = STRUCT(tpacket_stats_v3),
	  .how = GET | CUT },
	{ ONE(V_SOL_NETLINK, V_NETLINK_LIST_MEMBERSHIPS),
	  .type = ARRAY(UDEC, CALC(group_count)), .how = GET },
	{ ALL_OF(V_SOL_NETLINK), .type = DEC, .how = BOTH },
	{ ONE(V_SOL_TIPC, V_TIPC_IMPORTANCE), .type = ENUM(tipc_importances),
	  .how = BOTH },
	{ ONE(V_SOL_TIPC, V_TIPC_GROUP_JOIN), .type = STRUCT(tipc_group_req),
	  .how = BOTH },
	{ ALL_OF(V_SOL_TIPC), .type = DEC, .how = BOTH },
};

static const struct option *find_option(struct decoder *d, unsigned dir)
{
	uint64_t level = decode_arg_value(d, 1), name = decode_arg_value(d, 2);

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++) {
		const struct option *o = &options[i];

		if (o->level != (uint32_t)level || !(o->how & dir))
			continue;
		if (o->any ? !o->names || constset_name(o->names, d->abi, name)
			   : o->name == (uint32_t)name)
			return o;
	}
	return NULL;
}

/* How long the value is; what the kernel says comes to be at exit. */
static int32_t option_length(struct decoder *d, unsigned dir)
{
	static const struct ref told = POINTEE(4);

	if (dir == SET)
		return decode_arg_value(d, 4);
	return d->before_known & 1 << 4 ? (int32_t)decode_ref(d, &told) : 0;
}

static uint64_t group_count(struct decoder *d)
{
	return (uint32_t)option_length(d, GET) / sizeof(uint32_t);
}

/* ---- showing it ---- */

enum { MAX_VALUE = 512 };	/* bytes of the longest type of an option */

static void show_value(struct decoder *d, const struct type *type,
		       const struct place *place)
{
	bool scalar = type->kind <= KIND_FLAGS;

	if (scalar) {
		/* a pointer to a number is an array of one */
		SINK_CALL(d->sink, array_begin, ARRAY_LIST);
		SINK_CALL(d->sink, item);
	}
	decode_object(d, type, CT_DEFAULT, place);
	if (scalar)
		SINK_CALL(d->sink, array_end);
}

/* Whether a value of this length is of the option's type. */
static bool fits(const struct option *option, size_t len, size_t size)
{
	if (len < size)
		return len && option->how & (CUT | FILLED);
	return len == size || !(option->how & EXACT);
}

static void show_option(struct decoder *d, const struct option *option,
			uint64_t addr, size_t len)
{
	uint8_t bytes[MAX_VALUE] = { 0 };
	size_t size = sizeof_type(option->type, CT_DEFAULT, d->abi);
	size_t have = len < size ? len : size;
	struct place place = { .addr = addr, .bytes = bytes, .len = have };

	if (option->type->kind == KIND_ARRAY) {
		decode_at(d, option->type, addr);
	} else if (!fits(option, len, size)) {
		if (option->how & BYTES_ELSE)
			decode_bytes(d, addr, len, STRING_HEX);
		else
			SINK_CALL(d->sink, address, addr);
	} else if (!view_read_exactly(d->view, addr, bytes, have)) {
		SINK_CALL(d->sink, address, addr);
	} else {
		if (option->how & FILLED)
			place.len = size;
		show_value(d, option->type, &place);
	}
}

static void decode_option(struct decoder *d, const struct type *type,
			  const struct place *place)
{
	unsigned dir = type->number;
	int32_t len = option_length(d, dir);
	const struct option *option = find_option(d, dir);

	if (len < 0 || (!len && dir == GET) ||
	    (option && option->type == ADDR))
		SINK_CALL(d->sink, address, place->addr);
	else if (option)
		show_option(d, option, place->addr, len);
	else if (len == sizeof(uint32_t))
		decode_at(d, DEC, place->addr);
	else
		decode_bytes(d, place->addr, len, 0);
}

#define OPTION_VALUE(dir_)						\
	PTR(TYPE(.kind = KIND_CUSTOM, .ctype = POINTER,			\
		 .decode = decode_option, .number = (dir_)))

SYSCALL(setsockopt, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(level, ENUM(socket_levels)),
	ARG(optname, OPTION_NAME(set)),
	ARG(optval, OPTION_VALUE(SET)),
	ARG(optlen, DEC)));

SYSCALL(getsockopt, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(level, ENUM(socket_levels)),
	ARG(optname, OPTION_NAME(get)),
	OUT(optval, OPTION_VALUE(GET)),
	INOUT(optlen, PTR(DEC))));
