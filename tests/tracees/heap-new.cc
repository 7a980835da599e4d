// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Every form of new and delete, each in a function of its own.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

// A site is the caller of new, and so must not be in a function that is inlined.
#define FORM(name, allocate, release)				\
	__attribute__((noinline)) static void name()		\
	{							\
		for (int i = 0; i < 10; i++) {			\
			void *block = allocate;			\
			release;				\
		}						\
	}

static const std::align_val_t align{256};

FORM(plain, operator new(24), operator delete(block))
FORM(array, operator new[](24), operator delete[](block))
FORM(sized, operator new(24), operator delete(block, 24))
FORM(array_sized, operator new[](24), operator delete[](block, 24))
FORM(quiet, operator new(24, std::nothrow),
     operator delete(block, std::nothrow))
FORM(array_quiet, operator new[](24, std::nothrow),
     operator delete[](block, std::nothrow))
FORM(aligned, operator new(24, align), operator delete(block, align))
FORM(array_aligned, operator new[](24, align),
     operator delete[](block, align))
FORM(sized_aligned, operator new(24, align),
     operator delete(block, 24, align))
FORM(array_sized_aligned, operator new[](24, align),
     operator delete[](block, 24, align))
FORM(quiet_aligned, operator new(24, align, std::nothrow),
     operator delete(block, align, std::nothrow))
FORM(array_quiet_aligned, operator new[](24, align, std::nothrow),
     operator delete[](block, align, std::nothrow))

static int handled;

static void handler()
{
	if (++handled == 3)
		std::set_new_handler(nullptr);
}

static bool throws(std::size_t size)
{
	try {
		operator delete(operator new(size));
	} catch (std::bad_alloc &) {
		return true;
	}
	return false;
}

static int failures()
{
	volatile std::size_t huge = SIZE_MAX / 2;
	int count = 0;

	std::set_new_handler(handler);
	count += !throws(huge);
	count += handled != 3;
	count += operator new(huge, std::nothrow) != nullptr;
	count += operator new[](huge, align, std::nothrow) != nullptr;
	void *none = operator new(0), *block = operator new(1, align);
	count += !none;
	count += reinterpret_cast<std::uintptr_t>(block) % 256 != 0;
	operator delete(none);
	operator delete(block, align);
	return count;
}

#ifdef OWN_NEW
// The other forms must come here, too.
static int own_news, own_deletes;

void *operator new(std::size_t size)
{
	void *block = std::malloc(size);

	own_news++;
	if (!block)
		throw std::bad_alloc();
	return block;
}

void operator delete(void *block) noexcept
{
	own_deletes++;
	std::free(block);
}

int main()
{
	array();
	sized();
	quiet();
	array_sized();
	array_quiet();
	std::printf("%d %d\n", own_news, own_deletes);
}
#else
int main()
{
	plain();
	array();
	sized();
	array_sized();
	quiet();
	array_quiet();
	aligned();
	array_aligned();
	sized_aligned();
	array_sized_aligned();
	quiet_aligned();
	array_quiet_aligned();
	return failures();
}
#endif
