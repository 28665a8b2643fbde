/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/suggest.h"

static const char *const words[] = {
	"open",    "close", "read",  "write", "stat",  "PHASE",
	"ENDLOOP", "sync",  "fsync", "mkdir", "rmdir",
};

static const char *near_in(const char *word, const char *const *list, size_t count)
{
	struct suggestion suggestion = {.word = word};
	size_t i;

	for (i = 0; i < count; i++)
		suggest_offer(&suggestion, list[i]);
	return suggestion.nearest;
}

static const char *near(const char *word)
{
	return near_in(word, words, LENGTH(words));
}

static void near_words_are_found(void **state)
{
	static const struct {
		const char *word, *nearest;
	} rows[] = {
		{"phase", "PHASE"}, /* another case */
		{"OPEN", "open"},
		{"wirte", "write"},  /* two letters in the wrong order */
		{"wrte", "write"},   /* a letter too few */
		{"writee", "write"}, /* a letter too many */
		{"wrute", "write"},  /* a wrong letter */
		{"Wirte", "write"},  /* both case and order */
		{"ENDLOP", "ENDLOOP"},
		{"ENDLOPO", "ENDLOOP"},
		{"ndlop", NULL},       /* two errors in a word of five */
		{"endlpp", "ENDLOOP"}, /* two errors in a word of six */
		{"fync", "sync"},      /* the first of two */
		{"fsync", "fsync"},    /* the nearest, not the first */
		{"xmkdir", "mkdir"},
		{"chmod", NULL},
		{"op", NULL}, /* too short for an error */
		{"", NULL},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		const char *nearest = near(rows[i].word);

		if (rows[i].nearest == NULL
			    ? nearest != NULL
			    : nearest == NULL || strcmp(nearest, rows[i].nearest) != 0)
			fail_msg("%s: %s", rows[i].word, nearest != NULL ? nearest : "none");
	}
	assert_null(near_in("open", words, 0));
}

static void short_words_match_in_another_case(void **state)
{
	static const char *const list[] = {"ab", "-u"};

	assert_string_equal(near_in("AB", list, 2), "ab");
	assert_null(near_in("ba", list, 2));
	assert_null(near_in("-x", list, 2));
}

/* The longest words fit in the table; longer ones are near to none. */
static void long_words_are_compared_up_to_the_limit(void **state)
{
	char word[SUGGEST_WORD_MAX + 2], other[SUGGEST_WORD_MAX + 2];
	const char *list[] = {other};

	memset(word, 'a', sizeof(word));
	memset(other, 'a', sizeof(other));
	other[0] = other[40] = 'b';
	word[SUGGEST_WORD_MAX] = other[SUGGEST_WORD_MAX] = '\0';
	assert_ptr_equal(near_in(word, list, 1), other);
	other[20] = 'b';
	assert_null(near_in(word, list, 1));
	memset(other, 'a', SUGGEST_WORD_MAX);
	word[SUGGEST_WORD_MAX] = 'a';
	word[SUGGEST_WORD_MAX + 1] = '\0';
	assert_null(near_in(word, list, 1));
	assert_null(near_in(other, (const char *[]){word}, 1));
}

int unit_suggest(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(near_words_are_found),
		cmocka_unit_test(short_words_match_in_another_case),
		cmocka_unit_test(long_words_are_compared_up_to_the_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
