/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a comparison as JUnit XML for GitLab, Jenkins and the reporters for
 * GitHub: a test case per row and per --fail-if condition that holds.
 *
 * An inconclusive row is an <error>, not <skipped>: all programs that read
 * JUnit files show a skipped test as green, although throng's exit status fails
 * the job.
 */
#include "compare/phrases.h"

#include "doc/escape.h"

#include <stdlib.h>

static void print_attribute(const char *name, const char *text, FILE *stream)
{
	fprintf(stream, " %s=\"", name);
	escape_markup(text, stream);
	fputc('"', stream);
}

static void print_property(void *context, const char *name, const char *text)
{
	fputs("   <property", context);
	print_attribute("name", name, context);
	print_attribute("value", text, context);
	fputs("/>\n", context);
}

/* Begin a test case. CI tracks a case by its name, so the name must be the same
 * in each run and must not contain a file name. */
static void begin_case(const char *kind, const char *name, FILE *stream)
{
	fputs("  <testcase", stream);
	print_attribute("classname", kind, stream);
	print_attribute("name", name, stream);
}

/* End a test case that did not pass. `element` is "failure" or "error". */
static void end_case(const char *element, const char *type, const char *message, const char *detail,
		     FILE *stream)
{
	fprintf(stream, ">\n   <%s", element);
	print_attribute("type", type, stream);
	print_attribute("message", message, stream);
	fputc('>', stream);
	escape_markup(detail, stream);
	fprintf(stream, "</%s>\n  </testcase>\n", element);
}

static void print_row(const struct comparison *comparison, const struct comparison_row *row,
		      FILE *stream)
{
	const char *verdict = verdict_names[row->judged.verdict];
	char name[PHRASES_NAME], clause[PHRASES_CLAUSE], need[PHRASES_CLAUSE];

	begin_case("throng.compare", phrases_name(row, name), stream);
	phrases_clause(row, clause);
	if (row->judged.verdict == VERDICT_PASS)
		fputs("/>\n", stream);
	else if (row->judged.verdict == VERDICT_REGRESSION)
		end_case("failure", verdict, clause, clause, stream);
	else
		end_case("error", verdict, phrases_need(comparison, row, need), clause, stream);
}

int comparison_junit(const struct comparison *comparison, FILE *stream)
{
	const struct result_reasons *limits = &comparison->failures;
	const struct notices *warnings = &comparison->warnings;
	const struct result_run *run = &comparison->results[NEW]->run;
	size_t failures = phrases_count(comparison, VERDICT_REGRESSION);
	size_t errors = phrases_count(comparison, VERDICT_INCONCLUSIVE), i;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
	      " <testsuite name=\"throng compare\"",
	      stream);
	fprintf(stream, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\"",
		comparison->row_count + limits->count, failures + limits->count, errors);
	print_attribute("hostname", run->host, stream);
	print_attribute("timestamp", run->started, stream);
	fputs(">\n  <properties>\n", stream);
	phrases_describe(comparison, print_property, stream);
	phrases_describe_run(comparison, print_property, stream);
	fputs("  </properties>\n", stream);
	for (i = 0; i < comparison->row_count; i++)
		print_row(comparison, &comparison->rows[i], stream);
	for (i = 0; i < limits->count; i++) {
		begin_case("throng.limit", limits->texts[i], stream);
		end_case("failure", "limit", limits->texts[i], limits->texts[i], stream);
	}
	fputs("  <system-out>", stream);
	for (i = 0; i < warnings->count; i++) {
		char *text = notice_text(&warnings->list[i]);

		fputs(i > 0 ? "\nwarning: " : "warning: ", stream);
		escape_markup(text != NULL ? text : "", stream);
		free(text);
	}
	fputs("</system-out>\n </testsuite>\n</testsuites>\n", stream);
	return 0;
}
