# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true

require "mkmf"

# Beside this one in tracer's sources; else where tracer is installed.
$INCFLAGS << " -I$(srcdir)/../../../heap"
have_header("tracer-heap.h") ||
  abort("tracer-heap.h is missing: tracer has to be installed first")
have_func("rb_objspace_each_objects")
create_makefile("mwrap_ext")
