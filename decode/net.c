/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sockets: making them, naming them, and what is sent through them.
 * Addresses are in decode/sockaddr.c, options in decode/sockopt.c, control
 * messages in decode/cmsg.c.
 */
#include <arpa/inet.h>
#include <string.h>

#include "decode/cmsg.h"
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/netlink.h"
#include "decode/sockaddr.h"
#include "decode/structures.h"

/* ---- sockets and their names ---- */

enum { SOCKET_FLAGS = V_SOCK_CLOEXEC | V_SOCK_NONBLOCK };

/* A type with flags; with what is no type, the flags are all there is. */
static void print_socket_type(struct decoder *d, const struct type *type,
			      uint64_t value)
{
	uint64_t kind = value & V_SOCK_TYPE_MASK;
	uint64_t flags = value & ~(uint64_t)V_SOCK_TYPE_MASK;

	(void)type;
	if (!constset_name(&set_socket_types, d->abi, kind)) {
		decode_flags(d, &set_socket_flags, value);
		return;
	}
	if (!flags) {
		decode_enum(d, &set_socket_types, value);
		return;
	}
	if (!constset_name(&set_socket_types, d->abi, kind)) {
		decode_flags(d, &set_socket_flags, value);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_JOINED);
	SINK_CALL(d->sink, item);
	decode_enum(d, &set_socket_types, kind);
	SINK_CALL(d->sink, item);
	decode_flags(d, &set_socket_flags, flags);
	SINK_CALL(d->sink, array_end);
}

#define SOCKET_TYPE	SCALAR(print_socket_type, UINT)

/* htons(ETH_P_IP), in every style: an argument is no memory */
static void print_link_protocol(struct decoder *d, const struct type *type,
				uint64_t value)
{
	struct composed c = { .names = "" };

	(void)type;
	compose_text(&c, "htons(");
	compose_symbol(d, &c, &set_ethernet_protocols, ntohs(value));
	compose_text(&c, ")");
	compose_show(d, &c, ntohs(value));
}

#define PROTOCOL							\
	SELECT(ARGV(0),							\
	       CHOICE(V_AF_INET, ENUM(inet_protocols)),			\
	       CHOICE(V_AF_AX25, NUMBERED_ENUM(ULONG, ax25_protocols)),	\
	       CHOICE(V_AF_INET6, ENUM(inet_protocols)),		\
	       CHOICE(V_AF_NETLINK, ENUM(netlink_families)),		\
	       CHOICE(V_AF_PACKET, SCALAR(print_link_protocol, U16)),	\
	       CHOICE(V_AF_CAN, ENUM(can_protocols)),			\
	       CHOICE(V_AF_BLUETOOTH, ENUM(bluetooth_protocols)),	\
	       CHOICE(V_AF_RXRPC, ENUM(address_families)),		\
	       CHOICE(V_AF_ISDN, ENUM(isdn_protocols)),			\
	       CHOICE(V_AF_PHONET, ENUM(phonet_protocols)),		\
	       CHOICE(V_AF_CAIF, ENUM(caif_protocols)),			\
	       CHOICE(V_AF_NFC, ENUM(nfc_socket_protocols)),		\
	       CHOICE(V_AF_KCM, ENUM(kcm_protocols)),			\
	       CHOICE(V_AF_SMC, ENUM(smc_protocols)),			\
	       OTHERWISE(SIZE))

#define FD_PAIR	PTR(ARRAY(FD, N(2)))

SYSCALL(socket, TRACE_NETWORK, ARGS(
	ARG(domain, ENUM(address_families)),
	ARG(type, SOCKET_TYPE),
	ARG(protocol, PROTOCOL)),
	.returns = FD);

SYSCALL(socketpair, TRACE_NETWORK, ARGS(
	ARG(domain, ENUM(address_families)),
	ARG(type, SOCKET_TYPE),
	ARG(protocol, SIZE),
	OUT(sv, FD_PAIR)));

SYSCALL(bind, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(addr, SOCKADDR(ARGV(2))),
	ARG(addrlen, DEC)));

SYSCALL(connect, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(addr, SOCKADDR(ARGV(2))),
	ARG(addrlen, DEC)));

SYSCALL(listen, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(backlog, DEC)));

/*
 * The kernel tells the whole length, but fills only what there was room for;
 * negative lengths are no lengths.
 */
static uint64_t name_length(struct decoder *d, unsigned length_arg)
{
	const struct ref now = POINTEE(length_arg);
	int32_t len = decode_ref(d, &now);

	if (d->before_known & 1 << length_arg &&
	    (int32_t)d->before[length_arg] < len)
		len = d->before[length_arg];
	return len;
}

static uint64_t third_name_length(struct decoder *d)
{
	return name_length(d, 2);
}

#define FILLED_NAME(name_, length_arg_)					\
	OUT(name_, SOCKADDR(CALC(third_name_length))),			\
	INOUT(length_arg_, PTR(DEC), .room_of = 2)

SYSCALL(accept, TRACE_NETWORK | FOLDED, ARGS(
	ARG(sockfd, FD),
	FILLED_NAME(addr, addrlen)),
	.returns = FD);

SYSCALL(accept4, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	FILLED_NAME(addr, addrlen),
	ARG(flags, FLAGS(socket_flags))),
	.returns = FD);

SYSCALL(getsockname, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	FILLED_NAME(addr, addrlen)));

SYSCALL(getpeername, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	FILLED_NAME(addr, addrlen)));

SYSCALL(shutdown, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(how, ENUM(shutdown_modes))));

/* ---- data ---- */

SYSCALL(sendto, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(buf, SOCKET_BYTES(ARGV(2))),
	ARG(len, SIZE),
	ARG(flags, FLAGS(message_flags)),
	ARG(dest_addr, SOCKADDR(ARGV(5))),
	ARG(addrlen, DEC)),
	.returns = SSIZE);

SYSCALL_ON(ON_I386, send, TRACE_NETWORK | FOLDED, ARGS(
	ARG(sockfd, FD),
	ARG(buf, SOCKET_BYTES(ARGV(2))),
	ARG(len, SIZE),
	ARG(flags, FLAGS(message_flags))),
	.returns = SSIZE);

/* A datagram longer than the buffer is told in full length (MSG_TRUNC). */
static uint64_t received_length(struct decoder *d)
{
	static const struct ref result = RESULT, size = ARGV(2);
	uint64_t len = decode_ref(d, &result), room = decode_ref(d, &size);

	return len < room ? len : room;
}

static uint64_t source_length(struct decoder *d)
{
	return name_length(d, 5);
}

SYSCALL(recvfrom, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	OUT(buf, SOCKET_BYTES(CALC(received_length))),
	ARG(len, SIZE),
	ARG(flags, FLAGS(message_flags)),
	OUT(src_addr, SOCKADDR(CALC(source_length))),
	INOUT(addrlen, PTR(DEC), .room_of = 5)),
	.returns = SSIZE);

SYSCALL_ON(ON_I386, recv, TRACE_NETWORK | FOLDED, ARGS(
	ARG(sockfd, FD),
	OUT(buf, SOCKET_BYTES(CALC(received_length))),
	ARG(len, SIZE),
	ARG(flags, FLAGS(message_flags))),
	.returns = SSIZE);

/* ---- messages ---- */

STRUCTURE_UNNAMED(message_iovec,
	FIELD(iov_base, POINTER, SOCKET_BYTES(SIBLING(iov_len))),
	FIELD(iov_len, ULONG, SIZE));

STRUCTURE_UNNAMED(message_iovec_read,
	FIELD(iov_base, POINTER, SOCKET_BYTES_SHARED(SIBLING(iov_len))),
	FIELD(iov_len, ULONG, SIZE));

/* The kernel's struct user_msghdr, for a message to send. */
STRUCTURE_UNNAMED(msghdr,
	FIELD(msg_name, POINTER, SOCKADDR(SIBLING(msg_namelen))),
	FIELD(msg_namelen, INT, DEC),
	FIELD(msg_iov, POINTER,
	      PTR(ARRAY(STRUCT(message_iovec), SIBLING(msg_iovlen)))),
	FIELD(msg_iovlen, ULONG, SIZE),
	FIELD(msg_control, POINTER, CONTROL_MESSAGES(SIBLING(msg_controllen)),
	      .when = IF_UNEQUAL(SIBLING(msg_controllen), 0)),
	FIELD(msg_controllen, ULONG, SIZE),
	FIELD(msg_flags, UINT, FLAGS(message_flags)));

static bool was_received(struct decoder *d)
{
	return !d->error;
}

static bool has_control(struct decoder *d)
{
	static const struct ref len = SIBLING(msg_controllen);

	return !d->error && decode_ref(d, &len);
}

/* A name that was cut is as long as its room was. */
static uint64_t received_name_length(struct decoder *d)
{
	static const struct ref now = SIBLING(msg_namelen);
	int32_t len = decode_ref(d, &now), before;
	size_t offset = d->scope->layout->offsets[1];

	if (d->scope->addr == d->snapshot.addr &&
	    offset + sizeof(before) <= d->snapshot.len) {
		memcpy(&before, d->snapshot.bytes + offset, sizeof(before));
		if (before < len)
			len = before;
	}
	return len;
}

/* The same for one that is received, which is filled only on success. */
#define RECEIVED_MSGHDR(id_, length_)					\
STRUCTURE_UNNAMED(id_,						\
	FIELD(msg_name, POINTER, SOCKADDR(CALC(received_name_length)),	\
	      .when = IF_FN(was_received)),				\
	FIELD(msg_namelen, INT, DEC,					\
	      .show = SHOW_CHANGE | SHOW_AT_ENTRY),			\
	FIELD(msg_iov, POINTER,						\
	      SHARED_PTR(ARRAY(STRUCT(message_iovec_read),		\
			       SIBLING(msg_iovlen)), length_),		\
	      .when = IF_FN(was_received)),				\
	FIELD(msg_iovlen, ULONG, SIZE, .when = IF_FN(was_received)),	\
	FIELD(msg_control, POINTER,					\
	      CONTROL_MESSAGES(SIBLING(msg_controllen)),		\
	      .when = IF_FN(has_control)),				\
	FIELD(msg_controllen, ULONG, SIZE, .when = IF_FN(was_received)), \
	FIELD(msg_flags, UINT, FLAGS(message_flags),			\
	      .when = IF_FN(was_received)))

RECEIVED_MSGHDR(msghdr_read, RESULT);
RECEIVED_MSGHDR(msghdr_read_many, SIBLING(msg_len));

SYSCALL(sendmsg, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	ARG(msg, PTR_TO(msghdr)),
	ARG(flags, FLAGS(message_flags))),
	.returns = SSIZE);

SYSCALL(recvmsg, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	INOUT(msg, PTR_TO(msghdr_read)),
	ARG(flags, FLAGS(message_flags))),
	.returns = SSIZE);

/* The kernel fills in the lengths of those that it has sent. */
static bool was_sent(struct decoder *d)
{
	uint64_t offset = d->scope->addr - decode_arg_value(d, 1);

	return !d->error && offset / d->scope->layout->size <
			    (uint64_t)d->result;
}

STRUCTURE_UNNAMED(mmsghdr,
	MEMBER(msg_hdr, STRUCT(msghdr)),
	FIELD(msg_len, UINT, UDEC, .when = IF_FN(was_sent)));

STRUCTURE_UNNAMED(mmsghdr_read,
	MEMBER(msg_hdr, STRUCT(msghdr_read_many)),
	FIELD(msg_len, UINT, UDEC));

/* Then not even no messages are an empty list. */
static uint64_t messages_are_unread(struct decoder *d)
{
	return !d->options->follow_pointers;
}

SYSCALL(sendmmsg, TRACE_NETWORK, ARGS(
	ARG(sockfd, FD),
	LATE(msgvec, SELECT(CALC(messages_are_unread), CHOICE(1, ADDR),
		OTHERWISE(PTR(ARRAY(STRUCT(mmsghdr), ARGV(2)))))),
	ARG(vlen, UDEC),
	ARG(flags, FLAGS(message_flags))));

#define RECVMMSG(timespec_)						\
	ARG(sockfd, FD),						\
	OUT(msgvec, PTR(ARRAY(STRUCT(mmsghdr_read), RESULT))),		\
	ARG(vlen, UDEC),						\
	ARG(flags, FLAGS(message_flags)),				\
	KEPT(timeout, PTR_TO(timespec_)),				\
	AUX_RESULT("", ENUM(poll_timeout), .when = IF_EQUAL(RESULT, 0)), \
	AUX("left", 4, PTR_TO(timespec_), .when = IF_FN(has_time_left))

static bool has_time_left(struct decoder *d)
{
	return d->args[4] && d->result > 0;
}

SYSCALL(recvmmsg, TRACE_NETWORK, ARGS(RECVMMSG(timespec)));
SYSCALL(recvmmsg_time64, TRACE_NETWORK, ARGS(RECVMMSG(timespec64)));

/* ---- i386's call for all of them, which is shown if it is none ---- */

SYSCALL_ON(ON_I386, socketcall, 0, ARGS(
	ARG(call, NAMED(INT, socketcall_numbers)),
	ARG(args, ADDR)));
