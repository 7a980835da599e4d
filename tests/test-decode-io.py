# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reading and writing, and what else is done with descriptors."""

import os

from decode import lines, some
from tap import done

# dates are shown in local time
os.environ['TZ'] = 'UTC'

PROGRAM = 'decode-io'
CALLS = (
    'close,copy_file_range,dup,dup2,dup3,fadvise64,fallocate,fcntl,'
    'fdatasync,flock,fstatfs,fsync,ftruncate,getdents64,'
    'inotify_add_watch,inotify_init1,inotify_rm_watch,lseek,'
    'memfd_create,pipe2,pread64,preadv,pwrite64,pwritev2,read,'
    'readahead,readv,sendfile,splice,sync_file_range,syncfs,tee,'
    'vmsplice,write,writev'
)

lines(PROGRAM, CALLS, r'''
dup(2147483647) = -1 EBADF (Bad file descriptor)
dup2(9, 1) = -1 EBADF (Bad file descriptor)
dup3(0, 9, O_CLOEXEC) = 9
fcntl(9, F_GETFD) = 0x1 (flags FD_CLOEXEC)
fcntl(9, F_SETFD, 0) = 0
fcntl(9, F_SETFD, FD_CLOEXEC|0x2) = 0
close(9) = 0
pipe2([3, 4], O_NONBLOCK|O_CLOEXEC) = 0
write(4, "line\n\1\0012\t\377\0", 11) = 11
read(3, "line", 4) = 4
readv(3, [{iov_base="\0012", iov_len=2}, {iov_base="\0012\t\377\0", iov_len=40}], 2) = 7
read(3, PTR, 40) = -1 EAGAIN (Resource temporarily unavailable)
writev(4, [{iov_base="0123456789", iov_len=10}, {iov_base=NULL, iov_len=0}, {iov_base="", iov_len=0}], 3) = 10
write(4, "a text that is longer than 32 ch"..., 51) = 51
tee(3, 9, 100, 0) = -1 EBADF (Bad file descriptor)
close(3) = 0
close(4) = 0
write(9, 0x7fff0000, 5) = -1 EBADF (Bad file descriptor)
write(9, PTR, 9) = -1 EBADF (Bad file descriptor)
pread64(9, 0x7fff0000, 10, -1) = -1 EINVAL (Invalid argument)
pwrite64(9, "text", 4, 78187493530) = -1 EBADF (Bad file descriptor)
readv(9, 0x7fff0000, 3) = -1 EBADF (Bad file descriptor)
writev(9, [{iov_base="one", iov_len=3}, {iov_base=0x7fff0000, iov_len=7}, ... /* PTR */], 3) = -1 EBADF (Bad file descriptor)
preadv(9, 0x7fff0000, 1, 591751049) = -1 EBADF (Bad file descriptor)
pwritev2(9, [{iov_base="one", iov_len=3}], 1, 5, RWF_HIPRI|RWF_APPEND|0x1000) = ...
lseek(9, -10, SEEK_END) = -1 EBADF (Bad file descriptor)
lseek(9, 0, 0x9 /* SEEK_??? */) = -1 EBADF (Bad file descriptor)
ftruncate(9, 0) = -1 EBADF (Bad file descriptor)
fsync(9) = -1 EBADF (Bad file descriptor)
fdatasync(9) = -1 EBADF (Bad file descriptor)
fadvise64(9, 1, 2, POSIX_FADV_WILLNEED) = ...
fallocate(9, FALLOC_FL_KEEP_SIZE|FALLOC_FL_PUNCH_HOLE, 0, 4096) = ...
readahead(9, 0, 100) = ...
sync_file_range(9, 0, 0, SYNC_FILE_RANGE_WRITE|0x8) = ...
sendfile(9, 9, [1234], 10) = ...
copy_file_range(9, [5], 9, NULL, 10, 1) = ...
splice(9, NULL, 9, [7], 100, SPLICE_F_MOVE|SPLICE_F_MORE|0x10) = ...
vmsplice(9, [{iov_base="one", iov_len=3}], 1, SPLICE_F_GIFT) = ...
flock(9, LOCK_EX|LOCK_NB) = ...
flock(9, LOCK_UN|0x100) = ...
fcntl(9, F_DUPFD_CLOEXEC, 10) = -1 EBADF (Bad file descriptor)
fcntl(9, F_GETFL) = -1 EBADF (Bad file descriptor)
fcntl(0, F_GETFD) = 0
fcntl(9, F_SETFL, O_RDONLY|O_APPEND|O_NONBLOCK) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SETLK, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=100, l_len=10}) = -1 EBADF (Bad file descriptor)
fcntl(9, F_OFD_SETLKW, {l_type=F_RDLCK, l_whence=SEEK_CUR, l_start=-1, l_len=0}) = -1 EBADF (Bad file descriptor)
fcntl(9, F_GETLK, 0x7fff0000) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SETOWN, 1) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SETOWN_EX, {type=F_OWNER_PID, pid=77}) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SETLEASE, F_UNLCK) = -1 EBADF (Bad file descriptor)
fcntl(9, F_NOTIFY, DN_ACCESS|DN_MULTISHOT) = -1 EBADF (Bad file descriptor)
fcntl(9, F_ADD_SEALS, F_SEAL_SEAL|F_SEAL_WRITE) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SETPIPE_SZ, 4096) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SET_RW_HINT, [RWH_WRITE_LIFE_EXTREME]) = -1 EBADF (Bad file descriptor)
fcntl(9, F_SETSIG, SIGUSR1) = -1 EBADF (Bad file descriptor)
fcntl(9, 0x999 /* F_??? */, 0x5) = -1 EBADF (Bad file descriptor)
getdents64(9, 0x7fff0000, 100) = -1 EBADF (Bad file descriptor)
inotify_init1(0x10 /* IN_??? */) = ...
inotify_add_watch(9, ".", IN_CREATE|IN_ONLYDIR) = -1 EBADF (Bad file descriptor)
inotify_rm_watch(9, 1) = -1 EBADF (Bad file descriptor)
memfd_create(0x7fff0000, MFD_CLOEXEC|MFD_ALLOW_SEALING) = ...
fstatfs(9, 0x7fff0000) = -1 EBADF (Bad file descriptor)
syncfs(9) = ...
''')

some(PROGRAM, CALLS, r'''
splice(9, NULL, 9, [7], 100, 0x15) = ...
fcntl(9, 0x6, {l_type=0x1, l_whence=0, l_start=100, l_len=10}) = -1 EBADF (Bad file descriptor)
''', '-X', 'raw')

some(PROGRAM, CALLS, r'''
lseek(9, -10, 0x2 /* SEEK_END */) = -1 EBADF (Bad file descriptor)
flock(9, 0x6 /* LOCK_EX|LOCK_NB */) = ...
flock(9, 0x108 /* LOCK_UN|0x100 */) = ...
''', '-X', 'verbose')

some(PROGRAM, CALLS, r'''
dup3(oldfd=0, newfd=9, flags=O_CLOEXEC) = 9
writev(fd=9, iov=[{iov_base="one", iov_len=3}, {iov_base=0x7fff0000, iov_len=7}, ... /* PTR */], iovcnt=3) = -1 EBADF (Bad file descriptor)
''', '-N')

some(PROGRAM, CALLS, r'''
write(4, "lin"..., 11) = 11
write(4, "a t"..., 51) = 51
''', '-s', '3')

done()
