/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unwind rules: at every address those that libdw finds, for libraries as they
 * are; and files that have no search table.
 */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "symbols/cfi.h"
#include "check.h"
#include "symbols/elf-file.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <elfutils/libdw.h>

static const char *const kinds[] = {
	"undefined", "at CFA+n", "CFA+n", "register", "at expression",
	"expression", "unchanged",
};

enum { UNCHANGED = CFI_IS_EXPRESSION + 1 };

/* One register's rule, in a form that two can be compared in. */
struct plain {
	unsigned kind, reg;
	int64_t offset;
	const void *code;
	size_t size;
};

static struct plain ours(const struct cfi_row *row, unsigned reg)
{
	for (unsigned i = 0; i < row->count; i++) {
		const struct cfi_saved *s = &row->saved[i];

		if (s->which == reg)
			return (struct plain){
				s->rule, s->reg, s->offset,
				s->expression.code, s->expression.size,
			};
	}
	return (struct plain){ .kind = UNCHANGED };
}

static bool is_cfa(const Dwarf_Op *op)
{
	return op->atom == DW_OP_call_frame_cfa;
}

/*
 * libdw has everything as an expression that begins with the CFA, and ends in
 * DW_OP_stack_value if it is the value and not where that is.
 */
static struct plain theirs(Dwarf_Frame *frame, unsigned reg)
{
	Dwarf_Op mem[3], *ops;
	size_t count;

	if (dwarf_frame_register(frame, reg, mem, &ops, &count))
		return (struct plain){ .kind = 99 };
	if (!count)
		return (struct plain){
			.kind = ops ? CFI_UNDEFINED : UNCHANGED,
		};
	if (count == 1 && ops[0].atom == DW_OP_regx)
		return (struct plain){ .kind = CFI_REGISTER,
				       .reg = ops[0].number };
	if (is_cfa(&ops[0]) && count == 1)
		return (struct plain){ .kind = CFI_AT };
	if (is_cfa(&ops[0]) && count == 2 && ops[1].atom == DW_OP_stack_value)
		return (struct plain){ .kind = CFI_IS };
	if (is_cfa(&ops[0]) && count == 2 &&
	    ops[1].atom == DW_OP_plus_uconst)
		return (struct plain){ .kind = CFI_AT,
				       .offset = ops[1].number };
	if (is_cfa(&ops[0]) && count == 3 &&
	    ops[1].atom == DW_OP_plus_uconst &&
	    ops[2].atom == DW_OP_stack_value)
		return (struct plain){ .kind = CFI_IS,
				       .offset = ops[1].number };
	return (struct plain){
		.kind = ops[count - 1].atom == DW_OP_stack_value ?
			CFI_IS_EXPRESSION : CFI_AT_EXPRESSION,
	};
}

static bool same_cfa(const struct cfi_row *row, Dwarf_Frame *frame)
{
	Dwarf_Op *ops;
	size_t count;

	if (dwarf_frame_cfa(frame, &ops, &count) || !count)
		return false;
	/* A register and an offset, or something else. */
	if (count == 1 && ops[0].atom == DW_OP_bregx)
		return !row->cfa_is_expression &&
			row->cfa_reg == ops[0].number &&
			row->cfa_offset == (int64_t)ops[0].number2;
	if (count == 1 && ops[0].atom >= DW_OP_breg0 &&
	    ops[0].atom <= DW_OP_breg31)
		return !row->cfa_is_expression &&
			row->cfa_reg == ops[0].atom - DW_OP_breg0 &&
			row->cfa_offset == (int64_t)ops[0].number;
	return row->cfa_is_expression;
}

/* libdw knows what the machine's calls preserve, we ask the file only. */
static bool same_rule(const struct plain *got, const struct plain *want)
{
	if (got->kind == UNCHANGED)
		return want->kind == UNCHANGED || want->kind == CFI_UNDEFINED ||
			(want->kind == CFI_IS && !want->offset);
	return got->kind == want->kind && got->offset == want->offset &&
		got->reg == want->reg;
}

struct result {
	unsigned compared, different, missing;
};

static void note(struct result *result, uint64_t address, const char *what)
{
	if (result->different++ < 5)
		check_note("%#lx: %s", (long)address, what);
}

static void compare_rows(const struct cfi_row *row, Dwarf_Frame *frame,
			 uint64_t address, struct result *result)
{
	bool signal;

	result->compared++;
	dwarf_frame_info(frame, NULL, NULL, &signal);
	if (!same_cfa(row, frame))
		note(result, address, "another CFA");
	if (signal != row->signal)
		note(result, address, "of a signal or not");
	for (unsigned reg = 0; reg < CFI_REGISTERS; reg++) {
		struct plain got = ours(row, reg), want = theirs(frame, reg);
		char text[128];

		if (same_rule(&got, &want))
			continue;
		snprintf(text, sizeof(text),
			 "register %u: %s, n=%d, libdw: %s, n=%d", reg,
			 kinds[got.kind], (int)got.offset,
			 want.kind == 99 ? "error" : kinds[want.kind],
			 (int)want.offset);
		note(result, address, text);
	}
}

static void compare_at(struct cfi *cfi, Dwarf_CFI *dwarf, uint64_t address,
		       struct result *result)
{
	const struct cfi_row *row;
	enum cfi_result found = cfi_find(cfi, address, &row);
	Dwarf_Frame *frame = NULL;
	bool has = !dwarf_cfi_addrframe(dwarf, address, &frame);

	if (has != (found == CFI_FOUND))
		note(result, address, has ? "no rules, libdw has some" :
		     "rules, libdw has none");
	if (has && found == CFI_FOUND)
		compare_rows(row, frame, address, result);
	if (!has)
		result->missing++;
	free(frame);
}

static void compare(const char *path, unsigned step)
{
	struct result result = { 0 };
	struct elf_file file;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int other = open(path, O_RDONLY | O_CLOEXEC);

	elf_version(EV_CURRENT);

	Elf *elf = elf_begin(other, ELF_C_READ, NULL);
	Dwarf_CFI *dwarf = elf ? dwarf_getcfi_elf(elf) : NULL;
	struct cfi *cfi = fd >= 0 && elf_open(&file, fd) ?
		cfi_load(&file, NULL) : NULL;

	if (!OK(cfi && dwarf, "%s has rules", path))
		return;
	for (size_t i = 0; i < file.segment_count; i++) {
		const Elf64_Phdr *s = &file.segments[i];

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_X))
			continue;
		for (uint64_t at = 0; at < s->p_memsz; at += step)
			compare_at(cfi, dwarf, s->p_vaddr + at, &result);
	}
	OK(result.compared && !result.different,
	   "%s: the rules at %u addresses are libdw's, none at %u", path,
	   result.compared, result.missing);
	cfi_free(cfi);
	elf_close(&file);
	dwarf_cfi_end(dwarf);
	elf_end(elf);
	close(other);
}

static void compare_all(void)
{
	const char *tracees = getenv("TRACEES");
	char path[4096];

	snprintf(path, sizeof(path), "%s/unwind",
		 tracees ? tracees : "tests/tracees");
	compare(path, 1);
	compare("/proc/self/exe", 101);
	if (!access("/lib/x86_64-linux-gnu/libc.so.6", R_OK)) {
		compare("/lib/x86_64-linux-gnu/libc.so.6", 37);
		compare("/lib64/ld-linux-x86-64.so.2", 7);
	}
}

#else

static void compare_all(void)
{
	check_skip("as libdw", "built without libdw");
}

#endif

/* The rules are found without .eh_frame_hdr, too. */
static void check_without_table(void)
{
	struct elf_file with, without;
	const struct cfi_row *row;
	unsigned compared = 0, different = 0;
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int other = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	if (!OK(elf_open(&with, fd) && elf_open(&without, other),
		"the test itself is opened"))
		return;
	for (size_t i = 0; i < without.segment_count; i++)
		if (without.segments[i].p_type == PT_GNU_EH_FRAME)
			without.segments[i].p_type = PT_NULL;

	struct cfi *cfi = cfi_load(&with, NULL);
	struct cfi *indexed = cfi_load(&without, NULL);
	struct cfi_tables tables, made;

	if (!OK(cfi && indexed && cfi_tables(cfi, &tables) &&
		cfi_tables(indexed, &made), "both have rules"))
		return;
	IS_INT(made.table_size, tables.table_size,
	       "the table that is made has as many entries");
	for (size_t i = 0; i < with.segment_count; i++) {
		const Elf64_Phdr *s = &with.segments[i];

		if (s->p_type != PT_LOAD || !(s->p_flags & PF_X))
			continue;
		for (uint64_t at = 0; at < s->p_memsz; at += 17) {
			enum cfi_result a, b;

			a = cfi_find(cfi, s->p_vaddr + at, &row);
			b = cfi_find(indexed, s->p_vaddr + at, &row);
			compared++;
			different += a != b;
		}
	}
	OK(compared && !different, "%u of %u addresses are as with a table",
	   compared - different, compared);
	cfi_free(cfi);
	cfi_free(indexed);
	elf_close(&with);
	elf_close(&without);
}

int main(void)
{
	compare_all();
	check_without_table();
	return check_done();
}
