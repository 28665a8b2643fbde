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
	const struct result_variant *variants[2];
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
static void same_digest(const struct pair *pair, size_t number, const struct result_load *one,
			const struct result_load *other)
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

/* Check that one load of both variants is the same. `number` is its number, from
 * 1; 0: there is only one load. */
static void same_load(const struct pair *pair, size_t number, const struct result_load *one,
		      const struct result_load *other)
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

/* Check that both variants have the same list of loads. */
static void same_loads(const struct pair *pair)
{
	const struct result_variant *one = pair->variants[0], *other = pair->variants[1];
	size_t i;

	same_count(pair, "the number of loads", one->load_count, other->load_count);
	for (i = 0; i < one->load_count && !pair->error->set; i++)
		same_load(pair, one->load_count > 1 ? i + 1 : 0, &one->loads[i], &other->loads[i]);
}

/* Check that both variants were measured in the same way. */
static void same_measured(const struct pair *pair)
{
	const struct phases *one = &pair->runs[0]->phases, *other = &pair->runs[1]->phases;

	same_loads(pair);
	same_count(pair, "--loops", one->loops, other->loops);
	if (one->loops == 0) {
		same_time(pair, "the measured time", one->time_ns, other->time_ns);
		same_time(pair, "the warm-up", one->warmup_ns, other->warmup_ns);
		same_text(pair, "--from-start", one->from_start ? "given" : "not given",
			  other->from_start ? "given" : "not given");
	}
	same_text(pair, "--cold", one->cold ? "given" : "not given",
		  other->cold ? "given" : "not given");
	same_options(pair);
}

/*
 * Check that the same client has played on the SMB targets with the same index
 * in both runs. Different clients send different requests for the same load.
 * Other targets are ignored.
 */
static void same_clients(const struct pair *pair)
{
	const struct result_variant *one = pair->variants[0], *other = pair->variants[1];
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

int comparable_measured(const struct result_run *one, const struct result_run *other,
			const char *const names[2], struct error *error)
{
	struct pair pair = {.runs = {one, other}, .names = names, .error = error};
	size_t i;

	same_axes(&pair);
	for (i = 0; !error->set && i < one->variant_count; i++) {
		pair.variants[0] = &one->variants[i];
		pair.variants[1] = &other->variants[i];
		same_measured(&pair);
	}
	return error->set ? -EINVAL : 0;
}

int comparable_planned(const struct result_run *one, const struct result_run *other,
		       const char *const names[2], struct error *error)
{
	const struct pair pair = {.runs = {one, other}, .names = names, .error = error};
	size_t i;

	comparable_measured(one, other, names, error);
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
static uint64_t count_unsupported(const struct result_variant *variant,
				  const struct result_unsupported *like)
{
	uint64_t ops = 0;
	size_t i;

	for (i = 0; i < variant->unsupported_count; i++)
		if (variant->unsupported[i].how == like->how &&
		    is_same_load(variant->unsupported[i].load, like->load) &&
		    strcmp(variant->unsupported[i].name, like->name) == 0)
			ops += variant->unsupported[i].ops;
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
		const struct result_variant *variant = pair->variants[side];

		for (i = 0; i < variant->unsupported_count; i++) {
			const struct result_unsupported *item = &variant->unsupported[i];
			char what[128];

			snprintf(what, sizeof(what), "the number of %s %s operations per loop",
				 how[item->how], item->name);
			same_count(pair, what, count_unsupported(pair->variants[0], item),
				   count_unsupported(pair->variants[1], item));
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

/* Check that the same load was measured in the same way. */
static void same_variant(const struct pair *pair)
{
	/* The load that each target gets depends on the number of targets, as
	 * the users are spread over them. */
	same_count(pair, "the number of targets", pair->variants[0]->target_count,
		   pair->variants[1]->target_count);
	same_measured(pair);
	/* Targets that are measured in pairs were chosen to be compared. One of
	 * two other results may have another client only because its throng had
	 * another default. */
	if (pair->runs[0]->pairs == 0 || pair->runs[1]->pairs == 0)
		same_clients(pair);
	same_unsupported(pair);
}

/* Compare each variant of one run with the same variant of the other. */
static void same_variants(struct pair *pair)
{
	const struct result_run *base = pair->runs[0], *new = pair->runs[1];
	size_t i;

	for (i = 0; !pair->error->set && i < base->variant_count; i++) {
		const struct result_variant *like = &base->variants[i];
		size_t other = variant_find_like(new, like->set, like->set_count);

		/* If the other run lacks the variant, neither has points of
		 * it. */
		if (other == SIZE_MAX)
			continue;
		pair->variants[0] = like;
		pair->variants[1] = &new->variants[other];
		same_variant(pair);
	}
}

/* Warn if variants that are compared differ in variables of the commands. */
static void check_variables(struct comparison *comparison, const struct result_run *base,
			    const struct result_run *new, struct error *error)
{
	char sets[SIDES][VARIANT_TEXT];
	size_t i;

	for (i = 0; i < base->variant_count; i++) {
		const struct result_variant *one = &base->variants[i], *like;
		size_t other = variant_find_like(new, one->set, one->set_count);

		if (other == SIZE_MAX)
			continue;
		like = &new->variants[other];
		if (variant_same_set(one->set, one->set_count, like->set, like->set_count))
			continue;
		variant_print(one->set, one->set_count, sets[BASE]);
		variant_print(like->set, like->set_count, sets[NEW]);
		check_origin(comparison, NOTICE_VARIABLES, one->set_count > 0 ? sets[BASE] : "none",
			     like->set_count > 0 ? sets[NEW] : "none", false, error);
	}
}

int comparable_results(struct comparison *comparison, const char *const names[SIDES],
		       bool same_host, struct error *error)
{
	const struct result *const *results = comparison->results;
	const struct result_run *base = &results[BASE]->run;
	const struct result_run *new = &results[NEW]->run;
	struct pair pair = {.runs = {base, new}, .names = names, .error = error};
	unsigned side;

	/* Different loads often have different points, too: name the cause. */
	same_variants(&pair);
	for (side = 0; side < SIDES; side++)
		check_points(results[side], names[side], results[1 - side], names[1 - side], error);
	check_origin(comparison, NOTICE_HOSTS, base->host, new->host, same_host, error);
	check_origin(comparison, NOTICE_KERNELS, base->kernel, new->kernel, same_host, error);
	check_variables(comparison, base, new, error);
	/* Different versions of throng may play the same load differently. */
	check_origin(comparison, NOTICE_VERSIONS, base->version, new->version, false, error);
	return error->set ? -EINVAL : 0;
}
