/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result in the text format of Prometheus, as the textfile collector of
 * node_exporter reads it: gauges without time stamps. Names have base units, by
 * the rules of prometheus.io/docs/practices/naming.
 */
#include "export/formats.h"
#include "export/values.h"
#include "doc/escape.h"
#include "result/variant.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The end of a figure's name, the one that its gauge has instead, and what its
 * values are multiplied by. */
static const struct form {
	const char *ending, *instead;
	double factor;
} forms[] = {
	[FORM_COUNT] = {"", "", 1},
	[FORM_BYTES] = {"", "", 1},
	[FORM_MB_PER_S] = {"mb_per_s", "bytes_per_second", 1e6},
	[FORM_PER_S] = {"_per_s", "_per_second", 1},
	[FORM_S] = {"_s", "_seconds", 1},
	[FORM_MS] = {"_ms", "_seconds", 1e-3},
	[FORM_US] = {"_us", "_seconds", 1e-6},
	[FORM_SHARE] = {"_share", "_ratio", 1},
	[FORM_MEAN] = {"", "", 1},
};

/* Names that end like those of other types of metrics. */
static const struct form reserved = {"_count", "_counted", 1};

/* Buffer size for the name of a gauge. */
enum { GAUGE_TEXT = 64 };

/* Print the name of a figure's gauge. Return `text`. */
static char *gauge_name(enum figure figure, char text[GAUGE_TEXT])
{
	const struct form *form = &forms[figures[figure].form];
	const char *name = figures[figure].name;
	size_t length = strlen(name), ending;

	if (form->ending[0] == '\0')
		form = &reserved;
	ending = strlen(form->ending);
	if (length < ending || strcmp(name + length - ending, form->ending) != 0)
		ending = 0;
	snprintf(text, GAUGE_TEXT, "throng_%.*s%s", (int)(length - ending), name,
		 ending > 0 ? form->instead : "");
	return text;
}

static void print_label(const char *name, const char *value, FILE *stream)
{
	if (value == NULL || value[0] == '\0')
		return;
	fprintf(stream, ",%s=", name);
	escape_label(value, stream);
}

/* Return a character of an axis' name as the name of a label has it. */
static char in_label(char byte)
{
	return isascii(byte) && isalnum((unsigned char)byte) ? byte : '_';
}

/* Check if the names of two axes are equal in labels. */
static bool same_label(const char *one, const char *other)
{
	while (*one != '\0' && *other != '\0' && in_label(*one) == in_label(*other)) {
		one++;
		other++;
	}
	return *one == '\0' && *other == '\0';
}

/* Check if the label of an axis needs a number to differ from all others. Labels
 * without a number have no two underscores together. */
static bool needs_number(const struct result_run *run, size_t axis)
{
	const char *name = run->axes[axis].name;
	size_t i;

	for (i = 0; name[i] != '\0'; i++)
		if (in_label(name[i]) == '_' && name[i + 1] != '\0' && in_label(name[i + 1]) == '_')
			return true;
	for (i = 0; i < run->axis_count; i++)
		if (i != axis && same_label(name, run->axes[i].name))
			return true;
	return false;
}

/* Print the label of an axis: set_NAME, or set_NAME__NUMBER. A character that a
 * label's name cannot have becomes an underscore. */
static void print_axis(const struct result_run *run, size_t variant, size_t axis, FILE *stream)
{
	const char *at;

	fputs(",set_", stream);
	for (at = run->axes[axis].name; *at != '\0'; at++)
		fputc(in_label(*at), stream);
	if (needs_number(run, axis))
		fprintf(stream, "__%zu", axis + 1);
	fputc('=', stream);
	escape_label(variant_value(run, variant, axis), stream);
}

/* Print a sample: the gauge, its labels and its value. `key` may be NULL. */
static void print_sample(const struct result_run *run, const char *gauge, unsigned users,
			 size_t variant, const struct record_key *key, double value, FILE *stream)
{
	size_t i;

	fprintf(stream, "%s{users=\"%u\"", gauge, users);
	for (i = 0; i < run->axis_count; i++)
		print_axis(run, variant, i, stream);
	if (key != NULL) {
		print_label("host", key->host, stream);
		print_label("load", key->load, stream);
		print_label("phase", key->phase, stream);
		print_label("operation", key->operation, stream);
	}
	print_label("label", run->label, stream);
	fprintf(stream, "} %.15g\n", value);
}

/* Print the samples of a figure, after the lines that describe it. */
static void print_figure(const struct result_run *run, const struct values *values,
			 enum figure figure, FILE *stream)
{
	char gauge[GAUGE_TEXT];
	bool described = false;
	size_t i;

	gauge_name(figure, gauge);
	for (i = 0; i < values->count; i++) {
		const struct value *value = &values->list[i];

		if (value->figure != figure)
			continue;
		if (!described)
			fprintf(stream,
				"# HELP %s The figure %s, in base units.\n# TYPE %s gauge\n", gauge,
				figures[figure].name, gauge);
		described = true;
		print_sample(run, gauge, value->point->users, value->point->variant,
			     &value->record->key, value->value * forms[figures[figure].form].factor,
			     stream);
	}
}

/* Print the gauges of the running second. */
static void print_second(const struct result_run *run, const struct export_second *second,
			 FILE *stream)
{
	const struct {
		const char *gauge, *help;
		double value;
	} gauges[] = {
		{"throng_running_bytes_per_second", "Throughput in the last second.",
		 second->bytes_per_s},
		{"throng_running_ops_per_second", "Operations in the last second.",
		 second->ops_per_s},
		{"throng_running_p99_seconds", "The p99 of latencies in the last second.",
		 second->p99_s},
	};
	size_t i;

	for (i = 0; i < sizeof(gauges) / sizeof(gauges[0]); i++) {
		if (isnan(gauges[i].value))
			continue;
		fprintf(stream, "# HELP %s %s\n# TYPE %s gauge\n", gauges[i].gauge, gauges[i].help,
			gauges[i].gauge);
		print_sample(run, gauges[i].gauge, second->users, second->variant, NULL,
			     gauges[i].value, stream);
	}
}

int prometheus_write(const struct export *export, FILE *stream)
{
	const struct result *result = &export->results[0];
	struct values values;
	int rc = values_find(export, result, &values);
	enum figure figure;

	for (figure = 0; rc == 0 && figure < FIGURES; figure++)
		print_figure(&result->run, &values, figure, stream);
	values_free(&values);
	if (rc == 0 && export->second != NULL)
		print_second(&result->run, export->second, stream);
	return rc;
}
