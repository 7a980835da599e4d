/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Socket calls with good and bad arguments: addresses of all families that
 * are described, options, messages with control data, netlink headers.
 */
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "calls.h"

#define NET(a_, b_, c_, d_)	(a_ | b_ << 8 | c_ << 16 | (uint32_t)d_ << 24)
#define BIG16(n_)		((n_) >> 8 | ((n_) & 0xff) << 8)

static void sockets(void)
{
	CALL(socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 99);
	CALL(socket, AF_INET, 9 | SOCK_NONBLOCK, IPPROTO_TCP);
	CALL(socket, AF_INET6, SOCK_RAW | 0x100, IPPROTO_ICMPV6);
	CALL(socket, AF_NETLINK, SOCK_RAW | 0x100, 9);
	CALL(socket, AF_PACKET, SOCK_RAW | 0x100, BIG16(0x800));
	CALL(socket, 999, SOCK_DGRAM, 5);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 0, BAD);
	CALL(socketpair, AF_UNIX, SOCK_DGRAM, 77, ROOM(8));
	CALL(listen, -1, 5);
	CALL(shutdown, -1, SHUT_RDWR);
	CALL(shutdown, -1, 9);
	CALL(accept, -1, BAD, PUT(int, 16));
	CALL(accept4, -1, 0, 0, SOCK_CLOEXEC | 1);
	CALL(getsockname, -1, BAD, PUT(int, 16));
	CALL(getpeername, -1, BAD, BAD);
}

static void addresses(void)
{
	struct sockaddr_in6 in6 = { AF_INET6, BIG16(443), 0x7000000, { { {
		0xfe, 0x80, [15] = 1 } } }, 1 };
	char alg[88] = { AF_ALG, 0, 'h', 'a', 's', 'h', [16] = 1, [20] = 2,
			 [24] = 'm', 'd', '5' };

	CALL(connect, -1, TEXT("\1\0/tmp/name\0"), 12);
	CALL(connect, -1, TEXT("\1\0\0abs\1"), 7);
	CALL(connect, -1, TEXT("\1\0"), 2);
	CALL(connect, -1, TEXT("\1"), 1);
	CALL(connect, -1, BAD, 16);
	CALL(connect, -1, 0, 16);
	CALL(connect, -1, PUT(uint32_t, AF_INET | BIG16(80) << 16,
			      NET(127, 0, 0, 1), 0, 0), 16);
	CALL(connect, -1, PUT(uint32_t, AF_INET | BIG16(80) << 16, 5, 0), 12);
	CALL(connect, -1, put(&in6, sizeof(in6)), sizeof(in6));
	in6.sin6_addr.s6_addr[0] = 0x20;
	CALL(connect, -1, put(&in6, sizeof(in6)), sizeof(in6));
	CALL(bind, -1, PUT(uint32_t, AF_NETLINK, 5, 0x11), 12);
	CALL(bind, -1, PUT(uint32_t, AF_PACKET | BIG16(0x800) << 16, 1,
			   1 | 4 << 16 | 6 << 24, 0x04030201, 0x0605), 20);
	CALL(bind, -1, PUT(uint32_t, AF_VSOCK, 1024, 3, 0), 16);
	CALL(bind, -1, PUT(uint32_t, AF_VSOCK, -1, -1, 1), 16);
	CALL(bind, -1, put(alg, sizeof(alg)), sizeof(alg));
	CALL(bind, -1, PUT(uint16_t, AF_XDP, 9, 1, 0, 3, 0, 0xffff, 0xffff),
	     16);
	CALL(bind, -1, TEXT("\x63\0\1\2\3\4"), 6);
	CALL(bind, -1, TEXT("\0\0\1\2"), 4);
}

/* Bytes as an address. */
#define ADDRESS(...) \
	CALL(bind, -1, PUT(uint8_t, __VA_ARGS__), \
	     sizeof((const uint8_t[]){ __VA_ARGS__ }))
#define SIGN(a_, b_, station_) \
	(a_) << 1, (b_) << 1, 64, 64, 64, 64, (station_) << 1
#define OCTETS	1, 2, 3, 4, 5, 6

static void radio_addresses(void)
{
	ADDRESS(AF_AX25, 0, SIGN('A', 'Z', 1), 0, 0, 0, 0, 0, 0, 0);
	ADDRESS(AF_AX25, 0, SIGN(' ', ' ', 0), 0, 0, 0, 0, 0, 0, 0);
	ADDRESS(AF_AX25, 0, SIGN('a', '*', 1), 0, 0, 0, 0, 0, 0, 0);
	ADDRESS(AF_AX25, 0, SIGN('a', 'b', 2), 0, 0, 0, 2, 0, 0, 0,
		SIGN('C', '0', 15), 9);
	ADDRESS(AF_BLUETOOTH, 0, 1, 2);
	ADDRESS(AF_BLUETOOTH, 0, 1, 0, 3, 0);
	ADDRESS(AF_BLUETOOTH, 0, OCTETS);
	ADDRESS(AF_BLUETOOTH, 0, OCTETS, 7, 0);
	ADDRESS(AF_BLUETOOTH, 0, 1, 0, OCTETS, 4, 0);
	ADDRESS(AF_BLUETOOTH, 0, 2, 0x10, OCTETS, 0x41, 0, 1, 0);
	ADDRESS(AF_BLUETOOTH, 0, 5, 0, OCTETS, 8, 0, 3, 0);
	ADDRESS(AF_BLUETOOTH, 0, 1, 2, 3);
	ADDRESS(AF_IEEE802154, 0, 0, 0, 3, 0, 0, 0, 0x34, 0x12, OCTETS, 7, 8,
		0, 0);
	ADDRESS(AF_IEEE802154, 0, 0, 0, 2, 0, 0, 0, 0xff, 0xff, 0xfe, 0xff,
		3, 4, 5, 6, 7, 8, 0, 0);
	ADDRESS(AF_NFC, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0);
	ADDRESS(AF_NFC, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 9, 0, 0, 0, 1);
	ADDRESS(AF_NFC, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 4, 5,
		's', 'v', 'c', [88] = 2, [95] = 0);
}

static void other_addresses(void)
{
	ADDRESS(AF_IPX, 0, 4, 0x53, 0, 0, 0, 0x12, 0, 1, 2, 3, 4, 5, 6, 7);
	ADDRESS(AF_X25, 0, '1', '2', [17] = 0);
	ADDRESS(AF_TIPC, 0, 1, 2, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
	ADDRESS(AF_TIPC, 0, 2, 3, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
	ADDRESS(AF_TIPC, 0, 3, 4, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
	ADDRESS(AF_TIPC, 0, 4, 2, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0);
	ADDRESS(AF_RXRPC, 0, 1, 0, 2, 0, 16, 0, 2, 0, 0x1b, 0x59, 127, 0, 0,
		1, [35] = 0);
	ADDRESS(AF_RXRPC, 0, 2, 0, 2, 0, 8, 0, 2, 0, 0x1b, 0x59, 127, 0, 0,
		1, [35] = 0);
	ADDRESS(AF_RXRPC, 0, 2, 0, 2, 0, 28, 0, 10, 0, 0x1b, 0x59, 0, 0, 0, 5,
		0xfe, 0x80, [31] = 1, 1, 0, 0, 0);
	ADDRESS(AF_RXRPC, 0, 2, 0, 2, 0, 5, 0, 99, 0, 1, 2, 3, [35] = 0);
	ADDRESS(AF_QIPCRTR, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0);
	ADDRESS(AF_MCTP, 0, 0, 0, 0, 0, 0, 0, 255, 8, 9, 0);
	ADDRESS(AF_MCTP, 0, 1, 0, 7, 0, 0, 0, 9, 8, 9, 1);
	ADDRESS(AF_PACKET, 0, 8, 0, 1, 0, 0, 0, 1, 0, 0, 10, 0, 1, 2, 3, 4, 5,
		6, 7);
	ADDRESS(AF_ALG, 0, 's', [16] = 0, 0x10, 0, 0, 1, 0, 0, 0, 'n', 'a');
	ADDRESS(AF_XDP, 0, 2, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0);
}

static void transfers(void)
{
	long address = PUT(uint32_t, AF_INET | BIG16(80) << 16,
			   NET(10, 0, 0, 1), 0, 0);
	long vector = PUT(struct iovec, { (void *)STR("ab"), 2 },
			  { (void *)TEXT("c\n"), 2 });
	struct msghdr message = { (void *)address, 16, (void *)vector, 2,
				  NULL, 0, MSG_EOR };
	size_t control[] = {
		sizeof(struct cmsghdr) + 8, SOL_SOCKET | 1ul << 32,
		0xffffffff | (size_t)-2 << 32,
		sizeof(struct cmsghdr) + 3, SOL_IP | 9ul << 32, 0x434241,
	};

	CALL(sendto, -1, STR("hello"), 5, MSG_NOSIGNAL | MSG_MORE, address,
	     16);
	CALL(sendto, -1, BAD, 5, 0x10000000, 0, 16);
	CALL(recvfrom, -1, BAD, 5, MSG_PEEK | MSG_TRUNC, BAD, PUT(int, 16));
	CALL(recvfrom, -1, BAD, 5, 0, 0, 0);
	CALL(sendmsg, -1, put(&message, sizeof(message)), MSG_DONTWAIT);
	message.msg_control = (void *)put(control, sizeof(control));
	message.msg_controllen = sizeof(control);
	message.msg_name = NULL;
	CALL(sendmsg, -1, put(&message, sizeof(message)), 0);
	CALL(sendmsg, -1, BAD, 0);
	CALL(recvmsg, -1, put(&message, sizeof(message)), 0);
	CALL(recvmsg, -1, BAD, MSG_CMSG_CLOEXEC);
	CALL(sendmmsg, -1, BAD, 2, MSG_OOB);
	CALL(recvmmsg, -1, BAD, 2, MSG_WAITFORONE, PUT(long, 1, 5));
}

enum { CMSG = sizeof(struct cmsghdr) };

/* A message with one control message of so many data bytes of these words. */
static void control(int level, int type, size_t len, const uint32_t *words)
{
	char bytes[CMSG + 64] = "";
	struct cmsghdr head = { CMSG + len, level, type };
	struct msghdr message = { .msg_controllen = CMSG + len };

	memcpy(bytes, &head, CMSG);
	memcpy(bytes + CMSG, words, len);
	message.msg_control = (void *)put(bytes, CMSG + len);
	CALL(sendmsg, -1, put(&message, sizeof(message)), 0);
}

#define CONTROL(level_, type_, len_, ...) \
	control(level_, type_, len_, (const uint32_t[16]){ __VA_ARGS__ })

static void control_messages(void)
{
	CONTROL(SOL_SOCKET, SCM_RIGHTS, 12, -1, 1000, -2);
	CONTROL(SOL_SOCKET, SCM_RIGHTS, 3, 1);
	CONTROL(SOL_SOCKET, 2, 12, 1, 2, -1);
	CONTROL(SOL_SOCKET, 2, 8, 1, 2);
	CONTROL(SOL_SOCKET, 3, 4, 0x6362610a);
	CONTROL(SOL_SOCKET, 4, 4, -1);
	CONTROL(SOL_SOCKET, 29, 16, 1, 0, 2, 0);
	CONTROL(SOL_SOCKET, 63, 16, 1, 0, 2, 0);
	CONTROL(SOL_SOCKET, 35, 16, 3, 0, 4, 0);
	CONTROL(SOL_SOCKET, 64, 12, 3, 0, 4);
	CONTROL(SOL_SOCKET, 65, 48, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0);
	CONTROL(SOL_SOCKET, 41, 4, 1);
	CONTROL(SOL_IP, IP_TTL, 8, 64, -1);
	CONTROL(SOL_IP, IP_TOS, 2, 0x0201);
	CONTROL(SOL_IP, IP_RECVOPTS, 4, 0x04030201);
	CONTROL(SOL_IP, IP_PKTINFO, 12, 1, NET(10, 0, 0, 1),
		NET(10, 0, 0, 2));
	CONTROL(SOL_IP, IP_RECVERR, 32, 111, 0x010302, 5, 6,
		AF_INET | BIG16(80) << 16, NET(10, 0, 0, 1));
	CONTROL(SOL_IP, IP_RECVERR, 16, 111, 0x010302, 5, 6);
	CONTROL(SOL_IP, 20, 16, AF_INET | BIG16(80) << 16, NET(10, 0, 0, 1));
	CONTROL(SOL_IP, 23, 4, 0xffff);
	CONTROL(SOL_IP, 52, 8, IPPROTO_UDP, 1);
	CONTROL(SOL_IP, 52, 4, 1000);
	CONTROL(IPPROTO_UDP, 104, 4, 1400);
	CONTROL(12345, 1, 0, 0);
}

static void many_messages(void)
{
	long vector = PUT(struct iovec, { (void *)STR("ab"), 2 });
	struct {
		struct msghdr head;
		uint64_t len;
	} messages[2] = {
		{ { .msg_iov = (void *)vector, .msg_iovlen = 1 }, 7 },
		{ { .msg_iov = (void *)vector, .msg_iovlen = 1 }, 8 },
	};
	long good = put(messages, sizeof(messages));

	CALL(sendmmsg, -1, good, 2, MSG_DONTWAIT);
	CALL(sendmmsg, -1, good, 3, MSG_DONTWAIT);
	CALL(recvmmsg, -1, good, 2, MSG_DONTWAIT, 0);
}

#define SET(level_, name_, type_, ...)					\
	CALL(setsockopt, -1, level_, name_, PUT(type_, __VA_ARGS__),	\
	     sizeof((const type_[]){ __VA_ARGS__ }))

static void options(void)
{
	long address = PUT(int, 16);

	SET(SOL_SOCKET, SO_REUSEADDR, int, 1);
	CALL(setsockopt, -1, SOL_SOCKET, SO_REUSEADDR, PUT(int, 1), 3);
	CALL(setsockopt, -1, SOL_SOCKET, SO_REUSEADDR, PUT(int, 1), -1);
	CALL(setsockopt, -1, SOL_SOCKET, SO_REUSEADDR, 0, 4);
	SET(SOL_SOCKET, SO_LINGER, int, 1, 5, 6);
	CALL(setsockopt, -1, SOL_SOCKET, SO_LINGER, PUT(int, 1), 4);
	CALL(setsockopt, -1, SOL_SOCKET, SO_BINDTODEVICE, TEXT("lo"), 2);
	CALL(setsockopt, -1, SOL_SOCKET, 999, BAD, 4);
	CALL(setsockopt, -1, SOL_SOCKET, 80, BAD, 4);
	SET(SOL_SOCKET, SO_ATTACH_FILTER, long, 2, address);
	SET(SOL_SOCKET, SO_ATTACH_FILTER, int, 1);
	SET(SOL_SOCKET, 74, int, 255);
	SET(SOL_SOCKET, 74, int, 2);
	SET(SOL_SOCKET, SO_RCVTIMEO, long, 1, 2);
	SET(SOL_IP, IP_ADD_MEMBERSHIP, uint32_t, NET(224, 0, 0, 5),
	    NET(10, 0, 0, 1));
	SET(SOL_IP, IP_ADD_MEMBERSHIP, uint32_t, NET(224, 0, 0, 5));
	SET(SOL_IP, MCAST_JOIN_GROUP, uint32_t, 1, 0,
	    AF_INET | BIG16(80) << 16, NET(224, 0, 0, 5), [33] = 0);
	SET(SOL_IP, 51, int, 2000 << 16 | 1000);
	SET(SOL_IP, 51, int, 1000);
	SET(SOL_IP, 0x40, int, 1);
	SET(SOL_IPV6, IPV6_ADD_MEMBERSHIP, uint32_t, 0x2ff, 0, 0, 1 << 24, 1);
	SET(IPPROTO_TCP, 1, int, 1);
	SET(IPPROTO_TCP, 38, uint8_t, AF_INET, 0, 0, 80, 10, 0, 0, 1,
	    [128] = 'm', 'd', '5', [192] = 1, [196] = 3, [202] = 32, 1, 2, 12,
	    1, 2, 0xab, 0xcd, [287] = 0);
	SET(IPPROTO_TCP, 38, uint8_t, AF_UNIX, 0);
	SET(SOL_PACKET, 1, uint16_t, 1, 0, 0, 6, 0x201, 0x403, 0x605, 0);
	SET(SOL_PACKET, 1, uint16_t, 1, 0, 1, 9, 0x201, 0x403, 0x605, 0x807);
	SET(SOL_PACKET, 5, int, 4096, 2, 1024, 8);
	SET(SOL_NETLINK, 1, int, 7);
	SET(271, 127, int, 3);
	SET(271, 135, int, 1, 2, 3, 1);
	SET(255, 1, uint32_t, 0x21);
	SET(255, 1, uint32_t, ~0x9);
	SET(132, 3, int, 1);
	SET(101, 3, int, 1);
	SET(274, 4, char, 1);
	SET(279, 1, char, 1, 2);
	SET(282, 1, int, 1, 2);
	SET(12345, 6, int, 7);
	CALL(getsockopt, -1, SOL_SOCKET, SO_ERROR, BAD, PUT(int, 4));
	CALL(getsockopt, -1, SOL_SOCKET, SO_ERROR, BAD, BAD);
	CALL(getsockopt, -1, SOL_SOCKET, 26, 0, 0);
	CALL(getsockopt, -1, SOL_IP, 0x40, 0, 0);
	CALL(getsockopt, -1, SOL_IPV6, 0x45, 0, 0);
}

/* What only a socket that there is can tell. */
static void answers(int netlink)
{
	int pair[2] = { -1, -1 };

	CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, (long)pair);
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_TYPE, ROOM(4), PUT(int, 4));
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_TYPE, ROOM(2), PUT(int, 2));
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_ERROR, ROOM(8), PUT(int, 8));
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_ERROR, ROOM(2), PUT(int, 2));
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_LINGER, ROOM(8), PUT(int, 8));
	CALL(getsockopt, pair[0], SOL_SOCKET, SO_LINGER, ROOM(5), PUT(int, 5));
	CALL(getsockname, pair[0], ROOM(4), PUT(int, 4));
	CALL(getpeername, pair[0], ROOM(1), PUT(int, 1));
	CALL(getsockopt, netlink, SOL_NETLINK, 9, ROOM(8), PUT(int, 8));
}

/* A header alone: no request that would be answered. */
static void header(int fd, int type, int flags)
{
	uint32_t request[] = { 16, type | flags << 16, 7, 0 };

	CALL(sendto, fd, put(request, sizeof(request)), sizeof(request), 0,
	     0, 0);
}

static void netlink(int fd)
{
	int diag = CALL(socket, AF_NETLINK, SOCK_RAW, 4);

	header(fd, 1, 1);
	header(fd, 2, 0x300);
	header(fd, 3, 0xf000);
	header(diag, 1, 1);
	header(diag, 20, 0);
	header(diag, 21, 0x300);
	close(diag);
}

int main(void)
{
	int fd = CALL(socket, AF_NETLINK, SOCK_RAW, 0);

	begin();
	sockets();
	addresses();
	radio_addresses();
	other_addresses();
	transfers();
	control_messages();
	many_messages();
	options();
	netlink(fd);
	answers(fd);
	return 0;
}
