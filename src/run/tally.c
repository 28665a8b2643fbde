/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/tally.h"

#include "base/array.h"

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

static int add_labels(struct tally *into, const struct tally *other)
{
	unsigned stage;
	size_t i;

	for (i = 0; i < other->label_count; i++) {
		const struct tally_label *from = &other->labels[i];
		struct tally_label *label = tally_label(into, from->name);

		if (label == NULL)
			label = tally_add_label(into, from->name);
		if (label == NULL)
			return -ENOMEM;
		label->direction |= from->direction;
		for (stage = 0; stage < STATS_STAGES; stage++)
			stats_add_counter(&label->counters[stage], &from->counters[stage]);
		histogram_merge(&label->measured, &from->measured);
	}
	return 0;
}

static int add_users(struct tally *into, const struct tally *other)
{
	size_t users = (size_t)into->users + other->users;
	uint64_t *user_ops;

	/* A machine may have no user of a load. */
	if (other->users == 0)
		return 0;
	user_ops = reallocarray(into->user_ops, users, sizeof(*user_ops));
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

static struct tally_phase *find_phase(struct tally *tally, const char *name)
{
	size_t i;

	for (i = 0; i < tally->phase_count; i++)
		if (strcmp(tally->phases[i].name, name) == 0)
			return &tally->phases[i];
	return NULL;
}

/* Add the phases of `other` to those of the same names. */
static int add_phases(struct tally *into, const struct tally *other)
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
		}
		if (from->loops > 0 && (phase->loops == 0 || from->min_ns < phase->min_ns))
			phase->min_ns = from->min_ns;
		if (from->loops > phase->loops)
			phase->loops = from->loops;
		if (from->max_ns > phase->max_ns)
			phase->max_ns = from->max_ns;
		phase->items += from->items;
		rc = tally_add(&phase->sums, &from->sums);
	}
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
		rc = add_phases(into, other);
	if (rc == 0)
		rc = verification_add(&into->verified, &other->verified);
	into->loops_ended += other->loops_ended;
	for (i = 0; i < STATS_EXTRAS; i++) {
		stats_add_counter(&into->extras[i].counter, &other->extras[i].counter);
		histogram_merge(&into->extras[i].times, &other->extras[i].times);
	}
	into->due.count += other->due.count;
	into->due.unfinished += other->due.unfinished;
	stats_add_cost(&into->cost, &other->cost);
	into->restore_ns += other->restore_ns;
	into->cut_short_ns = larger(into->cut_short_ns, other->cut_short_ns);
	into->late_ns = larger(into->late_ns, other->late_ns);
	into->window_ns = larger(into->window_ns, other->window_ns);
	into->silent_s = larger(into->silent_s, other->silent_s);
	into->stood_still_ns = larger(into->stood_still_ns, other->stood_still_ns);
	add_end(into, other);
	return rc;
}

static void free_phases(struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->phase_count; i++) {
		free(tally->phases[i].name);
		tally_free(&tally->phases[i].sums);
	}
	free(tally->phases);
}

void tally_free(struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->load_count; i++)
		tally_free(&tally->loads[i]);
	for (i = 0; i < tally->label_count; i++)
		free(tally->labels[i].name);
	free(tally->loads);
	free_phases(tally);
	free(tally->labels);
	free(tally->user_ops);
	free(tally->seconds);
	free(tally->verified.differences);
	free(tally->hosts);
	free(tally->each.list);
	free(tally->each.counters);
	free(tally->each.loops);
	*tally = (struct tally){.died_user = -1};
}
