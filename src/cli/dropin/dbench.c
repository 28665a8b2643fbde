/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dbench and tbench: run throng with their command line, output and exit codes.
 */
#include "cli/cli.h"

#include "base/clock.h"
#include "base/message.h"
#include "cli/dropin/dbench_options.h"
#include "cli/measure/live.h"
#include "cli/measure/prepare.h"
#include "load/library.h"
#include "result/variant.h"
#include "sweep/plan_order.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct dbench {
	struct dbench_options options;
	struct target target;
	struct loads loads;
	struct result result;
	/* When measuring began; 0: it has not begun. */
	uint64_t measured_from_ns;
};

/* The paths at which distributions install dbench's recording. */
static const char *const client_txt[] = {
	DATADIR "/dbench/client.txt",
	DATADIR "/client.txt",
	"/usr/share/dbench/client.txt",
	"/usr/local/share/dbench/client.txt",
};

/*
 * Find the loadfile: set `path`, and *name to its name in the result. If no
 * loadfile was given, choose one and print its name. Return 0, or < 0 with
 * `error` set.
 */
static int find_load(const struct dbench *dbench, char path[PATH_MAX], const char **name,
		     struct error *error)
{
	size_t i;

	*name = path;
	if (dbench->options.loadfile != NULL) {
		snprintf(path, PATH_MAX, "%s", dbench->options.loadfile);
		return 0;
	}
	for (i = 0; i < sizeof(client_txt) / sizeof(client_txt[0]); i++) {
		snprintf(path, PATH_MAX, "%s", client_txt[i]);
		if (access(path, R_OK) == 0)
			break;
	}
	if (i == sizeof(client_txt) / sizeof(client_txt[0])) {
		*name = LIBRARY_DEFAULT_SHOWN;
		if (library_find(LIBRARY_DEFAULT, path, error) < 0)
			return -1;
	}
	dbench_load(*name, stdout);
	return 0;
}

static void print_cleanup(const struct dbench *dbench, unsigned clients)
{
	struct dbench_tick tick = {
		.stage = DBENCH_CLEANUP,
		.clients = clients,
	};

	if (dbench->measured_from_ns > 0)
		tick.elapsed_s = (double)(clock_now_ns() - dbench->measured_from_ns) / 1e9;
	dbench_tick(&dbench->options.writer, &tick);
}

static void on_tick(struct dbench *dbench, const struct workers_view *view)
{
	struct dbench_tick tick = {
		.stage = DBENCH_WARMUP,
		.clients = view->users,
		.ops = view->ops,
		.bytes = view->bytes,
		.elapsed_s = (double)view->elapsed_ns / 1e9,
		.latency_ms = (double)view->peak_ns / 1e6,
	};

	live_warn(NULL, view);
	if (view->stage == WORKERS_CLEANUP)
		print_cleanup(dbench, view->alive);
	if (view->stage == WORKERS_SETUP || view->stage == WORKERS_CLEANUP)
		return;
	if (view->stage == WORKERS_MEASURE) {
		tick.stage = DBENCH_EXECUTE;
		tick.bytes = view->measured_bytes;
		if (dbench->measured_from_ns == 0)
			dbench->measured_from_ns = clock_now_ns() - view->elapsed_ns;
	}
	dbench_tick(&dbench->options.writer, &tick);
}

static int observe(void *context, const struct event *event)
{
	struct error error = {0};
	char *text;

	if (event->type == EVENT_TICK)
		on_tick(context, event->view);
	if (event->type == EVENT_MEASURED && !result_repeat_is_valid(event->repeat)) {
		text = notice_text(&event->repeat->invalid.list[0]);
		error_set(&error, "%s", text != NULL ? text : "out of memory");
		message_error(&error);
		free(text);
	}
	return 0;
}

/* Make the measurement. */
static enum steps_end take_step(struct dbench *dbench, struct error *error)
{
	const struct settings *settings = &dbench->options.settings;
	const struct steps_variant variant = {
		.loads = &dbench->loads,
		.targets = &dbench->target,
		.target_count = 1,
	};
	const struct steps_side side = {
		.variants = &variant,
		.result = &dbench->result,
	};
	const struct observer observer = {dbench, observe};
	struct plan_order order;
	const struct steps steps = {
		.settings = settings,
		.venue = &venue_here,
		.sides = &side,
		.side_count = 1,
		.time_max_ns = CLOCK_NEVER,
		.plan = &order.plan,
	};
	enum steps_end end = STEPS_REFUSED;

	if (plan_order_open(&order, settings, &side, settings->repeats, false, error) == 0)
		end = steps_run(&steps, &observer, error);
	plan_order_close(&order);
	return end;
}

/* Run dbench or tbench. Return an exit code; or < 0, with `error` set or after
 * a message. */
static int run(struct dbench *dbench, struct error *error)
{
	struct settings *settings = &dbench->options.settings;
	char path[PATH_MAX];
	const char *name;
	enum steps_end end;

	if (find_load(dbench, path, &name, error) < 0)
		return -1;
	prepare_host(&dbench->result.run);
	if (variant_make_all(&dbench->result.run) < 0)
		return error_no_memory(error);
	if (prepare_load(&dbench->loads, path, name, NULL, &settings->transform,
			 &dbench->result.run.variants[0], error) < 0)
		return -1;
	if (dbench->loads.list[0].program->phase_count > 0) {
		error_set(error,
			  "%s has phases, and dbench cannot play loads with phases; use throng run",
			  name);
		return -1;
	}
	if (dbench_options_target(&dbench->options, &dbench->target, error) < 0)
		return -1;
	end = take_step(dbench, error);
	if (end == STEPS_REFUSED)
		return -1;
	if (end != STEPS_DONE)
		return EXIT_INVALID;
	print_cleanup(dbench, 0);
	dbench_repeat(&dbench->options.writer, result_last_repeat(&dbench->result.points[0]));
	return EXIT_VALID;
}

/*
 * Erase the password of `account` from the arguments, which ps(1) shows. The
 * options have copies.
 */
static void hide_password(const char *account, int argc, const char **argv)
{
	const char *percent = account != NULL ? strchr(account, '%') : NULL;
	int i;

	for (i = 1; percent != NULL && i < argc; i++) {
		const char *shown = strstr(argv[i], account);

		if (shown != NULL)
			explicit_bzero((char *)shown + (percent - account) + 1,
				       strlen(percent + 1));
	}
}

static int play(const char *name, enum dbench_backend backend, int argc, const char **argv)
{
	struct dbench dbench = {0};
	struct error error = {0};
	int rc;

	setvbuf(stdout, NULL, _IOLBF, 0);
	message_name(name);
	argv[0] = name;
	dbench_banner(stdout);
	rc = dbench_options_read(&dbench.options, backend, argc, argv);
	hide_password(dbench.options.smb_user, argc, argv);
	if (rc == EXIT_VALID)
		rc = run(&dbench, &error);
	if (error.set)
		message_error(&error);
	target_free(&dbench.target);
	loads_free(&dbench.loads);
	result_free(&dbench.result);
	dbench_options_free(&dbench.options);
	if (rc == CLI_HELP)
		return EXIT_VALID;
	return rc < 0 ? EXIT_INVALID : rc;
}

int cli_dbench(int argc, const char **argv)
{
	return play("dbench", DBENCH_FILEIO, argc, argv);
}

int cli_tbench(int argc, const char **argv)
{
	return play("tbench", DBENCH_SOCKIO, argc, argv);
}
