/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "program/outcome.h"
#include "words/nt_status.h"

#include <errno.h>

/* Compare the errno of a status with the outcomes that a load means by it.
 * Return false if loads cannot name the status. */
static bool agrees(uint32_t status)
{
	enum outcome outcome;
	outcome_set accepted;
	char text[16];

	snprintf(text, sizeof(text), "0x%08x", status);
	if (outcome_from_nt_status(text, &accepted) < 0)
		return false;
	outcome = outcome_from_errno(-nt_status_errno(status));
	if (!outcome_in(accepted, outcome))
		fail_msg("%s becomes %s", text, strerror(-nt_status_errno(status)));
	return true;
}

static void statuses_mean_the_same_in_loads(void **state)
{
	unsigned known = 0;
	uint32_t low;

	for (low = 0; low < 0x1000; low++) {
		if ((0xc0000000 | low) != NT_STATUS_END_OF_FILE)
			known += agrees(0xc0000000 | low);
		known += agrees(0x80000000 | low);
	}
	known += agrees(NT_STATUS_OK);
	assert_in_range(known, 40, 100);
}

static void other_statuses_have_a_meaning_too(void **state)
{
	assert_int_equal(nt_status_errno(0xc0000203), -ENOTCONN);
	assert_int_equal(nt_status_errno(0xc000006d), -EACCES);
	assert_int_equal(nt_status_errno(0xc00001a1), -EINVAL);
	assert_int_equal(nt_status_errno(NT_STATUS_END_OF_FILE), -EIO);
	assert_int_equal(nt_status_errno(0xc0ffffff), -EIO);
	assert_int_equal(nt_status_errno(0xffffffff), -EIO);
	assert_int_equal(nt_status_errno(0x103), -EIO);
	assert_int_equal(nt_status_errno(0x40000000), -EIO);
	assert_int_equal(nt_status_errno(0x80ffffff), -EIO);
	assert_int_equal(nt_status_errno(NT_STATUS_BUFFER_OVERFLOW), 0);
}

int unit_nt_status(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses_mean_the_same_in_loads),
		cmocka_unit_test(other_statuses_have_a_meaning_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
