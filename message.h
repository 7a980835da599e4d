/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages of the tracer to its user, on standard error, behind the name that
 * it was called by.
 */
#ifndef TRACER_MESSAGE_H
#define TRACER_MESSAGE_H

/* "tracer: TEXT\n", in one write. */
__attribute__((format(printf, 1, 2)))
void message(const char *format, ...);

/* "tracer: TEXT: what errno says\n"; errno survives. */
__attribute__((format(printf, 1, 2)))
void message_errno(const char *format, ...);

#endif
