/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket options: names by level, and values by level and name.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/sockaddr.h"
#include "decode/structures.h"

#define OPTION_NAME							\
	SELECT(ARGV(1),							\
	       CHOICE(V_SOL_SOCKET, ENUM(socket_options)),		\
	       CHOICE(V_SOL_IP, ENUM(ip_options)),			\
	       CHOICE(V_SOL_IPV6, ENUM(ipv6_options)),			\
	       CHOICE(V_SOL_TCP, ENUM(tcp_options)),			\
	       CHOICE(V_SOL_UDP, ENUM(udp_options)),			\
	       CHOICE(V_SOL_PACKET, ENUM(packet_options)),		\
	       CHOICE(V_SOL_NETLINK, ENUM(netlink_options)),		\
	       OTHERWISE(UDEC))

STRUCTURE_UNNAMED(linger,
	FIELD(l_onoff, INT, DEC),
	FIELD(l_linger, INT, DEC));

STRUCTURE(ip_mreq,
	FIELD(imr_multiaddr, U32, INET_ADDR),
	FIELD(imr_interface, U32, INET_ADDR));

extern const struct structure structure_in6_addr, structure_ucred;

#define IPV6MR_ADDR							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_inet6_addr,		\
	     .label = "ipv6mr_multiaddr", .layout_of = &structure_in6_addr)

STRUCTURE_AS(ipv6_mreq, "struct ipv6_mreq",
	MEMBER(ipv6mr_multiaddr, IPV6MR_ADDR, .show = SHOW_VALUE_NAMED),
	FIELD(ipv6mr_ifindex, INT, IFINDEX));

/* The length of the value: known to the caller, or told by the kernel. */
static uint64_t option_length(struct decoder *d)
{
	static const struct ref told = POINTEE(4);
	uint64_t len;

	if (!(d->before_known & 1 << 4))
		return (int)d->args[4] < 0 ? 0 : (uint32_t)d->args[4];
	len = decode_ref(d, &told);
	return (uint32_t)d->before[4] < len ? (uint32_t)d->before[4] : len;
}

/* A newer, longer structure begins like the one that is shown. */
static uint64_t mreq_length(struct decoder *d)
{
	uint64_t len = option_length(d);

	return len < 8 ? len : 8;
}

#define CUT(id_, minimum_)						\
	STRUCT_SIZED(id_, minimum_, CALC(option_length))
#define NUMBER	DEC

/* An error that waits to be told, by name; 0 is none. */
static void print_pending_error(struct decoder *d, const struct type *type,
				uint64_t value)
{
	const char *name = constset_name(&set_errnos, d->abi, value);

	if (name)
		SINK_CALL(d->sink, symbol, value, BASE_SIGNED, name, NULL);
	else
		print_dec(d, type, value);
}
#define PROGRAM	STRUCT(sock_fprog)

/*
 * Options whose value is not what its length suggests: four bytes a number,
 * anything else a string.
 */
static const struct {
	uint16_t level, name;
	const struct type *type;
} options[] = {
	{ V_SOL_SOCKET, V_SO_DEBUG, NUMBER },
	{ V_SOL_SOCKET, V_SO_REUSEADDR, NUMBER },
	{ V_SOL_SOCKET, V_SO_TYPE, NUMBER },
	{ V_SOL_SOCKET, V_SO_ERROR, SCALAR(print_pending_error, INT) },
	{ V_SOL_SOCKET, V_SO_DONTROUTE, NUMBER },
	{ V_SOL_SOCKET, V_SO_BROADCAST, NUMBER },
	{ V_SOL_SOCKET, V_SO_SNDBUF, NUMBER },
	{ V_SOL_SOCKET, V_SO_RCVBUF, NUMBER },
	{ V_SOL_SOCKET, V_SO_KEEPALIVE, NUMBER },
	{ V_SOL_SOCKET, V_SO_OOBINLINE, NUMBER },
	{ V_SOL_SOCKET, V_SO_PRIORITY, NUMBER },
	{ V_SOL_SOCKET, V_SO_PASSCRED, NUMBER },
	{ V_SOL_SOCKET, V_SO_ACCEPTCONN, NUMBER },
	{ V_SOL_SOCKET, V_SO_LINGER, CUT(linger, 1) },
	{ V_SOL_SOCKET, V_SO_PEERCRED, CUT(ucred, 1) },
	{ V_SOL_SOCKET, V_SO_ATTACH_FILTER, PROGRAM },
	{ V_SOL_SOCKET, V_SO_ATTACH_REUSEPORT_CBPF, PROGRAM },
	{ V_SOL_IP, V_IP_ADD_MEMBERSHIP, STRUCT_SIZED(ip_mreq, 8, CALC(mreq_length)) },
	{ V_SOL_IP, V_IP_DROP_MEMBERSHIP, STRUCT_SIZED(ip_mreq, 8, CALC(mreq_length)) },
	{ V_SOL_IPV6, V_IPV6_ADD_MEMBERSHIP, CUT(ipv6_mreq, 20) },
	{ V_SOL_IPV6, V_IPV6_DROP_MEMBERSHIP, CUT(ipv6_mreq, 20) },
};

static const struct type text = {
	.kind = KIND_DATA, .length = CALC(option_length),
};

static const struct type *option_type(struct decoder *d, uint64_t len)
{
	uint64_t level = decode_arg_value(d, 1), name = decode_arg_value(d, 2);

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (options[i].level == level && options[i].name == name)
			return options[i].type;
	return len == 4 ? NUMBER : &text;
}

static void decode_option(struct decoder *d, const struct type *type,
			  const struct place *place)
{
	uint64_t len = option_length(d);

	(void)type;
	type = option_type(d, len);
	if (type == NUMBER && len < 4)
		SINK_CALL(d->sink, address, place->addr);
	else
		decode_at(d, type, place->addr);
}

#define OPTION_VALUE	PTR(CUSTOM(decode_option))

SYSCALL(setsockopt, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(level, ENUM(socket_levels)),
	ARG(optname, OPTION_NAME),
	ARG(optval, OPTION_VALUE),
	ARG(optlen, DEC)));

SYSCALL(getsockopt, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(level, ENUM(socket_levels)),
	ARG(optname, OPTION_NAME),
	OUT(optval, OPTION_VALUE),
	INOUT(optlen, PTR(DEC))));
