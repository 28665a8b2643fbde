/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/error.h"

static void the_first_error_wins(void **state)
{
	struct error error = {0};

	error_set_at(&error, "file", 3, 7, "first %d", 1);
	error_set_at(&error, "other", 8, 9, "second");
	error_set(&error, "third");
	assert_true(error.set);
	assert_string_equal(error.source, "file");
	assert_int_equal(error.line, 3);
	assert_int_equal(error.column, 7);
	assert_string_equal(error.text, "first 1");
}

static void a_prefix_comes_before_the_text(void **state)
{
	struct error error = {0};

	error_prefix(&error, "here: ");
	assert_false(error.set);
	error_set_at(&error, "file", 3, 7, "%s", "wrong");
	error_prefix(&error, "here: ");
	error_prefix(&error, "");
	assert_string_equal(error.text, "here: wrong");
	assert_string_equal(error.source, "file");
}

static void an_error_is_printed_with_its_place(void **state)
{
	static const struct {
		const char *source;
		unsigned line, column;
		const char *printed;
	} rows[] = {
		{"", 0, 0, "no way"},
		{"file", 0, 0, "file: no way"},
		{"file", 3, 0, "file:3: no way"},
		{"file", 3, 7, "file:3:7: no way"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		char text[64];

		error_set_at(&error, rows[i].source, rows[i].line, rows[i].column, "no way");
		assert_ptr_equal(error_print(&error, text, sizeof(text)), text);
		assert_string_equal(text, rows[i].printed);
	}
}

static void long_texts_are_truncated(void **state)
{
	char longer[2000], small[8], text[2000];
	struct error error = {0};

	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	error_set_at(&error, longer, 1, 1, "%s", longer);
	assert_int_equal(strlen(error.source), sizeof(error.source) - 1);
	assert_int_equal(strlen(error.text), sizeof(error.text) - 1);
	error_print(&error, small, sizeof(small));
	assert_string_equal(small, "xxxxxxx");
	error_print(&error, text, sizeof(text));
	assert_int_equal(strlen(text),
			 sizeof(error.source) - 1 + strlen(":1:1: ") + sizeof(error.text) - 1);
}

static void control_characters_do_not_reach_a_terminal(void **state)
{
	struct error error = {0};
	char text[64];

	error_set_at(&error, "f\033[2Jile", 1, 1, "\"a\r\n\tb\177\" is wrong");
	assert_string_equal(error_print(&error, text, sizeof(text)),
			    "f?[2Jile:1:1: \"a???b?\" is wrong");
}

static void the_first_twenty_are_kept_and_all_are_counted(void **state)
{
	struct errors errors = {0};
	unsigned i;

	for (i = 1; i <= 25; i++) {
		struct error error = {0};

		error_set_at(&error, "file", i, 1, "number %u", i);
		errors_add(&errors, &error);
	}
	assert_int_equal(errors.count, 25);
	assert_int_equal(ERRORS_KEPT, 20);
	assert_string_equal(errors.kept[0].text, "number 1");
	assert_string_equal(errors.kept[19].text, "number 20");
}

int unit_error(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_error_wins),
		cmocka_unit_test(a_prefix_comes_before_the_text),
		cmocka_unit_test(an_error_is_printed_with_its_place),
		cmocka_unit_test(long_texts_are_truncated),
		cmocka_unit_test(control_characters_do_not_reach_a_terminal),
		cmocka_unit_test(the_first_twenty_are_kept_and_all_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
