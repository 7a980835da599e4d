/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of statistics, compared with tables worked out by hand.
 */
#include "output/summary.h"
#include "check.h"

static struct summary_options options;
static struct summary *summary;

static struct timespec usec(long usec)
{
	return (struct timespec){ usec / 1000000, usec % 1000000 * 1000 };
}

/* A call that took so many microseconds of system and wall time. */
static void count(enum abi_id abi, uint64_t nr, bool failed, long system,
		  long wall)
{
	char name[SYSENT_NAME_SIZE];
	struct sysent scratch;

	summary_count(summary, &abis[abi],
		      sysent_find(&abis[abi], nr, &scratch, name), failed,
		      usec(system), usec(wall));
}

static void begin(const char *columns, const char *sort)
{
	summary_options_init(&options);
	if (columns)
		IS_STR(summary_parse_columns(&options, columns), NULL,
		       "-U %s", columns);
	if (sort)
		IS_STR(summary_parse_sort(&options, sort), NULL, "-S %s",
		       sort);
	summary = summary_new(&options);
}

static void end(const char *want, const char *name)
{
	struct stream *stream = stream_open_memory();

	summary_print(summary, stream);
	stream_char(stream, '\0');
	IS_STR(stream->data, want, "%s", name);
	stream_close(stream);
	summary_free(summary);
}

/* read: 3 calls, 60 us; write: 2 calls, 40 us; openat: 1 of 2 fails, 0 us. */
static void count_some(void)
{
	count(ABI_X86_64, 0, false, 10, 100);
	count(ABI_X86_64, 0, false, 20, 1100);
	count(ABI_X86_64, 0, false, 30, 300);
	count(ABI_X86_64, 1, false, 5, 50);
	count(ABI_X86_64, 1, false, 35, 70);
	count(ABI_X86_64, 257, false, 0, 0);
	count(ABI_X86_64, 257, true, 0, 9);
}

static void check_default(void)
{
	begin(NULL, NULL);
	count_some();
	end("% time     seconds  usecs/call     calls    errors syscall\n"
	    "------ ----------- ----------- --------- --------- "
	    "----------------\n"
	    " 60.00    0.000060          20         3           read\n"
	    " 40.00    0.000040          20         2           write\n"
	    "  0.00    0.000000           0         2         1 openat\n"
	    "------ ----------- ----------- --------- --------- "
	    "----------------\n"
	    "100.00    0.000100          14         7         1 total\n",
	    "the table");
}

static void check_empty(void)
{
	begin(NULL, NULL);
	end("", "no call, no table");
	begin(NULL, NULL);
	count(ABI_X86_64, 0, false, 0, 0);
	end("% time     seconds  usecs/call     calls    errors syscall\n"
	    "------ ----------- ----------- --------- --------- "
	    "----------------\n"
	    "  0.00    0.000000           0         1           read\n"
	    "------ ----------- ----------- --------- --------- "
	    "----------------\n"
	    "100.00    0.000000           0         1           total\n",
	    "no time at all");
}

static void check_wall(void)
{
	begin(NULL, NULL);
	options.wall = true;
	count_some();
	end("% time     seconds  usecs/call     calls    errors syscall\n"
	    "------ ----------- ----------- --------- --------- "
	    "----------------\n"
	    " 92.08    0.001500         500         3           read\n"
	    "  7.37    0.000120          60         2           write\n"
	    "  0.55    0.000009           4         2         1 openat\n"
	    "------ ----------- ----------- --------- --------- "
	    "----------------\n"
	    "100.00    0.001629         232         7         1 total\n",
	    "-w");
}

static void check_columns(void)
{
	begin("calls,name,errors", "none");
	count_some();
	end("    calls syscall             errors\n"
	    "--------- ---------------- ---------\n"
	    "        3 read                      \n"
	    "        2 write                     \n"
	    "        2 openat                   1\n"
	    "--------- ---------------- ---------\n"
	    "        7 total                    1\n",
	    "a name that is not the last column");
	begin("min-time,longest,time_avg,wall-total,wall-min,max-wall,"
	      "avg_wall", "name");
	count_some();
	end("shortest  longest  usecs/call  wall-total wall-min wall-max"
	    "    wall-avg syscall\n"
	    "-------- -------- ----------- ----------- -------- --------"
	    " ----------- ----------------\n"
	    "0.000000 0.000000           0    0.000009 0.000000 0.000009"
	    "           4 openat\n"
	    "0.000010 0.000030          20    0.001500 0.000100 0.001100"
	    "         500 read\n"
	    "0.000005 0.000035          20    0.000120 0.000050 0.000070"
	    "          60 write\n"
	    "-------- -------- ----------- ----------- -------- --------"
	    " ----------- ----------------\n"
	    "0.000000 0.000035          14    0.001629 0.000000 0.001100"
	    "         232 total\n",
	    "the other columns; the name is added, sorted by it");
}

static void check_wide(void)
{
	begin("total-time,name,calls", NULL);
	/* 10 calls of 12 345 678.9 s; a long name */
	for (int i = 0; i < 10; i++)
		summary_count(summary, &abis[ABI_X86_64],
			      sysent_at(&abis[ABI_X86_64], 446), false,
			      (struct timespec){ 12345678, 900000000 },
			      usec(0));
	end("         seconds syscall                    calls\n"
	    "---------------- ---------------------- ---------\n"
	    "123456789.000000 landlock_restrict_self        10\n"
	    "---------------- ---------------------- ---------\n"
	    "123456789.000000 total                         10\n",
	    "columns grow");
}

static void check_rounding(void)
{
	begin("total-time,avg-time", NULL);
	summary_count(summary, &abis[ABI_X86_64],
		      sysent_at(&abis[ABI_X86_64], 0), false,
		      (struct timespec){ 0, 39600 }, usec(0));
	end("    seconds  usecs/call syscall\n"
	    "----------- ----------- ----------------\n"
	    "   0.000040          39 read\n"
	    "----------- ----------- ----------------\n"
	    "   0.000040          39 total\n",
	    "seconds are rounded, microseconds cut");
}

static void check_order(void)
{
	static const struct {
		const char *sort, *names;
	} orders[] = {
		{ "time", "read\nwrite\nopenat\n" },
		{ "calls", "read\nwrite\nopenat\n" },
		{ "errors", "openat\nread\nwrite\n" },
		{ "max-time", "write\nread\nopenat\n" },
		{ "min-time", "read\nwrite\nopenat\n" },
		{ "wall-max", "read\nwrite\nopenat\n" },
		{ "name", "openat\nread\nwrite\n" },
		{ "nothing", "read\nwrite\nopenat\n" },
	};
	char want[256];

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		begin("name", orders[i].sort);
		count_some();
		snprintf(want, sizeof(want), "syscall\n----------------\n"
			 "%s----------------\ntotal\n", orders[i].names);
		end(want, "the order");
	}
}

static void check_overhead(void)
{
	begin("total-time,min-time,max-time,calls", NULL);
	IS_STR(summary_parse_overhead(&options, "10us"), NULL, "-O 10us");
	count_some();
	/* read: 0 10 20; write: 0 25; openat: 0 0 */
	end("    seconds shortest  longest     calls syscall\n"
	    "----------- -------- -------- --------- ----------------\n"
	    "   0.000030 0.000000 0.000020         3 read\n"
	    "   0.000025 0.000000 0.000025         2 write\n"
	    "   0.000000 0.000000 0.000000         2 openat\n"
	    "----------- -------- -------- --------- ----------------\n"
	    "   0.000055 0.000000 0.000025         7 total\n",
	    "what is taken off");
	IS_STR(summary_parse_overhead(&options, "1h"),
	       "invalid -O argument: '1h'", "a wrong unit");
}

/* Two ABIs, a number in no table, and a hole in one. */
static void check_numbers(void)
{
	begin("calls,errors", "none");
	count(ABI_X86_64, 9999, true, 0, 0);
	count(ABI_X86_64, 0, false, 0, 0);
	count(ABI_X86_64, 9999, true, 0, 0);
	count(ABI_X86_64, 400, true, 0, 0);
	count(ABI_I386, 3, false, 0, 0);
	count(ABI_X32, 0x40000001, false, 0, 0);
	end("    calls    errors syscall\n"
	    "--------- --------- ----------------\n"
	    "        1           read\n"
	    "        1         1 syscall_0x190\n"
	    "        2         2 syscall_0x270f\n"
	    "--------- --------- ----------------\n"
	    "        4         3 total\n"
	    "System call usage summary for 32 bit mode:\n"
	    "    calls    errors syscall\n"
	    "--------- --------- ----------------\n"
	    "        1           read\n"
	    "--------- --------- ----------------\n"
	    "        1           total\n"
	    "System call usage summary for x32 mode:\n"
	    "    calls    errors syscall\n"
	    "--------- --------- ----------------\n"
	    "        1           write\n"
	    "--------- --------- ----------------\n"
	    "        1           total\n",
	    "ABIs and unknown numbers");

	/* No matter how many: memory is bounded, nothing is lost. */
	begin("calls", "none");
	for (unsigned i = 0; i < 100000; i++)
		count(ABI_X86_64, 100000 + i, true, 0, 0);
	for (unsigned i = 0; i < 100000; i++)
		count(ABI_X86_64, 100000 + i, true, 0, 0);
	struct stream *stream = stream_open_memory();

	summary_print(summary, stream);
	stream_char(stream, '\0');
	OK(strstr(stream->data, "\n   200000 total\n") != NULL,
	   "a great many unknown numbers are all counted");
	OK(stream->len < 20000, "in a table of limited length");
	stream_close(stream);
	summary_free(summary);
}

static void check_names(void)
{
	summary_options_init(&options);
	IS_STR(summary_parse_columns(&options, "calls,foo"),
	       "unknown column name: 'foo'", "an unknown column");
	IS_STR(summary_parse_columns(&options, ""),
	       "unknown column name: ''", "no column");
	IS_STR(summary_parse_columns(&options, "calls,count"),
	       "call summary column has been provided more than once: 'count'",
	       "one column by two names");
	IS_INT(options.column_count, 6, "then the columns are as they were");
	IS_STR(summary_parse_sort(&options, "foo"), "invalid sortby: 'foo'",
	       "an unknown order");
}

static void check_needs(void)
{
	summary_options_init(&options);
	OK(summary_needs_system_time(&options) &&
	   !summary_needs_wall_time(&options), "CPU time by default");
	options.wall = true;
	OK(!summary_needs_system_time(&options) &&
	   summary_needs_wall_time(&options), "wall time with -w");
	summary_options_init(&options);
	summary_parse_columns(&options, "calls,wall-max");
	OK(summary_needs_system_time(&options) &&
	   summary_needs_wall_time(&options), "both, as it sorts by time");
	summary_parse_sort(&options, "calls");
	OK(!summary_needs_system_time(&options) &&
	   summary_needs_wall_time(&options), "only wall time");
	summary_parse_columns(&options, "calls");
	OK(!summary_needs_system_time(&options) &&
	   !summary_needs_wall_time(&options), "no time");
}

int main(void)
{
	if (!sysent_init())
		return EXIT_FAILURE;
	check_default();
	check_empty();
	check_wall();
	check_columns();
	check_wide();
	check_rounding();
	check_order();
	check_overhead();
	check_numbers();
	check_names();
	check_needs();
	return check_done();
}
