/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mounting file systems, and swapping.
 */
#include <string.h>

#include "decode/decode.h"
#include "decode/structures.h"

/* ---- mount and its like ---- */

/* A magic number that old programs put beside the flags. */
#define MAGIC_BITS	UINT64_C(0xffff0000)

#define MOUNT_FLAGS							\
	SELECT(ARGV_MASK(3, MAGIC_BITS),				\
	       CHOICE(V_MS_MGC_VAL, JOINED(ULONG,			\
			CHOICE(MAGIC_BITS, ENUM(mount_magic)),		\
			CHOICE(0xffff, FLAGS(mount_flags)))),		\
	       OTHERWISE(FLAGS_OF(ULONG, mount_flags)))

enum {
	CHANGES_TREE = V_MS_BIND | V_MS_MOVE | V_MS_UNBINDABLE |
		       V_MS_PRIVATE | V_MS_SLAVE | V_MS_SHARED,
};

static uint64_t true_flags(struct decoder *d)
{
	uint64_t flags = decode_arg_value(d, 3);

	return (flags & MAGIC_BITS) == V_MS_MGC_VAL ? flags & ~MAGIC_BITS
						    : flags;
}

/* The kernel looks at the type of a new mount only. */
static uint64_t has_type(struct decoder *d)
{
	return !(true_flags(d) & (CHANGES_TREE | V_MS_REMOUNT));
}

static uint64_t has_data(struct decoder *d)
{
	uint64_t flags = true_flags(d);

	return (flags & V_MS_REMOUNT) || !(flags & CHANGES_TREE);
}

SYSCALL(mount, TRACE_FILE, ARGS(
	ARG(source, PATH),
	ARG(target, PATH),
	ARG(filesystemtype, SELECT(CALC(has_type), CHOICE(1, STR),
				   OTHERWISE(ADDR))),
	ARG(mountflags, MOUNT_FLAGS),
	ARG(data, SELECT(CALC(has_data), CHOICE(1, STR),
			 OTHERWISE(ADDR)))));

SYSCALL(umount2, TRACE_FILE, ARGS(
	ARG(target, PATH),
	ARG(flags, FLAGS(umount_flags))));

SYSCALL(umount, TRACE_FILE, ARGS(
	ARG(target, PATH)));

SYSCALL(pivot_root, TRACE_FILE, ARGS(
	ARG(oldpath, PATH),
	ARG(newpath, PATH)));

/* ---- mounting through descriptors ---- */

STRUCTURE(mount_attr,
	FIELD(attr_set, U64, FLAGS_OF(U64, mount_attributes)),
	FIELD(attr_clr, U64, FLAGS_OF(U64, mount_attributes)),
	FIELD(propagation, U64, ENUM_OF(U64, mount_propagations)),
	FIELD(userns_fd, U64, DEC));

SYSCALL(open_tree, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(open_tree_flags))),
	.returns = FD);

SYSCALL(open_tree_attr, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(open_tree_flags)),
	ARG(attr, PTR(STRUCT_SIZED(mount_attr, 32, ARGV(4)))),
	ARG(size, SIZE)),
	.returns = FD);

SYSCALL(mount_setattr, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(mount_setattr_flags)),
	ARG(attr, PTR(STRUCT_SIZED(mount_attr, 32, ARGV(4)))),
	ARG(size, SIZE)));

SYSCALL(move_mount, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(from_dfd, DIRFD),
	ARG(from_pathname, PATH),
	ARG(to_dfd, DIRFD),
	ARG(to_pathname, PATH),
	ARG(flags, FLAGS(move_mount_flags))));

SYSCALL(fsopen, TRACE_DESC, ARGS(
	ARG(fsname, STR),
	ARG(flags, FLAGS(fsopen_flags))),
	.returns = FD);

#define FSCONFIG(command_, key_, value_, aux_)				\
	VARIANT(V_FSCONFIG_##command_, ARGS(ARG(key, key_),		\
					    ARG(value, value_),		\
					    ARG(aux, aux_)))

SYSCALL(fsconfig, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(fd, FD),
	ARG(cmd, ENUM(fsconfig_commands))),
	.select = ARGV(1),
	VARIANTS(
		FSCONFIG(SET_FLAG, STR, ADDR, DEC),
		FSCONFIG(SET_STRING, STR, STR, DEC),
		FSCONFIG(SET_BINARY, STR, BYTES_HEX(ARGV(4)), DEC),
		FSCONFIG(SET_PATH, STR, PATH, DIRFD),
		FSCONFIG(SET_PATH_EMPTY, STR, PATH, DIRFD),
		FSCONFIG(SET_FD, STR, ADDR, FD),
		OTHER_VARIANT(ARGS(ARG(key, ADDR), ARG(value, ADDR),
				   ARG(aux, DEC)))));

SYSCALL(fsmount, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(flags, FLAGS(fsmount_flags)),
	ARG(attr_flags, FLAGS(fsmount_attributes))),
	.returns = FD);

SYSCALL(fspick, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(fspick_flags))),
	.returns = FD);

/* ---- what is mounted ---- */

/* Smaller than its first version, a request is not looked at. */
static bool is_request(struct decoder *d)
{
	static const struct ref size = SIBLING(size);

	return decode_ref(d, &size) >= V_MNT_ID_REQ_SIZE_VER0;
}

#define MNT_ID_REQ(id_, mount_, param_)					\
	STRUCTURE_AS(id_, "struct mnt_id_req",				\
		FIELD(size, U32, UDEC),					\
		FIELD(mnt_ns_fd, U32, FD, .when = IF_FN(is_request)),	\
		FIELD(mnt_id, U64, mount_,				\
		      .when = IF_FN(is_request)),			\
		FIELD(param, U64, param_, .when = IF_FN(is_request)),	\
		FIELD(mnt_ns_id, U64, HEX64, .when = IF_FN(is_request)))

MNT_ID_REQ(statmount_req, HEX64, FLAGS_OF(U64, statmount_mask));
MNT_ID_REQ(listmount_req, ENUM_OF(U64, mount_ids), HEX64);

/* The size of a request is its first member. */
#define REQUEST(id_)	PTR(STRUCT_SIZED(id_, 0, POINTEE(0)))

/*
 * The strings of a statmount lie behind it: its members hold where, counted
 * from there.
 */
enum { STATMOUNT_STRINGS = 512 };

/* There are none if they are more than fit. */
static bool find_string(struct decoder *d, uint32_t offset,
			struct place *found)
{
	static const struct ref size = SIBLING(size);
	uint64_t end = decode_ref(d, &size);

	if (end > decode_arg_value(d, 2) ||
	    end <= STATMOUNT_STRINGS + (uint64_t)offset)
		return false;
	found->addr = d->scope->addr + STATMOUNT_STRINGS + offset;
	found->len = end - STATMOUNT_STRINGS - offset;
	return true;
}

enum { MAX_OPTION = 4096 };

/* Shows the string at the beginning of a place, and leaves it behind. */
static bool take_string(struct decoder *d, struct place *place)
{
	size_t room = place->len < MAX_OPTION ? place->len : MAX_OPTION, len;
	char text[MAX_OPTION];
	bool cut;

	if (!view_read_exactly(d->view, place->addr, text, room))
		return false;
	len = strnlen(text, room);
	cut = len == room;
	SINK_CALL(d->sink, string, text, cut ? len - 1 : len,
		  cut ? STRING_TRUNCATED : 0);
	place->addr += cut ? len : len + 1;
	place->len -= cut ? len : len + 1;
	return true;
}

static void show_string(struct decoder *d, const struct type *type,
			const struct place *place)
{
	struct place strings;

	(void)type;
	if (!find_string(d, place->value, &strings) ||
	    !take_string(d, &strings))
		SINK_CALL(d->sink, number, place->value, BASE_HEX);
}

/* So many strings as the field before says, one after the other. */
static void show_strings(struct decoder *d, const struct type *type,
			 const struct place *place)
{
	uint64_t count = decode_ref(d, &type->length);
	struct place strings;

	if (!find_string(d, place->value, &strings)) {
		SINK_CALL(d->sink, number, place->value, BASE_HEX);
		return;
	}
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	while (count--) {
		SINK_CALL(d->sink, item);
		if (!strings.len || !take_string(d, &strings)) {
			SINK_CALL(d->sink, expression, &(struct expression){
				.text = "???", .fixed = true });
			break;
		}
	}
	SINK_CALL(d->sink, array_end);
}

#define STRING_AT							\
	TYPE(.kind = KIND_CUSTOM, .ctype = U32, .decode = show_string)
#define STRINGS_AT(count_)						\
	TYPE(.kind = KIND_CUSTOM, .ctype = U32, .decode = show_strings,	\
	     .length = SIBLING(count_))

#define STATMOUNT(bit_, name_, ctype_, type_)				\
	FIELD(name_, ctype_, type_,					\
	      .when = IF_ANY_BIT(SIBLING(mask), V_STATMOUNT_##bit_))

STRUCTURE(statmount,
	FIELD(size, U32, UDEC),
	STATMOUNT(MNT_OPTS, mnt_opts, U32, STRING_AT),
	FIELD(mask, U64, FLAGS_OF(U64, statmount_mask)),
	STATMOUNT(SB_BASIC, sb_dev_major, U32, UDEC),
	STATMOUNT(SB_BASIC, sb_dev_minor, U32, UDEC),
	STATMOUNT(SB_BASIC, sb_magic, U64, ENUM_OF(U64, filesystems)),
	STATMOUNT(SB_BASIC, sb_flags, U32, FLAGS(superblock_flags)),
	STATMOUNT(FS_TYPE, fs_type, U32, STRING_AT),
	STATMOUNT(MNT_BASIC, mnt_id, U64, HEX64),
	STATMOUNT(MNT_BASIC, mnt_parent_id, U64, HEX64),
	STATMOUNT(MNT_BASIC, mnt_id_old, U32, HEX),
	STATMOUNT(MNT_BASIC, mnt_parent_id_old, U32, HEX),
	STATMOUNT(MNT_BASIC, mnt_attr, U64, FLAGS_OF(U64, mount_attributes)),
	STATMOUNT(MNT_BASIC, mnt_propagation, U64,
		  FLAGS_OF(U64, propagation_flags)),
	STATMOUNT(MNT_BASIC, mnt_peer_group, U64, HEX64),
	STATMOUNT(MNT_BASIC, mnt_master, U64, HEX64),
	STATMOUNT(PROPAGATE_FROM, propagate_from, U64, HEX64),
	STATMOUNT(MNT_ROOT, mnt_root, U32, STRING_AT),
	STATMOUNT(MNT_POINT, mnt_point, U32, STRING_AT),
	STATMOUNT(MNT_NS_ID, mnt_ns_id, U64, HEX64),
	STATMOUNT(FS_SUBTYPE, fs_subtype, U32, STRING_AT),
	STATMOUNT(SB_SOURCE, sb_source, U32, STRING_AT),
	STATMOUNT(OPT_ARRAY, opt_num, U32, UDEC),
	STATMOUNT(OPT_ARRAY, opt_array, U32, STRINGS_AT(opt_num)),
	STATMOUNT(OPT_SEC_ARRAY, opt_sec_num, U32, UDEC),
	STATMOUNT(OPT_SEC_ARRAY, opt_sec_array, U32, STRINGS_AT(opt_sec_num)),
	STATMOUNT(SUPPORTED_MASK, supported_mask, U64,
		  FLAGS_OF(U64, statmount_mask)),
	STATMOUNT(MNT_UIDMAP, mnt_uidmap_num, U32, UDEC),
	STATMOUNT(MNT_UIDMAP, mnt_uidmap, U32, STRINGS_AT(mnt_uidmap_num)),
	STATMOUNT(MNT_GIDMAP, mnt_gidmap_num, U32, UDEC),
	STATMOUNT(MNT_GIDMAP, mnt_gidmap, U32, STRINGS_AT(mnt_gidmap_num)),
	PADDING(U64, .count = 43));

/* Room for less than its first member is no room for a structure. */
static uint64_t has_statmount(struct decoder *d)
{
	return decode_arg_value(d, 2) >= sizeof(uint32_t);
}

static uint64_t statmount_size(struct decoder *d)
{
	uint64_t room = decode_arg_value(d, 2);

	return room < STATMOUNT_STRINGS ? room : STATMOUNT_STRINGS;
}

/* What there is no room for is zero. */
#define STATMOUNT_FILLED						\
	TYPE(.kind = KIND_STRUCT, .structure = &structure_statmount,	\
	     .flags = TYPE_SIZED | TYPE_FILLED | TYPE_EXTRA,		\
	     .number = STATMOUNT_STRINGS, .length = CALC(statmount_size))

SYSCALL(statmount, 0, ARGS(
	ARG(req, REQUEST(statmount_req)),
	OUT(buf, SELECT(CALC(has_statmount), CHOICE(1, PTR(STATMOUNT_FILLED)),
			OTHERWISE(ADDR))),
	ARG(bufsize, SIZE),
	ARG(flags, FLAGS(statmount_flags))));

/* A failed call has listed nothing, but room for nothing is an empty list. */
static uint64_t list_is_there(struct decoder *d)
{
	return !d->error || !decode_arg_value(d, 2);
}

static uint64_t listed_mounts(struct decoder *d)
{
	uint64_t room = decode_arg_value(d, 2);
	uint64_t result = d->error ? 0 : d->result;

	return result < room ? result : room;
}

SYSCALL(listmount, 0, ARGS(
	ARG(req, REQUEST(listmount_req)),
	LATE(mnt_ids, SELECT(CALC(list_is_there), CHOICE(0, ADDR),
			     OTHERWISE(PTR(ARRAY(HEX64,
						 CALC(listed_mounts)))))),
	ARG(nr_mnt_ids, SIZE),
	ARG(flags, FLAGS(listmount_flags))));

/* ---- swapping ---- */

enum { SWAP_PRIORITY = 0x7fff };

SYSCALL(swapon, TRACE_FILE, ARGS(
	ARG(path, PATH),
	ARG(swapflags, JOINED(UINT,
		CHOICE(~(uint64_t)SWAP_PRIORITY, FLAGS(swap_flags)),
		CHOICE(SWAP_PRIORITY, UDEC)))));

SYSCALL(swapoff, TRACE_FILE, ARGS(
	ARG(path, PATH)));
