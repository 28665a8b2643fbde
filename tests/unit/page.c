/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents as HTML pages, and their charts as SVG.
 */
#include "unit.h"

#include "doc/render.h"

#include <ctype.h>
#include <errno.h>

/* Check that all elements of a page end in the order in which they began. */
static void expect_nested(const char *page)
{
	const char *names[32], *at;
	size_t sizes[32], depth = 0;

	for (at = strchr(page, '<'); at != NULL; at = strchr(at + 1, '<')) {
		const char *name = at + 1 + (at[1] == '/'), *end = strchr(at, '>');
		size_t size = 0;

		assert_non_null(end);
		while (isalnum((unsigned char)name[size]))
			size++;
		if (at[1] == '!' || end[-1] == '/')
			continue;
		if (at[1] != '/') {
			assert_true(depth < LENGTH(names));
			names[depth] = name;
			sizes[depth++] = size;
			continue;
		}
		assert_true(depth > 0);
		depth--;
		if (sizes[depth] != size || memcmp(names[depth], name, size) != 0)
			fail_msg("</%.*s> ends <%.20s", (int)size, name, names[depth]);
	}
	assert_int_equal(depth, 0);
}

/* Return the page of a document, without its style, and free the document. */
static char *page_of(struct doc *doc)
{
	char *page = NULL, *style, *end;
	size_t bytes;
	FILE *stream = open_memstream(&page, &bytes);

	assert_non_null(stream);
	assert_int_equal(doc_html(doc, "a <title>", stream), 0);
	fclose(stream);
	doc_free(doc);
	style = strstr(page, "<style>");
	assert_non_null(style);
	end = strstr(style, "</style>");
	memmove(style + strlen("<style>"), end, strlen(end) + 1);
	expect_nested(page);
	assert_null(strstr(page, "nan"));
	assert_null(strstr(page, "inf"));
	return page;
}

/* Check the header and the main part of the page of a document, and free both. */
static void expect_page(struct doc *doc, const char *header, const char *main_part)
{
	char *page = page_of(doc), wanted[8192];
	int bytes = snprintf(wanted, sizeof(wanted),
			     "<header>\n%s</header>\n<main>\n%s</main>\n</body>\n</html>\n", header,
			     main_part);
	const char *found = strstr(page, "<header>");

	assert_true(bytes < (int)sizeof(wanted));
	assert_non_null(found);
	assert_string_equal(found, wanted);
	free(page);
}

/* Expect a text in a page, or that it is not there. */
static void expect_in(const char *page, const char *text)
{
	if (strstr(page, text) == NULL)
		fail_msg("\"%s\" is not in\n%s", text, strstr(page, "<main>"));
}

static void expect_not_in(const char *page, const char *text)
{
	if (strstr(page, text) != NULL)
		fail_msg("\"%s\" is in\n%s", text, page);
}

static size_t count_of(const char *page, const char *text)
{
	size_t count = 0;

	while ((page = strstr(page, text)) != NULL) {
		count++;
		page++;
	}
	return count;
}

static void pages_have_a_frame(void **state)
{
	char *page = page_of(doc_new());

	expect_in(page,
		  "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">");
	expect_in(page,
		  "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\"/>");
	expect_in(page, "<title>a &lt;title&gt; \u2013 throng</title>");
	/* Each page has a heading of level 1. */
	expect_in(page, "<header>\n<h1>a &lt;title&gt;</h1>\n</header>\n<main>\n</main>");
	free(page);
}

static void a_header_has_the_headline(void **state)
{
	struct doc *doc = doc_new();

	doc_note(doc, "a.load on <srv>");
	doc_headline(doc, DOC_BAD, "1,852 MB/s", "at 8 users");
	doc_note(doc, "note");
	doc_badge(doc, DOC_GOOD, "%s", "valid");
	doc_tile(doc, "p99", "2 ms", "p50 1 ms");
	doc_tile(doc, "Spread", "unknown", "");
	doc_item(doc, DOC_PLAIN, NULL, "fact", "A & B");
	doc_line(doc, "line");
	doc_heading(doc, 2, "Points");
	doc_note(doc, "note");
	expect_page(doc,
		    "<p class=\"what\">a.load on &lt;srv&gt;</p>\n"
		    "<h1 class=\"bad\"><strong>1,852 MB/s</strong> <span>at 8 users</span></h1>\n"
		    "<p class=\"note\">note</p>\n"
		    "<p class=\"verdicts\"><span class=\"verdict good\">valid</span>\n</p>\n"
		    "<dl class=\"tiles\">\n"
		    "<div><dt>p99</dt><dd>2 ms <small>p50 1 ms</small></dd></div>\n"
		    "<div><dt>Spread</dt><dd>unknown <small></small></dd></div>\n</dl>\n"
		    "<ul class=\"answer\">\n<li>A &amp; B</li>\n</ul>\n"
		    "<p class=\"note\">line</p>\n",
		    "<section>\n<h2>Points</h2>\n<p class=\"note\">note</p>\n</section>\n");
}

/* Badges lead to the items of their class, if there are any. Only the first list has the
 * id. */
static void badges_lead_to_items(void **state)
{
	struct doc *doc = doc_new();

	doc_headline(doc, DOC_PLAIN, "main", NULL);
	doc_badge(doc, DOC_BAD, "invalid");
	doc_badge(doc, DOC_WARNING, "warned");
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "one");
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "two");
	doc_item(doc, DOC_WARNING, "Others", "other", "three");
	expect_page(doc,
		    "<h1><strong>main</strong></h1>\n"
		    "<p class=\"verdicts\"><span class=\"verdict bad\">invalid</span>\n"
		    "<a class=\"verdict warning\" href=\"#warnings\">warned</a>\n</p>\n",
		    "<section class=\"reasons warning\" id=\"warnings\">\n<h2>Warnings</h2>\n"
		    "<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n</section>\n"
		    "<section class=\"reasons warning\">\n<h2>Others</h2>\n"
		    "<ul>\n<li>three</li>\n</ul>\n</section>\n");
}

static void sections_have_headings_and_folds(void **state)
{
	struct doc *doc = doc_new();

	doc_heading(doc, 3, "No section");
	doc_heading(doc, 2, "One");
	doc_heading(doc, 3, "Title");
	doc_fold(doc, true, "outer");
	doc_fold(doc, false, "inner");
	doc_fact(doc, "name", "%s", "<text>");
	doc_fact(doc, "other", "%s", "");
	doc_fold_end(doc);
	doc_fold_end(doc);
	doc_heading(doc, 2, "Two");
	doc_medium(doc, DOC_TEXT | DOC_MARKDOWN);
	doc_note(doc, "not in pages");
	doc_medium(doc, DOC_ALL);
	expect_page(doc, "<h1>a &lt;title&gt;</h1>\n",
		    "<h2>No section</h2>\n"
		    "<section>\n<h2>One</h2>\n<h3>Title</h3>\n"
		    "<details open=\"open\">\n<summary>outer</summary>\n"
		    "<details>\n<summary>inner</summary>\n"
		    "<dl class=\"facts\">\n<div><dt>name</dt><dd>&lt;text&gt;</dd></div>\n"
		    "<div><dt>other</dt><dd></dd></div>\n</dl>\n"
		    "</details>\n</details>\n</section>\n"
		    "<section>\n<h2>Two</h2>\n</section>\n");
}

static void tables_have_labels_and_numbers(void **state)
{
	struct doc *doc = doc_new();

	doc_heading(doc, 2, "T");
	doc_table(doc, 0);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	doc_column(doc, "result", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "MB/s", NUMBER_MB_PER_S, DOC_MAIN | DOC_WIDE);
	doc_column(doc, "time", NUMBER_SHARE, DOC_BAR);
	doc_column(doc, "errors", NUMBER_COUNT, DOC_OPTIONAL);
	doc_column(doc, "none", NUMBER_COUNT, DOC_OPTIONAL);
	doc_column(doc, "text", NUMBER_COUNT, DOC_LEFT);
	doc_row(doc, DOC_BEST, 9);
	doc_cell(doc, 1000);
	doc_cell_text(doc, "<a>");
	doc_cell_colour(doc, 1852, DOC_WORSE);
	doc_cell(doc, 0.125);
	doc_cell(doc, 3);
	doc_cell(doc, 0);
	doc_cell_text(doc, "a text that is so long that it is folded");
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%s", "");
	doc_cell_text(doc, "b");
	doc_cell_form(doc, NUMBER_TIME, 0.002);
	doc_cell(doc, NAN);
	doc_cell(doc, 0);
	doc_cell(doc, 0);
	doc_cell_text(doc, "%s", "");
	doc_table_end(doc);
	expect_page(
		doc, "<h1>a &lt;title&gt;</h1>\n",
		"<section>\n<h2>T</h2>\n<div class=\"wide\" tabindex=\"0\">\n<table>\n"
		"<thead><tr><th>users</th><th class=\"left\">result</th><th>MB/s</th>"
		"<th>time</th><th>errors</th><th class=\"left\">text</th></tr></thead>\n"
		"<tbody>\n"
		"<tr class=\"best\"><th scope=\"row\">1,000</th>"
		"<th scope=\"row\" class=\"left\"><b class=\"letter s1\">&lt;a&gt;</b></th>"
		"<td class=\"main worse\">1,852.0</td>"
		"<td class=\"share\"><i class=\"s1\" style=\"--s:0.125\"></i>12 %</td>"
		"<td>3</td><td class=\"left long\">a text that is so long that it is folded</td>"
		"</tr>\n"
		"<tr><th scope=\"row\"></th><th scope=\"row\" class=\"left\">b</th>"
		"<td class=\"main\">2.00 ms</td><td class=\"share\"></td><td></td>"
		"<td class=\"left\"></td></tr>\n"
		"</tbody>\n</table>\n</div>\n</section>\n");
}

/* A row may lead to the reasons why it has no figures, or to its warnings. */
static void rows_lead_to_reasons(void **state)
{
	struct doc *doc = doc_new();
	char *page;
	size_t i;

	doc_item(doc, DOC_BAD, "Invalid", "invalid", "why");
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "why");
	doc_table(doc, 0);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	for (i = 0; i < 9; i++)
		doc_column(doc, "n", NUMBER_COUNT, 0);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 1);
	doc_rest(doc, DOC_BAD, "%s", "<reason>");
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 2);
	doc_rest(doc, DOC_PLAIN, "%s", "remark");
	doc_row(doc, DOC_WARNING, 0);
	doc_cell(doc, 3);
	doc_table_end(doc);
	page = page_of(doc);
	expect_in(page, "<table class=\"many\">");
	expect_in(page, "<th scope=\"row\">1</th><td class=\"void\" colspan=\"9\">"
			"<a class=\"bad\" href=\"#invalid\">&lt;reason&gt;</a></td>");
	expect_in(page, "<th scope=\"row\">2</th><td class=\"void\" "
			"colspan=\"9\"><span>remark</span></td>");
	expect_in(page, "<tr class=\"warning\"><th scope=\"row\">3 <a class=\"flag warning\" "
			"href=\"#warnings\" title=\"warning\">?</a></th>");
	free(page);
}

/* Rows with the same labels but the last belong together. */
static void rows_form_groups(void **state)
{
	static const unsigned users[] = {1, 1, 2, 2, 2};
	struct doc *doc = doc_new();
	char *page;
	size_t i;

	doc_headline(doc, DOC_GOOD, "a headline that is rather long", "");
	doc_table(doc, 0);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	doc_column(doc, "bs", NUMBER_COUNT, DOC_LABEL);
	doc_column(doc, "result", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	for (i = 0; i < LENGTH(users); i++) {
		doc_row(doc, i == 1 ? DOC_BEST : DOC_PLAIN, 0);
		doc_cell(doc, users[i]);
		doc_cell_text(doc, "%s", i == 4 ? "8Ki" : "4Ki");
		doc_cell_text(doc, "row %zu", i);
	}
	doc_table_end(doc);
	page = page_of(doc);
	expect_in(page,
		  "<h1 class=\"good long\"><strong>a headline that is rather long</strong></h1>");
	expect_in(page, "<table class=\"few\">");
	assert_int_equal(count_of(page, "same"), 2);
	expect_in(page, "<tr class=\"best same\"><th scope=\"row\">1</th>"
			"<th scope=\"row\">4Ki</th><th scope=\"row\" class=\"left\">row 1</th>");
	expect_in(page, "<tr class=\"same\"><th scope=\"row\">2</th>"
			"<th scope=\"row\">4Ki</th><th scope=\"row\" class=\"left\">row 3</th>");
	free(page);
}

static void short_memory_is_an_error(void **state)
{
	struct doc *doc = doc_new();
	FILE *stream = tmpfile();

	assert_non_null(stream);
	doc_fail(doc);
	assert_int_equal(doc_html(doc, "title", stream), -ENOMEM);
	assert_int_equal(ftell(stream), 0);
	fclose(stream);
	doc_free(doc);
}

/*
 * Charts.
 */

static const struct doc_axis users_axis = {"users", NUMBER_COUNT, DOC_STEPS, NULL, 0};
static const struct doc_axis rate_axis = {"MB/s", NUMBER_MB_PER_S, DOC_LINEAR, NULL, 0};
static const struct doc_axis time_axis = {"latency", NUMBER_TIME, DOC_SPAN, NULL, 0};
static const struct doc_axis ratio_axis = {"new to base", NUMBER_RATIO, DOC_RATIOS, NULL, 0};

static void add_chart(struct doc *doc, const char *id, const struct doc_axis *x,
		      const struct doc_axis *y, const struct doc_mark *marks, size_t count)
{
	const struct doc_axis axes[] = {*x, *y};
	size_t i, j;

	doc_chart(doc, id, "A <chart>", axes);
	for (i = 0; i < count; i++) {
		doc_mark(doc, &marks[i]);
		for (j = 0; j < marks[i].count; j++) {
			doc_spot(doc, &marks[i].spots[j]);
			if (marks[i].spots[j].title != NULL)
				doc_title(doc, "%s", marks[i].spots[j].title);
		}
	}
}

/* Return the page with a single chart. */
static char *chart_of(const struct doc_axis *x, const struct doc_axis *y,
		      const struct doc_mark *marks, size_t count)
{
	struct doc *doc = doc_new();

	add_chart(doc, "chart", x, y, marks, count);
	return page_of(doc);
}

static struct doc_spot two_spots[] = {{.x = 1, .y = 10}, {.x = 2, .y = 20}};

/* Adjacent charts are one grid, with their captions and the items between them. */
static void charts_form_a_grid(void **state)
{
	const struct doc_mark mark = {.kind = DOC_MARK_LINE, .spots = two_spots, .count = 2};
	struct doc *doc = doc_new();
	const char *first, *items, *second, *end;
	char *page;

	add_chart(doc, "one", &users_axis, &rate_axis, &mark, 1);
	doc_note(doc, "caption");
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "inside");
	add_chart(doc, "two", &users_axis, &rate_axis, &mark, 1);
	doc_item(doc, DOC_BAD, "Invalid", "invalid", "outside");
	doc_heading(doc, 2, "Section");
	add_chart(doc, "three", &users_axis, &rate_axis, &mark, 1);
	page = page_of(doc);
	assert_int_equal(count_of(page, "<div class=\"charts\">"), 2);
	first = strstr(page, "aria-labelledby=\"one-name one-text\"");
	items = strstr(page, "<li>inside</li>");
	second = strstr(page, "aria-labelledby=\"two-name two-text\"");
	end = strstr(page, "</figure>\n</div>\n<section class=\"reasons bad\" id=\"invalid\">");
	assert_true(first != NULL && first < items && items < second && second < end);
	expect_in(page, "<p class=\"note\">caption</p>\n</figure>\n<section class=\"reasons");
	assert_int_equal(count_of(page, "<h2>A &lt;chart&gt;</h2>"), 2);
	assert_int_equal(count_of(page, "<h3>A &lt;chart&gt;</h3>"), 1);
	expect_in(page, "<title id=\"one-name\">A &lt;chart&gt;</title>\n"
			"<desc id=\"one-text\">Across: users; upwards: MB/s.");
	free(page);
}

/* A chart without values is left out, even if it has crosses or a band. */
static void charts_without_values_are_left_out(void **state)
{
	static struct doc_spot cross = {.x = 1, .y = NAN};
	static struct doc_spot band = {.x = 0.9, .to = 1.1};
	static const struct doc_mark marks[] = {
		{.kind = DOC_MARK_LINE, .spots = &cross, .count = 1},
		{.kind = DOC_MARK_CROSS, .spots = &cross, .count = 1},
		{.kind = DOC_MARK_BAND, .spots = &band, .count = 1},
		{.kind = DOC_MARK_DOTS, .legend = "repeat"},
	};
	char *page = chart_of(&users_axis, &rate_axis, marks, LENGTH(marks));

	expect_not_in(page, "<figure>");
	expect_not_in(page, "charts");
	free(page);
}

static void lines_have_gaps_and_dots(void **state)
{
	static struct doc_spot spots[] = {
		{.x = 1, .y = 10, .title = "<1>"},
		{.x = 2, .y = 20},
		{.x = 3, .y = NAN},
		{.x = 4, .y = 40},
	};
	static const struct doc_mark marks[] = {
		{.kind = DOC_MARK_LINE,
		 .series = 10,
		 .name = "<A>",
		 .legend = "<a>",
		 .spots = spots,
		 .count = 4},
		{.kind = DOC_MARK_WARNED, .series = 10, .spots = &spots[1], .count = 1},
		{.kind = DOC_MARK_CROSS, .legend = "invalid", .spots = &spots[2], .count = 1},
		{.kind = DOC_MARK_LINE, .series = 10, .legend = "<a>", .spots = spots, .count = 4},
	};
	char *page = chart_of(&users_axis, &rate_axis, marks, LENGTH(marks));

	/* From 0 at the bottom, 322, to 50 at the top, 30. */
	expect_in(page, "<path class=\"line s2 again\" d=\"M90.0 263.6L252.7 205.2M578.0 88.4\"/>\n"
			"<circle class=\"middle s2 again\" cx=\"90.0\" cy=\"263.6\" r=\"4\">"
			"<title>&lt;1&gt;</title></circle>\n"
			"<circle class=\"middle s2 again\" cx=\"252.7\" cy=\"205.2\" r=\"4\"/>\n");
	expect_in(page, "<circle class=\"warned s2 again\" cx=\"252.7\" cy=\"205.2\"");
	expect_in(page, "<path class=\"void\" d=\"M410.3 317.0l10 10m0 -10l-10 10\"/>");
	expect_in(page,
		  "<text class=\"mark s2\" x=\"598\" y=\"88.4\" dy=\".35em\">&lt;A&gt;</text>");
	/* The legend has each text once. */
	expect_in(page,
		  "<p class=\"legend\"><span><i class=\"line s2 again\"></i>&lt;a&gt;</span>\n"
		  "<span><i class=\"void s0\"></i>invalid</span>\n</p>");
	free(page);
}

/* Names at the ends of lines do not overlap, and stay in the drawing. */
static void names_are_moved_apart(void **state)
{
	enum { LINES = 20 };
	static char names[LINES][8];
	struct doc_mark marks[LINES];
	const char *at;
	double last = -INFINITY, y = 0;
	size_t i;
	char *page;

	for (i = 0; i < LINES; i++) {
		snprintf(names[i], sizeof(names[i]), "%zu", i);
		marks[i] = (struct doc_mark){.kind = DOC_MARK_LINE,
					     .series = (unsigned)i + 1,
					     .name = names[i],
					     .spots = two_spots,
					     .count = 2};
	}
	page = chart_of(&users_axis, &rate_axis, marks, LINES);
	for (at = page, i = 0; (at = strstr(at, "<text class=\"mark")) != NULL; i++, at++) {
		y = strtod(strstr(at, " y=\"") + 4, NULL);
		assert_true(y >= last + 18.9);
		last = y;
		if (i == 0)
			assert_true(y >= 0);
	}
	assert_int_equal(i, LINES);
	/* The drawing is as high as they need. */
	assert_true(strtod(strstr(page, "viewBox=\"0 0 640 ") + 17, NULL) > y + 20);
	free(page);
}

static void ticks_have_the_form_of_their_values(void **state)
{
	static const struct {
		struct doc_axis axis;
		double max;
		const char *tick;
	} rows[] = {
		{{"MB/s", NUMBER_MB_PER_S, DOC_LINEAR, NULL, 0}, 1400, "1,500"},
		{{"ops/s", NUMBER_PER_S, DOC_LINEAR, NULL, 0}, 2.3e6, "2.5 M"},
		{{"ops/s", NUMBER_PER_S, DOC_LINEAR, NULL, 0}, 1.7, "1.5"},
		{{"s", NUMBER_TIME, DOC_LINEAR, NULL, 0}, 18e-6, "20 \u00b5s"},
		{{"s", NUMBER_TIME, DOC_LINEAR, NULL, 0}, 0.45e-3, "500 \u00b5s"},
		{{"s", NUMBER_TIME, DOC_LINEAR, NULL, 0}, 1800, "2,000 s"},
		{{"time", NUMBER_SHARE, DOC_LINEAR, NULL, 0}, 0.9, "80 %"},
		{{"bytes", NUMBER_BYTES, DOC_LINEAR, NULL, 0}, 9, "10 B"},
		{{"ratio", NUMBER_RATIO, DOC_RATIOS, NULL, 0}, 1.1, "1.02"},
		{{"ratio", NUMBER_RATIO, DOC_RATIOS, NULL, 0}, 9, "0.5"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct doc_spot spot = {.x = 1, .y = rows[i].max};
		const struct doc_mark mark = {.kind = DOC_MARK_LINE, .spots = &spot, .count = 1};
		char *page = chart_of(&users_axis, &rows[i].axis, &mark, 1), tick[64];

		snprintf(tick, sizeof(tick), ">%s</text>", rows[i].tick);
		expect_in(page, tick);
		free(page);
	}
}

static void wide_spans_are_called_logarithmic(void **state)
{
	static struct doc_spot spots[] = {{.x = 1, .y = 20e-6}, {.x = 2, .y = 1.5e-3}};
	struct doc_mark mark = {.kind = DOC_MARK_LINE, .spots = spots, .count = 2};
	char *page = chart_of(&users_axis, &time_axis, &mark, 1);

	expect_in(page, ">latency, logarithmic</text>");
	expect_in(page, ">200 \u00b5s</text>");
	free(page);
	mark.count = 1;
	page = chart_of(&users_axis, &time_axis, &mark, 1);
	expect_in(page, ">latency</text>");
	free(page);
}

/* With names on the y axis, there is a row for each, from the top down. Long names
 * are above their rows, and the longest lose their middle. */
static void rows_have_names(void **state)
{
	const char *names[] = {"<p99>", "MB/s"};
	struct doc_axis rows = {NULL, NUMBER_COUNT, DOC_NAMES, names, 2};
	static struct doc_spot band = {.x = 0.95, .to = 1.05};
	static struct doc_spot intervals[] = {{0.9, 1, 1.1, "<title>", DOC_WORSE}};
	static struct doc_spot dots[] = {{.x = 1, .y = 2}};
	static const struct doc_mark marks[] = {
		{.kind = DOC_MARK_BAND, .legend = "margin", .spots = &band, .count = 1},
		{.kind = DOC_MARK_INTERVAL, .series = 1, .spots = intervals, .count = 1},
		{.kind = DOC_MARK_DOTS,
		 .series = 1,
		 .name = "not drawn",
		 .spots = dots,
		 .count = 1},
	};
	char *page = chart_of(&ratio_axis, &rows, marks, LENGTH(marks));

	expect_in(page, "<text x=\"58.5\" y=\"23.0\" dy=\".35em\">&lt;p99&gt;</text>");
	expect_in(page, "<rect class=\"band s0\" x=\"217.8\" y=\"8.0\" width=\"280.0\" "
			"height=\"60.0\"/>");
	expect_in(page, "<path class=\"interval s1 worse\" d=\"M66.5 18.0v10m0 -5H628.0m0 -5v10\">"
			"<title>&lt;title&gt;</title></path>");
	expect_in(page, "cy=\"53.0\"");
	expect_in(page, "<path class=\"one\" d=\"M");
	expect_not_in(page, "not drawn");
	free(page);
	names[0] = "a name that is longer than the room on the left";
	names[1] =
		"a name that is longer than fits into the drawing, with \u00e4, \u00f6 and \u00fc";
	page = chart_of(&ratio_axis, &rows, marks, LENGTH(marks));
	expect_in(page,
		  "<text class=\"row\" x=\"0\" y=\"24.0\">a name that is longer than the room");
	expect_in(page,
		  "<title>a name that is longer than fits into the drawing, with \u00e4, "
		  "\u00f6 and \u00fc</title>a name that is longer than fits i\u2026awing, with "
		  "\u00e4, \u00f6 and \u00fc</text>");
	free(page);
}

/* Long names below the x axis are steep, and those without room are left out. */
static void names_below_are_steep(void **state)
{
	enum { NAMES = 60 };
	static const char *names[NAMES];
	static struct doc_spot spots[NAMES];
	const struct doc_mark mark = {.kind = DOC_MARK_LINE, .spots = spots, .count = NAMES};
	struct doc_axis axis = {"bs & size", NUMBER_COUNT, DOC_NAMES, names, 2};
	char *page;
	size_t i;

	for (i = 0; i < NAMES; i++) {
		names[i] = i == 1 ? "<4Ki>" : "name";
		spots[i] = (struct doc_spot){.x = (double)i + 1, .y = 10};
	}
	page = chart_of(&axis, &rate_axis, &mark, 1);
	expect_in(page, "<text x=\"490.0\" y=\"329\" dy=\"1em\">&lt;4Ki&gt;</text>");
	expect_in(page, ">bs &amp; size</text>");
	expect_not_in(page, "steep");
	free(page);
	axis.name_count = NAMES;
	page = chart_of(&axis, &rate_axis, &mark, 1);
	expect_in(page, "<text class=\"steep\" transform=\"translate(");
	assert_in_range(count_of(page, "class=\"steep\""), 10, 20);
	free(page);
}

/* Columns are at equal distances, and their parts reach the top. */
static void columns_are_stacked(void **state)
{
	static struct doc_spot lower[] = {{1, 0, 0.25, "<a>", DOC_PLAIN}, {8, 0, 0, NULL, 0}};
	static struct doc_spot upper[] = {{1, 0.25, 1, NULL, 0}, {8, 0, 1, NULL, 0}};
	static const struct doc_axis shares = {"time", NUMBER_SHARE, DOC_LINEAR, NULL, 0};
	static const struct doc_mark marks[] = {
		{.kind = DOC_MARK_STACK, .series = 1, .legend = "a", .spots = lower, .count = 2},
		{.kind = DOC_MARK_STACK, .series = 2, .legend = "b", .spots = upper, .count = 2},
	};
	char *page = chart_of(&users_axis, &shares, marks, LENGTH(marks));

	expect_in(page, "<rect class=\"share s1\" x=\"178.0\" y=\"249.0\" width=\"72.0\" "
			"height=\"73.0\"><title>&lt;a&gt;</title></rect>\n"
			"<rect class=\"share s2\" x=\"178.0\" y=\"30.0\" width=\"72.0\" "
			"height=\"219.0\"/>\n"
			"<rect class=\"share s2\" x=\"454.0\"");
	expect_in(page, "<i class=\"box s2\"></i>b</span>");
	expect_in(page, ">8</text>");
	assert_int_equal(count_of(page, "<rect"), 3);
	free(page);
}

static void intervals_are_upright(void **state)
{
	static struct doc_spot interval = {.x = 2, .y = 10, .to = 20};
	static const struct doc_mark marks[] = {
		{.kind = DOC_MARK_INTERVAL,
		 .series = 1,
		 .legend = "range",
		 .spots = &interval,
		 .count = 1},
		{.kind = DOC_MARK_FAINT, .series = 1, .spots = two_spots, .count = 2},
		{.kind = DOC_MARK_TRACE, .series = 1, .spots = two_spots, .count = 2},
		{.kind = DOC_MARK_FIT, .series = 1, .spots = two_spots, .count = 2},
	};
	char *page = chart_of(&users_axis, &rate_axis, marks, LENGTH(marks));

	expect_in(page, "<path class=\"interval s1\" d=\"M609.0 205.2h10m-5 0V88.4m-5 0h10\"/>");
	expect_in(page, "<path class=\"line faint s1\" d=\"M90.0 205.2L614.0 88.4\"/>");
	expect_in(page, "<path class=\"trace s1\" d=\"");
	expect_in(page, "<path class=\"fit s1\" d=\"");
	assert_int_equal(count_of(page, "class=\"middle"), 2);
	free(page);
}

int unit_page(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_have_a_frame),
		cmocka_unit_test(a_header_has_the_headline),
		cmocka_unit_test(badges_lead_to_items),
		cmocka_unit_test(sections_have_headings_and_folds),
		cmocka_unit_test(tables_have_labels_and_numbers),
		cmocka_unit_test(rows_lead_to_reasons),
		cmocka_unit_test(rows_form_groups),
		cmocka_unit_test(short_memory_is_an_error),
		cmocka_unit_test(charts_form_a_grid),
		cmocka_unit_test(charts_without_values_are_left_out),
		cmocka_unit_test(lines_have_gaps_and_dots),
		cmocka_unit_test(names_are_moved_apart),
		cmocka_unit_test(ticks_have_the_form_of_their_values),
		cmocka_unit_test(wide_spans_are_called_logarithmic),
		cmocka_unit_test(rows_have_names),
		cmocka_unit_test(names_below_are_steep),
		cmocka_unit_test(columns_are_stacked),
		cmocka_unit_test(intervals_are_upright),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
