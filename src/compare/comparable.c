/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparable.h"

#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Two runs, and what the checks below found. */
struct pair {
	const struct result_run *runs[2];
	const char *const *names; /* names of the runs, for messages */
	const char **option; /* set to the option that differs */
	struct error *error; /* set to the first difference */
};

#define MISMATCH "the runs do not match: %s differs: "

static void same_text(const struct pair *pair, const char *what,
		      const char *one, const char *other)
{
	if (one == NULL)
		one = "unknown";
	if (other == NULL)
		other = "unknown";
	if (strcmp(one, other) != 0)
		error_set(pair->error, MISMATCH "%s in %s, %s in %s", what, one,
			  pair->names[0], other, pair->names[1]);
}

static void same_count(const struct pair *pair, const char *what, uint64_t one,
		       uint64_t other)
{
	if (one != other)
		error_set(pair->error,
			  MISMATCH "%" PRIu64 " in %s, %" PRIu64 " in %s",
			  what, one, pair->names[0], other, pair->names[1]);
}

static void same_time(const struct pair *pair, const char *what,
		      uint64_t one_ns, uint64_t other_ns)
{
	if (one_ns != other_ns)
		error_set(pair->error, MISMATCH "%g s in %s, %g s in %s",
			  what, (double)one_ns / 1e9, pair->names[0],
			  (double)other_ns / 1e9, pair->names[1]);
}

/* Check if an option may differ, because it only decides when to stop or
 * what to refuse, not what is played. */
static bool may_differ(const char *name)
{
	static const char *const names[] = {"preset", "stop_when", "fail_if",
					    "max_errors", "timeout", "strict"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static const char *find_option(const struct result_run *run, const char *name)
{
	size_t i;

	for (i = 0; i < run->option_count; i++)
		if (strcmp(run->options[2 * i], name) == 0)
			return run->options[2 * i + 1];
	return "not given";
}

/* Check that both runs have the same options with the same values. */
static void same_options(const struct pair *pair)
{
	unsigned side;
	size_t i;

	for (side = 0; side < 2; side++) {
		const struct result_run *run = pair->runs[side];

		for (i = 0; i < run->option_count && !pair->error->set; i++) {
			const char *name = run->options[2 * i];
			char what[128];

			if (may_differ(name))
				continue;
			snprintf(what, sizeof(what), "option \"%s\"", name);
			same_text(pair, what, find_option(pair->runs[0], name),
				  find_option(pair->runs[1], name));
			if (pair->error->set)
				*pair->option = name;
		}
	}
}

int comparable_measured(const struct result_run *one,
			const struct result_run *other,
			const char *const names[2], const char **option,
			struct error *error)
{
	const struct pair pair = {{one, other}, names, option, error};

	*option = NULL;
	same_text(&pair, "the loadfile's SHA-256", one->loadfile.sha256,
		  other->loadfile.sha256);
	same_count(&pair, "the number of operations per loop",
		   one->loadfile.ops, other->loadfile.ops);
	same_count(&pair, "the footprint in bytes",
		   one->loadfile.footprint_bytes,
		   other->loadfile.footprint_bytes);
	same_count(&pair, "--loops", one->phases.loops, other->phases.loops);
	if (one->phases.loops == 0) {
		same_time(&pair, "the measured time", one->phases.time_ns,
			  other->phases.time_ns);
		same_time(&pair, "the warm-up", one->phases.warmup_ns,
			  other->phases.warmup_ns);
		same_text(&pair, "--from-start",
			  one->phases.from_start ? "given" : "not given",
			  other->phases.from_start ? "given" : "not given");
	}
	same_text(&pair, "--cold", one->phases.cold ? "given" : "not given",
		  other->phases.cold ? "given" : "not given");
	same_options(&pair);
	return error->set ? -EINVAL : 0;
}

int comparable_planned(const struct result_run *one,
		       const struct result_run *other,
		       const char *const names[2], const char **option,
		       struct error *error)
{
	const struct pair pair = {{one, other}, names, option, error};
	size_t i;

	comparable_measured(one, other, names, option, error);
	same_count(&pair, "the number of points", one->user_count_count,
		   other->user_count_count);
	for (i = 0; !error->set && i < one->user_count_count; i++)
		same_count(&pair, "a point's number of users",
			   one->user_counts[i], other->user_counts[i]);
	same_count(&pair, "--users-from", one->users_from, other->users_from);
	same_count(&pair, "--repeat", one->repeats, other->repeats);
	same_text(&pair, "--order",
		  one->random_order ? "random" : "given",
		  other->random_order ? "random" : "given");
	same_time(&pair, "--ramp-down", one->phases.ramp_down_ns,
		  other->phases.ramp_down_ns);
	same_count(&pair, "the seed", one->seed, other->seed);
	return error->set ? -EINVAL : 0;
}

/* Check that `result` has at least one point, that all of its points are valid,
 * and that the other result has points with the same user counts. */
static void check_points(const struct result *result, const char *name,
			 const struct result *other, const char *other_name,
			 struct error *error)
{
	size_t i;

	if (result->point_count == 0)
		error_set(error, "%s: no point was measured", name);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const char *word = units_plural(point->users, "user", "users");

		if (!result_is_valid(point))
			error_set(error, "%s: the point of %u %s is not "
				  "valid: %s", name, point->users, word,
				  point->invalid.texts[0]);
		else if (result_find_point(other, point->users) == NULL)
			error_set(error, "%s has a point of %u %s, but %s has "
				  "none", name, point->users, word, other_name);
	}
}

/* Return the number of operations with the same name as `like` that are played
 * in the same way (skipped, degraded or emulated). */
static uint64_t count_unsupported(const struct result_run *run,
				  const struct result_unsupported *like)
{
	uint64_t ops = 0;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++)
		if (run->unsupported[i].how == like->how &&
		    strcmp(run->unsupported[i].name, like->name) == 0)
			ops += run->unsupported[i].ops;
	return ops;
}

/* Check that both sides skip, degrade and emulate the same operations. */
static void same_unsupported(const struct pair *pair)
{
	static const char *const how[] = {
		[RESULT_SKIPPED] = "skipped",
		[RESULT_DEGRADED] = "degraded",
		[RESULT_EMULATED] = "emulated",
	};
	unsigned side;
	size_t i;

	for (side = 0; side < 2; side++) {
		const struct result_run *run = pair->runs[side];

		for (i = 0; i < run->unsupported_count; i++) {
			const struct result_unsupported *item =
				&run->unsupported[i];
			char what[128];

			snprintf(what, sizeof(what),
				 "the number of %s %s operations per loop",
				 how[item->how], item->name);
			same_count(pair, what,
				   count_unsupported(pair->runs[0], item),
				   count_unsupported(pair->runs[1], item));
		}
	}
}

/* Compare a fact of both runs. If it differs, set an error if `refused` is
 * true, otherwise add a warning. Both texts begin with `difference`. */
static void check_origin(struct comparison *comparison, const char *difference,
			 const char *base, const char *new, bool refused,
			 struct error *error)
{
	if (strcmp(base, new) == 0)
		return;
	if (refused)
		error_set(error, "cannot compare results %s: %s and %s",
			  difference, base, new);
	else
		result_add_reason(&comparison->warnings, "%s: %s and %s",
				  difference, base, new);
}

int comparable_results(struct comparison *comparison,
		       const char *const names[SIDES], bool same_host,
		       struct error *error)
{
	const struct result *const *results = comparison->results;
	const struct result_run *base = &results[BASE]->run;
	const struct result_run *new = &results[NEW]->run;
	const struct pair pair = {{base, new}, names, &comparison->option,
				  error};
	unsigned side;

	for (side = 0; side < SIDES; side++)
		check_points(results[side], names[side], results[1 - side],
			     names[1 - side], error);
	/* The load that each target gets depends on the number of targets, as
	 * the users are spread over them. */
	same_count(&pair, "the number of targets", base->target_count,
		   new->target_count);
	comparable_measured(base, new, names, pair.option, error);
	same_unsupported(&pair);
	check_origin(comparison, "measured on different hosts", base->host,
		     new->host, same_host, error);
	check_origin(comparison, "measured with different kernels",
		     base->kernel, new->kernel, same_host, error);
	/* Different versions of throng may play the same load differently. */
	check_origin(comparison, "measured with different versions of throng",
		     base->version, new->version, false, error);
	return error->set ? -EINVAL : 0;
}
