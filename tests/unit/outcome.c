/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "program/outcome.h"

#include <errno.h>

static void errnos_become_outcomes(void **state)
{
	static const struct {
		int error_number;
		enum outcome outcome;
	} rows[] = {
		{0, OUTCOME_OK},
		{ENOENT, OUTCOME_NOT_FOUND},
		{EEXIST, OUTCOME_EXISTS},
		{ENOTEMPTY, OUTCOME_NOT_EMPTY},
		{EISDIR, OUTCOME_IS_DIRECTORY},
		{ENOTDIR, OUTCOME_NOT_DIRECTORY},
		{EACCES, OUTCOME_DENIED},
		{EPERM, OUTCOME_NOT_PERMITTED},
		{ENOSPC, OUTCOME_NO_SPACE},
		{EDQUOT, OUTCOME_QUOTA},
		{ENXIO, OUTCOME_NO_DEVICE},
		{ENODEV, OUTCOME_NO_DEVICE},
		{ELOOP, OUTCOME_SYMBOLIC_LINK},
		{EMLINK, OUTCOME_TOO_MANY_LINKS},
		{EAGAIN, OUTCOME_LOCKED},
		{EWOULDBLOCK, OUTCOME_LOCKED},
		{EBADF, OUTCOME_BAD_HANDLE},
		{EPIPE, OUTCOME_DISCONNECTED},
		{ENETRESET, OUTCOME_DISCONNECTED}, /* from libsmbclient */
		{EOPNOTSUPP, OUTCOME_UNSUPPORTED},
		{ENOTSUP, OUTCOME_UNSUPPORTED},
		{ENOSYS, OUTCOME_UNSUPPORTED},
		{EIO, OUTCOME_IO},
		/* An unknown errno is never a success. */
		{99999, OUTCOME_IO},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		if (outcome_from_errno(rows[i].error_number) != rows[i].outcome)
			fail_msg("%s", strerror(rows[i].error_number));
}

static void nt_statuses_have_names_and_numbers(void **state)
{
	static const struct {
		const char *name, *number;
		outcome_set accepts;
	} rows[] = {
		{"NT_STATUS_OK", "0x00000000", OUTCOME_BIT(OK)},
		{"NT_STATUS_NO_SUCH_FILE", "0xc000000f", OUTCOME_BIT(NOT_FOUND)},
		{"NT_STATUS_OBJECT_NAME_NOT_FOUND", "0xc0000034", OUTCOME_BIT(NOT_FOUND)},
		{"NT_STATUS_OBJECT_PATH_NOT_FOUND", "0xC000003A", OUTCOME_BIT(NOT_FOUND)},
		{"NT_STATUS_OBJECT_NAME_COLLISION", "0xc0000035", OUTCOME_BIT(EXISTS)},
		{"NT_STATUS_FILE_IS_A_DIRECTORY", "0xc00000ba", OUTCOME_BIT(IS_DIRECTORY)},
		{"NT_STATUS_NOT_A_DIRECTORY", "0xc0000103", OUTCOME_BIT(NOT_DIRECTORY)},
		{"NT_STATUS_DIRECTORY_NOT_EMPTY", "0xc0000101", OUTCOME_BIT(NOT_EMPTY)},
		{"NT_STATUS_ACCESS_DENIED", "0xc0000022",
		 OUTCOME_BIT(DENIED) | OUTCOME_BIT(NOT_PERMITTED)},
		{"NT_STATUS_SHARING_VIOLATION", "0xc0000043", OUTCOME_BIT(BUSY)},
		{"NT_STATUS_DISK_FULL", "0xc000007f", OUTCOME_BIT(NO_SPACE) | OUTCOME_BIT(QUOTA)},
		{"NT_STATUS_QUOTA_EXCEEDED", "0xc0000044",
		 OUTCOME_BIT(NO_SPACE) | OUTCOME_BIT(QUOTA)},
		/* SMB has one status for all failures of a device. */
		{"NT_STATUS_IO_DEVICE_ERROR", "0xc0000185",
		 OUTCOME_BIT(IO) | OUTCOME_BIT(NO_DEVICE) | OUTCOME_BIT(REMOTE) |
			 OUTCOME_BIT(NOT_SYNC) | OUTCOME_BIT(BAD_COOKIE) |
			 OUTCOME_BIT(SERVER_FAULT)},
		{"NT_STATUS_END_OF_FILE", "0xc0000011", OUTCOME_BIT(OK)},
		{"NT_STATUS_INVALID_LOCK_RANGE", "0xc00001a1", OUTCOME_BIT(INVALID)},
	};
	outcome_set accepts;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(outcome_from_nt_status(rows[i].name, &accepts), 0);
		assert_int_equal(accepts, rows[i].accepts);
		assert_int_equal(outcome_from_nt_status(rows[i].number, &accepts), 0);
		assert_int_equal(accepts, rows[i].accepts);
	}
}

static void invalid_nt_statuses_are_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"OK",
		"NT_STATUS_",
		"NT_STATUS_NO_SUCH_THING",
		"nt_status_ok",
		"NT_STATUS_NETWORK_NAME_DELETED",
		"0x",
		"0xc0000034x",
		"0xzz",
		"0x1",
		"0x1c0000034",
		"0x10000000000000000c0000034",
		"0x-1",
		"0x 1",
	};
	outcome_set accepts;
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		if (outcome_from_nt_status(texts[i], &accepts) != -EINVAL)
			fail_msg("\"%s\" was accepted", texts[i]);
}

static void nfs_statuses_are_one_outcome_each(void **state)
{
	static const struct {
		const char *number;
		bool lock_manager;
		outcome_set accepts;
	} rows[] = {
		{"0x00000000", false, OUTCOME_BIT(OK)},
		{"0x0", false, OUTCOME_BIT(OK)},
		{"0x00000001", false, OUTCOME_BIT(NOT_PERMITTED)},
		{"0x00000002", false, OUTCOME_BIT(NOT_FOUND)},
		{"0x0000000d", false, OUTCOME_BIT(DENIED)},
		{"0x0000000D", false, OUTCOME_BIT(DENIED)},
		{"0x00000011", false, OUTCOME_BIT(EXISTS)},
		{"0x0000001f", false, OUTCOME_BIT(TOO_MANY_LINKS)},
		{"0x00000042", false, OUTCOME_BIT(NOT_EMPTY)},
		{"0x00000045", false, OUTCOME_BIT(QUOTA)},
		{"0x00002711", false, OUTCOME_BIT(BAD_HANDLE)},
		{"0x00002716", false, OUTCOME_BIT(SERVER_FAULT)},
		{"0x00000001", true, OUTCOME_BIT(LOCKED)},
		{"0x00000002", true, OUTCOME_BIT(NO_SPACE)},
		{"0x00000007", true, OUTCOME_BIT(STALE)},
	};
	static const struct {
		const char *text;
		bool lock_manager;
	} wrong[] = {
		{"", false},     {"0", false},           {"0x", false}, {"0x3", false},
		{"0x2x", false}, {"0x100000002", false}, {"OK", false}, {"NT_STATUS_OK", false},
		{"0xa", true},   {"0x11", true},
	};
	outcome_set accepts;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(
			outcome_from_nfs_status(rows[i].number, rows[i].lock_manager, &accepts), 0);
		assert_int_equal(accepts, rows[i].accepts);
	}
	for (i = 0; i < LENGTH(wrong); i++)
		if (outcome_from_nfs_status(wrong[i].text, wrong[i].lock_manager, &accepts) !=
		    -EINVAL)
			fail_msg("\"%s\" was accepted", wrong[i].text);
}

static void only_two_pairs_are_kin(void **state)
{
	outcome_set access = OUTCOME_BIT(DENIED) | OUTCOME_BIT(NOT_PERMITTED);
	outcome_set space = OUTCOME_BIT(NO_SPACE) | OUTCOME_BIT(QUOTA);
	unsigned i;

	for (i = 0; i < OUTCOME_COUNT; i++) {
		outcome_set one = UINT32_C(1) << i;
		outcome_set kin = (one & access) != 0 ? access : (one & space) != 0 ? space : one;

		assert_int_equal(outcome_kin(one), kin);
	}
	assert_int_equal(outcome_kin(OUTCOME_BIT(OK) | OUTCOME_BIT(QUOTA)),
			 OUTCOME_BIT(OK) | space);
	assert_int_equal(outcome_kin(0), 0);
}

static void sets_are_parsed_in_their_native_form(void **state)
{
	static const struct {
		const char *text;
		outcome_set set;
	} rows[] = {
		{"OK", OUTCOME_BIT(OK)},
		{"ENOENT", OUTCOME_BIT(NOT_FOUND)},
		{"OK|EEXIST", OUTCOME_BIT(OK) | OUTCOME_BIT(EXISTS)},
		{"EIO|OK|EIO", OUTCOME_BIT(OK) | OUTCOME_BIT(IO)},
		{"*", OUTCOME_ANY},
		{"ERROR", OUTCOME_ANY_FAILURE},
	};
	static const char *const wrong[] = {
		"",         "|",    "OK|", "|OK",    "ok", "OK|*",
		"ERROR|OK", "OKAY", "O",   "ENODEV", "0",  "OK EIO",
	};
	outcome_set set;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(outcome_parse_set(rows[i].text, &set), 0);
		assert_int_equal(set, rows[i].set);
	}
	for (i = 0; i < LENGTH(wrong); i++)
		if (outcome_parse_set(wrong[i], &set) != -EINVAL)
			fail_msg("\"%s\" was accepted", wrong[i]);
}

static void a_printed_set_is_read_as_the_same_set(void **state)
{
	char text[OUTCOME_TEXT];
	outcome_set set, again;
	unsigned first, second;

	for (first = 0; first < OUTCOME_COUNT; first++) {
		for (second = 0; second < OUTCOME_COUNT; second++) {
			set = UINT32_C(1) << first | UINT32_C(1) << second;
			outcome_print_set(set, text);
			assert_int_equal(outcome_parse_set(text, &again), 0);
			assert_int_equal(again, set);
			/* Also try the complement, which has a long text. */
			set = (OUTCOME_ANY | OUTCOME_LOSS) & ~set;
			outcome_print_set(set, text);
			assert_int_equal(outcome_parse_set(text, &again), 0);
			assert_int_equal(again, set);
		}
	}
	set = OUTCOME_ANY | OUTCOME_LOSS;
	outcome_print_set(set, text);
	assert_int_equal(outcome_parse_set(text, &again), 0);
	assert_int_equal(again, set);
	assert_string_equal(outcome_print_set(OUTCOME_ANY, text), "*");
	assert_string_equal(outcome_print_set(OUTCOME_ANY_FAILURE, text), "ERROR");
	assert_string_equal(outcome_print_set(OUTCOME_BIT(EXISTS) | OUTCOME_BIT(OK), text),
			    "OK|EEXIST");
}

static void only_members_are_in_a_set(void **state)
{
	outcome_set set = OUTCOME_BIT(OK) | OUTCOME_BIT(IO);

	assert_true(outcome_in(set, OUTCOME_OK));
	assert_true(outcome_in(set, OUTCOME_IO));
	assert_false(outcome_in(set, OUTCOME_NOT_FOUND));
	assert_false(outcome_in(OUTCOME_ANY_FAILURE, OUTCOME_OK));
	assert_true(outcome_in(OUTCOME_ANY_FAILURE, OUTCOME_SHORT));
	assert_true(outcome_in(OUTCOME_ANY, OUTCOME_IO));
}

/* `*` and ERROR do not accept the loss of the target. */
static void a_lost_target_is_accepted_by_name_only(void **state)
{
	outcome_set set;

	assert_int_equal(outcome_parse_set("*", &set), 0);
	assert_false(outcome_in(set, outcome_from_errno(ETIMEDOUT)));
	assert_false(outcome_in(set, outcome_from_errno(ECONNRESET)));
	assert_int_equal(outcome_parse_set("ERROR", &set), 0);
	assert_false(outcome_in(set, outcome_from_errno(ETIMEDOUT)));
	assert_false(outcome_in(set, outcome_from_errno(ECONNRESET)));
	assert_int_equal(outcome_parse_set("OK|ETIMEDOUT", &set), 0);
	assert_true(outcome_in(set, outcome_from_errno(ETIMEDOUT)));
}

int unit_outcome(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(errnos_become_outcomes),
		cmocka_unit_test(nt_statuses_have_names_and_numbers),
		cmocka_unit_test(invalid_nt_statuses_are_refused),
		cmocka_unit_test(nfs_statuses_are_one_outcome_each),
		cmocka_unit_test(only_two_pairs_are_kin),
		cmocka_unit_test(sets_are_parsed_in_their_native_form),
		cmocka_unit_test(a_printed_set_is_read_as_the_same_set),
		cmocka_unit_test(only_members_are_in_a_set),
		cmocka_unit_test(a_lost_target_is_accepted_by_name_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
