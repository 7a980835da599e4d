# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The tests, the programs that they trace, and the fuzzers.

# Unit tests, tests/test-NAME.c: linked with everything but main().
UNIT_TESTS = \
	tests/test-cfi \
	tests/test-constants \
	tests/test-filter \
	tests/test-ioctl-names \
	tests/test-json-sink \
	tests/test-layout \
	tests/test-mem \
	tests/test-mmap \
	tests/test-parse \
	tests/test-perf-map \
	tests/test-procinfo \
	tests/test-snapshot \
	tests/test-stream \
	tests/test-summary \
	tests/test-symbols \
	tests/test-sysent \
	tests/test-text-sink \
	tests/test-tracee

# End-to-end tests: they run the tracer.
SCRIPT_TESTS = \
	tests/fuzz/test-random-calls.py \
	tests/test-decode-creds.py \
	tests/test-decode-file.py \
	tests/test-decode-futex.py \
	tests/test-decode-io.py \
	tests/test-decode-ioctl.py \
	tests/test-decode-ipc.py \
	tests/test-decode-memory.py \
	tests/test-decode-misc.py \
	tests/test-decode-mount.py \
	tests/test-decode-net.py \
	tests/test-decode-poll.py \
	tests/test-decode-prctl.py \
	tests/test-decode-process.py \
	tests/test-decode-sched.py \
	tests/test-decode-scripted.py \
	tests/test-decode-signal.py \
	tests/test-decode-time.py \
	tests/test-differential.py \
	tests/test-engine-attach.py \
	tests/test-engine-family.py \
	tests/test-engine-launch.py \
	tests/test-engine-signals.py \
	tests/test-engine-tty.py \
	tests/test-engine-wait.py \
	tests/test-every-call.py \
	tests/test-gen-constants.py \
	tests/test-harness.py \
	tests/test-json-schema.py \
	tests/test-manual.py \
	tests/test-options-strace.py \
	tests/test-options.py \
	tests/test-quickstart.py \
	tests/test-refresh-facts.py \
	tests/test-unwind-cfi.py \
	tests/test-unwind-debuginfod.py \
	tests/test-unwind-files.py \
	tests/test-unwind-hard.py \
	tests/test-unwind-jit.py \
	tests/test-unwind-json.py \
	tests/test-unwind-libdw.py \
	tests/test-unwind-libunwind.py \
	tests/test-unwind-spaces.py \
	tests/test-unwind.py

# The programs that they trace, tests/tracees/NAME.c and NAME.cc.
TRACEE_SOURCES = \
	tests/tracees/decode-creds.c \
	tests/tracees/decode-file.c \
	tests/tracees/decode-futex.c \
	tests/tracees/decode-io.c \
	tests/tracees/decode-ioctl.c \
	tests/tracees/decode-ipc.c \
	tests/tracees/decode-memory.c \
	tests/tracees/decode-misc.c \
	tests/tracees/decode-mount.c \
	tests/tracees/decode-net.c \
	tests/tracees/decode-poll.c \
	tests/tracees/decode-prctl.c \
	tests/tracees/decode-process.c \
	tests/tracees/decode-sched.c \
	tests/tracees/decode-signal.c \
	tests/tracees/decode-time.c \
	tests/tracees/engine-busy.c \
	tests/tracees/engine-exec.c \
	tests/tracees/engine-forks.c \
	tests/tracees/engine-ptrace.c \
	tests/tracees/engine-signals.c \
	tests/tracees/engine-state.c \
	tests/tracees/engine-stop.c \
	tests/tracees/engine-storm.c \
	tests/tracees/engine-work.c \
	tests/tracees/engine-zombie-leader.c \
	tests/tracees/hello.c \
	tests/tracees/options.c \
	tests/tracees/scripted.c \
	tests/tracees/unwind-hard.c \
	tests/tracees/unwind-jit.c \
	tests/tracees/unwind-mappings.c \
	tests/tracees/unwind-plugins.c \
	tests/tracees/unwind-spaces.c \
	tests/tracees/unwind.c
TRACEE_CXX_SOURCES = \
	tests/tracees/unwind-names.cc
# The same ones built otherwise: NAME-static, -nopie, -stripped, -O2; without
# frame pointers (-nofp), with unwind rules only in .debug_frame (-debugframe),
# with frame pointers but no rules (-norules).
TRACEE_VARIANTS = \
	tests/tracees/hello-nopie \
	tests/tracees/hello-static \
	tests/tracees/hello-stripped \
	tests/tracees/unwind-O2 \
	tests/tracees/unwind-debugframe \
	tests/tracees/unwind-hard-O2 \
	tests/tracees/unwind-nofp \
	tests/tracees/unwind-nopie \
	tests/tracees/unwind-norules \
	tests/tracees/unwind-static \
	tests/tracees/unwind-static-pie \
	tests/tracees/unwind-stripped
# Likewise, where the compiler makes 32-bit programs: NAME-m32.
TRACEE_M32 = \
	tests/tracees/hello-m32 \
	tests/tracees/unwind-m32
# Shared libraries for them: tests/tracees/NAME.c becomes NAME.so.
TRACEE_SHARED = \
	tests/tracees/unwind-plugin-a.so \
	tests/tracees/unwind-plugin-b.so \
	tests/tracees/unwind-symbols.so

TRACEES = $(TRACEE_SOURCES:.c=) $(TRACEE_CXX_SOURCES:.cc=) \
	$(TRACEE_VARIANTS) $(TRACEE_SHARED)
if HAVE_M32
TRACEES += $(TRACEE_M32)
endif

TESTS = $(UNIT_TESTS) $(SCRIPT_TESTS)
check_PROGRAMS = $(UNIT_TESTS)
$(UNIT_TESTS): libtracer.a
check_DATA = $(TRACEES) tests/fuzz/random-calls
EXTRA_DIST += $(SCRIPT_TESTS) $(TRACEE_SOURCES) $(TRACEE_CXX_SOURCES) \
	$(TRACEE_SHARED:.so=.c) \
	tests/check.h tests/classes.tsv tests/decode.py tests/differential.py \
	tests/every_call.py tests/scripted.py \
	tests/reference-strace tests/sink-check.h tests/tap.py \
	tests/summary tests/tracees/calls.h tests/tracees/unwind.h \
	tests/unwind_cases.py
CLEANFILES = $(TRACEES)

TEST_EXTENSIONS = .py
TAP_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
# A test that hangs is ended, with all its children.
TEST_TIMEOUT = 300
LOG_DRIVER = $(TAP_DRIVER)
LOG_COMPILER = timeout -k 5 $(TEST_TIMEOUT)
PY_LOG_DRIVER = $(TAP_DRIVER)
PY_LOG_COMPILER = timeout -k 5 $(TEST_TIMEOUT) $(PYTHON3)
AM_TESTS_ENVIRONMENT = \
	TRACER='$(abs_builddir)/tracer'; export TRACER; \
	TRACEES='$(abs_builddir)/tests/tracees'; export TRACEES; \
	TOP_SRCDIR='$(abs_srcdir)'; export TOP_SRCDIR; \
	PYTHONPATH='$(abs_srcdir)/tests'; export PYTHONPATH; \
	PYTHONDONTWRITEBYTECODE=1; export PYTHONDONTWRITEBYTECODE; \
	SANITIZED='$(SANITIZED)'; export SANITIZED; \
	LC_ALL=C.UTF-8; export LC_ALL;
if SANITIZERS
SANITIZED = yes
endif

# Only the unit tests, for builds whose tracer has been tested otherwise.
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(UNIT_TESTS)'
.PHONY: check-unit

# Tracees are ordinary programs: none of the tracer's own flags.  What they
# need besides is said by a line like
#	tests/tracees/NAME: TRACEE_LDLIBS = -ldl
TRACEE_CFLAGS = -g -O0
TRACEE_LDLIBS = -pthread
# What a stripped program exports still has names.
tests/tracees/unwind-stripped: TRACEE_LDLIBS = -pthread -rdynamic
# So that calls go through the dynamic linker.
tests/tracees/unwind-hard tests/tracees/unwind-hard-O2: \
	TRACEE_LDLIBS = -pthread -Wl,-z,lazy
TRACEE_CC = $(AM_V_CC)$(CC) -std=gnu11 $(TRACEE_CFLAGS)
# Older clangs have neither C++17 nor the sized delete unless asked.
TRACEE_CXX = $(AM_V_CXX)$(CXX) -std=gnu++17 -fsized-deallocation \
	$(TRACEE_CFLAGS)

tests/tracees/.dir:
	$(AM_V_at)$(MKDIR_P) tests/tracees && : > $@
CLEANFILES += tests/tracees/.dir
tests/tracees/%: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%: tests/tracees/%.cc | tests/tracees/.dir
	$(TRACEE_CXX) -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-static: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -static -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-nopie: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -fno-pie -no-pie -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-stripped: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -s -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-O2: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -O2 -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-static-pie: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -fPIE -static-pie -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-nofp: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -fomit-frame-pointer -o $@ $< $(TRACEE_LDLIBS)
NO_TABLES = -fno-asynchronous-unwind-tables -fno-unwind-tables
tests/tracees/%-debugframe: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -fomit-frame-pointer $(NO_TABLES) -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%-norules: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -g0 -fno-omit-frame-pointer $(NO_TABLES) -o $@ $< \
		$(TRACEE_LDLIBS)
tests/tracees/%-m32: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -m32 -o $@ $< $(TRACEE_LDLIBS)
tests/tracees/%.so: tests/tracees/%.c | tests/tracees/.dir
	$(TRACEE_CC) -shared -fPIC -o $@ $< $(TRACEE_LDLIBS)

# ---- tests that need more than a compiler ----

# i386 and x32 programs on other kernels, in machines of our own.
check-vm: tracer
	$(MAKE) $(AM_MAKEFLAGS) check TESTS=tests/vm/test-vm.py \
		check_PROGRAMS= check_DATA= TEST_TIMEOUT=900
# Random calls for as long as one likes: make fuzz-calls SEEDS=1000-2000
SEEDS = 1000-2000
fuzz-calls: tracer tests/fuzz/random-calls
	$(AM_TESTS_ENVIRONMENT) \
	$(PYTHON3) $(srcdir)/tests/fuzz/test-random-calls.py --seeds $(SEEDS)
# Decoders and ELF files under libFuzzer, configured with --enable-fuzzing: a few
# seconds, always the same; run tests/fuzz/fuzz-decoders itself for longer.
check-fuzz:
	$(MAKE) $(AM_MAKEFLAGS) check \
		TESTS='tests/fuzz/test-decoders.py tests/fuzz/test-elf.py' \
		check_PROGRAMS='$(FUZZERS)' \
		check_DATA='tests/tracees/hello tests/tracees/unwind-symbols.so' \
		FUZZER='$(abs_builddir)/tests/fuzz/fuzz-decoders' \
		FUZZER_ELF='$(abs_builddir)/tests/fuzz/fuzz-elf'
.PHONY: check-vm check-fuzz fuzz-calls

if HAVE_FUZZER
FUZZERS = tests/fuzz/fuzz-decoders tests/fuzz/fuzz-elf
endif
EXTRA_PROGRAMS = tests/fuzz/fuzz-decoders tests/fuzz/fuzz-elf
tests_fuzz_fuzz_decoders_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_decoders_DEPENDENCIES = libtracer.a
tests_fuzz_fuzz_elf_LDFLAGS = -fsanitize=fuzzer
tests_fuzz_fuzz_elf_DEPENDENCIES = libtracer.a
tests/fuzz/fuzz-decoders.$(OBJEXT): | constants/sets.h

tests/fuzz/random-calls: tests/fuzz/random-calls.c tests/vm/raw-call.h
	$(AM_V_at)$(MKDIR_P) tests/fuzz
	$(TRACEE_CC) -D_GNU_SOURCE -o $@ $(srcdir)/tests/fuzz/random-calls.c
CLEANFILES += tests/fuzz/random-calls

EXTRA_DIST += tests/vm/every-call.c tests/vm/folded-calls.c tests/vm/kernel tests/vm/known-calls.c \
	tests/vm/known.py tests/vm/machine.py tests/vm/raw-call.h \
	tests/vm/test-vm.py tests/fuzz/fuzz-decoders.c \
	tests/fuzz/fuzz-elf.c tests/fuzz/test-elf.py \
	tests/fuzz/json-check.h tests/fuzz/random-calls.c \
	tests/fuzz/test-decoders.py tests/fuzz/test-random-calls.py
