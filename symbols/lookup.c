/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds symbols by their names; see lookup.h.
 */
#include "symbols/lookup.h"

#include <stdlib.h>
#include <string.h>

static void read_symbol(const struct elf_file *elf, const uint8_t *bytes,
			Elf64_Sym *symbol)
{
	Elf32_Sym narrow;

	if (elf->is64) {
		memcpy(symbol, bytes, sizeof(*symbol));
		return;
	}
	memcpy(&narrow, bytes, sizeof(narrow));
	*symbol = (Elf64_Sym){
		.st_name = narrow.st_name,
		.st_info = narrow.st_info,
		.st_shndx = narrow.st_shndx,
		.st_value = narrow.st_value,
	};
}

static bool lookup_in(const struct elf_file *elf, const Elf64_Shdr *table,
		      const char *name, uint64_t *address)
{
	size_t entry = elf->is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	size_t length = strlen(name);
	struct elf_data symbols, strings;
	bool found = false;

	if (table->sh_link >= elf->section_count ||
	    !elf_section_data(elf, table, &symbols))
		return false;
	if (!elf_section_data(elf, &elf->sections[table->sh_link], &strings)) {
		free(symbols.data);
		return false;
	}
	for (size_t at = 0; !found && symbols.size - at >= entry;
	     at += entry) {
		Elf64_Sym symbol;

		read_symbol(elf, symbols.data + at, &symbol);
		found = ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT &&
			symbol.st_shndx != SHN_UNDEF &&
			symbol.st_name < strings.size &&
			strings.size - symbol.st_name >= length &&
			!strcmp((char *)strings.data + symbol.st_name, name);
		*address = symbol.st_value;
	}
	free(symbols.data);
	free(strings.data);
	return found;
}

bool lookup_data(const struct elf_file *elf, const char *name,
		 uint64_t *address)
{
	for (size_t i = 1; i < elf->section_count; i++) {
		const Elf64_Shdr *section = &elf->sections[i];

		if ((section->sh_type == SHT_DYNSYM ||
		     section->sh_type == SHT_SYMTAB) &&
		    lookup_in(elf, section, name, address))
			return true;
	}
	return false;
}
