/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of tracees, and the life of address spaces.
 */
#include "family.h"
#include "mmap_notify.h"
#include "tests/check.h"
#include "tracee.h"

enum { MANY = 5000 };

static unsigned gone, executed;
static struct space *last_gone, *last_executed;

static void notice(void *context, struct space *space,
		   const struct map_change *change)
{
	(void)context;
	if (change->kind == MAP_CHANGE_GONE) {
		gone++;
		last_gone = space;
	} else if (change->kind == MAP_CHANGE_EXEC) {
		executed++;
		last_executed = space;
	}
}

static void count(struct tracee *tracee, void *context)
{
	(void)tracee;
	++*(unsigned *)context;
}

static void remove_odd(struct tracee *tracee, void *context)
{
	(void)context;
	if (tracee->tid % 2)
		tracee_remove(tracee);
}

static void test_table(void)
{
	unsigned wrong = 0, seen = 0;
	struct tracee *t;

	OK(!tracee_find(1), "nobody is in an empty table");
	for (pid_t tid = 1; tid <= MANY; tid++)
		tracee_add(tid * 3);
	IS_INT(tracee_count(), MANY, "the table grows");
	for (pid_t tid = 1; tid <= MANY; tid++) {
		t = tracee_find(tid * 3);
		wrong += !t || t->tid != tid * 3 || t->tgid != tid * 3;
	}
	IS_INT(wrong, 0, "everybody is found");
	OK(!tracee_find(4) && !tracee_find(0) && !tracee_find(-1),
	   "and nobody else");
	tracee_for_each(count, &seen);
	IS_INT(seen, MANY, "everybody is visited");

	tracee_for_each(remove_odd, NULL);
	IS_INT(tracee_count(), MANY / 2, "a visitor may remove");
	wrong = 0;
	for (pid_t tid = 1; tid <= MANY; tid++)
		wrong += (tracee_find(tid * 3) == NULL) != tid % 2;
	IS_INT(wrong, 0, "those and no others");

	t = tracee_find(6);
	tracee_rename(t, 7777777);
	OK(!tracee_find(6), "the old id is free after an exec");
	OK(tracee_find(7777777) == t && t->tgid == 7777777 &&
	   t->view.pid == 7777777, "the new one leads to the tracee");
	OK(tracee_add(6) != NULL, "the old id can be used again");
	tracee_remove(tracee_find(7777777));
	for (pid_t tid = 1; tid <= MANY; tid++)
		if (tracee_find(tid * 3))
			tracee_remove(tracee_find(tid * 3));
	IS_INT(tracee_count(), 0, "the table is empty again");
	OK(!tracee_find(6), "and nobody is in it");
}

/* From every number of tracees to every other, by way of two more. */
static void test_waves(void)
{
	enum { MOST = 70 };
	unsigned wrong = 0;
	pid_t here = 0;

	for (pid_t from = 0; from <= MOST; from++) {
		for (pid_t to = 0; to <= MOST; to++) {
			pid_t goals[] = { from, to, (from * 7 + to) % MOST };

			for (unsigned i = 0; i < 3; i++) {
				while (here < goals[i])
					tracee_add(++here);
				while (here > goals[i])
					tracee_remove(tracee_find(here--));
				for (pid_t tid = 1; tid <= MOST; tid++)
					wrong += !tracee_find(tid) !=
						 (tid > here);
				if (wrong)
					goto out;
			}
		}
	}
out:
	IS_INT(wrong, 0, "nobody is lost when their number changes");
	while (here)
		tracee_remove(tracee_find(here--));
}

static void test_spaces(void)
{
	struct tracee *one = tracee_add(1), *two = tracee_add(2);
	struct space *space = space_new(1), *other = space_new(2);

	mmap_notify_subscribe(notice, NULL);
	OK(space->id != other->id, "spaces have different ids");
	one->space = space;
	two->space = space_get(space);
	tracee_remove(one);
	IS_INT(gone, 0, "a space lives as long as somebody lives in it");
	tracee_remove(two);
	IS_INT(gone, 1, "and no longer");
	OK(last_gone == space, "it is the right one");
	space_put(other);
	IS_INT(gone, 2, "also without tracees");
}

static void test_exec(void)
{
	struct tracee *parent = tracee_add(10), *child = tracee_add(11);
	struct space *shared = space_new(10);

	gone = 0;
	parent->space = shared;
	child->space = space_get(shared);
	OK(family_exec(child, 11) && child->space != shared &&
	   parent->space == shared, "exec leaves a space to who shared it");
	OK(executed == 1 && last_executed == child->space && !gone,
	   "the new one is told of");
	OK(family_exec(parent, 10), "another exec");
	OK(executed == 2 && last_executed == parent->space && gone == 1,
	   "when nobody is left in a space, it is gone");
	tracee_remove(parent);
	tracee_remove(child);
	IS_INT(gone, 3, "so are the others at the end");
}

int main(void)
{
	test_table();
	test_waves();
	test_spaces();
	test_exec();
	return check_done();
}
