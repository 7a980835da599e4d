# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is known in advance: the lines of known-calls.c, worked out from what
is there, and the calls of which tracer does not say what strace says."""

import re

# Calls of every-call that are not compared: how long they take, and what they
# say of the machine, is different each time.
DIFFERENT = re.compile(
    r'(?:sysinfo|getrandom|times|time|clock_gettime\w*|gettimeofday|'
    r'getrusage|rt_sigreturn\w*|sigreturn|getcpu)(?:#64)?\(')

# What strace 7.2 says otherwise, and tracer as doc/differences.md has it.
OTHERWISE = (
    # flags that semget and msgget do not know, and the mode (always 000 here)
    (re.compile(r'^((?:sem|msg)get\(.*, 0x[0-9a-f]+)(000\) )'), r'\1|\2'),
    (re.compile(r'\bFS_IOC32_'), 'FS_IOC_'),
)

EBADF = ' = -1 EBADF (Bad file descriptor)'
EINVAL = ' = -1 EINVAL (Invalid argument)'
ENOENT = ' = -1 ENOENT (No such file or directory)'

COMMON = [
    'writev(-1, [{iov_base="/non", iov_len=4}], 1)' + EBADF,
    'sendmsg(-1, {msg_name=NULL, msg_namelen=0, '
    'msg_iov=[{iov_base="/non", iov_len=4}], msg_iovlen=1, '
    'msg_controllen=0, msg_flags=0}, 0)' + EBADF,
    # bits 9, 11 and 32
    'rt_sigprocmask(SIG_BLOCK, [USR1 USR2 RT_1], NULL, 8) = 0',
    'exit_group(0) = ?',
    '+++ exited with 0 +++',
]

# 1 << 32 | 2, and 3 << 32 | 4
LINES = {
    'i386': [
        'pread64(-1, 0x1000, 3, 4294967298)' + EBADF,
        'truncate64("/nonexistent/x", 4294967298)' + ENOENT,
        'fadvise64_64(-1, 4294967298, 12884901892, POSIX_FADV_WILLNEED)'
        + EBADF,
        '_llseek(-1, 4294967298, 0x20000000, SEEK_SET)' + EBADF,
        'connect(-1, {sa_family=AF_INET, sin_port=htons(80), '
        'sin_addr=inet_addr("127.0.0.1")}, 16)' + EBADF,
        'semget(0x1234, 0, 000)' + ENOENT,
        'select(0, NULL, NULL, NULL, {tv_sec=0, tv_usec=0}) = 0 (Timeout)',
        'mmap(NULL, 0, PROT_READ, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0)' + EINVAL,
        # pages, not bytes
        'mmap2(NULL, 4096, PROT_READ, MAP_PRIVATE, -1, 0x1000)' + EBADF,
        'chown("/nonexistent/x", -1, 1)' + ENOENT,
        'chown32("/nonexistent/x", -1, 65536)' + ENOENT,
        'nanosleep({tv_sec=0, tv_nsec=1000000000}, NULL)' + EINVAL,
        'clock_nanosleep_time64(CLOCK_REALTIME, 0, '
        '{tv_sec=0, tv_nsec=1000000000}, NULL)' + EINVAL,
        'sigprocmask(SIG_BLOCK, [USR1 USR2], NULL) = 0',
    ] + COMMON,
    'x32': [
        'pread64(-1, 0x1000, 3, 5)' + EBADF,
        'truncate("/nonexistent/x", 5)' + ENOENT,
        'nanosleep({tv_sec=0, tv_nsec=1000000000}, NULL)' + EINVAL,
        'clock_nanosleep(CLOCK_REALTIME, 0, '
        '{tv_sec=0, tv_nsec=1000000000}, NULL)' + EINVAL,
        'preadv(-1, [{iov_base=0x20000000, iov_len=4}], 1, 5)' + EBADF,
        'execve("/nonexistent/x", NULL, NULL)' + ENOENT,
    ] + COMMON,
}
