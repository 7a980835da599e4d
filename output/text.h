/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the parts of the text sink share: lines are in output/text.c, values
 * in output/text-values.c, colours in output/text-colors.c.
 */
#ifndef TRACER_TEXT_H
#define TRACER_TEXT_H

#include "output/formats.h"
#include "output/sink.h"
#include "output/stream.h"

enum color {
	COLOR_NONE,
	COLOR_SYSCALL,
	COLOR_ARGNAME,
	COLOR_ARGVAL,
	COLOR_CALL,		/* htons(...) */
	COLOR_CONST,
	COLOR_COMMENT,
	COLOR_PUNCT,
	COLOR_RETVAL,
	COLOR_ERROR,
	COLOR_COUNT
};

/* Escape sequences that switch to a colour from none at all. */
struct palette {
	struct {
		char text[30];
		uint8_t len;
	} codes[COLOR_COUNT];
};

/*
 * The default colours, changed by spec ("KEY=SGR:KEY=SGR", NULL for none),
 * in which what is not understood is passed over.
 */
void palette_init(struct palette *palette, const char *spec);

enum { MAX_LEVELS = 64 };	/* of nested structures and arrays */

struct level {
	bool any;		/* an element has been shown */
	enum array_style style;	/* of separators; ARRAY_LIST for structures */
};

struct text {
	struct sink sink;
	const struct text_options *options;
	struct stream *stream;	/* what the sink was made for */
	struct stream *stage;	/* NULL unless options->staged */
	struct stream *out;	/* which of them the current line goes to */
	struct palette *palette;	/* NULL: no colours */
	enum color color;	/* in effect at the end of out */
	bool in_call;
	bool unfinished;	/* the call's line was ended by another's */
	bool in_result;		/* values have the result's colour */
	bool any_aux;
	unsigned depth;		/* may be more than MAX_LEVELS */
	struct level levels[MAX_LEVELS];	/* [0]: the arguments */
	size_t signal_column;	/* where the siginfo begins */
	const struct frame *frames;	/* for the line in progress */
	size_t frame_count;
	time_t clock_second;	/* for which clock holds */
	char clock[8];		/* HH:MM:SS */
};

void text_color_changes(struct text *t, enum color color);

static inline void text_color(struct text *t, enum color color)
{
	if (__builtin_expect(t->palette != NULL, 0))
		text_color_changes(t, color);
}

/* Appends a string literal. */
#define TEXT_LITERAL(t, literal) \
	stream_bytes((t)->out, "" literal, sizeof(literal) - 1)

/* Punctuation, in its colour. */
#define TEXT_PUNCT(t, literal) \
	(text_color(t, COLOR_PUNCT), TEXT_LITERAL(t, literal))

/* The operations of output/text-values.c. */
void text_string(struct sink *sink, const void *bytes, size_t len,
		 unsigned flags);
void text_number(struct sink *sink, uint64_t value, enum number_base base);
void text_address(struct sink *sink, uint64_t value);
void text_comment(struct sink *sink, const char *text);
void text_symbol(struct sink *sink, uint64_t value, enum number_base base,
		 const char *name, const char *label);
void text_flags(struct sink *sink, uint64_t value,
		const struct flag_part *parts, size_t count, uint64_t rest,
		const char *label);
void text_expression(struct sink *sink, const struct expression *e);
void text_fd(struct sink *sink, int fd, const char *symbol,
	     const struct fd_target *target);
void text_pid(struct sink *sink, int pid, const char *comm);
void text_struct_begin(struct sink *sink);
void text_field(struct sink *sink, const char *name, unsigned flags);
void text_struct_end(struct sink *sink);
void text_array_begin(struct sink *sink, enum array_style style);
void text_item(struct sink *sink);
void text_array_end(struct sink *sink);
void text_more(struct sink *sink);
void text_unreadable(struct sink *sink);
void text_change_begin(struct sink *sink);
void text_change_to(struct sink *sink);
void text_change_end(struct sink *sink);

/* Bytes as the inside of a string literal, or of <> if angle. */
void text_escape(struct text *t, const void *bytes, size_t len, bool hex,
		 bool angle);

/* "name=" in front of an argument or a field. */
void text_name(struct text *t, const char *name);

/* The name of a process in <>, if there is one. */
void text_comm(struct text *t, const char *comm);

#endif
