/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading and writing, and what else is done with descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "calls.h"

enum {
	FD = 9,		/* a descriptor that is not open */
	END_0 = 3, END_1,
};

/* A pipe through which known bytes go. */
static void pipes(void)
{
	long room = ROOM(40);

	CALL(pipe2, ROOM(2 * sizeof(int)), O_CLOEXEC | O_NONBLOCK);
	CALL(write, END_1, STR("line\n\1\0012\t\377"), 11);
	CALL(read, END_0, room, 4);
	CALL(readv, END_0,
	     PUT(struct iovec, { (void *)room, 2 }, { (void *)room, 40 }), 2);
	CALL(read, END_0, room, 40);
	CALL(writev, END_1,
	     PUT(struct iovec, { (void *)STR("0123456789"), 10 },
		 { NULL, 0 }, { (void *)BAD, 0 }), 3);
	CALL(write, END_1,
	     STR("a text that is longer than 32 characters, so is cut"), 51);
	CALL(tee, END_0, FD, 100, 0);
	CALL(close, END_0);
	CALL(close, END_1);
}

int main(void)
{
	begin();
	CALL(dup, 0x7fffffff);
	CALL(dup2, FD, 1);
	CALL(dup3, 0, FD, O_CLOEXEC);
	CALL(fcntl, FD, F_GETFD);
	CALL(fcntl, FD, F_SETFD, 0);
	CALL(fcntl, FD, F_SETFD, FD_CLOEXEC | 2);
	CALL(close, FD);
	pipes();

	CALL(write, FD, BAD, 5);
	CALL(write, FD, TEXT("short"), 9);
	CALL(pread64, FD, BAD, 10, -1);
	CALL(pwrite64, FD, STR("text"), 4, 0x123456789a);
	CALL(readv, FD, BAD, 3);
	CALL(writev, FD, PUT(struct iovec, { (void *)STR("one"), 3 },
			     { (void *)BAD, 7 }), 3);
	CALL(preadv, FD, BAD, 1, 0x23456789, 0);
	CALL(pwritev2, FD, PUT(struct iovec, { (void *)STR("one"), 3 }), 1, 5,
	     0, RWF_HIPRI | RWF_APPEND | 0x1000);
	CALL(lseek, FD, -10, SEEK_END);
	CALL(lseek, FD, 0, 9);
	CALL(ftruncate, FD, 0);
	CALL(fsync, FD);
	CALL(fdatasync, FD);
	CALL(fadvise64, FD, 1, 2, POSIX_FADV_WILLNEED);
	CALL(fallocate, FD, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0,
	     4096);
	CALL(readahead, FD, 0, 100);
	CALL(sync_file_range, FD, 0, 0, SYNC_FILE_RANGE_WRITE | 8);
	CALL(sendfile, FD, FD, PUT(long, 1234), 10);
	CALL(copy_file_range, FD, PUT(long, 5), FD, 0, 10, 1);
	CALL(splice, FD, 0, FD, PUT(long, 7), 100,
	     SPLICE_F_MOVE | SPLICE_F_MORE | 0x10);
	CALL(vmsplice, FD, PUT(struct iovec, { (void *)STR("one"), 3 }), 1,
	     SPLICE_F_GIFT);

	CALL(flock, FD, LOCK_EX | LOCK_NB);
	CALL(flock, FD, LOCK_UN | 0x100);
	CALL(fcntl, FD, F_DUPFD_CLOEXEC, 10);
	CALL(fcntl, FD, F_GETFL);
	CALL(fcntl, 0, F_GETFD);
	CALL(fcntl, FD, F_SETFL, O_APPEND | O_NONBLOCK);
	CALL(fcntl, FD, F_SETLK,
	     PUT(struct flock, { F_WRLCK, SEEK_SET, 100, 10, 0 }));
	CALL(fcntl, FD, F_OFD_SETLKW,
	     PUT(struct flock, { F_RDLCK, SEEK_CUR, -1, 0, 5 }));
	CALL(fcntl, FD, F_GETLK, BAD);
	CALL(fcntl, FD, F_SETOWN, 1);
	CALL(fcntl, FD, F_SETOWN_EX, PUT(int, 1, 77));
	CALL(fcntl, FD, F_SETLEASE, F_UNLCK);
	CALL(fcntl, FD, F_NOTIFY, DN_ACCESS | DN_MULTISHOT);
	CALL(fcntl, FD, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_WRITE);
	CALL(fcntl, FD, F_SETPIPE_SZ, 4096);
	CALL(fcntl, FD, F_SET_RW_HINT, PUT(uint64_t, 5));
	CALL(fcntl, FD, F_SETSIG, 10);
	CALL(fcntl, FD, 0x999, 5);

	CALL(getdents64, FD, BAD, 100);
	CALL(inotify_init1, 0x10);
	CALL(inotify_add_watch, FD, STR("."), IN_CREATE | IN_ONLYDIR);
	CALL(inotify_rm_watch, FD, 1);
	CALL(memfd_create, BAD, 3);
	CALL(fstatfs, FD, BAD);
	CALL(syncfs, FD);
	return 0;
}
