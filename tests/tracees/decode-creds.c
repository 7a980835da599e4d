/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about identities and keys that change nobody's. */
#include "calls.h"

static void identities(void)
{
	CALL(getresuid, BAD, 0, 0);
	CALL(getresgid, ROOM(4), BAD, ROOM(4));
	CALL(setresuid, -1, -1, -1);
	CALL(setresgid, -1, -1, -1);
	CALL(setreuid, -1, -1);
	CALL(setregid, -1, -1);
	CALL(setuid, -1);
	CALL(setgid, -1);
	CALL(getgroups, -1, 0);
	CALL(setgroups, 65537, BAD);
	CALL(setgroups, -1, ROOM(16));
	CALL(setgroups, 3, PUT(uint32_t, 1, 2));
	CALL(setgroups, 3, BAD);
}

static void keys(void)
{
	CALL(add_key, STR("user"), STR("desc"), STR("payload"), -1, -9);
	CALL(add_key, 0, BAD, BAD, 5, -3);
	CALL(request_key, STR("user"), STR("desc"), BAD, -2);
	CALL(request_key, 0, STR("d"), 0, 0);
	CALL(keyctl, 0, -9, 1);
	CALL(keyctl, 1, BAD);
	CALL(keyctl, 2, 0x7ffffff0, STR("payload"), 7);
	CALL(keyctl, 3, 0x7ffffff0);
	CALL(keyctl, 4, 0x7ffffff0, -1, -1);
	CALL(keyctl, 5, 0x7ffffff0, 0x3f1f1b0f);
	CALL(keyctl, 6, 0x7ffffff0, ROOM(64), 64);
	CALL(keyctl, 8, 0x7ffffff0, 0x7ffffff1);
	CALL(keyctl, 10, 0x7ffffff0, STR("keyring"), STR("x"), 0);
	CALL(keyctl, 11, 0x7ffffff0, ROOM(64), 64);
	CALL(keyctl, 14, 99);
	CALL(keyctl, 15, 0x7ffffff0, 60);
	CALL(keyctl, 99, 1, 2, 3, 4);
}

static void edges(void)
{
	CALL(getgroups, 0, BAD);
	CALL(getgroups, -1, BAD);
	CALL(setgroups, 65537, BAD);
	CALL(setgroups, -1, ROOM(4));
}

int main(void)
{
	begin();
	identities();
	keys();
	edges();
	return 0;
}
