/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of throughput, 99th percentile and samples over time, with a line for each
 * repeat of the chosen points.
 */
#include "report/sections.h"

#include "base/units.h"
#include "report/charts/lines.h"
#include "result/variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With more sides, only one repeat of each is drawn. */
enum { FEW_SIDES = 4 };

/* With more sides, nothing is drawn: nobody could tell the lines apart. */
enum { SIDES_MAX = 26 };

/* A curve over the seconds: the values of a sample, or those of a figure. */
struct curve {
	const char *sample; /* NULL: the figure */
	enum figure figure;
};

/* Return the value of a second, or NAN. */
static double value_of(enum figure figure, const struct result_second *second)
{
	if (figure == FIGURE_MB_PER_S)
		return second->mb_per_s;
	return second->p99_ms > 0 ? number_value_of(figure, second->p99_ms) : NAN;
}

static void add_sample(struct doc *doc, const char *name, const struct result_run *run,
		       const struct result_repeat *repeat)
{
	const size_t index = result_find_sample(run, name);
	size_t i;

	for (i = 0; index < repeat->sample_count && i < repeat->samples[index].value_count; i++) {
		const struct doc_spot spot = {
			.x = (double)i + 1,
			.y = repeat->samples[index].values[i],
		};

		doc_spot(doc, &spot);
	}
}

static void add_repeat(struct doc *doc, const struct curve *curve, const struct result_run *run,
		       const struct result_repeat *repeat, const struct doc_mark *mark)
{
	size_t i;

	doc_mark(doc, mark);
	if (curve->sample != NULL) {
		add_sample(doc, curve->sample, run, repeat);
		return;
	}
	for (i = 0; i < repeat->second_count; i++) {
		const struct result_second *second = &repeat->seconds[i];
		const struct doc_spot spot = {
			.x = second->at_s,
			.y = value_of(curve->figure, second),
		};

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

static void add_side(struct doc *doc, const struct curve *curve, const struct view *view,
		     size_t index)
{
	const struct view_side *side = &view->sides[index];
	const struct result_run *run = &side->result->run;
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
		add_repeat(doc, curve, run, nearest(view, point), &mark);
	for (i = 0; view->side_count <= FEW_SIDES && i < point->repeat_count; i++)
		add_repeat(doc, curve, run, &point->repeats[i], &mark);
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

static void draw(struct doc *doc, const struct view *view, const struct curve *curve,
		 const char *id, const char *what)
{
	const bool is_rate = curve->figure == FIGURE_MB_PER_S;
	const struct doc_axis axes[] = {
		{.name = "seconds", .form = NUMBER_COUNT, .scale = DOC_UP_TO},
		{
			.name = is_rate ? number_rate_unit() : "p99",
			.form = number_form_of(curve->figure),
			.scale = is_rate ? DOC_LINEAR : DOC_SPAN,
		},
	};
	const struct doc_axis sample[] = {
		axes[0],
		{.name = curve->sample, .form = NUMBER_PLAIN, .scale = DOC_LINEAR},
	};
	char place[64], *heading = NULL;
	size_t i;

	if (asprintf(&heading, "%s over time%s", what, print_place(view, place)) < 0) {
		doc_fail(doc);
		return;
	}
	doc_chart(doc, id, heading, curve->sample != NULL ? sample : axes);
	for (i = 0; i < view->side_count; i++)
		add_side(doc, curve, view, i);
	free(heading);
}

void section_seconds(struct doc *doc, const struct view *view)
{
	static const struct curve rate = {.figure = FIGURE_MB_PER_S};
	static const struct curve p99 = {.figure = FIGURE_P99_MS};
	size_t i;

	if (view->side_count > SIDES_MAX)
		return;
	draw(doc, view, &rate, "seconds", "Throughput");
	draw(doc, view, &p99, "seconds-p99", view->open_loop ? "Response time p99" : "Latency p99");
	for (i = 0; i < view->sample_count; i++) {
		const struct curve curve = {.sample = view->samples[i]};
		char id[48];

		snprintf(id, sizeof(id), "seconds-sample-%zu", i + 1);
		draw(doc, view, &curve, id, view->samples[i]);
	}
}
