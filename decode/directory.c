/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading directories: records of a length that each tells by itself.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

STRUCTURE_UNNAMED(dirent64,
	FIELD(d_ino, U64, UDEC),
	FIELD(d_off, S64, DEC),
	FIELD(d_reclen, U16, UDEC),
	FIELD(d_type, U8, ENUM(directory_types)));

STRUCTURE_UNNAMED(dirent,
	FIELD(d_ino, KULONG, UDEC),
	FIELD(d_off, KULONG, UDEC),
	FIELD(d_reclen, U16, UDEC));

enum {
	MAX_RECORD = 1024,	/* bytes of a record that are looked at */
	MAX_NAME = 256,
};

/* The bytes of a structure's fields, without what aligns its end. */
static size_t header_size(const struct structure *structure,
			  const struct layout *layout)
{
	size_t last = structure->count - 1;

	return layout->offsets[last] + layout->sizes[last];
}

static void show_name(struct decoder *d, const uint8_t *name, size_t room)
{
	size_t len = strnlen((const char *)name,
			     room < MAX_NAME ? room : MAX_NAME);

	SINK_CALL(d->sink, field, "d_name", 0);
	SINK_CALL(d->sink, string, name, len,
		  len < room ? 0 : STRING_TRUNCATED);
}

/*
 * One record of len bytes.  The older kind keeps the type of the file in its
 * last byte.
 */
static void show_record(struct decoder *d, const struct structure *structure,
			size_t name_at, const struct place *place, size_t len)
{
	const struct type bare = {
		.kind = KIND_STRUCT,
		.structure = structure,
		.flags = TYPE_BARE,
	};
	bool type_at_end = structure == &structure_dirent;
	size_t room = len - name_at - (type_at_end && len > name_at);

	SINK_CALL(d->sink, struct_begin);
	decode_object(d, &bare, CT_DEFAULT, place);
	show_name(d, place->bytes + name_at, room);
	if (type_at_end && len > name_at) {
		SINK_CALL(d->sink, field, "d_type", 0);
		decode_enum(d, &set_directory_types, place->bytes[len - 1]);
	}
	SINK_CALL(d->sink, struct_end);
}

/*
 * Goes through the records in total bytes at addr; shows them, or only counts
 * them.  Stops at one that cannot be.
 */
static uint64_t walk(struct decoder *d, const struct structure *structure,
		     uint64_t addr, uint64_t total, bool show)
{
	const struct layout *layout = structure_layout(structure, d->abi);
	size_t name_at = header_size(structure, layout);
	uint8_t bytes[MAX_RECORD];
	uint64_t count = 0;

	while (total >= name_at) {
		uint16_t len;

		if (!view_read_exactly(d->view, addr, bytes, name_at))
			break;
		memcpy(&len, bytes + layout->offsets[2], sizeof(len));
		if (len < name_at || len > total || len > sizeof(bytes) ||
		    !view_read_exactly(d->view, addr, bytes, len))
			break;
		if (show) {
			SINK_CALL(d->sink, item);
			show_record(d, structure, name_at,
				    &(struct place){ .addr = addr,
						     .bytes = bytes,
						     .len = name_at }, len);
		}
		count++;
		addr += len;
		total -= len;
	}
	return count;
}

static void show_records(struct decoder *d, const struct type *type,
			 const struct place *place)
{
	const struct structure *structure = type->structure;
	uint64_t total = decode_ref(d, &type->length);
	char text[40];

	if (d->error || !place->value || !d->options->follow_pointers) {
		SINK_CALL(d->sink, address, place->value);
		return;
	}
	if (d->options->verbose) {
		SINK_CALL(d->sink, array_begin, ARRAY_LIST);
		walk(d, structure, place->value, total, true);
		SINK_CALL(d->sink, array_end);
		return;
	}
	SINK_CALL(d->sink, address, place->value);
	snprintf(text, sizeof(text), "%" PRIu64 " entries",
		 walk(d, structure, place->value, total, false));
	SINK_CALL(d->sink, comment, text);
}

#define RECORDS(id_, ...)						\
	TYPE(.kind = KIND_CUSTOM, .ctype = POINTER,			\
	     .decode = show_records, .structure = &structure_##id_,	\
	     .length = __VA_ARGS__)

SYSCALL(getdents, TRACE_DESC, ARGS(
	ARG(fd, FD),
	LATE(dirp, RECORDS(dirent, RESULT)),
	ARG(count, UDEC)));

SYSCALL(getdents64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	LATE(dirp, RECORDS(dirent64, RESULT)),
	ARG(count, UDEC)));

/* i386's first one reads one entry. */
static void show_old_entry(struct decoder *d, const struct type *type,
			   const struct place *place)
{
	const struct layout *layout = structure_layout(&structure_dirent,
						       d->abi);
	size_t name_at = header_size(&structure_dirent, layout);
	uint8_t bytes[MAX_NAME + 16];
	uint16_t len;

	(void)type;
	if (!view_read_exactly(d->view, place->addr, bytes, name_at)) {
		SINK_CALL(d->sink, address, place->addr);
		return;
	}
	memcpy(&len, bytes + layout->offsets[2], sizeof(len));
	if (len > MAX_NAME)
		len = MAX_NAME;
	SINK_CALL(d->sink, struct_begin);
	decode_object(d, TYPE(.kind = KIND_STRUCT,
			      .structure = &structure_dirent,
			      .flags = TYPE_BARE), CT_DEFAULT,
		      &(struct place){ .addr = place->addr, .bytes = bytes,
				       .len = name_at });
	if (view_read_exactly(d->view, place->addr + name_at, bytes, len)) {
		SINK_CALL(d->sink, field, "d_name", 0);
		SINK_CALL(d->sink, string, bytes, len, 0);
	}
	SINK_CALL(d->sink, struct_end);
}

SYSCALL(readdir, TRACE_DESC, ARGS(
	ARG(fd, FD),
	OUT(dirp, PTR(TYPE(.kind = KIND_CUSTOM, .decode = show_old_entry))),
	ARG(count, UDEC)));
