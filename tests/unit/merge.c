/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "result/collect.h"
#include "stats/summary.h"
#include "sweep/merge.h"

enum { USERS = 250, OPS = 40, PARTS = 2 };

/* Add the measurement of machine number `part` to the tally. Machine 1 is
 * slower than machine 0. */
static void play(struct tally *tally, unsigned part, uint64_t *random)
{
	static const char *const names[] = {"ReadX", "WriteX"};
	unsigned i;

	for (i = 0; i < STATS_EXTRAS; i++) {
		uint64_t took_ns = (i + 1) * NS_PER_S + part;

		recorder_count(&tally->extras[i].counter, took_ns);
		tally->extras[i].times.cells[histogram_cell(took_ns)]++;
	}
	tally->due.count += 100 + part;
	tally->due.unfinished += 10;
	for (i = 0; i < USERS * OPS; i++) {
		struct tally_label *label = tally_label(tally, names[i % 2]);
		uint64_t took_ns;

		*random = *random * 6364136223846793005 + 1442695040888963407;
		took_ns = (*random >> 44) * (1 + 3 * part) + 100;
		if (label == NULL)
			label = tally_add_label(tally, names[i % 2]);
		assert_non_null(label);
		recorder_count(&label->counters[STATS_MEASURED], took_ns);
		label->counters[STATS_MEASURED].bytes += 512;
		label->measured.cells[histogram_cell(took_ns)]++;
	}
	tally->loops_ended += 2;
	for (i = 0; i < USERS; i++)
		tally->user_ops[tally->users++] = OPS;
	tally->window_ns = 2 * NS_PER_S;
	tally->begin_ns = 1790000000 * NS_PER_S + part * NS_PER_MS;
}

/* Make a result with the users of the machines `first` to `last`. */
static void make(struct result *result, unsigned first, unsigned last)
{
	struct tally tally = {
		.first_user = first * USERS,
		.user_ops = calloc(PARTS * USERS, sizeof(uint64_t)),
		.died_user = -1,
	};
	struct result_repeat *repeat;
	unsigned part;

	for (part = first; part <= last; part++) {
		uint64_t random = part;

		play(&tally, part, &random);
	}
	*result = (struct result){
		.run =
			{
				.version = strdup("1"),
				.command = strdup("throng run"),
				.host = strdup(first == 0 ? "a" : "b"),
				.kernel = strdup("6.1"),
				.started = "2026-01-31T23:59:59Z",
				.cpus = 2,
				.memory_bytes = 1 << 30,
				.loadfile.name = strdup("load"),
				.loadfile.dialect = strdup("native"),
				.loadfile.ops = 2,
				.phases.time_ns = 2 * NS_PER_S,
				.users_from = first * USERS,
			},
	};
	repeat = result_add_repeat(result, 0, tally.users);
	assert_non_null(repeat);
	collect_repeat(&result->run, &tally, repeat);
	collect_histograms(&tally, repeat);
	assert_int_equal(summary_update(result), 0);
	tally_free(&tally);
}

static void expect_latency(const struct result_latency *got, const struct result_latency *wanted)
{
	size_t bytes = wanted->histogram->cell_count * sizeof(wanted->histogram->cells[0]);

	assert_int_equal(got->count, wanted->count);
	expect_near(got->mean_ns, wanted->mean_ns, 1e-3);
	assert_int_equal(got->p50_ns, wanted->p50_ns);
	assert_int_equal(got->p99_ns, wanted->p99_ns);
	assert_int_equal(got->p99_9_ns, wanted->p99_9_ns);
	assert_int_equal(got->max_ns, wanted->max_ns);
	assert_int_equal(got->histogram->cell_count, wanted->histogram->cell_count);
	assert_memory_equal(got->histogram->cells, wanted->histogram->cells, bytes);
}

/* Two merged results of 250 users each equal one result of 500 users. */
static void the_sum_is_what_one_machine_would_have_measured(void **state)
{
	static const char *const names[] = {"a.json", "b.json"};
	struct result parts[PARTS], whole, merged;
	const struct result_figures *got, *wanted;
	struct error error = {0};
	size_t i;

	make(&parts[0], 0, 0);
	make(&parts[1], 1, 1);
	make(&whole, 0, 1);
	assert_int_equal(merge_results(parts, names, PARTS, &merged, &error), 0);
	assert_int_equal(merged.point_count, 1);
	assert_int_equal(merged.points[0].users, PARTS * USERS);
	assert_int_equal(merged.run.users_from, 0);
	assert_int_equal(merged.run.cpus, 4);
	assert_string_equal(merged.run.host, "a, b");
	assert_string_equal(merged.run.command, "throng run");
	got = &merged.points[0].repeats[0].figures;
	wanted = &whole.points[0].repeats[0].figures;
	assert_int_equal(got->ops, PARTS * USERS * OPS);
	assert_int_equal(got->bytes, wanted->bytes);
	assert_int_equal(got->loops, wanted->loops);
	assert_int_equal(got->min_user_ops, OPS);
	assert_int_equal(got->user_ops_count, PARTS * USERS);
	expect_near(got->mb_per_s, wanted->mb_per_s, 1e-6);
	assert_true(got->latency.p99_ns >
		    parts[0].points[0].repeats[0].figures.operations[0].latency.max_ns);
	expect_latency(&got->latency, &wanted->latency);
	assert_int_equal(got->latency.count, PARTS * (USERS * OPS + 1));
	expect_latency(&got->loop, &wanted->loop);
	expect_latency(&got->service, &wanted->service);
	expect_latency(&got->lateness, &wanted->lateness);
	expect_latency(&got->unfinished, &wanted->unfinished);
	assert_int_equal(got->due.count, 201);
	assert_int_equal(got->due.ended, 181);
	assert_int_equal(got->operation_count, 2);
	for (i = 0; i < 2; i++) {
		assert_string_equal(got->operations[i].name, wanted->operations[i].name);
		assert_int_equal(got->operations[i].sum_ns, wanted->operations[i].sum_ns);
		expect_latency(&got->operations[i].latency, &wanted->operations[i].latency);
	}
	result_free(&merged);
	result_free(&whole);
	result_free(&parts[0]);
	result_free(&parts[1]);
}

static void refuse(struct result *parts, const char *wanted)
{
	static const char *const names[] = {"a.json", "b.json"};
	struct result merged;
	struct error error = {0};

	assert_true(merge_results(parts, names, PARTS, &merged, &error) < 0);
	result_free(&merged);
	if (strstr(error.text, wanted) == NULL)
		fail_msg("\"%s\" instead of \"%s\"", error.text, wanted);
}

static void results_that_do_not_match_are_refused(void **state)
{
	struct result parts[PARTS];
	struct result_run *run = &parts[1].run;
	struct result_repeat *repeat;

	make(&parts[0], 0, 0);
	make(&parts[1], 1, 1);
	repeat = &parts[1].points[0].repeats[0];
	run->users_from = 0;
	refuse(parts, "a.json has users 0 to 249, and b.json has users 0 to 249");
	run->users_from = USERS;
	run->version[0] = '2';
	refuse(parts, "by version 2");
	run->version[0] = '1';
	run->loadfile.ops = 3;
	refuse(parts, "the number of operations per loop differs");
	run->loadfile.ops = 2;
	repeat->began_s += 0.2;
	refuse(parts, "were not measured at the same time");
	repeat->began_s -= 0.2;
	repeat->figures.seconds -= 0.2;
	refuse(parts, "were not measured at the same time");
	/* With --loops the machines' windows may end at different times, so
	 * this difference is not refused. */
	parts[0].run.phases.loops = run->phases.loops = 2;
	run->users_from = 0;
	refuse(parts, "has users");
	repeat->figures.user_ops_count = 0;
	refuse(parts, "b.json has no histograms");
	result_free(&parts[0]);
	result_free(&parts[1]);
}

int unit_merge(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sum_is_what_one_machine_would_have_measured),
		cmocka_unit_test(results_that_do_not_match_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
