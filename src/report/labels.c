/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/labels.h"

#include "base/array.h"
#include "result/variant.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max width of a column; longer texts make their row longer. */
enum { COLUMNS_MAX = 24 };

/* Return the number of columns of an axis. */
static unsigned width_of(const struct labels *labels, const struct result_axis *axis)
{
	size_t width = strlen(axis->name), i;

	for (i = 0; i < axis->value_count; i++) {
		size_t length = strlen(naming_value(labels->naming, axis->name, axis->values[i]));

		width = length > width ? length : width;
	}
	return (unsigned)(width < COLUMNS_MAX ? width : COLUMNS_MAX);
}

int labels_make(struct labels *labels, const struct result_run *run)
{
	size_t i;

	*labels = (struct labels){.run = run};
	labels->naming = naming_of(run);
	labels->columns = calloc(1 + run->axis_count, sizeof(*labels->columns));
	if (labels->columns == NULL || labels->naming == NULL)
		return -ENOMEM;
	labels->columns[labels->count++] = (struct records_label){.heading = "users",
								  .is_number = true};
	for (i = 0; i < run->axis_count; i++)
		labels->columns[labels->count++] = (struct records_label){
			.heading = run->axes[i].name,
			.width = width_of(labels, &run->axes[i]),
		};
	return 0;
}

void labels_free(struct labels *labels)
{
	size_t i;

	for (i = 0; i < labels->row_count; i++) {
		free((char *)labels->rows[i][0]);
		free(labels->rows[i]);
	}
	free(labels->rows);
	free(labels->columns);
	naming_free(labels->naming);
}

/* Return what the column of an axis shows of a set, by its index; "": nothing. */
static const char *value_of(const struct labels *labels, size_t axis, char *const *set,
			    size_t set_count)
{
	const char *name = labels->run->axes[axis].name;
	const char *value = variant_set_value(set, set_count, name);

	return value != NULL ? naming_value(labels->naming, name, value) : "";
}

const char *const *labels_row(struct labels *labels, unsigned users, char *const *set,
			      size_t set_count)
{
	const char **row = calloc(1 + labels->count, sizeof(*row));
	char *text = NULL;
	size_t i;

	if (row == NULL || asprintf(&text, "%u", users) < 0)
		text = NULL;
	if (text == NULL ||
	    array_append(&labels->rows, &labels->row_count, &row, sizeof(row)) < 0) {
		free(text);
		free(row);
		return NULL;
	}
	row[0] = text;
	for (i = 1; i < labels->count; i++)
		row[i] = value_of(labels, i - 1, set, set_count);
	return row;
}

void labels_columns(struct doc *doc, const struct labels *labels)
{
	size_t i;

	for (i = 0; i < labels->count; i++) {
		const struct records_label *column = &labels->columns[i];

		doc_column(doc, column->heading, NUMBER_COUNT,
			   DOC_LABEL | (column->is_number ? 0 : DOC_LEFT));
		doc_column_width(doc, column->width);
	}
}

void labels_cells(struct doc *doc, const struct labels *labels, unsigned users, char *const *set,
		  size_t set_count)
{
	size_t i;

	doc_cell_text(doc, "%u", users);
	for (i = 1; i < labels->count; i++)
		doc_cell_text(doc, "%s", value_of(labels, i - 1, set, set_count));
}
