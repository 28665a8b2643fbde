/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "records.h"

#include "result/combine.h"
#include "result/variant.h"
#include "stats/summary.h"

static char *sizes[] = {"4Ki", "64Ki", "1Mi"}, *modes[] = {"no", "yes"};
static struct result_axis axes[] = {
	{.name = "bs", .values = sizes, .value_count = 3},
	{.name = "sync", .values = modes, .value_count = 2},
};

/* Make the variants of both axes. Free them with drop. */
static struct result made(void)
{
	struct result result = {
		.run = {.axes = axes, .axis_count = LENGTH(axes), .cpus = 1},
	};
	size_t i;

	assert_int_equal(variant_make_all(&result.run), 0);
	for (i = 0; i < result.run.variant_count; i++) {
		result.run.variants[i].loads = calloc(1, sizeof(struct result_load));
		assert_non_null(result.run.variants[i].loads);
		result.run.variants[i].load_count = 1;
	}
	return result;
}

static void drop(struct result *result)
{
	size_t i;

	for (i = 0; i < LENGTH(axes); i++)
		free(axes[i].numbers);
	result->run.axes = NULL;
	result->run.axis_count = 0;
	result_free(result);
}

static void the_last_axis_changes_first(void **state)
{
	static const char *const wanted[] = {
		"bs=4Ki, sync=no",   "bs=4Ki, sync=yes", "bs=64Ki, sync=no",
		"bs=64Ki, sync=yes", "bs=1Mi, sync=no",  "bs=1Mi, sync=yes",
	};
	struct result result = made();
	char text[VARIANT_TEXT];
	size_t i;

	assert_int_equal(result.run.variant_count, LENGTH(wanted));
	for (i = 0; i < LENGTH(wanted); i++) {
		struct result_variant *variant = &result.run.variants[i];

		assert_string_equal(variant_print(variant->set, variant->set_count, text),
				    wanted[i]);
		assert_int_equal(variant_find(&result.run, variant->set, variant->set_count), i);
	}
	drop(&result);
}

static void a_set_is_the_same_in_any_order(void **state)
{
	char *one[] = {"bs", "4Ki", "sync", "no"};
	char *turned[] = {"sync", "no", "bs", "4Ki"};
	char *other[] = {"bs", "4Ki", "sync", "yes"};

	assert_true(variant_same_set(one, 2, turned, 2));
	assert_false(variant_same_set(one, 2, other, 2));
	assert_false(variant_same_set(one, 2, one, 1));
	assert_false(variant_same_set(one, 1, one, 2));
	assert_true(variant_same_set(NULL, 0, NULL, 0));
}

static void without_axes_there_is_one_variant(void **state)
{
	struct result result = {.run = {.cpus = 7}};
	char *set[] = {"bs", "4Ki"};

	assert_int_equal(variant_count(&result.run), 1);
	assert_int_equal(variant_make_all(&result.run), 0);
	assert_int_equal(result.run.variant_count, 1);
	assert_int_equal(result.run.variants[0].set_count, 0);
	assert_int_equal(variant_find(&result.run, NULL, 0), 0);
	assert_int_equal(variant_find(&result.run, set, 1), SIZE_MAX);
	assert_int_equal(variant_result(&result, 0).run.cpus, 7);
	result_free(&result);
}

static void more_variants_than_allowed_are_not_counted(void **state)
{
	char *values[200];
	struct result_axis many[] = {
		{.values = values, .value_count = LENGTH(values)},
		{.values = values, .value_count = 5},
		{.values = values, .value_count = 2},
	};
	struct result_run run = {.axes = many, .axis_count = 2};

	assert_int_equal(variant_count(&run), VARIANTS_MAX);
	run.axis_count = 3;
	assert_int_equal(variant_count(&run), SIZE_MAX);
}

static void measure(struct result *result, size_t variant, unsigned users, double mb_per_s)
{
	struct result_repeat *repeat = result_add_repeat(result, variant, users);

	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1});
	SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 1},
	    {FIGURE_BYTES, 1e6 * mb_per_s});
}

/* Points are sorted by variant and users. A gain is never relative to a point
 * of another variant. */
static void points_belong_to_their_variants(void **state)
{
	static const struct {
		size_t variant;
		unsigned users;
		double gain;
	} wanted[] = {{0, 1, NAN}, {0, 4, 1.0}, {5, 1, NAN}, {5, 4, 0.5}};
	struct result result = made(), part;
	char text[VARIANT_TEXT];
	size_t i;

	measure(&result, 5, 4, 30);
	measure(&result, 0, 4, 20);
	measure(&result, 5, 1, 20);
	measure(&result, 0, 1, 10);
	measure(&result, 5, 4, 30);
	assert_int_equal(summary_update(&result), 0);
	assert_int_equal(result.point_count, LENGTH(wanted));
	for (i = 0; i < LENGTH(wanted); i++) {
		assert_int_equal(result.points[i].variant, wanted[i].variant);
		assert_int_equal(result.points[i].users, wanted[i].users);
		expect_near(combine_gain(&result, &result.points[i]), wanted[i].gain, 1e-9);
	}
	assert_int_equal(result.peak, 3);
	assert_int_equal(result.points[3].repeat_count, 2);
	assert_string_equal(variant_print_point(&result.points[2], text),
			    "1 user, bs=1Mi, sync=yes");
	part = variant_result(&result, 5);
	assert_ptr_equal(part.points, &result.points[2]);
	assert_int_equal(part.point_count, 2);
	assert_ptr_equal(part.run.variants, &result.run.variants[5]);
	assert_int_equal(part.run.variant_count, 1);
	assert_int_equal(variant_result(&result, 1).point_count, 0);
	drop(&result);
}

/* A copy of the targets shares no memory with them, and replaces a description. */
static void a_description_of_targets_is_copied(void **state)
{
	struct result result = made();
	struct result_variant *from = &result.run.variants[0], *to = &result.run.variants[5];

	from->targets = calloc(2, sizeof(*from->targets));
	from->unsupported = calloc(1, sizeof(*from->unsupported));
	assert_non_null(from->targets);
	assert_non_null(from->unsupported);
	from->target_count = 2;
	from->unsupported_count = 1;
	from->targets[1].url = strdup("null:");
	from->targets[1].directory = strdup("there");
	from->targets[1].remote = true;
	from->unsupported[0].load = strdup("b");
	assert_int_equal(variant_copy_targets(to, from), 0);
	assert_int_equal(variant_copy_targets(to, from), 0);
	assert_int_equal(to->target_count, 2);
	assert_string_equal(to->targets[1].url, "null:");
	assert_string_equal(to->targets[1].directory, "there");
	assert_true(to->targets[1].remote);
	assert_null(to->targets[0].url);
	assert_string_equal(to->unsupported[0].load, "b");
	variant_forget_targets(to);
	assert_null(to->targets);
	assert_int_equal(to->unsupported_count, 0);
	assert_string_equal(from->targets[1].url, "null:");
	drop(&result);
}

int unit_variant(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_axis_changes_first),
		cmocka_unit_test(a_set_is_the_same_in_any_order),
		cmocka_unit_test(without_axes_there_is_one_variant),
		cmocka_unit_test(more_variants_than_allowed_are_not_counted),
		cmocka_unit_test(points_belong_to_their_variants),
		cmocka_unit_test(a_description_of_targets_is_copied),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
