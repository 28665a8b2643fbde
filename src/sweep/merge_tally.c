/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/merge_tally.h"

#include "run/tally.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cut greater times (in ns) and numbers of bytes at this value, so that
 * llround() can return them. */
#define WHOLE_MAX 9e18

/* Round a number from a result file. As it may be of any size, cut it at
 * WHOLE_MAX. */
static uint64_t whole(double value)
{
	return (uint64_t)llround(fmin(value, WHOLE_MAX));
}

static uint64_t ns_of(double seconds)
{
	return whole(seconds * 1e9);
}

static void take_histogram(const struct result_latency *latency, struct stats_counter *counter,
			   struct histogram_total *total)
{
	const struct result_histogram *histogram = latency->histogram;
	size_t i;

	counter->count = latency->count;
	if (histogram == NULL)
		return;
	counter->min_ns = histogram->min_ns;
	counter->max_ns = histogram->max_ns;
	total->overflow = histogram->longer;
	for (i = 0; i < histogram->cell_count; i++)
		total->cells[histogram_cell(histogram->cells[i].from_ns)] =
			histogram->cells[i].count;
}

static int take_labels(struct tally *tally, const struct result_figures *figures)
{
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		const struct result_operation *operation = &figures->operations[i];
		struct tally_label *label = tally_add_label(tally, operation->name);
		struct stats_counter *measured;

		if (label == NULL)
			return -ENOMEM;
		label->direction = operation->direction;
		measured = &label->counters[STATS_MEASURED];
		take_histogram(&operation->latency, measured, &label->measured);
		measured->bytes = operation->bytes;
		measured->errors = operation->errors;
		measured->mismatches = operation->mismatches;
		measured->sum_ns = operation->sum_ns;
		/* A result has no number of skipped operations per name, only
		 * the total: store the total under the first name. */
		measured->skipped = i == 0 ? figures->skipped : 0;
	}
	tally->loops_ended = figures->loops;
	return 0;
}

static void take_extra(const struct result_latency *latency, struct tally_extra *extra)
{
	take_histogram(latency, &extra->counter, &extra->times);
	extra->counter.sum_ns = whole(latency->mean_ns * (double)latency->count);
}

static void take_extras(struct tally *tally, const struct result_figures *figures)
{
	take_extra(&figures->loop, &tally->extras[STATS_LOOP]);
	take_extra(&figures->service, &tally->extras[STATS_SERVICE]);
	take_extra(&figures->lateness, &tally->extras[STATS_LATENESS]);
	take_extra(&figures->unfinished, &tally->extras[STATS_UNFINISHED]);
	tally->due.count = figures->due.count;
	tally->due.unfinished = figures->due.count - figures->due.ended;
}

static int take_seconds(struct tally *tally, const struct result_repeat *repeat)
{
	uint64_t from_ns = 0;
	size_t i;

	tally->seconds = calloc(repeat->second_count + 1, sizeof(*tally->seconds));
	if (tally->seconds == NULL)
		return -ENOMEM;
	for (i = 0; i < repeat->second_count; i++) {
		const struct result_second *second = &repeat->per_second[i];
		uint64_t end_ns = ns_of(second->at_s);

		if (end_ns <= from_ns)
			continue;
		tally->seconds[tally->second_count++] = (struct second){
			.end_ns = end_ns,
			.bytes = whole(second->mb_per_s * (double)(end_ns - from_ns) / 1e3),
			.p99_ns = second->p99_ns,
		};
		from_ns = end_ns;
	}
	return 0;
}

/* Take the sums over all users, or over the users of one load or phase. */
static int take_figures(const struct result_run *run, const struct result_repeat *repeat,
			const struct result_figures *figures, unsigned users, struct tally *tally)
{
	*tally = (struct tally){
		.first_user = run->users_from,
		.users = users,
		.user_ops = calloc(users, sizeof(*tally->user_ops)),
		.cost.user_ns = ns_of(figures->client_cpu.user_s),
		.cost.system_ns = ns_of(figures->client_cpu.system_s),
		.cost.waits = figures->client_cpu.waits,
		.cost.preemptions = figures->client_cpu.preemptions,
		.restore_ns = ns_of(figures->restore_share * figures->seconds * users),
		.verified.users = (unsigned)figures->verified.users,
		.verified.difference_count = figures->verified.differences,
		.verified.read_bytes = figures->verified.read_bytes,
		.verified.compared_bytes = figures->verified.compared_bytes,
		.verified.written_bytes = figures->verified.written_bytes,
		.verified.read_back_bytes = figures->verified.read_back_bytes,
		.verified.unreadable_files = figures->verified.unreadable_files,
		.verified.unreadable_bytes = figures->verified.unreadable_bytes,
		.verified.full_maps = figures->verified.full_maps,
		.verified.map_bytes = figures->verified.map_bytes,
		.cut_short_ns = ns_of(figures->held_up_s),
		.begin_ns = ns_of(repeat->began_s),
		.window_ns = ns_of(figures->seconds),
		.silent_s = figures->silent_s,
		.stood_still_ns = ns_of(figures->stood_still_s),
		.died_user = -1,
	};
	if (tally->user_ops == NULL)
		return -ENOMEM;
	memcpy(tally->user_ops, figures->user_ops, users * sizeof(*tally->user_ops));
	take_extras(tally, figures);
	return take_labels(tally, figures);
}

static int take_phases(const struct result_run *run, const struct result_repeat *repeat,
		       const struct result_figures *figures, unsigned users, struct tally *tally)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < figures->phase_count && rc == 0; i++) {
		const struct result_phase *from = &figures->phases[i];
		struct tally_phase *phase = tally_add_phase(tally, from->name);

		if (phase == NULL)
			return -ENOMEM;
		phase->loops = from->figures.loops / users;
		phase->min_ns = ns_of(from->user_min_s);
		phase->max_ns = ns_of(from->user_max_s);
		rc = take_figures(run, repeat, &from->figures, users, &phase->sums);
	}
	return rc;
}

static int take_loads(const struct result_run *run, const struct result_repeat *repeat,
		      struct tally *tally)
{
	size_t count = repeat->figures.load_count;
	int rc = 0;

	if (count == 0)
		return 0;
	tally->loads = calloc(count, sizeof(*tally->loads));
	if (tally->loads == NULL)
		return -ENOMEM;
	while (rc == 0 && tally->load_count < count) {
		const struct result_load *load = &repeat->figures.loads[tally->load_count];
		struct tally *own = &tally->loads[tally->load_count++];

		rc = take_figures(run, repeat, &load->figures, load->users, own);
		if (rc == 0)
			rc = take_phases(run, repeat, &load->figures, load->users, own);
	}
	return rc;
}

int merge_take_tally(const struct result_run *run, const struct result_repeat *repeat,
		     struct tally *tally)
{
	const struct result_figures *figures = &repeat->figures;
	int rc = take_figures(run, repeat, figures, repeat->users, tally);

	if (rc == 0)
		rc = take_loads(run, repeat, tally);
	if (rc == 0)
		rc = take_phases(run, repeat, figures, repeat->users, tally);
	return rc < 0 ? rc : take_seconds(tally, repeat);
}
