/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Charts of the points: throughput and latency, with the fitted scaling law, and
 * the operations' shares of the time.
 */
#include "report/sections.h"

#include "base/units.h"
#include "report/charts/lines.h"
#include "stats/usl.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* With more lines, a chart has no fitted curves, no dots for repeats, and of the
 * latencies only the 99th percentile. Otherwise it would be illegible. */
enum { FEW_LINES = 4 };

/* With more lines, they have no names: nobody could tell them apart. */
enum { NAMED_LINES = 26 };

/* Number of spots that make up a fitted curve. */
enum { CURVE_SPOTS = 97 };

/* The figures that have lines. */
struct curve {
	enum figure figure;
	enum doc_mark_kind kind;
	unsigned series;  /* its colour in a chart of one line per figure */
	size_t lines_max; /* it is left out of a chart with more */
};

static const struct curve latencies[] = {
	{FIGURE_P50_MS, DOC_MARK_LINE, 3, FEW_LINES},
	{FIGURE_P95_MS, DOC_MARK_LINE, 5, 1},
	{FIGURE_P99_MS, DOC_MARK_LINE, 2, SIZE_MAX},
	{FIGURE_MAX_MS, DOC_MARK_FAINT, 8, 1},
};

struct plot {
	struct doc *doc;
	const struct lines *lines;
	const struct curve *curves;
	size_t curve_count;
	bool is_latency;
	bool has[DOC_MARK_BAND + 1]; /* there are marks of this kind */
};

static bool has_few_lines(const struct plot *plot)
{
	return plot->lines->count <= FEW_LINES;
}

/* Return the colour of a line: with several lines, each has its own. */
static unsigned series_of(const struct plot *plot, const struct line *line,
			  const struct curve *curve)
{
	return plot->lines->count > 1 ? (unsigned)(line - plot->lines->list) + 1 : curve->series;
}

static double value_of(enum figure figure, const struct record *total)
{
	double value = total != NULL ? record_value(total, figure) : NAN;

	/* Nothing that is drawn can be 0. */
	return value > 0 ? number_value_of(figure, value) : NAN;
}

/* Add a spot. Its title is like "base, 8 users: 1,852 MB/s". */
static void add_spot(struct plot *plot, const struct line *line, size_t step,
		     const struct curve *curve, double value)
{
	const struct lines *lines = plot->lines;
	const char *unit = curve->figure == FIGURE_MB_PER_S    ? number_rate_unit()
			   : curve->figure == FIGURE_OPS_PER_S ? "ops/s"
							       : "";
	char number[NUMBER_TEXT], at[NUMBER_TEXT];

	doc_spot(plot->doc, &(struct doc_spot){.x = lines->steps[step], .y = value});
	if (isnan(value))
		return;
	number_print(number_form_of(curve->figure), value, -1, NUMBER_TYPESET, number);
	if (lines->across == LINES_BY_REPEAT)
		snprintf(at, sizeof(at), "repeat %zu", step + 1);
	else
		snprintf(at, sizeof(at), "%u %s", line->points[step]->users,
			 units_plural(line->points[step]->users, "user", "users"));
	doc_title(plot->doc, "%s%s%s%s%s: %s%s%s", line->name, line->name[0] != '\0' ? ", " : "",
		  lines->axis != NULL ? lines->values[step] : "", lines->axis != NULL ? ", " : "",
		  at, number, unit[0] != '\0' ? " " : "", unit);
}

/* Print the name at the end of a line: "A p99". Return `text`. */
enum { END_NAME = 80 };
static char *print_end_name(const struct plot *plot, const struct line *line,
			    const struct curve *curve, char text[END_NAME])
{
	const char *figure = plot->is_latency && has_few_lines(plot)
				     ? figures[curve->figure].heading
				     : "";

	snprintf(text, END_NAME, "%s%s%s", line->mark,
		 line->mark[0] != '\0' && figure[0] != '\0' ? " " : "", figure);
	return text;
}

/* Begin a mark in the colour of a line. */
static void begin_mark(struct plot *plot, const struct line *line, const struct curve *curve,
		       enum doc_mark_kind kind)
{
	const bool is_named = kind == curve->kind && plot->lines->count <= NAMED_LINES;
	char name[END_NAME];
	const struct doc_mark mark = {
		.kind = kind,
		.series = series_of(plot, line, curve),
		.name = is_named ? print_end_name(plot, line, curve, name) : NULL,
		.legend = is_named && !plot->is_latency ? line->legend : NULL,
	};

	doc_mark(plot->doc, &mark);
}

/* Check if a line has a spot of this kind at a step. */
static bool has_spot(enum doc_mark_kind kind, const struct line_spot *spot, double value)
{
	if (kind == DOC_MARK_WARNED)
		return spot->is_warned && !isnan(value);
	return spot->total != NULL && (kind != DOC_MARK_CROSS || !spot->is_valid);
}

/* Add the spots of a line: the line itself, without the steps that it lacks; rings where
 * there are warnings; or crosses where it is invalid. */
static void add_spots(struct plot *plot, const struct line *line, const struct curve *curve,
		      enum doc_mark_kind kind)
{
	size_t i;

	begin_mark(plot, line, curve, kind);
	for (i = 0; i < plot->lines->step_count; i++) {
		const struct line_spot spot = line_spot(plot->lines, line, i);
		double value = spot.is_valid ? value_of(curve->figure, spot.total) : NAN;

		if (!has_spot(kind, &spot, value))
			continue;
		plot->has[kind] = true;
		add_spot(plot, line, i, curve, value);
	}
}

/* Add a dot for each repeat of the points that have several. */
static void add_repeats(struct plot *plot, const struct line *line)
{
	const struct curve *curve = &plot->curves[0];
	size_t i, j;

	begin_mark(plot, line, curve, DOC_MARK_DOTS);
	for (i = 0; i < plot->lines->step_count; i++) {
		const struct result_point *point = line->points[i];

		if (point == NULL || point->repeat_count < 2)
			continue;
		plot->has[DOC_MARK_DOTS] = true;
		for (j = 0; j < point->repeat_count; j++)
			if (result_repeat_is_valid(&point->repeats[j]))
				add_spot(plot, line, i, curve,
					 value_of(curve->figure,
						  records_total(&point->repeats[j].records)));
	}
}

/* Return the law that is fitted to a line, or NULL. It is only fitted to MB/s. */
static const struct result_usl *law_of(const struct lines *lines, const struct line *line)
{
	const struct view *view = lines->view;
	const struct result *result = view->whole != NULL ? view->whole : line->side->result;
	const size_t variant = line->first->variant;

	if (lines->across != LINES_BY_USERS || lines->count > FEW_LINES ||
	    view->rate != FIGURE_MB_PER_S || variant >= result->run.variant_count ||
	    !result->run.variants[variant].usl.fitted)
		return NULL;
	return &result->run.variants[variant].usl;
}

/* Add the fitted curve over the measured range of user counts. */
static void add_curve(struct plot *plot, const struct line *line)
{
	const struct result_usl *law = law_of(plot->lines, line);
	size_t last = plot->lines->step_count - 1, i;
	double from, to;

	if (law == NULL)
		return;
	while (line->points[last] == NULL)
		last--;
	from = line->first->users;
	to = plot->lines->steps[last];
	plot->has[DOC_MARK_FIT] = true;
	begin_mark(plot, line, &plot->curves[0], DOC_MARK_FIT);
	for (i = 0; i < CURVE_SPOTS; i++) {
		double users = from * pow(to / from, (double)i / (CURVE_SPOTS - 1));

		doc_spot(plot->doc, &(struct doc_spot){.x = users, .y = usl_at(law, users)});
	}
}

/* Add an entry of the legend for each kind of mark. It is grey if each line has marks of
 * that kind in its own colour. The chart of latencies is next to that of the
 * throughput, whose legend says it all. */
static void add_legends(struct plot *plot)
{
	static const struct doc_mark legends[] = {
		{DOC_MARK_DOTS, .legend = "repeat"},
		{DOC_MARK_FIT, .legend = "fitted curve"},
		{DOC_MARK_WARNED, .legend = "warning"},
		{DOC_MARK_CROSS, .legend = "invalid"},
	};
	size_t i;

	for (i = 0; i < LENGTH(legends); i++) {
		struct doc_mark mark = legends[i];

		mark.series = plot->lines->count > 1 ? 0 : plot->curves[0].series;
		if (plot->has[mark.kind])
			doc_mark(plot->doc, &mark);
	}
}

static void add_marks(struct plot *plot)
{
	const struct lines *lines = plot->lines;
	size_t i, j;

	for (i = 0; i < lines->count; i++) {
		const struct line *line = &lines->list[i];

		if (!plot->is_latency)
			add_curve(plot, line);
		if (!plot->is_latency && lines->across != LINES_BY_REPEAT && has_few_lines(plot))
			add_repeats(plot, line);
		for (j = 0; j < plot->curve_count; j++) {
			const struct curve *curve = &plot->curves[j];

			if (lines->count > curve->lines_max)
				continue;
			add_spots(plot, line, curve, curve->kind);
			add_spots(plot, line, curve, DOC_MARK_WARNED);
		}
		add_spots(plot, line, plot->curves, DOC_MARK_CROSS);
	}
	if (!plot->is_latency)
		add_legends(plot);
}

static void draw(struct plot *plot, const char *what, const char *unit)
{
	static const char *const names[] = {
		[LINES_BY_USERS] = "users", [LINES_BY_REPEAT] = "repeat"};
	const struct lines *lines = plot->lines;
	const struct doc_axis axes[] = {
		{
			.name = lines->axis != NULL ? lines->axis : names[lines->across],
			.form = NUMBER_COUNT,
			.scale = lines->axis != NULL ? DOC_NAMES : DOC_STEPS,
			.names = lines->values,
			.name_count = lines->axis != NULL ? lines->step_count : 0,
		},
		{
			.name = unit,
			.form = number_form_of(plot->curves[0].figure),
			.scale = plot->is_latency ? DOC_SPAN : DOC_LINEAR,
		},
	};
	const unsigned users = lines->view->places[0].users;
	char heading[80];

	if (lines->across == LINES_BY_USERS)
		snprintf(heading, sizeof(heading), "%s against users", what);
	else
		snprintf(heading, sizeof(heading), "%s with %u %s, each %s", what, users,
			 units_plural(users, "user", "users"),
			 lines->axis != NULL ? "value" : "repeat");
	doc_chart(plot->doc, plot->is_latency ? "latency" : "throughput", heading, axes);
	add_marks(plot);
}

static void chart_throughput(struct doc *doc, const struct lines *lines)
{
	const enum figure rate = lines->view->rate;
	const struct curve curve = {rate, DOC_MARK_LINE, 1, SIZE_MAX};
	struct plot plot = {doc, lines, &curve, .curve_count = 1};

	draw(&plot, "Throughput", rate == FIGURE_MB_PER_S ? number_rate_unit() : "ops/s");
}

static void chart_latency(struct doc *doc, const struct lines *lines)
{
	const bool open_loop = lines->view->open_loop;
	struct plot plot = {doc, lines, latencies, LENGTH(latencies), .is_latency = true};
	char what[32];

	snprintf(what, sizeof(what), "%s%s", open_loop ? "Response time" : "Latency",
		 has_few_lines(&plot) ? "" : " (p99)");
	draw(&plot, what, open_loop ? "response time" : "latency");
}

/* Describe the laws whose curves are drawn. */
static void note_laws(struct doc *doc, const struct lines *lines)
{
	size_t i;

	for (i = 0; i < lines->count; i++) {
		const struct line *line = &lines->list[i];
		const struct result_usl *law = law_of(lines, line);
		char peak[64] = "no fitted peak in the measured range";

		if (law == NULL)
			continue;
		if (!isnan(law->peak_users))
			snprintf(peak, sizeof(peak), "fitted peak at %.0f %s", law->peak_users,
				 law->peak_users < 1.5 ? "user" : "users");
		doc_note(doc,
			 "%s%sUniversal Scalability Law, with 95 %% intervals: "
			 "contention \u03b1\u00a0%.4g (%.4g to %.4g), "
			 "coherency \u03b2\u00a0%.4g (%.4g to %.4g), "
			 "one user \u03b3\u00a0%.4g (%.4g to %.4g) %s; %s.",
			 line->name, line->name[0] != '\0' ? ": " : "", law->alpha.value,
			 law->alpha.low, law->alpha.high, law->beta.value, law->beta.low,
			 law->beta.high, number_rate_shown(law->gamma.value),
			 number_rate_shown(law->gamma.low), number_rate_shown(law->gamma.high),
			 number_rate_unit(), peak);
	}
}

/* Max number of parts of a column. If there are more operations, the last part
 * stands for all others. */
enum { PARTS_MAX = 8 };

/* The valid points of the only side, and their operations. */
struct columns {
	const struct result_point **points;
	size_t count;
	struct view_parts parts; /* the largest first */
};

static int find_columns(struct columns *columns, const struct view *view)
{
	size_t i;

	columns->points = calloc(view->place_count + 1, sizeof(struct result_point *));
	for (i = 0; columns->points != NULL && i < view->place_count; i++)
		if (view_total(view->places[i].points[0]) != NULL)
			columns->points[columns->count++] = view->places[i].points[0];
	return columns->points != NULL
		       ? view_find_parts(&columns->parts, columns->points, columns->count, NULL)
		       : -ENOMEM;
}

/* Add a part of all columns: the share of one operation, or that of all others.
 * `below` has the heights of the columns so far. */
static void add_part(struct doc *doc, const struct columns *columns, size_t part, double *below)
{
	const struct record_key *key = &columns->parts.list[part].key;
	const bool is_rest = part + 1 == PARTS_MAX && columns->parts.count > PARTS_MAX;
	const char *name = is_rest ? "others" : key->operation;
	const struct doc_mark mark = {
		.kind = DOC_MARK_STACK,
		.series = (unsigned)part + 1,
		.legend = name,
	};
	size_t i;

	doc_mark(doc, &mark);
	for (i = 0; i < columns->count; i++) {
		const struct record *operation = records_find(&columns->points[i]->records, key);
		double share = operation != NULL ? record_count(operation, FIGURE_TIME_SHARE) : 0;
		struct doc_spot spot = {.x = columns->points[i]->users, .y = below[i]};
		char number[NUMBER_TEXT];

		if (is_rest)
			share = 1 - below[i];
		if (!(share > 0))
			continue;
		below[i] += share;
		spot.to = below[i];
		doc_spot(doc, &spot);
		doc_title(doc, "%s: %s", name,
			  number_print(NUMBER_SPREAD, share, -1, NUMBER_TYPESET, number));
	}
}

static void draw_columns(struct doc *doc, const struct columns *columns)
{
	static const struct doc_axis axes[] = {
		{.name = "users", .scale = DOC_STEPS},
		{.name = "time", .form = NUMBER_SHARE, .scale = DOC_LINEAR},
	};
	double *below = calloc(columns->count, sizeof(*below));
	size_t i;

	if (below == NULL)
		doc_fail(doc);
	doc_chart(doc, "shares", "Operations\u2019 share of the time", axes);
	for (i = 0; below != NULL && i < columns->parts.count && i < PARTS_MAX; i++)
		add_part(doc, columns, i, below);
	free(below);
}

/* Add a stacked column for each valid point of the only side. A table shows more than
 * a single column; and that of several results has the shares, too. */
static void chart_shares(struct doc *doc, const struct view *view)
{
	struct columns columns = {0};

	if (view->side_count > 1)
		return;
	if (find_columns(&columns, view) < 0)
		doc_fail(doc);
	else if (columns.count > 1 && columns.parts.count > 0 && columns.parts.list[0].share > 0)
		draw_columns(doc, &columns);
	free(columns.points);
	free(columns.parts.list);
}

void section_charts(struct doc *doc, const struct view *view)
{
	struct lines lines;

	if (lines_make(&lines, view) < 0) {
		doc_fail(doc);
	} else if (lines.step_count > 1) {
		chart_throughput(doc, &lines);
		note_laws(doc, &lines);
		chart_latency(doc, &lines);
	}
	lines_free(&lines);
	section_seconds(doc, view);
	chart_shares(doc, view);
}
