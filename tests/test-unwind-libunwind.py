# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks as the back end libunwind finds them."""

from unwind_cases import check_all

check_all('libunwind')
