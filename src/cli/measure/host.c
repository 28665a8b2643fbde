/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng host: what a launcher starts on each of --hosts.
 */
#include "cli/cli.h"

#include "cli/measure/run_variants.h"
#include "hosts/crew.h"
#include "hosts/wire.h"
#include "sweep/stage.h"

#include <errno.h>

/* The run that the crew plays, until its process ends. */
static struct run_options options;
static struct run_variants variants;
static struct result result;
static struct steps_side side;

/* Read the command line of the controller, and compile its loads. */
static int prepare(const struct crew_command *command, struct steps *steps, struct error *error)
{
	int rc = run_options_read(&options, command->argc, command->argv);

	if (rc != EXIT_VALID)
		return -EINVAL;
	options.measure.settings.seed = command->seed;
	options.measure.settings.quiet = true;
	if (run_variants_parse(&options, &result.run, error) < 0 ||
	    run_variants_open(&variants, &options, false, &result.run, error) < 0 ||
	    run_variants_suit(&variants, &options, &result.run, error) < 0)
		return -EINVAL;
	side = (struct steps_side){.variants = variants.steps, .result = &result};
	if (stage_describe(&side, error) < 0)
		return -EINVAL;
	*steps = (struct steps){
		.settings = &options.measure.settings,
		.sides = &side,
		.side_count = 1,
		.venue = &venue_here,
	};
	return 0;
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

	argv[0] = "throng host"; /* for --help */
	rc = options_read(&given, groups, "",
			  "  throng run --hosts host1,host2 /mnt/test\n"
			  "  throng run --hosts @hosts.txt nfs://server/export\n",
			  argc, argv);
	options_free(&given);
	if (rc == CLI_HELP)
		return EXIT_VALID;
	return rc == EXIT_VALID ? wire_main(crew) : rc;
}
