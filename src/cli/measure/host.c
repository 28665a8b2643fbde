/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng host: what a launcher starts on each of --hosts.
 */
#include "cli/cli.h"

#include "cli/measure/compare_sides.h"
#include "cli/measure/run_variants.h"
#include "hosts/crew.h"
#include "hosts/wire.h"

#include <errno.h>
#include <string.h>

/* The run or the comparison that the crew plays, until its process ends. */
static struct run_options options;
static struct run_variants variants;
static struct compare_options comparison;
static struct compare_sides sides;
static struct result results[SIDES];
static struct steps_side side;

/* Let a crew play sides with these settings. */
static struct steps steps_of(struct settings *settings, const struct steps_side *list,
			     unsigned count)
{
	settings->quiet = true;
	return (struct steps){
		.settings = settings,
		.sides = list,
		.side_count = count,
		.venue = &venue_here,
	};
}

static int prepare_run(const struct crew_command *command, struct steps *steps, struct error *error)
{
	struct result *result = &results[0];

	if (run_options_read(&options, command->argc, command->argv) != EXIT_VALID)
		return -EINVAL;
	options.measure.settings.seed = command->seed;
	if (run_variants_parse(&options, &result->run, error) < 0 ||
	    run_variants_open(&variants, &options, false, &result->run, error) < 0 ||
	    run_variants_suit(&variants, &options, &result->run, error) < 0)
		return -EINVAL;
	side = (struct steps_side){.variants = variants.steps, .result = result};
	*steps = steps_of(&options.measure.settings, &side, 1);
	return 0;
}

static int prepare_comparison(const struct crew_command *command, struct steps *steps,
			      struct error *error)
{
	if (compare_options_read(&comparison, command->argc, command->argv) != EXIT_VALID ||
	    comparison.mode == COMPARE_FILES)
		return -EINVAL;
	comparison.measure.settings.seed = command->seed;
	if (compare_sides_open(&sides, &comparison, false, results, error) < 0)
		return -EINVAL;
	*steps = steps_of(&comparison.measure.settings, sides.steps, SIDES);
	return 0;
}

/* Read the command line of the controller, and compile its loads. */
static int prepare(const struct crew_command *command, struct steps *steps, struct error *error)
{
	return strcmp(command->argv[0], "throng compare") == 0
		       ? prepare_comparison(command, steps, error)
		       : prepare_run(command, steps, error);
}

static int crew(struct link *controller)
{
	return crew_main(controller, prepare);
}

int cli_host(int argc, const char **argv)
{
	const struct option_row rows[] = {{.name = NULL}};
	const struct option_group groups[] = {{.rows = rows}, {.rows = NULL}};
	struct options given = {0};
	int rc;

	if (argc == 0) /* a rank has no command line */
		return wire_main(crew);
	argv[0] = "throng host"; /* for --help */
	rc = options_read(
		&given, groups,
		"\n`throng run' and `throng compare' with --hosts start this on each host.", NULL,
		argc, argv);
	options_free(&given);
	if (rc == CLI_HELP)
		return EXIT_VALID;
	return rc == EXIT_VALID ? wire_main(crew) : rc;
}
