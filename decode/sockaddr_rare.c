/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Addresses of the less common families of sockets: radio, buses, virtual
 * machines, protocols of former times.  How an address is chosen and shown is
 * in decode/sockaddr.c.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/sockaddr.h"

#define FAMILY(name_)							\
	FIELD(name_, U16, ENUM(address_families), .show = SHOW_NEVER)

/* ---- addresses of hardware ---- */

enum { MAX_OCTETS = 8 };

void show_octets(struct decoder *d, const struct place *place, size_t shown)
{
	char text[3 * MAX_OCTETS + 1] = "";

	for (size_t i = 0; i < shown && i < MAX_OCTETS; i++)
		snprintf(text + 3 * i, 4, "%02x:", place->bytes[i]);
	if (shown)
		text[3 * shown - 1] = '\0';
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .raw = place->bytes, .raw_len = place->len,
		.str = text });
}

static void decode_octets(struct decoder *d, const struct type *type,
			  const struct place *place)
{
	(void)type;
	show_octets(d, place, place->len);
}

STRUCTURE_UNNAMED(octets6, FIELD(b, U8, HEX, .count = 6));
STRUCTURE_UNNAMED(octets7, FIELD(b, U8, HEX, .count = 7));
STRUCTURE_UNNAMED(octets8, FIELD(b, U8, HEX, .count = 8));

#define OCTETS(count_)							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_octets,		\
	     .layout_of = &structure_octets##count_)

/* ---- AX.25: amateur radio ---- */

enum {
	CALL_SIGN = 6,		/* characters, each shifted by one bit */
	MAX_DIGIPEATERS = 8,
};

/* The text of a call sign, LINUX-1; false: not one that people write. */
static bool call_sign(char *text, size_t size, const uint8_t *bytes)
{
	unsigned station = bytes[CALL_SIGN] >> 1 & 15;
	bool proper = !(bytes[CALL_SIGN] & ~0x1e);
	char sign[CALL_SIGN + 1];
	size_t len = 0;

	for (size_t i = 0; i < CALL_SIGN; i++) {
		sign[i] = bytes[i] >> 1;
		proper &= !(bytes[i] & 1);
		if (sign[i] != ' ')
			len = i + 1;
	}
	sign[len] = '\0';
	if (!len && proper && !station) {
		snprintf(text, size, "*");
		return true;
	}
	for (size_t i = 0; i < len; i++) {
		/* nothing that ends a comment, or cannot be read */
		if (sign[i] < ' ' || sign[i] == 127 || strchr("*/", sign[i])) {
			*text = '\0';
			return false;
		}
		proper &= (sign[i] >= 'A' && sign[i] <= 'Z') ||
			  (sign[i] >= '0' && sign[i] <= '9');
	}
	snprintf(text, size, "%s-%u", sign, station);
	return proper && len;
}

static void decode_call_sign(struct decoder *d, const struct type *type,
			     const struct place *place)
{
	char text[CALL_SIGN + 8];

	(void)type;
	if (call_sign(text, sizeof(text), place->bytes)) {
		SINK_CALL(d->sink, expression, &(struct expression){
			.text = text, .raw = place->bytes,
			.raw_len = CALL_SIGN + 1, .raw_field = "ax25_call",
			.str = text });
		return;
	}
	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "ax25_call", 0);
	SINK_CALL(d->sink, string, place->bytes, CALL_SIGN + 1, STRING_HEX);
	SINK_CALL(d->sink, struct_end);
	if (*text)
		SINK_CALL(d->sink, comment, text);
}

#define CALL_SIGN_TYPE							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_call_sign,		\
	     .layout_of = &structure_octets7)

STRUCTURE(sockaddr_ax25,
	FAMILY(sax25_family),
	MEMBER(sax25_call, CALL_SIGN_TYPE),
	FIELD(sax25_ndigis, INT, DEC));

static uint64_t digipeater_count(struct decoder *d)
{
	int32_t count = decode_load(d, INT, d->scope->bytes + 12);

	return count < 0 ? 0 : count < MAX_DIGIPEATERS ? count
						       : MAX_DIGIPEATERS;
}

STRUCTURE_UNNAMED(digipeated_ax25,
	MEMBER(fsa_ax25, STRUCT(sockaddr_ax25)),
	MEMBER(fsa_digipeater,
	       REST_ARRAY(CALL_SIGN_TYPE, CALC(digipeater_count)),
	       .when = IF_UNEQUAL(CALC(digipeater_count), 0)));

/* Nothing but a station, or the repeaters on the way to it, too. */
static void decode_ax25(struct decoder *d, const struct type *type,
			const struct place *place)
{
	const size_t head = sizeof_type(BARE(sockaddr_ax25), CT_DEFAULT,
					d->abi);
	const size_t sign = CALL_SIGN + 1;

	(void)type;
	if (place->len == head && !decode_load(d, INT, place->bytes + 12)) {
		decode_object(d, BARE(sockaddr_ax25), CT_DEFAULT, place);
		return;
	}
	decode_object(d, BARE(digipeated_ax25), CT_DEFAULT, place);
	if ((place->len - head) % sign ||
	    place->len > head + MAX_DIGIPEATERS * sign)
		SINK_CALL(d->sink, more);
}

ADDRESS_FAMILY_AS(sockaddr_ax25, .family = V_AF_AX25, .least = 16,
	.type = TYPE(.kind = KIND_CUSTOM, .decode = decode_ax25));

/* ---- protocols of former times ---- */

/* htonl(0x12): the same in every style */
static void print_network(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	uint32_t number = ntohl(value);
	char text[24];

	(void)type;
	snprintf(text, sizeof(text), "htonl(%#" PRIx32 ")", number);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = number, .base = BASE_HEX,
		.fixed = true });
}

STRUCTURE_UNNAMED(sockaddr_ipx,
	FAMILY(sipx_family),
	FIELD(sipx_port, U16, HTONS),
	FIELD(sipx_network, U32, SCALAR(print_network, U32)),
	MEMBER(sipx_node, ARRAY_WITH(TYPE_WHOLE, OCTET, N(6))),
	FIELD(sipx_type, U8, OCTET),
	FIELD(sipx_zero, U8, HEX, .show = SHOW_NONZERO));

STRUCTURE(x25_address,
	MEMBER(x25_addr, CHARS(16)));
STRUCTURE(sockaddr_x25,
	FAMILY(sx25_family),
	MEMBER(sx25_addr, STRUCT(x25_address)));

ADDRESS_FAMILY(V_AF_IPX, sockaddr_ipx);
ADDRESS_FAMILY(V_AF_X25, sockaddr_x25);

/* ---- clusters and services ---- */

STRUCTURE(tipc_service_range,
	FIELD(type, U32, UDEC),
	FIELD(lower, U32, UDEC),
	FIELD(upper, U32, UDEC));
STRUCTURE(tipc_service_addr,
	FIELD(type, U32, UDEC),
	FIELD(instance, U32, UDEC));
STRUCTURE(tipc_socket_addr,
	FIELD(ref, U32, UDEC),
	FIELD(node, U32, HEX));

STRUCTURE_UNNAMED(tipc_name,
	MEMBER(name, STRUCT(tipc_service_addr)),
	FIELD(domain, U32, HEX));
STRUCTURE_UNNAMED(tipc_as_range, MEMBER(nameseq, STRUCT(tipc_service_range)));
STRUCTURE_UNNAMED(tipc_as_name, MEMBER(name, STRUCT(tipc_name)));
STRUCTURE_UNNAMED(tipc_as_id, MEMBER(id, STRUCT(tipc_socket_addr)));

STRUCTURE(sockaddr_tipc,
	FIELD(family, U16, ENUM(address_families), .show = SHOW_NEVER),
	FIELD(addrtype, U8, ENUM(tipc_address_types)),
	FIELD(scope, U8, ENUM(tipc_scopes)),
	MEMBER(addr, SELECT(SIBLING(addrtype),
			    CHOICE(V_TIPC_SERVICE_RANGE, STRUCT(tipc_as_range)),
			    CHOICE(V_TIPC_SERVICE_ADDR, STRUCT(tipc_as_name)),
			    CHOICE(V_TIPC_SOCKET_ADDR, STRUCT(tipc_as_id)),
			    OTHERWISE(REST_DATA))));

ADDRESS_FAMILY(V_AF_TIPC, sockaddr_tipc);

/* The address of the transport below: an ordinary one, in a union. */
static void decode_transport(struct decoder *d, const struct type *type,
			     const struct place *place)
{
	static const struct ref told = SIBLING(transport_len);
	uint64_t len = decode_ref(d, &told);
	uint16_t family = decode_load(d, U16, place->bytes);
	struct place address = *place;
	const char *member = family == V_AF_INET ? "sin"
			   : family == V_AF_INET6 ? "sin6" : NULL;
	char name[16] = "family";

	(void)type;
	if (len < address.len)
		address.len = len > 2 ? len : 2;
	SINK_CALL(d->sink, struct_begin);
	if (member) {
		SINK_CALL(d->sink, field, member, 0);
		SINK_CALL(d->sink, struct_begin);
		snprintf(name, sizeof(name), "%s_family", member);
	}
	SINK_CALL(d->sink, field, name, 0);
	decode_enum(d, &set_address_families, family);
	decode_address_members(d, member ? family : V_AF_UNSPEC, &address,
			       NULL);
	if (member)
		SINK_CALL(d->sink, struct_end);
	SINK_CALL(d->sink, struct_end);
}

STRUCTURE_UNNAMED(sockaddr_rxrpc,
	FAMILY(srx_family),
	FIELD(srx_service, U16, EXPLAINED_ENUM(U16, rxrpc_services)),
	FIELD(transport_type, U16, ENUM(socket_types)),
	FIELD(transport_len, U16, UDEC),
	MEMBER(transport, TYPE(.kind = KIND_CUSTOM, .flags = TYPE_REST,
			       .decode = decode_transport)));

ADDRESS_FAMILY(V_AF_RXRPC, sockaddr_rxrpc, .least = 36);

/* ---- Bluetooth: which protocol's address it is, its length says ---- */

/* htobs(1) */
static void print_htobs(struct decoder *d, const struct type *type,
			uint64_t value)
{
	char text[24];

	(void)type;
	snprintf(text, sizeof(text), "htobs(%" PRIu64 ")", value);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_UNSIGNED,
		.fixed = true });
}

/*
 * htobs(L2CAP_PSM_SDP); without a name of their own, those from number on are
 * counted: htobs(L2CAP_PSM_DYN_START+1).
 */
static void print_dynamic(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	struct composed c = { .names = "" };
	const char *start = constset_name(type->set, d->abi, type->number);

	if (value < type->number || constset_name(type->set, d->abi, value)) {
		compose_text(&c, "htobs(");
		compose_symbol(d, &c, type->set, value);
		compose_text(&c, ")");
	} else {
		snprintf(c.names, sizeof(c.names), "htobs(%s+%" PRIu64 ")",
			 start, value - type->number);
		snprintf(c.numbers, sizeof(c.numbers), "htobs(%#" PRIx64 ")",
			 value);
		snprintf(c.both, sizeof(c.both), "htobs(%#" PRIx64 " /* %#"
			 PRIx64 " /* %s */+%" PRIu64 " */)", value,
			 type->number, start, value - type->number);
	}
	compose_show(d, &c, value);
}

#define HTOBS		SCALAR(print_htobs, U16)
#define DYNAMIC(name_, start_)						\
	TYPE(.kind = KIND_SCALAR, .ctype = U16, .print = print_dynamic,	\
	     .set = &set_##name_, .number = (start_))

STRUCTURE_UNNAMED(sockaddr_hci_device,
	FAMILY(hci_family),
	FIELD(hci_dev, U16, HTOBS));
STRUCTURE_UNNAMED(sockaddr_hci,
	FAMILY(hci_family),
	FIELD(hci_dev, U16, HTOBS),
	FIELD(hci_channel, U16, ENUM(hci_channels)));
STRUCTURE_UNNAMED(sockaddr_sco,
	FAMILY(sco_family),
	MEMBER(sco_bdaddr, OCTETS(6)));
STRUCTURE_UNNAMED(sockaddr_rc,
	FAMILY(rc_family),
	MEMBER(rc_bdaddr, OCTETS(6)),
	FIELD(rc_channel, U8, UDEC),
	PADDING(U8));

#define L2CAP								\
	FAMILY(l2_family),						\
	FIELD(l2_psm, U16,						\
	      DYNAMIC(l2cap_services, V_L2CAP_PSM_DYN_START)),		\
	MEMBER(l2_bdaddr, OCTETS(6)),					\
	FIELD(l2_cid, U16,						\
	      DYNAMIC(l2cap_channels, V_L2CAP_CID_DYN_START))
STRUCTURE_UNNAMED(sockaddr_l2_short, L2CAP);
STRUCTURE_UNNAMED(sockaddr_l2, L2CAP,
	FIELD(l2_bdaddr_type, U8, ENUM(bluetooth_address_types)),
	PADDING(U8));

#define EXACTLY(len_)	.least = (len_), .most = (len_)
ADDRESS_FAMILY(V_AF_BLUETOOTH, sockaddr_hci_device, EXACTLY(4));
ADDRESS_FAMILY(V_AF_BLUETOOTH, sockaddr_hci, EXACTLY(6));
ADDRESS_FAMILY(V_AF_BLUETOOTH, sockaddr_sco, EXACTLY(8));
ADDRESS_FAMILY(V_AF_BLUETOOTH, sockaddr_rc, EXACTLY(10));
ADDRESS_FAMILY(V_AF_BLUETOOTH, sockaddr_l2_short, EXACTLY(12));
ADDRESS_FAMILY(V_AF_BLUETOOTH, sockaddr_l2, EXACTLY(14));

/* ---- other radio ---- */

enum { IEEE802154_SHORT = 2 };	/* no header has it */

static bool has_long_address(struct decoder *d)
{
	static const struct ref kind = SIBLING(addr_type);
	uint64_t value = decode_ref(d, &kind);

	return value && value != IEEE802154_SHORT;
}

STRUCTURE_UNNAMED(ieee802154_addr_sa,
	FIELD(addr_type, INT, EXPLAINED_ENUM(INT, ieee802154_address_types)),
	FIELD(pan_id, U16, EXPLAINED_ENUM(U16, ieee802154_networks)),
	MEMBER(hwaddr, OCTETS(8),
	       .when = IF_FN(has_long_address)),
	FIELD(short_addr, U16, EXPLAINED_ENUM(U16, ieee802154_addresses),
	      .show = SHOW_OVERLAY,
	      .when = IF_EQUAL(SIBLING(addr_type), IEEE802154_SHORT)));

STRUCTURE_UNNAMED(sockaddr_ieee802154,
	FAMILY(family),
	MEMBER(addr, STRUCT(ieee802154_addr_sa)));

STRUCTURE(sockaddr_nfc,
	FAMILY(sa_family),
	FIELD(dev_idx, U32, IFINDEX),
	FIELD(target_idx, U32, HEX),
	FIELD(nfc_protocol, U32, ENUM(nfc_protocols)));

static uint64_t service_name_length(struct decoder *d)
{
	static const struct ref told = SIBLING(service_name_len);
	uint64_t len = decode_ref(d, &told);

	return len < 63 ? len : 63;
}

STRUCTURE(sockaddr_nfc_llcp,
	FAMILY(sa_family),
	FIELD(dev_idx, U32, IFINDEX),
	FIELD(target_idx, U32, HEX),
	FIELD(nfc_protocol, U32, ENUM(nfc_protocols)),
	FIELD(dsap, U8, EXPLAINED_ENUM(U8, nfc_access_points)),
	FIELD(ssap, U8, EXPLAINED_ENUM(U8, nfc_access_points)),
	MEMBER(service_name,
	       TYPE(.kind = KIND_DATA, .length = CALC(service_name_length),
		    .number = 63), .cname = ""),
	PADDING(U8, .count = 63),
	FIELD(service_name_len, ULONG, SIZE));

ADDRESS_FAMILY(V_AF_IEEE802154, sockaddr_ieee802154);
ADDRESS_FAMILY(V_AF_NFC, sockaddr_nfc_llcp);
ADDRESS_FAMILY(V_AF_NFC, sockaddr_nfc, .more = true);

/* ---- machines, processors, algorithms ---- */

STRUCTURE(sockaddr_vm,
	FAMILY(svm_family),
	FIELD(svm_reserved1, U16, HEX, .show = SHOW_NONZERO),
	FIELD(svm_port, U32, NAMED(U32, vsock_ports), .turn = 1),
	FIELD(svm_cid, U32, NAMED(U32, vsock_cids)),
	FIELD(svm_flags, U8, FLAGS(vsock_flags), .turn = 2),
	MEMBER(svm_zero, DATA_HEX(N(3)), .show = SHOW_NONZERO, .turn = 3));

STRUCTURE(sockaddr_alg,
	FAMILY(salg_family),
	MEMBER(salg_type, CHARS(14)),
	FIELD(salg_feat, U32, EXPLAINED_FLAGS(U32, alg_flags)),
	FIELD(salg_mask, U32, EXPLAINED_FLAGS(U32, alg_flags)),
	MEMBER(salg_name, REST_CHARS, .cname = ""),
	PADDING(U8, .count = 64));	/* the room for salg_name */

STRUCTURE(sockaddr_xdp,
	FAMILY(sxdp_family),
	FIELD(sxdp_flags, U16, FLAGS(xdp_flags)),
	FIELD(sxdp_ifindex, U32, IFINDEX),
	FIELD(sxdp_queue_id, U32, UDEC),
	FIELD(sxdp_shared_umem_fd, INT, FD,
	      .when = IF_ANY_BIT(SIBLING(sxdp_flags), V_XDP_SHARED_UMEM)));

STRUCTURE(sockaddr_qrtr,
	FAMILY(sq_family),
	FIELD(sq_node, U32, HEX),
	FIELD(sq_port, U32, HEX));

STRUCTURE(mctp_addr,
	FIELD(s_addr, U8, NAMED(U8, mctp_addresses)));
STRUCTURE(sockaddr_mctp,
	FAMILY(smctp_family),
	FIELD(__smctp_pad0, U16, HEX, .show = SHOW_NONZERO),
	FIELD(smctp_network, U32, NAMED(U32, mctp_networks)),
	MEMBER(smctp_addr, STRUCT(mctp_addr)),
	FIELD(smctp_type, U8, HEX),
	FIELD(smctp_tag, U8, HEX),
	FIELD(__smctp_pad1, U8, HEX, .show = SHOW_NONZERO));

ADDRESS_FAMILY(V_AF_VSOCK, sockaddr_vm);
ADDRESS_FAMILY(V_AF_ALG, sockaddr_alg, .least = 25);
ADDRESS_FAMILY(V_AF_XDP, sockaddr_xdp);
ADDRESS_FAMILY(V_AF_QIPCRTR, sockaddr_qrtr);
ADDRESS_FAMILY(V_AF_MCTP, sockaddr_mctp);
