/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Security modules: their attributes of a process, and Landlock.
 */
#include "decode/decode.h"
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

/* What there is of a context behind its structure: all of it, or less. */
static uint64_t context_length(struct decoder *d)
{
	uint64_t len = decode_ref(d, &(struct ref)SIBLING(ctx_len));
	uint64_t size = decode_arg_value(d, 2);
	uint64_t header = d->scope->layout->size;

	if (size < header)
		return 0;
	return len < size - header ? len : size - header;
}

static bool has_context(struct decoder *d)
{
	return context_length(d) > 0;
}

STRUCTURE(lsm_ctx,
	FIELD(id, U64, NAMED(U64, lsm_ids)),
	FIELD(flags, U64, HEX64),
	FIELD(len, U64, UDEC),
	FIELD(ctx_len, U64, UDEC),
	MEMBER(ctx, DATA_HEX(CALC(context_length)),
	       .when = IF_FN(has_context)));

static uint64_t holds_header(struct decoder *d)
{
	return decode_arg_value(d, 2) >=
	       structure_layout(&structure_lsm_ctx, d->abi)->size;
}

SYSCALL(lsm_set_self_attr, 0, ARGS(
	ARG(attr, ENUM(lsm_attributes)),
	ARG(ctx, SELECT(CALC(holds_header), CHOICE(1, PTR_TO(lsm_ctx)),
			OTHERWISE(ADDR))),
	ARG(size, UDEC),
	ARG(flags, HEX)));

/* As the kernel fills them in: one behind the other, each says how long. */
STRUCTURE_AS(lsm_ctx_filled, "struct lsm_ctx",
	FIELD(id, U64, NAMED(U64, lsm_ids)),
	FIELD(flags, U64, HEX64),
	FIELD(len, U64, UDEC),
	FIELD(ctx_len, U64, UDEC),
	MEMBER(ctx, DATA_HEX(SIBLING(ctx_len)),
	       .when = IF_UNEQUAL(SIBLING(ctx_len), 0)));

static void decode_contexts(struct decoder *d, const struct type *type,
			    const struct place *place)
{
	static const struct type context = {
		.kind = KIND_STRUCT, .structure = &structure_lsm_ctx_filled,
	};
	uint64_t addr = place->addr, len;

	(void)type;
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (int64_t i = 0; i < d->result; i++) {
		if (!d->options->verbose && i >= d->options->string_limit) {
			SINK_CALL(d->sink, more);
			break;
		}
		SINK_CALL(d->sink, item);
		if (!decode_at(d, &context, addr) ||
		    !view_read_exactly(d->view, addr + LEN_OFFSET, &len,
				       sizeof(len)) || len < LEN_OFFSET)
			break;
		addr += len;
	}
	SINK_CALL(d->sink, array_end);
}

#define CONTEXTS	PTR(CUSTOM(decode_contexts))

/* Of one module, or of all: then it is not asked which. */
STRUCTURE_UNNAMED(lsm_ctx_id,
	FIELD(id, U64, NAMED(U64, lsm_ids)));

#define ATTRIBUTES(ctx_)						\
	ARGS(ctx_, INOUT(size, PTR(UDEC), .after = PTR(UDEC)),		\
	     LATE(flags, FLAGS(lsm_flags)))

SYSCALL(lsm_get_self_attr, 0, ARGS(
	ARG(attr, ENUM(lsm_attributes))),
	.select = ARGV_MASK(3, UINT32_MAX),
	VARIANTS(
		VARIANT(V_LSM_FLAG_SINGLE, ATTRIBUTES(
			INOUT(ctx, PTR_TO(lsm_ctx_id),
			      .after = SELECT(CALC(decode_failed),
					      CHOICE(0, CONTEXTS),
					      OTHERWISE(ADDR))))),
		OTHER_VARIANT(ATTRIBUTES(OUT(ctx, CONTEXTS)))));

SYSCALL(lsm_list_modules, 0, ARGS(
	OUT(ids, PTR(ARRAY(NAMED(U64, lsm_ids), RESULT))),
	INOUT(size, PTR(UDEC), .after = PTR(UDEC)),
	LATE(flags, HEX)));
