/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep_options.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/units.h"
#include "cli/cli.h"
#include "job/preset.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_MAX_NS (30 * 24 * 3600 * NS_PER_S)
#define REPEATS_MAX 1000

struct poptOption *sweep_options_rows(struct sweep_options *options)
{
	struct sweep_options *o = options;
	const struct poptOption rows[] = {
		{"users", 'u', POPT_ARG_STRING, &o->users, 0,
		 "User counts: 8 or 1,2,4 or 1-64x2 or 4-60+4 (1)", "LIST"},
		{"time", 't', POPT_ARG_STRING, &o->time, 0,
		 "Measured time of each point (10)", "SEC"},
		{"warmup", '\0', POPT_ARG_STRING, &o->warmup, 0,
		 "Time before it, not counted (a fifth of --time)", "SEC"},
		{"ramp-down", '\0', POPT_ARG_STRING, &o->ramp_down, 0,
		 "Time after it, played but not counted (0)", "SEC"},
		{"loops", '\0', POPT_ARG_STRING, &o->loops, 0,
		 "Play so many whole loops and count all of them", "N"},
		{"from-start", '\0', POPT_ARG_NONE, &o->from_start, 0,
		 "Count from the load's first operation, not from the end "
		 "of its prologue", NULL},
		{"repeat", '\0', POPT_ARG_STRING, &o->repeat, 0,
		 "Measure each point so often (1)", "N"},
		{"order", '\0', POPT_ARG_STRING, &o->order, 0,
		 "Order of the points: given or random (random with "
		 "--repeat)", "HOW"},
		{"settle", '\0', POPT_ARG_STRING, &o->settle, 0,
		 "Pause between measurements (0)", "SEC"},
		{"stop-when", '\0', POPT_ARG_ARGV, &o->stop_when, 0,
		 "Try no more users once it holds: 'p99>50ms', or `flat'; "
		 "may be repeated", "WHAT"},
		{"limit", '\0', POPT_ARG_ARGV, &o->limits, 0,
		 "Find the most users with which it holds: 'p99<50ms'; may "
		 "be repeated", "WHAT"},
		{"fail-if", '\0', POPT_ARG_ARGV, &o->fail_if, 0,
		 "End with exit status 3 where it holds at a point: "
		 "'mb_per_s<100'; may be repeated", "WHAT"},
		{"preset", '\0', POPT_ARG_STRING, &o->preset, 0,
		 "Preset for all of these: quick or netbench", "NAME"},
		{"seed", '\0', POPT_ARG_STRING, &o->seed, 0,
		 "For everything random (random)", "N"},
		{"dry-run", '\0', POPT_ARG_NONE, &o->dry_run, 0,
		 "Show what would be measured and how long it takes, then "
		 "exit", NULL},
		POPT_TABLEEND,
	};

	_Static_assert(sizeof(rows) <= sizeof(o->rows), "all rows have room");
	return memcpy(options->rows, rows, sizeof(rows));
}

/* Reads a time where one is given; *ns keeps its value otherwise. */
static int take_time(const char *text, const char *name, uint64_t min_ns,
		     uint64_t *ns, struct error *error)
{
	if (text == NULL)
		return 0;
	return units_parse_duration(text, name, min_ns, TIME_MAX_NS, ns,
				    error);
}

/* Loops are counted from the first to the last: only 0 goes with them. */
static int take_loops(const struct sweep_options *options,
		      struct settings *settings, struct error *error)
{
	int rc;

	settings->warmup_ns = settings->ramp_down_ns = 0;
	rc = take_time(options->warmup, "--warmup", 0, &settings->warmup_ns,
		       error);
	if (rc == 0)
		rc = take_time(options->ramp_down, "--ramp-down", 0,
			       &settings->ramp_down_ns, error);
	if (rc < 0)
		return rc;
	if (options->time != NULL || settings->warmup_ns > 0 ||
	    settings->ramp_down_ns > 0) {
		error_set(error, "--loops does not go with --time, or with a "
			  "--warmup or --ramp-down other than 0: all of its "
			  "loops count");
		return -EINVAL;
	}
	return units_parse_count(options->loops, "--loops", 1, UINT32_MAX,
				 &settings->loops, error);
}

static int take_times(const struct sweep_options *options,
		      struct settings *settings, struct error *error)
{
	int rc;

	settings->from_start = options->from_start != 0;
	if (options->loops != NULL)
		return take_loops(options, settings, error);
	rc = take_time(options->time, "--time", NS_PER_MS,
		       &settings->time_ns, error);
	/* A preset's warm-up is for the preset's time. */
	if (rc == 0 && (options->preset == NULL || options->time != NULL))
		settings->warmup_ns = settings->time_ns / 5;
	if (rc == 0)
		rc = take_time(options->warmup, "--warmup", 0,
			       &settings->warmup_ns, error);
	return rc < 0 ? rc : take_time(options->ramp_down, "--ramp-down", 0,
				       &settings->ramp_down_ns, error);
}

static int take_order(const struct sweep_options *options,
		      struct settings *settings, struct error *error)
{
	bool stops = options->stop_when != NULL;

	if (options->repeat != NULL) {
		uint64_t repeats;

		if (units_parse_count(options->repeat, "--repeat", 1,
				      REPEATS_MAX, &repeats, error) < 0)
			return -EINVAL;
		settings->repeats = (unsigned)repeats;
	}
	if (options->order == NULL) {
		if (options->preset == NULL)
			settings->random_order =
				settings->repeats > 1 && !stops;
		return 0;
	}
	settings->random_order = strcmp(options->order, "random") == 0;
	if (!settings->random_order && strcmp(options->order, "given") != 0) {
		error_set(error, "--order: \"%s\" is not given or random",
			  options->order);
		return -EINVAL;
	}
	if (!settings->random_order || !stops)
		return 0;
	error_set(error, "--stop-when does not go with --order random: it "
		  "needs the points one after the other");
	return -EINVAL;
}

int sweep_options_take(const struct sweep_options *options,
		       struct settings *settings, struct error *error)
{
	int rc = preset_apply(options->preset, settings, error);

	if (rc == 0 && options->users != NULL) {
		free(settings->user_counts);
		settings->user_counts = NULL;
		rc = settings_parse_users(options->users,
					  &settings->user_counts,
					  &settings->user_count_count, error);
	}
	if (rc == 0)
		rc = take_times(options, settings, error);
	if (rc == 0)
		rc = take_order(options, settings, error);
	if (rc == 0)
		rc = take_time(options->settle, "--settle", 0,
			       &settings->settle_ns, error);
	if (rc == 0)
		rc = settings_parse_conditions(options->limits, "--limit",
					       &settings->limits,
					       &settings->limit_count, NULL,
					       error);
	if (rc == 0)
		rc = settings_parse_conditions(options->stop_when,
					       "--stop-when", &settings->stops,
					       &settings->stop_count,
					       &settings->stop_when_flat,
					       error);
	if (rc == 0)
		rc = settings_parse_conditions(options->fail_if, "--fail-if",
					       &settings->failures,
					       &settings->failure_count, NULL,
					       error);
	settings->seed = random_seed();
	if (rc == 0 && options->seed != NULL)
		rc = units_parse_count(options->seed, "--seed", 0, INT64_MAX,
				       &settings->seed, error);
	return rc;
}

/* All conditions of one option, of which any will do. */
static void record_conditions(const char *name, char *const *texts,
			      struct result_run *run)
{
	char *all = NULL;
	size_t bytes, i;
	FILE *stream;

	if (texts == NULL)
		return;
	stream = open_memstream(&all, &bytes);
	if (stream == NULL)
		return;
	for (i = 0; texts[i] != NULL; i++)
		fprintf(stream, "%s%s", i > 0 ? " or " : "", texts[i]);
	if (fclose(stream) == 0)
		result_add_option(run, name, "%s", all);
	free(all);
}

void sweep_options_record(const struct sweep_options *options,
			  const struct settings *settings,
			  struct result_run *run)
{
	size_t bytes = settings->user_count_count * sizeof(unsigned);

	run->seed = settings->seed;
	run->time_ns = settings->time_ns;
	run->warmup_ns = settings->warmup_ns;
	run->ramp_down_ns = settings->ramp_down_ns;
	run->settle_ns = settings->settle_ns;
	run->loops = settings->loops;
	run->from_start = settings->from_start;
	run->repeats = settings->repeats;
	run->random_order = settings->random_order;
	run->user_counts = malloc(bytes);
	if (run->user_counts != NULL) {
		memcpy(run->user_counts, settings->user_counts, bytes);
		run->user_count_count = settings->user_count_count;
	}
	if (options->preset != NULL)
		result_add_option(run, "preset", "%s", options->preset);
	record_conditions("stop_when", options->stop_when, run);
	record_conditions("fail_if", options->fail_if, run);
}

void sweep_options_free(struct sweep_options *options)
{
	free(options->preset);
	free(options->users);
	free(options->time);
	free(options->warmup);
	free(options->ramp_down);
	free(options->settle);
	free(options->loops);
	free(options->repeat);
	free(options->order);
	free(options->seed);
	cli_free_words(options->limits);
	cli_free_words(options->stop_when);
	cli_free_words(options->fail_if);
}
