/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files: opening them, their attributes, and what is done to them by name.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* A mode_t has 16 bits, whatever else is in its register. */
#define PERMISSIONS(name_, ...) \
	ARG(name_, UMODE, .ctype = U16, ##__VA_ARGS__)

/* The bits of a mode in which devices, of both kinds, are like S_IFCHR. */
enum { DEVICE_BITS = 0xb000 };

/* ---- opening ---- */

enum { CREATES_FILE = V_O_CREAT | V___O_TMPFILE };

SYSCALL(open, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(flags, FLAGS(open_flags)),
	PERMISSIONS(mode, .when = IF_ANY_BIT(ARGV(1), CREATES_FILE))),
	.returns = FD);

SYSCALL(openat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(open_flags)),
	PERMISSIONS(mode, .when = IF_ANY_BIT(ARGV(2), CREATES_FILE))),
	.returns = FD);

/* A mode that has no meaning is shown only if it is there all the same. */
static bool open_how_has_mode(struct decoder *d)
{
	static const struct ref flags = SIBLING(flags), mode = SIBLING(mode);

	return (decode_ref(d, &flags) & CREATES_FILE) || decode_ref(d, &mode);
}

STRUCTURE(open_how,
	FIELD(flags, U64, FLAGS_OF(U64, open_how_flags)),
	FIELD(mode, U64, UMODE, .when = IF_FN(open_how_has_mode)),
	FIELD(resolve, U64, FLAGS_OF(U64, resolve_flags)));

SYSCALL(openat2, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(how, PTR(STRUCT_SIZED(open_how, 24, ARGV(3)))),
	ARG(size, SIZE)),
	.returns = FD);

SYSCALL(creat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	PERMISSIONS(mode)),
	.returns = FD);

SYSCALL(umask, 0, ARGS(
	PERMISSIONS(mask)),
	.returns = UMODE);

/* ---- file handles ---- */

enum { MAX_HANDLE = 128 };	/* MAX_HANDLE_SZ of the kernel */

/* What is behind the size is there unless the call failed to fill it. */
static bool handle_is_there(struct decoder *d)
{
	return !d->error;
}

#define HANDLE_BYTES							\
	TYPE(.kind = KIND_DATA, .flags = TYPE_HEX,			\
	     .number = MAX_HANDLE, .length = SIBLING(handle_bytes))

STRUCTURE_UNNAMED(file_handle,
	FIELD(handle_bytes, UINT, UDEC, .show = SHOW_CHANGE),
	FIELD(handle_type, INT, DEC, .when = IF_FN(handle_is_there)),
	MEMBER(f_handle, HANDLE_BYTES, .when = IF_FN(handle_is_there)));

/* Without a handle, nothing else is said to have been written. */
static uint64_t has_handle(struct decoder *d)
{
	const struct layout *layout = structure_layout(&structure_file_handle,
						       d->abi);
	uint8_t head[16];

	return view_read_exactly(d->view, decode_arg_value(d, 2), head,
				 layout->size);
}

SYSCALL(name_to_handle_at, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	INOUT(handle, PTR_TO(file_handle)),
	OUT(mount_id, SELECT(CALC(has_handle), CHOICE(1, PTR(DEC)),
			     OTHERWISE(ADDR))),
	ARG(flags, FLAGS(name_to_handle_flags))));

SYSCALL(open_by_handle_at, TRACE_DESC, ARGS(
	ARG(mount_fd, FD),
	ARG(handle, PTR_TO(file_handle)),
	ARG(flags, FLAGS(open_flags))),
	.returns = FD);

/* ---- what there is about a file ---- */

/*
 * Fields are shown in one order, whatever their order in memory, which is
 * another on each ABI; a device has no size but a number.
 */
#define IF_IS_DEVICE \
	IF_EQUAL(SIBLING_MASK(st_mode, DEVICE_BITS), V_S_IFCHR)
#define IF_IS_NO_DEVICE \
	IF_UNEQUAL(SIBLING_MASK(st_mode, DEVICE_BITS), V_S_IFCHR)

enum stat_turns {
	TURN_DEV, TURN_INO, TURN_MODE, TURN_NLINK, TURN_UID, TURN_GID,
	TURN_BLKSIZE, TURN_BLOCKS, TURN_SIZE, TURN_TIMES,
};

#define STAT_FIELD(name_, ctype_, type_, turn_, ...) \
	FIELD(st_##name_, ctype_, type_, .show = SHOW_VERBOSE, \
	      .turn = turn_, ##__VA_ARGS__)
#define STAT_MODE(ctype_, ...) \
	FIELD(st_mode, ctype_, MODE, .turn = TURN_MODE, ##__VA_ARGS__)
#define STAT_RDEV(ctype_, type_) \
	FIELD(st_rdev, ctype_, type_, .turn = TURN_SIZE, .when = IF_IS_DEVICE)
#define STAT_SIZE(ctype_) \
	FIELD(st_size, ctype_, UDEC, .turn = TURN_SIZE, \
	      .when = IF_IS_NO_DEVICE)
#define STAT_TIME(name_, ctype_) \
	STAT_FIELD(name_, ctype_, TIME_WITH(st_##name_##_nsec), TURN_TIMES), \
	STAT_FIELD(name_##_nsec, ctype_, UDEC, TURN_TIMES)

STRUCTURE(stat,
	STAT_FIELD(dev, KULONG, DEV, TURN_DEV),
	STAT_FIELD(ino, KULONG, UDEC, TURN_INO),
	STAT_FIELD(nlink, KULONG, UDEC, TURN_NLINK, .abis = ON_64BIT_CALLS),
	STAT_MODE(UINT, .abis = ON_64BIT_CALLS),
	STAT_FIELD(uid, UINT, UDEC, TURN_UID, .abis = ON_64BIT_CALLS),
	STAT_FIELD(gid, UINT, UDEC, TURN_GID, .abis = ON_64BIT_CALLS),
	PADDING(INT, .abis = ON_64BIT_CALLS),
	STAT_MODE(U16, .abis = ON_I386),
	STAT_FIELD(nlink, U16, UDEC, TURN_NLINK, .abis = ON_I386),
	STAT_FIELD(uid, U16, UDEC, TURN_UID, .abis = ON_I386),
	STAT_FIELD(gid, U16, UDEC, TURN_GID, .abis = ON_I386),
	STAT_RDEV(KULONG, DEV),
	STAT_SIZE(KULONG),
	STAT_FIELD(blksize, KULONG, UDEC, TURN_BLKSIZE),
	STAT_FIELD(blocks, KULONG, UDEC, TURN_BLOCKS),
	STAT_TIME(atime, KULONG),
	STAT_TIME(mtime, KULONG),
	STAT_TIME(ctime, KULONG),
	PADDING(KLONG, .count = 3, .abis = ON_64BIT_CALLS),
	PADDING(KLONG, .count = 2, .abis = ON_I386));

/* i386's stat with large numbers. */
STRUCTURE(stat64,
	STAT_FIELD(dev, U64, DEV, TURN_DEV),
	PADDING(U8, .count = 4),
	PADDING(U32),		/* __st_ino: what fits of it */
	STAT_MODE(UINT),
	STAT_FIELD(nlink, UINT, UDEC, TURN_NLINK),
	STAT_FIELD(uid, UINT, UDEC, TURN_UID),
	STAT_FIELD(gid, UINT, UDEC, TURN_GID),
	STAT_RDEV(U64, DEV),
	PADDING(U8, .count = 4),
	STAT_SIZE(U64),
	STAT_FIELD(blksize, UINT, UDEC, TURN_BLKSIZE),
	STAT_FIELD(blocks, U64, UDEC, TURN_BLOCKS),
	STAT_TIME(atime, UINT),
	STAT_TIME(mtime, UINT),
	STAT_TIME(ctime, UINT),
	STAT_FIELD(ino, U64, UDEC, TURN_INO));

/* i386's first one. */
STRUCTURE(__old_kernel_stat,
	STAT_FIELD(dev, U16, OLDDEV, TURN_DEV),
	STAT_FIELD(ino, U16, UDEC, TURN_INO),
	STAT_MODE(U16),
	STAT_FIELD(nlink, U16, UDEC, TURN_NLINK),
	STAT_FIELD(uid, U16, UDEC, TURN_UID),
	STAT_FIELD(gid, U16, UDEC, TURN_GID),
	STAT_RDEV(U16, OLDDEV),
	STAT_SIZE(UINT),
	STAT_FIELD(atime, UINT, TIME, TURN_TIMES),
	STAT_FIELD(mtime, UINT, TIME, TURN_TIMES),
	STAT_FIELD(ctime, UINT, TIME, TURN_TIMES));

#define FSTAT	(TRACE_FSTAT | TRACE_STAT_LIKE)
#define LSTAT	(TRACE_LSTAT | TRACE_STAT_LIKE)
#define STAT	(TRACE_STAT | TRACE_STAT_LIKE)

SYSCALL(stat, TRACE_FILE | STAT, ARGS(
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(stat))));

SYSCALL(lstat, TRACE_FILE | LSTAT, ARGS(
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(stat))));

SYSCALL(fstat, TRACE_DESC | FSTAT, ARGS(
	ARG(fd, FD),
	OUT(statbuf, PTR_TO(stat))));

SYSCALL(newfstatat, TRACE_DESC | TRACE_FILE | FSTAT, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(stat)),
	ARG(flags, FLAGS(at_flags))));

SYSCALL(stat64, TRACE_FILE | STAT, ARGS(
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(stat64))));

SYSCALL(lstat64, TRACE_FILE | LSTAT, ARGS(
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(stat64))));

SYSCALL(fstat64, TRACE_DESC | FSTAT, ARGS(
	ARG(fd, FD),
	OUT(statbuf, PTR_TO(stat64))));

SYSCALL(fstatat64, TRACE_DESC | TRACE_FILE | FSTAT, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(stat64)),
	ARG(flags, FLAGS(at_flags))));

SYSCALL(oldstat, TRACE_FILE | STAT, ARGS(
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(__old_kernel_stat))));

SYSCALL(oldlstat, TRACE_FILE | LSTAT, ARGS(
	ARG(pathname, PATH),
	OUT(statbuf, PTR_TO(__old_kernel_stat))));

SYSCALL(oldfstat, TRACE_DESC | FSTAT, ARGS(
	ARG(fd, FD),
	OUT(statbuf, PTR_TO(__old_kernel_stat))));

/* ---- statx ---- */

STRUCTURE(statx_timestamp,
	FIELD(tv_sec, S64, DEC),
	FIELD(tv_nsec, U32, UDEC),
	PADDING(S32));

/* A field that is there if the kernel says so in the mask. */
#define IF_STATX(bits_)	IF_ANY_BIT(SIBLING(stx_mask), bits_)
#define STATX_FIELD(name_, ctype_, type_, bits_) \
	FIELD(stx_##name_, ctype_, type_, .show = SHOW_VERBOSE, \
	      .when = IF_STATX(bits_))
#define STATX_TIME(name_, bits_) \
	MEMBER(stx_##name_, DATED(statx_timestamp, 1000000000), \
	       .show = SHOW_VERBOSE, .when = IF_STATX(bits_))

STRUCTURE(statx,
	FIELD(stx_mask, U32, FLAGS(statx_mask)),
	FIELD(stx_blksize, U32, UDEC, .show = SHOW_VERBOSE),
	FIELD(stx_attributes, U64, FLAGS_OF(U64, statx_attributes)),
	STATX_FIELD(nlink, U32, UDEC, V_STATX_NLINK),
	STATX_FIELD(uid, U32, UDEC, V_STATX_UID),
	STATX_FIELD(gid, U32, UDEC, V_STATX_GID),
	FIELD(stx_mode, U16, MODE,
	      .when = IF_STATX(V_STATX_TYPE | V_STATX_MODE)),
	PADDING(U16),
	STATX_FIELD(ino, U64, UDEC, V_STATX_INO),
	FIELD(stx_size, U64, UDEC, .when = IF_STATX(V_STATX_SIZE)),
	STATX_FIELD(blocks, U64, UDEC, V_STATX_BLOCKS),
	FIELD(stx_attributes_mask, U64, FLAGS_OF(U64, statx_attributes),
	      .show = SHOW_VERBOSE),
	STATX_TIME(atime, V_STATX_ATIME),
	STATX_TIME(btime, V_STATX_BTIME),
	STATX_TIME(ctime, V_STATX_CTIME),
	STATX_TIME(mtime, V_STATX_MTIME),
	FIELD(stx_rdev_major, U32, UDEC, .show = SHOW_VERBOSE),
	FIELD(stx_rdev_minor, U32, UDEC, .show = SHOW_VERBOSE),
	FIELD(stx_dev_major, U32, UDEC, .show = SHOW_VERBOSE),
	FIELD(stx_dev_minor, U32, UDEC, .show = SHOW_VERBOSE),
	STATX_FIELD(mnt_id, U64, HEX64, V_STATX_MNT_ID),
	STATX_FIELD(dio_mem_align, U32, UDEC, V_STATX_DIOALIGN),
	STATX_FIELD(dio_offset_align, U32, UDEC, V_STATX_DIOALIGN),
	STATX_FIELD(subvol, U64, HEX64, V_STATX_SUBVOL),
	FIELD(stx_atomic_write_unit_min, U32, UDEC, .show = SHOW_NEVER),
	FIELD(stx_atomic_write_unit_max, U32, UDEC, .show = SHOW_NEVER),
	FIELD(stx_atomic_write_segments_max, U32, UDEC, .show = SHOW_NEVER),
	STATX_FIELD(dio_read_offset_align, U32, UDEC, V_STATX_DIO_READ_ALIGN),
	FIELD(stx_atomic_write_unit_max_opt, U32, UDEC, .show = SHOW_NEVER),
	PADDING(U32),
	PADDING(U64, .count = 8));

#define STATX_FLAGS							\
	JOINED(UINT, CHOICE(V_AT_STATX_SYNC_TYPE, FLAGS(statx_sync)),	\
	       CHOICE(~(uint64_t)V_AT_STATX_SYNC_TYPE, FLAGS(statx_flags)))

SYSCALL(statx, TRACE_DESC | TRACE_FILE | FSTAT, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, STATX_FLAGS),
	ARG(mask, FLAGS(statx_mask)),
	OUT(statxbuf, PTR_TO(statx))));

/* ---- file systems ---- */

STRUCTURE_AS(fsid, "__kernel_fsid_t",
	FIELD(val, UINT, HEX, .count = 2));

/* The 64-bit members are packed: on x86-64 this ABI's alignment is kept. */
#define PACKED_FIELD(name_, ctype_) \
	FIELD(name_, ctype_, UDEC, .show = SHOW_PACKED)
#define STATFS(id_, name_, word_, blocks_)				\
	STRUCTURE_AS(id_, name_,					\
		FIELD(f_type, word_, ENUM_OF(KULONG, filesystems)),	\
		FIELD(f_bsize, word_, UDEC),				\
		PACKED_FIELD(f_blocks, blocks_),			\
		PACKED_FIELD(f_bfree, blocks_),				\
		PACKED_FIELD(f_bavail, blocks_),			\
		PACKED_FIELD(f_files, blocks_),				\
		PACKED_FIELD(f_ffree, blocks_),				\
		MEMBER(f_fsid, STRUCT(fsid)),				\
		FIELD(f_namelen, word_, UDEC),				\
		FIELD(f_frsize, word_, UDEC),				\
		FIELD(f_flags, word_, FLAGS_OF(KULONG, statfs_flags),	\
		      .when = IF_ANY_BIT(SIBLING(f_flags), V_ST_VALID)), \
		PADDING(word_, .count = 4))

/*
 * x32 has the structure of the kernel's own 64-bit ABI, although its headers
 * say otherwise.
 */
STATFS(statfs, NULL, KULONG, KULONG);
STATFS(statfs64, "struct compat_statfs64", U32, U64);

#define STATFS_CLASS	(TRACE_STATFS | TRACE_STATFS_LIKE)
#define FSTATFS_CLASS	(TRACE_FSTATFS | TRACE_STATFS_LIKE)

SYSCALL(statfs, TRACE_FILE | STATFS_CLASS, ARGS(
	ARG(pathname, PATH),
	OUT(buf, PTR_TO(statfs))));

SYSCALL(fstatfs, TRACE_DESC | FSTATFS_CLASS, ARGS(
	ARG(fd, FD),
	OUT(buf, PTR_TO(statfs))));

SYSCALL(statfs64, TRACE_FILE | STATFS_CLASS, ARGS(
	ARG(pathname, PATH),
	ARG(size, SIZE),
	OUT(buf, PTR_TO(statfs64))));

SYSCALL(fstatfs64, TRACE_DESC | FSTATFS_CLASS, ARGS(
	ARG(fd, FD),
	ARG(size, SIZE),
	OUT(buf, PTR_TO(statfs64))));

SYSCALL(ustat, TRACE_STATFS_LIKE, ARGS(
	ARG(dev, DEV),
	OUT(ubuf, ADDR)));

/* ---- access and ownership ---- */

SYSCALL(access, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(mode, FLAGS(access_modes))));

SYSCALL(faccessat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(mode, FLAGS(access_modes))));

SYSCALL(faccessat2, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(mode, FLAGS(access_modes)),
	ARG(flags, FLAGS(faccessat_flags))));

SYSCALL(chmod, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	PERMISSIONS(mode)));

SYSCALL(fchmod, TRACE_DESC, ARGS(
	ARG(fd, FD),
	PERMISSIONS(mode)));

SYSCALL(fchmodat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	PERMISSIONS(mode)));

SYSCALL(fchmodat2, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	PERMISSIONS(mode),
	ARG(flags, FLAGS(at_path_flags))));

SYSCALL(chown, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(owner, UID),
	ARG(group, GID)));

SYSCALL(lchown, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(owner, UID),
	ARG(group, GID)));

SYSCALL(fchown, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(owner, UID),
	ARG(group, GID)));

SYSCALL(fchownat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(owner, UID),
	ARG(group, GID),
	ARG(flags, FLAGS(at_flags))));

/* i386's have ids of 16 bits; those of 32 bits are called otherwise. */
SYSCALL_ON(ON_I386, chown, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(owner, UID, .ctype = U16),
	ARG(group, GID, .ctype = U16)));

SYSCALL_ON(ON_I386, lchown, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(owner, UID, .ctype = U16),
	ARG(group, GID, .ctype = U16)));

SYSCALL_ON(ON_I386, fchown, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(owner, UID, .ctype = U16),
	ARG(group, GID, .ctype = U16)));

SYSCALL(chown32, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(owner, UID),
	ARG(group, GID)));

SYSCALL(lchown32, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(owner, UID),
	ARG(group, GID)));

SYSCALL(fchown32, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(owner, UID),
	ARG(group, GID)));

/* ---- names ---- */

SYSCALL(link, TRACE_FILE, ARGS(
	ARG(oldpath, PATH),
	ARG(newpath, PATH)));

SYSCALL(linkat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(olddirfd, DIRFD),
	ARG(oldpath, PATH),
	ARG(newdirfd, DIRFD),
	ARG(newpath, PATH),
	ARG(flags, FLAGS(at_flags))));

SYSCALL(symlink, TRACE_FILE, ARGS(
	ARG(oldpath, PATH),
	ARG(newpath, PATH)));

SYSCALL(symlinkat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(target, PATH),
	ARG(newdirfd, DIRFD),
	ARG(linkpath, PATH)));

SYSCALL(readlink, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	OUT(buf, BYTES(RESULT)),
	ARG(bufsiz, SIZE)));

SYSCALL(readlinkat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	OUT(buf, BYTES(RESULT)),
	ARG(bufsiz, SIZE)));

SYSCALL(rename, TRACE_FILE, ARGS(
	ARG(oldpath, PATH),
	ARG(newpath, PATH)));

SYSCALL(renameat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(olddirfd, DIRFD),
	ARG(oldpath, PATH),
	ARG(newdirfd, DIRFD),
	ARG(newpath, PATH)));

SYSCALL(renameat2, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(olddirfd, DIRFD),
	ARG(oldpath, PATH),
	ARG(newdirfd, DIRFD),
	ARG(newpath, PATH),
	ARG(flags, FLAGS(rename_flags))));

SYSCALL(unlink, TRACE_FILE, ARGS(
	ARG(path, PATH)));

SYSCALL(unlinkat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(at_flags))));

SYSCALL(mkdir, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	PERMISSIONS(mode)));

SYSCALL(mkdirat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	PERMISSIONS(mode)));

SYSCALL(rmdir, TRACE_FILE, ARGS(
	ARG(path, PATH)));

SYSCALL(mknod, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(mode, MODE, .ctype = U16),
	ARG(dev, DEV, .when = IF_EQUAL(ARGV_MASK(1, DEVICE_BITS),
				       V_S_IFCHR))));

SYSCALL(mknodat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(mode, MODE, .ctype = U16),
	ARG(dev, DEV, .when = IF_EQUAL(ARGV_MASK(2, DEVICE_BITS),
				       V_S_IFCHR))));

SYSCALL(truncate, TRACE_FILE, ARGS(
	ARG(path, PATH),
	ARG(length, UDEC, .ctype = KULONG)));

SYSCALL(truncate64, TRACE_FILE, ARGS(
	ARG(path, PATH),
	ARG(length, LOFF)));

SYSCALL(getcwd, TRACE_FILE, ARGS(
	OUT(buf, PATH),
	ARG(size, SIZE)));

SYSCALL(chdir, TRACE_FILE, ARGS(
	ARG(path, PATH)));

SYSCALL(fchdir, TRACE_DESC, ARGS(
	ARG(fd, FD)));

SYSCALL(chroot, TRACE_FILE, ARGS(
	ARG(path, PATH)));

/* ---- times ---- */

STRUCTURE(utimbuf,
	FIELD(actime, KLONG, TIME),
	FIELD(modtime, KLONG, TIME));

SYSCALL(utime, TRACE_FILE, ARGS(
	ARG(filename, PATH),
	ARG(times, PTR_TO(utimbuf))));

/* The times of access and of modification: both or none. */
#define TIME_PAIR(id_, type_)						\
	STRUCTURE_UNNAMED(id_, { .type = (type_), .count = 2 })
#define TIMES(id_)							\
	PTR(TYPE(.kind = KIND_STRUCT, .structure = &structure_##id_,	\
		 .flags = TYPE_BARE))

TIME_PAIR(timeval_pair, DATED(timeval, 1000000));

SYSCALL(utimes, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(times, TIMES(timeval_pair))));

SYSCALL(futimesat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(times, TIMES(timeval_pair))));

static void show_special_time(struct decoder *d, int64_t sec, uint64_t nsec)
{
	const char *name = nsec == V_UTIME_NOW ? "UTIME_NOW" : "UTIME_OMIT";
	char numbers[80], both[100];

	snprintf(numbers, sizeof(numbers),
		 "{tv_sec=%" PRId64 ", tv_nsec=%" PRIu64 "}", sec, nsec);
	snprintf(both, sizeof(both), "%s /* %s */", numbers, name);
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = name, .numbers = numbers, .both = both,
		.value = nsec, .base = BASE_UNSIGNED });
}

/* tv_nsec may say that the time is now, or stays as it is. */
static void show_file_time(struct decoder *d, const struct type *type,
			   const struct place *place)
{
	const struct structure *structure = type->layout_of;
	const struct layout *layout = structure_layout(structure, d->abi);
	const struct type dated = {
		.kind = KIND_STRUCT,
		.structure = structure,
		.flags = TYPE_DATED,
		.number = 1000000000,
	};
	uint64_t nsec = decode_load(d, structure->fields[1].ctype,
				    place->bytes + layout->offsets[1]);

	if (nsec == V_UTIME_NOW || nsec == V_UTIME_OMIT)
		show_special_time(d, decode_load(d, structure->fields[0].ctype,
						 place->bytes), nsec);
	else
		decode_object(d, &dated, CT_DEFAULT, place);
}

#define FILE_TIME(id_)							\
	TYPE(.kind = KIND_CUSTOM, .decode = show_file_time,		\
	     .layout_of = &structure_##id_)

TIME_PAIR(timespec_pair, FILE_TIME(timespec));
TIME_PAIR(timespec64_pair, FILE_TIME(timespec64));

SYSCALL(utimensat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(times, TIMES(timespec_pair)),
	ARG(flags, FLAGS(at_flags))));

SYSCALL(utimensat_time64, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(times, TIMES(timespec64_pair)),
	ARG(flags, FLAGS(at_flags))));

/* ---- extended attributes ---- */

enum { MAX_XATTR = 65536 };	/* XATTR_SIZE_MAX of the kernel */

#define XATTR_VALUE(...)	BYTES_TEXT(MAX_XATTR, __VA_ARGS__)

/* What was read of a value or list; a size of 0 only asks how long it is. */
#define XATTR_READ(size_arg_) \
	SELECT(ARGV(size_arg_), CHOICE(0, ADDR), \
	       OTHERWISE(XATTR_VALUE(RESULT)))
#define XATTR_LIST(size_arg_) \
	SELECT(ARGV(size_arg_), CHOICE(0, ADDR), OTHERWISE(BYTES(RESULT)))

SYSCALL(setxattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(name, STR),
	ARG(value, XATTR_VALUE(ARGV(3))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(xattr_flags))));

SYSCALL(lsetxattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(name, STR),
	ARG(value, XATTR_VALUE(ARGV(3))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(xattr_flags))));

SYSCALL(fsetxattr, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(name, STR),
	ARG(value, XATTR_VALUE(ARGV(3))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(xattr_flags))));

SYSCALL(getxattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(name, STR),
	OUT(value, XATTR_READ(3)),
	ARG(size, SIZE)));

SYSCALL(lgetxattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(name, STR),
	OUT(value, XATTR_READ(3)),
	ARG(size, SIZE)));

SYSCALL(fgetxattr, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(name, STR),
	OUT(value, XATTR_READ(3)),
	ARG(size, SIZE)));

SYSCALL(listxattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	OUT(list, XATTR_LIST(2)),
	ARG(size, SIZE)));

SYSCALL(llistxattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	OUT(list, XATTR_LIST(2)),
	ARG(size, SIZE)));

SYSCALL(flistxattr, TRACE_DESC, ARGS(
	ARG(fd, FD),
	OUT(list, XATTR_LIST(2)),
	ARG(size, SIZE)));

SYSCALL(removexattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(name, STR)));

SYSCALL(lremovexattr, TRACE_FILE, ARGS(
	ARG(pathname, PATH),
	ARG(name, STR)));

SYSCALL(fremovexattr, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(name, STR)));

#define XATTR_ARGS(id_, value_)						\
	STRUCTURE_AS(id_, "struct xattr_args",				\
		FIELD(value, U64, value_),				\
		FIELD(size, U32, UDEC),					\
		FIELD(flags, U32, FLAGS(xattr_flags)))

XATTR_ARGS(xattr_args, XATTR_VALUE(SIBLING(size)));
XATTR_ARGS(xattr_args_read, SELECT(CALC(decode_failed), CHOICE(0,
	XATTR_VALUE(RESULT)), OTHERWISE(ADDR)));

SYSCALL(setxattrat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(at_path_flags)),
	ARG(name, STR),
	ARG(args, PTR(STRUCT_SIZED(xattr_args, 16, ARGV(5)))),
	ARG(size, SIZE)));

SYSCALL(getxattrat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(at_path_flags)),
	ARG(name, STR),
	LATE(args, PTR(STRUCT_SIZED(xattr_args_read, 16, ARGV(5)))),
	ARG(size, SIZE)));

SYSCALL(listxattrat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(at_path_flags)),
	OUT(list, XATTR_LIST(4)),
	ARG(size, SIZE)));

SYSCALL(removexattrat, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(flags, FLAGS(at_path_flags)),
	ARG(name, STR)));

/* ---- inode flags ---- */

#define FILE_ATTR(id_, show_nextents_)					\
	STRUCTURE_AS(id_, "struct file_attr",				\
		FIELD(fa_xflags, U64, FLAGS_OF(U64, file_xflags)),	\
		FIELD(fa_extsize, U32, UDEC),				\
		FIELD(fa_nextents, U32, UDEC, .show = show_nextents_),	\
		FIELD(fa_projid, U32, HEX),				\
		FIELD(fa_cowextsize, U32, UDEC))

/* The kernel looks at no more than a page. */
static uint64_t attr_size(struct decoder *d)
{
	uint64_t size = decode_arg_value(d, 3);

	return size <= 4096 ? size : 0;
}

#define ATTR_SIZE	CALC(attr_size)

FILE_ATTR(file_attr, SHOW_ALWAYS);
FILE_ATTR(file_attr_set, SHOW_NEVER);

SYSCALL(file_getattr, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	OUT(attr, PTR(STRUCT_SIZED(file_attr, 24, ATTR_SIZE))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(at_path_flags))));

SYSCALL(file_setattr, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(dirfd, DIRFD),
	ARG(pathname, PATH),
	ARG(attr, PTR(STRUCT_SIZED(file_attr_set, 24, ATTR_SIZE))),
	ARG(size, SIZE),
	ARG(flags, FLAGS(at_path_flags))));
