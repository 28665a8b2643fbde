/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/live.h"

#include "base/units.h"
#include "doc/render.h"
#include "report/points.h"
#include "report/sections.h"

#include <langinfo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
	BAR_MIN = 4,
	BAR_MAX = 24,
	LINES_BESIDE = 4, /* lines for heading, progress and so on */
};

void live_table_open(struct live_table *table, bool terminal, FILE *stream)
{
	*table = (struct live_table){
		.stream = stream,
		.terminal = terminal,
		.blocks = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
	};
}

void live_table_break(struct live_table *table)
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

/* Draw a bar as long as `share` (0 to 1) of the columns. Draw it in eighths of
 * a column if the terminal can. */
static void print_bar(const struct live_table *table, unsigned columns, double share)
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

static double mb_per_s(const struct result_point *point)
{
	return record_count(records_total(&point->records), FIGURE_MB_PER_S);
}

/* Return the table of all points as text, which the caller frees; or NULL. */
static char *print_points(const struct result *result)
{
	struct doc *doc = doc_new();
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	int rc = -1;

	section_points(doc, result);
	if (stream != NULL)
		rc = doc_text(doc, false, stream);
	doc_free(doc);
	if (stream != NULL && fclose(stream) == 0 && rc == 0)
		return text;
	free(text);
	return NULL;
}

/* Return the number of columns of the longest line of a text in UTF-8. */
static unsigned columns_of(const char *text)
{
	unsigned columns = 0, max = 0;

	for (; *text != '\0'; text++) {
		columns = *text == '\n' ? 0 : columns + (((unsigned char)*text & 0xc0) != 0x80);
		max = columns > max ? columns : max;
	}
	return max;
}

/*
 * Check if the table can be redrawn after the next repeat. It cannot if a row takes
 * more than one line, because of reasons or a narrow window, or if the table has
 * scrolled off the screen.
 */
static bool can_draw(const struct live_table *table, const struct result *result,
		     const struct result_repeat *repeat)
{
	return table->terminal && !table->broken && result_repeat_is_valid(repeat) &&
	       result->point_count + LINES_BESIDE <= window_of(table->stream).ws_row;
}

static unsigned bar_columns(unsigned row, unsigned window)
{
	unsigned room = window > row + 1 ? window - row - 1 : 0;

	if (room < BAR_MIN)
		return 0;
	return room < BAR_MAX ? room : BAR_MAX;
}

/* Draw the lines of the table, over those that were drawn before, and a bar after each
 * row. */
static void draw(struct live_table *table, const struct result *result, char *lines, unsigned bar)
{
	const struct result_point *points = result->points;
	double max = result->peak != SIZE_MAX ? mb_per_s(&points[result->peak]) : 0;
	char *line;
	size_t i;

	/* Move up to the heading (CPL), and erase from there on (ED). */
	if (table->lines > 0)
		fprintf(table->stream, "\033[%zuF\033[J", table->lines);
	/* Cut off rows at the window's edge instead of wrapping (DECAWM). */
	fputs("\033[?7l", table->stream);
	for (i = 0; i <= result->point_count && (line = strsep(&lines, "\n")) != NULL; i++) {
		fputs(line, table->stream);
		if (i > 0 && max > 0)
			print_bar(table, bar, mb_per_s(&points[i - 1]) / max);
		fputc('\n', table->stream);
	}
	fputs("\033[?7h", table->stream);
	table->lines = i;
}

/* Print a row below those printed before. */
static void add_row(struct live_table *table, const struct result *result,
		    const struct result_repeat *repeat)
{
	struct doc *doc = doc_new();

	/* Separate the new table from the text after the last one. */
	points_repeat(doc, result, repeat, table->headed);
	doc_text(doc, !table->headed && table->broken, table->stream);
	doc_free(doc);
	table->broken = true;
}

void live_table_repeat(struct live_table *table, const struct result *result,
		       const struct result_repeat *repeat)
{
	char *lines = can_draw(table, result, repeat) ? print_points(result) : NULL;
	unsigned columns = lines != NULL ? columns_of(lines) : 0;
	unsigned window = window_of(table->stream).ws_col;

	if (lines != NULL && columns <= window)
		draw(table, result, lines, bar_columns(columns, window));
	else
		add_row(table, result, repeat);
	table->headed = true;
	free(lines);
}

void live_table_try(struct live_table *table, const struct result_run *run,
		    const struct result_point *point)
{
	static const char *const answers[] = {
		[RESULT_HOLDS] = "holds",
		[RESULT_FAILS] = "fails",
		[RESULT_UNKNOWN] = "unknown",
	};
	const struct result_found_rate *found = point->found_rate;
	const struct result_rate_step *step = &found->steps[found->step_count - 1];
	struct doc *doc = doc_new();
	const struct points_table rows = points_begin(
		doc, run, DOC_FIXED | (found->step_count > 1 ? DOC_HEADLESS : 0));
	char rate[UNITS_TEXT];

	doc_column(doc, "rate/s/user", NUMBER_PER_S, 0);
	doc_column(doc, "response p99", NUMBER_TIME, 0);
	doc_column(doc, "completed", NUMBER_SPREAD, 0);
	doc_column(doc, "answer", NUMBER_COUNT, DOC_LEFT);
	points_row(&rows, point, DOC_PLAIN);
	doc_cell_text(doc, "%s", units_print_rate(step->per_user, rate));
	doc_cell(doc, step->p99_ms > 0 ? number_value_of(FIGURE_P99_MS, step->p99_ms) : NAN);
	doc_cell(doc, step->completed_share);
	doc_cell_text(doc, "%s%s%s", answers[step->answer], step->why != NULL ? ": " : "",
		      step->why != NULL ? step->why : "");
	points_end(&rows);
	doc_text(doc, false, table->stream);
	doc_free(doc);
	live_table_break(table);
}
