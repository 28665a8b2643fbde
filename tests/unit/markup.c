/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "report/markup.h"

#include <math.h>

static void expect_text(const char *text, const char *expected)
{
	char *written = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&written, &bytes);

	assert_non_null(stream);
	markup_text(text, stream);
	fclose(stream);
	assert_string_equal(written, expected);
	free(written);
}

static void text_stays_text(void **state)
{
	(void)state;
	expect_text("", "");
	expect_text("/mnt/test", "/mnt/test");
	expect_text("caf\u00e9 \u65e5\u672c \U0001f4be",
		    "caf\u00e9 \u65e5\u672c \U0001f4be");
	expect_text("<b> & \"'", "&lt;b&gt; &amp; &quot;&#39;");
	expect_text("&amp;</title>", "&amp;amp;&lt;/title&gt;");
}

static void what_steers_is_shown(void **state)
{
	(void)state;
	expect_text("a\x1b[31m\n\t\x7f", "a\\x1B[31m\\x0A\\x09\\x7F");
	expect_text("\xc2\x85", "\\u0085");
	expect_text("\u202eexe", "\\u202Eexe");
	expect_text("\u2066\u200b\ufeff", "\\u2066\\u200B\\uFEFF");
	expect_text("\U000e0041", "\\uE0041");
	expect_text("\uffff", "\\uFFFF");
	expect_text("\xf0\x9f\xbf\xbe", "\\u1FFFE"); /* no character either */
}

static void bytes_that_are_no_text_are_shown(void **state)
{
	(void)state;
	expect_text("caf\xe9", "caf\\xE9");
	expect_text("caf\xe9 au lait", "caf\\xE9 au lait");
	expect_text("\x80\xbf", "\\x80\\xBF");
	expect_text("\xc0\xaf", "\\xC0\\xAF");         /* too long */
	expect_text("\xe0\x80\xaf", "\\xE0\\x80\\xAF"); /* likewise */
	expect_text("\xed\xa0\x80", "\\xED\\xA0\\x80"); /* half of a pair */
	expect_text("\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80");
	expect_text("\xf8\xff", "\\xF8\\xFF");
	expect_text("\xe2\x82", "\\xE2\\x82"); /* cut off */
	expect_text("\xe2<", "\\xE2&lt;");
}

static void numbers_are_grouped(void **state)
{
	char text[MARKUP_TEXT];

	(void)state;
	assert_string_equal(markup_number(0, 0, text), "0");
	assert_string_equal(markup_number(999, 0, text), "999");
	assert_string_equal(markup_number(1000, 0, text), "1,000");
	assert_string_equal(markup_number(123456, 0, text), "123,456");
	assert_string_equal(markup_number(1234567.25, 1, text),
			    "1,234,567.2");
	assert_string_equal(markup_number(999.96, 1, text), "1,000.0");
	assert_string_equal(markup_number(-1234, 0, text), "\u22121,234");
	assert_string_equal(markup_number(0.0204, 4, text), "0.0204");
	/* No figure, but no harm. */
	assert_string_equal(markup_number(1e300, 0, text), "1.000e+300");
	assert_string_equal(markup_number(NAN, 1, text), "nan");
}

static void changes_have_a_sign(void **state)
{
	char text[MARKUP_TEXT];

	(void)state;
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

	(void)state;
	assert_string_equal(markup_duration(7, text), "7 ns");
	assert_string_equal(markup_duration(999, text), "999 ns");
	assert_string_equal(markup_duration(999.7, text), "1.00 \u00b5s");
	assert_string_equal(markup_duration(12345, text), "12.3 \u00b5s");
	assert_string_equal(markup_duration(9996, text), "10.0 \u00b5s");
	assert_string_equal(markup_duration(2.346e6, text), "2.35 ms");
	assert_string_equal(markup_duration(999.6e6, text), "1.00 s");
	assert_string_equal(markup_duration(4321e9, text), "4,321 s");
	assert_string_equal(markup_latency(0, text), "\u2013");
	assert_string_equal(markup_latency(5000, text), "5.00 \u00b5s");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_stays_text),
		cmocka_unit_test(what_steers_is_shown),
		cmocka_unit_test(bytes_that_are_no_text_are_shown),
		cmocka_unit_test(numbers_are_grouped),
		cmocka_unit_test(changes_have_a_sign),
		cmocka_unit_test(durations_have_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
