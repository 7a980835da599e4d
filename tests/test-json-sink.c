/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The JSON sink, told by hand what happened; and told nonsense, which must
 * still become valid JSON.
 */
#include "sink-check.h"

static struct json_options options = { .durations = true };

enum { O_RDONLY = 0, O_CLOEXEC = 02000000 };
enum { SOCK_STREAM = 1, SOCK_CLOEXEC = 02000000 };

#define WHO	.pid = 71, .tgid = 70
#define HEAD(name_, nr_) \
	"{\"type\":\"syscall\",\"pid\":71,\"tgid\":70,\"name\":\"" name_ "\"," \
	"\"nr\":" #nr_ ",\"abi\":\"x86_64\",\"args\":{"
#define ZERO	"},\"result\":{\"value\":0}}\n"

static void test_calls(void)
{
	CALL("openat", 257, WHO, .comm = "c\"at",
	     .wall = { 1796081311, 42 }, .ip = 0x7fbb9f062011,
	     .ip_known = true);
	ARG("dirfd");
	CWD(NULL);
	ARG("pathname");
	PATH("/etc/passwd");
	PAUSE();
	IS_INT(out->len, 0, "a call is not written before its end");
	ARG("flags");
	FLAGS(O_CLOEXEC | 0x40000000, 0x40000000, "O_???", PART(O_RDONLY),
	      PART(O_CLOEXEC));
	RESULT_BEGIN();
	FD_TARGET(3, .path = "/etc/passwd");
	END(.why = RESULT_KNOWN, .timed = true, .duration = { 1, 20 });
	WROTE("{\"type\":\"syscall\",\"pid\":71,\"tgid\":70,"
	      "\"comm\":\"c\\\"at\",\"time\":\"1796081311.000000042\","
	      "\"ip\":\"0x7fbb9f062011\",\"name\":\"openat\",\"nr\":257,"
	      "\"abi\":\"x86_64\",\"args\":{"
	      "\"dirfd\":{\"fd\":-100,\"name\":\"AT_FDCWD\"},"
	      "\"pathname\":\"/etc/passwd\","
	      "\"flags\":{\"value\":1074266112,"
	      "\"flags\":[\"O_RDONLY\",\"O_CLOEXEC\"],\"rest\":1073741824}},"
	      "\"result\":{\"value\":{\"fd\":3,\"path\":\"/etc/passwd\"}},"
	      "\"duration\":\"1.000000020\"}\n", "a call");

	CALL("getpid", 39, WHO);
	RESULT(70);
	WROTE(HEAD("getpid", 39) "},\"result\":{\"value\":70}}\n",
	      "a call without arguments");

	CALL("access", 21, WHO);
	RESULT_BEGIN();
	ERROR(2, "ENOENT", "No such file or directory");
	END(.why = RESULT_KNOWN, .injected = true);
	WROTE(HEAD("access", 21) "},\"result\":{\"error\":{\"errno\":2,"
	      "\"name\":\"ENOENT\",\"text\":\"No such file or directory\"}},"
	      "\"injected\":true}\n", "an error");
	CALL("access", 21, WHO);
	RESULT_BEGIN();
	ERROR(999, NULL, NULL);
	END(.why = RESULT_KNOWN);
	WROTE(HEAD("access", 21) "},\"result\":{\"error\":{\"errno\":999}}}\n",
	      "an unknown error");
	CALL("pause", 34, WHO);
	RESULT_BEGIN();
	RESTART(514, "ERESTARTNOHAND", "To be restarted if no handler");
	END(.why = RESULT_KNOWN);
	WROTE(HEAD("pause", 34) "},\"result\":{\"restart\":{\"errno\":514,"
	      "\"name\":\"ERESTARTNOHAND\","
	      "\"text\":\"To be restarted if no handler\"}}}\n", "a restart");
	CALL("pause", 34, WHO);
	RESULT_BEGIN();
	END(.why = RESULT_NEVER);
	WROTE(HEAD("pause", 34) "},\"result\":{\"missing\":\"never\"}}\n",
	      "no result");
	CALL("pause", 34, WHO);
	END(.why = RESULT_DETACHED);
	WROTE(HEAD("pause", 34) "},\"result\":{\"missing\":\"detached\"}}\n",
	      "a call of a tracee let go");
	CALL("pause", 34, WHO);
	RESULT_BEGIN();
	END(.why = RESULT_UNAVAILABLE);
	WROTE(HEAD("pause", 34) "},\"result\":{\"missing\":\"unavailable\"}}\n",
	      "a result that nobody knows");

	CALL("select", 23, WHO);
	RESULT_BEGIN();
	DEC(2);
	AUX("in");
	SET();
	ITEM();
	FD(1);
	END_ARRAY();
	AUX("left");
	STRUCT();
	FIELD("tv_sec");
	DEC(0);
	END_STRUCT();
	AUX("");
	EXPRESSION(.text = "Timeout", .str = "Timeout", .fixed = true);
	END(.why = RESULT_KNOWN);
	WROTE(HEAD("select", 23) "},\"result\":{\"value\":2},\"also\":{"
	      "\"in\":[{\"fd\":1}],\"left\":{\"tv_sec\":0},"
	      "\"value\":{\"value\":\"Timeout\",\"expression\":\"Timeout\"}"
	      "}}\n", "what is behind a result");

	CALL("open", 2, WHO);
	ARG("pathname");
	SINK_CALL(s, call_drop);
	WROTE("", "a call that is not to be told");
}

static void test_scalars(void)
{
	CALL("f", 0, WHO);
	ARG("a"); DEC(-1);
	ARG("b"); DEC((INT64_C(1) << 53) - 1);
	ARG("c"); DEC(INT64_C(1) << 53);
	ARG("d"); DEC(-(INT64_C(1) << 53) + 1);
	ARG("e"); DEC(INT64_MIN);
	ARG("f"); UDEC(UINT64_MAX);
	ARG("g"); HEX(255);
	ARG("h"); MODE(0644);
	ARG("i"); ADDRESS(0);
	ARG("j"); ADDRESS(UINT64_MAX);
	COMMENT("a comment");
	ARG("k"); SYMBOL(0x63, NULL, "SEEK_???");
	ARG("l"); SIGNAL_SYMBOL(10, "USR1");
	ARG("m"); NO_FLAGS(0, "PROT_???");
	ARG("n"); JOINED();
	ITEM(); SYMBOL(SOCK_STREAM, "SOCK_STREAM", "SOCK_???");
	ITEM(); FLAGS(SOCK_CLOEXEC | 6, 4, "SOCK_???", { 2, NULL, "?" },
		      PART(SOCK_CLOEXEC));
	END_ARRAY();
	ARG("o"); EXPRESSION(.text = "htons(80)", .value = 80,
			     .base = BASE_UNSIGNED, .raw = "\0\120",
			     .raw_len = 2);
	ARG("p"); EXPRESSION(.text = "inet_addr(\"1.2.3.4\")",
			     .str = "1.2.3.4");
	ARG("q"); PID(70, NULL);
	ARG("r"); PID(70, "a\xff");
	ARG("s"); FD_TARGET(1, .path = "/dev/null", .details = "char 1:3",
			    .deleted = true);
	ARG("t"); FD_TARGET(1, .details = "TCP:[0.0.0.0:1]");
	RESULT(0);
	WROTE(HEAD("f", 0) "\"a\":-1,\"b\":9007199254740991,"
	      "\"c\":{\"integer\":\"9007199254740992\"},"
	      "\"d\":-9007199254740991,"
	      "\"e\":{\"integer\":\"-9223372036854775808\"},"
	      "\"f\":{\"integer\":\"18446744073709551615\"},"
	      "\"g\":255,\"h\":420,\"i\":null,"
	      "\"j\":{\"address\":\"0xffffffffffffffff\"},"
	      "\"k\":{\"value\":99,\"name\":null},"
	      "\"l\":{\"value\":10,\"name\":\"USR1\"},"
	      "\"m\":{\"value\":0,\"flags\":[]},"
	      "\"n\":[{\"value\":1,\"name\":\"SOCK_STREAM\"},"
	      "{\"value\":524294,\"flags\":[\"SOCK_CLOEXEC\"],"
	      "\"rest\":6}],"
	      "\"o\":{\"value\":80,\"expression\":\"htons(80)\"},"
	      "\"p\":{\"value\":\"1.2.3.4\","
	      "\"expression\":\"inet_addr(\\\"1.2.3.4\\\")\"},"
	      "\"q\":{\"pid\":70},\"r\":{\"pid\":70,\"comm\":{\"hex\":\"61ff\"}},"
	      "\"s\":{\"fd\":1,\"path\":\"/dev/null\",\"details\":\"char 1:3\","
	      "\"deleted\":true},"
	      "\"t\":{\"fd\":1,\"details\":\"TCP:[0.0.0.0:1]\"}" ZERO,
	      "scalars");
}

/* The JSON of one string argument. */
static const char *string(const void *bytes, size_t len, unsigned flags)
{
	const char *line;
	char *end;

	CALL("f", 0, WHO);
	ARG("a");
	SINK_CALL(s, string, bytes, len, flags);
	RESULT(0);
	line = written() + strlen(HEAD("f", 0) "\"a\":");
	end = strstr(line, ZERO);
	if (end)
		*end = '\0';
	return line;
}

#define STRING(literal_, flags_) \
	string(literal_, sizeof(literal_) - 1, flags_)

static void test_strings(void)
{
	IS_STR(STRING("/etc", STRING_PATH), "\"/etc\"", "a path");
	IS_STR(STRING("", 0), "\"\"", "an empty string");
	IS_STR(STRING("\"\\/\b\f\n\r\t\v\1\x1f\0z\x7f", 0),
	       "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u000b\\u0001\\u001f\\u0000z\x7f\"",
	       "what must be escaped");
	IS_STR(STRING("\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7", 0),
	       "\"\xc3\xa4\xe2\x82\xac\xf0\x9f\x90\xa7\"", "UTF-8");
	IS_STR(STRING("\177ELF\x80", 0), "{\"hex\":\"7f454c4680\"}",
	       "other bytes");
	IS_STR(STRING("\x61", STRING_HEX), "{\"hex\":\"61\"}",
	       "binary data");
	IS_STR(STRING("abc", STRING_TRUNCATED),
	       "{\"string\":\"abc\",\"truncated\":true}", "a cut string");
	IS_STR(STRING("a\xe2\x82", STRING_TRUNCATED),
	       "{\"string\":\"a\",\"truncated\":true}", "a cut character");
	IS_STR(STRING("a\xe2\x82", 0), "{\"hex\":\"61e282\"}",
	       "half a character");
	IS_STR(STRING("a\xff", STRING_TRUNCATED),
	       "{\"hex\":\"61ff\",\"truncated\":true}", "cut bytes");
	IS_STR(STRING("a", STRING_TRUNCATED | STRING_HEX),
	       "{\"hex\":\"61\",\"truncated\":true}", "cut binary data");
	IS_STR(STRING("\xc0\x80", 0), "{\"hex\":\"c080\"}", "an overlong NUL");
	IS_STR(STRING("\xe0\x9f\xbf", 0), "{\"hex\":\"e09fbf\"}",
	       "an overlong form");
	IS_STR(STRING("\xf0\x8f\xbf\xbf", 0), "{\"hex\":\"f08fbfbf\"}",
	       "another overlong form");
	IS_STR(STRING("\xed\xa0\x80", 0), "{\"hex\":\"eda080\"}",
	       "a surrogate");
	IS_STR(STRING("\xf4\x90\x80\x80", 0), "{\"hex\":\"f4908080\"}",
	       "beyond U+10FFFF");
	IS_STR(STRING("\xf4\x8f\xbf\xbf", 0), "\"\xf4\x8f\xbf\xbf\"",
	       "U+10FFFF");
	IS_STR(STRING("\xe2(\xa1", STRING_TRUNCATED),
	       "{\"hex\":\"e228a1\",\"truncated\":true}",
	       "no sequence, however it goes on");
}

static void test_compound(void)
{
	CALL("f", 0, WHO);
	ARG("a");
	STRUCT();
	FIELD("x"); DEC(1);
	FIELD("y"); STRUCT(); END_STRUCT();
	MORE();
	END_STRUCT();
	ARG("b");
	ARRAY();
	ITEM(); DEC(1);
	ITEM(); ARRAY(); END_ARRAY();
	END_ARRAY();
	ARG("c");
	ARRAY();
	ITEM(); DEC(1);
	MORE();
	END_ARRAY();
	ARG("d");
	SET_INVERTED();
	ITEM(); DEC(1);
	END_ARRAY();
	ARG("e");
	ARRAY();
	UNREADABLE();
	END_ARRAY();
	ARG("f");
	STRUCT();
	UNREADABLE();
	END_STRUCT();
	RESULT(0);
	WROTE(HEAD("f", 0) "\"a\":{\"x\":1,\"y\":{},\"more\":true},"
	      "\"b\":[1,[]],\"c\":{\"items\":[1],\"more\":true},"
	      "\"d\":{\"not\":[1]},\"e\":{\"items\":[],\"unreadable\":true},"
	      "\"f\":{\"unreadable\":true}" ZERO, "structures and arrays");

	CALL("f", 0, WHO);
	ARG("a");
	ARRAY();
	ITEM(); CHANGE(); DEC(16); TO(); DEC(4); END_CHANGE();
	ITEM(); CHANGE(); DEC(16); END_CHANGE();
	END_ARRAY();
	ARG("b");
	CHANGE();
	STRUCT(); FIELD("x"); DEC(1); END_STRUCT();
	PAUSE();
	TO();
	STRUCT(); FIELD("x"); DEC(2); END_STRUCT();
	END_CHANGE();
	ARG("c");
	CHANGE();
	STRUCT(); FIELD("x"); DEC(1); END_STRUCT();
	PAUSE();
	END_CHANGE();
	RESULT(0);
	WROTE(HEAD("f", 0) "\"a\":[{\"before\":16,\"after\":4},16],"
	      "\"b\":{\"before\":{\"x\":1},\"after\":{\"x\":2}},"
	      "\"c\":{\"x\":1}" ZERO, "changes");
}

static void test_keys(void)
{
	CALL("f", 0, WHO);
	ARG("a"); DEC(1);
	ARG("a"); DEC(2);
	ARG(NULL); DEC(3);
	ARG(NULL); DEC(4);
	ARG("a"); STRUCT();
	FIELD("a"); DEC(5);
	STRUCT(); FIELD("a"); DEC(6); END_STRUCT();
	FIELD("more"); DEC(7);
	SINK_CALL(s, field, "bytes 24..31", FIELD_UNNAMED | FIELD_COMMENT);
	BYTES("\1", STRING_HEX);
	FIELD("\xff\""); DEC(8);
	MORE();
	END_STRUCT();
	RESULT(0);
	WROTE(HEAD("f", 0) "\"a\":1,\"a#2\":2,\"value\":3,\"value#2\":4,"
	      "\"a#3\":{\"a\":5,\"value\":{\"a\":6},\"more\":7,"
	      "\"bytes 24..31\":{\"hex\":\"01\"},\"\":8,\"more#2\":true}" ZERO,
	      "every key is there once");
}

/* A structure that looked like something else says what it is. */
static void test_structures(void)
{
	CALL("f", 0, WHO);
	ARG("a");
	STRUCT();
	FIELD("value"); DEC(1);
	FIELD("name"); BYTES("x", 0);
	MORE();
	END_STRUCT();
	ARG("b");
	STRUCT();
	FIELD("fd"); FD(1);
	FIELD("events"); DEC(4);
	END_STRUCT();
	ARG("value");
	STRUCT();
	MORE();
	END_STRUCT();
	RESULT(0);
	WROTE(HEAD("f", 0) "\"a\":{\"value\":1,\"name\":\"x\","
	      "\"struct\":true,\"more\":true},"
	      "\"b\":{\"fd\":{\"fd\":1},\"events\":4},"
	      "\"value\":{\"more\":true}" ZERO, "structures with odd fields");
}

static void test_events(void)
{
	const struct frame frame = {
		.address = 0x55f7d46, .offset = 0xf7d46, .module = "/lib/c",
		.build_id = "ab12", .symbol = "umask", .symbol_offset = 6,
		.file = "u.c", .line = 7, .inlined = true,
	};
	const struct frame frames[] = {
		{ .address = 0x7fdc, .uncertain = true },
		{ .error = "too many stack frames" },
	};

	SIGNAL_BEGIN(17, "SIGCHLD", WHO);
	STRUCT();
	FIELD("si_signo"); SIGNAL_SYMBOL(17, "SIGCHLD");
	END_STRUCT();
	SIGNAL_END();
	WROTE("{\"type\":\"signal\",\"pid\":71,\"tgid\":70,"
	      "\"signal\":{\"value\":17,\"name\":\"SIGCHLD\"},"
	      "\"info\":{\"si_signo\":{\"value\":17,\"name\":\"SIGCHLD\"}}}\n",
	      "a signal");
	SINK_CALL(s, frames, frames, COUNT(frames));
	SIGNAL_BEGIN(17, "SIGCHLD", WHO);
	SIGNAL_END();
	WROTE("{\"type\":\"signal\",\"pid\":71,\"tgid\":70,"
	      "\"signal\":{\"value\":17,\"name\":\"SIGCHLD\"},"
	      "\"stack\":[{\"address\":\"0x7fdc\",\"uncertain\":true},"
	      "{\"error\":\"too many stack frames\"}]}\n",
	      "a signal of which only the stack is known");
	EVENT((WHO), .kind = EVENT_STOPPED, .number = 19, .name = "SIGSTOP");
	WROTE("{\"type\":\"stopped\",\"pid\":71,\"tgid\":70,"
	      "\"signal\":{\"value\":19,\"name\":\"SIGSTOP\"}}\n",
	      "a group-stop");
	EVENT((WHO), .kind = EVENT_EXITED, .number = 7);
	WROTE("{\"type\":\"exit\",\"pid\":71,\"tgid\":70,\"status\":7}\n",
	      "an exit");
	EVENT((WHO), .kind = EVENT_KILLED, .number = 11, .name = "SIGSEGV",
	      .core = true);
	WROTE("{\"type\":\"killed\",\"pid\":71,\"tgid\":70,"
	      "\"signal\":{\"value\":11,\"name\":\"SIGSEGV\"},"
	      "\"core\":true}\n", "a death");
	EVENT((WHO), .kind = EVENT_SUPERSEDED, .number = 72);
	WROTE("{\"type\":\"superseded\",\"pid\":71,\"tgid\":70,\"by\":72}\n",
	      "the execve of another thread");

	CALL("umask", 95, WHO);
	ARG("mask");
	STRUCT();
	FIELD("x");
	EVENT((WHO), .kind = EVENT_STOPPED, .number = 19, .name = "SIGSTOP");
	WROTE("{\"type\":\"stopped\",\"pid\":71,\"tgid\":70,"
	      "\"signal\":{\"value\":19,\"name\":\"SIGSTOP\"}}\n",
	      "an event within a call");
	MODE(022);
	END_STRUCT();
	RESULT_BEGIN();
	DEC(0);
	SINK_CALL(s, frames, &frame, 1);
	END(.why = RESULT_KNOWN);
	WROTE(HEAD("umask", 95) "\"mask\":{\"x\":18}},\"result\":{\"value\":0},"
	      "\"stack\":[{\"address\":\"0x55f7d46\",\"module\":\"/lib/c\","
	      "\"offset\":\"0xf7d46\",\"build_id\":\"ab12\","
	      "\"symbol\":\"umask\",\"symbol_offset\":\"0x6\","
	      "\"file\":\"u.c\",\"line\":7,\"inlined\":true}]}\n",
	      "the call afterwards, and its stack");
}

/* ---- nonsense ---- */

static bool valid_value(const char **p, int depth);

static bool valid_string(const char **p)
{
	if (*(*p)++ != '"')
		return false;
	while (**p != '"') {
		if ((unsigned char)**p < ' ')
			return false;
		if (**p == '\\') {
			(*p)++;
			if (**p == 'u') {
				if (strspn(*p + 1, "0123456789abcdef") < 4)
					return false;
				*p += 4;
			} else if (!**p || !strchr("\"\\/bfnrt", **p)) {
				return false;
			}
		}
		(*p)++;
	}
	(*p)++;
	return true;
}

static bool valid_members(const char **p, int depth, char end)
{
	const char *keys[100], *key;
	size_t count = 0;

	(*p)++;
	if (**p == end)
		return (*p)++;
	for (;;) {
		if (end == '}') {
			key = *p;
			if (!valid_string(p) || *(*p)++ != ':')
				return false;
			for (size_t i = 0; i < count; i++)
				if (!strncmp(keys[i], key, *p - key))
					return false;
			if (count < COUNT(keys))
				keys[count++] = key;
		}
		if (!valid_value(p, depth + 1))
			return false;
		if (**p == end)
			return (*p)++;
		if (*(*p)++ != ',')
			return false;
	}
}

static bool valid_value(const char **p, int depth)
{
	static const char *const words[] = { "null", "true" };

	if (depth > 1000)
		return false;
	if (**p == '{')
		return valid_members(p, depth, '}');
	if (**p == '[')
		return valid_members(p, depth, ']');
	if (**p == '"')
		return valid_string(p);
	for (size_t i = 0; i < COUNT(words); i++) {
		if (!strncmp(*p, words[i], 4)) {
			*p += 4;
			return true;
		}
	}
	*p += **p == '-';
	if (**p < '0' || **p > '9')
		return false;
	*p += strspn(*p, "0123456789");
	return true;
}

static bool is_one_valid_line(const char *line)
{
	const char *p = line;

	if (!valid_value(&p, 0) || *p++ != '\n')
		return false;
	return !*p || is_one_valid_line(p);
}

static void test_nonsense(void)
{
	bool valid = true;

	for (unsigned seed = 1; seed <= 20000 && valid; seed++) {
		const char *text;

		tell_nonsense(seed);
		text = written();
		valid = is_one_valid_line(text);
		if (!valid)
			check_note("seed %u: %s", seed, text);
	}
	OK(valid, "nonsense becomes valid JSON");
}

int main(void)
{
	out = stream_open_memory();
	s = json_sink_new(out, &options);
	test_calls();
	test_scalars();
	test_strings();
	test_compound();
	test_keys();
	test_structures();
	test_events();
	test_nonsense();
	SINK_CALL(s, destroy);
	stream_close(out);
	return check_done();
}
