/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading directories: records of a length that each tells by itself.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* What is before the name; the newer kind has the file's type there, too. */
STRUCTURE_UNNAMED(dirent64,
	FIELD(d_ino, U64, UDEC),
	FIELD(d_off, S64, DEC),
	FIELD(d_reclen, U16, UDEC));

STRUCTURE_UNNAMED(dirent,
	FIELD(d_ino, KULONG, UDEC),
	FIELD(d_off, KULONG, UDEC),
	FIELD(d_reclen, U16, UDEC));

enum {
	MAX_RECORDS = 1 << 20,	/* bytes that are looked at */
	MAX_NAME = 256,
};

/* Records in memory: so many bytes are left of them, some may be readable. */
struct records {
	const struct structure *structure;
	bool type_first;	/* the type is before the name, not at the end */
	size_t head;		/* bytes before type or name */
	uint64_t addr;
	const uint8_t *bytes;
	size_t left, readable;
};

/* The bytes of a structure's fields, without what aligns its end. */
static size_t header_size(const struct structure *structure,
			  const struct layout *layout)
{
	size_t last = structure->count - 1;

	return layout->offsets[last] + layout->sizes[last];
}

static void show_type(struct decoder *d, uint8_t type)
{
	SINK_CALL(d->sink, field, "d_type", 0);
	decode_enum(d, &set_directory_types, type);
}

static void show_name(struct decoder *d, const uint8_t *name, size_t room)
{
	SINK_CALL(d->sink, field, "d_name", 0);
	decode_chars(d, &(struct place){
		.bytes = name, .len = room < MAX_NAME ? room : MAX_NAME });
}

/* By how much a record is too short, or too long for what there is. */
static bool describe_length(const struct records *r, uint16_t len,
			    char *text, size_t size)
{
	size_t least = r->head + r->type_first;

	if (len < least)
		snprintf(text, size, "d_reclen %zu bytes underflow",
			 least - len);
	else if (len > r->left)
		snprintf(text, size, "d_reclen %zu bytes overflow",
			 len - r->left);
	else
		return false;
	return true;
}

/* The next record, whose length tells d_reclen, of which len bytes are there. */
static void show_record(struct decoder *d, const struct records *r,
			uint16_t reclen, size_t len)
{
	const uint8_t *name = r->bytes + r->head + r->type_first;
	const uint8_t *end = r->bytes + len;
	char text[48];

	SINK_CALL(d->sink, struct_begin);
	decode_members(d, r->structure, &(struct place){
		.addr = r->addr, .bytes = r->bytes, .len = r->head });
	if (describe_length(r, reclen, text, sizeof(text)))
		SINK_CALL(d->sink, comment, text + strlen("d_reclen "));
	if (r->type_first)
		show_type(d, r->bytes[r->head]);
	else if (end > name)
		end--;
	if (end > name)
		show_name(d, name, end - name);
	if (!r->type_first && r->bytes + len > name)
		show_type(d, *end);
	SINK_CALL(d->sink, struct_end);
}

/*
 * Goes through the records and shows them, or only counts them.  Stops at one
 * whose length cannot be, which is told.
 */
static uint64_t walk(struct decoder *d, struct records *r, bool show)
{
	const struct layout *layout = structure_layout(r->structure, d->abi);
	size_t least = r->head + r->type_first;
	uint64_t count = 0;
	char text[48];

	while (r->left >= least) {
		uint16_t reclen;
		size_t len;

		if (r->readable < least)
			break;
		memcpy(&reclen, r->bytes + layout->offsets[2],
		       sizeof(reclen));
		len = reclen < least ? least
				     : reclen < r->left ? reclen : r->left;
		if (r->readable < len)
			break;
		if (show) {
			SINK_CALL(d->sink, item);
			show_record(d, r, reclen, len);
		} else if (describe_length(r, reclen, text, sizeof(text))) {
			SINK_CALL(d->sink, comment, text);
		}
		count++;
		if (reclen < least)
			break;
		r->addr += len;
		r->bytes += len;
		r->left -= len;
		r->readable -= len;
	}
	return count;
}

static void list_records(struct decoder *d, struct records *r)
{
	size_t least = r->head + r->type_first;

	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	walk(d, r, true);
	if (r->readable < r->left) {
		SINK_CALL(d->sink, more);
		decode_address_comment(d, r->addr);
	} else if (r->left && r->left < least) {
		SINK_CALL(d->sink, item);
		SINK_CALL(d->sink, string, r->bytes, r->left, STRING_HEX);
	}
	SINK_CALL(d->sink, array_end);
}

static void count_records(struct decoder *d, struct records *r)
{
	char text[40];
	uint64_t count;

	SINK_CALL(d->sink, address, r->addr);
	count = walk(d, r, false);
	snprintf(text, sizeof(text), "%" PRIu64 "%s entries", count,
		 r->left ? "+" : "");
	SINK_CALL(d->sink, comment, text);
}

static void show_records(struct decoder *d, const struct type *type,
			 const struct place *place)
{
	const struct structure *structure = type->structure;
	uint64_t total = decode_ref(d, &type->length);
	uint8_t fixed[1024], *bytes = fixed;

	if (total > sizeof(fixed) && total <= MAX_RECORDS)
		bytes = malloc(total);
	if (d->error || !d->options->follow_pointers || !bytes ||
	    total > decode_arg_value(d, 2) || total > MAX_RECORDS) {
		SINK_CALL(d->sink, address, place->value);
		goto out;
	}

	struct records r = {
		.structure = structure,
		.type_first = structure == &structure_dirent64,
		.head = header_size(structure,
				    structure_layout(structure, d->abi)),
		.addr = place->value,
		.bytes = bytes,
		.left = total,
		.readable = view_read(d->view, place->value, bytes, total),
	};

	if (!d->options->verbose)
		count_records(d, &r);
	else if (r.readable < total && r.readable < r.head + r.type_first)
		SINK_CALL(d->sink, address, place->value);
	else
		list_records(d, &r);
out:
	if (bytes != fixed)
		free(bytes);
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
