/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A made-up JIT compiler.  It generates functions that call back, and tells
 * of them in one way or the other:
 *
 *	unwind-jit perf		in /tmp/perf-PID.map
 *	unwind-jit memfd	likewise; the code is in a memfd
 *	unwind-jit asked N	not at all: prints its id and where its code is,
 *				and waits for a line of input, N times
 *	unwind-jit objects	by GDB's interface: relocatable objects
 *	unwind-jit executables	by GDB's interface: objects with addresses
 *	unwind-jit text-relative	likewise; unwind tables count from the code
 *	unwind-jit plain	by GDB's interface: no unwind tables
 */
#define _GNU_SOURCE
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "unwind.h"

enum { CODE_SIZE = 4096, SLOT = 64 };

typedef void callback_fn(const char *name);
typedef void generated_fn(callback_fn *callback, const char *name);

/* Calls back with a frame pointer. */
static const uint8_t with_frame_pointer[] = {
	0x55,				/* push %rbp */
	0x48, 0x89, 0xe5,		/* mov %rsp, %rbp */
	0x48, 0x89, 0xf8,		/* mov %rdi, %rax */
	0x48, 0x89, 0xf7,		/* mov %rsi, %rdi */
	0xff, 0xd0,			/* call *%rax */
	0x5d,				/* pop %rbp */
	0xc3,				/* ret */
};

/* The same, and whoever follows the frame pointer is lost. */
static const uint8_t without_frame_pointer[] = {
	0x55,				/* push %rbp */
	0x31, 0xed,			/* xor %ebp, %ebp */
	0x48, 0x83, 0xec, 0x20,		/* sub $32, %rsp */
	0x48, 0x89, 0xf8,		/* mov %rdi, %rax */
	0x48, 0x89, 0xf7,		/* mov %rsi, %rdi */
	0xff, 0xd0,			/* call *%rax */
	0x48, 0x83, 0xc4, 0x20,		/* add $32, %rsp */
	0x5d,				/* pop %rbp */
	0xc3,				/* ret */
};

static uint8_t *code;

static void get_code(int fd)
{
	code = mmap(NULL, CODE_SIZE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED, fd, 0);
	if (code == MAP_FAILED)
		abort();
}

static generated_fn *put_code(unsigned slot, const uint8_t *bytes,
			      size_t size)
{
	memcpy(code + slot * SLOT, bytes, size);
	return (generated_fn *)(uintptr_t)(code + slot * SLOT);
}

static NOINLINE void callback(const char *name)
{
	mark(name);
	NO_TAIL_CALL();
}

static NOINLINE void run(generated_fn *function, const char *name)
{
	function(callback, name);
	NO_TAIL_CALL();
}

/* ---- the map ---- */

static char map_name[64];
static FILE *map;

static void tell_map(generated_fn *function, const char *name)
{
	fprintf(map, "%lx %zx %s\n", (unsigned long)(uintptr_t)function,
		sizeof(with_frame_pointer), name);
	fflush(map);
}

static generated_fn *generate(unsigned slot)
{
	return put_code(slot, with_frame_pointer, sizeof(with_frame_pointer));
}

static void run_map(int fd)
{
	generated_fn *first, *second;

	get_code(fd);
	snprintf(map_name, sizeof(map_name), "/tmp/perf-%d.map", getpid());
	run(generate(0), "mark:untold");
	map = fopen(map_name, "w");
	if (!map)
		abort();
	first = generate(0);
	tell_map(first, "first function");
	run(first, "mark:first");
	run(first, "mark:first-again");
	second = generate(1);
	run(second, "mark:second-untold");
	tell_map(second, "second function");
	run(second, "mark:second");
	tell_map(first, "replaced");
	run(first, "mark:replaced");
	run(second, "mark:second-again");
	/* A part of the second one is overwritten by one that is not run. */
	tell_map((generated_fn *)(uintptr_t)(code + SLOT - 4), "nobody");
	run(second, "mark:overwritten");
	run(first, "mark:still-there");
	fclose(map);
	unlink(map_name);
}

static void run_asked(int times)
{
	generated_fn *function;

	get_code(-1);
	function = generate(0);
	printf("%d %lx\n", getpid(), (unsigned long)(uintptr_t)function);
	fflush(stdout);
	while (times-- && getchar() == '\n')
		run(function, "mark:asked");
}

/* ---- GDB's interface ---- */

struct jit_code_entry {
	struct jit_code_entry *next_entry, *prev_entry;
	const char *symfile_addr;
	uint64_t symfile_size;
};

struct jit_descriptor {
	uint32_t version, action_flag;
	struct jit_code_entry *relevant_entry, *first_entry;
};

enum { JIT_REGISTER = 1, JIT_UNREGISTER };

struct jit_descriptor __jit_debug_descriptor = { .version = 1 };

NOINLINE void __jit_debug_register_code(void)
{
	NO_TAIL_CALL();
}

enum {
	NO_SECTION, TEXT, FRAMES, RELOCATIONS, SYMBOLS, NAMES, SECTIONS
};

/* Section names and the function's in one table. */
struct names {
	char null;
	char text[sizeof(".text")], frames[sizeof(".eh_frame")];
	char relocations[sizeof(".rela.eh_frame")];
	char symbols[sizeof(".symtab")], names[sizeof(".strtab")];
	char function[32];
};

struct cie {
	uint32_t length, id;
	uint8_t version, augmentation, code_align, data_align, return_column;
	uint8_t program[7];
};

struct fde {
	uint32_t length, cie;
	uint64_t start, size;
	uint8_t program[16];
} __attribute__((packed));

/* The same with 32-bit numbers that count from the beginning of the code. */
struct text_cie {
	uint32_t length, id;
	uint8_t version;
	char augmentation[3];
	uint8_t code_align, data_align, return_column, size, encoding;
	uint8_t program[7];
};

struct text_fde {
	uint32_t length, cie;
	uint32_t start, size;
	uint8_t data_size;
	uint8_t program[15];
};

struct object {
	Elf64_Ehdr header;
	Elf64_Shdr sections[SECTIONS];
	Elf64_Sym symbols[3];
	Elf64_Rela relocation;
	struct cie cie;
	struct fde fde;
	struct text_cie text_cie;
	struct text_fde text_fde;
	struct names names;
};

enum kind { RELOCATABLE, EXECUTABLE, TEXT_RELATIVE, PLAIN };

static void set_section(struct object *object, unsigned which, uint32_t type,
			const void *at, size_t size, const char *name)
{
	Elf64_Shdr *section = &object->sections[which];

	section->sh_type = type;
	section->sh_offset = (const char *)at - (const char *)object;
	section->sh_size = size;
	section->sh_name = name - (const char *)&object->names;
	section->sh_addralign = 1;
}

static void fill_names(struct object *object, const char *function)
{
	struct names *names = &object->names;

	strcpy(names->text, ".text");
	strcpy(names->frames, ".eh_frame");
	strcpy(names->relocations, ".rela.eh_frame");
	strcpy(names->symbols, ".symtab");
	strcpy(names->names, ".strtab");
	strcpy(names->function, function);
}

static void fill_frames(struct object *object, uint64_t start, size_t size)
{
	static const struct cie cie = {
		.length = sizeof(cie) - 4, .version = 1, .code_align = 1,
		.data_align = 0x78, .return_column = 16,
		/* CFA is %rsp + 8; the return address is at CFA - 8 */
		.program = { 0x0c, 7, 8, 0x80 | 16, 1 },
	};
	static const struct fde fde = {
		.length = sizeof(fde) - 4,
		.cie = offsetof(struct object, fde.cie) -
			offsetof(struct object, cie),
		/* behind push: CFA is 16 away, %rbp at CFA - 16; then 48 */
		.program = { 0x40 | 1, 0x0e, 16, 0x80 | 6, 2, 0x40 | 6, 0x0e,
			     48 },
	};

	object->cie = cie;
	object->fde = fde;
	object->fde.start = start;
	object->fde.size = size;
}

static void fill_text_frames(struct object *object, size_t size)
{
	static const struct text_cie cie = {
		.length = sizeof(cie) - 4, .version = 1, .augmentation = "zR",
		.code_align = 1, .data_align = 0x78, .return_column = 16,
		.size = 1, .encoding = 0x23,
		.program = { 0x0c, 7, 8, 0x80 | 16, 1 },
	};
	static const struct text_fde fde = {
		.length = sizeof(fde) - 4,
		.cie = offsetof(struct object, text_fde.cie) -
			offsetof(struct object, text_cie),
		.program = { 0x40 | 1, 0x0e, 16, 0x80 | 6, 2, 0x40 | 6, 0x0e,
			     48 },
	};

	object->text_cie = cie;
	object->text_fde = fde;
	object->text_fde.size = size;
	set_section(object, FRAMES, SHT_PROGBITS, &object->text_cie,
		    sizeof(cie) + sizeof(fde), object->names.frames);
	object->sections[FRAMES].sh_flags = SHF_ALLOC;
}

/* Relocatable: all addresses but those of the sections count from 0. */
static void fill_object(struct object *object, const char *name,
			generated_fn *function, size_t size, enum kind kind)
{
	uint64_t start = (uintptr_t)function;
	int relocatable = kind != EXECUTABLE;

	memset(object, 0, sizeof(*object));
	object->header = (Elf64_Ehdr){
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = relocatable ? ET_REL : ET_EXEC,
		.e_machine = EM_X86_64, .e_version = EV_CURRENT,
		.e_shoff = offsetof(struct object, sections),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr), .e_shnum = SECTIONS,
		.e_shstrndx = NAMES,
	};
	fill_names(object, name);
	set_section(object, TEXT, SHT_NOBITS, object, size,
		    object->names.text);
	object->sections[TEXT].sh_flags = SHF_ALLOC | SHF_EXECINSTR;
	object->sections[TEXT].sh_addr = start;
	set_section(object, SYMBOLS, SHT_SYMTAB, object->symbols,
		    sizeof(object->symbols), object->names.symbols);
	object->sections[SYMBOLS].sh_link = NAMES;
	object->sections[SYMBOLS].sh_info = 2;
	object->sections[SYMBOLS].sh_entsize = sizeof(Elf64_Sym);
	set_section(object, NAMES, SHT_STRTAB, &object->names,
		    sizeof(object->names), object->names.names);
	object->symbols[1] = (Elf64_Sym){
		.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION),
		.st_shndx = TEXT, .st_value = relocatable ? 0 : start,
	};
	object->symbols[2] = (Elf64_Sym){
		.st_name = offsetof(struct names, function),
		.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
		.st_shndx = TEXT, .st_value = relocatable ? 0 : start,
		.st_size = size,
	};
	if (kind == TEXT_RELATIVE)
		fill_text_frames(object, size);
	if (kind == TEXT_RELATIVE || kind == PLAIN)
		return;
	fill_frames(object, relocatable ? 0 : start, size);
	set_section(object, FRAMES, SHT_PROGBITS, &object->cie,
		    sizeof(object->cie) + sizeof(object->fde),
		    object->names.frames);
	object->sections[FRAMES].sh_flags = SHF_ALLOC;
	object->sections[FRAMES].sh_addr = (uintptr_t)&object->cie;
	if (!relocatable)
		return;
	set_section(object, RELOCATIONS, SHT_RELA, &object->relocation,
		    sizeof(object->relocation), object->names.relocations);
	object->sections[RELOCATIONS].sh_link = SYMBOLS;
	object->sections[RELOCATIONS].sh_info = FRAMES;
	object->sections[RELOCATIONS].sh_entsize = sizeof(Elf64_Rela);
	object->relocation = (Elf64_Rela){
		.r_offset = offsetof(struct object, fde.start) -
			offsetof(struct object, cie),
		.r_info = ELF64_R_INFO(1, R_X86_64_64),
	};
}

static void tell_gdb(uint32_t action, struct jit_code_entry *entry)
{
	struct jit_descriptor *d = &__jit_debug_descriptor;

	if (action == JIT_REGISTER) {
		entry->prev_entry = NULL;
		entry->next_entry = d->first_entry;
		if (entry->next_entry)
			entry->next_entry->prev_entry = entry;
		d->first_entry = entry;
	} else {
		if (entry->next_entry)
			entry->next_entry->prev_entry = entry->prev_entry;
		if (entry->prev_entry)
			entry->prev_entry->next_entry = entry->next_entry;
		else
			d->first_entry = entry->next_entry;
	}
	d->relevant_entry = entry;
	d->action_flag = action;
	__jit_debug_register_code();
}

static void run_objects(enum kind kind)
{
	const uint8_t *bytes = kind == PLAIN ? with_frame_pointer :
		without_frame_pointer;
	size_t size = kind == PLAIN ? sizeof(with_frame_pointer) :
		sizeof(without_frame_pointer);
	static struct object objects[2];
	static struct jit_code_entry entries[2];
	generated_fn *functions[2];

	get_code(-1);
	for (unsigned i = 0; i < 2; i++) {
		functions[i] = put_code(i, bytes, size);
		fill_object(&objects[i], i ? "second" : "first", functions[i],
			    size, kind);
		entries[i].symfile_addr = (const char *)&objects[i];
		entries[i].symfile_size = sizeof(objects[i]);
		tell_gdb(JIT_REGISTER, &entries[i]);
		run(functions[i], i ? "mark:second" : "mark:first");
	}
	run(functions[0], "mark:first-again");

	/* Another function, of which everything is where it was. */
	tell_gdb(JIT_UNREGISTER, &entries[1]);
	fill_object(&objects[1], "replaced", functions[1], size, kind);
	tell_gdb(JIT_REGISTER, &entries[1]);
	run(functions[1], "mark:replaced");

	tell_gdb(JIT_UNREGISTER, &entries[0]);
	put_code(0, with_frame_pointer, sizeof(with_frame_pointer));
	run(functions[0], "mark:untold");
	run(functions[1], "mark:still-there");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	if (!strcmp(how, "perf"))
		run_map(-1);
	else if (!strcmp(how, "memfd")) {
		int fd = memfd_create("generated", 0);

		if (fd < 0 || ftruncate(fd, CODE_SIZE))
			abort();
		run_map(fd);
	} else if (!strcmp(how, "asked"))
		run_asked(atoi(argv[2]));
	else if (!strcmp(how, "objects"))
		run_objects(RELOCATABLE);
	else if (!strcmp(how, "executables"))
		run_objects(EXECUTABLE);
	else if (!strcmp(how, "text-relative"))
		run_objects(TEXT_RELATIVE);
	else if (!strcmp(how, "plain"))
		run_objects(PLAIN);
	return 0;
}
