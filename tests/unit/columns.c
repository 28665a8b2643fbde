/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "capture/decode/columns.h"

#include <errno.h>

static struct columns columns;

/* Begin to read a text that has three columns. */
static void open_text(const char *text, size_t bytes)
{
	FILE *stream = fmemopen(NULL, bytes + 1, "w+");

	assert_non_null(stream);
	assert_int_equal(fwrite(text, 1, bytes, stream), bytes);
	rewind(stream);
	columns_open(&columns, stream, "fields", 3);
}

static void close_text(void)
{
	fclose(columns.stream);
	columns_close(&columns);
}

/* Expect that the first line of a text is refused with this error. */
static void expect_refused(const char *text, size_t bytes, const char *message)
{
	struct error error = {0};

	open_text(text, bytes);
	assert_int_equal(columns_next(&columns, &error), -EINVAL);
	assert_non_null(strstr(error.text, message));
	assert_string_equal(error.source, "fields");
	assert_int_equal(error.line, 1);
	close_text();
}
#define REFUSED(text, message) expect_refused(text, sizeof(text) - 1, message)

static void values_are_taken_in_turn(void **state)
{
	static const char text[] = "a\x02\x02"
				   "bc\t\t\x02\n"
				   "x\ty\tz\n";
	struct error error = {0};

	open_text(text, sizeof(text) - 1);
	assert_int_equal(columns_next(&columns, &error), 1);
	assert_int_equal(columns_left(&columns, 0), 3);
	assert_string_equal(columns_peek(&columns, 0), "a");
	assert_string_equal(columns_take(&columns, 0), "a");
	assert_string_equal(columns_take(&columns, 0), "");
	assert_int_equal(columns_left(&columns, 0), 1);
	assert_string_equal(columns_take(&columns, 0), "bc");
	assert_int_equal(columns_left(&columns, 0), 0);
	assert_null(columns_take(&columns, 0));
	assert_null(columns_take(&columns, 0));
	assert_null(columns_peek(&columns, 1));
	assert_int_equal(columns_left(&columns, 2), 2);
	assert_int_equal(columns_next(&columns, &error), 1);
	assert_string_equal(columns_take(&columns, 2), "z");
	assert_null(columns_take(&columns, 2));
	assert_int_equal(columns_next(&columns, &error), 0);
	assert_int_equal(columns.number, 3);
	close_text();
}

static void numbers_have_the_forms_of_tshark(void **state)
{
	static const char text[] = "10\x02"
				   "0xff\x02True\x02"
				   "False\x02"
				   "18446744073709551615"
				   "\t-1\x02"
				   "1e3\x02"
				   "18446744073709551616\x02\x02True1\t\n";
	static const uint64_t numbers[] = {10, 255, 1, 0, UINT64_MAX};
	struct error error = {0};
	uint64_t number;
	size_t i;

	open_text(text, sizeof(text) - 1);
	assert_int_equal(columns_next(&columns, &error), 1);
	for (i = 0; i < LENGTH(numbers); i++) {
		assert_true(columns_take_number(&columns, 0, &number));
		assert_int_equal(number, numbers[i]);
	}
	assert_false(columns_take_number(&columns, 0, &number));
	for (i = 0; i < 5; i++)
		assert_false(columns_take_number(&columns, 1, &number));
	assert_null(columns_take(&columns, 1));
	close_text();
}

static void other_text_is_refused(void **state)
{
	REFUSED("a\tb\n", "the line has 2 columns; expected 3");
	REFUSED("a\tb\tc\td\te\n", "the line has 5 columns; expected 3");
	REFUSED("\n", "the line has 1 columns; expected 3");
	REFUSED("a\tb\tc", "the last line has no newline at its end");
	REFUSED("a\t\0\tc\n", "NUL");
}

int unit_columns(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_taken_in_turn),
		cmocka_unit_test(numbers_have_the_forms_of_tshark),
		cmocka_unit_test(other_text_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
