/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Walks the calling thread's stack by the unwind tables (.eh_frame) that its
 * modules have mapped, in the middle of malloc: it takes no lock of the C
 * library's, allocates nothing, and does not touch memory that may not be
 * there.
 *
 * What to do at an address is worked out once and kept, in a few words: where
 * the caller's registers are.  The tables can express more than that, but
 * compilers do not use it for the registers that matter; where they do, the
 * walk ends.  It ends as well where there is no table.
 */
#include "library.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(DLFO_STRUCT_HAS_EH_DBASE)

/* Registers by the numbers that DWARF gives them. */
enum { RBX = 3, RBP = 6, RSP = 7, R12 = 12, R15 = 15, PC = 16, REGISTERS };

/* Where a caller's register is. */
enum { SAME, LOST, IN_MEMORY, IS };

struct saved {
	uint8_t how;
	uint8_t base;		/* a register, or CFA */
	int32_t offset;
};
enum { CFA = 0xff };

/* The rules at an address; the CFA is the stack pointer before the call. */
struct rules {
	uintptr_t address;	/* 0: none */
	bool known;		/* false: the walk ends here */
	bool signal;		/* a signal interrupted the caller */
	bool in_memory;		/* the CFA is in memory at base + offset */
	uint8_t base;
	int32_t offset;
	struct saved saved[REGISTERS];
};

enum {
	KEPT = 2048,		/* rules; a power of two */
	STATES = 8,		/* that may be remembered in a program */
	WINDOW = 2 * HEAP_PAGE,
};

/* Wiped in a child. */
static struct walker {
	struct lock lock;
	struct rules kept[KEPT];
	uintptr_t window_start;
	size_t window_size;
	char window[WINDOW];
	uint64_t registers[REGISTERS];
} *walker;

/* ---- reading tables: the linker mapped them, so they are there ---- */

struct cursor {
	const uint8_t *at, *end;
};

#define READ(type, cursor)						\
	({								\
		type value_ = 0;					\
		if ((size_t)((cursor)->end - (cursor)->at) >=		\
		    sizeof(value_)) {					\
			memcpy(&value_, (cursor)->at, sizeof(value_));	\
			(cursor)->at += sizeof(value_);			\
		} else {						\
			(cursor)->at = (cursor)->end;			\
		}							\
		value_;							\
	})

static uint64_t read_uleb(struct cursor *c)
{
	uint64_t value = 0;

	for (unsigned shift = 0; c->at < c->end; shift += 7) {
		uint8_t byte = *c->at++;

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			break;
	}
	return value;
}

static int64_t read_sleb(struct cursor *c)
{
	uint64_t value = 0;
	unsigned shift = 0;
	uint8_t byte = 0;

	while (c->at < c->end) {
		byte = *c->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
		if (!(byte & 0x80))
			break;
	}
	if (shift < 64 && byte & 0x40)
		value |= ~0ull << shift;
	return value;
}

/* An entry without its length and what is behind it; 64-bit ones are rare. */
static struct cursor entry_at(const uint8_t *at)
{
	uint32_t length;

	memcpy(&length, at, sizeof(length));
	if (length == 0xffffffff)
		length = 0;
	return (struct cursor){ at + 4, at + 4 + length };
}

/* ---- finding an entry ---- */

struct entry {
	struct cursor cie, fde;		/* their instructions */
	uintptr_t start, size;		/* of the code */
	uint64_t code_align;
	int64_t data_align;
	bool signal;
};

enum {
	RELATIVE_32 = 0x1b,	/* to itself, signed */
	TABLE_32 = 0x3b,	/* to the table's beginning, signed */
	UNSIGNED_32 = 0x03,
	POINTER = 0x00,
};

/* A module's search table is sorted: where code begins, and its FDE. */
static const uint8_t *find_fde(const uint8_t *table, uintptr_t address)
{
	const int32_t *pairs = (const int32_t *)(table + 12);
	int64_t wanted = address - (uintptr_t)table;
	uint32_t low = 0, high;

	if (table[0] != 1 || table[2] != UNSIGNED_32 || table[3] != TABLE_32)
		return NULL;
	memcpy(&high, table + 8, sizeof(high));
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (pairs[2 * middle] <= wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? table + pairs[2 * low - 1] : NULL;
}

/* Skips a pointer to a personality or to language data. */
static bool skip_pointer(struct cursor *c, uint8_t encoding)
{
	static const uint8_t sizes[] = { 8, 0, 2, 4, 8, 0, 0, 0,
					 8, 0, 2, 4, 8, 0, 0, 0 };
	size_t size = sizes[encoding & 15];

	if (!size || (size_t)(c->end - c->at) < size)
		return false;
	c->at += size;
	return true;
}

static bool read_cie(struct entry *entry, const uint8_t *at,
		     uint8_t *encoding)
{
	struct cursor c = entry_at(at);
	const char *letters;
	uint64_t size;

	READ(uint32_t, &c);
	if (READ(uint8_t, &c) != 1)
		return false;
	letters = (const char *)c.at;
	c.at += strnlen(letters, c.end - c.at) + 1;
	entry->code_align = read_uleb(&c);
	entry->data_align = read_sleb(&c);
	if (read_uleb(&c) != PC || *letters != 'z')
		return false;
	size = read_uleb(&c);
	if (size > (size_t)(c.end - c.at))
		return false;
	entry->cie = (struct cursor){ c.at + size, c.end };
	while (*++letters) {
		if (*letters == 'R')
			*encoding = READ(uint8_t, &c);
		else if (*letters == 'S')
			entry->signal = true;
		else if (*letters == 'L')
			READ(uint8_t, &c);
		else if (*letters != 'P' ||
			 !skip_pointer(&c, READ(uint8_t, &c)))
			return false;
	}
	return true;
}

static bool read_fde(struct entry *entry, const uint8_t *at)
{
	struct cursor c = entry_at(at);
	const uint8_t *here = c.at;
	uint32_t distance = READ(uint32_t, &c);
	uint8_t encoding = POINTER;
	uint64_t size;

	if (!distance || !read_cie(entry, here - distance, &encoding))
		return false;
	here = c.at;
	if (encoding == RELATIVE_32) {
		entry->start = (uintptr_t)here + READ(int32_t, &c);
		entry->size = READ(uint32_t, &c);
	} else if (encoding == POINTER) {
		entry->start = READ(uint64_t, &c);
		entry->size = READ(uint64_t, &c);
	} else {
		return false;
	}
	size = read_uleb(&c);
	if (size > (size_t)(c.end - c.at))
		return false;
	entry->fde = (struct cursor){ c.at + size, c.end };
	return true;
}

static bool find_entry(uintptr_t address, struct entry *entry)
{
	extern __typeof__(_dl_find_object) _dl_find_object
		__attribute__((weak));
	struct dl_find_object object;
	const uint8_t *fde;

	*entry = (struct entry){ 0 };
	if (!_dl_find_object || _dl_find_object((void *)address, &object) ||
	    !object.dlfo_eh_frame)
		return false;
	fde = find_fde(object.dlfo_eh_frame, address);
	return fde && read_fde(entry, fde) &&
		address - entry->start < entry->size;
}

/* ---- instructions ---- */

struct machine {
	const struct entry *entry;
	uintptr_t wanted, location;
	struct rules rules, initial, remembered[STATES];
	unsigned depth;
};

static void save(struct machine *m, uint64_t reg, uint8_t how, uint8_t base,
		 int64_t offset)
{
	if (reg < REGISTERS)
		m->rules.saved[reg] = (struct saved){ how, base, offset };
}

/* A register plus a number, and perhaps what is in memory there. */
static bool read_expression(struct cursor *c, uint8_t *base, int32_t *offset,
			    bool *in_memory)
{
	enum { BREG0 = 0x70, BREG16 = 0x80, DEREF = 0x06, PLUS_UCONST = 0x23 };
	uint64_t size = read_uleb(c);
	struct cursor e = { c->at, c->at + size };
	uint8_t op;

	if (size > (size_t)(c->end - c->at))
		return false;
	c->at += size;
	op = READ(uint8_t, &e);
	if (op < BREG0 || op > BREG16)
		return false;
	*base = op - BREG0;
	*offset = read_sleb(&e);
	if (e.at < e.end && *e.at == PLUS_UCONST) {
		e.at++;
		*offset += read_uleb(&e);
	}
	*in_memory = e.at < e.end && *e.at == DEREF;
	return e.at + *in_memory == e.end;
}

static void save_expression(struct machine *m, struct cursor *c, uint8_t how)
{
	uint64_t reg = read_uleb(c);
	uint8_t base;
	int32_t offset;
	bool in_memory;

	if (read_expression(c, &base, &offset, &in_memory) && !in_memory)
		save(m, reg, how, base, offset);
	else
		save(m, reg, LOST, 0, 0);
}

static bool advance(struct machine *m, uint64_t distance)
{
	m->location += distance * m->entry->code_align;
	return m->location <= m->wanted;
}

static void restore(struct machine *m, uint64_t reg)
{
	if (reg < REGISTERS)
		m->rules.saved[reg] = m->initial.saved[reg];
}

static void define_cfa(struct machine *m, uint64_t base, int64_t offset)
{
	m->rules.known = base < REGISTERS;
	m->rules.base = base;
	m->rules.offset = offset;
	m->rules.in_memory = false;
}

/* False: all that holds at the wanted location has been done. */
static bool step(struct machine *m, struct cursor *c)
{
	uint8_t op = READ(uint8_t, c), operand = op & 0x3f;
	int64_t align = m->entry->data_align;
	uint64_t reg;

	switch (op & 0xc0) {
	case 0x40:
		return advance(m, operand);
	case 0x80:
		save(m, operand, IN_MEMORY, CFA, read_uleb(c) * align);
		return true;
	case 0xc0:
		restore(m, operand);
		return true;
	}
	switch (op) {
	case 0x00:		/* nop */
		return true;
	case 0x02:		/* advance_loc1, 2, 4 */
		return advance(m, READ(uint8_t, c));
	case 0x03:
		return advance(m, READ(uint16_t, c));
	case 0x04:
		return advance(m, READ(uint32_t, c));
	case 0x05:		/* offset_extended */
		reg = read_uleb(c);
		save(m, reg, IN_MEMORY, CFA, read_uleb(c) * align);
		return true;
	case 0x06:		/* restore_extended */
		restore(m, read_uleb(c));
		return true;
	case 0x07:		/* undefined */
		save(m, read_uleb(c), LOST, 0, 0);
		return true;
	case 0x08:		/* same_value */
		save(m, read_uleb(c), SAME, 0, 0);
		return true;
	case 0x09:		/* register */
		reg = read_uleb(c);
		save(m, reg, IS, read_uleb(c), 0);
		return true;
	case 0x0a:		/* remember_state */
		if (m->depth == STATES)
			break;
		m->remembered[m->depth++] = m->rules;
		return true;
	case 0x0b:		/* restore_state */
		if (!m->depth)
			break;
		m->rules = m->remembered[--m->depth];
		return true;
	case 0x0c:		/* def_cfa */
		reg = read_uleb(c);
		define_cfa(m, reg, read_uleb(c));
		return true;
	case 0x0d:		/* def_cfa_register */
		define_cfa(m, read_uleb(c), m->rules.offset);
		return true;
	case 0x0e:		/* def_cfa_offset */
		define_cfa(m, m->rules.base, read_uleb(c));
		return true;
	case 0x0f:		/* def_cfa_expression */
		m->rules.known = read_expression(c, &m->rules.base,
						 &m->rules.offset,
						 &m->rules.in_memory);
		return true;
	case 0x10:		/* expression */
		save_expression(m, c, IN_MEMORY);
		return true;
	case 0x11:		/* offset_extended_sf */
		reg = read_uleb(c);
		save(m, reg, IN_MEMORY, CFA, read_sleb(c) * align);
		return true;
	case 0x12:		/* def_cfa_sf */
		reg = read_uleb(c);
		define_cfa(m, reg, read_sleb(c) * align);
		return true;
	case 0x13:		/* def_cfa_offset_sf */
		define_cfa(m, m->rules.base, read_sleb(c) * align);
		return true;
	case 0x14:		/* val_offset */
		reg = read_uleb(c);
		save(m, reg, IS, CFA, read_uleb(c) * align);
		return true;
	case 0x16:		/* val_expression */
		save_expression(m, c, IS);
		return true;
	case 0x2e:		/* GNU_args_size */
		read_uleb(c);
		return true;
	}
	m->rules.known = false;
	return false;
}

static void work_out(uintptr_t address, struct rules *rules)
{
	struct machine m = { .wanted = address };
	struct entry entry;

	if (find_entry(address, &entry)) {
		struct cursor c = entry.cie;

		m.entry = &entry;
		m.location = entry.start;
		while (c.at < c.end && step(&m, &c))
			continue;
		m.initial = m.rules;
		c = entry.fde;
		while (c.at < c.end && step(&m, &c))
			continue;
		m.rules.signal = entry.signal;
	}
	*rules = m.rules;
	rules->address = address;
}

/* ---- walking ---- */

/* A word of the stack; pages of it are copied, which cannot fault. */
static bool read_word(uintptr_t address, uint64_t *value)
{
	struct iovec local = { walker->window, WINDOW }, remote[2];
	uintptr_t start = address & -(uintptr_t)HEAP_PAGE;

	if (address - walker->window_start + sizeof(*value) >
	    walker->window_size) {
		ssize_t size;

		for (int i = 0; i < 2; i++)
			remote[i] = (struct iovec){
				(char *)start + i * HEAP_PAGE, HEAP_PAGE,
			};
		size = process_vm_readv(getpid(), &local, 1, remote, 2, 0);
		walker->window_start = start;
		walker->window_size = size < 0 ? 0 : size;
		if (address - start + sizeof(*value) > walker->window_size)
			return false;
	}
	memcpy(value, walker->window + (address - walker->window_start),
	       sizeof(*value));
	return true;
}

/* The registers become the caller's. */
static bool to_caller(const struct rules *rules)
{
	uint64_t *now = walker->registers, then[REGISTERS], cfa;

	if (!rules->known)
		return false;
	cfa = now[rules->base] + rules->offset;
	if (rules->in_memory && !read_word(cfa, &cfa))
		return false;
	memcpy(then, now, sizeof(then));
	then[RSP] = cfa;
	for (int i = 0; i < REGISTERS; i++) {
		const struct saved *saved = &rules->saved[i];
		uint64_t place = saved->base == CFA ? cfa :
			now[saved->base % REGISTERS];

		place += saved->offset;
		if (saved->how == IS)
			then[i] = place;
		else if (saved->how == LOST)
			then[i] = 0;
		else if (saved->how == IN_MEMORY && !read_word(place, &then[i]))
			return false;
	}
	/* A stack grows downwards; a signal handler may have its own. */
	if (then[RSP] <= now[RSP] && !rules->signal)
		return false;
	memcpy(now, then, sizeof(then));
	return now[PC];
}

static const struct rules *rules_at(uintptr_t address)
{
	struct rules *rules = &walker->kept[address * 0x9e3779b97f4a7c15 >>
					    53];

	if (rules->address != address)
		work_out(address, rules);
	return rules;
}

static unsigned walk(uintptr_t caller, uintptr_t *frames, unsigned limit)
{
	unsigned count = 0, skipped = 0;
	bool exact = true;

	while (count < limit && skipped < 16) {
		uint64_t *pc = &walker->registers[PC];
		const struct rules *rules = rules_at(*pc - !exact);

		if (!to_caller(rules))
			break;
		exact = rules->signal;
		/* The first ones are this library's own. */
		if (count || *pc == caller)
			frames[count++] = *pc;
		else
			skipped++;
	}
	return count;
}

/* What a function must preserve, and where it is. */
#define CAPTURE(registers)						\
	__asm__ volatile("movq %%rbx, 24(%0)\n\t"			\
			 "movq %%rbp, 48(%0)\n\t"			\
			 "movq %%rsp, 56(%0)\n\t"			\
			 "movq %%r12, 96(%0)\n\t"			\
			 "movq %%r13, 104(%0)\n\t"			\
			 "movq %%r14, 112(%0)\n\t"			\
			 "movq %%r15, 120(%0)\n\t"			\
			 "leaq 0(%%rip), %%rax\n\t"			\
			 "movq %%rax, 128(%0)"				\
			 : : "r"(registers) : "rax", "memory")

unsigned walk_stack(uintptr_t caller, uintptr_t *frames, unsigned limit)
{
	unsigned count;
	int saved = errno;

	if (!walker)
		walker = map_private(sizeof(*walker));
	if (!walker)
		return 0;
	lock_take(&walker->lock);
	walker->window_size = 0;
	CAPTURE(walker->registers);
	count = walk(caller, frames, limit);
	lock_release(&walker->lock);
	errno = saved;
	return count;
}

void walk_forget(void)
{
	if (!walker)
		return;
	lock_take(&walker->lock);
	memset(walker->kept, 0, sizeof(walker->kept));
	lock_release(&walker->lock);
}

#else

/* Elsewhere nothing is known but what the caller knows itself. */
unsigned walk_stack(uintptr_t caller, uintptr_t *frames, unsigned limit)
{
	(void)caller;
	(void)frames;
	(void)limit;
	return 0;
}

void walk_forget(void)
{
}

#endif
