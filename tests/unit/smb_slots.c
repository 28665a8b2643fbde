/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "target/smb_slots.h"

#include <errno.h>

static struct smb_slots slots;

static void a_slot_is_used_again_after_its_release(void **state)
{
	smb_slots_start(&slots);
	assert_int_equal(smb_slot_find(&slots), 0);
	assert_int_equal(smb_slot_find(&slots), 0);
	smb_slot_take(&slots);
	assert_int_equal(smb_slot_find(&slots), 1);
	smb_slot_take(&slots);
	smb_slot_release(&slots, 0);
	assert_int_equal(smb_slot_find(&slots), 0);
	smb_slot_take(&slots);
	assert_int_equal(smb_slot_find(&slots), 2);
	assert_int_equal(slots.used, 3);
}

static void all_slots_can_be_used_at_the_same_time(void **state)
{
	int64_t i;

	smb_slots_start(&slots);
	for (i = 0; i < SMB_HANDLE_MAX; i++) {
		assert_int_equal(smb_slot_find(&slots), i);
		assert_int_equal(smb_slot_keep(&slots, i, "path"), 0);
		smb_slot_take(&slots);
	}
	assert_int_equal(smb_slot_find(&slots), -EMFILE);
	smb_slot_release(&slots, 7);
	assert_int_equal(smb_slot_find(&slots), 7);
}

static void a_slot_reuses_the_room_of_its_text(void **state)
{
	char text[4 * SMB_TEXT_BYTES];
	int i;

	smb_slots_start(&slots);
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	assert_int_equal(smb_slot_find(&slots), 0);
	for (i = 0; i < SMB_HANDLE_MAX; i++) {
		assert_int_equal(smb_slot_keep(&slots, 0, text), 0);
		assert_string_equal(slots.slots[0].text, text);
		assert_int_equal(smb_slot_keep(&slots, 0, "short"), 0);
		assert_string_equal(slots.slots[0].text, "short");
	}
}

static void long_texts_leave_no_room_for_others(void **state)
{
	static char text[sizeof(slots.texts) / 2 + 1];

	smb_slots_start(&slots);
	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(smb_slot_find(&slots), 0);
	smb_slot_take(&slots);
	assert_int_equal(smb_slot_keep(&slots, 0, text), 0);
	assert_int_equal(smb_slot_find(&slots), 1);
	assert_int_equal(smb_slot_keep(&slots, 1, "path"), -EMFILE);
	assert_string_equal(slots.slots[0].text, text);
}

int unit_smb_slots(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_slot_is_used_again_after_its_release),
		cmocka_unit_test(all_slots_can_be_used_at_the_same_time),
		cmocka_unit_test(a_slot_reuses_the_room_of_its_text),
		cmocka_unit_test(long_texts_leave_no_room_for_others),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
