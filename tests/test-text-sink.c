/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The text sink, told by hand what happened.  The lines that are wanted are
 * those that strace 7.2 printed for the same calls and options.
 */
#include "sink-check.h"

static struct text_options options;

/* A sink with the options as they are now. */
static void renew(void)
{
	if (s)
		SINK_CALL(s, destroy);
	s = text_sink_new(out, &options);
}

static void defaults(void)
{
	options = (struct text_options){
		.column = 40,
		.wall_digits = 0,
		.relative_digits = 6,
		.duration_digits = 6,
	};
	renew();
}

enum { O_RDONLY = 0, O_CLOEXEC = 02000000,
       O_LARGEFILE = 0100000 };
enum { SOCK_STREAM = 1, SOCK_RAW = 3, SOCK_CLOEXEC = 02000000 };
enum { CLONE_CHILD_CLEARTID = 0x200000,
       CLONE_CHILD_SETTID = 0x1000000 };
enum { POLLIN = 1 };

static void open_passwd(void)
{
	CALL("openat", 257);
	ARG("dirfd");
	CWD(NULL);
	ARG("pathname");
	PATH("/etc/passwd");
	ARG("flags");
	FLAGS(O_CLOEXEC, 0, "O_???", PART(O_RDONLY), PART(O_CLOEXEC));
	PAUSE();
	RESUME("openat", 257);
	RESULT_BEGIN();
	FD(3);
	END(.why = RESULT_KNOWN);
}

static void close_one(void)
{
	CALL("close", 3);
	ARG("fd");
	FD(1);
	RESULT(0);
}

static void test_calls(void)
{
	defaults();
	open_passwd();
	WROTE("openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC) = 3\n",
	      "a call longer than the column");
	close_one();
	WROTE("close(1)                                = 0\n",
	      "a short call");
	CALL("getpid", 39);
	RESULT(4270);
	WROTE("getpid()                                = 4270\n",
	      "a call without arguments");

	CALL("fcntl", 72);
	ARG("fd");
	FD(3);
	ARG("op");
	SYMBOL(0x3e7, NULL, "F_???");
	ARG("arg");
	HEX(3);
	RESULT_BEGIN();
	ERROR(22, "EINVAL", "Invalid argument");
	END(.why = RESULT_KNOWN);
	WROTE("fcntl(3, 0x3e7 /* F_??? */, 0x3)        = -1 EINVAL "
	      "(Invalid argument)\n", "an error, an unknown constant");

	CALL("access", 21);
	RESULT_BEGIN();
	ERROR(999, NULL, NULL);
	END(.why = RESULT_KNOWN);
	WROTE("access()                                = -1 (errno 999)\n",
	      "an unknown error");

	CALL("pause", 34);
	PAUSE();
	RESUME("pause", 34);
	RESULT_BEGIN();
	RESTART(514, "ERESTARTNOHAND", "To be restarted if no handler");
	END(.why = RESULT_KNOWN);
	WROTE("pause()                                 = ? ERESTARTNOHAND "
	      "(To be restarted if no handler)\n", "a restart");

	CALL("exit_group", 231);
	ARG("status");
	DEC(3);
	RESULT_BEGIN();
	END(.why = RESULT_NEVER, .timed = true);
	WROTE("exit_group(3)                           = ?\n",
	      "a call that does not return");

	CALL("pause", 34);
	RESULT_BEGIN();
	END(.why = RESULT_UNAVAILABLE);
	WROTE("pause()                                 = ? <unavailable>\n",
	      "a result that nobody knows");

	CALL("pause", 34);
	PAUSE();
	END(.why = RESULT_DETACHED);
	WROTE("pause( <detached ...>\n", "a call of a tracee let go");
}

static void test_arguments(void)
{
	defaults();
	CALL("clone", 56);
	NAMED("child_stack");
	ADDRESS(0);
	NAMED("flags");
	JOINED();
	ITEM();
	FLAGS(0x1200000, 0, "CLONE_???", PART(CLONE_CHILD_CLEARTID),
	      PART(CLONE_CHILD_SETTID));
	ITEM();
	SIGNAL_SYMBOL(17, "SIGCHLD");
	END_ARRAY();
	NAMED("child_tidptr");
	ADDRESS(0x7fc8d35eda10);
	RESULT(7161);
	WROTE("clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|"
	      "CLONE_CHILD_SETTID|SIGCHLD, child_tidptr=0x7fc8d35eda10) = "
	      "7161\n", "arguments that are always named");

	options.arg_names = true;
	close_one();
	WROTE("close(fd=1)                             = 0\n",
	      "all arguments named");
	CALL("syscall_0x270f", 0x270f);
	ARG(NULL);
	HEX(1);
	ARG(NULL);
	HEX(0);
	RESULT_BEGIN();
	ERROR(38, "ENOSYS", "Function not implemented");
	END(.why = RESULT_KNOWN);
	WROTE("syscall_0x270f(0x1, 0)                  = -1 ENOSYS "
	      "(Function not implemented)\n", "arguments without names");
}

static void test_results(void)
{
	defaults();
	CALL("fcntl", 72);
	ARG("fd");
	FD(3);
	ARG("op");
	SYMBOL(3, "F_GETFL", "F_???");
	RESULT_BEGIN();
	HEX(0x8000);
	AUX("flags");
	FLAGS(O_LARGEFILE, 0, "O_???", PART(O_RDONLY), PART(O_LARGEFILE));
	END(.why = RESULT_KNOWN);
	WROTE("fcntl(3, F_GETFL)                       = 0x8000 "
	      "(flags O_RDONLY|O_LARGEFILE)\n", "what a result means");

	CALL("select", 23);
	RESULT_BEGIN();
	DEC(2);
	AUX("in");
	SET();
	ITEM();
	FD(1);
	ITEM();
	FD(3);
	END_ARRAY();
	AUX("left");
	STRUCT();
	FIELD("tv_sec");
	DEC(0);
	FIELD("tv_nsec");
	DEC(7625);
	END_STRUCT();
	END(.why = RESULT_KNOWN);
	WROTE("select()                                = 2 (in [1 3], left "
	      "{tv_sec=0, tv_nsec=7625})\n", "two things behind a result");

	options.duration = true;
	CALL("poll", 7);
	RESULT_BEGIN();
	DEC(0);
	AUX("");
	EXPRESSION(.text = "Timeout", .fixed = true);
	END(.why = RESULT_KNOWN, .timed = true, .injected = true,
	    .duration = { 1, 123999 });
	WROTE("poll()                                  = 0 (Timeout) "
	      "(INJECTED) <1.000123>\n", "a result tampered with, and -T");
	options.duration_digits = 0;
	CALL("poll", 7);
	RESULT_BEGIN();
	ERROR(4, "EINTR", "Interrupted system call");
	END(.why = RESULT_KNOWN, .timed = true, .duration = { 1, 999999999 });
	WROTE("poll()                                  = -1 EINTR "
	      "(Interrupted system call) <1>\n", "-T in whole seconds");
}

static void test_numbers(void)
{
	defaults();
	CALL("f", 0);
	ARG("a"); DEC(-1);
	ARG("a"); DEC(INT64_MIN);
	ARG("a"); DEC(0);
	ARG("a"); DEC(9);
	ARG("a"); DEC(10);
	ARG("a"); DEC(99);
	ARG("a"); DEC(100);
	ARG("a"); DEC(12345);
	ARG("a"); UDEC(UINT64_MAX);
	ARG("a"); HEX(0);
	ARG("a"); HEX(0x10);
	ARG("a"); HEX(0xfffffffffffffff);
	ARG("a"); HEX(UINT64_MAX);
	ARG("a"); HEX0(0);
	ARG("a"); OCTAL(0);
	ARG("a"); OCTAL(8);
	ARG("a"); OCTAL(UINT64_MAX);
	ARG("a"); MODE(0);
	ARG("a"); MODE(1);
	ARG("a"); MODE(022);
	ARG("a"); MODE(0644);
	ARG("a"); MODE(07777);
	ARG("a"); MASK(1, 32);
	ARG("a"); MASK(0x12345678, 32);
	ARG("a"); MASK(0, 32);
	ARG("a"); MASK(0xffc, 64);
	ARG("a"); MASK(UINT64_MAX, 64);
	ARG("a"); MASK(0, 64);
	RESULT(0);
	WROTE("f(-1, -9223372036854775808, 0, 9, 10, 99, 100, 12345, "
	      "18446744073709551615, 0, 0x10, 0xfffffffffffffff, "
	      "0xffffffffffffffff, 0x0, 0, 010, 01777777777777777777777, "
	      "000, 001, 022, 0644, 07777, 0x000001, 0x12345678, 00000000, "
	      "0x00000000000ffc, 0xffffffffffffffff, 0000000000000000) = 0\n",
	      "numbers");
}

static void test_strings(void)
{
	static const char odd[] = "\1\1771\2" "9\x80\n\t\v\f\r\"\\a<>";
	static const struct {
		enum hex_strings style;
		const char *want[4];
	} cases[] = {
		{ HEX_STRINGS_NONE, {
			"\"\\1\\1771\\29\\200\\n\\t\\v\\f\\r\\\"\\\\a<>\"",
			"\"h\\200\\377 llo\\0001\"",
			"\"abc\\n\"",
			"\"\\0012\\0\\n\\0013a\"" } },
		{ HEX_STRINGS_NON_ASCII, {
			"\"\\x01\\x7f\\x31\\x02\\x39\\x80\\x0a\\x09\\x0b\\x0c"
			"\\x0d\\x22\\x5c\\x61\\x3c\\x3e\"",
			"\"\\x68\\x80\\xff\\x20\\x6c\\x6c\\x6f\\x00\\x31\"",
			"\"abc\\n\"",
			"\"\\x01\\x32\\x00\\x0a\\x01\\x33\\x61\"" } },
		{ HEX_STRINGS_NON_ASCII_CHARS, {
			"\"\\x01\\x7f1\\x029\\x80\\n\\t\\v\\f\\r\\\"\\\\a<>\"",
			"\"h\\x80\\xff llo\\x001\"",
			"\"abc\\n\"",
			"\"\\x012\\x00\\n\\x013a\"" } },
		{ HEX_STRINGS_ALL, {
			"\"\\x01\\x7f\\x31\\x02\\x39\\x80\\x0a\\x09\\x0b\\x0c"
			"\\x0d\\x22\\x5c\\x61\\x3c\\x3e\"",
			"\"\\x68\\x80\\xff\\x20\\x6c\\x6c\\x6f\\x00\\x31\"",
			"\"\\x61\\x62\\x63\\x0a\"",
			"\"\\x01\\x32\\x00\\x0a\\x01\\x33\\x61\"" } },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		char want[400];

		defaults();
		options.hex_strings = cases[i].style;
		CALL("f", 0);
		ARG("a"); BYTES(odd, 0);
		ARG("a"); BYTES("h\x80\xff llo\0001", 0);
		ARG("a"); BYTES("abc\n", STRING_PATH);
		ARG("a"); BYTES("\0012\0\n\0013a", 0);
		RESULT(0);
		snprintf(want, sizeof(want), "f(%s, %s, %s, %s) = 0\n",
			 cases[i].want[0], cases[i].want[1], cases[i].want[2],
			 cases[i].want[3]);
		WROTE(want, "strings in style %zu", i);
	}
}

static void test_cut_strings(void)
{
	char *long_string = malloc(5000), *want = malloc(20100);

	defaults();
	CALL("write", 1);
	ARG("buf"); BYTES("0123456789012345678901234567890\1",
			  STRING_TRUNCATED);
	ARG("buf"); BYTES("", 0);
	ARG("buf"); BYTES("\1a", STRING_HEX);
	RESULT(40);
	WROTE("write(\"0123456789012345678901234567890\\1\"..., \"\", "
	      "\"\\x01\\x61\") = 40\n", "a cut, an empty and a binary string");

	/* octal digits depend on the next byte across all inner borders */
	memset(long_string, 1, 5000);
	long_string[1023] = long_string[2047] = '7';
	CALL("write", 1);
	ARG("buf");
	SINK_CALL(s, string, long_string, 5000, 0);
	RESULT(1);
	strcpy(want, "write(\"");
	for (size_t i = 0; i < 5000; i++)
		strcat(want, long_string[i] == '7' ? "7" :
		       i + 1 < 5000 && long_string[i + 1] == '7' ? "\\001"
								 : "\\1");
	strcat(want, "\") = 1\n");
	WROTE(want, "a long string");
	free(long_string);
	free(want);
}

/* The arguments that -X changes. */
static void tell_constants(void)
{
	options.column = 0;
	CALL("f", 0);
	ARG("dirfd"); CWD(NULL);
	ARG("a"); FLAGS(O_CLOEXEC, 0, "O_???", PART(O_RDONLY),
			PART(O_CLOEXEC));
	ARG("a"); FLAGS(0x40000000, 0x40000000, "O_???", PART(O_RDONLY));
	ARG("a"); FLAGS(0, 0, "O_???", PART(O_RDONLY));
	ARG("a"); NO_FLAGS(0x80, "PROT_???");
	ARG("a"); NO_FLAGS(0, "PROT_???");
	ARG("a"); JOINED();
	ITEM(); SYMBOL(SOCK_STREAM, "SOCK_STREAM", "SOCK_???");
	ITEM(); FLAGS(SOCK_CLOEXEC, 0, "SOCK_???", PART(SOCK_CLOEXEC));
	END_ARRAY();
	ARG("a"); JOINED();
	ITEM(); SYMBOL(SOCK_RAW, "SOCK_RAW", "SOCK_???");
	ITEM(); NO_FLAGS(0x60, "SOCK_???");
	END_ARRAY();
	ARG("a"); JOINED();
	ITEM(); FLAGS(0x1200000, 0, "CLONE_???", PART(CLONE_CHILD_CLEARTID),
		      PART(CLONE_CHILD_SETTID));
	ITEM(); SIGNAL_SYMBOL(17, "SIGCHLD");
	END_ARRAY();
	ARG("a"); FLAGS(0x14000009, 0, "MAP_???", { 9, NULL, "MAP_???" },
			{ 0x4000000, NULL, NULL },
			{ 0x10000000, "4<<MAP_HUGE_SHIFT", NULL });
	ARG("a"); SYMBOL(0, "CLOCK_REALTIME", "CLOCK_???");
	ARG("a"); SYMBOL(0x63, NULL, "SEEK_???");
	ARG("a"); SYMBOL(0x63, NULL, NULL);
	ARG("a"); SET_INVERTED();
	ITEM(); SIGNAL_SYMBOL(10, "USR1");
	ITEM(); SIGNAL_SYMBOL(35, "RT_3");
	END_ARRAY();
	ARG("a"); EXPRESSION(.text = "htons(0)", .raw = "\0\0", .raw_len = 2);
	ARG("a"); EXPRESSION(.text = "makedev(0x1, 0x3)", .value = 0x103,
			     .base = BASE_HEX);
	ARG("a"); EXPRESSION(.text = "S_IFREG|0644", .value = 0100644,
			     .base = BASE_MODE);
	ARG("a"); EXPRESSION(.text = "WIFEXITED(s) && WEXITSTATUS(s) == 3",
			     .fixed = true);
	RESULT(0);
}

static void test_constants(void)
{
	defaults();
	tell_constants();
	WROTE("f(AT_FDCWD, O_RDONLY|O_CLOEXEC, O_RDONLY|0x40000000, O_RDONLY, "
	      "0x80 /* PROT_??? */, 0, SOCK_STREAM|SOCK_CLOEXEC, "
	      "SOCK_RAW|0x60 /* SOCK_??? */, "
	      "CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD, "
	      "0x9 /* MAP_??? */|0x4000000|4<<MAP_HUGE_SHIFT, "
	      "CLOCK_REALTIME, 0x63 /* SEEK_??? */, 0x63, ~[USR1 RT_3], "
	      "htons(0), makedev(0x1, 0x3), S_IFREG|0644, "
	      "WIFEXITED(s) && WEXITSTATUS(s) == 3) = 0\n", "constants");
	options.const_style = CONST_VERBOSE;
	tell_constants();
	WROTE("f(-100 /* AT_FDCWD */, 0x80000 /* O_RDONLY|O_CLOEXEC */, "
	      "0x40000000 /* O_RDONLY|0x40000000 */, 0 /* O_RDONLY */, "
	      "0x80 /* PROT_??? */, 0, "
	      "0x1 /* SOCK_STREAM */|0x80000 /* SOCK_CLOEXEC */, "
	      "0x3 /* SOCK_RAW */|0x60 /* SOCK_??? */, "
	      "0x1200000 /* CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID */|"
	      "17 /* SIGCHLD */, "
	      "0x14000009 /* 0x9 /* MAP_??? */|0x4000000|"
	      "4<<MAP_HUGE_SHIFT */, "
	      "0 /* CLOCK_REALTIME */, 0x63 /* SEEK_??? */, "
	      "0x63, ~[10 /* USR1 */ 35 /* RT_3 */], "
	      "\"\\x00\\x00\" /* htons(0) */, 0x103 /* makedev(0x1, 0x3) */, "
	      "0100644 /* S_IFREG|0644 */, "
	      "WIFEXITED(s) && WEXITSTATUS(s) == 3) = 0\n",
	      "constants under -X verbose");
	options.const_style = CONST_RAW;
	tell_constants();
	WROTE("f(-100, 0x80000, 0x40000000, 0, 0x80, 0, 0x1|0x80000, 0x3|0x60, "
	      "0x1200000|17, 0x14000009, 0, 0x63, 0x63, ~[10 35], \"\\x00\\x00\", "
	      "0x103, 0100644, WIFEXITED(s) && WEXITSTATUS(s) == 3) = 0\n",
	      "constants under -X raw");
}

static void test_compound(void)
{
	defaults();
	CALL("f", 0);
	ARG("a");
	STRUCT();
	FIELD("st_mode"); EXPRESSION(.text = "S_IFCHR|0666");
	SINK_CALL(s, field, "st_rdev", FIELD_UNNAMED); DEC(5);
	MORE();
	END_STRUCT();
	ARG("a");
	ARRAY();
	ITEM();
	STRUCT();
	FIELD("fd"); FD(1);
	FIELD("events"); FLAGS(POLLIN, 0, "POLL???", PART(POLLIN));
	END_STRUCT();
	MORE();
	COMMENT("0x7ff7f39f0000");
	END_ARRAY();
	ARG("a");
	ARRAY();
	UNREADABLE();
	END_ARRAY();
	ARG("a");
	ARRAY();
	END_ARRAY();
	ARG("a");
	ARRAY();
	ITEM();
	CHANGE(); DEC(16); TO(); DEC(4); END_CHANGE();
	END_ARRAY();
	ARG("a");
	ARRAY();
	ITEM();
	CHANGE(); DEC(4); END_CHANGE();
	END_ARRAY();
	ARG("a");
	ADDRESS(0x7fffb876cf90);
	COMMENT("1 var");
	RESULT(0);
	WROTE("f({st_mode=S_IFCHR|0666, 5, ...}, [{fd=1, events=POLLIN}, "
	      "... /* 0x7ff7f39f0000 */], [???], [], [16 => 4], [4], "
	      "0x7fffb876cf90 /* 1 var */) = 0\n", "structures and arrays");

	CALL("openat2", 437);
	ARG("how");
	STRUCT();
	FIELD("resolve"); DEC(0);
	SINK_CALL(s, field, "bytes 24..26", FIELD_UNNAMED | FIELD_COMMENT);
	BYTES("\0\7\0", STRING_HEX | STRING_TRUNCATED);
	END_STRUCT();
	RESULT(0);
	WROTE("openat2({resolve=0, /* bytes 24..26 */ \"\\x00\\x07\\x00\"...}"
	      ") = 0\n", "bytes behind a structure");

	CALL("deep", 0);
	ARG("a");
	for (int i = 0; i < 200; i++) {
		ARRAY();
		ITEM();
	}
	for (int i = 0; i < 200; i++)
		END_ARRAY();
	ARG("b");
	DEC(1);
	RESULT(0);
	OK(!strncmp(written(), "deep([[[[", 9) &&
	   !strcmp(out->data + 5 + 400, ", 1) = 0\n"), "very deep arrays");
}

static void test_descriptors(void)
{
	defaults();
	CALL("f", 0);
	ARG("a"); CWD((&(struct fd_target){ .path = "/tmp/out" }));
	ARG("a"); FD_TARGET(3, .path = "/tmp/out/a<b>\\c\n\x80");
	ARG("a"); FD_TARGET(3, .path = "/tmp/out/q\"b>1", .deleted = true);
	ARG("a"); FD_TARGET(1, .path = "/dev/null", .details = "char 1:3");
	ARG("a"); FD_TARGET(3, .details = "TCP:[0.0.0.0:51573]");
	ARG("a"); PID(26995, "a<b>");
	RESULT_BEGIN();
	PID(11368, NULL);
	END(.why = RESULT_KNOWN);
	WROTE("f(AT_FDCWD</tmp/out>, 3</tmp/out/a\\74b\\76\\\\c\\n\\200>, "
	      "3</tmp/out/q\\\"b\\0761>(deleted), 1</dev/null<char 1:3>>, "
	      "3<TCP:[0.0.0.0:51573]>, 26995<a\\74b\\76>) = 11368\n",
	      "descriptors and processes");

	options.hex_strings = HEX_STRINGS_ALL;
	options.const_style = CONST_VERBOSE;
	CALL("f", 0);
	ARG("a"); CWD((&(struct fd_target){ .path = "/tmp" }));
	ARG("a"); FD_TARGET(1, .path = "/d", .details = "char 1:3");
	RESULT(0);
	WROTE("f(-100 /* AT_FDCWD */<\\x2f\\x74\\x6d\\x70>, "
	      "1<\\x2f\\x64<char 1:3>>) = 0\n", "the same under -xx");
	options.hex_strings = HEX_STRINGS_NON_ASCII_CHARS;
	options.const_style = CONST_RAW;
	CALL("f", 0);
	ARG("a"); CWD((&(struct fd_target){ .path = "/a<b>\x80" }));
	RESULT(0);
	WROTE("f(-100</a\\x3cb\\x3e\\x80>)                = 0\n",
	      "paths in the style non-ascii-chars");
}

static void test_prefix(void)
{
	struct timespec last = { 0, 0 };
	const struct timespec wall = { 1796081311, 142203999 };

	setenv("TZ", "UTC", 1);
	defaults();
	options.last_line = &last;
	CALL("close", 3, .show_pid = true, .pid = 4323);
	RESULT(0);
	WROTE("4323  close()                           = 0\n",
	      "a pid in a file");
	CALL("close", 3, .show_pid = true, .pid = 4550, .comm = "sh");
	RESULT(0);
	WROTE("4550<sh> close()                        = 0\n",
	      "a pid with a name");
	CALL("close", 3, .show_pid = true, .pid = 1234567);
	RESULT(0);
	WROTE("1234567 close()                         = 0\n", "a long pid");
	options.pid_brackets = true;
	CALL("close", 3, .show_pid = true, .pid = 4270);
	RESULT(0);
	WROTE("[pid  4270] close()                     = 0\n",
	      "a pid in brackets");
	CALL("close", 3, .show_pid = true, .pid = 11377, .comm = "sh");
	RESULT(0);
	WROTE("[pid 11377<sh>] close()                 = 0\n",
	      "a pid and a name in brackets");
	CALL("close", 3, .pid = 11377);
	RESULT(0);
	WROTE("close()                                 = 0\n", "no pid");

	options.wall = TIME_CLOCK;
	CALL("close", 3, .wall = wall);
	RESULT(0);
	WROTE("23:28:31 close()                        = 0\n", "-t");
	options.wall_digits = 6;
	CALL("close", 3, .wall = wall);
	RESULT(0);
	WROTE("23:28:31.142203 close()                 = 0\n", "-tt");
	options.wall = TIME_UNIX;
	CALL("close", 3, .wall = wall);
	RESULT(0);
	WROTE("1796081311.142203 close()               = 0\n", "-ttt");
	options.wall_digits = 0;
	options.relative = true;
	CALL("close", 3, .wall = wall, .mono = { 7, 900000000 });
	RESULT(0);
	WROTE("1796081311 (+     0.000000) close()     = 0\n", "-ttt -r");
	options.wall = TIME_NONE;
	CALL("close", 3, .mono = { 9, 800000000 });
	RESULT(0);
	WROTE("     1.900000 close()                   = 0\n", "-r");
	options.relative_digits = 3;
	CALL("close", 3, .mono = { 9, 801999000 });
	RESULT(0);
	WROTE("     0.001 close()                      = 0\n",
	      "-r in milliseconds");
	options.relative_digits = 0;
	CALL("close", 3, .mono = { 10, 801999000 });
	RESULT(0);
	WROTE("     1 close()                          = 0\n",
	      "-r in seconds");

	options.relative_digits = 6;
	options.wall = TIME_CLOCK;
	options.wall_digits = 0;
	options.syscall_number = true;
	options.instruction_pointer = true;
	options.pid_brackets = false;
	CALL("close", 3, .show_pid = true, .pid = 4323, .wall = wall,
	     .mono = { 10, 802046999 }, .ip = 0x7fcc6d18de67,
	     .ip_known = true);
	ARG("fd"); FD(1);
	RESULT(0);
	WROTE("4323  23:28:31 (+     0.000047) [   3] [00007fcc6d18de67] "
	      "close(1) = 0\n", "everything together");
	EVENT((.wall = wall, .mono = { 10, 802100999 }, .nr = 231,
	       .nr_known = true), .kind = EVENT_EXITED, .number = 0);
	WROTE("23:28:31 (+     0.000054) [ 231] [????????????????] "
	      "+++ exited with 0 +++\n", "the same before an event");
	options.relative = false;
	options.wall = TIME_NONE;
	EVENT((.ip_size = 4), .kind = EVENT_EXITED, .number = 0);
	WROTE("[???] [????????] +++ exited with 0 +++\n",
	      "nothing known of a 32-bit tracee");
}

static void test_events(void)
{
	defaults();
	SIGNAL_BEGIN(17, "SIGCHLD");
	STRUCT();
	FIELD("si_signo"); SIGNAL_SYMBOL(17, "SIGCHLD");
	FIELD("si_code"); SYMBOL(1, "CLD_EXITED", NULL);
	END_STRUCT();
	SIGNAL_END();
	WROTE("--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED} ---\n",
	      "a signal");
	SIGNAL_BEGIN(17, "SIGCHLD");
	SIGNAL_END();
	WROTE("--- SIGCHLD ---\n", "a signal of which nothing is known");
	EVENT((.pid = 1), .kind = EVENT_STOPPED, .number = 19,
	      .name = "SIGSTOP");
	WROTE("--- stopped by SIGSTOP ---\n", "a group-stop");
	EVENT((.pid = 1), .kind = EVENT_EXITED, .number = 7);
	WROTE("+++ exited with 7 +++\n", "an exit");
	EVENT((.pid = 1), .kind = EVENT_KILLED, .number = 6,
	      .name = "SIGABRT");
	WROTE("+++ killed by SIGABRT +++\n", "a death");
	EVENT((.pid = 1), .kind = EVENT_KILLED, .number = 11,
	      .name = "SIGSEGV", .core = true);
	WROTE("+++ killed by SIGSEGV (core dumped) +++\n",
	      "a death with a core");
	EVENT((.pid = 11277, .show_pid = true), .kind = EVENT_SUPERSEDED,
	      .number = 11279);
	WROTE("11277 +++ superseded by execve in pid 11279 +++\n",
	      "the execve of another thread");
}

static void test_interruptions(void)
{
	struct sink *first, *second;

	defaults();
	first = s;
	second = text_sink_new(out, &options);
	CALL("wait4", 61, .pid = 7160, .show_pid = true);
	ARG("pid"); DEC(-1);
	PAUSE();
	s = second;
	CALL("gettid", 186, .pid = 7161, .show_pid = true);
	PAUSE();
	RESUME("gettid", 186, .pid = 7161, .show_pid = true);
	RESULT(7161);
	CALL("read", 0, .pid = 7161, .show_pid = true);
	PAUSE();
	s = first;
	RESUME("wait4", 61, .pid = 7160, .show_pid = true);
	ARG("wstatus"); ADDRESS(0);
	ARG("options"); DEC(0);
	ARG("rusage"); ADDRESS(0);
	RESULT(7162);
	s = second;
	RESUME("read", 0, .pid = 7161, .show_pid = true);
	ARG("fd"); FD(1);
	RESULT(0);
	WROTE("7160  wait4(-1 <unfinished ...>\n"
	      "7161  gettid()                          = 7161\n"
	      "7161  read( <unfinished ...>\n"
	      "7160  <... wait4 resumed>, NULL, 0, NULL) = 7162\n"
	      "7161  <... read resumed>1)              = 0\n",
	      "two tracees' calls at once");

	s = first;
	CALL("pause", 34, .pid = 9997, .show_pid = true);
	PAUSE();
	s = second;
	EVENT((.pid = 9998, .show_pid = true), .kind = EVENT_EXITED,
	      .number = 0);
	s = first;
	RESUME("pause", 34, .pid = 9997, .show_pid = true);
	RESULT_BEGIN();
	END(.why = RESULT_NEVER);
	WROTE("9997  pause( <unfinished ...>\n"
	      "9998  +++ exited with 0 +++\n"
	      "9997  <... pause resumed>)              = ?\n",
	      "a call that ends with its tracee");

	CALL("pause", 34, .pid = 9997, .show_pid = true);
	PAUSE();
	s = second;
	CALL("pause", 34, .pid = 9998, .show_pid = true);
	PAUSE();
	END(.why = RESULT_DETACHED);
	s = first;
	END(.why = RESULT_DETACHED);
	WROTE("9997  pause( <unfinished ...>\n"
	      "9998  pause( <detached ...>\n",
	      "of two tracees let go one has told its call before");

	CALL("pause", 34);
	PAUSE();
	SINK_CALL(first, destroy);
	OK(!out->open_line, "a sink that is gone leaves no open line");
	WROTE("pause( <unfinished ...>\n", "nor half a line");
	s = second;
}

static void test_frames(void)
{
	const struct frame frames[] = {
		{ .module = "/usr/lib/libc.so.6", .symbol = "umask",
		  .symbol_offset = 7, .offset = 0xf7d47 },
		{ .module = "/path", .offset = 0x431bc7 },
		{ .module = "/tmp/w", .symbol = "main", .symbol_offset = 0x35,
		  .offset = 0x11be, .file = "w.c", .line = 5 },
		{ .address = 0x7fdcef213010 },
		{ .error = "too many stack frames" },
	};

	defaults();
	CALL("umask", 95);
	ARG("mask"); MODE(022);
	RESULT_BEGIN();
	MODE(0);
	SINK_CALL(s, frames, frames, COUNT(frames));
	END(.why = RESULT_KNOWN);
	WROTE("umask(022)                              = 000\n"
	      " > /usr/lib/libc.so.6(umask+0x7) [0xf7d47]\n"
	      " > /path() [0x431bc7]\n"
	      " > /tmp/w(main+0x35) [0x11be]\n"
	      " > [0x7fdcef213010]\n"
	      " > too many stack frames\n", "a stack");
	options.frame_source = true;
	SINK_CALL(s, frames, frames + 2, 1);
	SIGNAL_BEGIN(17, "SIGCHLD");
	SIGNAL_END();
	EVENT((.pid = 1), .kind = EVENT_EXITED, .number = 0);
	WROTE("--- SIGCHLD ---\n"
	      " > /tmp/w(main+0x35) [0x11be] w.c:5\n"
	      "+++ exited with 0 +++\n", "a stack with source lines, once");
}

static void test_staging(void)
{
	struct sink *first, *second;

	defaults();
	options.staged = true;
	renew();
	first = s;
	second = text_sink_new(out, &options);
	CALL("read", 0);
	ARG("fd"); FD(3);
	PAUSE();
	s = second;
	CALL("getpid", 39);
	PAUSE();
	RESUME("getpid", 39);
	RESULT(5);
	CALL("open", 2);
	PAUSE();
	EVENT((.pid = 1), .kind = EVENT_STOPPED, .number = 19,
	      .name = "SIGSTOP");
	RESUME("open", 2);
	SINK_CALL(s, call_drop);
	s = first;
	RESUME("read", 0);
	RESULT(0);
	CALL("close", 3);
	SINK_CALL(s, call_drop);
	close_one();
	WROTE("getpid()                                = 5\n"
	      "--- stopped by SIGSTOP ---\n"
	      "read(3)                                 = 0\n"
	      "close(1)                                = 0\n",
	      "calls that are told as a whole or not at all");
	SINK_CALL(second, destroy);
}

static void test_colors(void)
{
	defaults();
	options.color = true;
	renew();
	CALL("f", 3, .show_pid = true, .pid = 4323);
	ARG("a"); CWD(NULL);
	ARG("a"); EXPRESSION(.text = "htons(0)");
	ARG("a"); NO_FLAGS(0x80, "PROT_???");
	RESULT(0);
	WROTE("4323  \033[33mf\033[0m(\033[34mAT_FDCWD\033[0m, "
	      "\033[33mhtons\033[0m(\033[35m0\033[0m), "
	      "\033[35m0x80\033[0m\033[36m /* PROT_??? */\033[0m) "
	      "= \033[32m0\033[0m\n", "the default colours");
	options.colors = "syscall=1;31:nonsense=3:argval=0:retval=x:error";
	renew();
	CALL("close", 3);
	ARG("fd"); FD(1);
	RESULT_BEGIN();
	ERROR(9, "EBADF", "Bad file descriptor");
	END(.why = RESULT_KNOWN);
	WROTE("\033[1;31mclose\033[0m(1)                                = "
	      "\033[32m-1\033[0m \033[31mEBADF (Bad file descriptor)\033[0m\n",
	      "colours of the user's own, and the column despite them");
}

static void test_column(void)
{
	defaults();
	options.column = 0;
	close_one();
	WROTE("close(1) = 0\n", "no alignment");
	options.column = 10;
	close_one();
	WROTE("close(1)  = 0\n", "aligned by one space");
	options.column = 9;
	close_one();
	WROTE("close(1) = 0\n", "aligned exactly");
}

/* Nothing sensible can come of it, but one line for each thing told. */
static void test_nonsense(void)
{
	defaults();
	for (unsigned seed = 1; seed <= 5000; seed++)
		tell_nonsense(seed);
	out->len = out->line_start = 0;
	close_one();
	WROTE("close(1)                                = 0\n",
	      "a call after much nonsense");
}

int main(void)
{
	out = stream_open_memory();
	test_calls();
	test_arguments();
	test_results();
	test_numbers();
	test_strings();
	test_cut_strings();
	test_constants();
	test_compound();
	test_descriptors();
	test_prefix();
	test_events();
	test_interruptions();
	test_frames();
	test_staging();
	test_colors();
	test_column();
	test_nonsense();
	SINK_CALL(s, destroy);
	stream_close(out);
	return check_done();
}
