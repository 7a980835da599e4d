/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What sockets take by ioctl: settings of network interfaces, and whom the
 * socket signals.
 */
#include <stdio.h>

#include "decode/decode.h"
#include "decode/sockaddr.h"
#include "decode/structures.h"

enum {
	NAME_SIZE = 16,
	SOCKADDR_SIZE = 16,
	HARDWARE_ADDRESS_SIZE = SOCKADDR_SIZE - 2,
};

/* ---- addresses in place ---- */

STRUCTURE_UNNAMED(sockaddr_room,
	FIELD(sa_family, U16, HEX),
	FIELD(sa_data, U8, HEX, .count = HARDWARE_ADDRESS_SIZE));

#define SOCKADDR_IN_PLACE						\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_sockaddr,		\
	     .length = N(SOCKADDR_SIZE), .layout_of = &structure_sockaddr_room)

/* How long the addresses of a kind of hardware are; of others, all is shown. */
static unsigned address_length(uint64_t hardware)
{
	switch (hardware) {
	case V_ARPHRD_ARCNET:
	case V_ARPHRD_MCTP:
	case V_ARPHRD_LOCALTLK:
	case V_ARPHRD_PHONET:
	case V_ARPHRD_PHONET_PIPE:
	case V_ARPHRD_CAIF:
		return 1;
	case V_ARPHRD_DLCI:
		return 2;
	case V_ARPHRD_TUNNEL:
	case V_ARPHRD_SIT:
	case V_ARPHRD_IPDDP:
	case V_ARPHRD_IPGRE:
	case V_ARPHRD_PIMREG:
	case V_ARPHRD_IRDA:
		return 4;
	case V_ARPHRD_ROSE:
	case V_ARPHRD_X25:
		return 5;
	case V_ARPHRD_ETHER:
	case V_ARPHRD_IEEE802:
	case V_ARPHRD_LOOPBACK:
	case V_ARPHRD_FDDI:
	case V_ARPHRD_HIPPI:
	case V_ARPHRD_IEEE80211:
	case V_ARPHRD_IEEE80211_PRISM:
	case V_ARPHRD_IEEE80211_RADIOTAP:
		return 6;
	case V_ARPHRD_NETROM:
	case V_ARPHRD_AX25:
		return 7;
	case V_ARPHRD_EUI64:
	case V_ARPHRD_IEEE802154:
	case V_ARPHRD_IEEE802154_MONITOR:
	case V_ARPHRD_6LOWPAN:
	case V_ARPHRD_VSOCKMON:
		return 8;
	default:
		return HARDWARE_ADDRESS_SIZE;
	}
}

/* 00:50:56:c0:00:08 */
static void decode_hardware_address(struct decoder *d, const struct type *type,
				    const struct place *place)
{
	static const struct ref family = SIBLING(sa_family);
	unsigned len = address_length(decode_ref(d, &family));
	char text[3 * HARDWARE_ADDRESS_SIZE + 1];

	(void)type;
	for (unsigned i = 0; i < len; i++)
		snprintf(text + 3 * i, 4, "%02x:", place->bytes[i]);
	text[3 * len - 1] = '\0';
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .raw = place->bytes,
		.raw_len = HARDWARE_ADDRESS_SIZE, .str = text });
}

STRUCTURE_UNNAMED(hardware_address_room,
	FIELD(bytes, U8, HEX, .count = HARDWARE_ADDRESS_SIZE));

STRUCTURE_UNNAMED(hardware_address,
	FIELD(sa_family, U16, ENUM(hardware_types)),
	MEMBER(sa_data,
	       TYPE(.kind = KIND_CUSTOM, .decode = decode_hardware_address,
		    .layout_of = &structure_hardware_address_room)));

/* ---- one interface ---- */

STRUCTURE(ifmap,
	FIELD(mem_start, ULONG, HEXLONG),
	FIELD(mem_end, ULONG, HEXLONG),
	FIELD(base_addr, U16, HEX),
	FIELD(irq, U8, HEX),
	FIELD(dma, U8, HEX),
	FIELD(port, U8, HEX),
	PADDING(U8, .count = 3));

/* A name and one member of the union behind it; ifmap is the largest. */
#define UNION_ROOM	MEMBER(ifr_map, STRUCT(ifmap), .show = SHOW_NEVER, \
			       .cname = "ifr_ifru")
#define IN_UNION	.show = SHOW_OVERLAY, .cname = ""
#define IFREQ_NAME(...)							\
	MEMBER(ifr_name, CHARS(NAME_SIZE), .cname = "ifr_ifrn", ##__VA_ARGS__)

/* It is there when it is set, or has been got. */
#define IF_KNOWN	.when = IF_EQUAL(CALC(decode_failed), 0)

#define IFREQ(id_, ...)							\
	STRUCTURE_AS(id_, "struct ifreq", IFREQ_NAME(), UNION_ROOM, __VA_ARGS__)
#define IFREQ_NUMBER(name_)						\
	IFREQ(name_, FIELD(name_, INT, DEC, IN_UNION, IF_KNOWN))
#define IFREQ_MEMBER(name_, type_)					\
	IFREQ(name_, MEMBER(name_, type_, IN_UNION, IF_KNOWN))

IFREQ(ifr_flags,
      FIELD(ifr_flags, S16, FLAGS_OF(U16, interface_flags), IN_UNION,
	    IF_KNOWN));
IFREQ_NUMBER(ifr_ifindex);
IFREQ_NUMBER(ifr_metric);
IFREQ_NUMBER(ifr_mtu);
IFREQ_NUMBER(ifr_qlen);
IFREQ_MEMBER(ifr_addr, SOCKADDR_IN_PLACE);
IFREQ_MEMBER(ifr_dstaddr, SOCKADDR_IN_PLACE);
IFREQ_MEMBER(ifr_broadaddr, SOCKADDR_IN_PLACE);
IFREQ_MEMBER(ifr_netmask, SOCKADDR_IN_PLACE);
IFREQ_MEMBER(ifr_hwaddr, STRUCT(hardware_address));
IFREQ_MEMBER(ifr_map, STRUCT(ifmap));
IFREQ_MEMBER(ifr_slave, CHARS(NAME_SIZE));
IFREQ_MEMBER(ifr_newname, CHARS(NAME_SIZE));

STRUCTURE_AS(ifreq_of_index, "struct ifreq",
	IFREQ_NAME(IF_KNOWN, .turn = 1),
	UNION_ROOM,
	FIELD(ifr_ifindex, INT, DEC, IN_UNION));
STRUCTURE_AS(ifreq_index, "struct ifreq",
	IFREQ_NAME(.show = SHOW_NEVER),
	UNION_ROOM,
	FIELD(ifr_ifindex, INT, DEC, IN_UNION));

#define READ(id_)	ARGS(LATE(argp, PTR_TO(id_)))
#define WRITTEN(id_)	ARGS(ARG(argp, PTR_TO(id_)))

IOCTL(SIOCGIFNAME, READ(ifreq_of_index));
IOCTL(SIOCSIFNAME, WRITTEN(ifr_newname));
IOCTL(SIOCGIFINDEX, READ(ifr_ifindex));
IOCTL(SIOCGIFFLAGS, READ(ifr_flags));
IOCTL(SIOCSIFFLAGS, WRITTEN(ifr_flags));
IOCTL(SIOCGIFADDR, READ(ifr_addr));
IOCTL(SIOCSIFADDR, WRITTEN(ifr_addr));
IOCTL(SIOCGIFDSTADDR, READ(ifr_dstaddr));
IOCTL(SIOCSIFDSTADDR, WRITTEN(ifr_dstaddr));
IOCTL(SIOCGIFBRDADDR, READ(ifr_broadaddr));
IOCTL(SIOCSIFBRDADDR, WRITTEN(ifr_broadaddr));
IOCTL(SIOCGIFNETMASK, READ(ifr_netmask));
IOCTL(SIOCSIFNETMASK, WRITTEN(ifr_netmask));
IOCTL(SIOCGIFMETRIC, READ(ifr_metric));
IOCTL(SIOCSIFMETRIC, WRITTEN(ifr_metric));
IOCTL(SIOCGIFMTU, READ(ifr_mtu));
IOCTL(SIOCSIFMTU, WRITTEN(ifr_mtu));
IOCTL(SIOCGIFHWADDR, READ(ifr_hwaddr));
IOCTL(SIOCSIFHWADDR, WRITTEN(ifr_hwaddr));
IOCTL(SIOCSIFHWBROADCAST, WRITTEN(ifr_hwaddr));
IOCTL(SIOCADDMULTI, WRITTEN(ifr_hwaddr));
IOCTL(SIOCDELMULTI, WRITTEN(ifr_hwaddr));
IOCTL(SIOCGIFTXQLEN, READ(ifr_qlen));
IOCTL(SIOCSIFTXQLEN, WRITTEN(ifr_qlen));
IOCTL(SIOCGIFMAP, READ(ifr_map));
IOCTL(SIOCSIFMAP, WRITTEN(ifr_map));
IOCTL(SIOCGIFSLAVE, READ(ifr_slave));
IOCTL(SIOCSIFSLAVE, WRITTEN(ifr_slave));

#define BRIDGE_NAME	ARGS(ARG(argp, STR_MAX(NAME_SIZE)))

IOCTL(SIOCBRADDBR, BRIDGE_NAME);
IOCTL(SIOCBRDELBR, BRIDGE_NAME);
IOCTL(SIOCBRADDIF, WRITTEN(ifreq_index));
IOCTL(SIOCBRDELIF, WRITTEN(ifreq_index));

/* ---- all interfaces ---- */

static size_t request_size(struct decoder *d)
{
	return structure_layout(&structure_ifr_addr, d->abi)->size;
}

/* A length in bytes, and how many interfaces that is, if none is cut. */
static void print_length(struct decoder *d, const struct type *type,
			 uint64_t value)
{
	int32_t len = value;
	int32_t size = request_size(d);
	char text[48];

	print_dec(d, type, value);
	if (len < size || len % size)
		return;
	snprintf(text, sizeof(text), "%d * sizeof(struct ifreq)", len / size);
	SINK_CALL(d->sink, comment, text);
}

static uint64_t request_count(struct decoder *d)
{
	static const struct ref len = SIBLING(ifc_len);

	return decode_ref(d, &len) / request_size(d);
}

/* Without a buffer the call tells how long it should be. */
STRUCTURE(ifconf,
	FIELD(ifc_len, INT, SCALAR(print_length, INT), .show = SHOW_CHANGE,
	      .when = IF_UNEQUAL(SIBLING(ifc_buf), 0)),
	FIELD(ifc_len, INT, SCALAR(print_length, INT), .show = SHOW_OVERLAY,
	      .when = IF_EQUAL(SIBLING(ifc_buf), 0)),
	FIELD(ifc_buf, POINTER,
	      SELECT(CALC(decode_failed),
		     CHOICE(0, PTR(ARRAY(STRUCT(ifr_addr),
					 CALC(request_count)))),
		     OTHERWISE(ADDR)), .cname = "ifc_ifcu"));

IOCTL(SIOCGIFCONF, ARGS(INOUT(argp, PTR_TO(ifconf))));

/* ---- numbers ---- */

#define NUMBER_READ	ARGS(OUT(argp, PTR(DEC)))
#define NUMBER_WRITTEN	ARGS(ARG(argp, PTR(DEC)))

IOCTL(FIOGETOWN, NUMBER_READ);
IOCTL(FIOSETOWN, NUMBER_WRITTEN);
IOCTL(SIOCGPGRP, NUMBER_READ);
IOCTL(SIOCSPGRP, NUMBER_WRITTEN);
IOCTL(SIOCATMARK, NUMBER_READ);
IOCTL(SIOCSIFENCAP, NUMBER_WRITTEN);
