/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "run/failure.h"

#include <errno.h>

/* Check the message about operation number `op` of the load below, if it
 * returned `returned`. */
static void check(uint32_t op, int64_t returned, const char *wanted)
{
	static const char load[] = "Open:open \"/client1/f\" read 1 OK\n"
				   "read 1 0 10 10 OK\n"
				   "list \"/client1/*\" 10 3 OK\n"
				   "stat \"/client1/g\" ENOENT\n"
				   "rmdir \"/client1/d\" ENOTEMPTY|EACCES\n"
				   "statvfs OK\n";
	struct program *program = load_text(load);
	struct stats_failure failure = {
		.user = 7,
		.op = op,
		.returned = returned,
	};
	char text[FAILURE_TEXT], *after_source;

	assert_ptr_equal(failure_describe(program, &failure, false, text), text);
	assert_memory_equal(text, "user 7: ", 8);
	assert_memory_equal(text + 8, program->source, strlen(program->source));
	after_source = text + 8 + strlen(program->source);
	assert_string_equal(after_source, wanted);
	program_free(program);
}

static void operations_have_line_path_and_expectation(void **state)
{
	check(0, -ENOENT,
	      ":1: Open \"clients/client7/f\": No such file or directory; expected: OK");
	check(1, 7, ":2: read \"clients/client7/f\": 7 bytes; expected: 10");
	check(1, -EIO, ":2: read \"clients/client7/f\": Input/output error; expected: OK");
	check(2, 4, ":3: list \"clients/client7/*\": 4 entries; expected: 3");
	check(3, 0, ":4: stat \"clients/client7/g\": success; expected: ENOENT");
	check(4, 0, ":5: rmdir \"clients/client7/d\": success; expected: ENOTEMPTY|EACCES");
}

static void outcomes_of_recordings_were_recorded(void **state)
{
	static const struct stats_failure failure = {
		.user = 1,
		.returned = -ENOENT,
	};
	struct program *program = load_text("Rmdir \"\\client1\\d\" NT_STATUS_OK\n");
	char text[FAILURE_TEXT];

	assert_string_equal(program->dialect, "netbench");
	failure_describe(program, &failure, false, text);
	assert_non_null(strstr(text, "directory; recorded: OK"));
	program_free(program);
}

static void other_failures_name_the_action(void **state)
{
	struct stats_failure failure = {
		.user = 3,
		.op = UINT32_MAX,
		.returned = -ENOSPC,
		.doing = "make",
		.path = "clients/client3",
	};
	char text[FAILURE_TEXT];

	assert_string_equal(failure_describe(NULL, &failure, false, text),
			    "user 3: cannot make \"clients/client3\": No space left on device");
}

static void the_reason_of_a_loss_follows_the_error(void **state)
{
	struct program *program = load_text("stat \"/client1/g\" OK\n");
	struct stats_failure failure = {
		.user = 1,
		.op = 0,
		.returned = -ENOTCONN,
		.doing = "open",
		.path = "far",
		.reason = "no tag",
	};
	char text[FAILURE_TEXT];

	failure_describe(program, &failure, false, text);
	assert_non_null(strstr(
		text, "\"far\": Transport endpoint is not connected (no tag); expected: OK"));
	failure.op = UINT32_MAX;
	assert_string_equal(
		failure_describe(NULL, &failure, false, text),
		"user 1: cannot open \"far\": Transport endpoint is not connected (no tag)");
	program_free(program);
}

static void the_played_path_is_reported(void **state)
{
	struct program *program = load_text("stat \"/client1/$$1\" OK\n");
	struct stats_failure failure = {
		.user = 1,
		.op = 0,
		.returned = -EACCES,
		.path = "clients/client1/abc",
	};
	char text[FAILURE_TEXT];

	failure_describe(program, &failure, false, text);
	assert_non_null(
		strstr(text, ":1: stat \"clients/client1/abc\": Permission denied; expected: OK"));
	program_free(program);
}

int unit_failure(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_have_line_path_and_expectation),
		cmocka_unit_test(outcomes_of_recordings_were_recorded),
		cmocka_unit_test(other_failures_name_the_action),
		cmocka_unit_test(the_reason_of_a_loss_follows_the_error),
		cmocka_unit_test(the_played_path_is_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
