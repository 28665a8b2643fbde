/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "base/units.h"

#include <errno.h>
#include <locale.h>

/* A text, and the value that the parser returns or its error message. */
struct row {
	const char *text;
	uint64_t min, max;
	uint64_t value;
	const char *refusal; /* NULL: accepted */
};

typedef int parser(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *value,
		   struct error *error);

static void check_row(parser *parse, const struct row *row)
{
	struct error error = {0};
	uint64_t value = 0;
	int rc = parse(row->text, "--x", row->min, row->max, &value, &error);

	if (row->refusal != NULL) {
		assert_int_equal(rc, -EINVAL);
		assert_string_equal(error.text, row->refusal);
		return;
	}
	if (rc != 0 || value != row->value)
		fail_msg("\"%s\" gave %d, %ju: %s", row->text, rc, (uintmax_t)value, error.text);
}

static void counts_are_read_within_their_range(void **state)
{
	static const struct row rows[] = {
		{"0", 0, 10, 0, NULL},
		{"10", 0, 10, 10, NULL},
		{"0x10", 0, 100, 0, "--x: \"0x10\" is not valid; expected a whole number"},
		{"0X10", 0, 100, 0, "--x: \"0X10\" is not valid; expected a whole number"},
		{"010", 0, 100, 10, NULL},
		{"18446744073709551615", 0, UINT64_MAX, UINT64_MAX, NULL},
		{"11", 0, 10, 0, "--x: 11 is out of range (0 to 10)"},
		{"0", 1, 10, 0, "--x: 0 is out of range (1 to 10)"},
		{"18446744073709551616", 0, UINT64_MAX, 0,
		 "--x: 18446744073709551616 is out of range (0 to 18446744073709551615)"},
		{"", 0, 10, 0, "--x: \"\" is not valid; expected a whole number"},
		{"-1", 0, 10, 0, "--x: \"-1\" is not valid; expected a whole number"},
		{"+1", 0, 10, 0, "--x: \"+1\" is not valid; expected a whole number"},
		{" 1", 0, 10, 0, "--x: \" 1\" is not valid; expected a whole number"},
		{"1 ", 0, 10, 0, "--x: \"1 \" is not valid; expected a whole number"},
		{"1.5", 0, 10, 0, "--x: \"1.5\" is not valid; expected a whole number"},
		{"09", 0, 10, 9, NULL},
		{"0x", 0, 10, 0, "--x: \"0x\" is not valid; expected a whole number"},
		{"five", 0, 10, 0, "--x: \"five\" is not valid; expected a whole number"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		check_row(units_parse_count, &rows[i]);
}

static void sizes_are_read_with_both_kinds_of_units(void **state)
{
#define NO_SIZE(text) "--x: \"" text "\" is not valid; expected a size such as 4096 or 64k"
	static const struct row rows[] = {
		{"4096", 0, UINT64_MAX, 4096, NULL},
		{"4096B", 0, UINT64_MAX, 4096, NULL},
		{"64k", 0, UINT64_MAX, 64000, NULL},
		{"64K", 0, UINT64_MAX, 64000, NULL},
		{"64kB", 0, UINT64_MAX, 64000, NULL},
		{"64Ki", 0, UINT64_MAX, 65536, NULL},
		{"64KiB", 0, UINT64_MAX, 65536, NULL},
		{"1M", 0, UINT64_MAX, 1000000, NULL},
		{"1Mi", 0, UINT64_MAX, 1 << 20, NULL},
		{"2G", 0, UINT64_MAX, UINT64_C(2000000000), NULL},
		{"2Gi", 0, UINT64_MAX, UINT64_C(2) << 30, NULL},
		{"3T", 0, UINT64_MAX, UINT64_C(3000000000000), NULL},
		{"3Ti", 0, UINT64_MAX, UINT64_C(3) << 40, NULL},
		/* Sizes are never octal: 0100 is one hundred. */
		{"0100", 0, UINT64_MAX, 100, NULL},
		{"1k", 2000, 4000, 0, "--x: 1k is out of range (2 kB to 4 kB)"},
		{"5k", 2000, 4000, 0, "--x: 5k is out of range (2 kB to 4 kB)"},
		{"99999999999T", 0, 4000, 0, "--x: 99999999999T is out of range (0 B to 4 kB)"},
		{"99999999999999999999", 0, 4000, 0,
		 "--x: 99999999999999999999 is out of range (0 B to 4 kB)"},
		{"", 0, 10, 0, NO_SIZE("")},
		{"k", 0, 10, 0, NO_SIZE("k")},
		{"-4k", 0, 10, 0, NO_SIZE("-4k")},
		{"4 k", 0, 10, 0, NO_SIZE("4 k")},
		{"4kk", 0, 10, 0, NO_SIZE("4kk")},
		{"4BB", 0, 10, 0, NO_SIZE("4BB")},
		{"1.5k", 0, 10, 0, NO_SIZE("1.5k")},
		{"0x10", 0, 100, 0, NO_SIZE("0x10")},
		{"4P", 0, 10, 0, NO_SIZE("4P")},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		check_row(units_parse_size, &rows[i]);
}

static void durations_are_read_with_units_or_as_seconds(void **state)
{
#define NO_DURATION(text) \
	"--x: \"" text "\" is not valid; expected a duration such as 10, 0.5 or 250ms"
	static const struct row rows[] = {
		{"10", 0, 3600 * NS_PER_S, 10 * NS_PER_S, NULL},
		{"0.5", 0, NS_PER_S, 500 * NS_PER_MS, NULL},
		{".5", 0, NS_PER_S, 500 * NS_PER_MS, NULL},
		{"250ms", 0, NS_PER_S, 250 * NS_PER_MS, NULL},
		{"7us", 0, NS_PER_S, 7000, NULL},
		{"7ns", 0, NS_PER_S, 7, NULL},
		{"3s", 0, 3600 * NS_PER_S, 3 * NS_PER_S, NULL},
		{"2m", 0, 3600 * NS_PER_S, 120 * NS_PER_S, NULL},
		{"1h", 0, 3600 * NS_PER_S, 3600 * NS_PER_S, NULL},
		{"2h", 0, 3600 * NS_PER_S, 0, "--x: 2h is out of range (0 ns to 1 h)"},
		{"0", NS_PER_MS, NS_PER_S, 0, "--x: 0 is out of range (1 ms to 1 s)"},
		{"1e300", 0, NS_PER_S, 0, "--x: 1e300 is out of range (0 ns to 1 s)"},
		{"1e999", 0, NS_PER_S, 0, NO_DURATION("1e999")},
		{"", 0, NS_PER_S, 0, NO_DURATION("")},
		{".", 0, NS_PER_S, 0, NO_DURATION(".")},
		{"-1", 0, NS_PER_S, 0, NO_DURATION("-1")},
		{"nan", 0, NS_PER_S, 0, NO_DURATION("nan")},
		{"inf", 0, NS_PER_S, 0, NO_DURATION("inf")},
		{"1d", 0, NS_PER_S, 0, NO_DURATION("1d")},
		{"0x10", 0, NS_PER_S, 0, NO_DURATION("0x10")},
		{"0X1p4ms", 0, NS_PER_S, 0, NO_DURATION("0X1p4ms")},
		{"010ms", 0, NS_PER_S, 10 * NS_PER_MS, NULL},
		{"1 s", 0, NS_PER_S, 0, NO_DURATION("1 s")},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		check_row(units_parse_duration, &rows[i]);
}

struct print_row {
	uint64_t value;
	const char *text;
};

static void check_prints(char *(*print)(uint64_t, char[UNITS_TEXT]), const struct print_row *rows,
			 size_t count)
{
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < count; i++) {
		assert_ptr_equal(print(rows[i].value, text), text);
		assert_string_equal(text, rows[i].text);
	}
}

static void bytes_are_printed_in_powers_of_ten(void **state)
{
	static const struct print_row rows[] = {
		{0, "0 B"},         {999, "999 B"},           {1000, "1 kB"},
		{1024, "1.024 kB"}, {1472088767, "1.472 GB"}, {5000000000000, "5 TB"},
	};

	check_prints(units_print_bytes, rows, LENGTH(rows));
}

static void numbers_are_read_with_powers_of_ten(void **state)
{
	static const struct {
		const char *text;
		double number;
	} good[] = {
		{"100", 100},      {"2.5", 2.5},  {".5", 0.5}, {"10k", 10000},
		{"1.5M", 1500000}, {"2Ki", 2048}, {"0", 0},    {"1e3", 1000},
	};
	static const char *const bad[] = {
		"", ".", "-1", "nan", "inf", "1e999", "10B", "10kB", "1 k", "ten", "0x10", "0X1k",
	};
	double number;
	size_t i;

	for (i = 0; i < LENGTH(good); i++) {
		struct error error = {0};

		if (units_parse_number(good[i].text, "--x", &number, &error))
			fail_msg("%s", error.text);
		expect_near(number, good[i].number, 0);
	}
	for (i = 0; i < LENGTH(bad); i++) {
		struct error error = {0};
		char message[128];

		snprintf(message, sizeof(message),
			 "--x: \"%s\" is not valid; expected a number such as 100, 2.5 or 10k",
			 bad[i]);
		assert_int_equal(units_parse_number(bad[i], "--x", &number, &error), -EINVAL);
		assert_string_equal(error.text, message);
	}
}

static void durations_are_printed_in_a_suitable_unit(void **state)
{
	static const struct print_row rows[] = {
		{0, "0 ns"},
		{999, "999 ns"},
		{1250, "1.25 us"},
		{1250000, "1.25 ms"},
		{10 * NS_PER_S, "10 s"},
		{90 * NS_PER_S, "1.5 m"},
		{7200 * NS_PER_S, "2 h"},
	};

	check_prints(units_print_duration, rows, LENGTH(rows));
}

static void measured_times_have_three_digits(void **state)
{
	static const struct {
		double ns;
		const char *printed;
	} rows[] = {
		{0, "0 ns"},       {7.3, "7 ns"},        {999.4, "999 ns"}, {999.5, "1.00 us"},
		{1234, "1.23 us"}, {9994, "9.99 us"},    {9996, "10.0 us"}, {99960, "100 us"},
		{350e3, "350 us"}, {2.346e6, "2.35 ms"}, {2.1e9, "2.10 s"}, {4321e9, "4321 s"},
	};
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		assert_string_equal(units_print_time(rows[i].ns, text), rows[i].printed);
	/* A UTF-8 locale has the letter mu. */
	if (setlocale(LC_CTYPE, "C.UTF-8") != NULL) {
		assert_string_equal(units_print_time(1234, text), "1.23 \u00b5s");
		setlocale(LC_CTYPE, "C");
	}
}

static void times_are_read_as_seconds_or_in_iso_8601(void **state)
{
	static const struct {
		const char *text;
		uint64_t wall_ns; /* 0: the time is refused */
	} rows[] = {
		{"1790000000", UINT64_C(1790000000) * NS_PER_S},
		{"1790000000.25", UINT64_C(1790000000250) * NS_PER_MS},
		{"2026-01-31T23:59:59Z", UINT64_C(1769903999) * NS_PER_S},
		{"1970-01-01T00:00:01Z", NS_PER_S},
		{"2026-01-31T23:59:59", 0},
		{"2026-01-31T23:59:59Zulu", 0},
		{"2026-01-31 23:59:59Z", 0},
		{"1969-12-31T23:59:59Z", 0},
		{"-1", 0},
		{"10000000000", 0},
		{"now", 0},
		{"", 0},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		uint64_t wall_ns = 0;
		int rc = units_parse_time(rows[i].text, "--x", &wall_ns, &error);

		if (rc != (rows[i].wall_ns > 0 ? 0 : -EINVAL) || wall_ns != rows[i].wall_ns)
			fail_msg("\"%s\" became %ju, %d", rows[i].text, (uintmax_t)wall_ns, rc);
	}
}

static void counts_are_grouped_by_thousands(void **state)
{
	static const struct print_row rows[] = {
		{0, "0"},
		{999, "999"},
		{1000, "1,000"},
		{458344, "458,344"},
		{1234567, "1,234,567"},
		{UINT64_MAX, "18,446,744,073,709,551,615"},
	};

	check_prints(units_print_count, rows, LENGTH(rows));
}

static void rates_have_no_exponent(void **state)
{
	char text[UNITS_TEXT];

	assert_string_equal(units_print_rate(0.0125, text), "0.0125");
	assert_string_equal(units_print_rate(123.456, text), "123.5");
	assert_string_equal(units_print_rate(128000, text), "128000");
}

int unit_units(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_are_read_within_their_range),
		cmocka_unit_test(sizes_are_read_with_both_kinds_of_units),
		cmocka_unit_test(durations_are_read_with_units_or_as_seconds),
		cmocka_unit_test(numbers_are_read_with_powers_of_ten),
		cmocka_unit_test(bytes_are_printed_in_powers_of_ten),
		cmocka_unit_test(durations_are_printed_in_a_suitable_unit),
		cmocka_unit_test(measured_times_have_three_digits),
		cmocka_unit_test(times_are_read_as_seconds_or_in_iso_8601),
		cmocka_unit_test(counts_are_grouped_by_thousands),
		cmocka_unit_test(rates_have_no_exponent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
