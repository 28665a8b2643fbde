/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/report.h"

#include "base/units.h"
#include "report/describe.h"
#include "report/points.h"
#include "report/sections.h"
#include "result/variant.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Where to add facts, and the names of those about targets. In a comparison, it is
 * also the name of the side's label. */
struct facts {
	struct doc *doc;
	const char *target, *label;
};

static void add_fact(void *context, const char *name, const char *text)
{
	const struct facts *facts = context;

	if (strcmp(name, "target") == 0)
		name = facts->target;
	else if (strcmp(name, "label") == 0)
		name = facts->label;
	doc_fact(facts->doc, name, "%s", text);
}

/* Add the number of pairs that fit into --max-time. One is measured in any case. */
static void add_limited_pairs(struct doc *doc, const struct result_run *run, uint64_t max_ns)
{
	uint64_t each = 2 * run->user_count_count, fit = 0;
	char text[UNITS_TEXT];

	while (phases_all_ns(&run->phases, each * (fit + 1)) <= max_ns)
		fit++;
	if (fit > 0)
		doc_fact(doc, "total",
			 "up to %" PRIu64 " of %u pairs of %" PRIu64
			 " measurements each: %s at most (--max-time)",
			 fit, run->pairs, each, units_print_duration(max_ns, text));
	else
		doc_fact(doc, "total",
			 "1 of %u pairs, of %" PRIu64 " measurements: %s at most, which is longer "
			 "than --max-time, plus set-up and clean-up",
			 run->pairs, each,
			 units_print_duration(phases_all_ns(&run->phases, each), text));
}

/* Add the time that a run of several measurements takes. It is unknown for whole
 * loops, and of no interest after the run (max_ns is 0). */
static void add_total(struct doc *doc, const struct result_run *run, uint64_t max_ns)
{
	uint64_t count = (uint64_t)run->user_count_count * run->variant_count *
			 (run->pairs > 0 ? 2 * run->pairs : run->repeats);
	uint64_t total_ns = phases_all_ns(&run->phases, count);
	char text[UNITS_TEXT], pairs[UNITS_TEXT] = "";

	if (phases_in_loops(&run->phases) || count < 2 || max_ns == 0)
		return;
	if (total_ns > max_ns) {
		add_limited_pairs(doc, run, max_ns);
		return;
	}
	if (run->pairs > 0)
		snprintf(pairs, sizeof(pairs), " in %u pairs", run->pairs);
	doc_fact(doc, "total", "%" PRIu64 " measurements%s: %s at most, plus set-up and clean-up",
		 count, pairs, units_print_duration(total_ns, text));
}

void section_header(struct doc *doc, const struct result_run *run, uint64_t max_ns)
{
	struct facts facts = {doc, "target", "label"};

	doc_line(doc, "throng %s", run->version);
	describe_run(run, DESCRIBE_ALL & ~DESCRIBE_ORIGIN, add_fact, &facts);
	add_total(doc, run, max_ns);
}

void section_headers(struct doc *doc, const struct result_run *base, const struct result_run *new,
		     uint64_t max_ns)
{
	struct facts facts = {doc, "base", "base"};

	doc_line(doc, "throng %s", base->version);
	describe_run(base, DESCRIBE_NOTES | DESCRIBE_LOAD, add_fact, &facts);
	describe_run(base, DESCRIBE_LABEL | DESCRIBE_TARGETS, add_fact, &facts);
	facts.target = facts.label = "new";
	describe_run(new, DESCRIBE_LABEL | DESCRIBE_TARGETS, add_fact, &facts);
	describe_run(base, DESCRIBE_PLAN, add_fact, &facts);
	add_total(doc, base, max_ns);
}

/* Check if tables follow the row of a measurement or point. */
static bool has_tables(const struct result_run *run, const struct records *records, bool is_valid,
		       bool shows_operations)
{
	return (shows_operations && records_total(records)->operations > 0) ||
	       (is_valid && run->table_count == 0 && records_have_phases(records));
}

bool report_measured(struct doc *doc, const struct result_run *run, const struct records *records,
		     bool is_valid, bool shows_operations)
{
	if (is_valid && run->table_count == 0)
		section_phases(doc, run->open_loop, records);
	if (shows_operations)
		section_operations(doc, run->open_loop, records);
	return has_tables(run, records, is_valid, shows_operations);
}

/* Add the hosts at the peak. "of hosts" shows those of all points. */
static void add_hosts(struct doc *doc, const struct result *result)
{
	const struct result_point *peak = &result->points[result->peak];
	char place[VARIANT_TEXT];

	if (result->point_count > 1 && records_next_host(&peak->records, NULL) != NULL) {
		doc_heading(doc, 2, "Hosts");
		doc_heading(doc, 3, "%s, by host", variant_print_point(peak, place));
	}
	section_hosts(doc, result->run.open_loop, &peak->records);
}

/* Add the tables after the points: those of --table, or else the usual ones. */
static void add_tables(struct doc *doc, const struct result *result)
{
	struct view view;

	if (view_make(&view, result, 1, NULL, NULL) < 0) {
		doc_fail(doc);
	} else if (result->run.table_count > 0) {
		section_tables(doc, &view);
	} else {
		section_details(doc, result);
		section_pace(doc, result);
		section_gains(doc, result);
		section_loads(doc, result);
		section_phase_rates(doc, &view);
		add_hosts(doc, result);
	}
	view_free(&view);
}

void report_summary(struct doc *doc, const struct result *result)
{
	const struct view_side side = {.result = result};
	struct notices warnings = {0};

	if (result->peak < result->point_count) {
		add_tables(doc, result);
		section_samples(doc, result);
		section_conclusions(doc, result);
	}
	describe_notices(&side, 1, describe_warnings, &warnings);
	section_notices(doc, &warnings, false);
	notices_free(&warnings);
}

void report_text(struct doc *doc, const struct result *result, bool shows_operations)
{
	const struct result_point *points = result->points;
	size_t first = 0, i;

	section_header(doc, &result->run, 0);
	for (i = 0; i < result->point_count; i++) {
		bool is_last = i + 1 == result->point_count;

		if (!is_last && !has_tables(&result->run, &points[i].records,
					    result_is_valid(&points[i]), shows_operations))
			continue;
		doc_heading(doc, 2, "Points");
		points_repeats(doc, result, first, i + 1);
		report_measured(doc, &result->run, &points[i].records, result_is_valid(&points[i]),
				shows_operations);
		first = i + 1;
	}
	report_summary(doc, result);
}

void report_several(struct doc *doc, const struct view *view, bool shows_operations)
{
	section_headline(doc, view);
	section_peaks(doc, view);
	section_invalid(doc, view);
	if (tables_are_asked(view)) {
		section_tables(doc, view);
	} else {
		section_sides(doc, view);
		section_pivot(doc, view);
		section_trend(doc, view);
		section_sides_parts(doc, view);
	}
	section_sides_samples(doc, view);
	if (shows_operations)
		section_sides_operations(doc, view);
	section_configuration(doc, view);
	section_warnings(doc, view);
}
