/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/compare_options.h"

#include "base/clock.h"
#include "base/message.h"
#include "cli/cli.h"
#include "cli/measure/label.h"
#include "compare/comparable.h"
#include "doc/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	DEFAULT_PAIRS = 20,
	CALIBRATION_PAIRS = 10,
	PAIRS_MAX = 500,
};
#define DEFAULT_MARGIN 0.05
#define DEFAULT_ALPHA 0.025
#define TIME_MAX_NS (30 * 24 * 3600 * NS_PER_S)

#define AT(member) OPTION_AT(struct compare_options, member)

const struct option_row compare_rows[] = {
	{"base", 0, OPTION_TEXTS, "TARGET", "Base target", AT(targets[BASE]),
	 .flags = OPTION_STORED | OPTION_COMMON},
	{"new", 0, OPTION_TEXTS, "TARGET", "Target to compare; its URL may have other options",
	 AT(targets[NEW]), .flags = OPTION_STORED | OPTION_COMMON},
	{"base-name", 0, OPTION_TEXT, "TEXT", "Name of the base (its label, target or file)",
	 AT(labels[BASE]), .flags = OPTION_STORED},
	{"new-name", 0, OPTION_TEXT, "TEXT", "Name of the other side", AT(labels[NEW]),
	 .flags = OPTION_STORED},
	{"calibrate", 0, OPTION_TEXT, "TARGET",
	 "Compare a target with itself, to measure the noise",
	 .flags = OPTION_STORED | OPTION_COMMON},
	{"pairs", 0, OPTION_COUNT, "N", "Max number of pairs", AT(pairs), OPTION_PLAN(pairs),
	 .min = 1, .max = PAIRS_MAX, .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"max-time", 0, OPTION_DURATION, "SEC",
	 "Start no pair that would end later (default: none)", AT(time_max_ns), .min = NS_PER_S,
	 .max = TIME_MAX_NS},
	{"margin", 0, OPTION_SHARE, "SHARE", "Max loss to accept", AT(question.margin),
	 .share_min = 0, .share_limit = 1,
	 .flags = OPTION_STORED | OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"alpha", 0, OPTION_SHARE, "SHARE", "Max rate of wrong verdicts", AT(question.alpha),
	 .share_min = COMPARISON_ALPHA_MIN, .share_limit = COMPARISON_ALPHA_LIMIT,
	 .flags = OPTION_STORED | OPTION_SHOWS_DEFAULT},
	{"metric", 0, OPTION_TEXTS, "NAME", "Metric: p99, ReadX.p99 ... (default mb_per_s)",
	 .flags = OPTION_STORED | OPTION_COMMON},
	{"before-base", 0, OPTION_TEXT, "CMD", "Command to run before each turn of the base",
	 AT(before[BASE]), .flags = OPTION_COMMON},
	{"before-new", 0, OPTION_TEXT, "CMD", "Command to run before each turn of the new target",
	 AT(before[NEW]), .flags = OPTION_COMMON},
	{"after", 0, OPTION_TEXT, "CMD", "Command to run after each turn", AT(after)},
	{"same-host", 0, OPTION_FLAG, NULL, "Refuse results of another host or kernel",
	 AT(question.same_host), .flags = OPTION_STORED},
	{"allow", 0, OPTION_TEXTS, "NAME", "Compare results that differ in this: time, load ...",
	 .flags = OPTION_STORED},
	{"format", 0, OPTION_TEXT, "NAME", "text (default), markdown, html, junit, github, json",
	 .flags = OPTION_STORED | OPTION_COMMON},
	{"output", 'o', OPTION_TEXTS, "FILE", "Write FILE.json, .html, .md or FORMAT:FILE",
	 AT(outputs), .flags = OPTION_STORED | OPTION_COMMON},
	{"bits", 0, OPTION_FLAG, NULL, "Show rates in Mbit/s instead of MB/s", AT(bits),
	 .flags = OPTION_STORED},
	{"progress", 0, OPTION_FLAG, NULL, "Show live lines even if stdout is not a terminal",
	 AT(progress), .flags = OPTION_STORED},
	{"quiet", 'q', OPTION_FLAG, NULL, "Print the answer only: no header, no pairs", AT(quiet),
	 .flags = OPTION_STORED},
	{.name = NULL},
};

static int parse_metrics(struct compare_options *options, struct error *error)
{
	static const char *const usual[] = {"mb_per_s", NULL};
	const char *const *names = options_texts(&options->given, "metric");
	size_t count = 0, i;

	if (names == NULL)
		names = usual;
	while (names[count] != NULL)
		count++;
	options->metrics = calloc(count, sizeof(*options->metrics));
	if (options->metrics == NULL)
		return error_no_memory(error);
	for (i = 0; i < count; i++)
		if (metric_parse(names[i], strlen(names[i]), "--metric", &options->metrics[i],
				 error) < 0)
			return -EINVAL;
	options->question.metrics = options->metrics;
	options->question.metric_count = count;
	return 0;
}

/* A name of --allow, while the names that it may have are visited. */
struct allowed {
	const char *name;
	bool known;
	FILE *all; /* these names, as a list */
};

static void visit_allowed(const char *name, void *context)
{
	struct allowed *allowed = context;

	allowed->known |= strcmp(name, allowed->name) == 0;
	fprintf(allowed->all, "%s%s", ftell(allowed->all) > 0 ? ", " : "", name);
}

/* Check that a name of --allow is that of a fact or of an option. */
static int check_allowed(const struct options *given, const char *name, struct error *error)
{
	struct allowed allowed = {.name = name};
	char *all = NULL;
	size_t bytes, i;

	allowed.all = open_memstream(&all, &bytes);
	if (allowed.all == NULL)
		return error_no_memory(error);
	comparable_list_facts(visit_allowed, &allowed);
	for (i = 0; i < given->count; i++) {
		const char *record = given->list[i].row->record;

		if (record != NULL && !given->list[i].refused && !comparable_ignores(record))
			visit_allowed(record, &allowed);
	}
	if (fclose(allowed.all) == 0 && !allowed.known)
		error_set(error, "--allow: unknown name \"%s\"; expected one of %s", name, all);
	free(all);
	return error->set ? -EINVAL : 0;
}

/* Split the lists of --allow into names. For stored results, these are checked when they
 * are compared: the message then lists what differs. */
static int parse_allowed(struct compare_options *options, struct error *error)
{
	const char *const *lists = options_texts(&options->given, "allow");
	size_t i;

	for (; lists != NULL && *lists != NULL; lists++) {
		const char *name = *lists, *end;

		for (; name != NULL; name = *end == ',' ? end + 1 : NULL) {
			end = strchrnul(name, ',');
			result_add_reason(&options->allowed, "%.*s", (int)(end - name), name);
		}
	}
	options->question.allowed = options->allowed;
	for (i = 0; i < options->allowed.count && options->mode == COMPARE_TARGETS; i++)
		if (check_allowed(&options->given, options->allowed.texts[i], error) < 0)
			return -EINVAL;
	return 0;
}

/* Check if a load of the run, or a point of the result, moves bytes. */
static bool moves_bytes(const struct result *result)
{
	const struct result_run *run = &result->run;
	size_t i, j;

	for (i = 0; i < result->point_count; i++)
		if (record_value(records_total(&result->points[i].records), FIGURE_BYTES) > 0)
			return true;
	for (i = 0; i < run->variant_count; i++) {
		for (j = 0; j < run->variants[i].load_count; j++) {
			const struct result_load *load = &run->variants[i].loads[j];

			if (load->read_bytes > 0 || load->write_bytes > 0 || load->open_reads > 0)
				return true;
		}
	}
	return false;
}

/* At a rate, throughput is that of the schedule: choose another metric, or warn
 * of it if the user did. */
static void suit_pace(struct compare_options *options)
{
	size_t i;

	if (!options_given(&options->given, "metric")) {
		options->metrics[0] = metric_named("p99");
		message_note("the replay is open-loop (its operations have scheduled times), so "
			     "compare uses the metric p99");
		return;
	}
	for (i = 0; i < options->question.metric_count; i++)
		if (options->metrics[i].figure == metric_named("mb_per_s").figure ||
		    options->metrics[i].figure == metric_named("ops_per_s").figure)
			message_warning(
				"--metric %s: in an open-loop replay, the schedule determines this "
				"metric, even if the target is slower; use p99",
				options_texts(&options->given, "metric")[i]);
}

int compare_options_suit_result(struct compare_options *options, const struct result *result,
				struct error *error)
{
	const struct metric usual = metric_named("mb_per_s");
	size_t i;

	if (result->run.open_loop)
		suit_pace(options);
	if (moves_bytes(result) ||
	    (result->run.open_loop && !options_given(&options->given, "metric")))
		return 0;
	if (!options_given(&options->given, "metric")) {
		options->metrics[0] = metric_named("ops_per_s");
		message_note("the load moves no bytes, so the metric is ops_per_s");
		return 0;
	}
	for (i = 0; i < options->question.metric_count; i++)
		if (options->metrics[i].figure == usual.figure)
			error_set(error, "--metric %s: the load moves no bytes; use ops_per_s",
				  options_texts(&options->given, "metric")[i]);
	return error->set ? -EINVAL : 0;
}

static int parse_format(struct compare_options *options, struct error *error)
{
	const char *name = options_text(&options->given, "format");

	options->format = name != NULL ? format_named(name, strlen(name)) : formats;
	if (options->format != NULL && options->format->compare != NULL)
		return 0;
	error_set(error, "--format: \"%s\" must be text, markdown, html, junit, github or json",
		  name);
	return -EINVAL;
}

/* Refuse directories where result files are expected. */
static int refuse_directories(const struct options *given, struct error *error)
{
	struct stat status;
	size_t i;

	for (i = 0; i < given->word_count; i++)
		if (stat(given->words[i], &status) == 0 && S_ISDIR(status.st_mode))
			error_set(error,
				  "compare: \"%s\" is a directory; to measure two targets, use "
				  "--base TARGET --new TARGET",
				  given->words[i]);
	return error->set ? -EINVAL : 0;
}

/* Choose the mode from the arguments, and check that they fit together. */
static int choose_mode(struct compare_options *options, struct error *error)
{
	const struct options *given = &options->given;
	bool base = options_given(given, "base");
	bool new = options_given(given, "new");
	bool calibrate = options_given(given, "calibrate");
	bool files = given->word_count > 0;

	if (files && given->word_count <= 2 && !(base || new || calibrate) &&
	    refuse_directories(given, error) < 0)
		return -EINVAL;
	if ((base || new) + calibrate + files != 1 || base != new || given->word_count > 2) {
		error_set(error,
			  "compare: expected --base TARGET and --new TARGET, --calibrate TARGET, "
			  "two result files, or a comparison stored with -o; see --help");
		return -EINVAL;
	}
	options->mode = files ? COMPARE_FILES : calibrate ? COMPARE_CALIBRATE : COMPARE_TARGETS;
	if (calibrate)
		options->targets[BASE] = options->targets[NEW] = options_texts(given, "calibrate");
	return 0;
}

/* Refuse options that have no effect in this mode. */
static int check_mode(const struct compare_options *options, struct error *error)
{
	static const char *const verdict_options[] = {"format",    "margin",   "fail-if", "allow",
						      "base-name", "new-name", NULL};
	const struct options *given = &options->given;
	const char *name = options_find(given, OPTION_RUN_ONLY, OPTION_RUN_ONLY);
	size_t i;

	if (name != NULL)
		error_set(error,
			  "--%s cannot be used with compare, which measures base and new in pairs, "
			  "not in a sweep; set the number of pairs with --pairs",
			  name);
	name = options_find(given, OPTION_STORED, 0);
	if (options->mode == COMPARE_FILES && name != NULL)
		error_set(error,
			  "--%s cannot be used with stored results, because this option only "
			  "affects a measurement",
			  name);
	for (i = 0; verdict_options[i] != NULL; i++)
		if (options->mode == COMPARE_CALIBRATE && options_given(given, verdict_options[i]))
			error_set(error,
				  "--%s cannot be used with --calibrate, which gives no verdict",
				  verdict_options[i]);
	return error->set ? -EINVAL : 0;
}

static int parse_all(struct compare_options *options, struct error *error)
{
	int rc = choose_mode(options, error);

	if (rc == 0)
		rc = check_mode(options, error);
	if (options->mode == COMPARE_CALIBRATE)
		options->pairs = CALIBRATION_PAIRS;
	if (rc == 0)
		rc = measure_options_parse(&options->measure, &options->given, error);
	if (rc == 0)
		rc = parse_metrics(options, error);
	if (rc == 0)
		rc = parse_allowed(options, error);
	if (rc == 0)
		rc = parse_format(options, error);
	if (rc == 0)
		rc = label_check("--base-name", options->labels[BASE], error);
	if (rc == 0)
		rc = label_check("--new-name", options->labels[NEW], error);
	options->measure.settings.random_order = true;
	if (options->bits)
		number_show_bits();
	return rc;
}

int compare_options_read(struct compare_options *options, int argc, const char **argv)
{
	struct option_group groups[1 + MEASURE_GROUPS + 1] = {
		{
			.heading = "Comparison:",
			.rows = compare_rows,
			.values = options,
		},
	};
	struct error error = {0};
	int rc;

	options->pairs = DEFAULT_PAIRS;
	options->time_max_ns = CLOCK_NEVER;
	options->question.margin = DEFAULT_MARGIN;
	options->question.alpha = DEFAULT_ALPHA;
	measure_options_open(&options->measure, &groups[1], OPTION_RUN_ONLY);
	rc = options_read(&options->given, groups,
			  "[OPTIONS] --base TARGET --new TARGET\n"
			  "   or: throng compare [OPTIONS] --calibrate TARGET\n"
			  "   or: throng compare [OPTIONS] BASE.json NEW.json\n"
			  "   or: throng compare [OPTIONS] COMPARISON.json",
			  "  throng compare --base /srv/old --new /srv/new\n"
			  "  throng compare --margin 3% base.json new.json\n",
			  argc, argv);
	if (rc == EXIT_VALID && parse_all(options, &error) < 0)
		return cli_refuse(&error);
	return rc;
}

void compare_options_free(struct compare_options *options)
{
	measure_options_free(&options->measure);
	options_free(&options->given);
	result_free_reasons(&options->allowed);
	free(options->metrics);
}
