/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test the headline of several results: when one is called the fastest, and that the
 * order of the results does not matter.
 */
#include "records.h"

#include "doc/render.h"
#include "report/sections.h"
#include "report/standing.h"
#include "stats/summary.h"

enum { RESULTS_MAX = 8, REPEATS_MAX = 8 };

/* The throughput of each repeat at one user count; 0 ends the list, and a negative one
 * is invalid. */
struct measured {
	unsigned users;
	double mb_per_s[REPEATS_MAX];
};

/* A result with a label, and its points up to one without users. */
struct made {
	const char *label;
	struct measured points[4];
};

static void measure(struct result *result, const struct measured *measured)
{
	size_t i;

	for (i = 0; i < REPEATS_MAX && measured->mb_per_s[i] != 0; i++) {
		struct result_repeat *repeat = result_add_repeat(result, 0, measured->users);
		double mb_per_s = measured->mb_per_s[i];

		assert_non_null(repeat);
		SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1});
		SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 5},
		    {FIGURE_BYTES, 1e6 * fabs(mb_per_s)});
		if (mb_per_s < 0)
			NOTICE_ADD(&repeat->invalid, NOTICE_NO_OPERATION);
	}
}

static void make_result(struct result *result, const struct made *made)
{
	const struct measured *point;

	snprintf(result->run.label, sizeof(result->run.label), "%s", made->label);
	make_variant(result);
	for (point = made->points; point < made->points + 4 && point->users > 0; point++)
		measure(result, point);
	assert_int_equal(summary_update(result), 0);
}

/* Return the text of the headline, without the note below it, unfolded. The caller
 * frees it. */
static char *write_headline(const struct view *view)
{
	struct doc *doc = doc_new();
	char *text = NULL, *end;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	section_headline(doc, view);
	assert_int_equal(doc_text(doc, false, stream), 0);
	fclose(stream);
	doc_free(doc);
	end = strstr(text, "\n\n");
	*(end != NULL ? end : text + strlen(text) - 1) = '\0';
	for (end = text; (end = strchr(end, '\n')) != NULL;)
		*end = ' ';
	return text;
}

/* Check the headline of results in each rotation of their order, forwards and
 * backwards. */
static void expect_headline(const struct made *made, size_t count, const char *wanted)
{
	size_t turn, i;

	for (turn = 0; turn < 2 * count; turn++) {
		struct result results[RESULTS_MAX] = {0};
		struct view view;
		char *text;

		for (i = 0; i < count; i++) {
			size_t at = (i + turn / 2) % count;

			make_result(&results[i], &made[turn % 2 == 0 ? at : count - 1 - at]);
		}
		assert_int_equal(view_make(&view, results, count, NULL, NULL), 0);
		text = write_headline(&view);
		assert_string_equal(text, wanted);
		free(text);
		view_free(&view);
		for (i = 0; i < count; i++)
			result_free(&results[i]);
	}
}
#define EXPECT(wanted, ...) \
	expect_headline((const struct made[]){__VA_ARGS__}, \
			LENGTH(((const struct made[]){__VA_ARGS__})), wanted)

/* The repeats of one side are all faster: the interval excludes 1 from four repeats
 * on. */
static void test_winner(void **state)
{
	EXPECT("new is 20.0% faster than old at the peaks: 120.00 against 100.00 MB/s at 8 users",
	       {"old", {{8, {99, 100, 100, 101}}}}, {"new", {{8, {110, 119, 121, 130}}}});
	/* One repeat is not: the interval of four has 1 in it. */
	EXPECT("new and old are within the spread at the peaks: 120.00 and 100.00 MB/s at 8 users",
	       {"old", {{8, {99, 100, 100, 115}}}}, {"new", {{8, {110, 119, 121, 130}}}});
	EXPECT("new is less than 0.1% faster than old at the peaks: 100.04 against 100.00 MB/s "
	       "at 1 user",
	       {"old", {{1, {100, 100, 100, 100}}}},
	       {"new", {{1, {100.04, 100.04, 100.04, 100.04}}}});
}

/* With fewer repeats nothing is known, whatever the difference. */
static void test_few(void **state)
{
	EXPECT("new and old have too few repeats to tell them apart at the peaks: 900.00 and "
	       "100.00 MB/s at 8 users",
	       {"old", {{8, {100, 100, 100}}}}, {"new", {{8, {900, 900, 900, 900}}}});
	EXPECT("new and old were measured once, so no spread is known at the peaks: 900.00 and "
	       "100.00 MB/s at 8 users",
	       {"old", {{8, {100}}}}, {"new", {{8, {900}}}});
	EXPECT("new and old have too few repeats to tell them apart at the peaks: 900.50 and "
	       "100.00 MB/s at 8 users",
	       {"old", {{8, {100}}}}, {"new", {{8, {900, 901}}}});
	/* A repeat that is invalid makes its point invalid. */
	EXPECT("only old has a valid throughput in MB/s (at the peak: 100.00 MB/s at 8 users)",
	       {"old", {{8, {100, 100, 100, 100}}}}, {"new", {{8, {900, 900, 900, 900, -900}}}});
	EXPECT("b is 100.0% faster than a at the peaks: 200.00 against 100.00 MB/s at 8 users; 1 "
	       "of "
	       "3 results has no valid throughput",
	       {"a", {{8, {100, 100, 100, 100}}}}, {"b", {{8, {200, 200, 200, 200}}}},
	       {"c", {{8, {-900}}}});
	EXPECT("Invalid: no figures", {"old", {{8, {-1}}}}, {"new", {{8, {-1}}}});
	EXPECT("Nothing was measured", {"old", {{0}}}, {"new", {{0}}});
}

/* Each common user count is compared, too. Peaks may have different ones. */
static void test_places(void **state)
{
	EXPECT("new is 20.0% faster than old at the peaks: 120.00 MB/s at 8 users against 100.00 "
	       "MB/s at 4 users; new is faster at 1 of 3 user counts, old at 1",
	       {"old",
		{{1, {30, 30, 30, 30, 30}},
		 {4, {100, 101, 99, 100, 100}},
		 {8, {80, 81, 82, 80, 80}}}},
	       {"new",
		{{1, {20, 20, 20, 20, 20}},
		 {4, {90, 101, 99, 120, 100}},
		 {8, {120, 119, 121, 120, 120}}}});
	EXPECT("b and a are within the spread at the peaks: 101.00 and 100.00 MB/s at 8 users; "
	       "none is faster at any of 2 user counts",
	       {"a", {{4, {50, 52, 48, 50, 50}}, {8, {90, 100, 100, 100, 120}}}},
	       {"b", {{4, {51, 52, 48, 50, 50}}, {8, {90, 101, 101, 101, 120}}}});
	/* Intervals of several places are wider, so that four repeats are too few. */
	EXPECT("b and a are within the spread at the peaks: 101.00 and 100.00 MB/s at 8 users",
	       {"a", {{4, {60, 62, 68, 60}}, {8, {90, 100, 100, 120}}}},
	       {"b", {{4, {51, 52, 48, 50}}, {8, {90, 101, 101, 120}}}});
	/* The peaks are not told apart, but one place is. */
	EXPECT("b and a are within the spread at the peaks: 101.00 and 100.00 MB/s at 8 users; a "
	       "is faster at 1 of 2 user counts",
	       {"a", {{4, {60, 62, 68, 60, 60}}, {8, {90, 100, 100, 100, 120}}}},
	       {"b", {{4, {51, 52, 48, 50, 50}}, {8, {90, 101, 101, 101, 120}}}});
}

static void test_several(void **state)
{
	EXPECT("c is the fastest of 3 results, 50.0% faster than b at the peaks: 300.00 against "
	       "200.00 MB/s at 8 users",
	       {"a", {{8, {100, 101, 99, 100}}}}, {"b", {{8, {200, 201, 199, 200}}}},
	       {"c", {{8, {300, 301, 299, 300}}}});
	EXPECT("c and b, the fastest of 3 results, are within the spread (peaks from 100.00 to "
	       "210.00 MB/s at 8 users)",
	       {"a", {{8, {100, 101, 99, 100}}}}, {"b", {{8, {200, 220, 199, 200}}}},
	       {"c", {{8, {210, 205, 210, 211}}}});
	EXPECT("c, b and a are within the spread (peaks from 100.00 to 102.00 MB/s at 8 users)",
	       {"a", {{8, {90, 100, 100, 140}}}}, {"b", {{8, {91, 101, 101, 150}}}},
	       {"c", {{8, {80, 102, 102, 180}}}});
	/* Three repeats of the last one do not tell it from the first one. */
	EXPECT("c and a, the fastest of 3 results, have too few repeats to tell them apart "
	       "(peaks from 100.00 to 300.00 MB/s at 8 users)",
	       {"a", {{8, {100, 101, 99}}}}, {"b", {{8, {200, 201, 199, 200}}}},
	       {"c", {{8, {300, 301, 299, 300}}}});
	/* Only the fastest is compared with each other one. */
	EXPECT("all 5 results were measured once, so no spread is known (peaks from 1.00 MB/s "
	       "at 8 users to 5.00 MB/s at 4 users)",
	       {"a", {{8, {1}}}}, {"b", {{8, {2}}}}, {"c", {{8, {3}}}}, {"d", {{8, {4}}}},
	       {"e", {{4, {5}}}});
}

/* The peak is no multiple of a first point that moved nothing. */
static void test_no_first(void **state)
{
	struct result result = {0};
	struct doc *doc = doc_new();
	struct view view;
	struct result_repeat *repeat;
	char *page = NULL;
	size_t size;
	FILE *stream = open_memstream(&page, &size);

	make_variant(&result);
	repeat = result_add_repeat(&result, 0, 1);
	assert_non_null(repeat);
	SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 1});
	SET(&repeat->records, KEY(.operation = "Read"), {FIGURE_OPS, 5});
	measure(&result, &(struct measured){2, {100}});
	assert_int_equal(summary_update(&result), 0);
	assert_int_equal(view_make(&view, &result, 1, NULL, NULL), 0);
	section_headline(doc, &view);
	assert_non_null(stream);
	assert_int_equal(doc_html(doc, "page", stream), 0);
	fclose(stream);
	assert_non_null(strstr(page, "100.00 MB/s"));
	assert_null(strstr(page, "Scaling"));
	free(page);
	doc_free(doc);
	view_free(&view);
	result_free(&result);
}

int unit_headline(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_winner),   cmocka_unit_test(test_few),
		cmocka_unit_test(test_places),   cmocka_unit_test(test_several),
		cmocka_unit_test(test_no_first),
	};

	return cmocka_run_group_tests_name("headline", tests, NULL, NULL);
}
