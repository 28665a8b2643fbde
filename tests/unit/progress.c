/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "report/progress.h"

/* What is written to the stream, on a terminal or not. */
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
	/* A memory stream is no terminal: it is only told that it is one. */
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

static const struct progress_tick first = {
	.stage = "measure", .users = 4, .elapsed_s = 1, .left_s = 3,
	.ops = 1000, .bytes = 2500000, .sum_ns = 500000000,
}, second = {
	.stage = "measure", .users = 4, .elapsed_s = 2, .left_s = 2,
	.ops = 1500, .bytes = 3500000, .sum_ns = 600000000,
};

#define NOWRAP "\033[?7l"
#define WRAP "\033[?7h"
#define CLEAR "\r\033[K"

static void a_file_gets_a_plain_line_a_second(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, false);
	progress_show(&screen.progress, &first);
	/* Each line tells of its own second. */
	progress_show(&screen.progress, &second);
	progress_clear(&screen.progress);
	expect_text(&screen,
		    "     4 users  measure     1 s  now 2.50 MB/s, 1000 ops/s, "
		    "mean 0.5000 ms\n"
		    "     4 users  measure     2 s  now 1.00 MB/s, 500 ops/s, "
		    "mean 0.2000 ms\n");
	close_screen(&screen);
}

static void a_terminal_gets_one_line_with_a_bar(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, true);
	progress_show(&screen.progress, &first);
	progress_show(&screen.progress, &second);
	progress_clear(&screen.progress);
	progress_clear(&screen.progress);
	expect_text(&screen,
		    NOWRAP "     4 users measure   [###.......]    3 s left"
		    "      2.50 MB/s     1000 ops/s" WRAP CLEAR
		    NOWRAP "     4 users measure   [#####.....]    2 s left"
		    "      1.00 MB/s      500 ops/s" WRAP CLEAR);
	close_screen(&screen);
}

static void without_an_end_there_is_no_bar(void **state)
{
	struct progress_tick tick = first;
	struct screen screen;

	(void)state;
	tick.left_s = -1;
	open_screen(&screen, true);
	progress_show(&screen.progress, &tick);
	expect_text(&screen,
		    NOWRAP "     4 users measure                   1 s gone"
		    "      2.50 MB/s     1000 ops/s" WRAP);
	close_screen(&screen);
}

static void a_second_without_operations_has_no_mean(void **state)
{
	struct screen screen;

	(void)state;
	open_screen(&screen, false);
	progress_show(&screen.progress, &first);
	progress_show(&screen.progress, &first);
	expect_text(&screen,
		    "     4 users  measure     1 s  now 2.50 MB/s, 1000 ops/s, "
		    "mean 0.5000 ms\n"
		    "     4 users  measure     1 s  now 0.00 MB/s, 0 ops/s, "
		    "mean 0.0000 ms\n");
	close_screen(&screen);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_gets_a_plain_line_a_second),
		cmocka_unit_test(a_terminal_gets_one_line_with_a_bar),
		cmocka_unit_test(without_an_end_there_is_no_bar),
		cmocka_unit_test(a_second_without_operations_has_no_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
