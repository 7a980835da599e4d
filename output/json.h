/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the JSON sink share: lines are in output/json.c, values
 * in output/json-values.c, the syntax in output/json-write.c.
 *
 * Whatever operations come in whatever order, what is written is one valid
 * JSON object a line, in valid UTF-8, with no key twice in an object.
 */
#ifndef TRACER_JSON_H
#define TRACER_JSON_H

#include "output/formats.h"
#include "output/sink.h"
#include "output/stream.h"

enum json_level_kind {
	JSON_OBJECT,
	JSON_ARRAY,
	JSON_INVERTED,		/* {"not":[...]} */
	JSON_CHANGE,		/* a value, or {"before":...,"after":...} */
};

/* An object or array that is open. */
struct json_level {
	enum json_level_kind kind;
	bool fixed;		/* of the line, not of a value: no operation
				 * for values ends it */
	bool any;		/* it has an element */
	bool ordinary;		/* it has a key that no value form has */
	bool cut;		/* marks for its end */
	bool unreadable;
	bool changed;
	size_t begin;		/* where in the line it begins */
	size_t first_key;	/* index in keys */
	uint64_t key_bits;	/* a bit of a hash of each key */
};

enum {
	JSON_MAX_LEVELS = 64,	/* for values; deeper ones become null */
	JSON_OWN_LEVELS = 4,	/* an event's, and two of its stack */
};

struct json {
	struct sink sink;
	const struct json_options *options;
	struct stream *stream;	/* where complete lines go */
	struct stream *line;	/* what is told so far */
	struct stream *keys;	/* size_t each: where keys of open objects are */
	unsigned depth;
	struct json_level levels[JSON_MAX_LEVELS + JSON_OWN_LEVELS];
	/*
	 * A key or an element has been begun, and its value must follow.
	 * Without one, a value in an object gets the key "value".
	 */
	bool slot;
	const char *unnamed;	/* the key that a value without one gets in
				 * the line's own object; or NULL */
	unsigned skip;		/* levels that are left out, being misplaced */
	const struct frame *frames;
	size_t frame_count;

	bool in_call, in_result, any_aux;

	/* an event may come while a call is half told */
	size_t event_begin;
	unsigned event_depth, event_skip;
	bool event_slot;
};

#define JSON_LITERAL(j, literal) \
	stream_bytes((j)->line, "" literal, sizeof(literal) - 1)

/* ---- output/json-write.c: syntax ---- */

/* A string, or {"hex":...} if the bytes are not UTF-8. */
void json_put_bytes(struct json *j, const void *bytes, size_t len);
void json_put_text(struct json *j, const char *text);
void json_put_hex_string(struct json *j, const void *bytes, size_t len);
/* A number, or {"integer":"..."} where a double could not hold it. */
void json_put_signed(struct json *j, int64_t value);
void json_put_unsigned(struct json *j, uint64_t value);
void json_put_address(struct json *j, uint64_t address);	/* "0x..." */
void json_put_seconds(struct json *j, const struct timespec *time);

/*
 * How many bytes are valid UTF-8 from the beginning on.  *cut_off (if not
 * NULL) tells whether the rest is the beginning of one more character.
 */
size_t json_utf8_length(const void *bytes, size_t len, bool *cut_off);

/* Opens a member of the innermost object, or an element of the array. */
void json_key(struct json *j, const char *name);

/*
 * Makes room for a value.  False: it must be left out; if it was to be a
 * compound value, so must everything up to its end (json_skip).
 */
bool json_value(struct json *j);

/* Begins an object or array; its own brackets are the caller's affair. */
void json_push(struct json *j, enum json_level_kind kind);
/* Closes levels until depth are left. */
void json_close(struct json *j, unsigned depth);
void json_insert(struct json *j, size_t at, const char *text);

/* ---- output/json-values.c: the operations ---- */

void json_number(struct sink *sink, uint64_t value, enum number_base base);
void json_address(struct sink *sink, uint64_t value);
void json_symbol(struct sink *sink, uint64_t value, enum number_base base,
		 const char *name, const char *label);
void json_flags(struct sink *sink, uint64_t value,
		const struct flag_part *parts, size_t count, uint64_t rest,
		const char *label);
void json_string(struct sink *sink, const void *bytes, size_t len,
		 unsigned flags);
void json_fd(struct sink *sink, int fd, const char *symbol,
	     const struct fd_target *target);
void json_pid(struct sink *sink, int pid, const char *comm);
void json_expression(struct sink *sink, const struct expression *e);
void json_struct_begin(struct sink *sink);
void json_field(struct sink *sink, const char *name, unsigned flags);
void json_struct_end(struct sink *sink);
void json_array_begin(struct sink *sink, enum array_style style);
void json_item(struct sink *sink);
void json_array_end(struct sink *sink);
void json_more(struct sink *sink);
void json_unreadable(struct sink *sink);
void json_change_begin(struct sink *sink);
void json_change_to(struct sink *sink);
void json_change_end(struct sink *sink);
void json_comment(struct sink *sink, const char *text);

/* A constant outside of a value's place: {"value":17,"name":"SIGCHLD"}. */
void json_put_symbol(struct json *j, uint64_t value, enum number_base base,
		     const char *name);

#endif
