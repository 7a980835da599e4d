# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The interpreter of descriptions, and the descriptions, a file a subject.

libtracer_a_SOURCES += \
	decode/aio.c \
	decode/array.c \
	decode/bpf.c \
	decode/bpf_filter.c \
	decode/call.c \
	decode/cmsg.c \
	decode/cmsg.h \
	decode/creds.c \
	decode/decode.h \
	decode/directory.c \
	decode/fcntl.c \
	decode/file.c \
	decode/flags.c \
	decode/futex.c \
	decode/interpret.h \
	decode/io.c \
	decode/ioctl.c \
	decode/ioctl_fs.c \
	decode/ioctl_names.c \
	decode/ioctl_names.h \
	decode/ioctl_net.c \
	decode/ipc.c \
	decode/layout.c \
	decode/memory.c \
	decode/misc.c \
	decode/modules.c \
	decode/mount.c \
	decode/net.c \
	decode/netlink.c \
	decode/netlink.h \
	decode/object.c \
	decode/perf.c \
	decode/poll.c \
	decode/prctl.c \
	decode/process.c \
	decode/ptrace.c \
	decode/quota.c \
	decode/refs.c \
	decode/restart.c \
	decode/scalars.c \
	decode/sched.c \
	decode/security.c \
	decode/signal.c \
	decode/sockaddr.c \
	decode/sockaddr.h \
	decode/sockaddr_rare.c \
	decode/sockopt.c \
	decode/strings.c \
	decode/struct.c \
	decode/structures.h \
	decode/time.c \
	decode/tty.c \
	decode/type.h \
	decode/value.c
