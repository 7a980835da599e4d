// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A program with operators of its own.
#define OWN_NEW
#include "heap-new.cc"
