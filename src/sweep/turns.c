/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/turns.h"

#include "base/clock.h"
#include "base/message.h"
#include "base/process.h"
#include "target/target.h"
#include "words/layout.h"
#include "workdir/run_file.h"

#include <stdio.h>

/* No command is killed before it has run for this time, even if the time of the
 * run is over. */
#define COMMAND_MIN_NS (10 * NS_PER_S)

enum { DIRECTORY_VARIABLE = TARGET_BELOW + 32 };

struct turns turns_begin(uint64_t time_max_ns)
{
	return (struct turns){
		.begin_ns = clock_now_ns(),
		.time_max_ns = time_max_ns,
	};
}

/*
 * Run the command `text`, unless it is NULL. Kill it if it runs longer than the
 * rest of the run's time, but give it at least COMMAND_MIN_NS, and twice the
 * time of the longest command so far.
 */
static int command(struct turns *turns, const struct turn *turn, const char *directory,
		   const char *text, const char *option, struct error *error)
{
	uint64_t begin_ns = clock_now_ns(), took_ns;
	uint64_t spent_ns = begin_ns - turns->begin_ns;
	uint64_t time_max_ns = turns->time_max_ns;
	uint64_t left_ns = time_max_ns > spent_ns ? time_max_ns - spent_ns : 0;
	uint64_t min_ns = 2 * turns->longest_command_ns;
	char users[32];
	const char *const variables[] = {directory, turn->users > 0 ? users : NULL, NULL};
	int rc;

	if (text == NULL)
		return 0;
	if (min_ns < COMMAND_MIN_NS)
		min_ns = COMMAND_MIN_NS;
	if (left_ns < min_ns)
		left_ns = min_ns;
	if (time_max_ns == CLOCK_NEVER)
		left_ns = CLOCK_NEVER;
	snprintf(users, sizeof(users), "THRONG_USERS=%u", turn->users);
	rc = process_command(text, variables, option, left_ns, error);
	took_ns = clock_now_ns() - begin_ns;
	if (rc == 0 && took_ns > turns->longest_command_ns)
		turns->longest_command_ns = took_ns;
	return rc;
}

/* Name the directory in which the run will play on the first target of the
 * sweep, for its commands. */
static void name_directory(const struct sweep *sweep, const struct identity *run,
			   char variable[DIRECTORY_VARIABLE])
{
	const char *workdir = sweep->settings->workdir;
	char name[RUN_NAME_SIZE], below[TARGET_BELOW];

	run_name_of(run, 0, name);
	snprintf(variable, DIRECTORY_VARIABLE, "THRONG_DIRECTORY=%s",
		 target_below(sweep->variants[0].targets,
			      workdir != NULL ? layout_workdir(workdir) : name, below));
}

enum sweep_end turns_take(struct turns *turns, const struct turn *turn, const struct sweep *sweep,
			  const struct sweep_observer *observer, struct error *error)
{
	char directory[DIRECTORY_VARIABLE];
	struct sweep named = *sweep;
	struct error after = {0};
	struct identity run;
	enum sweep_end end;

	if (identity_make(&run) < 0) {
		error_set(error, "cannot get random bytes for the run's id");
		return SWEEP_REFUSED;
	}
	named.run = &run;
	name_directory(sweep, &run, directory);
	/* Commands wait for signals, like sweep_run. */
	process_block_signals();
	if (command(turns, turn, directory, turn->before, turn->option, error) < 0) {
		command(turns, turn, directory, turn->after, "--after", &after);
		return SWEEP_REFUSED;
	}
	end = sweep_run(&named, observer, error);
	if (command(turns, turn, directory, turn->after, "--after", &after) < 0) {
		message_error(&after);
		if (end == SWEEP_DONE)
			end = SWEEP_INVALID;
	}
	return end;
}

enum sweep_end turns_run(const struct sweep *sweep, const char *before, const char *after,
			 const struct sweep_observer *observer, struct error *error)
{
	struct turn turn = {
		.before = before,
		.after = after,
		.option = "--before",
	};
	struct turns turns = turns_begin(CLOCK_NEVER);
	struct sweep_observer watching = *observer;
	struct sweep single = *sweep;
	enum sweep_end end;

	if (before == NULL && after == NULL)
		return sweep_run(sweep, observer, error);
	single.measurements_max = 1;
	turn.users = sweep_next_users(&single);
	do {
		end = turns_take(&turns, &turn, &single, &watching, error);
		turn.users = sweep_next_users(&single);
		/* Report the error, but keep the earlier measurements. */
		if (end == SWEEP_REFUSED && single.settle_first) {
			message_error(error);
			end = SWEEP_INVALID;
		}
		single.settle_first = true;
		watching.begin = NULL;
	} while (end == SWEEP_DONE && turn.users > 0);
	return end;
}
