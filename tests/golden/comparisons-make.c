/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Write comparisons for tests/golden/comparisons. Each case is made of two
 * results with noise from a fixed seed.
 *
 *	comparisons-make NAME FORMAT   print a case; FORMAT may also be
 *	                               "calibration"
 *	comparisons-make DIRECTORY     write each case in each format to
 *	                               DIRECTORY/NAME/FORMAT, and what was read
 *	                               from its JSON as JSON to "again"
 */
#include "base/random.h"
#include "compare/comparison.h"
#include "compare/json.h"
#include "export/formats.h"
#include "result/variant.h"
#include "stats/summary.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { USER_COUNTS = 3, METRICS = 3, FAILURES = 2, OTHERS = 4 };

struct test_case {
	const char *name;
	unsigned pairs, budget;      /* budget 0: not measured in pairs */
	unsigned users[USER_COUNTS]; /* ends with 0 */
	const char *metrics[METRICS];
	double speed;      /* of the new side, relative to the base */
	double last_speed; /* the speed at the last point; 0: as `speed` */
	double noise;      /* max relative deviation of a repeat */
	double margin;
	bool running; /* the comparison continues: more pairs may follow */
	bool out_of_time;
	const char *base_name, *new_name, *operation, *host;
	const char *base_label, *new_label;
	const char *failures[FAILURES];
	/* The speed of more operations on the new side, relative to the first one;
	 * 0: none. */
	double others[OTHERS];
};

/* A text that tries to break out of quotes, tables, elements and lines, and to
 * control a terminal. */
#define HOSTILE "\"'&<b>]]>|`*%0A::error::\n\t\r\033[31m\\,_x_"

static const struct test_case cases[] = {
	{.name = "pass",
	 .pairs = 12,
	 .budget = 20,
	 .users = {1, 4},
	 .metrics = {"mb_per_s"},
	 .speed = 1.01,
	 .noise = 0.02,
	 .margin = 0.05},
	{.name = "pass-times",
	 .pairs = 10,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"p99", "loop"},
	 .speed = 1,
	 .noise = 0.01,
	 .margin = 0.05},
	{.name = "pass-mixed",
	 .pairs = 12,
	 .budget = 20,
	 .users = {1, 8},
	 .metrics = {"ops_per_s", "mean", "ReadX.mb_per_s"},
	 .speed = 1,
	 .noise = 0.02,
	 .margin = 0.03},
	{.name = "regression",
	 .pairs = 13,
	 .budget = 20,
	 .users = {1, 4, 8},
	 .metrics = {"mb_per_s", "p99"},
	 .speed = 1,
	 .last_speed = 0.8,
	 .noise = 0.03,
	 .margin = 0.05},
	{.name = "single-regression",
	 .pairs = 11,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"p99"},
	 .speed = 0.8,
	 .noise = 0.03,
	 .margin = 0.05},
	{.name = "inconclusive",
	 .pairs = 20,
	 .budget = 20,
	 .users = {1, 4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .last_speed = 0.96,
	 .noise = 0.06,
	 .margin = 0.05},
	{.name = "at-the-margin",
	 .pairs = 12,
	 .budget = 12,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 0.962,
	 .noise = 0.05,
	 .margin = 0.05},
	{.name = "stopped",
	 .pairs = 11,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 0.97,
	 .noise = 0.06,
	 .margin = 0.05},
	{.name = "out-of-time",
	 .pairs = 2,
	 .budget = 20,
	 .users = {1, 4},
	 .metrics = {"mb_per_s"},
	 .speed = 0.5,
	 .noise = 0.02,
	 .margin = 0.05,
	 .out_of_time = true},
	{.name = "out-of-time-noisy",
	 .pairs = 11,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 0.97,
	 .noise = 0.06,
	 .margin = 0.05,
	 .out_of_time = true},
	{.name = "interrupted",
	 .pairs = 3,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .noise = 0.02,
	 .margin = 0.05},
	{.name = "running",
	 .pairs = 3,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .noise = 0.02,
	 .margin = 0.05,
	 .running = true},
	{.name = "too-few",
	 .pairs = 4,
	 .budget = 4,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 0.5,
	 .noise = 0.02,
	 .margin = 0.05},
	{.name = "unpaired",
	 .pairs = 6,
	 .users = {1, 4},
	 .metrics = {"mb_per_s", "p99"},
	 .speed = 0.8,
	 .noise = 0.03,
	 .margin = 0.05,
	 .host = "elsewhere"},
	{.name = "unpaired-few",
	 .pairs = 2,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 0.8,
	 .noise = 0.03,
	 .margin = 0.05},
	{.name = "limits",
	 .pairs = 10,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .noise = 0.01,
	 .margin = 0.05,
	 .failures = {"at 4 users, p99 is 1.21 ms, > 1 ms",
		      "at 4 users, mb_per_s is 512 MB/s, < 600 MB/s"}},
	{.name = "named",
	 .pairs = 12,
	 .budget = 20,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .noise = 0.02,
	 .margin = 0.05,
	 .host = "elsewhere",
	 .base_label = "6.1",
	 .new_label = "6.2-rc1"},
	{.name = "named-long",
	 .pairs = 4,
	 .users = {4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .noise = 0.02,
	 .margin = 0.05,
	 .host = "elsewhere",
	 .base_label = "before the patch",
	 .new_label = HOSTILE},
	{.name = "operations",
	 .pairs = 10,
	 .budget = 20,
	 .users = {1, 4},
	 .metrics = {"mb_per_s"},
	 .speed = 1,
	 .noise = 0.01,
	 .margin = 0.05,
	 .others = {0.9, 1.25, 1, 0.85}},
	{.name = "hostile",
	 .pairs = 10,
	 .budget = 20,
	 .users = {1, 100000},
	 .metrics = {HOSTILE ".p99"},
	 .speed = 1,
	 .last_speed = 0.7,
	 .noise = 0.02,
	 .margin = 0.025,
	 .operation = HOSTILE,
	 .base_name = "/srv/\xff/" HOSTILE,
	 .new_name = HOSTILE "\xef\xbf\xbf",
	 .host = HOSTILE,
	 .failures = {"limit " HOSTILE}},
};

static void die(const char *message)
{
	fprintf(stderr, "comparisons-make: %s\n", message);
	exit(1);
}

/* Return a random number from 1 - noise to 1 + noise. */
static double factor(struct random *random, double noise)
{
	double share = (double)(random_next(random) >> 11) * 0x1p-53;

	return 1 + noise * (2 * share - 1);
}

/* Set latencies, in whole ns. */
static void set_latency(struct record *record, double mean_ms)
{
	record_set(record, FIGURE_MEAN_MS, mean_ms);
	record_set(record, FIGURE_P50_MS, floor(0.9e6 * mean_ms) / 1e6);
	record_set(record, FIGURE_P99_MS, floor(3e6 * mean_ms) / 1e6);
	record_set(record, FIGURE_MAX_MS, floor(9e6 * mean_ms) / 1e6);
}

static void add_operation(struct result *result, struct result_repeat *repeat, const char *name,
			  double speed)
{
	struct record *record = records_add(
		&repeat->records,
		&(struct record_key){.operation = record_name(&result->names, name)});
	double ops = floor(1e6 * speed);

	record_set(record, FIGURE_OPS, ops);
	record_set(record, FIGURE_BYTES, floor(5.12e9 * speed));
	record_set(record, FIGURE_TIME_S, ops * 0.4e-3 / speed);
	set_latency(record, 0.4 / speed);
}

/* Add the operations that only some cases have. Only those of the new side have other
 * speeds. */
static void add_others(struct result *result, const struct test_case *test,
		       struct result_repeat *repeat, double speed, bool is_new)
{
	static const char *const names[OTHERS] = {"Close", "Create", "Flush", "WriteX"};
	size_t i;

	for (i = 0; i < OTHERS && test->others[i] > 0; i++)
		add_operation(result, repeat, names[i], speed * (is_new ? test->others[i] : 1));
}

static void add_repeat(struct result *result, const struct test_case *test, unsigned users,
		       unsigned number, double speed, bool is_new)
{
	struct result_repeat *repeat = result_add_repeat(result, 0, users);
	const struct record_key total = {0};
	struct record *record = records_add(&repeat->records, &total);
	double ops = floor(1e6 * speed);

	strcpy(repeat->started, "2026-01-31T23:59:59Z");
	repeat->order = ++result->run.measured;
	repeat->pair = test->budget > 0 ? number : 0;
	record_set(record, FIGURE_SECONDS, 10);
	record_set(record, FIGURE_LOOPS, 10);
	record_set(record, FIGURE_USER_OPS_MIN, floor(ops / users));
	record_set(record, FIGURE_USER_OPS_MEDIAN, floor(ops / users));
	record_set(record, FIGURE_USER_OPS_MAX, floor(ops / users));
	record_set(record, FIGURE_LOOP_COUNT, 10);
	record_set(record, FIGURE_LOOP_MEAN_S, 0.95 / speed);
	record_set(record, FIGURE_LOOP_S, 0.9 * 0.95 / speed);
	record_set(record, FIGURE_LOOP_P99_S, 3 * 0.95 / speed);
	record_set(record, FIGURE_LOOP_MAX_S, 9 * 0.95 / speed);
	set_latency(record, 0.4 / speed);
	add_operation(result, repeat, test->operation != NULL ? test->operation : "ReadX", speed);
	add_others(result, test, repeat, speed, is_new);
}

static void describe(struct result_run *run, const struct test_case *test)
{
	run->version = strdup("1.0");
	run->command = strdup("throng compare");
	run->host = strdup("host");
	run->kernel = strdup("6.1");
	strcpy(run->started, "2026-01-31T23:59:59Z");
	run->cpus = 2;
	run->memory_bytes = 8000000000;
	run->seed = 7;
	run->phases.time_ns = 10000000000;
	run->repeats = test->pairs;
	run->pairs = test->budget;
	run->random_order = true;
	variant_make_all(run);
	run->variants[0].loads = calloc(1, sizeof(*run->variants[0].loads));
	run->variants[0].load_count = 1;
	run->variants[0].loads[0] = (struct result_load){
		.name = strdup("load"),
		.dialect = strdup("netbench"),
		.ops = 1000,
		.read_bytes = 5120000,
		.footprint_bytes = 1000000,
		.synced = test->base_label == NULL,
	};
}

static void build(struct result *result, const struct test_case *test, double speed,
		  double last_speed, uint64_t stream)
{
	struct random random;
	unsigned i, number;

	random_start(&random, 1, stream);
	describe(&result->run, test);
	result->run.user_counts = calloc(USER_COUNTS, sizeof(unsigned));
	for (i = 0; i < USER_COUNTS && test->users[i] > 0; i++)
		result->run.user_counts[result->run.user_count_count++] = test->users[i];
	for (i = 0; i < result->run.user_count_count; i++) {
		bool is_last = i + 1 == result->run.user_count_count;

		for (number = 1; number <= test->pairs; number++)
			add_repeat(result, test, test->users[i], number,
				   (is_last ? last_speed : speed) * factor(&random, test->noise),
				   stream == 2);
	}
}

static void name_target(struct result_run *run, const char *url)
{
	run->variants[0].targets = calloc(1, sizeof(*run->variants[0].targets));
	run->variants[0].target_count = 1;
	run->variants[0].targets[0] = (struct result_target){
		.url = strdup(url),
		.backend = strdup("posix"),
		.library = strdup("libc"),
		.library_version = strdup("1"),
		.kind = strdup("ext4"),
		.protection = strdup(""),
		.free_bytes = UINT64_MAX,
		.answers = true,
	};
}

static void build_both(struct result results[2], const struct test_case *test)
{
	double last = test->last_speed > 0 ? test->last_speed : test->speed;

	build(&results[0], test, 1, 1, 1);
	build(&results[1], test, test->speed, last, 2);
	if (test->host != NULL) {
		free(results[1].run.host);
		results[1].run.host = strdup(test->host);
	}
	if (test->base_label != NULL) {
		strcpy(results[0].run.label, test->base_label);
		strcpy(results[1].run.label, test->new_label);
		result_add_note(&results[0].run, "disk", "nvme0");
		result_add_note(&results[1].run, "note", HOSTILE);
	}
	name_target(&results[0].run, "/srv/old");
	name_target(&results[1].run, "/srv/" HOSTILE);
	if (summary_update(&results[0]) < 0 || summary_update(&results[1]) < 0)
		abort();
}

static size_t read_metrics(const struct test_case *test, struct metric metrics[METRICS],
			   struct error *error)
{
	size_t count;

	for (count = 0; count < METRICS && test->metrics[count] != NULL; count++)
		metric_parse(test->metrics[count], strlen(test->metrics[count]), "metric",
			     &metrics[count], error);
	return count;
}

/* Compare the results. The caller frees the comparison. */
static void compare(const struct test_case *test, const struct result results[2],
		    struct comparison *comparison)
{
	struct error error = {0};
	struct metric metrics[METRICS];
	const struct comparison_question question = {
		.metrics = metrics,
		.metric_count = read_metrics(test, metrics, &error),
		.margin = test->margin,
		.alpha = 0.025,
		.final = !test->running,
		.out_of_time = test->out_of_time,
	};
	const char *const names[SIDES] = {
		test->base_name != NULL ? test->base_name : "smb://old/share",
		test->new_name != NULL ? test->new_name : "smb://new/share",
	};
	size_t i;

	if (error.set || comparison_make(comparison, results, names, &question, &error) < 0)
		die(error.text);
	for (i = 0; i < FAILURES && test->failures[i] != NULL; i++)
		result_add_reason(&comparison->failures, "%s", test->failures[i]);
}

static void write_file(const char *directory, const struct test_case *test, const char *name,
		       const struct comparison *comparison, const struct format *format)
{
	char path[PATH_MAX];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/%s", directory, test->name, name);
	file = fopen(path, "w");
	if (file == NULL)
		die(path);
	format->compare(comparison, file);
	if (fclose(file) != 0)
		die(path);
}

/* Read the JSON of a comparison, and write what was read. The comparison is not
 * judged again, which takes long. */
static void write_again(const char *directory, const struct test_case *test,
			const struct comparison *comparison, const struct format *json)
{
	struct comparison again = *comparison;
	struct stored_comparison stored;
	struct error error = {0};
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s/json", directory, test->name);
	if (read_comparison(path, &stored, &error) < 0)
		die(error.text);
	again.results[BASE] = &stored.results[BASE];
	again.results[NEW] = &stored.results[NEW];
	again.margin = stored.question.margin;
	again.alpha = stored.question.alpha;
	again.failures = stored.question.failures;
	again.out_of_time = stored.question.out_of_time;
	write_file(directory, test, "again", &again, json);
	stored_comparison_free(&stored);
}

static void write_all(const char *directory, const struct test_case *test,
		      const struct comparison *comparison)
{
	const struct format *format;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", directory, test->name);
	if (mkdir(path, 0777) < 0)
		die(path);
	for (format = formats; format->name != NULL; format++) {
		if (format->compare == NULL)
			continue;
		write_file(directory, test, format->name, comparison, format);
		if (format->compare == comparison_json)
			write_again(directory, test, comparison, format);
	}
}

/* Print the case or, if `format` is NULL, write all its files. */
static void write_case(const struct test_case *test, const struct format *format,
		       const char *directory)
{
	struct result results[2] = {0};
	struct comparison comparison;

	build_both(results, test);
	compare(test, results, &comparison);
	if (format != NULL)
		format->compare(&comparison, stdout);
	else
		write_all(directory, test, &comparison);
	comparison_free(&comparison);
	result_free(&results[0]);
	result_free(&results[1]);
}

static const struct test_case *find_case(const char *name)
{
	size_t i;

	for (i = 0; i < LENGTH(cases); i++)
		if (strcmp(cases[i].name, name) == 0)
			return &cases[i];
	return NULL;
}

int main(int argc, char **argv)
{
	static const struct format calibration = {
		.name = "calibration",
		.compare = calibration_text,
	};
	const struct format *format = formats;
	const struct test_case *test = argc == 3 ? find_case(argv[1]) : NULL;
	size_t i;

	for (i = 0; argc == 2 && i < LENGTH(cases); i++)
		write_case(&cases[i], NULL, argv[1]);
	if (argc == 2)
		return 0;
	while (argc == 3 && format->name != NULL && strcmp(format->name, argv[2]) != 0)
		format++;
	if (argc == 3 && strcmp(calibration.name, argv[2]) == 0)
		format = &calibration;
	if (test == NULL || format->name == NULL)
		die("expected a directory, or a case and a format");
	write_case(test, format, NULL);
	return 0;
}
