# SPDX-License-Identifier: LGPL-2.1-or-later
# frozen_string_literal: true

# What this program has allocated by malloc, by the lines that did it.  The
# program has to be run by "mwrap COMMAND".
module Mwrap
end

require "mwrap_ext"
require "mwrap/heap_page_body"
