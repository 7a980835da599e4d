/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the tests of the sinks share: short names for the operations of the
 * sink "s", and checking what it wrote into the memory stream "out".
 */
#ifndef TRACER_SINK_CHECK_H
#define TRACER_SINK_CHECK_H

#include "check.h"
#include "output/formats.h"
#include "unwind.h"

static struct stream *out;
static struct sink *s;

/* What has been written since the last time, as a C string. */
__attribute__((unused))
static const char *written(void)
{
	stream_char(out, '\0');
	out->len = 0;
	out->line_start = 0;
	return out->data;
}

#define WROTE(text_, ...) IS_STR(written(), text_, __VA_ARGS__)

#define ARG(name_)		SINK_CALL(s, arg, name_, 0)
#define NAMED(name_)		SINK_CALL(s, arg, name_, ARG_NAMED)
#define PAUSE()			SINK_CALL(s, call_pause)
#define RESULT_BEGIN()		SINK_CALL(s, result_begin)
#define ERROR(err_, name_, text_) SINK_CALL(s, error, err_, name_, text_)
#define RESTART(err_, name_, text_) SINK_CALL(s, restart, err_, name_, text_)
#define AUX(label_)		SINK_CALL(s, aux, label_)
#define DEC(value_)		SINK_CALL(s, number, (value_), BASE_SIGNED)
#define UDEC(value_)		SINK_CALL(s, number, (value_), BASE_UNSIGNED)
#define HEX(value_)		SINK_CALL(s, number, (value_), BASE_HEX)
#define HEX0(value_)		SINK_CALL(s, number, (value_), BASE_HEX0)
#define OCTAL(value_)		SINK_CALL(s, number, (value_), BASE_OCTAL)
#define MODE(value_)		SINK_CALL(s, number, (value_), BASE_MODE)
#define MASK(value_, bits_)	SINK_CALL(s, number, (value_), BASE_MASK##bits_)
#define ADDRESS(value_)		SINK_CALL(s, address, (value_))
#define SYMBOL(value_, name_, label_) \
	SINK_CALL(s, symbol, (value_), BASE_HEX, name_, label_)
#define SIGNAL_SYMBOL(value_, name_) \
	SINK_CALL(s, symbol, (value_), BASE_SIGNED, name_, NULL)
#define BYTES(literal_, flags_) \
	SINK_CALL(s, string, literal_, sizeof(literal_) - 1, (flags_))
#define PATH(literal_)		BYTES(literal_, STRING_PATH)
#define FD(fd_)			SINK_CALL(s, fd, (fd_), NULL, NULL)
#define FD_TARGET(fd_, ...) \
	SINK_CALL(s, fd, (fd_), NULL, &(struct fd_target){ __VA_ARGS__ })
#define CWD(target_)		SINK_CALL(s, fd, -100, "AT_FDCWD", target_)
#define PID(pid_, comm_)	SINK_CALL(s, pid, (pid_), comm_)
#define EXPRESSION(...) \
	SINK_CALL(s, expression, &(struct expression){ __VA_ARGS__ })
#define STRUCT()		SINK_CALL(s, struct_begin)
#define FIELD(name_)		SINK_CALL(s, field, name_, 0)
#define END_STRUCT()		SINK_CALL(s, struct_end)
#define ARRAY()			SINK_CALL(s, array_begin, ARRAY_LIST)
#define SET()			SINK_CALL(s, array_begin, ARRAY_SET)
#define SET_INVERTED()		SINK_CALL(s, array_begin, ARRAY_SET_INVERTED)
#define JOINED()		SINK_CALL(s, array_begin, ARRAY_JOINED)
#define ITEM()			SINK_CALL(s, item)
#define END_ARRAY()		SINK_CALL(s, array_end)
#define MORE()			SINK_CALL(s, more)
#define UNREADABLE()		SINK_CALL(s, unreadable)
#define CHANGE()		SINK_CALL(s, change_begin)
#define TO()			SINK_CALL(s, change_to)
#define END_CHANGE()		SINK_CALL(s, change_end)
#define COMMENT(text_)		SINK_CALL(s, comment, text_)

#define COUNT(array_)		(sizeof(array_) / sizeof((array_)[0]))

/* FLAGS(value, rest, label, parts...) */
#define FLAGS(value_, rest_, label_, ...)				\
do {									\
	const struct flag_part parts_[] = { __VA_ARGS__ };		\
									\
	SINK_CALL(s, flags, (value_), parts_, COUNT(parts_), (rest_),	\
		  label_);						\
} while (0)
#define NO_FLAGS(value_, label_) \
	SINK_CALL(s, flags, (value_), NULL, 0, (value_), label_)
#define PART(value_)	{ (value_), #value_, NULL }

#define CALL(name_, nr_, ...)						\
	SINK_CALL(s, call_begin, &(struct call_head){			\
		.event = { __VA_ARGS__ },				\
		.name = name_, .nr = (nr_), .abi = "x86_64" })
#define RESUME(name_, nr_, ...)						\
	SINK_CALL(s, call_resume, &(struct call_head){			\
		.event = { __VA_ARGS__ },				\
		.name = name_, .nr = (nr_), .abi = "x86_64" })
#define END(...) \
	SINK_CALL(s, call_end, &(struct call_tail){ __VA_ARGS__ })
/* The usual end: a number and nothing more. */
#define RESULT(value_) \
	do { RESULT_BEGIN(); DEC(value_); END(.why = RESULT_KNOWN); } while (0)
#define SIGNAL_BEGIN(signo_, name_, ...)				\
	SINK_CALL(s, signal_begin, &(struct event_head){ __VA_ARGS__ },	\
		  signo_, name_)
#define SIGNAL_END()		SINK_CALL(s, signal_end)
/* EVENT((who), what...) */
#define UNPACK(...)		__VA_ARGS__
#define EVENT(head_, ...)						\
	SINK_CALL(s, event, &(struct event_head){ UNPACK head_ },	\
		  &(struct event){ __VA_ARGS__ })

/* ---- nonsense: a call told in any order ---- */

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
	random_state = random_state * 6364136223846793005ULL + 1;
	return (random_state >> 33) % limit;
}

static void random_operation(void)
{
	static const char *const names[] = { "a", "b", "more", "value", NULL };
	const char *name = names[random_below(COUNT(names))];

	switch (random_below(24)) {
	case 0: ARG(name); break;
	case 1: FIELD(name); break;
	case 2: FIELD(name); DEC(1); break;
	case 3: ITEM(); break;
	case 4: DEC(random_below(100)); break;
	case 5: ADDRESS(random_below(2)); break;
	case 6: BYTES("\xff", 0); break;
	case 7: STRUCT(); break;
	case 8: END_STRUCT(); break;
	case 9: ARRAY(); break;
	case 10: SET_INVERTED(); break;
	case 11: END_ARRAY(); break;
	case 12: MORE(); break;
	case 13: UNREADABLE(); break;
	case 14: CHANGE(); break;
	case 15: TO(); break;
	case 16: END_CHANGE(); break;
	case 17: RESULT_BEGIN(); break;
	case 18: AUX(name); break;
	case 19: ERROR(1, NULL, NULL); break;
	case 20: COMMENT("c"); break;
	case 21: EVENT((.pid = 1), .kind = EVENT_EXITED); break;
	case 22: SIGNAL_BEGIN(1, NULL); DEC(5); SIGNAL_END(); break;
	case 23:
		for (unsigned n = random_below(90); n--; )
			STRUCT();
		break;
	}
}

__attribute__((unused))
static void tell_nonsense(unsigned seed)
{
	random_state = seed;
	CALL("f", 0, .pid = 1);
	for (unsigned n = random_below(40); n--; )
		random_operation();
	END(.why = random_below(2) ? RESULT_KNOWN : RESULT_NEVER);
}

#endif
