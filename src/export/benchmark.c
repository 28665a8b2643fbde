/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result for github-action-benchmark, as its tools customBiggerIsBetter and
 * customSmallerIsBetter read it: a list of benchmarks, which all must have the
 * same direction.
 */
#include "export/formats.h"
#include "export/values.h"
#include "doc/escape.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

/* Return a text as JSON, and free it. Return NULL if it is NULL. */
static json_t *take_text(char *text)
{
	json_t *string = json_string(text);

	free(text);
	return string;
}

static char *name_of(const struct value *value)
{
	char *text;

	return asprintf(&text, "%s/%s", value->name, figures[value->figure].name) < 0 ? NULL : text;
}

static char *range_of(const struct value *value)
{
	char *text;

	return asprintf(&text, "%.6g to %.6g", value->low, value->high) < 0 ? NULL : text;
}

/* Return the targets and the version, which a chart shows with a value. */
static char *extra_of(const struct result_run *run, const struct value *value)
{
	const struct result_variant *variant = &run->variants[value->point->variant];
	char *text = NULL;
	size_t length, i;
	FILE *stream = open_memstream(&text, &length);

	if (stream == NULL)
		return NULL;
	for (i = 0; i < variant->target_count; i++) {
		escape_benchmark(variant->targets[i].url, stream);
		fputs(", ", stream);
	}
	fputs("throng ", stream);
	escape_benchmark(run->version, stream);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

static int add(json_t *all, const struct result_run *run, const struct value *value)
{
	json_t *benchmark = json_pack("{s:o, s:s, s:f, s:o}", "name", take_text(name_of(value)),
				      "unit", figure_unit(value->figure), "value", value->value,
				      "extra", take_text(extra_of(run, value)));

	if (!isnan(value->low))
		json_object_set_new(benchmark, "range", take_text(range_of(value)));
	return json_array_append_new(all, benchmark) < 0 ? -ENOMEM : 0;
}

static int write_those(const struct export *export, bool bigger, FILE *stream)
{
	const struct result *result = &export->results[0];
	json_t *all = json_array();
	struct values values;
	int rc = values_find(export, result, &values);
	size_t i;

	for (i = 0; rc == 0 && i < values.count; i++)
		if (figures[values.list[i].figure].more_is_better == bigger)
			rc = add(all, &result->run, &values.list[i]);
	values_free(&values);
	if (rc == 0)
		return values_write_json(all, stream);
	json_decref(all);
	return rc;
}

int benchmark_write_bigger(const struct export *export, FILE *stream)
{
	return write_those(export, true, stream);
}

int benchmark_write_smaller(const struct export *export, FILE *stream)
{
	return write_those(export, false, stream);
}
