/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Disk quotas.
 */
#include "decode/decode.h"
#include "decode/structures.h"

STRUCTURE(if_dqblk,
	FIELD(dqb_bhardlimit, U64, UDEC),
	FIELD(dqb_bsoftlimit, U64, UDEC),
	FIELD(dqb_curspace, U64, UDEC),
	FIELD(dqb_ihardlimit, U64, UDEC),
	FIELD(dqb_isoftlimit, U64, UDEC),
	FIELD(dqb_curinodes, U64, UDEC),
	FIELD(dqb_btime, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(dqb_itime, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(dqb_valid, U32, FLAGS(quota_fields), .show = SHOW_VERBOSE));

STRUCTURE(if_nextdqblk,
	FIELD(dqb_bhardlimit, U64, UDEC),
	FIELD(dqb_bsoftlimit, U64, UDEC),
	FIELD(dqb_curspace, U64, UDEC),
	FIELD(dqb_ihardlimit, U64, UDEC),
	FIELD(dqb_isoftlimit, U64, UDEC),
	FIELD(dqb_curinodes, U64, UDEC),
	FIELD(dqb_btime, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(dqb_itime, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(dqb_valid, U32, FLAGS(quota_fields), .show = SHOW_VERBOSE),
	FIELD(dqb_id, U32, UDEC));

STRUCTURE(if_dqinfo,
	FIELD(dqi_bgrace, U64, UDEC),
	FIELD(dqi_igrace, U64, UDEC),
	FIELD(dqi_flags, U32, FLAGS(quota_info_flags)),
	FIELD(dqi_valid, U32, FLAGS(quota_info_fields)));

STRUCTURE(fs_disk_quota,
	FIELD(d_version, S8, DEC),
	FIELD(d_flags, S8, FLAGS_OF(U8, xfs_quota_kinds)),
	FIELD(d_fieldmask, U16, HEX),
	FIELD(d_id, U32, UDEC),
	FIELD(d_blk_hardlimit, U64, UDEC),
	FIELD(d_blk_softlimit, U64, UDEC),
	FIELD(d_ino_hardlimit, U64, UDEC),
	FIELD(d_ino_softlimit, U64, UDEC),
	FIELD(d_bcount, U64, UDEC),
	FIELD(d_icount, U64, UDEC),
	FIELD(d_itimer, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(d_btimer, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(d_iwarns, U16, UDEC, .show = SHOW_VERBOSE),
	FIELD(d_bwarns, U16, UDEC, .show = SHOW_VERBOSE),
	PADDING(S8, .count = 4),	/* upper bits of the timers */
	FIELD(d_rtb_hardlimit, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(d_rtb_softlimit, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(d_rtbcount, U64, UDEC, .show = SHOW_VERBOSE),
	FIELD(d_rtbtimer, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(d_rtbwarns, U16, UDEC, .show = SHOW_VERBOSE),
	PADDING(S16),
	PADDING(S8, .count = 8));

STRUCTURE(fs_qfilestat,
	FIELD(qfs_ino, U64, UDEC),
	FIELD(qfs_nblks, U64, UDEC),
	FIELD(qfs_nextents, U32, UDEC));

STRUCTURE(fs_quota_stat,
	FIELD(qs_version, S8, DEC),
	FIELD(qs_flags, U16, FLAGS_OF(U16, xfs_quota_flags),
	      .show = SHOW_VERBOSE),
	PADDING(S8),
	MEMBER(qs_uquota, STRUCT(fs_qfilestat), .show = SHOW_VERBOSE),
	MEMBER(qs_gquota, STRUCT(fs_qfilestat), .show = SHOW_VERBOSE),
	FIELD(qs_incoredqs, U32, UDEC, .show = SHOW_VERBOSE),
	FIELD(qs_btimelimit, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(qs_itimelimit, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(qs_rtbtimelimit, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(qs_bwarnlimit, U16, UDEC, .show = SHOW_VERBOSE),
	FIELD(qs_iwarnlimit, U16, UDEC, .show = SHOW_VERBOSE));

STRUCTURE(fs_qfilestatv,
	FIELD(qfs_ino, U64, UDEC),
	FIELD(qfs_nblks, U64, UDEC),
	FIELD(qfs_nextents, U32, UDEC),
	PADDING(U32));

STRUCTURE(fs_quota_statv,
	FIELD(qs_version, S8, DEC),
	PADDING(U8),
	FIELD(qs_flags, U16, FLAGS_OF(U16, xfs_quota_flags),
	      .show = SHOW_VERBOSE),
	FIELD(qs_incoredqs, U32, UDEC, .show = SHOW_VERBOSE),
	MEMBER(qs_uquota, STRUCT(fs_qfilestatv), .show = SHOW_VERBOSE),
	MEMBER(qs_gquota, STRUCT(fs_qfilestatv), .show = SHOW_VERBOSE),
	MEMBER(qs_pquota, STRUCT(fs_qfilestatv), .show = SHOW_VERBOSE),
	FIELD(qs_btimelimit, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(qs_itimelimit, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(qs_rtbtimelimit, S32, DEC, .show = SHOW_VERBOSE),
	FIELD(qs_bwarnlimit, U16, UDEC, .show = SHOW_VERBOSE),
	FIELD(qs_iwarnlimit, U16, UDEC, .show = SHOW_VERBOSE),
	PADDING(U16, .count = 2),
	PADDING(U32),
	PADDING(U64, .count = 7));

#define COMMAND								\
	PACKED("QCMD", UINT, BASE_UNSIGNED, 8, quota_commands,		\
	       ENUM(quota_types))

/* A command without its type, as it lies in the argument. */
#define Q(command_)	((uint64_t)V_Q_##command_ << 8 & 0xffffffff)
#define ALONE(command_)	VARIANT(Q(command_), NO_ARGS)
/* The id is not looked at. */
#define WITHOUT_ID(command_, dir_, type_)				\
	VARIANT(Q(command_), ARGS(UNUSED_ARG, dir_(addr, type_)))
#define WITH_ID(command_, dir_, type_)					\
	VARIANT(Q(command_), ARGS(ARG(id, UID), dir_(addr, type_)))

#define QUOTA_VARIANTS							\
	VARIANTS(							\
	ALONE(SYNC), ALONE(QUOTAOFF), ALONE(XQUOTASYNC),		\
	VARIANT(Q(QUOTAON), ARGS(ARG(id, ENUM(quota_formats)),		\
				 ARG(addr, PATH))),			\
	WITHOUT_ID(GETFMT, OUT, PTR(ENUM(quota_formats))),		\
	WITHOUT_ID(GETINFO, OUT, PTR_TO(if_dqinfo)),			\
	WITHOUT_ID(SETINFO, ARG, PTR_TO(if_dqinfo)),			\
	WITH_ID(GETQUOTA, OUT, PTR_TO(if_dqblk)),			\
	WITH_ID(SETQUOTA, ARG, PTR_TO(if_dqblk)),			\
	WITH_ID(GETNEXTQUOTA, OUT, PTR_TO(if_nextdqblk)),		\
	WITHOUT_ID(XQUOTAON, ARG, PTR(FLAGS(xfs_quota_flags))),		\
	WITHOUT_ID(XQUOTAOFF, ARG, PTR(FLAGS(xfs_quota_flags))),	\
	WITHOUT_ID(XQUOTARM, ARG, PTR(FLAGS(xfs_quota_kinds))),		\
	WITH_ID(XGETQUOTA, OUT, PTR_TO(fs_disk_quota)),			\
	WITH_ID(XSETQLIM, ARG, PTR_TO(fs_disk_quota)),			\
	WITH_ID(XGETNEXTQUOTA, OUT, PTR_TO(fs_disk_quota)),		\
	WITHOUT_ID(XGETQSTAT, OUT, PTR_TO(fs_quota_stat)),		\
	WITHOUT_ID(XGETQSTATV, OUT, PTR_TO(fs_quota_statv)),		\
	OTHER_VARIANT(ARGS(ARG(id, UID), ARG(addr, ADDR))))

SYSCALL(quotactl, TRACE_FILE, ARGS(
	ARG(op, COMMAND),
	ARG(special, PATH)),
	.select = ARGV_MASK(0, 0xffffff00),
	QUOTA_VARIANTS);

SYSCALL(quotactl_fd, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(op, COMMAND)),
	.select = ARGV_MASK(1, 0xffffff00),
	QUOTA_VARIANTS);
