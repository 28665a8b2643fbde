/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/merge.h"

#include "compare/comparable.h"
#include "result/collect.h"
#include "result/variant.h"
#include "stats/summary.h"
#include "sweep/merge_tally.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max time between the starts, or the ends, of two measured windows, as a share
 * of the longer window. */
#define APART_SHARE 0.05

static const struct result_repeat *repeat_of(const struct result *result)
{
	return &result->points[0].repeats[0];
}

/* Check that the figures of `users` users have all their histograms. */
static bool has_histograms(const struct result_figures *figures, unsigned users)
{
	size_t i;

	for (i = 0; i < figures->operation_count; i++)
		if (figures->operations[i].count > 0 &&
		    figures->operations[i].latency.histogram == NULL)
			return false;
	for (i = 0; i < figures->load_count; i++)
		if (!has_histograms(&figures->loads[i].figures, figures->loads[i].users))
			return false;
	for (i = 0; i < figures->phase_count; i++)
		if (!has_histograms(&figures->phases[i].figures, users))
			return false;
	return figures->user_ops_count == users &&
	       (figures->loop.count == 0 || figures->loop.histogram != NULL);
}

/* Check that a result has all that merging needs, such as histograms. */
static int check_one(const struct result *result, const char *name, struct error *error)
{
	if (result->point_count != 1 || result->points[0].repeat_count != 1 ||
	    result->run.axis_count > 0) {
		error_set(error,
			  "%s does not have exactly one measurement; merge results of one user "
			  "count without --repeat and --sweep",
			  name);
		return -EINVAL;
	}
	if (repeat_of(result)->began_s > 0 &&
	    has_histograms(&repeat_of(result)->figures, result->points[0].users))
		return 0;
	error_set(error, "%s has no histograms, which a merge needs; measure with --histograms",
		  name);
	return -EINVAL;
}

static int check_users(const struct result *one, const struct result *other,
		       const char *const names[2], struct error *error)
{
	uint64_t from = one->run.users_from, other_from = other->run.users_from;
	uint64_t end = from + one->points[0].users;
	uint64_t other_end = other_from + other->points[0].users;

	if (end <= other_from || other_end <= from)
		return 0;
	error_set(error,
		  "%s has users %u to %u, and %s has users %u to %u: the numbers must not overlap "
		  "(see --users-from)",
		  names[0], (unsigned)from, (unsigned)end - 1, names[1], (unsigned)other_from,
		  (unsigned)other_end - 1);
	return -EINVAL;
}

/*
 * Check that two measured windows begin and end at about the same time. With
 * --loops, check only the beginning: each machine plays its loops at its own
 * speed.
 */
static int check_windows(const struct result *one, const struct result *other,
			 const char *const names[2], struct error *error)
{
	const struct result_repeat *a = repeat_of(one), *b = repeat_of(other);
	double longest_s = fmax(a->figures.seconds, b->figures.seconds);
	double begin_s = fabs(a->began_s - b->began_s);
	double end_s = fabs(a->began_s + a->figures.seconds - b->began_s - b->figures.seconds);

	if (one->run.phases.loops > 0)
		end_s = 0;
	if (begin_s <= APART_SHARE * longest_s && end_s <= APART_SHARE * longest_s)
		return 0;
	error_set(error,
		  "%s and %s were not measured at the same time: they began %.3g s and ended %.3g "
		  "s apart (see --start-at)",
		  names[0], names[1], begin_s, end_s);
	return -EINVAL;
}

static int check_pair(const struct result *one, const struct result *other,
		      const char *const names[2], struct error *error)
{
	int rc = comparable_measured(&one->run, &other->run, names, error);

	if (rc == 0)
		rc = comparable_clients(&one->run, &other->run, names, error);
	if (rc == 0 && strcmp(one->run.version, other->run.version) != 0) {
		error_set(error,
			  "%s was measured by version %s of throng, and %s by version %s; use the "
			  "same version",
			  names[0], one->run.version, names[1], other->run.version);
		rc = -EINVAL;
	}
	if (rc == 0)
		rc = check_users(one, other, names, error);
	return rc < 0 ? rc : check_windows(one, other, names, error);
}

static int check_all(const struct result *results, const char *const *names, size_t count,
		     struct error *error)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < count && rc == 0; i++) {
		rc = check_one(&results[i], names[i], error);
		for (j = 0; j < i && rc == 0; j++) {
			const char *const both[] = {names[j], names[i]};

			rc = check_pair(&results[j], &results[i], both, error);
		}
	}
	return rc;
}

static int add_up(const struct result *results, size_t count, struct tally *sum)
{
	struct tally tally;
	size_t i;
	int rc = merge_take_tally(&results[0].run, repeat_of(&results[0]), sum);

	for (i = 1; i < count && rc == 0; i++) {
		rc = merge_take_tally(&results[i].run, repeat_of(&results[i]), &tally);
		if (rc == 0)
			rc = tally_add(sum, &tally);
		tally_free(&tally);
	}
	return rc;
}

/* Join the distinct texts of all runs. Return NULL when out of memory. */
static char *join(const struct result *results, size_t count,
		  char *const *(*text_of)(const struct result_run *), const char *between)
{
	char *all = NULL;
	size_t bytes, i, j;
	FILE *stream = open_memstream(&all, &bytes);

	if (stream == NULL)
		return NULL;
	for (i = 0; i < count; i++) {
		const char *text = *text_of(&results[i].run);

		for (j = 0; j < i; j++)
			if (strcmp(*text_of(&results[j].run), text) == 0)
				break;
		if (j == i)
			fprintf(stream, "%s%s", i > 0 ? between : "", text);
	}
	if (fclose(stream) == 0)
		return all;
	free(all);
	return NULL;
}

static char *const *command_of(const struct result_run *run)
{
	return &run->command;
}

static char *const *host_of(const struct result_run *run)
{
	return &run->host;
}

static char *const *kernel_of(const struct result_run *run)
{
	return &run->kernel;
}

static int add_targets(struct result_run *into, const struct result_run *run)
{
	size_t i, j;

	for (i = 0; i < run->target_count; i++) {
		const struct result_target *target = &run->targets[i];
		struct result_target *targets;

		for (j = 0; j < into->target_count; j++)
			if (strcmp(into->targets[j].url, target->url) == 0)
				break;
		if (j < into->target_count)
			continue;
		targets = reallocarray(into->targets, into->target_count + 1, sizeof(*targets));
		if (targets == NULL)
			return -ENOMEM;
		into->targets = targets;
		if (variant_copy_target(&targets[into->target_count++], target) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* Copy a text, or return NULL for NULL. */
static char *copy(const char *text)
{
	return text != NULL ? strdup(text) : NULL;
}

/* Return the name of the load, or "" if there is only one. */
static const char *load_of(const struct result_unsupported *item)
{
	return item->load != NULL ? item->load : "";
}

static int add_unsupported(struct result_run *into, const struct result_run *run)
{
	size_t i, j;

	for (i = 0; i < run->unsupported_count; i++) {
		const struct result_unsupported *item = &run->unsupported[i];
		struct result_unsupported *items;

		for (j = 0; j < into->unsupported_count; j++)
			if (into->unsupported[j].how == item->how &&
			    strcmp(into->unsupported[j].name, item->name) == 0 &&
			    strcmp(load_of(&into->unsupported[j]), load_of(item)) == 0)
				break;
		if (j < into->unsupported_count)
			continue;
		items = reallocarray(into->unsupported, into->unsupported_count + 1,
				     sizeof(*items));
		if (items == NULL)
			return -ENOMEM;
		into->unsupported = items;
		items = &items[into->unsupported_count++];
		*items = *item;
		items->name = strdup(item->name);
		items->load = copy(item->load);
		items->cannot = strdup(item->cannot);
	}
	return 0;
}

/* Add the processors and memory of the host of results[at], unless an earlier
 * result is from the same host. */
static void add_machine(const struct result *results, size_t at, struct result_run *into)
{
	const struct result_run *run = &results[at].run;
	size_t i;

	for (i = 0; i < at; i++)
		if (strcmp(results[i].run.host, run->host) == 0)
			return;
	into->cpus += run->cpus;
	into->memory_bytes += run->memory_bytes;
}

static bool has_note(const struct result_run *run, char *const note[2])
{
	size_t i;

	for (i = 0; i < run->note_count; i++)
		if (strcmp(run->notes[2 * i], note[0]) == 0 &&
		    strcmp(run->notes[2 * i + 1], note[1]) == 0)
			return true;
	return false;
}

/* Keep the label if all runs have the same, and the notes that all have. */
static void merge_labels(const struct result *results, size_t count, struct result_run *into)
{
	const struct result_run *first = &results[0].run;
	size_t i, j;

	strcpy(into->label, first->label);
	for (i = 1; i < count; i++)
		if (strcmp(results[i].run.label, first->label) != 0)
			into->label[0] = '\0';
	for (j = 0; j < first->note_count; j++) {
		char *const *note = &first->notes[2 * j];

		for (i = 1; i < count; i++)
			if (!has_note(&results[i].run, note))
				break;
		if (i == count)
			result_add_note(into, note[0], note[1]);
	}
}

static int merge_runs(const struct result *results, size_t count, unsigned users,
		      struct result_run *into)
{
	const struct result_run *first = &results[0].run;
	size_t i;
	int rc = 0;

	*into = (struct result_run){
		.version = strdup(first->version),
		.command = join(results, count, command_of, "; "),
		.host = join(results, count, host_of, ", "),
		.kernel = join(results, count, kernel_of, ", "),
		.seed = first->seed,
		.user_counts = malloc(sizeof(*into->user_counts)),
		.user_count_count = 1,
		.users_from = first->users_from,
		.repeats = 1,
		.phases = first->phases,
		.paced = first->paced,
		.measured = 1,
	};
	memcpy(into->started, first->started, sizeof(into->started));
	if (into->user_counts == NULL || variant_copy_loadfiles(into, first) < 0)
		return -ENOMEM;
	into->user_counts[0] = users;
	merge_labels(results, count, into);
	for (i = 0; i < first->option_count; i++)
		result_add_option(into, first->options[2 * i], "%s", first->options[2 * i + 1]);
	for (i = 0; i < count && rc == 0; i++) {
		const struct result_run *run = &results[i].run;

		add_machine(results, i, into);
		if (run->users_from < into->users_from)
			into->users_from = run->users_from;
		if (strcmp(run->started, into->started) < 0)
			memcpy(into->started, run->started, sizeof(into->started));
		into->busy_before = fmax(into->busy_before, run->busy_before);
		into->resumed += run->resumed;
		rc = add_targets(into, run);
		if (rc == 0)
			rc = add_unsupported(into, run);
	}
	return rc;
}

static int merge_repeats(const struct result *results, size_t count, const struct tally *sum,
			 struct result *merged)
{
	struct result_repeat *repeat = result_add_repeat(merged, 0, sum->users);
	size_t i, j;

	if (repeat == NULL)
		return -ENOMEM;
	memcpy(repeat->started, merged->run.started, sizeof(repeat->started));
	repeat->order = 1;
	for (i = 0; i < count; i++) {
		const struct result_reasons *invalid = &repeat_of(&results[i])->invalid;

		for (j = 0; j < invalid->count; j++)
			result_add_reason(&repeat->invalid, "%s: %s", results[i].run.host,
					  invalid->texts[j]);
	}
	collect_repeat(&merged->run, sum, repeat);
	collect_histograms(sum, repeat);
	return summary_update(merged);
}

int merge_results(const struct result *results, const char *const *names, size_t count,
		  struct result *merged, struct error *error)
{
	struct tally sum = {.died_user = -1};
	int rc;

	*merged = (struct result){.peak = SIZE_MAX};
	rc = check_all(results, names, count, error);
	if (rc < 0)
		return rc;
	rc = add_up(results, count, &sum);
	if (rc == 0)
		rc = merge_runs(results, count, sum.users, &merged->run);
	if (rc == 0)
		rc = merge_repeats(results, count, &sum, merged);
	tally_free(&sum);
	if (rc < 0)
		error_set(error, "out of memory");
	return rc;
}
