/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The back end of our own: it applies the rules that the modules' sites have
 * ready.  It never guesses: what it does not understand is left to a library's
 * back end, from that frame on.
 */
#include "unwind-backend.h"

#include "symbols/module.h"

/* ---- expressions ---- */

/* DWARF's operations, as far as unwind tables have them. */
enum {
	OP_DEREF = 0x06,
	OP_CONST1U = 0x08,
	OP_CONST1S,
	OP_CONST2U,
	OP_CONST2S,
	OP_CONST4U,
	OP_CONST4S,
	OP_CONST8U,
	OP_CONST8S,
	OP_CONSTU,
	OP_CONSTS,
	OP_DUP,
	OP_DROP,
	OP_OVER,
	OP_SWAP = 0x16,
	OP_AND = 0x1a,
	OP_MINUS = 0x1c,
	OP_MUL = 0x1e,
	OP_OR = 0x21,
	OP_PLUS,
	OP_PLUS_UCONST,
	OP_SHL,
	OP_SHR,
	OP_XOR = 0x27,
	OP_EQ = 0x29,
	OP_GE,
	OP_GT,
	OP_LE,
	OP_LT,
	OP_NE,
	OP_LIT0 = 0x30,
	OP_LIT31 = 0x4f,
	OP_BREG0 = 0x70,
	OP_BREG31 = 0x8f,
	OP_NOP = 0x96,
};

enum { STACK_SIZE = 16 };

struct evaluation {
	struct walk *walk;
	const struct registers *regs;
	const uint8_t *at, *end;
	uint64_t stack[STACK_SIZE];
	unsigned depth;
	bool failed;
};

static void push(struct evaluation *e, uint64_t value)
{
	if (e->depth == STACK_SIZE)
		e->failed = true;
	else
		e->stack[e->depth++] = value;
}

static uint64_t pop(struct evaluation *e)
{
	if (!e->depth) {
		e->failed = true;
		return 0;
	}
	return e->stack[--e->depth];
}

static uint64_t operand(struct evaluation *e, unsigned size)
{
	uint64_t value = 0;

	if ((size_t)(e->end - e->at) < size) {
		e->failed = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)e->at[i] << 8 * i;
	e->at += size;
	return value;
}

static uint64_t leb128(struct evaluation *e, bool is_signed)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		byte = operand(e, 1);
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	if (is_signed && (byte & 0x40) && shift < 64)
		value |= ~(uint64_t)0 << shift;
	return value;
}

static bool push_constant(struct evaluation *e, uint8_t op)
{
	switch (op) {
	case OP_CONST1U:
		push(e, operand(e, 1));
		return true;
	case OP_CONST1S:
		push(e, (int8_t)operand(e, 1));
		return true;
	case OP_CONST2U:
		push(e, operand(e, 2));
		return true;
	case OP_CONST2S:
		push(e, (int16_t)operand(e, 2));
		return true;
	case OP_CONST4U:
		push(e, operand(e, 4));
		return true;
	case OP_CONST4S:
		push(e, (int32_t)operand(e, 4));
		return true;
	case OP_CONST8U:
	case OP_CONST8S:
		push(e, operand(e, 8));
		return true;
	case OP_CONSTU:
		push(e, leb128(e, false));
		return true;
	case OP_CONSTS:
		push(e, leb128(e, true));
		return true;
	default:
		if (op < OP_LIT0 || op > OP_LIT31)
			return false;
		push(e, op - OP_LIT0);
		return true;
	}
}

static bool combine(struct evaluation *e, uint8_t op)
{
	uint64_t right = pop(e), left = pop(e);
	int64_t r = right, l = left;

	switch (op) {
	case OP_AND:
		push(e, left & right);
		return true;
	case OP_MINUS:
		push(e, left - right);
		return true;
	case OP_MUL:
		push(e, left * right);
		return true;
	case OP_OR:
		push(e, left | right);
		return true;
	case OP_PLUS:
		push(e, left + right);
		return true;
	case OP_SHL:
		push(e, right < 64 ? left << right : 0);
		return true;
	case OP_SHR:
		push(e, right < 64 ? left >> right : 0);
		return true;
	case OP_XOR:
		push(e, left ^ right);
		return true;
	case OP_EQ:
		push(e, l == r);
		return true;
	case OP_GE:
		push(e, l >= r);
		return true;
	case OP_GT:
		push(e, l > r);
		return true;
	case OP_LE:
		push(e, l <= r);
		return true;
	case OP_LT:
		push(e, l < r);
		return true;
	case OP_NE:
		push(e, l != r);
		return true;
	default:
		return false;
	}
}

static bool arrange(struct evaluation *e, uint8_t op)
{
	uint64_t top, next;

	switch (op) {
	case OP_NOP:
		return true;
	case OP_DUP:
		top = pop(e);
		push(e, top);
		push(e, top);
		return true;
	case OP_DROP:
		pop(e);
		return true;
	case OP_OVER:
		top = pop(e);
		next = pop(e);
		push(e, next);
		push(e, top);
		push(e, next);
		return true;
	case OP_SWAP:
		top = pop(e);
		next = pop(e);
		push(e, top);
		push(e, next);
		return true;
	default:
		return combine(e, op);
	}
}

static bool execute(struct evaluation *e, uint8_t op)
{
	uint64_t value;

	if (op >= OP_BREG0 && op <= OP_BREG31) {
		unsigned reg = op - OP_BREG0;

		if (reg >= e->walk->arch->count ||
		    !(e->regs->known & 1u << reg))
			return false;
		push(e, e->regs->value[reg] + leb128(e, true));
		return true;
	}
	switch (op) {
	case OP_DEREF:
		if (!walk_read(e->walk, pop(e), &value))
			return false;
		push(e, value);
		return true;
	case OP_PLUS_UCONST:
		value = pop(e);
		push(e, value + leb128(e, false));
		return true;
	default:
		return push_constant(e, op) || arrange(e, op);
	}
}

/* There are no jumps: it ends with the expression. */
static bool evaluate(struct walk *walk, const struct registers *regs,
		     const struct cfi_expression *expression,
		     const uint64_t *first, uint64_t *result)
{
	struct evaluation e = {
		.walk = walk,
		.regs = regs,
		.at = expression->code,
		.end = expression->code + expression->size,
	};

	if (first)
		push(&e, *first);
	while (e.at < e.end)
		if (!execute(&e, *e.at++) || e.failed)
			return false;
	*result = pop(&e);
	if (walk->arch->word == 4)
		*result = (uint32_t)*result;
	return !e.failed;
}

/* ---- rules ---- */

static uint64_t truncate_address(const struct walk *walk, uint64_t address)
{
	return walk->arch->word == 4 ? (uint32_t)address : address;
}

/* The value of a register in the caller.  False: not to be had. */
static bool apply(struct walk *walk, const struct registers *regs,
		  const struct cfi_saved *saved, uint64_t cfa, uint64_t *value)
{
	uint64_t address;

	switch (saved->rule) {
	case CFI_AT:
		return walk_read(walk,
				 truncate_address(walk, cfa + saved->offset),
				 value);
	case CFI_IS:
		*value = truncate_address(walk, cfa + saved->offset);
		return true;
	case CFI_REGISTER:
		*value = regs->value[saved->reg];
		return regs->known & 1u << saved->reg;
	case CFI_AT_EXPRESSION:
		return evaluate(walk, regs, &saved->expression, &cfa,
				&address) &&
			walk_read(walk, address, value);
	case CFI_IS_EXPRESSION:
		return evaluate(walk, regs, &saved->expression, &cfa, value);
	default:
		return false;
	}
}

/*
 * The caller's registers.  Those that a call may change are lost, unless the
 * frame is of a signal: then all are saved.
 */
static enum walk_end step(struct walk *walk, const struct cfi_row *row,
			  const struct registers *regs,
			  struct registers *caller)
{
	const struct unwind_arch *arch = walk->arch;
	uint64_t cfa;

	if (row->return_column != arch->pc)
		return WALK_LOST;
	if (row->cfa_is_expression) {
		if (!evaluate(walk, regs, &row->cfa, NULL, &cfa))
			return WALK_LOST;
	} else if (regs->known & 1u << row->cfa_reg) {
		cfa = truncate_address(walk, regs->value[row->cfa_reg] +
				       row->cfa_offset);
	} else {
		return WALK_LOST;
	}
	*caller = *regs;
	if (!row->signal)
		caller->known &= arch->preserved;
	/* The CFA is by definition what the stack pointer was. */
	caller->value[arch->sp] = cfa;
	caller->known |= 1u << arch->sp;
	caller->known &= ~(1u << arch->pc);
	for (unsigned i = 0; i < row->count; i++) {
		const struct cfi_saved *saved = &row->saved[i];
		uint64_t value;

		if (saved->rule == CFI_UNDEFINED) {
			if (saved->which == arch->pc)
				return WALK_OUTERMOST;
			caller->known &= ~(1u << saved->which);
		} else if (apply(walk, regs, saved, cfa, &value)) {
			caller->value[saved->which] = value;
			caller->known |= 1u << saved->which;
		} else if (saved->which == arch->pc ||
			   saved->which == arch->sp) {
			return WALK_LOST;
		} else {
			caller->known &= ~(1u << saved->which);
		}
	}
	return caller->known & 1u << arch->pc ? WALK_STOPPED : WALK_LOST;
}

/* ---- walking ---- */

static bool knows(const struct unwind_arch *arch)
{
	(void)arch;
	return true;
}

static enum walk_end walk(struct walk *walk, const struct frame_state *from,
			  walk_frame_fn *frame, void *frame_context)
{
	struct registers regs = from->regs, caller;
	uint64_t address = from->address;

	for (;;) {
		const struct code_place *place = walk_place(walk, address);
		bool signal;

		if (!place || !place->site || !place->site->row)
			return WALK_LOST;
		signal = place->site->row->signal;

		enum walk_end end = step(walk, place->site->row, &regs,
					 &caller);

		if (end != WALK_STOPPED)
			return end;
		if (!frame(frame_context, &caller))
			return WALK_STOPPED;
		regs = caller;
		address = regs.value[walk->arch->pc] - !signal;
	}
}

static void forget(struct space *space)
{
	(void)space;
}

const struct unwind_backend unwind_cfi = {
	.name = "cfi",
	.id = UNWINDER_CFI,
	.knows = knows,
	.walk = walk,
	.forget = forget,
};
