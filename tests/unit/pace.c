/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "play/pace.h"

#include <math.h>

/* A program of operations with these time stamps, in seconds; a negative one
 * stands for none. */
struct script {
	struct program program;
	struct op ops[8];
	uint64_t due_ns[8];
};

#define SCRIPT(script, ...) \
	write_script(script, (const double[]){__VA_ARGS__}, LENGTH(((const double[]){__VA_ARGS__})))

static void write_script(struct script *script, const double *stamps, size_t count)
{
	size_t i;

	*script = (struct script){
		.program = {.ops = script->ops, .op_count = count, .due_ns = script->due_ns},
	};
	for (i = 0; i < count; i++) {
		script->ops[i].kind = OP_WRITE;
		script->due_ns[i] = stamps[i] < 0 ? CLOCK_NEVER : (uint64_t)(stamps[i] * 1e9);
	}
}

static struct pace paced(const struct script *script)
{
	struct pace pace;

	pace_open(&pace, &script->program, 0, 0, 1, 1);
	pace_begin(&pace, 0, 100 * NS_PER_S, 0);
	return pace;
}

/* Open a schedule that begins at 100 s with this rate. */
static struct pace at_rate(struct program *program, double per_s, bool total, enum arrival arrival,
			   unsigned user, unsigned users, uint64_t seed)
{
	struct pace pace;

	*program = (struct program){
		.rate = {.per_s = per_s, .total = total, .arrival = arrival},
	};
	pace_open(&pace, program, 0, user, users, seed);
	pace_begin(&pace, 0, 100 * NS_PER_S, 0);
	return pace;
}

/* Due times in seconds. Operation `at` of the schedule is due; the one before
 * it ended at `ended`. */
#define EXPECT_DUE(pace, at, ended, wanted) \
	do { \
		expect_near((double)pace_next(pace, at, (uint64_t)((ended) * 1e9)), \
			    (wanted) * 1e9, 1); \
		pace_end_op(pace); \
	} while (0)

static void a_stamp_counts_from_the_beginning_of_its_loop(void **state)
{
	struct script script;
	struct pace pace;

	SCRIPT(&script, 0, 0.25, -1, 2);
	pace = paced(&script);
	assert_true(pace_is_on(&pace));
	EXPECT_DUE(&pace, 0, 100, 100);
	EXPECT_DUE(&pace, 1, 100, 100.25);
	/* Without a stamp, an operation is due when the last one has ended. */
	EXPECT_DUE(&pace, 2, 109, 109);
	/* A late operation does not move the schedule. */
	EXPECT_DUE(&pace, 3, 110, 102);
}

/* The last stamp and the mean gap of three operations are 2 s and 0.75 s. */
static void a_loop_begins_after_a_period_not_after_its_end(void **state)
{
	struct script script;
	struct pace pace;
	unsigned loop;

	SCRIPT(&script, 0.5, 1, -1, 2);
	pace = paced(&script);
	for (loop = 0; loop < 1000; loop++) {
		EXPECT_DUE(&pace, 0, 0, 100.5 + 2.75 * loop);
		EXPECT_DUE(&pace, 3, 0, 102 + 2.75 * loop);
		pace_end_loop(&pace, 5000 * NS_PER_S);
	}
}

static void a_loop_with_one_stamp_at_0_begins_after_its_end(void **state)
{
	struct script script;
	struct pace pace, copy;
	uint64_t due_ns;

	SCRIPT(&script, 0, -1);
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 100);
	EXPECT_DUE(&pace, 1, 107, 107);
	copy = pace;
	assert_false(pace_take(&copy, 1000 * NS_PER_S, &due_ns));
	pace_end_loop(&pace, 109 * NS_PER_S);
	EXPECT_DUE(&pace, 0, 109, 109);
}

static void a_stamp_holds_in_the_first_round_of_a_block_only(void **state)
{
	struct script script;
	struct pace pace;

	SCRIPT(&script, 1, 2, 3);
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 101);
	EXPECT_DUE(&pace, 1, 101, 102);
	EXPECT_DUE(&pace, 0, 102.5, 102.5);
	EXPECT_DUE(&pace, 1, 102.75, 102.75);
	EXPECT_DUE(&pace, 2, 102.8, 103);
}

static void a_prologue_ends_at_the_start(void **state)
{
	struct script script;
	struct pace pace;

	SCRIPT(&script, 1000, 2000, 2001);
	pace_open(&pace, &script.program, 0, 0, 1, 1);
	pace_begin(&pace, 1, 100 * NS_PER_S, 2000 * NS_PER_S);
	EXPECT_DUE(&pace, 1, 100, 100);
	EXPECT_DUE(&pace, 2, 100, 101);
	pace_end_loop(&pace, 0);
	/* A period is 2001 s and half of 1001 s. */
	EXPECT_DUE(&pace, 0, 0, 100 - 2000 + 2501.5 + 1000);
}

static void a_restart_makes_the_next_stamp_due(void **state)
{
	struct script script;
	struct pace pace, copy;
	uint64_t due_ns;

	SCRIPT(&script, 1, -1, 5, 7);
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 101);
	pace_restart(&pace, 200 * NS_PER_S);
	EXPECT_DUE(&pace, 1, 150, 150);
	copy = pace;
	assert_true(pace_take(&copy, 300 * NS_PER_S, &due_ns));
	assert_int_equal(due_ns, 200 * NS_PER_S);
	EXPECT_DUE(&pace, 2, 200, 200);
	EXPECT_DUE(&pace, 3, 200, 202);
}

static void a_constant_rate_does_not_drift(void **state)
{
	struct program program;
	struct pace pace = at_rate(&program, 3, false, ARRIVAL_CONSTANT, 0, 1, 1);
	unsigned i;

	for (i = 0; i < 3000000; i++) {
		uint64_t due_ns = pace_next(&pace, 0, 0);

		expect_near((double)due_ns, 1e11 + i * 1e9 / 3, 1);
	}
}

static void users_are_spread_over_a_gap(void **state)
{
	struct program program;
	unsigned user;

	for (user = 0; user < 4; user++) {
		struct pace pace = at_rate(&program, 10, false, ARRIVAL_CONSTANT, user, 4, 1);

		EXPECT_DUE(&pace, 0, 0, 100 + 0.025 * user);
		EXPECT_DUE(&pace, 1, 0, 100.1 + 0.025 * user);
		pace_restart(&pace, 200 * NS_PER_S);
		EXPECT_DUE(&pace, 2, 0, 200 + 0.025 * user);
		pace_end_loop(&pace, 300 * NS_PER_S);
		EXPECT_DUE(&pace, 0, 0, 200.1 + 0.025 * user);
	}
}

/* Phases and loops of one operation have the rate, too. */
static void restarts_do_not_raise_a_rate(void **state)
{
	static const enum arrival arrivals[] = {ARRIVAL_CONSTANT, ARRIVAL_POISSON};
	size_t i;

	for (i = 0; i < LENGTH(arrivals); i++) {
		struct program program;
		struct pace pace = at_rate(&program, 100, false, arrivals[i], 0, 1, 1);
		struct pace without = pace;
		unsigned count;

		for (count = 0; count < 1000; count++) {
			uint64_t due_ns = pace_next(&pace, 0, 0);

			assert_int_equal(due_ns, pace_next(&without, 0, 0));
			pace_restart(&pace, due_ns);
		}
	}
}

static void a_restart_drops_a_backlog_at_a_rate(void **state)
{
	struct program program;
	struct pace pace = at_rate(&program, 10, false, ARRIVAL_CONSTANT, 0, 1, 1);

	EXPECT_DUE(&pace, 0, 0, 100);
	EXPECT_DUE(&pace, 0, 0, 100.1);
	pace_restart(&pace, 100190 * NS_PER_MS);
	EXPECT_DUE(&pace, 0, 0, 100.2);
	pace_restart(&pace, 100350 * NS_PER_MS);
	EXPECT_DUE(&pace, 0, 0, 100.35);
	EXPECT_DUE(&pace, 0, 0, 100.45);
	/* It ends only once. */
	pace_restart(&pace, 100460 * NS_PER_MS);
	EXPECT_DUE(&pace, 0, 0, 100.55);
	EXPECT_DUE(&pace, 0, 200, 100.65);
}

static void a_pause_postpones_the_schedule(void **state)
{
	struct program program;
	struct script script;
	struct pace pace = at_rate(&program, 10, false, ARRIVAL_CONSTANT, 0, 1, 1);

	EXPECT_DUE(&pace, 0, 0, 100);
	pace_postpone(&pace, NS_PER_S);
	EXPECT_DUE(&pace, 0, 0, 101.1);
	SCRIPT(&script, 0, 1, 2);
	pace = paced(&script);
	EXPECT_DUE(&pace, 2, 100, 102);
	pace_end_loop(&pace, 102 * NS_PER_S);
	pace_postpone(&pace, 5 * NS_PER_S);
	EXPECT_DUE(&pace, 0, 102, 108);
}

static void a_total_rate_is_shared(void **state)
{
	struct program program;
	struct pace pace = at_rate(&program, 40, true, ARRIVAL_CONSTANT, 1, 4, 1);

	EXPECT_DUE(&pace, 0, 0, 100.025);
	EXPECT_DUE(&pace, 0, 0, 100.125);
}

/* The gaps of Poisson arrivals have a mean and a standard deviation of one gap,
 * and e^-1 of them are longer. */
static void poisson_arrivals_have_the_rate(void **state)
{
	enum { COUNT = 1000000 };
	struct program program;
	struct pace pace = at_rate(&program, 10000, false, ARRIVAL_POISSON, 0, 1, 1);
	double sum = 0, squares = 0;
	uint64_t last_ns = 100 * NS_PER_S;
	unsigned longer = 0, i;

	for (i = 0; i < COUNT; i++) {
		uint64_t due_ns = pace_next(&pace, 0, 0);
		double gap_us = (double)(due_ns - last_ns) / 1e3;

		sum += gap_us;
		squares += gap_us * gap_us;
		longer += gap_us > 100;
		last_ns = due_ns;
	}
	expect_near(sum / COUNT, 100, 0.5);
	expect_near(sqrt(squares / COUNT - 1e4), 100, 1);
	expect_near((double)longer / COUNT, exp(-1), 0.003);
}

/* A due time that does not fit into 64 bits is one that no run reaches. */
static void no_rate_is_too_low(void **state)
{
	static const enum arrival arrivals[] = {ARRIVAL_CONSTANT, ARRIVAL_POISSON};
	size_t i;

	for (i = 0; i < LENGTH(arrivals); i++) {
		struct program program;
		struct pace pace = at_rate(&program, 1e-12, true, arrivals[i], 9999, 10000, 1);

		assert_int_equal(pace_next(&pace, 0, 0), 100 * NS_PER_S + PROGRAM_DUE_MAX_NS);
	}
}

static void poisson_arrivals_follow_seed_and_user(void **state)
{
	struct program program;
	struct pace one = at_rate(&program, 10, false, ARRIVAL_POISSON, 3, 9, 1);
	struct pace same = at_rate(&program, 10, false, ARRIVAL_POISSON, 3, 9, 1);
	struct pace user = at_rate(&program, 10, false, ARRIVAL_POISSON, 4, 9, 1);
	struct pace seed = at_rate(&program, 10, false, ARRIVAL_POISSON, 3, 9, 2);
	uint64_t first_ns = pace_next(&one, 0, 0);

	assert_int_equal(pace_next(&same, 0, 0), first_ns);
	assert_int_not_equal(pace_next(&user, 0, 0), first_ns);
	assert_int_not_equal(pace_next(&seed, 0, 0), first_ns);
}

/* Return the number of operations that are due before a time in seconds and
 * have not ended, and add up their ages in milliseconds. */
static unsigned unfinished(const struct pace *pace, double before_s, uint64_t *age_ms)
{
	uint64_t before_ns = (uint64_t)(before_s * 1e9), due_ns;
	struct pace copy = *pace;
	unsigned count = 0;

	for (*age_ms = 0; pace_take(&copy, before_ns, &due_ns); count++) {
		assert_true(due_ns < before_ns);
		*age_ms += (before_ns - due_ns) / NS_PER_MS;
	}
	return count;
}

static void a_backlog_at_a_rate_is_found(void **state)
{
	struct program program;
	struct pace pace = at_rate(&program, 10, false, ARRIVAL_CONSTANT, 0, 1, 1);
	uint64_t age_ms;

	EXPECT_DUE(&pace, 0, 100, 100);
	assert_int_equal(unfinished(&pace, 100.1, &age_ms), 0);
	assert_int_equal(unfinished(&pace, 100.5, &age_ms), 4);
	assert_int_equal(age_ms, 400 + 300 + 200 + 100);
	/* The operation in flight is part of it. */
	assert_int_equal(pace_next(&pace, 0, 0), 100100 * NS_PER_MS);
	assert_int_equal(unfinished(&pace, 100.5, &age_ms), 4);
	assert_int_equal(age_ms, 400 + 300 + 200 + 100);
	pace_end_op(&pace);
	assert_int_equal(unfinished(&pace, 100.5, &age_ms), 3);
	assert_int_equal(age_ms, 300 + 200 + 100);
	pace_restart(&pace, 100400 * NS_PER_MS);
	assert_int_equal(unfinished(&pace, 100.5, &age_ms), 1);
}

/* The schedules of two streams have the same beginning, and each has the operations of
 * its own stream. */
static void streams_have_schedules_of_their_own(void **state)
{
	static const uint8_t streams[] = {0, 1, 1, 0, 1};
	struct script script;
	struct pace first, second;
	uint64_t age_ms;

	SCRIPT(&script, 1, 2, 3, 4, 5);
	first = second = paced(&script);
	first.streams = second.streams = streams;
	second.stream = 1;
	EXPECT_DUE(&first, 0, 100, 101);
	pace_end_op(&first);
	EXPECT_DUE(&second, 1, 100, 102);
	EXPECT_DUE(&second, 2, 109, 103);
	pace_end_op(&second);
	assert_int_equal(unfinished(&first, 104.5, &age_ms), 1);
	assert_int_equal(age_ms, 500);
	assert_int_equal(unfinished(&second, 104.5, &age_ms), 0);
	assert_int_equal(unfinished(&second, 105.5, &age_ms), 1);
	/* The next loop begins 6 s after this one, for both. */
	pace_end_loop(&first, 110 * NS_PER_S);
	pace_follow(&second, &first, 0);
	EXPECT_DUE(&second, 1, 100, 108);
	EXPECT_DUE(&first, 0, 100, 107);
}

/* Stamps in a MIX and operations without one have no known time. */
static void a_backlog_of_stamps_is_found(void **state)
{
	struct script script;
	struct pace pace;
	uint64_t age_ms;

	SCRIPT(&script, 0, 1, -1, 2, -1, 3);
	script.ops[2] = (struct op){.kind = OP_MIX, .jump = 5};
	script.ops[4].kind = OP_ENDMIX;
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 100);
	assert_int_equal(unfinished(&pace, 103.5, &age_ms), 2);
	assert_int_equal(age_ms, 2500 + 500);
	/* A period is 4 s. */
	assert_int_equal(unfinished(&pace, 108.5, &age_ms), 6);
	assert_int_equal(age_ms, 7500 + 5500 + 4500 + 3500 + 1500 + 500);
	script.ops[3].kind = OP_PHASE;
	script.ops[2].kind = OP_WRITE;
	assert_int_equal(unfinished(&pace, 108.5, &age_ms), 1);
}

/* Operations that are skipped, branches that are not drawn, and an EVERY that is
 * ahead are not due. */
static void a_backlog_contains_no_unplayed_stamps(void **state)
{
	struct script script;
	struct pace pace;
	uint64_t age_ms;

	SCRIPT(&script, 0, 1, -1, 2);
	script.ops[1].kind = OP_SKIP;
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 100);
	assert_int_equal(unfinished(&pace, 102.5, &age_ms), 1);
	assert_int_equal(age_ms, 500);
	/* The first branch has been drawn, and its first operation played. */
	SCRIPT(&script, -1, -1, 1, 2, -1, 3, -1, 4);
	script.ops[0] = (struct op){.kind = OP_MIX, .jump = 7};
	script.ops[1] = (struct op){.kind = OP_BRANCH, .jump = 4};
	script.ops[4] = (struct op){.kind = OP_BRANCH, .jump = 6};
	script.ops[6].kind = OP_ENDMIX;
	pace = paced(&script);
	EXPECT_DUE(&pace, 2, 100, 101);
	assert_int_equal(unfinished(&pace, 104.5, &age_ms), 2);
	assert_int_equal(age_ms, 2500 + 500);
	SCRIPT(&script, 0, -1, 1, -1, 2);
	script.ops[1] = (struct op){.kind = OP_EVERY, .jump = 4};
	script.ops[3].kind = OP_ENDEVERY;
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 100);
	assert_int_equal(unfinished(&pace, 102.5, &age_ms), 1);
	assert_int_equal(age_ms, 500);
}

static void an_operation_is_due_after_the_pause_before_it(void **state)
{
	struct script script;
	struct pace pace;
	uint64_t age_ms;

	SCRIPT(&script, 0, -1, 1, 2, 5);
	script.ops[1].kind = OP_SLEEP;
	pace = paced(&script);
	EXPECT_DUE(&pace, 0, 100, 100);
	/* While the pause lasts, and before it, nobody knows its end. */
	assert_int_equal(unfinished(&pace, 110, &age_ms), 0);
	pace_begin_pause(&pace, 1);
	assert_int_equal(unfinished(&pace, 110, &age_ms), 0);
	pace_end_pause(&pace, 103 * NS_PER_S);
	assert_int_equal(unfinished(&pace, 104, &age_ms), 2);
	assert_int_equal(age_ms, 1000 + 1000);
	EXPECT_DUE(&pace, 2, 103, 103);
	EXPECT_DUE(&pace, 3, 103.5, 103);
	EXPECT_DUE(&pace, 4, 104, 105);
}

static void without_stamps_and_rate_there_is_no_schedule(void **state)
{
	struct program program = {0};
	struct pace pace;

	pace_open(&pace, &program, 0, 0, 1, 1);
	assert_false(pace_is_on(&pace));
}

/* Begin and end an operation that is due, was ready and began at these times;
 * return its lateness. */
static uint64_t lateness(struct pace *pace, uint64_t due_ns, uint64_t ready_ns, uint64_t start_ns)
{
	pace->due_ns = due_ns;
	pace_begin_op(pace, ready_ns, start_ns);
	return pace->late_ns;
}

static void a_late_start_delays_later_operations(void **state)
{
	struct pace pace = {0};

	/* A slow target makes nobody late. */
	assert_int_equal(lateness(&pace, 1000, 900, 1000), 0);
	assert_int_equal(lateness(&pace, 2000, 5000, 5000), 0);
	/* The operation due at 10000 begins 300 late and takes 900. The next
	 * one was due before its end: 200 of its delay are the target's. */
	assert_int_equal(lateness(&pace, 10000, 6000, 10300), 300);
	assert_int_equal(lateness(&pace, 10700, 11200, 11200), 300);
	assert_int_equal(lateness(&pace, 12000, 12100, 12100), 100);
	/* Then there is time to catch up. */
	assert_int_equal(lateness(&pace, 13000, 12900, 13000), 0);
	assert_int_equal(lateness(&pace, 13100, 13200, 13200), 0);
}

static void a_sleeper_wakes_ten_times_per_second(void **state)
{
	const uint64_t now_ns = 7 * NS_PER_S;

	assert_true(pace_slice_ns(now_ns, now_ns + 1) == now_ns + 1);
	assert_true(pace_slice_ns(now_ns, now_ns + PACE_SLICE_NS) == now_ns + PACE_SLICE_NS);
	assert_true(pace_slice_ns(now_ns, now_ns + PACE_SLICE_NS + 1) == now_ns + PACE_SLICE_NS);
	assert_true(pace_slice_ns(now_ns, now_ns + 3600 * NS_PER_S) == now_ns + PACE_SLICE_NS);
	assert_true(PACE_SLICE_NS == NS_PER_S / 10);
}

static void bytes_take_time_at_a_rate(void **state)
{
	assert_true(pace_bytes_ns(0, 1) == 0);
	assert_true(pace_bytes_ns(1, 1000) == NS_PER_MS);
	assert_true(pace_bytes_ns(2500, 1000) == 2500 * NS_PER_MS);
	assert_true(pace_bytes_ns(UINT64_C(500000000000), UINT64_C(1000000000000)) == NS_PER_S / 2);
	/* A week's bytes, at a rate with which a simple product would
	 * overflow. */
	assert_true(pace_bytes_ns(UINT64_C(604800) * 1000000000000, UINT64_C(1000000000000)) ==
		    604800 * NS_PER_S);
}

int unit_pace(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stamp_counts_from_the_beginning_of_its_loop),
		cmocka_unit_test(a_loop_begins_after_a_period_not_after_its_end),
		cmocka_unit_test(a_loop_with_one_stamp_at_0_begins_after_its_end),
		cmocka_unit_test(a_stamp_holds_in_the_first_round_of_a_block_only),
		cmocka_unit_test(a_prologue_ends_at_the_start),
		cmocka_unit_test(a_restart_makes_the_next_stamp_due),
		cmocka_unit_test(a_constant_rate_does_not_drift),
		cmocka_unit_test(users_are_spread_over_a_gap),
		cmocka_unit_test(restarts_do_not_raise_a_rate),
		cmocka_unit_test(a_restart_drops_a_backlog_at_a_rate),
		cmocka_unit_test(a_pause_postpones_the_schedule),
		cmocka_unit_test(a_total_rate_is_shared),
		cmocka_unit_test(poisson_arrivals_have_the_rate),
		cmocka_unit_test(no_rate_is_too_low),
		cmocka_unit_test(poisson_arrivals_follow_seed_and_user),
		cmocka_unit_test(a_backlog_at_a_rate_is_found),
		cmocka_unit_test(streams_have_schedules_of_their_own),
		cmocka_unit_test(a_backlog_of_stamps_is_found),
		cmocka_unit_test(a_backlog_contains_no_unplayed_stamps),
		cmocka_unit_test(an_operation_is_due_after_the_pause_before_it),
		cmocka_unit_test(without_stamps_and_rate_there_is_no_schedule),
		cmocka_unit_test(a_late_start_delays_later_operations),
		cmocka_unit_test(a_sleeper_wakes_ten_times_per_second),
		cmocka_unit_test(bytes_take_time_at_a_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
