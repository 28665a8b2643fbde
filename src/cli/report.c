/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng report: print stored results, or write them in other formats.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "cli/options.h"
#include "cli/output.h"
#include "compare/json.h"
#include "doc/number.h"
#include "export/values.h"
#include "report/tables/spec.h"
#include "stats/summary.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of one `throng report`. */
struct report {
	struct options given; /* its words are the paths of the results */
	struct result *results;
	size_t count;
	bool compares; /* the only word is a stored comparison */
	struct stored_comparison stored;
	struct comparison comparison; /* the same, judged again */
	const char *const *texts;     /* of --output; NULL: none */
	const char *const *tables;    /* of --table; NULL: none */
	unsigned format;              /* of --format: one of format_names[] */
	char *printed;                /* the output that stands for --format */
	/* Those of --output, and `printed`. Ended by NULL. */
	const char **outputs;
	size_t output_count;
	const char *figure_list; /* of --figures; NULL: the default ones */
	struct metric *figures;  /* the same, parsed */
	size_t figure_count;
	bool show_operations, bits;
};

#define AT(member) OPTION_AT(struct report, member)

const struct option_row report_rows[] = {
	{"output", 'o', OPTION_TEXTS, "FILE", OUTPUT_HELP, AT(texts), .flags = OPTION_COMMON},
	{"format", 0, OPTION_WORD, "NAME", "Print in this format", AT(format),
	 .words = format_names, .flags = OPTION_COMMON},
	{"figures", 0, OPTION_TEXT, "LIST", "Figures for CI services: p99,ReadX.p99",
	 AT(figure_list), .flags = OPTION_COMMON},
	{"operations", 0, OPTION_FLAG, NULL, "Print a table of operations after each point",
	 AT(show_operations), .flags = OPTION_COMMON},
	{"table", 0, OPTION_TEXTS, "SPEC", TABLE_HELP, AT(tables), .flags = OPTION_COMMON},
	{"bits", 0, OPTION_FLAG, NULL, "Show rates in Mbit/s instead of MB/s", AT(bits),
	 .flags = OPTION_COMMON},
	{.name = NULL},
};

static bool is_stdin(const char *path)
{
	return strcmp(path, "-") == 0;
}

/* List the outputs, and check their names. Without any, the text is printed.
 * Return 0 or -errno, with `error` set. */
static int list_outputs(struct report *report, struct error *error)
{
	size_t given = 0;

	while (report->texts != NULL && report->texts[given] != NULL)
		given++;
	report->outputs = calloc(given + 2, sizeof(*report->outputs));
	if (report->outputs == NULL)
		return error_no_memory(error);
	for (; report->output_count < given; report->output_count++)
		report->outputs[report->output_count] = report->texts[report->output_count];
	if (given == 0 || options_given(&report->given, "format")) {
		if (asprintf(&report->printed, "%s:-", format_names[report->format]) < 0) {
			report->printed = NULL;
			return error_no_memory(error);
		}
		report->outputs[report->output_count++] = report->printed;
	}
	return output_find_all(report->outputs, report->compares, error);
}

/* Parse the options. Return 0, or -EINVAL with `error` set. */
static int parse_options(struct report *report, struct error *error)
{
	if (options_parse(&report->given, error) < 0)
		return -EINVAL;
	if (report->given.word_count == 0)
		error_set(error, "report: expected a RESULT, a JSON file written by `throng run "
				 "-o'; see --help");
	report->compares = report->given.word_count == 1 && !is_stdin(report->given.words[0]) &&
			   is_comparison(report->given.words[0]);
	if (report->compares && report->tables != NULL)
		error_set(error, "--table needs results, but %s is a comparison",
			  report->given.words[0]);
	if (!error->set && report->figure_list != NULL)
		values_parse(report->figure_list, &report->figures, &report->figure_count, error);
	if (!error->set)
		list_outputs(report, error);
	return error->set ? -EINVAL : 0;
}

static int read_stored(struct report *report, struct error *error)
{
	struct stored_comparison *stored = &report->stored;
	int rc = read_comparison(report->given.words[0], stored, error);

	if (rc < 0)
		return rc;
	return comparison_make(&report->comparison, stored->results,
			       (const char *const *)stored->names, &stored->question, error);
}

/* Check that each figure of --figures is of something that a result has. Return
 * 0, or -EINVAL with `error` set. */
static int check_figures(const struct report *report, struct error *error)
{
	char name[METRIC_TEXT];
	size_t i, j, k;

	for (i = 0; i < report->figure_count; i++) {
		const struct metric *metric = &report->figures[i];
		bool found = false;

		for (j = 0; j < report->count; j++)
			for (k = 0; k < report->results[j].point_count; k++)
				found |= metric_record(metric,
						       &report->results[j].points[k].records) !=
					 NULL;
		if (!found)
			error_set(error, "--figures: none of the results has the figure %s",
				  metric_name(metric, name));
	}
	return error->set ? -EINVAL : 0;
}

/* Replace the tables of the results by those of --table, if there are any. Return 0, or
 * -errno with `error` set. */
static int set_tables(struct report *report, struct error *error)
{
	size_t i;

	if (report->tables == NULL)
		return 0;
	for (i = 0; i < report->count; i++)
		if (spec_set_tables(&report->results[i].run, report->tables, error) < 0)
			return -1;
	return spec_check_tables(report->results, report->count, error);
}

/* Read a result. A comparison is refused, as it must be the only file. */
static int read_result(const char *path, struct result *result, struct error *error)
{
	struct error reason = {0};

	if (summary_read(is_stdin(path) ? "/dev/stdin" : path, result, &reason) == 0)
		return 0;
	if (!is_stdin(path) && is_comparison(path))
		error_set(error,
			  "%s is a comparison, which cannot be shown beside other files; report it "
			  "alone",
			  path);
	else
		*error = reason;
	return -EINVAL;
}

static int read_results(struct report *report, struct error *error)
{
	size_t count = report->given.word_count;

	report->results = calloc(count, sizeof(*report->results));
	if (report->results == NULL)
		return error_no_memory(error);
	for (; report->count < count; report->count++) {
		if (read_result(report->given.words[report->count], &report->results[report->count],
				error) < 0)
			return -1;
	}
	return check_figures(report, error) < 0 ? -1 : set_tables(report, error);
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

/* Write all outputs, or print the results or the comparison. Check everything before writing, so
 * that a refused command writes nothing. Return the exit code. */
static int write_report(struct report *report)
{
	struct export export = {.files = report->given.words};
	struct error error = {0};
	size_t i;

	if (parse_options(report, &error) < 0)
		return cli_refuse(&error);
	if (report->bits)
		number_show_bits();
	if ((report->compares ? read_stored : read_results)(report, &error) < 0)
		return cli_refuse(&error);
	export.comparison = report->compares ? &report->comparison : NULL;
	export.results = report->results;
	export.count = report->count;
	export.shows_operations = report->show_operations;
	export.figures = report->figures;
	export.figure_count = report->figure_count;
	for (i = 0; i < report->output_count; i++)
		if (output_check(&export, report->outputs[i], &error) < 0 ||
		    (output_is_stdout(report->outputs[i]) && output_keep_stdout(&error) < 0))
			return cli_refuse(&error);
	for (i = 0; i < report->output_count; i++) {
		if (output_write(&export, report->outputs[i], &error) < 0) {
			message_error(&error);
			return EXIT_INVALID;
		}
	}
	return all_valid(report) ? EXIT_VALID : EXIT_INVALID;
}

int cli_report(int argc, const char **argv)
{
	struct report report = {0};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = report_rows, .values = &report},
		{.rows = NULL},
	};
	int rc;
	size_t i;

	argv[0] = "throng report"; /* for --help */
	rc = options_read(&report.given, groups, "[OPTIONS] RESULT...",
			  "  throng report --operations old.json\n"
			  "  throng report -o both.html old.json new.json\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = write_report(&report);
	for (i = 0; i < report.count; i++)
		result_free(&report.results[i]);
	free(report.results);
	comparison_free(&report.comparison);
	stored_comparison_free(&report.stored);
	free(report.outputs);
	free(report.printed);
	free(report.figures);
	options_free(&report.given);
	return rc;
}
