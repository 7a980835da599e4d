# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The malloc side: tracer-heap, and the library that it preloads.

bin_PROGRAMS += tracer-heap
tracer_heap_SOURCES = \
	heap/live.c \
	heap/live.h \
	heap/locate.c \
	heap/locate.h \
	heap/main.c \
	heap/print.c \
	heap/print.h \
	heap/read.c \
	heap/read.h \
	heap/report.c \
	heap/report.h \
	heap/run.c \
	heap/run.h \
	heap/settings.h \
	heap/state.h \
	heap/table.c \
	heap/table.h \
	heap/watch.c \
	heap/watch.h
tracer_heap_LDADD = libtracer.a $(LIBRARIES_USED)
dist_man_MANS += tracer-heap.1
dist_doc_DATA += doc/heap.md

# ---- the library ----
#
# It is in other programs: none of the sanitizers, nothing that it could
# replace itself (-fno-builtin), thread-local storage that needs no malloc.

PRELOAD_FILES = \
	heap/callers.c \
	heap/cxx.c \
	heap/family.c \
	heap/generation.c \
	heap/inside.c \
	heap/language.c \
	heap/mappings.c \
	heap/memory.c \
	heap/mwrap.c \
	heap/places.c \
	heap/process.c \
	heap/resolve.c \
	heap/python.c \
	heap/ruby.c \
	heap/sample.c \
	heap/sampled.c \
	heap/walk.c
PRELOAD_INCLUDES = heap/block.h heap/language.h heap/library.h heap/state.h \
	heap/tracer-heap.h
include_HEADERS = heap/tracer-heap.h
EXTRA_DIST += $(PRELOAD_FILES) $(PRELOAD_INCLUDES)

preloadexecdir = $(libdir)/tracer
preloadexec_DATA = heap/libtracer-heap.so
CLEANFILES += $(preloadexec_DATA)

PRELOAD_FLAGS = -std=gnu11 -D_GNU_SOURCE -O2 -fPIC -fvisibility=hidden \
	-ftls-model=initial-exec -fno-builtin -fexceptions -fno-lto \
	-fno-tree-slp-vectorize

heap/libtracer-heap.so: $(PRELOAD_FILES) $(PRELOAD_INCLUDES)
	$(AM_V_at)$(MKDIR_P) heap
	$(AM_V_CCLD)$(CC) $(WARN_CFLAGS) $(CPPFLAGS) $(CFLAGS) \
		$(PRELOAD_FLAGS) $(LDFLAGS) -shared \
		-Wl,-soname,libtracer-heap.so -Wl,-z,now -o $@ \
		$(PRELOAD_FILES:%=$(srcdir)/%)

heap/run.$(OBJEXT): AM_CPPFLAGS += \
	-DHEAP_LIBRARY='"$(preloadexecdir)/libtracer-heap.so"'

# ---- tests and measurements ----

SCRIPT_TESTS += \
	tests/test-heap-hazards.py \
	tests/test-heap-live.py \
	tests/test-heap-python.py \
	tests/test-heap-ruby.py \
	tests/test-heap.py tests/test-mwrap.py
TRACEE_SOURCES += \
	tests/tracees/heap.c \
	tests/tracees/heap-hazards.c \
	tests/tracees/heap-live.c \
	tests/tracees/heap-own-malloc.c \
	tests/tracees/heap-pairs.c \
	tests/tracees/heap-stacks.c
TRACEE_CXX_SOURCES += \
	tests/tracees/heap-new.cc \
	tests/tracees/heap-own-new.cc
TRACEE_SHARED += \
	tests/tracees/heap-plugin-a.so \
	tests/tracees/heap-plugin-b.so
tests/tracees/heap-new tests/tracees/heap-own-new: TRACEE_CFLAGS += -std=c++17
tests/tracees/heap-own-new: tests/tracees/heap-new.cc
EXTRA_DIST += bench/heap bench/heap.cpp bench/heap.rb tests/tracees/heap.py tests/tracees/heap.rb

# ---- the gem ----

EXTRA_DIST += \
	ruby/bin/mwrap \
	ruby/ext/mwrap/extconf.rb \
	ruby/ext/mwrap/mwrap.c \
	ruby/lib/mwrap.rb \
	ruby/lib/mwrap/heap_page_body.rb \
	ruby/lib/mwrap_rack.rb \
	ruby/mwrap.gemspec \
	ruby/test/test_mwrap.rb
