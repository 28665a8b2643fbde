/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "base/fibers.h"

#include <errno.h>

/* The order in which the fibers of a test have run, and what wakes them. */
struct trial {
	struct fibers *fibers;
	char order[64];
	unsigned idles;
	const void *input; /* the channel that the next idle wakes */
	uint64_t woken_ns;
};

static void note(struct trial *trial, const char *what)
{
	strcat(trial->order, what);
}

static void begin_trial(struct trial *trial)
{
	*trial = (struct trial){.fibers = fibers_open(2)};
	assert_non_null(trial->fibers);
}

static void end_trial(struct trial *trial, const char *order)
{
	fibers_join(trial->fibers);
	fibers_close(trial->fibers);
	assert_string_equal(trial->order, order);
}

static void take_turns(void *context)
{
	struct trial *trial = context;

	note(trial, "a");
	fibers_sleep(trial->fibers, NULL, 0);
	note(trial, "b");
}

static void fibers_take_turns(void **state)
{
	struct trial trial;

	begin_trial(&trial);
	assert_int_equal(fibers_begin(trial.fibers, take_turns, &trial), 0);
	assert_int_equal(fibers_begin(trial.fibers, take_turns, &trial), 0);
	/* There is only room for two. */
	assert_int_equal(fibers_begin(trial.fibers, take_turns, &trial), -ENOMEM);
	note(&trial, "m");
	end_trial(&trial, "maabb");
}

static void wait_for_input(void *context)
{
	struct trial *trial = context;

	assert_true(fibers_sleep(trial->fibers, &trial->input, CLOCK_NEVER));
	assert_int_not_equal(fibers_take_woken_ns(trial->fibers), 0);
	assert_int_equal(fibers_take_woken_ns(trial->fibers), 0);
	note(trial, "i");
}

static void receive(void *context, uint64_t until_ns)
{
	struct trial *trial = context;

	trial->idles++;
	assert_true(until_ns > clock_now_ns());
	fibers_wake(trial->fibers, trial->input);
}

static void a_thread_waits_for_input_when_all_sleep(void **state)
{
	struct trial trial;

	begin_trial(&trial);
	trial.input = &trial.input;
	fibers_on_idle(trial.fibers, receive, &trial);
	fibers_begin(trial.fibers, wait_for_input, &trial);
	fibers_begin(trial.fibers, wait_for_input, &trial);
	fibers_join(trial.fibers);
	assert_int_equal(trial.idles, 1);
	end_trial(&trial, "ii");
}

static void nap(void *context)
{
	struct trial *trial = context;
	uint64_t until_ns = clock_now_ns() + NS_PER_MS;

	assert_false(fibers_sleep(trial->fibers, &trial->input, until_ns));
	assert_true(clock_now_ns() >= until_ns);
	assert_int_equal(fibers_take_woken_ns(trial->fibers), 0);
	note(trial, "n");
}

static void sleeps_end_in_time(void **state)
{
	struct trial trial;

	begin_trial(&trial);
	fibers_begin(trial.fibers, nap, &trial);
	while (trial.order[0] == '\0')
		assert_false(fibers_sleep(trial.fibers, NULL, clock_now_ns() + NS_PER_MS));
	note(&trial, "m");
	end_trial(&trial, "nm");
}

static void wait_for_two(void *context)
{
	struct trial *trial = context;

	fibers_sleep(trial->fibers, &trial->input, clock_now_ns() + 60 * NS_PER_S);
	trial->woken_ns = fibers_take_woken_ns(trial->fibers);
}

/* The second reply to a request may come before the fiber runs. */
static void the_last_wake_counts(void **state)
{
	struct trial trial;
	uint64_t first_ns;

	begin_trial(&trial);
	fibers_begin(trial.fibers, wait_for_two, &trial);
	fibers_sleep(trial.fibers, NULL, 0);
	fibers_wake(trial.fibers, &trial.input);
	first_ns = clock_now_ns();
	fibers_wake(trial.fibers, &trial.input);
	end_trial(&trial, "");
	assert_true(trial.woken_ns >= first_ns);
	assert_true(trial.woken_ns <= clock_now_ns());
}

/* Use much of a stack, and hold numbers in registers across a switch. */
static void use_stack(void *context)
{
	struct trial *trial = context;
	volatile char bytes[256 << 10];
	double sum = 0.5;
	size_t i;

	for (i = 0; i < sizeof(bytes); i += 4096)
		bytes[i] = (char)(i >> 12);
	for (i = 0; i < sizeof(bytes); i += 4096) {
		fibers_sleep(trial->fibers, NULL, 0);
		sum += bytes[i];
	}
	assert_true(sum == 63 * 64 / 2 + 0.5);
}

static void each_has_a_stack_of_its_own(void **state)
{
	struct trial trial;

	begin_trial(&trial);
	fibers_begin(trial.fibers, use_stack, &trial);
	fibers_begin(trial.fibers, use_stack, &trial);
	end_trial(&trial, "");
}

int unit_fibers(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(fibers_take_turns),
		cmocka_unit_test(a_thread_waits_for_input_when_all_sleep),
		cmocka_unit_test(sleeps_end_in_time),
		cmocka_unit_test(the_last_wake_counts),
		cmocka_unit_test(each_has_a_stack_of_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
