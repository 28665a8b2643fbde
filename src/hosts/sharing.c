/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SETUP shared is played once in each directory. Some hosts have a directory of their own,
 * others share one: the keys of their claims say so.
 */
#include "hosts/controller.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>

/* A set-up that a user has been chosen for. */
struct chosen {
	uint64_t key; /* of the directory */
	size_t load;
};

struct choice {
	struct chosen *list;
	size_t count;
};

/* Choose a user for a set-up. Return 1; 0 if another user was chosen before; or -ENOMEM.
 * Without a key, each host has a directory of its own. */
static int choose(struct choice *choice, uint64_t key, size_t load)
{
	const struct chosen chosen = {key, load};
	size_t i;

	if (key == 0)
		return 1;
	for (i = 0; i < choice->count; i++)
		if (choice->list[i].key == key && choice->list[i].load == load)
			return 0;
	return array_append(&choice->list, &choice->count, &chosen, sizeof(chosen)) < 0 ? -ENOMEM
											: 1;
}

/* Choose among the users of a host, who come after those of the hosts before it. */
static int choose_of(struct choice *choice, const struct host *host,
		     const struct workers_plan *plan, bool *left)
{
	const size_t loads = plan->loads->count;
	bool *seen = calloc(plan->target_count * loads, sizeof(*seen));
	int rc = seen != NULL ? 0 : -ENOMEM;
	unsigned i;

	for (i = 0; i < host->users && rc >= 0; i++) {
		unsigned user = host->first_user + i, target = user % plan->target_count;
		size_t load = loads_index(plan->loads, user), at = target * loads + load;

		if (seen[at])
			continue;
		seen[at] = true;
		rc = choose(choice, host->keys[plan->side][target], load);
		left[at] = rc == 0;
	}
	free(seen);
	return rc;
}

bool *sharing_choose(const struct hosts *hosts, const struct workers_plan *plan)
{
	const size_t pairs = plan->target_count * plan->loads->count;
	bool *left = calloc(hosts->count * pairs, sizeof(*left));
	struct choice choice = {0};
	int rc = left != NULL ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; i < hosts->count && rc >= 0; i++)
		rc = choose_of(&choice, &hosts->list[i], plan, left + i * pairs);
	free(choice.list);
	if (rc >= 0)
		return left;
	free(left);
	return NULL;
}
