/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write a comparison as workflow commands, which GitHub Actions turns into
 * annotations. Write an error for each regression and for each --fail-if
 * condition that holds, or else the answer, and then the warnings. GitHub shows
 * at most ten of each kind, so the most important ones come first.
 */
#include "compare/phrases.h"

#include "doc/escape.h"

#include <stdlib.h>

/* Write one annotation. `command` is "error", "warning" or "notice". */
static void annotate(const char *command, const char *title, const char *message, FILE *stream)
{
	fprintf(stream, "::%s title=", command);
	escape_workflow_property(title, stream);
	fputs("::", stream);
	escape_workflow(message, stream);
	fputc('\n', stream);
}

int comparison_github(const struct comparison *comparison, FILE *stream)
{
	bool regressed = comparison->answer == VERDICT_REGRESSION;
	bool passed = comparison->answer == VERDICT_PASS;
	char clause[PHRASES_CLAUSE], message[PHRASES_CLAUSE + 32];
	char *summary;
	size_t i;

	for (i = 0; i < comparison->row_count; i++) {
		const struct comparison_row *row = &comparison->rows[i];

		if (row->judged.verdict != VERDICT_REGRESSION)
			continue;
		snprintf(message, sizeof(message), "%s, margin %g %%", phrases_clause(row, clause),
			 100 * comparison->margin);
		annotate("error", "throng: regression", message, stream);
	}
	for (i = 0; i < comparison->failures.count; i++)
		annotate("error", "throng: a --fail-if condition holds",
			 comparison->failures.texts[i], stream);
	/* Print the answer, unless the errors above are the answer. */
	if (!regressed && !(passed && comparison->failures.count > 0)) {
		summary = comparison_summary(comparison);
		if (summary != NULL)
			annotate(passed ? "notice" : "warning", "throng compare", summary, stream);
		free(summary);
	}
	for (i = 0; i < comparison->warnings.count; i++) {
		char *text = notice_text(&comparison->warnings.list[i]);

		annotate("warning", "throng: warning", text != NULL ? text : "", stream);
		free(text);
	}
	return 0;
}
