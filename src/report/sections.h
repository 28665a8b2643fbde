/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sections of a report. Each adds to a document, or adds nothing if it has
 * nothing to show. Text, Markdown and the page are made of the same sections, in
 * the orders of report.c.
 */
#ifndef REPORT_SECTIONS_H
#define REPORT_SECTIONS_H

#include "doc/doc.h"
#include "report/view.h"

#include <stdint.h>

/*
 * Sections of one result.
 */

/* Facts about a run: version, load, targets, plan. `max_ns` is the time limit of
 * the run that begins: CLOCK_NEVER if it has none; 0 if the run is over. */
void section_header(struct doc *doc, const struct result_run *run, uint64_t max_ns);

/* The same of a comparison of two runs that differ in their targets. */
void section_headers(struct doc *doc, const struct result_run *base, const struct result_run *new,
		     uint64_t max_ns);

/* The table of points, with a row for each. */
void section_points(struct doc *doc, const struct result *result);

/* Tables of the other figures of the points; of the parts of response times; of the
 * change from point to point and the spread of the repeats. */
void section_details(struct doc *doc, const struct result *result);
void section_pace(struct doc *doc, const struct result *result);
void section_gains(struct doc *doc, const struct result *result);

/* The numbers that the commands of --sample have printed. */
void section_samples(struct doc *doc, const struct result *result);

/* With several loads, the figures of each at each valid point. */
void section_loads(struct doc *doc, const struct result *result);

/* The phases of each load at one point, and their rates at all points. */
void section_phases(struct doc *doc, bool open_loop, const struct records *records);
void section_phase_rates(struct doc *doc, const struct view *view);

/* The hosts of one point. */
void section_hosts(struct doc *doc, bool open_loop, const struct records *records);

/* The operations of one point, sorted by their total time: of all users, of each phase,
 * and of each load if there are several. */
void section_operations(struct doc *doc, bool open_loop, const struct records *records);

/* Conclusions as lines: measured peak, loop times, restored, verified, scaling laws,
 * why it was stopped, limits, found rates. */
void section_conclusions(struct doc *doc, const struct result *result);

/* A list of warnings, or of reasons why points are invalid. */
void section_notices(struct doc *doc, const struct notices *notices, bool invalid);

/*
 * Sections of a view with any number of results.
 */

/* The main figure, with tiles and badges, or how several results compare; and, for
 * several, a table of them at their peaks. */
void section_headline(struct doc *doc, const struct view *view);
void section_peaks(struct doc *doc, const struct view *view);

/* Return what was measured, which the caller frees, or NULL if memory is short: "label:
 * netbench on /srv". */
char *headline_subject(const struct result_run *run);

/* Why points are invalid, and warnings, of all results. */
void section_invalid(struct doc *doc, const struct view *view);
void section_warnings(struct doc *doc, const struct view *view);

/* Charts: throughput, latency, shares of operations, seconds with samples.
 * section_seconds adds only the last ones. */
void section_charts(struct doc *doc, const struct view *view);
void section_seconds(struct doc *doc, const struct view *view);

/* The tables of --table, and whether the results have any: text and Markdown have them
 * instead of other tables. */
void section_tables(struct doc *doc, const struct view *view);
bool tables_are_asked(const struct view *view);

/* Several results side by side: at each place a row per result; the pivot; the loads and
 * phases of each place; the samples; the operations of the chosen points; in the order of
 * time. */
void section_sides(struct doc *doc, const struct view *view);
void section_pivot(struct doc *doc, const struct view *view);
void section_sides_parts(struct doc *doc, const struct view *view);
void section_sides_samples(struct doc *doc, const struct view *view);
void section_sides_operations(struct doc *doc, const struct view *view);
void section_trend(struct doc *doc, const struct view *view);

/* The configuration: common facts once, and facts that differ side by side. */
void section_configuration(struct doc *doc, const struct view *view);

#endif
