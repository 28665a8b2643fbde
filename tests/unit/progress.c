/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "cli/measure/progress.h"

/* A memory stream, for the text that is written to a terminal or a file. */
struct screen {
	char *text;
	size_t bytes;
	FILE *stream;
	struct progress progress;
};

static void open_screen(struct screen *screen, bool terminal)
{
	screen->stream = open_memstream(&screen->text, &screen->bytes);
	assert_non_null(screen->stream);
	/* A memory stream is not a terminal; pretend that it is. */
	progress_open(&screen->progress, screen->stream);
	assert_false(screen->progress.terminal);
	screen->progress.terminal = terminal;
	progress_start(&screen->progress);
}

static void expect_text(struct screen *screen, const char *text)
{
	fflush(screen->stream);
	assert_string_equal(screen->text, text);
}

static void close_screen(struct screen *screen)
{
	fclose(screen->stream);
	free(screen->text);
}

/* The second point of three, in its first two seconds. */
static const struct progress_run run = {"point", .index = 2, .count = 3, .left_s = 64.4};
static const struct progress_run later = {"point", .index = 2, .count = 3, .left_s = 59.4};
static const struct workers_view first = {
	.stage = WORKERS_MEASURE,
	.users = 4,
	.elapsed_ns = NS_PER_S,
	.ops = 1000,
	.bytes = 2500000,
	.sum_ns = 500000000,
};
static const struct workers_view second = {
	.stage = WORKERS_MEASURE,
	.users = 4,
	.elapsed_ns = 2 * NS_PER_S,
	.ops = 1500,
	.bytes = 3500000,
	.sum_ns = 600000000,
	.mismatches = 1,
	.p99_ns = 234500,
};

#define NOWRAP "\033[?7l"
#define WRAP "\033[?7h"
#define CLEAR "\r\033[K"

static void a_file_gets_a_line_per_second(void **state)
{
	struct screen screen;

	open_screen(&screen, false);
	progress_show(&screen.progress, &run, &first);
	/* Each line has the figures of its own second. */
	progress_show(&screen.progress, &later, &second);
	progress_clear(&screen.progress);
	expect_text(&screen, "     4 users  measure     1 s  now 2.50 MB/s, 1000 ops/s, mean 500 "
			     "us, 0 mismatches; point 2 of 3, 1 min 4 s left\n"
			     "     4 users  measure     2 s  now 1.00 MB/s, 500 ops/s, "
			     "mean 200 us, p99 234 us, 1 mismatch; point 2 of 3, 59 s left\n");
	close_screen(&screen);
}

static void a_terminal_gets_one_line_again_and_again(void **state)
{
	struct screen screen;

	open_screen(&screen, true);
	progress_show(&screen.progress, &run, &first);
	progress_show(&screen.progress, &later, &second);
	progress_clear(&screen.progress);
	progress_clear(&screen.progress);
	expect_text(
		&screen, NOWRAP
		"point 2 of 3, 1 min 4 s left: 4 users  2.50 MB/s  0 mismatches  1000 ops/s" WRAP
			CLEAR NOWRAP "point 2 of 3, 59 s left: 4 users  1.00 MB/s  1 mismatch  p99 "
		"234 us  500 ops/s" WRAP CLEAR);
	close_screen(&screen);
}

/* Draw a tick on a terminal, and check the line between escape sequences. */
static void expect_drawn(const struct progress_run *at, const struct workers_view *view,
			 const char *wanted)
{
	struct screen screen;
	char text[200];

	open_screen(&screen, true);
	progress_show(&screen.progress, at, view);
	snprintf(text, sizeof(text), NOWRAP "%s" WRAP, wanted);
	expect_text(&screen, text);
	close_screen(&screen);
}

static void the_time_left_is_in_hours_minutes_and_seconds(void **state)
{
	struct workers_view view = second;
	struct progress_run at = later;

	view.p99_ns = 0;
	at.left_s = 0.2;
	expect_drawn(&at, &view,
		     "point 2 of 3, 0 s left: 4 users  3.50 MB/s  1 mismatch  1500 ops/s");
	at.left_s = 59.6;
	expect_drawn(&at, &view,
		     "point 2 of 3, 1 min 0 s left: 4 users  3.50 MB/s  1 mismatch  1500 ops/s");
	at.left_s = 3 * 3600 + 119;
	expect_drawn(&at, &view,
		     "point 2 of 3, 3 h 1 min left: 4 users  3.50 MB/s  1 mismatch  1500 ops/s");
	/* With --loops the time left is unknown. */
	at.left_s = -1;
	expect_drawn(&at, &view,
		     "point 2 of 3, 2 s elapsed: 4 users  3.50 MB/s  1 mismatch  1500 ops/s");
}

static void a_single_point_has_no_number(void **state)
{
	struct workers_view view = first;
	struct progress_run at = run;

	at.index = at.count = 1;
	view.users = 1;
	expect_drawn(&at, &view, "1 min 4 s left: 1 user  2.50 MB/s  0 mismatches  1000 ops/s");
}

static void other_stages_than_measure_are_named(void **state)
{
	struct workers_view view = first;

	view.stage = WORKERS_WARMUP;
	expect_drawn(&run, &view,
		     "point 2 of 3, 1 min 4 s left: 4 users  warm-up  2.50 MB/s  0 "
		     "mismatches  1000 ops/s");
}

static void a_load_without_bytes_shows_operations(void **state)
{
	struct workers_view view = second;

	view.bytes = 0;
	expect_drawn(&later, &view,
		     "point 2 of 3, 59 s left: 4 users  1500 ops/s  1 mismatch  p99 234 us");
}

static void a_second_without_operations_has_no_mean(void **state)
{
	struct screen screen;

	open_screen(&screen, false);
	progress_show(&screen.progress, &run, &first);
	progress_show(&screen.progress, &run, &first);
	expect_text(&screen, "     4 users  measure     1 s  now 2.50 MB/s, 1000 ops/s, mean 500 "
			     "us, 0 mismatches; point 2 of 3, 1 min 4 s left\n"
			     "     4 users  measure     1 s  now 0.00 MB/s, 0 ops/s, "
			     "mean 0 ns, 0 mismatches; point 2 of 3, 1 min 4 s left\n");
	close_screen(&screen);
}

int unit_progress(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_gets_a_line_per_second),
		cmocka_unit_test(a_terminal_gets_one_line_again_and_again),
		cmocka_unit_test(the_time_left_is_in_hours_minutes_and_seconds),
		cmocka_unit_test(a_single_point_has_no_number),
		cmocka_unit_test(other_stages_than_measure_are_named),
		cmocka_unit_test(a_load_without_bytes_shows_operations),
		cmocka_unit_test(a_second_without_operations_has_no_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
