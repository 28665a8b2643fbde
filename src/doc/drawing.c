/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/drawing.h"

#include "doc/escape.h"
#include "doc/html.h"
#include "doc/svg.h"

#include <math.h>

/* Dots are smaller if there are more than this in a line. */
#define CROWD 32

/* Max width of a column, in drawing units. */
#define WIDEST_COLUMN 72.0

unsigned svg_colour(unsigned series)
{
	return series > 0 ? (series - 1) % SVG_COLOURS + 1 : 0;
}

/* Write the class attribute of a mark: its look and its colour. */
static void write_class(const struct drawing *drawing, const char *look,
			const struct doc_mark *mark, enum doc_class class)
{
	fprintf(drawing->stream, " class=\"%s s%u%s%s%s\"", look, svg_colour(mark->series),
		mark->series > SVG_COLOURS ? " again" : "", class != DOC_PLAIN ? " " : "",
		html_class(class));
}

/* End an element that may have a title. */
static void end_element(const struct drawing *drawing, const char *name, const char *title)
{
	if (title != NULL)
		escape_print(drawing->stream, "><title>%s</title></%s>\n", title, name);
	else
		fputs("/>\n", drawing->stream);
}

/* Draw a line, with gaps where a spot has no value. */
static void draw_path(const struct drawing *drawing, const char *look, const struct doc_mark *mark)
{
	bool is_down = false; /* the path continues from the last spot */
	size_t i;

	fputs("<path", drawing->stream);
	write_class(drawing, look, mark, DOC_PLAIN);
	fputs(" d=\"", drawing->stream);
	for (i = 0; i < mark->count; i++) {
		double x = axis_place(&drawing->x, mark->spots[i].x);
		double y = axis_place(&drawing->y, mark->spots[i].y);
		bool is_known = !isnan(x) && !isnan(y);

		if (is_known)
			fprintf(drawing->stream, "%s%.1f %.1f", is_down ? "L" : "M", x, y);
		is_down = is_known;
	}
	fputs("\"/>\n", drawing->stream);
}

static void draw_dot(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		     const struct doc_spot *spot)
{
	size_t rows = drawing->has_rows && drawing->y.count > 0 ? drawing->y.count : 1;
	double x = axis_place(&drawing->x, spot->x), y = axis_place(&drawing->y, spot->y);

	if (isnan(x) || isnan(y))
		return;
	fputs("<circle", drawing->stream);
	write_class(drawing, look, mark, spot->class);
	fprintf(drawing->stream, " cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"", x, y,
		mark->count / rows > CROWD ? 2.4 : 4.0);
	end_element(drawing, "circle", spot->title);
}

static void draw_cross(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		       const struct doc_spot *spot)
{
	double x = axis_place(&drawing->x, spot->x);
	double y = drawing->has_rows ? axis_place(&drawing->y, spot->y) : drawing->bottom;

	(void)mark;
	if (isnan(x) || isnan(y))
		return;
	fprintf(drawing->stream, "<path class=\"%s\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\"", look,
		x - 5, y - 5);
	end_element(drawing, "path", spot->title);
}

/* Draw an interval as a line with short lines across its ends. */
static void draw_interval(const struct drawing *drawing, const char *look,
			  const struct doc_mark *mark, const struct doc_spot *spot)
{
	double x = axis_place(&drawing->x, spot->x), y = axis_place(&drawing->y, spot->y);
	double to = axis_place(drawing->has_rows ? &drawing->x : &drawing->y, spot->to);

	if (isnan(x) || isnan(y) || isnan(to))
		return;
	fputs("<path", drawing->stream);
	write_class(drawing, look, mark, spot->class);
	if (drawing->has_rows)
		fprintf(drawing->stream, " d=\"M%.1f %.1fv10m0 -5H%.1fm0 -5v10\"", x, y - 5, to);
	else
		fprintf(drawing->stream, " d=\"M%.1f %.1fh10m-5 0V%.1fm-5 0h10\"", x - 5, y, to);
	end_element(drawing, "path", spot->title);
}

static void draw_rect(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		      const struct doc_spot *spot, const double ends[4])
{
	if (!(ends[2] > ends[0] && ends[3] > ends[1]))
		return;
	fputs("<rect", drawing->stream);
	write_class(drawing, look, mark, spot->class);
	fprintf(drawing->stream, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", ends[0],
		ends[1], ends[2] - ends[0], ends[3] - ends[1]);
	end_element(drawing, "rect", spot->title);
}

/* Return the width of a group of columns. */
static double column_width(const struct drawing *drawing, double widest)
{
	double room = (drawing->right - drawing->left) / fmax((double)drawing->x.count, 1);

	return fmin(0.82 * room, widest);
}

static void draw_stack(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		       const struct doc_spot *spot)
{
	double half = column_width(drawing, WIDEST_COLUMN) / 2;
	double x = axis_place(&drawing->x, spot->x);
	const double ends[] = {x - half, axis_place(&drawing->y, fmax(spot->y, spot->to)), x + half,
			       axis_place(&drawing->y, fmin(spot->y, spot->to))};

	draw_rect(drawing, look, mark, spot, ends);
}

/* Draw a column. The marks of this kind are next to each other at each x. */
static void draw_bar(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		     const struct doc_spot *spot)
{
	const struct doc_chart *chart = drawing->chart;
	size_t count = 0, index = 0, i;
	double width, x;

	for (i = 0; i < chart->mark_count; i++) {
		index = &chart->marks[i] == mark ? count : index;
		count += chart->marks[i].kind == DOC_MARK_BAR;
	}
	width = column_width(drawing, WIDEST_COLUMN * (double)count) / (double)count;
	x = axis_place(&drawing->x, spot->x) + width * ((double)index - (double)count / 2);
	draw_rect(
		drawing, look, mark, spot,
		(const double[]){x, axis_place(&drawing->y, spot->y), x + width, drawing->bottom});
}

static void draw_band(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		      const struct doc_spot *spot)
{
	const double ends[] = {axis_place(&drawing->x, fmin(spot->x, spot->to)), drawing->top,
			       axis_place(&drawing->x, fmax(spot->x, spot->to)), drawing->bottom};

	draw_rect(drawing, look, mark, spot, ends);
}

/* The CSS classes of each kind of mark, and how its spots are drawn. */
static const struct {
	const char *swatch, *line, *spot;
	void (*draw_spot)(const struct drawing *drawing, const char *look,
			  const struct doc_mark *mark, const struct doc_spot *spot);
} looks[] = {
	[DOC_MARK_LINE] = {"line", "line", "middle", draw_dot},
	[DOC_MARK_FAINT] = {"faint", "line faint", "middle", draw_dot},
	[DOC_MARK_TRACE] = {"line", "trace", NULL, NULL},
	[DOC_MARK_FIT] = {"fit", "fit", NULL, NULL},
	[DOC_MARK_DOTS] = {"dot", NULL, "repeat", draw_dot},
	[DOC_MARK_WARNED] = {"ring", NULL, "warned", draw_dot},
	[DOC_MARK_CROSS] = {"void", NULL, "void", draw_cross},
	[DOC_MARK_INTERVAL] = {"interval", NULL, "interval", draw_interval},
	[DOC_MARK_STACK] = {"box", NULL, "share", draw_stack},
	[DOC_MARK_BAR] = {"box", NULL, "share", draw_bar},
	[DOC_MARK_BAND] = {"band", NULL, "band", draw_band},
};

void drawing_mark(const struct drawing *drawing, const struct doc_mark *mark)
{
	size_t i;

	if (mark->count > 0 && looks[mark->kind].line != NULL)
		draw_path(drawing, looks[mark->kind].line, mark);
	for (i = 0; i < mark->count && looks[mark->kind].draw_spot != NULL; i++)
		looks[mark->kind].draw_spot(drawing, looks[mark->kind].spot, mark, &mark->spots[i]);
}

void drawing_swatch(const struct drawing *drawing, const struct doc_mark *mark)
{
	fputs("<i", drawing->stream);
	write_class(drawing, looks[mark->kind].swatch, mark, DOC_PLAIN);
	fputs("></i>", drawing->stream);
}
