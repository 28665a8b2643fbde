/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "sweep/limits.h"

/* Return a result with valid points of 1, 2, 3 ... users and these rates:
 * FIGURE_MB_PER_S, or, of a load that moves no bytes, FIGURE_OPS_PER_S. */
static struct result result_of(enum figure figure, const double *rates, size_t count)
{
	static struct result_variant variant;
	struct result result = {
		.run = {.variants = &variant, .variant_count = 1},
		.points = calloc(count + 1, sizeof(struct result_point)),
		.point_count = count,
	};
	size_t i;

	for (i = 0; i < count; i++) {
		result.points[i].users = (unsigned)i + 1;
		SET(&result.points[i].records, TOTAL, {FIGURE_SECONDS, 1},
		    {FIGURE_BYTES, figure == FIGURE_MB_PER_S}, {FIGURE_MB_PER_S, 0},
		    {figure, rates[i]});
	}
	return result;
}

static void free_of(struct result *result, struct settings *settings)
{
	size_t i;

	for (i = 0; i < result->limit_count; i++) {
		free(result->limits[i].condition);
		free(result->limits[i].set);
	}
	for (i = 0; i < result->point_count; i++)
		records_free(&result->points[i].records);
	free(result->limits);
	free(result->points);
	settings_free(settings);
}

static void throughput_is_flat_after_three_points_without_a_gain(void **state)
{
	static const struct {
		double rates[8]; /* a 0 ends the list */
		bool flat;
	} rows[] = {
		{{100}, false},
		{{100, 100, 100}, false},
		{{100, 100, 100, 100}, true},
		{{100, 90, 80, 70}, true},
		{{100, 101.9, 101.9, 101.9}, true},
		{{100, 90, 90, 102.1}, false},
		{{100, 102.1, 90, 90}, false},
		{{100, 102.1, 90, 90, 90}, true},
		/* Slow but steady growth is not flat. */
		{{100, 101, 102, 103, 104, 105}, false},
		{{100, 200, 203, 201, 203}, true},
	};
	const struct settings settings = {.stop_when_flat = true};
	const struct settings never = {0};
	char text[CONDITION_TEXT];
	size_t i;

	for (i = 0; i < 2 * LENGTH(rows); i++) {
		const double *rates = rows[i / 2].rates;
		struct result result;
		struct settings none = {0};
		const char *reason;
		size_t count = 0;

		while (rates[count] > 0)
			count++;
		result = result_of(i % 2 == 0 ? FIGURE_MB_PER_S : FIGURE_OPS_PER_S, rates, count);
		reason = limits_stop(&settings, &result, text);
		if ((reason != NULL) != rows[i / 2].flat)
			fail_msg("row %zu", i / 2);
		if (reason != NULL)
			assert_string_equal(reason, "flat");
		assert_null(limits_stop(&never, &result, text));
		free_of(&result, &none);
	}
}

static void a_condition_at_any_point_is_enough(void **state)
{
	static const double mb_per_s[] = {10, 30, 20};
	const char *texts[] = {"p99>1s", "mb_per_s>=30", NULL};
	struct result result = result_of(FIGURE_MB_PER_S, mb_per_s, 3);
	struct settings settings = {0};
	struct error error = {0};
	char text[CONDITION_TEXT];

	assert_int_equal(settings_parse_conditions(texts, "--stop-when", &settings.stops,
						   &settings.stop_count, &settings.stop_when_flat,
						   &error),
			 0);
	assert_int_equal(settings.stop_count, 2);
	assert_string_equal(limits_stop(&settings, &result, text), "mb_per_s >= 30 MB/s");
	result.point_count = 1;
	assert_null(limits_stop(&settings, &result, text));
	result.point_count = 3;
	free_of(&result, &settings);
}

static void a_limit_holds_up_to_the_first_gap(void **state)
{
	static const double mb_per_s[] = {50, 40, 10, 40};
	const char *texts[] = {"mb_per_s>20", "mb_per_s>5", "mb_per_s>60", NULL};
	static const unsigned users[] = {2, 4, 0};
	struct result result = result_of(FIGURE_MB_PER_S, mb_per_s, 4);
	struct settings settings = {0};
	struct error error = {0};
	size_t i;

	assert_int_equal(settings_parse_conditions(texts, "--limit", &settings.limits,
						   &settings.limit_count, NULL, &error),
			 0);
	/* A sweep calls limits_find after each repeat, so a second call must
	 * not add the limits again. */
	assert_int_equal(limits_find(&settings, &result), 0);
	assert_int_equal(limits_find(&settings, &result), 0);
	assert_int_equal(result.limit_count, 3);
	for (i = 0; i < 3; i++)
		assert_int_equal(result.limits[i].users, users[i]);
	assert_string_equal(result.limits[0].condition, "mb_per_s > 20 MB/s");
	free_of(&result, &settings);
}

static void only_stop_conditions_may_be_flat(void **state)
{
	const char *texts[] = {"flat", NULL};
	struct settings settings = {0};
	struct error error = {0};

	assert_int_equal(settings_parse_conditions(texts, "--stop-when", &settings.stops,
						   &settings.stop_count, &settings.stop_when_flat,
						   &error),
			 0);
	assert_true(settings.stop_when_flat);
	assert_int_equal(settings.stop_count, 0);
	assert_true(settings_parse_conditions(texts, "--limit", &settings.limits,
					      &settings.limit_count, NULL, &error) < 0);
	assert_true(error.set);
	settings_free(&settings);
}

int unit_limits(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(throughput_is_flat_after_three_points_without_a_gain),
		cmocka_unit_test(a_condition_at_any_point_is_enough),
		cmocka_unit_test(a_limit_holds_up_to_the_first_gap),
		cmocka_unit_test(only_stop_conditions_may_be_flat),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
