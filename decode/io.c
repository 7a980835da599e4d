/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reading and writing, and what else is done to open files by descriptor.
 */
#include "decode/decode.h"
#include "decode/structures.h"

STRUCTURE(iovec,
	FIELD(iov_base, POINTER, BYTES(SIBLING(iov_len))),
	FIELD(iov_len, ULONG, SIZE));

STRUCTURE_AS(iovec_read, "struct iovec",
	FIELD(iov_base, POINTER, BYTES_SHARED(SIBLING(iov_len))),
	FIELD(iov_len, ULONG, SIZE));

STRUCTURE_AS(iovec_address, "struct iovec",
	FIELD(iov_base, POINTER, ADDR),
	FIELD(iov_len, ULONG, SIZE));

/* ---- reading and writing ---- */

SYSCALL(read, TRACE_DESC, ARGS(
	ARG(fd, FD),
	OUT(buf, BYTES(RESULT)),
	ARG(count, SIZE)),
	.returns = SSIZE);

SYSCALL(write, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(buf, BYTES(ARGV(2))),
	ARG(count, SIZE)),
	.returns = SSIZE);

SYSCALL(pread64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	OUT(buf, BYTES(RESULT)),
	ARG(count, SIZE),
	ARG(offset, LOFF)),
	.returns = SSIZE);

SYSCALL(pwrite64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(buf, BYTES(ARGV(2))),
	ARG(count, SIZE),
	ARG(offset, LOFF)),
	.returns = SSIZE);

SYSCALL(readv, TRACE_DESC, ARGS(
	ARG(fd, FD),
	LATE(iov, IOVEC_READ(ARGV(2))),
	ARG(iovcnt, SIZE)),
	.returns = SSIZE);

SYSCALL(writev, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(iov, IOVEC(ARGV(2))),
	ARG(iovcnt, SIZE)),
	.returns = SSIZE);

SYSCALL(preadv, TRACE_DESC, ARGS(
	ARG(fd, FD),
	LATE(iov, IOVEC_READ(ARGV(2))),
	ARG(iovcnt, SIZE),
	ARG(offset, LOFF)),
	.returns = SSIZE, .raw_count = 4);

SYSCALL(pwritev, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(iov, IOVEC(ARGV(2))),
	ARG(iovcnt, SIZE),
	ARG(offset, LOFF)),
	.returns = SSIZE, .raw_count = 4);

/* x86-64 has an unused register for the upper half of the offset. */
#define FLAGS_IN_SIXTH	.order = { [4] = 6 }

SYSCALL_ON(ON_X86_64, preadv2, TRACE_DESC, ARGS(
	ARG(fd, FD),
	LATE(iov, IOVEC_READ(ARGV(2))),
	ARG(iovcnt, SIZE),
	ARG(offset, LOFF),
	ARG(flags, FLAGS(rwf_flags))),
	.returns = SSIZE, FLAGS_IN_SIXTH);

SYSCALL_ON(ON_X86_64, pwritev2, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(iov, IOVEC(ARGV(2))),
	ARG(iovcnt, SIZE),
	ARG(offset, LOFF),
	ARG(flags, FLAGS(rwf_flags))),
	.returns = SSIZE, FLAGS_IN_SIXTH);

SYSCALL(preadv2, TRACE_DESC, ARGS(
	ARG(fd, FD),
	LATE(iov, IOVEC_READ(ARGV(2))),
	ARG(iovcnt, SIZE),
	ARG(offset, LOFF),
	ARG(flags, FLAGS(rwf_flags))),
	.returns = SSIZE);

SYSCALL(pwritev2, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(iov, IOVEC(ARGV(2))),
	ARG(iovcnt, SIZE),
	ARG(offset, LOFF),
	ARG(flags, FLAGS(rwf_flags))),
	.returns = SSIZE);

SYSCALL(lseek, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(offset, SSIZE, .ctype = KLONG),
	ARG(whence, ENUM(seek_whence))),
	.returns = DEC_OF(KLONG));

SYSCALL(_llseek, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(offset, LOFF),
	OUT(result, PTR(LOFF)),
	ARG(whence, ENUM(seek_whence))),
	.order = { [1] = 3, [2] = 2 });		/* the upper half is first */

/* ---- copying inside the kernel ---- */

SYSCALL(sendfile, TRACE_DESC | TRACE_NETWORK, ARGS(
	ARG(out_fd, FD),
	ARG(in_fd, FD),
	INOUT(offset, PTR(DEC_OF(KULONG))),
	ARG(count, SIZE)),
	.returns = SSIZE);

SYSCALL(sendfile64, TRACE_DESC | TRACE_NETWORK, ARGS(
	ARG(out_fd, FD),
	ARG(in_fd, FD),
	INOUT(offset, PTR(DEC_OF(U64))),
	ARG(count, SIZE)),
	.returns = SSIZE);

SYSCALL(copy_file_range, TRACE_DESC, ARGS(
	ARG(fd_in, FD),
	ARG(off_in, PTR(LOFF)),
	ARG(fd_out, FD),
	ARG(off_out, PTR(LOFF)),
	ARG(len, SIZE),
	ARG(flags, UDEC)),
	.returns = SSIZE);

SYSCALL(splice, TRACE_DESC, ARGS(
	ARG(fd_in, FD),
	ARG(off_in, PTR(LOFF)),
	ARG(fd_out, FD),
	ARG(off_out, PTR(LOFF)),
	ARG(len, SIZE),
	ARG(flags, FLAGS(splice_flags))),
	.returns = SSIZE);

SYSCALL(tee, TRACE_DESC, ARGS(
	ARG(fd_in, FD),
	ARG(fd_out, FD),
	ARG(len, SIZE),
	ARG(flags, FLAGS(splice_flags))),
	.returns = SSIZE);

SYSCALL(vmsplice, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(iov, IOVEC(ARGV(2))),
	ARG(nr_segs, SIZE),
	ARG(flags, FLAGS(splice_flags))),
	.returns = SSIZE);

/* ---- the contents of a file as a whole ---- */

SYSCALL(ftruncate, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(length, UDEC, .ctype = KULONG)));

SYSCALL(ftruncate64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(length, LOFF)));

SYSCALL(fallocate, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(mode, FLAGS(fallocate_flags)),
	ARG(offset, LOFF),
	ARG(len, LOFF)));

SYSCALL(fadvise64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(offset, LOFF),
	ARG(len, SIZE),
	ARG(advice, ENUM(fadvise_advice))));

SYSCALL(fadvise64_64, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(offset, LOFF),
	ARG(len, LOFF),
	ARG(advice, ENUM(fadvise_advice))));

SYSCALL(readahead, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(offset, LOFF),
	ARG(count, SIZE)));

SYSCALL(sync_file_range, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(offset, LOFF),
	ARG(nbytes, LOFF),
	ARG(flags, FLAGS(sync_file_range_flags))));

SYSCALL(fsync, TRACE_DESC, ARGS(
	ARG(fd, FD)));

SYSCALL(fdatasync, TRACE_DESC, ARGS(
	ARG(fd, FD)));

SYSCALL(syncfs, TRACE_DESC, ARGS(
	ARG(fd, FD)));

SYSCALL(sync, 0, NO_ARGS);

/* ---- descriptors ---- */

SYSCALL(close, TRACE_DESC, ARGS(
	ARG(fd, FD)));

SYSCALL(close_range, 0, ARGS(
	ARG(first, UDEC),
	ARG(last, UDEC),
	ARG(flags, FLAGS(close_range_flags))));

SYSCALL(dup, TRACE_DESC, ARGS(
	ARG(oldfd, FD)),
	.returns = FD);

SYSCALL(dup2, TRACE_DESC, ARGS(
	ARG(oldfd, FD),
	ARG(newfd, FD)),
	.returns = FD);

SYSCALL(dup3, TRACE_DESC, ARGS(
	ARG(oldfd, FD),
	ARG(newfd, FD),
	ARG(flags, FLAGS(open_bits))),
	.returns = FD);

#define PIPE_ENDS	PTR(ARRAY_WITH(TYPE_WHOLE, FD, N(2)))

SYSCALL(pipe, TRACE_DESC, ARGS(
	OUT(pipefd, PIPE_ENDS)));

SYSCALL(pipe2, TRACE_DESC, ARGS(
	OUT(pipefd, PIPE_ENDS),
	ARG(flags, FLAGS(open_bits))));

SYSCALL(memfd_create, TRACE_DESC, ARGS(
	ARG(name, STR),
	ARG(flags, FLAGS_SHIFTED(memfd_flags, 26, "MFD_HUGE_SHIFT"))),
	.returns = FD);

/* ---- inotify and fanotify ---- */

SYSCALL(inotify_init, TRACE_DESC, NO_ARGS,
	.returns = FD);

SYSCALL(inotify_init1, TRACE_DESC, ARGS(
	ARG(flags, FLAGS(inotify_flags))),
	.returns = FD);

SYSCALL(inotify_add_watch, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(fd, FD),
	ARG(pathname, PATH),
	ARG(mask, FLAGS(inotify_events))));

SYSCALL(inotify_rm_watch, TRACE_DESC, ARGS(
	ARG(fd, FD),
	ARG(wd, DEC)));

#define FANOTIFY_FLAGS							\
	JOINED(UINT, CHOICE(0xc, ENUM(fanotify_classes)),		\
	       CHOICE(~UINT64_C(0xc), FLAGS(fanotify_flags)))

SYSCALL(fanotify_init, TRACE_DESC, ARGS(
	ARG(flags, FANOTIFY_FLAGS),
	ARG(event_f_flags, FLAGS(open_flags))),
	.returns = FD);

static void print_fanotify_dirfd(struct decoder *d, const struct type *type,
				 uint64_t value)
{
	(void)type;
	if ((uint32_t)value == (uint32_t)V_FAN_NOFD)
		SINK_CALL(d->sink, symbol, value, BASE_SIGNED, "FAN_NOFD",
			  NULL);
	else
		decode_value(d, DIRFD, CT_DEFAULT, value);
}

SYSCALL(fanotify_mark, TRACE_DESC | TRACE_FILE, ARGS(
	ARG(fanotify_fd, FD),
	ARG(flags, FLAGS(fanotify_mark_flags)),
	ARG(mask, FLAGS_OF(U64, fanotify_events)),
	ARG(dirfd, SCALAR(print_fanotify_dirfd, INT)),
	ARG(pathname, PATH)));
