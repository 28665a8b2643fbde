/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/report_comparison.h"

#include "base/message.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "compare/phrases.h"
#include "page/html.h"
#include "result/read.h"

#include <errno.h>
#include <stdlib.h>

/* A stored comparison, judged again as its file asks. */
struct stored {
	struct result results[2];
	struct read_question question;
	struct comparison comparison;
	struct html_verdict verdict;
};

static const char *name_of(const struct result *result, const char *path)
{
	return result->run.target_count > 0 ? result->run.targets[0].url : path;
}

static int read_stored(const char *path, struct stored *stored,
		       struct error *error)
{
	const struct read_question *asked = &stored->question;
	struct comparison_question question = {.final = true};
	size_t i;
	int rc;

	rc = read_comparison(path, stored->results, &stored->question, error);
	if (rc < 0)
		return -1;
	question.metrics = asked->metrics;
	question.metric_count = asked->metric_count;
	question.margin = asked->margin;
	question.alpha = asked->alpha;
	rc = comparison_make(&stored->comparison, &stored->results[0],
			     name_of(&stored->results[0], path),
			     &stored->results[1],
			     name_of(&stored->results[1], path), &question,
			     error);
	for (i = 0; rc == 0 && i < asked->failures.count; i++)
		result_add_reason(&stored->comparison.failures, "%s",
				  asked->failures.texts[i]);
	return rc;
}

/* Put the verdict into words. */
static void word_verdict(struct stored *stored)
{
	const struct comparison *comparison = &stored->comparison;
	struct html_verdict *verdict = &stored->verdict;
	char *summary = comparison_summary(comparison);
	char clause[WORDS_CLAUSE];
	size_t i;

	verdict->answer = phrases_answer(comparison);
	verdict->base = comparison->base_name;
	verdict->new = comparison->new_name;
	verdict->outcome = comparison->failures.count > 0 ||
			   comparison->answer == SEQUENTIAL_REGRESSION
				   ? HTML_BAD
			   : comparison->answer == SEQUENTIAL_PASS
				   ? HTML_GOOD : HTML_UNKNOWN;
	if (summary != NULL)
		result_add_reason(&verdict->reasons, "%s", summary);
	free(summary);
	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		result_add_reason(&verdict->reasons, "%s: %s",
				  comparison_verdict_name(row->judged.verdict),
				  phrases_clause(row, clause));
	}
	for (i = 0; i < comparison->failures.count; i++)
		result_add_reason(&verdict->reasons, "limit not met: %s",
				  comparison->failures.texts[i]);
	for (i = 0; i < comparison->warnings.count; i++)
		result_add_reason(&verdict->reasons, "warning: %s",
				  comparison->warnings.texts[i]);
}

static int write_page(const void *what, FILE *stream)
{
	const struct stored *stored = what;

	return html_write_comparison(stored->results, &stored->verdict, stream);
}

/* Check all outputs before anything is written. */
static int check_outputs(const char *path, char *const *outputs, size_t count,
			 struct error *error)
{
	size_t i;

	for (i = 0; i < count; i++) {
		const struct output_format *format = output_find(outputs[i],
								 error);

		if (format == NULL || format->write != html_write ||
		    output_check_place(outputs[i], error) < 0)
			break;
	}
	if (i < count && error->set)
		return -EINVAL;
	if (i == count && count > 0)
		return 0;
	error_set(error, "%s is a comparison: expected -o FILE.html; see also "
		  "throng compare %s", path, path);
	return -EINVAL;
}

static int write_outputs(const struct stored *stored, char *const *outputs,
			 size_t count)
{
	struct error error = {0};
	size_t i;

	for (i = 0; i < count; i++) {
		if (output_replace(outputs[i], write_page, stored, &error) < 0) {
			message_error(&error);
			return EXIT_INVALID;
		}
	}
	return EXIT_VALID;
}

int report_comparison(const char *path, char *const *outputs, size_t count)
{
	struct stored stored = {0};
	struct error error = {0};
	int rc;

	if (read_stored(path, &stored, &error) < 0) {
		rc = -1;
	} else if (check_outputs(path, outputs, count, &error) < 0) {
		rc = cli_refuse(&error);
	} else {
		word_verdict(&stored);
		rc = write_outputs(&stored, outputs, count);
	}
	result_free_reasons(&stored.verdict.reasons);
	comparison_free(&stored.comparison);
	read_question_free(&stored.question);
	result_free(&stored.results[0]);
	result_free(&stored.results[1]);
	return rc;
}
