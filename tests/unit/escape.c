/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "doc/escape.h"

typedef void escape_function(const char *text, FILE *stream);

static void expect(escape_function *escape, const char *text, const char *expected)
{
	char *written = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&written, &bytes);

	assert_non_null(stream);
	escape(text, stream);
	fclose(stream);
	assert_string_equal(written, expected);
	free(written);
}

static void expect_markup(const char *text, const char *expected)
{
	expect(escape_markup, text, expected);
}

static void markup_stays_text(void **state)
{
	expect_markup("", "");
	expect_markup("/mnt/test", "/mnt/test");
	expect_markup("caf\u00e9 \u65e5\u672c \U0001f4be", "caf\u00e9 \u65e5\u672c \U0001f4be");
	expect_markup("<b> & \"'", "&lt;b&gt; &amp; &quot;&#39;");
	expect_markup("&amp;</title>", "&amp;amp;&lt;/title&gt;");
}

static void markup_shows_control_characters(void **state)
{
	expect_markup("a\x1b[31m\n\t\x7f", "a\\x1B[31m\\x0A\\x09\\x7F");
	expect_markup("\xc2\x85", "\\u0085");
	expect_markup("\u202eexe", "\\u202Eexe");
	expect_markup("\u2066\u200b\ufeff", "\\u2066\\u200B\\uFEFF");
	expect_markup("\U000e0041", "\\uE0041");
	expect_markup("\uffff", "\\uFFFF");
	expect_markup("\xf0\x9f\xbf\xbe", "\\u1FFFE"); /* not a character */
}

static void markup_shows_invalid_utf8(void **state)
{
	expect_markup("caf\xe9", "caf\\xE9");
	expect_markup("caf\xe9 au lait", "caf\\xE9 au lait");
	expect_markup("\x80\xbf", "\\x80\\xBF");
	expect_markup("\xc0\xaf", "\\xC0\\xAF");          /* overlong */
	expect_markup("\xe0\x80\xaf", "\\xE0\\x80\\xAF"); /* likewise */
	expect_markup("\xed\xa0\x80", "\\xED\\xA0\\x80"); /* surrogate */
	expect_markup("\xf4\x90\x80\x80", "\\xF4\\x90\\x80\\x80");
	expect_markup("\xf8\xff", "\\xF8\\xFF");
	expect_markup("\xe2\x82", "\\xE2\\x82"); /* cut off */
	expect_markup("\xe2<", "\\xE2&lt;");
}

static void text_has_no_control_characters(void **state)
{
	expect(escape_text, "caf\u00e9 = -1, <b>", "caf\u00e9 = -1, <b>");
	expect(escape_text, "a\n::error::b\r\tc\x1b[31m\x7f", "a?::error::b??c?[31m?");
	expect(escape_text,
	       "\xc2\x9b"
	       "31m \u202e",
	       "?31m ?");
	expect(escape_text, "\u200e\u200f\u202a\u202d\u2066\u2069\u061c", "???????");
	expect(escape_text, "caf\xe9", "caf?");
}

static void lines_keep_their_ends(void **state)
{
	expect(escape_lines, "a\n::error::b\r\n\x1b[31m\n\n", "a\n?:error::b?\n?[31m\n\n");
}

static void text_has_no_workflow_commands(void **state)
{
	expect(escape_text, "::error ::x", "?:error ?:x");
	expect(escape_text, "\u00a0::error", "\u00a0?:error");
	expect(escape_text, "a ##[error]b", "a ##?error]b");
	/* An IPv6 address is not a command. */
	expect(escape_text, "tcp://[::1]:7003 a::b #1 [2]", "tcp://[::1]:7003 a::b #1 [2]");
}

static void markdown_shows_text_as_it_is(void **state)
{
	expect(escape_markdown, "mb_per_s _x_ *y* [z](u) <i> |",
	       "mb_per_s \\_x\\_ \\*y\\* \\[z\\](u) \\<i\\> \\|");
	expect(escape_markdown, "a\nb\tc\rd", "a b c?d");
}

static void markdown_begins_no_block(void **state)
{
	expect(escape_markdown, "- a - b", "\\- a - b");
	expect(escape_markdown, "+\ta", "\\+ a");
	expect(escape_markdown, "12. a", "12\\. a");
	expect(escape_markdown, "1)", "1\\)");
	expect(escape_markdown, "-", "\\-");
	expect(escape_markdown, "- --", "\\- --");
	expect(escape_markdown, "---", "\\---");
	expect(escape_markdown, "\n    code", "code");
	expect(escape_markdown, "--option -1.5 +2.5 % 1.20 ms", "--option -1.5 +2.5 % 1.20 ms");
	expect(escape_markdown, "1.20 ms", "1.20 ms");
	expect(escape_markdown, "-1.5 %", "-1.5 %");
	expect(escape_markdown, "12", "12");
	expect(escape_markdown, "", "");
}

/* GitHub shows escapes within a link. */
static void markdown_links_have_no_escapes(void **state)
{
	expect(escape_markdown, "https://a.b/c?d=e www.a.b", "https://a.b/c?d=e www.a.b");
	expect(escape_markdown, "https://a.b/?c&d", "https\\://a.b/?c\\&d");
	expect(escape_markdown, "(FTP://a| http: //|", "(FTP\\://a\\| http: //\\|");
	expect(escape_markdown, "www.a.b/_x", "www\\.a.b/\\_x");
	expect(escape_markdown, ":// .a* nfs://a|", ":// .a\\* nfs://a\\|");
}

static void workflow_data_cannot_end_a_command(void **state)
{
	expect(escape_workflow, "5 %, a:b\r\n::error::\x1b", "5 %25, a:b%0D%0A::error::?");
	expect(escape_workflow_property, "a:b,c%\n", "a%3Ab%2Cc%25%0A");
}

static void csv_cells_are_not_formulas(void **state)
{
	expect(escape_csv, "ReadX", "ReadX");
	expect(escape_csv, "a,\"b\"", "\"a,\"\"b\"\"\"");
	expect(escape_csv, "=1+1", "'=1+1");
	expect(escape_csv, "+1", "'+1");
	expect(escape_csv, "-1", "'-1");
	expect(escape_csv, "@SUM(A1,A2)", "\"'@SUM(A1,A2)\"");
	expect(escape_csv, "\t=1\r\n", "?=1??");
	expect(escape_csv, "1=1", "1=1");
}

static int last_count;

static void column_of_six(const char *text, FILE *stream)
{
	last_count = escape_column(text, 6, stream);
}

static void columns_are_padded(void **state)
{
	expect(column_of_six, "ReadX", "ReadX ");
	assert_int_equal(last_count, 5);
	expect(column_of_six, "\u00e9\n\u202e\xff", "\u00e9???  ");
	assert_int_equal(last_count, 4);
	expect(column_of_six, "", "      ");
	expect(column_of_six, "NTCreateX", "NTCreateX");
	assert_int_equal(last_count, 9);
}

static void benchmark_names_stay_in_tables(void **state)
{
	expect(escape_benchmark, "a`b|c/d=e\u00e9\n ::x", "a_b_c/d=e\u00e9? ?:x");
}

static void labels_keep_all_characters(void **state)
{
	expect(escape_label, "a \"b\" \\c\nd\u00e9", "\"a \\\"b\\\" \\\\c\\nd\u00e9\"");
	expect(escape_label, "\r\x1b[2J\u202e\xff", "\"\\\\u000D\\\\u001B[2J\\\\u202E\\\\xFF\"");
	expect(escape_label, "", "\"\"");
}

int unit_escape(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(markup_stays_text),
		cmocka_unit_test(markup_shows_control_characters),
		cmocka_unit_test(markup_shows_invalid_utf8),
		cmocka_unit_test(text_has_no_control_characters),
		cmocka_unit_test(lines_keep_their_ends),
		cmocka_unit_test(text_has_no_workflow_commands),
		cmocka_unit_test(markdown_shows_text_as_it_is),
		cmocka_unit_test(markdown_begins_no_block),
		cmocka_unit_test(markdown_links_have_no_escapes),
		cmocka_unit_test(workflow_data_cannot_end_a_command),
		cmocka_unit_test(csv_cells_are_not_formulas),
		cmocka_unit_test(columns_are_padded),
		cmocka_unit_test(benchmark_names_stay_in_tables),
		cmocka_unit_test(labels_keep_all_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
