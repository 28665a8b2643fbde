/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/collect.h"

#include "base/units.h"
#include "result/warning.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* In results, 0 means that a time is unknown. A known time is at least this
 * long, as that of operations that begin exactly when they are due. */
#define SHORTEST_NS 1

/* An operation counts as having blocked its user if it took at least this long,
 * and also UNUSUAL times the mean of operations of the same name. */
#define HELD_UP_NS 1e9
#define UNUSUAL 4

static uint64_t percentile(const struct histogram_total *histogram,
			   const struct stats_counter *counter, double quantile, uint64_t samples)
{
	uint64_t quantile_ns;

	if (counter->count < samples)
		return 0;
	quantile_ns = histogram_quantile(histogram, quantile, counter->min_ns, counter->max_ns);
	return quantile_ns > 0 ? quantile_ns : SHORTEST_NS;
}

static struct result_latency latency_of(const struct histogram_total *histogram,
					const struct stats_counter *counter)
{
	struct result_latency latency = {.count = counter->count};

	if (counter->count == 0)
		return latency;
	latency.mean_ns = (double)counter->sum_ns / (double)counter->count;
	latency.max_ns = counter->max_ns > 0 ? counter->max_ns : SHORTEST_NS;
	latency.p50_ns = percentile(histogram, counter, 0.5, 1);
	latency.p90_ns = percentile(histogram, counter, 0.9, SAMPLES_P90);
	latency.p95_ns = percentile(histogram, counter, 0.95, SAMPLES_P95);
	latency.p99_ns = percentile(histogram, counter, 0.99, SAMPLES_P99);
	latency.p99_9_ns = percentile(histogram, counter, 0.999, SAMPLES_P99_9);
	return latency;
}

static struct result_operation operation_of(const char *label, const struct stats_counter *sum)
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

/* Collect the figures of each label and of all operations together. */
static void collect_operations(const struct tally *tally, struct result_figures *figures)
{
	struct histogram_total *all = calloc(1, sizeof(*all));
	const struct tally_extra *unfinished = &tally->extras[STATS_UNFINISHED];
	struct stats_counter sum = {0};
	size_t i;

	figures->operations = calloc(tally->label_count + 1, sizeof(*figures->operations));
	if (all == NULL || figures->operations == NULL) {
		free(all);
		return;
	}
	for (i = 0; i < tally->label_count; i++) {
		const struct tally_label *label = &tally->labels[i];
		const struct stats_counter *measured = &label->counters[STATS_MEASURED];
		struct result_operation *operation;

		stats_add_counter(&sum, measured);
		histogram_merge(all, &label->measured);
		if (measured->count == 0)
			continue;
		operation = &figures->operations[figures->operation_count++];
		*operation = operation_of(label->name, measured);
		operation->direction = label->direction;
		operation->latency = latency_of(&label->measured, measured);
	}
	figures->ops = sum.count;
	figures->bytes = sum.bytes;
	figures->errors = sum.errors;
	figures->mismatches = sum.mismatches;
	figures->skipped = sum.skipped;
	/* An operation that had not ended has waited, too. To count only those
	 * that ended would hide a backlog. */
	stats_add_counter(&sum, &unfinished->counter);
	histogram_merge(all, &unfinished->times);
	figures->latency = latency_of(all, &sum);
	free(all);
}

static int by_count(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* Collect the numbers of operations of the slowest, median and fastest user. */
static void collect_progress(const struct tally *tally, struct result_figures *figures)
{
	size_t bytes = tally->users * sizeof(*tally->user_ops);
	uint64_t *ops = malloc(bytes);

	if (ops == NULL || tally->users == 0) {
		free(ops);
		return;
	}
	memcpy(ops, tally->user_ops, bytes);
	qsort(ops, tally->users, sizeof(*ops), by_count);
	figures->min_user_ops = ops[0];
	figures->median_user_ops = ops[(tally->users - 1) / 2];
	figures->max_user_ops = ops[tally->users - 1];
	free(ops);
}

/* The figures that show durations of no label. */
static const struct extra_figures {
	enum stats_extra extra;
	size_t at; /* offset of the struct result_latency in the figures */
} extras[] = {
	{STATS_LOOP, offsetof(struct result_figures, loop)},
	{STATS_SERVICE, offsetof(struct result_figures, service)},
	{STATS_LATENESS, offsetof(struct result_figures, lateness)},
	{STATS_UNFINISHED, offsetof(struct result_figures, unfinished)},
};

static struct result_latency *latency_at(struct result_figures *figures,
					 const struct extra_figures *of)
{
	return (void *)((char *)figures + of->at);
}

static void collect_extras(const struct tally *tally, struct result_figures *figures)
{
	size_t i;

	for (i = 0; i < STATS_EXTRAS; i++) {
		const struct tally_extra *extra = &tally->extras[extras[i].extra];

		*latency_at(figures, &extras[i]) = latency_of(&extra->times, &extra->counter);
	}
	figures->due.count = tally->due.count;
	figures->due.ended = tally->due.count - tally->due.unfinished;
}

/* Collect the sums over all users: loops, CPU time and so on. */
static void collect_users(const struct tally *tally, struct result_figures *figures)
{
	struct result_cpu *cpu = &figures->client_cpu;

	figures->loops = tally->loops_ended;
	collect_extras(tally, figures);
	cpu->user_s = (double)tally->cost.user_ns / 1e9;
	cpu->system_s = (double)tally->cost.system_ns / 1e9;
	cpu->waits = tally->cost.waits;
	cpu->preemptions = tally->cost.preemptions;
}

/*
 * Find the operation that blocked its user longest. Ignore an operation that is
 * not unusually long for its name: some loads consist of long operations.
 */
static void collect_held_up(const struct tally *tally, struct result_figures *figures)
{
	/* The end of the point may have cut an operation short. As its name is
	 * unknown, report it only if it is unusually long for every name. */
	double cut_ns = (double)tally->cut_short_ns;
	double usual_ns = 0, held_ns = 0;
	const struct result_latency *service = &figures->service;
	size_t i;

	/* Response times include the wait for other operations. */
	if (service->count > 0) {
		usual_ns = UNUSUAL * service->mean_ns;
		if ((double)service->max_ns > usual_ns)
			held_ns = (double)service->max_ns;
	}
	for (i = 0; service->count == 0 && i < figures->operation_count; i++) {
		const struct result_latency *latency = &figures->operations[i].latency;
		double max_ns = (double)latency->max_ns;

		usual_ns = fmax(usual_ns, UNUSUAL * latency->mean_ns);
		if (max_ns > UNUSUAL * latency->mean_ns)
			held_ns = fmax(held_ns, max_ns);
	}
	if (cut_ns > usual_ns)
		held_ns = fmax(held_ns, cut_ns);
	if (held_ns >= HELD_UP_NS)
		figures->held_up_s = held_ns / 1e9;
}

/* Collect the figures of one user. They have no percentiles, as there are no
 * histograms of single users. */
static void collect_user(const struct tally *tally, unsigned number, struct result_user *user)
{
	const struct stats_counter *measured = &tally->each.counters[number * tally->label_count];
	size_t i;

	user->ops = tally->each.ops[number];
	user->operations = calloc(tally->label_count, sizeof(*user->operations));
	if (user->operations == NULL)
		return;
	for (i = 0; i < tally->label_count; i++) {
		const struct stats_counter *sum = &measured[i];
		struct result_operation *operation;

		user->bytes += sum->bytes;
		if (sum->count == 0)
			continue;
		operation = &user->operations[user->operation_count++];
		*operation = operation_of(tally->labels[i].name, sum);
		operation->latency.count = sum->count;
		operation->latency.mean_ns = (double)sum->sum_ns / (double)sum->count;
		operation->latency.max_ns = sum->max_ns;
	}
}

static void collect_each_user(const struct tally *tally, struct result_repeat *repeat)
{
	unsigned user;

	repeat->each_user = calloc(tally->users, sizeof(*repeat->each_user));
	if (repeat->each_user == NULL)
		return;
	repeat->each_user_count = tally->users;
	for (user = 0; user < tally->users; user++)
		collect_user(tally, user, &repeat->each_user[user]);
}

static void collect_loops(const struct tally *tally, struct result_repeat *repeat)
{
	size_t i;

	repeat->each_loop = calloc(tally->each.loop_count + 1, sizeof(*repeat->each_loop));
	if (repeat->each_loop == NULL)
		return;
	repeat->each_loop_count = tally->each.loop_count;
	for (i = 0; i < tally->each.loop_count; i++) {
		const struct tally_loop *loop = &tally->each.loops[i];

		repeat->each_loop[i] = (struct result_loop){
			.user = loop->user,
			.took_ms = loop->took_ms,
			.at_ms = loop->at_ms,
		};
	}
}

static void collect_seconds(const struct tally *tally, struct result_repeat *repeat)
{
	uint64_t from_ns = 0;
	size_t i;

	repeat->per_second = calloc(tally->second_count + 1, sizeof(*repeat->per_second));
	if (repeat->per_second == NULL)
		return;
	repeat->second_count = tally->second_count;
	for (i = 0; i < tally->second_count; i++) {
		const struct second *second = &tally->seconds[i];

		/* Bytes per ns are GB per second; MB per second are needed. */
		repeat->per_second[i] = (struct result_second){
			.at_s = (double)second->end_ns / 1e9,
			.mb_per_s = 1e3 * (double)second->bytes /
				    (double)(second->end_ns - from_ns),
			.p99_ns = second->p99_ns,
		};
		from_ns = second->end_ns;
	}
}

void collect_invalid(const struct tally *tally, struct result_repeat *repeat)
{
	struct notices *invalid = &repeat->invalid;

	if (tally->failure[0] != '\0')
		NOTICE_ADD(invalid, NOTICE_OPERATION_FAILED, .detail = tally->failure);
	if (tally->died_signal != 0)
		NOTICE_ADD(invalid, NOTICE_USER_KILLED,
			   .numbers = {tally->died_user, tally->died_signal},
			   .detail = strsignal(tally->died_signal));
	else if (tally->died_user >= 0)
		NOTICE_ADD(invalid, NOTICE_USER_EXITED,
			   .numbers = {tally->died_user, tally->died_status});
	if (tally->deadlock[0] != '\0')
		NOTICE_ADD(invalid, NOTICE_DEADLOCK, .detail = tally->deadlock);
	if (tally->stuck)
		NOTICE_ADD(invalid, NOTICE_STUCK);
	if (tally->interrupted != 0)
		NOTICE_ADD(invalid, NOTICE_INTERRUPTED, .detail = sigabbrev_np(tally->interrupted));
	if (invalid->count == 0 && repeat->figures.ops == 0)
		NOTICE_ADD(invalid, NOTICE_NO_OPERATION);
}

/* Return a copy of the histogram without empty cells; NULL if nothing is
 * counted or memory is short. */
static struct result_histogram *histogram_of(const struct histogram_total *total,
					     const struct stats_counter *counter)
{
	struct result_histogram *histogram = malloc(sizeof(*histogram));
	struct result_cell *cells;
	size_t filled = 0;
	unsigned cell;

	for (cell = 0; cell < HISTOGRAM_CELLS; cell++)
		filled += total->cells[cell] > 0;
	cells = calloc(filled + 1, sizeof(*cells));
	if (histogram == NULL || cells == NULL || counter->count == 0) {
		free(histogram);
		free(cells);
		return NULL;
	}
	*histogram = (struct result_histogram){
		.min_ns = counter->min_ns,
		.max_ns = counter->max_ns,
		.longer = total->overflow,
		.cells = cells,
	};
	for (cell = 0; cell < HISTOGRAM_CELLS; cell++)
		if (total->cells[cell] > 0)
			histogram->cells[histogram->cell_count++] = (struct result_cell){
				.from_ns = histogram_from_ns(cell),
				.count = total->cells[cell],
			};
	return histogram;
}

/* Add the histograms to figures that collect_figures has filled in. */
static void add_histograms(const struct tally *tally, struct result_figures *figures)
{
	struct histogram_total *all = calloc(1, sizeof(*all));
	const struct tally_extra *unfinished = &tally->extras[STATS_UNFINISHED];
	struct stats_counter sum = {0};
	size_t i, at = 0;

	for (i = 0; i < STATS_EXTRAS; i++) {
		const struct tally_extra *extra = &tally->extras[extras[i].extra];

		latency_at(figures, &extras[i])->histogram = histogram_of(&extra->times,
									  &extra->counter);
	}
	figures->user_ops = malloc(tally->users * sizeof(*figures->user_ops));
	if (figures->user_ops != NULL) {
		memcpy(figures->user_ops, tally->user_ops,
		       tally->users * sizeof(*figures->user_ops));
		figures->user_ops_count = tally->users;
	}
	for (i = 0; i < tally->label_count && all != NULL; i++) {
		const struct tally_label *label = &tally->labels[i];
		const struct stats_counter *measured = &label->counters[STATS_MEASURED];

		/* Skip labels that were not played: collect_operations did,
		 * too. */
		if (measured->count == 0 || at == figures->operation_count)
			continue;
		figures->operations[at++].latency.histogram = histogram_of(&label->measured,
									   measured);
		stats_add_counter(&sum, measured);
		histogram_merge(all, &label->measured);
	}
	stats_add_counter(&sum, &unfinished->counter);
	if (all != NULL) {
		histogram_merge(all, &unfinished->times);
		figures->latency.histogram = histogram_of(all, &sum);
	}
	free(all);
}

/* Do the same for these figures and those of each phase. */
static void add_all_histograms(const struct tally *tally, struct result_figures *figures)
{
	size_t i;

	add_histograms(tally, figures);
	for (i = 0; i < figures->phase_count; i++)
		add_histograms(&tally->phases[i].sums, &figures->phases[i].figures);
}

void collect_histograms(const struct tally *tally, struct result_repeat *repeat)
{
	struct result_figures *figures = &repeat->figures;
	size_t i;

	repeat->began_s = (double)tally->begin_ns / 1e9;
	add_all_histograms(tally, figures);
	for (i = 0; i < figures->load_count; i++)
		add_all_histograms(&tally->loads[i], &figures->loads[i].figures);
}

/* Collect the figures of all users, or those of one load or phase. */
static void collect_figures(const struct result_run *run, const struct tally *tally,
			    struct result_figures *figures)
{
	struct result_cpu *cpu = &figures->client_cpu;

	figures->seconds = (double)tally->window_ns / 1e9;
	figures->stood_still_s = (double)tally->stood_still_ns / 1e9;
	figures->silent_s = tally->silent_s;
	collect_operations(tally, figures);
	collect_users(tally, figures);
	collect_held_up(tally, figures);
	collect_progress(tally, figures);
	if (figures->seconds > 0) {
		figures->mb_per_s = (double)figures->bytes / 1e6 / figures->seconds;
		figures->ops_per_s = (double)figures->ops / figures->seconds;
		cpu->utilisation = (cpu->user_s + cpu->system_s) / (figures->seconds * run->cpus);
		figures->restore_share = (double)tally->restore_ns / 1e9 /
					 (figures->seconds * tally->users);
	}
	if (figures->ops > 0)
		cpu->per_op_us = 1e6 * (cpu->user_s + cpu->system_s) / (double)figures->ops;
}

/* Collect the figures of each phase of the load. */
static void collect_phases(const struct result_run *run, const struct tally *tally,
			   struct result_figures *figures)
{
	size_t i;

	if (tally->phase_count == 0)
		return;
	figures->phases = calloc(tally->phase_count, sizeof(*figures->phases));
	if (figures->phases == NULL)
		return;
	figures->phase_count = tally->phase_count;
	for (i = 0; i < tally->phase_count; i++) {
		const struct tally_phase *from = &tally->phases[i];
		struct result_phase *phase = &figures->phases[i];

		phase->name = strdup(from->name);
		if (from->loops > 0)
			phase->elapsed_s = (double)from->sums.window_ns / 1e9 / (double)from->loops;
		phase->user_min_s = (double)from->min_ns / 1e9;
		phase->user_max_s = (double)from->max_ns / 1e9;
		collect_figures(run, &from->sums, &phase->figures);
	}
}

static void collect_loads(const struct result_run *run, const struct tally *tally,
			  struct result_figures *figures)
{
	size_t count, i;
	const struct result_loadfile *loadfiles = result_loadfiles(run, &count);

	if (tally->load_count != count || count == 1)
		return;
	figures->loads = calloc(count, sizeof(*figures->loads));
	if (figures->loads == NULL)
		return;
	figures->load_count = count;
	for (i = 0; i < count; i++) {
		struct result_load *load = &figures->loads[i];

		load->name = strdup(loadfiles[i].name);
		load->users = tally->loads[i].users;
		collect_figures(run, &tally->loads[i], &load->figures);
		collect_phases(run, &tally->loads[i], &load->figures);
	}
}

/* Write the first bytes of a difference in hexadecimal. */
static char *print_bytes(const unsigned char *bytes, unsigned count)
{
	char *text = calloc(2 * count + 1, 1);
	unsigned i;

	for (i = 0; text != NULL && i < count; i++)
		sprintf(text + 2 * i, "%02x", bytes[i]);
	return text;
}

static void collect_difference(const struct difference *found, struct result_repeat *repeat)
{
	struct result_difference *difference = &repeat->differences[repeat->difference_count++];
	char looks_like[DIFFERENCE_TEXT];

	difference_print_kind(found, looks_like);
	*difference = (struct result_difference){
		.user = found->user,
		.file = strdup(found->path),
		.offset = found->offset,
		.length = found->length,
		.kind = strdup(difference_kinds[found->kind]),
		.looks_like = strdup(looks_like),
		.read_back = found->read_back,
		.expected = print_bytes(found->expected, found->sample_bytes),
		.found = print_bytes(found->found, found->sample_bytes),
	};
}

/* Add the first difference to the reasons. */
static void explain_difference(const struct result_difference *difference,
			       struct result_repeat *repeat)
{
	bool sampled = difference->found[0] != '\0';
	char *text;

	if (asprintf(&text,
		     "user %u: \"%s\" is not as it was written, %" PRIu64 " %s from offset %" PRIu64
		     "%s: %s%s%s%s%s",
		     difference->user, difference->file, difference->length,
		     units_plural(difference->length, "byte", "bytes"), difference->offset,
		     difference->read_back ? ", when read back" : "", difference->looks_like,
		     sampled ? "; expected " : "", sampled ? difference->expected : "",
		     sampled ? ", found " : "", sampled ? difference->found : "") < 0)
		return;
	NOTICE_ADD(&repeat->invalid, NOTICE_WRONG_BYTES, .detail = text);
	free(text);
}

/* Collect the bytes that --verify has compared, the differences, and the reasons
 * why these make the repeat invalid. */
static void collect_verified(const struct tally *tally, struct result_repeat *repeat)
{
	const struct verified *verified = &tally->verified;
	size_t i;

	repeat->figures.verified = (struct result_verified){
		.users = verified->users,
		.read_bytes = verified->read_bytes,
		.compared_bytes = verified->compared_bytes,
		.written_bytes = verified->written_bytes,
		.read_back_bytes = verified->read_back_bytes,
		.unreadable_files = verified->unreadable_files,
		.unreadable_bytes = verified->unreadable_bytes,
		.differences = verified->difference_count,
		.full_maps = verified->full_maps,
		.map_bytes = verified->map_bytes,
	};
	repeat->differences = calloc(verified->described + 1, sizeof(*repeat->differences));
	if (repeat->differences == NULL)
		return;
	for (i = 0; i < verified->described; i++)
		collect_difference(&verified->differences[i], repeat);
	if (repeat->difference_count == 0)
		return;
	/* All others, in JSON, often show the same wrong bytes. */
	explain_difference(&repeat->differences[0], repeat);
	if (verified->difference_count > 1)
		NOTICE_ADD(&repeat->invalid, NOTICE_WRONG_READS,
			   .numbers = {(double)verified->difference_count});
}

void collect_repeat(const struct result_run *run, const struct tally *tally,
		    struct result_repeat *repeat)
{
	struct result_figures *figures = &repeat->figures;

	collect_figures(run, tally, figures);
	collect_loads(run, tally, figures);
	collect_phases(run, tally, figures);
	collect_loops(tally, repeat);
	collect_seconds(tally, repeat);
	if (tally->each.ops != NULL)
		collect_each_user(tally, repeat);
	collect_verified(tally, repeat);
	collect_invalid(tally, repeat);
	if (result_repeat_is_valid(repeat))
		warn_of_figures(run, tally->users, figures, &repeat->warnings);
}
