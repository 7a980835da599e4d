/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls about mounts, quotas and asynchronous input and output, with arguments
 * that no kernel takes from anybody.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/quota.h>
#include <sys/mount.h>

#include "calls.h"

enum { FD = 9 };	/* a descriptor that is not open */

#define NONE	STR("/none/such")

struct attributes {
	uint64_t set, clear, propagation, userns_fd;
};

int main(void)
{
	begin();
	CALL(mount, STR("source"), NONE, STR("tmpfs"),
	     MS_NOSUID | MS_NODEV | MS_REC, STR("size=10%"));
	CALL(mount, BAD, NONE, 0, MS_BIND | MS_RDONLY, BAD);
	CALL(mount, 0, NONE, BAD, MS_MGC_VAL | MS_REMOUNT | 0x80000000, 0);
	CALL(umount2, NONE, MNT_DETACH | MNT_EXPIRE | 0x100);
	CALL(pivot_root, NONE, BAD);
	CALL(swapon, NONE, 0x8000 | 0x10000 | 5);
	CALL(swapoff, NONE);
	CALL(open_tree, FD, NONE, 1 | O_CLOEXEC | AT_RECURSIVE);
	CALL(move_mount, FD, NONE, AT_FDCWD, BAD, 0x41);
	CALL(fsopen, BAD, 3);
	CALL(fsconfig, FD, 1, STR("key"), STR("value"), 0);
	CALL(fsconfig, FD, 6, 0, 0, 0);
	CALL(fsmount, FD, 1, 0x2f);
	CALL(fspick, FD, NONE, 0xf);
	CALL(mount_setattr, FD, NONE, AT_RECURSIVE,
	     PUT(struct attributes, { 1, 0x10, MS_PRIVATE, 4 }),
	     sizeof(struct attributes));

	CALL(quotactl, QCMD(Q_QUOTAON, USRQUOTA), NONE, 2, BAD);
	CALL(quotactl, QCMD(Q_GETQUOTA, GRPQUOTA), NONE, 1000, BAD);
	CALL(quotactl, QCMD(Q_SYNC, 7), NONE, 0, 0);
	CALL(quotactl, QCMD(0x123, USRQUOTA), NONE, 5, BAD);

	CALL(io_setup, 0, PUT(long, 0));
	CALL(io_destroy, 5);
	CALL(io_submit, 5, 1, PUT(long, PUT(struct iocb,
		{ .aio_data = 7, .aio_lio_opcode = IOCB_CMD_PREAD,
		  .aio_fildes = FD, .aio_buf = BAD, .aio_nbytes = 100,
		  .aio_offset = 9 })));
	CALL(io_cancel, 5, BAD, BAD);
	CALL(io_getevents, 5, 1, 2, BAD, PUT(long, 0, 5));
	CALL(io_uring_enter, FD, 1, 2, 3, 0, 8);
	return 0;
}
