/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A comparison as JUnit XML, as GitLab, Jenkins and the reporters for GitHub
 * read it: a test case a row, and one for each limit that is not met.
 *
 * Inconclusive is an <error>, a test that came to no result, and no <skipped>:
 * all of them show that as green, while throng's exit status fails the job.
 */
#include "compare/phrases.h"

#include "report/escape.h"

#include <stdlib.h>
#include <string.h>

static void print_attribute(const char *name, const char *text, FILE *stream)
{
	fprintf(stream, " %s=\"", name);
	escape_markup(text, stream);
	fputc('"', stream);
}

static void print_property(const char *name, const char *text, FILE *stream)
{
	fputs("   <property", stream);
	print_attribute("name", name, stream);
	print_attribute("value", text, stream);
	fputs("/>\n", stream);
}

static void print_properties(const struct comparison *comparison, FILE *stream)
{
	char *measured = phrases_measured(comparison);
	char number[WORDS_NUMBER];

	fputs("  <properties>\n", stream);
	print_property("base", comparison->base_name, stream);
	print_property("new", comparison->new_name, stream);
	if (measured != NULL)
		print_property("measured", measured, stream);
	snprintf(number, sizeof(number), "%g %%", 100 * comparison->margin);
	print_property("margin", number, stream);
	snprintf(number, sizeof(number), "%g", comparison->alpha);
	print_property("alpha", number, stream);
	fputs("  </properties>\n", stream);
	free(measured);
}

/* Begins a test case; the names of files tell nothing about it. */
static void begin_case(const char *kind, const char *name, FILE *stream)
{
	fputs("  <testcase", stream);
	print_attribute("classname", kind, stream);
	print_attribute("name", name, stream);
}

/* `element` is "failure" or "error". */
static void end_case(const char *element, const char *type,
		     const char *message, const char *detail, FILE *stream)
{
	fprintf(stream, ">\n   <%s", element);
	print_attribute("type", type, stream);
	print_attribute("message", message, stream);
	fputc('>', stream);
	escape_markup(detail, stream);
	fprintf(stream, "</%s>\n  </testcase>\n", element);
}

static void print_row(const struct comparison *comparison,
		      const struct comparison_row *row, FILE *stream)
{
	const char *verdict = comparison_verdict_name(row->judged.verdict);
	char name[WORDS_ROW], clause[WORDS_CLAUSE], need[WORDS_CLAUSE];

	begin_case("throng.compare", phrases_row(row, name), stream);
	phrases_clause(row, clause);
	if (row->judged.verdict == RATIO_PASS)
		fputs("/>\n", stream);
	else if (row->judged.verdict == RATIO_REGRESSION)
		end_case("failure", verdict, clause, clause, stream);
	else
		end_case("error", verdict, phrases_need(comparison, row, need),
			 clause, stream);
}

void comparison_junit(const struct comparison *comparison, FILE *stream)
{
	const struct result_reasons *limits = &comparison->failures;
	const struct result_reasons *warnings = &comparison->warnings;
	size_t failures = limits->count, errors = 0, i;

	for (i = 0; i < comparison->row_count; i++) {
		enum ratio_verdict verdict =
			comparison->rows[i].judged.verdict;

		failures += verdict == RATIO_REGRESSION;
		errors += verdict == RATIO_INCONCLUSIVE;
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
	      " <testsuite name=\"throng compare\"", stream);
	fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" "
		"skipped=\"0\"", comparison->row_count + limits->count,
		failures, errors);
	print_attribute("hostname", comparison->new->run.host, stream);
	print_attribute("timestamp", comparison->new->run.started, stream);
	fputs(">\n", stream);
	print_properties(comparison, stream);
	for (i = 0; i < comparison->row_count; i++)
		print_row(comparison, &comparison->rows[i], stream);
	for (i = 0; i < limits->count; i++) {
		begin_case("throng.limit", limits->texts[i], stream);
		end_case("failure", "limit", limits->texts[i],
			 limits->texts[i], stream);
	}
	fputs("  <system-out>", stream);
	for (i = 0; i < warnings->count; i++) {
		fputs(i > 0 ? "\nwarning: " : "warning: ", stream);
		escape_markup(warnings->texts[i], stream);
	}
	fputs("</system-out>\n </testsuite>\n</testsuites>\n", stream);
}
