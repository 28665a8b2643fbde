/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/collect.h"

#include "result/warning.h"
#include "result/failure.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* p99.9 of fewer samples than this is one sample's value. */
enum { SAMPLES_P90 = 10, SAMPLES_P95 = 20, SAMPLES_P99 = 100,
       SAMPLES_P99_9 = 10000 };

/* An operation has kept its user when it took this long, and so many times as
 * long as those of its name take on average. */
#define HELD_UP_NS 1e9
#define UNUSUAL 4

static uint64_t percentile(const struct histogram_total *histogram,
			   const struct stats_counter *counter,
			   double quantile, uint64_t samples)
{
	if (counter->count < samples)
		return 0;
	return histogram_quantile(histogram, quantile, counter->min_ns,
				  counter->max_ns);
}

static struct result_latency
latency_of(const struct histogram_total *histogram,
	   const struct stats_counter *counter)
{
	struct result_latency latency = {.count = counter->count};

	if (counter->count == 0)
		return latency;
	latency.mean_ns = (double)counter->sum_ns / (double)counter->count;
	latency.max_ns = counter->max_ns;
	latency.p50_ns = percentile(histogram, counter, 0.5, 1);
	latency.p90_ns = percentile(histogram, counter, 0.9, SAMPLES_P90);
	latency.p95_ns = percentile(histogram, counter, 0.95, SAMPLES_P95);
	latency.p99_ns = percentile(histogram, counter, 0.99, SAMPLES_P99);
	latency.p99_9_ns = percentile(histogram, counter, 0.999,
				      SAMPLES_P99_9);
	return latency;
}

static struct result_operation operation_of(const char *label,
					    const struct stats_counter *sum)
{
	return (struct result_operation){
		.name = strdup(label),
		.count = sum->count,
		.bytes = sum->bytes,
		.errors = sum->errors,
		.mismatches = sum->mismatches,
		.sum_ns = sum->sum_ns,
	};
}

static void collect_operation(const struct workers_plan *plan,
			      const struct stats *stats, size_t label,
			      struct result_operation *operation)
{
	struct stats_counter sum = {0};
	unsigned user;

	for (user = 0; user < stats->users; user++)
		stats_add_counter(&sum, stats_counters(stats, user,
						       STATS_MEASURED) +
						label);
	*operation = operation_of(plan->program->labels[label], &sum);
	operation->latency = latency_of(&stats->totals[label], &sum);
}

/* All labels, and all of them together. */
static void collect_operations(const struct workers_plan *plan,
			       const struct stats *stats,
			       struct result_figures *figures)
{
	struct histogram_total *all = calloc(1, sizeof(*all));
	struct stats_counter sum = {0};
	unsigned user;
	size_t label;

	figures->operations = calloc(stats->labels, sizeof(*figures->operations));
	if (all == NULL || figures->operations == NULL) {
		free(all);
		return;
	}
	for (label = 0; label < stats->labels; label++) {
		struct result_operation *operation =
			&figures->operations[figures->operation_count];

		collect_operation(plan, stats, label, operation);
		if (operation->count > 0)
			figures->operation_count++;
		else
			free(operation->name);
		histogram_merge(all, &stats->totals[label]);
		for (user = 0; user < stats->users; user++)
			stats_add_counter(&sum,
					  stats_counters(stats, user,
							 STATS_MEASURED) +
						  label);
	}
	figures->ops = sum.count;
	figures->bytes = sum.bytes;
	figures->errors = sum.errors;
	figures->mismatches = sum.mismatches;
	figures->skipped = sum.skipped;
	figures->latency = latency_of(all, &sum);
	free(all);
}

static int by_count(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

static uint64_t ops_of(const struct stats *stats, unsigned user)
{
	uint64_t ops = 0;
	size_t label;

	for (label = 0; label < stats->labels; label++)
		ops += stats_counters(stats, user,
				      STATS_MEASURED)[label].count;
	return ops;
}

/* Who was fastest, who slowest, who in the middle. */
static void collect_progress(const struct stats *stats,
			     struct result_figures *figures)
{
	uint64_t *ops = calloc(stats->users, sizeof(*ops));
	unsigned user;

	if (ops == NULL)
		return;
	for (user = 0; user < stats->users; user++)
		ops[user] = ops_of(stats, user);
	qsort(ops, stats->users, sizeof(*ops), by_count);
	figures->min_user_ops = ops[0];
	figures->median_user_ops = ops[(stats->users - 1) / 2];
	figures->max_user_ops = ops[stats->users - 1];
	free(ops);
}

/* Sums over the users. */
static void collect_users(const struct stats *stats,
			  struct result_figures *figures)
{
	struct result_cpu *cpu = &figures->client_cpu;
	struct stats_counter loops = {0};
	uint64_t late_ns = 0;
	unsigned user;

	for (user = 0; user < stats->users; user++) {
		const struct stats_user *own = stats_user(stats, user);

		figures->loops += own->loops_ended;
		stats_add_counter(&loops, &own->loops);
		cpu->user_s += (double)own->cost.user_ns / 1e9;
		cpu->system_s += (double)own->cost.system_ns / 1e9;
		cpu->waits += own->cost.waits;
		cpu->preemptions += own->cost.preemptions;
		late_ns += own->late_sum_ns;
	}
	figures->loop = latency_of(&stats->totals[stats->labels], &loops);
	if (figures->ops > 0)
		figures->late_ms = (double)late_ns / 1e6 / (double)figures->ops;
}

/*
 * Find the operation that kept its user longest. One that lasts as long as its
 * like do has kept nobody: a load may be made of long ones.
 */
static void collect_held_up(const struct stats *stats,
			    struct result_figures *figures)
{
	double usual_ns = 0, held_ns = 0;
	unsigned user;
	size_t i;

	for (i = 0; i < figures->operation_count; i++) {
		const struct result_latency *latency =
			&figures->operations[i].latency;
		double max_ns = (double)latency->max_ns;

		usual_ns = fmax(usual_ns, UNUSUAL * latency->mean_ns);
		if (max_ns > UNUSUAL * latency->mean_ns)
			held_ns = fmax(held_ns, max_ns);
	}
	/* Nobody knows which operation it was that the stop cut short. */
	for (user = 0; user < stats->users; user++) {
		double cut_ns = (double)stats_user(stats, user)->cut_short_ns;

		if (cut_ns > usual_ns)
			held_ns = fmax(held_ns, cut_ns);
	}
	if (held_ns >= HELD_UP_NS)
		figures->held_up_s = held_ns / 1e9;
}

/* What one user did; its histograms are part of all users' only. */
static void collect_user(const struct workers_plan *plan,
			 const struct stats *stats, unsigned number,
			 struct result_user *user)
{
	const struct stats_counter *measured =
		stats_counters(stats, number, STATS_MEASURED);
	const struct stats_counter *uncounted =
		stats_counters(stats, number, STATS_UNCOUNTED);
	size_t label;

	user->operations = calloc(stats->labels, sizeof(*user->operations));
	if (user->operations == NULL)
		return;
	for (label = 0; label < stats->labels; label++) {
		const struct stats_counter *sum = &measured[label];
		struct result_operation *operation;

		user->ops += sum->count + uncounted[label].count;
		user->bytes += sum->bytes;
		if (sum->count == 0)
			continue;
		operation = &user->operations[user->operation_count++];
		*operation = operation_of(plan->program->labels[label], sum);
		operation->latency.count = sum->count;
		operation->latency.mean_ns = (double)sum->sum_ns /
					     (double)sum->count;
		operation->latency.max_ns = sum->max_ns;
	}
}

void collect_users_of(const struct workers_plan *plan,
		      const struct stats *stats, struct result_repeat *repeat)
{
	unsigned user;

	repeat->each_user = calloc(stats->users, sizeof(*repeat->each_user));
	if (repeat->each_user == NULL)
		return;
	repeat->each_user_count = stats->users;
	for (user = 0; user < stats->users; user++)
		collect_user(plan, stats, user, &repeat->each_user[user]);
}

/* How many of a user's loops are still known. */
static uint64_t known_loops(const struct stats *stats, unsigned user)
{
	uint64_t logged = stats_user(stats, user)->loops_logged;

	return logged < stats->loops_kept ? logged : stats->loops_kept;
}

static void collect_loops(const struct stats *stats,
			  struct result_repeat *repeat)
{
	uint64_t all = 0, i;
	unsigned user;

	for (user = 0; user < stats->users; user++)
		all += known_loops(stats, user);
	repeat->each_loop = calloc(all + 1, sizeof(*repeat->each_loop));
	for (user = 0; user < stats->users && repeat->each_loop != NULL;
	     user++) {
		const struct stats_loop *ring = stats_loops(stats, user);
		uint64_t end = stats_user(stats, user)->loops_logged;

		for (i = end - known_loops(stats, user); i < end; i++)
			repeat->each_loop[repeat->each_loop_count++] =
				(struct result_loop){
					.user = user,
					.took_ms = ring[i % stats->loops_kept]
							   .took_ms,
					.at_ms = ring[i % stats->loops_kept]
							 .at_ms,
				};
	}
}

static void collect_seconds(const struct seconds *seconds,
			    struct result_repeat *repeat)
{
	uint64_t from_ns = 0;
	size_t i;

	repeat->per_second = calloc(seconds->count + 1,
				    sizeof(*repeat->per_second));
	if (repeat->per_second == NULL)
		return;
	repeat->second_count = seconds->count;
	for (i = 0; i < seconds->count; i++) {
		const struct second *second = &seconds->list[i];

		/* Bytes a nanosecond are GB a second. */
		repeat->per_second[i] = (struct result_second){
			.at_s = (double)second->end_ns / 1e9,
			.mb_per_s = 1e3 * (double)second->bytes /
				    (double)(second->end_ns - from_ns),
			.p99_ns = second->p99_ns,
		};
		from_ns = second->end_ns;
	}
}

static void collect_invalid(const struct workers_plan *plan,
			    const struct stats *stats,
			    const struct workers_report *report,
			    struct result_repeat *repeat)
{
	struct result_reasons *invalid = &repeat->invalid;
	char text[FAILURE_TEXT];

	if (stats->run->failure_told != 0)
		result_add_reason(invalid, "%s",
				  failure_describe(plan->program,
						   &stats->run->failure,
						   text));
	if (report->died_signal != 0)
		result_add_reason(invalid,
				  "user %d was killed by signal %d (%s)",
				  report->died_user, report->died_signal,
				  strsignal(report->died_signal));
	else if (report->died_user >= 0)
		result_add_reason(invalid, "user %d ended with status %d",
				  report->died_user, report->died_status);
	if (report->deadlock[0] != '\0')
		result_add_reason(invalid, "%s", report->deadlock);
	if (report->stuck)
		result_add_reason(invalid, "users did not end and were "
				  "killed");
	if (report->interrupted != 0)
		result_add_reason(invalid, "interrupted by SIG%s",
				  sigabbrev_np(report->interrupted));
	if (invalid->count == 0 && repeat->figures.ops == 0)
		result_add_reason(invalid, "no operation ended in the "
				  "measured time");
}

void collect_repeat(const struct result_run *run,
		    const struct workers_plan *plan, const struct stats *stats,
		    const struct workers_report *report,
		    struct result_repeat *repeat)
{
	struct result_figures *figures = &repeat->figures;
	struct result_cpu *cpu = &figures->client_cpu;

	if (report->end_ns > report->start_ns)
		figures->seconds =
			(double)(report->end_ns - report->start_ns) / 1e9;
	figures->stood_still_s = (double)report->stood_still_ns / 1e9;
	figures->silent_s = report->seconds.silent;
	collect_operations(plan, stats, figures);
	collect_held_up(stats, figures);
	collect_users(stats, figures);
	collect_progress(stats, figures);
	collect_loops(stats, repeat);
	collect_seconds(&report->seconds, repeat);
	if (figures->seconds > 0) {
		figures->mb_per_s =
			(double)figures->bytes / 1e6 / figures->seconds;
		figures->ops_per_s = (double)figures->ops / figures->seconds;
		cpu->utilisation = (cpu->user_s + cpu->system_s) /
				   (figures->seconds * run->cpus);
	}
	if (figures->ops > 0)
		cpu->per_op_us = 1e6 * (cpu->user_s + cpu->system_s) /
				 (double)figures->ops;
	collect_invalid(plan, stats, report, repeat);
	if (result_repeat_is_valid(repeat))
		warn_of_figures(run, plan->users, figures, &repeat->warnings);
}
