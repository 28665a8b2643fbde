/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/warning.h"

#include "result/variant.h"

#include <math.h>
#include <stdlib.h>

/* Thresholds of the warnings. */
#define UNEVEN_SHARE 0.5    /* operations of the slowest / fastest user */
#define MIX_DIFFERENCE 0.05 /* relative, of bytes per operation */
#define GENERATOR_SHARE 0.5 /* share of the usable processors' time */
#define SHORT_WINDOW_S 1.0
#define RESTORE_SHARE 0.1  /* share of the users' time */
#define LAID_OUT_SHARE 0.2 /* share of the load's bytes */
#define LATE_NS 1000000    /* p99 of the lateness */
#define LATE_SAMPLES 100   /* with fewer samples there is no p99 */
#define CACHE_SHARE 0.5    /* share of this machine's memory */
#define SPREAD 0.25        /* of the middle half of the repeats, / median */
#define BUSY_SHARE 0.1     /* share of the processors' time */
#define HELD_UP_SHARE 0.05 /* one operation / the measured window */
#define EARLY_SHARE 0.5    /* a load's window / the measured window */
/*
 * If there are more users than processors, a user waits for the time slices of
 * all others. Allow for each user a time slice of 10 ms (CONFIG_HZ=100), and as
 * much again for a server on the same machine.
 */
#define TURN_S 0.02

/* The figures of a point or of one repeat, and the list to add warnings to. */
struct evidence {
	const struct result_run *run;
	unsigned users, repeats;
	const struct result_figures *figures;
	struct notices *warnings;
};

/* One load of the run, and the figures of its users. */
struct played {
	const struct result_loadfile *loadfile;
	unsigned users;
	const struct result_figures *figures;
	const char *name; /* NULL: the run has only one load */
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
	const struct result_figures *figures = evidence->figures;
	const struct result_run *run = evidence->run;
	const struct result_load *load;

	if (figures->load_count == 0)
		return (struct played){&run->loadfile, evidence->users, figures, NULL};
	load = &figures->loads[index];
	return (struct played){&run->loadfiles[index], load->users, &load->figures, load->name};
}

static size_t count_loads(const struct evidence *evidence)
{
	size_t count = evidence->figures->load_count;

	return count > 0 ? count : evidence->run->loadfile_count == 0;
}

/*
 * Check if chance may explain the numbers of operations of the slowest and the
 * fastest user, because operations arrive at random. By Chernoff's bound, the
 * root of a Poisson count is off by more than t with a probability of at most
 * 2 exp(-t^2). Among all users, this is at most 1 % for the t used here.
 */
static bool is_chance(const struct result_run *run, const struct played *load)
{
	double slowest = sqrt((double)load->figures->min_user_ops);
	double fastest = sqrt((double)load->figures->max_user_ops);

	return run->paced && fastest - slowest <= 2 * sqrt(log(200.0 * load->users));
}

/* Warn if the users of one of several loads completed nothing, or if the users
 * of a load progressed unevenly. */
static void warn_of_users(const struct evidence *evidence, const struct played *load)
{
	const struct result_figures *figures = load->figures;

	if (figures->ops == 0 && load->name != NULL)
		add_of_load(evidence, load, NOTICE_NO_OPERATION_OF_LOAD, 0);
	if (load->users > 1 &&
	    (double)figures->min_user_ops < UNEVEN_SHARE * (double)figures->max_user_ops &&
	    !is_chance(evidence->run, load))
		add_of_load(evidence, load, NOTICE_UNEVEN_USERS,
			    (double)figures->min_user_ops / (double)figures->max_user_ops);
}

/* Warn if throng itself, not the target, started operations late. */
static void warn_of_lateness(const struct evidence *evidence)
{
	const struct result_latency *lateness = &evidence->figures->lateness;
	bool has_p99 = lateness->count >= LATE_SAMPLES;
	uint64_t late_ns = has_p99 ? lateness->p99_ns : lateness->max_ns;

	if (late_ns > LATE_NS)
		add(evidence, has_p99 ? NOTICE_LATE_P99 : NOTICE_LATE_MAX, (double)late_ns / 1e6);
}

/* Warn if the target ended fewer operations than became due. The last one of
 * each user may still be in flight when the measured time ends. */
static void warn_of_overload(const struct evidence *evidence)
{
	const struct result_due *due = &evidence->figures->due;
	uint64_t in_flight = (uint64_t)evidence->users * evidence->repeats;

	if (!result_kept_up(due, in_flight))
		add(evidence, NOTICE_OVERLOAD, (double)due->ended / (double)due->count);
}

/*
 * Warn of pauses that are not part of the load: of any whole second without an
 * operation (see seconds.c), and of a long operation. Warn of the latter only
 * if it took a good part of the window, because a shorter one changes no
 * figure, and longer than a user may have to wait for a processor.
 */
static void warn_of_pauses(const struct evidence *evidence)
{
	const struct result_figures *figures = evidence->figures;
	double window_s = figures->seconds / evidence->repeats;
	double turn_s = TURN_S * evidence->users / evidence->run->cpus;
	double silent_s = (double)figures->silent_s;
	double explained_s = figures->stood_still_s;

	if (figures->stood_still_s > 0)
		add(evidence, NOTICE_SUSPENDED, figures->stood_still_s);
	if (silent_s > figures->stood_still_s) {
		add(evidence, NOTICE_SILENT, silent_s);
		/* A pause of N whole seconds can last up to N + 2 s. */
		explained_s = silent_s + 2;
	}
	if (figures->held_up_s > explained_s + fmax(HELD_UP_SHARE * window_s, turn_s))
		add(evidence, NOTICE_BLOCKED, figures->held_up_s);
}

/*
 * Warn if the mix of operations that the users of a load played in the measured
 * window differs from the mix in the whole load. If no user finished a loop,
 * this is the reason; there is no separate warning for it.
 */
static void warn_of_mix(const struct evidence *evidence, const struct played *played)
{
	const struct result_loadfile *loadfile = played->loadfile;
	const struct result_figures *figures = played->figures;
	double load = (double)(loadfile->read_bytes + loadfile->write_bytes) /
		      (double)loadfile->ops;
	/* Count skipped operations: they move no bytes, but are part of the
	 * load's mix. */
	double seen = (double)figures->bytes / (double)(figures->ops + figures->skipped);

	/* If the load does not record the size of its reads, its bytes per
	 * operation are unknown. */
	if (figures->ops > 0 && load > 0 && loadfile->open_reads == 0 &&
	    fabs(seen - load) > MIX_DIFFERENCE * load)
		NOTICE_ADD(evidence->warnings,
			   figures->loops > 0 ? NOTICE_MIX : NOTICE_MIX_UNFINISHED,
			   .load = played->name, .numbers = {seen, load});
}

/*
 * Warn if a good part of a timed run lays out the files that it reads. With
 * --loops this part is the same in every measurement, and asked for.
 */
static void warn_of_laid_out(const struct evidence *evidence, const struct played *played)
{
	const struct result_loadfile *loadfile = played->loadfile;
	double bytes = (double)loadfile->read_bytes + (double)loadfile->write_bytes;
	double laid_out = (double)loadfile->laid_out_bytes;

	if (evidence->run->phases.loops == 0 && loadfile->open_reads == 0 &&
	    laid_out > LAID_OUT_SHARE * bytes)
		add_of_load(evidence, played, NOTICE_LAID_OUT, laid_out / bytes);
}

/* Warn if --verify has compared little or nothing. */
static void warn_of_verification(const struct evidence *evidence)
{
	const struct result_verified *verified = &evidence->figures->verified;

	if (verified->full_maps > 0)
		add(evidence, NOTICE_VERIFY_MEMORY, (double)verified->full_maps);
	if (verified->unreadable_files > 0)
		add(evidence, NOTICE_VERIFY_UNREADABLE, (double)verified->unreadable_files);
	else if (verified->users > 0 && verified->compared_bytes + verified->read_back_bytes == 0)
		add(evidence, NOTICE_VERIFY_NOTHING, 0);
}

static void warn_of_restore(const struct evidence *evidence, const struct played *played)
{
	double share = played->figures->restore_share;

	if (share > RESTORE_SHARE)
		add_of_load(evidence, played, NOTICE_RESTORE, share);
}

/*
 * Warn if the client was probably the bottleneck. For a remote target, count
 * the users' system time as well: it is the cost of the client. For a local
 * target, system time is the work of the target.
 */
static void warn_of_client(const struct evidence *evidence)
{
	const struct result_run *run = evidence->run;
	const struct result_figures *figures = evidence->figures;
	/* The number of processors that the users can keep busy. */
	unsigned usable = evidence->users < run->cpus ? evidence->users : run->cpus;
	double processors_s = figures->seconds * usable;
	double spent_s = figures->client_cpu.user_s;
	size_t i;

	for (i = 0; i < run->target_count; i++) {
		if (run->targets[i].remote) {
			spent_s += figures->client_cpu.system_s;
			break;
		}
	}
	if (processors_s > 0 && spent_s > GENERATOR_SHARE * processors_s)
		add(evidence, NOTICE_CLIENT_BUSY, spent_s / processors_s);
}

static void warn_of_window(const struct evidence *evidence)
{
	double window_s = evidence->figures->seconds / evidence->repeats;

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
	const struct result_run *run = evidence->run;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++) {
		const struct result_unsupported *item = &run->unsupported[i];

		if (item->how == RESULT_DEGRADED)
			NOTICE_ADD(evidence->warnings, NOTICE_DEGRADED, .load = item->load,
				   .subject = item->name, .detail = item->cannot);
	}
}

/* Check if all loads may have been served from the page cache. */
static bool is_cached(const struct evidence *evidence)
{
	const struct result_run *run = evidence->run;
	size_t loads = count_loads(evidence), i;
	double bytes = 0;

	for (i = 0; i < loads; i++) {
		const struct played load = load_at(evidence, i);

		if (load.loadfile->synced > 0)
			return false;
		bytes += (double)load.loadfile->footprint_bytes * load.users;
		/* Each target has its own copy of the shared files. */
		bytes += (double)load.loadfile->shared_footprint_bytes *
			 (double)(load.users < run->target_count ? load.users : run->target_count);
	}
	if (bytes >= CACHE_SHARE * (double)run->memory_bytes)
		return false;
	/* Ignore remote targets: the size of a server's memory is unknown. */
	for (i = 0; i < run->target_count; i++)
		if (run->targets[i].answers && !run->targets[i].in_memory &&
		    !run->targets[i].remote)
			return true;
	return false;
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

		if (load.figures->phase_count == 0 &&
		    (double)load.figures->loops / evidence->repeats > load.users)
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
		const struct played load = load_at(evidence, i);

		reads += (double)load.loadfile->read_bytes * load.users;
		writes += (double)load.loadfile->write_bytes * load.users;
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
	double share = load->figures->seconds / evidence->figures->seconds;

	if (load->figures->phase_count == 0 && share < EARLY_SHARE)
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
	warn_of_window(evidence);
	warn_of_degraded(evidence);
	warn_of_cache(evidence);
}

void warn_of_figures(const struct result_run *run, unsigned users,
		     const struct result_figures *figures, struct notices *warnings)
{
	const struct evidence evidence = {
		.run = run,
		.users = users,
		.repeats = 1,
		.figures = figures,
		.warnings = warnings,
	};

	add_warnings(&evidence);
}

static int by_value(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/*
 * Return the spread of the middle half of the repeats: the distance between the
 * medians of the lower and the upper half of their throughput, as a share of the
 * median. Unlike max - min, it does not grow with the number of repeats. The
 * throughput is that in MB/s or, if the load moves no bytes, in operations per
 * second.
 */
static double spread_of(const struct result_point *point)
{
	const struct result_figures *figures = &point->figures;
	bool moves = figures->bytes > 0;
	double median = moves ? figures->mb_per_s : figures->ops_per_s, spread = 0;
	size_t count = point->repeat_count, half = count / 2, i;
	double *values = calloc(count, sizeof(*values));

	for (i = 0; i < count && values != NULL; i++)
		values[i] = moves ? point->repeats[i].figures.mb_per_s
				  : point->repeats[i].figures.ops_per_s;
	if (values != NULL && half > 0 && median > 0) {
		const double *low = values, *high = values + count - half;

		qsort(values, count, sizeof(*values), by_value);
		spread = (high[(half - 1) / 2] + high[half / 2] - low[(half - 1) / 2] -
			  low[half / 2]) /
			 2 / median;
	}
	free(values);
	return spread;
}

/* Warn if something else may have used the machine. */
static void warn_of_machine(const struct evidence *evidence, const struct result_point *point)
{
	const struct result_run *run = evidence->run;
	unsigned i;

	for (i = 0; i < run->target_count; i++)
		if (run->targets[i].in_use)
			NOTICE_ADD(evidence->warnings, NOTICE_IN_USE,
				   .subject = run->targets[i].url);
	if (spread_of(point) > SPREAD)
		add(evidence, NOTICE_SPREAD, SPREAD);
	if (run->busy_before > BUSY_SHARE)
		add(evidence, NOTICE_BUSY_MACHINE, run->busy_before);
}

void warn_of_point(const struct result_run *run, struct result_point *point)
{
	const struct evidence evidence = {
		.run = run,
		.users = point->users,
		.repeats = (unsigned)point->repeat_count,
		.figures = &point->figures,
		.warnings = &point->warnings,
	};

	add_warnings(&evidence);
	warn_of_machine(&evidence, point);
	if (run->repeats > 1 && !run->random_order &&
	    run->user_count_count * variant_count(run) > 1)
		NOTICE_ADD(&point->warnings,
			   run->axis_count > 0 ? NOTICE_DRIFT_SWEEP : NOTICE_DRIFT);
}
