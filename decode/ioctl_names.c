/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looking up what ioctl commands are called.
 */
#include "decode/ioctl_names.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "constants/constants.h"
#include "sets.h"

struct ioctl_entry {
	uint32_t cmd;
	uint32_t text : 24;	/* offset in ioctl_texts */
	uint32_t abis : 8;	/* enum abi_mask */
};

#include "decode/ioctl_table.h"	/* generated: sorted by cmd */

/* What a command's number is made of, on x86. */
enum {
	IOC_NONE = 0,
	IOC_WRITE = 1,
	IOC_READ = 2,
};

static unsigned ioc_dir(uint32_t cmd)
{
	return cmd >> 30;
}

static unsigned ioc_size(uint32_t cmd)
{
	return cmd >> 16 & 0x3fff;
}

static unsigned ioc_type(uint32_t cmd)
{
	return cmd >> 8 & 0xff;
}

static unsigned ioc_nr(uint32_t cmd)
{
	return cmd & 0xff;
}

/* A command whose number has a parameter: NAME(parameter). */
struct parametric {
	uint8_t dir, type, nr;
	uint16_t count;		/* of consecutive numbers from nr on */
	enum { BY_SIZE, BY_NR, BY_NR_AND_SIZE } by;
	const char *name;
	const struct constset *set;	/* what the number stands for */
};

static const struct parametric parametrics[] = {
	{ IOC_READ, 'E', 0x06, 1, BY_SIZE, "EVIOCGNAME", NULL },
	{ IOC_READ, 'E', 0x07, 1, BY_SIZE, "EVIOCGPHYS", NULL },
	{ IOC_READ, 'E', 0x08, 1, BY_SIZE, "EVIOCGUNIQ", NULL },
	{ IOC_READ, 'E', 0x09, 1, BY_SIZE, "EVIOCGPROP", NULL },
	{ IOC_READ, 'E', 0x0a, 1, BY_SIZE, "EVIOCGMTSLOTS", NULL },
	{ IOC_READ, 'E', 0x18, 1, BY_SIZE, "EVIOCGKEY", NULL },
	{ IOC_READ, 'E', 0x19, 1, BY_SIZE, "EVIOCGLED", NULL },
	{ IOC_READ, 'E', 0x1a, 1, BY_SIZE, "EVIOCGSND", NULL },
	{ IOC_READ, 'E', 0x1b, 1, BY_SIZE, "EVIOCGSW", NULL },
	{ IOC_READ, 'E', 0x20, 0x20, BY_NR_AND_SIZE, "EVIOCGBIT",
	  &set_evdev_types },
	{ IOC_READ, 'E', 0x40, 0x40, BY_NR, "EVIOCGABS", &set_evdev_axes },
	{ IOC_WRITE, 'E', 0xc0, 0x40, BY_NR, "EVIOCSABS", &set_evdev_axes },
	{ IOC_READ, 'H', 0x04, 1, BY_SIZE, "HIDIOCGRAWNAME", NULL },
	{ IOC_READ, 'H', 0x05, 1, BY_SIZE, "HIDIOCGRAWPHYS", NULL },
	{ IOC_READ, 'H', 0x06, 1, BY_SIZE, "HIDIOCGNAME", NULL },
	{ IOC_READ, 'H', 0x08, 1, BY_SIZE, "HIDIOCGRAWUNIQ", NULL },
	{ IOC_READ, 'H', 0x12, 1, BY_SIZE, "HIDIOCGPHYS", NULL },
	{ IOC_READ | IOC_WRITE, 'H', 0x06, 1, BY_SIZE, "HIDIOCSFEATURE",
	  NULL },
	{ IOC_READ | IOC_WRITE, 'H', 0x07, 1, BY_SIZE, "HIDIOCGFEATURE",
	  NULL },
	{ IOC_READ, 'M', 0x00, 0x100, BY_NR, "MIXER_READ", NULL },
	{ IOC_WRITE, 'M', 0x00, 0x100, BY_NR, "MIXER_WRITE", NULL },
	{ IOC_READ, 'U', 0x2c, 1, BY_SIZE, "UI_GET_SYSNAME", NULL },
	{ IOC_READ, 'j', 0x13, 1, BY_SIZE, "JSIOCGNAME", NULL },
	{ IOC_WRITE, 'k', 0x00, 1, BY_SIZE, "SPI_IOC_MESSAGE", NULL },
};

static const struct parametric *find_parametric(uint32_t cmd)
{
	size_t count = sizeof(parametrics) / sizeof(parametrics[0]);

	for (size_t i = 0; i < count; i++) {
		const struct parametric *p = &parametrics[i];

		if (ioc_dir(cmd) == p->dir && ioc_type(cmd) == p->type &&
		    ioc_nr(cmd) - p->nr < p->count)
			return p;
	}
	return NULL;
}

static void format_parametric(const struct parametric *p,
			      const struct abi *abi, uint32_t cmd, char *buf)
{
	unsigned nr = ioc_nr(cmd) - p->nr;
	const char *known = NULL;
	char number[16];

	if (p->by == BY_SIZE) {
		snprintf(buf, IOCTL_NAME_SIZE, "%s(%u)", p->name,
			 ioc_size(cmd));
		return;
	}
	/* EVIOCGBIT(0) asks for the types themselves, not about EV_SYN. */
	if (p->set && (nr || p->by == BY_NR))
		known = constset_name(p->set, abi, nr);
	snprintf(number, sizeof(number), p->set && nr ? "%#x" : "%u", nr);
	if (p->by == BY_NR)
		snprintf(buf, IOCTL_NAME_SIZE, "%s(%s)", p->name,
			 known ? known : number);
	else
		snprintf(buf, IOCTL_NAME_SIZE, "%s(%s, %u)", p->name,
			 known ? known : number, ioc_size(cmd));
}

/* The name in the table, or NULL. */
static const char *listed_name(const struct abi *abi, uint32_t cmd)
{
	size_t count = sizeof(ioctl_entries) / sizeof(ioctl_entries[0]);
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ioctl_entries[middle].cmd < cmd)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < count && ioctl_entries[low].cmd == cmd; low++)
		if (ioctl_entries[low].abis & 1u << abi->id)
			return ioctl_texts + ioctl_entries[low].text;
	return NULL;
}

static void format_unknown(uint32_t cmd, char *buf)
{
	static const char *const dirs[] = {
		[IOC_NONE] = "_IOC_NONE",
		[IOC_WRITE] = "_IOC_WRITE",
		[IOC_READ] = "_IOC_READ",
		[IOC_READ | IOC_WRITE] = "_IOC_READ|_IOC_WRITE",
	};

	/* %#x shows 0 as 0 */
	snprintf(buf, IOCTL_NAME_SIZE, "_IOC(%s, %#x, %#x, %#x)",
		 dirs[ioc_dir(cmd)], ioc_type(cmd), ioc_nr(cmd),
		 ioc_size(cmd));
}

const char *ioctl_name(const struct abi *abi, uint32_t cmd, char *buf)
{
	const char *listed = listed_name(abi, cmd);
	const struct parametric *parametric = find_parametric(cmd);

	if (listed && !parametric)
		return listed;
	if (!parametric) {
		format_unknown(cmd, buf);
		return buf;
	}
	format_parametric(parametric, abi, cmd, buf);
	if (listed) {
		size_t len = strlen(buf);

		snprintf(buf + len, IOCTL_NAME_SIZE - len, " or %s", listed);
	}
	return buf;
}
