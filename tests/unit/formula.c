/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "compile/tables.h"
#include "compile/expression.h"

#include <inttypes.h>

/* An expression, and the range and value that it must have; $i is 0 to 9 and
 * has the value 7, $user is 3. */
static void expressions_have_values_and_ranges(void **state)
{
	static const struct {
		const char *text;
		uint64_t min, max, value;
	} rows[] = {
		{"42", 42, 42, 42},
		{"4Ki", 4096, 4096, 4096},
		{"2k", 2000, 2000, 2000},
		{"1MiB", 1048576, 1048576, 1048576},
		{"3G", 3000000000, 3000000000, 3000000000},
		{"5ms", 5000, 5000, 5000},
		{"2s", 2000000, 2000000, 2000000},
		{"7us", 7, 7, 7},
		{"0x10", 16, 16, 16},
		{"1+2*3", 7, 7, 7},
		{"(1+2)*3", 9, 9, 9},
		{"10-3-2", 5, 5, 5},
		{"100/7/2", 7, 7, 7},
		{"100%7*2", 4, 4, 4},
		{"3-5", 0, 0, 0},
		{"$i", 0, 9, 7},
		{"${i}", 0, 9, 7},
		{"$i*10+$user", 0, 90 + PROGRAM_USERS_MAX - 1, 73},
		{"10-$i", 1, 10, 3},
		{"$i-2", 0, 7, 5},
		{"100/($i+1)", 10, 100, 12},
		{"$i%4", 0, 3, 3},
		{"$i%100", 0, 9, 7},
		{"random(5,6)", 5, 5, 5},
		{"random(4Ki,8Ki,4Ki)", 4096, 4096, 4096},
		{"random($i,11,2)", 0, 9, 0},
		{"zipf(1,0.9)", 0, 0, 0},
		{"shuffle(1)", 0, 0, 0},
		{"exp(0)", 0, 0, 0},
		{"min(3,2)", 2, 2, 2},
		{"max(3,2)", 3, 3, 3},
		{"min($i,5)", 0, 5, 5},
		{"max($i,5)", 5, 9, 7},
		{"100/max($i,1)%min($i+1,4)", 0, 3, 2},
		/* As deep as the stack */
		{"1+(1+(1+(1+(1+(1+(1+exp(0)))))))", 7, 7, 7},
	};
	struct builder *builder = builder_new("source", "native");
	const struct formula_range digits = {0, 9, 4.5};
	struct error error = {0};
	struct formula_inputs inputs = {0};
	uint64_t variables[PROGRAM_VARIABLES_MAX] = {[VARIABLE_USER] = 3};
	uint32_t number;
	size_t i;

	assert_int_equal(builder_declare(builder, "i", false, &digits, 1, &number, &error), 0);
	variables[number] = 7;
	random_start(&inputs.random, 1, 1);
	inputs.variables = variables;
	for (i = 0; i < LENGTH(rows); i++) {
		const struct program *program = builder_tables(builder)->program;
		struct formula formula;
		uint64_t value;

		if (expression_parse(builder, rows[i].text, &formula, &error) < 0)
			fail_msg("%s: %s", rows[i].text, error.text);
		inputs.zipfs = program->zipfs;
		inputs.shuffles = program->shuffles;
		value = formula_compute(&formula, &inputs);
		if (formula.range.min != rows[i].min || formula.range.max != rows[i].max)
			fail_msg("%s: %" PRIu64 " to %" PRIu64, rows[i].text, formula.range.min,
				 formula.range.max);
		/* The first number is the lowest of what is drawn. */
		if (strstr(rows[i].text, "random($i") == NULL && value != rows[i].value)
			fail_msg("%s: %" PRIu64, rows[i].text, value);
	}
	builder_free(builder);
}

/* All values of a draw are in its range, and both ends are drawn. */
static void draws_reach_both_ends_of_their_range(void **state)
{
	static const char *const texts[] = {
		"random(3,12)",       "random(0,64,8)",
		"random($i,$i+5)",    "zipf(6,0.9)",
		"min(random(0,9),4)", "max(random(0,9),4)",
		"shuffle(10)",        "random(0,3)*10+shuffle(3)",
	};
	struct builder *builder = builder_new("source", "native");
	struct formula_inputs inputs = {0};
	uint64_t variables[PROGRAM_VARIABLES_MAX] = {0};
	const struct formula_range five = formula_fixed(5);
	struct error error = {0};
	uint32_t number;
	size_t i, draw;

	assert_int_equal(builder_declare(builder, "i", false, &five, 1, &number, &error), 0);
	variables[number] = 5;
	random_start(&inputs.random, 1, 1);
	inputs.variables = variables;
	for (i = 0; i < LENGTH(texts); i++) {
		uint64_t min = UINT64_MAX, max = 0;
		struct formula formula;

		assert_int_equal(expression_parse(builder, texts[i], &formula, &error), 0);
		inputs.zipfs = builder_tables(builder)->program->zipfs;
		inputs.shuffles = builder_tables(builder)->program->shuffles;
		for (draw = 0; draw < 1000; draw++) {
			uint64_t value = formula_compute(&formula, &inputs);

			min = value < min ? value : min;
			max = value > max ? value : max;
		}
		if (min != formula.range.min || max != formula.range.max)
			fail_msg("%s: %" PRIu64 " to %" PRIu64, texts[i], min, max);
	}
	builder_free(builder);
}

/* The mean of many draws is that of the range; $d is drawn from 0 to 9. */
static void ranges_have_the_mean_of_their_draws(void **state)
{
	static const char *const texts[] = {
		"random(3,12)",
		"random(0,64,8)",
		"random(0,60,8)",
		"random(100,200)*4Ki",
		"exp(5000)",
		"exp(5000)+1000",
		"zipf(1,0.9)",
		"zipf(6,0.9)",
		"zipf(1000,0)",
		"zipf(1000,1.2)",
		"zipf(1Mi,0.9)",
		"zipf(100,2)",
		"zipf(256Gi,0.5)",
		"shuffle(10)",
		"random(0,3)*1000+shuffle(100)",
		"$d*1000",
		"9000-$d*1000",
		"$d*1000/8",
		"$d%100*1000",
		"random(0,100000)%1000",
		"random(0,$d*1000+50000)",
		"7*exp(1000)/2",
	};
	struct builder *builder = builder_new("source", "native");
	const struct formula_range digits = {0, 9, 4.5};
	struct formula_inputs inputs = {0};
	uint64_t variables[PROGRAM_VARIABLES_MAX] = {0};
	enum { DRAWS = 200000 };
	struct error error = {0};
	uint32_t number;
	size_t i, draw;

	assert_int_equal(builder_declare(builder, "d", false, &digits, 1, &number, &error), 0);
	random_start(&inputs.random, 1, 1);
	inputs.variables = variables;
	for (i = 0; i < LENGTH(texts); i++) {
		struct formula formula;
		double sum = 0, mean;

		assert_int_equal(expression_parse(builder, texts[i], &formula, &error), 0);
		inputs.zipfs = builder_tables(builder)->program->zipfs;
		inputs.shuffles = builder_tables(builder)->program->shuffles;
		for (draw = 0; draw < DRAWS; draw++) {
			variables[number] = draw_below(&inputs.random, 10);
			sum += (double)formula_compute(&formula, &inputs);
		}
		mean = sum / DRAWS;
		if (fabs(formula.range.mean - mean) > 0.02 * mean)
			fail_msg("%s: %g instead of %g", texts[i], formula.range.mean, mean);
	}
	builder_free(builder);
}

int unit_formula(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_have_values_and_ranges),
		cmocka_unit_test(draws_reach_both_ends_of_their_range),
		cmocka_unit_test(ranges_have_the_mean_of_their_draws),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
