/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/intern.h"

static void equal_keys_have_the_same_number(void **state)
{
	struct intern table = {0};
	int is_new;

	assert_int_equal(intern(&table, "a", 1, &is_new), 0);
	assert_true(is_new);
	assert_int_equal(intern(&table, "b", 1, &is_new), 1);
	assert_true(is_new);
	assert_int_equal(intern(&table, "a", 1, &is_new), 0);
	assert_false(is_new);
	intern_free(&table);
	/* A freed table is empty. */
	assert_int_equal(intern(&table, "b", 1, &is_new), 0);
	assert_true(is_new);
	intern_free(&table);
}

static void keys_are_bytes_not_strings(void **state)
{
	static const struct {
		const char *bytes;
		size_t length;
	} keys[] = {
		{"", 0}, {"\0", 1}, {"\0\0", 2}, {"a\0b", 3}, {"a\0c", 3}, {"a", 1}, {"ab", 2},
	};
	struct intern table = {0};
	size_t i;
	int is_new;

	for (i = 0; i < LENGTH(keys); i++) {
		assert_int_equal(intern(&table, keys[i].bytes, keys[i].length, &is_new), i);
		assert_true(is_new);
	}
	assert_int_equal(table.count, LENGTH(keys));
	intern_free(&table);
}

static void numbers_stay_when_the_table_grows(void **state)
{
	enum { KEYS = 20000 };
	struct intern table = {0};
	unsigned round, i;
	char key[32];
	int is_new;

	for (round = 0; round < 2; round++) {
		for (i = 0; i < KEYS; i++) {
			snprintf(key, sizeof(key), "/dir%u/file%u", i % 97, i);
			assert_int_equal(intern(&table, key, strlen(key), &is_new), i);
			assert_int_equal(is_new, round == 0);
			assert_string_equal(table.keys[i].bytes, key);
		}
	}
	intern_free(&table);
}

int unit_intern(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_keys_have_the_same_number),
		cmocka_unit_test(keys_are_bytes_not_strings),
		cmocka_unit_test(numbers_stay_when_the_table_grows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
