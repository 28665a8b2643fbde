/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/run_options.h"

#include "cli/cli.h"
#include "cli/measure/label.h"
#include "cli/measure/presets.h"
#include "cli/output.h"
#include "export/values.h"
#include "doc/number.h"
#include "sweep/recheck.h"

#include <errno.h>
#include <stdlib.h>

#define AT(member) OPTION_AT(struct run_options, member)

const struct option_row run_rows[] = {
	{"output", 'o', OPTION_TEXTS, "FILE", OUTPUT_HELP, AT(outputs), .flags = OPTION_COMMON},
	{"resume", 0, OPTION_TEXT, "FILE", "Resume the sweep in FILE.json; repeat its options",
	 AT(resume), .ending = ".json", .flags = OPTION_COMMON},
	{"operations", 0, OPTION_FLAG, NULL, "Print a table of operations after each point",
	 AT(show_operations), .flags = OPTION_COMMON},
	{"table", 0, OPTION_TEXTS, "SPEC", TABLE_HELP, AT(tables), .flags = OPTION_COMMON},
	{"bits", 0, OPTION_FLAG, NULL, "Show rates in Mbit/s instead of MB/s", AT(bits)},
	{"progress", 0, OPTION_FLAG, NULL, "Show live lines even if stdout is not a terminal",
	 AT(progress)},
	{"quiet", 'q', OPTION_FLAG, NULL, "Print results only: no header, no live lines", AT(quiet),
	 .flags = OPTION_COMMON},
	{"figures", 0, OPTION_TEXT, "LIST", "Figures for CI services: p99,ReadX.p99",
	 AT(figure_list)},
	{"label", 0, OPTION_TEXT, "TEXT", "Name of the result, in all formats", AT(label)},
	{"before", 0, OPTION_TEXT, "CMD", "Command to run before each measurement", AT(before)},
	{"after", 0, OPTION_TEXT, "CMD", "Command to run after each measurement", AT(after)},
	{"histograms", 0, OPTION_FLAG, NULL, "Keep histograms of latencies in JSON files",
	 AT(measure.settings.histograms)},
	{"state", 0, OPTION_TEXT, "FILE", "Save what was written and flushed, for verify",
	 AT(state)},
	{.name = NULL},
};

/* Check that the state does not replace a file that is read or written. */
static int check_state_place(const struct run_options *options, struct error *error)
{
	const char *const *output = options->outputs;

	for (; output != NULL && *output != NULL; output++) {
		if (!output_is_same(options->state, output_file(*output)))
			continue;
		error_set(error,
			  "--state %s: the result is written to this file (--output); choose "
			  "another name",
			  options->state);
		return -EINVAL;
	}
	/* Files that are read exist, and none of them is a state. */
	return recheck_check_place("--state", options->state, error);
}

/* Check the options for --state, which makes no sense without the files. */
static int check_state(const struct run_options *options, struct error *error)
{
	if (options->state == NULL)
		return 0;
	if (!options->measure.settings.keep) {
		error_set(error,
			  "--state needs --keep, because `throng verify` reads the users' files");
		return -EINVAL;
	}
	if (options->measure.settings.data == DATA_FIXED) {
		error_set(error,
			  "--state cannot be combined with --data %s, because all writes would "
			  "have the same data, so throng verify could not find a lost write",
			  options->measure.data);
		return -EINVAL;
	}
	if (check_state_place(options, error) < 0)
		return -EINVAL;
	return options->measure.dry_run ? 0 : output_check_place(options->state, error);
}

static int parse_all(struct run_options *options, struct error *error)
{
	int rc;

	options->measure.settings.verify = options_given(&options->given, "state");
	rc = measure_options_parse(&options->measure, &options->given, error);
	if (rc == 0)
		rc = check_state(options, error);
	if (rc == 0)
		rc = label_check("--label", options->label, error);
	if (rc == 0)
		rc = output_find_all(options->outputs, false, error);
	if (rc == 0 && options->figure_list != NULL)
		rc = values_parse(options->figure_list, &options->figures, &options->figure_count,
				  error);
	if (options->bits)
		number_show_bits();
	return rc;
}

int run_options_read(struct run_options *options, int argc, const char **argv)
{
	struct option_group groups[MEASURE_GROUPS + 2] = {
		[MEASURE_GROUPS] =
			{
				.heading = "Output:",
				.rows = run_rows,
				.values = options,
			},
	};
	struct error error = {0};
	int rc;

	measure_options_open(&options->measure, groups, 0);
	rc = options_read(&options->given, groups,
			  "[OPTIONS] TARGET...\n"
			  "Users play on the targets in turn: user 0 on the first, user 1 on the "
			  "next ...",
			  "  throng run -u 1-64x2 -o sweep.html /srv/test\n"
			  "  throng run -u 8 -t 60 smb://tester@server/share\n",
			  argc, argv);
	if (rc == EXIT_VALID &&
	    (presets_apply(&options->given, &error) < 0 || parse_all(options, &error) < 0))
		return cli_refuse(&error);
	return rc;
}

void run_options_free(struct run_options *options)
{
	measure_options_free(&options->measure);
	free(options->figures);
	options_free(&options->given);
}
