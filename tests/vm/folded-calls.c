/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The calls that i386 has only inside of socketcall() and ipc(), and those
 * whose arguments it has in memory.
 */
#include <fcntl.h>
#include <stdint.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>

#include "../tracees/calls.h"

enum { SERVER = 3, CLIENT, PEER, PAIR_0, PAIR_1 };

/* The numbers of the kernel's include/uapi/linux/net.h. */
enum {
	SOCKET = 1, BIND, CONNECT, LISTEN, ACCEPT, GETSOCKNAME, GETPEERNAME,
	SOCKETPAIR, SEND, RECV, SENDTO, RECVFROM, SHUTDOWN, SETSOCKOPT,
	GETSOCKOPT, SENDMSG, RECVMSG, ACCEPT4, RECVMMSG, SENDMMSG,
};

/* and of its include/uapi/linux/ipc.h */
enum {
	OP_SEMOP = 1, OP_SEMGET, OP_SEMCTL, OP_SEMTIMEDOP,
	OP_MSGSND = 11, OP_MSGRCV, OP_MSGGET, OP_MSGCTL,
	OP_SHMAT = 21, OP_SHMDT, OP_SHMGET, OP_SHMCTL,
};

#define SOCKETCALL(nr_, ...) CALL(socketcall, nr_, PUT(long, __VA_ARGS__))
#define NAME	"\1\0\0folded calls"	/* of AF_UNIX, abstract */
#define NAME_LEN 15
#define IOV(...) PUT(struct iovec, __VA_ARGS__)

static void good_socketcalls(void)
{
	long name = put(NAME, NAME_LEN), room = ROOM(40), len = PUT(int, 40);
	long iov = IOV({ (void *)STR("one"), 3 }, { (void *)STR("two"), 2 });
	long into = IOV({ (void *)room, 2 }, { (void *)room, 38 });
	long header = PUT(struct msghdr, {
		.msg_iov = (void *)iov, .msg_iovlen = 2 });
	long empty = PUT(struct msghdr, {
		.msg_iov = (void *)into, .msg_iovlen = 2 });
	long many = PUT(struct mmsghdr, { {
		.msg_iov = (void *)iov, .msg_iovlen = 2 }, 0 });
	long some = PUT(struct mmsghdr, { {
		.msg_iov = (void *)into, .msg_iovlen = 2 }, 0 });

	SOCKETCALL(SOCKET, AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	SOCKETCALL(BIND, SERVER, name, NAME_LEN);
	SOCKETCALL(LISTEN, SERVER, 5);
	SOCKETCALL(SOCKET, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	SOCKETCALL(CONNECT, CLIENT, name, NAME_LEN);
	SOCKETCALL(ACCEPT, SERVER, room, len);
	SOCKETCALL(GETSOCKNAME, SERVER, room, PUT(int, 40));
	SOCKETCALL(GETPEERNAME, CLIENT, room, PUT(int, 8));
	SOCKETCALL(SEND, CLIENT, STR("sent"), 4, MSG_NOSIGNAL);
	SOCKETCALL(RECV, PEER, room, 40, MSG_DONTWAIT);
	SOCKETCALL(SENDTO, CLIENT, STR("sent to"), 7, 0, 0, 0);
	SOCKETCALL(RECVFROM, PEER, room, 40, MSG_PEEK, 0, 0);
	SOCKETCALL(RECVFROM, PEER, room, 40, 0, ROOM(40), PUT(int, 40));
	SOCKETCALL(SENDMSG, CLIENT, header, 0);
	SOCKETCALL(RECVMSG, PEER, empty, 0);
	SOCKETCALL(SENDMMSG, CLIENT, many, 1, 0);
	SOCKETCALL(RECVMMSG, PEER, some, 1, MSG_DONTWAIT, 0);
	SOCKETCALL(SETSOCKOPT, CLIENT, SOL_SOCKET, SO_SNDBUF, PUT(int, 9000),
		   4);
	SOCKETCALL(GETSOCKOPT, CLIENT, SOL_SOCKET, SO_TYPE, room,
		   PUT(int, 4));
	SOCKETCALL(SHUTDOWN, CLIENT, SHUT_RDWR);
	SOCKETCALL(SOCKETPAIR, AF_UNIX, SOCK_DGRAM, 0, room);
	SOCKETCALL(ACCEPT4, SERVER, 0, 0, SOCK_NONBLOCK);
}

/* Of the numbers there are not, and without readable arguments. */
static void bad_socketcalls(void)
{
	long numbers = PUT(long, -1, 2, 3, 4, 5, 6);

	for (int nr = 0; nr < 22; nr++) {
		CALL(socketcall, nr, BAD);
		CALL(socketcall, nr, 0);
		/* a word less than they want */
		CALL(socketcall, nr, put((const long[]){ -1 }, 4));
		CALL(socketcall, nr, numbers);
	}
	CALL(socketcall, -1, numbers);
	CALL(socketcall, 0x10001, numbers);
}

static void good_ipc(void)
{
	long room = ROOM(128), address = ROOM(sizeof(long));
	long sops = PUT(struct sembuf, { 0, 1, IPC_NOWAIT }, { 1, -1, 0x5000 });
	struct { long type; char text[8]; } message = { 5, "message" };
	long msg = put(&message, sizeof(message)), into = ROOM(20);
	long id;

	id = CALL(ipc, OP_SEMGET, IPC_PRIVATE, 2, IPC_CREAT | 0600);
	CALL(ipc, OP_SEMOP, id, 1, 0, sops);
	CALL(ipc, OP_SEMTIMEDOP, id, 2, 0, sops, PUT(long, 0, 1000));
	CALL(ipc, OP_SEMCTL, id, 1, SETVAL, PUT(long, 7));
	CALL(ipc, OP_SEMCTL, id, 1, GETVAL, PUT(long, 0));
	CALL(ipc, OP_SEMCTL, id, 0, IPC_STAT | 0x100, PUT(long, room));
	CALL(ipc, OP_SEMCTL, id, 0, IPC_SET | 0x100, PUT(long, room));
	CALL(ipc, OP_SEMCTL, id, 0, GETALL, PUT(long, room));
	CALL(ipc, OP_SEMCTL, id, 0, IPC_RMID, PUT(long, 0));
	id = CALL(ipc, OP_MSGGET, IPC_PRIVATE, IPC_CREAT | IPC_EXCL | 0644);
	CALL(ipc, OP_MSGSND, id, 7, IPC_NOWAIT, msg);
	CALL(ipc, OP_MSGSND, id, 3, 0, msg);
	CALL(ipc, OP_MSGRCV, id, 16, IPC_NOWAIT, PUT(long, into, 5));
	CALL(ipc, OP_MSGRCV | 1 << 16, id, 16, IPC_NOWAIT, into, -5);
	CALL(ipc, OP_MSGRCV | 1 << 16, id, 16, IPC_NOWAIT | MSG_NOERROR, into,
	     0);
	CALL(ipc, OP_MSGCTL, id, IPC_STAT | 0x100, 0, room);
	CALL(ipc, OP_MSGCTL, id, IPC_SET | 0x100, 0, room);
	CALL(ipc, OP_MSGCTL, id, IPC_RMID, 0, 0);
	id = CALL(ipc, OP_SHMGET, IPC_PRIVATE, PAGE, IPC_CREAT | 0600);
	CALL(ipc, OP_SHMAT, id, SHM_RDONLY, address, 0x30000000);
	CALL(ipc, OP_SHMAT | 1 << 16, id, SHM_RDONLY, address, 0x30000000);
	CALL(ipc, OP_SHMCTL, id, IPC_STAT | 0x100, 0, room);
	CALL(ipc, OP_SHMDT, 0, 0, 0, 0x30000000);
	CALL(ipc, OP_SHMCTL, id, IPC_RMID, 0, 0);
}

static void bad_ipc(void)
{
	for (int nr = 0; nr < 26; nr++) {
		CALL(ipc, nr, -1, -1, -1, BAD, BAD);
		CALL(ipc, nr | 2 << 16, -1, 2, 3, 0, 5);
		CALL(ipc, nr, -1, 2, 3, PUT(long, BAD, 5), 5);
		CALL(ipc, nr, -1, 2, 3, put((const long[]){ 7 }, 4), 5);
	}
	CALL(ipc, -1, 1, 2, 3, 4, 5);
}

static void in_memory(void)
{
	long set = PUT(long, 1 << 1 | 1 << 2);

	CALL(select, PUT(long, 3, 0, set, 0, PUT(long, 1, 0)));
	CALL(select, PUT(long, 0, 0, 0, 0, PUT(long, 0, 7)));
	CALL(select, PUT(long, -1, set, 0, BAD, 0));
	CALL(select, BAD);
	CALL(_newselect, 3, 0, PUT(long, 6), 0, PUT(long, 1, 0));
	CALL(mmap, PUT(long, 0, PAGE, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
	CALL(mmap, PUT(long, 0x30000000, PAGE, 1, MAP_SHARED, SERVER, PAGE));
	CALL(mmap, PUT(long, 1, 2));
	CALL(mmap, 0);
}

int main(void)
{
	begin();
	good_socketcalls();
	bad_socketcalls();
	good_ipc();
	bad_ipc();
	in_memory();
	return 0;
}
