/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_options.h"

#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	DEFAULT_PAIRS = 20,
	CALIBRATION_PAIRS = 10,
	PAIRS_MAX = 500,
};
#define DEFAULT_MARGIN 0.05
#define DEFAULT_ALPHA 0.025
#define TIME_MAX_NS (30 * 24 * 3600 * NS_PER_S)

/* A number from `least` on and below `limit`; "5%" is 0.05. */
static int take_share(const char *text, const char *option, double min,
		      double limit, double *share, struct error *error)
{
	char *end;
	double value;

	if (text == NULL)
		return 0;
	value = strtod(text, &end);
	if (end != text && strcmp(end, "%") == 0) {
		value /= 100;
		end++;
	}
	/* strtod reads hex as well. */
	if (end == text || *end != '\0' || strpbrk(text, "xX") != NULL ||
	    !(value >= min) ||
	    !(value < limit)) {
		error_set(error, "%s: \"%s\" is not a share from %g to below "
			  "%g, such as 5%%", option, text, min, limit);
		return -EINVAL;
	}
	*share = value;
	return 0;
}

static int take_metrics(struct compare_options *options, struct error *error)
{
	static char usual[] = "mb_per_s";
	static char *const usual_list[] = {usual, NULL};
	char *const *names = options->metric_names != NULL
				     ? options->metric_names : usual_list;
	size_t count = 0, i;

	while (names[count] != NULL)
		count++;
	options->metrics = calloc(count, sizeof(*options->metrics));
	if (options->metrics == NULL)
		return error_no_memory(error);
	for (i = 0; i < count; i++)
		if (metric_parse(names[i], strlen(names[i]), "--metric",
				 &options->metrics[i], error) < 0)
			return -EINVAL;
	options->question.metrics = options->metrics;
	options->question.metric_count = count;
	return 0;
}

static int take_format(struct compare_options *options, struct error *error)
{
	const struct comparison_format *format = comparison_formats;

	for (; options->format_name != NULL && format->name != NULL; format++)
		if (strcmp(format->name, options->format_name) == 0)
			break;
	options->format = format;
	if (format->name != NULL)
		return 0;
	error_set(error, "--format: \"%s\" is not text, markdown, junit, "
		  "github or json", options->format_name);
	return -EINVAL;
}

/* What is compared with what? */
static int take_mode(struct compare_options *options, size_t files,
		     struct error *error)
{
	bool targets = options->base != NULL || options->new != NULL;

	if (targets + (options->calibrate != NULL) + (files > 0) != 1 ||
	    (targets && (options->base == NULL || options->new == NULL)) ||
	    files > 2) {
		error_set(error, "compare: expected --base TARGET and --new "
			  "TARGET, or --calibrate TARGET, or two result "
			  "files, or one comparison that -o has kept; see "
			  "--help");
		return -EINVAL;
	}
	options->mode = targets ? COMPARE_TARGETS
		      : files > 0 ? COMPARE_FILES : COMPARE_CALIBRATE;
	return 0;
}

/* The first option of the rows that was given, or NULL. */
static const char *find_given(const struct poptOption *rows)
{
	for (; rows->longName != NULL; rows++) {
		bool given = rows->argInfo == POPT_ARG_NONE
				     ? *(int *)rows->arg != 0
				     : *(char **)rows->arg != NULL;

		/* A limit is one of stored results as well. */
		if (given && strcmp(rows->longName, "fail-if") != 0)
			return rows->longName;
	}
	return NULL;
}

/* Of results that are stored nothing can be measured otherwise. */
static int check_stored(const struct compare_options *options,
			struct error *error)
{
	const char *given = options->pairs_text != NULL ? "pairs"
			  : options->time_text != NULL ? "max-time"
			  : options->before_base != NULL ? "before-base"
			  : options->before_new != NULL ? "before-new"
			  : options->after != NULL ? "after" : NULL;

	if (options->mode != COMPARE_FILES)
		return 0;
	if (given == NULL)
		given = find_given(options->sweep.rows);
	if (given == NULL)
		given = find_given(options->load.rows);
	if (given == NULL)
		given = find_given(options->target.rows);
	if (given == NULL)
		return 0;
	error_set(error, "--%s does not go with stored results: they have "
		  "been measured", given);
	return -EINVAL;
}

/* A calibration is a table, and no gate. */
static int check_calibration(const struct compare_options *options,
			     struct error *error)
{
	const char *given = options->format_name != NULL ? "--format"
			  : options->margin != NULL ? "--margin"
			  : options->sweep.fail_if != NULL ? "--fail-if"
							   : NULL;

	if (options->mode != COMPARE_CALIBRATE || given == NULL)
		return 0;
	error_set(error, "%s does not go with --calibrate, which has no "
		  "verdict", given);
	return -EINVAL;
}

/* Pairs are the repeats, and their order is random. */
static int check_sweep(const struct compare_options *options,
		       struct error *error)
{
	const struct sweep_options *sweep = &options->sweep;
	const char *wrong = sweep->repeat != NULL ? "--repeat"
			  : sweep->order != NULL ? "--order"
			  : sweep->stop_when != NULL ? "--stop-when"
			  : sweep->limits != NULL ? "--limit"
			  : sweep->preset != NULL ? "--preset" : NULL;

	if (wrong == NULL)
		return 0;
	error_set(error, "%s does not go with compare, which measures pairs "
		  "in random order; see --pairs", wrong);
	return -EINVAL;
}

static int take_budget(struct compare_options *options, struct error *error)
{
	uint64_t pairs = options->mode == COMPARE_CALIBRATE
				 ? CALIBRATION_PAIRS : DEFAULT_PAIRS;
	int rc = 0;

	options->time_max_ns = CLOCK_NEVER;
	if (options->pairs_text != NULL)
		rc = units_parse_count(options->pairs_text, "--pairs", 1,
				       PAIRS_MAX, &pairs, error);
	options->pairs = (unsigned)pairs;
	if (rc == 0 && options->time_text != NULL)
		rc = units_parse_duration(options->time_text, "--max-time",
					  NS_PER_S, TIME_MAX_NS,
					  &options->time_max_ns, error);
	return rc;
}

/* A comparison is kept in one format only. */
static int check_output(const char *output, struct error *error)
{
	size_t length = output != NULL ? strlen(output) : 0;

	if (output == NULL ||
	    (length > 5 && strcmp(output + length - 5, ".json") == 0))
		return 0;
	error_set(error, "--output: \"%s\" does not end in .json", output);
	return -EINVAL;
}

static int take_question(struct compare_options *options, struct error *error)
{
	struct comparison_question *question = &options->question;
	int rc;

	question->margin = DEFAULT_MARGIN;
	question->alpha = DEFAULT_ALPHA;
	question->same_host = options->same_host != 0;
	rc = take_share(options->margin, "--margin", 0, 1, &question->margin,
			error);
	if (rc == 0)
		rc = take_share(options->alpha, "--alpha",
				COMPARISON_ALPHA_MIN, COMPARISON_ALPHA_LIMIT,
				&question->alpha, error);
	return rc < 0 ? rc : take_metrics(options, error);
}

static int read_all(struct compare_options *options, poptContext context)
{
	struct error error = {0};
	int rc = cli_next_option(context);

	if (rc != 0)
		return rc == CLI_HELP ? CLI_HELP : -rc;
	rc = cli_take_words(context, &options->files, &error);
	if (rc >= 0)
		rc = take_mode(options, (size_t)rc, &error);
	if (rc == 0)
		rc = check_sweep(options, &error);
	if (rc == 0)
		rc = check_stored(options, &error);
	if (rc == 0)
		rc = check_calibration(options, &error);
	if (rc == 0)
		rc = load_options_take(&options->load, &options->settings,
				       &error);
	if (rc == 0)
		rc = sweep_options_take(&options->sweep, &options->settings,
					&error);
	if (rc == 0)
		rc = target_options_take(&options->target, &error);
	if (rc == 0)
		rc = take_budget(options, &error);
	if (rc == 0)
		rc = check_output(options->output, &error);
	if (rc == 0)
		rc = take_question(options, &error);
	if (rc == 0)
		rc = take_format(options, &error);
	options->settings.random_order = true;
	return rc < 0 ? cli_refuse(&error) : EXIT_VALID;
}

int compare_options_read(struct compare_options *options, int argc,
			 const char **argv)
{
	struct compare_options *o = options;
	struct poptOption rows[] = {
		{"base", '\0', POPT_ARG_ARGV, &o->base, 0,
		 "The target of the base; may be repeated, to spread the "
		 "users", "TARGET"},
		{"new", '\0', POPT_ARG_ARGV, &o->new, 0,
		 "The target of the new one", "TARGET"},
		{"calibrate", '\0', POPT_ARG_STRING, &o->calibrate, 0,
		 "Compare a target with itself, to see the noise", "TARGET"},
		{"pairs", '\0', POPT_ARG_STRING, &o->pairs_text, 0,
		 "How many pairs at the most (20)", "N"},
		{"max-time", '\0', POPT_ARG_STRING, &o->time_text, 0,
		 "Begin no pair that would end later (any)", "SEC"},
		{"margin", '\0', POPT_ARG_STRING, &o->margin, 0,
		 "The loss to accept (5%)", "SHARE"},
		{"alpha", '\0', POPT_ARG_STRING, &o->alpha, 0,
		 "How often a verdict may be wrong (0.025)", "SHARE"},
		{"metric", '\0', POPT_ARG_ARGV, &o->metric_names, 0,
		 "What is compared: mb_per_s, p99, ReadX.p99 ...; may be "
		 "repeated (mb_per_s)", "NAME"},
		{"before-base", '\0', POPT_ARG_STRING, &o->before_base, 0,
		 "A command before each turn of the base", "CMD"},
		{"before-new", '\0', POPT_ARG_STRING, &o->before_new, 0,
		 "A command before each turn of the new one", "CMD"},
		{"after", '\0', POPT_ARG_STRING, &o->after, 0,
		 "A command after each turn", "CMD"},
		{"same-host", '\0', POPT_ARG_NONE, &o->same_host, 0,
		 "Refuse results of another host or kernel", NULL},
		{"format", '\0', POPT_ARG_STRING, &o->format_name, 0,
		 "text, markdown, junit, github or json (text)", "NAME"},
		{"output", 'o', POPT_ARG_STRING, &o->output, 0,
		 "Write the comparison, with both results, to FILE.json",
		 "FILE"},
		{"progress", '\0', POPT_ARG_NONE, &o->progress, 0,
		 "Show live lines even if standard output is not a terminal",
		 NULL},
		{"quiet", 'q', POPT_ARG_NONE, &o->quiet, 0,
		 "Print the answer only: no header, no pairs, no live line",
		 NULL},
		POPT_TABLEEND,
	};
	struct poptOption table[] = {
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, rows, 0,
		 "What is compared:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE,
		 sweep_options_rows(&o->sweep), 0, "What is measured:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE,
		 load_options_rows(&o->load), 0, "What is played:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE,
		 target_options_rows(&o->target), 0, "Where:", NULL},
		CLI_HELP_ROW,
		POPT_TABLEEND,
	};
	poptContext context;
	int rc;

	context = poptGetContext("throng", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS] --base TARGET --new TARGET\n"
			       "   or: throng compare [OPTIONS] --calibrate "
			       "TARGET\n"
			       "   or: throng compare [OPTIONS] BASE.json "
			       "NEW.json\n"
			       "   or: throng compare [OPTIONS] "
			       "COMPARISON.json");
	rc = read_all(options, context);
	poptFreeContext(context);
	return rc;
}

void compare_options_free(struct compare_options *options)
{
	load_options_free(&options->load);
	sweep_options_free(&options->sweep);
	target_options_free(&options->target);
	settings_free(&options->settings);
	free(options->metrics);
	cli_free_words(options->files);
	cli_free_words(options->base);
	cli_free_words(options->new);
	cli_free_words(options->metric_names);
	free(options->calibrate);
	free(options->pairs_text);
	free(options->time_text);
	free(options->margin);
	free(options->alpha);
	free(options->before_base);
	free(options->before_new);
	free(options->after);
	free(options->format_name);
	free(options->output);
}

void compare_options_record(const struct compare_options *options,
			    struct result_run *run)
{
	sweep_options_record(&options->sweep, &options->settings, run);
	load_options_record(&options->load, &options->settings, run);
	target_options_record(&options->target, run);
	run->pairs = options->pairs;
}
