/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unfold.h"

#include <string.h>

#include "constants/constants.h"

/* i386's numbers. */
enum {
	NR_SELECT = 82,
	NR_MMAP = 90,
	NR_SOCKETCALL = 102,
	NR_IPC = 117,
};

/* Where an argument of the inner call is among ipc's. */
enum {
	OPERATION, FIRST, SECOND, THIRD, POINTER_ARG, FIFTH,
};

struct inner {
	const char *name;	/* of its description */
	uint8_t count;		/* arguments */
	uint8_t order[5];	/* ipc: which of its own they are */
};

static const struct inner socket_calls[] = {
	[1] = { "socket", 3, { 0 } },
	[2] = { "bind", 3, { 0 } },
	[3] = { "connect", 3, { 0 } },
	[4] = { "listen", 2, { 0 } },
	[5] = { "accept", 3, { 0 } },
	[6] = { "getsockname", 3, { 0 } },
	[7] = { "getpeername", 3, { 0 } },
	[8] = { "socketpair", 4, { 0 } },
	[9] = { "send", 4, { 0 } },
	[10] = { "recv", 4, { 0 } },
	[11] = { "sendto", 6, { 0 } },
	[12] = { "recvfrom", 6, { 0 } },
	[13] = { "shutdown", 2, { 0 } },
	[14] = { "setsockopt", 5, { 0 } },
	[15] = { "getsockopt", 5, { 0 } },
	[16] = { "sendmsg", 3, { 0 } },
	[17] = { "recvmsg", 3, { 0 } },
	[18] = { "accept4", 4, { 0 } },
	[19] = { "recvmmsg", 5, { 0 } },
	[20] = { "sendmmsg", 4, { 0 } },
};

enum { IPC_SEMCTL = 3, IPC_MSGRCV = 12, IPC_SHMAT = 21 };

/* msgrcv of which two arguments are in memory that cannot be read. */
static const struct inner short_msgrcv = {
	"ipc_msgrcv", 4, { FIRST, POINTER_ARG, SECOND, THIRD },
};

static const struct inner ipc_calls[] = {
	[1] = { "semop", 3, { FIRST, POINTER_ARG, SECOND } },
	[2] = { "semget", 3, { FIRST, SECOND, THIRD } },
	[IPC_SEMCTL] = { "ipc_semctl", 4,
			 { FIRST, SECOND, THIRD, POINTER_ARG } },
	[4] = { "semtimedop", 4, { FIRST, POINTER_ARG, SECOND, FIFTH } },
	[11] = { "msgsnd", 4, { FIRST, POINTER_ARG, SECOND, THIRD } },
	[IPC_MSGRCV] = { "msgrcv", 5,
			 { FIRST, POINTER_ARG, SECOND, FIFTH, THIRD } },
	[13] = { "msgget", 2, { FIRST, SECOND } },
	[14] = { "msgctl", 3, { FIRST, SECOND, POINTER_ARG } },
	/* and where its result goes */
	[IPC_SHMAT] = { "ipc_shmat", 4, { FIRST, POINTER_ARG, SECOND, THIRD } },
	[22] = { "shmdt", 1, { POINTER_ARG } },
	[23] = { "shmget", 3, { FIRST, SECOND, THIRD } },
	[24] = { "shmctl", 3, { FIRST, SECOND, POINTER_ARG } },
};

static bool load_words(struct view *view, uint64_t addr, unsigned count,
		       uint64_t args[6])
{
	uint32_t words[6];

	if (!view_read_exactly(view, addr, words, count * sizeof(words[0])))
		return false;
	for (unsigned i = 0; i < 6; i++)
		args[i] = i < count ? words[i] : 0;
	return true;
}

#define LOOK_UP(table_, nr_) \
	((nr_) < sizeof(table_) / sizeof((table_)[0]) && \
	 (table_)[nr_].name ? &(table_)[nr_] : NULL)

/* The old call as the newer kind with arguments in registers describes it. */
static const struct sysent *from_memory(const struct sysent *sysent,
					struct sysent *as, unsigned count,
					struct view *view, uint64_t args[6])
{
	const struct sysent *modern = sysent_named(&abis[ABI_X86_64],
						   sysent->number->name);

	if (!modern || !load_words(view, args[0], count, args))
		return sysent;
	*as = *sysent;
	as->desc = modern->desc;
	as->plain_args = 0;	/* of the other ABI: not here */
	return as;
}

static const struct sysent *from_socketcall(const struct abi *abi,
					    const struct sysent *sysent,
					    struct view *view,
					    uint64_t args[6])
{
	const struct inner *inner = LOOK_UP(socket_calls, args[0]);
	const struct sysent *found = inner ? sysent_named(abi, inner->name)
					   : NULL;

	if (!found || !load_words(view, args[1], inner->count, args))
		return sysent;
	return found;
}

/* semctl's argument is in memory, which matters where it is a pointer. */
static void load_semctl_pointer(struct view *view, uint64_t args[6])
{
	uint32_t word;

	switch (args[2] & ~(uint64_t)V_IPC_64) {
	case V_IPC_SET:
	case V_IPC_STAT:
	case V_IPC_INFO:
	case V_SEM_STAT:
	case V_SEM_STAT_ANY:
	case V_SEM_INFO:
		if (view_read_exactly(view, args[3], &word, sizeof(word)))
			args[3] = word;
	}
}

/* Before there were six registers, msgrcv had two arguments in memory. */
static bool load_msgrcv_pair(struct view *view, uint64_t own[6])
{
	uint32_t pair[2];

	if (!view_read_exactly(view, own[POINTER_ARG], pair, sizeof(pair)))
		return false;
	own[POINTER_ARG] = pair[0];
	own[FIFTH] = pair[1];
	return true;
}

static const struct sysent *from_ipc(const struct abi *abi,
				     const struct sysent *sysent,
				     struct view *view, uint64_t args[6])
{
	unsigned nr = args[OPERATION] & 0xffff;
	unsigned version = args[OPERATION] >> 16;
	const struct inner *inner = LOOK_UP(ipc_calls, nr);
	const struct sysent *found;
	uint64_t own[6];

	memcpy(own, args, sizeof(own));
	if (nr == IPC_MSGRCV && !version && !load_msgrcv_pair(view, own))
		inner = &short_msgrcv;
	found = inner ? sysent_named(abi, inner->name) : NULL;
	if (!found)
		return sysent;
	memset(args, 0, sizeof(own));
	for (unsigned i = 0; i < inner->count; i++)
		args[i] = own[inner->order[i]];
	if (nr == IPC_SEMCTL)
		load_semctl_pointer(view, args);
	return found;
}

const struct sysent *unfold(const struct abi *abi, const struct sysent *sysent,
			    struct view *view, uint64_t args[6])
{
	static struct sysent old_select, old_mmap;

	if (abi->id != ABI_I386)
		return sysent;
	switch (sysent->nr) {
	case NR_SELECT:
		return from_memory(sysent, &old_select, 5, view, args);
	case NR_MMAP:
		return from_memory(sysent, &old_mmap, 6, view, args);
	case NR_SOCKETCALL:
		return from_socketcall(abi, sysent, view, args);
	case NR_IPC:
		return from_ipc(abi, sysent, view, args);
	default:
		return sysent;
	}
}

int64_t unfold_result(const struct sysent *sysent, struct view *view,
		      const uint64_t args[6], int64_t result)
{
	uint32_t address;

	if (!sysent->desc || strcmp(sysent->desc->name, "ipc_shmat") ||
	    !view_read_exactly(view, args[3], &address, sizeof(address)))
		return result;
	return address;
}
