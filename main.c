/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program: from the command line to the engine.
 */
#include <stdlib.h>

#include "cli/cmdline.h"
#include "message.h"
#include "sysent.h"
#include "trace.h"

int main(int argc, char **argv)
{
	struct options options;
	int status = EXIT_FAILURE;

	if (!sysent_init()) {
		message("out of memory");
		return EXIT_FAILURE;
	}
	switch (cmdline_parse(&options, argc, argv)) {
	case CMDLINE_TRACE:
		status = trace_run(&options);
		break;
	case CMDLINE_DONE:
		status = EXIT_SUCCESS;
		break;
	case CMDLINE_WRONG:
		break;
	}
	cmdline_free(&options);
	return status;
}
