/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "play/changes.h"

static int begin(void **state)
{
	static struct changes changes;

	*state = &changes;
	return changes_open(&changes);
}

static int end(void **state)
{
	changes_close(*state);
	return 0;
}

static void expect(const struct changes *changes, size_t index, enum change_kind kind,
		   const char *path)
{
	assert_true(index < changes->count);
	assert_int_equal(changes->list[index].kind, kind);
	assert_string_equal(changes->list[index].path, path);
}

static void each_name_is_listed_once(void **state)
{
	struct changes *changes = *state;
	unsigned round;

	for (round = 0; round < 2; round++) {
		changes_add(changes, CHANGE_NAME, "a");
		changes_add(changes, CHANGE_NAME, "b");
		changes_add(changes, CHANGE_TREE, "a");
		changes_add(changes, CHANGE_NAME, "a");
		changes_add(changes, CHANGE_TREE, "a");
		assert_int_equal(changes->count, 3);
		expect(changes, 0, CHANGE_NAME, "a");
		expect(changes, 1, CHANGE_NAME, "b");
		expect(changes, 2, CHANGE_TREE, "a");
		/* After this, the names are new again. */
		changes_clear(changes);
		assert_int_equal(changes->count, 0);
	}
}

static void a_rename_that_undoes_the_last_one_is_dropped(void **state)
{
	struct changes *changes = *state;
	unsigned i;

	for (i = 0; i < CHANGES_MAX; i++) {
		changes_add_rename(changes, "a", "b");
		assert_int_equal(changes->count, 4);
		changes_add_rename(changes, "b", "a");
		assert_int_equal(changes->count, 2);
	}
	assert_false(changes->full);
	expect(changes, 0, CHANGE_NAME, "a");
	expect(changes, 1, CHANGE_NAME, "b");

	/* Any other rename is listed, and so is a repeated one. */
	changes_add_rename(changes, "a", "b");
	changes_add_rename(changes, "c", "a");
	changes_add_rename(changes, "b", "a");
	assert_int_equal(changes->count, 9);
	expect(changes, 2, CHANGE_FROM, "a");
	expect(changes, 3, CHANGE_TO, "b");
	expect(changes, 4, CHANGE_NAME, "c");
	expect(changes, 5, CHANGE_FROM, "c");
	expect(changes, 6, CHANGE_TO, "a");
	expect(changes, 7, CHANGE_FROM, "b");
	expect(changes, 8, CHANGE_TO, "a");
}

/* A directory may have been changed under its other name, also by a change that
 * the list has already. */
static void a_rename_with_a_change_after_it_is_kept(void **state)
{
	struct changes *changes = *state;

	changes_add(changes, CHANGE_NAME, "b/x");
	changes_add_rename(changes, "a", "b");
	changes_add(changes, CHANGE_NAME, "b/x");
	changes_add_rename(changes, "b", "a");
	assert_int_equal(changes->count, 7);
	expect(changes, 3, CHANGE_FROM, "a");
	expect(changes, 4, CHANGE_TO, "b");
	expect(changes, 5, CHANGE_FROM, "b");
	expect(changes, 6, CHANGE_TO, "a");

	/* The same with a rename that is undone after the change. */
	changes_clear(changes);
	changes_add(changes, CHANGE_NAME, "b/x");
	changes_add(changes, CHANGE_NAME, "c");
	changes_add(changes, CHANGE_NAME, "d");
	changes_add_rename(changes, "a", "b");
	changes_add(changes, CHANGE_NAME, "b/x");
	changes_add_rename(changes, "c", "d");
	assert_int_equal(changes->count, 9);
	changes_add_rename(changes, "d", "c");
	assert_int_equal(changes->count, 7);
	changes_add_rename(changes, "b", "a");
	assert_int_equal(changes->count, 9);
	expect(changes, 7, CHANGE_FROM, "b");
	expect(changes, 8, CHANGE_TO, "a");
}

static void a_full_list_keeps_what_it_has(void **state)
{
	struct changes *changes = *state;
	char name[5000];
	unsigned i;

	for (i = 0; i <= CHANGES_MAX; i++) {
		assert_false(changes->full);
		snprintf(name, sizeof(name), "file%u", i);
		changes_add(changes, CHANGE_NAME, name);
	}
	assert_true(changes->full);
	assert_int_equal(changes->count, CHANGES_MAX);
	expect(changes, CHANGES_MAX - 1, CHANGE_NAME, "file65535");
	changes_clear(changes);
	assert_false(changes->full);

	/* The names themselves take room as well. */
	memset(name, 'x', sizeof(name));
	for (i = 0; !changes->full; i++) {
		snprintf(name + 4000, sizeof(name) - 4000, "%u", i);
		changes_add(changes, CHANGE_NAME, name);
	}
	assert_in_range(changes->count, 1000, 1050);
	changes_add(changes, CHANGE_NAME, "short");
	expect(changes, changes->count - 1, CHANGE_NAME, "short");
}

int unit_changes(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_name_is_listed_once, begin, end),
		cmocka_unit_test_setup_teardown(a_rename_that_undoes_the_last_one_is_dropped, begin,
						end),
		cmocka_unit_test_setup_teardown(a_rename_with_a_change_after_it_is_kept, begin,
						end),
		cmocka_unit_test_setup_teardown(a_full_list_keeps_what_it_has, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
