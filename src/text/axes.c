/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "text/axes.h"

#include "doc/escape.h"
#include "result/variant.h"

#include <stdlib.h>
#include <string.h>

/* Max width of a column; longer texts make their row longer. */
enum { COLUMNS_MAX = 24 };

static int width_of(const struct result_axis *axis)
{
	size_t width = strlen(axis->name), i;

	for (i = 0; i < axis->value_count; i++)
		if (strlen(axis->values[i]) > width)
			width = strlen(axis->values[i]);
	return width < COLUMNS_MAX ? (int)width : COLUMNS_MAX;
}

unsigned axes_columns(const struct result_run *run)
{
	unsigned columns = 0;
	size_t i;

	for (i = 0; i < run->axis_count; i++)
		columns += 1 + (unsigned)width_of(&run->axes[i]);
	return columns;
}

void axes_headings(const struct result_run *run, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->axis_count; i++) {
		fputc(' ', stream);
		escape_column(run->axes[i].name, width_of(&run->axes[i]), stream);
	}
}

void axes_values(const struct result_run *run, char *const *set, size_t set_count, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->axis_count; i++) {
		const struct result_axis *axis = &run->axes[i];
		const char *value = variant_set_value(set, set_count, axis->name);

		fputc(' ', stream);
		escape_column(value != NULL ? value : "", width_of(axis), stream);
	}
}

char *axes_row_name(const struct result_run *run, const struct result_point *point)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	if (point == NULL) {
		fputs("users", stream);
		axes_headings(run, stream);
	} else {
		fprintf(stream, "%5u", point->users);
		axes_values(run, point->set, point->set_count, stream);
	}
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}
