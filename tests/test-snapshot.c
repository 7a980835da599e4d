/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decoding calls from a snapshot: registers and a few pieces of memory, with
 * no process anywhere.  Whatever captures calls without stopping the tracee
 * feeds decoders in this way.
 *
 * The wanted lines are those that strace prints for such a call.
 */
#include "check.h"
#include "decode/decode.h"
#include "output/formats.h"
#include "unfold.h"

/* ---- memory as a tracee would have it ---- */

enum { MAX_BLOBS = 8 };

static struct view_blob blobs[MAX_BLOBS];
static size_t blob_count;

static void forget_memory(void)
{
	blob_count = 0;
}

static void remember(uint64_t addr, const void *bytes, size_t len)
{
	blobs[blob_count++] = (struct view_blob){ addr, bytes, len };
}

#define REMEMBER(addr_, literal_) \
	remember(addr_, literal_, sizeof(literal_) - 1)
#define REMEMBER_STRING(addr_, literal_) \
	remember(addr_, literal_, sizeof(literal_))

static void put32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = value >> 8 * i;
}

static void put64(uint8_t *at, uint64_t value)
{
	put32(at, value);
	put32(at + 4, value >> 32);
}

/* ---- a call from beginning to end ---- */

static const struct text_options text_options = { .column = 40 };
static const struct json_options json_options;
static struct decode_options options;
static struct decoder decoder;
static struct view view;
static struct stream *out;
static struct call_head head;
static bool json;

static const struct sysent *find_call(const struct abi *abi, const char *name)
{
	for (size_t i = 0; i < sysent_count(abi); i++) {
		const struct sysent *sysent = sysent_at(abi, i);

		if (sysent && !strcmp(sysent->name, name))
			return sysent;
	}
	return NULL;
}

/* Up to the entry, with the memory that was remembered. */
static void enter_call(const struct sysent *sysent, enum abi_id abi,
		       const uint64_t args[6])
{
	out = stream_open_memory();
	view_open_snapshot(&view, blobs, blob_count);
	decoder = (struct decoder){
		.abi = &abis[abi],
		.sysent = sysent,
		.view = &view,
		.sink = json ? json_sink_new(out, &json_options)
			     : text_sink_new(out, &text_options),
		.options = &options,
	};
	decoder_reset(&decoder);
	memcpy(decoder.args, args, sizeof(decoder.args));
	head = (struct call_head){
		.event = { .pid = 7, .tgid = 7 },
		.name = sysent->name,
		.nr = sysent->nr,
		.abi = decoder.abi->name,
	};
	SINK_CALL(decoder.sink, call_begin, &head);
	decode_entry(&decoder);
	SINK_CALL(decoder.sink, call_pause);
}

/* From the exit on, with the memory as it is then.  Returns the line. */
static const char *leave_call(int64_t result, int error)
{
	static char line[4096];
	const struct call_tail tail = { .why = RESULT_KNOWN };

	view_close(&view);
	view_open_snapshot(&view, blobs, blob_count);
	decoder.result = result;
	decoder.error = error;
	SINK_CALL(decoder.sink, call_resume, &head);
	decode_exit(&decoder);
	SINK_CALL(decoder.sink, call_end, &tail);
	SINK_CALL(decoder.sink, destroy);
	view_close(&view);
	snprintf(line, sizeof(line), "%.*s", (int)out->len, out->data);
	stream_close(out);
	forget_memory();
	return line;
}

#define ENTER_ON(abi_, name_, ...)					\
	enter_call(find_call(&abis[abi_], name_), abi_,			\
		   (const uint64_t[6]){ __VA_ARGS__ })
#define ENTER(name_, ...)	ENTER_ON(ABI_X86_64, name_, __VA_ARGS__)

static void defaults(void)
{
	options = (struct decode_options){
		.string_limit = 32,
		.follow_pointers = true,
	};
}

/* ---- the calls ---- */

static void test_open(void)
{
	REMEMBER_STRING(0x1000, "/etc/passwd");
	ENTER("openat", 0xffffff9c, 0x1000, 02000000);
	IS_STR(leave_call(3, 0),
	       "openat(AT_FDCWD, \"/etc/passwd\", O_RDONLY|O_CLOEXEC) = 3\n",
	       "a path and flags");

	/* a string over the border of two pages, captured in two pieces */
	REMEMBER(0x1ffd, "/no");
	REMEMBER_STRING(0x2000, "nexist");
	ENTER("openat", 0xffffff9c, 0x1ffd, 0101, 0644);
	IS_STR(leave_call(-1, 2),
	       "openat(AT_FDCWD, \"/nonexist\", O_WRONLY|O_CREAT, 0644) = "
	       "-1 ENOENT (No such file or directory)\n",
	       "an argument that depends on another, and an error");

	REMEMBER(0x1ffc, "/abc");
	ENTER("openat", 0xffffff9c, 0x1ffc, 0);
	IS_STR(leave_call(-1, 14),
	       "openat(AT_FDCWD, 0x1ffc, O_RDONLY)      = -1 EFAULT "
	       "(Bad address)\n", "a string without an end");
}

static void test_read_and_write(void)
{
	ENTER("read", 3, 0x5000, 832);
	REMEMBER(0x5000, "\177ELF\2\1\1\3\0\0\0\0\0\0\0\0\3\0>\0\1\0\0\0"
			 "\20t\2\0\0\0\0\0@");
	IS_STR(leave_call(33, 0),
	       "read(3, \"\\177ELF\\2\\1\\1\\3\\0\\0\\0\\0\\0\\0\\0\\0\\3\\0"
	       ">\\0\\1\\0\\0\\0\\20t\\2\\0\\0\\0\\0\\0\"..., 832) = 33\n",
	       "a buffer that is filled by the call");

	ENTER("read", 3, 0x5000, 832);
	IS_STR(leave_call(-1, 9),
	       "read(3, 0x5000, 832)                    = -1 EBADF "
	       "(Bad file descriptor)\n", "a buffer that is not");

	REMEMBER(0x5000, "hello\n");
	ENTER("write", 1, 0x5000, 6);
	IS_STR(leave_call(6, 0),
	       "write(1, \"hello\\n\", 6)                  = 6\n",
	       "a buffer that the call reads");

	ENTER("write", 1, 0x5000, 6);
	IS_STR(leave_call(-1, 14),
	       "write(1, 0x5000, 6)                     = -1 EFAULT "
	       "(Bad address)\n", "a buffer that is not there");

	ENTER("write", 1, 0x5000, UINT64_MAX);
	IS_STR(leave_call(-1, 14),
	       "write(1, 0x5000, 18446744073709551615)  = -1 EFAULT "
	       "(Bad address)\n", "a length out of this world");

	ENTER("close", 3);
	IS_STR(leave_call(0, 0),
	       "close(3)                                = 0\n",
	       "no memory at all");
}

/* struct iovec { void *iov_base; size_t iov_len; } */
static void test_vectors(void)
{
	uint8_t vector[32], small[8];

	put64(vector, 0x6000);
	put64(vector + 8, 3);
	put64(vector + 16, 0x7000);
	put64(vector + 24, 1);
	REMEMBER(0x6000, "abc");
	remember(0x4000, vector, sizeof(vector));
	ENTER("writev", 1, 0x4000, 2);
	IS_STR(leave_call(3, 0),
	       "writev(1, [{iov_base=\"abc\", iov_len=3}, "
	       "{iov_base=0x7000, iov_len=1}], 2) = 3\n",
	       "pointers behind pointers");

	remember(0x4fe0, vector, sizeof(vector));
	REMEMBER(0x6000, "abc");
	ENTER("writev", 1, 0x4fe0, 1000000);
	IS_STR(leave_call(-1, 22),
	       "writev(1, [{iov_base=\"abc\", iov_len=3}, "
	       "{iov_base=0x7000, iov_len=1}, ... /* 0x5000 */], 1000000) = "
	       "-1 EINVAL (Invalid argument)\n",
	       "an array of which only the beginning is there");

	/* the same on i386: four bytes each */
	put32(small, 0x6000);
	put32(small + 4, 3);
	remember(0x4000, small, sizeof(small));
	REMEMBER(0x6000, "abc");
	ENTER_ON(ABI_I386, "writev", 1, 0x4000, 1);
	IS_STR(leave_call(3, 0),
	       "writev(1, [{iov_base=\"abc\", iov_len=3}], 1) = 3\n",
	       "the layout of another ABI");
}

/* st_mode at 24, st_rdev at 40, st_size at 48 of 144 bytes. */
static void test_stat(void)
{
	uint8_t stat[144] = { 0 };

	REMEMBER_STRING(0x1000, "/etc/passwd");
	ENTER("newfstatat", 0xffffff9c, 0x1000, 0x5000, 0);
	put32(stat + 24, 0100644);
	put64(stat + 48, 1221);
	REMEMBER_STRING(0x1000, "/etc/passwd");
	remember(0x5000, stat, sizeof(stat));
	IS_STR(leave_call(0, 0),
	       "newfstatat(AT_FDCWD, \"/etc/passwd\", {st_mode=S_IFREG|0644, "
	       "st_size=1221, ...}, 0) = 0\n", "a structure, abbreviated");

	ENTER("fstat", 3, 0x5000);
	put32(stat + 24, 020666);
	put64(stat + 40, 0x103);
	remember(0x5000, stat, sizeof(stat));
	IS_STR(leave_call(0, 0),
	       "fstat(3, {st_mode=S_IFCHR|0666, st_rdev=makedev(0x1, 0x3), "
	       "...}) = 0\n", "of which other fields matter");
}

static void test_sleep(void)
{
	uint8_t wide[16], narrow[8];

	put64(wide, 1);
	put64(wide + 8, 5000);
	remember(0x1000, wide, sizeof(wide));
	ENTER("clock_nanosleep", 0, 0, 0x1000, 0x2000);
	put64(wide, 0);
	remember(0x2000, wide, sizeof(wide));
	IS_STR(leave_call(-1, 516),
	       "clock_nanosleep(CLOCK_REALTIME, 0, {tv_sec=1, tv_nsec=5000}, "
	       "{tv_sec=0, tv_nsec=5000}) = ? ERESTART_RESTARTBLOCK "
	       "(Interrupted by signal)\n", "before and after the call");

	put32(narrow, 1);
	put32(narrow + 4, 5000);
	remember(0x1000, narrow, sizeof(narrow));
	ENTER_ON(ABI_I386, "nanosleep", 0x1000, 0);
	IS_STR(leave_call(0, 0),
	       "nanosleep({tv_sec=1, tv_nsec=5000}, NULL) = 0\n",
	       "times of 32 bits");
}

static void test_unknown(void)
{
	struct sysent scratch;
	char name[24];
	const uint64_t args[6] = { 1, 2, 3, 4, 5, 6 };

	enter_call(sysent_find(&abis[ABI_X86_64], 9999, &scratch, name),
		   ABI_X86_64, args);
	IS_STR(leave_call(-1, 38),
	       "syscall_0x270f(0x1, 0x2, 0x3, 0x4, 0x5, 0x6) = -1 ENOSYS "
	       "(Function not implemented)\n", "a number without a name");
}

/* i386's old mmap has its arguments in memory. */
static void test_unfolded(void)
{
	const struct abi *abi = &abis[ABI_I386];
	uint64_t args[6] = { 0x5000 };
	uint8_t words[24];
	const struct sysent *call;

	put32(words, 0);
	put32(words + 4, 4096);
	put32(words + 8, 3);
	put32(words + 12, 0x22);
	put32(words + 16, -1);
	put32(words + 20, 0x1000);
	remember(0x5000, words, sizeof(words));
	view_open_snapshot(&view, blobs, blob_count);
	call = unfold(abi, find_call(abi, "mmap"), &view, args);
	view_close(&view);
	enter_call(call, ABI_I386, args);
	IS_STR(leave_call(0xf7000000, 0),
	       "mmap(NULL, 4096, PROT_READ|PROT_WRITE, "
	       "MAP_PRIVATE|MAP_ANONYMOUS, -1, 0x1000) = 0xf7000000\n",
	       "a call with its arguments in memory");
}

static void test_options(void)
{
	uint8_t stat[144] = { 0 };

	options.string_limit = 4;
	REMEMBER(0x5000, "hello\n");
	ENTER("write", 1, 0x5000, 6);
	IS_STR(leave_call(6, 0),
	       "write(1, \"hell\"..., 6)                  = 6\n",
	       "a limit of strings");
	defaults();
	options.raw = true;
	REMEMBER(0x5000, "hello\n");
	ENTER("write", 1, 0x5000, 6);
	IS_STR(leave_call(6, 0),
	       "write(0x1, 0x5000, 0x6)                 = 0x6\n",
	       "nothing decoded");
	defaults();
	options.follow_pointers = false;
	ENTER("fstat", 3, 0x5000);
	remember(0x5000, stat, sizeof(stat));
	IS_STR(leave_call(0, 0),
	       "fstat(3, 0x5000)                        = 0\n",
	       "no pointer followed");
	defaults();
}

#define JSON_HEAD(name_, nr_, abi_)					 \
	"{\"type\":\"syscall\",\"pid\":7,\"tgid\":7,\"name\":\"" name_	 \
	"\",\"nr\":" #nr_ ",\"abi\":\"" abi_ "\",\"args\":{"

static void test_json(void)
{
	uint8_t vector[8];

	json = true;
	REMEMBER_STRING(0x1000, "/etc/passwd");
	ENTER("openat", 0xffffff9c, 0x1000, 02000000);
	IS_STR(leave_call(3, 0), JSON_HEAD("openat", 257, "x86_64")
	       "\"dirfd\":{\"fd\":-100,\"name\":\"AT_FDCWD\"},"
	       "\"pathname\":\"/etc/passwd\","
	       "\"flags\":{\"value\":524288,"
	       "\"flags\":[\"O_RDONLY\",\"O_CLOEXEC\"]}},"
	       "\"result\":{\"value\":{\"fd\":3}}}\n",
	       "a path and flags, as JSON");

	put32(vector, 0x6000);
	put32(vector + 4, 3);
	remember(0x4ff8, vector, sizeof(vector));
	REMEMBER(0x6000, "a\377c");
	ENTER_ON(ABI_I386, "writev", 1, 0x4ff8, 2);
	IS_STR(leave_call(-1, 14), JSON_HEAD("writev", 146, "i386")
	       "\"fd\":{\"fd\":1},"
	       "\"iov\":{\"items\":[{\"iov_base\":{\"hex\":\"61ff63\"},"
	       "\"iov_len\":3}],\"more\":true},\"iovcnt\":2},"
	       "\"result\":{\"error\":{\"errno\":14,\"name\":\"EFAULT\","
	       "\"text\":\"Bad address\"}}}\n",
	       "an array that is not all there, as JSON");
	json = false;
}

int main(void)
{
	sysent_init();
	defaults();
	test_open();
	test_read_and_write();
	test_vectors();
	test_stat();
	test_sleep();
	test_unknown();
	test_unfolded();
	test_options();
	test_json();
	return check_done();
}
