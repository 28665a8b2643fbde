/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of throughput and 99th percentile over time, with a line for each repeat
 * of the chosen points.
 */
#include "report/sections.h"

#include "base/units.h"
#include "report/charts/lines.h"
#include "result/variant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* With more sides, only one repeat of each is drawn. */
enum { FEW_SIDES = 4 };

/* With more sides, nothing is drawn: nobody could tell the lines apart. */
enum { SIDES_MAX = 26 };

/* Return the value of a second, or NAN. */
static double value_of(enum figure figure, const struct result_second *second)
{
	if (figure == FIGURE_MB_PER_S)
		return second->mb_per_s;
	return second->p99_ms > 0 ? number_value_of(figure, second->p99_ms) : NAN;
}

static void add_repeat(struct doc *doc, enum figure figure, const struct result_repeat *repeat,
		       const struct doc_mark *mark)
{
	size_t i;

	doc_mark(doc, mark);
	for (i = 0; i < repeat->second_count; i++) {
		const struct result_second *second = &repeat->seconds[i];
		const struct doc_spot spot = {.x = second->at_s, .y = value_of(figure, second)};

		doc_spot(doc, &spot);
	}
}

/* Return the repeat that is nearest to the median of a point's repeats. */
static const struct result_repeat *nearest(const struct view *view,
					   const struct result_point *point)
{
	const struct result_repeat *found = &point->repeats[0];
	double rate = view_rate(view, &point->records), least = INFINITY;
	size_t i;

	for (i = 0; i < point->repeat_count; i++) {
		double away = fabs(view_rate(view, &point->repeats[i].records) - rate);

		if (!result_repeat_is_valid(&point->repeats[i]) || !(away < least))
			continue;
		least = away;
		found = &point->repeats[i];
	}
	return found;
}

static void add_side(struct doc *doc, enum figure figure, const struct view *view, size_t index)
{
	const struct view_side *side = &view->sides[index];
	const struct result_point *point = side->chosen;
	const bool is_clear = lines_is_clear(side->mark, side->name);
	char legend[2 * VARIANT_TEXT] = "repeat";
	const struct doc_mark mark = {
		.kind = DOC_MARK_TRACE,
		.series = (unsigned)index + 1,
		.legend = legend,
	};
	size_t i;

	if (point == NULL)
		return;
	if (view->side_count > 1)
		snprintf(legend, sizeof(legend), "%s%s%s", is_clear ? "" : side->mark,
			 is_clear ? "" : " ", side->name);
	if (view->side_count > FEW_SIDES)
		add_repeat(doc, figure, nearest(view, point), &mark);
	for (i = 0; view->side_count <= FEW_SIDES && i < point->repeat_count; i++)
		add_repeat(doc, figure, &point->repeats[i], &mark);
}

/* Print at which points the seconds were measured. Return `text`. */
static char *print_place(const struct view *view, char text[64])
{
	unsigned users = 0;
	bool is_same = true;
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		const struct result_point *point = view->sides[i].chosen;

		if (point == NULL)
			continue;
		is_same &= users == 0 || users == point->users;
		users = point->users;
	}
	if (is_same)
		snprintf(text, 64, ", with %u %s", users, units_plural(users, "user", "users"));
	else
		snprintf(text, 64, ", each at its peak");
	return text;
}

static void draw(struct doc *doc, const struct view *view, enum figure figure, const char *id,
		 const char *what)
{
	const bool is_rate = figure == FIGURE_MB_PER_S;
	const struct doc_axis axes[] = {
		{.name = "seconds", .form = NUMBER_COUNT, .scale = DOC_UP_TO},
		{
			.name = is_rate ? number_rate_unit() : "p99",
			.form = number_form_of(figure),
			.scale = is_rate ? DOC_LINEAR : DOC_SPAN,
		},
	};
	char heading[96], place[64];
	size_t i;

	snprintf(heading, sizeof(heading), "%s over time%s", what, print_place(view, place));
	doc_chart(doc, id, heading, axes);
	for (i = 0; i < view->side_count; i++)
		add_side(doc, figure, view, i);
}

void section_seconds(struct doc *doc, const struct view *view)
{
	if (view->side_count > SIDES_MAX)
		return;
	draw(doc, view, FIGURE_MB_PER_S, "seconds", "Throughput");
	draw(doc, view, FIGURE_P99_MS, "seconds-p99",
	     view->paced ? "Response time p99" : "Latency p99");
}
