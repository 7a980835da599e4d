/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What file systems and block devices take by ioctl.
 */
#include "decode/decode.h"
#include "decode/structures.h"

#define READ(...)	ARGS(OUT(argp, PTR(__VA_ARGS__)))
#define WRITTEN(...)	ARGS(ARG(argp, PTR(__VA_ARGS__)))
/* What a structure has become, if the call has succeeded. */
#define IF_DONE(id_)	SELECT(CALC(decode_failed), CHOICE(0, PTR_TO(id_)))

/* ---- files ---- */

#define INODE_FLAGS	FLAGS(inode_flags)

IOCTL(FS_IOC_GETFLAGS, ARGS(OUT(attr, PTR(INODE_FLAGS))));
IOCTL(FS_IOC_SETFLAGS, ARGS(ARG(attr, PTR(INODE_FLAGS))));
IOCTL(FS_IOC32_GETFLAGS, ARGS(OUT(attr, PTR(INODE_FLAGS))));
IOCTL(FS_IOC32_SETFLAGS, ARGS(ARG(attr, PTR(INODE_FLAGS))));

#define FSXATTR(id_, show_nextents_)					\
	STRUCTURE_AS(id_, "struct fsxattr",				\
		FIELD(fsx_xflags, U32, FLAGS(file_xflags)),		\
		FIELD(fsx_extsize, U32, UDEC),				\
		FIELD(fsx_nextents, U32, UDEC, .show = show_nextents_),	\
		FIELD(fsx_projid, U32, HEX),				\
		FIELD(fsx_cowextsize, U32, UDEC),			\
		PADDING(U8, .count = 8))

FSXATTR(fsxattr, SHOW_ALWAYS);
FSXATTR(fsxattr_set, SHOW_NEVER);

IOCTL(FS_IOC_FSGETXATTR, ARGS(OUT(arg, PTR_TO(fsxattr))));
IOCTL(FS_IOC_FSSETXATTR, ARGS(ARG(arg, PTR_TO(fsxattr_set))));

STRUCTURE(file_clone_range,
	FIELD(src_fd, S64, FD),
	FIELD(src_offset, U64, UDEC),
	FIELD(src_length, U64, UDEC),
	FIELD(dest_offset, U64, UDEC));

/* The one descriptor that strace follows to no file. */
IOCTL(FICLONE, ARGS(ARG(src_fd, DEC)));
IOCTL(FICLONERANGE, ARGS(ARG(arg, PTR_TO(file_clone_range))));

STRUCTURE(file_dedupe_range_info,
	FIELD(dest_fd, S64, FD),
	FIELD(dest_offset, U64, UDEC),
	PADDING(U64),
	PADDING(S32),
	PADDING(U32));

STRUCTURE_AS(file_dedupe_range_result, "struct file_dedupe_range_info",
	PADDING(S64),
	PADDING(U64),
	FIELD(bytes_deduped, U64, UDEC),
	FIELD(status, S32, DEC),
	PADDING(U32));

STRUCTURE(file_dedupe_range,
	FIELD(src_offset, U64, UDEC),
	FIELD(src_length, U64, UDEC),
	FIELD(dest_count, U16, UDEC),
	PADDING(U16),
	PADDING(U32),
	MEMBER(info, ARRAY(STRUCT(file_dedupe_range_info),
			   SIBLING(dest_count))));

STRUCTURE_AS(file_dedupe_range_after, "struct file_dedupe_range",
	PADDING(U64, .count = 2),
	FIELD(dest_count, U16, UDEC, .show = SHOW_NEVER),
	PADDING(U16),
	PADDING(U32),
	MEMBER(info, ARRAY(STRUCT(file_dedupe_range_result),
			   SIBLING(dest_count))));

IOCTL(FIDEDUPERANGE, ARGS(
	INOUT(arg, PTR_TO(file_dedupe_range),
	      .after = IF_DONE(file_dedupe_range_after))));

STRUCTURE(fiemap_extent,
	FIELD(fe_logical, U64, UDEC),
	FIELD(fe_physical, U64, UDEC),
	FIELD(fe_length, U64, UDEC),
	PADDING(U64, .count = 2),
	FIELD(fe_flags, U32, FLAGS(fiemap_extent_flags)),
	PADDING(U32, .count = 3));

STRUCTURE(fiemap,
	FIELD(fm_start, U64, UDEC),
	FIELD(fm_length, U64, UDEC),
	FIELD(fm_flags, U32, FLAGS(fiemap_flags)),
	PADDING(U32),
	FIELD(fm_extent_count, U32, UDEC),
	PADDING(U32));

STRUCTURE_AS(fiemap_after, "struct fiemap",
	PADDING(U64, .count = 2),
	FIELD(fm_flags, U32, FLAGS(fiemap_flags)),
	FIELD(fm_mapped_extents, U32, UDEC),
	PADDING(U32, .count = 2),
	MEMBER(fm_extents, ARRAY(STRUCT(fiemap_extent),
				 SIBLING(fm_mapped_extents)),
	       .show = SHOW_VERBOSE));

IOCTL(FS_IOC_FIEMAP, ARGS(
	INOUT(argp, PTR_TO(fiemap), .after = IF_DONE(fiemap_after))));

/* ---- file systems ---- */

IOCTL(FIFREEZE, NO_ARGS);
IOCTL(FITHAW, NO_ARGS);

STRUCTURE(fstrim_range,
	FIELD(start, U64, HEX64),
	FIELD(len, U64, UDEC),
	FIELD(minlen, U64, UDEC));

IOCTL(FITRIM, WRITTEN(STRUCT(fstrim_range)));

enum { LABEL_SIZE = 256 };	/* FSLABEL_MAX of the kernel */

IOCTL(FS_IOC_GETFSLABEL, ARGS(OUT(label, PTR(CHARS(LABEL_SIZE)))));
IOCTL(FS_IOC_SETFSLABEL, ARGS(ARG(label, PTR(CHARS(LABEL_SIZE)))));

STRUCTURE(fsuuid2,
	FIELD(len, U8, UDEC),
	MEMBER(uuid, DATA_HEX(N(16))));

STRUCTURE(fs_sysfs_path,
	FIELD(len, U8, UDEC),
	MEMBER(name, CHARS(128)));

IOCTL(FS_IOC_GETFSUUID, ARGS(OUT(arg, PTR_TO(fsuuid2))));
IOCTL(FS_IOC_GETFSSYSFSPATH, ARGS(OUT(arg, PTR_TO(fs_sysfs_path))));
IOCTL(FS_IOC_SHUTDOWN, WRITTEN(ENUM(shutdown_flags)));

/* ---- block devices ---- */

static uint64_t range_is_there(struct decoder *d)
{
	uint64_t range[2];

	return view_read_exactly(d->view, decode_arg_value(d, 2), range,
				 sizeof(range));
}

/* The start and the length of a range. */
#define RANGE								\
	ARGS(ARG(argp, SELECT(CALC(range_is_there),			\
		CHOICE(1, PTR(ARRAY(DEC_OF(U64), N(2)))),		\
		OTHERWISE(ADDR))))

IOCTL(BLKROSET, WRITTEN(DEC));
IOCTL(BLKROGET, READ(DEC));
IOCTL(BLKRRPART, NO_ARGS);
IOCTL(BLKGETSIZE, READ(SIZE));
IOCTL(BLKFLSBUF, NO_ARGS);
IOCTL(BLKRASET, ARGS(ARG(argp, SIZE)));
IOCTL(BLKRAGET, READ(SSIZE));
IOCTL(BLKFRASET, ARGS(ARG(argp, SIZE)));
IOCTL(BLKFRAGET, READ(SSIZE));
IOCTL(BLKSECTGET, READ(DEC_OF(U16)));
IOCTL(BLKSSZGET, READ(DEC));
IOCTL(BLKBSZGET, READ(DEC));
IOCTL(BLKBSZSET, WRITTEN(DEC));
IOCTL(BLKBSZGET32, READ(DEC));
IOCTL(BLKBSZSET32, WRITTEN(DEC));
IOCTL(BLKGETSIZE64, READ(DEC_OF(U64)));
IOCTL(BLKGETSIZE64_32, READ(DEC_OF(U64)));
IOCTL(BLKDISCARD, RANGE);
IOCTL(BLKSECDISCARD, RANGE);
IOCTL(BLKZEROOUT, RANGE);
IOCTL(BLKIOMIN, READ(UDEC));
IOCTL(BLKIOOPT, READ(UDEC));
IOCTL(BLKALIGNOFF, READ(DEC));
IOCTL(BLKPBSZGET, READ(UDEC));
IOCTL(BLKDISCARDZEROES, READ(UDEC));
IOCTL(BLKROTATIONAL, READ(DEC_OF(U16)));
IOCTL(BLKGETDISKSEQ, READ(DEC_OF(U64)));
IOCTL(BLKGETZONESZ, READ(UDEC));
IOCTL(BLKGETNRZONES, READ(UDEC));

STRUCTURE(blkpg_partition,
	FIELD(start, S64, DEC),
	FIELD(length, S64, DEC),
	FIELD(pno, S32, DEC),
	MEMBER(devname, CHARS(64)),
	MEMBER(volname, CHARS(64)));

STRUCTURE(blkpg_ioctl_arg,
	FIELD(op, S32, ENUM(partition_operations)),
	FIELD(flags, S32, DEC),
	FIELD(datalen, S32, DEC),
	FIELD(data, POINTER, PTR_TO(blkpg_partition)));

IOCTL(BLKPG, WRITTEN(STRUCT(blkpg_ioctl_arg)));

static bool is_set_up(struct decoder *d)
{
	return !d->error;
}

STRUCTURE(blk_user_trace_setup,
	MEMBER(name, CHARS(32), .turn = 1, .when = IF_FN(is_set_up)),
	FIELD(act_mask, U16, UDEC),
	FIELD(buf_size, U32, UDEC),
	FIELD(buf_nr, U32, UDEC),
	FIELD(start_lba, U64, UDEC),
	FIELD(end_lba, U64, UDEC),
	FIELD(pid, U32, PID));

IOCTL(BLKTRACESETUP, ARGS(LATE(argp, PTR_TO(blk_user_trace_setup))));
IOCTL(BLKTRACESTART, NO_ARGS);
IOCTL(BLKTRACESTOP, NO_ARGS);
IOCTL(BLKTRACETEARDOWN, NO_ARGS);
