/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "base/process.h"

#include <errno.h>
#include <signal.h>

#define DEADLINE_NS (60 * NS_PER_S)

static int call(int (*function)(void *shared), struct error *error)
{
	*error = (struct error){0};
	/* Flush stdio, or a child that calls exit() also prints our buffered
	 * text. */
	fflush(NULL);
	return process_call(function, NULL, DEADLINE_NS, NULL, CLOCK_NEVER, false, "a call", error);
}

static int succeed(void *shared)
{
	return 0;
}

static int fail_with_a_large_number(void *shared)
{
	return -1000;
}

static void a_call_returns_what_its_function_returns(void **state)
{
	struct error error;

	assert_int_equal(call(succeed, &error), 0);
	assert_false(error.set);
	/* -1000 does not fit into an exit status, but must be returned. */
	assert_int_equal(call(fail_with_a_large_number, &error), -1000);
	assert_false(error.set);
}

static int exit_with_0(void *shared)
{
	exit(0);
}

static int exit_with_1(void *shared)
{
	_exit(1);
}

static int die(void *shared)
{
	raise(SIGKILL);
	return 0;
}

static void any_exit_status_is_an_error(void **state)
{
	struct error error;

	assert_int_equal(call(exit_with_0, &error), -ECHILD);
	assert_string_equal(error.text, "the helper process for a call exited with status 0");
	assert_int_equal(call(exit_with_1, &error), -ECHILD);
	assert_string_equal(error.text, "the helper process for a call exited with status 1");
	assert_int_equal(call(die, &error), -ECHILD);
	assert_string_equal(error.text,
			    "the helper process for a call was killed by signal 9 (Killed)");
}

static int sleep_long(void *shared)
{
	sleep(3600);
	return 0;
}

static void a_call_is_killed_after_its_deadline(void **state)
{
	struct error error = {0};

	fflush(NULL);
	assert_int_equal(process_call(sleep_long, NULL, NS_PER_MS, NULL, CLOCK_NEVER, false,
				      "a call", &error),
			 -ETIMEDOUT);
	assert_string_equal(error.text, "a call: no answer for 1 ms");
}

static int remove_slowly(void *shared)
{
	uint64_t *steps = shared;

	for (*steps = 0; *steps < 30; ++*steps)
		usleep(100000);
	return 0;
}

static void progress_postpones_the_deadline(void **state)
{
	const uint64_t deadline_ns = 2 * NS_PER_S; /* the call takes 3 s */
	uint64_t *steps = process_share(sizeof(*steps));
	struct error error = {0};

	fflush(NULL);
	assert_int_equal(process_call(remove_slowly, steps, deadline_ns, steps, CLOCK_NEVER, false,
				      "a call", &error),
			 0);
	assert_int_equal(process_call(remove_slowly, steps, deadline_ns, NULL, CLOCK_NEVER, false,
				      "a call", &error),
			 -ETIMEDOUT);
	/* Progress does not postpone the end of all time. */
	error = (struct error){0};
	assert_int_equal(process_call(remove_slowly, steps, deadline_ns, steps, 300 * NS_PER_MS,
				      false, "a call", &error),
			 -ETIMEDOUT);
	assert_string_equal(error.text, "a call: no end after 300 ms");
	process_unshare(steps, sizeof(*steps));
}

int unit_process(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_call_returns_what_its_function_returns),
		cmocka_unit_test(any_exit_status_is_an_error),
		cmocka_unit_test(a_call_is_killed_after_its_deadline),
		cmocka_unit_test(progress_postpones_the_deadline),
	};

	process_block_signals();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
