/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result as CSV (RFC 4180): one row per record of each point and of each of
 * its repeats. throng-results(5) describes the columns.
 */
#include "export/formats.h"
#include "export/values.h"
#include "doc/escape.h"
#include "result/combine.h"
#include "result/lists.h"
#include "result/variant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_END "\r\n"

/* Print the names of the columns for the label and the notes, if there are
 * any. */
static void print_note_names(const struct result_run *run, FILE *stream)
{
	size_t i;

	if (run->label[0] != '\0')
		fputs(",label", stream);
	for (i = 0; i < run->note_count; i++) {
		char *name;

		fputc(',', stream);
		if (asprintf(&name, "note:%s", run->notes[2 * i]) < 0)
			continue;
		escape_csv(name, stream);
		free(name);
	}
}

static void print_notes(const struct result_run *run, FILE *stream)
{
	size_t i;

	if (run->label[0] != '\0') {
		fputc(',', stream);
		escape_csv(run->label, stream);
	}
	for (i = 0; i < run->note_count; i++) {
		fputc(',', stream);
		escape_csv(run->notes[2 * i + 1], stream);
	}
}

static void print_number(double value, FILE *stream)
{
	fputc(',', stream);
	value_print(value, stream);
}

static void print_text(const char *text, FILE *stream)
{
	fputc(',', stream);
	escape_csv(text != NULL ? text : "", stream);
}

/* Print the names of the columns for samples. */
static void print_sample_names(const struct result_run *run, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->sample_count; i++) {
		char *names[] = {NULL, NULL};

		if (asprintf(&names[0], "sample:%s", run->samples[i].name) >= 0)
			print_text(names[0], stream);
		if (asprintf(&names[1], "sample_max:%s", run->samples[i].name) >= 0)
			print_text(names[1], stream);
		free(names[0]);
		free(names[1]);
	}
}

/* Print the samples of a point (`repeat` is 0), or of one of its repeats; nothing in the
 * row of a part of it. */
static void print_samples(const struct result_run *run, const struct result_point *point,
			  size_t repeat, bool is_total, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->sample_count; i++) {
		struct combine_sample sample = {NAN, NAN};

		if (is_total && repeat == 0)
			sample = combine_samples(point, i);
		else if (is_total && i < point->repeats[repeat - 1].sample_count)
			sample = combine_sample(&point->repeats[repeat - 1].samples[i]);
		print_number(sample.mean, stream);
		print_number(sample.max, stream);
	}
}

/* Print the values of the axes. */
static void print_set(const struct result_run *run, size_t variant, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->axis_count; i++) {
		double number = variant_number(run, variant, i);

		if (isnan(number))
			print_text(variant_value(run, variant, i), stream);
		else
			print_number(number, stream);
	}
}

/* Print the lines of a point (`repeat` is 0), or of one of its repeats. */
static void print_records(const struct result *result, const struct result_point *point,
			  size_t repeat, const struct records *records, bool valid, FILE *stream)
{
	char scope[RECORD_SCOPE];
	enum figure figure;
	size_t i;

	for (i = 0; i < records->count; i++) {
		const struct record *record = &records->list[i];

		fprintf(stream, "%u", point->users);
		print_set(&result->run, point->variant, stream);
		print_number(repeat > 0 ? (double)repeat : NAN, stream);
		print_text(record_scope(&record->key, scope), stream);
		print_text(record->key.host, stream);
		print_text(record->key.load, stream);
		print_text(record->key.user, stream);
		print_text(record->key.phase, stream);
		print_text(record->key.operation, stream);
		print_text(valid ? "true" : "false", stream);
		for (figure = 0; figure < FIGURES; figure++)
			print_number(record_value(record, figure), stream);
		print_notes(&result->run, stream);
		print_samples(&result->run, point, repeat, i == 0, stream);
		fputs(LINE_END, stream);
	}
}

static void print_heading(const struct result_run *run, FILE *stream)
{
	char key[LISTS_KEY];
	enum figure figure;
	size_t i;

	fputs("users", stream);
	for (i = 0; i < run->axis_count; i++)
		print_text(lists_axis_key(&run->axes[i], key), stream);
	fputs(",repeat,scope,host,load,user,phase,operation,valid", stream);
	for (figure = 0; figure < FIGURES; figure++)
		print_text(figures[figure].name, stream);
	print_note_names(run, stream);
	print_sample_names(run, stream);
	fputs(LINE_END, stream);
}

int csv_write(const struct export *export, FILE *stream)
{
	const struct result *result = &export->results[0];
	size_t i, j;

	print_heading(&result->run, stream);
	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		print_records(result, point, 0, &point->records, result_is_valid(point), stream);
		for (j = 0; j < point->repeat_count; j++)
			print_records(result, point, j + 1, &point->repeats[j].records,
				      result_repeat_is_valid(&point->repeats[j]), stream);
	}
	return 0;
}
