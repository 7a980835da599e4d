/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What ioctl commands are called.  Knows numbers and names only, not what a
 * command does with its argument.
 */
#ifndef TRACER_IOCTL_NAMES_H
#define TRACER_IOCTL_NAMES_H

#include <stdint.h>

#include "abi/abi.h"

enum { IOCTL_NAME_SIZE = 128 };

/*
 * The name of a command: TCGETS; EVIOCGNAME(256) for one with the size of its
 * argument in the number; "A or B" if it means different things to different
 * drivers; _IOC(_IOC_READ, 0x66, 0x1, 0) if it has no name.  Never NULL; the
 * name may be made up in buf, which has IOCTL_NAME_SIZE bytes.
 */
const char *ioctl_name(const struct abi *abi, uint32_t cmd, char *buf);

#endif
