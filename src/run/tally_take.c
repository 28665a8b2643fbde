/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Take a tally of a point from the memory of its users.
 */
#include "run/tally.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The statistics to take: those of all users, or of the users of one load. */
struct taking {
	const struct workers_plan *plan;
	const struct stats *stats;
	size_t load; /* ALL_LOADS: of all users */
};

#define ALL_LOADS SIZE_MAX

/* Check if a user's statistics are to be taken. */
static bool is_taken(const struct taking *taking, unsigned user)
{
	return taking->load == ALL_LOADS || stats_user(taking->stats, user)->load == taking->load;
}

/* Find the tally's labels that a load's labels have the same names as, and add
 * those that are missing. Set `map` to their indexes. */
static int map_labels(struct tally *tally, const struct program *program,
		      size_t map[PROGRAM_LABELS_MAX])
{
	size_t i;

	for (i = 0; i < program->label_count; i++) {
		const char *name = program->labels[i];
		const struct tally_label *label = tally_label(tally, name);

		if (label == NULL)
			label = tally_add_label(tally, name);
		if (label == NULL)
			return -ENOMEM;
		map[i] = (size_t)(label - tally->labels);
	}
	return 0;
}

/* Note the direction in which the operations with each label move data. */
static void take_directions(struct tally *tally, const struct program *program,
			    const size_t map[PROGRAM_LABELS_MAX])
{
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		const struct op *op = &program->ops[i];

		if (!op_is_control(op->kind))
			tally->labels[map[op->label]].direction |= op_direction(op->kind);
	}
}

/* Add the counters of one user and one label of its load. */
static void take_counters(struct stats_counter counters[STATS_STAGES], const struct stats *stats,
			  unsigned user, size_t label)
{
	stats_add_set(&counters[STATS_UNCOUNTED], stats, user, STATS_UNCOUNTED, label);
	stats_add_measured(&counters[STATS_MEASURED], stats, user, label);
}

/* Add the labels of the users of load number `load`. */
static int take_load(struct tally *tally, const struct taking *taking, size_t load)
{
	const struct program *program = taking->plan->loads->list[load].program;
	const struct stats *stats = taking->stats;
	const struct stats_load *played = &stats->list[load];
	size_t map[PROGRAM_LABELS_MAX], count, i;
	unsigned user, slot;

	if (map_labels(tally, program, map) < 0)
		return -ENOMEM;
	take_directions(tally, program, map);
	count = program->label_count;
	for (user = 0; user < stats->users; user++) {
		if (stats_load_of(stats, user) != played)
			continue;
		for (i = 0; i < count; i++)
			take_counters(tally->labels[map[i]].counters, stats, user, i);
	}
	for (i = 0; i < count; i++)
		histogram_merge(&tally->labels[map[i]].measured, &played->totals[i]);
	for (slot = 1; slot <= played->phase_count; slot++)
		for (i = 0; i < count; i++)
			histogram_merge(&tally->labels[map[i]].measured,
					stats_phase_totals(stats, played, slot) + i);
	for (i = 0; i < STATS_EXTRAS; i++)
		histogram_merge(&tally->extras[i].times, &played->totals[stats->labels + i]);
	return 0;
}

static int take_labels(struct tally *tally, const struct taking *taking)
{
	int rc = 0;
	size_t i;

	if (taking->load != ALL_LOADS)
		return take_load(tally, taking, taking->load);
	for (i = 0; i < taking->plan->loads->count && rc == 0; i++)
		rc = take_load(tally, taking, i);
	return rc;
}

/* Take what each lane of a user has noted. */
static void take_lanes(struct tally *tally, const struct stats *stats, unsigned user)
{
	unsigned lane;
	size_t i;

	for (lane = 0; lane < stats->lanes; lane++) {
		const struct stats_user *own = stats_user(stats, stats_block(stats, user, lane));

		for (i = 0; i < STATS_EXTRAS; i++)
			stats_add_counter(&tally->extras[i].counter, &own->extras[i]);
		tally->due.count += own->due.count;
		tally->due.unfinished += own->due.unfinished;
		if (own->cut_short_ns > tally->cut_short_ns)
			tally->cut_short_ns = own->cut_short_ns;
	}
}

static int take_users(struct tally *tally, const struct taking *taking)
{
	const struct stats *stats = taking->stats;
	unsigned user;
	size_t i;

	tally->user_ops = calloc(stats->users, sizeof(*tally->user_ops));
	if (tally->user_ops == NULL)
		return -ENOMEM;
	for (user = 0; user < stats->users; user++) {
		const struct stats_user *own = stats_user(stats, user);
		uint64_t *ops = &tally->user_ops[tally->users];

		if (!is_taken(taking, user))
			continue;
		if (tally->users++ == 0)
			tally->first_user = taking->plan->first_user + user;
		for (i = 0; i < stats->labels; i++) {
			struct stats_counter sum = {0};

			stats_add_measured(&sum, stats, user, i);
			*ops += sum.count;
		}
		tally->loops_ended += own->loops_ended;
		stats_add_cost(&tally->cost, &own->cost);
		tally->restore_ns += own->restore_ns;
		take_lanes(tally, stats, user);
		if (own->late_ns > tally->late_ns)
			tally->late_ns = own->late_ns;
	}
	return 0;
}

/*
 * Return how long a user was measured: as long as its load. With whole loops, it
 * is only measured until it stops playing, while others may take much longer.
 */
static uint64_t user_window_ns(const struct tally *tally, const struct workers_plan *plan,
			       const struct stats_user *own, uint64_t start_ns)
{
	const struct tally *load = tally->load_count > 0 ? &tally->loads[own->load] : tally;
	uint64_t end_ns = own->finish_ns;

	if (load->phase_count > 0 || !phases_in_loops(&plan->phases) || end_ns < start_ns ||
	    end_ns - start_ns > load->window_ns)
		return load->window_ns;
	return end_ns - start_ns;
}

/* Take the counters of one user. take_labels has added all labels. */
static void take_user(struct tally *tally, const struct workers_plan *plan,
		      const struct stats *stats, unsigned user)
{
	const struct program *program = workers_load_of(plan, user)->program;
	struct stats_counter *own = tally->each.counters + user * tally->label_count;
	size_t map[PROGRAM_LABELS_MAX], i;

	map_labels(tally, program, map);
	for (i = 0; i < program->label_count; i++) {
		struct stats_counter all[STATS_STAGES] = {0};

		take_counters(all, stats, user, i);
		own[map[i]] = all[STATS_MEASURED];
		tally->each.list[user].ops += all[STATS_UNCOUNTED].count +
					      all[STATS_MEASURED].count;
	}
}

static int take_each(struct tally *tally, const struct workers_plan *plan,
		     const struct stats *stats, uint64_t start_ns)
{
	struct tally_users *each = &tally->each;
	unsigned user, lane;

	each->list = calloc(stats->users, sizeof(*each->list));
	each->counters = calloc(stats->users * tally->label_count, sizeof(*each->counters));
	if (each->list == NULL || each->counters == NULL)
		return -ENOMEM;
	for (user = 0; user < stats->users; user++) {
		const struct stats_user *own = stats_user(stats, user);

		each->list[user] = (struct tally_user){
			.load = own->load,
			.window_ns = user_window_ns(tally, plan, own, start_ns),
			.loops_ended = own->loops_ended,
			.cost = own->cost,
		};
		for (lane = 0; lane < stats->lanes; lane++)
			stats_add_counter(&each->list[user].unfinished,
					  &stats_user(stats, stats_block(stats, user, lane))
						   ->extras[STATS_UNFINISHED]);
		take_user(tally, plan, stats, user);
	}
	return 0;
}

/* Return the number of a user's loops that are still in its ring. */
static uint64_t kept_loops(const struct stats *stats, unsigned user)
{
	uint64_t logged = stats_user(stats, user)->loops_logged;

	return logged < stats->loops_kept ? logged : stats->loops_kept;
}

static int take_loops(struct tally *tally, const struct stats *stats)
{
	struct tally_users *each = &tally->each;
	uint64_t all = 0, i;
	unsigned user;

	for (user = 0; user < stats->users; user++)
		all += kept_loops(stats, user);
	each->loops = calloc(all + 1, sizeof(*each->loops));
	if (each->loops == NULL)
		return -ENOMEM;
	for (user = 0; user < stats->users; user++) {
		const struct stats_loop *ring = stats_loops(stats, user);
		uint64_t end = stats_user(stats, user)->loops_logged;

		for (i = end - kept_loops(stats, user); i < end; i++) {
			const struct stats_loop *loop = &ring[i % stats->loops_kept];

			each->loops[each->loop_count++] = (struct tally_loop){
				.user = tally->first_user + user,
				.took_ms = loop->took_ms,
				.at_ms = loop->at_ms,
			};
		}
	}
	return 0;
}

static int take_seconds(struct tally *tally, const struct seconds *seconds)
{
	tally->seconds = calloc(seconds->count + 1, sizeof(*tally->seconds));
	if (tally->seconds == NULL)
		return -ENOMEM;
	if (seconds->count > 0)
		memcpy(tally->seconds, seconds->list, seconds->count * sizeof(*tally->seconds));
	tally->second_count = seconds->count;
	tally->silent_s = seconds->silent;
	return 0;
}

static void take_end(struct tally *tally, const struct workers_plan *plan,
		     const struct stats *stats, const struct workers_report *report)
{
	const struct stats_failure *failure = &stats->run->failure;

	tally->interrupted = report->interrupted;
	tally->died_user = report->died_user;
	tally->died_signal = report->died_signal;
	tally->died_status = report->died_status;
	tally->stuck = report->stuck;
	tally->stood_still_ns = report->stood_still_ns;
	memcpy(tally->deadlock, report->deadlock, sizeof(tally->deadlock));
	if (stats->run->failure_complete != 0)
		failure_describe(workers_load_of(plan, failure->user - plan->first_user)->program,
				 failure, plan->workdir == NULL, tally->failure);
	if (tally->failure[0] != '\0' && plan->mismatches_allowed > 0 &&
	    stats->run->mismatches > plan->mismatches_allowed) {
		size_t length = strlen(tally->failure);

		snprintf(tally->failure + length, sizeof(tally->failure) - length,
			 " (--max-errors allows %" PRIu64
			 " %s, and counts those before the measured "
			 "time, too)",
			 plan->mismatches_allowed,
			 plan->mismatches_allowed > 1 ? "mismatches" : "mismatch");
	}
}

/*
 * Return the end of the window of these users. With whole loops, a load ends
 * with the last of its own users: the others may take much longer.
 */
static uint64_t end_of(const struct taking *taking, const struct workers_report *report)
{
	const struct stats *stats = taking->stats;
	uint64_t end_ns = report->start_ns;
	unsigned user;

	if (taking->load == ALL_LOADS || !phases_in_loops(&taking->plan->phases))
		return report->end_ns;
	for (user = 0; user < stats->users; user++) {
		uint64_t finish_ns = stats_user(stats, user)->finish_ns;

		if (is_taken(taking, user) && finish_ns > end_ns)
			end_ns = finish_ns;
	}
	return end_ns < report->end_ns ? end_ns : report->end_ns;
}

/* Take what can be summed up over all users or over the users of one load. */
static int take_sums(struct tally *tally, const struct taking *taking,
		     const struct workers_report *report)
{
	uint64_t end_ns = end_of(taking, report);
	int rc;

	*tally = (struct tally){.died_user = -1};
	if (end_ns > report->start_ns)
		tally->window_ns = end_ns - report->start_ns;
	rc = take_labels(tally, taking);
	return rc == 0 ? take_users(tally, taking) : rc;
}

/* The phase that is being taken. */
struct taken {
	const struct stats *stats;
	size_t load;   /* index of its load */
	unsigned slot; /* see struct stats_load */
};

/* Take the resources and operations of one user of the load. `labels` is the
 * number of labels of the load. */
static void take_phase_user(struct tally *sums, const struct taken *taken, unsigned user,
			    size_t labels)
{
	struct stats_counter sum = {0};
	size_t i;

	stats_add_cost(&sums->cost, &stats_laps(taken->stats, user)[taken->slot].cost);
	for (i = 0; i < labels; i++)
		stats_add_set(&sum, taken->stats, user, stats_set(taken->slot), i);
	sums->user_ops[sums->users++] = sum.count;
}

/* Take the sums of label number `index` of the load. */
static int take_phase_label(struct tally *sums, const struct taken *taken, size_t index,
			    const struct tally_label *of_load)
{
	const struct stats *stats = taken->stats;
	const struct stats_load *load = &stats->list[taken->load];
	struct stats_counter sum = {0};
	struct tally_label *label;
	unsigned user;

	for (user = 0; user < stats->users; user++)
		if (stats_load_of(stats, user) == load)
			stats_add_set(&sum, stats, user, stats_set(taken->slot), index);
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
static int take_phase(struct tally *tally, const struct taken *taken,
		      const struct program_phase *played)
{
	const struct stats *stats = taken->stats;
	const struct stats_load *load = &stats->list[taken->load];
	const struct stats_load_phase *times = &load->phases[taken->slot];
	struct tally_phase *phase = tally_add_phase(tally, played->name);
	const struct tally_label *label;
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
			take_phase_user(sums, taken, user, tally->label_count);
	for (i = 0; i < tally->label_count && rc == 0; i++) {
		rc = take_phase_label(sums, taken, i, &tally->labels[i]);
		label = tally_label(sums, tally->labels[i].name);
		if (played->counts[i] && label != NULL)
			phase->items += label->counters[STATS_MEASURED].count;
	}
	return rc;
}

/*
 * Take the phases of load number `load` into the tally of its users, which has
 * their number and all labels already. The window becomes the sum of the times
 * of the phases and of the time before the first one: while users wait for each
 * other, or restore their set-up, nothing is measured.
 */
static int take_phases(struct tally *tally, const struct program *program,
		       const struct stats *stats, size_t load)
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
		rc = take_phase(tally, &taken, &program->phases[taken.slot - 1]);
	}
	return rc;
}

/* Take the tallies of each load, if there are several, and their phases. */
static int take_loads(struct tally *tally, const struct workers_plan *plan,
		      const struct stats *stats, const struct workers_report *report)
{
	size_t count = plan->loads->count;
	int rc = 0;

	if (count == 1)
		return take_phases(tally, plan->loads->list[0].program, stats, 0);
	tally->loads = calloc(count, sizeof(*tally->loads));
	if (tally->loads == NULL)
		return -ENOMEM;
	while (tally->load_count < count && rc == 0) {
		size_t load = tally->load_count++;
		const struct taking taking = {plan, stats, load};

		rc = take_sums(&tally->loads[load], &taking, report);
		if (rc == 0)
			rc = take_phases(&tally->loads[load], plan->loads->list[load].program,
					 stats, load);
	}
	return rc;
}

int tally_take(struct tally *tally, const struct workers_plan *plan, const struct stats *stats,
	       const struct workers_report *report)
{
	const struct taking all = {plan, stats, ALL_LOADS};
	int rc = take_sums(tally, &all, report);

	take_end(tally, plan, stats, report);
	if (rc == 0)
		rc = take_loads(tally, plan, stats, report);
	if (rc == 0)
		rc = take_seconds(tally, &report->seconds);
	if (rc == 0 && plan->each_user)
		rc = take_each(tally, plan, stats, report->start_ns);
	if (rc == 0 && plan->verification != NULL)
		rc = verification_take(plan->verification, plan, &tally->verified);
	return rc == 0 ? take_loops(tally, stats) : rc;
}
