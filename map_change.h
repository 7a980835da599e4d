/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which part of its memory map a tracee has changed by a system call.
 */
#ifndef TRACER_MAP_CHANGE_H
#define TRACER_MAP_CHANGE_H

struct tracee;

/* The call that has just returned with success changed the map. */
void map_change_publish(struct tracee *tracee);

#endif
