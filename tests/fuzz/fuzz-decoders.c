/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A libFuzzer target: decodes a call whose number, arguments, result and
 * memory come from the fuzzer, for every ABI and with both sinks.  There is no
 * process: the view is a snapshot.
 *
 * What must hold besides the sanitizers' silence: what is written is one line
 * without control characters, no longer than a bound, and JSON that parses.
 *
 * The input:
 *
 *	2	ABI and sink, options
 *	2	which call of that ABI
 *	1	errno of the result
 *	8	result
 *	6*2	the arguments: a kind and a parameter, see argument()
 *	rest	memory, from MEMORY on
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/decode.h"
#include "json-check.h"
#include "output/formats.h"

enum {
	MEMORY = 0x10000,
	LIMIT = 1 << 24,		/* of what one call may write */
};

struct input {
	const uint8_t *bytes;
	size_t len;
};

static uint64_t take(struct input *in, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count && in->len; i++, in->len--)
		value |= (uint64_t)*in->bytes++ << 8 * i;
	return value;
}

/* Numbers at which something changes, or that descriptions ask for. */
static const uint64_t special[] = {
	0, 1, 2, 3, 4, 8, 16, 32, 64, 128, 255, 256, 4095, 4096, 65536,
	0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, -1, -100, -2, -4096,
	INT64_MAX, INT64_MIN,
};

static uint64_t argument(struct input *in)
{
	const uint8_t kind = take(in, 1);
	const uint8_t parameter = take(in, 1);

	switch (kind % 8) {
	case 0:
	case 1:		/* an address of memory */
		return MEMORY + parameter * 8;
	case 2:		/* one where it ends */
		return MEMORY + in->len - parameter;
	case 3:
		return special[parameter % (sizeof(special) / 8)];
	case 4:		/* a bit */
		return 1ull << parameter % 64;
	case 5:		/* a number that a selector could be */
		return parameter | kind << 5;
	case 6:		/* from memory: whatever the fuzzer likes */
		return in->len >= parameter + 8u ?
			take(&(struct input){ in->bytes + parameter, 8 }, 8) :
			parameter;
	default:
		return parameter;
	}
}

/* An answer for every descriptor, so that -y takes its ways, too. */
static const struct fd_target *fd_target(struct inspector *inspector, int fd)
{
	static const struct fd_target targets[] = {
		{ .path = "/a \"file\"\n", .deleted = true },
		{ .details = "socket:[1]" },
		{ .path = "/dev/null", .details = "char 1:3" },
	};

	(void)inspector;
	return fd < 0 ? NULL : &targets[fd % 3];
}

static bool netlink_protocol(struct inspector *inspector, int fd, char *buf,
			     size_t size)
{
	static const char *const names[] = {
		"ROUTE", "", "SOCK_DIAG", "CRYPTO", "NETFILTER", "AUDIT",
		"KOBJECT_UEVENT", "SELINUX",
	};

	(void)inspector;
	if (fd % 16 < 8)
		return false;
	snprintf(buf, size, "%s", names[fd % 8]);
	return true;
}

static bool pid_comm(struct inspector *inspector, int pid, char *buf,
		     size_t size)
{
	(void)inspector;
	snprintf(buf, size, "name>%d", pid);
	return pid > 0;
}

static void fail(const char *why, const struct stream *out)
{
	fprintf(stderr, "%s: %.*s\n", why,
		(int)(out->len < 4096 ? out->len : 4096), out->data);
	abort();
}

static void check_line(const struct stream *out, bool json)
{
	if (out->len == 0 || out->data[out->len - 1] != '\n')
		fail("no line", out);
	if (out->len > LIMIT)
		fail("a line over the bound", out);
	for (size_t i = 0; i + 1 < out->len; i++)
		if ((uint8_t)out->data[i] < ' ' ||
		    (out->data[i] == 127 && !json))
			fail("a control character", out);
	if (json && !json_is_valid(out->data, out->len - 1))
		fail("no valid JSON", out);
}

/* The slot-th call, or the next that is known. */
static const struct sysent *find_call(const struct abi *abi, unsigned slot)
{
	const size_t count = sysent_count(abi);

	for (size_t i = 0; i < count; i++) {
		const struct sysent *sysent =
			sysent_at(abi, (slot + i) % count);

		if (sysent)
			return sysent;
	}
	abort();
}

static struct inspector inspector = {
	.fd_target = fd_target,
	.netlink_protocol = netlink_protocol,
	.pid_comm = pid_comm,
};

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return sysent_init() ? 0 : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static const struct json_options json_options;
	struct input in = { bytes, len };
	const unsigned how = take(&in, 1), flags = take(&in, 1);
	const unsigned call = take(&in, 2);
	const int error = take(&in, 1) % 160;
	const int64_t result = take(&in, 8);
	const bool json = how & 4;
	const struct text_options text_options = {
		.column = 40,
		.arg_names = how & 8,
		.const_style = (how >> 4 & 3) % 3,
	};
	const struct decode_options options = {
		.string_limit = flags & 1 ? 32 : flags & 2 ? 0 : 300,
		.verbose = flags & 4,
		.raw = (flags & 0x70) == 0x70,
		.follow_pointers = (flags & 0x88) != 0x88,
	};
	const struct call_tail tail = { .why = RESULT_KNOWN };
	struct decoder d = {
		.abi = &abis[(how & 3) % ABI_COUNT],
		.options = &options,
		.inspector = flags & 8 ? &inspector : NULL,
		.stack_pointer = MEMORY,
	};
	struct stream *out = stream_open_memory();
	struct view view;
	struct view_blob blob;
	struct call_head head;

	d.sysent = find_call(d.abi, call);
	decoder_reset(&d);
	for (int i = 0; i < 6; i++) {
		d.args[i] = argument(&in);
		if (d.abi->reg == 4)
			d.args[i] = (uint32_t)d.args[i];
	}
	blob = (struct view_blob){ MEMORY, in.bytes, in.len };
	view_open_snapshot(&view, &blob, 1);
	d.view = &view;
	d.sink = json ? json_sink_new(out, &json_options)
		      : text_sink_new(out, &text_options);
	head = (struct call_head){
		.event = { .pid = 7, .tgid = 7 },
		.name = d.sysent->name,
		.nr = d.sysent->nr,
		.abi = d.abi->name,
	};
	SINK_CALL(d.sink, call_begin, &head);
	decode_entry(&d);
	SINK_CALL(d.sink, call_pause);
	d.error = error < 134 ? error : 0;
	d.result = d.error ? -1 : result;
	SINK_CALL(d.sink, call_resume, &head);
	decode_exit(&d);
	SINK_CALL(d.sink, call_end, &tail);
	SINK_CALL(d.sink, destroy);
	view_close(&view);
	check_line(out, json);
	stream_close(out);
	return 0;
}
