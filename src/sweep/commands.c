/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/commands.h"

#include "base/clock.h"
#include "base/process.h"
#include "result/variant.h"
#include "target/target.h"
#include "words/layout.h"
#include "workdir/run_file.h"

#include <stdio.h>
#include <stdlib.h>

#define COMMAND_MIN_NS (10 * NS_PER_S)

/* Set *variable to an allocated text "NAME=VALUE". Return 0, or -ENOMEM with
 * `error` set. */
static int set(char **variable, const char *name, const char *value, struct error *error)
{
	if (asprintf(variable, "%s=%s", name, value) >= 0)
		return 0;
	*variable = NULL;
	return error_no_memory(error);
}

int commands_set(struct commands *commands, const struct steps *steps, const struct step *step,
		 const struct identity *run, struct error *error)
{
	const struct steps_side *side = &steps->sides[step->side];
	const struct result_run *about = &side->result->run;
	const char *workdir = steps->settings->workdir;
	char name[RUN_NAME_SIZE], below[TARGET_BELOW], users[16];
	char **at;
	size_t i;
	int rc;

	commands_free(commands);
	at = commands->variables = calloc(about->axis_count + 3, sizeof(*at));
	if (at == NULL)
		return error_no_memory(error);
	run_name_of(run, 0, name);
	target_below(side->variants[step->variant].targets,
		     workdir != NULL ? layout_workdir(workdir) : name, below);
	rc = set(at++, "THRONG_DIRECTORY", below, error);
	snprintf(users, sizeof(users), "%u", step->users);
	if (step->ends_turn && rc == 0)
		rc = set(at++, "THRONG_USERS", users, error);
	for (i = 0; i < about->axis_count && rc == 0; i++) {
		const char *variable = variant_variable(about->axes[i].name);

		if (variable != NULL)
			rc = set(at++, variable, variant_value(about, step->variant, i), error);
	}
	return rc;
}

int commands_run(struct commands *commands, const char *text, const char *option,
		 struct error *error)
{
	uint64_t begin_ns = clock_now_ns(), took_ns;
	uint64_t spent_ns = begin_ns - commands->begin_ns;
	uint64_t time_max_ns = commands->time_max_ns;
	uint64_t left_ns = time_max_ns > spent_ns ? time_max_ns - spent_ns : 0;
	uint64_t min_ns = 2 * commands->longest_ns;
	int rc;

	if (text == NULL)
		return 0;
	if (min_ns < COMMAND_MIN_NS)
		min_ns = COMMAND_MIN_NS;
	if (left_ns < min_ns)
		left_ns = min_ns;
	if (time_max_ns == CLOCK_NEVER)
		left_ns = CLOCK_NEVER;
	rc = process_command(text, (const char *const *)commands->variables, option, left_ns,
			     error);
	took_ns = clock_now_ns() - begin_ns;
	if (rc == 0 && took_ns > commands->longest_ns)
		commands->longest_ns = took_ns;
	return rc;
}

void commands_free(struct commands *commands)
{
	char **variable = commands->variables;

	while (variable != NULL && *variable != NULL)
		free(*variable++);
	free(commands->variables);
	commands->variables = NULL;
}
