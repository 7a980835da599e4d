# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls about files by name."""

import os

from decode import lines, some
from tap import done

# dates are shown in local time
os.environ['TZ'] = 'UTC'

PROGRAM = 'decode-file'
CALLS = (
    'access,chdir,chmod,chown,chroot,close,close_range,creat,'
    'faccessat,faccessat2,fchdir,fchmod,fchmodat,fchmodat2,fchown,'
    'fchownat,fgetxattr,fsetxattr,fstat,futimesat,getcwd,getxattr,'
    'lchown,link,linkat,listxattr,lremovexattr,lstat,mkdir,mkdirat,'
    'mknod,mknodat,name_to_handle_at,newfstatat,open,openat,openat2,'
    'readlink,rename,renameat,renameat2,rmdir,setxattr,stat,statfs,'
    'symlink,symlinkat,truncate,umask,unlink,unlinkat,utime,'
    'utimensat,utimes'
)

lines(PROGRAM, CALLS, r'''
fstat(3, {st_mode=S_IFREG|0640, st_size=12345, ...}) = 0
lstat("decode-file.tmp", {st_mode=S_IFREG|0640, st_size=12345, ...}) = 0
close(3) = 0
open("decode-file.tmp", O_RDONLY|O_CLOEXEC) = 3
close(3) = 0
unlink("decode-file.tmp") = 0
unlink("decode-file.tmp") = -1 ENOENT (No such file or directory)
open("none", O_WRONLY|O_APPEND|O_NOFOLLOW) = -1 ENOENT (No such file or directory)
open("none", O_RDWR|O_CREAT|O_EXCL|O_DIRECTORY, 04711) = -1 EINVAL (Invalid argument)
open(0x7fff0000, O_RDONLY|O_DSYNC|O_PATH|0x80000000) = -1 EFAULT (Bad address)
open(PTR, O_ACCMODE|O_SYNC) = -1 EFAULT (Bad address)
open("", O_RDWR|O_TMPFILE, 0600) = -1 ENOENT (No such file or directory)
openat(AT_FDCWD, "a\nb\"\\\177\303\244", O_RDONLY|O_NONBLOCK) = -1 ENOENT (No such file or directory)
openat(9, "none", O_RDONLY|O_CREAT, 000) = -1 EBADF (Bad file descriptor)
openat2(9, "none", {flags=O_RDWR|O_CREAT, mode=0750, resolve=RESOLVE_NO_XDEV|RESOLVE_IN_ROOT}, 24) = ...
openat2(9, "none", {flags=O_RDONLY, resolve=0x1000 /* RESOLVE_??? */}, 24) = ...
openat2(9, "none", 0x7fff0000, 24) = ...
creat(0x7fff0000, 01777) = -1 EFAULT (Bad address)
close(-1) = -1 EBADF (Bad file descriptor)
close_range(1000, 1001, CLOSE_RANGE_CLOEXEC) = ...
close_range(5, 4, 0x8 /* CLOSE_RANGE_??? */) = ...
stat("none", 0x7fff0000) = -1 ENOENT (No such file or directory)
newfstatat(AT_FDCWD, "none", 0x7fff0000, AT_SYMLINK_NOFOLLOW|AT_NO_AUTOMOUNT) = -1 ENOENT (No such file or directory)
access("none", R_OK|W_OK|X_OK) = -1 ENOENT (No such file or directory)
access(0x7fff0000, F_OK) = -1 EFAULT (Bad address)
faccessat(9, "none", W_OK|0x8) = -1 EINVAL (Invalid argument)
faccessat2(9, "none", X_OK, AT_SYMLINK_NOFOLLOW|AT_EACCESS) = ...
readlink("none", 0x7fff0000, 100) = -1 ENOENT (No such file or directory)
readlink("/proc/self/fd/0/x", PTR, 8) = -1 ENOTDIR (Not a directory)
chmod("none", 0644) = -1 ENOENT (No such file or directory)
fchmod(9, 02000) = -1 EBADF (Bad file descriptor)
fchmodat(AT_FDCWD, "none", 07777) = -1 ENOENT (No such file or directory)
fchmodat2(9, "none", 000, AT_SYMLINK_NOFOLLOW|0x1) = ...
chown("none", 12, -1) = -1 ENOENT (No such file or directory)
fchown(9, -1, 2147483647) = -1 EBADF (Bad file descriptor)
lchown("none", 0, 4294967294) = -1 ENOENT (No such file or directory)
fchownat(9, "none", 1, 2, AT_SYMLINK_NOFOLLOW) = -1 EBADF (Bad file descriptor)
umask(022) = 022
umask(01077) = 022
umask(022) = 077
link("none", 0x7fff0000) = -1 ENOENT (No such file or directory)
linkat(9, "none", AT_FDCWD, "a\nb\"\\\177\303\244", AT_SYMLINK_FOLLOW) = -1 EBADF (Bad file descriptor)
symlink("a\nb\"\\\177\303\244", 0x7fff0000) = -1 EFAULT (Bad address)
symlinkat("none", 9, "a\nb\"\\\177\303\244") = -1 EBADF (Bad file descriptor)
rename("none", "a\nb\"\\\177\303\244") = -1 ENOENT (No such file or directory)
renameat(9, "none", AT_FDCWD, 0x7fff0000) = -1 EBADF (Bad file descriptor)
renameat2(9, "none", 9, "a\nb\"\\\177\303\244", RENAME_NOREPLACE|RENAME_EXCHANGE) = ...
renameat2(9, "none", 9, "a\nb\"\\\177\303\244", 0x8 /* RENAME_??? */) = ...
unlinkat(9, "none", AT_REMOVEDIR|0x1) = -1 EINVAL (Invalid argument)
mkdir(0x7fff0000, 0755) = -1 EFAULT (Bad address)
mkdirat(9, "none", 01000) = -1 EBADF (Bad file descriptor)
rmdir("none") = -1 ENOENT (No such file or directory)
mknod(0x7fff0000, S_IFCHR|0600, makedev(0x456, 0x12378)) = -1 EFAULT (Bad address)
mknodat(9, "none", S_IFIFO|0400) = -1 EBADF (Bad file descriptor)
truncate(0x7fff0000, 78187493530) = -1 EFAULT (Bad address)
chdir("a\nb\"\\\177\303\244") = -1 ENOENT (No such file or directory)
fchdir(9) = -1 EBADF (Bad file descriptor)
chroot(0x7fff0000) = ...
getcwd(0x7fff0000, 100) = -1 EFAULT (Bad address)
getcwd(PTR, 1) = -1 ERANGE (Numerical result out of range)
utime("none", {actime=1 /* 1970-01-01T00:00:01+0000 */, modtime=1700000000 /* 2023-11-14T22:13:20+0000 */}) = -1 ENOENT (No such file or directory)
utimes("none", [{tv_sec=1, tv_usec=2} /* 1970-01-01T00:00:01.000002+0000 */, {tv_sec=1700000000, tv_usec=999999} /* 2023-11-14T22:13:20.999999+0000 */]) = -1 ENOENT (No such file or directory)
futimesat(9, "none", NULL) = -1 EBADF (Bad file descriptor)
utimensat(9, "none", [{tv_sec=0, tv_nsec=1} /* 1970-01-01T00:00:00.000000001+0000 */, {tv_sec=1, tv_nsec=0} /* 1970-01-01T00:00:01+0000 */], AT_SYMLINK_NOFOLLOW) = -1 EBADF (Bad file descriptor)
utimensat(9, NULL, [{tv_sec=1700000000, tv_nsec=5} /* 2023-11-14T22:13:20.000000005+0000 */, {tv_sec=-1, tv_nsec=0} /* 1969-12-31T23:59:59+0000 */], 0) = -1 EBADF (Bad file descriptor)
setxattr("none", "user.x", "val", 3, XATTR_CREATE) = ...
fsetxattr(9, 0x7fff0000, 0x7fff0000, 4, XATTR_CREATE|XATTR_REPLACE|0x4) = ...
getxattr("none", "user.x", 0x7fff0000, 100) = ...
fgetxattr(9, "user.x", PTR, 8) = ...
listxattr("none", 0x7fff0000, 0) = ...
lremovexattr("none", "user.x") = ...
statfs("none", 0x7fff0000) = ...
name_to_handle_at(9, "none", 0x7fff0000, 0x7fff0000, AT_HANDLE_FID) = ...
''')

some(PROGRAM, CALLS, r'''
openat(9, "none", 0x40, 000) = -1 EBADF (Bad file descriptor)
access("none", 0x7) = -1 ENOENT (No such file or directory)
fchownat(9, "none", 1, 2, 0x100) = -1 EBADF (Bad file descriptor)
umask(01077) = 022
''', '-X', 'raw')

some(PROGRAM, CALLS, r'''
mknod(0x7fff0000, 020600 /* S_IFCHR|0600 */, 0x12345678 /* makedev(0x456, 0x12378) */) = -1 EFAULT (Bad address)
utimes("none", [{tv_sec=1, tv_usec=2} /* 1970-01-01T00:00:01.000002+0000 */, {tv_sec=1700000000, tv_usec=999999} /* 2023-11-14T22:13:20.999999+0000 */]) = -1 ENOENT (No such file or directory)
''', '-X', 'verbose')

some(PROGRAM, CALLS, r'''
linkat(olddirfd=9, oldpath="none", newdirfd=AT_FDCWD, newpath="a\nb\"\\\177\303\244", flags=AT_SYMLINK_FOLLOW) = -1 EBADF (Bad file descriptor)
renameat2(olddirfd=9, oldpath="none", newdirfd=9, newpath="a\nb\"\\\177\303\244", flags=RENAME_NOREPLACE|RENAME_EXCHANGE) = ...
renameat2(olddirfd=9, oldpath="none", newdirfd=9, newpath="a\nb\"\\\177\303\244", flags=0x8 /* RENAME_??? */) = ...
''', '-N')

done()
