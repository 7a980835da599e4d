/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about System V IPC and message queues; nothing is left behind. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>

#include "calls.h"

struct op {
	unsigned short num;
	short op, flags;
};

struct message {
	long type;
	char text[5];
};

struct queue {			/* mq_attr */
	long flags, maxmsg, msgsize, curmsgs, reserved[4];
};

#define OPS(...)	PUT(struct op, __VA_ARGS__)

static void memory(void)
{
	long id = CALL(shmget, IPC_PRIVATE, PAGE, IPC_CREAT | 0600), at;

	CALL(shmget, 0x41424344, 5, 02000 | 010000 | 0600);
	CALL(shmctl, id, IPC_STAT, BAD);
	CALL(shmctl, id, IPC_STAT | 0x100, 0);
	CALL(shmctl, -1, 99, BAD);
	at = CALL(shmat, id, 0, SHM_RDONLY);
	CALL(shmdt, at);
	CALL(shmat, id, 0x1234, SHM_REMAP | SHM_EXEC);
	CALL(shmdt, 0);
	CALL(shmctl, id, SHM_LOCK, 0);
	CALL(shmctl, id, IPC_RMID, 0);
}

static void semaphores(void)
{
	long id = CALL(semget, IPC_PRIVATE, 3, IPC_CREAT | 0600);

	CALL(semget, 0x41424344, -3, IPC_CREAT | IPC_EXCL | 0600);
	CALL(semop, id, OPS({ 0, 1, 0 }, { 1, 2, 04000 }), 2);
	CALL(semop, id, OPS({ 0, -5, 04000 | 010000 }), 1);
	CALL(semop, id, BAD, 1);
	CALL(semop, id, OPS({ 0, 1, 0 }), 2);
	CALL(semtimedop, id, OPS({ 0, -9, 0 }), 1, PUT(long, 0, 1000));
	CALL(semtimedop, id, OPS({ 0, 1, 0 }), 1, 0);
	CALL(semctl, id, 0, SETVAL, 5);
	CALL(semctl, id, 0, GETVAL);
	CALL(semctl, id, 0, SETALL, PUT(unsigned short, 1, 2, 3));
	CALL(semctl, id, 0, GETALL, ROOM(6));
	CALL(semctl, id, 0, IPC_STAT, BAD);
	CALL(semctl, -1, 0, 99, 5);
	CALL(semctl, id, 0, IPC_RMID, 0);
}

static void messages(void)
{
	long id = CALL(msgget, IPC_PRIVATE, IPC_CREAT | 0600);

	CALL(msgsnd, id, PUT(struct message, { 5, "hello" }), 5, 0);
	CALL(msgsnd, id, BAD, 5, IPC_NOWAIT);
	CALL(msgsnd, id, PUT(struct message, { -1, "hello" }), 5, 7);
	CALL(msgrcv, id, ROOM(100), 92, -10, IPC_NOWAIT | MSG_NOERROR);
	CALL(msgrcv, id, ROOM(100), 1, 0, IPC_NOWAIT);
	CALL(msgctl, id, IPC_STAT, BAD);
	CALL(msgctl, -1, 99, BAD);
	CALL(msgctl, id, IPC_RMID, 0);
}

static void queues(const char *name)
{
	long at = put(name, strlen(name) + 1);
	long fd = CALL(mq_open, at, O_RDWR | O_CREAT | O_NONBLOCK, 0600,
		       PUT(struct queue, { 0, 5, 6, 7, { 0 } }));

	CALL(mq_open, BAD, O_RDONLY);
	CALL(mq_timedsend, fd, STR("hello"), 5, 3, 0);
	CALL(mq_timedsend, -1, BAD, 2, 3, BAD);
	CALL(mq_timedreceive, fd, ROOM(6), 6, ROOM(4), 0);
	CALL(mq_timedreceive, fd, ROOM(6), 6, 0, PUT(long, 1, 2));
	CALL(mq_getsetattr, fd, 0, ROOM(64));
	CALL(mq_getsetattr, fd, PUT(struct queue, { 0, 1, 2, 3, { 0 } }),
	     ROOM(64));
	CALL(mq_getsetattr, -1, BAD, BAD);
	CALL(mq_notify, fd, BAD);
	CALL(mq_notify, fd, 0);
	CALL(mq_unlink, at);
	close(fd);
}

/* Words and sizes that are neither right nor plainly wrong. */
static void edges(void)
{
	CALL(shmget, -2, 0, 0x4180);
	CALL(shmget, 0x80000001, 0, 0x54000a40);
	CALL(shmget, 1, -1, 0x57ff4c00);
	CALL(semget, 0x80000001, -1, 0x49a4);
	CALL(semget, 1, -1, 0xffffffff);
	CALL(msgget, 0x80000001, 0x4840);
	CALL(shmctl, -1, 1, ROOM(111));
	CALL(semctl, -1, 0, 1, ROOM(103));
	CALL(msgctl, -1, 1, ROOM(119));
	CALL(semop, -1, PUT(struct op, { 65535, -1, -1 }), 1);
	CALL(msgsnd, -1, ROOM(15), 1, 0);
	CALL(msgsnd, -1, PUT(long, 5, 0x414243), 3, 0);
	CALL(msgsnd, -1, PUT(long, 5, 0x414243), 9, 0x800);
	CALL(msgrcv, -1, ROOM(16), 9, -5, 0x7000);
	CALL(mq_open, STR("none/at all"), 0x40, 0x12345680, BAD);
}

int main(void)
{
	char name[40];

	snprintf(name, sizeof(name), "/tracee-%d", getpid());
	begin();
	memory();
	semaphores();
	messages();
	queues(name + 1);
	edges();
	return 0;
}
