/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/plan_pairs.h"

#include "base/clock.h"

/* Number of the random stream (base/random.h) for the order within each pair:
 * "pairs" in ASCII. */
enum { STREAM_PAIRS = 0x7061697273 };

/* Let the observer judge the pair. Return 0 for another pair, 1 to end, or < 0
 * to end as invalid. */
static int judge(struct plan_pairs *plan)
{
	uint64_t now_ns = clock_now_ns();
	struct event event = {.type = EVENT_PAIR, .first = plan->first};

	if (now_ns - plan->pair_ns > plan->longest_ns)
		plan->longest_ns = now_ns - plan->pair_ns;
	event.last = now_ns - plan->begin_ns + plan->longest_ns > plan->time_max_ns;
	return plan->observer->observe(plan->observer->context, &event);
}

static void begin_pair(struct plan_pairs *plan)
{
	plan->pair++;
	plan->turns = 0;
	plan->first = plan->side = (unsigned)(random_next(&plan->random) % STEPS_SIDES);
	plan->pair_ns = clock_now_ns();
}

static int next(void *context, struct step *step)
{
	struct plan_pairs *plan = context;
	size_t points = plan->sides[0].settings->user_count_count;
	int rc;

	if (plan->turns == STEPS_SIDES) {
		rc = judge(plan);
		if (rc != 0 || plan->pair == plan->budget)
			return rc < 0 ? rc : 0;
		begin_pair(plan);
	} else if (plan->pair == 0) {
		plan->begin_ns = clock_now_ns();
		begin_pair(plan);
	}
	rc = plan->sides[plan->side].plan.next(&plan->sides[plan->side], step);
	step->side = plan->side;
	step->pair = plan->pair;
	if (++plan->measured < points)
		return rc;
	step->ends_turn = true;
	plan->measured = 0;
	plan->turns++;
	plan->side = 1 - plan->side;
	return rc;
}

int plan_pairs_open(struct plan_pairs *plan, const struct steps *steps, unsigned budget,
		    const struct observer *observer, struct error *error)
{
	unsigned side;
	int rc = 0;

	*plan = (struct plan_pairs){
		.plan = {.context = plan, .next = next},
		.observer = observer,
		.budget = budget,
		.time_max_ns = steps->time_max_ns,
	};
	random_start(&plan->random, steps->settings->seed, STREAM_PAIRS);
	for (side = 0; side < STEPS_SIDES && rc == 0; side++)
		rc = plan_order_open(&plan->sides[side], steps->settings, &steps->sides[side],
				     budget, false, error);
	return rc;
}

void plan_pairs_close(struct plan_pairs *plan)
{
	unsigned side;

	for (side = 0; side < STEPS_SIDES; side++)
		plan_order_close(&plan->sides[side]);
}
