/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/svg.h"

#include "doc/escape.h"
#include "doc/drawing.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * Sizes, in drawing units. A drawing is as wide as its column, so on a phone its
 * letters are larger in these units (see page.css); there must be room for them.
 */
#define WIDTH 640.0
#define LEFT 76.0 /* ends of the area inside the axes */
#define TOP 30.0
#define RIGHT 628.0
#define BOTTOM 322.0
#define MARGIN 14.0      /* between the axes' ends and the first and last dot */
#define LETTER 10.5      /* about the width of a letter */
#define LINE_HEIGHT 19.0 /* min distance of labels at the ends of lines */
#define X_LABELS 24.0    /* height of the labels below the x axis */
#define X_NAME 34.0      /* and of its name */
#define ROW 30.0         /* height of a row with its name on the left */
#define TALL_ROW 54.0    /* and with its name above it */
#define STEEP_ROOM 28.0  /* between steep labels */
#define Y_NAME 22.0      /* height of the name of the y axis */
#define ASIDE 0.82       /* cosine of the angle of steep labels, 35 degrees */
#define SLOPE 0.57       /* and its sine */

/* Max lengths of names: at the end of a line, left of a row, above a row, and below the
 * x axis if they are steep. */
enum { END_NAME = 14, LEFT_NAME = 14, ROW_NAME = 56, STEEP_NAME = 24 };

/* A name at the right end of a line. */
struct end_name {
	const char *text;
	unsigned series;
	double y;
};

/*
 * Texts.
 */

/* Return the end of the first `count` characters. */
static const char *skip(const char *text, size_t count)
{
	while (*text != '\0' && (count > 0 || ((unsigned char)*text & 0xc0) == 0x80)) {
		count -= ((unsigned char)*text & 0xc0) != 0x80;
		text++;
	}
	return text;
}

/* Write a text with at most `max` characters. If it is longer, leave out its middle, and
 * show all of it under the mouse pointer. */
static void write_short(const char *text, size_t max, FILE *stream)
{
	size_t length = escape_length(text), head = max * 3 / 5;
	char *start;

	if (length <= max) {
		escape_markup(text, stream);
		return;
	}
	start = strndup(text, (size_t)(skip(text, head) - text));
	escape_print(stream, "<title>%s</title>%s\u2026%s", text, start,
		     skip(text, length - (max - head - 1)));
	free(start);
}

/* Check if the spots of a mark have a height, and an end (`to`), and if this is on the x
 * axis. */
static bool has_y(const struct doc_mark *mark)
{
	return mark->kind != DOC_MARK_CROSS && mark->kind != DOC_MARK_BAND;
}

static bool has_end(const struct doc_mark *mark)
{
	return mark->kind == DOC_MARK_INTERVAL || mark->kind == DOC_MARK_STACK ||
	       mark->kind == DOC_MARK_BAND;
}

static bool ends_on_x(const struct drawing *drawing, const struct doc_mark *mark)
{
	return mark->kind == DOC_MARK_BAND ||
	       (mark->kind == DOC_MARK_INTERVAL && drawing->has_rows);
}

static bool has_mark(const struct doc_chart *chart, enum doc_mark_kind kind)
{
	size_t i;

	for (i = 0; i < chart->mark_count; i++)
		if (chart->marks[i].kind == kind)
			return true;
	return false;
}

/* Collect the values of all marks. */
static void add_values(struct drawing *drawing)
{
	size_t i, j;

	for (i = 0; i < drawing->chart->mark_count; i++) {
		const struct doc_mark *mark = &drawing->chart->marks[i];
		bool is_fit = mark->kind == DOC_MARK_FIT; /* between the values */

		for (j = 0; j < mark->count; j++) {
			const struct doc_spot *spot = &mark->spots[j];

			axis_add(&drawing->x, is_fit ? NAN : spot->x);
			if (has_y(mark))
				axis_add(&drawing->y, spot->y);
			if (has_end(mark))
				axis_add(ends_on_x(drawing, mark) ? &drawing->x : &drawing->y,
					 spot->to);
		}
	}
	axis_complete(&drawing->x);
	axis_complete(&drawing->y);
}

static size_t longest_name(const struct axis *axis)
{
	char text[NUMBER_TEXT];
	size_t longest = 0, i;

	for (i = 0; axis->is_ordinal && i < axis->count; i++) {
		size_t length = escape_length(axis_name_at(axis, i, text));

		longest = length > longest ? length : longest;
	}
	return longest;
}

static size_t shorter(size_t length, size_t max)
{
	return length < max ? length : max;
}

/*
 * Layout.
 */

static bool has_end_name(const struct drawing *drawing, const struct doc_mark *mark)
{
	return mark->name != NULL && mark->name[0] != '\0' && !drawing->has_rows;
}

/* Choose the left and right ends of the x axis, and where the drawing ends below: the
 * names of rows and those at the ends of lines need room. */
static void choose_area(struct drawing *drawing)
{
	size_t longest = longest_name(&drawing->y), end = 0, ends = 0, i;
	char text[NUMBER_TEXT];

	drawing->left = LEFT;
	drawing->top = TOP;
	drawing->right = RIGHT;
	drawing->bottom = BOTTOM;
	if (drawing->has_rows) {
		drawing->is_left = longest <= LEFT_NAME;
		drawing->left = drawing->is_left ? MARGIN + LETTER * (double)longest : MARGIN;
		drawing->bottom = drawing->top +
				  (double)drawing->y.count * (drawing->is_left ? ROW : TALL_ROW);
	}
	for (i = 0; i < drawing->chart->mark_count; i++) {
		const struct doc_mark *mark = &drawing->chart->marks[i];
		size_t length = has_end_name(drawing, mark) ? escape_length(mark->name) : 0;

		ends += length > 0;
		end = length > end ? length : end;
	}
	drawing->right -= (LETTER + 1.5) * (double)shorter(end, END_NAME);
	drawing->bottom = fmax(drawing->bottom, drawing->top + LINE_HEIGHT * (double)ends);
	if (drawing->has_rows && axis_name(&drawing->y, text)[0] == '\0') {
		drawing->top -= Y_NAME;
		drawing->bottom -= Y_NAME;
	}
}

/* Choose the height of the drawing by the room that the labels of the x axis need. */
static void choose_height(struct drawing *drawing)
{
	const struct axis *x = &drawing->x;
	size_t longest = longest_name(x);
	double room = x->count > 0 ? (drawing->right - drawing->left) / (double)x->count : 0;
	double labels = X_LABELS;

	if (x->is_ordinal && x->values == NULL && LETTER * (double)(longest + 1) > room) {
		/* The first label must not leave the drawing on the left. */
		size_t fit = (size_t)((drawing->left + room / 2) / LETTER / ASIDE);

		drawing->steep = shorter(longest, shorter(fit, STEEP_NAME));
		labels += SLOPE * LETTER * (double)drawing->steep;
	}
	drawing->height = drawing->bottom + labels + X_NAME;
}

/* Choose the scales and the sizes. */
static void lay_out(struct drawing *drawing)
{
	struct axis *x = &drawing->x, *y = &drawing->y;
	bool has_stacks = has_mark(drawing->chart, DOC_MARK_STACK);

	drawing->has_rows = y->of->scale == DOC_NAMES;
	y->is_ordinal = drawing->has_rows;
	x->is_ordinal = x->of->scale == DOC_NAMES || (x->of->scale == DOC_STEPS && has_stacks);
	add_values(drawing);
	choose_area(drawing);
	choose_height(drawing);
	axis_choose(x, drawing->left, drawing->right, 0, MARGIN);
	/* Rows are from the top down. A column of parts may reach the top. */
	if (drawing->has_rows)
		axis_choose(y, drawing->top, drawing->bottom, 0, 0);
	else
		axis_choose(y, drawing->bottom, drawing->top, has_stacks ? 0 : 0.05, 0);
}

/*
 * Axes.
 */

static void draw_y_ticks(const struct drawing *drawing)
{
	const struct scale *scale = &drawing->y.scale;
	char text[NUMBER_TEXT];
	size_t i;

	for (i = 0; i < scale->tick_count; i++) {
		double y = scale_place(scale, scale->ticks[i]);
		bool is_one = drawing->y.of->scale == DOC_RATIOS && scale->ticks[i] == 1;

		fputs(is_one ? "<path class=\"one\"" : "<path", drawing->stream);
		escape_print(drawing->stream,
			     " d=\"M%g %.1fH%g\"/>"
			     "<text x=\"%g\" y=\"%.1f\" dy=\".35em\">%s</text>\n",
			     drawing->left, y, drawing->right, drawing->left - 8, y,
			     axis_print(&drawing->y, scale->ticks[i], text));
	}
}

/* Draw a line below each row, and its name. */
static void draw_rows(const struct drawing *drawing)
{
	double height = (drawing->bottom - drawing->top) / (double)drawing->y.count;
	char text[NUMBER_TEXT];
	size_t i;

	for (i = 0; i < drawing->y.count; i++) {
		double y = scale_place(&drawing->y.scale, (double)i + 1);

		fprintf(drawing->stream, "<path d=\"M%g %.1fH%g\"/>",
			drawing->is_left ? drawing->left : 0, y + height / 2, drawing->right);
		if (drawing->is_left)
			fprintf(drawing->stream, "<text x=\"%g\" y=\"%.1f\" dy=\".35em\">",
				drawing->left - 8, y);
		else
			fprintf(drawing->stream, "<text class=\"row\" x=\"0\" y=\"%.1f\">", y - 11);
		write_short(axis_name_at(&drawing->y, i, text), ROW_NAME, drawing->stream);
		fputs("</text>\n", drawing->stream);
	}
}

static void draw_y_axis(const struct drawing *drawing)
{
	bool is_logarithmic = drawing->y.scale.logarithmic && drawing->y.of->scale == DOC_SPAN;
	char text[NUMBER_TEXT];

	fputs("<g class=\"y axis\">\n", drawing->stream);
	if (drawing->has_rows)
		draw_rows(drawing);
	else
		draw_y_ticks(drawing);
	escape_print(drawing->stream, "<text class=\"name\" x=\"0\" y=\"%g\">%s%s</text>\n</g>\n",
		     drawing->top - 15, axis_name(&drawing->y, text),
		     is_logarithmic ? ", logarithmic" : "");
}

static void draw_x_ticks(const struct drawing *drawing)
{
	const struct scale *scale = &drawing->x.scale;
	char text[NUMBER_TEXT];
	size_t i;

	for (i = 0; i < scale->tick_count; i++) {
		double x = scale_place(scale, scale->ticks[i]);
		bool is_one = drawing->x.of->scale == DOC_RATIOS && scale->ticks[i] == 1;

		/* With rows, lines lead up from the ticks. */
		fputs(is_one              ? "<path class=\"one\""
		      : drawing->has_rows ? "<path class=\"rule\""
					  : "<path",
		      drawing->stream);
		escape_print(drawing->stream,
			     " d=\"M%.1f %gV%g\"/>"
			     "<text x=\"%.1f\" y=\"%g\" dy=\"1em\">%s</text>\n",
			     x, drawing->bottom + 5,
			     drawing->has_rows ? drawing->top : drawing->bottom, x,
			     drawing->bottom + 7, axis_print(&drawing->x, scale->ticks[i], text));
	}
}

/* Draw ticks with names, as many as there is room for. */
static void draw_x_names(const struct drawing *drawing)
{
	const struct axis *x = &drawing->x;
	char text[NUMBER_TEXT];
	double free_from = 0;
	size_t i;

	for (i = 0; i < x->count; i++) {
		const char *name = axis_name_at(x, i, text);
		double at = scale_place(&x->scale, (double)i + 1), y = drawing->bottom + 7;
		double room = drawing->steep > 0 ? STEEP_ROOM
						 : LETTER * ((double)escape_length(name) + 0.5);

		fprintf(drawing->stream, "<path d=\"M%.1f %gv5\"/>", at, drawing->bottom);
		if (at - room / 2 < free_from)
			continue;
		free_from = at + room / 2;
		if (drawing->steep > 0)
			fprintf(drawing->stream,
				"<text class=\"steep\" transform=\"translate(%.1f %g) "
				"rotate(-35)\" "
				"dy=\".6em\">",
				at + 3, y + 5);
		else
			fprintf(drawing->stream, "<text x=\"%.1f\" y=\"%g\" dy=\"1em\">", at, y);
		write_short(name, drawing->steep > 0 ? drawing->steep : SIZE_MAX, drawing->stream);
		fputs("</text>\n", drawing->stream);
	}
}

static void draw_x_axis(const struct drawing *drawing)
{
	char text[NUMBER_TEXT];

	fprintf(drawing->stream, "<g class=\"x axis\">\n<path d=\"M%g %gH%g\"/>\n", drawing->left,
		drawing->bottom, drawing->right);
	if (drawing->x.is_ordinal)
		draw_x_names(drawing);
	else
		draw_x_ticks(drawing);
	escape_print(drawing->stream,
		     "<text class=\"name\" x=\"%g\" y=\"%g\" dy=\"-.3em\">%s</text>\n</g>\n",
		     (drawing->left + drawing->right) / 2, drawing->height,
		     axis_name(&drawing->x, text));
}

/*
 * Names at the ends of lines.
 */

static int by_height(const void *a, const void *b)
{
	const struct end_name *one = a, *other = b;

	return (one->y > other->y) - (one->y < other->y);
}

/*
 * Move names apart. First, move each name down until it is below the name above it.
 * Then, from the bottom up, move the names that left the drawing back into it.
 */
static void move_apart(struct end_name *names, size_t count, double bottom)
{
	double limit = bottom - 4;
	size_t i;

	qsort(names, count, sizeof(*names), by_height);
	for (i = 1; i < count; i++)
		names[i].y = fmax(names[i].y, names[i - 1].y + LINE_HEIGHT);
	for (i = count; i-- > 0; limit -= LINE_HEIGHT)
		names[i].y = fmin(names[i].y, limit);
}

/* Return the height of the last known spot of a mark, or NAN. */
static double end_of(const struct drawing *drawing, const struct doc_mark *mark)
{
	size_t i = mark->count;
	double y = NAN;

	while (i > 0 && isnan(y))
		y = axis_place(&drawing->y, mark->spots[--i].y);
	return y;
}

static void draw_end_names(struct drawing *drawing)
{
	const struct doc_chart *chart = drawing->chart;
	struct end_name *names = calloc(chart->mark_count + 1, sizeof(*names));
	size_t count = 0, i;

	drawing->failed = names == NULL;
	for (i = 0; names != NULL && i < chart->mark_count; i++) {
		const struct doc_mark *mark = &chart->marks[i];
		double y = end_of(drawing, mark);

		if (has_end_name(drawing, mark) && !isnan(y))
			names[count++] = (struct end_name){mark->name, mark->series, y};
	}
	if (count > 0)
		move_apart(names, count, drawing->bottom);
	for (i = 0; i < count; i++) {
		fprintf(drawing->stream,
			"<text class=\"mark s%u\" x=\"%g\" y=\"%.1f\" dy=\".35em\">",
			svg_colour(names[i].series), drawing->right + 6, names[i].y);
		write_short(names[i].text, END_NAME, drawing->stream);
		fputs("</text>\n", drawing->stream);
	}
	free(names);
}

/*
 * The legend, below the drawing.
 */

/* Check if the legend has an entry for a mark: it is the first with this text and
 * series. */
static bool is_in_legend(const struct doc_chart *chart, size_t index)
{
	const struct doc_mark *mark = &chart->marks[index];
	size_t i;

	if (mark->legend == NULL || mark->legend[0] == '\0')
		return false;
	for (i = 0; i < index; i++) {
		const struct doc_mark *other = &chart->marks[i];

		if (other->legend != NULL && other->series == mark->series &&
		    strcmp(other->legend, mark->legend) == 0)
			return false;
	}
	return true;
}

static void write_legend(const struct drawing *drawing)
{
	const struct doc_chart *chart = drawing->chart;
	bool is_begun = false;
	size_t i;

	for (i = 0; i < chart->mark_count; i++) {
		const struct doc_mark *mark = &chart->marks[i];

		if (!is_in_legend(chart, i))
			continue;
		fputs(is_begun ? "" : "<p class=\"legend\">", drawing->stream);
		is_begun = true;
		fputs("<span>", drawing->stream);
		drawing_swatch(drawing, mark);
		escape_print(drawing->stream, "%s</span>\n", mark->legend);
	}
	fputs(is_begun ? "</p>\n" : "", drawing->stream);
}

/* Check if a mark is drawn; a line without dots needs two spots. */
static bool has_values(const struct doc_mark *mark)
{
	size_t i;

	if (!has_y(mark) || (mark->kind == DOC_MARK_TRACE && mark->count < 2))
		return false;
	for (i = 0; i < mark->count; i++)
		if (mark->spots[i].x > 0 && mark->spots[i].y > 0)
			return true;
	return false;
}

bool svg_has_values(const struct doc_chart *chart)
{
	size_t i;

	for (i = 0; i < chart->mark_count; i++)
		if (has_values(&chart->marks[i]))
			return true;
	return false;
}

static void begin_svg(const struct drawing *drawing, const char *heading)
{
	const char *id = drawing->chart->id;
	char x[NUMBER_TEXT], y[NUMBER_TEXT];

	escape_print(drawing->stream,
		     "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %g %g\" "
		     "aria-labelledby=\"%s-name %s-text\">\n"
		     "<title id=\"%s-name\">%s</title>\n"
		     "<desc id=\"%s-text\">Across: %s; upwards: %s. "
		     "The figures are in the tables.</desc>\n",
		     WIDTH, drawing->height, id, id, id, heading, id, axis_name(&drawing->x, x),
		     axis_name(&drawing->y, y));
}

int svg_write(const struct doc_chart *chart, const char *heading, FILE *stream)
{
	struct drawing drawing = {
		.chart = chart,
		.stream = stream,
		.x.of = &chart->axes[0],
		.y.of = &chart->axes[1],
	};
	size_t i;

	lay_out(&drawing);
	begin_svg(&drawing, heading);
	/* The names of rows cover the rules of the x axis. */
	if (!drawing.has_rows)
		draw_y_axis(&drawing);
	draw_x_axis(&drawing);
	if (drawing.has_rows)
		draw_y_axis(&drawing);
	for (i = 0; i < chart->mark_count; i++)
		drawing_mark(&drawing, &chart->marks[i]);
	draw_end_names(&drawing);
	fputs("</svg>\n", stream);
	write_legend(&drawing);
	axis_free(&drawing.x);
	axis_free(&drawing.y);
	return drawing.failed || drawing.x.failed || drawing.y.failed ? -ENOMEM : 0;
}
