/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about memory, with good and bad arguments. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <sys/uio.h>

#include "calls.h"

enum { FD = 9 };	/* a descriptor that is not open */

#define AT	0x30000000L

int main(void)
{
	long room = ROOM(PAGE), byte = ROOM(1), five = PUT(long, 5);
	long nodes = PUT(int, 1, 2);
	long nowhere = PUT(struct iovec, { (void *)BAD, 4 });
	long text = PUT(struct iovec, { (void *)STR("text"), 4 });

	begin();
	CALL(mmap, AT, 2 * PAGE, PROT_READ | PROT_WRITE,
	     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	CALL(mprotect, AT, PAGE, PROT_NONE);
	CALL(mremap, AT, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
	     AT + 0x100000);
	CALL(mremap, AT + PAGE, 1, 2, 0);
	CALL(munmap, AT, 2 * PAGE);
	CALL(munmap, 1, 2);

	CALL(mmap, 0, 0, PROT_EXEC | PROT_GROWSDOWN | 0x100,
	     MAP_SHARED | MAP_NORESERVE, FD, 0x1000);
	CALL(mmap, 0, 100, PROT_READ, MAP_SHARED_VALIDATE | MAP_SYNC, FD, 0);
	CALL(mmap, BAD, 100, PROT_READ,
	     MAP_PRIVATE | MAP_HUGETLB | 21 << 26, FD, 0x123000);
	CALL(mmap, 0, 1, 0, 0, -1, 1);
	CALL(mprotect, 1, 2, 8 | PROT_EXEC | 0x80);
	CALL(pkey_mprotect, 1, 2, PROT_READ, -1);
	CALL(pkey_alloc, 1, 3);
	CALL(pkey_free, 1000);
	CALL(madvise, 1, 2, MADV_DONTNEED);
	CALL(madvise, AT, PAGE, 99);
	CALL(msync, 1, 2, MS_ASYNC | MS_INVALIDATE | MS_SYNC);
	CALL(mincore, 1, 100, BAD);
	CALL(mincore, room, PAGE, byte);
	CALL(mlock, BAD, 0);
	CALL(mlock2, BAD, 1, 2);
	CALL(munlock, BAD, 0);
	CALL(mlockall, 0);
	CALL(mlockall, MCL_CURRENT | MCL_ONFAULT | 8);
	CALL(remap_file_pages, 1, 2, PROT_READ, 4, MAP_SHARED);
	CALL(mbind, 1, 2, 2, five, 8, 2);
	CALL(set_mempolicy, 3, BAD, 64);
	CALL(get_mempolicy, BAD, BAD, 1, 0, 7);
	CALL(migrate_pages, 0, 8, BAD, BAD);
	CALL(move_pages, 0, 2, BAD, nodes, BAD, 2);
	CALL(process_vm_readv, 0, nowhere, 1, nowhere, 1, 1);
	CALL(process_vm_writev, 0, text, 1, BAD, 1, 1);
	CALL(membarrier, 0x1000, 1);
	CALL(userfaultfd, 0xffff);
	return 0;
}
