/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls that wait for descriptors, with good and bad arguments. */
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "calls.h"

/* The ends of a pipe with a byte in it, and numbers of no descriptor. */
enum { R = 20, W = 21, NONE = 40 };

struct bits {		/* of descriptors, as many as select() ever takes */
	uint64_t words[16];
};

struct __attribute__((packed)) event {
	uint32_t events;
	uint64_t data;
};

struct masked {		/* pselect6()'s last argument */
	long mask, size;
};

#define FDS(...)	PUT(struct pollfd, __VA_ARGS__)
#define TIME(s_, n_)	PUT(long, s_, n_)
#define SET(bits_)	PUT(uint64_t, bits_)
#define BITS(...)	PUT(struct bits, { { __VA_ARGS__ } })
#define EVENT(...)	PUT(struct event, { __VA_ARGS__ })
#define MASKED(mask_, size_)	PUT(struct masked, { mask_, size_ })

static void polls(void)
{
	struct pollfd many[40];

	CALL(poll, FDS({ R, POLLIN, 0 }, { W, POLLOUT, 0 },
		       { -1, 0x7fff, 0 }, { NONE, 0x40, 0 }), 4, 0);
	CALL(poll, FDS({ W, POLLOUT | POLLIN, 0 }), 1, -1);
	CALL(poll, FDS({ W, POLLIN, 0 }), 1, 1);
	CALL(poll, 0, 0, 0);
	CALL(poll, BAD, 1, 0);
	CALL(poll, FDS({ R, POLLIN, 0 }), 2, 0);
	CALL(poll, FDS({ R, (short)0x8001, 0 }), 1, 1);
	for (int i = 0; i < 40; i++)
		many[i] = (struct pollfd){ i < 38 ? -1 : R, POLLIN, 0 };
	CALL(poll, put(many, sizeof(many)), 40, 0);

	CALL(ppoll, FDS({ R, POLLIN, 0 }), 1, TIME(1, 5), SET(1 << 9), 8);
	CALL(ppoll, FDS({ W, POLLIN, 0 }), 1, TIME(0, 5000), 0, 8);
	CALL(ppoll, FDS({ R, POLLIN, 0 }), 1, TIME(1, 5), SET(1), 4);
	CALL(ppoll, BAD, 1, BAD, BAD, 8);
}

static void selects(void)
{
	CALL(select, W + 1, BITS(1 << R | 2), BITS(1 << W), BITS(1 << 5),
	     TIME(1, 5));
	CALL(select, W + 1, BITS(1 << R), 0, 0, 0);
	CALL(select, W + 1, BITS(1 << W), 0, 0, TIME(0, 100));
	CALL(select, 0, 0, 0, 0, TIME(0, 0));
	CALL(select, -1, 0, 0, 0, TIME(0, 1));
	CALL(select, 1, BAD, 0, 0, TIME(0, 0));
	CALL(select, 1, 0, 0, 0, BAD);
	CALL(select, W + 1, BITS(1 << W), BITS(0), BITS(0), TIME(0, 0));
	CALL(select, W + 1, BITS(1 << R), BITS(1 << W), BITS(0), 0);

	CALL(pselect6, W + 1, BITS(1 << R), BITS(1 << W), 0, TIME(1, 5),
	     MASKED(SET(1 << 9), 8));
	CALL(pselect6, W + 1, BITS(1 << W), 0, 0, TIME(0, 1000), 0);
	CALL(pselect6, W + 1, BITS(1 << R), 0, 0, 0, MASKED(0, 8));
	CALL(pselect6, W + 1, BITS(1 << R), 0, 0, 0, BAD);
	CALL(pselect6, W + 1, BITS(1 << R), 0, 0, TIME(0, 0),
	     MASKED(SET(1 << 9), 7));
}

static void epolls(void)
{
	long e = CALL(epoll_create, 1);

	CALL(epoll_create, 0);
	close(CALL(epoll_create1, EPOLL_CLOEXEC));
	CALL(epoll_create1, 5);

	CALL(epoll_ctl, e, EPOLL_CTL_ADD, R, EVENT(EPOLLIN, 0xdeadbeef));
	CALL(epoll_ctl, e, EPOLL_CTL_ADD, W,
	     EVENT(EPOLLRDHUP | EPOLLET | EPOLLIN, 0x1234567812345678));
	CALL(epoll_ctl, e, EPOLL_CTL_MOD, R, EVENT(EPOLLIN | EPOLLOUT, 7));
	CALL(epoll_ctl, e, EPOLL_CTL_DEL, W, 0);
	CALL(epoll_ctl, e, EPOLL_CTL_DEL, W, EVENT(1, 2));
	CALL(epoll_ctl, e, 9, W, EVENT(1, 2));
	CALL(epoll_ctl, e, EPOLL_CTL_MOD, W, EVENT(0, 0));
	CALL(epoll_ctl, e, EPOLL_CTL_MOD, W, EVENT(0x0a000fe0, 0));
	CALL(epoll_ctl, -1, EPOLL_CTL_ADD, -5, BAD);

	CALL(epoll_wait, e, ROOM(120), 10, 0);
	CALL(epoll_wait, e, ROOM(12), 1, -1);
	CALL(epoll_wait, e, ROOM(12), 0, 0);
	CALL(epoll_wait, e, BAD, 3, 0);
	CALL(epoll_pwait, e, ROOM(120), 10, 0, SET(1 << 9), 8);
	CALL(epoll_pwait, e, ROOM(120), 10, 0, SET(3), 9);
	CALL(epoll_pwait2, e, ROOM(120), 10, TIME(0, 0), SET(3), 8);
	CALL(epoll_pwait2, e, ROOM(120), 10, 0, 0, 8);
	CALL(epoll_ctl, e, EPOLL_CTL_DEL, R, 0);
	CALL(epoll_pwait2, e, ROOM(120), 10, TIME(0, 1), 0, 8);
	close(e);
}

/* Sets of which a part cannot be read, and none at all. */
static void edges(void)
{
	long one = PUT(uint64_t, 0x500000000 | W);

	CALL(poll, one, 2, 0);
	CALL(poll, 0, 0, 0);
	CALL(poll, 0, 1, 0);
	CALL(poll, BAD, 0, 0);
	CALL(select, 0, BAD, 1, 2, PUT(long, 0, 0));
	CALL(select, -1, BAD, 0, 0, 0);
	CALL(select, 64, ROOM(7), 0, 0, PUT(long, 0, 0));
	CALL(select, W + 1, 0, PUT(uint64_t, 1 << W | 1 << R), 0,
	     PUT(long, 0, 0));
}

int main(void)
{
	int ends[2];

	if (pipe(ends) || dup2(ends[0], R) < 0 || dup2(ends[1], W) < 0 ||
	    write(W, "x", 1) != 1)
		return 1;
	close(ends[0]);
	close(ends[1]);
	close(NONE);
	close(5);
	begin();
	polls();
	selects();
	epolls();
	close(CALL(eventfd, 5));
	close(CALL(eventfd2, 0xffffffff,
		   EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE));
	CALL(eventfd2, 0, 8);
	edges();
	return 0;
}
