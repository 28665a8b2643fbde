/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng compare: measure two targets in pairs, or read two results, and decide
 * if the new one is slower.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/units.h"
#include "cli/measure/compare_options.h"
#include "cli/measure/compare_sides.h"
#include "cli/measure/elsewhere.h"
#include "cli/measure/label.h"
#include "cli/measure/live.h"
#include "cli/measure/prepare.h"
#include "cli/output.h"
#include "compare/json.h"
#include "compare/phrases.h"
#include "report/sections.h"
#include "stats/summary.h"
#include "sweep/limits.h"
#include "sweep/plan_pairs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of one `throng compare`. */
struct compare {
	struct compare_options options;
	struct compare_sides sides;
	struct elsewhere elsewhere;
	struct result results[SIDES];
	const char *names[SIDES]; /* names of both sides in the comparison */
	/* The comparison that is judged again, without its results; or all zeros. */
	struct stored_comparison stored;
	struct comparison comparison;
	struct live live;
	/* Also print the header and each pair: the output format is text, and
	 * --quiet was not given. */
	bool shows;
	unsigned begun;     /* number of sides whose targets were contacted */
	unsigned pair;      /* number of pairs that were measured */
	struct error error; /* why there is no comparison */
};

static void add_failure(void *context, const char *clause)
{
	struct comparison *comparison = context;

	result_add_reason(&comparison->failures, "%s", clause);
}

/* Compare the results measured so far. If `final`, no more pairs follow.
 * Return 0, or -errno with compare->error set. */
static int make_comparison(struct compare *compare, bool final)
{
	struct comparison_question question = compare->options.question;
	int rc;

	question.final = final;
	if (final && compare->pair > 0 && compare->pair < compare->options.pairs)
		question.out_of_time = true;
	compare->error.set = false;
	comparison_free(&compare->comparison);
	rc = comparison_make(&compare->comparison, compare->results, compare->names, &question,
			     &compare->error);
	if (rc == 0)
		limits_failed(&compare->options.measure.settings, &compare->results[NEW],
			      add_failure, &compare->comparison);
	return rc;
}

/* Check if an output is JSON, which is written after each pair. */
static bool is_json(const char *output)
{
	struct error ignored = {0};

	return output_find(output, true, &ignored)->compare == comparison_json;
}

/* Write the outputs; while more pairs follow, only JSON, from which `throng report`
 * makes the others if this comparison does not end. */
static int write_files(const struct compare *compare, bool final)
{
	const struct export export = {.comparison = &compare->comparison};
	const char *const *output = compare->options.outputs;
	struct error error = {0};

	for (; output != NULL && *output != NULL && !error.set; output++)
		if (final || is_json(*output))
			output_write(&export, *output, &error);
	if (!error.set)
		return 0;
	message_error(&error);
	return -EIO;
}

/* Print and write the comparison; return the exit code. */
static int report(struct compare *compare)
{
	const struct comparison *comparison = &compare->comparison;

	if (compare->pair > 0 && compare->shows)
		putchar('\n');
	if (compare->options.format->compare(comparison, stdout) < 0)
		error_no_memory(&compare->error);
	if (compare->error.set)
		message_error(&compare->error);
	if (write_files(compare, true) < 0 || compare->error.set)
		return EXIT_INVALID;
	if (comparison->failures.count > 0 || comparison->answer == VERDICT_REGRESSION)
		return EXIT_FAILED;
	return comparison->answer == VERDICT_PASS ? EXIT_VALID : EXIT_INCONCLUSIVE;
}

/* Check if the file holds a result (not a comparison). */
static bool holds_result(const char *path)
{
	struct result result = {0};
	struct error ignored = {0};
	bool is_result = summary_read(path, &result, &ignored) == 0;

	result_free(&result);
	return is_result;
}

/* Use the question of a stored comparison, but for what the command line has
 * options. */
static void use_stored_question(struct compare *compare)
{
	const struct options *given = &compare->options.given;
	struct comparison_question *question = &compare->options.question;
	const struct comparison_question *stored = &compare->stored.question;

	question->out_of_time = stored->out_of_time;
	if (!options_given(given, "margin"))
		question->margin = stored->margin;
	if (!options_given(given, "alpha"))
		question->alpha = stored->alpha;
	if (!options_given(given, "allow"))
		question->allowed = stored->allowed;
	if (!options_given(given, "fail-if"))
		question->failures = stored->failures;
	if (!options_given(given, "metric")) {
		question->metrics = stored->metrics;
		question->metric_count = stored->metric_count;
	}
}

static void list_metrics(const struct comparison_question *question, FILE *stream)
{
	char name[METRIC_TEXT];
	size_t i;

	for (i = 0; i < question->metric_count; i++)
		fprintf(stream, "%s%s", i > 0 ? ", " : "",
			metric_name(&question->metrics[i], name));
}

/* Begin an option in the list of note_question, if it is given. */
static bool begin_option(const struct options *given, const char *name, FILE *stream)
{
	if (!options_given(given, name))
		return false;
	fprintf(stream, "%s--%s ", ftell(stream) > 0 ? ", " : "", name);
	return true;
}

/* List the options of the command line that replace the stored settings. */
static void list_changes(const struct options *given, const struct comparison_question *asked,
			 const struct comparison_question *stored, FILE *stream)
{
	size_t failures = stored->failures.count;

	if (begin_option(given, "margin", stream))
		fprintf(stream, "%g %% (the file had %g %%)", 100 * asked->margin,
			100 * stored->margin);
	if (begin_option(given, "alpha", stream))
		fprintf(stream, "%g (the file had %g)", asked->alpha, stored->alpha);
	if (begin_option(given, "metric", stream)) {
		list_metrics(asked, stream);
		fputs(" (the file had ", stream);
		list_metrics(stored, stream);
		fputc(')', stream);
	}
	if (begin_option(given, "fail-if", stream))
		fprintf(stream, "(in the file, %zu %s held)", failures,
			units_plural(failures, "condition", "conditions"));
}

/* Print how a stored comparison was judged: with the settings in its file, or
 * with which options of the command line instead. */
static void note_question(const struct compare *compare)
{
	const struct options *given = &compare->options.given;
	const struct comparison_question *stored = &compare->stored.question;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	bool changed;

	if (stream == NULL)
		return;
	list_changes(given, &compare->options.question, stored, stream);
	changed = ftell(stream) > 0;
	if (!changed) {
		fprintf(stream, "margin %g %%, alpha %g, metric ", 100 * stored->margin,
			stored->alpha);
		list_metrics(stored, stream);
	}
	if (fclose(stream) == 0)
		message_note("%s: %s %s", given->words[0],
			     changed ? "judged again with" : "judged with the file's", text);
	free(text);
}

/* Check if all outputs can be written. */
static int check_outputs(struct compare *compare)
{
	const struct export export = {.comparison = &compare->comparison};
	const char *const *output = compare->options.outputs;

	for (; output != NULL && *output != NULL && !compare->error.set; output++)
		if (output_check(&export, *output, &compare->error) == 0 &&
		    output_is_stdout(*output))
			error_set(&compare->error,
				  "--output: \"%s\" would write to standard output, where compare "
				  "prints "
				  "the comparison; name a file, or change the printed format with "
				  "--format",
				  *output);
	return compare->error.set ? -EINVAL : 0;
}

static int compare_files(struct compare *compare)
{
	const char *const *files = compare->options.given.words;
	struct result *results = compare->results;
	bool again = files[1] == NULL; /* the file is a stored comparison */
	struct error error = {0};
	unsigned side;
	int rc;

	compare->names[BASE] = files[0];
	compare->names[NEW] = again ? files[0] : files[1];
	if (again) {
		rc = read_comparison(files[0], &compare->stored, &compare->error);
		if (rc < 0 && holds_result(files[0])) {
			error_set(&error,
				  "%s is one result: expected two results or one comparison",
				  files[0]);
			return cli_refuse(&error);
		}
		for (side = 0; rc == 0 && side < SIDES; side++) {
			compare->names[side] = compare->stored.names[side];
			results[side] = compare->stored.results[side];
			compare->stored.results[side] = (struct result){0};
		}
		if (rc == 0)
			use_stored_question(compare);
	} else {
		rc = summary_read(files[0], &results[BASE], &compare->error);
		if (rc == 0)
			rc = summary_read(files[1], &results[NEW], &compare->error);
		if (rc == 0)
			rc = compare_options_suit_result(&compare->options, &results[BASE],
							 &compare->error);
	}
	for (side = 0; side < SIDES; side++)
		label_record(compare->options.labels[side], &results[side].run);
	if (rc == 0)
		rc = make_comparison(compare, true);
	if (rc == 0)
		rc = check_outputs(compare);
	if (rc < 0)
		return cli_refuse(&compare->error);
	if (again)
		note_question(compare);
	return report(compare);
}

static void print_header(const struct compare *compare)
{
	const struct compare_options *options = &compare->options;
	const struct result_run *base = &compare->results[BASE].run;
	struct doc *doc = doc_new();

	if (options->mode == COMPARE_CALIBRATE)
		section_header(doc, base, options->time_max_ns);
	else
		section_headers(doc, base, &compare->results[NEW].run, options->time_max_ns);
	output_document(doc, false);
}

static void on_begin(struct compare *compare, unsigned side)
{
	const struct compare_options *options = &compare->options;
	uint64_t max_ns = options->time_max_ns;
	unsigned points = (unsigned)options->measure.settings.user_count_count;
	const struct live_plan plan = {
		.unit = "pair",
		.count = options->pairs,
		.each = SIDES * points,
		.max_ns = max_ns == CLOCK_NEVER ? max_ns : clock_now_ns() + max_ns,
	};

	compare->begun++;
	if (compare->begun == 1)
		live_begin(&compare->live, &compare->results[side].run, &plan);
	/* The header describes both targets, so print it only when the second
	 * side begins. */
	if (!compare->shows || compare->begun < SIDES)
		return;
	live_clear(&compare->live);
	print_header(compare);
	putchar('\n');
	fflush(stdout);
}

static void on_measured(struct compare *compare, unsigned side, const struct result_repeat *repeat)
{
	char place[STEPS_PLACE];

	live_clear(&compare->live);
	live_invalid(repeat,
		     steps_place(&compare->sides.steps[side], repeat->users, repeat->pair, place));
	live_next(&compare->live);
}

/* Add a column of the table of pairs, which is printed line by line. */
static void add_column(struct doc *doc, const char *heading, unsigned flags, unsigned width)
{
	doc_column(doc, heading, NUMBER_COUNT, flags);
	doc_column_width(doc, width);
}

/* Print the ratio of the first metric in the last pair, for each point. */
static void show_pair(const struct compare *compare, unsigned first)
{
	enum { VALUE_COLUMNS = 13 };
	const struct comparison *comparison = &compare->comparison;
	size_t step = compare->options.question.metric_count, i;
	struct doc *doc = doc_new();
	char value[PHRASES_NUMBER];
	unsigned side;

	doc_table(doc, DOC_FIXED | (compare->pair > 1 ? DOC_HEADLESS : 0));
	add_column(doc, "pair", 0, 4);
	add_column(doc, "first", DOC_LABEL | DOC_LEFT, 5);
	add_column(doc, "users", 0, 5);
	add_column(doc, "metric", DOC_LABEL | DOC_LEFT, 12);
	for (side = 0; side < SIDES; side++)
		add_column(doc, phrases_side(comparison, side, VALUE_COLUMNS), 0, VALUE_COLUMNS);
	add_column(doc, "ratio", 0, 7);
	for (i = 0; i < comparison->row_count; i += step) {
		const struct comparison_row *row = &comparison->rows[i];
		const struct ratio_samples *samples = &row->judged.samples;
		size_t last = samples->base_count - 1;

		doc_row(doc, DOC_PLAIN, 0);
		doc_cell(doc, compare->pair);
		doc_cell_text(doc, "%s", side_names[first]);
		doc_cell(doc, row->users);
		doc_cell_text(doc, "%s", row->metric);
		doc_cell_text(doc, "%s", phrases_value(row, samples->base[last], value));
		doc_cell_text(doc, "%s", phrases_value(row, samples->new[last], value));
		doc_cell_text(doc, "%.4f", samples->new[last] / samples->base[last]);
	}
	doc_table_end(doc);
	output_document(doc, false);
	fflush(stdout);
}

static int on_pair(struct compare *compare, unsigned first, bool last)
{
	bool calibrates = compare->options.mode == COMPARE_CALIBRATE;

	compare->pair++;
	if (make_comparison(compare, last) < 0 || write_files(compare, false) < 0)
		return -1;
	if (compare->shows)
		show_pair(compare, first);
	return last || (!calibrates && compare->comparison.answer != VERDICT_UNDECIDED);
}

static int observe(void *context, const struct event *event)
{
	struct compare *compare = context;

	switch (event->type) {
	case EVENT_BEGIN:
		on_begin(compare, event->side);
		break;
	case EVENT_TICK:
		live_tick(&compare->live, event->view);
		break;
	case EVENT_MEASURED:
		on_measured(compare, event->side, event->repeat);
		break;
	case EVENT_PAIR:
		return on_pair(compare, event->first, event->last);
	case EVENT_TRY: /* there are none */
	case EVENT_STATE:
		break;
	}
	return 0;
}

/* Describe this machine, the command line and the options in the results. */
static void describe(struct compare *compare, int argc, const char **argv)
{
	const struct compare_options *options = &compare->options;
	unsigned side;

	for (side = 0; side < SIDES; side++) {
		struct result_run *about = &compare->results[side].run;

		prepare_host(about);
		about->command = prepare_command(argc, argv);
		measure_options_record(&options->measure, &options->given, about);
		label_record(options->labels[side], about);
		compare->names[side] = options->targets[side][0];
	}
}

/* Check that the metrics suit the loads. */
static int check_metrics(struct compare *compare)
{
	struct compare_options *options = &compare->options;
	unsigned side;
	size_t i;

	if (compare_options_suit_result(options, &compare->results[BASE], &compare->error) < 0)
		return -1;
	for (side = 0; side < SIDES; side++)
		for (i = 0; i < options->question.metric_count; i++)
			if (prepare_check_metric(&compare->sides.list[side].loads,
						 &options->metrics[i], "--metric",
						 &compare->error) < 0)
				return -1;
	return 0;
}

/* Prepare the targets, the loads and the results of both sides. */
static int open_sides(struct compare *compare, int argc, const char **argv)
{
	struct compare_sides *sides = &compare->sides;

	describe(compare, argc, argv);
	if (compare_sides_open(sides, &compare->options, true, compare->results, &compare->error) <
		    0 ||
	    check_metrics(compare) < 0 ||
	    run_targets_check_clients(&sides->list[BASE].targets, "--base",
				      &sides->list[NEW].targets, "--new", &compare->error) < 0)
		return -1;
	return elsewhere_parse(&compare->elsewhere, &compare->options.measure, sides->steps, SIDES,
			       &compare->error);
}

/* After a measurement that failed, say where the pairs before it are stored. */
static void note_stored(const struct compare *compare)
{
	const char *const *output = compare->options.outputs;

	for (; compare->pair > 0 && output != NULL && *output != NULL; output++)
		if (is_json(*output))
			message_note("\"%s\" has %u complete %s; to judge %s, use throng "
				     "compare FILE",
				     output_file(*output), compare->pair,
				     units_plural(compare->pair, "pair", "pairs"),
				     units_plural(compare->pair, "it", "them"));
}

static int measure(struct compare *compare)
{
	const struct compare_options *options = &compare->options;
	struct plan_pairs pairs;
	const struct steps steps = {
		.settings = &options->measure.settings,
		.venue = elsewhere_venue(&compare->elsewhere),
		.sides = compare->sides.steps,
		.side_count = SIDES,
		.after = options->after,
		.time_max_ns = options->time_max_ns,
		.plan = &pairs.plan,
	};
	const struct observer observer = {compare, observe};
	struct error error = {0};
	enum steps_end end = STEPS_REFUSED;

	if (plan_pairs_open(&pairs, &steps, options->pairs, &observer, &error) == 0)
		end = steps_run(&steps, &observer, &error);
	plan_pairs_close(&pairs);
	if (end == STEPS_REFUSED)
		return cli_refuse(&error);
	/* The reasons why a repeat is invalid are already printed, but the
	 * reason why there is no comparison is not. */
	if (compare->error.set)
		message_error(&compare->error);
	return end == STEPS_DONE ? EXIT_VALID : EXIT_INVALID;
}

/* Print the plan for --dry-run; return the exit code. */
static int show_plan(struct compare *compare)
{
	unsigned side;

	for (side = 0; side < SIDES; side++)
		if (steps_check(&compare->options.measure.settings, &compare->sides.steps[side],
				&compare->error) < 0)
			return cli_refuse(&compare->error);
	print_header(compare);
	return EXIT_VALID;
}

/* Warn if the pairs that a verdict needs at least, or the columns of a calibration, take
 * longer than --max-time. */
static void warn_of_time(const struct compare *compare)
{
	const struct compare_options *options = &compare->options;
	const struct settings *settings = &options->measure.settings;
	const bool calibrates = options->mode == COMPARE_CALIBRATE;
	const size_t points = settings->user_count_count;
	const struct sequential_rule rule = {
		.alpha = options->question.alpha,
		.budget = options->pairs,
	};
	const size_t min = calibrates ? ratio_min_repeats(true, rule.alpha,
							  options->question.metric_count * points)
				      : sequential_min_pairs(&rule);
	uint64_t min_ns;
	char text[UNITS_TEXT];

	if (phases_in_loops(&settings->phases))
		return;
	min_ns = phases_all_ns(&settings->phases, min * SIDES * points);
	if (min_ns <= options->time_max_ns)
		return;
	units_print_duration(min_ns, text);
	if (calibrates)
		message_warning("--max-time: the columns ratio, margin and pairs will be empty, "
				"because they need at least %zu pairs, which take at least %s; "
				"increase --max-time, or make each pair shorter",
				min, text);
	else
		message_warning("--max-time: there will be no verdict, because it needs at least "
				"%zu pairs, which take at least %s; increase --max-time, or make "
				"each pair shorter",
				min, text);
}

static int compare_targets(struct compare *compare, int argc, const char **argv)
{
	const struct compare_options *options = &compare->options;
	bool calibrates = options->mode == COMPARE_CALIBRATE;
	bool dry = options->measure.dry_run;
	size_t points = options->measure.settings.user_count_count;
	size_t min = ratio_min_repeats(true, options->question.alpha,
				       options->question.metric_count * points);
	int rc;

	if (!calibrates && options->pairs < min) {
		error_set(&compare->error,
			  "--pairs: %u is too small; at least %zu pairs are needed for a verdict",
			  options->pairs, min);
		return cli_refuse(&compare->error);
	}
	if (!dry && check_outputs(compare) < 0)
		return cli_refuse(&compare->error);
	if (open_sides(compare, argc, argv) < 0)
		return compare->error.set ? cli_refuse(&compare->error) : EXIT_REFUSED;
	warn_of_time(compare);
	if (dry)
		return show_plan(compare);
	if (elsewhere_open(&compare->elsewhere, &options->measure, compare->sides.steps, SIDES,
			   argc, argv, &compare->error) < 0)
		return cli_refuse(&compare->error);
	compare->shows = options->format == formats && !options->quiet;
	live_open(&compare->live, options->progress && compare->shows, !compare->shows);
	rc = measure(compare);
	if (rc == EXIT_INVALID)
		note_stored(compare);
	if (rc != EXIT_VALID)
		return rc;
	if (!calibrates)
		return report(compare);
	calibration_text(&compare->comparison, stdout);
	return EXIT_VALID;
}

int cli_compare(int argc, const char **argv)
{
	struct compare compare = {0};
	struct error error = {0};
	unsigned side;
	int rc;

	argv[0] = "throng compare"; /* for --help */
	rc = compare_options_read(&compare.options, argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID && compare.options.mode == COMPARE_FILES)
		rc = compare_files(&compare);
	else if (rc == EXIT_VALID && elsewhere_check_ranks(argc, argv, &error) < 0)
		rc = error.set ? cli_refuse(&error) : EXIT_REFUSED;
	else if (rc == EXIT_VALID)
		rc = compare_targets(&compare, argc, argv);
	comparison_free(&compare.comparison);
	stored_comparison_free(&compare.stored);
	elsewhere_close(&compare.elsewhere);
	compare_sides_free(&compare.sides);
	for (side = 0; side < SIDES; side++)
		result_free(&compare.results[side]);
	compare_options_free(&compare.options);
	return rc;
}
