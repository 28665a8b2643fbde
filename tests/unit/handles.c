/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "compile/handles.h"
#include "program/op.h"

static uint32_t open_number(struct handles *handles, uint32_t number)
{
	struct handle *handle = handles_find(handles, number);

	assert_non_null(handle);
	handles_open(handles, handle);
	assert_true(handle->open);
	return handle->slot;
}

static void close_number(struct handles *handles, uint32_t number)
{
	struct handle *handle = handles_find(handles, number);

	assert_int_equal(handles_close(handles, handle), 0);
	assert_false(handle->open);
}

static void a_number_is_new_only_once(void **state)
{
	struct handles handles = {0};
	struct handle *handle = handles_find(&handles, 4711);

	assert_int_equal(handle->slot, OP_NONE);
	assert_int_equal(handle->path, OP_NONE);
	assert_false(handle->open);
	handle->path = 5;
	assert_int_equal(handles_find(&handles, 4711)->path, 5);
	assert_int_equal(handles_find(&handles, 4712)->path, OP_NONE);
	handles_free(&handles);
}

static void closed_slots_are_used_again(void **state)
{
	struct handles handles = {0};
	uint32_t number;

	/* A recording may have thousands of handle numbers. In this one, at
	 * most two are open at the same time. */
	for (number = 10000; number < 15000; number++) {
		open_number(&handles, number);
		if (number > 10000)
			close_number(&handles, number - 1);
	}
	assert_int_equal(handles.slot_count, 2);
	handles_free(&handles);
}

static void open_numbers_have_slots_of_their_own(void **state)
{
	enum { NUMBERS = 300 };
	struct handles handles = {0};
	bool taken[NUMBERS] = {false};
	uint32_t number;

	for (number = 0; number < NUMBERS; number++) {
		uint32_t slot = open_number(&handles, number * 7919);

		assert_in_range(slot, 0, NUMBERS - 1);
		assert_false(taken[slot]);
		taken[slot] = true;
	}
	assert_int_equal(handles.slot_count, NUMBERS);
	handles_free(&handles);
}

static void a_second_open_keeps_the_slot(void **state)
{
	struct handles handles = {0};
	uint32_t slot = open_number(&handles, 1);

	assert_int_equal(open_number(&handles, 1), slot);
	assert_int_equal(handles.slot_count, 1);
	handles_free(&handles);
}

static void inside_a_loop_a_closed_handle_keeps_its_slot(void **state)
{
	struct handles handles = {0};
	uint32_t slot;

	slot = open_number(&handles, 1);
	handles.keep_slots = true;
	close_number(&handles, 1);
	/* The loop's next round may use handle number 1 again, so number 2 must
	 * not get the slot of number 1. */
	assert_int_not_equal(open_number(&handles, 2), slot);
	assert_int_equal(open_number(&handles, 1), slot);
	handles.keep_slots = false;
	close_number(&handles, 1);
	assert_int_equal(open_number(&handles, 3), slot);
	handles_free(&handles);
}

int unit_handles(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_is_new_only_once),
		cmocka_unit_test(closed_slots_are_used_again),
		cmocka_unit_test(open_numbers_have_slots_of_their_own),
		cmocka_unit_test(a_second_open_keeps_the_slot),
		cmocka_unit_test(inside_a_loop_a_closed_handle_keeps_its_slot),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
