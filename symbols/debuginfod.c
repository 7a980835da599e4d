/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks debuginfod servers; see debuginfod.h.
 */
#include "symbols/debuginfod.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

/* The part of the library's interface that is used here. */
static struct {
	void *(*begin)(void);
	int (*find_debuginfo)(void *client, const unsigned char *build_id,
			      int size, char **path);
	void (*end)(void *client);
} library;

static void *client;	/* NULL: servers are not to be asked */

const char *debuginfod_init(void)
{
	void *handle = dlopen("libdebuginfod.so.1", RTLD_NOW);

	if (!handle)
		return "libdebuginfod.so.1 is not there";
	library.begin = dlsym(handle, "debuginfod_begin");
	library.find_debuginfo = dlsym(handle, "debuginfod_find_debuginfo");
	library.end = dlsym(handle, "debuginfod_end");
	if (library.begin && library.find_debuginfo && library.end)
		client = library.begin();
	return client ? NULL : "libdebuginfod.so.1 does not work";
}

void debuginfod_fini(void)
{
	if (client)
		library.end(client);
	client = NULL;
}

int debuginfod_open(const char *build_id)
{
	char *path = NULL;
	int fd;

	if (!client)
		return -1;
	/* Size 0: the id is written in hexadecimal. */
	fd = library.find_debuginfo(client, (const unsigned char *)build_id,
				    0, &path);
	free(path);
	return fd < 0 ? -1 : fd;
}
