/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "measure/stats.h"

#include <sys/wait.h>
#include <time.h>

enum { USERS = 3, LABELS = 2 };

static int map(void **state)
{
	struct stats *stats = malloc(sizeof(*stats));

	assert_int_equal(stats_map(stats, USERS, 1, 1, LABELS, NULL, true), 0);
	*state = stats;
	return 0;
}

static int unmap(void **state)
{
	stats_unmap(*state);
	stats_unmap(*state); /* a second call is allowed */
	free(*state);
	return 0;
}

static void blocks_are_aligned_and_do_not_overlap(void **state)
{
	const struct stats *stats = *state;
	char *end = (char *)stats->run + sizeof(*stats->run);
	unsigned user, stage;

	assert_true((char *)stats->list[0].totals >= end);
	end = (char *)(stats->list[0].totals + LABELS);
	for (user = 0; user < USERS; user++) {
		char *own = (char *)stats_user(stats, user);

		assert_true(own >= end);
		assert_int_equal((uintptr_t)own % 64, 0);
		end = own + sizeof(struct stats_user);
		for (stage = 0; stage < STATS_STAGES; stage++) {
			char *counters = (char *)stats_counters(stats, user, stage);

			assert_true(counters >= end);
			assert_int_equal((uintptr_t)counters % 64, 0);
			end = counters + LABELS * sizeof(struct stats_counter);
		}
	}
	assert_true(end <= (char *)stats->run + stats->bytes);
}

static void the_parent_sees_a_users_counters(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;
	pid_t child = fork();

	if (child == 0) {
		if (recorder_open(&recorder, stats, 1) < 0)
			_exit(1);
		recorder_record(&recorder, 1, 100, 150, 4096);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(stats_counters(stats, 1, STATS_UNCOUNTED)[1].count, 1);
	assert_int_equal(stats_counters(stats, 1, STATS_UNCOUNTED)[1].bytes, 4096);
	assert_int_equal(stats_counters(stats, 0, STATS_UNCOUNTED)[1].count, 0);
}

static void an_operation_counts_in_the_phase_in_which_it_ends(void **state)
{
	static const struct {
		uint64_t begin_ns, end_ns;
		bool measured, over;
	} rows[] = {
		{100, 200, false, false},  {200, 999, false, false},
		{999, 1000, true, false}, /* began in the warm-up */
		{1000, 1500, true, false}, {1500, 1999, true, false},
		{1999, 2000, false, true}, /* ended at the stop */
		{2000, 2500, false, true},
	};
	struct stats *stats = *state;
	struct recorder recorder;
	size_t i;

	assert_int_equal(recorder_open(&recorder, stats, 0), 0);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = 2000;
	recorder_start(&recorder);
	for (i = 0; i < LENGTH(rows); i++) {
		struct stats_counter *counter = recorder_record(&recorder, 0, rows[i].begin_ns,
								rows[i].end_ns, 1);

		assert_ptr_equal(counter, stats_counters(stats, 0,
							 rows[i].measured ? STATS_MEASURED
									  : STATS_UNCOUNTED));
		assert_int_equal(recorder.over, rows[i].over);
	}
	assert_int_equal(stats_counters(stats, 0, STATS_MEASURED)->count, 3);
	assert_int_equal(stats_counters(stats, 0, STATS_UNCOUNTED)->count, 4);
	recorder_close(&recorder);
}

static void a_user_may_sleep_through_the_whole_measurement(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;

	recorder_open(&recorder, stats, 0);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = 2000;
	recorder_start(&recorder);
	recorder_record(&recorder, 0, 10, 3000, 1);
	assert_true(recorder.over);
	assert_int_equal(stats_counters(stats, 0, STATS_MEASURED)->count, 0);
	recorder_close(&recorder);
}

/* A user of the second load, which has two phases, plays one of them twice. */
static void phases_of_the_load_have_their_own_counters(void **state)
{
	enum { PHASES = 2, LAST = 2 };
	const unsigned phases[] = {1, PHASES};
	const struct stats_load *load;
	struct stats stats;
	struct recorder recorder;
	struct stats_counter sum = {0};
	const struct stats_lap *laps;
	unsigned user, loop;

	assert_int_equal(stats_map(&stats, USERS, 1, 2, LABELS, phases, true), 0);
	load = &stats.list[1];
	assert_true((void *)(stats_phase_totals(&stats, &stats.list[0], 1) + LABELS) <=
		    (void *)load->phases);
	assert_true((char *)(stats_phase_totals(&stats, load, PHASES) + LABELS) <= stats.blocks);
	for (user = 0; user < USERS; user++)
		stats_assign(&stats, user, user > 0);
	assert_int_equal(stats.list[0].barrier.users, 1);
	assert_int_equal(load->barrier.users, USERS - 1);
	assert_ptr_equal(stats_load_of(&stats, 1), load);
	assert_true((char *)stats_live(&stats, USERS - 1) + sizeof(struct histogram) <=
		    (char *)stats.run + stats.bytes);
	assert_int_equal(recorder_open(&recorder, &stats, 1), 0);
	stats.run->measure_ns = 1000;
	stats.run->stop_ns = CLOCK_NEVER;
	recorder_start(&recorder);
	recorder_record(&recorder, 0, 1000, 1010, 1);
	for (loop = 0; loop < 2; loop++) {
		recorder_begin_slot(&recorder, LAST, 2000);
		recorder_record(&recorder, 0, 2000, 2100, 7);
		recorder_record(&recorder, 1, 2100, 2300, 8);
		recorder_end_slot(&recorder, 2300 + loop);
		recorder_merge_slot(&recorder);
	}
	recorder_record(&recorder, 1, 3000, 3030, 1);
	recorder_finish(&recorder, 3030);
	recorder_close(&recorder);
	laps = stats_laps(&stats, 1);
	assert_int_equal(laps[LAST].took_ns, 301);
	assert_int_equal(laps[1].took_ns, 0);
	assert_int_equal(stats_counters(&stats, 1, stats_set(LAST))[0].count, 2);
	assert_int_equal(stats_counters(&stats, 1, stats_set(1))[0].count, 0);
	assert_int_equal(stats_counters(&stats, 1, STATS_MEASURED)[1].count, 1);
	stats_add_measured(&sum, &stats, 1, 1);
	assert_int_equal(sum.count, 3);
	assert_int_equal(sum.bytes, 17);
	assert_int_equal(histogram_count(stats_phase_totals(&stats, load, LAST)), 2);
	assert_int_equal(histogram_count(&load->totals[0]), 1);
	assert_int_equal(histogram_count(&load->totals[1]), 1);
	stats_unmap(&stats);
}

/* A user that must leave in a phase still adds its histograms. */
static void a_phase_may_be_left(void **state)
{
	const unsigned phases = 1;
	const struct stats_load *load;
	struct stats stats;
	struct recorder recorder;

	assert_int_equal(stats_map(&stats, USERS, 1, 1, LABELS, &phases, false), 0);
	load = stats.list;
	assert_int_equal(recorder_open(&recorder, &stats, 0), 0);
	stats.run->stop_ns = CLOCK_NEVER;
	recorder_start(&recorder);
	recorder_advance(&recorder, 1000);
	recorder_begin_slot(&recorder, 1, 1000);
	recorder_record(&recorder, 1, 1000, 1010, 1);
	recorder_finish(&recorder, 1010);
	recorder_close(&recorder);
	assert_int_equal(histogram_count(stats_phase_totals(&stats, load, 1) + 1), 1);
	assert_int_equal(histogram_count(&load->totals[1]), 0);
	stats_unmap(&stats);
}

/* A user's waiting for the others after the last phase is in no cost. */
static void waiting_after_the_last_phase_costs_nothing(void **state)
{
	const unsigned phases = 1;
	struct stats stats;
	struct recorder recorder;
	clock_t until;

	assert_int_equal(stats_map(&stats, USERS, 1, 1, LABELS, &phases, false), 0);
	assert_int_equal(recorder_open(&recorder, &stats, 0), 0);
	stats.run->stop_ns = CLOCK_NEVER;
	recorder_start(&recorder);
	recorder_advance(&recorder, 1000);
	recorder_begin_slot(&recorder, 1, 1000);
	recorder_end_slot(&recorder, 1010);
	recorder_merge_slot(&recorder);
	until = clock() + CLOCKS_PER_SEC / 20;
	while (clock() < until)
		;
	recorder_finish(&recorder, 1010);
	recorder_close(&recorder);
	assert_true(stats_user(&stats, 0)->cost.user_ns + stats_user(&stats, 0)->cost.system_ns <
		    25 * NS_PER_MS);
	stats_unmap(&stats);
}

static void ramping_down_is_not_measured(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;

	recorder_open(&recorder, stats, 0);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = 2000;
	stats->run->leave_ns = 3000;
	recorder_start(&recorder);
	recorder_record(&recorder, 0, 1000, 1100, 1);
	recorder_record(&recorder, 0, 1900, 2000, 1);
	assert_false(recorder.over);
	recorder_record(&recorder, 0, 2000, 2999, 1);
	assert_false(recorder.over);
	recorder_record(&recorder, 0, 2999, 3000, 1);
	assert_true(recorder.over);
	assert_int_equal(stats_counters(stats, 0, STATS_MEASURED)->count, 1);
	assert_int_equal(stats_counters(stats, 0, STATS_UNCOUNTED)->count, 3);
	recorder_close(&recorder);
}

static void an_operation_cut_short_is_noted(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;
	unsigned user;

	stats->run->measure_ns = 1000;
	stats->run->stop_ns = stats->run->leave_ns = 2000;
	for (user = 0; user < USERS; user++) {
		recorder_open(&recorder, stats, user);
		recorder_start(&recorder);
		/* The first user is in one operation all the time. */
		stats_user(stats, user)->busy_since_ns = 900;
		if (user > 0)
			recorder_record(&recorder, 0, 900, 1300, 0);
		/* The last user sleeps at the stop. */
		if (user == 2)
			stats_user(stats, user)->busy_since_ns = CLOCK_NEVER;
		recorder_record(&recorder, 0, 1300, 2700, 0);
		recorder_close(&recorder);
	}
	assert_int_equal(stats_user(stats, 0)->cut_short_ns, 1000);
	assert_int_equal(stats_user(stats, 1)->cut_short_ns, 700);
	assert_int_equal(stats_user(stats, 2)->cut_short_ns, 0);
}

/* Report what a user has not finished when measuring ends: one operation that was
 * due in the warm-up, the one that it plays, and one that it has not begun. */
static void report_unfinished(void *context, uint64_t end_ns)
{
	assert_int_equal(end_ns, 2000);
	recorder_unfinished(context, 900, end_ns, false);
	recorder_unfinished(context, 1500, end_ns, true);
	recorder_unfinished(context, 1900, end_ns, false);
}

static void due_operations_count_by_their_due_times(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;
	const struct stats_user *own = stats_user(stats, 1);
	const struct stats_counter *unfinished = &own->extras[STATS_UNFINISHED];

	recorder_open(&recorder, stats, 1);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = 2000;
	stats->run->leave_ns = 3000;
	recorder_start(&recorder);
	recorder.at_end = report_unfinished;
	recorder.context = &recorder;
	recorder_due(&recorder, 999);
	/* These are due before any event has begun the measured time. */
	recorder_due(&recorder, 1000);
	recorder_due(&recorder, 1500);
	recorder_due(&recorder, 2000);
	recorder_extra(&recorder, STATS_SERVICE, 5);
	recorder_advance(&recorder, 1500);
	recorder_extra(&recorder, STATS_SERVICE, 7);
	recorder_record(&recorder, 0, 900, 2100, 0);
	recorder_extra(&recorder, STATS_SERVICE, 11);
	/* After the measured time, an operation of the backlog begins. */
	recorder_due(&recorder, 1900);
	recorder_finish(&recorder, 2500);
	assert_int_equal(own->due.count, 3);
	assert_int_equal(own->due.unfinished, 2);
	assert_int_equal(own->extras[STATS_SERVICE].count, 1);
	assert_int_equal(own->extras[STATS_SERVICE].sum_ns, 7);
	assert_int_equal(unfinished->count, 3);
	assert_int_equal(unfinished->sum_ns, 1100 + 500 + 100);
	assert_int_equal(histogram_count(&stats->list[0].totals[LABELS + STATS_UNFINISHED]), 3);
	recorder_close(&recorder);
}

static void only_loops_that_end_while_measured_count(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;
	const struct stats_counter *loops = &stats_user(stats, 1)->extras[STATS_LOOP];

	recorder_open(&recorder, stats, 1);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = 2000;
	recorder_start(&recorder);
	recorder_loop(&recorder, 400, true);
	recorder_advance(&recorder, 1000);
	recorder_loop(&recorder, 100, false);
	recorder_loop(&recorder, 600, true);
	recorder_loop(&recorder, 500, true);
	recorder_advance(&recorder, 2000);
	recorder_loop(&recorder, 700, true);
	recorder_finish(&recorder, 2100);
	assert_int_equal(stats_user(stats, 1)->loops_ended, 3);
	assert_int_equal(loops->count, 2);
	assert_int_equal(loops->sum_ns, 1100);
	assert_int_equal(loops->min_ns, 500);
	assert_int_equal(loops->max_ns, 600);
	assert_int_equal(histogram_count(&stats->list[0].totals[LABELS]), 2);
	recorder_close(&recorder);
}

static void the_parent_sees_live_histograms(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;
	const struct histogram *live = stats_live(stats, 2);

	recorder_open(&recorder, stats, 2);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = CLOCK_NEVER;
	recorder_start(&recorder);
	recorder_record(&recorder, 0, 0, 50, 1);
	recorder_record(&recorder, 0, 1000, 1050, 1);
	recorder_record(&recorder, 1, 1050, 1100, 1);
	assert_int_equal(live->cells[50], 2);
	assert_int_equal(stats_live(stats, 1)->cells[50], 0);
	recorder_close(&recorder);
}

static void too_many_users_have_no_live_histogram(void **state)
{
	struct stats stats;
	struct recorder recorder;

	assert_int_equal(stats_map(&stats, STATS_LIVE_BLOCKS + 1, 1, 1, LABELS, NULL, false), 0);
	assert_null(stats_live(&stats, 0));
	recorder_open(&recorder, &stats, 0);
	recorder_start(&recorder);
	stats.run->stop_ns = CLOCK_NEVER;
	recorder_record(&recorder, 0, 0, 50, 1);
	recorder_close(&recorder);
	stats_unmap(&stats);
}

static void before_the_start_line_nothing_is_measured(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;

	recorder_open(&recorder, stats, 0);
	stats->run->measure_ns = 1000;
	stats->run->stop_ns = CLOCK_NEVER;
	recorder_record(&recorder, 0, 5000, 6000, 1);
	assert_int_equal(stats_counters(stats, 0, STATS_MEASURED)->count, 0);
	recorder_start(&recorder);
	recorder_record(&recorder, 0, 6000, 7000, 1);
	assert_int_equal(stats_counters(stats, 0, STATS_MEASURED)->count, 1);
	assert_false(recorder.over);
	recorder_close(&recorder);
}

static void counters_keep_sum_minimum_and_maximum(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;
	struct stats_counter *counter;

	recorder_open(&recorder, stats, 2);
	recorder_record(&recorder, 1, 100, 150, 10);
	recorder_record(&recorder, 1, 150, 160, 20);
	counter = recorder_record(&recorder, 1, 160, 190, 30);
	assert_int_equal(counter->count, 3);
	assert_int_equal(counter->bytes, 60);
	assert_int_equal(counter->sum_ns, 90);
	assert_int_equal(counter->min_ns, 10);
	assert_int_equal(counter->max_ns, 50);
	recorder_close(&recorder);
}

static void histograms_of_all_users_are_added_up(void **state)
{
	struct stats *stats = *state;
	unsigned user, i;

	stats->run->measure_ns = 0;
	stats->run->stop_ns = 1000000;
	for (user = 0; user < USERS; user++) {
		struct recorder recorder;

		recorder_open(&recorder, stats, user);
		/* Before recorder_start, operations are in no histogram. */
		recorder_record(&recorder, 0, 0, 77, 0);
		recorder_start(&recorder);
		for (i = 0; i <= user; i++)
			recorder_record(&recorder, 0, 0, 100, 0);
		recorder_finish(&recorder, 12345);
		assert_int_equal(stats_user(stats, user)->finish_ns, 12345);
		recorder_close(&recorder);
	}
	assert_int_equal(histogram_count(&stats->list[0].totals[0]), 1 + 2 + 3);
	assert_int_equal(stats->list[0].totals[0].cells[100], 6);
	assert_int_equal(histogram_count(&stats->list[0].totals[1]), 0);
}

static void a_wrapped_cell_is_not_lost(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;

	recorder_open(&recorder, stats, 0);
	stats->run->stop_ns = CLOCK_NEVER;
	recorder_start(&recorder);
	recorder_record(&recorder, 1, 0, 5, 0);
	recorder.histograms[1].cells[5] = UINT32_MAX;
	recorder_record(&recorder, 1, 0, 5, 0);
	recorder_record(&recorder, 1, 0, 5, 0);
	recorder_finish(&recorder, 100);
	assert_true(stats->list[0].totals[1].cells[5] == (UINT64_C(1) << 32) + 1);
	recorder_close(&recorder);
}

static void sums_ignore_the_minimum_of_empty_counters(void **state)
{
	struct stats_counter sum = {0};

	/* The minimum of an empty counter is ignored. */
	stats_add_counter(&sum, &(struct stats_counter){0});
	assert_int_equal(sum.count, 0);
	stats_add_counter(&sum, &(struct stats_counter){.count = 2,
							.bytes = 10,
							.errors = 1,
							.mismatches = 2,
							.sum_ns = 300,
							.min_ns = 100,
							.max_ns = 200,
							.skipped = 5});
	stats_add_counter(&sum, &(struct stats_counter){0});
	stats_add_counter(&sum, &(struct stats_counter){.count = 1,
							.bytes = 1,
							.errors = 1,
							.mismatches = 1,
							.sum_ns = 150,
							.min_ns = 150,
							.max_ns = 150,
							.skipped = 1});
	assert_int_equal(sum.count, 3);
	assert_int_equal(sum.bytes, 11);
	assert_int_equal(sum.errors, 2);
	assert_int_equal(sum.mismatches, 3);
	assert_int_equal(sum.sum_ns, 450);
	assert_int_equal(sum.min_ns, 100);
	assert_int_equal(sum.max_ns, 200);
	assert_int_equal(sum.skipped, 6);
}

static void only_the_first_failure_is_reported(void **state)
{
	struct stats *stats = *state;

	assert_true(stats_claim_failure(stats));
	assert_int_equal(stats->run->failure_complete, 0);
	assert_false(stats_claim_failure(stats));
	stats_publish_failure(stats);
	assert_int_equal(stats->run->failure_complete, 1);
	assert_false(stats_claim_failure(stats));
}

static void the_last_loops_are_kept(void **state)
{
	struct stats *stats = *state;
	const struct stats_loop *ring = stats_loops(stats, 1);
	uint64_t kept = stats->loops_kept, i;

	assert_true(kept >= 1024);
	assert_true((char *)(ring + kept) <= (char *)stats_user(stats, 2));
	for (i = 0; i < kept + 2; i++)
		stats_log_loop(stats, 1, i * NS_PER_MS, 2 * i * NS_PER_MS);
	assert_true(stats_user(stats, 1)->loops_logged == kept + 2);
	assert_int_equal(ring[0].took_ms, kept);
	assert_int_equal(ring[1].at_ms, 2 * (kept + 1));
	assert_int_equal(ring[2].took_ms, 2);
	assert_true(stats_user(stats, 2)->loops_logged == 0);
	assert_int_equal(stats_loops(stats, 0)[0].took_ms, 0);
}

static void a_postponed_edge_is_observed(void **state)
{
	struct stats *stats = *state;
	struct recorder recorder;

	assert_int_equal(recorder_open(&recorder, stats, 0), 0);
	stats->run->measure_ns = 10 * NS_PER_S;
	stats->run->stop_ns = 20 * NS_PER_S;
	stats->run->postpone = 1;
	recorder_start(&recorder);
	stats->run->measure_ns += 5 * NS_PER_S;
	stats->run->stop_ns += 5 * NS_PER_S;
	recorder_record(&recorder, 0, 9 * NS_PER_S, 14 * NS_PER_S, 0);
	assert_int_equal(recorder.stage, STATS_UNCOUNTED);
	recorder_record(&recorder, 0, 14 * NS_PER_S, 16 * NS_PER_S, 0);
	assert_int_equal(recorder.stage, STATS_MEASURED);
	stats->run->stop_ns += 100 * NS_PER_S;
	recorder_record(&recorder, 0, 16 * NS_PER_S, 124 * NS_PER_S, 0);
	assert_false(recorder.over);
	recorder_record(&recorder, 0, 124 * NS_PER_S, 125 * NS_PER_S, 0);
	assert_true(recorder.over);
	assert_true(stats_user(stats, 0)->peak_ns == 108 * NS_PER_S);
	recorder_finish(&recorder, 125 * NS_PER_S);
	recorder_close(&recorder);
}

static void a_stop_is_seen(void **state)
{
	struct stats *stats = *state;

	assert_false(stats_stopping(stats));
	stats_stop(stats);
	assert_true(stats_stopping(stats));
}

int unit_stats(void)
{
#define MAPPED(test) cmocka_unit_test_setup_teardown(test, map, unmap)
	static const struct CMUnitTest tests[] = {
		MAPPED(blocks_are_aligned_and_do_not_overlap),
		MAPPED(the_parent_sees_a_users_counters),
		MAPPED(an_operation_counts_in_the_phase_in_which_it_ends),
		MAPPED(a_user_may_sleep_through_the_whole_measurement),
		cmocka_unit_test(phases_of_the_load_have_their_own_counters),
		cmocka_unit_test(a_phase_may_be_left),
		cmocka_unit_test(waiting_after_the_last_phase_costs_nothing),
		MAPPED(ramping_down_is_not_measured),
		MAPPED(an_operation_cut_short_is_noted),
		MAPPED(due_operations_count_by_their_due_times),
		MAPPED(only_loops_that_end_while_measured_count),
		MAPPED(the_parent_sees_live_histograms),
		cmocka_unit_test(too_many_users_have_no_live_histogram),
		MAPPED(before_the_start_line_nothing_is_measured),
		MAPPED(counters_keep_sum_minimum_and_maximum),
		MAPPED(histograms_of_all_users_are_added_up),
		MAPPED(a_wrapped_cell_is_not_lost),
		cmocka_unit_test(sums_ignore_the_minimum_of_empty_counters),
		MAPPED(only_the_first_failure_is_reported),
		MAPPED(the_last_loops_are_kept),
		MAPPED(a_postponed_edge_is_observed),
		MAPPED(a_stop_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
