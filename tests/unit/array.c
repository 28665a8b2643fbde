/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/array.h"

#include <errno.h>

static void room_doubles_and_the_items_stay(void **state)
{
	enum { ITEMS = 10000 };
	uint64_t *numbers = NULL;
	size_t room = 0, before, i;
	unsigned growths = 0;

	for (i = 0; i < ITEMS; i++) {
		before = room;
		assert_int_equal(array_grow(&numbers, &room, i + 1, sizeof(*numbers)), 0);
		assert_true(room > i);
		growths += room != before;
		numbers[i] = i * i;
	}
	assert_in_range(growths, 5, 20);
	for (i = 0; i < ITEMS; i++)
		assert_int_equal(numbers[i], i * i);

	/* One call may more than double the room, or not change it. */
	assert_int_equal(array_grow(&numbers, &room, 10 * room, sizeof(*numbers)), 0);
	assert_true(room >= 10 * ITEMS);
	before = room;
	assert_int_equal(array_grow(&numbers, &room, room, sizeof(*numbers)), 0);
	assert_int_equal(room, before);
	free(numbers);
}

static void appended_items_are_copies(void **state)
{
	struct item {
		char name[5];
		short number;
	} *items = NULL;
	size_t count = 0;
	short i;

	for (i = 0; i < 100; i++) {
		struct item item = {.name = "item", .number = i};

		assert_int_equal(array_append(&items, &count, &item, sizeof(item)), 0);
		assert_int_equal(count, i + 1);
		item.number = -1;
	}
	for (i = 0; i < 100; i++) {
		assert_string_equal(items[i].name, "item");
		assert_int_equal(items[i].number, i);
	}
	free(items);
}

/* These sizes exceed the address space or overflow a size_t. */
static void too_large_sizes_leave_the_array_unchanged(void **state)
{
	static const size_t wanted[] = {
		SIZE_MAX,
		SIZE_MAX / 2 + 1,
		SIZE_MAX / 4,
		SIZE_MAX / 8 + 2,
	};
	uint64_t *numbers = NULL, *first;
	uint64_t number = 7;
	size_t room = 0, count, i;

	assert_int_equal(array_grow(&numbers, &room, 1, sizeof(*numbers)), 0);
	numbers[0] = number;
	first = numbers;
	for (i = 0; i < LENGTH(wanted); i++) {
		size_t before = room;

		assert_int_equal(array_grow(&numbers, &room, wanted[i], sizeof(*numbers)), -ENOMEM);
		assert_int_equal(room, before);
		count = wanted[i];
		assert_int_equal(array_append(&numbers, &count, &number, sizeof(number)), -ENOMEM);
		assert_int_equal(count, wanted[i]);
		assert_ptr_equal(numbers, first);
		assert_int_equal(numbers[0], 7);
	}
	free(numbers);
}

int unit_array(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(room_doubles_and_the_items_stay),
		cmocka_unit_test(appended_items_are_copies),
		cmocka_unit_test(too_large_sizes_leave_the_array_unchanged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
