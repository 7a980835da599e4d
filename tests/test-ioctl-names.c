/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The names of ioctl commands.
 */
#include "decode/ioctl_names.h"
#include "check.h"

static const struct {
	uint32_t cmd;
	const char *name;
} on_x86_64[] = {
	{ 0x5401, "TCGETS" },
	{ 0x5413, "TIOCGWINSZ" },
	{ 0x541b, "FIONREAD" },
	{ 0x5421, "FIONBIO" },
	{ 0x5411, "TIOCOUTQ" },
	{ 0x8912, "SIOCGIFCONF" },
	{ 0x1261, "BLKFLSBUF" },
	{ 0x80086601, "FS_IOC_GETFLAGS" },
	/* several drivers */
	{ 0x5000, "PMIC_GOTO_STANDBY or SNDCTL_DSP_RESET" },
	{ 0x40049409, "BTRFS_IOC_CLONE or FICLONE" },
	/* other names of the same are not shown */
	{ 0x5402, "SNDCTL_TMR_START or TCSETS" },
	{ 0x8906, "SIOCGSTAMP_OLD" },
	{ 0xc0045002, "SNDCTL_DSP_SPEED" },
	/* private ones mean nothing in general */
	{ 0x89f0, "SIOCDEVPRIVATE" },
	{ 0x89f1, "_IOC(_IOC_NONE, 0x89, 0xf1, 0)" },
	/* a parameter in the number */
	{ 0x80ff4506, "EVIOCGNAME(255)" },
	{ 0x81004506, "EVIOCGNAME(256)" },
	{ 0x80084521, "EVIOCGBIT(EV_KEY, 8)" },
	{ 0x80084520, "EVIOCGBIT(0, 8)" },
	{ 0x8018453f, "EVIOCGBIT(0x1f, 24)" },
	{ 0x80184541, "EVIOCGABS(ABS_Y)" },
	{ 0x401845c0, "EVIOCSABS(ABS_X)" },
	{ 0x401845ff, "EVIOCSABS(0x3f)" },
	{ 0x80044dff, "MIXER_READ(255)" },
	{ 0x80204d01, "MIXER_READ(1) or MEMGETINFO" },
	{ 0x40206b00, "SPI_IOC_MESSAGE(32)" },
	/* unknown */
	{ 0, "_IOC(_IOC_NONE, 0, 0, 0)" },
	{ 0xdeadbeef, "_IOC(_IOC_READ|_IOC_WRITE, 0xbe, 0xef, 0x1ead)" },
	{ 0xffffffff, "_IOC(_IOC_READ|_IOC_WRITE, 0xff, 0xff, 0x3fff)" },
};

int main(void)
{
	size_t count = sizeof(on_x86_64) / sizeof(on_x86_64[0]);
	char buf[IOCTL_NAME_SIZE];

	for (size_t i = 0; i < count; i++)
		IS_STR(ioctl_name(&abis[ABI_X86_64], on_x86_64[i].cmd, buf),
		       on_x86_64[i].name, "%#x", on_x86_64[i].cmd);

	/* The size of the argument is part of the number. */
	IS_STR(ioctl_name(&abis[ABI_I386], 0x80046601, buf),
	       "FS_IOC_GETFLAGS", "a long has 4 bytes on i386");
	IS_STR(ioctl_name(&abis[ABI_I386], 0x80086601, buf),
	       "_IOC(_IOC_READ, 0x66, 0x1, 0x8)", "and not 8");
	IS_STR(ioctl_name(&abis[ABI_X32], 0x80046601, buf),
	       "FS_IOC_GETFLAGS", "nor on x32");
	return check_done();
}
