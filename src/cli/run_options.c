/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/run_options.h"

#include "base/clock.h"
#include "base/units.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "program/program.h"

#include <errno.h>
#include <stdlib.h>

/* Whether several machines can measure at once with it. */
static int take_machines(struct run_options *options, struct error *error)
{
	struct settings *settings = &options->settings;
	uint64_t first = 0;
	size_t i;

	settings->histograms = options->histograms != 0;
	if (options->users_from != NULL &&
	    units_parse_count(options->users_from, "--users-from", 0,
			      PROGRAM_USERS_MAX - 1, &first, error) < 0)
		return -EINVAL;
	settings->first_user = (unsigned)first;
	for (i = 0; i < settings->user_count_count; i++) {
		if (first + settings->user_counts[i] <= PROGRAM_USERS_MAX)
			continue;
		error_set(error, "--users-from %s: with %u users the last "
			  "number would be above %d", options->users_from,
			  settings->user_counts[i], PROGRAM_USERS_MAX - 1);
		return -EINVAL;
	}
	if (options->start_at == NULL)
		return 0;
	if (units_parse_time(options->start_at, "--start-at",
			     &settings->start_at_ns, error) < 0)
		return -EINVAL;
	if (settings->start_at_ns <= clock_wall_ns(clock_now_ns()))
		error_set(error, "--start-at: %s is over", options->start_at);
	else if (settings->user_count_count > 1 || settings->repeats > 1)
		error_set(error, "--start-at is for one measurement: it goes "
			  "with one user count and without --repeat");
	return error->set ? -EINVAL : 0;
}

static int read_all(struct run_options *options, poptContext context)
{
	struct error error = {0};
	int rc = cli_next_option(context);
	char **output;

	if (rc != 0)
		return rc == CLI_HELP ? CLI_HELP : -rc;
	rc = cli_take_words(context, &options->targets, &error);
	if (rc == 0)
		error_set(&error, "run: expected a TARGET, a PATH or a URL; "
			  "see --help");
	rc = rc > 0 ? 0 : -EINVAL;
	if (rc == 0)
		rc = load_options_take(&options->load, &options->settings,
				       &error);
	if (rc == 0)
		rc = sweep_options_take(&options->sweep, &options->settings,
					&error);
	if (rc == 0)
		rc = target_options_take(&options->target, &error);
	if (rc == 0)
		rc = take_machines(options, &error);
	for (output = options->outputs;
	     rc == 0 && output != NULL && *output != NULL; output++)
		rc = output_find(*output, &error) == NULL ? -EINVAL : 0;
	return rc < 0 ? cli_refuse(&error) : EXIT_VALID;
}

int run_options_read(struct run_options *options, int argc, const char **argv)
{
	struct run_options *o = options;
	struct poptOption results[] = {
		{"output", 'o', POPT_ARG_ARGV, &o->outputs, 0,
		 "Write the result to FILE.json, .csv, .html or .bench; may "
		 "be repeated", "FILE"},
		{"resume", '\0', POPT_ARG_STRING, &o->resume, 0,
		 "Go on with the sweep that left FILE.json, beside the "
		 "options that it was begun with", "FILE"},
		{"operations", '\0', POPT_ARG_NONE, &o->show_operations, 0,
		 "Show a table of operations after each point", NULL},
		{"progress", '\0', POPT_ARG_NONE, &o->progress, 0,
		 "Show live lines even if standard output is not a terminal",
		 NULL},
		{"quiet", 'q', POPT_ARG_NONE, &o->quiet, 0,
		 "Print the result only: no header, no live line", NULL},
		POPT_TABLEEND,
	};
	struct poptOption machines[] = {
		{"start-at", '\0', POPT_ARG_STRING, &o->start_at, 0,
		 "Start the users at TIME, so that several machines measure "
		 "at once", "TIME"},
		{"users-from", '\0', POPT_ARG_STRING, &o->users_from, 0,
		 "Number the users from N on (0)", "N"},
		{"histograms", '\0', POPT_ARG_NONE, &o->histograms, 0,
		 "Keep histograms in FILE.json, for `throng report --merge'",
		 NULL},
		POPT_TABLEEND,
	};
	struct poptOption table[] = {
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE,
		 sweep_options_rows(&o->sweep), 0, "What is measured:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE,
		 load_options_rows(&o->load), 0, "What is played:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE,
		 target_options_rows(&o->target), 0, "Where:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, results, 0,
		 "What comes of it:", NULL},
		{NULL, '\0', POPT_ARG_INCLUDE_TABLE, machines, 0,
		 "Together with other machines:", NULL},
		CLI_HELP_ROW,
		POPT_TABLEEND,
	};
	poptContext context;
	int rc;

	context = poptGetContext("throng", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS] TARGET...");
	rc = read_all(options, context);
	poptFreeContext(context);
	return rc;
}

void run_options_free(struct run_options *options)
{
	load_options_free(&options->load);
	sweep_options_free(&options->sweep);
	target_options_free(&options->target);
	settings_free(&options->settings);
	free(options->resume);
	free(options->start_at);
	free(options->users_from);
	cli_free_words(options->outputs);
	cli_free_words(options->targets);
}

void run_options_record(const struct run_options *options,
			struct result_run *run)
{
	sweep_options_record(&options->sweep, &options->settings, run);
	load_options_record(&options->load, &options->settings, run);
	target_options_record(&options->target, run);
	run->users_from = options->settings.first_user;
}
