/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Credentials: the ids of users and groups, keys and keyrings.
 */
#include "decode/decode.h"
#include "decode/interpret.h"
#include "decode/structures.h"

/* ---- ids: i386 has each call twice, the older one with 16 bits ---- */

#define ID16	TYPE(.kind = KIND_SCALAR, .ctype = U16, .print = print_id)

/* A call on all ABIs; i386's is called name32, and the 16-bit one name. */
#define ID_CALL(name_, classes_, args_, ...)				\
	SYSCALL_ON(ON_64BIT_CALLS, name_, classes_, args_(UID),		\
		   ##__VA_ARGS__);					\
	SYSCALL_ON(ON_I386, name_##32, classes_, args_(UID),		\
		   ##__VA_ARGS__);					\
	SYSCALL_ON(ON_I386, name_, classes_, args_(ID16), ##__VA_ARGS__)

#define GET_ID(id_)		NO_ARGS
#define SET_ID(id_)		ARGS(ARG(uid, id_))
#define SET_FS_ID(id_)		ARGS(ARG(fsuid, id_))
#define SET_TWO_IDS(id_)	ARGS(ARG(ruid, id_), ARG(euid, id_))
#define SET_THREE_IDS(id_) \
	ARGS(ARG(ruid, id_), ARG(euid, id_), ARG(suid, id_))
#define GET_THREE_IDS(id_) \
	ARGS(OUT(ruid, PTR(id_)), OUT(euid, PTR(id_)), OUT(suid, PTR(id_)))

ID_CALL(getuid, TRACE_CREDS | TRACE_PURE, GET_ID, .returns = UID);
ID_CALL(geteuid, TRACE_CREDS | TRACE_PURE, GET_ID, .returns = UID);
ID_CALL(getgid, TRACE_CREDS | TRACE_PURE, GET_ID, .returns = UID);
ID_CALL(getegid, TRACE_CREDS | TRACE_PURE, GET_ID, .returns = UID);
ID_CALL(setuid, TRACE_CREDS, SET_ID);
ID_CALL(setgid, TRACE_CREDS, SET_ID);
ID_CALL(setfsuid, TRACE_CREDS, SET_FS_ID, .returns = UID);
ID_CALL(setfsgid, TRACE_CREDS, SET_FS_ID, .returns = UID);
ID_CALL(setreuid, TRACE_CREDS, SET_TWO_IDS);
ID_CALL(setregid, TRACE_CREDS, SET_TWO_IDS);
ID_CALL(setresuid, TRACE_CREDS, SET_THREE_IDS);
ID_CALL(setresgid, TRACE_CREDS, SET_THREE_IDS);
ID_CALL(getresuid, TRACE_CREDS, GET_THREE_IDS);
ID_CALL(getresgid, TRACE_CREDS, GET_THREE_IDS);

/* ---- supplementary groups ---- */

enum { MAX_GROUPS = 65536 };

static uint64_t groups_given(struct decoder *d)
{
	return decode_arg_value(d, 0);
}

static uint64_t too_many_groups(struct decoder *d)
{
	return groups_given(d) > MAX_GROUPS;
}

static uint64_t too_many_groups_got(struct decoder *d)
{
	return (uint64_t)d->result > MAX_GROUPS;
}

#define GET_GROUPS(id_) ARGS(						\
	ARG(size, DEC),							\
	OUT(list, SELECT(CALC(too_many_groups_got), CHOICE(1, ADDR),	\
		OTHERWISE(PTR(ARRAY(id_, RESULT))))))
#define SET_GROUPS(id_) ARGS(						\
	ARG(size, DEC),							\
	ARG(list, SELECT(CALC(too_many_groups), CHOICE(1, ADDR),	\
		OTHERWISE(PTR(ARRAY(id_, CALC(groups_given)))))))

ID_CALL(getgroups, TRACE_CREDS, GET_GROUPS);
ID_CALL(setgroups, TRACE_CREDS, SET_GROUPS);

/* ---- keys ---- */

#define KEY	NAMED(INT, key_serials)

SYSCALL(add_key, 0, ARGS(
	ARG(type, STR),
	ARG(description, STR),
	ARG(payload, BYTES(ARGV(3))),
	ARG(plen, SIZE),
	ARG(keyring, KEY)));

SYSCALL(request_key, 0, ARGS(
	ARG(type, STR),
	ARG(description, STR),
	ARG(callout_info, STR),
	ARG(dest_keyring, KEY)));

STRUCTURE(keyctl_dh_params,
	FIELD(private, INT, KEY),
	FIELD(prime, INT, KEY),
	FIELD(base, INT, KEY));

STRUCTURE(keyctl_kdf_params,
	FIELD(hashname, POINTER, STR),
	FIELD(otherinfo, POINTER, BYTES(SIBLING(otherinfolen))),
	FIELD(otherinfolen, UINT, UDEC),
	FIELD(__spare, UINT, HEX, .count = 8, .show = SHOW_NONZERO));

STRUCTURE(keyctl_pkey_query,
	FIELD(supported_ops, UINT, FLAGS(keyctl_pkey_operations)),
	FIELD(key_size, UINT, UDEC),
	FIELD(max_data_size, U16, DEC_OF(U16)),
	FIELD(max_sig_size, U16, DEC_OF(U16)),
	FIELD(max_enc_size, U16, DEC_OF(U16)),
	FIELD(max_dec_size, U16, DEC_OF(U16)),
	FIELD(__spare, UINT, HEX, .count = 10, .show = SHOW_NONZERO));

/* The last word is a length of what is written, or of what is read. */
STRUCTURE(keyctl_pkey_params,
	FIELD(key_id, INT, KEY),
	FIELD(in_len, UINT, UDEC),
	FIELD(out_len, UINT, UDEC),
	FIELD(__spare, UINT, HEX, .count = 7, .show = SHOW_NONZERO));

#define OP(name_, ...)	VARIANT(V_KEYCTL_##name_, ARGS(__VA_ARGS__))
#define TIMEOUT		ARG(timeout, UDEC)
#define KEY_ARG		ARG(key, KEY)
#define KEYRING		ARG(keyring, KEY)
#define PAYLOAD		ARG(payload, BYTES(ARGV(3))), ARG(plen, SIZE)
#define BUFFER(type_)	OUT(buffer, type_), ARG(buflen, SIZE)

static uint64_t pkey_length(struct decoder *d, unsigned word)
{
	uint32_t params[3];

	return view_read_exactly(d->view, decode_arg_value(d, 1), params,
				 sizeof(params)) ? params[word] : 0;
}

static uint64_t pkey_in_length(struct decoder *d)
{
	return pkey_length(d, 1);
}

static uint64_t pkey_in2_length(struct decoder *d)
{
	return pkey_length(d, 2);
}

static uint64_t pkey_is_unreadable(struct decoder *d)
{
	return !pkey_length(d, 1) && !pkey_length(d, 2);
}

#define PKEY_BYTES(length_)						\
	SELECT(CALC(pkey_is_unreadable), CHOICE(1, ADDR),		\
	       OTHERWISE(BYTES(CALC(length_))))
#define PKEY_READS							\
	ARG(params, PTR_TO(keyctl_pkey_params)),			\
	ARG(info, STR),							\
	ARG(in, PKEY_BYTES(pkey_in_length)),				\
	ARG(in2, PKEY_BYTES(pkey_in2_length))
#define PKEY_WRITES							\
	ARG(params, PTR_TO(keyctl_pkey_params)),			\
	ARG(info, STR),							\
	ARG(in, PKEY_BYTES(pkey_in_length)),				\
	OUT(out, BYTES(RESULT))

SYSCALL(keyctl, 0, ARGS(
	ARG(operation, ENUM(keyctl_operations))),
	.select = ARGV(0),
	VARIANTS(
		OP(GET_KEYRING_ID, KEY_ARG, ARG(create, DEC)),
		OP(JOIN_SESSION_KEYRING, ARG(name, STR)),
		OP(UPDATE, KEY_ARG, PAYLOAD),
		OP(REVOKE, KEY_ARG),
		OP(CHOWN, KEY_ARG, ARG(uid, UID), ARG(gid, GID)),
		OP(SETPERM, KEY_ARG, ARG(perms, FLAGS(key_permissions))),
		OP(DESCRIBE, KEY_ARG, BUFFER(STR)),
		OP(CLEAR, KEY_ARG),
		OP(LINK, KEY_ARG, KEYRING),
		OP(UNLINK, KEY_ARG, KEYRING),
		OP(SEARCH, KEYRING, ARG(type, STR), ARG(description, STR),
		   ARG(dest_keyring, KEY)),
		OP(READ, KEY_ARG, BUFFER(BYTES(RESULT))),
		OP(INSTANTIATE, KEY_ARG, PAYLOAD, KEYRING),
		OP(NEGATE, KEY_ARG, TIMEOUT, KEYRING),
		OP(SET_REQKEY_KEYRING,
		   ARG(reqkey_defl, ENUM_OF(INT, keyctl_reqkey_defaults))),
		OP(SET_TIMEOUT, KEY_ARG, TIMEOUT),
		OP(ASSUME_AUTHORITY, KEY_ARG),
		OP(GET_SECURITY, KEY_ARG, BUFFER(STR)),
		VARIANT(V_KEYCTL_SESSION_TO_PARENT, NO_ARGS),
		OP(REJECT, KEY_ARG, TIMEOUT, ARG(error, NAMED(INT, errnos)),
		   KEYRING),
		OP(INSTANTIATE_IOV, KEY_ARG, ARG(payload, IOVEC(ARGV(3))),
		   ARG(plen, SIZE), KEYRING),
		OP(INVALIDATE, KEY_ARG),
		OP(GET_PERSISTENT, ARG(uid, UID), KEYRING),
		OP(DH_COMPUTE, ARG(dh_params, PTR_TO(keyctl_dh_params)),
		   OUT(buffer, BYTES(RESULT)), ARG(buflen, SIZE),
		   ARG(kdf_params, PTR_TO(keyctl_kdf_params))),
		OP(PKEY_QUERY, KEY_ARG, ARG(reserved, HEXLONG),
		   ARG(params, STR), OUT(info, PTR_TO(keyctl_pkey_query))),
		OP(PKEY_ENCRYPT, PKEY_WRITES),
		OP(PKEY_DECRYPT, PKEY_WRITES),
		OP(PKEY_SIGN, PKEY_WRITES),
		OP(PKEY_VERIFY, PKEY_READS),
		OP(RESTRICT_KEYRING, KEYRING, ARG(type, STR),
		   ARG(restriction, STR)),
		OP(MOVE, KEY_ARG, ARG(from_keyring, KEY),
		   ARG(to_keyring, KEY),
		   ARG(flags, FLAGS(keyctl_move_flags))),
		OP(CAPABILITIES, OUT(buffer, BYTES_HEX(RESULT)),
		   ARG(buflen, SIZE)),
		OTHER_VARIANT(ARGS(
			ARG(arg2, HEXLONG),
			ARG(arg3, HEXLONG),
			ARG(arg4, HEXLONG),
			ARG(arg5, HEXLONG)))));
