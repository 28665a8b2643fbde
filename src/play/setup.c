/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/setup.h"

#include "play/restore.h"
#include "study/walk.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Interval at which users check if SETUP shared has been played. */
#define POLL_NS NS_PER_MS

/* Check if target number `target` is a second URL of one that the run has
 * claimed. */
static bool is_second_url(const struct workers_plan *plan, unsigned target)
{
	return plan->targets[target].claim.second;
}

/*
 * Check if user `number`, who plays load `load` on a second URL of a target,
 * leaves SETUP shared to another user of the load: to one who plays on a first
 * URL, or else to the first one.
 */
static bool is_left_to_another(const struct workers_plan *plan, unsigned number, size_t load)
{
	unsigned other;

	for (other = plan->first_user; other < plan->users_total; other++) {
		if (loads_index(plan->loads, other) != load)
			continue;
		if (other < number || !is_second_url(plan, other % plan->target_count))
			return true;
	}
	return false;
}

/*
 * Check if user `number` of the run plays SETUP shared: its load has one, and
 * no user with a lower number plays the same load on the same target, under
 * this URL or under another one.
 */
static bool plays_shared(const struct workers_plan *plan, unsigned number)
{
	size_t load = loads_index(plan->loads, number);
	unsigned target = number % plan->target_count, other;

	if (plan->loads->list[load].profile->setup.shared_end == 0)
		return false;
	for (other = plan->first_user; other < number; other++)
		if (other % plan->target_count == target && loads_index(plan->loads, other) == load)
			return false;
	if (plan->shared_left != NULL)
		return !plan->shared_left[target * plan->loads->count + load];
	return !is_second_url(plan, target) || !is_left_to_another(plan, number, load);
}

uint32_t setup_players(const struct workers_plan *plan)
{
	uint32_t count = 0;
	unsigned user;

	for (user = 0; user < plan->users; user++)
		count += plays_shared(plan, plan->first_user + user);
	return count;
}

static bool play_shared(struct replay *r, const struct workers_plan *plan, unsigned index,
			size_t end)
{
	uint32_t *shared = &r->stats->run->shared;
	uint32_t players = setup_players(plan) + (plan->shared_left != NULL);

	if (plays_shared(plan, plan->first_user + index)) {
		if (!replay_span(r, 0, end))
			return false;
		__atomic_add_fetch(shared, 1, __ATOMIC_RELEASE);
	}
	/* If a player dies or fails, the whole run stops. */
	r->own->busy_since_ns = CLOCK_NEVER;
	while (!replay_is_leaving(r) && __atomic_load_n(shared, __ATOMIC_ACQUIRE) < players)
		clock_sleep_until_ns(clock_now_ns() + POLL_NS);
	return !replay_is_leaving(r);
}

/* Flush the written files that the set-up leaves open, and the user's
 * directory. The other files were flushed when they were closed. */
static int flush(struct replay *r)
{
	const struct backend *b = r->backend;
	char inside[PATH_MAX];
	struct walk walk;
	uint32_t i;
	int rc = walk_begin(&walk, r->program);

	while (rc == 0 && walk_next(&walk) && walk.in_setup)
		walk_mark_written(&walk);
	for (i = 0; rc == 0 && b->fsync != NULL && i < r->program->handle_count; i++) {
		if (walk.files[i].mark == 0 || r->handles[i] < 0)
			continue;
		rc = b->fsync(r->session, r->handles[i]);
		r->own->steps++;
	}
	walk_end(&walk);
	if (rc < 0 || b->sync_parent == NULL)
		return rc;
	layout_home(r->binding.user, inside);
	strcat(inside, "/-");
	return b->sync_parent(r->session, &(struct backend_path){.text = inside});
}

bool setup_is_shared(const struct workers_plan *plan)
{
	size_t i;

	for (i = 0; i < plan->loads->count; i++)
		if (plan->loads->list[i].profile->setup.shared_end > 0)
			return true;
	return false;
}

bool setup_play(struct replay *r, const struct workers_plan *plan, unsigned index)
{
	const struct load *load = workers_load_of(plan, index);
	const struct setup *setup = &load->profile->setup;
	char name[USER_NAME_MAX];
	int rc;

	if (setup->shared_end > 0 && !play_shared(r, plan, index, setup->shared_end))
		return false;
	if (setup->end == setup->shared_end)
		return true;
	if (!replay_span(r, setup->shared_end, setup->end))
		return false;
	if (r->player != PLAYER_FILES)
		return true;
	names_of_user(r->binding.user, name);
	rc = flush(r);
	if (rc < 0)
		replay_fail(r, r->binding.user, "flush the set-up of", name, rc);
	if (rc == 0 && r->restore != NULL) {
		rc = restore_begin(r, setup->end);
		if (rc < 0)
			replay_fail(r, r->binding.user, "list the set-up of", name, rc);
	}
	return rc == 0;
}
