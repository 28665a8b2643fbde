/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the tables of --table: what their texts ask for, and what they show.
 */
#include "records.h"

#include "doc/doc.h"
#include "doc/render.h"
#include "report/sections.h"
#include "report/tables/spec.h"
#include "stats/summary.h"

#include <errno.h>

static struct spec parsed(const char *text)
{
	struct error error = {0};
	struct spec spec;

	if (spec_parse(text, &spec, &error) < 0)
		fail_msg("%s", error.text);
	return spec;
}

static void expect_refusal(const char *text, const char *wanted)
{
	struct error error = {0};
	struct spec spec;
	char full[1024];

	assert_int_equal(spec_parse(text, &spec, &error), -EINVAL);
	snprintf(full, sizeof(full), "--table \"%s\": %s", text, wanted);
	assert_string_equal(error.text, full);
}

static void clauses_are_parsed(void **state)
{
	struct spec spec = parsed("peak mb_per_s,p99 of phases by env:CPUS with step");

	(void)state;
	assert_true(spec.is_peak);
	assert_int_equal(spec.figure_count, 2);
	assert_int_equal(spec.figures[0], FIGURE_MB_PER_S);
	assert_int_equal(spec.figures[1], FIGURE_P99_MS);
	assert_int_equal(spec.parts, SPEC_PHASE);
	assert_int_equal(spec.by, SPEC_AXIS);
	assert_string_equal(spec.axis, "env:CPUS");
	assert_int_equal(spec.extra, SPEC_STEP);

	spec = parsed("elapsed_s");
	assert_false(spec.is_peak);
	assert_int_equal(spec.figures[0], FIGURE_ELAPSED_S);
	assert_int_equal(spec.parts, SPEC_NONE);
	assert_int_equal(spec.by, SPEC_NONE);
	assert_int_equal(spec.extra, SPEC_PLAIN);
}

static void clauses_have_any_order(void **state)
{
	struct spec spec = parsed("  by users\twith rank of operations mean , p99.9, mb_per_s ");

	(void)state;
	assert_int_equal(spec.figure_count, 3);
	assert_int_equal(spec.figures[1], FIGURE_P99_9_MS);
	assert_int_equal(spec.parts, SPEC_OPERATION);
	assert_int_equal(spec.by, SPEC_USERS);
	assert_int_equal(spec.extra, SPEC_RANK);
	assert_true(parsed("mb_per_s peak").is_peak);
	assert_int_equal(parsed("mb_per_s by load").by, SPEC_LOAD);
	assert_int_equal(parsed("mb_per_s by result").by, SPEC_RESULT);
	assert_int_equal(parsed("mb_per_s by operation").by, SPEC_OPERATION);
	assert_int_equal(parsed("mb_per_s by phase").by, SPEC_PHASE);
}

static void wrong_texts_are_refused(void **state)
{
	(void)state;
	expect_refusal("", "expected a figure such as mb_per_s");
	expect_refusal("peak", "expected a figure such as mb_per_s");
	expect_refusal("mb_per_s,", "expected a figure such as mb_per_s");
	expect_refusal("mb_per_s,,p99", "expected a figure such as mb_per_s");
	expect_refusal("mb_per_sec", "unknown figure \"mb_per_sec\"; did you mean mb_per_s?");
	expect_refusal("speed",
		       "unknown figure \"speed\"; expected a name such as mb_per_s, p99 or "
		       "elapsed_s, which throng-results(5) lists");
	expect_refusal("ReadX.p99", "\"ReadX.p99\" is the figure of an operation or phase; use "
				    "\"of operations\" or \"of phases\"");
	expect_refusal("mb_per_s p99",
		       "unknown word \"p99\" after \"the figures\"; expected one of peak, of, by, "
		       "with");
	expect_refusal("mb_per_s of",
		       "expected one of loads, phases, operations, users, hosts after "
		       "\"of\"");
	expect_refusal("mb_per_s of phase",
		       "unknown word \"phase\" after \"of\"; did you mean phases?");
	expect_refusal("mb_per_s by", "expected a key after \"by\", such as users or target");
	expect_refusal("mb_per_s by target with more",
		       "unknown word \"more\" after \"with\"; expected one of change, step, ratio, "
		       "rank, better, repeats");
	expect_refusal("mb_per_s by target by users", "\"by\" is given twice");
	expect_refusal("peak peak mb_per_s", "\"peak\" is given twice");
	expect_refusal("mb_per_s with change",
		       "\"with change\" compares columns; add \"by KEY\", such as \"by target\"");
	expect_refusal("mb_per_s by target with repeats",
		       "\"with repeats\" has columns of its own; leave out \"by\"");
	expect_refusal("peak mb_per_s by users", "\"peak\" shows only the best user count, so it "
						 "cannot be combined with \"by users\"");
	expect_refusal("p99,elapsed of operations", "single operations have no figure elapsed_s");
	expect_refusal("mb_per_s,p50 of users", "single users have no figure p50_ms");
	expect_refusal("elapsed_s by user", "single users have no figure elapsed_s");
	expect_refusal("ops,items of users", "single users have no figure items");
	expect_refusal("items_per_s of hosts", "single hosts have no figure items_per_s");
	expect_refusal("mb_per_s of users by phase",
		       "a result has no figures of the phases of single users");
	expect_refusal("mb_per_s by user of operations",
		       "a result has no figures of the operations of single users");
	expect_refusal("p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50,p50",
		       "more than 16 figures");
}

/* Add a repeat with this rate, and with phases of half and twice the rate. If the rate is
 * negative, the repeat is invalid. */
static void measure(struct result *result, size_t variant, unsigned users, double mb_per_s)
{
	struct result_repeat *repeat = result_add_repeat(result, variant, users);
	const double bytes = 1e6 * fabs(mb_per_s);

	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1}, {FIGURE_P99_MS, 1000 / fabs(mb_per_s)});
	SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 5}, {FIGURE_BYTES, bytes});
	SET(&repeat->records, KEY(.phase = "fill"), {FIGURE_SECONDS, 1});
	SET(&repeat->records, KEY(.phase = "fill", .operation = "Read"), {FIGURE_OPS, 2},
	    {FIGURE_BYTES, bytes / 2});
	SET(&repeat->records, KEY(.phase = "drain"), {FIGURE_SECONDS, 0.25});
	SET(&repeat->records, KEY(.phase = "drain", .operation = "Read"), {FIGURE_OPS, 3},
	    {FIGURE_BYTES, bytes / 2});
	if (mb_per_s < 0) {
		const struct notice notice = {.kind = NOTICE_NO_OPERATION};

		notice_add(&repeat->invalid, &notice);
	}
}

/* Make a result of two targets at 1 and 2 users: 10 and 20, and 15 and 12 MB/s. */
static void make_result(struct result *result)
{
	static char *values[] = {"/a", "/b"};
	static struct result_axis axis = {.name = "target", .values = values, .value_count = 2};
	size_t i;

	*result = (struct result){0};
	result->run.axes = &axis;
	result->run.axis_count = 1;
	assert_int_equal(variant_make_all(&result->run), 0);
	for (i = 0; i < 2; i++) {
		result->run.variants[i].loads = calloc(1, sizeof(struct result_load));
		result->run.variants[i].load_count = 1;
	}
	measure(result, 0, 1, 10);
	measure(result, 0, 2, 20);
	measure(result, 1, 1, 15);
	measure(result, 1, 2, 12);
}

/* Free a result whose axes are not allocated. */
static void drop(struct result *result)
{
	free(result->run.axes[0].numbers);
	result->run.axes[0].numbers = NULL;
	result->run.axes = NULL;
	result->run.axis_count = 0;
	result_free(result);
}

/* Check what the text of a table shows. */
static void expect_table(struct result *result, const char *text, const char *wanted)
{
	struct doc *doc = doc_new();
	char *shown = NULL;
	struct view view;
	size_t size;
	FILE *stream = open_memstream(&shown, &size);

	assert_non_null(stream);
	summary_update(result);
	assert_int_equal(result_set_tables(&result->run, &text, 1), 0);
	assert_int_equal(view_make(&view, result, 1, NULL, NULL), 0);
	section_tables(doc, &view);
	assert_int_equal(doc_text(doc, false, stream), 0);
	fclose(stream);
	assert_string_equal(shown, wanted);
	free(shown);
	view_free(&view);
	doc_free(doc);
}

static void columns_are_compared(void **state)
{
	struct result result;

	(void)state;
	make_result(&result);
	expect_table(&result, "mb_per_s by target with change",
		     "MB/s by target\n"
		     "users     a     b change\n"
		     "    1 10.00 15.00 +50.0%\n"
		     "    2 20.00 12.00 -40.0%\n");
	expect_table(&result, "mb_per_s by users with ratio",
		     "MB/s by users\n"
		     "target     1     2 ratio\n"
		     "a      10.00 20.00 2.000\n"
		     "b      15.00 12.00 0.800\n");
	measure(&result, 0, 4, 30);
	measure(&result, 1, 4, 6);
	expect_table(&result, "mb_per_s by users with change",
		     "MB/s by users\n"
		     "target     1     2 change     4 change\n"
		     "a      10.00 20.00  +100% 30.00  +200%\n"
		     "b      15.00 12.00 -20.0%  6.00 -60.0%\n");
	expect_table(&result, "mb_per_s by users with step",
		     "MB/s by users\n"
		     "target     1     2   step     4   step\n"
		     "a      10.00 20.00  +100% 30.00 +50.0%\n"
		     "b      15.00 12.00 -20.0%  6.00 -50.0%\n");
	expect_table(&result, "mb_per_s by target with rank",
		     "MB/s by target\n"
		     "    users     a rank     b rank\n"
		     "        1 10.00    2 15.00    1\n"
		     "        2 20.00    1 12.00    2\n"
		     "        4 30.00    1  6.00    2\n"
		     "mean rank       1.33       1.67\n");
	expect_table(&result, "mb_per_s by users with better",
		     "MB/s by users\n"
		     "target      1      2     4\n"
		     "a       10.00  20.00 30.00\n"
		     "b       15.00  12.00  6.00\n"
		     "better -33.3% +66.7% +400%\n");
	expect_table(&result, "p99 by users with better",
		     "p99 by users\n"
		     "target       1       2       4\n"
		     "a       100 ms 50.0 ms 33.3 ms\n"
		     "b      66.7 ms 83.3 ms  167 ms\n"
		     "better  -33.3%  +66.7%   +400%\n");
	expect_table(&result, "p99 with rank",
		     "p99\n"
		     "target users     p99 rank\n"
		     "a          1  100 ms    5\n"
		     "a          2 50.0 ms    2\n"
		     "a          4 33.3 ms    1\n"
		     "b          1 66.7 ms    3\n"
		     "b          2 83.3 ms    4\n"
		     "b          4  167 ms    6\n");
	drop(&result);
}

static void a_peak_is_the_best_of_all_users(void **state)
{
	struct result result;

	(void)state;
	make_result(&result);
	expect_table(&result, "peak mb_per_s,p99",
		     "peak MB/s, p99\n"
		     "target  MB/s     p99\n"
		     "a      20.00 50.0 ms\n"
		     "b      15.00 66.7 ms\n");
	drop(&result);
}

static void repeats_have_a_deviation(void **state)
{
	struct result result;

	(void)state;
	make_result(&result);
	measure(&result, 0, 1, 14);
	measure(&result, 0, 1, 30);
	expect_table(&result, "mb_per_s with repeats",
		     "MB/s over the repeats\n"
		     "target users   max   min  mean std dev\n"
		     "a          1 30.00 10.00 18.00   10.58\n"
		     "a          2 20.00 20.00 20.00       -\n"
		     "b          1 15.00 15.00 15.00       -\n"
		     "b          2 12.00 12.00 12.00       -\n");
	drop(&result);
}

static void phases_have_a_total(void **state)
{
	struct result result;

	(void)state;
	make_result(&result);
	expect_table(&result, "mb_per_s of phases by target",
		     "MB/s of phases by target\n"
		     "users phase     a     b\n"
		     "    1 fill   5.00  7.50\n"
		     "    1 drain 20.00 30.00\n"
		     "    1 total 10.00 15.00\n"
		     "    2 fill  10.00  6.00\n"
		     "    2 drain 40.00 24.00\n"
		     "    2 total 20.00 12.00\n");
	expect_table(&result, "peak mb_per_s of phases by target with better",
		     "peak MB/s of phases by target\n"
		     "phase       a      b\n"
		     "fill    10.00   7.50\n"
		     "drain   40.00  30.00\n"
		     "total   20.00  15.00\n"
		     "better -75.0% -75.0%\n");
	expect_table(&result, "peak mb_per_s of phases with rank",
		     "peak MB/s of phases\n"
		     "target phase  MB/s rank\n"
		     "a      fill  10.00    3\n"
		     "a      drain 40.00    1\n"
		     "a      total 20.00    -\n"
		     "b      fill   7.50    4\n"
		     "b      drain 30.00    2\n"
		     "b      total 15.00    -\n");
	expect_table(&result, "mb_per_s of phases by phase",
		     "MB/s of phases by phase\n"
		     "target users  fill drain total\n"
		     "a          1  5.00 20.00 10.00\n"
		     "a          2 10.00 40.00 20.00\n"
		     "b          1  7.50 30.00 15.00\n"
		     "b          2  6.00 24.00 12.00\n");
	expect_table(&result, "mb_per_s by phase",
		     "MB/s by phase\n"
		     "target users  fill drain\n"
		     "a          1  5.00 20.00\n"
		     "a          2 10.00 40.00\n"
		     "b          1  7.50 30.00\n"
		     "b          2  6.00 24.00\n");
	drop(&result);
}

static void users_have_a_total(void **state)
{
	const char *const users[] = {"0", "1"}, *const loads[] = {"mail", "web"};
	struct result result;
	size_t i, j;

	(void)state;
	make_result(&result);
	expect_table(&result, "mb_per_s of users",
		     "not shown\n"
		     "--table \"mb_per_s of users\": the result has no figures of users; measure "
		     "with\n"
		     "this table\n");
	for (i = 0; i < result.point_count; i++)
		for (j = 0; j < result.points[i].users; j++)
			SET(&result.points[i].repeats[0].records,
			    KEY(.user = users[j], .load = loads[j]), {FIGURE_SECONDS, 1},
			    {FIGURE_OPS, 7}, {FIGURE_BYTES, 1e6 * (double)(i + j + 1)});
	expect_table(&result, "mb_per_s,ops of users",
		     "MB/s, ops of users\n"
		     "target users load user   MB/s ops\n"
		     "a          1 mail 0      1.00   7\n"
		     "a          2 mail 0      2.00   7\n"
		     "a          2 web  1      3.00   7\n"
		     "a          2      total 20.00   5\n"
		     "b          1 mail 0      3.00   7\n"
		     "b          2 mail 0      4.00   7\n"
		     "b          2 web  1      5.00   7\n"
		     "b          2      total 12.00   5\n");
	expect_table(&result, "mb_per_s by user",
		     "MB/s by user\n"
		     "target users load    0    1\n"
		     "a          1 mail 1.00    -\n"
		     "a          2 mail 2.00    -\n"
		     "a          2 web     - 3.00\n"
		     "b          1 mail 3.00    -\n"
		     "b          2 mail 4.00    -\n"
		     "b          2 web     - 5.00\n");
	expect_table(&result, "peak mb_per_s of users by target",
		     "peak MB/s of users by target\n"
		     "load user      a     b\n"
		     "mail 0      2.00  4.00\n"
		     "web  1      3.00  5.00\n"
		     "     total 20.00 12.00\n");
	expect_table(&result, "peak mb_per_s of users by target with rank",
		     "peak MB/s of users by target\n"
		     "load      user      a rank     b rank\n"
		     "mail      0      2.00    2  4.00    1\n"
		     "web       1      3.00    2  5.00    1\n"
		     "          total 20.00    1 12.00    2\n"
		     "mean rank             2.00       1.00\n");
	drop(&result);
}

static void hosts_have_a_total(void **state)
{
	static const char *const hosts[] = {"h1", "h2"};
	struct result result;
	size_t i, j;

	(void)state;
	make_result(&result);
	expect_table(&result, "mb_per_s of hosts",
		     "not shown\n"
		     "--table \"mb_per_s of hosts\": the users did not play on other hosts "
		     "(--hosts)\n");
	expect_table(
		&result, "mb_per_s of hosts by phase",
		"not shown\n"
		"--table \"mb_per_s of hosts by phase\": a result has no figures of the phases of\n"
		"single hosts\n");
	for (i = 0; i < result.point_count; i++)
		for (j = 0; j < result.points[i].users; j++)
			SET(&result.points[i].repeats[0].records, KEY(.host = hosts[j]),
			    {FIGURE_SECONDS, 1}, {FIGURE_OPS, 7},
			    {FIGURE_BYTES, 1e6 * (double)(i + j + 1)});
	expect_table(&result, "mb_per_s,ops of hosts",
		     "MB/s, ops of hosts\n"
		     "target users host   MB/s ops\n"
		     "a          1 h1     1.00   7\n"
		     "a          2 h1     2.00   7\n"
		     "a          2 h2     3.00   7\n"
		     "a          2 total 20.00   5\n"
		     "b          1 h1     3.00   7\n"
		     "b          2 h1     4.00   7\n"
		     "b          2 h2     5.00   7\n"
		     "b          2 total 12.00   5\n");
	expect_table(&result, "mb_per_s by host",
		     "MB/s by host\n"
		     "target users   h1   h2\n"
		     "a          1 1.00    -\n"
		     "a          2 2.00 3.00\n"
		     "b          1 3.00    -\n"
		     "b          2 4.00 5.00\n");
	/* Tables that are not about hosts leave them out. */
	expect_table(&result, "ops by target",
		     "ops by target\n"
		     "users a b\n"
		     "    1 5 5\n"
		     "    2 5 5\n");
	drop(&result);
}

static void invalid_points_have_no_figures(void **state)
{
	struct result result;

	(void)state;
	make_result(&result);
	measure(&result, 1, 4, -99);
	expect_table(&result, "mb_per_s by target with step",
		     "MB/s by target\n"
		     "users     a       b   step\n"
		     "    1 10.00   15.00 +50.0%\n"
		     "    2 20.00   12.00 -40.0%\n"
		     "    4     - invalid      -\n");
	expect_table(&result, "peak mb_per_s by target",
		     "peak MB/s by target\n"
		     "    a     b\n"
		     "20.00 15.00\n");
	expect_table(&result, "peak p99 by target",
		     "peak p99 by target\n"
		     "      a       b\n"
		     "50.0 ms 66.7 ms\n");
	expect_table(&result, "mb_per_s,p99",
		     "MB/s, p99\n"
		     "target users    MB/s     p99\n"
		     "a          1   10.00  100 ms\n"
		     "a          2   20.00 50.0 ms\n"
		     "b          1   15.00 66.7 ms\n"
		     "b          2   12.00 83.3 ms\n"
		     "b          4 invalid invalid\n");
	drop(&result);
}

static void a_table_may_not_suit_a_result(void **state)
{
	struct result result;

	(void)state;
	make_result(&result);
	expect_table(&result, "mb_per_s by tagret",
		     "not shown\n"
		     "--table \"mb_per_s by tagret\": there is no key \"tagret\"; did you mean "
		     "target?\n");
	expect_table(
		&result, "mb_per_s by color",
		"not shown\n"
		"--table \"mb_per_s by color\": there is no key \"color\"; expected one of users,\n"
		"target, phase, operation\n");
	expect_table(&result, "mb_per_s by result",
		     "not shown\n"
		     "--table \"mb_per_s by result\": there is no key \"result\"; expected one of "
		     "users,\n"
		     "target, phase, operation\n");
	expect_table(&result, "mb_per_s of loads",
		     "not shown\n"
		     "--table \"mb_per_s of loads\": there is only one load\n");
	expect_table(&result, "scheduled_per_s",
		     "not shown\n"
		     "--table \"scheduled_per_s\": scheduled_per_s is measured only in an "
		     "open-loop\n"
		     "replay (with --rate, or with time stamps in the load)\n");
	expect_table(&result, "nonsense",
		     "not shown\n"
		     "--table \"nonsense\": unknown figure \"nonsense\"; expected a name such as "
		     "mb_per_s,\n"
		     "p99 or elapsed_s, which throng-results(5) lists\n");
	drop(&result);
}

int unit_tables(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(clauses_are_parsed),
		cmocka_unit_test(clauses_have_any_order),
		cmocka_unit_test(wrong_texts_are_refused),
		cmocka_unit_test(columns_are_compared),
		cmocka_unit_test(a_peak_is_the_best_of_all_users),
		cmocka_unit_test(repeats_have_a_deviation),
		cmocka_unit_test(phases_have_a_total),
		cmocka_unit_test(users_have_a_total),
		cmocka_unit_test(hosts_have_a_total),
		cmocka_unit_test(invalid_points_have_no_figures),
		cmocka_unit_test(a_table_may_not_suit_a_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
