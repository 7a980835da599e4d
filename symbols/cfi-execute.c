/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Executing the programs of call frame information: from an FDE to the rules
 * at an address.
 */
#include "symbols/cfi-internal.h"

#include <string.h>

/* Instructions; the first three have an operand in their low six bits. */
enum {
	OP_ADVANCE = 0x40,
	OP_OFFSET = 0x80,
	OP_RESTORE = 0xc0,
	OP_NOP = 0x00,
	OP_SET_LOCATION,
	OP_ADVANCE1,
	OP_ADVANCE2,
	OP_ADVANCE4,
	OP_OFFSET_EXTENDED,
	OP_RESTORE_EXTENDED,
	OP_UNDEFINED,
	OP_SAME_VALUE,
	OP_REGISTER,
	OP_REMEMBER_STATE,
	OP_RESTORE_STATE,
	OP_CFA,
	OP_CFA_REGISTER,
	OP_CFA_OFFSET,
	OP_CFA_EXPRESSION,
	OP_EXPRESSION,
	OP_OFFSET_EXTENDED_SF,
	OP_CFA_SF,
	OP_CFA_OFFSET_SF,
	OP_VALUE_OFFSET,
	OP_VALUE_OFFSET_SF,
	OP_VALUE_EXPRESSION,
	OP_GNU_ARGS_SIZE = 0x2e,
	OP_GNU_NEGATIVE_OFFSET_EXTENDED = 0x2f,
};

enum {
	STATES_MAX = 16,	/* that OP_REMEMBER_STATE may nest */
	RULE_SAME = 0xff,	/* no rule: the register keeps its value */
};

struct rule {
	uint8_t kind;		/* enum cfi_rule, or RULE_SAME */
	uint8_t reg;
	int64_t offset;
	struct cfi_expression expression;
};

struct state {
	bool cfa_known, cfa_is_expression;
	uint8_t cfa_reg;
	int64_t cfa_offset;
	struct cfi_expression cfa;
	struct rule rules[CFI_REGISTERS];
};

struct machine {
	const struct cfi *cfi;
	const struct cie *cie;
	struct state state;
	const struct state *initial;	/* NULL: executing the CIE's program */
	struct state stack[STATES_MAX];
	unsigned depth;
	uint64_t location;
};

static struct cfi_expression read_block(struct cursor *c)
{
	uint64_t size = cfi_read_uleb(c);
	struct cfi_expression block = { .code = c->at };

	cfi_skip(c, size);
	block.size = c->at - block.code;
	return block;
}

/* The rule of a register; one that we do not follow goes to a dummy. */
static struct rule *rule_of(struct machine *m, uint64_t reg)
{
	static struct rule dummy;

	return reg < CFI_REGISTERS ? &m->state.rules[reg] : &dummy;
}

static void set_rule(struct machine *m, uint64_t reg, uint8_t kind,
		     int64_t offset)
{
	*rule_of(m, reg) = (struct rule){ .kind = kind, .offset = offset };
}

static bool restore(struct machine *m, uint64_t reg)
{
	if (!m->initial)
		return false;
	if (reg < CFI_REGISTERS)
		m->state.rules[reg] = m->initial->rules[reg];
	return true;
}

static bool set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	m->state.cfa_known = true;
	m->state.cfa_is_expression = false;
	m->state.cfa_reg = reg;
	m->state.cfa_offset = offset;
	return reg < CFI_REGISTERS;
}

/* The instructions that say where a register of the caller is. */
static bool execute_rule(struct machine *m, struct cursor *c, uint8_t op)
{
	int64_t align = m->cie->data_align;
	uint64_t reg = cfi_read_uleb(c);
	struct rule *rule;

	switch (op) {
	case OP_OFFSET_EXTENDED:
		set_rule(m, reg, CFI_AT, cfi_read_uleb(c) * align);
		return true;
	case OP_OFFSET_EXTENDED_SF:
		set_rule(m, reg, CFI_AT, (uint64_t)cfi_read_sleb(c) * align);
		return true;
	case OP_GNU_NEGATIVE_OFFSET_EXTENDED:
		set_rule(m, reg, CFI_AT, -(cfi_read_uleb(c) * align));
		return true;
	case OP_VALUE_OFFSET:
		set_rule(m, reg, CFI_IS, cfi_read_uleb(c) * align);
		return true;
	case OP_VALUE_OFFSET_SF:
		set_rule(m, reg, CFI_IS, (uint64_t)cfi_read_sleb(c) * align);
		return true;
	case OP_RESTORE_EXTENDED:
		return restore(m, reg);
	case OP_UNDEFINED:
		set_rule(m, reg, CFI_UNDEFINED, 0);
		return true;
	case OP_SAME_VALUE:
		set_rule(m, reg, RULE_SAME, 0);
		return true;
	case OP_REGISTER: {
		uint64_t from = cfi_read_uleb(c);

		rule = rule_of(m, reg);
		*rule = (struct rule){ .kind = CFI_REGISTER, .reg = from };
		return from < CFI_REGISTERS;
	}
	case OP_EXPRESSION:
	case OP_VALUE_EXPRESSION:
		rule = rule_of(m, reg);
		*rule = (struct rule){
			.kind = op == OP_EXPRESSION ? CFI_AT_EXPRESSION :
				CFI_IS_EXPRESSION,
			.expression = read_block(c),
		};
		return true;
	default:
		return false;
	}
}

/* The instructions that say what the CFA is. */
static bool execute_cfa(struct machine *m, struct cursor *c, uint8_t op)
{
	int64_t align = m->cie->data_align;
	uint64_t reg;

	switch (op) {
	case OP_CFA:
		reg = cfi_read_uleb(c);
		return set_cfa(m, reg, cfi_read_uleb(c));
	case OP_CFA_SF:
		reg = cfi_read_uleb(c);
		return set_cfa(m, reg, (uint64_t)cfi_read_sleb(c) * align);
	case OP_CFA_REGISTER:
		return set_cfa(m, cfi_read_uleb(c), m->state.cfa_offset);
	case OP_CFA_OFFSET:
		return set_cfa(m, m->state.cfa_reg, cfi_read_uleb(c));
	case OP_CFA_OFFSET_SF:
		return set_cfa(m, m->state.cfa_reg,
			       (uint64_t)cfi_read_sleb(c) * align);
	case OP_CFA_EXPRESSION:
		m->state.cfa_known = m->state.cfa_is_expression = true;
		m->state.cfa = read_block(c);
		return true;
	default:
		return execute_rule(m, c, op);
	}
}

static bool execute_other(struct machine *m, struct cursor *c, uint8_t op)
{
	switch (op) {
	case OP_NOP:
		return true;
	case OP_GNU_ARGS_SIZE:
		cfi_read_uleb(c);
		return true;
	case OP_REMEMBER_STATE:
		if (m->depth == STATES_MAX)
			return false;
		m->stack[m->depth++] = m->state;
		return true;
	case OP_RESTORE_STATE:
		if (!m->depth)
			return false;
		m->state = m->stack[--m->depth];
		return true;
	default:
		return execute_cfa(m, c, op);
	}
}

/* Whether op moves the location, and by how much or whereto. */
static bool read_advance(const struct machine *m, struct cursor *c, uint8_t op,
			 uint64_t *location)
{
	uint64_t delta;

	switch (op) {
	case OP_SET_LOCATION:
		*location = cfi_read_pointer(m->cfi, c, m->cie->encoding, true);
		return true;
	case OP_ADVANCE1:
		delta = cfi_read_bytes(c, 1);
		break;
	case OP_ADVANCE2:
		delta = cfi_read_bytes(c, 2);
		break;
	case OP_ADVANCE4:
		delta = cfi_read_bytes(c, 4);
		break;
	default:
		if ((op & 0xc0) != OP_ADVANCE)
			return false;
		delta = op & 0x3f;
	}
	*location = m->location + delta * m->cie->code_align;
	return true;
}

/* Executes until the rules are those at address.  False: not understood. */
static bool execute(struct machine *m, struct cursor c, uint64_t address)
{
	while (c.at < c.end && !c.bad) {
		uint8_t op = cfi_read_bytes(&c, 1);
		uint64_t location;

		if (read_advance(m, &c, op, &location)) {
			if (location > address)
				break;
			m->location = location;
			continue;
		}

		bool known = true;

		switch (op & 0xc0) {
		case OP_OFFSET:
			set_rule(m, op & 0x3f, CFI_AT,
				 cfi_read_uleb(&c) * m->cie->data_align);
			break;
		case OP_RESTORE:
			known = restore(m, op & 0x3f);
			break;
		default:
			known = execute_other(m, &c, op);
		}
		if (!known)
			return false;
	}
	return !c.bad;
}

/* ---- rows ---- */

/* The bytes of an expression stay, those of its FDE do not. */
static bool keep_expression(struct cfi *cfi, struct cfi_expression *e)
{
	uint8_t *copy;

	if (!e->size)
		return true;
	copy = cfi_allocate(cfi, e->size);
	if (!copy)
		return false;
	memcpy(copy, e->code, e->size);
	e->code = copy;
	return true;
}

static struct cfi_row *make_row(struct cfi *cfi, const struct machine *m)
{
	const struct state *state = &m->state;
	struct cfi_row *row;
	unsigned count = 0;

	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		count += state->rules[i].kind != RULE_SAME;
	row = cfi_allocate(cfi, sizeof(*row) + count * sizeof(row->saved[0]));
	if (!row)
		return NULL;
	*row = (struct cfi_row){
		.signal = m->cie->signal,
		.cfa_is_expression = state->cfa_is_expression,
		.cfa_reg = state->cfa_reg,
		.return_column = m->cie->return_column,
		.cfa_offset = state->cfa_offset,
		.cfa = state->cfa,
	};
	if (row->cfa_is_expression && !keep_expression(cfi, &row->cfa))
		return NULL;
	for (unsigned i = 0; i < CFI_REGISTERS; i++) {
		const struct rule *rule = &state->rules[i];

		if (rule->kind == RULE_SAME)
			continue;
		row->saved[row->count] = (struct cfi_saved){
			.which = i,
			.rule = rule->kind,
			.reg = rule->reg,
			.offset = rule->offset,
			.expression = rule->expression,
		};
		if (!keep_expression(cfi, &row->saved[row->count].expression))
			return NULL;
		row->count++;
	}
	return row;
}

enum cfi_result cfi_execute(struct cfi *cfi, const struct fde *fde,
			    uint64_t address, struct cfi_row **row)
{
	struct machine m;	/* large: only what is read is set */
	struct state initial = { .cfa_known = false };

	for (unsigned i = 0; i < CFI_REGISTERS; i++)
		initial.rules[i].kind = RULE_SAME;
	m.cfi = cfi;
	m.cie = fde->cie;
	m.state = initial;
	m.initial = NULL;
	m.depth = 0;
	m.location = fde->start;
	if (!execute(&m, fde->cie->program, UINT64_MAX))
		return CFI_UNKNOWN;
	initial = m.state;
	m.initial = &initial;
	m.location = fde->start;
	if (!execute(&m, fde->program, address) || !m.state.cfa_known)
		return CFI_UNKNOWN;
	*row = make_row(cfi, &m);
	return *row ? CFI_FOUND : CFI_UNKNOWN;
}
