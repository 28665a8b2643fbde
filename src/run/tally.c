/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/tally.h"

#include "base/array.h"
#include "run/tally_phases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct tally_label *tally_label(const struct tally *tally, const char *name)
{
	size_t i;

	for (i = 0; i < tally->label_count; i++)
		if (strcmp(tally->labels[i].name, name) == 0)
			return &tally->labels[i];
	return NULL;
}

struct tally_label *tally_add_label(struct tally *tally, const char *name)
{
	struct tally_label *labels = reallocarray(tally->labels, tally->label_count + 1,
						  sizeof(*labels));
	struct tally_label *label;

	if (labels == NULL)
		return NULL;
	tally->labels = labels;
	label = &labels[tally->label_count];
	memset(label, 0, sizeof(*label));
	label->name = strdup(name);
	if (label->name == NULL)
		return NULL;
	tally->label_count++;
	return label;
}

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
static void take_counters(struct stats_counter counters[STATS_PHASES], const struct stats *stats,
			  unsigned user, size_t label)
{
	stats_add_counter(&counters[STATS_UNCOUNTED],
			  stats_counters(stats, user, STATS_UNCOUNTED) + label);
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
		for (i = 0; i < STATS_EXTRAS; i++)
			stats_add_counter(&tally->extras[i].counter, &own->extras[i]);
		tally->due.count += own->due.count;
		tally->due.unfinished += own->due.unfinished;
		stats_add_cost(&tally->cost, &own->cost);
		tally->restore_ns += own->restore_ns;
		if (own->cut_short_ns > tally->cut_short_ns)
			tally->cut_short_ns = own->cut_short_ns;
	}
	return 0;
}

static int take_each(struct tally *tally, const struct workers_plan *plan,
		     const struct stats *stats)
{
	struct tally_users *each = &tally->each;
	size_t map[PROGRAM_LABELS_MAX], i;
	unsigned user;

	each->ops = calloc(stats->users, sizeof(*each->ops));
	each->counters = calloc(stats->users * tally->label_count, sizeof(*each->counters));
	if (each->ops == NULL || each->counters == NULL)
		return -ENOMEM;
	for (user = 0; user < stats->users; user++) {
		const struct program *program = workers_load_of(plan, user)->program;
		struct stats_counter *own = each->counters + user * tally->label_count;

		/* take_labels has added all labels. */
		map_labels(tally, program, map);
		for (i = 0; i < program->label_count; i++) {
			struct stats_counter all[STATS_PHASES] = {0};

			take_counters(all, stats, user, i);
			own[map[i]] = all[STATS_MEASURED];
			each->ops[user] += all[STATS_UNCOUNTED].count + all[STATS_MEASURED].count;
		}
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
				 failure, tally->failure);
}

/*
 * Return the end of the window of these users. With --loops, a load ends with
 * the last of its own users: the others may take much longer.
 */
static uint64_t end_of(const struct taking *taking, const struct workers_report *report)
{
	const struct stats *stats = taking->stats;
	uint64_t end_ns = report->start_ns;
	unsigned user;

	if (taking->load == ALL_LOADS || taking->plan->phases.loops == 0)
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
	if (end_ns > report->start_ns) {
		tally->begin_ns = clock_wall_ns(report->start_ns);
		tally->window_ns = end_ns - report->start_ns;
	}
	rc = take_labels(tally, taking);
	return rc == 0 ? take_users(tally, taking) : rc;
}

/* Take the tallies of each load, if there are several, and their phases. */
static int take_loads(struct tally *tally, const struct workers_plan *plan,
		      const struct stats *stats, const struct workers_report *report)
{
	size_t count = plan->loads->count;
	int rc = 0;

	if (count == 1)
		return tally_take_phases(tally, plan->loads->list[0].program, stats, 0);
	tally->loads = calloc(count, sizeof(*tally->loads));
	if (tally->loads == NULL)
		return -ENOMEM;
	while (tally->load_count < count && rc == 0) {
		size_t load = tally->load_count++;
		const struct taking taking = {plan, stats, load};

		rc = take_sums(&tally->loads[load], &taking, report);
		if (rc == 0)
			rc = tally_take_phases(&tally->loads[load], plan->loads->list[load].program,
					       stats, load);
	}
	return rc;
}

int tally_take(struct tally *tally, const struct workers_plan *plan, const struct stats *stats,
	       const struct workers_report *report, bool each_user)
{
	const struct taking all = {plan, stats, ALL_LOADS};
	int rc = take_sums(tally, &all, report);

	take_end(tally, plan, stats, report);
	if (rc == 0)
		rc = take_loads(tally, plan, stats, report);
	if (rc == 0)
		rc = take_seconds(tally, &report->seconds);
	if (rc == 0 && each_user)
		rc = take_each(tally, plan, stats);
	if (rc == 0 && plan->verification != NULL)
		rc = verification_take(plan->verification, &tally->verified);
	return rc == 0 ? take_loops(tally, stats) : rc;
}

static int add_labels(struct tally *into, const struct tally *other)
{
	unsigned phase;
	size_t i;

	for (i = 0; i < other->label_count; i++) {
		const struct tally_label *from = &other->labels[i];
		struct tally_label *label = tally_label(into, from->name);

		if (label == NULL)
			label = tally_add_label(into, from->name);
		if (label == NULL)
			return -ENOMEM;
		label->direction |= from->direction;
		for (phase = 0; phase < STATS_PHASES; phase++)
			stats_add_counter(&label->counters[phase], &from->counters[phase]);
		histogram_merge(&label->measured, &from->measured);
	}
	return 0;
}

static int add_users(struct tally *into, const struct tally *other)
{
	size_t users = (size_t)into->users + other->users;
	uint64_t *user_ops = reallocarray(into->user_ops, users, sizeof(*user_ops));

	if (user_ops == NULL)
		return -ENOMEM;
	memcpy(user_ops + into->users, other->user_ops, other->users * sizeof(*user_ops));
	into->user_ops = user_ops;
	into->users = (unsigned)users;
	if (other->first_user < into->first_user)
		into->first_user = other->first_user;
	return 0;
}

/*
 * Return the number of bytes that had been moved `at_ns` after the window
 * began, assuming an even rate within each second. Set *p99_ns to the p99 of
 * the second that contains this time, or to 0 if the time is after the last
 * second.
 */
static uint64_t bytes_until(const struct tally *tally, uint64_t at_ns, uint64_t *p99_ns)
{
	uint64_t bytes = 0, from_ns = 0;
	size_t i;

	*p99_ns = 0;
	for (i = 0; i < tally->second_count; i++) {
		const struct second *second = &tally->seconds[i];

		if (at_ns < second->end_ns) {
			*p99_ns = second->p99_ns;
			return bytes +
			       (uint64_t)((double)second->bytes * (double)(at_ns - from_ns) /
					  (double)(second->end_ns - from_ns));
		}
		bytes += second->bytes;
		from_ns = second->end_ns;
	}
	return bytes;
}

/*
 * Add the seconds of `other`. Machines sample at different times, so keep the
 * end times of the seconds in `into`, and distribute the bytes of `other` over
 * these seconds.
 */
static int add_seconds(struct tally *into, const struct tally *other)
{
	uint64_t before = 0, from_ns = 0, p99_ns;
	size_t i;

	if (into->second_count == 0 && other->second_count > 0) {
		free(into->seconds);
		into->seconds = calloc(other->second_count, sizeof(*into->seconds));
		if (into->seconds == NULL)
			return -ENOMEM;
		memcpy(into->seconds, other->seconds, other->second_count * sizeof(*into->seconds));
		into->second_count = other->second_count;
		return 0;
	}
	for (i = 0; i < into->second_count; i++) {
		struct second *second = &into->seconds[i];
		bool last = i + 1 == into->second_count;
		uint64_t until = bytes_until(other, last ? CLOCK_NEVER : second->end_ns, &p99_ns);

		second->bytes += until - before;
		before = until;
		bytes_until(other, from_ns + (second->end_ns - from_ns) / 2, &p99_ns);
		if (p99_ns > second->p99_ns)
			second->p99_ns = p99_ns;
		from_ns = second->end_ns;
	}
	return 0;
}

/* Add the tallies of each load. An empty tally, without users, gets copies. */
static int add_loads(struct tally *into, const struct tally *other)
{
	size_t count = other->load_count, i;
	int rc = 0;

	if (into->users == 0 && into->load_count == 0 && count > 0) {
		into->loads = calloc(count, sizeof(*into->loads));
		if (into->loads == NULL)
			return -ENOMEM;
		into->load_count = count;
		for (i = 0; i < count; i++)
			into->loads[i] = (struct tally){
				.first_user = UINT32_MAX,
				.died_user = -1,
			};
	}
	for (i = 0; i < into->load_count && i < count && rc == 0; i++)
		rc = tally_add(&into->loads[i], &other->loads[i]);
	return rc;
}

static uint64_t larger(uint64_t one, uint64_t other)
{
	return one > other ? one : other;
}

static void add_end(struct tally *into, const struct tally *other)
{
	if (into->interrupted == 0)
		into->interrupted = other->interrupted;
	if (into->died_user < 0) {
		into->died_user = other->died_user;
		into->died_signal = other->died_signal;
		into->died_status = other->died_status;
	}
	into->stuck |= other->stuck;
	if (into->deadlock[0] == '\0')
		memcpy(into->deadlock, other->deadlock, sizeof(into->deadlock));
	if (into->failure[0] == '\0')
		memcpy(into->failure, other->failure, sizeof(into->failure));
}

int tally_add(struct tally *into, const struct tally *other)
{
	int rc = add_labels(into, other);
	size_t i;

	if (rc == 0)
		rc = add_loads(into, other);
	if (rc == 0)
		rc = add_users(into, other);
	if (rc == 0)
		rc = add_seconds(into, other);
	if (rc == 0)
		rc = tally_merge_phases(into, other);
	into->loops_ended += other->loops_ended;
	for (i = 0; i < STATS_EXTRAS; i++) {
		stats_add_counter(&into->extras[i].counter, &other->extras[i].counter);
		histogram_merge(&into->extras[i].times, &other->extras[i].times);
	}
	into->due.count += other->due.count;
	into->due.unfinished += other->due.unfinished;
	stats_add_cost(&into->cost, &other->cost);
	verification_add(&into->verified, &other->verified);
	into->restore_ns += other->restore_ns;
	into->cut_short_ns = larger(into->cut_short_ns, other->cut_short_ns);
	if (other->window_ns > 0 && (into->window_ns == 0 || other->begin_ns < into->begin_ns))
		into->begin_ns = other->begin_ns;
	into->window_ns = larger(into->window_ns, other->window_ns);
	into->silent_s = larger(into->silent_s, other->silent_s);
	into->stood_still_ns = larger(into->stood_still_ns, other->stood_still_ns);
	add_end(into, other);
	return rc;
}

void tally_free(struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->load_count; i++)
		tally_free(&tally->loads[i]);
	for (i = 0; i < tally->label_count; i++)
		free(tally->labels[i].name);
	free(tally->loads);
	tally_free_phases(tally);
	free(tally->labels);
	free(tally->user_ops);
	free(tally->seconds);
	free(tally->verified.differences);
	free(tally->each.ops);
	free(tally->each.counters);
	free(tally->each.loops);
	*tally = (struct tally){.died_user = -1};
}
