# SPDX-License-Identifier: LGPL-2.1-or-later
"""Stacks as the back end libdw finds them."""

from unwind_cases import check_all

check_all('libdw')
