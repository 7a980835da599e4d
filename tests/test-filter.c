/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sets of calls, signals and outcomes, as people write them.
 */
#include "filter/filter.h"
#include "parse.h"
#include "check.h"

static struct call_set set;

/* Whether the set has a call; by number, so that names are tested, too. */
static bool has(enum abi_id abi, uint64_t nr)
{
	char name[SYSENT_NAME_SIZE];
	struct sysent scratch;

	return call_set_has(&set, &abis[abi],
			    sysent_find(&abis[abi], nr, &scratch, name));
}

static void parse(const char *text)
{
	const char *message = call_set_parse(&set, text);

	IS_STR(message, NULL, "'%s' is a set of calls", text);
}

static void refuse(const char *text, const char *message)
{
	IS_STR(call_set_parse(&set, text), message, "'%s' is not", text);
}

/* How many of the known calls of an ABI are in the set. */
static size_t count(enum abi_id abi)
{
	size_t members = 0;

	for (size_t i = 0; i < sysent_count(&abis[abi]); i++) {
		const struct sysent *call = sysent_at(&abis[abi], i);

		if (call && call_set_has(&set, &abis[abi], call))
			members++;
	}
	return members;
}

static size_t known(enum abi_id abi)
{
	size_t calls = 0;

	for (size_t i = 0; i < sysent_count(&abis[abi]); i++)
		calls += sysent_at(&abis[abi], i) != NULL;
	return calls;
}

/* read: 0 on x86-64, 3 on i386; write: 1 and 4; openat: 257 and 295. */
static void check_names(void)
{
	parse("read");
	OK(has(ABI_X86_64, 0) && has(ABI_I386, 3) && has(ABI_X32, 0x40000000),
	   "a name is that call on every ABI");
	OK(!has(ABI_X86_64, 1) && !has(ABI_I386, 0), "and no other");
	IS_INT(count(ABI_X86_64), 1, "exactly one");
	OK(!has(ABI_X86_64, 9999), "an unknown number is not in the set");

	parse("read,write,openat");
	IS_INT(count(ABI_X86_64), 3, "three of them");
	IS_INT(count(ABI_I386), 3, "on i386, too");
	OK(has(ABI_I386, 295), "openat on i386");
	parse(",read,,write,");
	IS_INT(count(ABI_X86_64), 2, "commas too many do not matter");

	parse("mmap2");
	IS_INT(count(ABI_X86_64), 0, "mmap2 is not there on x86-64");
	OK(has(ABI_I386, 192), "but on i386");

	parse("read@64");
	OK(has(ABI_X86_64, 0) && !has(ABI_I386, 3) &&
	   !has(ABI_X32, 0x40000000), "@64");
	parse("read@32,write@x32");
	OK(!has(ABI_X86_64, 0) && has(ABI_I386, 3) &&
	   !has(ABI_X32, 0x40000000) && has(ABI_X32, 0x40000001), "@32, @x32");

	parse("?nosuchcall,read");
	IS_INT(count(ABI_X86_64), 1, "an optional call that is not there");
	parse("?read,??write");
	IS_INT(count(ABI_X86_64), 2, "and some that are");
	parse("?mmap2@64");
	IS_INT(count(ABI_I386), 0, "nothing at all is a set");
}

static void check_numbers(void)
{
	parse("0,3");
	OK(has(ABI_X86_64, 0) && has(ABI_X86_64, 3) && has(ABI_I386, 3) &&
	   has(ABI_X32, 0x40000003), "a number is one on every ABI");
	IS_INT(count(ABI_X86_64), 2, "and no others");
	parse("00257@64");
	OK(has(ABI_X86_64, 257) && !has(ABI_I386, 257), "zeroes before it");
	parse("1073741824");
	OK(has(ABI_X32, 0x40000000) && !has(ABI_X86_64, 0),
	   "x32's bit in a number");
	refuse("9999", "invalid system call '9999'");
	refuse("0x1", "invalid system call '0x1'");
	refuse("-1", "invalid system call '-1'");
	refuse("5-7", "invalid system call '5-7'");
	refuse("4294967296", "invalid system call '4294967296'");
	refuse("99999999999999999999999999",
	       "invalid system call '99999999999999999999999999'");
	refuse("1073741824@64", "invalid system call '1073741824@64'");
}

static void check_inversion(void)
{
	size_t all = known(ABI_X86_64);

	parse("!read");
	OK(!has(ABI_X86_64, 0) && !has(ABI_I386, 3), "all but one");
	IS_INT(count(ABI_X86_64), all - 1, "that is all but one");
	OK(has(ABI_X86_64, 9999), "an unknown number is among the others");
	parse("!!read");
	IS_INT(count(ABI_X86_64), 1, "'!' twice");
	parse("!read,write");
	IS_INT(count(ABI_X86_64), all - 2, "'!' is for the whole");
	parse("all");
	IS_INT(count(ABI_X86_64), all, "all");
	OK(has(ABI_X86_64, 9999), "all: unknown numbers, too");
	parse("none");
	IS_INT(count(ABI_X86_64), 0, "none");
	OK(!has(ABI_X86_64, 9999), "none: nor unknown numbers");
	parse("!none");
	OK(count(ABI_X86_64) == all && has(ABI_X86_64, 9999), "!none is all");
	parse("!all");
	OK(count(ABI_X86_64) == 0 && !has(ABI_X86_64, 9999), "!all is none");
	parse("read,all");
	OK(count(ABI_X86_64) == all && has(ABI_X86_64, 9999),
	   "all among others");
	parse("all@64");
	OK(count(ABI_X86_64) == all && count(ABI_I386) == 0, "all@64");
	parse("!?nosuchcall");
	IS_INT(count(ABI_X86_64), all, "all but nothing");
	refuse("", "invalid system call ''");
	refuse("!", "invalid system call '!'");
	refuse(",", "invalid system call ','");
	refuse("read,!write", "invalid system call '!write'");
	refuse("read,none", "invalid system call 'none'");
}

static void check_patterns(void)
{
	parse("/^read$");
	IS_INT(count(ABI_X86_64), 1, "an anchored pattern");
	OK(has(ABI_X86_64, 0), "and the right one");
	parse("/readv");
	OK(has(ABI_X86_64, 19) && has(ABI_X86_64, 295) &&
	   has(ABI_X86_64, 327) && has(ABI_X86_64, 310),
	   "readv, preadv, preadv2, process_vm_readv");
	IS_INT(count(ABI_X86_64), 4, "a pattern fits anywhere in a name");
	parse("/^p(read|write)64$,/^dup[23]?$");
	IS_INT(count(ABI_X86_64), 5, "extended patterns, several");
	parse("/");
	IS_INT(count(ABI_X86_64), known(ABI_X86_64), "an empty pattern");
	parse("/readv@64");
	IS_INT(count(ABI_I386), 0, "a pattern on one ABI");
	parse("?/nosuchcall");
	IS_INT(count(ABI_X86_64), 0, "a pattern that need not fit");
	refuse("/nosuchcall", "invalid system call '/nosuchcall'");
	/* the reason is in the C library's words */
	OK(!strncmp(call_set_parse(&set, "/["),
		    "invalid regular expression '[': ", 32), "'/[' is not");
}

static void check_classes(void)
{
	/* open: 2, read: 0, mmap: 9, socket: 41, kill: 62, getpid: 39 */
	parse("%file");
	OK(has(ABI_X86_64, 257) && !has(ABI_X86_64, 0), "%%file");
	parse("%desc,%memory");
	OK(has(ABI_X86_64, 257) && has(ABI_X86_64, 0) && has(ABI_X86_64, 9) &&
	   !has(ABI_X86_64, 39), "%%desc,%%memory");
	OK(has(ABI_I386, 295) && has(ABI_X32, 0x40000101),
	   "a class is one on every ABI");
	parse("%file@32");
	OK(has(ABI_I386, 295) && !has(ABI_X86_64, 257), "%%file@32");
	parse("file,desc,memory,process,signal,ipc,network");
	OK(has(ABI_X86_64, 0), "classes that need no %%");
	parse("!%file");
	OK(!has(ABI_X86_64, 257) && has(ABI_X86_64, 0), "!%%file");
	parse("?%nosuchclass");
	IS_INT(count(ABI_X86_64), 0, "a class that may be missing");
	refuse("creds", "invalid system call 'creds'");
	refuse("net", "invalid system call 'net'");
	refuse("%nosuchclass", "invalid system call '%nosuchclass'");
	refuse("%all", "invalid system call '%all'");
	refuse("%", "invalid system call '%'");
}

static void check_mistakes(void)
{
	parse("write");
	refuse("nosuchcall", "invalid system call 'nosuchcall'");
	refuse("read,nosuchcall", "invalid system call 'nosuchcall'");
	refuse(" read", "invalid system call ' read'");
	refuse("READ", "invalid system call 'READ'");
	refuse("mmap2@64", "invalid system call 'mmap2@64'");
	refuse("read@", "incorrect personality designator '' in "
	       "qualification 'read@'");
	refuse("read@foo", "incorrect personality designator 'foo' in "
	       "qualification 'read@foo'");
	refuse("read@64@x32", "invalid system call 'read@64@x32'");
	OK(has(ABI_X86_64, 1) && count(ABI_X86_64) == 1,
	   "after all that the set is as it was");
}

static void check_signals(void)
{
	uint64_t signals = 0;

	IS_STR(signal_set_parse(&signals, "SIGINT,term,9,SIGIO"), NULL,
	       "signals by name and number");
	IS_INT(signals, 1ULL << 1 | 1ULL << 14 | 1ULL << 8 | 1ULL << 28,
	       "INT, TERM, KILL, IO");
	signal_set_parse(&signals, "RTMIN,SIGRT_1,rt_32,34");
	IS_INT(signals, 1ULL << 31 | 1ULL << 32 | 1ULL << 63 | 1ULL << 33,
	       "real-time signals");
	signal_set_parse(&signals, "!SIGSEGV");
	IS_INT(signals, ~(1ULL << 10), "all but one");
	signal_set_parse(&signals, "none");
	IS_INT(signals, 0, "none");
	signal_set_parse(&signals, "all");
	IS_INT(signals, UINT64_MAX, "all");
	IS_STR(signal_set_parse(&signals, "INT,FOO"), "invalid signal 'FOO'",
	       "an unknown name");
	IS_STR(signal_set_parse(&signals, "65"), "invalid signal '65'",
	       "a number too big");
	IS_STR(signal_set_parse(&signals, "0"), "invalid signal '0'",
	       "a number too small");
	IS_STR(signal_set_parse(&signals, "RT_33"), "invalid signal 'RT_33'",
	       "a real-time signal too many");
	IS_STR(signal_set_parse(&signals, "SIG"), "invalid signal 'SIG'",
	       "no more than SIG");
	IS_STR(signal_set_parse(&signals, ""), "invalid signal ''", "nothing");
	IS_INT(signals, UINT64_MAX, "then the set is as it was");
}

static void check_statuses(void)
{
	unsigned statuses = 0;

	IS_STR(status_set_parse(&statuses, "failed,detached"), NULL,
	       "outcomes");
	IS_INT(statuses, STATUS_FAILED | STATUS_DETACHED, "two of them");
	status_set_parse(&statuses, "!successful");
	IS_INT(statuses, STATUS_ALL & ~STATUS_SUCCESSFUL, "all but one");
	status_set_parse(&statuses, "unfinished,unavailable,successful");
	IS_INT(statuses, STATUS_UNFINISHED | STATUS_UNAVAILABLE |
	       STATUS_SUCCESSFUL, "three of them");
	status_set_parse(&statuses, "all");
	IS_INT(statuses, STATUS_ALL, "all");
	IS_STR(status_set_parse(&statuses, "success"),
	       "invalid status 'success'", "an unknown word");
}

static void check_defaults(void)
{
	struct filter filter;

	filter_init(&filter);
	set = filter.trace;
	OK(has(ABI_X86_64, 0) && has(ABI_I386, 0) && has(ABI_X86_64, 9999),
	   "without a filter every call is shown");
	IS_INT(filter.signals, UINT64_MAX, "and every signal");
	IS_INT(filter.status, STATUS_ALL, "and every outcome");
}

/* ---- classes of the descriptions ---- */

static const struct {
	const char *name;
	unsigned bit;
} classes[] = {
	{ "%file", TRACE_FILE },
	{ "%process", TRACE_PROCESS },
	{ "%network", TRACE_NETWORK },
	{ "%signal", TRACE_SIGNAL },
	{ "%ipc", TRACE_IPC },
	{ "%desc", TRACE_DESC },
	{ "%memory", TRACE_MEMORY },
	{ "%creds", TRACE_CREDS },
	{ "%clock", TRACE_CLOCK },
	{ "%pure", TRACE_PURE },
	{ "%stat", TRACE_STAT },
	{ "%lstat", TRACE_LSTAT },
	{ "%fstat", TRACE_FSTAT },
	{ "%%stat", TRACE_STAT_LIKE },
	{ "%statfs", TRACE_STATFS },
	{ "%fstatfs", TRACE_FSTATFS },
	{ "%%statfs", TRACE_STATFS_LIKE },
};

enum { CLASSES = sizeof(classes) / sizeof(classes[0]) };

/* What tests/classes.tsv says of every call, by slot of x86-64's table. */
static unsigned expected[1024];

static void expect(const char *class, const char *name)
{
	for (size_t slot = 0; slot < sysent_count(&abis[ABI_X86_64]); slot++) {
		const struct sysent *call = sysent_at(&abis[ABI_X86_64], slot);

		if (!call || strcmp(call->name, name) != 0)
			continue;
		for (size_t i = 0; i < CLASSES; i++) {
			if (!strcmp(classes[i].name, class))
				expected[slot] |= classes[i].bit;
		}
	}
}

static bool read_expectations(void)
{
	const char *top = getenv("TOP_SRCDIR");
	char path[4096], line[256], class[32], name[64];
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/classes.tsv",
		 top ? top : ".");
	file = fopen(path, "r");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%31s %63s", class, name) == 2)
			expect(class, name);
	}
	fclose(file);
	return true;
}

/* The classes of every described call are those of the reference. */
static void check_described(void)
{
	unsigned mask = 0;

	if (!OK(read_expectations(), "tests/classes.tsv is there"))
		return;
	for (size_t i = 0; i < CLASSES; i++)
		mask |= classes[i].bit;
	for (size_t slot = 0; slot < sysent_count(&abis[ABI_X86_64]); slot++) {
		const struct sysent *call = sysent_at(&abis[ABI_X86_64], slot);

		if (call && call->desc)
			IS_INT(call->classes & mask, expected[slot],
			       "classes of %s", call->name);
	}
}

int main(void)
{
	if (!sysent_init())
		return EXIT_FAILURE;
	check_names();
	check_numbers();
	check_inversion();
	check_patterns();
	check_classes();
	check_mistakes();
	call_set_free(&set);
	check_signals();
	check_statuses();
	check_defaults();
	check_described();
	return check_done();
}
