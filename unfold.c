/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unfold.h"

#include <string.h>

/* i386's numbers. */
enum {
	NR_SELECT = 82,
	NR_MMAP = 90,
	NR_SOCKETCALL = 102,
	NR_IPC = 117,
};

/* Where an argument of the inner call is. */
enum {
	FIRST = 1, SECOND, THIRD, POINTER_ARG, FIFTH,	/* of ipc */
};

struct inner {
	const char *name;
	uint8_t count;		/* arguments */
	uint8_t order[4];	/* ipc: which of its own they are */
};

static const struct inner socket_calls[] = {
	[1] = { "socket", 3, { 0 } },
	[2] = { "bind", 3, { 0 } },
	[3] = { "connect", 3, { 0 } },
	[4] = { "listen", 2, { 0 } },
	[6] = { "getsockname", 3, { 0 } },
	[7] = { "getpeername", 3, { 0 } },
	[8] = { "socketpair", 4, { 0 } },
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

static const struct inner ipc_calls[] = {
	[2] = { "semget", 3, { FIRST, SECOND, THIRD } },
	[13] = { "msgget", 2, { FIRST, SECOND } },
	[14] = { "msgctl", 3, { FIRST, SECOND, POINTER_ARG } },
	[22] = { "shmdt", 1, { POINTER_ARG } },
	[23] = { "shmget", 3, { FIRST, SECOND, THIRD } },
	[24] = { "shmctl", 3, { FIRST, SECOND, POINTER_ARG } },
};

static const struct sysent *find_named(const struct abi *abi,
				       const char *name)
{
	for (size_t i = 0; i < sysent_count(abi); i++) {
		const struct sysent *sysent = sysent_at(abi, i);

		if (sysent && !strcmp(sysent->number->name, name))
			return sysent;
	}
	return NULL;
}

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
	const struct sysent *modern = find_named(&abis[ABI_X86_64],
						 sysent->number->name);

	if (!modern || !modern->desc ||
	    !load_words(view, args[0], count, args))
		return sysent;
	*as = *sysent;
	as->desc = modern->desc;
	return as;
}

static const struct sysent *from_socketcall(const struct abi *abi,
					    const struct sysent *sysent,
					    struct view *view,
					    uint64_t args[6])
{
	const struct inner *inner = LOOK_UP(socket_calls, args[0]);
	const struct sysent *found = inner ? find_named(abi, inner->name)
					   : NULL;

	if (!found || !load_words(view, args[1], inner->count, args))
		return sysent;
	return found;
}

static const struct sysent *from_ipc(const struct abi *abi,
				     const struct sysent *sysent,
				     uint64_t args[6])
{
	const struct inner *inner = LOOK_UP(ipc_calls, args[0]);
	const struct sysent *found = inner ? find_named(abi, inner->name)
					   : NULL;
	uint64_t own[6];

	if (!found)
		return sysent;
	memcpy(own, args, sizeof(own));
	memset(args, 0, sizeof(own));
	for (unsigned i = 0; i < inner->count; i++)
		args[i] = own[inner->order[i]];
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
		return from_ipc(abi, sysent, args);
	default:
		return sysent;
	}
}
