/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "doc/number.h"

/* Expect a number as text and on pages. */
static void expect_number(enum number_form form, double value, int decimals, const char *ascii,
			  const char *typeset)
{
	char text[NUMBER_TEXT];

	assert_string_equal(number_print(form, value, decimals, NUMBER_ASCII, text), ascii);
	assert_string_equal(number_print(form, value, decimals, NUMBER_TYPESET, text), typeset);
}

static void rates_have_the_decimals_of_their_column(void **state)
{
	expect_number(NUMBER_MB_PER_S, 1852.4, 2, "1852.40", "1,852.40");
	expect_number(NUMBER_MB_PER_S, 0.004, 2, "0.00", "0.00");
	expect_number(NUMBER_PER_S, 97.25, 1, "97.2", "97.2");
	expect_number(NUMBER_MB_PER_S, NAN, 2, "-", "\u2013");
	/* Only 0 is shown as 0. */
	expect_number(NUMBER_PER_S, 0.3, 0, "0.3", "0.3");
	expect_number(NUMBER_MB_PER_S, 0.06, 0, "0.1", "0.1");
	expect_number(NUMBER_PER_S, 0.5001, 0, "1", "1");
	expect_number(NUMBER_PER_S, 0, 0, "0", "0");
	expect_number(NUMBER_MB_PER_S, 0, 2, "0", "0");
}

static void rates_have_five_digits_by_themselves(void **state)
{
	expect_number(NUMBER_MB_PER_S, 0.0625, -1, "0.06", "0.06");
	expect_number(NUMBER_MB_PER_S, 97.25, -1, "97.25", "97.25");
	expect_number(NUMBER_MB_PER_S, 1904.92, -1, "1904.9", "1,904.9");
	expect_number(NUMBER_MB_PER_S, 123456.7, -1, "123457", "123,457");
	expect_number(NUMBER_MB_PER_S, 0, -1, "0", "0");
	expect_number(NUMBER_PER_S, 508669, -1, "508669", "508,669");
	expect_number(NUMBER_PER_S, 1363.2, -1, "1363", "1,363");
	expect_number(NUMBER_PER_S, 12.345, -1, "12.3", "12.3");
	expect_number(NUMBER_PER_S, 0.25, -1, "0.25", "0.25");
}

static void the_largest_value_sets_the_decimals(void **state)
{
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 0.5), 2);
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 999.94), 2);
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 999.96), 1);
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 9999.4), 1);
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 9999.5), 0);
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 0), 0);
	assert_int_equal(number_decimals(NUMBER_PLAIN, 0.0204), 4);
	assert_int_equal(number_decimals(NUMBER_PLAIN, 12.5), 2);
}

static void times_have_three_digits_and_a_unit(void **state)
{
	expect_number(NUMBER_TIME, 7e-9, -1, "7 ns", "7 ns");
	expect_number(NUMBER_TIME, 1.26e-5, -1, "12.6 us", "12.6 \u00b5s");
	expect_number(NUMBER_TIME, 9.996e-6, -1, "10.0 us", "10.0 \u00b5s");
	expect_number(NUMBER_TIME, 2.346e-3, 2, "2.35 ms", "2.35 ms");
	expect_number(NUMBER_TIME, 0.9996, -1, "1.00 s", "1.00 s");
	expect_number(NUMBER_TIME, 4321, -1, "4321 s", "4,321 s");
	expect_number(NUMBER_TIME, NAN, -1, "-", "\u2013");
}

static void shares_are_in_per_cent(void **state)
{
	expect_number(NUMBER_SHARE, 0.125, 2, "12%", "12 %");
	expect_number(NUMBER_SPREAD, 0.1234, -1, "12.3%", "12.3 %");
	expect_number(NUMBER_SPREAD, 1.915, -1, "191.5%", "191.5 %");
}

static void changes_have_a_sign(void **state)
{
	expect_number(NUMBER_CHANGE, 0.123, -1, "+12.3%", "+12.3 %");
	expect_number(NUMBER_CHANGE, -0.05, -1, "-5.0%", "\u22125.0 %");
	expect_number(NUMBER_CHANGE, 0.0002, -1, "0.0%", "0.0 %");
	expect_number(NUMBER_CHANGE, -0.0002, -1, "0.0%", "0.0 %");
	expect_number(NUMBER_CHANGE, 2.5, -1, "+250%", "+250 %");
	expect_number(NUMBER_CHANGE, 0.9999, -1, "+100%", "+100 %");
}

static void ratios_have_three_decimals(void **state)
{
	expect_number(NUMBER_RATIO, 1.2104, -1, "1.210", "1.210");
	expect_number(NUMBER_RATIO, 12.361, -1, "12.36", "12.36");
	/* Those of one column agree. */
	assert_int_equal(number_decimals(NUMBER_RATIO, 9.999), 3);
	assert_int_equal(number_decimals(NUMBER_RATIO, 12.361), 2);
	expect_number(NUMBER_RATIO, 1.2, 2, "1.20", "1.20");
	expect_number(NUMBER_RATIO, 1234, 2, "1234.00", "1,234.00");
	expect_number(NUMBER_RATIO, 0, -1, "-", "\u2013");
	expect_number(NUMBER_RATIO, INFINITY, -1, "-", "\u2013");
}

static void counts_are_grouped_on_pages(void **state)
{
	expect_number(NUMBER_COUNT, 0, -1, "0", "0");
	expect_number(NUMBER_COUNT, 999, -1, "999", "999");
	expect_number(NUMBER_COUNT, 1234567, 2, "1234567", "1,234,567");
	expect_number(NUMBER_COUNT, -1234, -1, "-1234", "\u22121,234");
	expect_number(NUMBER_BYTES, 1470000000, -1, "1.47 GB", "1.47 GB");
	expect_number(NUMBER_PLAIN, 1.2345678, -1, "1.2346", "1.2346");
	expect_number(NUMBER_PLAIN, 123456.7, -1, "123457", "123,457");
	expect_number(NUMBER_PLAIN, 0.000012345, -1, "1.23e-05", "1.23e-05");
}

/* Files may have such values. They must fit into the buffer. */
static void absurd_numbers_are_printed(void **state)
{
	enum number_form form;
	char text[NUMBER_TEXT];

	for (form = NUMBER_COUNT; form <= NUMBER_PLAIN; form++) {
		static const double values[] = {1e300, -1e300, 1e19, -1e19, 1e-300, INFINITY};
		size_t i, style;

		for (i = 0; i < LENGTH(values); i++)
			for (style = NUMBER_ASCII; style <= NUMBER_TYPESET; style++)
				assert_in_range(
					strlen(number_print(form, values[i], -1, style, text)), 1,
					NUMBER_TEXT - 1);
	}
	expect_number(NUMBER_COUNT, 1e300, -1, "1.000e+300", "1.000e+300");
	expect_number(NUMBER_PLAIN, INFINITY, -1, "inf", "inf");
	expect_number(NUMBER_PLAIN, 0, -1, "0", "0");
	expect_number(NUMBER_BYTES, -1, -1, "0 B", "0 B");
	expect_number(NUMBER_BYTES, 1e300, -1, "9.223e+06 TB", "9.223e+06 TB");
}

static void figures_have_a_form(void **state)
{
	assert_int_equal(number_form_of(FIGURE_OPS), NUMBER_COUNT);
	assert_int_equal(number_form_of(FIGURE_BYTES), NUMBER_BYTES);
	assert_int_equal(number_form_of(FIGURE_READ_MB_PER_S), NUMBER_MB_PER_S);
	assert_int_equal(number_form_of(FIGURE_SCHEDULED_PER_S), NUMBER_PER_S);
	assert_int_equal(number_form_of(FIGURE_COMPLETED_SHARE), NUMBER_SHARE);
	assert_int_equal(number_form_of(FIGURE_P99_MS), NUMBER_TIME);
	expect_near(number_value_of(FIGURE_P99_MS, 1.5), 0.0015, 1e-12);
	expect_near(number_value_of(FIGURE_CPU_PER_OP_US, 3), 3e-6, 1e-15);
	expect_near(number_value_of(FIGURE_LOOP_S, 3), 3, 0);
	expect_near(number_value_of(FIGURE_MB_PER_S, 3), 3, 0);
}

/* This cannot be undone, so it is the last test. */
static void bits_are_shown_everywhere(void **state)
{
	char text[NUMBER_TEXT];

	assert_string_equal(number_heading("read MB/s x", text), "read MB/s x");
	number_show_bits();
	assert_string_equal(number_rate_unit(), "Mbit/s");
	assert_string_equal(number_heading("read MB/s x", text), "read Mbit/s x");
	assert_string_equal(number_heading("ops/s", text), "ops/s");
	expect_near(number_rate_shown(2), 16, 0);
	expect_number(NUMBER_MB_PER_S, 2, 2, "16.00", "16.00");
	expect_number(NUMBER_PER_S, 2, 2, "2.00", "2.00");
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 124.9), 2);
	assert_int_equal(number_decimals(NUMBER_MB_PER_S, 125), 1);
}

int unit_number(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_have_the_decimals_of_their_column),
		cmocka_unit_test(rates_have_five_digits_by_themselves),
		cmocka_unit_test(the_largest_value_sets_the_decimals),
		cmocka_unit_test(times_have_three_digits_and_a_unit),
		cmocka_unit_test(shares_are_in_per_cent),
		cmocka_unit_test(changes_have_a_sign),
		cmocka_unit_test(ratios_have_three_decimals),
		cmocka_unit_test(counts_are_grouped_on_pages),
		cmocka_unit_test(absurd_numbers_are_printed),
		cmocka_unit_test(figures_have_a_form),
		cmocka_unit_test(bits_are_shown_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
