/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng run: measure a load on targets, and report while this lasts.
 */
#include "cli/cli.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/units.h"
#include "cli/measure/elsewhere.h"
#include "cli/measure/label.h"
#include "cli/measure/live.h"
#include "cli/measure/prepare.h"
#include "cli/measure/resume.h"
#include "cli/measure/run_variants.h"
#include "cli/output.h"
#include "doc/escape.h"
#include "report/live.h"
#include "report/report.h"
#include "report/sections.h"
#include "report/tables/spec.h"
#include "sweep/limits.h"
#include "sweep/plan_order.h"
#include "sweep/plan_rate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The files of --output are not written again before this many times the time
 * that it took has passed. */
enum { WRITE_PAUSE = 50 };

/* The sums of the running point at the last tick. */
struct tick {
	uint64_t at_ns, bytes, ops;
};

/* The state of one `throng run`. */
struct run {
	struct run_options options;
	struct run_variants variants;
	struct elsewhere elsewhere;
	const char **argv; /* the command line with these users; NULL: as given */
	char users[32];
	struct result result;
	struct live live;
	struct live_table table;
	bool measured;          /* at least one repeat was measured */
	bool unwritten;         /* the files lack the last repeats */
	uint64_t written_ns;    /* when the files were written */
	uint64_t write_took_ns; /* how long that took */
	struct tick tick;
	/* The state that was saved (--state). */
	struct {
		unsigned users;      /* 0: none was saved */
		uint64_t must_bytes; /* number of bytes that must be there */
		const char *reason;  /* why there are none; else NULL */
	} state;
};

static struct export export_of(const struct run *run)
{
	return (struct export){
		.results = &run->result,
		.count = 1,
		.shows_operations = run->options.show_operations,
		.figures = run->options.figures,
		.figure_count = run->options.figure_count,
	};
}

/* Write the files or, at the end, as it cannot be replaced, standard output. */
static int write_outputs(const struct run *run, bool to_stdout)
{
	const char *const *output = run->options.outputs;
	const struct export export = export_of(run);
	struct error error = {0};

	for (; output != NULL && *output != NULL; output++) {
		if (output_is_stdout(*output) != to_stdout)
			continue;
		if (output_write(&export, *output, &error) < 0) {
			message_error(&error);
			return -1;
		}
	}
	return 0;
}

/*
 * Write the files after a repeat, unless they were written just before: writing
 * takes longer with each repeat, and must not fill the time between them.
 */
static int write_files(struct run *run)
{
	uint64_t now_ns = clock_now_ns();
	int rc;

	run->unwritten = run->written_ns > 0 &&
			 now_ns - run->written_ns < WRITE_PAUSE * run->write_took_ns;
	if (run->unwritten)
		return 0;
	rc = write_outputs(run, false);
	run->written_ns = clock_now_ns();
	run->write_took_ns = run->written_ns - now_ns;
	return rc;
}

/* Write the live files, with the second that has just ended. A failure is not the
 * end: the next writing of all files tells of it. */
static void write_live(struct run *run, const struct result_repeat *repeat,
		       const struct workers_view *view)
{
	const char *const *output = run->options.outputs;
	uint64_t now_ns = clock_now_ns();
	double seconds = (double)(now_ns - run->tick.at_ns) / 1e9;
	const struct export_second second = {
		.users = view->users,
		.variant = repeat->variant,
		.bytes_per_s = (double)(view->bytes - run->tick.bytes) / seconds,
		.ops_per_s = (double)(view->ops - run->tick.ops) / seconds,
		.p99_s = view->p99_ns > 0 ? (double)view->p99_ns / 1e9 : NAN,
	};
	bool follows = run->tick.at_ns > 0 && view->ops >= run->tick.ops;
	struct export export = export_of(run);
	struct error ignored = {0};

	run->tick = (struct tick){.at_ns = now_ns, .bytes = view->bytes, .ops = view->ops};
	export.second = &second;
	for (; follows && output != NULL && *output != NULL; output++)
		if (!output_is_stdout(*output) && output_find(*output, false, &ignored)->live)
			output_write(&export, *output, &ignored);
}

/* Return the time limit of the run for section_header. The number of measurements
 * of a search for a rate is unknown, so don't show any. */
static uint64_t run_time_max_ns(const struct run *run)
{
	return run->options.measure.settings.rate_limit != NULL ? 0 : CLOCK_NEVER;
}

static void on_begin(struct run *run, const struct result *result)
{
	const struct settings *settings = &run->options.measure.settings;
	struct live_plan plan = {
		.unit = settings->repeats > 1 ? "repeat" : "point",
		.count = settings->user_count_count * settings->repeats * run->variants.count,
		.each = 1,
		.max_ns = CLOCK_NEVER,
	};
	struct result_run shown = result->run;
	struct doc *doc;
	size_t i;

	for (i = 0; i < result->point_count; i++)
		plan.done += result->points[i].repeat_count;
	/* Show the number of resumptions with this one. The sweep counts it
	 * later, when it measures. */
	shown.resumed += run->options.resume != NULL && plan.done < plan.count;
	if (!run->options.quiet) {
		doc = doc_new();
		section_header(doc, &shown, run_time_max_ns(run));
		output_document(doc, false);
		putchar('\n');
		fflush(stdout);
	}
	live_begin(&run->live, &result->run, &plan);
}

static void on_try(struct run *run, const struct result_point *point)
{
	live_clear(&run->live);
	live_table_try(&run->table, &run->result.run, point);
	fflush(stdout);
	progress_start(&run->live.progress);
	run->tick = (struct tick){0};
}

static int on_measured(struct run *run, const struct result *result,
		       const struct result_repeat *repeat)
{
	struct doc *doc = doc_new();

	run->measured = true;
	run->tick = (struct tick){0};
	live_clear(&run->live);
	live_table_repeat(&run->table, result, repeat);
	if (report_measured(doc, &result->run, &repeat->records, result_repeat_is_valid(repeat),
			    run->options.show_operations))
		live_table_break(&run->table);
	output_document(doc, true);
	fflush(stdout);
	live_invalid(repeat, "");
	live_next(&run->live);
	return write_files(run);
}

static int write_state(const void *state, FILE *stream)
{
	return state_write(state, stream);
}

static int on_state(struct run *run, const struct state *state)
{
	struct error error = {0};

	if (output_replace(run->options.state, write_state, state, &error) < 0) {
		message_error(&error);
		return -1;
	}
	run->state.users = state->users;
	run->state.must_bytes = state_must_bytes(state);
	run->state.reason = run->state.must_bytes == 0 ? state_explain_nothing(state) : NULL;
	return 0;
}

static int observe(void *context, const struct event *event)
{
	struct run *run = context;
	const struct result_repeat *repeat = event->repeat;

	switch (event->type) {
	case EVENT_BEGIN:
		on_begin(run, event->result);
		break;
	case EVENT_TICK:
		live_tick(&run->live, event->view);
		write_live(run, repeat, event->view);
		break;
	case EVENT_TRY:
		on_try(run, result_find_point(event->result, repeat->variant, repeat->users));
		break;
	case EVENT_MEASURED:
		return on_measured(run, event->result, repeat);
	case EVENT_STATE:
		return on_state(run, event->state);
	case EVENT_PAIR: /* there are none */
		break;
	}
	return 0;
}

/* Say what was saved, and how to check the targets later. */
static void explain_state(const struct run *run)
{
	const struct options *given = &run->options.given;
	char text[UNITS_TEXT];
	size_t i;

	if (run->state.users == 0 || run->options.quiet)
		return;
	fputs("\nstate    saved in ", stdout);
	escape_text(run->options.state, stdout);
	printf(": %u %s", run->state.users, units_plural(run->state.users, "user", "users"));
	if (run->state.reason == NULL)
		printf(", %s must be there\n", units_print_bytes(run->state.must_bytes, text));
	else
		printf("; no byte must be there: %s\n", run->state.reason);
	fputs("         check the files after a crash with:\n"
	      "  throng verify --state ",
	      stdout);
	escape_text(run->options.state, stdout);
	for (i = 0; i < given->word_count; i++) {
		fputs(" '", stdout);
		escape_text(given->words[i], stdout);
		putchar('\'');
	}
	putchar('\n');
}

static void print_failure(void *context, const char *clause)
{
	struct error error = {0};

	error_set(&error, "a --fail-if condition holds: %s", clause);
	message_error(&error);
}

/* Check if a search for a rate ended without an answer. */
static bool lacks_rate(const struct result *result)
{
	size_t i;

	for (i = 0; i < result->point_count; i++)
		if (result_lacks_rate(&result->points[i]))
			return true;
	return false;
}

/* Return the variants as the only side of a measurement. */
static struct steps_side side_of(struct run *run)
{
	return (struct steps_side){
		.variants = run->variants.steps,
		.result = &run->result,
		.before = run->options.before,
		.option = "--before",
	};
}

/* Make a plan and take its steps. */
static enum steps_end take_steps(struct run *run, struct error *error)
{
	const struct settings *settings = &run->options.measure.settings;
	const struct steps_side side = side_of(run);
	const struct observer observer = {run, observe};
	struct plan_order order;
	struct plan_rate rate;
	struct steps steps = {
		.settings = settings,
		.venue = elsewhere_venue(&run->elsewhere),
		.sides = &side,
		.side_count = 1,
		.after = run->options.after,
		.time_max_ns = CLOCK_NEVER,
		.resumed = run->options.resume != NULL,
		.saves_state = run->options.state != NULL,
	};
	bool in_turns = side.before != NULL || steps.after != NULL;
	enum steps_end end = STEPS_REFUSED;

	if (plan_order_open(&order, settings, &side, settings->repeats, in_turns, error) == 0) {
		plan_rate_open(&rate, settings, &run->result, &order.plan);
		steps.plan = settings->rate_limit != NULL ? &rate.plan : &order.plan;
		end = steps_run(&steps, &observer, error);
	}
	plan_order_close(&order);
	return end;
}

/* Keep the figures of each user if a table is about them. A resumed run may have the
 * tables of its result. */
static void keep_users(struct run *run)
{
	const struct result_run *about = &run->result.run;
	struct error ignored = {0};
	struct spec spec;
	size_t i;

	for (i = 0; i < about->table_count; i++)
		if (spec_parse(about->tables[i], &spec, &ignored) == 0 &&
		    spec_has_part(&spec, SPEC_USER))
			run->options.measure.settings.each_user = true;
}

static int run_sweep(struct run *run)
{
	const char *const *output = run->options.outputs;
	const struct export export = export_of(run);
	struct error error = {0};
	struct doc *doc;
	enum steps_end end;

	/* Check now, not after the run, whether the outputs can be written. */
	for (; output != NULL && *output != NULL; output++)
		if (output_check(&export, *output, &error) < 0 ||
		    (output_is_stdout(*output) && output_keep_stdout(&error) < 0))
			return cli_refuse(&error);
	keep_users(run);
	live_open(&run->live, run->options.progress, run->options.quiet);
	/* mpiexec may give a terminal, wherever its own output goes. */
	if (run->elsewhere.reverse.ranks > 0) {
		run->live.progress.terminal = false;
		run->live.shown = run->options.progress && !run->options.quiet;
	}
	live_table_open(&run->table, run->live.progress.terminal, stdout);
	end = take_steps(run, &error);
	if (end == STEPS_REFUSED)
		return cli_refuse(&error);
	/* If a complete sweep was resumed, no repeat has written the
	 * outputs. */
	if ((run->unwritten || (!run->measured && end == STEPS_DONE)) &&
	    write_outputs(run, false) < 0)
		return EXIT_INVALID;
	if ((run->measured || end == STEPS_DONE) && write_outputs(run, true) < 0)
		return EXIT_INVALID;
	doc = doc_new();
	report_summary(doc, &run->result);
	output_document(doc, true);
	explain_state(run);
	if (end != STEPS_DONE || lacks_rate(&run->result))
		return EXIT_INVALID;
	return limits_failed(&run->options.measure.settings, &run->result, print_failure, NULL) > 0
		       ? EXIT_FAILED
		       : EXIT_VALID;
}

/* Print the plan for --dry-run; return the exit code. */
static int show_plan(struct run *run)
{
	const struct steps_side side = side_of(run);
	struct error error = {0};
	struct doc *doc;

	if (steps_check(&run->options.measure.settings, &side, &error) < 0)
		return cli_refuse(&error);
	doc = doc_new();
	section_header(doc, &run->result.run, run_time_max_ns(run));
	output_document(doc, false);
	return EXIT_VALID;
}

/* Check if any load has phases. */
static bool has_phases(const struct run *run)
{
	size_t i, j;

	for (i = 0; i < run->variants.count; i++) {
		const struct loads *loads = &run->variants.list[i].loads;

		for (j = 0; j < loads->count; j++)
			if (loads->list[j].program->phase_count > 0)
				return true;
	}
	return false;
}

/* Set the tables of --table; check that the run will have what they show. */
static int set_tables(struct run *run, struct error *error)
{
	struct result_run *about = &run->result.run;
	struct spec spec;
	size_t i;

	if (spec_set_tables(about, run->options.tables, error) < 0 ||
	    spec_check_tables(&run->result, 1, error) < 0)
		return -EINVAL;
	for (i = 0; i < about->table_count; i++) {
		if (spec_parse(about->tables[i], &spec, error) < 0)
			return -EINVAL;
		if (spec_has_part(&spec, SPEC_PHASE) && !has_phases(run))
			error_set(error, "--table \"%s\": the load has no phases",
				  about->tables[i]);
		else if (spec_has_part(&spec, SPEC_HOST) && about->host_count == 0)
			error_set(error,
				  "--table \"%s\": a result has figures of hosts only if the run "
				  "has --hosts",
				  about->tables[i]);
		else if (spec_has_part(&spec, SPEC_USER) && about->host_count > 0)
			error_set(error,
				  "--table \"%s\": with --hosts, a result has no figures of single "
				  "users; use \"of hosts\" instead of \"of users\"",
				  about->tables[i]);
	}
	return error->set ? -EINVAL : 0;
}

/* Read the options. The ranks of an mpiexec are the users, unless -u says otherwise. */
static int read_options(struct run *run, int *argc, const char ***argv)
{
	unsigned ranks = run->elsewhere.reverse.ranks;
	int rc = run_options_read(&run->options, *argc, *argv);

	if (rc != EXIT_VALID || ranks == 0 || options_text(&run->options.given, "users") != NULL)
		return rc;
	run->argv = calloc((size_t)*argc + 2, sizeof(*run->argv));
	if (run->argv == NULL)
		return EXIT_REFUSED;
	snprintf(run->users, sizeof(run->users), "--users=%u", ranks);
	run->argv[0] = **argv;
	run->argv[1] = run->users;
	memcpy(run->argv + 2, *argv + 1, ((size_t)*argc - 1) * sizeof(**argv));
	*argv = run->argv;
	*argc += 1;
	run_options_free(&run->options);
	run->options = (struct run_options){0};
	return run_options_read(&run->options, *argc, *argv);
}

/* Find out on which hosts the users play. */
static int parse_hosts(struct run *run, struct error *error)
{
	const struct steps_side side = side_of(run);
	int rc = elsewhere_parse(&run->elsewhere, &run->options.measure, &side, 1, error);

	if (rc == 0 && run->options.state != NULL && run->result.run.host_count > 0) {
		error_set(error, "--state cannot be combined with --hosts, because only the hosts "
				 "know what their users have written");
		rc = -EINVAL;
	}
	return rc;
}

/* Start the hosts, and measure. Return the exit code. */
static int play(struct run *run, int argc, const char **argv)
{
	const struct steps_side side = side_of(run);
	struct error error = {0};

	if (elsewhere_open(&run->elsewhere, &run->options.measure, &side, 1, argc, argv, &error) <
	    0)
		return cli_refuse(&error);
	return run_sweep(run);
}

int cli_run(int argc, const char **argv)
{
	struct run run = {0};
	struct run_options *options = &run.options;
	struct result_run *about = &run.result.run;
	struct error error = {0};
	int rc, status;

	argv[0] = "throng run"; /* for --help */
	rc = elsewhere_enter_ranks(&run.elsewhere, argc, argv, &status, &error);
	if (rc <= 0)
		return rc == 0 ? status : error.set ? cli_refuse(&error) : EXIT_REFUSED;
	rc = read_options(&run, &argc, &argv);
	if (rc == CLI_HELP) {
		rc = EXIT_VALID;
	} else if (rc == EXIT_VALID) {
		bool kept = options->outputs != NULL || options->resume != NULL;

		prepare_host(about);
		about->command = prepare_command(argc, argv);
		measure_options_record(&options->measure, &options->given, about);
		if (options->state != NULL && options_text(&options->given, "verify") == NULL)
			result_add_option(about, "verify", "yes");
		label_record(options->label, about);
		if (run_variants_parse(options, about, &error) < 0 ||
		    run_variants_open(&run.variants, options, kept, about, &error) < 0 ||
		    run_variants_suit(&run.variants, options, about, &error) < 0 ||
		    parse_hosts(&run, &error) < 0 || set_tables(&run, &error) < 0 ||
		    (options->resume != NULL &&
		     resume_load(options, &run.variants.list[0].targets, &run.result, &error) < 0))
			rc = error.set ? cli_refuse(&error) : EXIT_REFUSED;
		else if (options->measure.dry_run)
			rc = show_plan(&run);
		else
			rc = play(&run, argc, argv);
	}
	elsewhere_close(&run.elsewhere);
	run_variants_free(&run.variants);
	result_free(&run.result);
	run_options_free(options);
	free(run.argv);
	return rc;
}
