/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result in the Bencher Metric Format, JSON that `bencher run --adapter json`
 * reads: an object of benchmarks, each an object of measures. See
 * bencher.dev/docs/reference/bencher-metric-format.
 */
#include "export/formats.h"
#include "export/values.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>

/* Return the benchmark with this name, which is created if it is missing. */
static json_t *benchmark(json_t *all, const char *name)
{
	json_t *found = json_object_get(all, name);

	if (found != NULL)
		return found;
	json_object_set_new(all, name, json_object());
	return json_object_get(all, name);
}

static int add(json_t *all, const struct value *value)
{
	json_t *measure = json_pack("{s:f}", "value", value->value);

	if (!isnan(value->low)) {
		json_object_set_new(measure, "lower_value", json_real(value->low));
		json_object_set_new(measure, "upper_value", json_real(value->high));
	}
	return json_object_set_new(benchmark(all, value->name), figures[value->figure].name,
				   measure);
}

int bencher_write(const struct export *export, FILE *stream)
{
	json_t *all = json_object();
	struct values values;
	int rc = values_find(export, &export->results[0], &values);
	size_t i;

	for (i = 0; rc == 0 && i < values.count; i++)
		rc = add(all, &values.list[i]) < 0 ? -ENOMEM : 0;
	values_free(&values);
	if (rc == 0)
		return values_write_json(all, stream);
	json_decref(all);
	return rc;
}
