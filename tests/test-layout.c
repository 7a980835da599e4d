/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layouts: the rules, by structures whose layouts were worked out by hand,
 * and then every described structure against the compiler's own layouts of
 * the kernel's definitions, facts/structs.tsv.
 *
 * A structure with a name must be there, on each ABI that has it, with the
 * same size.  Each of its fields must be there with the same offset and size:
 * under its name, or .cname; the fields of a member that is a structure
 * without a name of its own as "member.field", or, if the member has no name
 * either, as if they stood in the outer structure.  And each byte of a member
 * in the facts must be described, be it by PADDING.
 */
#include "decode/type.h"
#include "check.h"

#include <unistd.h>

/* ---- the facts ---- */

struct place_fact {
	bool known;
	size_t offset, size;
};

struct member_fact {
	char *structure, *name, *type;
	struct place_fact place[ABI_COUNT];
};

static struct member_fact *facts;
static size_t fact_count;

static char *read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = NULL;
	long size;

	if (!file)
		return NULL;
	if (fseek(file, 0, SEEK_END) == 0 && (size = ftell(file)) > 0) {
		rewind(file);
		text = malloc(size + 1);
		if (text && fread(text, 1, size, file) == (size_t)size)
			text[size] = '\0';
	}
	fclose(file);
	return text;
}

/* OFFSET+SIZE[*COUNT][SIGN][:BIT:WIDTH] */
static struct place_fact parse_place(const char *text)
{
	struct place_fact place = { 0 };

	place.known = sscanf(text, "%zu+%zu", &place.offset,
			     &place.size) == 2;
	return place;
}

static void add_fact(char *line)
{
	struct member_fact *fact = &facts[fact_count++];

	fact->structure = strsep(&line, "\t");
	fact->name = strsep(&line, "\t");
	fact->type = strsep(&line, "\t");
	for (size_t abi = 0; abi < ABI_COUNT; abi++) {
		const char *text = strsep(&line, "\t");

		if (abi > 0 && (!text || !strcmp(text, "=")))
			fact->place[abi] = fact->place[0];
		else
			fact->place[abi] = parse_place(text);
	}
}

static bool read_facts(void)
{
	const char *top = getenv("TOP_SRCDIR");
	size_t lines = 0;
	char path[4096];
	char *text;

	snprintf(path, sizeof(path), "%s/facts/structs.tsv", top ? top : ".");
	text = read_file(path);
	if (!text)
		return false;
	for (char *c = text; *c; c++)
		lines += *c == '\n';
	facts = calloc(lines + 1, sizeof(*facts));
	strsep(&text, "\n");			/* the names of the columns */
	while (text && *text)
		add_fact(strsep(&text, "\n"));
	return true;
}

/* The first row of a structure, its rows up to the next one's follow. */
static struct member_fact *find_structure(const char *name)
{
	for (size_t i = 0; i < fact_count; i++)
		if (!strcmp(facts[i].structure, name))
			return &facts[i];
	return NULL;
}

static bool in_structure(const struct member_fact *fact,
			 const struct member_fact *first)
{
	return fact < facts + fact_count &&
	       !strcmp(fact->structure, first->structure);
}

static struct member_fact *find_member(struct member_fact *first,
				       const char *name)
{
	for (struct member_fact *f = first; in_structure(f, first); f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

/* ---- descriptions against facts ---- */

/* What is found out about one structure on one ABI. */
struct inquiry {
	struct member_fact *first;
	const struct abi *abi;
	uint8_t *covered;		/* a byte of the structure is described */
	size_t size;
	unsigned mismatches;
};

static void mismatch(struct inquiry *q, const char *name, const char *what,
		     size_t got, size_t want)
{
	if (q->mismatches++ == 0)
		check_note("%s on %s:", q->first->structure, q->abi->name);
	check_note("  %s: %s %zu, should be %zu", name, what, got, want);
}

static void inquire_fields(struct inquiry *q, const struct structure *s,
			   const char *prefix, size_t base);

static void inquire_field(struct inquiry *q, const struct field *field,
			  const char *prefix, size_t offset, size_t size)
{
	const char *name = field->cname ? field->cname : field->name;
	bool nameless_struct = field->type->kind == KIND_STRUCT &&
			       !field->type->structure->name;
	const struct place_fact *place;
	struct member_fact *fact;
	char full[256];

	for (size_t i = offset; i < offset + size && i < q->size; i++)
		q->covered[i] = true;
	if (name && !*name)
		return;
	snprintf(full, sizeof(full), "%s%s%s", prefix, name ? name : "",
		 name && nameless_struct ? "." : "");
	if (nameless_struct) {
		inquire_fields(q, field->type->structure, full, offset);
		return;
	}
	if (!name)
		return;
	fact = find_member(q->first, full);
	if (!fact || !fact->place[q->abi->id].known) {
		if (q->mismatches++ == 0)
			check_note("%s on %s:", q->first->structure,
				   q->abi->name);
		check_note("  %s: no such member", full);
		return;
	}
	place = &fact->place[q->abi->id];
	if (place->offset != offset)
		mismatch(q, full, "offset", offset, place->offset);
	if (place->size != size)
		mismatch(q, full, "size", size, place->size);
}

static void inquire_fields(struct inquiry *q, const struct structure *s,
			   const char *prefix, size_t base)
{
	const struct layout *layout = structure_layout(s, q->abi);

	for (size_t i = 0; i < s->count; i++) {
		const struct field *field = &s->fields[i];

		if (field->abis && !(field->abis & 1u << q->abi->id))
			continue;
		inquire_field(q, field, prefix, base + layout->offsets[i],
			      layout->sizes[i]);
	}
}

/* A member of the facts of which no field says anything. */
static void find_gaps(struct inquiry *q)
{
	for (struct member_fact *f = q->first + 1; in_structure(f, q->first);
	     f++) {
		const struct place_fact *place = &f->place[q->abi->id];

		if (!place->known)
			continue;
		for (size_t i = 0; i < place->size; i++) {
			if (place->offset + i < q->size &&
			    q->covered[place->offset + i])
				continue;
			mismatch(q, f->name, "described bytes", i,
				 place->size);
			break;
		}
	}
}

static void check_structure(const struct structure *s, const struct abi *abi)
{
	struct inquiry q = {
		.first = find_structure(s->name),
		.abi = abi,
		.size = structure_layout(s, abi)->size,
	};

	if (!OK(q.first, "%s is known", s->name))
		return;
	if (!q.first->place[abi->id].known)
		return;			/* not on this ABI */
	q.covered = calloc(q.size + 1, 1);
	if (q.size != q.first->place[abi->id].size)
		mismatch(&q, "whole structure", "size", q.size,
			 q.first->place[abi->id].size);
	inquire_fields(&q, s, "", 0);
	find_gaps(&q);
	free(q.covered);
	OK(q.mismatches == 0, "%s on %s", s->name, abi->name);
}

static int by_name(const void *a, const void *b)
{
	const struct structure *const *x = a, *const *y = b;

	return strcmp((*x)->name ? (*x)->name : "",
		      (*y)->name ? (*y)->name : "");
}

static void check_descriptions(void)
{
	size_t count = __stop_structures - __start_structures;
	const struct structure **sorted = calloc(count + 1, sizeof(*sorted));

	memcpy(sorted, __start_structures, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_name);
	for (size_t i = 0; i < count; i++)
		for (size_t abi = 0; sorted[i]->name && abi < ABI_COUNT; abi++)
			check_structure(sorted[i], &abis[abi]);
	free(sorted);
}

/* ---- the rules ---- */

static const struct type word = { .kind = KIND_SCALAR };
#define WORD (&word)

STRUCTURE_UNNAMED(mixed,
	FIELD(c, U8, WORD),
	FIELD(q, U64, WORD),
	FIELD(s, S16, WORD),
	FIELD(p, POINTER, WORD),
	FIELD(l, LONG, WORD),
	FIELD(k, KLONG, WORD),
	FIELD(last, U8, WORD));

STRUCTURE_UNNAMED(small,
	FIELD(c, U8, WORD),
	FIELD(s, U16, WORD, .count = 3));

UNION(either, NULL,
	FIELD(c, U8, WORD, .count = 5),
	FIELD(i, U32, WORD));

STRUCTURE_UNNAMED(overlaid,
	FIELD(i, U32, WORD),
	FIELD(a, U8, WORD),
	FIELD(b, U64, WORD, .show = SHOW_OVERLAY),
	FIELD(c, U16, WORD, .show = SHOW_OVERLAY),
	FIELD(d, U16, WORD));

STRUCTURE_UNNAMED(packed,
	FIELD(i, U32, WORD),
	FIELD(q, U64, WORD, .show = SHOW_PACKED));

STRUCTURE_UNNAMED(nested,
	FIELD(c, U8, WORD),
	MEMBER(inner, STRUCT(small)),
	MEMBER(array, STRUCT(small), .count = 2),
	MEMBER(chosen, SELECT(SIBLING(c),
			      CHOICE(1, STRUCT(either)),
			      OTHERWISE(TYPE(.kind = KIND_SCALAR,
					     .ctype = U64)))),
	MEMBER(name, CHARS(3)),
	MEMBER(four, ARRAY(TYPE(.kind = KIND_SCALAR, .ctype = U16), N(4))),
	MEMBER(rest, ARRAY(TYPE(.kind = KIND_SCALAR, .ctype = U32),
			   SIBLING(c))));

STRUCTURE_UNNAMED(partly,
	FIELD(a, U32, WORD),
	FIELD(only32, U32, WORD, .abis = ON_I386),
	FIELD(b, U32, WORD));

#define IS_LAYOUT(id_, abi_, size_, align_, ...)			\
	is_layout(#id_, &structure_##id_, abi_, size_, align_,		\
		  (const size_t[]){ __VA_ARGS__ })

static void is_layout(const char *name, const struct structure *s,
		      enum abi_id abi, size_t size, size_t align,
		      const size_t *offsets)
{
	const struct layout *layout = structure_layout(s, &abis[abi]);

	IS_INT(layout->size, size, "size of %s on %s", name, abis[abi].name);
	IS_INT(layout->align, align, "alignment of %s on %s", name,
	       abis[abi].name);
	for (size_t i = 0; i < s->count; i++)
		IS_INT(layout->offsets[i], offsets[i], "offset of %s.%s on %s",
		       name, s->fields[i].name, abis[abi].name);
}

static void check_rules(void)
{
	IS_LAYOUT(mixed, ABI_X86_64, 56, 8, 0, 8, 16, 24, 32, 40, 48);
	IS_LAYOUT(mixed, ABI_I386, 32, 4, 0, 4, 12, 16, 20, 24, 28);
	IS_LAYOUT(mixed, ABI_X32, 48, 8, 0, 8, 16, 20, 24, 32, 40);
	IS_LAYOUT(small, ABI_X86_64, 8, 2, 0, 2);
	IS_LAYOUT(either, ABI_X86_64, 8, 4, 0, 0);
	IS_LAYOUT(overlaid, ABI_X86_64, 24, 8, 0, 8, 8, 8, 16);
	IS_LAYOUT(overlaid, ABI_I386, 16, 4, 0, 4, 4, 4, 12);
	IS_LAYOUT(packed, ABI_X86_64, 12, 4, 0, 4);
	IS_LAYOUT(nested, ABI_X86_64, 56, 8, 0, 2, 10, 32, 40, 44, 52);
	IS_LAYOUT(nested, ABI_I386, 48, 4, 0, 2, 10, 28, 36, 40, 48);
	IS_LAYOUT(partly, ABI_X86_64, 8, 4, 0, 4, 4);
	IS_LAYOUT(partly, ABI_I386, 12, 4, 0, 4, 8);
	IS_INT(structure_layout(&structure_mixed, &abis[ABI_I386])->sizes[4],
	       4, "a long has 4 bytes on i386");
	IS_INT(structure_layout(&structure_small, &abis[ABI_X32])->sizes[1],
	       6, "an array's size is that of all elements");
	OK(ctype_is_signed(S8) && ctype_is_signed(INT) &&
	   ctype_is_signed(LONG) && ctype_is_signed(KLONG),
	   "signed types are signed");
	OK(!ctype_is_signed(U64) && !ctype_is_signed(POINTER) &&
	   !ctype_is_signed(KULONG), "unsigned types are not");
}

int main(void)
{
	check_rules();
	if (OK(read_facts(), "facts/structs.tsv can be read"))
		check_descriptions();
	return check_done();
}
