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

/* A name that doubles with every level. */
template<typename A, typename B> struct Pair {};

template<int n> struct Double {
	typedef typename Double<n - 1>::type half;
	typedef Pair<half, half> type;
};
template<> struct Double<0> { typedef int type; };

template<typename T> struct Wing {
	NOINLINE void cross();
};

template<typename T>
void Wing<T>::cross()
{
	Room<std::vector<int> > room;

	door(room, "");
	NO_TAIL_CALL();
}

}

int main()
{
	house::Wing<house::Double<10>::type>().cross();
}
