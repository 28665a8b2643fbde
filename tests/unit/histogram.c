/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "base/histogram.h"
#include "base/random.h"

#define RANGE_NS (UINT64_C(1) << HISTOGRAM_RANGE_BITS)
#define HOUR_NS (3600 * NS_PER_S)

static void *zeroed(size_t bytes)
{
	void *memory = calloc(1, bytes);

	assert_non_null(memory);
	return memory;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static double distance(uint64_t a, uint64_t b)
{
	return a > b ? (double)(a - b) : (double)(b - a);
}

/* Return a random duration from 100 ns to an hour, in which all powers of two
 * are equally likely. */
static uint64_t spread_duration(struct random *random)
{
	uint64_t duration_ns;

	do {
		unsigned bits = 6 + (unsigned)(random_next(random) % 36);

		duration_ns = (UINT64_C(1) << bits) + random_next(random) % (UINT64_C(1) << bits);
	} while (duration_ns < 100 || duration_ns > HOUR_NS);
	return duration_ns;
}

static void every_duration_lies_within_one_percent_of_its_cell(void **state)
{
	struct histogram_total *total = zeroed(sizeof(*total));
	uint64_t duration_ns;

	for (duration_ns = 0; duration_ns < RANGE_NS; duration_ns += duration_ns / 1000 + 1) {
		unsigned cell = histogram_cell(duration_ns);
		uint64_t told_ns;

		assert_in_range(cell, 0, HISTOGRAM_CELLS - 1);
		assert_true(histogram_from_ns(cell) <= duration_ns);
		assert_int_equal(histogram_cell(histogram_from_ns(cell)), cell);
		assert_true(cell == 0 || histogram_cell(histogram_from_ns(cell) - 1) == cell - 1);
		total->cells[cell] = 1;
		told_ns = histogram_quantile(total, 1, 0, UINT64_MAX);
		total->cells[cell] = 0;
		if (distance(told_ns, duration_ns) >
		    (duration_ns < 128 ? 0.0 : 0.01 * (double)duration_ns))
			fail_msg("%ju ns became %ju", (uintmax_t)duration_ns, (uintmax_t)told_ns);
	}
	assert_int_equal(histogram_cell(RANGE_NS - 1), HISTOGRAM_CELLS - 1);
	free(total);
}

static void quantiles_are_within_one_percent_of_the_exact_ones(void **state)
{
	static const unsigned permille[] = {0, 1, 100, 500, 900, 950, 990, 999, 1000};
	enum { SAMPLES = 50000 };
	struct histogram *part = zeroed(sizeof(*part));
	struct histogram_total *total = zeroed(sizeof(*total));
	uint64_t *samples = zeroed(SAMPLES * sizeof(*samples));
	struct random random;
	size_t i;

	random_start(&random, 1, 0);
	for (i = 0; i < SAMPLES; i++) {
		samples[i] = spread_duration(&random);
		assert_int_equal(histogram_record(part, samples[i]), 0);
	}
	qsort(samples, SAMPLES, sizeof(*samples), by_value);
	histogram_add(total, part);
	assert_int_equal(histogram_count(total), SAMPLES);
	for (i = 0; i < LENGTH(permille); i++) {
		size_t rank = (permille[i] * SAMPLES + 999) / 1000;
		uint64_t exact_ns = samples[rank > 0 ? rank - 1 : 0];
		uint64_t told_ns = histogram_quantile(total, permille[i] / 1000.0, samples[0],
						      samples[SAMPLES - 1]);

		if (distance(told_ns, exact_ns) > 0.01 * (double)exact_ns)
			fail_msg("%u permille: %ju ns instead of %ju", permille[i],
				 (uintmax_t)told_ns, (uintmax_t)exact_ns);
	}
	free(samples);
	free(total);
	free(part);
}

static void quantiles_stay_between_minimum_and_maximum(void **state)
{
	struct histogram_total *total = zeroed(sizeof(*total));
	struct histogram *part = zeroed(sizeof(*part));

	/* The cell is 2^10 wide. If all samples lie at one end of the cell, the
	 * middle of the cell is outside of the samples' range. */
	histogram_record(part, 1 << 16);
	histogram_add(total, part);
	assert_int_equal(histogram_quantile(total, 0.99, 1 << 16, 1 << 16), 1 << 16);
	assert_int_equal(histogram_quantile(total, 0.5, (1 << 16) + 1000, (1 << 16) + 1000),
			 (1 << 16) + 1000);
	free(part);
	free(total);
}

/* With few samples, the middle of a cell is often outside of their range. */
static void quantiles_rise_from_the_minimum_to_the_maximum(void **state)
{
	struct histogram_total *total = zeroed(sizeof(*total));
	struct random random;
	unsigned round, i;

	random_start(&random, 3, 0);
	for (round = 0; round < 300; round++) {
		uint64_t min_ns = UINT64_MAX, max_ns = 0, before_ns = 0;

		memset(total, 0, sizeof(*total));
		for (i = 0; i <= round % 5; i++) {
			uint64_t duration_ns = spread_duration(&random);

			total->cells[histogram_cell(duration_ns)]++;
			if (duration_ns < min_ns)
				min_ns = duration_ns;
			if (duration_ns > max_ns)
				max_ns = duration_ns;
		}
		for (i = 0; i <= 100; i++) {
			uint64_t told_ns = histogram_quantile(total, i / 100.0, min_ns, max_ns);

			assert_true(told_ns >= min_ns && told_ns <= max_ns);
			assert_true(told_ns >= before_ns);
			before_ns = told_ns;
		}
	}
	free(total);
}

static void an_empty_histogram_has_no_quantile(void **state)
{
	struct histogram_total *total = zeroed(sizeof(*total));

	assert_int_equal(histogram_count(total), 0);
	assert_int_equal(histogram_quantile(total, 0.99, 5, 10), 0);
	free(total);
}

static void sums_equal_one_recording(void **state)
{
	struct histogram *parts = zeroed(4 * sizeof(*parts));
	struct histogram_total *totals = zeroed(3 * sizeof(*totals));
	struct random random;
	unsigned i;

	random_start(&random, 2, 0);
	for (i = 0; i < 30000; i++) {
		uint64_t duration_ns = spread_duration(&random);

		/* Include durations beyond the range of the cells. */
		if (i % 1000 == 0)
			duration_ns = RANGE_NS + i;
		histogram_record(&parts[i % 3], duration_ns);
		histogram_record(&parts[3], duration_ns);
	}
	histogram_add(&totals[0], &parts[0]);
	histogram_add(&totals[0], &parts[1]);
	histogram_add(&totals[1], &parts[2]);
	histogram_merge(&totals[0], &totals[1]);
	histogram_add(&totals[2], &parts[3]);
	assert_int_equal(totals[0].overflow, 30);
	assert_memory_equal(&totals[0], &totals[2], sizeof(totals[0]));
	free(totals);
	free(parts);
}

static void overflow_is_counted_and_becomes_the_maximum(void **state)
{
	struct histogram *part = zeroed(sizeof(*part));
	struct histogram_total *total = zeroed(sizeof(*total));

	assert_int_equal(histogram_record(part, RANGE_NS - 1), 0);
	assert_int_equal(part->overflow, 0);
	assert_int_equal(histogram_record(part, RANGE_NS), 0);
	assert_int_equal(histogram_record(part, UINT64_MAX), 0);
	assert_int_equal(part->overflow, 2);
	histogram_add(total, part);
	assert_int_equal(histogram_count(total), 3);
	assert_true(histogram_quantile(total, 0.9, 1, UINT64_MAX) == UINT64_MAX);
	assert_true(histogram_quantile(total, 0.1, 1, UINT64_MAX) < RANGE_NS);
	free(total);
	free(part);
}

static void a_wrapped_cell_is_carried_into_the_total(void **state)
{
	struct histogram *part = zeroed(sizeof(*part));
	struct histogram_total *total = zeroed(sizeof(*total));
	unsigned cell = histogram_cell(5000), wrapped;

	part->cells[cell] = UINT32_MAX - 1;
	assert_int_equal(histogram_record(part, 5000), 0);
	wrapped = histogram_record(part, 5000);
	assert_int_equal(wrapped, cell + 1);
	histogram_carry(total, wrapped);
	assert_int_equal(histogram_record(part, 5000), 0);
	histogram_add(total, part);
	assert_true(histogram_count(total) == (UINT64_C(1) << 32) + 1);
	assert_true(total->cells[cell] == (UINT64_C(1) << 32) + 1);
	/* The result is the number of the wrapped cell plus 1, or 0 if no cell
	 * has wrapped. So if cell 0 wraps, it must be 1. */
	part->cells[0] = UINT32_MAX;
	assert_int_equal(histogram_record(part, 0), 1);
	free(total);
	free(part);
}

int unit_histogram(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_duration_lies_within_one_percent_of_its_cell),
		cmocka_unit_test(quantiles_are_within_one_percent_of_the_exact_ones),
		cmocka_unit_test(quantiles_stay_between_minimum_and_maximum),
		cmocka_unit_test(quantiles_rise_from_the_minimum_to_the_maximum),
		cmocka_unit_test(an_empty_histogram_has_no_quantile),
		cmocka_unit_test(sums_equal_one_recording),
		cmocka_unit_test(overflow_is_counted_and_becomes_the_maximum),
		cmocka_unit_test(a_wrapped_cell_is_carried_into_the_total),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
