/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interpreter of descriptions: a call's arguments in two halves, at entry
 * and at exit, and its result.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "decode/interpret.h"

void decoder_reset(struct decoder *d)
{
	d->result = 0;
	d->error = 0;
	d->exiting = false;
	d->shown = 0;
	d->depth = 0;
	d->variant = NULL;
	d->scope = NULL;
	d->before_known = 0;
	d->changing = false;
	d->snapshot.len = 0;
}

/* ---- which arguments, and where they are ---- */

/*
 * The argument in position i, own ones first, then the variant's; and the
 * first register that it takes.
 */
static const struct arg *locate(const struct decoder *d, unsigned i,
				unsigned *reg)
{
	const struct arg *arg = d->sysent->desc->args;
	bool own = true;
	unsigned taken = 0;

	*reg = 0;
	if (d->sysent->plain_args) {
		*reg = i;
		return i < d->sysent->plain_args ? arg + i : NULL;
	}
	for (;; arg++, i--) {
		if (!arg->type && own && d->variant) {
			own = false;
			arg = d->variant->args;
		}
		if (!arg->type)
			return NULL;
		if (!arg->again)
			*reg += taken;
		if (!i)
			return arg;
		taken = arg_registers(arg, d->abi);
	}
}

static const struct arg *arg_at(const struct decoder *d, unsigned i)
{
	unsigned reg;

	return locate(d, i, &reg);
}

static uint64_t register_value(const struct decoder *d, unsigned i)
{
	const struct syscall *desc = d->sysent->desc;

	if (desc && i < 6 && desc->order[i])
		i = desc->order[i] - 1;
	return i < 6 ? d->args[i] : 0;
}

uint64_t decode_arg_value(const struct decoder *d, unsigned i)
{
	unsigned reg;
	const struct arg *arg;
	uint64_t value;

	if (!d->sysent->desc)
		return register_value(d, i);
	arg = locate(d, i, &reg);
	if (!arg)
		return register_value(d, i);
	value = register_value(d, reg);
	if (arg_registers(arg, d->abi) == 2)
		value = (uint32_t)value | register_value(d, reg + 1) << 32;
	return decode_normalize(d->abi, arg_ctype(arg), value);
}

static void choose_variant(struct decoder *d)
{
	const struct syscall *desc = d->sysent->desc;
	uint64_t value;

	if (desc->variant_of)
		d->variant = desc->variant_of(decode_ref(d, &desc->select));
	if (!desc->variant_count)
		return;
	value = decode_ref(d, &desc->select);
	for (size_t i = 0; i < desc->variant_count; i++) {
		const struct variant *v = &desc->variants[i];

		if (v->otherwise ? !d->variant : v->value == value) {
			d->variant = v;
			if (!v->otherwise)
				return;
		}
	}
}

/* ---- showing one argument ---- */

static bool is_pointer(struct decoder *d, const struct type *type)
{
	while (type && type->kind == KIND_SELECT)
		type = decode_choose(d, type);
	return type && (type->kind == KIND_PTR || type->kind == KIND_PATH ||
			type->kind == KIND_STR || type->kind == KIND_BYTES);
}

/* An INOUT pointer to a number: its value at entry is worth keeping. */
static bool is_pointer_to_number(const struct arg *arg)
{
	return arg->type->kind == KIND_PTR &&
	       arg->type->to->kind <= KIND_FLAGS;
}

/* An INOUT pointer to a structure of which some fields may change. */
static bool is_pointer_to_changing(const struct arg *arg)
{
	const struct structure *structure;

	if (arg->type->kind != KIND_PTR || arg->type->to->kind != KIND_STRUCT)
		return false;
	structure = arg->type->to->structure;
	for (size_t i = 0; i < structure->count; i++)
		if (structure->fields[i].show & SHOW_CHANGE)
			return true;
	return false;
}

static bool is_shown_at_exit(const struct arg *arg)
{
	return is_pointer_to_number(arg) || is_pointer_to_changing(arg);
}

static void remember_structure(struct decoder *d, const struct arg *arg,
			       unsigned i)
{
	size_t size = structure_layout(arg->type->to->structure, d->abi)->size;

	if (size > MAX_SNAPSHOT)
		size = MAX_SNAPSHOT;
	d->snapshot.addr = decode_arg_value(d, i);
	d->snapshot.len = view_read(d->view, d->snapshot.addr,
				    d->snapshot.bytes, size);
}

static void remember_before(struct decoder *d, const struct arg *arg,
			    unsigned i)
{
	enum ctype ctype = arg->type->to->ctype;
	uint8_t bytes[8];

	if (i >= MAX_ARGS || !d->options->follow_pointers)
		return;
	if (is_pointer_to_changing(arg)) {
		remember_structure(d, arg, i);
		return;
	}
	if (view_read_exactly(d->view, decode_arg_value(d, i), bytes,
			      ctype_size(ctype, d->abi))) {
		d->before[i] = decode_load(d, ctype, bytes);
		d->before_known |= 1 << i;
	}
}

/* [16 => 8], or [16] if it did not change. */
static void show_number_change(struct decoder *d, const struct arg *arg,
			       unsigned i, uint64_t addr)
{
	const struct type *to = arg->type->to;
	uint64_t after = d->before[i];
	uint8_t bytes[8];

	if (!(d->before_known & 1 << i)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	if (arg->room_of && !decode_arg_value(d, arg->room_of - 1)) {
		SINK_CALL(d->sink, address, addr);
		return;
	}
	/* a call that failed may have told how much room it needs */
	if (!(arg->room_of && d->error) && view_read_exactly(
			d->view, addr, bytes, ctype_size(to->ctype, d->abi)))
		after = decode_load(d, to->ctype, bytes);
	SINK_CALL(d->sink, array_begin, ARRAY_LIST);
	SINK_CALL(d->sink, item);
	if (after == d->before[i]) {
		decode_value(d, to, CT_DEFAULT, after);
	} else {
		SINK_CALL(d->sink, change_begin);
		decode_value(d, to, CT_DEFAULT, d->before[i]);
		SINK_CALL(d->sink, change_to);
		decode_value(d, to, CT_DEFAULT, after);
		SINK_CALL(d->sink, change_end);
	}
	SINK_CALL(d->sink, array_end);
}

/* What was there at entry, though the call has changed it since. */
static void show_kept(struct decoder *d, const struct arg *arg, uint64_t addr)
{
	struct place place = {
		.addr = addr,
		.bytes = d->snapshot.bytes,
		.len = d->snapshot.len,
	};

	if (addr && addr == d->snapshot.addr &&
	    place.len == sizeof_type(arg->type->to, CT_DEFAULT, d->abi))
		decode_object(d, arg->type->to, CT_DEFAULT, &place);
	else
		SINK_CALL(d->sink, address, addr);
}

/* A pointer to an array that the caller has given no room. */
static bool is_empty_array(struct decoder *d, const struct type *type)
{
	if (type->kind == KIND_SELECT)
		type = decode_choose(d, type);
	return type && type->kind == KIND_PTR &&
	       type->to->kind == KIND_ARRAY &&
	       type->to->length.kind != REF_RESULT &&
	       !decode_ref(d, &type->to->length);
}

static void begin_arg(struct decoder *d, const struct arg *arg)
{
	SINK_CALL(d->sink, arg, arg->name, arg->named ? ARG_NAMED : 0);
}

static void show_arg(struct decoder *d, const struct arg *arg, unsigned i)
{
	uint64_t value = decode_arg_value(d, i);

	begin_arg(d, arg);
	if (arg->dir == DIR_INOUT && is_pointer_to_number(arg))
		show_number_change(d, arg, i, value);
	else if (arg->dir == DIR_KEPT)
		show_kept(d, arg, value);
	else if (arg->dir == DIR_OUT && d->error && is_pointer(d, arg->type) &&
		 !is_empty_array(d, arg->type))
		SINK_CALL(d->sink, address, value);
	else
		decode_value(d, arg->type, arg_ctype(arg), value);
}

/*
 * An INOUT pointer to anything else: what is there at entry is shown then,
 * and what it has become is added at exit.
 */
static void show_before(struct decoder *d, const struct arg *arg, unsigned i)
{
	begin_arg(d, arg);
	SINK_CALL(d->sink, change_begin);
	decode_value(d, arg->type, arg_ctype(arg), decode_arg_value(d, i));
	d->changing = true;
}

static void show_after(struct decoder *d)
{
	const struct arg *arg = arg_at(d, d->shown - 1);
	const struct type *type = arg->after ? arg->after : arg->type;

	if (type->kind == KIND_SELECT)
		type = decode_choose(d, type);
	if (type && (arg->after || !d->error) &&
	    decode_arg_value(d, d->shown - 1)) {
		SINK_CALL(d->sink, change_to);
		decode_value(d, type, arg_ctype(arg),
			     decode_arg_value(d, d->shown - 1));
	}
	SINK_CALL(d->sink, change_end);
	d->changing = false;
}

/* ---- calls without a description, or shown without it ---- */

static bool is_described(const struct decoder *d)
{
	return d->sysent->desc && !d->options->raw;
}

static void show_generic(struct decoder *d)
{
	const struct syscall_number *number = d->sysent->number;
	unsigned count = number ? number->nargs : 6;
	char name[] = "arg1";

	if (d->sysent->desc && d->sysent->desc->raw_count)
		count = d->sysent->desc->raw_count;
	for (unsigned i = 0; i < count && i < 6; i++) {
		name[3] = '1' + i;
		SINK_CALL(d->sink, arg, number && number->arg_names
			  ? number->arg_names[i] : name, 0);
		SINK_CALL(d->sink, number,
			  decode_normalize(d->abi, ULONG, d->args[i]),
			  BASE_HEX);
	}
	d->shown = count;
}

/* ---- entry and exit ---- */

uint64_t decode_failed(struct decoder *d)
{
	return d->error != 0;
}

void decode_entry(struct decoder *d)
{
	const struct arg *arg;
	unsigned i;

	if (!is_described(d)) {
		show_generic(d);
		return;
	}
	choose_variant(d);
	for (; (arg = arg_at(d, d->shown)); d->shown++) {
		if (arg->dir == DIR_AUX)
			continue;
		if (arg->dir == DIR_INOUT && !is_shown_at_exit(arg)) {
			if (decode_cond(d, &arg->when))
				show_before(d, arg, d->shown);
			d->shown++;
			break;
		}
		if (arg->dir != DIR_IN)
			break;
		if (decode_cond(d, &arg->when))
			show_arg(d, arg, d->shown);
	}
	for (i = d->shown; (arg = arg_at(d, i)); i++)
		if (arg->dir == DIR_KEPT && d->options->follow_pointers)
			remember_structure(d, arg, i);
		else if (arg->dir == DIR_INOUT && is_shown_at_exit(arg))
			remember_before(d, arg, i);
}

static const struct {
	int error;
	const char *text;
} restarts[] = {
	{ 512, "To be restarted if SA_RESTART is set" },
	{ 513, "To be restarted" },
	{ 514, "To be restarted if no handler" },
	{ 516, "Interrupted by signal" },
};

static void show_error(struct decoder *d)
{
	const char *name = constset_name(&set_errnos, d->abi, d->error);
	const char *text;
	char unknown[32];

	for (size_t i = 0; i < sizeof(restarts) / sizeof(*restarts); i++) {
		if (restarts[i].error == d->error && !d->options->raw) {
			SINK_CALL(d->sink, restart, d->error, name,
				  restarts[i].text);
			return;
		}
	}
	text = strerrordesc_np(d->error);
	if (!text) {
		snprintf(unknown, sizeof(unknown), "Unknown error %d",
			 d->error);
		text = unknown;
	}
	SINK_CALL(d->sink, error, d->error, name, text);
}

static void show_result(struct decoder *d)
{
	const struct syscall *desc = d->sysent->desc;
	const struct type *type = desc ? desc->returns : NULL;

	if (d->variant && d->variant->returns)
		type = d->variant->returns;
	SINK_CALL(d->sink, result_begin);
	if (d->error)
		show_error(d);
	else if (d->options->raw)
		SINK_CALL(d->sink, number, d->result, BASE_HEX);
	else if (!type)
		SINK_CALL(d->sink, number, decode_normalize(d->abi, LONG,
							    d->result),
			  BASE_SIGNED);
	else
		decode_value(d, type, CT_DEFAULT, d->result);
}

/* A constant that has no name says nothing that the result has not said. */
static bool says_nothing(struct decoder *d, const struct arg *arg)
{
	const struct constset *set = arg->type->set;

	if (arg->index != OF_RESULT)
		return false;
	if (arg->type->kind == KIND_ENUM)
		return !constset_name(set, d->abi, d->result);
	if (arg->type->print != print_names || set->base)
		return false;
	for (size_t i = 0; i < set->count; i++)
		if (set->members[i].value ? set->members[i].value & d->result
					  : !d->result)
			return false;
	return true;
}

static void show_aux(struct decoder *d)
{
	const struct arg *arg;

	for (unsigned i = 0; (arg = arg_at(d, i)); i++) {
		if (arg->dir != DIR_AUX || !decode_cond(d, &arg->when) ||
		    says_nothing(d, arg))
			continue;
		SINK_CALL(d->sink, aux, arg->name);
		decode_value(d, arg->type, arg->ctype,
			     arg->index == OF_RESULT ? (uint64_t)d->result :
			     decode_arg_value(d, arg->index));
	}
}

void decode_exit(struct decoder *d)
{
	const struct arg *arg;

	d->exiting = true;
	if (d->changing)
		show_after(d);
	if (is_described(d)) {
		for (; (arg = arg_at(d, d->shown)); d->shown++)
			if (arg->dir != DIR_AUX && decode_cond(d, &arg->when))
				show_arg(d, arg, d->shown);
	}
	show_result(d);
	if (is_described(d) && !d->error)
		show_aux(d);
}

void decode_lost(struct decoder *d)
{
	const struct arg *arg;

	d->exiting = true;
	if (d->changing) {
		SINK_CALL(d->sink, change_end);
		d->changing = false;
	}
	arg = is_described(d) ? arg_at(d, d->shown) : NULL;
	if (arg && arg->dir != DIR_AUX)
		SINK_CALL(d->sink, args_lost);
	SINK_CALL(d->sink, result_begin);
}
