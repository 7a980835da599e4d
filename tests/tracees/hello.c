/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The smallest tracee: one known write, and exit status 7.
 */
#include <unistd.h>

int main(void)
{
	return write(STDOUT_FILENO, "hello\n", 6) == 6 ? 7 : 1;
}
