/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a process asks and tells of itself: operations of prctl with good and
 * bad arguments, none of which changes what the process may do.
 */
#include "calls.h"

enum { UNKNOWN = 9999 };

static void answers(void)
{
	CALL(prctl, 1, -1);
	CALL(prctl, 1, 10);
	CALL(prctl, 2, ROOM(4));
	CALL(prctl, 2, BAD);
	CALL(prctl, 3);
	CALL(prctl, 4, 7);
	CALL(prctl, 5, BAD);
	CALL(prctl, 6, 7);
	CALL(prctl, 6, 0x100000000);
	CALL(prctl, 7);
	CALL(prctl, 13);
	CALL(prctl, 14, -1);
	CALL(prctl, 15, STR("sixteen chars or more"));
	CALL(prctl, 16, ROOM(16));
	CALL(prctl, 16, BAD);
	CALL(prctl, 15, BAD);
	CALL(prctl, 19, ROOM(4));
	CALL(prctl, 21);
	CALL(prctl, 22, 0, 1, 2, 3);
	CALL(prctl, 22, 2, BAD);
	CALL(prctl, 22, 99, 1, 2, 3);
}

static void limits(void)
{
	CALL(prctl, 23, 0);
	CALL(prctl, 23, 99);
	CALL(prctl, 24, 99);
	CALL(prctl, 25, ROOM(4));
	CALL(prctl, 26, 9);
	CALL(prctl, 27);
	CALL(prctl, 28, 0x1003);
	CALL(prctl, 29, 50000);
	CALL(prctl, 30);
	CALL(prctl, 33, 1, 9, 0, 0);
	CALL(prctl, 33, 7, 1, 2, 3);
	CALL(prctl, 34, 0, 0, 0, 0);
	CALL(prctl, 35, 1, BAD, 0, 0);
	CALL(prctl, 35, 99, 1, 2, 3);
	CALL(prctl, 36, 0);
	CALL(prctl, 37, ROOM(4));
	CALL(prctl, 38, 2, 0, 0, 0);
	CALL(prctl, 39, 1, 2, 3, 4);
	CALL(prctl, 40, BAD);
	CALL(prctl, 41, 9, 0, 0, 5);
	CALL(prctl, 42, 0, 0, 0, 0);
	CALL(prctl, 43, 1, 0, 0, 0);
}

/* Those of other processors among them. */
static void states(void)
{
	CALL(prctl, 45, 7);
	CALL(prctl, 46);
	CALL(prctl, 47, 1, 99, 0, 0);
	CALL(prctl, 47, 9, 1, 2, 3);
	CALL(prctl, 50, 0x30010);
	CALL(prctl, 50, 0x40010);
	CALL(prctl, 51);
	CALL(prctl, 52, 99);
	CALL(prctl, 53, 99, 1);
	CALL(prctl, 53, 1, 99);
	CALL(prctl, 54, 0x3f, 0, 0, 0);
	CALL(prctl, 55, 0x1b, 0, 0, 1);
	CALL(prctl, 55, 0, 1, 2, 3);
	CALL(prctl, 56, 1, 0, 0, 0);
	CALL(prctl, 57, 2, 0, 0, 0);
	CALL(prctl, 58, 1, 0, 0, 0);
	CALL(prctl, 59, 0, 1, 2, BAD);
	CALL(prctl, 59, 9, 1, 2, 3);
	CALL(prctl, 60, 0x1f, 3, 0, 0);
	CALL(prctl, 62, 0, 0, 9, BAD);
	CALL(prctl, 62, 9, 0, 1, 2);
	CALL(prctl, 63, 0x60010);
	CALL(prctl, 65, 4, 0, 0, 0);
	CALL(prctl, 65, 0x100000000, 1, 0, 0);
	CALL(prctl, 66, 1, 0, 0, 0);
	CALL(prctl, 69, 0x2f);
	CALL(prctl, 71, 9, 9);
	CALL(prctl, 72, 9, 0, 0, 0);
	CALL(prctl, 73, 9, 0xff, 0, 0);
	CALL(prctl, 0x53564d41, 0, BAD, 1, STR("name"));
	CALL(prctl, 0x53564d41, 9, 1, 2, 3);
	CALL(prctl, 0x59616d61, 0x7ffffff0);
	CALL(prctl, UNKNOWN, 1, 2, 3, 4);
	CALL(prctl, -1, 1, 2, 3, 4);
}

int main(void)
{
	begin();
	answers();
	limits();
	states();
	return 0;
}
