/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Control messages: what goes beside the data of a socket message.
 */
#include "decode/cmsg.h"

#include <stdio.h>
#include <stdlib.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/sockaddr.h"
#include "decode/structures.h"

enum { MAX_CONTROL = 64 * 1024 };	/* more than any sysctl allows */

STRUCTURE_UNNAMED(ucred,
	FIELD(pid, INT, PID),
	FIELD(uid, UINT, UID),
	FIELD(gid, UINT, GID));

STRUCTURE(in_pktinfo,
	FIELD(ipi_ifindex, INT, IFINDEX),
	FIELD(ipi_spec_dst, U32, INET_ADDR),
	FIELD(ipi_addr, U32, INET_ADDR));


/* The address of who sent an error report has room for IPv4's. */
STRUCTURE_UNNAMED(offender_room,
	FIELD(sa_family, U16, HEX),
	FIELD(sa_data, U8, HEX, .count = 14));

STRUCTURE_UNNAMED(sock_extended_err,
	FIELD(ee_errno, U32, UDEC),
	FIELD(ee_origin, U8, UDEC),
	FIELD(ee_type, U8, UDEC),
	FIELD(ee_code, U8, UDEC),
	FIELD(ee_pad, U8, HEX, .show = SHOW_NEVER),
	FIELD(ee_info, U32, UDEC),
	FIELD(ee_data, U32, UDEC),
	MEMBER(offender,
	       TYPE(.kind = KIND_CUSTOM, .decode = decode_sockaddr,
		    .length = N(16), .layout_of = &structure_offender_room)));

/* As long an address as there is data. */
#define ADDRESS_DATA							\
	TYPE(.kind = KIND_CUSTOM, .decode = decode_sockaddr,		\
	     .length = N(INT32_MAX), .layout_of = &structure_offender_room)

/* Of the software, none any more, of the hardware. */
#define TIMES(id_)	ARRAY_WITH(TYPE_WHOLE, STRUCT(id_), N(3))

enum how {
	ONE,		/* the value, if it is whole */
	ONE_OR_NOTHING,	/* the same; else, "???" */
	ONE_IN_LIST,	/* [the value] */
	LIST,		/* as many as there are */
	TEXT,		/* a string */
};

/* An unknown protocol is called by the name of the option. */
static void print_protocol(struct decoder *d, const struct type *type,
			   uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, symbol, value, BASE_HEX,
		  constset_name(&set_inet_protocols, d->abi, value),
		  set_ip_cmsg_types.unknown);
}

/* What messages hold; all others hold bytes. */
static const struct content {
	int level, type;
	const struct type *holds;
	enum how how;
} contents[] = {
	{ V_SOL_SOCKET, V_SCM_RIGHTS, FD, LIST },
	{ V_SOL_SOCKET, V_SCM_CREDENTIALS, STRUCT(ucred), ONE },
	{ V_SOL_SOCKET, V_SCM_SECURITY, NULL, TEXT },
	{ V_SOL_SOCKET, V_SCM_PIDFD, FD, ONE },
	{ V_SOL_SOCKET, V_SO_TIMESTAMP_OLD, STRUCT(timeval), ONE_OR_NOTHING },
	{ V_SOL_SOCKET, V_SO_TIMESTAMP_NEW, STRUCT(timex_timeval64),
	  ONE_OR_NOTHING },
	{ V_SOL_SOCKET, V_SO_TIMESTAMPNS_OLD, STRUCT(timespec),
	  ONE_OR_NOTHING },
	{ V_SOL_SOCKET, V_SO_TIMESTAMPNS_NEW, STRUCT(timespec64),
	  ONE_OR_NOTHING },
	{ V_SOL_SOCKET, V_SO_TIMESTAMPING_OLD, TIMES(timespec),
	  ONE_OR_NOTHING },
	{ V_SOL_SOCKET, V_SO_TIMESTAMPING_NEW, TIMES(timespec64),
	  ONE_OR_NOTHING },
	{ V_SOL_IP, V_IP_TOS, HEX_OF(U8), LIST },
	{ V_SOL_IP, V_IP_TTL, UDEC, LIST },
	{ V_SOL_IP, V_SCM_SECURITY, NULL, TEXT },
	{ V_SOL_IP, V_IP_RECVOPTS, HEX_OF(U8), LIST },
	{ V_SOL_IP, V_IP_RETOPTS, HEX_OF(U8), LIST },
	{ V_SOL_IP, V_IP_PKTINFO, STRUCT(in_pktinfo), ONE },
	{ V_SOL_IP, V_IP_RECVERR, STRUCT(sock_extended_err), ONE },
	{ V_SOL_IP, V_IP_ORIGDSTADDR, ADDRESS_DATA, ONE },
	{ V_SOL_IP, V_IP_CHECKSUM, UDEC, LIST },
	{ V_SOL_IP, V_IP_PROTOCOL, SCALAR(print_protocol, UINT),
	  ONE_IN_LIST },
};

static const struct content *find_content(int level, int type)
{
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++)
		if (contents[i].level == level && contents[i].type == type)
			return &contents[i];
	return NULL;
}

static void show_list(struct decoder *d, const struct content *content,
		      const struct place *data, size_t size)
{
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (size_t i = 0; i + size <= data->len; i += size) {
		if (content->how == ONE_IN_LIST && i)
			break;
		if (i / size >= d->options->string_limit &&
		    !d->options->verbose) {
			SINK_CALL(d->sink, more);
			break;
		}
		SINK_CALL(d->sink, item);
		decode_object(d, content->holds, CT_DEFAULT, &(struct place){
			.addr = data->addr + i, .bytes = data->bytes + i,
			.len = size });
	}
	SINK_CALL(d->sink, array_end);
}

/* Bytes that are no whole value. */
static void show_bytes(struct decoder *d, const struct content *content,
		       const struct place *data)
{
	if (content && content->how == ONE_OR_NOTHING)
		SINK_CALL(d->sink, expression, &(struct expression){
			.text = "???", .fixed = true });
	else
		SINK_CALL(d->sink, string, data->bytes, data->len,
			  content && content->how == TEXT ? 0 : STRING_HEX);
}

static void show_content(struct decoder *d, int level, int type,
			 const struct place *data)
{
	const struct content *content = find_content(level, type);
	size_t size;

	if (!content || !content->holds) {
		show_bytes(d, content, data);
		return;
	}
	size = sizeof_type(content->holds, CT_DEFAULT, d->abi);
	if (data->len < size)
		show_bytes(d, content, data);
	else if (content->how == LIST || content->how == ONE_IN_LIST)
		show_list(d, content, data, size);
	else
		decode_object(d, content->holds, CT_DEFAULT, data);
}

static void show_level(struct decoder *d, int level)
{
	SINK_CALL(d->sink, symbol, (unsigned)level, BASE_HEX,
		  constset_name(&set_socket_levels, d->abi, (unsigned)level),
		  "SOL_???");
}

static void show_type(struct decoder *d, int level, int type)
{
	if (level == V_SOL_SOCKET)
		decode_enum(d, &set_scm_types, (unsigned)type);
	else if (level == V_SOL_IP)
		decode_enum(d, &set_ip_cmsg_types, (unsigned)type);
	else
		SINK_CALL(d->sink, number, (unsigned)type, BASE_HEX);
}

/*
 * One message at bytes, of which left are there.  Returns how far the next
 * one is, or 0 if its length makes no sense.
 */
static size_t show_message(struct decoder *d, const struct place *place)
{
	size_t word = d->abi->word, header = word + 8;
	uint64_t len = decode_load(d, ULONG, place->bytes);
	int level = decode_load(d, INT, place->bytes + word);
	int type = decode_load(d, INT, place->bytes + word + 4);

	SINK_CALL(d->sink, item);
	SINK_CALL(d->sink, struct_begin);
	SINK_CALL(d->sink, field, "cmsg_len", 0);
	SINK_CALL(d->sink, number, len, BASE_UNSIGNED);
	SINK_CALL(d->sink, field, "cmsg_level", 0);
	show_level(d, level);
	SINK_CALL(d->sink, field, "cmsg_type", 0);
	show_type(d, level, type);
	if (len > header) {
		struct place data = {
			.addr = place->addr + header,
			.bytes = place->bytes + header,
			.len = (len < place->len ? len : place->len) - header,
		};

		if (data.len) {
			SINK_CALL(d->sink, field, "cmsg_data", 0);
			show_content(d, level, type, &data);
		}
	}
	SINK_CALL(d->sink, struct_end);
	return len < header ? 0 : len > place->len ? place->len
						   : (len + word - 1) & -word;
}

static void show_rest(struct decoder *d, uint64_t addr)
{
	char text[24];

	snprintf(text, sizeof(text), "%#llx", (unsigned long long)addr);
	SINK_CALL(d->sink, more);
	SINK_CALL(d->sink, comment, text);
}

void decode_control_messages(struct decoder *d, const struct type *type,
			     const struct place *place)
{
	uint64_t len = decode_ref(d, &type->length);
	size_t header = d->abi->word + 8, at = 0;
	uint8_t *bytes;

	if (len > MAX_CONTROL)
		len = MAX_CONTROL;
	bytes = len < header ? NULL : malloc(len);
	if (!bytes || !view_read_exactly(d->view, place->addr, bytes, len)) {
		SINK_CALL(d->sink, address, place->addr);
		free(bytes);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	while (at + header <= len) {
		size_t step = show_message(d, &(struct place){
			.addr = place->addr + at, .bytes = bytes + at,
			.len = len - at });

		at += step ? step : header;
		if (!step || (at < len && at + header > len)) {
			show_rest(d, place->addr + at);
			break;
		}
	}
	SINK_CALL(d->sink, array_end);
	free(bytes);
}
