/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Classic BPF: the programs that filter packets, and system calls.
 */
#include <inttypes.h>
#include <stdio.h>

#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

STRUCTURE(sock_fprog,
	FIELD(len, U16, DEC_OF(U16)),
	FIELD(filter, POINTER, ADDR));

STRUCTURE_AS(seccomp_fprog, "struct sock_fprog",
	FIELD(len, U16, DEC_OF(U16)),
	FIELD(filter, POINTER, ADDR));
