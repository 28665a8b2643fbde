/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as a document: the facts, the table of metrics, warnings, the verdict,
 * and the operations that changed most.
 */
#include "compare/phrases.h"

#include "doc/render.h"
#include "result/variant.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Names of both sides that are longer do not head columns. */
enum { SIDE_COLUMNS = 9 };

static void add_fact(void *context, const char *name, const char *text)
{
	doc_fact(context, name, "%s", text);
}

/* The columns that name a point, and their cells. */
static void add_place_columns(struct doc *doc, const struct result_run *run)
{
	size_t i;

	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	for (i = 0; i < run->axis_count; i++)
		doc_column(doc, run->axes[i].name, NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
}

static void add_place(struct doc *doc, const struct result_run *run, unsigned users,
		      char *const *set, size_t set_count)
{
	size_t i;

	doc_cell_text(doc, "%u", users);
	for (i = 0; i < run->axis_count; i++) {
		const char *value = variant_set_value(set, set_count, run->axes[i].name);

		doc_cell_text(doc, "%s", value != NULL ? value : "");
	}
}

static void add_sides(struct doc *doc, const struct comparison *comparison, enum number_form form)
{
	unsigned side;

	for (side = 0; side < SIDES; side++)
		doc_column(doc, phrases_side(comparison, side, SIDE_COLUMNS), form, 0);
}

static void add_row(struct doc *doc, const struct comparison *comparison,
		    const struct comparison_row *row, bool has_units)
{
	static const enum doc_class classes[] = {
		[VERDICT_PASS] = DOC_PLAIN,
		[VERDICT_REGRESSION] = DOC_BAD,
		[VERDICT_INCONCLUSIVE] = DOC_WARNING,
	};
	const struct ratio_interval *interval = &row->judged.interval;
	enum verdict verdict = row->judged.verdict;
	enum number_form form;
	double value;
	unsigned side;

	doc_row(doc, classes[verdict], 0);
	add_place(doc, &comparison->results[BASE]->run, row->users, row->set, row->set_count);
	doc_cell_text(doc, "%s", row->metric);
	for (side = 0; side < SIDES; side++) {
		value = phrases_number(row, row->medians[side], &form);
		doc_cell_form(doc, form, value);
	}
	if (has_units)
		doc_cell_text(doc, "%s", phrases_unit(row));
	doc_cell_colour(doc, interval->ratio,
			verdict == VERDICT_REGRESSION ? DOC_WORSE : DOC_PLAIN);
	doc_cell(doc, interval->low);
	doc_cell(doc, interval->high);
	doc_cell_text(doc, "%s", verdict_names[verdict]);
}

/* Return the form of the values in the table. The digits of different metrics do
 * not agree: a column of times prints each number on its own. */
static enum number_form form_of(const struct comparison *comparison)
{
	enum number_form form = NUMBER_TIME;
	size_t i;

	for (i = 1; i < comparison->row_count; i++)
		if (strcmp(comparison->rows[i].metric, comparison->rows[0].metric) != 0)
			return form;
	phrases_number(&comparison->rows[0], 0, &form);
	return form;
}

/* Add the table of metrics at points. */
static void add_metrics(struct doc *doc, const struct comparison *comparison)
{
	bool has_units = false;
	size_t i;

	for (i = 0; i < comparison->row_count; i++)
		has_units |= phrases_unit(&comparison->rows[i])[0] != '\0';
	doc_table(doc, 0);
	add_place_columns(doc, &comparison->results[BASE]->run);
	doc_column(doc, "metric", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	add_sides(doc, comparison, form_of(comparison));
	if (has_units)
		doc_column(doc, "", NUMBER_COUNT, DOC_LEFT);
	doc_column(doc, "ratio", NUMBER_RATIO, DOC_MAIN);
	doc_column(doc, "low", NUMBER_RATIO, 0);
	doc_column(doc, "high", NUMBER_RATIO, 0);
	doc_column(doc, "verdict", NUMBER_COUNT, DOC_LEFT);
	for (i = 0; i < comparison->row_count; i++)
		add_row(doc, comparison, &comparison->rows[i], has_units);
	doc_table_end(doc);
	/* The ratio may differ from that of the medians beside it. */
	doc_fact(doc, "ratio", "%s",
		 comparison->paired
			 ? "estimated from the pairs' ratios; base and new are medians of all pairs"
			 : "estimated from all values; base and new are medians");
}

static void add_notices(struct doc *doc, const struct comparison *comparison)
{
	const struct result_reasons *failures = &comparison->failures;
	size_t i;

	for (i = 0; i < comparison->warnings.count; i++) {
		char *text = notice_text(&comparison->warnings.list[i]);

		if (text != NULL)
			doc_item(doc, DOC_WARNING, "Warnings", "warning", "%s", text);
		free(text);
	}
	for (i = 0; i < failures->count; i++)
		doc_item(doc, DOC_BAD, "Conditions of --fail-if that hold", "fail-if", "%s",
			 failures->texts[i]);
}

/* Say how to get a verdict. */
static void add_advice(struct doc *doc, const struct comparison *comparison)
{
	bool loops = comparison->results[NEW]->run.phases.loops > 0;

	if (comparison->answer != VERDICT_INCONCLUSIVE)
		return;
	doc_item(doc, DOC_PLAIN, "Advice", "advice",
		 "measure %s or %s, or accept a wider margin (--margin); throng compare "
		 "--calibrate shows the noise of a target",
		 loops ? "more loops (--loops)" : "longer (-t)",
		 comparison->paired ? "more pairs (--pairs)" : "more often (--repeat)");
}

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
 * Return the operations of all points that changed most, at most `max`, the worst
 * one first. The caller frees the list. NULL: there are none, or memory is short.
 */
static struct change *find_changes(const struct comparison *comparison, size_t max, size_t *count)
{
	const struct result *base = comparison->results[BASE];
	struct change *changes;
	size_t room = 0, i;

	*count = 0;
	for (i = 0; i < base->point_count; i++)
		room += base->points[i].records.count;
	changes = calloc(room + 1, sizeof(*changes));
	for (i = 0; changes != NULL && i < base->point_count; i++) {
		const struct result_point *new = variant_match(comparison->results[NEW],
							       &base->points[i]);

		if (new != NULL)
			take_changes(&base->points[i], new, changes, count);
	}
	qsort(changes, *count, sizeof(*changes), compare_size);
	if (*count > max)
		*count = max;
	qsort(changes, *count, sizeof(*changes), compare_ratio);
	return changes;
}

static void add_changes(struct doc *doc, const struct comparison *comparison,
			const struct change *changes, size_t count)
{
	const struct result_run *run = &comparison->results[BASE]->run;
	size_t i;

	doc_table(doc, 0);
	add_place_columns(doc, run);
	doc_column(doc, "operation", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	add_sides(doc, comparison, NUMBER_TIME);
	doc_column(doc, "ratio", NUMBER_RATIO, DOC_MAIN);
	for (i = 0; i < count; i++) {
		const struct result_point *point = changes[i].point;

		doc_row(doc, DOC_PLAIN, 0);
		add_place(doc, run, point->users, point->set, point->set_count);
		doc_cell_text(doc, "%s", changes[i].operation);
		doc_cell(doc, changes[i].means[BASE]);
		doc_cell(doc, changes[i].means[NEW]);
		doc_cell(doc, changes[i].ratio);
	}
	doc_table_end(doc);
}

/* Add the operations whose mean latency changed most. */
static void add_operations(struct doc *doc, const struct comparison *comparison)
{
	enum { FEW = 3 };
	size_t count;
	struct change *changes = find_changes(comparison, FEW, &count);

	if (count > 0) {
		doc_medium(doc, DOC_TEXT | DOC_MARKDOWN);
		doc_heading(doc, 3, "operations that changed most (mean latency, not tested)");
		add_changes(doc, comparison, changes, count);
		doc_medium(doc, DOC_ALL);
	}
	free(changes);
}

/* Return the document; NULL: memory is short. */
static struct doc *make_document(const struct comparison *comparison)
{
	struct doc *doc = doc_new();
	char *summary = comparison_summary(comparison);

	doc_medium(doc, DOC_MARKDOWN);
	doc_heading(doc, 2, "throng compare: %s", phrases_answer(comparison));
	doc_note(doc, "%s", summary != NULL ? summary : "");
	doc_medium(doc, DOC_ALL);
	phrases_describe(comparison, add_fact, doc);
	add_metrics(doc, comparison);
	add_notices(doc, comparison);
	doc_medium(doc, DOC_TEXT);
	doc_item(doc, DOC_PLAIN, "Verdict", "verdict", "%s", summary != NULL ? summary : "");
	doc_medium(doc, DOC_ALL);
	free(summary);
	add_advice(doc, comparison);
	add_operations(doc, comparison);
	doc_medium(doc, DOC_MARKDOWN);
	doc_fold(doc, false, "Details");
	phrases_describe_run(comparison, add_fact, doc);
	doc_fold_end(doc);
	doc_medium(doc, DOC_ALL);
	return doc;
}

int comparison_text(const struct comparison *comparison, FILE *stream)
{
	struct doc *doc = make_document(comparison);
	int rc = doc_text(doc, false, stream);

	doc_free(doc);
	return rc;
}

int comparison_markdown(const struct comparison *comparison, FILE *stream)
{
	struct doc *doc = make_document(comparison);
	int rc = doc_markdown(doc, stream);

	doc_free(doc);
	return rc;
}
