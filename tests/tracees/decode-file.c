/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about files by name, with good and bad arguments. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>

#include "calls.h"

enum {
	FD = 9,		/* a descriptor that is not open */
	SYS_fchmodat2_ = 452,
};
#define SYS_fchmodat2 SYS_fchmodat2_

/* Opens, closes; what can be seen of a file whose times are known. */
static void files(void)
{
	static const struct timespec times[2] = { { 1700000000, 123456789 },
						  { 1700000001, 0 } };
	long name = STR("decode-file.tmp");
	int fd = open("decode-file.tmp", O_RDWR | O_CREAT | O_TRUNC, 0640);

	fchmod(fd, 0640);
	ftruncate(fd, 12345);
	futimens(fd, times);
	begin();
	CALL(fstat, fd, ROOM(sizeof(struct stat)));
	CALL(lstat, name, ROOM(sizeof(struct stat)));
	CALL(statx, AT_FDCWD, name, AT_STATX_DONT_SYNC | AT_SYMLINK_NOFOLLOW,
	     STATX_TYPE | STATX_MODE | STATX_SIZE,
	     ROOM(sizeof(struct statx)));
	close(fd);
	CALL(open, name, O_RDONLY | O_CLOEXEC);
	CALL(close, fd);
	CALL(unlink, name);
	CALL(unlink, name);
}

int main(void)
{
	long none = STR("none"), odd = STR("a\nb\"\\\177\303\244");

	files();
	CALL(open, none, O_WRONLY | O_APPEND | O_NOFOLLOW);
	CALL(open, none, O_RDWR | O_CREAT | O_EXCL | O_DIRECTORY, 04711);
	CALL(open, BAD, O_PATH | O_DSYNC | 0x80000000);
	CALL(open, TEXT("cut"), O_WRONLY | O_RDWR | O_SYNC);
	CALL(open, STR(""), O_RDWR | O_TMPFILE, 0600);
	CALL(openat, AT_FDCWD, odd, O_RDONLY | O_NONBLOCK);
	CALL(openat, FD, none, O_RDONLY | O_CREAT, 0);
	CALL(openat2, FD, none,
	     PUT(struct open_how, { O_RDWR | O_CREAT, 0750,
		     RESOLVE_NO_XDEV | RESOLVE_IN_ROOT }),
	     sizeof(struct open_how));
	CALL(openat2, FD, none, PUT(struct open_how, { 0, 0, 0x1000 }),
	     sizeof(struct open_how));
	CALL(openat2, FD, none, BAD, 24);
	CALL(creat, BAD, 01777);
	CALL(close, -1);
	CALL(close_range, 1000, 1001, 4);
	CALL(close_range, 5, 4, 8);

	CALL(stat, none, BAD);
	CALL(newfstatat, AT_FDCWD, none, BAD,
	     AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT);
	CALL(statx, FD, none, AT_STATX_FORCE_SYNC | AT_EMPTY_PATH,
	     STATX_BASIC_STATS | STATX_BTIME, BAD);
	CALL(access, none, R_OK | W_OK | X_OK);
	CALL(access, BAD, F_OK);
	CALL(faccessat, FD, none, W_OK | 8);
	CALL(faccessat2, FD, none, X_OK, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
	CALL(readlink, none, BAD, 100);
	CALL(readlink, STR("/proc/self/fd/0/x"), ROOM(8), 8);

	CALL(chmod, none, 0644);
	CALL(fchmod, FD, 02000);
	CALL(fchmodat, AT_FDCWD, none, 07777);
	CALL(fchmodat2, FD, none, 0, AT_SYMLINK_NOFOLLOW | 1);
	CALL(chown, none, 12, -1);
	CALL(fchown, FD, -1, 0x7fffffff);
	CALL(lchown, none, 0, 0xfffffffe);
	CALL(fchownat, FD, none, 1, 2, AT_SYMLINK_NOFOLLOW);
	CALL(umask, 022);
	CALL(umask, 0x200 | 077);
	CALL(umask, 022);

	CALL(link, none, BAD);
	CALL(linkat, FD, none, AT_FDCWD, odd, AT_SYMLINK_FOLLOW);
	CALL(symlink, odd, BAD);
	CALL(symlinkat, none, FD, odd);
	CALL(rename, none, odd);
	CALL(renameat, FD, none, AT_FDCWD, BAD);
	CALL(renameat2, FD, none, FD, odd, 3);
	CALL(renameat2, FD, none, FD, odd, 8);
	CALL(unlinkat, FD, none, AT_REMOVEDIR | 1);
	CALL(mkdir, BAD, 0755);
	CALL(mkdirat, FD, none, 01000);
	CALL(rmdir, none);
	CALL(mknod, BAD, S_IFCHR | 0600, 0x12345678);
	CALL(mknodat, FD, none, S_IFIFO | 0400, 7);
	CALL(truncate, BAD, 0x123456789a);
	CALL(chdir, odd);
	CALL(fchdir, FD);
	CALL(chroot, BAD);
	CALL(getcwd, BAD, 100);
	CALL(getcwd, ROOM(1), 1);

	CALL(utime, none, PUT(long, 1, 1700000000));
	CALL(utimes, none,
	     PUT(struct timeval, { 1, 2 }, { 1700000000, 999999 }));
	CALL(futimesat, FD, none, 0);
	CALL(utimensat, FD, none,
	     PUT(struct timespec, { 0, 1 }, { 1, 0 }),
	     AT_SYMLINK_NOFOLLOW);
	CALL(utimensat, FD, 0,
	     PUT(struct timespec, { 1700000000, 5 }, { -1, 0 }), 0);

	CALL(setxattr, none, STR("user.x"), STR("value"), 3, 1);
	CALL(fsetxattr, FD, BAD, BAD, 4, 7);
	CALL(getxattr, none, STR("user.x"), BAD, 100);
	CALL(fgetxattr, FD, STR("user.x"), ROOM(8), 8);
	CALL(listxattr, none, BAD, 0);
	CALL(lremovexattr, none, STR("user.x"));
	CALL(statfs, none, BAD);
	CALL(name_to_handle_at, FD, none, BAD, BAD, 0x200);
	return 0;
}
