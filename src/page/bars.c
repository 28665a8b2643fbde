/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/bars.h"

#include "report/escape.h"

#include <math.h>
#include <string.h>

/* In the drawing's units. */
#define WIDTH 640
#define LONGEST 520.0 /* beside it there is room for its text */
#define LABEL_HEIGHT 24
#define BAR_HEIGHT 16
#define BAR_ROOM 22
#define GROUP_ROOM 8

/* Labels are cut after so many bytes. */
#define LABEL_BYTES 48

static void write_label(FILE *stream, const char *label, int y)
{
	char text[LABEL_BYTES + 1];

	fprintf(stream, "<text class=\"label\" x=\"0\" y=\"%d\">", y);
	snprintf(text, sizeof(text), "%s", label);
	escape_markup(text, stream);
	fprintf(stream, "%s</text>\n",
		strlen(label) > LABEL_BYTES ? "\u2026" : "");
}

static void write_bar(FILE *stream, const struct bar *bar, double max, int y)
{
	double width = fmax(LONGEST * bar->value / max, 1);
	char class[CHART_CLASS];

	if (isnan(bar->value))
		return;
	fprintf(stream,
		"<rect class=\"bar %s\" x=\"0\" y=\"%d\" width=\"%.1f\""
		" height=\"%d\"/><text class=\"value\" x=\"%.1f\" y=\"%d\""
		" dy=\".35em\">%s</text>\n",
		chart_series(bar->series, class), y, width, BAR_HEIGHT,
		width + 8, y + BAR_HEIGHT / 2, bar->text);
}

void bars_draw(struct chart *chart, const char *name, const char *description,
	       double max, const struct bar_group *groups, size_t count)
{
	int y = 0;
	size_t i, j;

	chart->width = WIDTH;
	chart->height = 0;
	for (i = 0; i < count; i++)
		chart->height += LABEL_HEIGHT + GROUP_ROOM +
				 BAR_ROOM * (int)groups[i].count;
	chart_begin(chart, name, description);
	for (i = 0; i < count; i++, y += GROUP_ROOM) {
		y += LABEL_HEIGHT;
		write_label(chart->stream, groups[i].label, y - 5);
		for (j = 0; j < groups[i].count; j++, y += BAR_ROOM)
			write_bar(chart->stream, &groups[i].bars[j], max, y);
	}
	chart_end(chart);
}
