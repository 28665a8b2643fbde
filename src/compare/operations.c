/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the mean latencies of the operations changed. These ratios have no verdict.
 */
#include "compare/sections.h"

#include "report/points.h"
#include "result/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Max number of operations in texts and on a page. */
enum { FEW = 3, MANY = 20 };

/* How the mean latency of an operation changed at a point. */
struct change {
	const struct result_point *point;
	const char *operation;
	double means[SIDES]; /* in seconds */
	double ratio;
};

/* Add the changes of all operations of a point. */
static void take_changes(const struct result_point *base, const struct result_point *new,
			 struct change *changes, size_t *count)
{
	const struct record *total = records_total(&base->records);
	const struct record *other = records_total(&new->records);
	unsigned i;

	for (i = 1; i <= total->operations; i++) {
		const char *name = total[i].key.operation;
		const struct record *like = record_operation(other, name);
		double one = record_value(&total[i], FIGURE_MEAN_MS);
		double two = like != NULL ? record_value(like, FIGURE_MEAN_MS) : NAN;

		if (one > 0 && two > 0)
			changes[(*count)++] = (struct change){
				.point = base,
				.operation = name,
				.means = {number_value_of(FIGURE_MEAN_MS, one),
					  number_value_of(FIGURE_MEAN_MS, two)},
				.ratio = two / one,
			};
	}
}

/* Sort by place, so that equal changes are in the same order if the sides are
 * swapped. */
static int compare_places(const struct change *one, const struct change *other)
{
	return one->point != other->point ? (one->point < other->point ? -1 : 1)
					  : strcmp(one->operation, other->operation);
}

static int compare_size(const void *one, const void *other)
{
	double size = fabs(log(((const struct change *)one)->ratio));
	double like = fabs(log(((const struct change *)other)->ratio));

	return size != like ? (size < like) - (size > like) : compare_places(one, other);
}

static int compare_ratio(const void *one, const void *other)
{
	double ratio = ((const struct change *)one)->ratio;
	double like = ((const struct change *)other)->ratio;

	return ratio != like ? (ratio < like) - (ratio > like) : compare_places(one, other);
}

/*
 * Return how the operations of all points changed, the greatest change first. The
 * caller frees the list. NULL: memory is short.
 */
static struct change *find_changes(const struct comparison *comparison, size_t *count)
{
	const struct result *base = comparison->results[BASE];
	struct change *changes;
	size_t room = 0, i;

	*count = 0;
	for (i = 0; i < base->point_count; i++)
		room += base->points[i].records.count;
	changes = calloc(room + 1, sizeof(*changes));
	for (i = 0; changes != NULL && i < base->point_count; i++)
		take_changes(&base->points[i],
			     variant_match(comparison->results[NEW], &base->points[i]), changes,
			     count);
	qsort(changes, *count, sizeof(*changes), compare_size);
	return changes;
}

static void add_table(struct doc *doc, const struct comparison *comparison,
		      const struct change *changes, size_t count)
{
	const struct points_table table = points_begin(doc, &comparison->results[BASE]->run, 0);
	size_t i;

	doc_column(doc, "operation", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	section_side_columns(doc, comparison, NUMBER_TIME);
	doc_column(doc, "ratio", NUMBER_RATIO, DOC_MAIN);
	for (i = 0; i < count; i++) {
		points_row(&table, changes[i].point, DOC_PLAIN);
		doc_cell_text(doc, "%s", changes[i].operation);
		doc_cell(doc, changes[i].means[BASE]);
		doc_cell(doc, changes[i].means[NEW]);
		doc_cell(doc, changes[i].ratio);
	}
	points_end(&table);
}

/* Add a chart with a dot per operation and point. */
static void add_chart(struct doc *doc, const struct change *changes, size_t count)
{
	char *names[MANY] = {NULL};
	const struct doc_axis axes[2] = {
		{.name = "new / base, mean latency", .form = NUMBER_RATIO, .scale = DOC_RATIOS},
		{.name = "operation",
		 .scale = DOC_NAMES,
		 .names = (const char *const *)names,
		 count},
	};
	char place[VARIANT_TEXT];
	size_t i;

	for (i = 0; i < count; i++)
		if (asprintf(&names[i], "%s at %s", changes[i].operation,
			     variant_print_point(changes[i].point, place)) < 0)
			names[i] = NULL;
	doc_chart(doc, "operations", "Operations", axes);
	doc_mark(doc, &(struct doc_mark){.kind = DOC_MARK_DOTS, .series = PAIR_COLOUR});
	for (i = 0; i < count; i++)
		doc_spot(doc, &(struct doc_spot){.x = changes[i].ratio, .y = (double)i + 1});
	for (i = 0; i < count; i++)
		free(names[i]);
}

void section_changes(struct doc *doc, const struct comparison *comparison)
{
	size_t count, few;
	struct change *changes = find_changes(comparison, &count);

	if (changes == NULL)
		doc_fail(doc);
	few = count < FEW ? count : FEW;
	count = count < MANY ? count : MANY;
	if (count > 0) {
		qsort(changes, few, sizeof(*changes), compare_ratio);
		doc_medium(doc, DOC_TEXT | DOC_MARKDOWN);
		doc_heading(doc, 3, "operations that changed most (mean latency, not tested)");
		add_table(doc, comparison, changes, few);
		qsort(changes, count, sizeof(*changes), compare_ratio);
		doc_medium(doc, DOC_HTML);
		doc_heading(doc, 2, "Operations that changed most");
		doc_note(doc, "Mean latencies, the worst ratio first. They were not tested: one of "
			      "many operations may differ by chance.");
		add_chart(doc, changes, count);
		add_table(doc, comparison, changes, count);
		doc_medium(doc, DOC_ALL);
	}
	free(changes);
}
