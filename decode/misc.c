/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What belongs to no other subject: random numbers, security modules,
 * programs in the kernel, loading of kernels and of modules, and calls that
 * the kernel has given up.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

SYSCALL(getrandom, 0, ARGS(
	OUT(buf, BYTES_HEX(RESULT)),
	ARG(buflen, SIZE),
	ARG(flags, FLAGS(getrandom_flags))),
	.returns = SSIZE);

SYSCALL(bpf, TRACE_DESC, ARGS(
	ARG(cmd, ENUM(bpf_commands)),
	ARG(attr, ADDR),
	ARG(size, UDEC)),
	.returns = FD);

/* ---- landlock ---- */

#define FS_ACCESS	FLAGS_OF(U64, landlock_fs_access)
#define NET_ACCESS	FLAGS_OF(U64, landlock_net_access)
#define SCOPES		FLAGS_OF(U64, landlock_scopes)

STRUCTURE(landlock_ruleset_attr,
	FIELD(handled_access_fs, U64, FS_ACCESS),
	FIELD(handled_access_net, U64, NET_ACCESS),
	FIELD(scoped, U64, SCOPES),
	FIELD(quiet_access_fs, U64, FS_ACCESS),
	FIELD(quiet_access_net, U64, NET_ACCESS),
	FIELD(quiet_scoped, U64, SCOPES));

STRUCTURE(landlock_path_beneath_attr,
	FIELD(allowed_access, U64, FS_ACCESS),
	FIELD(parent_fd, INT, FD));

STRUCTURE(landlock_net_port_attr,
	FIELD(allowed_access, U64, NET_ACCESS),
	FIELD(port, U64, DEC_OF(U64)));

/* Some flags only ask a question: then a number comes back. */
SYSCALL(landlock_create_ruleset, TRACE_DESC, ARGS(
	ARG(attr, PTR(STRUCT_SIZED(landlock_ruleset_attr, 8, ARGV(1)))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(landlock_ruleset_flags))),
	.returns = SELECT(ARGV(2), CHOICE(0, FD), OTHERWISE(DEC)));

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

/* ---- security modules ---- */

STRUCTURE(lsm_ctx,
	FIELD(id, U64, ENUM_OF(U64, lsm_ids)),
	FIELD(flags, U64, HEX64),
	FIELD(len, U64, DEC_OF(U64)),
	FIELD(ctx_len, U64, DEC_OF(U64)),
	MEMBER(ctx, DATA_HEX(SIBLING(ctx_len)),
	       .when = IF_UNEQUAL(SIBLING(ctx_len), 0)));

/* As many contexts as the result says; each tells its own length. */
static void decode_lsm_contexts(struct decoder *d, const struct type *type,
				const struct place *place)
{
	uint64_t addr = place->addr;
	uint64_t words[4];

	(void)type;
	if (d->error || !view_read_exactly(d->view, addr, words,
					   sizeof(words))) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	for (int64_t i = 0; i < d->result; i++) {
		SINK_CALL(d->sink, item);
		if (!decode_at(d, STRUCT(lsm_ctx), addr) ||
		    !view_read_exactly(d->view, addr, words, sizeof(words)) ||
		    words[2] < sizeof(words))
			break;
		addr += words[2];
	}
	SINK_CALL(d->sink, array_end);
}

SYSCALL(lsm_get_self_attr, 0, ARGS(
	ARG(attr, ENUM(lsm_attributes)),
	LATE(ctx, CUSTOM(decode_lsm_contexts)),
	INOUT(size, PTR(UDEC)),
	LATE(flags, FLAGS(lsm_flags))));

static uint64_t lsm_ctx_is_short(struct decoder *d)
{
	return decode_arg_value(d, 2) < 32;
}

SYSCALL(lsm_set_self_attr, 0, ARGS(
	ARG(attr, ENUM(lsm_attributes)),
	ARG(ctx, SELECT(CALC(lsm_ctx_is_short), CHOICE(1, ADDR),
			OTHERWISE(PTR_TO(lsm_ctx)))),
	ARG(size, UDEC),
	ARG(flags, HEX)));

SYSCALL(lsm_list_modules, 0, ARGS(
	OUT(ids, PTR(ARRAY(ENUM_OF(U64, lsm_ids), RESULT))),
	INOUT(size, PTR(UDEC)),
	LATE(flags, HEX)));

/* ---- namespaces ---- */

STRUCTURE(ns_id_req,
	FIELD(size, UINT, UDEC),
	FIELD(spare, UINT, HEX, .show = SHOW_NONZERO),
	FIELD(ns_id, U64, HEX64),
	FIELD(ns_type, UINT, FLAGS(namespace_types)),
	FIELD(spare2, UINT, HEX, .show = SHOW_NONZERO),
	FIELD(user_ns_id, U64, HEX64));

enum { NS_ID_REQ_SIZE = 32 };

/* Only its size, if that is smaller than any that was ever right. */
static uint64_t ns_id_req_given(struct decoder *d)
{
	uint64_t size = decode_ref(d, &(struct ref)POINTEE(0));

	return size < NS_ID_REQ_SIZE ? sizeof(uint32_t) : size;
}

SYSCALL(listns, 0, ARGS(
	ARG(req, PTR(STRUCT_SIZED(ns_id_req, 4, CALC(ns_id_req_given)))),
	OUT(ns_ids, PTR(ARRAY(HEX64, RESULT))),
	ARG(nr_ns_ids, SIZE),
	ARG(flags, HEX)),
	.returns = SSIZE);

/* ---- kernels and modules ---- */

STRUCTURE(kexec_segment,
	FIELD(buf, POINTER, ADDR),
	FIELD(bufsz, KULONG, SIZE),
	FIELD(mem, POINTER, ADDR),
	FIELD(memsz, KULONG, SIZE));

static uint64_t too_many_segments(struct decoder *d)
{
	return decode_arg_value(d, 1) > V_KEXEC_SEGMENT_MAX;
}

SYSCALL(kexec_load, 0, ARGS(
	ARG(entry, ADDR),
	ARG(nr_segments, SIZE),
	ARG(segments, SELECT(CALC(too_many_segments), CHOICE(1, ADDR),
		OTHERWISE(PTR(ARRAY(STRUCT(kexec_segment), ARGV(1)))))),
	ARG(flags, FLAGS_OF(ULONG, kexec_flags))));

SYSCALL(kexec_file_load, TRACE_DESC, ARGS(
	ARG(kernel_fd, FD),
	ARG(initrd_fd, FD),
	ARG(cmdline_len, SIZE),
	ARG(cmdline, BYTES(ARGV(2))),
	ARG(flags, FLAGS_OF(ULONG, kexec_file_flags))));

SYSCALL(init_module, 0, ARGS(
	ARG(module_image, ADDR),
	ARG(len, SIZE),
	ARG(param_values, STR)));

SYSCALL(finit_module, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(param_values, STR),
	ARG(flags, FLAGS(module_init_flags))));

SYSCALL(delete_module, 0, ARGS(
	ARG(name, STR),
	ARG(flags, FLAGS(delete_module_flags))));

/* ---- calls of the past ---- */

SYSCALL(uselib, TRACE_FILE, ARGS(
	ARG(path, PATH)));

SYSCALL(_sysctl, 0, ARGS(
	ARG(args, ADDR)));

SYSCALL(lookup_dcookie, 0, ARGS(
	ARG(cookie, DEC_OF(U64)),
	OUT(buffer, STR),
	ARG(len, SIZE)));
