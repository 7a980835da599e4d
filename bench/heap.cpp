// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A program that does little but allocate, for bench/heap: containers that
// grow and shrink.  It prints the CPU seconds that it took.
//
//	heap SCALE THREADS	churn; 200 is about 6 million allocations
//	heap pairs NUMBER	that many malloc/free pairs, one at a time
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <map>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <vector>

static uint64_t next(uint64_t &state)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 33;
}

static uint64_t maps(uint64_t &state)
{
	std::map<uint64_t, std::string> map;
	uint64_t sum = 0;

	for (int i = 0; i < 5000; i++)
		map[next(state) % 4000] = std::string(8 + next(state) % 60,
						      'x');
	for (auto &entry : map)
		sum += entry.second.size();
	return sum;
}

static uint64_t strings(uint64_t &state)
{
	std::vector<std::string> lines;

	for (int i = 0; i < 4000; i++) {
		std::string line;

		for (int word = 0; word < 4; word++)
			line += std::to_string(next(state)) + ' ';
		lines.push_back(line);
	}
	return lines.size();
}

static uint64_t lists(uint64_t &state)
{
	std::list<uint64_t> list;

	for (int i = 0; i < 6000; i++) {
		list.push_back(next(state));
		if (list.size() > 1000)
			list.pop_front();
	}
	return list.size();
}

static uint64_t buffers(uint64_t &state)
{
	char *buffer = nullptr;
	size_t size = 0;

	for (int i = 0; i < 500; i++) {
		size += 1 + next(state) % 200;
		buffer = static_cast<char *>(realloc(buffer, size));
		buffer[size - 1] = 1;
	}
	free(buffer);
	return size;
}

static void churn(int scale, uint64_t seed)
{
	volatile uint64_t sum = 0;

	for (int i = 0; i < scale; i++)
		sum = sum + maps(seed) + strings(seed) + lists(seed) +
			buffers(seed);
}

static void pairs(long count)
{
	/* Called through a pointer, so that no compiler removes it. */
	void *(*volatile allocate)(size_t) = malloc;

	for (long i = 0; i < count; i++)
		free(allocate(16 + i % 256));
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	std::vector<std::thread> others;
	rusage usage;

	if (argc > 2 && !strcmp(argv[1], "pairs")) {
		pairs(atol(argv[2]));
		return 0;
	}
	for (int i = 1; i < threads; i++)
		others.emplace_back(churn, atoi(argv[1]), i);
	churn(argc > 1 ? atoi(argv[1]) : 200, 0);
	for (auto &thread : others)
		thread.join();
	getrusage(RUSAGE_SELF, &usage);
	printf("%.6f\n", usage.ru_utime.tv_sec + usage.ru_stime.tv_sec +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
}
