/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * -h and -V.
 */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "cli/settings.h"

enum { HELP_COLUMN = 16 };

/* "-a, --columns=N": all ways to write it; returns the width. */
static int print_forms(const struct setting *setting)
{
	const char *metavar = setting->metavar;
	int width = printf("  ");

	if (setting->letter)
		width += printf("-%c%s", setting->letter,
				setting->name ? ", " : "");
	if (setting->letter && !setting->name && metavar)
		width += printf(" %s", metavar);
	if (setting->qualifier)
		width += printf("-e %s=%s, ", setting->qualifier, metavar);
	if (setting->name)
		width += printf("--%s", setting->name);
	if (setting->name && metavar)
		width += printf(setting->arg == ARG_OPTIONAL ? "[=%s]" : "=%s",
				metavar);
	return width;
}

static void print_setting(const struct setting *setting)
{
	const char *line = setting->help;
	int width = print_forms(setting);

	/* Beside the forms if there is space, else below. */
	if (width + 2 > HELP_COLUMN) {
		putchar('\n');
		width = 0;
	}
	while (line) {
		const char *end = strchr(line, '\n');
		int len = end ? (int)(end - line) : (int)strlen(line);

		printf("%*s%.*s\n", HELP_COLUMN - width, "", len, line);
		width = 0;
		line = end ? end + 1 : NULL;
	}
}

void print_help(void)
{
	puts("Usage: tracer [OPTION]... PROG [ARG]...\n"
	     "   or: tracer [OPTION]... -p PID [PROG [ARG]...]\n"
	     "\n"
	     "Shows the system calls of a command or of running processes, "
	     "and with -k\n"
	     "the stacks that led to them.  What is the case without an "
	     "option is in\n"
	     "parentheses.");
	for (unsigned i = 0; i < setting_count; i++) {
		const struct setting *setting = &settings[i];

		if (!setting->help)
			continue;
		if (setting->letter || setting->name)
			print_setting(setting);
		else
			printf("\n%s:\n", setting->help);
	}
	puts("\nThe exit status is the command's own, or 1 if the tracer could "
	     "not trace.");
}

void print_version(void)
{
	puts(PACKAGE_STRING "\n"
	     "License LGPL-2.1-or-later; there is no warranty.\n");
	fputs("Unwinders (-k):", stdout);
	for (size_t i = 0; unwinder_names[i]; i++)
		printf(" %s", unwinder_names[i]);
	puts(unwinder_names[0] ? "" : " none");
#ifdef HAVE_LIBIBERTY
	puts("Demangling: C++, Rust");
#else
	puts("Demangling: none");
#endif
}
