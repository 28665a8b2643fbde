/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/collect.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/units.h"
#include "result/combine.h"
#include "result/warning.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An operation counts as having blocked its user if it took at least this long,
 * and also UNUSUAL times the mean of operations of the same name. */
#define HELD_UP_MS 1e3
#define UNUSUAL 4

/* A repeat that is filled in, and the texts of its result. */
struct collector {
	const struct result_run *run;
	struct intern *names;
	struct result_repeat *repeat;
	bool histograms;      /* keep them */
	bool user_operations; /* keep them, if there are users */
};

/* A distribution of times: its name in histograms, the figures of the number of
 * samples (FIGURES: it has none) and of the mean, after which come the
 * percentiles (FIGURES: it has none) and the maximum. */
struct distribution {
	const char *name;
	enum figure count, mean, p50, max;
	double unit_ns;
};

static const struct distribution latency = {"latency",     FIGURES,       FIGURE_MEAN_MS,
					    FIGURE_P50_MS, FIGURE_MAX_MS, NS_PER_MS};

/* The distributions that belong to no label. */
static const struct distribution extras[STATS_EXTRAS] = {
	[STATS_LOOP] = {"loop", FIGURE_LOOP_COUNT, FIGURE_LOOP_MEAN_S, FIGURE_LOOP_S,
			FIGURE_LOOP_MAX_S, NS_PER_S},
	[STATS_SERVICE] = {"service", FIGURE_SERVICE_COUNT, FIGURE_SERVICE_MEAN_MS,
			   FIGURE_SERVICE_P50_MS, FIGURE_SERVICE_MAX_MS, NS_PER_MS},
	[STATS_LATENESS] = {"lateness", FIGURE_LATENESS_COUNT, FIGURE_LATENESS_MEAN_MS,
			    FIGURE_LATENESS_P50_MS, FIGURE_LATENESS_MAX_MS, NS_PER_MS},
	[STATS_UNFINISHED] = {"unfinished", FIGURE_UNFINISHED, FIGURE_UNFINISHED_MEAN_MS, FIGURES,
			      FIGURE_UNFINISHED_MAX_MS, NS_PER_MS},
};

/* Add a copy of a histogram without its empty cells, unless nothing is counted
 * or memory is short. */
static void add_histogram(struct result_repeat *repeat, const struct record_key *key,
			  const struct distribution *of, const struct histogram_total *total,
			  const struct stats_counter *counter)
{
	struct result_histogram histogram = {
		.key = *key,
		.of = of->name,
		.min_ns = counter->min_ns,
		.max_ns = counter->max_ns,
		.longer = total->overflow,
	};
	unsigned cell;
	size_t filled = 0;

	for (cell = 0; cell < HISTOGRAM_CELLS; cell++)
		filled += total->cells[cell] > 0;
	if (counter->count > 0)
		histogram.cells = calloc(filled + 1, sizeof(*histogram.cells));
	if (histogram.cells == NULL)
		return;
	for (cell = 0; cell < HISTOGRAM_CELLS; cell++)
		if (total->cells[cell] > 0)
			histogram.cells[histogram.cell_count++] = (struct result_cell){
				.from_ns = histogram_from_ns(cell),
				.count = total->cells[cell],
			};
	if (array_append(&repeat->histograms, &repeat->histogram_count, &histogram,
			 sizeof(histogram)) < 0)
		free(histogram.cells);
}

/* Set the mean and the maximum of a distribution, if anything is counted. */
static void collect_mean(struct record *record, const struct distribution *of,
			 const struct stats_counter *counter)
{
	if (counter->count == 0)
		return;
	record_set(record, of->mean,
		   (double)counter->sum_ns / (double)counter->count / of->unit_ns);
	record_set(record, of->max, (double)counter->max_ns / of->unit_ns);
}

/* Set the figures of a distribution, as far as there are enough samples, and
 * keep its histogram if asked for. */
static void collect_times(const struct collector *collector, struct record *record,
			  const struct distribution *of, const struct histogram_total *histogram,
			  const struct stats_counter *counter)
{
	static const struct {
		double quantile;
		uint64_t samples;
	} percentiles[] = {
		{0.5, 1},
		{0.9, SAMPLES_P90},
		{0.95, SAMPLES_P95},
		{0.99, SAMPLES_P99},
		{0.999, SAMPLES_P99_9},
	};
	size_t i;

	record_set(record, of->count, (double)counter->count);
	if (counter->count == 0)
		return;
	collect_mean(record, of, counter);
	for (i = 0; i < sizeof(percentiles) / sizeof(percentiles[0]); i++)
		if (counter->count >= percentiles[i].samples)
			record_set(record, of->p50 + (enum figure)i,
				   (double)histogram_quantile(histogram, percentiles[i].quantile,
							      counter->min_ns, counter->max_ns) /
					   of->unit_ns);
	if (collector->histograms)
		add_histogram(collector->repeat, &record->key, of, histogram, counter);
}

/* Set the figures of an operation, or of several together. */
static void collect_counter(struct record *record, const struct stats_counter *sum)
{
	record_set(record, FIGURE_OPS, (double)sum->count);
	record_set(record, FIGURE_BYTES, (double)sum->bytes);
	record_set(record, FIGURE_ERRORS, (double)sum->errors);
	record_set(record, FIGURE_MISMATCHES, (double)sum->mismatches);
	record_set(record, FIGURE_TIME_S, (double)sum->sum_ns / 1e9);
}

/* Append the record of a label, without its times. Return NULL if memory is
 * short. */
static struct record *add_operation(struct records *records, struct intern *names,
				    const struct record_key *parent, const char *label,
				    const struct stats_counter *sum)
{
	struct record_key key = *parent;
	struct record *record = NULL;

	key.operation = record_name(names, label);
	if (key.operation != NULL)
		record = records_add(records, &key);
	if (record != NULL)
		collect_counter(record, sum);
	return record;
}

/* Append the records of the labels that were played. */
static void collect_operations(const struct collector *collector, const struct record_key *parent,
			       const struct tally *tally)
{
	size_t i;

	for (i = 0; i < tally->label_count; i++) {
		const struct tally_label *label = &tally->labels[i];
		const struct stats_counter *measured = &label->counters[STATS_MEASURED];
		struct record *record;

		if (measured->count == 0)
			continue;
		record = add_operation(&collector->repeat->records, collector->names, parent,
				       label->name, measured);
		if (record == NULL)
			return;
		record->direction = label->direction;
		collect_times(collector, record, &latency, &label->measured, measured);
	}
}

/* Set the figures of all labels together. */
static void collect_sum(const struct collector *collector, struct record *record,
			const struct tally *tally)
{
	struct histogram_total *all = calloc(1, sizeof(*all));
	const struct tally_extra *unfinished = &tally->extras[STATS_UNFINISHED];
	struct stats_counter sum = {0};
	size_t i;

	if (all == NULL)
		return;
	for (i = 0; i < tally->label_count; i++) {
		stats_add_counter(&sum, &tally->labels[i].counters[STATS_MEASURED]);
		histogram_merge(all, &tally->labels[i].measured);
	}
	collect_counter(record, &sum);
	record_set(record, FIGURE_SKIPPED, (double)sum.skipped);
	/* An operation that had not ended has waited, too. To count only those
	 * that ended would hide a backlog. */
	stats_add_counter(&sum, &unfinished->counter);
	histogram_merge(all, &unfinished->times);
	collect_times(collector, record, &latency, all, &sum);
	free(all);
}

static int by_count(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

/* Set the numbers of operations of the slowest, median and fastest user. */
static void collect_progress(struct record *record, const struct tally *tally)
{
	size_t bytes = tally->users * sizeof(*tally->user_ops);
	uint64_t *ops = malloc(bytes);

	if (ops == NULL || tally->users == 0) {
		free(ops);
		return;
	}
	memcpy(ops, tally->user_ops, bytes);
	qsort(ops, tally->users, sizeof(*ops), by_count);
	record_set(record, FIGURE_USER_OPS_MIN, (double)ops[0]);
	record_set(record, FIGURE_USER_OPS_MEDIAN, (double)ops[(tally->users - 1) / 2]);
	record_set(record, FIGURE_USER_OPS_MAX, (double)ops[tally->users - 1]);
	free(ops);
}

static void collect_cost(struct record *record, const struct stats_cost *cost)
{
	record_set(record, FIGURE_USER_S, (double)cost->user_ns / 1e9);
	record_set(record, FIGURE_SYSTEM_S, (double)cost->system_ns / 1e9);
	record_set(record, FIGURE_WAITS, (double)cost->waits);
	record_set(record, FIGURE_PREEMPTIONS, (double)cost->preemptions);
}

/* Set the sums over all users: loops, CPU time and so on. */
static void collect_users(const struct collector *collector, struct record *record,
			  const struct tally *tally)
{
	size_t i;

	for (i = 0; i < STATS_EXTRAS; i++)
		collect_times(collector, record, &extras[i], &tally->extras[i].times,
			      &tally->extras[i].counter);
	record_set(record, FIGURE_LOOPS, (double)tally->loops_ended);
	record_set(record, FIGURE_SCHEDULED, (double)tally->due.count);
	record_set(record, FIGURE_SCHEDULED_COMPLETED,
		   (double)(tally->due.count - tally->due.unfinished));
	collect_cost(record, &tally->cost);
	record_set(record, FIGURE_RESTORE_SHARE,
		   (double)tally->restore_ns / ((double)tally->window_ns * tally->users));
}

/*
 * Find the operation that blocked its user longest. Ignore an operation that is
 * not unusually long for its name: some loads consist of long operations.
 */
static void collect_held_up(struct record *record, const struct tally *tally)
{
	/* The end of the point may have cut an operation short. As its name is
	 * unknown, report it only if it is unusually long for every name. */
	double cut_ms = (double)tally->cut_short_ns / NS_PER_MS;
	double usual_ms = 0, held_ms = 0;
	unsigned i;

	/* Response times include the wait for other operations. */
	if (record_count(record, FIGURE_SERVICE_COUNT) > 0) {
		usual_ms = UNUSUAL * record_value(record, FIGURE_SERVICE_MEAN_MS);
		if (record_value(record, FIGURE_SERVICE_MAX_MS) > usual_ms)
			held_ms = record_value(record, FIGURE_SERVICE_MAX_MS);
	} else {
		for (i = 1; i <= record->operations; i++) {
			double max_ms = record_value(&record[i], FIGURE_MAX_MS);
			double unusual_ms = UNUSUAL * record_value(&record[i], FIGURE_MEAN_MS);

			usual_ms = fmax(usual_ms, unusual_ms);
			if (max_ms > unusual_ms)
				held_ms = fmax(held_ms, max_ms);
		}
	}
	if (cut_ms > usual_ms)
		held_ms = fmax(held_ms, cut_ms);
	if (held_ms >= HELD_UP_MS)
		record_set(record, FIGURE_HELD_UP_S, held_ms / 1e3);
}

/* Append the record of all users, or of those of one load, phase or host. Return NULL if
 * memory is short. */
static struct record *collect_users_of(const struct collector *collector,
				       const struct record_key *key, const struct tally *tally)
{
	struct record *record = records_add(&collector->repeat->records, key);

	if (record == NULL)
		return NULL;
	record_set(record, FIGURE_SECONDS, (double)tally->window_ns / 1e9);
	record_set(record, FIGURE_STOOD_STILL_S, (double)tally->stood_still_ns / 1e9);
	record_set(record, FIGURE_SILENT_S, (double)tally->silent_s);
	collect_sum(collector, record, tally);
	collect_users(collector, record, tally);
	collect_progress(record, tally);
	return record;
}

/* Append the record of all users, or of those of one load or phase, and those
 * of its operations. Return NULL if memory is short. */
static struct record *collect_record(const struct collector *collector,
				     const struct record_key *key, const struct tally *tally)
{
	struct records *records = &collector->repeat->records;
	size_t at = records->count;
	struct record *record = collect_users_of(collector, key, tally);

	if (record == NULL)
		return NULL;
	collect_operations(collector, key, tally);
	record = &records->list[at];
	collect_held_up(record, tally);
	return record;
}

/* Append the records of each phase of the load. */
static void collect_phases(const struct collector *collector, const struct record_key *load,
			   const struct tally *tally)
{
	struct record_key key = *load;
	size_t i;

	for (i = 0; i < tally->phase_count; i++) {
		const struct tally_phase *phase = &tally->phases[i];
		struct record *record = NULL;

		key.phase = record_name(collector->names, phase->name);
		if (key.phase != NULL)
			record = collect_record(collector, &key, &phase->sums);
		if (record == NULL)
			return;
		if (phase->loops > 0)
			record_set(record, FIGURE_ELAPSED_S,
				   (double)phase->sums.window_ns / 1e9 / (double)phase->loops);
		record_set(record, FIGURE_ITEMS, (double)phase->items);
		record_set(record, FIGURE_ELAPSED_USER_MIN_S, (double)phase->min_ns / 1e9);
		record_set(record, FIGURE_ELAPSED_USER_MAX_S, (double)phase->max_ns / 1e9);
	}
}

static void collect_loads(const struct collector *collector, const struct tally *tally)
{
	const struct result_variant *variant =
		&collector->run->variants[collector->repeat->variant];
	size_t count = variant->load_count, i;

	for (i = 0; i < tally->load_count && i < count && count > 1; i++) {
		struct record_key key = {
			.load = record_name(collector->names, variant->loads[i].name),
		};
		struct record *record = NULL;

		if (key.load != NULL)
			record = collect_record(collector, &key, &tally->loads[i]);
		if (record == NULL)
			return;
		record_set(record, FIGURE_LOAD_USERS, tally->loads[i].users);
		collect_phases(collector, &key, &tally->loads[i]);
	}
}

/* Set the parts of the throughput of a record whose operations are not kept. */
static void set_directions(struct record *record, const double moved[DIRECTIONS], double seconds)
{
	if (moved[DIRECTION_NONE] > 0 || moved[DIRECTION_BOTH] > 0)
		return;
	record_set(record, FIGURE_READ_MB_PER_S, moved[DIRECTION_READ] / 1e6 / seconds);
	record_set(record, FIGURE_WRITE_MB_PER_S, moved[DIRECTION_WRITE] / 1e6 / seconds);
}

/* Append the record of a host. Return NULL if memory is short. */
static struct record *collect_host(const struct collector *collector, const struct tally_host *host)
{
	const struct record_key key = {.host = record_name(collector->names, host->name)};
	const struct tally *tally = host->tally;
	double moved[DIRECTIONS] = {0};
	struct record *record = NULL;
	size_t i;

	if (key.host != NULL)
		record = collect_users_of(collector, &key, tally);
	if (record == NULL)
		return NULL;
	for (i = 0; i < tally->label_count; i++)
		moved[tally->labels[i].direction] +=
			(double)tally->labels[i].counters[STATS_MEASURED].bytes;
	set_directions(record, moved, (double)tally->window_ns / 1e9);
	record_set(record, FIGURE_HOST_USERS, tally->users);
	record_set(record, FIGURE_CLOCK_ERROR_MS, (double)host->clock_error_ns / NS_PER_MS);
	record_set(record, FIGURE_LATE_MS, (double)tally->late_ns / NS_PER_MS);
	return record;
}

/* Append the records of the hosts, and set the errors of the start of all users. */
static void collect_hosts(const struct collector *collector, const struct tally *tally)
{
	uint64_t clock_error_ns = 0;
	struct record *total;
	size_t i;

	for (i = 0; i < tally->host_count; i++) {
		if (collect_host(collector, &tally->hosts[i]) == NULL)
			return;
		if (tally->hosts[i].clock_error_ns > clock_error_ns)
			clock_error_ns = tally->hosts[i].clock_error_ns;
	}
	if (tally->host_count == 0)
		return;
	total = &collector->repeat->records.list[0];
	record_set(total, FIGURE_CLOCK_ERROR_MS, (double)clock_error_ns / NS_PER_MS);
	record_set(total, FIGURE_LATE_MS, (double)tally->late_ns / NS_PER_MS);
}

/* Append the record of an operation of one user. */
static void collect_user_operation(const struct collector *collector, const struct record_key *user,
				   const char *label, const struct stats_counter *sum)
{
	struct record *record = add_operation(&collector->repeat->records, collector->names, user,
					      label, sum);

	if (record != NULL)
		collect_mean(record, &latency, sum);
}

/* Set the figures of one user. They have no percentiles, as there are no
 * histograms of single users. */
static void collect_user_sum(struct record *record, const struct tally *tally,
			     const struct tally_user *user, const struct stats_counter *own)
{
	double seconds = (double)user->window_ns / 1e9, moved[DIRECTIONS] = {0};
	struct stats_counter sum = {0};
	size_t i;

	for (i = 0; i < tally->label_count; i++) {
		stats_add_counter(&sum, &own[i]);
		moved[tally->labels[i].direction] += (double)own[i].bytes;
	}
	collect_counter(record, &sum);
	record_set(record, FIGURE_SECONDS, seconds);
	record_set(record, FIGURE_LOOPS, (double)user->loops_ended);
	record_set(record, FIGURE_SKIPPED, (double)sum.skipped);
	collect_cost(record, &user->cost);
	set_directions(record, moved, seconds);
	stats_add_counter(&sum, &user->unfinished);
	collect_mean(record, &latency, &sum);
}

/* Append the record of a user and, if they are kept, those of its operations.
 * Return false if memory is short. */
static bool collect_user(const struct collector *collector, const struct tally *tally,
			 unsigned index)
{
	const struct tally_user *user = &tally->each.list[index];
	const struct stats_counter *own = &tally->each.counters[index * tally->label_count];
	const struct result_variant *variant =
		&collector->run->variants[collector->repeat->variant];
	char number[16];
	struct record_key key = {0};
	struct record *record = NULL;
	size_t i;

	snprintf(number, sizeof(number), "%u", tally->first_user + index);
	key.user = record_name(collector->names, number);
	if (tally->load_count > 0 && user->load < variant->load_count)
		key.load = record_name(collector->names, variant->loads[user->load].name);
	if (key.user != NULL)
		record = records_add(&collector->repeat->records, &key);
	if (record == NULL)
		return false;
	collect_user_sum(record, tally, user, own);
	for (i = 0; collector->user_operations && i < tally->label_count; i++)
		if (own[i].count > 0)
			collect_user_operation(collector, &key, tally->labels[i].name, &own[i]);
	return true;
}

static void collect_each_user(const struct collector *collector, const struct tally *tally)
{
	struct result_repeat *repeat = collector->repeat;
	unsigned i;

	if (collector->user_operations)
		repeat->user_ops = calloc(tally->users, sizeof(*repeat->user_ops));
	for (i = 0; i < tally->users; i++) {
		if (!collect_user(collector, tally, i))
			return;
		if (repeat->user_ops != NULL)
			repeat->user_ops[i] = tally->each.list[i].ops;
	}
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

	repeat->seconds = calloc(tally->second_count + 1, sizeof(*repeat->seconds));
	if (repeat->seconds == NULL)
		return;
	repeat->second_count = tally->second_count;
	for (i = 0; i < tally->second_count; i++) {
		const struct second *second = &tally->seconds[i];

		/* Bytes per ns are GB per second; MB per second are needed. */
		repeat->seconds[i] = (struct result_second){
			.at_s = (double)second->end_ns / 1e9,
			.mb_per_s = 1e3 * (double)second->bytes /
				    (double)(second->end_ns - from_ns),
			.p99_ms = (double)second->p99_ns / NS_PER_MS,
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
	if (invalid->count == 0 && record_count(records_total(&repeat->records), FIGURE_OPS) == 0)
		NOTICE_ADD(invalid, NOTICE_NO_OPERATION);
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
		.host = found->host[0] != '\0' ? strdup(found->host) : NULL,
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

/* Add a difference, which an operation at this place has found, to the reasons. */
static void explain_difference(const struct result_difference *difference, const char *place,
			       struct result_repeat *repeat)
{
	bool sampled = difference->found[0] != '\0', is_here = difference->host == NULL;
	char *text;

	if (asprintf(&text,
		     "%s%s%suser %u%s: \"%s\" is not as it was written, %" PRIu64
		     " %s from offset %" PRIu64 "%s: %s%s%s%s%s",
		     is_here ? "" : "host ", is_here ? "" : difference->host, is_here ? "" : ": ",
		     difference->user, place, difference->file, difference->length,
		     units_plural(difference->length, "byte", "bytes"), difference->offset,
		     difference->read_back ? ", when read back" : "", difference->looks_like,
		     sampled ? "; expected " : "", sampled ? difference->expected : "",
		     sampled ? ", found " : "", sampled ? difference->found : "") < 0)
		return;
	NOTICE_ADD(&repeat->invalid, NOTICE_WRONG_BYTES, .detail = text);
	free(text);
}

static void set_verified(struct record *total, const struct verified *verified)
{
	record_set(total, FIGURE_VERIFIED_USERS, (double)verified->users);
	record_set(total, FIGURE_VERIFIED_READ_BYTES, (double)verified->read_bytes);
	record_set(total, FIGURE_VERIFIED_COMPARED_BYTES, (double)verified->compared_bytes);
	record_set(total, FIGURE_VERIFIED_WRITTEN_BYTES, (double)verified->written_bytes);
	record_set(total, FIGURE_VERIFIED_READ_BACK_BYTES, (double)verified->read_back_bytes);
	record_set(total, FIGURE_VERIFIED_UNREADABLE_FILES, (double)verified->unreadable_files);
	record_set(total, FIGURE_VERIFIED_UNREADABLE_BYTES, (double)verified->unreadable_bytes);
	record_set(total, FIGURE_VERIFIED_DIFFERENCES, (double)verified->difference_count);
	record_set(total, FIGURE_VERIFIED_FULL_MAPS, (double)verified->full_maps);
	record_set(total, FIGURE_VERIFIED_MAP_BYTES, (double)verified->map_bytes);
}

/* Collect the bytes that --verify has compared, the differences, and the reasons
 * why these make the repeat invalid. */
static void collect_verified(const struct tally *tally, struct result_repeat *repeat)
{
	const struct verified *verified = &tally->verified;
	size_t i;

	if (verified->users > 0 && repeat->records.count > 0)
		set_verified(&repeat->records.list[0], verified);
	repeat->differences = calloc(verified->described + 1, sizeof(*repeat->differences));
	if (repeat->differences == NULL)
		return;
	for (i = 0; i < verified->described; i++)
		collect_difference(&verified->differences[i], repeat);
	if (repeat->difference_count == 0)
		return;
	/* All others, in JSON, often show the same wrong bytes. */
	explain_difference(&repeat->differences[0], verified->differences[0].place, repeat);
	if (verified->difference_count > 1)
		NOTICE_ADD(&repeat->invalid, NOTICE_WRONG_READS,
			   .numbers = {(double)verified->difference_count});
}

void collect_repeat(const struct result_run *run, const struct tally *tally, bool histograms,
		    bool user_operations, struct intern *names, struct result_repeat *repeat)
{
	const struct collector collector = {run, names, repeat, histograms, user_operations};
	const struct record_key all = {0};

	if (collect_record(&collector, &all, tally) != NULL) {
		collect_phases(&collector, &all, tally);
		collect_loads(&collector, tally);
		collect_hosts(&collector, tally);
		if (tally->each.list != NULL)
			collect_each_user(&collector, tally);
	}
	collect_loops(tally, repeat);
	collect_seconds(tally, repeat);
	collect_verified(tally, repeat);
	collect_invalid(tally, repeat);
	combine_derive(run, repeat);
	if (result_repeat_is_valid(repeat))
		warn_of_repeat(run, repeat);
}
