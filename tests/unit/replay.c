/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play loads with due times on a target whose operations take a given time, and
 * check what the figures say of this time. Time is simulated.
 */
#include "records.h"
#include "simulated.h"

#include "adapt/fit.h"
#include "base/fibers.h"

#include <errno.h>

/* Times of one operation, and of the operation number `stalled`, from 1. */
static uint64_t takes_ns, stall_ns;
static unsigned played, stalled;

static int stat_takes_time(struct backend_session *session, const struct backend_path *path,
			   struct backend_attributes *attributes)
{
	*attributes = (struct backend_attributes){0};
	simulated_pass(++played == stalled ? stall_ns : takes_ns);
	return 0;
}

/* A target on which each path is a directory, as soon as one has been made. */
static bool made;

static int make_directory(struct backend_session *session, const struct backend_path *path)
{
	made = true;
	return 0;
}

static int stat_directory(struct backend_session *session, const struct backend_path *path,
			  struct backend_attributes *attributes)
{
	*attributes = (struct backend_attributes){.directory = true};
	return made ? 0 : -ENOENT;
}

static int64_t write_takes_time(struct backend_session *session, int64_t handle, const void *data,
				size_t size, uint64_t offset)
{
	simulated_pass(takes_ns);
	return (int64_t)size;
}

/* A file that does not end. */
static int identify_endless(struct backend_session *session, int64_t handle,
			    struct backend_file *file)
{
	*file = (struct backend_file){.size_bytes = INT64_MAX};
	return 0;
}

static int64_t read_takes_time(struct backend_session *session, int64_t handle, void *buffer,
			       size_t size, uint64_t offset)
{
	if (played++ == stalled)
		_exit(EXIT_FAILURE); /* the user does not leave */
	simulated_pass(takes_ns);
	return (int64_t)size;
}

/* A target whose sessions take turns. The reply to the unlink of "a" comes after 1 ms, but
 * then the lane that unlinks "b" keeps the thread for 100 ms more. */
static struct fibers *turns;

static int share_session(struct backend_session *session, struct fibers *fibers,
			 struct backend_session **shared)
{
	turns = fibers;
	*shared = NULL;
	return 0;
}

static int unlink_in_turn(struct backend_session *session, const struct backend_path *path)
{
	if (path->text[strlen(path->text) - 1] == 'a') {
		assert_true(fibers_sleep(turns, &turns, CLOCK_NEVER));
		return 0;
	}
	simulated_pass(NS_PER_MS);
	fibers_wake(turns, &turns);
	simulated_pass(100 * NS_PER_MS);
	return 0;
}

static int set_up(void **state)
{
	struct simulation *s = malloc(sizeof(*s));

	simulation_open(s);
	s->backend.stat = stat_takes_time;
	s->backend.write = write_takes_time;
	takes_ns = stall_ns = 0;
	played = stalled = 0;
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	simulation_close(*state);
	free(*state);
	return 0;
}

static const char a_stat[] = "stat \"/client1\" OK\n";

/* Play this load at a rate for a second, or for a number of loops. */
static const struct record *at_rate(struct simulation *s, const char *load, double per_s,
				    uint64_t loops)
{
	simulation_add(s, load)->rate.per_s = per_s;
	s->plan.phases = (struct phases){.time_ns = NS_PER_S, .loops = loops};
	simulation_play(s);
	return records_total(&s->repeat.records);
}

/* Play a load with time stamps. */
static const struct record *at_stamps(struct simulation *s, const char *load, uint64_t loops)
{
	simulation_add(s, load);
	s->plan.phases = (struct phases){.loops = loops};
	simulation_play(s);
	return records_total(&s->repeat.records);
}

/* Check a percentile or maximum; histograms are exact to 0.8 %. */
static void expect_ms(const struct record *total, enum figure figure, double wanted_ms)
{
	expect_near(record_value(total, figure), wanted_ms, 0.008 * wanted_ms + 1e-6);
}

static void a_rate_is_the_offered_one(void **state)
{
	const struct record *total;

	takes_ns = NS_PER_MS;
	total = at_rate(*state, a_stat, 100, 0);
	expect_figure(total, FIGURE_SCHEDULED, 100);
	expect_figure(total, FIGURE_SCHEDULED_COMPLETED, 100);
	expect_figure(total, FIGURE_OPS, 100);
	expect_figure(total, FIGURE_UNFINISHED, NAN);
	expect_ms(total, FIGURE_MAX_MS, 1);
	expect_ms(total, FIGURE_SERVICE_MAX_MS, 1);
	expect_figure(total, FIGURE_LATENESS_MAX_MS, 0);
}

/* The first operation is due at the start, and the last one ends 14 ms and its
 * own time later. */
static void loops_at_a_rate_have_no_gaps(void **state)
{
	const struct record *total;

	takes_ns = NS_PER_MS / 4;
	total = at_rate(*state,
			"stat \"/client1\" OK\n"
			"stat \"/client1\" OK\n"
			"stat \"/client1\" OK\n"
			"stat \"/client1\" OK\n"
			"stat \"/client1\" OK\n",
			1000, 3);
	expect_figure(total, FIGURE_OPS, 15);
	expect_figure(total, FIGURE_SCHEDULED, 15);
	expect_figure(total, FIGURE_SCHEDULED_COMPLETED, 15);
	expect_figure(total, FIGURE_SECONDS, 0.01425);
}

/*
 * After an operation, throng notes what a restore has to put back. That is part
 * of the restore and of no operation: each takes one reading of the clock.
 * Nothing is noted of a stat, and nothing restored after the last loop.
 */
static void notes_for_a_restore_are_part_of_it(void **state)
{
	struct simulation *s = *state;
	const struct record *total;
	const struct program *program = simulation_add(s, "SETUP restore\nENDSETUP\n"
							  "mkdir \"/client1/d\" OK\n"
							  "stat \"/client1/d\" OK\n"
							  "rmdir \"/client1/d\" OK\n");
	struct error error = {0};

	assert_int_equal(profile_make(program, s->loads.list[0].profile, &error), 0);
	s->plan.phases.loops = 1;
	s->backend.answers = true;
	s->backend.mkdir = make_directory;
	s->backend.stat = stat_directory;
	simulated_reading_ns = NS_PER_MS;
	simulation_play(s);
	total = records_total(&s->repeat.records);
	expect_figure(total, FIGURE_OPS, 3);
	expect_ms(total, FIGURE_MAX_MS, 1);
	expect_near(record_value(total, FIGURE_RESTORE_SHARE) * record_value(total, FIGURE_SECONDS),
		    0.002, 1e-8);
}

/* A copy may take longer than the rest of the run. It ends with the run, and is
 * not a mismatch. */
static void a_copy_by_hand_ends_with_the_run(void **state)
{
	struct simulation *s = *state;
	const struct record *total;
	struct program *program = simulation_add(s, "open \"/client1/a\" read,write,create 1 OK\n"
						    "open \"/client1/b\" read,write,create 2 OK\n"
						    "clone 1 0 2 0 0 OK\n");
	struct fit_report report;

	assert_int_equal(
		fit_program(program, CAP_ALL & ~(unsigned)CAP_CLONE & ~(unsigned)CAP_COPY, &report),
		0);
	fit_free(&report);
	s->plan.phases.time_ns = NS_PER_S;
	s->backend.answers = true;
	s->backend.mkdir = make_directory;
	s->backend.stat = stat_directory;
	s->backend.identify = identify_endless;
	s->backend.read = read_takes_time;
	takes_ns = 100 * NS_PER_MS;
	stalled = 10; /* the number of reads in a second */
	simulation_play(s);
	total = records_total(&s->repeat.records);
	expect_figure(total, FIGURE_OPS, 2);
	expect_figure(total, FIGURE_MISMATCHES, 0);
}

static void the_warm_up_is_not_counted(void **state)
{
	struct simulation *s = *state;

	takes_ns = NS_PER_MS;
	simulation_add(s, a_stat)->rate.per_s = 1000;
	s->plan.phases = (struct phases){
		.warmup_ns = NS_PER_S / 10,
		.time_ns = NS_PER_S / 2,
	};
	simulation_play(s);
	expect_figure(records_total(&s->repeat.records), FIGURE_SCHEDULED, 500);
}

/*
 * 100 operations are due in a second, but 49 end before it is over: the next one
 * ends just then. Operation N, from 0, is due at N * 10 ms and ends at (N + 1) *
 * 20 ms. The others have waited since they were due, for up to 510 ms.
 */
static void a_backlog_counts_with_its_age(void **state)
{
	const struct record *total;

	takes_ns = 20 * NS_PER_MS;
	total = at_rate(*state, a_stat, 100, 0);
	expect_figure(total, FIGURE_SCHEDULED, 100);
	expect_figure(total, FIGURE_SCHEDULED_COMPLETED, 49);
	expect_figure(total, FIGURE_OPS, 49);
	expect_figure(total, FIGURE_UNFINISHED, 51);
	expect_ms(total, FIGURE_UNFINISHED_MAX_MS, 510);
	expect_ms(total, FIGURE_P90_MS, 460);
	expect_ms(total, FIGURE_MAX_MS, 510);
	/* The target is slow, not throng. */
	expect_ms(total, FIGURE_SERVICE_P50_MS, 20);
	expect_ms(total, FIGURE_SERVICE_MAX_MS, 20);
	expect_figure(total, FIGURE_LATENESS_MAX_MS, 0);
}

/* The operation due at 100 ms takes 300 ms. The response times of those after it
 * decrease by 9 ms each: 33 of them, and the stalled one, are above 1 ms. */
static void a_stall_is_in_the_response_times(void **state)
{
	const struct record *total;

	takes_ns = NS_PER_MS;
	stall_ns = 300 * NS_PER_MS;
	stalled = 11;
	total = at_rate(*state, a_stat, 100, 0);
	expect_figure(total, FIGURE_OPS, 100);
	expect_ms(total, FIGURE_MAX_MS, 300);
	expect_near(record_value(total, FIGURE_MEAN_MS),
		    (66 * 1. + 34 * 300. - 9. * 33 * 34 / 2) / 100, 1e-6);
	expect_ms(total, FIGURE_SERVICE_P90_MS, 1);
	expect_near(record_value(total, FIGURE_SERVICE_MEAN_MS), (99 + 300) / 100., 1e-6);
	expect_figure(total, FIGURE_LATENESS_MAX_MS, 0);
}

/* throng wakes up 50 us early, and spins. */
static void throngs_own_lateness_is_no_service_time(void **state)
{
	const struct record *total;

	takes_ns = NS_PER_MS;
	simulated_late_ns = 3 * NS_PER_MS;
	total = at_rate(*state, a_stat, 100, 0);
	expect_figure(total, FIGURE_OPS, 100);
	expect_ms(total, FIGURE_LATENESS_P50_MS, 2.95);
	expect_ms(total, FIGURE_SERVICE_MAX_MS, 1);
	expect_ms(total, FIGURE_P50_MS, 3.95);
}

/* Loops begin after a period of 0.3 s: the last stamp and a mean gap. */
static void the_last_loop_of_stamps_has_no_period(void **state)
{
	const struct record *total = at_stamps(*state,
					       "0 stat \"/client1\" OK\n"
					       "stat \"/client1\" OK\n"
					       "0.1 stat \"/client1\" OK\n"
					       "0.2 stat \"/client1\" OK\n",
					       3);

	expect_figure(total, FIGURE_SCHEDULED, 12);
	expect_figure(total, FIGURE_SECONDS, 0.8);
}

/* The second operation of each loop is due at 0.25 s, during the pause. */
static void a_pause_is_no_response_time(void **state)
{
	const struct record *total = at_stamps(*state,
					       "0 stat \"/client1\" OK\n"
					       "SLEEP 500000\n"
					       "0.25 stat \"/client1\" OK\n",
					       5);

	expect_figure(total, FIGURE_SCHEDULED, 10);
	expect_figure(total, FIGURE_SECONDS, 2.5);
	expect_figure(total, FIGURE_OPS, 10);
	expect_figure(total, FIGURE_MAX_MS, 0);
}

/* 99 gaps of 10 ms, although each phase has a single operation. */
static void short_phases_have_the_rate(void **state)
{
	const struct record *total = at_rate(*state,
					     "PHASE one\nstat \"/client1\" OK\n"
					     "PHASE two\nstat \"/client1\" OK\n",
					     100, 50);

	expect_figure(total, FIGURE_SCHEDULED, 100);
	expect_figure(total, FIGURE_SECONDS, 0.99);
	expect_figure(total, FIGURE_MAX_MS, 0);
}

/* Each write of 64 KiB takes 1 ms, and waits until the bytes before it are due:
 * at 10 MB/s, 306 writes are due in 2 s, and one more begins at the start. */
static void a_limit_of_bytes_is_kept(void **state)
{
	struct simulation *s = *state;
	const struct record *total;

	takes_ns = NS_PER_MS;
	simulation_add(s, "open \"/client1/f\" write,create 1 OK\n"
			  "LOOP 100000\nwrite 1 0 65536 65536 OK\nENDLOOP\n"
			  "close 1 OK\n");
	s->plan.phases = (struct phases){.time_ns = 2 * NS_PER_S};
	s->plan.bytes_per_s = 10000000;
	simulation_play(s);
	total = records_total(&s->repeat.records);
	expect_figure(total, FIGURE_BYTES, 306 * 65536);
	/* The wait is no part of an operation. */
	expect_ms(total, FIGURE_MAX_MS, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

/* An operation ends when its reply comes, not when its lane has its turn again. */
static void a_turn_of_another_lane_counts_for_that_lane(void **state)
{
	struct simulation *s = *state;
	const struct record *total;

	s->backend.answers = s->backend.takes_turns = true;
	s->backend.session_share = share_session;
	s->backend.mkdir = make_directory;
	s->backend.stat = stat_directory;
	s->backend.unlink = unlink_in_turn;
	total = at_stamps(s,
			  "unlink \"/client1/a\" OK\n"
			  "STREAM 1\n"
			  "unlink \"/client1/b\" OK\n",
			  1);
	expect_figure(total, FIGURE_OPS, 2);
	expect_near(record_value(total, FIGURE_TIME_S), 0.102, 1e-9);
	expect_ms(total, FIGURE_MAX_MS, 101);
}

/* The start and each SLEEP are late, but only the last one makes the loops longer. */
static void late_sleeps_are_made_up_for(void **state)
{
	struct simulation *s = *state;

	simulated_late_ns = 100 * NS_PER_US;
	simulation_add(s, "LOOP 10\nSLEEP 1000\nstat \"/client1\" OK\nENDLOOP\n");
	s->plan.phases = (struct phases){.loops = 2};
	simulation_play(s);
	expect_near(record_value(records_total(&s->repeat.records), FIGURE_SECONDS), 0.0202, 1e-9);
}

int unit_replay(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_rate_is_the_offered_one),
		TEST(loops_at_a_rate_have_no_gaps),
		TEST(notes_for_a_restore_are_part_of_it),
		TEST(a_copy_by_hand_ends_with_the_run),
		TEST(the_warm_up_is_not_counted),
		TEST(a_backlog_counts_with_its_age),
		TEST(a_stall_is_in_the_response_times),
		TEST(throngs_own_lateness_is_no_service_time),
		TEST(the_last_loop_of_stamps_has_no_period),
		TEST(a_pause_is_no_response_time),
		TEST(short_phases_have_the_rate),
		TEST(a_limit_of_bytes_is_kept),
		TEST(a_turn_of_another_lane_counts_for_that_lane),
		TEST(late_sleeps_are_made_up_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
