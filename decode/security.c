/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Security modules: their attributes of a process, and Landlock.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

enum { LEN_OFFSET = 16 };	/* of len in struct lsm_ctx */

/* ---- Landlock ---- */

STRUCTURE(landlock_ruleset_attr,
	FIELD(handled_access_fs, U64, FLAGS(landlock_fs)),
	FIELD(handled_access_net, U64, FLAGS(landlock_net)),
	FIELD(scoped, U64, FLAGS(landlock_scopes)),
	FIELD(quiet_access_fs, U64, FLAGS(landlock_fs)),
	FIELD(quiet_access_net, U64, FLAGS(landlock_net)),
	FIELD(quiet_scoped, U64, FLAGS(landlock_scopes)));

/* With flags, the call tells something instead of making a ruleset. */
SYSCALL(landlock_create_ruleset, TRACE_DESC, ARGS(
	ARG(attr, PTR(STRUCT_FILLED(landlock_ruleset_attr, 8, ARGV(1)))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(landlock_ruleset_flags))),
	.returns = SELECT(ARGV(2), CHOICE(0, FD), OTHERWISE(DEC)));

STRUCTURE_AS(landlock_path_beneath_attr, "struct landlock_path_beneath_attr",
	FIELD(allowed_access, U64, FLAGS(landlock_fs), .show = SHOW_PACKED),
	FIELD(parent_fd, S32, FD, .show = SHOW_PACKED));

STRUCTURE(landlock_net_port_attr,
	FIELD(allowed_access, U64, FLAGS(landlock_net)),
	FIELD(port, U64, UDEC));

SYSCALL(landlock_add_rule, TRACE_DESC, ARGS(
	ARG(ruleset_fd, FD),
	ARG(rule_type, ENUM(landlock_rule_types)),
	ARG(rule_attr, SELECT(ARGV(1),
		CHOICE(V_LANDLOCK_RULE_PATH_BENEATH,
		       PTR_TO(landlock_path_beneath_attr)),
		CHOICE(V_LANDLOCK_RULE_NET_PORT,
		       PTR_TO(landlock_net_port_attr)),
		OTHERWISE(ADDR))),
	ARG(flags, FLAGS(landlock_rule_flags))));

SYSCALL(landlock_restrict_self, TRACE_DESC, ARGS(
	ARG(ruleset_fd, FD),
	ARG(flags, HEX)));

/* ---- attributes ---- */

enum { CONTEXT_HEADER = 32 };

/* A context ends where it says, where its structure does, and the room. */
static uint64_t context_room(struct decoder *d, uint64_t room)
{
	uint64_t len = decode_ref(d, &(struct ref)SIBLING(ctx_len));
	uint64_t whole = decode_ref(d, &(struct ref)SIBLING(len));

	if (room > whole)
		room = whole;
	room = room > CONTEXT_HEADER ? room - CONTEXT_HEADER : 0;
	return len < room ? len : room;
}

/* What there is of a context behind its structure: all of it, or less. */
static uint64_t context_length(struct decoder *d)
{
	return context_room(d, decode_arg_value(d, 2));
}

static uint64_t context_length_filled(struct decoder *d)
{
	return context_room(d, d->shared);
}

#define LSM_CTX(id_, length_)						\
	STRUCTURE_AS(id_, "struct lsm_ctx",				\
		FIELD(id, U64, NAMED(U64, lsm_ids)),			\
		FIELD(flags, U64, HEX64),				\
		FIELD(len, U64, UDEC),					\
		FIELD(ctx_len, U64, UDEC),				\
		MEMBER(ctx, DATA_LOCATED(TYPE_HEX, CALC(length_)),	\
		       .when = IF_UNEQUAL(CALC(length_), 0)))

LSM_CTX(lsm_ctx, context_length);
LSM_CTX(lsm_ctx_filled, context_length_filled);

static uint64_t holds_header(struct decoder *d)
{
	return decode_arg_value(d, 2) >= CONTEXT_HEADER;
}

SYSCALL(lsm_set_self_attr, 0, ARGS(
	ARG(attr, ENUM(lsm_attributes)),
	ARG(ctx, SELECT(CALC(holds_header), CHOICE(1, PTR_TO(lsm_ctx)),
			OTHERWISE(ADDR))),
	ARG(size, UDEC),
	ARG(flags, HEX)));

/* As the kernel fills them in: one behind the other, each says how long. */
static void show_contexts(struct decoder *d, uint64_t addr)
{
	uint64_t len;

	for (uint64_t i = 0; d->shared; i++) {
		if (d->shared < CONTEXT_HEADER ||
		    !view_read_exactly(d->view, addr + LEN_OFFSET, &len,
				       sizeof(len))) {
			SINK_CALL(d->sink, more);
			decode_address_comment(d, addr);
			break;
		}
		if (!d->options->verbose && i >= d->options->string_limit) {
			SINK_CALL(d->sink, more);
			break;
		}
		SINK_CALL(d->sink, item);
		decode_at(d, STRUCT(lsm_ctx_filled), addr);
		if (len < CONTEXT_HEADER || len > d->shared)
			break;
		addr += len;
		d->shared -= len;
	}
}

static void decode_contexts(struct decoder *d, const struct type *type,
			    const struct place *place)
{
	uint8_t header[CONTEXT_HEADER];

	(void)type;
	d->shared = decode_ref(d, &(struct ref)POINTEE(2));
	if (d->shared < CONTEXT_HEADER ||
	    !view_read_exactly(d->view, place->addr, header, sizeof(header))) {
		SINK_CALL(d->sink, address, place->addr);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	show_contexts(d, place->addr);
	SINK_CALL(d->sink, array_end);
}

#define CONTEXTS	PTR(CUSTOM(decode_contexts))

/* Of one module, or of all: then it is not asked which. */
STRUCTURE_AS(lsm_ctx_asked, "struct lsm_ctx",
	FIELD(id, U64, NAMED(U64, lsm_ids)),
	PADDING(U64, .count = 3));

static uint64_t asks_for_one(struct decoder *d)
{
	uint8_t header[CONTEXT_HEADER];
	uint32_t size;

	return d->options->follow_pointers &&
	       decode_arg_value(d, 3) & V_LSM_FLAG_SINGLE &&
	       view_read_exactly(d->view, decode_arg_value(d, 2), &size,
				 sizeof(size)) &&
	       view_read_exactly(d->view, decode_arg_value(d, 1), header,
				 sizeof(header));
}

#define ATTRIBUTES(ctx_)						\
	ARGS(ctx_, INOUT(size, PTR(UDEC), .after = PTR(UDEC)),		\
	     LATE(flags, FLAGS(lsm_flags)))

SYSCALL(lsm_get_self_attr, 0, ARGS(
	ARG(attr, ENUM(lsm_attributes))),
	.select = CALC(asks_for_one),
	VARIANTS(
		VARIANT(1, ATTRIBUTES(
			INOUT(ctx, PTR_TO(lsm_ctx_asked),
			      .after = SELECT(CALC(decode_failed),
					      CHOICE(0, CONTEXTS),
					      OTHERWISE(ADDR))))),
		OTHER_VARIANT(ATTRIBUTES(OUT(ctx, CONTEXTS)))));

/* As many as the call says, if it was told how much room there is. */
static uint64_t room_is_unknown(struct decoder *d)
{
	uint32_t size;

	return !d->options->follow_pointers ||
	       !view_read_exactly(d->view, decode_arg_value(d, 1), &size,
				  sizeof(size));
}

SYSCALL(lsm_list_modules, 0, ARGS(
	OUT(ids, SELECT(CALC(room_is_unknown), CHOICE(1, ADDR),
		OTHERWISE(PTR(ARRAY(ENUM_OF(U64, lsm_ids), RESULT))))),
	INOUT(size, PTR(UDEC), .after = PTR(UDEC)),
	LATE(flags, HEX)));
