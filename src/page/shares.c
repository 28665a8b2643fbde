/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/shares.h"

#include "page/chart.h"
#include "page/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void add_share(struct ranking *ranking, const struct record *operation)
{
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (record_same_key(&ranking->items[i].key, &operation->key))
			break;
	if (i == ranking->count)
		ranking->items[ranking->count++].key = operation->key;
	ranking->items[i].share += record_count(operation, FIGURE_TIME_SHARE);
}

/* Sort by share, largest first, then by name. */
static int by_share(const void *a, const void *b)
{
	const struct ranking_item *one = a, *other = b;

	if (one->share != other->share)
		return one->share < other->share ? 1 : -1;
	return strcmp(one->key.operation, other->key.operation);
}

int ranking_make(struct ranking *ranking, const struct result_point *const *points, size_t count,
		 const struct record_key *of)
{
	size_t all = 1, i;
	unsigned j;

	for (i = 0; i < count; i++)
		all += points[i] != NULL ? points[i]->records.count : 0;
	ranking->count = 0;
	ranking->items = calloc(all, sizeof(*ranking->items));
	if (ranking->items == NULL)
		return -ENOMEM;
	for (i = 0; i < count; i++) {
		const struct record *record = points[i] != NULL
						      ? records_find(&points[i]->records, of)
						      : NULL;

		for (j = 1; record != NULL && j <= record->operations; j++)
			add_share(ranking, &record[j]);
	}
	qsort(ranking->items, ranking->count, sizeof(*ranking->items), by_share);
	return 0;
}

void ranking_free(struct ranking *ranking)
{
	free(ranking->items);
}

/* Max width of a column, and min room for its label. */
#define WIDEST 72.0
#define LABEL_ROOM 42.0

/* Max number of parts of a column. If there are more operations, the last part
 * stands for all others. */
enum { PARTS = CHART_COLOURS };

static size_t count_parts(const struct ranking *ranking)
{
	return ranking->count < PARTS ? ranking->count : PARTS;
}

static const char *part_name(const struct ranking *ranking, size_t part)
{
	return part + 1 == PARTS && ranking->count > PARTS ? "others"
							   : ranking->items[part].key.operation;
}

/* Draw the parts of a column upwards, each with its share as title. */
static void draw_column(const struct chart *chart, const struct ranking *ranking,
			const struct result_point *point, double x, double width)
{
	double height = chart->bottom - chart->top, below = 0;
	size_t count = count_parts(ranking), i;

	for (i = 0; i < count; i++) {
		const struct record_key *key = &ranking->items[i].key;
		const char *name = part_name(ranking, i);
		const struct record *operation = records_find(&point->records, key);
		double share = 0;

		if (name != key->operation)
			share = 1 - below;
		else if (operation != NULL)
			share = record_count(operation, FIGURE_TIME_SHARE);
		if (!(share > 0))
			continue;
		below += share;
		fprintf(chart->stream,
			"<rect class=\"share s%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			"height=\"%.1f\"><title>",
			i + 1, x - width / 2, chart->bottom - below * height, width,
			share * height);
		escape_markup(name, chart->stream);
		fprintf(chart->stream, ": %.1f %%</title></rect>\n", 100 * share);
	}
}

static void draw_columns(const struct chart *chart, const struct ranking *ranking,
			 const struct result_point *const *points, size_t count)
{
	double room = (chart->right - chart->left) / (double)count;
	size_t apart = (size_t)ceil(LABEL_ROOM / room), i;

	fputs("<g class=\"x axis\">\n", chart->stream);
	for (i = 0; i < count; i += apart)
		fprintf(chart->stream, "<text x=\"%.1f\" y=\"%g\" dy=\"1em\">%u</text>\n",
			chart->left + room * ((double)i + 0.5), chart->bottom + 7,
			points[i]->users);
	chart_x_name(chart, "users");
	fputs("</g>\n", chart->stream);
	for (i = 0; i < count; i++)
		draw_column(chart, ranking, points[i], chart->left + room * ((double)i + 0.5),
			    fmin(room * 0.82, WIDEST));
}

static void draw(const struct page *page, const struct ranking *ranking,
		 const struct result_point *const *points, size_t count)
{
	struct chart chart = chart_of(page->stream, "shares");
	struct scale y = {.start = chart.bottom, .end = chart.top};
	size_t i;

	chart_begin(&chart, "Operations\u2019 share of the time",
		    "The figures are in the tables of operations.");
	scale_linear(&y, 100);
	chart_y_axis(&chart, &y, "%", chart_label_number);
	draw_columns(&chart, ranking, points, count);
	chart_end(&chart);
	fputs("<p class=\"legend\">", page->stream);
	for (i = 0; i < count_parts(ranking); i++)
		page_legend(page, "box", i, part_name(ranking, i));
	fputs("</p>\n</figure>\n", page->stream);
}

/* Draw a stacked column for each valid point of a single result. For several
 * results, the table of operations shows the shares. */
void page_shares(const struct page *page)
{
	const struct result_point **points = calloc(page->row_count + 1, sizeof(*points));
	struct ranking ranking = {0};
	size_t count = 0, i;

	for (i = 0; points != NULL && page->count == 1 && i < page->row_count; i++) {
		points[count] = page->rows[i].points[0];
		count += result_is_valid(points[count]);
	}
	/* Draw no chart of a single column: the table of operations shows
	 * more. */
	if (count > 1 && ranking_make(&ranking, points, count, &(struct record_key){0}) == 0 &&
	    ranking.count > 0 && ranking.items[0].share > 0)
		draw(page, &ranking, points, count);
	ranking_free(&ranking);
	free(points);
}
