/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Strings that live until the end of the run, each one once.
 */
#ifndef TRACER_INTERN_H
#define TRACER_INTERN_H

#include <stddef.h>

/* The one copy of these bytes, NUL-terminated; NULL if memory is short. */
const char *intern(const char *bytes, size_t length);

/* Frees them all. */
void intern_fini(void);

#endif
