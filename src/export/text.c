/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as text for people: each as `throng run` printed it.
 */
#include "text/text.h"

#include "export/formats.h"

static void print_points(const struct result *result, bool shows_operations, FILE *stream)
{
	bool headed = false; /* rows of points came last */
	size_t i, j;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		if (i > 0 && !headed)
			fputc('\n', stream);
		if (!headed)
			text_heading(&result->run, stream);
		headed = true;
		for (j = 0; j < point->repeat_count; j++)
			text_repeat(result, &point->repeats[j], stream);
		if (result_is_valid(point) && records_have_phases(&point->records)) {
			text_phases(result->run.paced, &point->records, stream);
			headed = false;
		}
		if (!shows_operations)
			continue;
		headed = false;
		text_operations(result->run.paced, &point->records, stream);
	}
}

int text_write(const struct export *export, FILE *stream)
{
	size_t i;

	for (i = 0; i < export->count; i++) {
		const struct result *result = &export->results[i];

		if (i > 0)
			fputc('\n', stream);
		if (export->count > 1 && export->files != NULL)
			text_line(stream, "result", "%s", export->files[i]);
		text_header(&result->run, 0, stream);
		fputc('\n', stream);
		print_points(result, export->shows_operations, stream);
		text_summary(result, stream);
		text_warnings(result, stream);
	}
	return 0;
}
