/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write and read a comparison as JSON, schema "throng-comparison/1" (see
 * throng-results(5)).
 */
#include "compare/json.h"

#include "result/json.h"
#include "result/read.h"
#include "result/rows.h"
#include "result/variant.h"
#include "stats/summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Ratios are estimates: write them with fewer digits than measured values. */
enum { RATIO_DIGITS = 9 };
#define RATIO(structure, member) REAL(structure, member), .digits = RATIO_DIGITS
#define EXACT(structure, member) REAL(structure, member), .digits = SCHEMA_DIGITS

static char *make_summary(const void *record)
{
	return comparison_summary(record);
}

static void check_metric(const struct json_cursor *point, void *record)
{
	const struct comparison_row *row = record;
	struct json_cursor name = json_cursor_member(point, "metric");
	struct error reason = {0};
	struct metric metric;

	if (metric_parse(row->metric, strlen(row->metric), "", &metric, &reason) < 0)
		json_cursor_refuse(&name, "the name of a metric");
}

#define COMPARISON_SCHEMA "throng-comparison/1"

static const struct schema_row name_rows[] = {
	{"schema", SCHEMA_NAME, WORDS(COMPARISON_SCHEMA)},
	END,
};

/* The rows of a struct comparison_row. If the interval has no lower or upper
 * bound, the file leaves it out. */
static const struct schema_row point_rows[] = {
	{"users", NUMBER(comparison_row, users), .min = 1},
	{"set", PAIRS(comparison_row, set, set_count), KNOWN},
	{"metric", SCHEMA_CHARS, HELD(comparison_row, metric), .size = METRIC_TEXT},
	{"unit", TEXT(comparison_row, unit), DERIVED},
	{"more_is_better", TRUTH(comparison_row, judged.more_is_better), DERIVED},
	{"base", EXACT(comparison_row, medians[BASE]), DERIVED},
	{"new", EXACT(comparison_row, medians[NEW]), DERIVED},
	{"ratio", RATIO(comparison_row, judged.interval.ratio), KNOWN, DERIVED},
	{"low", RATIO(comparison_row, judged.interval.low), KNOWN, DERIVED},
	{"high", RATIO(comparison_row, judged.interval.high), KNOWN, DERIVED},
	{"method", WORD(comparison_row, judged.method), DERIVED, .words = ratio_method_names},
	{"verdict", WORD(comparison_row, judged.verdict), DERIVED, .words = verdict_names},
	{"pairs_needed", SIZE(comparison_row, judged.samples_needed), KNOWN, DERIVED},
	{"base_samples",
	 VALUES(comparison_row, judged.samples.base, judged.samples.base_count, SCHEMA_REAL,
		.digits = SCHEMA_DIGITS),
	 DERIVED},
	{"new_samples",
	 VALUES(comparison_row, judged.samples.new, judged.samples.new_count, SCHEMA_REAL,
		.digits = SCHEMA_DIGITS),
	 DERIVED},
	END,
};

/* The rows of a struct comparison. Verdicts are not read from a file: they are
 * computed again from the results. */
static const struct schema_row comparison_rows[] = {
	{"schema", SCHEMA_NAME, WORDS(COMPARISON_SCHEMA)},
	{"answer", WORD(comparison, answer), DERIVED, .words = verdict_names},
	{"summary", SCHEMA_TEXT, .make = make_summary, DERIVED},
	{"margin", RATIO(comparison, margin), .max = 1, .below = true},
	{"alpha", RATIO(comparison, alpha), .min = COMPARISON_ALPHA_MIN,
	 .max = COMPARISON_ALPHA_LIMIT, .below = true},
	{"paired", TRUTH(comparison, paired), DERIVED},
	{"pairs", SIZE(comparison, pairs), KNOWN, DERIVED},
	{"budget", SIZE(comparison, budget), KNOWN, DERIVED},
	{"min", SIZE(comparison, min), KNOWN, DERIVED},
	{"out_of_time", TRUTH(comparison, out_of_time), KNOWN},
	{"base_name", TEXT(comparison, names[BASE])},
	{"new_name", TEXT(comparison, names[NEW])},
	{"points", SCHEMA_LIST, ARRAY(comparison, rows, row_count), .min = 1,
	 ELEMENT(NULL, PART(point_rows), .check = check_metric)},
	{"warnings", NOTICES(comparison, warnings), DERIVED},
	{"allowed", REASONS(comparison, allowed), KNOWN},
	{"failures", REASONS(comparison, failures)},
	{"base", POINTER(comparison, results[BASE], schema_result)},
	{"new", POINTER(comparison, results[NEW], schema_result)},
	END,
};

int comparison_json(const struct comparison *comparison, FILE *stream)
{
	json_print(comparison_rows, comparison, stream);
	return 0;
}

/* Collect the metrics of the first point: all points have the same ones. */
static int take_metrics(const struct comparison *read, struct comparison_question *question)
{
	const struct comparison_row *first = read->rows, *row = first;
	struct metric *metrics = calloc(read->row_count, sizeof(*metrics));
	struct error ignored = {0};

	question->metrics = metrics;
	if (metrics == NULL)
		return -ENOMEM;
	for (; question->metric_count < read->row_count && row->users == first->users &&
	       variant_same_set(row->set, row->set_count, first->set, first->set_count);
	     row++)
		metric_parse(row->metric, strlen(row->metric), "",
			     &metrics[question->metric_count++], &ignored);
	return 0;
}

/* Move what was read to where it is kept, and compute the results' summaries. */
static int take(struct comparison *read, struct stored_comparison *stored)
{
	struct comparison_question *question = &stored->question;
	unsigned side;
	int rc = take_metrics(read, question);

	question->margin = read->margin;
	question->alpha = read->alpha;
	question->final = true;
	question->out_of_time = read->out_of_time;
	question->allowed = read->allowed;
	question->failures = read->failures;
	read->allowed = read->failures = (struct result_reasons){0};
	for (side = 0; side < SIDES; side++) {
		struct result *result = (struct result *)read->results[side];

		stored->names[side] = read->names[side];
		read->names[side] = NULL;
		stored->results[side] = *result;
		*result = (struct result){0};
		if (rc == 0)
			rc = summary_update(&stored->results[side]);
	}
	return rc;
}

void stored_comparison_free(struct stored_comparison *stored)
{
	unsigned side;

	for (side = 0; side < SIDES; side++) {
		result_free(&stored->results[side]);
		free(stored->names[side]);
	}
	free((struct metric *)stored->question.metrics);
	result_free_reasons(&stored->question.allowed);
	result_free_reasons(&stored->question.failures);
	*stored = (struct stored_comparison){0};
}

bool is_comparison(const char *path)
{
	struct comparison none = {0}; /* only the name is read, and not stored */
	struct error ignored = {0};

	return read_rows(path, name_rows, &none, &ignored) == 0;
}

int read_comparison(const char *path, struct stored_comparison *stored, struct error *error)
{
	struct comparison read = {0};
	size_t i;

	*stored = (struct stored_comparison){0};
	if (read_rows(path, comparison_rows, &read, error) == 0 && take(&read, stored) < 0)
		error_no_memory(error);
	/* The schema does not free what the lists of flat rows made. */
	for (i = 0; i < SIDES; i++)
		if (read.results[i] != NULL)
			result_free((struct result *)read.results[i]);
	schema_free(comparison_rows, &read);
	if (!error->set)
		return 0;
	stored_comparison_free(stored);
	return -EINVAL;
}
