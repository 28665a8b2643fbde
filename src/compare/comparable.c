/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparable.h"

#include "result/variant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two runs, and what the checks below found. */
struct pair {
	const struct result_run *runs[2];
	const char *const *names; /* names of the runs, for messages */
	struct error *error;      /* set to the first difference */
};

#define MISMATCH "the runs do not match: %s differs: "

static void same_text(const struct pair *pair, const char *what, const char *one, const char *other)
{
	if (one == NULL)
		one = "unknown";
	if (other == NULL)
		other = "unknown";
	if (strcmp(one, other) != 0)
		error_set(pair->error, MISMATCH "%s in %s, %s in %s", what, one, pair->names[0],
			  other, pair->names[1]);
}

static void same_count(const struct pair *pair, const char *what, uint64_t one, uint64_t other)
{
	if (one != other)
		error_set(pair->error, MISMATCH "%" PRIu64 " in %s, %" PRIu64 " in %s", what, one,
			  pair->names[0], other, pair->names[1]);
}

static void same_time(const struct pair *pair, const char *what, uint64_t one_ns, uint64_t other_ns)
{
	if (one_ns != other_ns)
		error_set(pair->error, MISMATCH "%g s in %s, %g s in %s", what,
			  (double)one_ns / 1e9, pair->names[0], (double)other_ns / 1e9,
			  pair->names[1]);
}

/* Check if an option may differ, because it only decides when to stop or what
 * to refuse, not what is played; or because same_clients checks its effect. */
static bool may_differ(const char *name)
{
	static const char *const names[] = {"preset",  "stop_when", "fail_if",   "max_errors",
					    "timeout", "strict",    "smb-client"};
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
		}
	}
}

/* Max digits of a digest that a message shows. */
enum { DIGEST_SHOWN = 12 };

/* Check that a load has the same digest in both runs. If not, print the names
 * if these differ too, otherwise the start of the digests. */
static void same_digest(const struct pair *pair, size_t number, const struct result_loadfile *one,
			const struct result_loadfile *other)
{
	const char *old = one->sha256 != NULL ? one->sha256 : "unknown";
	const char *new = other->sha256 != NULL ? other->sha256 : "unknown";
	char of_load[32] = "", what[96];

	if (strcmp(old, new) == 0)
		return;
	if (number > 0)
		snprintf(of_load, sizeof(of_load), " %zu", number);
	snprintf(what, sizeof(what), "%s%s", number > 0 ? "load" : "the load", of_load);
	same_text(pair, what, one->name, other->name);
	snprintf(what, sizeof(what), "the loadfile's SHA-256%s%s", number > 0 ? " of load" : "",
		 of_load);
	error_set(pair->error, MISMATCH "%.*s in %s, %.*s in %s", what, DIGEST_SHOWN, old,
		  pair->names[0], DIGEST_SHOWN, new, pair->names[1]);
}

/* Check that one load of both runs is the same. `number` is its number, from 1;
 * 0: the runs have only one load. */
static void same_loadfile(const struct pair *pair, size_t number, const struct result_loadfile *one,
			  const struct result_loadfile *other)
{
	char of_load[32] = "", what[96];

	if (number > 0)
		snprintf(of_load, sizeof(of_load), " of load %zu", number);
	same_digest(pair, number, one, other);
	snprintf(what, sizeof(what), "the number of operations per loop%s", of_load);
	same_count(pair, what, one->ops, other->ops);
	snprintf(what, sizeof(what), "the footprint in bytes%s", of_load);
	same_count(pair, what, one->footprint_bytes, other->footprint_bytes);
	snprintf(what, sizeof(what), "the shared footprint in bytes%s", of_load);
	same_count(pair, what, one->shared_footprint_bytes, other->shared_footprint_bytes);
	snprintf(what, sizeof(what), "the weight%s", of_load);
	same_count(pair, what, one->weight, other->weight);
}

/* Check that both runs have the same list of loads. */
static void same_loadfiles(const struct pair *pair)
{
	const struct result_loadfile *lists[2];
	size_t counts[2], i;

	for (i = 0; i < 2; i++)
		lists[i] = result_loadfiles(pair->runs[i], &counts[i]);
	same_count(pair, "the number of loads", counts[0], counts[1]);
	for (i = 0; i < counts[0] && !pair->error->set; i++)
		same_loadfile(pair, counts[0] > 1 ? i + 1 : 0, &lists[0][i], &lists[1][i]);
}

int comparable_measured(const struct result_run *one, const struct result_run *other,
			const char *const names[2], struct error *error)
{
	const struct pair pair = {{one, other}, names, error};

	same_loadfiles(&pair);
	same_count(&pair, "--loops", one->phases.loops, other->phases.loops);
	if (one->phases.loops == 0) {
		same_time(&pair, "the measured time", one->phases.time_ns, other->phases.time_ns);
		same_time(&pair, "the warm-up", one->phases.warmup_ns, other->phases.warmup_ns);
		same_text(&pair, "--from-start", one->phases.from_start ? "given" : "not given",
			  other->phases.from_start ? "given" : "not given");
	}
	same_text(&pair, "--cold", one->phases.cold ? "given" : "not given",
		  other->phases.cold ? "given" : "not given");
	same_options(&pair);
	return error->set ? -EINVAL : 0;
}

/*
 * Check that the same client has played on the SMB targets with the same index
 * in both runs. Different clients send different requests for the same load.
 * Other targets are ignored.
 */
static void same_clients(const struct pair *pair)
{
	const struct result_run *one = pair->runs[0], *other = pair->runs[1];
	size_t i;

	for (i = 0; !pair->error->set && i < one->target_count && i < other->target_count; i++) {
		const char *name = one->targets[i].client.name;
		const char *like = other->targets[i].client.name;

		if (name != NULL && like != NULL)
			same_text(pair, "the client for SMB", name, like);
	}
}

/* Check that both runs have the same axes, in the same order. */
static void same_axes(const struct pair *pair)
{
	const struct result_run *one = pair->runs[0], *other = pair->runs[1];
	size_t i, j;

	same_count(pair, "the number of axes of --sweep", one->axis_count, other->axis_count);
	for (i = 0; !pair->error->set && i < one->axis_count; i++) {
		const struct result_axis *axis = &one->axes[i];
		const struct result_axis *like = &other->axes[i];

		same_text(pair, "an axis of --sweep", axis->name, like->name);
		same_count(pair, "the number of values of an axis", axis->value_count,
			   like->value_count);
		for (j = 0; !pair->error->set && j < axis->value_count; j++)
			same_text(pair, "a value of an axis", axis->values[j], like->values[j]);
	}
}

int comparable_planned(const struct result_run *one, const struct result_run *other,
		       const char *const names[2], struct error *error)
{
	const struct pair pair = {{one, other}, names, error};
	size_t i;

	same_axes(&pair);
	for (i = 0; !error->set && i < variant_count(one); i++) {
		const struct result_run views[] = {variant_run(one, i), variant_run(other, i)};

		comparable_measured(&views[0], &views[1], names, error);
	}
	same_count(&pair, "the number of points", one->user_count_count, other->user_count_count);
	for (i = 0; !error->set && i < one->user_count_count; i++)
		same_count(&pair, "a point's number of users", one->user_counts[i],
			   other->user_counts[i]);
	same_count(&pair, "--repeat", one->repeats, other->repeats);
	same_text(&pair, "--order", one->random_order ? "random" : "given",
		  other->random_order ? "random" : "given");
	same_time(&pair, "--ramp-down", one->phases.ramp_down_ns, other->phases.ramp_down_ns);
	same_count(&pair, "the seed", one->seed, other->seed);
	return error->set ? -EINVAL : 0;
}

/* Check that `result` has at least one point, that all of its points are valid,
 * and that the other result has points with the same user counts and sets. */
static void check_points(const struct result *result, const char *name, const struct result *other,
			 const char *other_name, struct error *error)
{
	size_t i;

	if (result->point_count == 0)
		error_set(error, "%s: no point was measured", name);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		char place[VARIANT_TEXT];
		char *reason;

		variant_print_point(point, place);
		if (!result_is_valid(point)) {
			reason = notice_text(&point->invalid.list[0]);
			error_set(error, "%s: the point of %s is not valid: %s", name, place,
				  reason != NULL ? reason : "out of memory");
			free(reason);
		} else if (variant_match(other, point) == NULL) {
			error_set(error, "%s has a point of %s, but %s has none", name, place,
				  other_name);
		}
	}
}

/* Check if two names of loads, which may be NULL, are the same. */
static bool is_same_load(const char *one, const char *other)
{
	return one == other || (one != NULL && other != NULL && strcmp(one, other) == 0);
}

/* Return the number of operations with the same name and load as `like` that
 * are played in the same way (skipped, degraded or emulated). */
static uint64_t count_unsupported(const struct result_run *run,
				  const struct result_unsupported *like)
{
	uint64_t ops = 0;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++)
		if (run->unsupported[i].how == like->how &&
		    is_same_load(run->unsupported[i].load, like->load) &&
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
			const struct result_unsupported *item = &run->unsupported[i];
			char what[128];

			snprintf(what, sizeof(what), "the number of %s %s operations per loop",
				 how[item->how], item->name);
			same_count(pair, what, count_unsupported(pair->runs[0], item),
				   count_unsupported(pair->runs[1], item));
		}
	}
}

/* Compare a fact of both runs. If it differs, set an error if `refused` is
 * true, otherwise add a warning. */
static void check_origin(struct comparison *comparison, enum notice_kind kind, const char *base,
			 const char *new, bool refused, struct error *error)
{
	const struct notice notice = {.kind = kind, .subject = base, .detail = new};
	char *text;

	if (strcmp(base, new) == 0)
		return;
	if (!refused) {
		notice_add(&comparison->warnings, &notice);
		return;
	}
	text = notice_text(&notice);
	error_set(error, "cannot compare results %s", text != NULL ? text : "");
	free(text);
}

/* Check that the same load was measured in the same way. The arguments are two
 * runs, or views of their variants (result/variant.h). */
static void same_variant(const struct pair *pair, const struct result_run *base,
			 const struct result_run *new)
{
	const struct pair views = {{base, new}, pair->names, pair->error};

	/* The load that each target gets depends on the number of targets, as
	 * the users are spread over them. */
	same_count(&views, "the number of targets", base->target_count, new->target_count);
	comparable_measured(base, new, pair->names, pair->error);
	/* Targets that are measured in pairs were chosen to be compared. One of
	 * two other results may have another client only because its throng had
	 * another default. */
	if (base->pairs == 0 || new->pairs == 0)
		same_clients(&views);
	same_unsupported(&views);
}

/* Compare each variant of one run with the same variant of the other. */
static void same_variants(const struct pair *pair, const struct result_run *base,
			  const struct result_run *new)
{
	size_t i;

	if (base->variant_count == 0)
		same_variant(pair, base, new);
	for (i = 0; !pair->error->set && i < base->variant_count; i++) {
		const struct result_variant *like = &base->variants[i];
		size_t other = variant_find_like(new, like->set, like->set_count);
		struct result_run views[2];

		/* If the other run lacks the variant, neither has points of
		 * it. */
		if (other == SIZE_MAX)
			continue;
		views[0] = variant_run(base, i);
		views[1] = variant_run(new, other);
		same_variant(pair, &views[0], &views[1]);
	}
}

/* Warn if variants that are compared differ in variables of the commands. */
static void check_variables(struct comparison *comparison, const struct result_run *base,
			    const struct result_run *new, struct error *error)
{
	const struct result_variant none = {0};
	char sets[SIDES][VARIANT_TEXT];
	size_t i = 0;

	do {
		const struct result_variant *one = base->variant_count > 0 ? &base->variants[i]
									   : &none;
		size_t other = variant_find_like(new, one->set, one->set_count);
		const struct result_variant *like = &none;

		if (other == SIZE_MAX)
			continue;
		if (new->variant_count > 0)
			like = &new->variants[other];
		if (variant_same_set(one->set, one->set_count, like->set, like->set_count))
			continue;
		variant_print(one->set, one->set_count, sets[BASE]);
		variant_print(like->set, like->set_count, sets[NEW]);
		check_origin(comparison, NOTICE_VARIABLES, one->set_count > 0 ? sets[BASE] : "none",
			     like->set_count > 0 ? sets[NEW] : "none", false, error);
	} while (++i < base->variant_count);
}

int comparable_results(struct comparison *comparison, const char *const names[SIDES],
		       bool same_host, struct error *error)
{
	const struct result *const *results = comparison->results;
	const struct result_run *base = &results[BASE]->run;
	const struct result_run *new = &results[NEW]->run;
	const struct pair pair = {{base, new}, names, error};
	unsigned side;

	/* Different loads often have different points, too: name the cause. */
	same_variants(&pair, base, new);
	for (side = 0; side < SIDES; side++)
		check_points(results[side], names[side], results[1 - side], names[1 - side], error);
	check_origin(comparison, NOTICE_HOSTS, base->host, new->host, same_host, error);
	check_origin(comparison, NOTICE_KERNELS, base->kernel, new->kernel, same_host, error);
	check_variables(comparison, base, new, error);
	/* Different versions of throng may play the same load differently. */
	check_origin(comparison, NOTICE_VERSIONS, base->version, new->version, false, error);
	return error->set ? -EINVAL : 0;
}
