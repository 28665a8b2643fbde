/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/pairs.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/random.h"
#include "sweep/turns.h"

/* Number of the random stream (base/random.h) for the order within each pair:
 * "pairs" in ASCII. */
enum { STREAM_PAIRS = 0x7061697273 };

/* A run of pairs in progress. */
struct run {
	const struct pairs *pairs;
	const struct pairs_observer *observer;
	unsigned side; /* the side whose turn it is */
	struct turns turns;
	struct error *error;
};

static void on_begin(void *context, const struct result *result)
{
	struct run *run = context;

	/* The result has no points yet, so this is the side's first turn. */
	if (result->point_count == 0)
		run->observer->begin(run->observer->context, run->side);
}

static void on_tick(void *context, const struct workers_view *view)
{
	struct run *run = context;

	run->observer->tick(run->observer->context, view);
}

static int on_repeat(void *context, const struct result *result, const struct result_repeat *repeat)
{
	struct run *run = context;

	return run->observer->repeat(run->observer->context, result, repeat);
}

/* Measure all points of one side once. */
static enum sweep_end take_turn(struct run *run, unsigned pair, bool first)
{
	const struct pairs *pairs = run->pairs;
	const struct pairs_side *side = &pairs->sides[run->side];
	struct settings settings = *pairs->settings;
	const struct sweep_variant variant = {
		.loads = side->loads,
		.targets = side->targets,
		.target_count = side->target_count,
	};
	const struct sweep sweep = {
		.settings = &settings,
		.variants = &variant,
		.variant_count = 1,
		.result = side->result,
		.pair = pair,
		.settle_first = !first,
	};
	const struct sweep_observer observer = {
		.context = run,
		.begin = on_begin,
		.tick = on_tick,
		.repeat = on_repeat,
	};
	const struct turn turn = {
		.before = side->before,
		.after = pairs->after,
		.option = side->option,
	};

	settings.repeats = pair;
	return turns_take(&run->turns, &turn, &sweep, &observer, run->error);
}

enum sweep_end pairs_run(const struct pairs *pairs, const struct pairs_observer *observer,
			 struct error *error)
{
	struct run run = {
		.pairs = pairs,
		.observer = observer,
		.turns = turns_begin(pairs->time_max_ns),
		.error = error,
	};
	uint64_t longest_ns = 0;
	struct random random;
	unsigned pair;
	int enough = 0;

	random_start(&random, pairs->settings->seed, STREAM_PAIRS);
	for (pair = 1; pair <= pairs->budget && enough == 0; pair++) {
		unsigned first = (unsigned)(random_next(&random) % SIDES);
		uint64_t pair_ns = clock_now_ns(), now_ns;
		enum sweep_end end;

		run.side = first;
		end = take_turn(&run, pair, pair == 1);
		run.side = 1 - first;
		if (end == SWEEP_DONE)
			end = take_turn(&run, pair, false);
		/* Report the error, but keep the earlier pairs: they can still
		 * be compared. */
		if (end == SWEEP_REFUSED && pair > 1) {
			message_error(error);
			end = SWEEP_INVALID;
		}
		if (end != SWEEP_DONE)
			return end;
		now_ns = clock_now_ns();
		if (now_ns - pair_ns > longest_ns)
			longest_ns = now_ns - pair_ns;
		enough = observer->pair(observer->context, first,
					now_ns - run.turns.begin_ns + longest_ns >
						pairs->time_max_ns);
	}
	return enough < 0 ? SWEEP_INVALID : SWEEP_DONE;
}
