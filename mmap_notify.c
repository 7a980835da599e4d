/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Publishes changes of memory maps; see mmap_notify.h.
 */
#include "mmap_notify.h"

#include <stddef.h>
#include <stdlib.h>

struct subscriber {
	struct subscriber *next;
	mmap_notify_fn *notify;
	void *context;
};

static struct subscriber *subscribers;
static struct subscriber **last = &subscribers;

bool mmap_notify_subscribe(mmap_notify_fn *notify, void *context)
{
	struct subscriber *subscriber = malloc(sizeof(*subscriber));

	if (!subscriber)
		return false;
	*subscriber = (struct subscriber){
		.notify = notify,
		.context = context,
	};
	*last = subscriber;
	last = &subscriber->next;
	return true;
}

void mmap_notify_publish(struct space *space,
			 const struct map_change *change)
{
	for (const struct subscriber *s = subscribers; s; s = s->next)
		s->notify(s->context, space, change);
}

bool mmap_notify_wanted(void)
{
	return subscribers != NULL;
}
