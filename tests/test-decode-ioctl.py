# SPDX-License-Identifier: LGPL-2.1-or-later
"""ioctl, of commands known and unknown."""

import os

from decode import lines, some
from tap import done

# dates are shown in local time
os.environ['TZ'] = 'UTC'

PROGRAM = 'decode-ioctl'
CALLS = (
    'ioctl'
)

lines(PROGRAM, CALLS, r'''
ioctl(-1, TCGETS, 0x7fff0000) = -1 EBADF (Bad file descriptor)
ioctl(-1, SNDCTL_TMR_START or TCSETS, {c_iflag=ICRNL|IXON, c_oflag=NL0|CR0|TAB0|BS0|VT0|FF0|OPOST|ONLCR, c_cflag=B38400|CS8|CREAD, c_lflag=ISIG|ICANON|ECHO, ...}) = -1 EBADF (Bad file descriptor)
ioctl(-1, TIOCGWINSZ, PTR) = -1 EBADF (Bad file descriptor)
ioctl(-1, TIOCSWINSZ, {ws_row=25, ws_col=80, ws_xpixel=1, ws_ypixel=2}) = -1 EBADF (Bad file descriptor)
ioctl(-1, TIOCSPGRP, [77]) = -1 EBADF (Bad file descriptor)
ioctl(-1, FIONREAD, 0x7fff0000) = -1 EBADF (Bad file descriptor)
ioctl(-1, FIONBIO, [1]) = -1 EBADF (Bad file descriptor)
ioctl(-1, FIOCLEX) = -1 EBADF (Bad file descriptor)
ioctl(-1, FS_IOC_SETFLAGS, [FS_IMMUTABLE_FL|FS_NOATIME_FL]) = -1 EBADF (Bad file descriptor)
ioctl(-1, BTRFS_IOC_CLONE or FICLONE, 3) = -1 EBADF (Bad file descriptor)
ioctl(-1, BTRFS_IOC_CLONE_RANGE or FICLONERANGE, {src_fd=3, src_offset=1, src_length=2, dest_offset=4}) = -1 EBADF (Bad file descriptor)
ioctl(-1, BLKGETSIZE64, 0x7fff0000) = -1 EBADF (Bad file descriptor)
ioctl(-1, BLKDISCARD, [4096, 8192]) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCGIFFLAGS, {ifr_name="lo"}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCSIFFLAGS, {ifr_name="lo", ifr_flags=IFF_UP|IFF_MULTICAST}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCSIFADDR, {ifr_name="an-endless-name"..., ifr_addr={sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.1")}}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCSIFHWADDR, {ifr_name="lo", ifr_hwaddr={sa_family=ARPHRD_ETHER, sa_data=00:50:56:61:62:63}}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCSIFMTU, {ifr_name="lo", ifr_mtu=7}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCGIFNAME, {ifr_ifindex=7}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCSIFNAME, {ifr_name="lo", ifr_newname="lo7"}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCGIFINDEX, 0x7fff0000) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCGIFCONF, {ifc_len=120 /* 3 * sizeof(struct ifreq) */, ifc_buf=0x7fff0000}) = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCBRADDBR, "bridge") = -1 EBADF (Bad file descriptor)
ioctl(-1, SIOCATMARK, 0x7fff0000) = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_NONE, 0xee, 0xfe, 0), 0x5) = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_WRITE, 0xee, 0xff, 0x4), PTR) = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_READ, 0xee, 0xff, 0x4), PTR) = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_READ|_IOC_WRITE, 0xee, 0xff, 0x4), PTR) = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_READ|_IOC_WRITE, 0xee, 0xff, 0x8), 0x7fff0000) = -1 EBADF (Bad file descriptor)
''')

some(PROGRAM, CALLS, r'''
ioctl(-1, _IOC(_IOC_WRITE, 0xee, 0xff, 0x4), "\x04\x03\x02\x01") = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_READ, 0xee, 0xff, 0x4), "\x04\x03\x02\x01") = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_READ|_IOC_WRITE, 0xee, 0xff, 0x4), "\x04\x03\x02\x01" => "\x04\x03\x02\x01") = -1 EBADF (Bad file descriptor)
ioctl(-1, _IOC(_IOC_READ|_IOC_WRITE, 0xee, 0xff, 0x8), 0x7fff0000) = -1 EBADF (Bad file descriptor)
''', '-v')

some(PROGRAM, CALLS, r'''
ioctl(-1, 0x8914, {ifr_name="lo", ifr_flags=0x1001}) = -1 EBADF (Bad file descriptor)
ioctl(-1, 0x8924, {ifr_name="lo", ifr_hwaddr={sa_family=0x1, sa_data="\x00\x50\x56\x61\x62\x63\x00\x00\x00\x00\x00\x00\x00\x00"}}) = -1 EBADF (Bad file descriptor)
''', '-X', 'raw')

some(PROGRAM, CALLS, r'''
ioctl(-1, 0x8916 /* SIOCSIFADDR */, {ifr_name="an-endless-name"..., ifr_addr={sa_family=0x2 /* AF_INET */, sin_port="\x00\x50" /* htons(80) */, sin_addr="\x7f\x00\x00\x01" /* inet_addr("127.0.0.1") */}}) = -1 EBADF (Bad file descriptor)
''', '-X', 'verbose')

some(PROGRAM, CALLS, r'''
ioctl(fd=-1, op=SIOCGIFCONF, argp={ifc_len=120 /* 3 * sizeof(struct ifreq) */, ifc_buf=0x7fff0000}) = -1 EBADF (Bad file descriptor)
''', '-N')

done()
