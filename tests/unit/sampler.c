/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The numbers that commands of --sample print. */
#include "unit.h"

#include "run/sampler.h"

static void the_first_number_counts(void **state)
{
	static const struct {
		const char *text;
		double number;
	} cases[] = {
		{"0.52 0.40 0.31 1/123 4567\n", 0.52},
		{"7", 7},
		{"\n\t -3.5\n4\n", -3.5},
		{"+.5", 0.5},
		{"1e3", 1000},
		{"cpu: 12% 13%", 12},
		{"load average: 0.52, 0.40", 0.52},
		{"eth0 up 12:30:01 0x10 inf nan 1,5 3s 1.2.3 8", 8},
		{"-- - . -. +- 9", 9},
		{"a\r\nb\v\f10\r\n", 10},
		{"0", 0},
		{"-0", 0},
		{"1000000000000000000", 1e18},
	};
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		double number = NAN;

		if (!sampler_parse(cases[i].text, &number))
			fail_msg("no number: %s", cases[i].text);
		expect_near(number, cases[i].number, 0);
	}
}

static void other_words_are_no_numbers(void **state)
{
	static const char *const texts[] = {
		"",
		" \n",
		"nothing",
		"inf",
		"-nan",
		"0x1p3",
		"1e999",
		"2e18",
		"1_0",
		"12abc",
		"1,5",
		"--5",
		"+-5",
		".",
		"5\"",
		("\xc2\xa0"
		 "5"),
	};
	double number;
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		if (sampler_parse(texts[i], &number))
			fail_msg("\"%s\" is read as %g", texts[i], number);
}

int unit_sampler(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_number_counts),
		cmocka_unit_test(other_words_are_no_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
