/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/warning.h"

#include "result/combine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

/* Thresholds of the warnings. */
#define UNEVEN_SHARE 0.5    /* operations of the slowest / fastest user */
#define MIX_DIFFERENCE 0.05 /* relative, of bytes per operation */
#define GENERATOR_SHARE 0.5 /* share of the usable processors' time */
#define SHORT_WINDOW_S 1.0
#define RESTORE_SHARE 0.1  /* share of the users' time */
#define LAID_OUT_SHARE 0.2 /* share of the load's bytes */
#define LATE_MS 1          /* p99 of the lateness */
#define CACHE_SHARE 0.5    /* share of the users' machines' memory */
#define SPREAD 0.25        /* of the middle half of the repeats, / median */
#define BUSY_SHARE 0.1     /* share of the processors' time */
#define HELD_UP_SHARE 0.05 /* one operation / the measured window */
#define EARLY_SHARE 0.5    /* a load's window / the measured window */
#define SLOW_SHARE 0.8     /* throughput per user of a host / of the median host */
#define CLOCK_MS 1         /* error of a host's clock */
/*
 * If there are more users than processors, a user waits for the time slices of
 * all others. Allow for each user a time slice of 10 ms (CONFIG_HZ=100), and as
 * much again for a server on the same machine.
 */
#define TURN_S 0.02

/* The records of a point or of one repeat, and the list to add warnings to. */
struct evidence {
	const struct result_run *run;
	const struct result_variant *variant;
	unsigned users;
	const struct records *records;
	const struct record *total;
	struct notices *warnings;
};

/* One load of the variant, and the record of its users. */
struct played {
	const struct result_load *load;
	unsigned users;
	const struct record *record;
	const char *name; /* NULL: there is only one load */
};

static void add(const struct evidence *evidence, enum notice_kind kind, double number)
{
	NOTICE_ADD(evidence->warnings, kind, .numbers = {number});
}

static void add_of_load(const struct evidence *evidence, const struct played *load,
			enum notice_kind kind, double number)
{
	NOTICE_ADD(evidence->warnings, kind, .load = load->name, .numbers = {number});
}

/* Return load number `index`. */
static struct played load_at(const struct evidence *evidence, size_t index)
{
	const struct result_load *load = &evidence->variant->loads[index];
	const struct record *record;

	if (evidence->variant->load_count == 1)
		return (struct played){load, evidence->users, evidence->total, NULL};
	record = records_find(evidence->records, &(struct record_key){.load = load->name});
	return (struct played){load, (unsigned)record_count(record, FIGURE_LOAD_USERS), record,
			       load->name};
}

/* Return the number of loads with records. */
static size_t count_loads(const struct evidence *evidence)
{
	size_t count = evidence->variant->load_count, i = 0;

	if (count == 1)
		return 1;
	while (i < count &&
	       records_find(evidence->records,
			    &(struct record_key){.load = evidence->variant->loads[i].name}) != NULL)
		i++;
	return i;
}

/*
 * Check if chance may explain the numbers of operations of the slowest and the
 * fastest of `count` users or hosts, because operations arrive at random. By
 * Chernoff's bound, the root of a Poisson count is off by more than t with a
 * probability of at most 2 exp(-t^2). Among all of them, this is at most 1 % for
 * the t used here.
 */
static bool is_chance(const struct result_run *run, double slowest, double fastest, double count)
{
	return run->open_loop && sqrt(fastest) - sqrt(slowest) <= 2 * sqrt(log(200 * count));
}

/* Warn if the users of one of several loads completed nothing, or if the users
 * of a load progressed unevenly. */
static void warn_of_users(const struct evidence *evidence, const struct played *load)
{
	double slowest = record_value(load->record, FIGURE_USER_OPS_MIN);
	double fastest = record_value(load->record, FIGURE_USER_OPS_MAX);

	if (record_count(load->record, FIGURE_OPS) == 0 && load->name != NULL)
		add_of_load(evidence, load, NOTICE_NO_OPERATION_OF_LOAD, 0);
	if (load->users > 1 && slowest < UNEVEN_SHARE * fastest &&
	    !is_chance(evidence->run, slowest, fastest, load->users))
		add_of_load(evidence, load, NOTICE_UNEVEN_USERS, slowest / fastest);
}

/* Warn if throng itself, not the target, started operations late. */
static void warn_of_lateness(const struct evidence *evidence)
{
	double p99_ms = record_value(evidence->total, FIGURE_LATENESS_P99_MS);
	double max_ms = record_value(evidence->total, FIGURE_LATENESS_MAX_MS);

	if (p99_ms > LATE_MS)
		add(evidence, NOTICE_LATE_P99, p99_ms);
	else if (isnan(p99_ms) && max_ms > LATE_MS)
		add(evidence, NOTICE_LATE_MAX, max_ms);
}

/* Warn if the target ended fewer operations than became due. The last one of
 * each user may still be in flight when the measured time ends. */
static void warn_of_overload(const struct evidence *evidence)
{
	if (!result_kept_up(evidence->total, evidence->users))
		add(evidence, NOTICE_OVERLOAD,
		    record_value(evidence->total, FIGURE_COMPLETED_SHARE));
}

/*
 * Warn of pauses that are not part of the load: of any whole second without an
 * operation (see seconds.c), and of a long operation. Warn of the latter only
 * if it took a good part of the window, because a shorter one changes no
 * figure, and longer than a user may have to wait for a processor.
 */
static void warn_of_pauses(const struct evidence *evidence)
{
	const struct record *total = evidence->total;
	double window_s = record_value(total, FIGURE_SECONDS);
	double turn_s = TURN_S * evidence->users / result_cpus(evidence->run, NULL);
	double stood_still_s = record_count(total, FIGURE_STOOD_STILL_S);
	double silent_s = record_count(total, FIGURE_SILENT_S);
	double held_up_s = record_count(total, FIGURE_HELD_UP_S);
	double explained_s = stood_still_s;

	if (stood_still_s > 0)
		add(evidence, NOTICE_SUSPENDED, stood_still_s);
	if (silent_s > stood_still_s) {
		add(evidence, NOTICE_SILENT, silent_s);
		/* A pause of N whole seconds can last up to N + 2 s. */
		explained_s = silent_s + 2;
	}
	if (held_up_s > explained_s + fmax(HELD_UP_SHARE * window_s, turn_s))
		add(evidence, NOTICE_BLOCKED, held_up_s);
}

/*
 * Warn if the mix of operations that the users of a load played in the measured
 * window differs from the mix in the whole load. If no user finished a loop,
 * this is the reason; there is no separate warning for it.
 */
static void warn_of_mix(const struct evidence *evidence, const struct played *played)
{
	const struct result_load *load = played->load;
	double ops = record_count(played->record, FIGURE_OPS);
	double wanted = (double)(load->read_bytes + load->write_bytes) / (double)load->ops;
	/* Count skipped operations: they move no bytes, but are part of the
	 * load's mix. */
	double seen = record_count(played->record, FIGURE_BYTES) /
		      (ops + record_count(played->record, FIGURE_SKIPPED));

	/* If the load does not record the size of its reads, its bytes per
	 * operation are unknown. */
	if (ops > 0 && wanted > 0 && load->open_reads == 0 &&
	    fabs(seen - wanted) > MIX_DIFFERENCE * wanted)
		NOTICE_ADD(evidence->warnings,
			   record_count(played->record, FIGURE_LOOPS) > 0 ? NOTICE_MIX
									  : NOTICE_MIX_UNFINISHED,
			   .load = played->name, .numbers = {seen, wanted});
}

/*
 * Warn if a good part of a timed run lays out the files that it reads. In whole
 * loops this part is the same in every measurement, and asked for.
 */
static void warn_of_laid_out(const struct evidence *evidence, const struct played *played)
{
	const struct result_load *load = played->load;
	double bytes = (double)load->read_bytes + (double)load->write_bytes;
	double laid_out = (double)load->laid_out_bytes;

	if (!phases_in_loops(&evidence->run->phases) && load->open_reads == 0 &&
	    laid_out > LAID_OUT_SHARE * bytes)
		add_of_load(evidence, played, NOTICE_LAID_OUT, laid_out / bytes);
}

/* Warn if --verify has compared little or nothing. */
static void warn_of_verification(const struct evidence *evidence)
{
	const struct record *total = evidence->total;
	double full_maps = record_count(total, FIGURE_VERIFIED_FULL_MAPS);
	double unreadable = record_count(total, FIGURE_VERIFIED_UNREADABLE_FILES);

	if (full_maps > 0)
		add(evidence, NOTICE_VERIFY_MEMORY, full_maps);
	if (unreadable > 0)
		add(evidence, NOTICE_VERIFY_UNREADABLE, unreadable);
	else if (record_count(total, FIGURE_VERIFIED_USERS) > 0 &&
		 record_count(total, FIGURE_VERIFIED_COMPARED_BYTES) == 0 &&
		 record_count(total, FIGURE_VERIFIED_READ_BACK_BYTES) == 0)
		add(evidence, NOTICE_VERIFY_NOTHING, 0);
}

static void warn_of_restore(const struct evidence *evidence, const struct played *played)
{
	double share = record_value(played->record, FIGURE_RESTORE_SHARE);

	if (share > RESTORE_SHARE)
		add_of_load(evidence, played, NOTICE_RESTORE, share);
}

/*
 * Return the share of the time of their processors that the users of a record, all or
 * those of a host, spent as a client. For a remote target, count their system time as
 * well: it is the cost of the client. For a local target, system time is the work of
 * the target.
 */
static double client_share(const struct evidence *evidence, const struct record *record,
			   double users)
{
	const unsigned cpus = result_cpus(evidence->run, record->key.host);
	/* The number of processors that the users can keep busy. */
	double usable = users < cpus ? users : cpus;
	double processors_s = record_value(record, FIGURE_SECONDS) * usable;
	double spent_s = record_value(record, FIGURE_USER_S);
	size_t i;

	for (i = 0; i < evidence->variant->target_count; i++) {
		if (evidence->variant->targets[i].remote) {
			spent_s += record_value(record, FIGURE_SYSTEM_S);
			break;
		}
	}
	return processors_s > 0 ? spent_s / processors_s : 0;
}

/* Warn if the client was probably the bottleneck, or which of several hosts was. */
static void warn_of_client(const struct evidence *evidence)
{
	const struct record *host = records_next_host(evidence->records, NULL);
	double share;

	if (host == NULL) {
		share = client_share(evidence, evidence->total, evidence->users);
		if (share > GENERATOR_SHARE)
			add(evidence, NOTICE_CLIENT_BUSY, share);
	}
	for (; host != NULL; host = records_next_host(evidence->records, host)) {
		share = client_share(evidence, host, record_count(host, FIGURE_HOST_USERS));
		if (share > GENERATOR_SHARE)
			NOTICE_ADD(evidence->warnings, NOTICE_HOST_BUSY, .subject = host->key.host,
				   .numbers = {share});
	}
}

/* Return the throughput of a host per user. */
static double rate_per_user(const struct record *host, enum figure rate)
{
	return record_count(host, rate) / record_value(host, FIGURE_HOST_USERS);
}

/* Return the median throughput of the hosts per user; 0 if it is unknown. */
static double median_rate(const struct evidence *evidence, enum figure rate)
{
	const struct record *host = NULL;
	size_t count = 0;
	double *rates = calloc(evidence->records->count + 1, sizeof(*rates)), median = 0;

	while (rates != NULL && (host = records_next_host(evidence->records, host)) != NULL)
		rates[count++] = rate_per_user(host, rate);
	if (count > 0)
		median = combine_median(rates, count);
	free(rates);
	return median;
}

/* Warn of hosts whose users were slow. Users of different loads cannot be compared. */
static void warn_of_slow_hosts(const struct evidence *evidence)
{
	const enum figure rate = combine_throughput(evidence->total);
	const double median = median_rate(evidence, rate);
	const double ops_per_user = record_count(evidence->total, FIGURE_OPS) / evidence->users;
	const struct record *host = NULL;

	if (!(median > 0) || evidence->variant->load_count > 1)
		return;
	while ((host = records_next_host(evidence->records, host)) != NULL) {
		const double share = rate_per_user(host, rate) / median;
		const double users = record_count(host, FIGURE_HOST_USERS);

		if (share < SLOW_SHARE &&
		    !is_chance(evidence->run, record_count(host, FIGURE_OPS), ops_per_user * users,
			       (double)evidence->run->host_count))
			NOTICE_ADD(evidence->warnings, NOTICE_HOST_SLOW, .subject = host->key.host,
				   .numbers = {share});
	}
}

/* Warn of hosts whose users may have started earlier or later than the others. */
static void warn_of_clocks(const struct evidence *evidence)
{
	const struct record *host = NULL;

	while ((host = records_next_host(evidence->records, host)) != NULL) {
		const double error_ms = record_count(host, FIGURE_CLOCK_ERROR_MS);

		if (error_ms > CLOCK_MS)
			NOTICE_ADD(evidence->warnings, NOTICE_HOST_CLOCK, .subject = host->key.host,
				   .numbers = {error_ms});
	}
}

static void warn_of_window(const struct evidence *evidence)
{
	double window_s = record_value(evidence->total, FIGURE_SECONDS);

	/* With --loops, no time was asked for, so a window may be short. */
	if (evidence->run->phases.loops == 0 && window_s < SHORT_WINDOW_S)
		add(evidence, NOTICE_SHORT_WINDOW, window_s);
}

/*
 * Warn of operations that were played in a cheaper way than the load has them,
 * such as a write without its flush. Skipped operations need no warning: they
 * are not in the figures, and the header lists them.
 */
static void warn_of_degraded(const struct evidence *evidence)
{
	const struct result_variant *variant = evidence->variant;
	size_t i;

	for (i = 0; i < variant->unsupported_count; i++) {
		const struct result_unsupported *item = &variant->unsupported[i];

		if (item->how == RESULT_DEGRADED)
			NOTICE_ADD(evidence->warnings, NOTICE_DEGRADED, .load = item->load,
				   .subject = item->name, .detail = item->cannot);
	}
}

/* Check if all loads may have been served from the page cache. */
static bool is_cached(const struct evidence *evidence)
{
	const struct result_target *targets = evidence->variant->targets;
	size_t count = evidence->variant->target_count;
	size_t loads = count_loads(evidence), i;
	double bytes = 0;

	for (i = 0; i < loads; i++) {
		const struct played played = load_at(evidence, i);

		if (played.load->synced > 0)
			return false;
		bytes += (double)played.load->footprint_bytes * played.users;
		/* Each target has its own copy of the shared files. */
		bytes += (double)played.load->shared_footprint_bytes *
			 (double)(played.users < count ? played.users : count);
	}
	if (bytes >= CACHE_SHARE * result_memory_bytes(evidence->run))
		return false;
	/* Ignore remote targets: the size of a server's memory is unknown. */
	for (i = 0; i < count; i++)
		if (targets[i].answers && !targets[i].in_memory && !targets[i].remote)
			return true;
	return false;
}

static bool has_phases(const struct evidence *evidence, const struct played *load)
{
	return records_next_phase(evidence->records, load->name, NULL) != NULL;
}

/*
 * With --cold, a user's first loop reads from the disk. Check if the users of a
 * load have also played further loops, which read what the first one has
 * cached. In a load with phases, each phase of each loop reads from the disk.
 */
static bool is_cached_again(const struct evidence *evidence)
{
	size_t loads = count_loads(evidence), i;

	for (i = 0; i < loads; i++) {
		const struct played load = load_at(evidence, i);

		if (!has_phases(evidence, &load) &&
		    record_count(load.record, FIGURE_LOOPS) > load.users)
			return true;
	}
	return false;
}

/*
 * Warn if the figures may be those of memory, and name the remedy: reads come
 * from the disk if the files are not cached or don't fit; writes reach it if
 * they are synced. Directories count as writes.
 */
static void warn_of_cache(const struct evidence *evidence)
{
	const struct result_run *run = evidence->run;
	size_t loads = count_loads(evidence), i;
	double reads = 0, writes = 0;

	if (!is_cached(evidence))
		return;
	for (i = 0; i < loads; i++) {
		const struct played played = load_at(evidence, i);

		reads += (double)played.load->read_bytes * played.users;
		writes += (double)played.load->write_bytes * played.users;
	}
	if (reads <= writes && reads > 0 && run->phases.cold && !is_cached_again(evidence))
		add(evidence, NOTICE_CACHE_WRITES_COLD, 0);
	else if (reads <= writes)
		add(evidence, NOTICE_CACHE_WRITES, 0);
	else if (!run->phases.cold)
		add(evidence, NOTICE_CACHE_READS, 0);
	else if (is_cached_again(evidence))
		add(evidence, NOTICE_CACHE_FIRST_LOOP, 0);
}

/* Warn if a load ended long before the others, so that they were hardly played
 * together. The measured time of a load with phases leaves out waits, so it says
 * nothing. */
static void warn_of_early_end(const struct evidence *evidence, const struct played *load)
{
	double share = record_value(load->record, FIGURE_SECONDS) /
		       record_value(evidence->total, FIGURE_SECONDS);

	if (!has_phases(evidence, load) && share < EARLY_SHARE)
		add_of_load(evidence, load, NOTICE_EARLY_END, share);
}

static void add_warnings(const struct evidence *evidence)
{
	size_t loads = count_loads(evidence), i;

	for (i = 0; i < loads; i++) {
		const struct played load = load_at(evidence, i);

		warn_of_users(evidence, &load);
	}
	warn_of_lateness(evidence);
	warn_of_overload(evidence);
	warn_of_pauses(evidence);
	for (i = 0; i < loads; i++) {
		const struct played load = load_at(evidence, i);

		warn_of_early_end(evidence, &load);
		warn_of_mix(evidence, &load);
		warn_of_laid_out(evidence, &load);
		warn_of_restore(evidence, &load);
	}
	warn_of_verification(evidence);
	warn_of_client(evidence);
	warn_of_slow_hosts(evidence);
	warn_of_clocks(evidence);
	warn_of_window(evidence);
	warn_of_degraded(evidence);
	warn_of_cache(evidence);
}

void warn_of_repeat(const struct result_run *run, struct result_repeat *repeat)
{
	const struct evidence evidence = {
		.run = run,
		.variant = &run->variants[repeat->variant],
		.users = repeat->users,
		.records = &repeat->records,
		.total = records_total(&repeat->records),
		.warnings = &repeat->warnings,
	};

	add_warnings(&evidence);
}

/*
 * Return the spread of the middle half of the repeats: the distance between the
 * medians of the lower and the upper half of their throughput, as a share of the
 * median. Unlike max - min, it does not grow with the number of repeats.
 */
static double spread_of(const struct result_point *point)
{
	const struct record *total = records_total(&point->records);
	enum figure rate = combine_throughput(total);
	size_t count = point->repeat_count, half = count / 2, i;
	double *values = calloc(count, sizeof(*values));
	double spread = 0;

	for (i = 0; i < count && values != NULL; i++)
		values[i] = record_count(records_total(&point->repeats[i].records), rate);
	if (values != NULL && half > 0) {
		gsl_sort(values, 1, count);
		spread = (gsl_stats_median_from_sorted_data(values + count - half, 1, half) -
			  gsl_stats_median_from_sorted_data(values, 1, half)) /
			 record_value(total, rate);
	}
	free(values);
	return spread;
}

/* Print a fact about a host: its kernel, or its number of processors. Return `text`. */
enum { FACT_TEXT = 80 };
static char *print_fact(const struct result_host *host, bool of_kernel, char text[FACT_TEXT])
{
	if (of_kernel)
		snprintf(text, FACT_TEXT, "%s", host->kernel);
	else
		snprintf(text, FACT_TEXT, "%u", host->cpus);
	return text;
}

/* Warn if hosts differ in a fact: name it in the first one, and in the first one that
 * differs. */
static void warn_of_difference(const struct evidence *evidence, bool of_kernel)
{
	const struct result_run *run = evidence->run;
	char first[FACT_TEXT], other[FACT_TEXT], *values;
	size_t differ = 0, at = 0, i;

	for (i = run->host_count; i > 1; i--) {
		if (strcmp(print_fact(&run->hosts[0], of_kernel, first),
			   print_fact(&run->hosts[i - 1], of_kernel, other)) == 0)
			continue;
		at = i - 1;
		differ++;
	}
	if (differ == 0 ||
	    asprintf(&values, "%s has %s, %s has %s%s", run->hosts[0].name, first,
		     run->hosts[at].name, print_fact(&run->hosts[at], of_kernel, other),
		     differ > 1 ? ", and more hosts differ" : "") < 0)
		return;
	NOTICE_ADD(evidence->warnings, NOTICE_HOSTS_DIFFER,
		   .subject = of_kernel ? "kernels" : "numbers of processors", .detail = values);
	free(values);
}

/* Warn of hosts that throng cannot use whole, and of differences between hosts. */
static void warn_of_hosts(const struct evidence *evidence)
{
	const struct result_run *run = evidence->run;
	size_t i;

	for (i = 0; i < run->host_count; i++)
		if (run->hosts[i].usable_cpus < run->hosts[i].cpus)
			NOTICE_ADD(evidence->warnings, NOTICE_HOST_CPUS,
				   .subject = run->hosts[i].name,
				   .numbers = {run->hosts[i].usable_cpus, run->hosts[i].cpus});
	warn_of_difference(evidence, true);
	warn_of_difference(evidence, false);
}

/* Warn if something else may have used the machine. */
static void warn_of_machine(const struct evidence *evidence, const struct result_point *point)
{
	const struct result_variant *variant = evidence->variant;
	size_t i;

	for (i = 0; i < variant->target_count; i++)
		if (variant->targets[i].in_use)
			NOTICE_ADD(evidence->warnings, NOTICE_IN_USE,
				   .subject = variant->targets[i].url);
	if (spread_of(point) > SPREAD)
		add(evidence, evidence->run->pairs > 0 ? NOTICE_SPREAD_PAIRS : NOTICE_SPREAD,
		    SPREAD);
	if (evidence->run->busy_before > BUSY_SHARE)
		add(evidence, NOTICE_BUSY_MACHINE, evidence->run->busy_before);
}

/* Return the warning of a repeat about the sample with this name, or NULL. */
static const struct notice *find_sample(const struct result_repeat *repeat, const char *name)
{
	size_t i;

	for (i = 0; i < repeat->warnings.count; i++)
		if (repeat->warnings.list[i].kind == NOTICE_SAMPLE &&
		    strcmp(repeat->warnings.list[i].subject, name) == 0)
			return &repeat->warnings.list[i];
	return NULL;
}

/* Warn if seconds of a sample are unknown, with the first reason. */
static void warn_of_sample(const struct evidence *evidence, const struct result_point *point,
			   size_t index)
{
	const char *name = evidence->run->samples[index].name;
	const struct notice *first = NULL;
	double unknown = 0, seconds = 0;
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		const struct result_repeat *repeat = &point->repeats[i];
		const struct notice *found = find_sample(repeat, name);

		if (!result_repeat_is_valid(repeat) || index >= repeat->sample_count)
			continue;
		seconds += (double)repeat->samples[index].value_count;
		unknown += found != NULL ? found->numbers[0] : 0;
		first = first != NULL ? first : found;
	}
	if (first != NULL)
		NOTICE_ADD(evidence->warnings, NOTICE_SAMPLE, .numbers = {unknown, seconds},
			   .subject = name, .detail = first->detail);
}

void warn_of_point(const struct result_run *run, struct result_point *point)
{
	const struct evidence evidence = {
		.run = run,
		.variant = &run->variants[point->variant],
		.users = point->users,
		.records = &point->records,
		.total = records_total(&point->records),
		.warnings = &point->warnings,
	};
	size_t i;

	add_warnings(&evidence);
	for (i = 0; i < run->sample_count; i++)
		warn_of_sample(&evidence, point, i);
	warn_of_machine(&evidence, point);
	warn_of_hosts(&evidence);
	if (run->repeats > 1 && !run->random_order &&
	    run->user_count_count * run->variant_count > 1)
		NOTICE_ADD(&point->warnings,
			   run->axis_count > 0 ? NOTICE_DRIFT_SWEEP : NOTICE_DRIFT);
}
