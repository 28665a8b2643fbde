/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/plan_order.h"

#include "base/random.h"

#include <errno.h>
#include <stdlib.h>

/*
 * Number of the random stream (base/random.h) for the order: "order" in ASCII.
 */
enum { STREAM_ORDER = 0x6f72646572 };

/* Shuffle by Fisher and Yates, in the form of Durstenfeld (1964). */
static void shuffle(size_t *list, size_t count, struct random *random)
{
	size_t i;

	for (i = count; i > 1; i--) {
		size_t j = (size_t)(random_next(random) % i);
		size_t swapped = list[i - 1];

		list[i - 1] = list[j];
		list[j] = swapped;
	}
}

int order_make(struct order *order, size_t points, unsigned passes, bool random, uint64_t seed)
{
	struct random generator;
	unsigned pass;
	size_t i;

	*order = (struct order){
		.points = calloc(points * passes, sizeof(*order->points)),
		.count = points * passes,
	};
	if (order->points == NULL)
		return -ENOMEM;
	random_start(&generator, seed, STREAM_ORDER);
	for (pass = 0; pass < passes; pass++) {
		size_t *first = order->points + pass * points;

		for (i = 0; i < points; i++)
			first[i] = i;
		if (random)
			shuffle(first, points, &generator);
	}
	return 0;
}

void order_free(struct order *order)
{
	free(order->points);
	*order = (struct order){0};
}

/*
 * Check if measurement number `index` of the order must still be made: a
 * resumed sweep already has some of the measurements. Once a stop condition
 * holds, points that have been measured are repeated, but no new one begins.
 */
static bool is_due(const struct plan_order *plan, size_t index, const struct step *step)
{
	const struct result *result = plan->side->result;
	const struct result_point *point = result_find_point(result, step->variant, step->users);
	size_t planned = 0, i;

	if (point == NULL)
		return result->run.variants[step->variant].stopped_by == NULL;
	for (i = 0; i <= index; i++)
		planned += plan->order.points[i] == plan->order.points[index];
	return point->repeat_count < planned;
}

static int next(void *context, struct step *step)
{
	struct plan_order *plan = context;
	size_t counts = plan->settings->user_count_count;

	while (plan->next < plan->order.count) {
		size_t index = plan->next++, point = plan->order.points[index];

		/* In the given order, the user counts of a variant follow each
		 * other. */
		step->variant = point / counts;
		step->users = plan->settings->user_counts[point % counts];
		step->ends_turn = plan->in_turns;
		if (is_due(plan, index, step))
			return 1;
	}
	return 0;
}

int plan_order_open(struct plan_order *plan, const struct settings *settings,
		    const struct steps_side *side, unsigned passes, bool in_turns,
		    struct error *error)
{
	*plan = (struct plan_order){
		.plan = {.context = plan, .next = next},
		.settings = settings,
		.side = side,
		.in_turns = in_turns,
	};
	if (order_make(&plan->order, side->result->run.variant_count * settings->user_count_count,
		       passes, settings->random_order, settings->seed) < 0)
		return error_no_memory(error);
	return 0;
}

void plan_order_close(struct plan_order *plan)
{
	order_free(&plan->order);
}
