/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Write results as lists of flat rows, and read them again. */
#include "records.h"

#include "result/json.h"
#include "result/lists.h"
#include "stats/summary.h"
#include "result/variant.h"
#include "stats/summary.h"

#include <errno.h>

static char **texts(size_t count, const char *const *from)
{
	char **list = calloc(count, sizeof(*list));
	size_t i;

	assert_non_null(list);
	for (i = 0; i < count; i++)
		list[i] = strdup(from[i]);
	return list;
}

static struct result_target *a_target(void)
{
	struct result_target *target = calloc(1, sizeof(*target));

	assert_non_null(target);
	*target = (struct result_target){
		.url = strdup("null:"),
		.backend = strdup("null"),
		.library = strdup(""),
		.library_version = strdup(""),
		.kind = strdup("nothing"),
		.protection = strdup(""),
		.free_bytes = UINT64_MAX,
	};
	return target;
}

/* Return `count` numbers, as texts. */
static char **many(size_t count)
{
	char **list = calloc(count, sizeof(*list));
	size_t i;

	assert_non_null(list);
	for (i = 0; i < count; i++)
		assert_true(asprintf(&list[i], "%zu", i) > 0);
	return list;
}

/* Describe a run with an axis of numbers and one of texts; or, unless `numbers` is
 * 0, with a single axis that has `numbers` numbers. */
static void describe(struct result_run *run, size_t numbers)
{
	size_t i;

	*run = (struct result_run){
		.version = strdup("1"),
		.command = strdup("throng run"),
		.host = strdup("a"),
		.kernel = strdup("6.1"),
		.started = "2026-01-31T23:59:59Z",
		.ended = "2026-02-01T00:00:10Z",
		.cpus = 2,
		.memory_bytes = 1 << 30,
		.hosts = calloc(1, sizeof(struct result_host)),
		.host_count = 1,
		.launcher = strdup("ssh -p 22"),
		.user_counts = calloc(2, sizeof(unsigned)),
		.user_count_count = 2,
		.axes = calloc(2, sizeof(struct result_axis)),
		.axis_count = numbers > 0 ? 1 : 2,
		.repeats = 2,
		.open_loop = true,
		.phases.time_ns = 2000000000,
	};
	run->hosts[0] = (struct result_host){
		.name = strdup("node1"),
		.kernel = strdup("6.1"),
		.cpus = 8,
		.usable_cpus = 7,
		.memory_bytes = 2 << 20,
		.clock_error_ms = 0.125,
	};
	run->user_counts[0] = 1;
	run->user_counts[1] = 4;
	run->axes[0] = (struct result_axis){
		.name = strdup("bs"),
		.values = numbers > 0 ? many(numbers)
				      : texts(2, (const char *const[]){"4Ki", "1e3"}),
		.value_count = numbers > 0 ? numbers : 2,
	};
	if (numbers == 0)
		run->axes[1] = (struct result_axis){
			.name = strdup("batch"),
			.values = texts(2, (const char *const[]){"no", "1"}),
			.value_count = 2,
		};
	assert_int_equal(variant_make_all(run), 0);
	for (i = 0; i < run->variant_count; i++) {
		run->variants[i].loads = calloc(1, sizeof(struct result_load));
		run->variants[i].load_count = 1;
		run->variants[i].loads[0].name = strdup("load");
		run->variants[i].loads[0].dialect = strdup("native");
		run->variants[i].loads[0].ops = 2;
		run->variants[i].targets = a_target();
		run->variants[i].target_count = 1;
	}
}

/* Append a record with all values that it can have, but for derived ones. */
static void add_record(struct result *result, struct result_repeat *repeat, const char *host,
		       const char *phase, const char *operation, double seed)
{
	const struct record_key key = {
		.host = record_name(&result->names, host),
		.phase = record_name(&result->names, phase),
		.operation = record_name(&result->names, operation),
	};
	struct record *record = records_add(&repeat->records, &key);
	enum figure figure;

	assert_non_null(record);
	for (figure = 0; figure < record->value_count; figure++) {
		bool whole = figures[figure].form == FORM_COUNT ||
			     figures[figure].form == FORM_BYTES;
		double value = seed * ((double)figure + 1);

		if (!figures[figure].derived)
			record_set(record, figure, whole ? floor(1000 * value) : value / 7);
	}
	record->direction = operation == NULL                         ? DIRECTION_NONE
			    : strcmp(operation, "Read \xc3\xa9") == 0 ? DIRECTION_READ
								      : DIRECTION_WRITE;
}

/* Append user 0. */
static void add_user(struct result *result, struct result_repeat *repeat)
{
	const struct record_key key = {.user = record_name(&result->names, "0")};

	SET(&repeat->records, &key, {FIGURE_OPS, 3}, {FIGURE_BYTES, 7e6}, {FIGURE_ERRORS, 1},
	    {FIGURE_MISMATCHES, 2}, {FIGURE_TIME_S, 0.5}, {FIGURE_SECONDS, 2}, {FIGURE_MAX_MS, 4},
	    {FIGURE_READ_MB_PER_S, 3}, {FIGURE_WRITE_MB_PER_S, 0.5}, {FIGURE_PREEMPTIONS, 9});
}

static struct result_repeat *add_repeat(struct result *result, size_t variant, unsigned users,
					double seed)
{
	struct result_repeat *repeat = result_add_repeat(result, variant, users);

	assert_non_null(repeat);
	repeat->order = (unsigned)result->run.measured++ + 1;
	add_record(result, repeat, NULL, NULL, NULL, seed);
	add_record(result, repeat, NULL, NULL, "Read \xc3\xa9", seed / 3);
	add_record(result, repeat, NULL, NULL, "Write", seed / 11);
	add_record(result, repeat, NULL, "a", NULL, seed / 2);
	add_record(result, repeat, NULL, "a", "Write", seed / 2.1);
	SET(&repeat->records, KEY(.operation = "Write"), {FIGURE_P99_9_MS, NAN});
	return repeat;
}

static void add_extras(struct result *result, struct result_repeat *repeat)
{
	repeat->histogram_count = repeat->second_count = repeat->difference_count = 1;
	repeat->histograms = calloc(1, sizeof(*repeat->histograms));
	repeat->histograms[0] = (struct result_histogram){
		.key = repeat->records.list[1].key,
		.of = record_name(&result->names, "latency"),
		.min_ns = 5,
		.max_ns = 99,
		.longer = 1,
		.cells = calloc(1, sizeof(struct result_cell)),
		.cell_count = 1,
	};
	repeat->histograms[0].cells[0] = (struct result_cell){.from_ns = 4, .count = 3};
	repeat->seconds = calloc(1, sizeof(*repeat->seconds));
	repeat->seconds[0] = (struct result_second){1.0625, 44.5, 0.25};
	repeat->differences = calloc(1, sizeof(*repeat->differences));
	repeat->differences[0] = (struct result_difference){
		.user = 3,
		.file = strdup("/f"),
		.offset = 4096,
		.length = 17,
		.kind = strdup("zeros"),
		.looks_like = strdup("zeros"),
		.expected = strdup("01"),
		.found = strdup("00"),
	};
}

/* Add two commands, and what they have printed in one repeat. */
static void add_samples(struct result *result, struct result_repeat *repeat)
{
	static const double values[] = {0, NAN, -2.5, 1e12, 0.1};

	result->run.samples = calloc(2, sizeof(*result->run.samples));
	result->run.sample_count = 2;
	result->run.samples[0] = (struct result_sampled){strdup("cpu %"), strdup("mpstat")};
	result->run.samples[1] = (struct result_sampled){strdup("queue"), strdup("cat q")};
	repeat->samples = calloc(2, sizeof(*repeat->samples));
	repeat->sample_count = 2;
	repeat->samples[0].values = malloc(sizeof(values));
	memcpy(repeat->samples[0].values, values, sizeof(values));
	repeat->samples[0].value_count = LENGTH(values);
	NOTICE_ADD(&repeat->warnings, NOTICE_SAMPLE, .numbers = {1, 5}, .subject = "cpu %",
		   .detail = "printed nothing");
}

static void add_rate(struct result_point *point)
{
	struct result_found_rate *found = calloc(1, sizeof(*found));

	point->found_rate = found;
	*found = (struct result_found_rate){
		.condition = strdup("p99 < 50 ms"),
		.per_user = 100.5,
		.total = 100.5,
		.steps = calloc(2, sizeof(*found->steps)),
		.step_count = 2,
	};
	found->steps[0] = (struct result_rate_step){100.5, 4.5, 1, RESULT_HOLDS, NULL};
	found->steps[1] = (struct result_rate_step){200, 0, 0.5, RESULT_FAILS,
						    strdup("only 50 % ended")};
}

/* Return a result with something in each list. */
static struct result a_result(void)
{
	struct result result = {0};
	struct result_repeat *repeat;

	describe(&result.run, 0);
	add_repeat(&result, 0, 1, 1);
	add_extras(&result, add_repeat(&result, 0, 1, 1.37));
	add_samples(&result, &result.points[0].repeats[1]);
	NOTICE_ADD(&add_repeat(&result, 0, 4, 0.3)->invalid, NOTICE_STUCK);
	repeat = add_repeat(&result, 3, 1, 2.71);
	add_record(&result, repeat, "node1", NULL, NULL, 1.3);
	SET(&repeat->records, KEY(.host = "node1"), {FIGURE_HOST_USERS, 1});
	add_user(&result, repeat);
	add_rate(&result.points[2]);
	result.limit_count = 1;
	result.limits = calloc(1, sizeof(*result.limits));
	result.limits[0] = (struct result_limit){.condition = strdup("errors < 1"), .users = 1};
	assert_int_equal(variant_copy_set(&result.run.variants[3], &result.limits[0].set,
					  &result.limits[0].set_count),
			 0);
	assert_int_equal(summary_update(&result), 0);
	return result;
}

static char *written(const struct result *result)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	assert_int_equal(json_write(result, 1, stream), 0);
	fclose(stream);
	return text;
}

static int read_text(const char *text, struct result *result, struct error *error)
{
	char name[NAME_BYTES];
	int fd = file_of(text, strlen(text), name);
	int rc = summary_read(name, result, error);

	close(fd);
	return rc;
}

/* Check that a text is read, and written again as `wanted`. */
static void expect_read(const char *text, const char *wanted)
{
	struct error error = {0};
	struct result result;
	char *again;
	size_t same = 0;

	if (read_text(text, &result, &error) < 0)
		fail_msg("%s", error.text);
	again = written(&result);
	while (again[same] != '\0' && again[same] == wanted[same])
		same++;
	if (again[same] != wanted[same])
		fail_msg("%.80s\ninstead of %.80s", again + same, wanted + same);
	free(again);
	result_free(&result);
}

static void expect_same_record(const struct record *record, const struct record *wanted)
{
	enum figure figure;

	assert_true(record_same_key(&record->key, &wanted->key));
	assert_int_equal(record->direction, wanted->direction);
	assert_int_equal(record->operations, wanted->operations);
	assert_int_equal(record->value_count, wanted->value_count);
	for (figure = 0; figure < FIGURES; figure++)
		expect_near(record_value(record, figure), record_value(wanted, figure), 0);
}

static void expect_same_records(const struct records *records, const struct records *wanted)
{
	size_t i;

	assert_int_equal(records->count, wanted->count);
	for (i = 0; i < wanted->count; i++)
		expect_same_record(&records->list[i], &wanted->list[i]);
}

static void a_result_is_read_as_it_was_written(void **state)
{
	struct result result = a_result(), again;
	const struct result_repeat *repeat;
	struct error error = {0};
	char *text = written(&result);
	size_t i, j;

	expect_read(text, text);
	assert_int_equal(read_text(text, &again, &error), 0);
	assert_int_equal(again.run.measured, 4);
	assert_int_equal(again.point_count, 3);
	for (i = 0; i < 3; i++) {
		assert_int_equal(again.points[i].variant, result.points[i].variant);
		assert_int_equal(again.points[i].users, result.points[i].users);
		assert_int_equal(again.points[i].repeat_count, result.points[i].repeat_count);
		expect_same_records(&again.points[i].records, &result.points[i].records);
		for (j = 0; j < again.points[i].repeat_count; j++)
			expect_same_records(&again.points[i].repeats[j].records,
					    &result.points[i].repeats[j].records);
	}
	assert_int_equal(again.points[1].repeats[0].order, 3);
	assert_int_equal(again.points[1].repeats[0].invalid.list[0].kind, NOTICE_STUCK);
	repeat = &again.points[0].repeats[1];
	assert_int_equal(repeat->histogram_count, 1);
	assert_string_equal(repeat->histograms[0].of, "latency");
	assert_true(record_same_key(&repeat->histograms[0].key, &repeat->records.list[1].key));
	assert_int_equal(repeat->histograms[0].cells[0].count, 3);
	assert_int_equal(repeat->second_count, 1);
	expect_near(repeat->seconds[0].mb_per_s, 44.5, 0);
	assert_int_equal(again.run.sample_count, 2);
	assert_string_equal(again.run.samples[1].command, "cat q");
	assert_int_equal(repeat->sample_count, 2);
	assert_int_equal(repeat->samples[0].value_count, 5);
	expect_near(repeat->samples[0].values[0], 0, 0);
	expect_near(repeat->samples[0].values[1], NAN, 0);
	expect_near(repeat->samples[0].values[2], -2.5, 0);
	assert_int_equal(repeat->samples[1].value_count, 0);
	assert_int_equal(again.points[0].repeats[0].sample_count, 0);
	for (i = 0; again.points[0].warnings.list[i].kind != NOTICE_SAMPLE; i++)
		assert_true(i + 1 < again.points[0].warnings.count);
	expect_notice(&again.points[0].warnings.list[i],
		      "the command of --sample cpu % gave no number in 1 of 5 seconds (first "
		      "failure: the command printed nothing)");
	assert_int_equal(repeat->difference_count, 1);
	assert_int_equal(repeat->differences[0].offset, 4096);
	assert_null(again.points[0].found_rate);
	assert_int_equal(again.points[2].found_rate->step_count, 2);
	assert_string_equal(again.points[2].found_rate->steps[1].why, "only 50 % ended");
	free(text);
	result_free(&again);
	result_free(&result);
}

/* Return the rows of a written result. */
static json_t *parsed(const char *text)
{
	json_t *root = json_loads(text, 0, NULL);

	assert_non_null(root);
	return root;
}

static json_t *row(const json_t *root, const char *list, size_t index)
{
	json_t *found = json_array_get(json_object_get(root, list), index);

	assert_non_null(found);
	return found;
}

/* As jq and other programs write it. */
static void any_layout_is_read(void **state)
{
	static const size_t flags[] = {
		0,
		JSON_COMPACT,
		JSON_INDENT(2),
		JSON_INDENT(7) | JSON_SORT_KEYS,
		JSON_INDENT(1) | JSON_ENSURE_ASCII,
	};
	struct result result = a_result();
	char *text = written(&result), *other;
	json_t *root = parsed(text);
	size_t i;

	for (i = 0; i < LENGTH(flags); i++) {
		other = json_dumps(root, flags[i]);
		expect_read(other, text);
		free(other);
	}
	json_decref(root);
	free(text);
	result_free(&result);
}

static void a_row_says_what_it_belongs_to(void **state)
{
	static const char *const scopes[] = {"total", "operation", "operation", "phase",
					     "phase/operation"};
	struct result result = a_result();
	char *text = written(&result);
	json_t *root = parsed(text), *found;
	enum figure figure;
	size_t i;

	assert_int_equal(json_array_size(json_object_get(root, "measurements")), 4);
	assert_int_equal(json_array_size(json_object_get(root, "records")), 22);
	assert_int_equal(json_array_size(json_object_get(root, "points")), 17);
	for (i = 0; i < 20; i++) {
		bool of_operation = strstr(scopes[i % 5], "operation") != NULL;

		found = row(root, "records", i);
		assert_string_equal(json_string_value(json_object_get(found, "scope")),
				    scopes[i % 5]);
		assert_int_equal(json_object_get(found, "operation") != NULL, of_operation);
		assert_int_equal(json_object_get(found, "phase") != NULL, i % 5 > 2);
		assert_int_equal(json_integer_value(json_object_get(found, "users")),
				 i / 5 == 2 ? 4 : 1);
		assert_int_equal(json_integer_value(json_object_get(found, "repeat")),
				 i / 5 == 1 ? 2 : 1);
		assert_int_equal(json_is_true(json_object_get(found, "valid")), i / 5 != 2);
		assert_null(json_object_get(found, "load"));
		for (figure = FIGURES_OF_OPERATIONS; figure < FIGURES; figure++)
			if (of_operation)
				assert_null(json_object_get(found, figures[figure].name));
	}
	found = row(root, "records", 20);
	assert_string_equal(json_string_value(json_object_get(found, "scope")), "host");
	assert_string_equal(json_string_value(json_object_get(found, "host")), "node1");
	found = row(root, "records", 21);
	assert_string_equal(json_string_value(json_object_get(found, "scope")), "user");
	assert_true(json_is_integer(json_object_get(found, "user")));
	assert_int_equal(json_integer_value(json_object_get(found, "user")), 0);
	assert_null(json_object_get(row(root, "records", 20), "user"));
	/* An unknown value is left out. */
	assert_null(json_object_get(row(root, "records", 2), "p99_9_ms"));
	assert_non_null(json_object_get(row(root, "records", 1), "p99_9_ms"));
	assert_null(json_object_get(row(root, "points", 0), "repeat"));
	assert_int_equal(json_integer_value(json_object_get(row(root, "points", 0), "repeats")), 2);
	assert_int_equal(json_array_size(json_object_get(root, "figures")), FIGURES);
	json_decref(root);
	free(text);
	result_free(&result);
}

static void axes_of_numbers_have_numbers(void **state)
{
	static const struct {
		const char *values[3];
		double numbers[3];
	} rows[] = {
		{{"4Ki", "1M", "7"}, {4096, 1e6, 7}},
		{{"0.5", "2", "1e3"}, {0.5, 2, 1000}},
		/* The same number twice. */
		{{"4Ki", "4096", "1"}, {NAN, NAN, NAN}},
		{{"1", "2", "many"}, {NAN, NAN, NAN}},
		{{"1", "2", ""}, {NAN, NAN, NAN}},
		{{"1", "2", "1e3M"}, {1, 2, 1e9}},
		/* A file would round it, and its rows would belong to no point. */
		{{"1", "2", "1764170000123456789"}, {NAN, NAN, NAN}},
		{{"1", "2", "9007199254740993"}, {NAN, NAN, NAN}},
		{{"1", "2", "0.1234567890123456"}, {NAN, NAN, NAN}},
		{{"1", "2", "1e308M"}, {NAN, NAN, NAN}},
	};
	struct result result = a_result();
	char *text = written(&result);
	json_t *root = parsed(text), *first = row(root, "records", 0), *last;
	size_t i, j;

	for (i = 0; i < LENGTH(rows); i++) {
		struct result_axis axis = {
			.values = (char **)(uintptr_t)rows[i].values,
			.value_count = 3,
		};
		struct result_run run = {.axes = &axis, .axis_count = 1};

		assert_int_equal(variant_make_numbers(&run), 0);
		for (j = 0; j < 3; j++)
			expect_near(variant_number(&run, j, 0), rows[i].numbers[j], 0);
		free(axis.numbers);
	}
	last = row(root, "tries", 1);
	expect_near(json_number_value(json_object_get(first, "set_bs")), 4096, 0);
	assert_string_equal(json_string_value(json_object_get(first, "set_batch")), "no");
	expect_near(json_number_value(json_object_get(last, "set_bs")), 1000, 0);
	assert_string_equal(json_string_value(json_object_get(last, "set_batch")), "1");
	json_decref(root);
	free(text);
	result_free(&result);
}

/* If a row took time for each pair of values, this would take hours. */
static void a_sweep_over_many_values_is_read(void **state)
{
	struct result result = {0};
	char *text;
	size_t i;

	describe(&result.run, VARIANTS_MAX);
	for (i = 0; i < VARIANTS_MAX; i++)
		add_repeat(&result, i, 1, 1);
	assert_int_equal(summary_update(&result), 0);
	text = written(&result);
	expect_read(text, text);
	free(text);
	result_free(&result);
}

/* Other programs may change it, or leave it out. */
static void what_follows_from_other_values_is_not_read(void **state)
{
	struct result result = a_result();
	char *text = written(&result), *other;
	json_t *root = parsed(text), *records = json_object_get(root, "records"), *at;
	enum figure figure;
	size_t i;

	json_array_foreach(records, i, at)
	{
		bool is_apart = json_object_get(at, "user") != NULL ||
				json_object_get(at, "host") != NULL;

		for (figure = 0; figure < FIGURES; figure++)
			if (figures[figure].derived &&
			    !(is_apart &&
			      (figure == FIGURE_READ_MB_PER_S || figure == FIGURE_WRITE_MB_PER_S)))
				json_object_set_new(at, figures[figure].name,
						    i % 2 == 0 ? json_real(12345)
							       : json_string("wrong"));
		/* The sums over operations. */
		if (!is_apart && (i % 5 == 0 || i % 5 == 3)) {
			json_object_set_new(at, "ops", json_integer(77));
			json_object_set_new(at, "bytes", json_integer(77));
			json_object_set_new(at, "errors", json_integer(77));
			json_object_set_new(at, "mismatches", json_integer(77));
			json_object_set_new(at, "time_s", json_real(77));
		}
		json_object_set_new(at, "valid", json_string("wrong"));
		json_object_set_new(at, "unheard_of", json_object());
	}
	json_object_set_new(root, "points", json_string("wrong"));
	json_object_del(root, "figures");
	json_object_set_new(json_object_get(root, "answers"), "peak", json_integer(3));
	other = json_dumps(root, 0);
	expect_read(other, text);
	free(other);
	json_decref(root);
	free(text);
	result_free(&result);
}

/* Changes to a result that make it wrong. */

static void swap(json_t *root, const char *list, size_t one, size_t other)
{
	json_t *rows = json_object_get(root, list), *first = json_incref(row(root, list, one));

	json_array_set(rows, one, row(root, list, other));
	json_array_set_new(rows, other, first);
}

static void repeat_row(json_t *root, const char *list, size_t from, size_t to)
{
	json_array_insert_new(json_object_get(root, list), to,
			      json_deep_copy(row(root, list, from)));
}

static void change(json_t *root, const char *list, size_t index, const char *key, json_t *value)
{
	json_object_set_new(row(root, list, index), key, value);
}

static void measurements_swapped(json_t *root)
{
	swap(root, "measurements", 0, 1);
}

static void a_measurement_twice(json_t *root)
{
	repeat_row(root, "measurements", 0, 1);
}

static void an_operation_before_the_total(json_t *root)
{
	swap(root, "records", 0, 1);
}

static void a_phase_before_the_total(json_t *root)
{
	swap(root, "records", 0, 3);
}

static void an_operation_after_a_phase(json_t *root)
{
	swap(root, "records", 2, 3);
}

static void the_total_twice(json_t *root)
{
	repeat_row(root, "records", 0, 19);
}

static void an_operation_twice(json_t *root)
{
	repeat_row(root, "records", 1, 3);
}

static void a_phase_twice(json_t *root)
{
	repeat_row(root, "records", 3, 5);
}

static void a_measurement_without_rows(json_t *root)
{
	size_t i;

	for (i = 0; i < 5; i++)
		json_array_remove(json_object_get(root, "records"), 5);
}

static void an_unknown_point(json_t *root)
{
	change(root, "records", 0, "users", json_integer(9));
}

static void an_unknown_repeat(json_t *root)
{
	change(root, "records", 0, "repeat", json_integer(3));
}

static void no_repeat(json_t *root)
{
	json_object_del(row(root, "records", 0), "repeat");
}

static void an_unknown_number(json_t *root)
{
	change(root, "records", 4, "set_bs", json_integer(4097));
}

static void an_unknown_text(json_t *root)
{
	change(root, "records", 4, "set_batch", json_string("yes"));
}

static void a_wrong_scope(json_t *root)
{
	change(root, "records", 4, "scope", json_string("phase"));
}

static void an_empty_name(json_t *root)
{
	change(root, "records", 1, "operation", json_string(""));
}

static void half_an_operation(json_t *root)
{
	change(root, "records", 1, "ops", json_real(1.5));
}

static void a_time_in_words(json_t *root)
{
	change(root, "records", 1, "p99_ms", json_string("1 ms"));
}

static void a_negative_time(json_t *root)
{
	change(root, "records", 1, "p99_ms", json_real(-1));
}

static void an_unknown_direction(json_t *root)
{
	change(root, "records", 1, "direction", json_string("up"));
}

static void seconds_twice(json_t *root)
{
	repeat_row(root, "series", 0, 1);
}

static void a_sample_twice(json_t *root)
{
	repeat_row(root, "samples", 0, 1);
}

static void an_unknown_sample(json_t *root)
{
	change(root, "samples", 1, "name", json_string("memory"));
}

static void a_sample_without_values(json_t *root)
{
	json_object_del(row(root, "samples", 0), "values");
}

static void a_sample_in_words(json_t *root)
{
	json_array_set_new(json_object_get(row(root, "samples", 0), "values"), 2, json_string("2"));
}

static void a_huge_sample(json_t *root)
{
	json_array_set_new(json_object_get(row(root, "samples", 0), "values"), 3, json_real(2e18));
}

static void commands_of_one_name(json_t *root)
{
	json_t *list = json_object_get(json_object_get(json_object_get(root, "run"), "plan"),
				       "samples");

	json_object_set_new(json_array_get(list, 1), "name", json_string("cpu %"));
}

static void a_histogram_of_nothing(json_t *root)
{
	json_object_del(row(root, "histograms", 0), "of");
}

static void tries_without_a_rate(json_t *root)
{
	change(root, "tries", 1, "users", json_integer(1));
	change(root, "tries", 1, "set_bs", json_integer(4096));
	change(root, "tries", 1, "set_batch", json_string("no"));
}

static void a_user_in_words(json_t *root)
{
	change(root, "records", 21, "user", json_string("0"));
}

static void a_negative_user(json_t *root)
{
	change(root, "records", 21, "user", json_integer(-1));
}

static void a_user_twice(json_t *root)
{
	repeat_row(root, "records", 21, 22);
}

static void a_user_too_many(json_t *root)
{
	repeat_row(root, "records", 21, 22);
	change(root, "records", 22, "user", json_integer(1));
}

static void a_user_left_out(json_t *root)
{
	change(root, "records", 21, "user", json_integer(1));
}

static void a_user_before_others(json_t *root)
{
	swap(root, "records", 20, 21);
}

static void an_operation_after_a_user(json_t *root)
{
	repeat_row(root, "records", 19, 22);
}

static void an_operation_of_a_user(json_t *root)
{
	repeat_row(root, "records", 21, 22);
	change(root, "records", 22, "operation", json_string("Read"));
	change(root, "records", 22, "scope", json_string("user/operation"));
}

static void a_user_before_the_total(json_t *root)
{
	change(root, "records", 0, "user", json_integer(0));
	change(root, "records", 0, "scope", json_string("user"));
}

static void no_object(json_t *root)
{
	json_array_set_new(json_object_get(root, "records"), 1, json_integer(1));
}

static json_t *hosts_of(json_t *root)
{
	return json_object_get(json_object_get(root, "run"), "hosts");
}

static void hosts_of_one_name(json_t *root)
{
	json_array_append(hosts_of(root), json_array_get(hosts_of(root), 0));
}

static void no_processor(json_t *root)
{
	json_object_set_new(json_array_get(hosts_of(root), 0), "usable_cpus", json_integer(0));
}

static void an_unknown_host(json_t *root)
{
	json_object_set_new(row(root, "records", 20), "host", json_string("node2"));
}

static void a_host_twice(json_t *root)
{
	json_array_insert(json_object_get(root, "records"), 21, row(root, "records", 20));
}

static void hosts_swapped(json_t *root)
{
	json_t *host = json_deep_copy(json_array_get(hosts_of(root), 0));

	json_object_set_new(host, "name", json_string("node2"));
	json_array_append_new(hosts_of(root), host);
	json_array_insert_new(json_object_get(root, "records"), 21,
			      json_deep_copy(row(root, "records", 20)));
	json_object_set_new(row(root, "records", 20), "host", json_string("node2"));
}

static void a_phase_of_a_host(json_t *root)
{
	json_object_set_new(row(root, "records", 20), "phase", json_string("create"));
	json_object_set_new(row(root, "records", 20), "scope", json_string("host/phase"));
}

static void a_host_before_the_total(json_t *root)
{
	json_t *host = json_deep_copy(row(root, "records", 20));

	json_object_set(host, "users", json_object_get(row(root, "records", 0), "users"));
	json_object_set(host, "set_bs", json_object_get(row(root, "records", 0), "set_bs"));
	json_object_set(host, "set_batch", json_object_get(row(root, "records", 0), "set_batch"));
	json_array_insert_new(json_object_get(root, "records"), 0, host);
}

static void a_host_after_a_user(json_t *root)
{
	json_array_append(json_object_get(root, "records"), row(root, "records", 20));
}

static void a_phase_after_a_host(json_t *root)
{
	json_t *phase = json_deep_copy(row(root, "records", 20));

	json_object_del(phase, "host");
	json_object_set_new(phase, "phase", json_string("late"));
	json_object_set_new(phase, "scope", json_string("phase"));
	json_array_insert_new(json_object_get(root, "records"), 21, phase);
}

static void a_host_with_other_users(json_t *root)
{
	json_object_set_new(row(root, "records", 20), "host_users", json_integer(2));
}

static void wrong_rows_are_refused(void **state)
{
	static const struct {
		void (*spoil)(json_t *root);
		const char *where, *wanted;
	} rows[] = {
		{measurements_swapped, "measurements[0].repeat", "1"},
		{a_measurement_twice, "measurements[1].repeat", "2"},
		{an_operation_before_the_total, "records[0]",
		 "the row of scope \"total\" before all other rows"},
		{a_phase_before_the_total, "records[0]",
		 "the row of scope \"total\" before all other rows"},
		{an_operation_after_a_phase, "records[3]",
		 "the row of an operation after the row of its phase, its load or the total"},
		{the_total_twice, "records[19]", "only one row with these names"},
		{an_operation_twice, "records[3]", "only one row with these names"},
		{a_phase_twice, "records[5]", "only one row with these names"},
		{a_measurement_without_rows, "records", "at least one row for each measurement"},
		{an_unknown_point, "records[0]",
		 "a row about a point that has a row in \"measurements\""},
		{an_unknown_repeat, "records[0].repeat", "1 to 2"},
		{no_repeat, "records[0].repeat", "1 to 2"},
		{an_unknown_number, "records[4].set_bs",
		 "a value of \"bs\" in the \"sweep\" of the run"},
		{an_unknown_text, "records[4].set_batch",
		 "a value of \"batch\" in the \"sweep\" of the run"},
		{a_wrong_scope, "records[4].scope",
		 "\"phase/operation\", because of the names in the row"},
		{an_empty_name, "records[1].operation", "a text"},
		{half_an_operation, "records[1].ops", "a whole number"},
		{a_time_in_words, "records[1].p99_ms", "a number"},
		{a_negative_time, "records[1].p99_ms", "a number"},
		{an_unknown_direction, "records[1].direction", "read"},
		{seconds_twice, "series[1]", "only one row per repeat"},
		{a_sample_twice, "samples[1]", "only one row per repeat and command"},
		{an_unknown_sample, "samples[1].name",
		 "the name of a command in \"run.plan.samples\""},
		{a_sample_without_values, "samples[0].values", "a list"},
		{a_sample_in_words, "samples[0].values[2]", "a number"},
		{a_huge_sample, "samples[0].values[3]", "-1e+18 to 1e+18"},
		{commands_of_one_name, "run.plan.samples", "commands with different names"},
		{a_histogram_of_nothing, "histograms[0].of", "a text"},
		{tries_without_a_rate, "tries[1]",
		 "a row about a point that has a rate in \"answers\""},
		{hosts_of_one_name, "run.hosts", "hosts with different names"},
		{no_processor, "run.hosts[0].usable_cpus", "1 to"},
		{an_unknown_host, "records[20]", "the rows of hosts in the order of \"run.hosts\""},
		{a_host_twice, "records[21]", "the rows of hosts in the order of \"run.hosts\""},
		{hosts_swapped, "records[21]", "the rows of hosts in the order of \"run.hosts\""},
		{a_phase_of_a_host, "records[20]",
		 "a row of a host that has no load, user, phase or operation"},
		{a_host_before_the_total, "records[0]",
		 "the row of scope \"total\" before all other rows"},
		{a_host_after_a_user, "records[22]", "the rows of users after all other rows"},
		{a_phase_after_a_host, "records[21]", "the rows of hosts after all other rows"},
		{a_host_with_other_users, "records", "rows of hosts whose users add up to 1"},
		{a_user_in_words, "records[21].user", "a whole number"},
		{a_negative_user, "records[21].user", "a whole number"},
		{a_user_twice, "records[22]", "the row of user 1 next"},
		{a_user_too_many, "records[22]", "at most 1 user"},
		{a_user_left_out, "records[21]", "the row of user 0 next"},
		{a_user_before_others, "records[21]", "the rows of users after all other rows"},
		{an_operation_after_a_user, "records[22]",
		 "the rows of users after all other rows"},
		{an_operation_of_a_user, "records[22]",
		 "a row of a user that has neither a phase nor an operation"},
		{a_user_before_the_total, "records[0]",
		 "the row of scope \"total\" before all other rows"},
		{no_object, "records[1]", "an object"},
	};
	struct result result = a_result(), again;
	char *text = written(&result), *other, *wanted;
	size_t i, length;

	for (i = 0; i < LENGTH(rows); i++) {
		struct error error = {0};
		json_t *root = parsed(text);

		rows[i].spoil(root);
		other = json_dumps(root, 0);
		assert_int_equal(read_text(other, &again, &error), -EINVAL);
		length = strlen(rows[i].where);
		wanted = strstr(error.text, ", expected ");
		if (strncmp(error.text, rows[i].where, length) != 0 || error.text[length] != ':' ||
		    wanted == NULL || strstr(wanted, rows[i].wanted) == NULL)
			fail_msg("row %zu: %s", i, error.text);
		free(other);
		json_decref(root);
	}
	free(text);
	result_free(&result);
}

/* If memory was too short to measure, the other measurements are still read. */
static void an_invalid_measurement_may_have_no_rows(void **state)
{
	struct result result = a_result(), again;
	struct error error = {0};
	char *text, *twice;

	records_free(&result.points[1].repeats[0].records);
	assert_int_equal(summary_update(&result), 0);
	text = written(&result);
	if (read_text(text, &again, &error) < 0)
		fail_msg("%s", error.text);
	assert_int_equal(again.points[1].records.count, 0);
	assert_false(result_is_valid(&again.points[1]));
	twice = written(&again);
	assert_string_equal(twice, text);
	free(twice);
	free(text);
	result_free(&again);
	result_free(&result);
}

int unit_lists(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_is_read_as_it_was_written),
		cmocka_unit_test(any_layout_is_read),
		cmocka_unit_test(a_sweep_over_many_values_is_read),
		cmocka_unit_test(a_row_says_what_it_belongs_to),
		cmocka_unit_test(axes_of_numbers_have_numbers),
		cmocka_unit_test(what_follows_from_other_values_is_not_read),
		cmocka_unit_test(wrong_rows_are_refused),
		cmocka_unit_test(an_invalid_measurement_may_have_no_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
