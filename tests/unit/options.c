/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "base/clock.h"
#include "cli/cli.h"
#include "cli/options.h"

#include <errno.h>

enum colour { RED, GREEN, BLUE };

struct fields {
	bool flag, last;
	const char *text, *yes, *file;
	const char *const *texts;
	unsigned count;
	enum colour colour;
	uint64_t large, size, duration;
	double share;
};

#define AT(member) OPTION_AT(struct fields, member)
#define WORDS(...) \
	.words = (const char *const[]) \
	{ \
		__VA_ARGS__, NULL \
	}

static const struct option_row rows[] = {
	{"flag", 'f', OPTION_FLAG, NULL, "", AT(flag), .record = "flag", .flags = OPTION_STORED},
	{"no-answer", 0, OPTION_FLAG, NULL, "", AT(last), .record = "answer", .record_as = "no"},
	{"text", 't', OPTION_TEXT, "TEXT", "", AT(text), .record = "text"},
	{"yes", 0, OPTION_TEXT, NULL, "", AT(yes), .record = "yes"},
	{"file", 0, OPTION_TEXT, "FILE", "", AT(file), .ending = ".json"},
	{"texts", 0, OPTION_TEXTS, "TEXT", "", AT(texts), .record = "texts"},
	{"count", 0, OPTION_COUNT, "N", "", AT(count), .max = 9, .record = "count"},
	{"large", 0, OPTION_COUNT, "N", "", AT(large), .min = 1, .max = UINT64_MAX,
	 OPTION_PLAN(phases.loops)},
	{"size", 0, OPTION_SIZE, "SIZE", "", AT(size), .min = 512, .max = 1 << 20,
	 .record = "size"},
	{"duration", 0, OPTION_DURATION, "SEC", "", AT(duration), .min = NS_PER_MS, .max = NS_PER_S,
	 OPTION_PLAN(phases.time_ns)},
	{"share", 0, OPTION_SHARE, "SHARE", "", AT(share), .share_min = 0.01, .share_limit = 0.5,
	 .flags = OPTION_STORED},
	{"colour", 0, OPTION_WORD, "NAME", "", AT(colour), WORDS("red", "green", "blue"),
	 .record = "colour"},
	{"order", 0, OPTION_WORD, "HOW", "", AT(last), WORDS("given", "random"),
	 .flags = OPTION_RUN_ONLY},
	{"unparsed", 0, OPTION_TEXTS, "TEXT", .help = ""},
	{.name = NULL},
};

/* The values of a command line that was read. */
struct line {
	struct fields fields;
	struct options options;
	struct error error;
};

/* Read the words of a command line, at most 15. Return options_parse's code. */
static int take(struct line *line, const char *const *words)
{
	const struct option_group groups[] = {
		{.rows = rows, .values = &line->fields},
		{.rows = NULL},
	};
	const char *argv[17] = {"test"};
	int argc = 1;

	for (; *words != NULL; words++)
		argv[argc++] = *words;
	line->options = (struct options){0};
	line->error = (struct error){0};
	assert_int_equal(options_read(&line->options, groups, "", "", argc, argv), EXIT_VALID);
	return options_parse(&line->options, &line->error);
}

#define TAKE(line, ...) take(line, (const char *const[]){__VA_ARGS__, NULL})

static void each_kind_of_value_goes_into_its_field(void **state)
{
	/* If a value were written as larger than its field, it would change the
	 * next field. */
	struct line line = {.fields = {.last = true, .count = 7, .colour = GREEN, .share = 0.25}};
	const struct fields *fields = &line.fields;

	assert_int_equal(TAKE(&line, "-f", "--text", "a", "--yes", "--file=x.json", "--large",
			      "18446744073709551615", "--size", "64k", "--duration=2.5ms"),
			 0);
	assert_true(fields->flag);
	assert_true(fields->last);
	assert_string_equal(fields->text, "a");
	assert_string_equal(fields->yes, "yes");
	assert_string_equal(fields->file, "x.json");
	assert_true(fields->large == UINT64_MAX);
	assert_int_equal(fields->size, 64000);
	assert_int_equal(fields->duration, 2500000);
	/* Fields of options that were not given keep their values. */
	assert_null(fields->texts);
	assert_int_equal(fields->count, 7);
	expect_near(fields->share, 0.25, 0);
	options_free(&line.options);

	assert_int_equal(TAKE(&line, "--count", "0"), 0);
	assert_int_equal(fields->count, 0);
	assert_int_equal(fields->colour, GREEN);
	options_free(&line.options);

	assert_int_equal(TAKE(&line, "--share=5%", "--colour", "blue", "--order", "given"), 0);
	expect_near(fields->share, 0.05, 1e-12);
	assert_int_equal(fields->colour, BLUE);
	assert_false(fields->last);
	options_free(&line.options);
}

static void bad_values_are_refused_with_the_reason(void **state)
{
	static const struct {
		const char *word, *refusal;
	} cases[] = {
		{"--file=json", "--file: unknown format: \"json\" must end in .json"},
		{"--file=.json", "--file: unknown format: \".json\" must end in .json"},
		{"--count=x", "--count: \"x\" is not valid; expected a whole number"},
		{"--count=10", "--count: 10 is out of range (0 to 9)"},
		{"--large=0", "--large: 0 is out of range (1 to 18446744073709551615)"},
		{"--size=1q", "--size: \"1q\" is not valid; expected a size such as 4096 or 64k"},
		{"--size=1", "--size: 1 is out of range (512 B to 1.049 MB)"},
		{"--duration=x",
		 "--duration: \"x\" is not valid; expected a duration such as 10, 0.5 or 250ms"},
		{"--duration=2", "--duration: 2 is out of range (1 ms to 1 s)"},
		{"--share=50%",
		 "--share: \"50%\" must be a number from 0.01 to below 0.5, such as 0.05 or 5%"},
		{"--share=0x0.1",
		 "--share: \"0x0.1\" must be a number from 0.01 to below 0.5, such as 0.05 or 5%"},
		{"--share=",
		 "--share: \"\" must be a number from 0.01 to below 0.5, such as 0.05 or 5%"},
		{"--share=nan",
		 "--share: \"nan\" must be a number from 0.01 to below 0.5, such as 0.05 or 5%"},
		{"--colour=Red", "--colour: \"Red\" must be red, green or blue"},
		{"--order=none", "--order: \"none\" must be given or random"},
	};
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		struct line line = {.fields = {.count = 7}};

		if (TAKE(&line, cases[i].word) != -EINVAL)
			fail_msg("%s was taken", cases[i].word);
		assert_string_equal(line.error.text, cases[i].refusal);
		assert_int_equal(line.fields.count, 7);
		options_free(&line.options);
	}
}

static void the_last_one_holds_but_lists_grow(void **state)
{
	struct line line = {0};
	const char *const *texts;

	assert_int_equal(TAKE(&line, "here", "--count", "x", "--texts", "a", "--count=2",
			      "--unparsed=u", "there", "--texts=b"),
			 0);
	assert_int_equal(line.fields.count, 2);
	assert_string_equal(options_text(&line.options, "count"), "2");
	texts = options_texts(&line.options, "texts");
	assert_ptr_equal(texts, line.fields.texts);
	assert_string_equal(texts[0], "a");
	assert_string_equal(texts[1], "b");
	assert_null(texts[2]);
	assert_string_equal(options_text(&line.options, "unparsed"), "u");
	assert_false(options_given(&line.options, "flag"));
	assert_null(options_text(&line.options, "flag"));
	assert_int_equal(line.options.word_count, 2);
	assert_string_equal(line.options.words[0], "here");
	assert_string_equal(line.options.words[1], "there");
	assert_null(line.options.words[2]);
	options_free(&line.options);
}

/* Expect a result to have exactly these options, each as "key=value". */
static void expect_options(const struct line *line, const char *const *pairs)
{
	struct result result = {0};
	const struct result_run *run = &result.run;
	char text[128];
	size_t i;

	options_record(&line->options, &result.run);
	assert_int_equal(run->phases.loops, line->fields.large);
	assert_int_equal(run->phases.time_ns, line->fields.duration);
	for (i = 0; i < run->option_count; i++) {
		snprintf(text, sizeof(text), "%s=%s", run->options[2 * i], run->options[2 * i + 1]);
		assert_non_null(pairs[i]);
		assert_string_equal(text, pairs[i]);
	}
	assert_null(pairs[i]);
	result_free(&result);
}

#define EXPECT_OPTIONS(line, ...) expect_options(line, (const char *const[]){__VA_ARGS__, NULL})

/* Let a preset's options give way to those of the user, except --texts=new. */
static bool gives_way(const struct options *options, const char *name, const char *text)
{
	return options_given(options, name) && strcmp(text, "new") != 0;
}

static void presets_stand_before_the_user(void **state)
{
	struct line line = {0};
	struct options *options = &line.options;
	const char *const *texts;

	assert_int_equal(TAKE(&line, "--count", "2", "--texts=a", "--texts=b"), 0);
	assert_int_equal(
		options_add_preset(options,
				   "--count 3 --texts new --colour red --texts=old -f --texts "
				   "'new' --colour blue",
				   gives_way),
		0);
	assert_int_equal(options_parse(options, &line.error), 0);
	assert_int_equal(line.fields.count, 2);
	assert_int_equal(line.fields.colour, BLUE);
	assert_true(line.fields.flag);
	texts = options_texts(options, "texts");
	assert_string_equal(texts[0], "new");
	assert_string_equal(texts[1], "new");
	assert_string_equal(texts[2], "a");
	assert_string_equal(texts[3], "b");
	assert_null(texts[4]);
	/* Only the user has given an option. */
	assert_true(options_given(options, "texts"));
	assert_true(options_given(options, "count"));
	assert_false(options_given(options, "flag"));
	assert_false(options_given(options, "colour"));
	assert_string_equal(options_text(options, "colour"), "blue");
	EXPECT_OPTIONS(&line, "flag=yes", "texts=new or new or a or b", "count=2", "colour=blue");

	assert_int_equal(options_add_preset(options, "--none", gives_way), -EINVAL);
	assert_int_equal(options_add_preset(options, "-f word", gives_way), -EINVAL);
	assert_int_equal(options_add_preset(options, "'", gives_way), -EINVAL);
	options_free(options);
}

static void options_are_found_by_their_flags(void **state)
{
	struct line line = {0};
	const struct options *options = &line.options;

	assert_int_equal(TAKE(&line, "--share=0.1", "-f"), 0);
	assert_null(options_find(options, OPTION_RUN_ONLY, OPTION_RUN_ONLY));
	assert_null(options_find(options, OPTION_STORED, 0));
	assert_string_equal(options_find(options, OPTION_STORED, OPTION_STORED), "flag");
	options_free(&line.options);
	assert_int_equal(TAKE(&line, "--share=0.1", "--order=given"), 0);
	assert_string_equal(options_find(options, OPTION_RUN_ONLY, OPTION_RUN_ONLY), "order");
	assert_string_equal(options_find(options, OPTION_STORED, 0), "order");
	options_free(&line.options);
}

static void a_result_has_what_was_given(void **state)
{
	struct line line = {.fields = {.large = 3, .duration = 5}};

	assert_int_equal(TAKE(&line, "--size=1k", "-f", "--no-answer", "--yes", "--texts=a",
			      "--texts=b", "--texts=c", "--count=09", "--colour=red"),
			 0);
	EXPECT_OPTIONS(&line, "flag=yes", "answer=no", "yes=yes", "texts=a or b or c", "count=09",
		       "size=1000", "colour=red");
	options_free(&line.options);
	/* A count of 0 is the default of an option such as --max-errors, so it
	 * is not recorded. */
	assert_int_equal(TAKE(&line, "--count=0", "--large=4", "--text=%s", "--share=0.1"), 0);
	EXPECT_OPTIONS(&line, "text=%s");
	options_free(&line.options);
}

int unit_options(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_value_goes_into_its_field),
		cmocka_unit_test(bad_values_are_refused_with_the_reason),
		cmocka_unit_test(the_last_one_holds_but_lists_grow),
		cmocka_unit_test(presets_stand_before_the_user),
		cmocka_unit_test(options_are_found_by_their_flags),
		cmocka_unit_test(a_result_has_what_was_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
