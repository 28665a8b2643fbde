/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Results as the CSV that Apache Otava reads to find change points: a row per
 * result, in the order of time, and a column per value. Otava takes no empty
 * cells, so there are only columns that all results fill.
 */
#include "export/formats.h"
#include "export/values.h"
#include "doc/escape.h"
#include "result/variant.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct row {
	const struct result *result;
	struct values values;
};

/* Return the value with the name and figure of another row's, or NULL. */
static const struct value *find(const struct row *row, const struct value *like)
{
	size_t i;

	for (i = 0; i < row->values.count; i++) {
		const struct value *value = &row->values.list[i];

		if (value->figure == like->figure && strcmp(value->name, like->name) == 0)
			return value;
	}
	return NULL;
}

static const char *note(const struct row *row, const char *key)
{
	const struct result_run *run = &row->result->run;
	const char *text = variant_set_value(run->notes, run->note_count, key);

	return text != NULL && text[0] != '\0' ? text : NULL;
}

/* Check if all rows have this note, or this value of the first row. */
static bool all_have(const struct row *rows, size_t count, const char *key,
		     const struct value *value)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (key != NULL ? note(&rows[i], key) == NULL : find(&rows[i], value) == NULL)
			return false;
	return true;
}

/* Print a row or, if `row` is NULL, the names of the columns. */
static void print_row(const struct row *rows, size_t count, const struct row *row, FILE *stream)
{
	static const char *const keys[] = {"commit", "branch"};
	size_t i;

	escape_csv(row != NULL ? row->result->run.started : "time", stream);
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (!all_have(rows, count, keys[i], NULL))
			continue;
		fputc(',', stream);
		escape_csv(row != NULL ? note(row, keys[i]) : keys[i], stream);
	}
	for (i = 0; i < rows[0].values.count; i++) {
		const struct value *value = &rows[0].values.list[i];
		char *name;

		if (!all_have(rows, count, NULL, value))
			continue;
		fputc(',', stream);
		if (row != NULL) {
			value_print(find(row, value)->value, stream);
		} else if (asprintf(&name, "%s/%s", value->name, figures[value->figure].name) >=
			   0) {
			escape_csv(name, stream);
			free(name);
		}
	}
	fputs("\r\n", stream);
}

static int compare_times(const void *one, const void *other)
{
	const struct row *first = one, *second = other;

	return strcmp(first->result->run.started, second->result->run.started);
}

int otava_write(const struct export *export, FILE *stream)
{
	struct row *rows = calloc(export->count, sizeof(*rows));
	int rc = rows == NULL ? -ENOMEM : 0;
	size_t i;

	for (i = 0; rc == 0 && i < export->count; i++) {
		rows[i].result = &export->results[i];
		rc = values_find(export, rows[i].result, &rows[i].values);
	}
	if (rc == 0) {
		qsort(rows, export->count, sizeof(*rows), compare_times);
		print_row(rows, export->count, NULL, stream);
	}
	for (i = 0; rc == 0 && i < export->count; i++)
		print_row(rows, export->count, &rows[i], stream);
	for (i = 0; rows != NULL && i < export->count; i++)
		values_free(&rows[i].values);
	free(rows);
	return rc;
}
