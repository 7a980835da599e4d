/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The interpreter of descriptions: turns a call's registers and memory into
 * the events of a sink.  It reads memory through a view and asks the rest of
 * the world through struct inspector; it knows no ptrace and no process.
 */
#ifndef TRACER_DECODE_H
#define TRACER_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/abi.h"
#include "mem.h"
#include "output/sink.h"
#include "sysent.h"

/*
 * What can be found out about a tracee besides its memory.  Every function
 * may be NULL: then nothing is known (a snapshot).
 */
struct inspector {
	/*
	 * What descriptor fd refers to; NULL: unknown or not wanted.  The
	 * answer is good until the next question.
	 */
	const struct fd_target *(*fd_target)(struct inspector *, int fd);
	/* likewise of a descriptor of another process */
	const struct fd_target *(*fd_target_of)(struct inspector *, int pid,
						int fd);
	/* the process that a pidfd refers to; 0: it is no pidfd */
	int (*pid_of)(struct inspector *, int fd);
	/* the working directory, for AT_FDCWD; likewise */
	const struct fd_target *(*cwd)(struct inspector *);
	/* the name of a process or thread, for -Y */
	bool (*pid_comm)(struct inspector *, int pid, char *buf, size_t size);
	/*
	 * The protocol of a netlink socket, by the name it has in its
	 * constant ("ROUTE"; "" if unknown).  False: fd is no such socket.
	 */
	bool (*netlink_protocol)(struct inspector *, int fd, char *buf,
				 size_t size);
};

struct decode_options {
	uint32_t string_limit;	/* -s */
	bool verbose;		/* -v: nothing abbreviated */
	bool raw;		/* -e raw: arguments and result as numbers */
	bool follow_pointers;	/* -e verbose; false: addresses only */
};

/* A structure whose fields are being decoded; siblings are found here. */
struct scope {
	const struct structure *structure;
	const struct layout *layout;
	const uint8_t *bytes;
	size_t len;
	uint64_t addr;
	const struct scope *outer;
};

enum {
	MAX_DEPTH = 16,		/* of nested pointers and structures */
	MAX_SNAPSHOT = 64,
};

/* A call being decoded: between entry and exit this is all the state. */
struct decoder {
	/* set by the user before decode_entry */
	const struct abi *abi;
	const struct sysent *sysent;
	uint64_t args[6];		/* registers, zero-extended */
	uint64_t stack_pointer;		/* at entry: for sigreturn */
	const char *previous;		/* the call before, for restart_syscall;
					 * NULL: not known */
	struct view *view;
	struct sink *sink;
	const struct decode_options *options;
	struct inspector *inspector;	/* may be NULL */

	/* set by the user before decode_exit */
	int64_t result;			/* of a successful call */
	int error;			/* errno, or 0 */

	/* the interpreter's own */
	bool exiting;
	enum ctype ctype;		/* of the scalar being printed */
	uint8_t shown;			/* arguments told so far */
	uint8_t depth;
	const struct variant *variant;
	const struct scope *scope;
	uint64_t before[MAX_ARGS];	/* INOUT: the value at entry */
	uint8_t before_known;		/* bit per argument */
	bool changing;			/* an INOUT argument awaits its "after" */
	uint64_t shared;		/* bytes left for BYTES_SHARED */
	/* INOUT: the beginning of a structure at entry */
	struct {
		uint64_t addr;
		size_t len;
		uint8_t bytes[MAX_SNAPSHOT];
	} snapshot;
};

/* Prepares for a new call; keeps view, sink, options, inspector. */
void decoder_reset(struct decoder *d);

/*
 * Tells the sink the arguments that are known at entry.  The caller has
 * called call_begin, and calls call_pause if the call goes on.
 */
void decode_entry(struct decoder *d);

/* Tells the rest of the arguments, the result and what is behind it. */
void decode_exit(struct decoder *d);

/* Closes what is open of a call that never returns or whose end was lost,
 * and begins its result. */
void decode_lost(struct decoder *d);

/* A siginfo as a value (the bytes as the kernel has them for that ABI). */
void decode_siginfo(struct decoder *d, const void *bytes, size_t len);

/* ---- for scalars, custom types and the interpreter itself ---- */

/* Shows one value of a type: the heart of everything. */
void decode_value(struct decoder *d, const struct type *type,
		  enum ctype ctype, uint64_t value);
/* Shows an object of which bytes have been read. */
void decode_object(struct decoder *d, const struct type *type,
		   enum ctype ctype, const struct place *place);
/*
 * Reads the object at addr and shows it; its address if it is unreadable, and
 * then it returns false.
 */
bool decode_at(struct decoder *d, const struct type *type, uint64_t addr);

/* Shows len bytes as a string, cut at the limit; enum string_flags. */
void decode_bytes(struct decoder *d, uint64_t addr, uint64_t len,
		  unsigned string_flags);

uint64_t decode_ref(struct decoder *d, const struct ref *ref);
bool decode_cond(struct decoder *d, const struct cond *cond);

/* An integer of the ABI from bytes (at least ctype_size of them). */
uint64_t decode_load(const struct decoder *d, enum ctype ctype,
		     const uint8_t *bytes);

/* For CALC: 1 if the call failed. */
uint64_t decode_failed(struct decoder *d);

/* The value of argument i in the C type of its description. */
uint64_t decode_arg_value(const struct decoder *d, unsigned i);

#endif
