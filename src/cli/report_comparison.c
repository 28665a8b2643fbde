/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report_comparison.h"

#include "base/message.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "compare/json.h"
#include "compare/phrases.h"
#include "page/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A stored comparison, judged again with the margin and alpha in its file. */
struct stored {
	struct result results[SIDES];
	struct read_question question;
	struct comparison comparison;
	struct html_verdict verdict;
};

static int read_stored(const char *path, struct stored *stored, struct error *error)
{
	const struct read_question *asked = &stored->question;
	struct comparison_question question = {.final = true};
	const char *names[SIDES];
	size_t i;
	int rc;

	rc = read_comparison(path, stored->results, &stored->question, error);
	if (rc < 0)
		return rc;
	for (i = 0; i < SIDES; i++) {
		names[i] = stored->results[i].run.variants[0].targets[0].url;
	}
	question.metrics = asked->metrics;
	question.metric_count = asked->metric_count;
	question.margin = asked->margin;
	question.alpha = asked->alpha;
	question.allowed = asked->allowed;
	rc = comparison_make(&stored->comparison, stored->results, names, &question, error);
	for (i = 0; rc == 0 && i < asked->failures.count; i++)
		result_add_reason(&stored->comparison.failures, "%s", asked->failures.texts[i]);
	return rc;
}

static void add_fact(void *context, const char *name, const char *text)
{
	struct stored *stored = context;

	result_add_reason(&stored->verdict.facts, "%s: %s", name, text);
}

/* Fill in the texts of the verdict for the page. */
static void word_verdict(struct stored *stored)
{
	const struct comparison *comparison = &stored->comparison;
	char clause[PHRASES_CLAUSE];
	size_t i;

	stored->verdict.answer = phrases_answer(comparison);
	stored->verdict.verdict = comparison->failures.count > 0 ? VERDICT_REGRESSION
								 : comparison->answer;
	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		add_fact(stored, phrases_verdict(row->judged.verdict), phrases_clause(row, clause));
	}
	for (i = 0; i < comparison->failures.count; i++)
		add_fact(stored, "a --fail-if condition holds", comparison->failures.texts[i]);
	stored->verdict.warnings = &comparison->warnings;
	phrases_describe(comparison, add_fact, stored);
}

static int write_page(const void *what, FILE *stream)
{
	const struct stored *stored = what;

	return html_write_comparison(stored->results, &stored->verdict, stream);
}

/* Check all outputs before any of them is written. */
static int check_outputs(const char *path, const char *const *outputs, size_t count,
			 struct error *error)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct format *format = output_find(outputs[i], error);

		if (format == NULL || strcmp(format->name, "html") != 0 ||
		    output_is_stdout(outputs[i]) ||
		    output_check_place(output_file(outputs[i]), error) < 0)
			break;
	}
	if (i < count && error->set)
		return -EINVAL;
	if (i == count && count > 0)
		return 0;
	error_set(error,
		  "%s is a comparison: expected -o FILE.html (to print it: throng compare %s)",
		  path, path);
	return -EINVAL;
}

static int write_outputs(const struct stored *stored, const char *const *outputs, size_t count)
{
	struct error error = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		if (output_replace(output_file(outputs[i]), write_page, stored, &error) < 0) {
			message_error(&error);
			return EXIT_INVALID;
		}
	}
	return EXIT_VALID;
}

int report_comparison(const char *path, const char *const *outputs, size_t count)
{
	struct stored stored = {0};
	struct error error = {0};
	int rc;

	if (read_stored(path, &stored, &error) < 0 ||
	    check_outputs(path, outputs, count, &error) < 0) {
		rc = cli_refuse(&error);
	} else {
		word_verdict(&stored);
		rc = write_outputs(&stored, outputs, count);
	}
	result_free_reasons(&stored.verdict.facts);
	comparison_free(&stored.comparison);
	read_question_free(&stored.question);
	result_free(&stored.results[BASE]);
	result_free(&stored.results[NEW]);
	return rc;
}
