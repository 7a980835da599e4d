/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens and closes the shared libraries that it is given, one after the other,
 * and calls the function of each.  After "--thread" another thread opens and
 * closes them; after "--replace NEW" the file NEW takes the place of each one
 * once it is open.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef void plugin_fn(const char *name);

static void *library;

static void *open_library(void *path)
{
	library = dlopen(path, RTLD_NOW);
	return NULL;
}

static void *close_library(void *unused)
{
	dlclose(library);
	return unused;
}

static void do_it(void *(*what)(void *), void *argument, bool in_thread)
{
	pthread_t thread;

	if (!in_thread) {
		what(argument);
		return;
	}
	pthread_create(&thread, NULL, what, argument);
	pthread_join(thread, NULL);
}

static void use(char *path, const char *replacement, bool in_thread)
{
	plugin_fn *plugin;

	do_it(open_library, path, in_thread);
	plugin = library ? (plugin_fn *)dlsym(library, "plugin") : NULL;
	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		return;
	}
	if (replacement && rename(replacement, path))
		perror(path);
	plugin("mark:plugin");
	do_it(close_library, NULL, in_thread);
}

int main(int argc, char **argv)
{
	const char *replacement = NULL;
	bool in_thread = false;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--thread"))
			in_thread = true;
		else if (!strcmp(argv[i], "--replace") && i + 1 < argc)
			replacement = argv[++i];
		else
			use(argv[i], replacement, in_thread);
	}
	return 0;
}
