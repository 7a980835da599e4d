/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A sink receives what happened, as events and values, and writes it in its
 * format.  It knows values, never system calls, ptrace or tracee memory.
 *
 * There is one sink per tracee, holding that tracee's half-told call; several
 * sinks share a stream (output/stream.h), which owns the file.
 *
 * The order of a call's events:
 *
 *	call_begin { arg VALUE } [call_pause call_resume] { arg VALUE }
 *	[args_lost] result_begin [VALUE | error | restart] { aux VALUE }
 *	[frames] call_end
 *
 * or call_begin ... call_drop, if after all it is not to be shown; only a sink
 * that stages (text_options.staged) or writes at the end (JSON) can do that.
 * A call whose tracee is let go while it is in it (RESULT_DETACHED) ends
 * without result_begin.
 *
 * VALUE is one scalar operation, or a bracketed sequence:
 *
 *	struct_begin { field VALUE } [more|unreadable] struct_end
 *	array_begin { item VALUE } [more|unreadable] array_end
 *	change_begin VALUE [change_to VALUE] change_end	 before and after
 *
 * Text that only explains a value for people (comment) is left out by sinks
 * for machines.
 */
#ifndef TRACER_SINK_H
#define TRACER_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

struct sink;
struct frame;
struct constset;

/* Who and when: what the beginning of a line tells. */
struct event_head {
	pid_t pid;		/* thread id, as the tracer sees it */
	pid_t tgid;
	bool show_pid;		/* text: prefix the line with the pid */
	const char *comm;	/* -Y, else NULL */
	struct timespec wall;	/* CLOCK_REALTIME; zero if nobody shows it */
	struct timespec mono;	/* CLOCK_MONOTONIC; likewise */
	uint64_t ip;		/* instruction pointer, if ip_known */
	bool ip_known;
	uint8_t ip_size;	/* bytes of a pointer; 0 means 8 */
	bool nr_known;
	uint64_t nr;		/* of the tracee's last call, for -n */
};

struct call_head {
	struct event_head event;
	const char *name;
	uint64_t nr;
	const char *abi;	/* "x86_64", ... */
};

enum number_base {
	BASE_SIGNED,		/* -1 */
	BASE_UNSIGNED,		/* 4294967295 */
	BASE_HEX,		/* 0xff, and 0 is 0 */
	BASE_HEX0,		/* the same, but 0 is 0x0 */
	BASE_OCTAL,		/* 0644, and 0 is 0 */
	BASE_MODE,		/* 0644, and 0 is 000: at least three digits */
	BASE_MASK32,		/* 0x000001: hexadecimal, 8 characters wide */
	BASE_MASK64,		/* 0x00000000000001: the same, 16; 0 has no x */
};

enum string_flags {
	STRING_TRUNCATED = 1,	/* there is more: "..." after the quotes */
	STRING_PATH = 2,	/* a path: shown by itself in JSON */
	STRING_ABSTRACT = 8,	/* the name of an abstract socket: @"name" */
	STRING_HEX = 4,		/* binary: all bytes as \xNN in text */
};

enum field_flags {
	FIELD_UNNAMED = 1,	/* text shows the value without "name=" */
	ARG_NAMED = 2,		/* text shows "name=" even without -N */
	FIELD_VALUE_NAMED = 8,	/* text shows "name=" only where it shows the
				 * value itself (-X raw, -X verbose) */
	FIELD_COMMENT = 4,	/* text shows the name as a comment before the
				 * value: bytes beyond a known structure */
};

enum array_style {
	ARRAY_LIST,		/* [a, b] */
	ARRAY_SET,		/* [a b]: signals, descriptors */
	ARRAY_SET_INVERTED,	/* ~[a b] */
	ARRAY_JOINED,		/* a|b: the values that make up a word */
	ARRAY_INDEXED,		/* [[A]=a, [B]=b]: fields instead of items */
};

/*
 * One part of a flag word, for flags(): a named one, or (name NULL) a number
 * that has no name where others stand, with a comment unless label is NULL.
 */
struct flag_part {
	uint64_t value;
	const char *name;
	const char *label;
};

/*
 * What is behind a descriptor.  A file has a path, perhaps with details
 * (/dev/null<char 1:3>); other things have details only (TCP:[...]).
 */
struct fd_target {
	const char *path;	/* as it is, without escapes; or NULL */
	const char *details;	/* shown as it is; or NULL */
	bool deleted;
};

/*
 * A value that people read as a C expression: htons(80), makedev(0x8, 0x1),
 * inet_addr("1.2.3.4"), S_IFREG|0644, WIFEXITED(s) && ...  What stands behind
 * it, for machines and -X raw, is a number or, if raw is not NULL, bytes.
 */
struct expression {
	const char *text;
	const char *comment;	/* text as a comment behind the value; NULL:
				 * the same */
	/* composed of constants: the text with their numbers (-X raw), and with
	 * both (-X verbose), instead of the value */
	const char *numbers;
	const char *both;
	uint64_t value;
	enum number_base base;
	const void *raw;	/* the bytes as they lie in memory (htons) */
	size_t raw_len;
	const char *raw_field;	/* they are the one member, of this name, of
				 * a structure */
	const char *str;	/* for JSON instead of value: "1.2.3.4" */
	bool fixed;		/* -X raw and -X verbose change nothing */
};

enum why_no_result {
	RESULT_KNOWN,
	RESULT_NEVER,		/* the call does not return: exit, killed */
	RESULT_UNAVAILABLE,	/* the tracee vanished before it could be asked */
	RESULT_DETACHED,	/* we let the tracee go while it was in the call */
};

struct call_tail {
	enum why_no_result why;
	bool timed;
	struct timespec duration;	/* if timed */
	bool injected;			/* the result was tampered with */
};

/* A tracee's other events. */
enum event_kind {
	EVENT_STOPPED,		/* group-stop by signal .number */
	EVENT_EXITED,		/* with status .number */
	EVENT_KILLED,		/* by signal .number; .core: core dumped */
	EVENT_SUPERSEDED,	/* by an execve in thread .number */
};

struct event {
	enum event_kind kind;
	int number;
	const char *name;	/* of the signal */
	bool core;
};

struct sink_ops {
	void (*call_begin)(struct sink *, const struct call_head *);
	/* name NULL: unnamed (syscall_0x270f has none) */
	void (*arg)(struct sink *, const char *name, unsigned field_flags);
	void (*call_pause)(struct sink *);
	void (*call_resume)(struct sink *, const struct call_head *);
	/* the call ends before its other arguments are known */
	void (*args_lost)(struct sink *);
	void (*result_begin)(struct sink *);
	/* error: -1 ENOENT (text); name NULL: unknown errno */
	void (*error)(struct sink *, int err, const char *name,
		      const char *text);
	/* restart codes: ? ERESTARTSYS (text) */
	void (*restart)(struct sink *, int err, const char *name,
			const char *text);
	/* the next VALUE stands in the parentheses behind the result */
	void (*aux)(struct sink *, const char *label);
	void (*call_end)(struct sink *, const struct call_tail *);
	void (*call_drop)(struct sink *);

	/*
	 * The frames of the call, signal or event that call_end, signal_end
	 * or event, which comes next, is about; innermost first.  They stay
	 * the caller's, and must live until then.
	 */
	void (*frames)(struct sink *, const struct frame *, size_t count);

	/* --- SIGNAME VALUE --- ; the VALUE (siginfo) may be missing */
	void (*signal_begin)(struct sink *, const struct event_head *,
			     int signo, const char *name);
	void (*signal_end)(struct sink *);
	void (*event)(struct sink *, const struct event_head *,
		      const struct event *);

	/* scalars */
	void (*number)(struct sink *, uint64_t value, enum number_base);
	void (*address)(struct sink *, uint64_t value);	/* NULL if 0 */
	/*
	 * One constant.  name NULL: not known; label says of what set, as a
	 * comment in text (NULL: no comment).
	 */
	void (*symbol)(struct sink *, uint64_t value, enum number_base,
		       const char *name, const char *label);
	/*
	 * A flag word: its parts in the order of output, and the rest without
	 * a name.  With no part at all, text shows the rest and the label as
	 * a comment.
	 */
	void (*flags)(struct sink *, uint64_t value,
		      const struct flag_part *parts, size_t count,
		      uint64_t rest, const char *label);
	/* bytes as a quoted string; enum string_flags */
	void (*string)(struct sink *, const void *bytes, size_t len,
		       unsigned string_flags);
	/*
	 * A descriptor, by symbol if that is not NULL (AT_FDCWD), and what is
	 * behind it; target NULL: not asked or unknown.
	 */
	void (*fd)(struct sink *, int fd, const char *symbol,
		   const struct fd_target *target);
	/* a process or thread and its name; comm NULL: not asked or unknown */
	void (*pid)(struct sink *, int pid, const char *comm);
	/* a value that text shows as a C expression; see struct expression */
	void (*expression)(struct sink *, const struct expression *);

	/* compound values */
	void (*struct_begin)(struct sink *);
	/* name NULL: unnamed */
	void (*field)(struct sink *, const char *name, unsigned field_flags);
	void (*struct_end)(struct sink *);
	void (*array_begin)(struct sink *, enum array_style);
	void (*item)(struct sink *);
	void (*array_end)(struct sink *);
	void (*more)(struct sink *);		/* "..." as the last element */
	void (*unreadable)(struct sink *);	/* "???", likewise */
	void (*change_begin)(struct sink *);
	void (*change_to)(struct sink *);	/* " => " */
	void (*change_end)(struct sink *);

	/* for people only: a C comment behind the value before */
	void (*comment)(struct sink *, const char *text);

	void (*destroy)(struct sink *);
};

/* Implementations embed this as their first member. */
struct sink {
	const struct sink_ops *ops;
};

#define SINK_CALL(s, op, ...) ((s)->ops->op((s), ##__VA_ARGS__))

#endif
