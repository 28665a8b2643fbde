/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparable.h"

#include "result/variant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two runs, or a variant of each, and how they differ. */
struct pair {
	const struct result_run *runs[SIDES];
	const struct result_variant *variants[SIDES];
	/* The facts that differ, as warnings: NOTICE_ALLOWED, with the name of the
	 * fact ("warmup"), which --allow accepts, and both values. */
	struct notices differences;
	bool failed; /* memory was short */
};

/* When a fact must be the same, as bits: in results that are compared, in a run
 * that is resumed, or with --same-host; and the conditions for that. */
enum {
	COMPARED = 1,
	RESUMED = 2,
	ALWAYS = COMPARED | RESUMED,
	HOST = 4,
	SAME_LOAD = 8, /* if the loads are the same */
	TIMED = 16,    /* if neither run has --loops */
};

/* A fact of a run, of a variant or of each load. */
struct fact {
	const char *name;
	unsigned when;
	enum { RUN, VARIANT, LOAD } of;
	size_t at; /* its place in the structure */
	void (*write)(const void *value, FILE *stream);
};

static void write_number(const void *value, FILE *stream)
{
	fprintf(stream, "%u", *(const unsigned *)value);
}

static void write_count(const void *value, FILE *stream)
{
	fprintf(stream, "%" PRIu64, *(const uint64_t *)value);
}

static void write_size(const void *value, FILE *stream)
{
	fprintf(stream, "%zu", *(const size_t *)value);
}

static void write_bytes(const void *value, FILE *stream)
{
	fprintf(stream, "%" PRIu64 " bytes", *(const uint64_t *)value);
}

static void write_time(const void *value, FILE *stream)
{
	fprintf(stream, "%g s", (double)*(const uint64_t *)value / 1e9);
}

static void write_flag(const void *value, FILE *stream)
{
	fputs(*(const bool *)value ? "given" : "not given", stream);
}

static void write_order(const void *value, FILE *stream)
{
	fputs(*(const bool *)value ? "random" : "given", stream);
}

static void write_text(const void *value, FILE *stream)
{
	fputs(*(char *const *)value, stream);
}

static void write_users(const void *value, FILE *stream)
{
	const struct result_run *run = value;
	size_t i;

	for (i = 0; i < run->user_count_count; i++)
		fprintf(stream, "%s%u", i > 0 ? "," : "", run->user_counts[i]);
}

static void write_hosts(const void *value, FILE *stream)
{
	const struct result_run *run = value;
	size_t i;

	if (run->host_count == 0)
		fputs("not given", stream);
	for (i = 0; i < run->host_count; i++)
		fprintf(stream, "%s%s", i > 0 ? "," : "", run->hosts[i].name);
}

static void write_axes(const void *value, FILE *stream)
{
	const struct result_run *run = value;
	size_t i, j;

	if (run->axis_count == 0)
		fputs("not given", stream);
	for (i = 0; i < run->axis_count; i++) {
		const struct result_axis *axis = &run->axes[i];

		fprintf(stream, "%s%s", i > 0 ? " " : "", axis->name);
		for (j = 0; j < axis->value_count; j++)
			fprintf(stream, "%c%s", j > 0 ? ',' : '=', axis->values[j]);
	}
}

static void write_samples(const void *value, FILE *stream)
{
	const struct result_run *run = value;
	size_t i;

	if (run->sample_count == 0)
		fputs("not given", stream);
	for (i = 0; i < run->sample_count; i++)
		fprintf(stream, "%s%s=%s", i > 0 ? ", " : "", run->samples[i].name,
			run->samples[i].command);
}

/* Max digits of a digest that a message shows. */
enum { DIGEST_SHOWN = 12 };

static void write_load(const void *value, FILE *stream)
{
	const struct result_load *load = value;

	fprintf(stream, "%s (%.*s)", load->name != NULL ? load->name : "unknown", DIGEST_SHOWN,
		load->sha256 != NULL ? load->sha256 : "unknown");
	if (load->weight > 0)
		fprintf(stream, " x %u", load->weight);
}

/* Write how many streams of a load are played at the same time. */
static void write_streams(const void *value, FILE *stream)
{
	const struct result_load *load = value;

	fprintf(stream, "%" PRIu64,
		load->streams > 0 && load->one_stream == NULL ? load->streams : 1);
}

#define RUN_HAS(member) RUN, offsetof(struct result_run, member)
#define VARIANT_HAS(member) VARIANT, offsetof(struct result_variant, member)
#define LOAD_HAS(member) LOAD, offsetof(struct result_load, member)

/* clang-format off */
/* The loads that the targets get depend on the number of targets, as the users are
 * spread over them. */
static const struct fact facts[] = {
	{"sweep", RESUMED, RUN, 0, write_axes},
	{"targets", COMPARED, VARIANT_HAS(target_count), write_size},
	{"load", ALWAYS, LOAD, 0, write_load},
	{"operations", ALWAYS | SAME_LOAD, LOAD_HAS(ops), write_count},
	{"footprint", ALWAYS | SAME_LOAD, LOAD_HAS(footprint_bytes), write_bytes},
	{"streams", COMPARED | SAME_LOAD, LOAD, 0, write_streams},
	{"shared-footprint", ALWAYS | SAME_LOAD, LOAD_HAS(shared_footprint_bytes), write_bytes},
	{"users", RESUMED, RUN, 0, write_users},
	{"hosts", ALWAYS, RUN, 0, write_hosts},
	{"loops", ALWAYS, RUN_HAS(phases.loops), write_count},
	{"time", ALWAYS | TIMED, RUN_HAS(phases.time_ns), write_time},
	{"warmup", ALWAYS | TIMED, RUN_HAS(phases.warmup_ns), write_time},
	{"from-start", ALWAYS | TIMED, RUN_HAS(phases.from_start), write_flag},
	{"ramp-down", RESUMED, RUN_HAS(phases.ramp_down_ns), write_time},
	{"cold", ALWAYS, RUN_HAS(phases.cold), write_flag},
	{"sample", RESUMED, RUN, 0, write_samples},
	{"repeat", RESUMED, RUN_HAS(repeats), write_number},
	{"order", RESUMED, RUN_HAS(random_order), write_order},
	{"host", HOST, RUN_HAS(host), write_text},
	{"kernel", HOST, RUN_HAS(kernel), write_text},
	{"seed", RESUMED, RUN_HAS(seed), write_count},
};
/* clang-format on */

/* The names of differences between the targets, besides those of facts. */
static const char client_name[] = "client";
static const char *const unsupported_names[] = {
	[RESULT_SKIPPED] = "skipped",
	[RESULT_DEGRADED] = "degraded",
	[RESULT_EMULATED] = "emulated",
};

/* Check if a list of differences has one with this name. */
static bool differs(const struct notices *differences, const char *name)
{
	size_t i;

	for (i = 0; i < differences->count; i++)
		if (strcmp(differences->list[i].subject, name) == 0)
			return true;
	return false;
}

/* Add a difference if two values differ; NULL: memory is short. Variants often
 * have the same differences: add each of them once. */
static void compare(struct pair *pair, const char *name, const char *one, const char *other)
{
	struct notices *known = &pair->differences;
	struct notice difference = {.kind = NOTICE_ALLOWED, .subject = name};
	size_t count = known->count, i = 0;
	char *values = NULL;

	if (one == NULL || other == NULL || asprintf(&values, "%s and %s", one, other) < 0) {
		pair->failed = true;
		return;
	}
	difference.detail = values;
	while (i < count && !notice_is_alike(&known->list[i], &difference))
		i++;
	if (strcmp(one, other) != 0 && i == count) {
		notice_add(known, &difference);
		pair->failed |= known->count == count;
	}
	free(values);
}

/* Return the text of a memory stream, which is closed; NULL: memory is short. */
static char *close_text(FILE *stream, char **text)
{
	if (stream == NULL || fclose(stream) == 0)
		return *text;
	free(*text);
	return NULL;
}

/* Return the value of a fact, which the caller frees; NULL: memory is short. */
static char *print_fact(const struct fact *fact, const struct result_run *run,
			const struct result_variant *variant)
{
	char *text = NULL;
	size_t size, i;
	FILE *stream = open_memstream(&text, &size);

	if (stream != NULL && fact->of == RUN)
		fact->write((const char *)run + fact->at, stream);
	if (stream != NULL && fact->of == VARIANT)
		fact->write((const char *)variant + fact->at, stream);
	for (i = 0; stream != NULL && fact->of == LOAD && i < variant->load_count; i++) {
		fputs(i > 0 ? ", " : "", stream);
		fact->write((const char *)&variant->loads[i] + fact->at, stream);
	}
	return close_text(stream, &text);
}

static void compare_fact(struct pair *pair, const struct fact *fact)
{
	char *one = print_fact(fact, pair->runs[0], pair->variants[0]);
	char *other = print_fact(fact, pair->runs[1], pair->variants[1]);

	compare(pair, fact->name, one, other);
	free(one);
	free(other);
}

/* Compare all facts of the runs and, if these have the same axes, of the current
 * variants. */
static void compare_facts(struct pair *pair, unsigned when)
{
	bool timed = pair->runs[0]->phases.loops + pair->runs[1]->phases.loops == 0;
	const struct fact *fact = facts;

	for (; fact < facts + sizeof(facts) / sizeof(facts[0]); fact++)
		if ((fact->when & when) != 0 && (timed || (fact->when & TIMED) == 0) &&
		    ((fact->when & SAME_LOAD) == 0 || !differs(&pair->differences, "load")) &&
		    (fact->of == RUN || !differs(&pair->differences, "sweep")))
			compare_fact(pair, fact);
}

bool comparable_ignores(const char *name)
{
	static const char *const names[] = {"preset",     "stop_when", "fail_if",
					    "max_errors", "timeout",   "strict"};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

void comparable_list_facts(comparable_visit *visit, void *context)
{
	size_t i;

	for (i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if ((facts[i].when & (COMPARED | HOST)) != 0)
			visit(facts[i].name, context);
	visit(client_name, context);
	for (i = 0; i < sizeof(unsupported_names) / sizeof(unsupported_names[0]); i++)
		visit(unsupported_names[i], context);
}

static const char *find_option(const struct result_run *run, const char *name)
{
	const char *value = variant_set_value(run->options, run->option_count, name);

	return value != NULL ? value : "not given";
}

/* Compare the options, each under its name. */
static void compare_options(struct pair *pair)
{
	size_t side, i;

	for (side = 0; side < SIDES; side++) {
		for (i = 0; i < pair->runs[side]->option_count; i++) {
			const char *name = pair->runs[side]->options[2 * i];

			if (!comparable_ignores(name))
				compare(pair, name, find_option(pair->runs[0], name),
					find_option(pair->runs[1], name));
		}
	}
}

/*
 * Compare the clients that played on the SMB targets with the same index.
 * Different clients send different requests for the same load. Other targets are
 * ignored.
 */
static void compare_clients(struct pair *pair)
{
	const struct result_variant *one = pair->variants[0], *other = pair->variants[1];
	size_t i;

	for (i = 0; i < one->target_count && i < other->target_count; i++) {
		const char *name = one->targets[i].client.name;
		const char *like = other->targets[i].client.name;

		if (name != NULL && like != NULL)
			compare(pair, client_name, name, like);
	}
}

/* Return the number of operations with the same name and load as `like` that are
 * played in the same way, with their name. The caller frees the text; NULL: memory is
 * short. */
static char *print_unsupported(const struct result_variant *variant,
			       const struct result_unsupported *like)
{
	uint64_t ops = 0;
	char *text;
	size_t i;

	for (i = 0; i < variant->unsupported_count; i++)
		if (variant->unsupported[i].how == like->how &&
		    record_same_name(variant->unsupported[i].load, like->load) &&
		    strcmp(variant->unsupported[i].name, like->name) == 0)
			ops += variant->unsupported[i].ops;
	return asprintf(&text, "%" PRIu64 " %s", ops, like->name) < 0 ? NULL : text;
}

/* Compare the operations that both variants skip, degrade and emulate. */
static void compare_unsupported(struct pair *pair)
{
	size_t side, i;

	for (side = 0; side < SIDES; side++) {
		for (i = 0; i < pair->variants[side]->unsupported_count; i++) {
			const struct result_unsupported *item =
				&pair->variants[side]->unsupported[i];
			char *one = print_unsupported(pair->variants[0], item);
			char *other = print_unsupported(pair->variants[1], item);

			compare(pair, unsupported_names[item->how], one, other);
			free(one);
			free(other);
		}
	}
}

/* Check that `result` has at least one point, that all of its points are valid,
 * and that the other result has points with the same user counts and sets. */
static void check_points(const struct result *result, const char *name, const struct result *other,
			 const char *other_name, struct error *error)
{
	size_t i;

	if (result->point_count == 0)
		error_set(error, "%s has no completed measurement", name);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		char place[VARIANT_TEXT];
		char *reason;

		variant_print_point(point, place);
		if (!result_is_valid(point)) {
			reason = notice_text(&point->invalid.list[0]);
			error_set(error, "%s: the measurement with %s is invalid: %s", name, place,
				  reason != NULL ? reason : "out of memory");
			free(reason);
		} else if (variant_match(other, point) == NULL) {
			error_set(error, "%s was measured with %s, but %s was not measured with %s",
				  name, place, other_name, place);
		}
	}
}

static bool is_in(const struct result_reasons *names, const char *name)
{
	size_t i;

	for (i = 0; names != NULL && i < names->count; i++)
		if (strcmp(names->texts[i], name) == 0)
			return true;
	return false;
}

/* Return the names of the differences that are not in `allowed`, each once, or
 * these differences with their values. The caller frees the text; NULL: memory is
 * short. */
static char *list_differences(const struct pair *pair, const struct result_reasons *allowed,
			      bool values)
{
	const struct notices *differences = &pair->differences;
	char *list = NULL;
	size_t size, i;
	FILE *stream = open_memstream(&list, &size);

	for (i = 0; stream != NULL && i < differences->count; i++) {
		const struct notice *item = &differences->list[i];
		const struct notices before = {differences->list, i};

		if (is_in(allowed, item->subject))
			continue;
		if (values)
			fprintf(stream, "%s%s is %s", ftell(stream) > 0 ? "; " : "", item->subject,
				item->detail);
		else if (!differs(&before, item->subject))
			fprintf(stream, "%s%s", ftell(stream) > 0 ? "," : "", item->subject);
	}
	return close_text(stream, &list);
}

/* Refuse names of --allow that are not the name of a difference. */
static void check_allowed(const struct pair *pair, const struct result_reasons *allowed,
			  const char *const names[SIDES], struct error *error)
{
	char *list = list_differences(pair, NULL, false);
	size_t i;

	for (i = 0; list != NULL && i < allowed->count; i++) {
		if (differs(&pair->differences, allowed->texts[i]))
			continue;
		if (list[0] != '\0')
			error_set(error,
				  "--allow: \"%s\" does not differ between %s and %s; expected one "
				  "of "
				  "the names that differ: %s",
				  allowed->texts[i], names[0], names[1], list);
		else
			error_set(error, "--allow: \"%s\" does not differ between %s and %s",
				  allowed->texts[i], names[0], names[1]);
	}
	free(list);
}

/* Refuse the differences that are not in `allowed`; NULL: nothing can be allowed. */
static void check_differences(const struct pair *pair, const struct result_reasons *allowed,
			      const char *const names[SIDES], struct error *error)
{
	char *list = list_differences(pair, allowed, true);
	char *hint = list_differences(pair, allowed, false);
	char end[sizeof(error->text) / 2] = "", text[sizeof(error->text)];
	size_t used, room;

	if (list == NULL || hint == NULL || pair->failed) {
		error_no_memory(error);
	} else if (list[0] != '\0') {
		if (allowed != NULL)
			snprintf(end, sizeof(end), " (to compare nevertheless, use --allow %s)",
				 hint);
		/* Cut off the values rather than the names at the end. */
		used = strlen(names[0]) + strlen(names[1]) + strlen(end) +
		       sizeof(" and  do not match:  ...");
		room = used < sizeof(error->text) ? sizeof(error->text) - used : 0;
		snprintf(text, sizeof(text), "%.*s%s%s", (int)room, list,
			 strlen(list) > room ? " ..." : "", end);
		error_set(error, "%s and %s do not match: %s", names[0], names[1], text);
	}
	free(list);
	free(hint);
}

int comparable_planned(const struct result_run *one, const struct result_run *other,
		       const char *const names[SIDES], struct error *error)
{
	struct pair pair = {.runs = {one, other}};
	size_t i;

	for (i = 0; i < one->variant_count && i < other->variant_count; i++) {
		pair.variants[0] = &one->variants[i];
		pair.variants[1] = &other->variants[i];
		compare_facts(&pair, RESUMED);
	}
	compare_options(&pair);
	check_differences(&pair, NULL, names, error);
	notices_free(&pair.differences);
	return error->set ? -EINVAL : 0;
}

static void warn_of(struct notices *warnings, enum notice_kind kind, const char *base,
		    const char *new)
{
	if (strcmp(base, new) != 0)
		NOTICE_ADD(warnings, kind, .subject = base, .detail = new);
}

/* Warn if the current variants differ in variables of the commands. */
static void warn_of_variables(const struct pair *pair, struct notices *warnings)
{
	const struct result_variant *base = pair->variants[BASE], *new = pair->variants[NEW];
	char one[VARIANT_TEXT], other[VARIANT_TEXT];

	if (variant_same_set(base->set, base->set_count, new->set, new->set_count))
		return;
	variant_print(base->set, base->set_count, one);
	variant_print(new->set, new->set_count, other);
	warn_of(warnings, NOTICE_VARIABLES, base->set_count > 0 ? one : "none",
		new->set_count > 0 ? other : "none");
}

/* Compare each variant of one run with the same variant of the other. */
static void compare_variants(struct pair *pair, struct notices *warnings)
{
	const struct result_run *base = pair->runs[BASE], *new = pair->runs[NEW];
	size_t i;

	for (i = 0; i < base->variant_count; i++) {
		const struct result_variant *like = &base->variants[i];
		size_t other = variant_find_like(new, like->set, like->set_count);

		/* If the other run lacks the variant, neither has points of
		 * it. */
		if (other == SIZE_MAX)
			continue;
		pair->variants[BASE] = like;
		pair->variants[NEW] = &new->variants[other];
		compare_facts(pair, COMPARED);
		/* Targets that are measured in pairs were chosen to be
		 * compared. One of two other results may have another client
		 * only because its throng had another default. */
		if (base->pairs == 0 || new->pairs == 0)
			compare_clients(pair);
		compare_unsupported(pair);
		warn_of_variables(pair, warnings);
	}
	compare_options(pair);
}

int comparable_results(struct comparison *comparison, const char *const names[SIDES],
		       const struct comparison_question *question, struct error *error)
{
	const struct result *const *results = comparison->results;
	const struct result_run *base = &results[BASE]->run;
	const struct result_run *new = &results[NEW]->run;
	struct notices *warnings = &comparison->warnings;
	struct pair pair = {.runs = {base, new}};
	unsigned side;
	size_t i;

	compare_variants(&pair, warnings);
	if (question->same_host)
		compare_facts(&pair, HOST);
	check_allowed(&pair, &question->allowed, names, error);
	/* Different loads often have different points, too: name the cause. */
	check_differences(&pair, &question->allowed, names, error);
	for (side = 0; side < SIDES; side++)
		check_points(results[side], names[side], results[1 - side], names[1 - side], error);
	/* All differences were allowed. */
	for (i = 0; i < pair.differences.count; i++)
		notice_add(warnings, &pair.differences.list[i]);
	notices_free(&pair.differences);
	if (!question->same_host) {
		warn_of(warnings, NOTICE_HOSTS, base->host, new->host);
		warn_of(warnings, NOTICE_KERNELS, base->kernel, new->kernel);
	}
	/* Different versions of throng may play the same load differently. */
	warn_of(warnings, NOTICE_VERSIONS, base->version, new->version);
	return error->set ? -EINVAL : 0;
}
