/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conclusions from all points: the peak, loop times, the fitted scaling law, limits,
 * found rates, verified bytes, and when the run began and ended.
 */
#include "report/sections.h"

#include "base/units.h"
#include "result/variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Return the document, in the section of the conclusions. */
static struct doc *section(struct doc *doc)
{
	doc_heading(doc, 2, "Conclusions");
	return doc;
}

static double value_of(const struct result_point *point, enum figure figure)
{
	return record_count(records_total(&point->records), figure);
}

static void add_peak(struct doc *doc, const struct result_point *peak)
{
	char place[VARIANT_TEXT], rate[NUMBER_TEXT];

	variant_print_point(peak, place);
	if (value_of(peak, FIGURE_MB_PER_S) > 0)
		doc_line(section(doc), "measured peak %s %s at %s",
			 number_print(NUMBER_MB_PER_S, value_of(peak, FIGURE_MB_PER_S), 2,
				      NUMBER_ASCII, rate),
			 number_rate_unit(), place);
	else
		doc_line(section(doc), "measured peak %.0f ops/s at %s",
			 value_of(peak, FIGURE_OPS_PER_S), place);
}

/* Add how long the loops of a single measurement took. */
static void add_loop_times(struct doc *doc, const struct result_point *point)
{
	double count = value_of(point, FIGURE_LOOP_COUNT);
	char median[UNITS_TEXT], max[UNITS_TEXT];

	if (point->repeat_count > 1 || count == 0)
		return;
	doc_fact(section(doc), "loops", "%.0f completed: median %s, max %s", count,
		 units_print_time(round(1e9 * value_of(point, FIGURE_LOOP_S)), median),
		 units_print_time(round(1e9 * value_of(point, FIGURE_LOOP_MAX_S)), max));
}

/* Add which share of the time went into restoring the set-up. */
static void add_restored(struct doc *doc, const struct result *result)
{
	char *text = NULL;
	size_t bytes, i;
	FILE *line = open_memstream(&text, &bytes);

	if (line == NULL) {
		doc_fail(doc);
		return;
	}
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		double share = value_of(point, FIGURE_RESTORE_SHARE);
		char set[VARIANT_TEXT];

		if (result_is_valid(point) && share > 0)
			fprintf(line, "%s%.3g %% of the time at %u %s%s%s",
				ftell(line) > 0 ? ", " : "", 100 * share, point->users,
				units_plural(point->users, "user", "users"),
				point->set_count > 0 ? " with " : "",
				variant_print(point->set, point->set_count, set));
	}
	if (fclose(line) != 0)
		doc_fail(doc);
	else if (bytes > 0)
		doc_fact(section(doc), "restored", "%s", text);
	free(text);
}

/* Return a share in percent: 100 only if it is the whole. */
static double percent(double part, double whole)
{
	if (part >= whole)
		return whole > 0 ? 100 : 0;
	return fmin(99.9, 100 * part / whole);
}

static double sum_of(const struct result *result, enum figure figure)
{
	double sum = 0;
	size_t i;

	for (i = 0; i < result->point_count; i++)
		sum += value_of(&result->points[i], figure);
	return sum;
}

/* Return the text after the number of bytes read: what could not be read back. The
 * caller frees it. */
static char *print_unreadable(const struct result *result)
{
	uint64_t files = (uint64_t)sum_of(result, FIGURE_VERIFIED_UNREADABLE_FILES);
	uint64_t bytes = (uint64_t)sum_of(result, FIGURE_VERIFIED_UNREADABLE_BYTES);
	char size[UNITS_TEXT], *text = NULL;

	if (files == 0)
		return strdup("");
	if (asprintf(&text, " or unreadable at the end (%" PRIu64 " %s, %s)", files,
		     units_plural(files, "file", "files"), units_print_bytes(bytes, size)) < 0)
		return NULL;
	return text;
}

/* Add how much of the data --verify has compared, in all points together. */
static void add_verified(struct doc *doc, const struct result *result)
{
	const struct result_target *target = result->run.variants[0].targets;
	double unread = sum_of(result, FIGURE_VERIFIED_UNREADABLE_BYTES);
	double wanted = sum_of(result, FIGURE_VERIFIED_READ_BYTES) + unread;
	double written = sum_of(result, FIGURE_VERIFIED_WRITTEN_BYTES);
	double back = sum_of(result, FIGURE_VERIFIED_READ_BACK_BYTES);
	double share = percent(sum_of(result, FIGURE_VERIFIED_COMPARED_BYTES), wanted);
	uint64_t found = (uint64_t)sum_of(result, FIGURE_VERIFIED_DIFFERENCES);
	char read_text[UNITS_TEXT], back_text[UNITS_TEXT], *unreadable;

	if (sum_of(result, FIGURE_VERIFIED_USERS) == 0)
		return;
	unreadable = print_unreadable(result);
	if (unreadable == NULL)
		doc_fail(doc);
	if (sum_of(result, FIGURE_VERIFIED_UNREADABLE_FILES) > 0)
		share = fmin(99.9, share);
	doc_fact(section(doc), "verified",
		 "%.3g %% of %s read%s; %s left at the end were read back%s, %.3g %% of what was "
		 "written%s; %" PRIu64 " %s found",
		 share, units_print_bytes((uint64_t)wanted, read_text),
		 unreadable != NULL ? unreadable : "", units_print_bytes((uint64_t)back, back_text),
		 result->run.phases.cold || target->remote || target->in_memory
			 ? ""
			 : " through the page cache",
		 percent(back, written),
		 back >= written ? ""
		 : unread > 0    ? " (the rest was overwritten or removed, or is unreadable)"
				 : " (the rest was overwritten or removed)",
		 found, units_plural(found, "error", "errors"));
	free(unreadable);
}

/* Add the law of a variant. */
static void add_law(struct doc *doc, const struct result_variant *variant)
{
	const struct result_usl *usl = &variant->usl;
	const struct result_estimate *alpha = &usl->alpha, *beta = &usl->beta;
	char set[VARIANT_TEXT];

	if (!usl->fitted)
		return;
	variant_print(variant->set, variant->set_count, set);
	doc_fact(section(doc), "scaling",
		 "%s%scontention %.3g %% (%.3g to %.3g), coherency %.3g %% (%.3g to %.3g)", set,
		 set[0] != '\0' ? ": " : "", 100 * alpha->value, 100 * alpha->low,
		 100 * alpha->high, 100 * beta->value, 100 * beta->low, 100 * beta->high);
	if (!isnan(usl->peak_users))
		doc_line(section(doc), "fitted peak at %.0f %s%s%s", usl->peak_users,
			 usl->peak_users < 1.5 ? "user" : "users", set[0] != '\0' ? ", " : "", set);
}

/* Add why later points of a variant were left out. */
static void add_stopped(struct doc *doc, const struct result_variant *variant)
{
	char set[VARIANT_TEXT];

	if (variant->stopped_by != NULL)
		doc_fact(section(doc), "stopped", "by --stop-when %s%s%s", variant->stopped_by,
			 variant->set_count > 0 ? " with " : "",
			 variant_print(variant->set, variant->set_count, set));
}

static void add_limit(struct doc *doc, const struct result_limit *limit)
{
	const char *with = limit->set_count > 0 ? " with " : "";
	char set[VARIANT_TEXT];

	variant_print(limit->set, limit->set_count, set);
	if (limit->users == 0)
		doc_fact(section(doc), "limit", "%s does not hold at any point%s%s",
			 limit->condition, with, set);
	else
		doc_fact(section(doc), "limit", "%s holds up to %u %s%s%s", limit->condition,
			 limit->users, units_plural(limit->users, "user", "users"), with, set);
}

/* Return the lowest rate that was measured, or 0. */
static double lowest(const struct result_found_rate *found)
{
	double min = found->step_count > 0 ? found->steps[0].per_user : 0;
	size_t i;

	for (i = 1; i < found->step_count; i++)
		if (found->steps[i].per_user < min)
			min = found->steps[i].per_user;
	return min;
}

static void add_found_rate(struct doc *doc, const struct result_point *point)
{
	const struct result_found_rate *found = point->found_rate;
	char per_user[UNITS_TEXT], total[UNITS_TEXT], place[VARIANT_TEXT];

	if (found == NULL || !result_is_valid(point))
		return;
	variant_print_point(point, place);
	if (found->per_user > 0)
		doc_fact(section(doc), "rate",
			 "%s holds up to %s/s per user, %s/s in total, at %s%s%s", found->condition,
			 units_print_rate(found->per_user, per_user),
			 units_print_rate(found->total, total), place,
			 found->gave_up != NULL ? "; higher rates are not known: " : "",
			 found->gave_up != NULL ? found->gave_up : "");
	else if (result_lacks_rate(point))
		doc_fact(section(doc), "rate", "%s: not determined with %s: %s", found->condition,
			 place, found->gave_up);
	else
		doc_fact(section(doc), "rate",
			 "%s holds at no rate with %s; the lowest measured is %s/s per user",
			 found->condition, place, units_print_rate(lowest(found), per_user));
}

/* Add when the run began and ended. Pages have that in the configuration. */
static void add_times(struct doc *doc, const struct result_run *run)
{
	/* Stamps are like 2026-01-31T23:59:59Z. */
	bool same_day = strncmp(run->started, run->ended, 10) == 0;

	if (strlen(run->started) < 20 || strlen(run->ended) < 20)
		return;
	doc_medium(doc, DOC_TEXT | DOC_MARKDOWN);
	doc_fact(section(doc), "run", "%.10s %.8s to %.10s%s%.8s UTC", run->started,
		 run->started + 11, same_day ? "" : run->ended, same_day ? "" : " ",
		 run->ended + 11);
	doc_medium(doc, DOC_ALL);
}

void section_conclusions(struct doc *doc, const struct result *result)
{
	const struct result_run *run = &result->run;
	size_t i;

	if (result->peak >= result->point_count)
		return;
	if (result->point_count > 1)
		add_peak(doc, &result->points[result->peak]);
	else
		add_loop_times(doc, &result->points[0]);
	add_restored(doc, result);
	add_verified(doc, result);
	for (i = 0; i < run->variant_count; i++)
		add_law(doc, &run->variants[i]);
	for (i = 0; i < run->variant_count; i++)
		add_stopped(doc, &run->variants[i]);
	for (i = 0; i < result->limit_count; i++)
		add_limit(doc, &result->limits[i]);
	for (i = 0; i < result->point_count; i++)
		add_found_rate(doc, &result->points[i]);
	add_times(doc, run);
}
