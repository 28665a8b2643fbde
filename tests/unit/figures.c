/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check the table of figures. tests/unit/schema.c compares it with the JSON
 * Schema, tests/unit/lists.c with what the reader takes.
 */
#include "unit.h"

#include "result/condition.h"

#include <ctype.h>

/* Return the name without its unit. */
static const char *stem_of(enum figure figure, char text[METRIC_TEXT])
{
	snprintf(text, METRIC_TEXT, "%.*s", (int)figure_stem(figure), figures[figure].name);
	return text;
}

/* Names, stems and other names: none stands for two figures. */
static void each_name_is_that_of_one_metric(void **state)
{
	char stem[METRIC_TEXT];
	enum figure figure;
	size_t i;

	for (figure = 0; figure < FIGURES; figure++) {
		const char *const names[] = {
			figures[figure].name,
			stem_of(figure, stem),
			figures[figure].also,
		};

		for (i = 0; i < LENGTH(names); i++)
			if (names[i] != NULL && metric_named(names[i]).figure != figure)
				fail_msg("%s is another figure", names[i]);
	}
	assert_int_equal(metric_named("p98_ms").figure, FIGURES);
}

static void names_are_plain(void **state)
{
	/* Columns of CSV and keys in JSON beside the figures. */
	static const char *const keys[] = {
		"users",        "repeat",    "repeats", "scope",     "host", "load",
		"phase",        "operation", "valid",   "label",     "user", "mb_per_s_min",
		"mb_per_s_max", "spread",    "gain",    "direction",
	};
	enum figure figure;
	size_t i;

	for (figure = 0; figure < FIGURES; figure++) {
		const char *name = figures[figure].name;

		assert_true(islower((unsigned char)name[0]));
		assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_"),
				 strlen(name));
		assert_true(strncmp(name, "set_", 4) != 0);
		for (i = 0; i < LENGTH(keys); i++)
			assert_string_not_equal(name, keys[i]);
	}
}

/* The unit of a name: that at its end. */
static void a_name_ends_with_its_unit(void **state)
{
	static const struct {
		enum figure_form form;
		const char *ending, *unit;
		double per_second;
		bool in_stem;
	} forms[] = {
		{FORM_MB_PER_S, "mb_per_s", "MB/s", 0, true},
		{FORM_PER_S, "_per_s", "/s", 0, true},
		{FORM_MS, "_ms", "ms", 1e3, false},
		{FORM_US, "_us", "us", 1e6, false},
		{FORM_SHARE, "_share", "", 0, false},
		{FORM_S, "_s", "s", 1, false},
		{FORM_BYTES, "bytes", "bytes", 0, true},
		{FORM_MEAN, "in_flight", "", 0, true},
		{FORM_COUNT, "", "", 0, true},
	};
	char stem[METRIC_TEXT];
	enum figure figure;
	size_t i, length;
	bool in_stem;

	for (figure = 0; figure < FIGURES; figure++) {
		const char *name = figures[figure].name;

		/* The length of the window is called as its unit. */
		if (figure == FIGURE_SECONDS) {
			assert_string_equal(figure_unit(figure), "s");
			continue;
		}
		for (i = 0; i < LENGTH(forms); i++) {
			length = strlen(forms[i].ending);
			if (strlen(name) >= length &&
			    strcmp(name + strlen(name) - length, forms[i].ending) == 0)
				break;
		}
		if (forms[i].form != figures[figure].form)
			fail_msg("the name of %s has another unit", name);
		assert_string_equal(figure_unit(figure), forms[i].unit);
		expect_near(figure_per_second(figure), forms[i].per_second, 0);
		stem_of(figure, stem);
		/* The stem of time_share would be that of time_s. */
		in_stem = forms[i].in_stem || figure == FIGURE_TIME_SHARE;
		assert_int_equal(strlen(stem) + (in_stem ? 0 : strlen(forms[i].ending)),
				 strlen(name));
	}
}

static void operations_have_the_first_figures(void **state)
{
	static const char *const names[] = {
		"ops",      "bytes",     "errors",     "mismatches", "time_s",
		"mb_per_s", "ops_per_s", "time_share", "mean_ms",    "p50_ms",
		"p90_ms",   "p95_ms",    "p99_ms",     "p99_9_ms",   "max_ms",
	};
	size_t i;

	assert_int_equal(FIGURES_OF_OPERATIONS, LENGTH(names));
	for (i = 0; i < LENGTH(names); i++)
		assert_string_equal(figures[i].name, names[i]);
}

/* collect.c sets the percentiles of a distribution one after the other. */
static void percentiles_follow_each_other(void **state)
{
	static const enum figure firsts[] = {FIGURE_P50_MS, FIGURE_SERVICE_P50_MS,
					     FIGURE_LATENESS_P50_MS, FIGURE_LOOP_S};
	static const char *const percentiles[] = {"p90", "p95", "p99", "p99_9"};
	char wanted[METRIC_TEXT], stem[METRIC_TEXT];
	size_t i, j;

	for (i = 0; i < LENGTH(firsts); i++) {
		const char *first = figures[firsts[i]].name;
		int before = firsts[i] == FIGURE_LOOP_S ? 5 : (int)(strstr(first, "p50") - first);

		for (j = 0; j < LENGTH(percentiles); j++) {
			snprintf(wanted, sizeof(wanted), "%.*s%s", before, first, percentiles[j]);
			assert_string_equal(stem_of(firsts[i] + 1 + (enum figure)j, stem), wanted);
			/* Those of loops need loops, not operations. */
			if (firsts[i] != FIGURE_LOOP_S)
				assert_int_equal(figures[firsts[i] + 1 + j].samples,
						 figures[FIGURE_P50_MS + 1 + j].samples);
		}
	}
}

/* Conditions on these are refused unless the replay is open-loop. */
static void figures_of_due_operations_are_paced(void **state)
{
	static const char *const begins[] = {"scheduled", "completed", "service", "lateness",
					     "unfinished"};
	enum figure figure;
	size_t i;

	for (figure = 0; figure < FIGURES; figure++) {
		bool open_loop = false;

		for (i = 0; i < LENGTH(begins); i++)
			open_loop |= strncmp(figures[figure].name, begins[i], strlen(begins[i])) ==
				     0;
		if (figures[figure].open_loop != open_loop)
			fail_msg("%s", figures[figure].name);
	}
}

static void headings_are_unique(void **state)
{
	enum figure figure, other;

	for (figure = 0; figure < FIGURES; figure++)
		for (other = 0; other < figure; other++)
			if (figures[figure].heading != NULL && figures[other].heading != NULL &&
			    strcmp(figures[figure].heading, figures[other].heading) == 0)
				fail_msg("two figures are headed %s", figures[figure].heading);
}

/* A row of a point is like one of a repeat: it has the mean of counts, and the
 * median of rates, shares and times. */
static void repeats_combine_as_their_form_allows(void **state)
{
	enum figure figure;

	for (figure = 0; figure < FIGURES; figure++) {
		const struct figure_info *info = &figures[figure];
		bool rate = info->form == FORM_MB_PER_S || info->form == FORM_PER_S ||
			    info->form == FORM_SHARE || info->form == FORM_US ||
			    info->form == FORM_MEAN;
		size_t length = strlen(info->name);
		bool is_max = strstr(info->name, "max") != NULL;
		/* How far off the start was on the worst of several hosts. */
		bool of_start = figure == FIGURE_CLOCK_ERROR_MS || figure == FIGURE_LATE_MS;
		bool of_user = strncmp(info->name, "user_ops", 8) == 0;

		if (rate && info->combine != COMBINE_MEDIAN && figure != FIGURE_TIME_SHARE)
			fail_msg("%s is no median", info->name);
		if (is_max && !of_user && info->combine != COMBINE_MAX)
			fail_msg("%s is not the largest", info->name);
		if (strstr(info->name, "_min_") != NULL && info->combine != COMBINE_MIN)
			fail_msg("%s is not the smallest", info->name);
		/* Times are medians, unless they are lengths of something. */
		if (info->form == FORM_MS && !is_max && !of_start &&
		    info->combine != COMBINE_MEDIAN)
			fail_msg("%s is no median", info->name);
		if (length > 6 && strcmp(info->name + length - 6, "_count") == 0 &&
		    info->combine != COMBINE_MEAN)
			fail_msg("%s is no mean", info->name);
		if (info->more_is_better)
			assert_true(rate && info->heading != NULL);
		/* A point's value is computed from others only if a repeat's is, too. */
		if (info->combine == COMBINE_NOT)
			assert_true(info->derived);
		if (info->derived)
			assert_true(rate && !info->optional);
	}
	assert_int_equal(figures[FIGURE_OPS].combine, COMBINE_MEAN);
	assert_int_equal(figures[FIGURE_BYTES].combine, COMBINE_MEAN);
	assert_int_equal(figures[FIGURE_SECONDS].combine, COMBINE_MEAN);
	assert_int_equal(figures[FIGURE_UNFINISHED].combine, COMBINE_MEAN);
}

int unit_figures(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_name_is_that_of_one_metric),
		cmocka_unit_test(names_are_plain),
		cmocka_unit_test(a_name_ends_with_its_unit),
		cmocka_unit_test(operations_have_the_first_figures),
		cmocka_unit_test(percentiles_follow_each_other),
		cmocka_unit_test(figures_of_due_operations_are_paced),
		cmocka_unit_test(headings_are_unique),
		cmocka_unit_test(repeats_combine_as_their_form_allows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
