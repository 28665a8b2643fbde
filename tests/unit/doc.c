/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents: what is added to them, and how they look as text and as Markdown.
 */
#include "doc.h"

#include "doc/tree.h"

#include <errno.h>

static void texts_are_copied(void **state)
{
	char text[] = "abc";
	struct doc *doc = doc_new();

	doc_headline(doc, DOC_PLAIN, text, text);
	doc_item(doc, DOC_BAD, text, text, "%s", text);
	doc_table(doc, 0);
	doc_column(doc, text, NUMBER_COUNT, DOC_LEFT);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%s", text);
	doc_table_end(doc);
	text[0] = 'x';
	expect_text(doc, "abc abc\n\nabc      abc\n\nabc\nabc\n");
	doc_free(doc);
}

static void charts_are_copied(void **state)
{
	char text[] = "abc";
	const char *names[] = {text, text};
	struct doc_axis axes[2] = {
		{.name = text, .scale = DOC_NAMES, .names = names, .name_count = 2},
		{.name = text},
	};
	struct doc_spot spot = {.x = 1, .y = 2};
	const struct doc_mark mark = {.name = text, .legend = text};
	struct doc *doc = doc_new();
	const struct doc_chart *chart;

	doc_chart(doc, text, text, axes);
	doc_mark(doc, &mark);
	doc_spot(doc, &spot);
	doc_title(doc, "%s", text);
	spot.x = 3;
	doc_spot(doc, &spot);
	text[0] = 'x';
	names[1] = NULL;
	spot.x = 7;
	assert_int_equal(doc->count, 1);
	assert_string_equal(doc->blocks[0].heading, "abc");
	chart = doc->blocks[0].chart;
	assert_string_equal(chart->id, "abc");
	assert_string_equal(chart->axes[0].name, "abc");
	assert_string_equal(chart->axes[0].names[1], "abc");
	assert_int_equal(chart->axes[1].name_count, 0);
	assert_int_equal(chart->mark_count, 1);
	assert_string_equal(chart->marks[0].name, "abc");
	assert_string_equal(chart->marks[0].legend, "abc");
	assert_int_equal(chart->marks[0].count, 2);
	assert_string_equal(chart->marks[0].spots[0].title, "abc");
	expect_near(chart->marks[0].spots[0].x, 1, 0);
	assert_null(chart->marks[0].spots[1].title);
	/* Only pages have it. */
	expect_text(doc, "");
	expect_markdown(doc, "");
	doc_free(doc);
}

static void without_memory_nothing_is_added(void **state)
{
	const struct doc_axis axes[2] = {{.name = "x"}, {.name = "y"}};
	struct doc *doc = doc_new();

	doc_fail(doc);
	doc_medium(doc, DOC_ALL);
	doc_heading(doc, 2, "heading");
	doc_headline(doc, DOC_GOOD, "main", "rest");
	doc_note(doc, "note");
	doc_line(doc, "line");
	doc_fact(doc, "name", "text");
	doc_item(doc, DOC_BAD, "Warnings", "warning", "text");
	doc_tile(doc, "name", "value", "remark");
	doc_badge(doc, DOC_BAD, "badge");
	doc_fold(doc, true, "summary");
	doc_fold_end(doc);
	doc_table(doc, 0);
	doc_column(doc, "heading", NUMBER_COUNT, 0);
	doc_column_width(doc, 9);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 1);
	doc_cell_form(doc, NUMBER_TIME, 1);
	doc_cell_colour(doc, 1, DOC_WORSE);
	doc_cell_text(doc, "text");
	doc_rest(doc, DOC_BAD, "rest");
	doc_table_end(doc);
	doc_chart(doc, "id", "heading", axes);
	doc_mark(doc, &(struct doc_mark){.name = "name"});
	doc_spot(doc, &(struct doc_spot){.x = 1});
	doc_title(doc, "title");
	assert_int_equal(doc->count, 0);
	assert_int_equal(doc->kept_count, 0);
	doc_free(doc);
}

/* Nothing is written of a document that lacks some of its blocks. */
static void documents_that_are_not_whole_are_refused(void **state)
{
	struct doc *doc = doc_new();

	doc_note(doc, "note");
	doc_fail(doc);
	assert_int_equal(doc_text(doc, false, stderr), -ENOMEM);
	assert_int_equal(doc_markdown(doc, stderr), -ENOMEM);
	doc_free(doc);
}

static void media_choose_the_renderings(void **state)
{
	struct doc *doc = doc_new();

	doc_medium(doc, DOC_TEXT);
	doc_note(doc, "for terminals");
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	doc_note(doc, "for others");
	doc_medium(doc, DOC_HTML);
	doc_note(doc, "for pages");
	doc_medium(doc, DOC_ALL);
	doc_note(doc, "for all");
	doc_tile(doc, "name", "value", "remark");
	doc_badge(doc, DOC_BAD, "badge");
	expect_text(doc, "for terminals\nfor all\n");
	expect_markdown(doc, "for others\n\nfor all\n");
	doc_free(doc);
}

static void columns_without_values_are_left_out(void **state)
{
	static const double values[][2] = {{0, NAN}, {NAN, 0}, {2, NAN}};
	struct doc *doc = doc_new();
	size_t i, j;

	doc_table(doc, 0);
	for (i = 0; i < LENGTH(values); i++) {
		doc_column(doc, "a", NUMBER_COUNT, 0);
		doc_column(doc, "o", NUMBER_COUNT, DOC_OPTIONAL);
		doc_column(doc, "k", NUMBER_COUNT, DOC_KNOWN);
	}
	doc_column(doc, "never", NUMBER_COUNT, DOC_KNOWN);
	doc_column(doc, "word", NUMBER_COUNT, DOC_KNOWN | DOC_OPTIONAL);
	doc_column(doc, "wide", NUMBER_COUNT, DOC_WIDE);
	for (j = 0; j < 2; j++) {
		doc_row(doc, DOC_PLAIN, 0);
		for (i = 0; i < LENGTH(values); i++) {
			doc_cell(doc, values[i][j]);
			doc_cell(doc, values[i][j]);
			doc_cell(doc, values[i][j]);
		}
		doc_cell(doc, NAN);
		doc_cell_text(doc, "no");
		doc_cell(doc, 1);
	}
	doc_table_end(doc);
	expect_text(doc, "a k a k a o k word\n"
			 "0 0 - - 2 2 2   no\n"
			 "- - 0 0 - - -   no\n");
	expect_markdown(doc, "| a | k | a | k | a | o | k | word |\n"
			     "|---:|---:|---:|---:|---:|---:|---:|---:|\n"
			     "| 0 | 0 | - | - | 2 | 2 | 2 | no |\n"
			     "| - | - | 0 | 0 | - | - | - | no |\n");
	doc_free(doc);
}

/* The column that is nearest to the labels is kept for a text that fills the row. */
static void texts_instead_of_cells_are_always_shown(void **state)
{
	static const unsigned flags[] = {DOC_KNOWN, DOC_OPTIONAL, DOC_WIDE};
	size_t i;

	for (i = 0; i < LENGTH(flags); i++) {
		struct doc *doc = doc_new();

		doc_table(doc, 0);
		doc_column(doc, "name", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
		doc_column(doc, "one", NUMBER_COUNT, flags[i]);
		doc_column(doc, "two", NUMBER_COUNT, flags[i]);
		doc_row(doc, DOC_PLAIN, 0);
		doc_cell_text(doc, "a");
		doc_rest(doc, DOC_BAD, "invalid");
		doc_table_end(doc);
		expect_text(doc, "name one\na    invalid\n");
		expect_markdown(doc, "| name | one |\n|:---|---:|\n| a | invalid |\n");
		doc_free(doc);
	}
}

static void rows_need_not_be_full(void **state)
{
	struct doc *doc = doc_new();

	doc_table(doc, 0);
	doc_column(doc, "one", NUMBER_COUNT, 0);
	doc_column(doc, "two", NUMBER_COUNT, 0);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 1);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 1);
	doc_cell(doc, 2);
	doc_cell(doc, 3); /* one too many */
	doc_table_end(doc);
	assert_int_equal(doc->blocks[0].table->rows[1].cell_count, 2);
	expect_text(doc, "one two\n  1\n  1   2\n");
	expect_markdown(doc, "| one | two |\n|---:|---:|\n| 1 | |\n| 1 | 2 |\n");
	doc_free(doc);
}

static void digits_of_a_column_agree(void **state)
{
	struct doc *doc = doc_new();

	doc_table(doc, 0);
	doc_column(doc, "MB/s", NUMBER_MB_PER_S, 0);
	doc_column(doc, "ops/s", NUMBER_PER_S, 0);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 1904.92);
	doc_cell(doc, 12.25);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell(doc, 0);
	doc_cell(doc, 1.5);
	/* A number with another form has its own. */
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_form(doc, NUMBER_RATIO, 1.5);
	doc_cell_form(doc, NUMBER_COUNT, 123456);
	doc_table_end(doc);
	expect_text(doc, "  MB/s  ops/s\n"
			 "1904.9   12.2\n"
			 "     0    1.5\n"
			 " 1.500 123456\n");
	doc_free(doc);
}

static void text_folds_facts(void **state)
{
	struct doc *doc = doc_new();

	doc_line(doc, "throng %s", "1.0\n");
	doc_fact(doc, "load", "%s",
		 "cap-io=4Ki: m.load: 35 operations per loop, 65.54 kB read, 65.54 kB written, "
		 "footprint 65.54 kB");
	/* A number stays on the line of its unit. */
	doc_fact(doc, "scaling",
		 "bs=4Ki: contention 8.64 %% (4.96 to 12.3), coherency, and at least 2.14 %% "
		 "(1.79 to 2.48)");
	doc_fact(doc, "configuration", "%s",
		 "one two three four five six seven eight nine ten eleven twelve thirteen");
	doc_fact(doc, "b\x1b",
		 "a-word-that-is-much-too-long-for-the-line-but-is-not-cut-as-it-may-"
		 "be-a-path  and more");
	expect_text(
		doc,
		"throng 1.0?\n"
		"load     cap-io=4Ki: m.load: 35 operations per loop, 65.54 kB read, 65.54 kB\n"
		"         written, footprint 65.54 kB\n"
		"scaling  bs=4Ki: contention 8.64 % (4.96 to 12.3), coherency, and at least\n"
		"         2.14 % (1.79 to 2.48)\n"
		"configuration one two three four five six seven eight nine ten eleven twelve\n"
		"              thirteen\n"
		"b?       a-word-that-is-much-too-long-for-the-line-but-is-not-cut-as-it-may-be-a-"
		"path\n"
		"         and more\n");
	doc_free(doc);
}

static void text_folds_paragraphs_but_not_lines(void **state)
{
	static const char words[] = "one two three four five six seven eight nine ten eleven "
				    "twelve thirteen fourteen fifteen";
	struct doc *doc = doc_new();

	doc_headline(doc, DOC_GOOD, "1,852 MB/s", "at 8 users");
	doc_note(doc, "%s", words);
	doc_line(doc, "%s", words);
	doc_headline(doc, DOC_BAD, "no point is valid", "");
	expect_text(doc, "1,852 MB/s at 8 users\n"
			 "\n"
			 "one two three four five six seven eight nine ten eleven twelve thirteen "
			 "fourteen\n"
			 "fifteen\n"
			 "one two three four five six seven eight nine ten eleven twelve thirteen "
			 "fourteen fifteen\n"
			 "\n"
			 "no point is valid\n");
	doc_free(doc);
}

/* Add a table with one cell. */
static void add_table(struct doc *doc, const char *heading, const char *text)
{
	doc_table(doc, 0);
	doc_column(doc, heading, NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%s", text);
	doc_table_end(doc);
}

/* A document with blocks of all kinds. */
static struct doc *make_blocks(void)
{
	struct doc *doc = doc_new();

	doc_heading(doc, 2, "Points");
	doc_fact(doc, "users", "1");
	doc_fact(doc, "time", "1 s");
	add_table(doc, "a", "1");
	add_table(doc, "b", "2");
	doc_line(doc, "peak");
	doc_fact(doc, "limit", "holds");
	doc_heading(doc, 3, "8 users, by load");
	add_table(doc, "c", "3");
	doc_heading(doc, 3, "Notes");
	doc_note(doc, "note");
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "one");
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "two");
	doc_item(doc, DOC_BAD, "Conditions", "fail-if", "three");
	doc_fact(doc, "verdict", "pass");
	doc_fold(doc, false, "Details <of it>");
	doc_fact(doc, "seed", "1");
	doc_fold_end(doc);
	doc_note(doc, "end");
	return doc;
}

static void text_separates_blocks(void **state)
{
	static const char wanted[] = "users    1\n"
				     "time     1 s\n"
				     "\n"
				     "a\n"
				     "1\n"
				     "\n"
				     "b\n"
				     "2\n"
				     "\n"
				     "peak\n"
				     "limit    holds\n"
				     "\n"
				     "8 users, by load\n"
				     "c\n"
				     "3\n"
				     "\n"
				     "Notes\n"
				     "note\n"
				     "\n"
				     "warning  one\n"
				     "warning  two\n"
				     "\n"
				     "fail-if  three\n"
				     "\n"
				     "verdict  pass\n"
				     "\n"
				     "Details <of it>\n"
				     "seed     1\n"
				     "end\n";
	struct doc *doc = make_blocks();

	expect_text(doc, wanted);
	expect_following(doc, true, wanted);
	doc_free(doc);
}

static void text_follows_other_text(void **state)
{
	struct doc *doc = doc_new();

	add_table(doc, "a", "1");
	expect_following(doc, false, "a\n1\n");
	expect_following(doc, true, "\na\n1\n");
	doc_free(doc);
	doc = doc_new();
	doc_item(doc, DOC_WARNING, "Warnings", "warning", "one");
	expect_following(doc, false, "warning  one\n");
	expect_following(doc, true, "\nwarning  one\n");
	doc_free(doc);
	doc = doc_new();
	doc_heading(doc, 3, "title");
	expect_following(doc, true, "\ntitle\n");
	doc_free(doc);
}

static void text_aligns_times_and_names(void **state)
{
	static const struct {
		const char *name;
		double share, mean, max;
	} rows[] = {
		{"Write?X?", 0.74, 977e-9, 14.1e-6},
		{"caf\u00e9", 0.07, 1.2, NAN},
		{"", 1, 2e-3, 2},
	};
	struct doc *doc = doc_new();
	size_t i;

	doc_table(doc, 0);
	doc_column(doc, "operation", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "time", NUMBER_SHARE, DOC_BAR);
	doc_column(doc, "mean", NUMBER_TIME, 0);
	doc_column(doc, "max", NUMBER_TIME, 0);
	for (i = 0; i < LENGTH(rows); i++) {
		doc_row(doc, DOC_BEST, 1);
		doc_cell_text(doc, "%s", rows[i].name);
		doc_cell(doc, rows[i].share);
		doc_cell(doc, rows[i].mean);
		doc_cell(doc, rows[i].max);
	}
	doc_table_end(doc);
	expect_text(doc, "operation time    mean     max\n"
			 "Write?X?   74%  977 ns 14.1 us\n"
			 "caf\u00e9        7% 1.20 s     -\n"
			 "          100% 2.00 ms 2.00 s\n");
	doc_free(doc);
}

/* Only times below each other are aligned. */
static void text_aligns_no_other_numbers(void **state)
{
	struct doc *doc = doc_new();

	doc_table(doc, 0);
	doc_column(doc, "value", NUMBER_PLAIN, 0);
	doc_column(doc, "time", NUMBER_TIME, 0);
	doc_column(doc, "", NUMBER_COUNT, 0);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_form(doc, NUMBER_TIME, 2);
	doc_cell_form(doc, NUMBER_SHARE, NAN);
	doc_cell(doc, 1);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_form(doc, NUMBER_TIME, NAN);
	doc_cell(doc, 2);
	doc_cell(doc, 1);
	doc_table_end(doc);
	expect_text(doc, " value    time\n"
			 "2.00 s       - 1\n"
			 "     - 2.00 s  1\n");
	doc_free(doc);
}

/* Add the table of points with a row, or only its headings. */
static void add_point(struct doc *doc, unsigned flags, double mb_per_s, const char *name)
{
	doc_table(doc, DOC_FIXED | flags);
	doc_column(doc, "users", NUMBER_COUNT, DOC_LABEL);
	doc_column_width(doc, 5);
	doc_column(doc, "bs", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column_width(doc, 6);
	doc_column(doc, "MB/s", NUMBER_MB_PER_S, 0);
	doc_column(doc, "ops/s", NUMBER_PER_S, 0);
	doc_column(doc, "p99", NUMBER_TIME, 0);
	doc_column(doc, "response max", NUMBER_TIME, 0);
	doc_column(doc, "mismatches", NUMBER_COUNT, 0);
	doc_column(doc, "ended", NUMBER_SPREAD, 0);
	doc_column(doc, "CPU", NUMBER_SHARE, 0);
	doc_column(doc, "answer", NUMBER_COUNT, DOC_LEFT);
	if (name != NULL) {
		doc_row(doc, DOC_PLAIN, 0);
		doc_cell_text(doc, "1");
		doc_cell_text(doc, "%s", name);
		doc_cell(doc, mb_per_s);
		doc_cell(doc, 70392.4);
		doc_cell(doc, NAN);
		doc_cell(doc, 2);
		doc_cell(doc, 0);
		doc_cell(doc, 0.981);
		doc_cell(doc, 0.14);
		doc_cell_text(doc, "holds");
	}
	doc_table_end(doc);
}

/* Each is written on its own while a sweep runs. */
static void text_aligns_rows_of_fixed_tables(void **state)
{
	static const struct {
		unsigned flags;
		double mb_per_s;
		const char *name, *wanted;
	} rows[] = {
		{0, 0, NULL,
		 "users bs         MB/s    ops/s     p99 response max mismatches  ended  CPU  "
		 "answer\n"},
		{DOC_HEADLESS, 115.33, "4Ki",
		 "    1 4Ki      115.33    70392    -         2.00 s           0  98.1%  14%  "
		 "holds\n"},
		{DOC_HEADLESS, 0, "64Ki",
		 "    1 64Ki          0    70392    -         2.00 s           0  98.1%  14%  "
		 "holds\n"},
		{DOC_HEADLESS, 1904.92, "",
		 "    1         1904.92    70392    -         2.00 s           0  98.1%  14%  "
		 "holds\n"},
		{DOC_HEADLESS, 123456.78, "1234567",
		 "    1 1234567   123457    70392    -         2.00 s           0  98.1%  14%  "
		 "holds\n"},
		{DOC_HEADLESS, NAN, "a",
		 "    1 a             -    70392    -         2.00 s           0  98.1%  14%  "
		 "holds\n"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct doc *doc = doc_new();

		add_point(doc, rows[i].flags, rows[i].mb_per_s, rows[i].name);
		expect_text(doc, rows[i].wanted);
		doc_free(doc);
	}
}

static void headings_may_be_left_out(void **state)
{
	struct doc *doc = doc_new();

	doc_table(doc, DOC_HEADLESS);
	doc_column(doc, "heading", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "count", NUMBER_COUNT, 0);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "a");
	doc_cell(doc, 1);
	doc_table_end(doc);
	expect_text(doc, "a 1\n");
	expect_markdown(doc, "| heading | count |\n|:---|---:|\n| a | 1 |\n");
	doc_free(doc);
}

static void markdown_separates_blocks(void **state)
{
	struct doc *doc = make_blocks();

	expect_markdown(doc, "## Points\n"
			     "\n"
			     "- users: 1\n"
			     "- time: 1 s\n"
			     "\n"
			     "| a |\n|:---|\n| 1 |\n"
			     "\n"
			     "| b |\n|:---|\n| 2 |\n"
			     "\n"
			     "peak\n"
			     "\n"
			     "- limit: holds\n"
			     "\n"
			     "### 8 users, by load\n"
			     "\n"
			     "| c |\n|:---|\n| 3 |\n"
			     "\n"
			     "### Notes\n"
			     "\n"
			     "note\n"
			     "\n"
			     "**Warnings**\n"
			     "\n"
			     "- one\n"
			     "- two\n"
			     "\n"
			     "**Conditions**\n"
			     "\n"
			     "- three\n"
			     "\n"
			     "<!-- -->\n"
			     "\n"
			     "- verdict: pass\n"
			     "\n"
			     "<details><summary>Details &lt;of it&gt;</summary>\n"
			     "\n"
			     "- seed: 1\n"
			     "\n"
			     "</details>\n"
			     "\n"
			     "end\n");
	doc_free(doc);
}

static void markdown_makes_headlines_and_peaks_bold(void **state)
{
	struct doc *doc = doc_new();

	doc_headline(doc, DOC_GOOD, "1852 MB/s", "at 8 users");
	doc_fold(doc, true, "open");
	doc_table(doc, 0);
	doc_column(doc, "name", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "p99", NUMBER_TIME, 0);
	doc_row(doc, DOC_BEST, 0);
	doc_cell_text(doc, "a*");
	doc_cell(doc, 1);
	/* A blank before the mark would show the mark. */
	doc_row(doc, DOC_BEST, 0);
	doc_cell_text(doc, "a ");
	doc_cell_colour(doc, 1, DOC_GOOD);
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "b");
	doc_cell_colour(doc, 2, DOC_WORSE);
	doc_row(doc, DOC_BEST, 0);
	doc_cell_text(doc, "%s", "");
	doc_cell_colour(doc, 2, DOC_WORSE);
	doc_table_end(doc);
	doc_fold_end(doc);
	doc_headline(doc, DOC_BAD, "no point is valid", "");
	expect_markdown(doc, "## 1852 MB/s\n"
			     "\n"
			     "**at 8 users**\n"
			     "\n"
			     "<details open><summary>open</summary>\n"
			     "\n"
			     "| name | p99 |\n"
			     "|:---|---:|\n"
			     "| **a\\*** | **1.00 s** |\n"
			     "| a  | **1.00 s** |\n"
			     "| b | **2.00 s** |\n"
			     "|  | **2.00 s** |\n"
			     "\n"
			     "</details>\n"
			     "\n"
			     "## no point is valid\n");
	doc_free(doc);
}

/* Text from outside can neither leave its block nor control a terminal. */
static void hostile_names_are_harmless(void **state)
{
	static const char name[] = "- |`*\n<script>\x1b[31m</details>";
	struct doc *doc = doc_new();

	doc_heading(doc, 3, "%s", name);
	doc_line(doc, "%s", name);
	doc_fact(doc, name, "%s", name);
	doc_fold(doc, false, "%s", name);
	doc_item(doc, DOC_BAD, name, name, "%s", name);
	add_table(doc, name, name);
	doc_fold_end(doc);
	expect_text(doc, "- |`*?<script>?[31m</details>\n"
			 "- |`*?<script>?[31m</details>\n"
			 "- |`*?<script>?[31m</details> - |`*?<script>?[31m</details>\n"
			 "\n"
			 "- |`*?<script>?[31m</details>\n"
			 "- |`*?<script>?[31m</details> - |`*?<script>?[31m</details>\n"
			 "\n"
			 "- |`*?<script>?[31m</details>\n"
			 "- |`*?<script>?[31m</details>\n");
#define ESCAPED "\\- \\|\\`\\* \\<script\\>?\\[31m\\</details\\>"
	expect_markdown(doc, "### " ESCAPED "\n\n" ESCAPED "\n\n- " ESCAPED ": " ESCAPED "\n\n"
			     "<details><summary>- |`*\\x0A&lt;script&gt;\\x1B[31m&lt;/details&gt;"
			     "</summary>\n\n"
			     "**" ESCAPED "**\n\n- " ESCAPED "\n\n"
			     "| " ESCAPED " |\n|:---|\n| " ESCAPED " |\n\n</details>\n");
#undef ESCAPED
	doc_free(doc);
}

int unit_doc(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_copied),
		cmocka_unit_test(charts_are_copied),
		cmocka_unit_test(without_memory_nothing_is_added),
		cmocka_unit_test(documents_that_are_not_whole_are_refused),
		cmocka_unit_test(media_choose_the_renderings),
		cmocka_unit_test(columns_without_values_are_left_out),
		cmocka_unit_test(texts_instead_of_cells_are_always_shown),
		cmocka_unit_test(rows_need_not_be_full),
		cmocka_unit_test(digits_of_a_column_agree),
		cmocka_unit_test(text_folds_facts),
		cmocka_unit_test(text_folds_paragraphs_but_not_lines),
		cmocka_unit_test(text_separates_blocks),
		cmocka_unit_test(text_follows_other_text),
		cmocka_unit_test(text_aligns_times_and_names),
		cmocka_unit_test(text_aligns_no_other_numbers),
		cmocka_unit_test(text_aligns_rows_of_fixed_tables),
		cmocka_unit_test(headings_may_be_left_out),
		cmocka_unit_test(markdown_separates_blocks),
		cmocka_unit_test(markdown_makes_headlines_and_peaks_bold),
		cmocka_unit_test(hostile_names_are_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
