/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/check.h"

#include "result/result.h"
#include "result/variant.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void check_facts(const struct json_cursor *facts, void *record)
{
	struct result_target *target = record;

	if (target->protection == NULL)
		target->protection = strdup("");
	if (target->protection == NULL)
		error_no_memory(facts->error);
}

/* Check that a run or a variant has either one load, or a list of `count` loads
 * with their weights. */
static void check_loadfiles(const struct json_cursor *parent, size_t count)
{
	struct json_cursor list = json_cursor_member(parent, "loadfiles");
	struct json_cursor one = json_cursor_member(parent, "loadfile");
	size_t i;

	if (list.value == NULL && one.value == NULL)
		json_cursor_refuse(&one, "an object");
	if (list.value == NULL)
		return;
	json_cursor_list(&list, 2, CHECK_LOADS_MAX);
	if (one.value != NULL)
		json_cursor_refuse(&one, "nothing, because there is a list \"loadfiles\"");
	for (i = 0; i < count; i++) {
		struct json_cursor load = json_cursor_element(&list, i);
		struct json_cursor weight = json_cursor_member(&load, "weight");

		json_cursor_count(&weight, 1, UINT_MAX);
	}
}

void check_run(const struct json_cursor *run, void *record)
{
	const struct result_run *read = record;

	check_loadfiles(run, read->loadfile_count);
	/* A file with axes but no variants would have no check_variants. */
	if (read->axis_count > 0 && read->variant_count == 0)
		json_cursor_refuse(run, "\"variants\"");
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
	struct result_run *run = record;
	size_t count = variant_count(run), i, j;
	bool twice = false;

	for (i = 0; i < run->axis_count; i++) {
		twice |= has_twice(run->axes[i].values, run->axes[i].value_count);
		for (j = 0; j < i; j++)
			twice |= strcmp(run->axes[i].name, run->axes[j].name) == 0;
	}
	if (twice || run->axis_count == 0 || run->variant_count != count) {
		json_cursor_refuse(variants, "one variant for each combination of the values in "
					     "\"sweep\", all different");
		return;
	}
	for (i = 0; i < count; i++) {
		struct json_cursor cursor = json_cursor_element(variants, i);
		struct json_cursor set = json_cursor_member(&cursor, "set");
		const struct result_variant *variant = &run->variants[i];
		bool same = variant->set_count == run->axis_count;

		for (j = 0; same && j < run->axis_count; j++) {
			const char *value = variant_set_value(variant->set, variant->set_count,
							      run->axes[j].name);

			same = value != NULL && strcmp(value, variant_value(run, i, j)) == 0;
		}
		if (!same)
			json_cursor_refuse(&set, "combination %zu of the values in \"sweep\"",
					   i + 1);
		check_loadfiles(&cursor, variant->loadfile_count);
		if (variant->loadfile_count != run->loadfile_count)
			json_cursor_refuse(&cursor, "as many loads as \"run\" has");
	}
}
