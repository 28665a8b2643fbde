/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the sections of one result.
 */
#include "doc.h"
#include "records.h"

#include "report/points.h"
#include "report/sections.h"
#include "stats/summary.h"

/* Add a repeat of one second; without data it is invalid. */
static void measure(struct result *result, size_t variant, unsigned users, double megabytes)
{
	const struct notice notice = {.kind = NOTICE_NO_OPERATION};
	struct result_repeat *repeat;

	make_variant(result);
	repeat = result_add_repeat(result, variant, users);
	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1}, {FIGURE_P50_MS, 1});
	SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 50},
	    {FIGURE_BYTES, 1e6 * megabytes}, {FIGURE_TIME_S, 0.25});
	SET(&repeat->records, KEY(.operation = "Stat"), {FIGURE_OPS, 50}, {FIGURE_TIME_S, 0.75});
	if (megabytes == 0)
		notice_add(&repeat->invalid, &notice);
	assert_int_equal(summary_repeat(result, repeat), 0);
}

static void points_have_a_row_each(void **state)
{
	struct result result = {0};
	struct doc *doc = doc_new();

	measure(&result, 0, 1, 20);
	measure(&result, 0, 1, 40);
	measure(&result, 0, 2, 0);
	section_points(doc, &result);
	expect_markdown(doc,
			"## Points\n\n| users | MB/s | ops/s | p50 | p95 | p99 | max | mismatches "
			"| CPU |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n| **1** | "
			"**30.00** | **100** | **1.00 ms** | **-** | **-** | **-** | **0** | **-** "
			"|\n| 2 | invalid: no operation completed in the measured time; increase "
			"--time (100 operations and 0 B were counted) | | | | | | | |\n");
	doc_free(doc);
	doc = doc_new();
	points_repeats(doc, &result, 0, result.point_count);
	expect_text(doc, "users     MB/s    ops/s     p50     p95     p99     max mismatches  "
			 "CPU\n    1    20.00      100 1.00 ms    -       -       -             0  "
			 "  -\n    1    40.00      100 1.00 ms    -       -       -             0  "
			 "  -\n    2 invalid: no operation completed in the measured time; "
			 "increase --time (100 operations and 0 B were counted)\n");
	doc_free(doc);
	result_free(&result);
}

/* The tables of several points are one section. */
static void operations_are_sorted_by_time(void **state)
{
	struct result result = {0};
	struct doc *doc = doc_new();

	measure(&result, 0, 1, 20);
	measure(&result, 0, 2, 40);
	section_operations(doc, false, &result.points[0].records);
	section_operations(doc, true, &result.points[1].records);
	expect_markdown(doc,
			"## Operations\n\n"
			"| operation | count | time | ops/s | MB/s | mean | p50 | p99 | max |\n"
			"|:---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
			"| Stat | 50 | 75% | 50.0 | - | - | - | - | - |\n"
			"| Read | 50 | 25% | 50.0 | 20.00 | - | - | - | - |\n\n"
			"| operation | count | time | ops/s | MB/s | response mean | p50 | p99 "
			"| max |\n"
			"|:---|---:|---:|---:|---:|---:|---:|---:|---:|\n"
			"| Stat | 50 | 75% | 50.0 | - | - | - | - | - |\n"
			"| Read | 50 | 25% | 50.0 | 40.00 | - | - | - | - |\n");
	doc_free(doc);
	result_free(&result);
}

static void targets_have_short_names(void **state)
{
	char *values[] = {"/mnt/ssd", "smb://u@srv/x?version=3"};
	struct result_axis axis = {.name = "target", .values = values, .value_count = 2};
	struct result result = {.run = {.axes = &axis, .axis_count = 1}};
	struct doc *doc = doc_new();

	assert_int_equal(variant_make_all(&result.run), 0);
	measure(&result, 0, 1, 20);
	measure(&result, 1, 1, 30);
	section_gains(doc, &result);
	section_conclusions(doc, &result);
	expect_text(doc, "users target  MB/s change\n"
			 "    1 ssd    20.00      -\n"
			 "    1 srv/x  30.00 +50.0%\n"
			 "\n"
			 "measured peak 30.00 MB/s at 1 user, target=smb://u@srv/x?version=3\n");
	doc_free(doc);
	result.run.axes = NULL;
	result.run.axis_count = 0;
	result_free(&result);
}

int unit_sections(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(points_have_a_row_each),
		cmocka_unit_test(operations_are_sorted_by_time),
		cmocka_unit_test(targets_have_short_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
