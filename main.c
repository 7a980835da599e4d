/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program: from the command line to the engine.
 */
#include <stdlib.h>

#include "cmdline.h"
#include "message.h"
#include "sysent.h"
#include "trace.h"

int main(int argc, char **argv)
{
	struct options options;

	if (!sysent_init()) {
		message("out of memory");
		return EXIT_FAILURE;
	}
	switch (cmdline_parse(&options, argc, argv)) {
	case CMDLINE_DONE:
		return EXIT_SUCCESS;
	case CMDLINE_WRONG:
		return EXIT_FAILURE;
	default:
		return trace_run(&options);
	}
}
