/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the table of notices, their texts, and how they are written and read.
 */
#include "unit.h"

#include "result/json_cursor.h"

#include <ctype.h>

/* Return a list with one notice of this kind, with all that the kind has. */
static struct notices list_of(enum notice_kind kind, double first, double second)
{
	const struct notice_row *row = &notice_rows[kind];
	struct notices notices = {0};

	NOTICE_ADD(&notices, kind, .subject = row->subject != NULL ? "one" : NULL,
		   .detail = row->detail != NULL ? "more" : NULL, .numbers = {first, second});
	assert_int_equal(notices.count, 1);
	return notices;
}

static void each_code_is_a_different_word(void **state)
{
	unsigned kind, other;
	const char *at;

	for (kind = 0; kind < NOTICE_KINDS; kind++) {
		assert_non_null(notice_rows[kind].code);
		for (at = notice_rows[kind].code; *at != '\0'; at++)
			assert_true(islower((unsigned char)*at) || isdigit((unsigned char)*at) ||
				    *at == '-');
		for (other = 0; other < kind; other++)
			assert_string_not_equal(notice_rows[kind].code, notice_rows[other].code);
	}
}

/* The text has each name and number of its kind, and no other. */
static void patterns_have_all_names_and_numbers(void **state)
{
	unsigned kind, i;

	for (kind = 0; kind < NOTICE_KINDS; kind++) {
		const struct notice_row *row = &notice_rows[kind];
		size_t parts = 0, choices = 0;
		const char *at;

		for (at = row->pattern; (at = strchr(at, '{')) != NULL; at++) {
			const char *bar = strchr(at, '|'), *end = strchr(at, '}');

			assert_non_null(end);
			parts++;
			choices += bar != NULL && bar < end;
		}
		for (i = 0; i < NOTICE_NUMBERS; i++) {
			const char number[] = {'{', (char)('0' + i), '}', '\0'};

			assert_int_equal(strstr(row->pattern, number) != NULL,
					 row->numbers[i].key != NULL);
			parts -= row->numbers[i].key != NULL;
			if (row->numbers[i].key != NULL)
				assert_true(row->numbers[i].scale > 0 && row->numbers[i].max > 0);
		}
		assert_int_equal(strstr(row->pattern, "{subject}") != NULL, row->subject != NULL);
		assert_int_equal(strstr(row->pattern, "{detail}") != NULL, row->detail != NULL);
		assert_int_equal(parts - choices, (row->subject != NULL) + (row->detail != NULL));
	}
}

static void each_kind_has_different_keys(void **state)
{
	unsigned kind, i, j;

	for (kind = 0; kind < NOTICE_KINDS; kind++) {
		const struct notice_row *row = &notice_rows[kind];
		const char *const keys[] = {
			"code",
			"place",
			"repeat",
			"load",
			row->subject,
			row->numbers[0].key,
			row->numbers[1].key,
			/* "text" is the whole text, if that is free. */
			row->detail,
			row->detail == NULL || strcmp(row->detail, "text") != 0 ? "text" : NULL,
		};

		for (i = 0; i < LENGTH(keys); i++)
			for (j = 0; j < i && keys[i] != NULL; j++)
				if (keys[j] != NULL)
					assert_string_not_equal(keys[i], keys[j]);
	}
}

/* Write a list in JSON and read it again. */
static struct notices read_again(const struct notices *notices)
{
	struct error error = {0};
	struct json_cursor cursor = {
		.value = notices_json(notices),
		.file = "x.json",
		.error = &error,
	};
	struct notices read = {0};

	notices_read(&cursor, &read);
	json_decref(cursor.value);
	if (error.set)
		fail_msg("%s", error.text);
	return read;
}

static void reading_a_notice_again_changes_nothing(void **state)
{
	static const double numbers[][2] = {
		{0, 0},
		{1, 1},
		{0.414999, 12.3456},
		{0.889, 88.9},
		{1638.4, 123456789},
		{1e300, -1e300},
		{NAN, INFINITY},
	};
	size_t i, j;
	unsigned kind;

	for (kind = 0; kind < NOTICE_KINDS; kind++) {
		for (i = 0; i < LENGTH(numbers); i++) {
			struct notices made = list_of(kind, numbers[i][0], numbers[i][1]);
			struct notices read = read_again(&made);
			char *text = notice_text(&made.list[0]);

			assert_null(strpbrk(text, "{}|"));
			assert_int_equal(read.count, 1);
			assert_true(notice_is_alike(&read.list[0], &made.list[0]));
			for (j = 0; j < NOTICE_NUMBERS && notice_rows[kind].numbers[j].key; j++)
				expect_near(read.list[0].numbers[j], made.list[0].numbers[j], 0);
			expect_notice(&read.list[0], text);
			free(text);
			notices_free(&made);
			notices_free(&read);
		}
	}
}

/* Check the text of a notice with these numbers. */
static void expect_text(enum notice_kind kind, double first, double second, const char *wanted)
{
	struct notices notices = list_of(kind, first, second);

	expect_notice(&notices.list[0], wanted);
	notices_free(&notices);
}

static void numbers_have_the_form_of_their_kind(void **state)
{
	expect_text(
		NOTICE_UNEVEN_USERS, 0.4149, 0,
		"the slowest user completed only 41 % as many operations as the fastest user; "
		"increase --time (if the difference remains, the target serves users unequally)");
	expect_text(NOTICE_EARLY_END, 0.41249, 0,
		    "the users of this load finished their last loop after 41.2 % of the measured "
		    "time, while users of other loads continued; to measure all loads for the same "
		    "time, use --time instead of --loops");
	expect_text(NOTICE_SHORT_WINDOW, 0.126, 0,
		    "only 0.13 s were measured, which is too short for stable figures; increase "
		    "--time");
	expect_text(NOTICE_SUSPENDED, 1.26, 0,
		    "throng was stopped for 1.3 s (SIGSTOP), and the figures include this pause; "
		    "repeat the run");
	expect_text(NOTICE_MIX, 3190.4, 1638.25,
		    "the figures cover only a part of the load: on average, a measured operation "
		    "transferred 3190 bytes, but an operation of the whole load transfers 1638 "
		    "bytes; increase --time, or use --loops");
	expect_text(NOTICE_DEGRADED, 0, 0,
		    "one was played without more, which the target does not support; compare this "
		    "result only with results that have the same warning");
}

static void words_depend_on_numbers(void **state)
{
	struct notices many = list_of(NOTICE_VERIFY_UNREADABLE, 1, 0);

	expect_notice(&many.list[0], "--verify: 1 file could not be read back for lack of "
				     "permission, and was not compared");
	many.list[0].max[0] = 2;
	expect_notice(&many.list[0], "--verify: 1 to 2 files could not be read back for lack of "
				     "permission, and were not compared");
	notices_free(&many);
	expect_text(NOTICE_VERIFY_MEMORY, 1, 0,
		    "--verify: 1 user had too little memory to remember all writes, so some files "
		    "were not compared; use fewer users or a smaller load");
	expect_text(NOTICE_VERIFY_MEMORY, 3, 0,
		    "--verify: 3 users had too little memory to remember all writes, so some files "
		    "were not compared; use fewer users or a smaller load");
}

static void the_place_comes_first(void **state)
{
	const struct notice notice = {
		.kind = NOTICE_STUCK,
		.place = "at 4 users",
		.repeat = 2,
		.load = "a.load",
	};

	expect_notice(&notice, "at 4 users: repeat 2: \"a.load\": throng killed users that did not "
			       "stop at the end of the measured time");
}

static void numbers_of_merged_notices_are_not_written(void **state)
{
	struct notices notices = {0};
	json_t *list;

	NOTICE_ADD(&notices, NOTICE_SILENT, .place = "at 4 users", .load = "a", .numbers = {2});
	notices.list[0].max[0] = 3;
	list = notices_json(&notices);
	assert_null(json_object_get(json_array_get(list, 0), "silent_s"));
	assert_string_equal(json_string_value(json_object_get(json_array_get(list, 0), "text")),
			    "at 4 users: \"a\": no operation completed in 2 to 3 whole seconds, "
			    "although users were waiting for the target; the figures include this "
			    "time (look for a cause such as a long flush)");
	json_decref(list);
	notices_free(&notices);
}

int unit_notice(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_code_is_a_different_word),
		cmocka_unit_test(patterns_have_all_names_and_numbers),
		cmocka_unit_test(each_kind_has_different_keys),
		cmocka_unit_test(reading_a_notice_again_changes_nothing),
		cmocka_unit_test(numbers_have_the_form_of_their_kind),
		cmocka_unit_test(words_depend_on_numbers),
		cmocka_unit_test(the_place_comes_first),
		cmocka_unit_test(numbers_of_merged_notices_are_not_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
