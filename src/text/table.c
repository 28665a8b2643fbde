/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text/table.h"

#include "text/axes.h"
#include "text/text.h"

#include <langinfo.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	FIGURES_COLUMNS = 71,
	/* The figures, and a blank before the bar. */
	ROW_COLUMNS = FIGURES_COLUMNS + 1,
	BAR_MIN = 4,
	BAR_MAX = 24,
	LINES_BESIDE = 4, /* lines for heading, progress and so on */
};

void table_open(struct table *table, bool terminal, FILE *stream)
{
	*table = (struct table){
		.stream = stream,
		.terminal = terminal,
		.blocks = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
}

void table_break(struct table *table)
{
	table->lines = 0;
	table->broken = true;
	table->headed = false;
}

static struct winsize window_of(FILE *stream)
{
	struct winsize window = {0};

	if (ioctl(fileno(stream), TIOCGWINSZ, &window) < 0 || window.ws_col == 0)
		window = (struct winsize){.ws_row = 24, .ws_col = 80};
	return window;
}

static unsigned bar_columns(const struct result *result, const struct winsize *window)
{
	unsigned row = ROW_COLUMNS + axes_columns(&result->run);
	unsigned room = window->ws_col > row ? window->ws_col - row : 0;

	if (room < BAR_MIN)
		return 0;
	return room < BAR_MAX ? room : BAR_MAX;
}

/* Draw a bar as long as `share` (0 to 1) of the columns. Draw it in eighths of
 * a column if the terminal can. */
static void print_bar(const struct table *table, unsigned columns, double share)
{
	static const char *const parts[] = {"",       "\u258f", "\u258e", "\u258d",
					    "\u258c", "\u258b", "\u258a", "\u2589"};
	unsigned eighths = (unsigned)(8 * columns * share + 0.5), i;

	if (!table->blocks)
		eighths = (eighths + 4) / 8 * 8;
	if (eighths > 0)
		fputc(' ', table->stream);
	for (i = 0; i < eighths / 8; i++)
		fputs(table->blocks ? "\u2588" : "#", table->stream);
	fputs(parts[eighths % 8], table->stream);
}

/*
 * Check if the table can be redrawn after the next repeat. It cannot if a
 * row takes more than one line, because of reasons or a narrow window, or if
 * the table has scrolled off the screen.
 */
static bool can_draw(const struct result *result, const struct result_repeat *repeat,
		     const struct winsize *window)
{
	return result_repeat_is_valid(repeat) &&
	       window->ws_col >= FIGURES_COLUMNS + axes_columns(&result->run) &&
	       result->point_count + LINES_BESIDE <= window->ws_row;
}

static double mb_per_s(const struct result_point *point)
{
	return record_count(records_total(&point->records), FIGURE_MB_PER_S);
}

/* Draw the table, over the one that was drawn before. */
static void draw(struct table *table, const struct result *result, const struct winsize *window)
{
	const struct result_point *points = result->points;
	double max = 0;
	size_t i;

	/* Move up to the heading (CPL), and erase from there on (ED). */
	if (table->lines > 0)
		fprintf(table->stream, "\033[%zuF\033[J", table->lines);
	/* Cut off rows at the window's edge instead of wrapping (DECAWM). */
	fputs("\033[?7l", table->stream);
	if (result->peak != SIZE_MAX)
		max = mb_per_s(&points[result->peak]);
	text_heading(&result->run, table->stream);
	for (i = 0; i < result->point_count; i++) {
		text_point(result, &points[i], table->stream);
		if (max > 0)
			print_bar(table, bar_columns(result, window), mb_per_s(&points[i]) / max);
		fputc('\n', table->stream);
	}
	fputs("\033[?7h", table->stream);
	table->lines = result->point_count + 1;
}

void table_repeat(struct table *table, const struct result *result,
		  const struct result_repeat *repeat)
{
	struct winsize window = window_of(table->stream);

	if (table->terminal && !table->broken && can_draw(result, repeat, &window)) {
		draw(table, result, &window);
		table->headed = true;
		return;
	}
	/* Separate the new table from the text after the last one. */
	if (!table->headed && table->broken)
		fputc('\n', table->stream);
	if (!table->headed)
		text_heading(&result->run, table->stream);
	table->broken = true;
	text_repeat(result, repeat, table->stream);
	table->headed = true;
}
