/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of call frame information share: a cursor over hostile bytes,
 * entries, and the memory that lives as long as the tables.
 */
#ifndef TRACER_CFI_INTERNAL_H
#define TRACER_CFI_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/cfi.h"
#include "symbols/elf-file.h"

/* Pointer encodings of .eh_frame. */
enum {
	PE_OMIT = 0xff,
	PE_FORM = 0x0f,
	PE_ABSOLUTE = 0x00,
	PE_ULEB128 = 0x01,
	PE_UDATA2 = 0x02,
	PE_UDATA4 = 0x03,
	PE_UDATA8 = 0x04,
	PE_SLEB128 = 0x09,
	PE_SDATA2 = 0x0a,
	PE_SDATA4 = 0x0b,
	PE_SDATA8 = 0x0c,
	PE_BASE = 0x70,
	PE_PCREL = 0x10,
	PE_DATAREL = 0x30,
	PE_ALIGNED = 0x50,
};

/* An entry of a search table. */
struct place {
	int32_t start;		/* of a function's rules, relative to base */
	int32_t description;	/* its FDE; in .debug_frame the offset of it */
};

/* Some bytes of a table, kept for who reads it word by word. */
struct block {
	uint64_t start;
	size_t have;
	uint8_t bytes[256];
};

/* One of .eh_frame and .debug_frame. */
struct table {
	const struct elf_file *elf;	/* NULL: there is none */
	struct elf_file inflated;	/* of a compressed section the bytes */
	uint64_t offset;		/* in the file */
	size_t size;
	uint8_t *whole;		/* while all of it is gone through */
	uint64_t address;	/* 0 for .debug_frame */
	bool is_debug, separate;
	/* The search table: of the file, or made here. */
	uint64_t base;
	struct elf_window places;
	struct place *made;
	size_t count;
};

struct cfi {
	struct table eh_frame, debug_frame;
	uint64_t header;	/* what PE_DATAREL is relative to */
	uint8_t word;
	struct cfi_chunk *chunks;	/* rows and such lie in them */
	struct kept_cie *cies;
	struct block blocks[4];	/* of .eh_frame */
};

/* ---- reading: cfi-read.c ---- */

/* No reader goes beyond the end; what is not there is 0, and c->bad. */
struct cursor {
	const uint8_t *start, *at, *end;
	uint64_t address;	/* of start */
	bool bad;		/* something was beyond the end */
};

/* A number of 1, 2, 4 or 8 bytes, or LEB128. */
uint64_t cfi_read_bytes(struct cursor *c, size_t size);
uint64_t cfi_read_uleb(struct cursor *c);
int64_t cfi_read_sleb(struct cursor *c);
void cfi_skip(struct cursor *c, uint64_t size);
/* A pointer; its base is left out if relative is false, as for a length. */
uint64_t cfi_read_pointer(const struct cfi *cfi, struct cursor *c,
			  uint8_t encoding, bool relative);

/* Memory that is freed with cfi; NULL if it is short. */
void *cfi_allocate(struct cfi *cfi, size_t size);
void cfi_free_memory(struct cfi *cfi);

/* ---- entries: cfi.c ---- */

struct entry {
	struct cursor body;	/* behind the identification */
	size_t next;		/* offset in the table */
	bool is_cie;
	size_t cie;		/* offset, of an FDE */
	uint8_t *more;		/* malloc'ed, if it is longer than bytes */
	uint8_t bytes[512];
};

struct cie {
	uint64_t code_align;
	int64_t data_align;
	uint64_t return_column;
	uint8_t encoding;
	bool augmented;		/* entries have augmentation data */
	bool signal;
	struct cursor program;
};

struct fde {
	const struct cie *cie;
	uint64_t start, size;
	struct cursor program;	/* in the entry */
	struct entry entry;
};

/* ---- rows: cfi-execute.c ---- */

/*
 * The rules at address, by the program of its FDE.  CFI_UNKNOWN: they are not
 * understood, or memory is short.  The row lives as long as cfi.
 */
enum cfi_result cfi_execute(struct cfi *cfi, const struct fde *fde,
			    uint64_t address, struct cfi_row **row);

#endif
