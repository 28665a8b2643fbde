/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "sweep/settings.h"

#include <errno.h>

static void user_lists_mean_what_the_manual_says(void **state)
{
	static const struct {
		const char *text;
		unsigned counts[12]; /* a 0 ends the list */
	} rows[] = {
		{"8", {8}},
		{"1,2,4", {1, 2, 4}},
		{"4,2,2", {4, 2}},
		{"1-64x2", {1, 2, 4, 8, 16, 32, 64}},
		{"1-63x2", {1, 2, 4, 8, 16, 32}},
		{"3-100x10", {3, 30}},
		{"4-20+4", {4, 8, 12, 16, 20}},
		{"1-10+4", {1, 5, 9}},
		{"5-5+1", {5}},
		{"5-5x2", {5}},
		{"1,4-12+4,20-40x2", {1, 4, 8, 12, 20, 40}},
		{"100000", {100000}},
		{"50000-100000x2", {50000, 100000}},
	};
	size_t i, at;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		unsigned *counts = NULL;
		size_t count = 0;

		if (settings_parse_users(rows[i].text, &counts, &count, &error) != 0)
			fail_msg("%s", error.text);
		for (at = 0; at < count; at++)
			if (counts[at] != rows[i].counts[at])
				fail_msg("\"%s\": %u", rows[i].text, counts[at]);
		assert_int_equal(rows[i].counts[count], 0);
		free(counts);
	}
}

static void bad_user_lists_are_refused_with_a_reason(void **state)
{
	static const struct {
		const char *text, *refusal;
	} rows[] = {
		{"", "--users: \"\" has an empty item; expected user counts such as 8 or 1,2,4"},
		{"1,",
		 "--users: \"1,\" has an empty item; expected user counts such as 8 or 1,2,4"},
		{",1",
		 "--users: \",1\" has an empty item; expected user counts such as 8 or 1,2,4"},
		{"1,,2",
		 "--users: \"1,,2\" has an empty item; expected user counts such as 8 or 1,2,4"},
		{"0", "--users: 0 is out of range (1 to 100000)"},
		{"100001", "--users: 100001 is out of range (1 to 100000)"},
		{"1.5", "--users: \"1.5\" is not a list of user counts; expected for example 8 or "
			"1,2,4 or 1-4+1 or 1-64x2"},
		{"1..4", "--users: \"1..4\" is not a list of user counts; expected for example 8 "
			 "or 1,2,4 or 1-4+1 or 1-64x2"},
		{"two", "--users: \"two\" is not a list of user counts; expected for example 8 or "
			"1,2,4 or 1-4+1 or 1-64x2"},
		{"-4", "--users: \"-4\" is not a range; expected a range such as 1-64x2"},
		{"1-64", "--users: the range \"1-64\" has no step; expected a range such as 1-64+1 "
			 "or 1-64x2"},
		{"8-1",
		 "--users: the range \"8-1\" has no step; expected a range such as 1-8+1 or 1-8x2"},
		{"1-64x1", "--users: 1 is out of range (2 to 100000)"},
		{"1-64x0", "--users: 0 is out of range (2 to 100000)"},
		{"1-64+0", "--users: 0 is out of range (1 to 100000)"},
		{"1-64x", "--users: the range \"1-64\" needs a whole number after x or +; expected "
			  "a range such as 1-64+1 or 1-64x2"},
		{"1-64x2x2", "--users: the range \"1-64\" needs a whole number after x or +; "
			     "expected a range such as 1-64+1 or 1-64x2"},
		{"-64x2", "--users: \"-64x2\" is not a range; expected a range such as 1-64x2"},
		{"1-x2", "--users: \"1-x2\" is not a range; expected a range such as 1-64x2"},
		{"64-1x2", "--users: the range \"64-1\" is empty; expected a range such as "
			   "1-64+1 or 1-64x2"},
		{"1-100000+1", "--users: the list has more than 10000 user counts"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		unsigned *counts = NULL;
		size_t count = 0;

		if (settings_parse_users(rows[i].text, &counts, &count, &error) != -EINVAL)
			fail_msg("\"%s\" was taken", rows[i].text);
		assert_string_equal(error.text, rows[i].refusal);
		assert_null(counts);
	}
}

static void settings_of_a_load_are_split(void **state)
{
	const char *const texts[] = {"bs=4Ki", "how=a-b", NULL};
	struct error error = {0};
	struct load_setting *list = NULL;
	size_t count = 9;

	assert_int_equal(load_settings_parse(texts, &list, &count, &error), 0);
	assert_int_equal(count, 2);
	assert_string_equal(list[0].name, "bs");
	assert_string_equal(list[0].value, "4Ki");
	assert_string_equal(list[1].name, "how");
	assert_string_equal(list[1].value, "a-b");
	free(list);
	list = NULL;
	assert_int_equal(load_settings_parse(NULL, &list, &count, &error), 0);
	assert_int_equal(count, 0);
	assert_null(list);
}

static void bad_settings_of_a_load_are_refused_with_a_reason(void **state)
{
	static const struct {
		const char *texts[3], *refusal;
	} rows[] = {
		{{"bs"},
		 "--set: \"bs\" must be one NAME=VALUE, such as bs=4Ki; give --set once per "
		 "parameter"},
		{{"bs="},
		 "--set: \"bs=\" must be one NAME=VALUE, such as bs=4Ki; give --set once per "
		 "parameter"},
		{{"=1"},
		 "--set: \"=1\" must be one NAME=VALUE, such as bs=4Ki; give --set once per "
		 "parameter"},
		{{"reads=70,depth=16"},
		 "--set: \"reads=70,depth=16\" must be one NAME=VALUE, such as bs=4Ki; give --set "
		 "once per parameter"},
		{{"bs=1", "bs=2"},
		 "--set: bs is given with two values, 1 and 2; give only one value"},
	};
	size_t i, count;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		struct load_setting *list = NULL;

		assert_int_equal(load_settings_parse(rows[i].texts, &list, &count, &error),
				 -EINVAL);
		assert_string_equal(error.text, rows[i].refusal);
		assert_null(list);
	}
}

static void data_is_a_word_or_bytes(void **state)
{
	static const struct {
		const char *text;
		enum data_kind kind;
		unsigned char bytes[8];
	} rows[] = {
		{"random", DATA_RANDOM, {0}},
		{"zero", DATA_ZERO, {0}},
		{"pattern", DATA_PATTERN, {0}},
		{"0x0f", DATA_FIXED, {15, 15, 15, 15, 15, 15, 15, 15}},
		{"0x12aB", DATA_FIXED, {0x12, 0xab, 0x12, 0xab, 0x12, 0xab, 0x12, 0xab}},
		{"0x39c39c38", DATA_FIXED, {0x39, 0xc3, 0x9c, 0x38, 0x39, 0xc3, 0x9c, 0x38}},
		{"0x0102030405060708", DATA_FIXED, {1, 2, 3, 4, 5, 6, 7, 8}},
	};
	static const char *const wrong[] = {
		"",         "Random", "0x",   "0x1",      "0x123", "0x1234567",
		"0x123456", "0x1g",   "0x-1", "39c39c39", "0X12",  "0x112233445566778899",
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct settings settings = {0};
		struct error error = {0};

		assert_int_equal(settings_parse_data(rows[i].text, &settings, &error), 0);
		assert_int_equal(settings.data, rows[i].kind);
		assert_memory_equal(&settings.data_fixed, rows[i].bytes, 8);
	}
	for (i = 0; i < LENGTH(wrong); i++) {
		struct settings settings = {.data = DATA_ZERO};
		struct error error = {0};

		assert_int_equal(settings_parse_data(wrong[i], &settings, &error), -EINVAL);
		assert_int_equal(settings.data, DATA_ZERO);
		assert_non_null(
			strstr(error.text, "must be random, zero, pattern or 0x with 2, 4,"));
	}
}

int unit_settings(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(user_lists_mean_what_the_manual_says),
		cmocka_unit_test(bad_user_lists_are_refused_with_a_reason),
		cmocka_unit_test(settings_of_a_load_are_split),
		cmocka_unit_test(bad_settings_of_a_load_are_refused_with_a_reason),
		cmocka_unit_test(data_is_a_word_or_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
