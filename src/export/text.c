/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as text for people: each as `throng run` printed it.
 */
#include "doc/render.h"
#include "report/report.h"

#include "export/formats.h"

int text_write(const struct export *export, FILE *stream)
{
	size_t i;
	int rc = 0;

	for (i = 0; rc == 0 && i < export->count; i++) {
		struct doc *doc = doc_new();

		if (i > 0)
			fputc('\n', stream);
		if (export->count > 1 && export->files != NULL)
			doc_fact(doc, "result", "%s", export->files[i]);
		report_text(doc, &export->results[i], export->shows_operations);
		rc = doc_text(doc, false, stream);
		doc_free(doc);
	}
	return rc;
}
