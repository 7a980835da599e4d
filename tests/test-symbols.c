/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which symbol an address belongs to: what libdw says is what we say, for
 * libraries as they are and for one that has everything at once.
 */
#include "config.h"

#include <fcntl.h>
#include <unistd.h>

#include "check.h"
#include "symbols/debug-file.h"
#include "symbols/elf-file.h"
#include "symbols/intern.h"
#include "symbols/symbols.h"

static void check_demangling(void)
{
	IS_STR(symbols_demangle("main"), "main", "a C name");
	IS_STR(symbols_demangle("_start"), "_start", "an underscore");
	IS_STR(symbols_demangle("_Zzz"), "_Zzz", "what only looks mangled");
#ifdef HAVE_LIBIBERTY
	IS_STR(symbols_demangle("_ZN2ns2f3Ei"), "ns::f3(int)", "C++");
	IS_STR(symbols_demangle("_ZNSt6localeD1Ev@@GLIBCXX_3.4"),
	       "std::locale::~locale()@@GLIBCXX_3.4",
	       "C++ with a version");
	IS_STR(symbols_demangle("_ZN4core3fmt5write17h0123456789abcdefE"),
	       "core::fmt::write", "Rust, the old way");
	IS_STR(symbols_demangle("_RNvC6_123foo3bar"), "123foo::bar",
	       "Rust, the new way");
#endif
	OK(symbols_demangle("same") == symbols_demangle("same"),
	   "a name is kept once");

	char *name = malloc(200001);

	memset(name, 'x', 200000);
	name[200000] = '\0';
	IS_STR(symbols_demangle(name), name, "a long name is whole");
	free(name);
}

#ifdef HAVE_LIBDW

#include <elfutils/libdwfl.h>

/* libdw without the network, and so that a section has no address of its own */
static char *debuginfo_path;
static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_linux_proc_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
	.debuginfo_path = &debuginfo_path,
};

enum { LOADED_AT = 0x10000000 };

/* The file whose table the module of a stack would have. */
static bool open_file(const char *path, struct elf_file *elf)
{
	struct elf_file debug;
	uint8_t id[64];
	char hex[2 * sizeof(id) + 1] = "";
	size_t size = sizeof(id);
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || !elf_open(elf, fd))
		return false;
	if (elf_note(elf, "GNU", NT_GNU_BUILD_ID, id, &size))
		for (size_t i = 0; i < size; i++)
			sprintf(hex + 2 * i, "%02x", id[i]);
	if (symbols_full(elf) ||
	    !debug_file_open(elf, path, *hex ? hex : NULL, &debug))
		return true;
	if (symbols_full(&debug)) {
		elf_close(elf);
		*elf = debug;
	} else {
		elf_close(&debug);
	}
	return true;
}

static Dwfl_Module *report(Dwfl *dwfl, const char *path)
{
	Dwfl_Module *mod;

	dwfl_report_begin(dwfl);
	mod = dwfl_report_elf(dwfl, path, path, -1, LOADED_AT, false);
	dwfl_report_end(dwfl, NULL, NULL);
	return mod;
}

/* Compares at steps over all executable segments. */
static void compare(const char *path, unsigned step)
{
	Dwfl *dwfl = dwfl_begin(&callbacks);
	Dwfl_Module *mod = report(dwfl, path);
	struct elf_file file;
	bool opened = open_file(path, &file);
	struct symbols *symbols = opened ? symbols_load(&file) : NULL;
	unsigned compared = 0, different = 0;
	GElf_Addr bias = 0;
	GElf_Phdr segment;
	size_t count = 0;
	Elf *elf = mod ? dwfl_module_getelf(mod, &bias) : NULL;

	if (!OK(elf && symbols, "%s is opened", path))
		goto out;
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, i, &segment) ||
		    segment.p_type != PT_LOAD || !(segment.p_flags & PF_X))
			continue;
		for (uint64_t at = 0; at < segment.p_memsz; at += step) {
			uint64_t address = segment.p_vaddr + at;
			uint64_t got_offset = 0;
			GElf_Off want_offset = 0;
			GElf_Sym sym;
			const char *got, *want;

			want = dwfl_module_addrinfo(mod, bias + address,
						    &want_offset, &sym, NULL,
						    NULL, NULL);
			got = symbols_find(symbols, address, &got_offset);
			compared++;
			if (!want ? !got : got && !strcmp(got, want) &&
			    got_offset == want_offset)
				continue;
			if (different++ < 5)
				check_note("%#lx: %s+%#lx, libdw: %s+%#lx",
					   (long)address, got ? got : "-",
					   (long)got_offset,
					   want ? want : "-",
					   (long)want_offset);
		}
	}
	OK(compared && !different, "%s: %u of %u addresses as libdw", path,
	   compared - different, compared);
out:
	symbols_free(symbols);
	if (opened)
		elf_close(&file);
	dwfl_end(dwfl);
}

static void compare_all(void)
{
	const char *tracees = getenv("TRACEES");
	char path[4096];

	snprintf(path, sizeof(path), "%s/unwind-symbols.so",
		 tracees ? tracees : "tests/tracees");
	compare(path, 1);
	compare("/proc/self/exe", 1009);
	/* With their separate debug files, if those are installed. */
	if (!access("/lib/x86_64-linux-gnu/libc.so.6", R_OK)) {
		compare("/lib/x86_64-linux-gnu/libc.so.6", 997);
		compare("/lib64/ld-linux-x86-64.so.2", 101);
	}
}

#else

static void compare_all(void)
{
	check_skip("as libdw", "built without libdw");
}

#endif

int main(void)
{
	check_demangling();
	compare_all();
	intern_fini();
	return check_done();
}
