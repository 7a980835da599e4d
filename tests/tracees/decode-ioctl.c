/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* ioctl: commands of terminals, files, devices, sockets, and unknown ones. */
#include <linux/blkpg.h>
#include <linux/fs.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <asm/termbits.h>

#include "calls.h"

enum { FD = -1 };

static long request(const char *name, const void *data, size_t len)
{
	struct ifreq request = { 0 };

	strncpy(request.ifr_name, name, IFNAMSIZ);
	memcpy(&request.ifr_ifru, data, len);
	return put(&request, sizeof(request));
}

static void sockets(void)
{
	static const struct sockaddr_in address = {
		.sin_family = AF_INET, .sin_port = 0x5000,
		.sin_addr.s_addr = 0x0100007f,
	};
	static const struct sockaddr hardware = { ARPHRD_ETHER, "\0PVabc" };
	static const short flags = IFF_UP | IFF_MULTICAST;
	static const int seven = 7;

	CALL(ioctl, FD, SIOCGIFFLAGS, request("lo", &flags, sizeof(flags)));
	CALL(ioctl, FD, SIOCSIFFLAGS, request("lo", &flags, sizeof(flags)));
	CALL(ioctl, FD, SIOCSIFADDR,
	     request("an-endless-name--", &address, sizeof(address)));
	CALL(ioctl, FD, SIOCSIFHWADDR,
	     request("lo", &hardware, sizeof(hardware)));
	CALL(ioctl, FD, SIOCSIFMTU, request("lo", &seven, sizeof(seven)));
	CALL(ioctl, FD, SIOCGIFNAME, request("", &seven, sizeof(seven)));
	CALL(ioctl, FD, SIOCSIFNAME, request("lo", "lo7", 4));
	CALL(ioctl, FD, SIOCGIFINDEX, BAD);
	CALL(ioctl, FD, SIOCGIFCONF, PUT(long, 3 * sizeof(struct ifreq), BAD));
	CALL(ioctl, FD, SIOCBRADDBR, STR("bridge"));
	CALL(ioctl, FD, SIOCATMARK, BAD);
}

int main(void)
{
	begin();
	CALL(ioctl, FD, TCGETS, BAD);
	CALL(ioctl, FD, TCSETS,
	     PUT(struct termios, { .c_iflag = ICRNL | IXON,
				   .c_oflag = OPOST | ONLCR,
				   .c_cflag = CREAD | CS8 | B38400,
				   .c_lflag = ISIG | ICANON | ECHO,
				   .c_cc = { 3, 28, 127 } }));
	CALL(ioctl, FD, TIOCGWINSZ, ROOM(8));
	CALL(ioctl, FD, TIOCSWINSZ, PUT(unsigned short, 25, 80, 1, 2));
	CALL(ioctl, FD, TIOCSPGRP, PUT(int, 77));
	CALL(ioctl, FD, FIONREAD, BAD);
	CALL(ioctl, FD, FIONBIO, PUT(int, 1));
	CALL(ioctl, FD, FIOCLEX, 5);
	CALL(ioctl, FD, FS_IOC_SETFLAGS,
	     PUT(int, FS_IMMUTABLE_FL | FS_NOATIME_FL));
	CALL(ioctl, FD, FICLONE, 3);
	CALL(ioctl, FD, FICLONERANGE, PUT(long, 3, 1, 2, 4));
	CALL(ioctl, FD, BLKGETSIZE64, BAD);
	CALL(ioctl, FD, BLKDISCARD, PUT(long, 4096, 8192));
	sockets();
	CALL(ioctl, FD, _IO(0xee, 0xfe), 5);
	CALL(ioctl, FD, _IOW(0xee, 0xff, int), PUT(int, 0x01020304));
	CALL(ioctl, FD, _IOR(0xee, 0xff, int), PUT(int, 0x01020304));
	CALL(ioctl, FD, _IOWR(0xee, 0xff, int), PUT(int, 0x01020304));
	CALL(ioctl, FD, _IOWR(0xee, 0xff, long), BAD);
	return 0;
}
