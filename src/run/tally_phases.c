/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/tally_phases.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tally_phase *tally_add_phase(struct tally *tally, const char *name)
{
	struct tally_phase phase = {
		.name = strdup(name),
		.sums = {.first_user = tally->first_user, .died_user = -1},
	};

	if (phase.name != NULL &&
	    array_append(&tally->phases, &tally->phase_count, &phase, sizeof(phase)) == 0)
		return &tally->phases[tally->phase_count - 1];
	free(phase.name);
	return NULL;
}

static struct tally_phase *find_phase(struct tally *tally, const char *name)
{
	size_t i;

	for (i = 0; i < tally->phase_count; i++)
		if (strcmp(tally->phases[i].name, name) == 0)
			return &tally->phases[i];
	return NULL;
}

/* The phase that is being taken. */
struct taken {
	const struct stats *stats;
	size_t load;   /* index of its load */
	unsigned slot; /* see struct stats_load */
};

/* Take the resources and operations of one user of the load. `labels` is the
 * number of labels of the load. */
static void take_user(struct tally *sums, const struct taken *taken, unsigned user, size_t labels)
{
	const struct stats_counter *counters = stats_counters(taken->stats, user,
							      stats_set(taken->slot));
	uint64_t *ops = &sums->user_ops[sums->users++];
	size_t i;

	stats_add_cost(&sums->cost, &stats_laps(taken->stats, user)[taken->slot].cost);
	for (i = 0; i < labels; i++)
		*ops += counters[i].count;
}

/* Take the sums of label number `index` of the load. */
static int take_label(struct tally *sums, const struct taken *taken, size_t index,
		      const struct tally_label *of_load)
{
	const struct stats *stats = taken->stats;
	const struct stats_load *load = &stats->list[taken->load];
	struct stats_counter sum = {0};
	struct tally_label *label;
	unsigned user;

	for (user = 0; user < stats->users; user++)
		if (stats_load_of(stats, user) == load)
			stats_add_counter(
				&sum, stats_counters(stats, user, stats_set(taken->slot)) + index);
	if (sum.count == 0 && sum.skipped == 0)
		return 0;
	label = tally_add_label(sums, of_load->name);
	if (label == NULL)
		return -ENOMEM;
	label->direction = of_load->direction;
	label->counters[STATS_MEASURED] = sum;
	label->measured = stats_phase_totals(stats, load, taken->slot)[index];
	return 0;
}

/* Take one phase of a load. `tally` has all labels of the load already. */
static int take_phase(struct tally *tally, const struct taken *taken, const char *name)
{
	const struct stats *stats = taken->stats;
	const struct stats_load *load = &stats->list[taken->load];
	const struct stats_load_phase *times = &load->phases[taken->slot];
	struct tally_phase *phase = tally_add_phase(tally, name);
	struct tally *sums;
	unsigned user;
	size_t i;
	int rc = 0;

	if (phase == NULL)
		return -ENOMEM;
	phase->loops = times->loops;
	phase->min_ns = times->min_ns;
	phase->max_ns = times->max_ns;
	sums = &phase->sums;
	sums->user_ops = calloc(tally->users, sizeof(*sums->user_ops));
	if (sums->user_ops == NULL)
		return -ENOMEM;
	sums->loops_ended = times->loops * tally->users;
	sums->window_ns = times->elapsed_ns;
	for (user = 0; user < stats->users; user++)
		if (stats_load_of(stats, user) == load)
			take_user(sums, taken, user, tally->label_count);
	for (i = 0; i < tally->label_count && rc == 0; i++)
		rc = take_label(sums, taken, i, &tally->labels[i]);
	return rc;
}

int tally_take_phases(struct tally *tally, const struct program *program, const struct stats *stats,
		      size_t load)
{
	const struct stats_load_phase *phases = stats->list[load].phases;
	struct taken taken = {.stats = stats, .load = load};
	int rc = 0;

	if (program->phase_count == 0)
		return 0;
	tally->window_ns = phases[0].elapsed_ns;
	tally->restore_ns = 0;
	while (taken.slot < program->phase_count && rc == 0) {
		taken.slot++;
		tally->window_ns += phases[taken.slot].elapsed_ns;
		rc = take_phase(tally, &taken, program->phases[taken.slot - 1].name);
	}
	return rc;
}

int tally_merge_phases(struct tally *into, const struct tally *other)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < other->phase_count && rc == 0; i++) {
		const struct tally_phase *from = &other->phases[i];
		struct tally_phase *phase = find_phase(into, from->name);

		if (phase == NULL) {
			phase = tally_add_phase(into, from->name);
			if (phase == NULL)
				return -ENOMEM;
			phase->min_ns = from->min_ns;
		}
		if (from->loops > phase->loops)
			phase->loops = from->loops;
		if (from->min_ns < phase->min_ns)
			phase->min_ns = from->min_ns;
		if (from->max_ns > phase->max_ns)
			phase->max_ns = from->max_ns;
		rc = tally_add(&phase->sums, &from->sums);
	}
	return rc;
}

void tally_free_phases(struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->phase_count; i++) {
		free(tally->phases[i].name);
		tally_free(&tally->phases[i].sums);
	}
	free(tally->phases);
}
