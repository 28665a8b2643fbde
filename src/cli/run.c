/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "backend/backends.h"
#include "base/message.h"
#include "cli/live.h"
#include "cli/prepare.h"
#include "cli/resume.h"
#include "job/limits.h"
#include "job/sweep.h"
#include "cli/output.h"
#include "report/table.h"
#include "report/text.h"

#include <stdio.h>
#include <stdlib.h>

/* All that one `throng run` holds. */
struct run {
	struct run_options options;
	struct run_targets targets;
	struct prepared load;
	struct result result;
	struct progress progress;
	struct table table;
	bool measured; /* something, and it is written */
};

static void describe_run(struct run *run, int argc, const char **argv)
{
	struct result_run *about = &run->result.run;

	prepare_host(about);
	about->command = prepare_command(argc, argv);
	run_options_record(&run->options, about);
}

static int take_load(struct run *run, struct error *error)
{
	bool kept = run->options.outputs != NULL ||
		    run->options.resume != NULL;

	return prepare_settings_load(&run->load, &run->options.settings, kept,
				     &run->result.run, error);
}

/* An output that cannot be written is told before the run, not after. */
static int check_outputs(const struct run *run, struct error *error)
{
	char **output = run->options.outputs;

	for (; output != NULL && *output != NULL; output++)
		if (output_check(*output, 1, error) < 0)
			return -1;
	return 0;
}

static int write_outputs(const struct run *run)
{
	char **output = run->options.outputs;
	struct error error = {0};

	for (; output != NULL && *output != NULL; output++) {
		if (output_write(&run->result, 1, *output, &error) < 0) {
			message_error(&error);
			return -1;
		}
	}
	return 0;
}

static void on_begin(void *context, const struct result *result)
{
	struct run *run = context;

	text_header(&result->run, CLOCK_NEVER, stdout);
	fflush(stdout);
	progress_start(&run->progress);
}

static void on_tick(void *context, const struct workers_view *view)
{
	struct run *run = context;

	live_tick(&run->progress, view);
}

static int on_repeat(void *context, const struct result *result,
		     const struct result_repeat *repeat)
{
	struct run *run = context;

	run->measured = true;
	progress_clear(&run->progress);
	table_repeat(&run->table, result, repeat);
	if (run->options.show_operations &&
	    repeat->figures.operation_count > 0) {
		text_operations(&repeat->figures, stdout);
		table_break(&run->table);
	}
	fflush(stdout);
	live_invalid(repeat);
	progress_start(&run->progress);
	return write_outputs(run);
}

static void tell_failure(void *context, const char *clause)
{
	struct error error = {0};

	(void)context;
	error_set(&error, "%s", clause);
	message_error(&error);
}

static int run_sweep(struct run *run)
{
	struct sweep sweep = {
		.settings = &run->options.settings,
		.program = run->load.program,
		.profile = run->load.profile,
		.targets = run->targets.list,
		.target_count = run->targets.count,
		.result = &run->result,
		.resumed = run->options.resume != NULL,
	};
	struct sweep_observer observer = {
		.context = run,
		.begin = on_begin,
		.tick = on_tick,
		.repeat = on_repeat,
	};
	struct error error = {0};
	enum sweep_end end;

	if (check_outputs(run, &error) < 0)
		return cli_refuse(&error);
	progress_open(&run->progress, stdout);
	table_open(&run->table, run->progress.terminal, stdout);
	end = sweep_run(&sweep, &observer, &error);
	if (end == SWEEP_REFUSED)
		return cli_refuse(&error);
	/* A sweep that was complete may be wanted in another format. */
	if (!run->measured && end == SWEEP_DONE && write_outputs(run) < 0)
		return EXIT_INVALID;
	text_summary(&run->result, stdout);
	text_reasons(&run->result, stdout);
	if (end != SWEEP_DONE)
		return EXIT_INVALID;
	return limits_failed(&run->options.settings, &run->result,
			     tell_failure, NULL) > 0
		       ? EXIT_FAILED : EXIT_VALID;
}

/* Show the plan of a --dry-run; returns the exit code. */
static int show_plan(struct run *run)
{
	const struct sweep sweep = {
		.settings = &run->options.settings,
		.program = run->load.program,
		.target_count = run->targets.count,
	};
	struct error error = {0};

	if (sweep_check(&sweep, &error) < 0 ||
	    run_targets_describe(&run->targets, &run->result.run,
				 &error) < 0)
		return cli_refuse(&error);
	text_header(&run->result.run, CLOCK_NEVER, stdout);
	return EXIT_VALID;
}

int cli_run(int argc, const char **argv)
{
	struct run run = {0};
	struct error error = {0};
	int rc;

	argv[0] = "throng run"; /* what popt calls the program in --help */
	rc = run_options_read(&run.options, argc, argv);
	if (rc == CLI_HELP) {
		rc = EXIT_VALID;
	} else if (rc == EXIT_VALID) {
		describe_run(&run, argc, argv);
		if (run_targets_open(&run.targets, run.options.targets,
				     &run.options.target, &error) < 0 ||
		    (run.options.sweep.dry_run == 0 &&
		     run_targets_find_accounts(&run.targets,
					       &run.options.target,
					       &error) < 0) ||
		    take_load(&run, &error) < 0 ||
		    (run.options.resume != NULL &&
		     resume_take(&run.options, &run.targets, &run.result,
				 &error) < 0))
			rc = error.set ? cli_refuse(&error) : EXIT_REFUSED;
		else if (run.options.sweep.dry_run != 0)
			rc = show_plan(&run);
		else
			rc = run_sweep(&run);
	}
	run_targets_free(&run.targets);
	prepare_free(&run.load);
	result_free(&run.result);
	run_options_free(&run.options);
	return rc;
}
