/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A stack of C++ functions, whose names are to be demangled.
 */
#include <string>
#include <vector>

extern "C" {
#include "unwind.h"
}

namespace house {

template<typename T>
struct Room {
	NOINLINE void enter(const T &key, int times);
};

template<typename T>
void Room<T>::enter(const T &key, int times)
{
	(void)key;
	(void)times;
	mark("mark:names");
	NO_TAIL_CALL();
}

NOINLINE void door(Room<std::vector<int> > &room, const char *)
{
	room.enter(std::vector<int>(), 1);
	NO_TAIL_CALL();
}

}

int main()
{
	house::Room<std::vector<int> > room;

	house::door(room, "");
}
