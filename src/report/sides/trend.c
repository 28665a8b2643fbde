/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results of the same load on the same targets in the order of time. This only shows
 * how figures change: to judge that is the work of throng compare, and of tools that
 * find change points in long histories.
 */
#include "report/sections.h"

#include "doc/records.h"
#include "result/combine.h"
#include "result/variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* With fewer results there is no trend. Max length of a commit that is shown. */
enum { RESULTS_MIN = 3, COMMIT_COLUMNS = 12 };

/* Length of a date with the time to the minute, with a NUL. */
enum { MINUTE_TEXT = sizeof("2026-01-02 03:04") };

struct step {
	const struct view_side *side;
	size_t index; /* of the side */
	char started[MINUTE_TEXT];
	char commit[COMMIT_COLUMNS + 1]; /* ""; unknown */
};

struct trend {
	const struct view *view;
	struct step *steps; /* one per side, in the order of time */
	size_t commits;     /* number of known ones */
};

static int by_time(const void *a, const void *b)
{
	const struct step *one = a, *other = b;

	return strcmp(one->side->result->run.started, other->side->result->run.started);
}

/* Fill in the beginning of the note "commit". */
static void find_commit(const struct result_run *run, char commit[COMMIT_COLUMNS + 1])
{
	const char *note = variant_set_value(run->notes, run->note_count, "commit");
	size_t length = note != NULL ? strnlen(note, COMMIT_COLUMNS) : 0;

	/* Don't cut a character. */
	while (length > 0 && ((unsigned char)note[length] & 0xc0) == 0x80)
		length--;
	snprintf(commit, COMMIT_COLUMNS + 1, "%.*s", (int)length, note != NULL ? note : "");
}

/* Sort the results. Return -1 if memory is short. */
static int sort(struct trend *trend)
{
	const struct view *view = trend->view;
	size_t i;

	trend->steps = calloc(view->side_count, sizeof(*trend->steps));
	if (trend->steps == NULL)
		return -1;
	for (i = 0; i < view->side_count; i++) {
		struct step *step = &trend->steps[i];
		const struct result_run *run = &view->sides[i].result->run;

		step->side = &view->sides[i];
		step->index = i;
		snprintf(step->started, MINUTE_TEXT, "%.10s %.5s", run->started,
			 strlen(run->started) > 11 ? run->started + 11 : "");
		find_commit(run, step->commit);
		trend->commits += step->commit[0] != '\0';
	}
	qsort(trend->steps, view->side_count, sizeof(*trend->steps), by_time);
	return 0;
}

/* Check if two runs play the same loads on the same targets. */
static bool is_same_work(const struct result_variant *one, const struct result_variant *other)
{
	bool is_same = one->load_count == other->load_count &&
		       one->target_count == other->target_count;
	size_t i;

	for (i = 0; is_same && i < one->load_count; i++)
		is_same = strcmp(one->loads[i].name, other->loads[i].name) == 0;
	for (i = 0; is_same && i < one->target_count; i++)
		is_same = strcmp(one->targets[i].url, other->targets[i].url) == 0;
	return is_same;
}

/* Check if the results are a trend: the same work at different times. */
static bool is_trend(const struct trend *trend)
{
	const struct step *steps = trend->steps;
	bool is_same = true;
	size_t i;

	for (i = 1; is_same && i < trend->view->side_count; i++)
		is_same = by_time(&steps[i - 1], &steps[i]) != 0 &&
			  is_same_work(steps[i].side->result->run.variants,
				       steps[0].side->result->run.variants);
	return is_same;
}

static bool has_all(const struct view *view, const struct view_place *place)
{
	size_t i;

	for (i = 0; i < view->side_count; i++)
		if (place->points[i] == NULL)
			return false;
	return true;
}

/* Return the total of a result's point at a place, or NULL if it is invalid. */
static const struct record *total_at(const struct view_place *place, const struct step *step)
{
	return view_total(place->points[step->index]);
}

/* Return the place with the best throughput among those where all results have a
 * point, or NULL if there is none. */
static const struct view_place *best_place(const struct trend *trend)
{
	const struct view *view = trend->view;
	const struct view_place *best = NULL;
	double max = -1;
	size_t i, j;

	for (i = 0; i < view->place_count; i++) {
		const struct view_place *place = &view->places[i];

		if (!has_all(view, place))
			continue;
		best = best != NULL ? best : place;
		for (j = 0; j < view->side_count; j++)
			if (view_rate(view, &place->points[j]->records) > max) {
				max = view_rate(view, &place->points[j]->records);
				best = place;
			}
	}
	return best;
}

/* Add a row per result at one place. Changes have no colours, which would judge
 * them. */
static void add_table(struct doc *doc, const struct trend *trend, const struct view_place *place,
		      bool is_text)
{
	const struct view *view = trend->view;
	const struct records_column columns[] = {
		{view->rate, NULL, RECORDS_VALUE, DOC_MAIN},
		{view->rate, "min", RECORDS_MIN, DOC_KNOWN},
		{view->rate, "max", RECORDS_MAX, DOC_KNOWN},
		{view->rate, "change", RECORDS_STEP, DOC_KNOWN},
		{FIGURE_P99_MS, NULL, RECORDS_VALUE, DOC_RESPONSE | DOC_KNOWN},
		{FIGURE_P99_MS, "p99 change", RECORDS_STEP, DOC_WIDE | DOC_KNOWN},
	};
	size_t i;

	doc_table(doc, 0);
	doc_column(doc, "started", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	if (trend->commits > 0)
		doc_column(doc, "commit", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "result", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	records_columns(doc, columns, LENGTH(columns), view->open_loop);
	for (i = 0; i < view->side_count; i++) {
		const struct step *step = &trend->steps[i];
		const struct records_row row = {
			.record = total_at(place, step),
			.point = place->points[step->index],
			.previous = i > 0 ? total_at(place, step - 1) : NULL,
		};

		doc_row(doc, DOC_PLAIN, (unsigned)step->index + 1);
		doc_cell_text(doc, "%s", step->started);
		if (trend->commits > 0)
			doc_cell_text(doc, "%s", step->commit);
		doc_cell_text(doc, "%s", is_text ? step->side->brief : step->side->name);
		if (row.record == NULL)
			doc_rest(doc, DOC_BAD, "invalid");
		else
			records_cells(doc, columns, LENGTH(columns), &row);
	}
	doc_table_end(doc);
}

/* A chart of one figure at a place. */
struct plot {
	struct doc *doc;
	const struct trend *trend;
	const struct view_place *place;
	enum figure figure;
	unsigned series;  /* its colour */
	const char *unit; /* "": each value has its own */
};

/* Return the value of a step, or NAN. Nothing that is drawn can be 0. */
static double value_at(const struct plot *plot, const struct step *step)
{
	const struct record *total = total_at(plot->place, step);
	double value = total != NULL ? record_value(total, plot->figure) : NAN;

	return value > 0 ? number_value_of(plot->figure, value) : NAN;
}

/* Add a spot of the line through the medians: "r3, 2026-01-02 03:04, 1,852 MB/s". */
static void add_median(const struct plot *plot, const struct step *step, struct doc_spot spot)
{
	char number[NUMBER_TEXT];

	doc_spot(plot->doc, &spot);
	if (isnan(spot.y))
		return;
	number_print(number_form_of(plot->figure), spot.y, -1, NUMBER_TYPESET, number);
	doc_title(plot->doc, "%s, %s%s%s, %s%s%s", step->side->name, step->started,
		  step->commit[0] != '\0' ? ", " : "", step->commit, number,
		  plot->unit[0] != '\0' ? " " : "", plot->unit);
}

/* Add the range of the repeats, if there are several. */
static void add_range(const struct plot *plot, const struct step *step, struct doc_spot spot)
{
	const struct combine_range range = combine_range(plot->place->points[step->index],
							 plot->figure);

	spot.to = number_value_of(plot->figure, range.max);
	if (range.count < 2 || isnan(spot.y))
		return;
	spot.y = number_value_of(plot->figure, range.min);
	doc_spot(plot->doc, &spot);
}

/* Add a cross, if the result is invalid. */
static void add_cross(const struct plot *plot, const struct step *step, struct doc_spot spot)
{
	if (total_at(plot->place, step) == NULL)
		doc_spot(plot->doc, &spot);
}

static void add_mark(const struct plot *plot, enum doc_mark_kind kind, const char *legend,
		     void (*add)(const struct plot *, const struct step *, struct doc_spot))
{
	size_t i;

	doc_mark(plot->doc, &(struct doc_mark){kind, plot->series, .legend = legend});
	for (i = 0; i < plot->trend->view->side_count; i++) {
		const struct step *step = &plot->trend->steps[i];

		add(plot, step, (struct doc_spot){.x = (double)i + 1, .y = value_at(plot, step)});
	}
}

/* Add a chart. Results are named by their commits, if all are known. */
static void add_chart(const struct plot *plot, const char *id, const char *what, const char *unit)
{
	const struct trend *trend = plot->trend;
	const size_t count = trend->view->side_count;
	const char **names = calloc(count, sizeof(*names));
	const struct doc_axis axes[] = {
		{.name = "result", .scale = DOC_NAMES, .names = names, .name_count = count},
		{.name = unit, .form = number_form_of(plot->figure), .scale = DOC_LINEAR},
	};
	char heading[VIEW_PLACE_TEXT + 32], place[VIEW_PLACE_TEXT];
	bool are_valid = true;
	size_t i;

	for (i = 0; names != NULL && i < count; i++) {
		const struct step *step = &trend->steps[i];

		names[i] = trend->commits == count ? step->commit : step->side->brief;
		are_valid &= total_at(plot->place, step) != NULL;
	}
	if (names == NULL)
		doc_fail(plot->doc);
	snprintf(heading, sizeof(heading), "%s at %s", what,
		 view_print_place(plot->place, NUMBER_ASCII, place));
	doc_chart(plot->doc, id, heading, axes);
	add_mark(plot, DOC_MARK_INTERVAL, "range of the repeats", add_range);
	add_mark(plot, DOC_MARK_LINE, "median", add_median);
	if (!are_valid)
		add_mark(plot, DOC_MARK_CROSS, "invalid", add_cross);
	free(names);
}

static void add_charts(struct doc *doc, const struct trend *trend, const struct view_place *place)
{
	const struct view *view = trend->view;
	const struct plot rate = {doc, trend, place, view->rate, 1, view_unit(view)};
	const struct plot p99 = {doc, trend, place, FIGURE_P99_MS, 2, ""};

	add_chart(&rate, "trend", "Throughput", rate.unit);
	add_chart(&p99, "trend-p99", view->open_loop ? "Response p99" : "p99",
		  view->open_loop ? "response time" : "latency");
}

/* Add the table of a place. In pages it is folded, except that of the main one. */
static void add_place(struct doc *doc, const struct trend *trend, const struct view_place *place,
		      bool is_main)
{
	char text[VIEW_PLACE_TEXT];

	view_print_place(place, NUMBER_ASCII, text);
	doc_medium(doc, DOC_TEXT);
	doc_heading(doc, 3, "trend at %s", text);
	add_table(doc, trend, place, true);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	if (is_main)
		doc_heading(doc, 3, "at %s", text);
	else
		doc_fold(doc, false, "at %s", text);
	add_table(doc, trend, place, false);
	if (!is_main)
		doc_fold_end(doc);
	doc_medium(doc, DOC_ALL);
}

static void add_trend(struct doc *doc, const struct trend *trend)
{
	const struct view *view = trend->view;
	const struct view_place *first = best_place(trend);
	size_t i;

	if (first == NULL || !is_trend(trend))
		return;
	doc_heading(doc, 2, "In the order of time");
	add_charts(doc, trend, first);
	add_place(doc, trend, first, true);
	for (i = 0; i < view->place_count; i++)
		if (&view->places[i] != first && has_all(view, &view->places[i]))
			add_place(doc, trend, &view->places[i], false);
}

void section_trend(struct doc *doc, const struct view *view)
{
	struct trend trend = {.view = view};

	if (!view_has_several(view) || view->side_count < RESULTS_MIN)
		return;
	if (sort(&trend) < 0)
		doc_fail(doc);
	else
		add_trend(doc, &trend);
	free(trend.steps);
}
