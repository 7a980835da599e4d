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


/* What a message of one kind holds; an array of numbers if repeated. */
static const struct content {
	int level, type;
	const struct type *holds;
	bool repeated;
} contents[] = {
	{ V_SOL_SOCKET, V_SCM_RIGHTS, FD, true },
	{ V_SOL_SOCKET, V_SCM_CREDENTIALS, STRUCT(ucred), false },
	{ V_SOL_SOCKET, V_SCM_PIDFD, FD, true },
	{ V_SOL_SOCKET, V_SO_TIMESTAMP_OLD, STRUCT(timeval), false },
	{ V_SOL_SOCKET, V_SO_TIMESTAMPNS_OLD, STRUCT(timespec), false },
	{ V_SOL_SOCKET, V_SO_TIMESTAMPNS_NEW, STRUCT(timespec64), false },
	{ V_SOL_IP, V_IP_TTL, DEC, true },
	{ V_SOL_IP, V_IP_TOS, SCALAR(print_hex, U8), true },
	{ V_SOL_IP, V_IP_PKTINFO, STRUCT(in_pktinfo), false },
	{ V_SOL_IP, V_IP_CHECKSUM, DEC, true },
	{ V_SOL_IP, V_IP_PROTOCOL, ENUM_OF(INT, inet_protocols), true },
};

static const struct content *find_content(int level, int type)
{
	for (size_t i = 0; i < sizeof(contents) / sizeof(*contents); i++)
		if (contents[i].level == level && contents[i].type == type)
			return &contents[i];
	return NULL;
}

static void show_repeated(struct decoder *d, const struct type *type,
			  const struct place *data, size_t size)
{
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (size_t i = 0; i + size <= data->len; i += size) {
		SINK_CALL(d->sink, item);
		if (i / size >= d->options->string_limit &&
		    !d->options->verbose) {
			SINK_CALL(d->sink, more);
			break;
		}
		decode_object(d, type, CT_DEFAULT, &(struct place){
			.addr = data->addr + i, .bytes = data->bytes + i,
			.len = size });
	}
	SINK_CALL(d->sink, array_end);
}

static void show_content(struct decoder *d, int level, int type,
			 const struct place *data)
{
	const struct content *content = find_content(level, type);
	size_t limit = d->options->string_limit;
	size_t size = content ? sizeof_type(content->holds, CT_DEFAULT, d->abi)
			      : 0;

	if (!content || data->len < size) {
		bool cut = data->len > limit;

		SINK_CALL(d->sink, string, data->bytes,
			  cut ? limit : data->len,
			  STRING_HEX | (cut ? STRING_TRUNCATED : 0));
	} else if (content->repeated) {
		show_repeated(d, content->holds, data, size);
	} else {
		decode_object(d, content->holds, CT_DEFAULT, data);
	}
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
	decode_enum(d, &set_socket_levels, (unsigned)level);
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

		if (!step) {
			show_rest(d, place->addr + at);
			break;
		}
		at += step;
	}
	SINK_CALL(d->sink, array_end);
	free(bytes);
}
