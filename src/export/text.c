/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results for people, as text or Markdown: one as `throng run` prints it, several
 * side by side.
 */
#include "doc/render.h"
#include "report/report.h"
#include "report/sections.h"

#include "export/formats.h"

/* Make the document. Return 0 or -ENOMEM. */
static int make_report(struct doc *doc, const struct export *export)
{
	struct view view;
	int rc = view_make(&view, export->results, export->count, export->files, NULL);

	if (rc == 0 && export->count > 1) {
		report_several(doc, &view, export->shows_operations);
	} else if (rc == 0) {
		section_headline(doc, &view);
		report_text(doc, &export->results[0], export->shows_operations);
	}
	view_free(&view);
	return rc;
}

int text_write(const struct export *export, FILE *stream)
{
	struct doc *doc = doc_new();
	int rc = make_report(doc, export);

	if (rc == 0)
		rc = doc_text(doc, false, stream);
	doc_free(doc);
	return rc;
}

int markdown_write(const struct export *export, FILE *stream)
{
	struct doc *doc = doc_new();
	int rc = make_report(doc, export);

	if (rc == 0)
		rc = doc_markdown(doc, stream);
	doc_free(doc);
	return rc;
}
