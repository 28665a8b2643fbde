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

void drawing_class(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		   enum doc_class class)
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

static void draw_dots(const struct drawing *drawing, const char *look, const struct doc_mark *mark)
{
	size_t rows = drawing->has_rows && drawing->y.count > 0 ? drawing->y.count : 1;
	size_t i;

	for (i = 0; i < mark->count; i++) {
		const struct doc_spot *spot = &mark->spots[i];
		double x = axis_place(&drawing->x, spot->x), y = axis_place(&drawing->y, spot->y);

		if (isnan(x) || isnan(y))
			continue;
		fputs("<circle", drawing->stream);
		drawing_class(drawing, look, mark, spot->class);
		fprintf(drawing->stream, " cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"", x, y,
			mark->count / rows > CROWD ? 2.4 : 4.0);
		end_element(drawing, "circle", spot->title);
	}
}

/* Draw a line, with gaps where a spot has no value. */
static void draw_path(const struct drawing *drawing, const char *look, const struct doc_mark *mark)
{
	bool is_down = false; /* the path continues from the last spot */
	size_t i;

	fputs("<path", drawing->stream);
	drawing_class(drawing, look, mark, DOC_PLAIN);
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

static void draw_crosses(const struct drawing *drawing, const struct doc_mark *mark)
{
	size_t i;

	for (i = 0; i < mark->count; i++) {
		double x = axis_place(&drawing->x, mark->spots[i].x);
		double y = drawing->has_rows ? axis_place(&drawing->y, mark->spots[i].y)
					     : drawing->bottom;

		if (isnan(x) || isnan(y))
			continue;
		fprintf(drawing->stream, "<path class=\"void\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\"",
			x - 5, y - 5);
		end_element(drawing, "path", mark->spots[i].title);
	}
}

/* Draw intervals as lines with short lines across their ends. */
static void draw_intervals(const struct drawing *drawing, const struct doc_mark *mark)
{
	size_t i;

	for (i = 0; i < mark->count; i++) {
		const struct doc_spot *spot = &mark->spots[i];
		double x = axis_place(&drawing->x, spot->x), y = axis_place(&drawing->y, spot->y);
		double to = axis_place(drawing->has_rows ? &drawing->x : &drawing->y, spot->to);

		if (isnan(x) || isnan(y) || isnan(to))
			continue;
		fputs("<path", drawing->stream);
		drawing_class(drawing, "interval", mark, spot->class);
		if (drawing->has_rows)
			fprintf(drawing->stream, " d=\"M%.1f %.1fv10m0 -5H%.1fm0 -5v10\"", x, y - 5,
				to);
		else
			fprintf(drawing->stream, " d=\"M%.1f %.1fh10m-5 0V%.1fm-5 0h10\"", x - 5, y,
				to);
		end_element(drawing, "path", spot->title);
	}
}

static void draw_rect(const struct drawing *drawing, const char *look, const struct doc_mark *mark,
		      const struct doc_spot *spot, const double ends[4])
{
	fputs("<rect", drawing->stream);
	drawing_class(drawing, look, mark, spot->class);
	fprintf(drawing->stream, " x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"", ends[0],
		ends[1], ends[2] - ends[0], ends[3] - ends[1]);
	end_element(drawing, "rect", spot->title);
}

static void draw_stacks(const struct drawing *drawing, const struct doc_mark *mark)
{
	double room = drawing->x.count > 0
			      ? (drawing->right - drawing->left) / (double)drawing->x.count
			      : WIDEST_COLUMN;
	double half = fmin(0.82 * room, WIDEST_COLUMN) / 2;
	size_t i;

	for (i = 0; i < mark->count; i++) {
		const struct doc_spot *spot = &mark->spots[i];
		double x = axis_place(&drawing->x, spot->x);
		double ends[4] = {x - half, axis_place(&drawing->y, fmax(spot->y, spot->to)),
				  x + half, axis_place(&drawing->y, fmin(spot->y, spot->to))};

		if (!isnan(x) && ends[3] > ends[1])
			draw_rect(drawing, "share", mark, spot, ends);
	}
}

static void draw_bands(const struct drawing *drawing, const struct doc_mark *mark)
{
	size_t i;

	for (i = 0; i < mark->count; i++) {
		const struct doc_spot *spot = &mark->spots[i];
		double ends[4] = {axis_place(&drawing->x, fmin(spot->x, spot->to)), drawing->top,
				  axis_place(&drawing->x, fmax(spot->x, spot->to)),
				  drawing->bottom};

		if (ends[2] > ends[0])
			draw_rect(drawing, "band", mark, spot, ends);
	}
}

void drawing_mark(const struct drawing *drawing, const struct doc_mark *mark)
{
	switch (mark->kind) {
	case DOC_MARK_LINE:
	case DOC_MARK_FAINT:
		draw_path(drawing, mark->kind == DOC_MARK_LINE ? "line" : "line faint", mark);
		draw_dots(drawing, "middle", mark);
		break;
	case DOC_MARK_TRACE:
		draw_path(drawing, "trace", mark);
		break;
	case DOC_MARK_FIT:
		draw_path(drawing, "fit", mark);
		break;
	case DOC_MARK_DOTS:
		draw_dots(drawing, "repeat", mark);
		break;
	case DOC_MARK_WARNED:
		draw_dots(drawing, "warned", mark);
		break;
	case DOC_MARK_CROSS:
		draw_crosses(drawing, mark);
		break;
	case DOC_MARK_INTERVAL:
		draw_intervals(drawing, mark);
		break;
	case DOC_MARK_STACK:
		draw_stacks(drawing, mark);
		break;
	case DOC_MARK_BAND:
		draw_bands(drawing, mark);
		break;
	}
}
