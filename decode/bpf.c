/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The bpf system call: maps and programs.  Its attributes are a union by
 * command, of which the caller gives as many bytes as it knows.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/sockaddr.h"
#include "decode/structures.h"

/* KERNEL_VERSION(6, 1, 0) */
static void print_version(struct decoder *d, const struct type *type,
			  uint64_t value)
{
	char text[48];

	(void)type;
	snprintf(text, sizeof(text),
		 "KERNEL_VERSION(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")",
		 value >> 16, value >> 8 & 0xff, value & 0xff);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX });
}

static void print_node(struct decoder *d, const struct type *type,
		       uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, value, BASE_UNSIGNED);
	if (value == UINT32_MAX)
		SINK_CALL(d->sink, comment, "NUMA_NO_NODE");
}

#define POINTER64(name_)	FIELD(name_, U64, ADDR_OF(U64))
#define NUMBER(name_)		FIELD(name_, U32, UDEC)
#define DESCRIPTOR(name_)	FIELD(name_, U32, FD)

/* ---- maps ---- */

STRUCTURE_UNNAMED(bpf_map_create,
	FIELD(map_type, U32, ENUM(bpf_map_types)),
	NUMBER(key_size),
	NUMBER(value_size),
	NUMBER(max_entries),
	FIELD(map_flags, U32, FLAGS(bpf_map_flags)),
	DESCRIPTOR(inner_map_fd),
	FIELD(numa_node, U32, SCALAR(print_node, U32),
	      .when = IF_ANY_BIT(SIBLING(map_flags), V_BPF_F_NUMA_NODE)),
	MEMBER(map_name, CHARS(16)),
	FIELD(map_ifindex, U32, IFINDEX),
	DESCRIPTOR(btf_fd),
	NUMBER(btf_key_type_id),
	NUMBER(btf_value_type_id),
	NUMBER(btf_vmlinux_value_type_id),
	FIELD(map_extra, U64, HEX64),
	DESCRIPTOR(value_type_btf_obj_fd),
	DESCRIPTOR(map_token_fd),
	POINTER64(excl_prog_hash),
	NUMBER(excl_prog_hash_size));

#define ELEMENT(id_, ...)						\
	STRUCTURE_UNNAMED(id_, DESCRIPTOR(map_fd), PADDING(U32),	\
			  POINTER64(key), ##__VA_ARGS__)

ELEMENT(bpf_lookup, POINTER64(value),
	FIELD(flags, U64, FLAGS_OF(U64, bpf_lookup_flags)));
ELEMENT(bpf_update, POINTER64(value),
	FIELD(flags, U64, FLAGS_OF(U64, bpf_update_flags)));
ELEMENT(bpf_delete);
ELEMENT(bpf_next_key, POINTER64(next_key));

/* ---- programs ---- */

STRUCTURE_UNNAMED(bpf_prog_load,
	FIELD(prog_type, U32, ENUM(bpf_prog_types)),
	NUMBER(insn_cnt),
	POINTER64(insns),
	FIELD(license, U64, STR),
	NUMBER(log_level),
	NUMBER(log_size),
	POINTER64(log_buf),
	FIELD(kern_version, U32, SCALAR(print_version, U32)),
	FIELD(prog_flags, U32, FLAGS(bpf_prog_flags)),
	MEMBER(prog_name, CHARS(16)),
	FIELD(prog_ifindex, U32, IFINDEX),
	FIELD(expected_attach_type, U32, ENUM(bpf_attach_types)),
	DESCRIPTOR(prog_btf_fd),
	NUMBER(func_info_rec_size),
	POINTER64(func_info),
	NUMBER(func_info_cnt),
	NUMBER(line_info_rec_size),
	POINTER64(line_info),
	NUMBER(line_info_cnt),
	NUMBER(attach_btf_id),
	DESCRIPTOR(attach_prog_fd),
	PADDING(U32),
	POINTER64(fd_array));

STRUCTURE_UNNAMED(bpf_obj,
	FIELD(pathname, U64, PATH),
	DESCRIPTOR(bpf_fd),
	FIELD(file_flags, U32, FLAGS(bpf_file_flags)),
	FIELD(path_fd, S32, DIRFD, .when = IF_ANY_BIT(SIBLING(file_flags),
						      V_BPF_F_PATH_FD)),
	FIELD(path_fd, S32, FD, .show = SHOW_OVERLAY,
	      .when = IF_NO_BIT(SIBLING(file_flags), V_BPF_F_PATH_FD)));

STRUCTURE_UNNAMED(bpf_attach,
	DESCRIPTOR(target_fd),
	DESCRIPTOR(attach_bpf_fd),
	FIELD(attach_type, U32, ENUM(bpf_attach_types)),
	FIELD(attach_flags, U32, FLAGS(bpf_attach_flags)),
	DESCRIPTOR(replace_bpf_fd),
	FIELD(relative_fd, U32, FD,
	      .when = IF_NO_BIT(SIBLING(attach_flags), V_BPF_F_ID)),
	FIELD(relative_id, U32, UDEC, .show = SHOW_OVERLAY,
	      .when = IF_ANY_BIT(SIBLING(attach_flags), V_BPF_F_ID)),
	FIELD(expected_revision, U64, DEC_OF(U64)));

STRUCTURE_UNNAMED(bpf_test,
	DESCRIPTOR(prog_fd),
	NUMBER(retval),
	NUMBER(data_size_in),
	NUMBER(data_size_out),
	POINTER64(data_in),
	POINTER64(data_out),
	NUMBER(repeat),
	NUMBER(duration),
	NUMBER(ctx_size_in),
	NUMBER(ctx_size_out),
	POINTER64(ctx_in),
	POINTER64(ctx_out),
	FIELD(flags, U32, FLAGS(bpf_test_flags)),
	NUMBER(cpu),
	NUMBER(batch_size));

/* ---- finding them ---- */

STRUCTURE_UNNAMED(bpf_next_id, NUMBER(start_id), NUMBER(next_id));
STRUCTURE_UNNAMED(bpf_prog_id, NUMBER(prog_id));
STRUCTURE_UNNAMED(bpf_map_id,
	NUMBER(map_id),
	FIELD(next_id, U32, UDEC, .show = SHOW_NEVER),
	FIELD(open_flags, U32, FLAGS(bpf_open_flags)));
STRUCTURE_UNNAMED(bpf_btf_id,
	NUMBER(btf_id),
	FIELD(next_id, U32, UDEC, .show = SHOW_NEVER),
	FIELD(open_flags, U32, FLAGS(bpf_open_flags)),
	DESCRIPTOR(fd_by_id_token_fd));
STRUCTURE_UNNAMED(bpf_info,
	DESCRIPTOR(bpf_fd), NUMBER(info_len), POINTER64(info));
STRUCTURE_UNNAMED(bpf_query,
	DESCRIPTOR(target_fd),
	FIELD(attach_type, U32, ENUM(bpf_attach_types)),
	FIELD(query_flags, U32, FLAGS(bpf_query_flags)),
	FIELD(attach_flags, U32, FLAGS(bpf_attach_flags)),
	POINTER64(prog_ids),
	NUMBER(prog_cnt),
	PADDING(U32),
	POINTER64(prog_attach_flags),
	POINTER64(link_ids),
	POINTER64(link_attach_flags),
	FIELD(revision, U64, HEX64));
STRUCTURE_UNNAMED(bpf_raw_tracepoint,
	FIELD(name, U64, STR),
	DESCRIPTOR(prog_fd),
	PADDING(U32),
	FIELD(cookie, U64, HEX64));
STRUCTURE_UNNAMED(bpf_btf_load,
	POINTER64(btf),
	POINTER64(btf_log_buf),
	NUMBER(btf_size),
	NUMBER(btf_log_size),
	NUMBER(btf_log_level),
	NUMBER(btf_log_true_size),
	FIELD(btf_flags, U32, FLAGS(bpf_file_flags)),
	DESCRIPTOR(btf_token_fd));
STRUCTURE_UNNAMED(bpf_task_fd,
	FIELD(pid, U32, PID),
	DESCRIPTOR(fd),
	NUMBER(flags),
	NUMBER(buf_len),
	POINTER64(buf),
	NUMBER(prog_id),
	FIELD(fd_type, U32, ENUM(bpf_fd_types)),
	FIELD(probe_offset, U64, HEX64),
	FIELD(probe_addr, U64, HEX64));

/* ---- the call ---- */

/* The members up to byte always_ are shown even if fewer are given. */
#define ATTR_IN(id_, always_, label_)					\
	PTR(TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_,	\
		 .flags = TYPE_SIZED | TYPE_FILLED | TYPE_EXTRA,	\
		 .number = (always_), .label = (label_), .length = ARGV(2)))
#define ATTR(id_, always_)	ATTR_IN(id_, always_, NULL)

#define COMMAND(name_, attr_, ...)					\
	VARIANT(V_BPF_##name_, ARGS(ARG(attr, attr_), ARG(size, UDEC)),	\
		##__VA_ARGS__)
#define OPENS	.returns = FD

SYSCALL(bpf, TRACE_DESC, ARGS(
	ARG(cmd, ENUM(bpf_commands))),
	.select = ARGV(0),
	VARIANTS(
		COMMAND(MAP_CREATE, ATTR(bpf_map_create, 16), OPENS),
		COMMAND(MAP_LOOKUP_ELEM, ATTR(bpf_lookup, 24)),
		COMMAND(MAP_UPDATE_ELEM, ATTR(bpf_update, 32)),
		COMMAND(MAP_DELETE_ELEM, ATTR(bpf_delete, 16)),
		COMMAND(MAP_GET_NEXT_KEY, ATTR(bpf_next_key, 24)),
		COMMAND(PROG_LOAD, ATTR(bpf_prog_load, 24), OPENS),
		COMMAND(OBJ_PIN, ATTR(bpf_obj, 12)),
		COMMAND(OBJ_GET, ATTR(bpf_obj, 12), OPENS),
		COMMAND(PROG_ATTACH, ATTR(bpf_attach, 16)),
		COMMAND(PROG_DETACH, ATTR(bpf_attach, 16)),
		COMMAND(PROG_TEST_RUN, ATTR_IN(bpf_test, 40, "test")),
		COMMAND(PROG_GET_NEXT_ID, ATTR(bpf_next_id, 8)),
		COMMAND(MAP_GET_NEXT_ID, ATTR(bpf_next_id, 8)),
		COMMAND(BTF_GET_NEXT_ID, ATTR(bpf_next_id, 8)),
		COMMAND(LINK_GET_NEXT_ID, ATTR(bpf_next_id, 8)),
		COMMAND(PROG_GET_FD_BY_ID, ATTR(bpf_prog_id, 4), OPENS),
		COMMAND(MAP_GET_FD_BY_ID, ATTR(bpf_map_id, 4), OPENS),
		COMMAND(BTF_GET_FD_BY_ID, ATTR(bpf_btf_id, 4), OPENS),
		COMMAND(OBJ_GET_INFO_BY_FD, ATTR_IN(bpf_info, 16, "info")),
		COMMAND(PROG_QUERY, ATTR_IN(bpf_query, 28, "query")),
		COMMAND(RAW_TRACEPOINT_OPEN,
			ATTR_IN(bpf_raw_tracepoint, 12, "raw_tracepoint"),
			OPENS),
		COMMAND(BTF_LOAD, ATTR(bpf_btf_load, 28), OPENS),
		COMMAND(TASK_FD_QUERY,
			ATTR_IN(bpf_task_fd, 48, "task_fd_query")),
		OTHER_VARIANT(ARGS(ARG(attr, ADDR), ARG(size, UDEC)))));
