/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Calls that belong to no larger subject.
 */
#include "decode/decode.h"
#include "decode/structures.h"

SYSCALL(getrandom, 0, ARGS(
	OUT(buf, BYTES_HEX(RESULT)),
	ARG(buflen, SIZE),
	ARG(flags, FLAGS(getrandom_flags))),
	.returns = SSIZE);

STRUCTURE(ns_id_req,
	FIELD(size, UINT, UDEC),
	FIELD(spare, UINT, HEX, .show = SHOW_NONZERO),
	FIELD(ns_id, U64, HEX64),
	FIELD(ns_type, UINT, FLAGS(namespace_types)),
	FIELD(spare2, UINT, HEX, .show = SHOW_NONZERO),
	FIELD(user_ns_id, U64, NAMED(U64, listns_users)));

STRUCTURE_UNNAMED(ns_id_req_size,
	FIELD(size, UINT, UDEC));

enum { NS_ID_REQ_SIZE = 32 };

static uint64_t ns_id_req_is_short(struct decoder *d)
{
	return decode_ref(d, &(struct ref)POINTEE(0)) < NS_ID_REQ_SIZE;
}

/* Of a request that is smaller than any that was ever right, the size. */
#define NS_ID_REQ							\
	SELECT(CALC(ns_id_req_is_short),				\
	       CHOICE(1, PTR_TO(ns_id_req_size)),			\
	       OTHERWISE(PTR(STRUCT_SIZED(ns_id_req, NS_ID_REQ_SIZE,	\
					  POINTEE(0)))))
/* As many as the call has room for. */
static uint64_t ns_ids_filled(struct decoder *d)
{
	uint64_t room = decode_arg_value(d, 2);
	uint64_t filled = d->result;

	return d->error || filled > room ? room : filled;
}

SYSCALL(listns, 0, ARGS(
	ARG(req, NS_ID_REQ),
	OUT(ns_ids, PTR(ARRAY(HEX64, CALC(ns_ids_filled)))),
	ARG(nr_ns_ids, SIZE),
	ARG(flags, HEX)),
	.returns = SSIZE);

/* ---- calls of the past ---- */

SYSCALL(uselib, TRACE_FILE | CHANGES_MAP, ARGS(
	ARG(path, PATH)));

STRUCTURE(__sysctl_args,
	FIELD(name, POINTER, ADDR),
	FIELD(nlen, INT, DEC),
	FIELD(oldval, POINTER, ADDR),
	FIELD(oldlenp, POINTER, ADDR),
	FIELD(newval, POINTER, ADDR),
	FIELD(newlen, ULONG, SIZE),
	PADDING(ULONG, .count = 4));

SYSCALL(_sysctl, 0, ARGS(
	ARG(args, PTR_TO(__sysctl_args))));

/* All registers that a virtual 8086 monitor has ever been given. */
SYSCALL_ON(ON_I386, vm86, 0, ARGS(
	ARG(cmd, HEXLONG),
	ARG(arg, HEXLONG),
	ARG(arg3, HEXLONG),
	ARG(arg4, HEXLONG),
	ARG(arg5, HEXLONG)));

SYSCALL(lookup_dcookie, 0, ARGS(
	ARG(cookie, DEC_OF(U64)),
	OUT(buffer, BYTES(RESULT)),
	ARG(len, SIZE)));
