/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/check.h"

#include "result/result.h"
#include "result/variant.h"

#include <limits.h>
#include <string.h>

void check_facts(const struct json_cursor *facts, void *record)
{
	struct result_target *target = record;

	if (target->protection == NULL)
		target->protection = strdup("");
	if (target->protection == NULL)
		error_no_memory(facts->error);
}

/* Check that the loads have a weight if there are several, and none if there is
 * only one. */
static void check_weights(const struct json_cursor *variant, size_t count)
{
	struct json_cursor loads = json_cursor_member(variant, "loads");
	size_t i;

	for (i = 0; i < count; i++) {
		struct json_cursor load = json_cursor_element(&loads, i);
		struct json_cursor weight = json_cursor_member(&load, "weight");

		if (count > 1)
			json_cursor_count(&weight, 1, UINT_MAX);
		else if (weight.value != NULL)
			json_cursor_refuse(&weight, "no weight, because there is only one load");
	}
}

/* Check if a list of texts has one twice. */
static bool has_twice(char *const *texts, size_t count)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++)
			if (strcmp(texts[i], texts[j]) == 0)
				return true;
	return false;
}

void check_variants(const struct json_cursor *variants, void *record)
{
	struct result_run *run = &((struct result *)record)->run;
	size_t count = variant_count(run), i, j;
	bool twice = false;

	/* Without this many variants the other checks could take forever. */
	for (i = 0; i < run->axis_count && run->variant_count == count; i++) {
		twice |= has_twice(run->axes[i].values, run->axes[i].value_count);
		for (j = 0; j < i; j++)
			twice |= strcmp(run->axes[i].name, run->axes[j].name) == 0;
	}
	if (twice || run->variant_count != count) {
		json_cursor_refuse(variants, "one variant for each combination of the values in "
					     "\"sweep\", all different");
		return;
	}
	for (i = 0; i < count; i++) {
		struct json_cursor cursor = json_cursor_element(variants, i);
		struct json_cursor set = json_cursor_member(&cursor, "set");
		struct result_variant *variant = &run->variants[i];
		bool same = variant->set_count == run->axis_count;

		for (j = 0; same && j < run->axis_count; j++) {
			const char *value = variant_set_value(variant->set, variant->set_count,
							      run->axes[j].name);

			same = value != NULL && strcmp(value, variant_value(run, i, j)) == 0;
		}
		if (!same)
			json_cursor_refuse(&set, "combination %zu of the values in \"sweep\"",
					   i + 1);
		variant_order_set(run, variant->set, variant->set_count);
		check_weights(&cursor, variant->load_count);
		if (variant->load_count != run->variants[0].load_count)
			json_cursor_refuse(&cursor,
					   "the same number of loads as in the first variant");
	}
	if (variant_make_numbers(run) < 0)
		error_no_memory(variants->error);
}

void check_samples(const struct json_cursor *samples, void *record)
{
	const struct result_run *run = record;
	size_t i;

	for (i = 0; i < run->sample_count; i++)
		if (result_find_sample(run, run->samples[i].name) != i)
			json_cursor_refuse(samples, "commands with different names");
}

void check_hosts(const struct json_cursor *hosts, void *record)
{
	const struct result_run *run = record;
	size_t i;

	for (i = 0; i < run->host_count; i++)
		if (run->hosts[i].name[0] == '\0' ||
		    result_find_host(run, run->hosts[i].name) != &run->hosts[i])
			json_cursor_refuse(hosts, "hosts with different names");
}

void check_limits(const struct json_cursor *limits, void *record)
{
	struct result *result = record;
	size_t i;

	(void)limits;
	for (i = 0; i < result->limit_count; i++)
		variant_order_set(&result->run, result->limits[i].set, result->limits[i].set_count);
}
