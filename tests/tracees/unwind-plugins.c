/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens and closes the shared libraries that it is given, one after the other,
 * and calls the function of each.
 */
#include <dlfcn.h>
#include <stdio.h>

typedef void plugin_fn(const char *name);

static void use(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	plugin_fn *plugin = library ? (plugin_fn *)dlsym(library, "plugin") :
		NULL;

	if (!plugin) {
		fprintf(stderr, "%s\n", dlerror());
		return;
	}
	plugin("mark:plugin");
	dlclose(library);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		use(argv[i]);
	return 0;
}
