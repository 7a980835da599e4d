# SPDX-License-Identifier: LGPL-2.1-or-later
"""Reading the kernel's user-space interface off its headers and sources."""
