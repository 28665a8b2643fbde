/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "page/markup.h"

#include <math.h>

static void numbers_are_grouped(void **state)
{
	char text[MARKUP_TEXT];

	assert_string_equal(markup_number(0, 0, text), "0");
	assert_string_equal(markup_number(999, 0, text), "999");
	assert_string_equal(markup_number(1000, 0, text), "1,000");
	assert_string_equal(markup_number(123456, 0, text), "123,456");
	assert_string_equal(markup_number(1234567.25, 1, text), "1,234,567.2");
	assert_string_equal(markup_number(999.96, 1, text), "1,000.0");
	assert_string_equal(markup_number(-1234, 0, text), "\u22121,234");
	assert_string_equal(markup_number(0.0204, 4, text), "0.0204");
	/* These are not real figures, but must fit into the buffer. */
	assert_string_equal(markup_number(1e300, 0, text), "1.000e+300");
	assert_string_equal(markup_number(NAN, 1, text), "nan");
}

static void changes_have_a_sign(void **state)
{
	char text[MARKUP_TEXT];

	assert_string_equal(markup_change(0.123, text), "+12.3 %");
	assert_string_equal(markup_change(-0.05, text), "\u22125.0 %");
	assert_string_equal(markup_change(0.0002, text), "0.0 %");
	assert_string_equal(markup_change(-0.0002, text), "0.0 %");
	assert_string_equal(markup_change(2.5, text), "+250 %");
	assert_string_equal(markup_change(0.9999, text), "+100 %");
}

static void durations_have_three_digits(void **state)
{
	char text[MARKUP_TEXT];

	assert_string_equal(markup_time(FIGURE_P50_MS, 7e-6, text), "7 ns");
	assert_string_equal(markup_time(FIGURE_P50_MS, 999e-6, text), "999 ns");
	assert_string_equal(markup_time(FIGURE_CPU_PER_OP_US, 0.9997, text), "1.00 \u00b5s");
	assert_string_equal(markup_time(FIGURE_CPU_PER_OP_US, 12.345, text), "12.3 \u00b5s");
	assert_string_equal(markup_time(FIGURE_CPU_PER_OP_US, 9.996, text), "10.0 \u00b5s");
	assert_string_equal(markup_time(FIGURE_P50_MS, 2.346, text), "2.35 ms");
	assert_string_equal(markup_time(FIGURE_LOOP_S, 0.9996, text), "1.00 s");
	assert_string_equal(markup_time(FIGURE_LOOP_S, 4321, text), "4,321 s");
	assert_string_equal(markup_time(FIGURE_P50_MS, NAN, text), "\u2013");
}

int unit_markup(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_are_grouped),
		cmocka_unit_test(changes_have_a_sign),
		cmocka_unit_test(durations_have_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
