/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/random.h"
#include "base/wildcard.h"

static void patterns_match_as_a_file_server_matches(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} rows[] = {
		{"*", "anything.at.all", true},
		{"*", "", true},
		{"", "", true},
		{"", "a", false},
		{"abc", "abc", true},
		{"abc", "ABC", true},
		{"ABC", "abc", true},
		{"abc", "abcd", false},
		{"abcd", "abc", false},
		{"a*c", "ac", true},
		{"a*c", "abbbc", true},
		{"a*c", "abbb", false},
		{"*.txt", "a.b.txt", true},
		{"*.txt", "txt", false},
		{"*a*b*c*", "xxaxxbxxcxx", true},
		{"*a*b*c*", "xxaxxcxxbxx", false},
		/* Servers match "*.*" literally; DOS clients send "<.". */
		{"*.*", "plain", false},
		{"*.*", ".", true},
		{"?", "a", true},
		{"?", ".", true},
		{"?", "", false},
		{"a?c", "abc", true},
		{"a?c", "ac", false},
		{"???", "..", false},
		{"..", "..", true},
		/* < matches everything before the last period. */
		{"<.txt", "a.b.txt", true},
		{"<.txt", "a.b.c", false},
		{"<txt", "a.txt", false},
		{"<b", "ab", true},
		{"<", "abc", true},
		{"<", "a.b", false},
		{"<.b", "a.b", true},
		/* > matches one character, or nothing before a period or at the
		 * end. */
		{"a>>>", "a", true},
		{"a>>>", "abcd", true},
		{"a>>>", "abcde", false},
		{"a>>>.txt", "ab.txt", true},
		{"a>c", "abc", true},
		{"a>c", "ac", false},
		{">", ".", false},
		/* " matches a period, or nothing at the end. */
		{"a\"txt", "a.txt", true},
		{"a\"", "a", true},
		{"a\"", "a.", true},
		{"a\"b", "ab", false},
		{"<\"*", "plain", true},
		{"<\"*", "a.b", true},
		{">>>>>>>>\">>>", "readme.txt", true},
		{">>>>>>>>\">>>", "readme", true},
		{">>>>>>>>\">>>", "readme.html", false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++)
		if (wildcard_match(rows[i].pattern, rows[i].name) != rows[i].matches)
			fail_msg("%s and %s: %d", rows[i].pattern, rows[i].name, !rows[i].matches);
}

/* Match by the definition of the wildcards, trying every possibility. */
static bool matches_by_trying(const char *p, const char *n, const char *last)
{
	switch (*p) {
	case '\0':
		return *n == '\0';
	case '*':
		return matches_by_trying(p + 1, n, last) ||
		       (*n != '\0' && matches_by_trying(p, n + 1, last));
	case '<':
		return matches_by_trying(p + 1, n, last) ||
		       (*n != '\0' && n != last && matches_by_trying(p, n + 1, last));
	case '>':
		if (*n == '\0' || *n == '.')
			return matches_by_trying(p + 1, n, last);
		return matches_by_trying(p + 1, n + 1, last);
	case '"':
		if (*n == '\0')
			return matches_by_trying(p + 1, n, last);
		return *n == '.' && matches_by_trying(p + 1, n + 1, last);
	case '?':
		return *n != '\0' && matches_by_trying(p + 1, n + 1, last);
	default:
		return *p == *n && matches_by_trying(p + 1, n + 1, last);
	}
}

static void random_patterns_match_by_the_definition(void **state)
{
	static const char pattern_letters[] = "ab.*?<>\"";
	static const char name_letters[] = "ab.";
	struct random random;
	unsigned round, matched = 0, i;

	random_start(&random, 3, 0);
	for (round = 0; round < 20000; round++) {
		char pattern[8] = "", name[8] = "";
		unsigned p = (unsigned)(random_next(&random) % 7);
		unsigned n = (unsigned)(random_next(&random) % 7);
		bool wanted;

		for (i = 0; i < p; i++)
			pattern[i] = pattern_letters[random_next(&random) % 8];
		for (i = 0; i < n; i++)
			name[i] = name_letters[random_next(&random) % 3];
		wanted = matches_by_trying(pattern, name, strrchr(name, '.'));
		matched += wanted;
		if (wildcard_match(pattern, name) != wanted)
			fail_msg("%s and %s: %d", pattern, name, !wanted);
	}
	/* If nearly all results were the same, the test would prove little. */
	assert_in_range(matched, 1000, 19000);
}

static void only_the_five_wildcards_make_a_pattern(void **state)
{
	static const char *const patterns[] = {"a*", "?", "a<b", ">", "\""};
	static const char *const names[] = {"", "a", "a.b", "[ab]", "$1", "~"};
	size_t i;

	for (i = 0; i < LENGTH(patterns); i++)
		assert_true(wildcard_is_pattern(patterns[i]));
	for (i = 0; i < LENGTH(names); i++)
		assert_false(wildcard_is_pattern(names[i]));
}

static void too_long_patterns_fail_and_hard_ones_end(void **state)
{
	char pattern[WILDCARD_PATTERN_MAX + 2], name[WILDCARD_PATTERN_MAX + 1];

	memset(pattern, '*', sizeof(pattern) - 1);
	pattern[sizeof(pattern) - 1] = '\0';
	assert_false(wildcard_match(pattern, "a"));
	pattern[WILDCARD_PATTERN_MAX] = '\0';
	assert_true(wildcard_match(pattern, "a"));
	/* Match "*a*a*a...b" against "aaa...", which takes backtracking
	 * matchers forever. */
	memset(name, 'a', WILDCARD_PATTERN_MAX);
	name[WILDCARD_PATTERN_MAX] = '\0';
	memset(pattern, 'a', WILDCARD_PATTERN_MAX);
	for (size_t i = 0; i < WILDCARD_PATTERN_MAX; i += 2)
		pattern[i] = '*';
	pattern[WILDCARD_PATTERN_MAX - 1] = 'b';
	assert_false(wildcard_match(pattern, name));
}

int unit_wildcard(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match_as_a_file_server_matches),
		cmocka_unit_test(random_patterns_match_by_the_definition),
		cmocka_unit_test(only_the_five_wildcards_make_a_pattern),
		cmocka_unit_test(too_long_patterns_fail_and_hard_ones_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
