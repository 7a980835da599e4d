/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks NETLINK_SOCK_DIAG and puts what it answers into words.
 */
#include "sock_diag.h"

#include <arpa/inet.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/netlink_diag.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/unix_diag.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "constants/constants.h"
#include "escape.h"
#include "sets.h"

enum { ANSWER_SIZE = 32768 };

/* A text under construction; what does not fit is cut off. */
struct text {
	char *at, *end;
};

struct question {
	uint64_t inode;
	struct text text;
	bool answered;
};

__attribute__((format(printf, 2, 3)))
static void put(struct text *text, const char *format, ...)
{
	va_list args;
	size_t space = text->end - text->at;
	int len;

	va_start(args, format);
	len = vsnprintf(text->at, space, format, args);
	va_end(args);
	if (len > 0)
		text->at += (size_t)len < space ? (size_t)len : space - 1;
}

/* A C string of at most len bytes. */
static void put_quoted(struct text *text, const char *bytes, size_t len)
{
	char escaped[4 * sizeof(((struct sockaddr_un *)NULL)->sun_path) + 8];

	escape(escaped, sizeof(escaped), bytes, len, "");
	put(text, "\"%s\"", escaped);
}

/* ---- conversation ---- */

/* One message of the answer; true: that was what we wanted. */
typedef bool answer_fn(struct question *question, const struct nlmsghdr *head);

static bool ask(int fd, const void *request, size_t len, unsigned flags)
{
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	struct nlmsghdr head = {
		.nlmsg_len = sizeof(head) + len,
		.nlmsg_type = SOCK_DIAG_BY_FAMILY,
		.nlmsg_flags = NLM_F_REQUEST | flags,
	};
	struct iovec parts[] = {
		{ &head, sizeof(head) }, { (void *)request, len },
	};
	struct msghdr message = {
		.msg_name = &kernel, .msg_namelen = sizeof(kernel),
		.msg_iov = parts, .msg_iovlen = 2,
	};

	return sendmsg(fd, &message, 0) == (ssize_t)head.nlmsg_len;
}

/* Reads one datagram of the answer; false: there is nothing more to read. */
static bool hear(int fd, struct question *question, answer_fn *answer,
		 bool dump)
{
	static char buf[ANSWER_SIZE] __attribute__((aligned(8)));
	ssize_t got = recv(fd, buf, sizeof(buf), 0);
	struct nlmsghdr *head = (struct nlmsghdr *)buf;

	if (got <= 0)
		return false;
	for (unsigned left = got; NLMSG_OK(head, left);
	     head = NLMSG_NEXT(head, left)) {
		if (head->nlmsg_type != SOCK_DIAG_BY_FAMILY)
			return false;	/* NLMSG_DONE, NLMSG_ERROR */
		if (answer(question, head)) {
			question->answered = true;
			return false;
		}
	}
	return dump;
}

/*
 * Each question has a socket of its own, so that the rest of a long answer
 * is dropped with it.
 */
static bool inquire(struct question *question, const void *request, size_t len,
		    bool dump, answer_fn *answer)
{
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
			NETLINK_SOCK_DIAG);

	if (fd < 0)
		return false;
	if (ask(fd, request, len, dump ? NLM_F_DUMP : 0)) {
		while (hear(fd, question, answer, dump))
			continue;
	}
	close(fd);
	return question->answered;
}

/* ---- TCP and UDP ---- */

static void put_inet(struct text *text, int family, const void *addr,
		     uint16_t port)
{
	char host[INET6_ADDRSTRLEN];

	if (!inet_ntop(family, addr, host, sizeof(host)))
		return;
	put(text, family == AF_INET6 ? "[%s]:%u" : "%s:%u", host, ntohs(port));
}

static bool answer_inet(struct question *question,
			const struct nlmsghdr *head)
{
	static const uint32_t any[4];
	const struct inet_diag_msg *msg = NLMSG_DATA(head);
	const struct inet_diag_sockid *id = &msg->id;
	size_t size = msg->idiag_family == AF_INET6 ? 16 : 4;

	if (head->nlmsg_len < NLMSG_LENGTH(sizeof(*msg)) ||
	    msg->idiag_inode != question->inode)
		return false;
	put(&question->text, "[");
	put_inet(&question->text, msg->idiag_family, id->idiag_src,
		 id->idiag_sport);
	if (id->idiag_dport || memcmp(id->idiag_dst, any, size)) {
		put(&question->text, "->");
		put_inet(&question->text, msg->idiag_family, id->idiag_dst,
			 id->idiag_dport);
	}
	put(&question->text, "]");
	return true;
}

static bool ask_inet(struct question *question, int family, int protocol)
{
	struct inet_diag_req_v2 request = {
		.sdiag_family = family,
		.sdiag_protocol = protocol,
		.idiag_states = -1,
	};

	return inquire(question, &request, sizeof(request), true, answer_inet);
}

static bool ask_tcp(struct question *question)
{
	return ask_inet(question, AF_INET, IPPROTO_TCP);
}

static bool ask_tcp6(struct question *question)
{
	return ask_inet(question, AF_INET6, IPPROTO_TCP);
}

static bool ask_udp(struct question *question)
{
	return ask_inet(question, AF_INET, IPPROTO_UDP);
}

static bool ask_udp6(struct question *question)
{
	return ask_inet(question, AF_INET6, IPPROTO_UDP);
}

static bool ask_udplite(struct question *question)
{
	return ask_inet(question, AF_INET, IPPROTO_UDPLITE);
}

static bool ask_udplite6(struct question *question)
{
	return ask_inet(question, AF_INET6, IPPROTO_UDPLITE);
}

/* ---- UNIX ---- */

static bool answer_unix(struct question *question,
			const struct nlmsghdr *head)
{
	const struct unix_diag_msg *msg = NLMSG_DATA(head);
	const struct rtattr *attr = (const void *)(msg + 1);
	const struct rtattr *name = NULL;
	uint32_t peer = 0;
	int left = head->nlmsg_len - NLMSG_LENGTH(sizeof(*msg));

	if (left < 0 || msg->udiag_ino != question->inode)
		return false;
	for (; RTA_OK(attr, left); attr = RTA_NEXT(attr, left)) {
		if (attr->rta_type == UNIX_DIAG_NAME && RTA_PAYLOAD(attr) > 0)
			name = attr;
		else if (attr->rta_type == UNIX_DIAG_PEER &&
			 RTA_PAYLOAD(attr) >= sizeof(peer))
			memcpy(&peer, RTA_DATA(attr), sizeof(peer));
	}
	put(&question->text, "[%llu", (unsigned long long)question->inode);
	if (peer)
		put(&question->text, "->%u", peer);
	if (name) {
		const char *path = RTA_DATA(name);
		bool abstract = !*path;

		put(&question->text, abstract ? ",@" : ",");
		put_quoted(&question->text, path + abstract,
			   RTA_PAYLOAD(name) - abstract);
	}
	put(&question->text, "]");
	return true;
}

static bool ask_unix(struct question *question)
{
	struct unix_diag_req request = {
		.sdiag_family = AF_UNIX,
		.udiag_states = -1,
		.udiag_ino = question->inode,
		.udiag_show = UDIAG_SHOW_NAME | UDIAG_SHOW_PEER,
		.udiag_cookie = { -1, -1 },
	};

	if (question->inode > UINT32_MAX)
		return false;
	return inquire(question, &request, sizeof(request), false,
		       answer_unix);
}

/* ---- NETLINK ---- */

static bool answer_netlink(struct question *question,
			   const struct nlmsghdr *head)
{
	const struct netlink_diag_msg *msg = NLMSG_DATA(head);
	const char *name;

	if (head->nlmsg_len < NLMSG_LENGTH(sizeof(*msg)) ||
	    msg->ndiag_ino != question->inode)
		return false;
	name = constset_name(&set_netlink_protocols_short,
			     &abis[ABI_X86_64], msg->ndiag_protocol);
	if (name)
		put(&question->text, "[%s:", name);
	else
		put(&question->text, "[%u:", msg->ndiag_protocol);
	put(&question->text, "%u]", msg->ndiag_portid);
	return true;
}

static bool ask_netlink(struct question *question)
{
	struct netlink_diag_req request = {
		.sdiag_family = AF_NETLINK,
		.sdiag_protocol = NDIAG_PROTO_ALL,
	};

	return inquire(question, &request, sizeof(request), true,
		       answer_netlink);
}

/* ---- all of them ---- */

static const struct {
	const char *name;			/* the kernel's */
	bool (*ask)(struct question *);		/* NULL: only the inode */
	const char *shown;			/* NULL: the same name */
} protocols[] = {
	{ "TCP", ask_tcp, NULL },
	{ "TCPv6", ask_tcp6, NULL },
	{ "UDP", ask_udp, NULL },
	{ "UDPv6", ask_udp6, NULL },
	{ "UDP-Lite", ask_udplite, "UDPLITE" },
	{ "UDPLITEv6", ask_udplite6, NULL },
	{ "RAW", NULL, NULL },
	{ "RAWv6", NULL, NULL },
	{ "UNIX", ask_unix, NULL },
	{ "UNIX-STREAM", ask_unix, NULL },
	{ "NETLINK", ask_netlink, NULL },
};

bool sock_diag_describe(const char *protocol, uint64_t inode, char *buf,
			size_t size)
{
	struct question question = {
		.inode = inode,
		.text = { buf, buf + size },
	};

	for (size_t i = 0; i < sizeof(protocols) / sizeof(*protocols); i++) {
		if (strcmp(protocols[i].name, protocol) != 0)
			continue;
		put(&question.text, "%s:",
		    protocols[i].shown ? protocols[i].shown : protocol);
		/* Not found: it has no address, or is elsewhere. */
		if (!protocols[i].ask || !protocols[i].ask(&question))
			put(&question.text, "[%llu]",
			    (unsigned long long)inode);
		return true;
	}
	return false;
}
