/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "base/message.h"
#include "cli/output.h"
#include "cli/report_comparison.h"
#include "job/merge.h"
#include "result/read.h"
#include "report/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

/* All that one `throng report` holds. */
struct report {
	const char **paths; /* of the results; NULL ends them */
	struct result *results;
	size_t count;
	char **outputs; /* likewise; NULL: none */
	size_t output_count;
	int show_operations, merge;
};

static int read_options(struct report *report, poptContext context)
{
	struct error error = {0};
	int value = cli_next_option(context);
	size_t i;

	if (value != 0)
		return value == CLI_HELP ? CLI_HELP : -value;
	report->paths = poptGetArgs(context);
	if (report->paths == NULL)
		error_set(&error, "report: expected a RESULT, a JSON file "
			  "that `throng run -o` wrote; see --help");
	for (i = 0; report->outputs != NULL && report->outputs[i] != NULL; i++)
		output_find(report->outputs[i], &error);
	report->output_count = i;
	return error.set ? cli_refuse(&error) : EXIT_VALID;
}

static int read_results(struct report *report, struct error *error)
{
	size_t count = 0;

	while (report->paths[count] != NULL)
		count++;
	report->results = calloc(count, sizeof(*report->results));
	if (report->results == NULL)
		return error_no_memory(error);
	for (; report->count < count; report->count++)
		if (read_result(report->paths[report->count],
				&report->results[report->count], error) < 0)
			return -1;
	return 0;
}

/* What `throng run` printed, of each result. */
static void describe_results(const struct report *report, FILE *stream)
{
	size_t i, j, k;

	for (i = 0; i < report->count; i++) {
		const struct result *result = &report->results[i];

		if (report->count > 1)
			fprintf(stream, "%sresult   %s\n", i > 0 ? "\n" : "",
				report->paths[i]);
		text_header(&result->run, 0, stream);
		text_heading(stream);
		for (j = 0; j < result->point_count; j++) {
			const struct result_point *point = &result->points[j];

			for (k = 0; k < point->repeat_count; k++)
				text_repeat(&point->repeats[k], stream);
			if (report->show_operations)
				text_operations(&point->figures, stream);
		}
		text_summary(result, stream);
		text_reasons(result, stream);
	}
}

/* Somebody else's words are in it, which may hold what steers a terminal. */
static int print_text(const struct report *report, struct error *error)
{
	char *text = NULL, *next;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream != NULL)
		describe_results(report, stream);
	if (stream == NULL || fclose(stream) != 0)
		return error_no_memory(error);
	for (next = text; *next != '\0'; next++)
		putchar(iscntrl((unsigned char)*next) && *next != '\n'
				? '?' : *next);
	free(text);
	return 0;
}

static bool all_valid(const struct report *report)
{
	size_t i, j;

	for (i = 0; i < report->count; i++)
		for (j = 0; j < report->results[i].point_count; j++)
			if (!result_is_valid(&report->results[i].points[j]))
				return false;
	return true;
}

/* Put the sum of the results into their place. */
static int merge(struct report *report, struct error *error)
{
	struct result merged;
	size_t i;

	if (merge_results(report->results, report->paths, report->count,
			  &merged, error) < 0) {
		result_free(&merged);
		return -1;
	}
	for (i = 0; i < report->count; i++)
		result_free(&report->results[i]);
	report->results[0] = merged;
	report->count = 1;
	return 0;
}

/* Refuses before anything is written, so that it is all or nothing. */
static int report_results(struct report *report)
{
	struct error error = {0};
	size_t i;
	int rc = -1;

	if (read_results(report, &error) < 0) {
		if (report->paths[1] == NULL && !report->merge)
			rc = report_comparison(report->paths[0],
					       report->outputs,
					       report->output_count);
		return rc < 0 ? cli_refuse(&error) : rc;
	}
	if (report->merge && merge(report, &error) < 0)
		return cli_refuse(&error);
	for (i = 0; i < report->output_count; i++)
		if (output_check(report->outputs[i], report->count,
				 &error) < 0)
			return cli_refuse(&error);
	if (report->output_count == 0 && print_text(report, &error) < 0)
		return cli_refuse(&error);
	for (i = 0; i < report->output_count; i++) {
		if (output_write(report->results, report->count,
				 report->outputs[i], &error) < 0) {
			message_error(&error);
			return EXIT_INVALID;
		}
	}
	return all_valid(report) ? EXIT_VALID : EXIT_INVALID;
}

int cli_report(int argc, const char **argv)
{
	struct report report = {0};
	struct poptOption table[] = {
		{"output", 'o', POPT_ARG_ARGV, &report.outputs, 0,
		 "Write FILE.json, .csv, .html or .bench; may be repeated",
		 "FILE"},
		{"merge", '\0', POPT_ARG_NONE, &report.merge, 0,
		 "Add up what several machines measured at the same time",
		 NULL},
		{"operations", '\0', POPT_ARG_NONE, &report.show_operations, 0,
		 "Show a table of operations after each point", NULL},
		CLI_HELP_ROW,
		POPT_TABLEEND,
	};
	poptContext context;
	int rc;
	size_t i;

	argv[0] = "throng report"; /* what popt calls the program in --help */
	context = poptGetContext("throng", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS] RESULT...");
	rc = read_options(&report, context);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = report_results(&report);
	for (i = 0; i < report.count; i++)
		result_free(&report.results[i]);
	free(report.results);
	for (i = 0; i < report.output_count; i++)
		free(report.outputs[i]);
	free(report.outputs);
	poptFreeContext(context);
	return rc;
}
