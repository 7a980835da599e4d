/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The scalars that mean something by themselves: numbers, addresses,
 * descriptors, ids, modes, devices, times.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "decode/decode.h"
#include "decode/interpret.h"

void print_dec(struct decoder *d, const struct type *type, uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, value,
		  ctype_is_signed(d->ctype) ? BASE_SIGNED : BASE_UNSIGNED);
}

void print_masked(struct decoder *d, const struct type *type, uint64_t value)
{
	print_dec(d, type, value & type->number);
}

uint64_t decode_unsigned(const struct decoder *d, uint64_t value)
{
	size_t size = ctype_size(d->ctype, d->abi);

	return size < 8 ? value & ((UINT64_C(1) << size * 8) - 1) : value;
}

void print_hex(struct decoder *d, const struct type *type, uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, decode_unsigned(d, value), BASE_HEX);
}

/* A byte of an address of hardware: two digits are the least. */
void print_octet(struct decoder *d, const struct type *type, uint64_t value)
{
	if (value)
		print_hex(d, type, value);
	else
		SINK_CALL(d->sink, expression, &(struct expression){
			.text = "00", .fixed = true });
}

static void print_octal(struct decoder *d, const struct type *type,
			uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, decode_unsigned(d, value), BASE_OCTAL);
}

static void print_umode(struct decoder *d, const struct type *type,
			uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, number, decode_unsigned(d, value), BASE_MODE);
}

void print_addr(struct decoder *d, const struct type *type, uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, address, value);
}

/* S_IFREG|S_ISUID|0755; a mode of a type that there is not is a number. */
static void print_mode(struct decoder *d, const struct type *type,
		       uint64_t value)
{
	const uint32_t special = V_S_ISUID | V_S_ISGID | V_S_ISVTX;
	uint32_t mode = value, file_type = mode & V_S_IFMT;
	const char *name = file_type ? constset_name(&set_file_types, d->abi,
						     file_type) : "";
	char text[80];

	(void)type;
	if (!name) {
		SINK_CALL(d->sink, number, mode, BASE_MODE);
		return;
	}
	snprintf(text, sizeof(text), "%s%s%s%s|%#03o", name,
		 mode & V_S_ISUID ? "|S_ISUID" : "",
		 mode & V_S_ISGID ? "|S_ISGID" : "",
		 mode & V_S_ISVTX ? "|S_ISVTX" : "",
		 mode & ~(V_S_IFMT | special));
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = *name ? text : text + 1,
		.value = mode, .base = BASE_MODE });
}

static void print_fd(struct decoder *d, const struct type *type,
		     uint64_t value)
{
	const struct fd_target *target = NULL;
	int fd = value;

	(void)type;
	if (fd >= 0 && d->inspector && d->inspector->fd_target)
		target = d->inspector->fd_target(d->inspector, fd);
	SINK_CALL(d->sink, fd, fd, NULL, target);
}

static void print_dirfd(struct decoder *d, const struct type *type,
			uint64_t value)
{
	const struct fd_target *target = NULL;

	if ((int)value != (int)V_AT_FDCWD) {
		print_fd(d, type, value);
		return;
	}
	if (d->inspector && d->inspector->cwd)
		target = d->inspector->cwd(d->inspector);
	SINK_CALL(d->sink, fd, (int)value, "AT_FDCWD", target);
}

static void print_pid(struct decoder *d, const struct type *type,
		      uint64_t value)
{
	char comm[64];
	bool known = false;
	int pid = value;

	(void)type;
	if (pid > 0 && d->inspector && d->inspector->pid_comm)
		known = d->inspector->pid_comm(d->inspector, pid, comm,
					       sizeof(comm));
	SINK_CALL(d->sink, pid, pid, known ? comm : NULL);
}

/* An id of -1 means "leave it as it is", whatever its width. */
void print_id(struct decoder *d, const struct type *type, uint64_t value)
{
	size_t size = ctype_size(d->ctype, d->abi);

	(void)type;
	if (decode_unsigned(d, value) == decode_unsigned(d, UINT64_MAX) &&
	    size < 8)
		SINK_CALL(d->sink, number, UINT64_MAX, BASE_SIGNED);
	else
		SINK_CALL(d->sink, number, decode_unsigned(d, value),
			  BASE_UNSIGNED);
}

static void print_signal(struct decoder *d, const struct type *type,
			 uint64_t value)
{
	(void)type;
	SINK_CALL(d->sink, symbol, value, BASE_SIGNED,
		  constset_name(&set_signals, d->abi, value), NULL);
}

/* What snprintf does with %#x, for structures that are seen often. */
static char *put_hex(char *at, unsigned value)
{
	unsigned digits = 1;

	while (digits < 8 && value >> digits * 4)
		digits++;
	if (value) {
		*at++ = '0';
		*at++ = 'x';
	}
	while (digits--)
		*at++ = "0123456789abcdef"[value >> digits * 4 & 15];
	return at;
}

static void show_makedev(struct decoder *d, uint64_t value, unsigned major,
			 unsigned minor)
{
	char text[48] = "makedev(";
	char *at = put_hex(text + strlen(text), major);

	*at++ = ',';
	*at++ = ' ';
	at = put_hex(at, minor);
	*at++ = ')';
	*at = '\0';
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_HEX });
}

/*
 * The encoding of new_encode_dev() in the kernel's include/linux/kdev_t.h, and
 * the C library's of larger numbers in 64 bits.
 */
static void print_dev(struct decoder *d, const struct type *type,
		      uint64_t value)
{
	(void)type;
	show_makedev(d, value,
		     (value >> 8 & 0xfff) | (value >> 32 & 0xfffff000),
		     (value & 0xff) | (value >> 12 & 0xffffff00));
}

static void print_olddev(struct decoder *d, const struct type *type,
			 uint64_t value)
{
	(void)type;
	show_makedev(d, value, value >> 8 & 0xff, value & 0xff);
}

/*
 * A local date; false for time zero and what is no time.  A second has so
 * many parts, of which there are fraction.
 */
static bool format_date(char *buf, size_t size, int64_t seconds,
			uint64_t fraction, uint64_t parts)
{
	char date[64], zone[16], point[24] = "";
	time_t t = seconds;
	struct tm tm;

	if ((!seconds && !fraction) || fraction >= parts ||
	    !localtime_r(&t, &tm) ||
	    !strftime(date, sizeof(date), "%FT%T", &tm) ||
	    !strftime(zone, sizeof(zone), "%z", &tm))
		return false;
	if (fraction)
		snprintf(point, sizeof(point), ".%0*" PRIu64,
			 parts == 1000000 ? 6 : 9, fraction);
	snprintf(buf, size, "%s%s%s", date, point, zone);
	return true;
}

void decode_time_comment(struct decoder *d, int64_t seconds,
			 uint64_t fraction, uint64_t parts)
{
	char text[112];

	if (format_date(text, sizeof(text), seconds, fraction, parts))
		SINK_CALL(d->sink, comment, text);
}

void print_time(struct decoder *d, const struct type *type, uint64_t value)
{
	/* some structures have it without a sign */
	SINK_CALL(d->sink, number, value, BASE_SIGNED);
	decode_time_comment(d, value, decode_ref(d, &type->length),
			    1000000000);
}

static void print_date(struct decoder *d, const struct type *type,
		       uint64_t value)
{
	char text[112];

	(void)type;
	if (!format_date(text, sizeof(text), value, 0, 1))
		return;
	SINK_CALL(d->sink, expression, &(struct expression){
		.text = text, .value = value, .base = BASE_SIGNED,
		.str = text, .fixed = true });
}

#define SCALAR_TYPE(name_, ctype_, print_)				\
	const struct type type_##name_ = {				\
		.kind = KIND_SCALAR, .ctype = (ctype_), .print = (print_) }

SCALAR_TYPE(dec, INT, print_dec);
SCALAR_TYPE(udec, UINT, print_dec);
SCALAR_TYPE(size, ULONG, print_dec);
SCALAR_TYPE(ssize, LONG, print_dec);
SCALAR_TYPE(loff, S64, print_dec);
SCALAR_TYPE(hex, UINT, print_hex);
SCALAR_TYPE(hexlong, ULONG, print_hex);
SCALAR_TYPE(hex64, U64, print_hex);
SCALAR_TYPE(octal, UINT, print_octal);
SCALAR_TYPE(octet, U8, print_octet);
SCALAR_TYPE(umode, UINT, print_umode);
SCALAR_TYPE(mode, UINT, print_mode);
SCALAR_TYPE(addr, POINTER, print_addr);
SCALAR_TYPE(fd, INT, print_fd);
SCALAR_TYPE(dirfd, INT, print_dirfd);
SCALAR_TYPE(pid, INT, print_pid);
SCALAR_TYPE(uid, UINT, print_id);
SCALAR_TYPE(gid, UINT, print_id);
SCALAR_TYPE(signal, INT, print_signal);
SCALAR_TYPE(dev, UINT, print_dev);
SCALAR_TYPE(olddev, U16, print_olddev);
SCALAR_TYPE(time, KLONG, print_time);
SCALAR_TYPE(date, KLONG, print_date);
SCALAR_TYPE(void, LONG, print_dec);

const struct type type_path = { .kind = KIND_PATH, .ctype = POINTER };
const struct type type_str = { .kind = KIND_STR, .ctype = POINTER };
