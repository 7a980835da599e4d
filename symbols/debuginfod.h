/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Separate debug files from the servers that DEBUGINFOD_URLS names, by
 * elfutils' library, which is loaded only if it is wanted.  It may wait for
 * the network, and so must have been asked for.
 */
#ifndef TRACER_DEBUGINFOD_H
#define TRACER_DEBUGINFOD_H

/* From now on servers are asked.  Returns NULL, or why that cannot be. */
const char *debuginfod_init(void);
void debuginfod_fini(void);

/*
 * A descriptor of the debug file for a build-id (hexadecimal).  -1: there is
 * none, or servers are not to be asked.
 */
int debuginfod_open(const char *build_id);

#endif
