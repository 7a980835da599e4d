#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Calls whose answers no kernel would give to order: directory records of
impossible lengths, mounts, attributes, flags that are all bits."""

import re
import struct

from scripted import BAD, END, Script, u32, u64
from tap import done, is_eq, run_tracer, skip_all, tmpfile, tracee

AT_FDCWD = -100


def dirent(length, name, kind=4):
    return struct.pack('<QqHB', 1, 9, length, kind) + name


ABC, DEFGH = dirent(24, b'abc\0\0'), dirent(32, b'defgh\0'.ljust(13, b'\0'), 8)


def statmount(size, mask, words=(), strings=b''):
    """A struct statmount: words are {offset: value} of 32-bit members."""
    head = bytearray(512)
    head[0:4], head[8:16] = u32(size), u64(mask)
    for offset, value in words:
        head[offset:offset + 4] = u32(value)
    return bytes(head) + strings


script = Script()
expected = {(): [], ('-v',): [], ('-X', 'verbose'): [],
            ('-e', 'verbose=none'): []}


def call(name, *args, result=0, plain=None, verbose=None, constants=None,
         unread=None):
    """A call, and what it looks like with some options; None: not looked at."""
    script.call(name, *args, result=result)
    for lines, line in zip(expected.values(),
                           (plain, verbose, constants, unread)):
        lines.append(line)


at = 0x20000000
call('getdents64', 3, script.data(ABC, DEFGH), 100, result=56,
     plain='getdents64(3, 0x20000000 /* 2 entries */, 100) = 56',
     unread='getdents64(3, 0x20000000, 100) = 56')
call('getdents64', 3, script.data(ABC, DEFGH), 100, result=55,
     plain='getdents64(3, 0x20000000 /* d_reclen 1 bytes overflow */ '
     '/* 2 entries */, 100) = 55',
     verbose='getdents64(3, [{d_ino=1, d_off=9, d_reclen=24, d_type=DT_DIR, '
     'd_name="abc"}, {d_ino=1, d_off=9, d_reclen=32 /* 1 bytes overflow */, '
     'd_type=DT_REG, d_name="defgh"}], 100) = 55')
call('getdents64', 3, script.data(dirent(0, b'abc\0\0')), 100, result=24,
     plain='getdents64(3, 0x20000000 /* d_reclen 19 bytes underflow */ '
     '/* 1+ entries */, 100) = 24')
call('getdents64', 3, script.data(ABC, b'\1'), 100, result=25,
     plain='getdents64(3, 0x20000000 /* 1+ entries */, 100) = 25',
     verbose='getdents64(3, [{d_ino=1, d_off=9, d_reclen=24, d_type=DT_DIR, '
     'd_name="abc"}, "\\x01"], 100) = 25')
call('getdents64', 3, BAD, 100, result=24,
     plain='getdents64(3, 0x7fff0000 /* 0+ entries */, 100) = 24',
     verbose='getdents64(3, 0x7fff0000, 100) = 24')

call('setxattr', script.text('/f'), script.text('user.a'),
     script.data(b'abc\0'), 4, 1,
     plain='setxattr("/f", "user.a", "abc", 4, XATTR_CREATE) = 0')
call('setxattr', script.text('/f'), script.text('user.a'),
     script.data(b'abc\0'), 65537, 0,
     plain='setxattr("/f", "user.a", 0x20000020, 65537, 0) = 0')
call('getxattr', script.text('/f'), script.text('user.a'),
     script.data(b'ab\0\0'), 9, result=4,
     plain='getxattr("/f", "user.a", "ab\\0", 9) = 4')

request = u32(24, 0) + u64(5, 1)
asked = ('{size=24, mnt_ns_fd=0, mnt_id=0x5, param=STATMOUNT_SB_BASIC}')
call('statmount', script.put(request), script.put(statmount(
    512, 1, ((16, 8), (20, 1), (24, 0x01021994), (32, 0x11)))), 512, 0,
     plain='statmount(%s, {size=512, mask=STATMOUNT_SB_BASIC, '
     'sb_dev_major=8, sb_dev_minor=1, sb_magic=TMPFS_MAGIC, '
     'sb_flags=MS_RDONLY|MS_SYNCHRONOUS}, 512, 0) = 0' % asked)
call('statmount', script.put(request), script.put(statmount(
    517, 0x20, ((36, 0),), b'ext4\0')), 600, 0,
     plain='statmount(%s, {size=517, mask=STATMOUNT_FS_TYPE, '
     'fs_type="ext4"}, 600, 0) = 0' % asked)
call('statmount', script.put(request), script.put(statmount(
    517, 0x20, ((36, 0),), b'ext4\0')), 3, 0,
     plain='statmount(%s, 0x20000020, 3, 0) = 0' % asked)

call('mincore', at, 8192, script.data(bytes((1, 0xfe))),
     plain='mincore(0x20000000, 8192, [1, 0]) = 0')
call('mincore', at, 0, script.data(b'x'), plain='mincore(0x20000000, 0, []) = 0',
     unread='mincore(0x20000000, 0, []) = 0')
call('pipe', script.put(u32(3), edge=True),
     plain='pipe([3, ... /* %#x */]) = 0' % END)
call('cachestat', 3, script.data(u64(0x1000, 8192)), BAD, 0,
     plain='cachestat(3, {off=0x1000, len=8192}, 0x7fff0000, 0) = 0')
call('timer_create', 1, script.data(u64(0), u32(9, 7), u64(0, 0)), BAD,
     plain='timer_create(CLOCK_MONOTONIC, {sigev_signo=9, '
     'sigev_notify=0x7 /* SIGEV_??? */}, 0x7fff0000) = 0')
call('memfd_secret', 1, result=5, plain='memfd_secret(0x1) = 5')
call('mmap', 0, 4096, 1, 0x9, 3, 0, result=-1,
     constants='mmap(NULL, 4096, 0x1 /* PROT_READ */, '
     '0x9 /* 0x9 /* MAP_??? */ */, 3, 0) = -1 EPERM '
     '(Operation not permitted)')
call('utimensat', AT_FDCWD, script.text('/f'),
     script.data(u64(1, 0x3fffffff, 2, 0x3ffffffe)), 0,
     plain='utimensat(AT_FDCWD, "/f", [UTIME_NOW, UTIME_OMIT], 0) = 0',
     constants='utimensat(-100 /* AT_FDCWD */, "/f", [{tv_sec=1, '
     'tv_nsec=1073741823} /* UTIME_NOW */, {tv_sec=2, tv_nsec=1073741822} '
     '/* UTIME_OMIT */], 0) = 0')
call('fcntl', 3, 1, result=0x8002, plain='fcntl(3, F_GETFD) = 0x8002 '
     '(flags 0x8002)')
call('membarrier', 0, 0, 0, result=5,
     plain='membarrier(MEMBARRIER_CMD_QUERY, 0) = 0x5 (MEMBARRIER_CMD_GLOBAL|'
     'MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED)')
call('membarrier', 1, 0, 0, result=5,
     plain='membarrier(MEMBARRIER_CMD_GLOBAL, 0) = 5')
call('clone3', script.data(u64(0x1000, 0, 0)), 24, result=5,
     plain='clone3(0x20000000, 24) = 5')
call('lsm_get_self_attr', 100, script.data(bytes(32)), script.data(u32(32)), 1,
     unread='lsm_get_self_attr(LSM_ATTR_CURRENT, 0x20000000, 0x20000020, '
     'LSM_FLAG_SINGLE) = 0')
call('lsm_list_modules', script.data(bytes(8)), script.data(u32(8)), 0,
     unread='lsm_list_modules(0x20000000, 0x20000010, 0) = 0')
call('sendmmsg', 3, script.data(bytes(64)), 0, 0,
     plain='sendmmsg(3, [], 0, 0) = 0',
     unread='sendmmsg(3, 0x20000000, 0, 0) = 0')
call('io_uring_register', 3, 0, script.data(u64(0x1000, 64)), 1,
     plain='io_uring_register(3, IORING_REGISTER_BUFFERS, '
     '[{iov_base=0x1000, iov_len=64}], 1) = 0',
     unread='io_uring_register(3, IORING_REGISTER_BUFFERS, 0x20000000, 1) = 0')
call('brk', 0, plain='brk(NULL) = 0')

path = tmpfile('script', '')
script.write(path)
for options, lines in expected.items():
    result = run_tracer('-a', '0', '-e', 'signal=none', *options,
                        tracee('scripted'), path)
    if result.status == 77:
        skip_all('seccomp does not notify here')
    begin = max(i for i, line in enumerate(result.lines)
                if line.startswith('seccomp('))
    for i, line in enumerate(lines):
        if line:
            got = re.sub(r'\) += ', ') = ', result.lines[begin + 1 + i],
                         count=1)
            is_eq(got, line, line[:60] + ' ' + ' '.join(options))

done()
