/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands of --sample. A process of its own runs them once per second of
 * the measured window, and keeps the first number that each prints.
 */
#ifndef RUN_SAMPLER_H
#define RUN_SAMPLER_H

#include "measure/stats.h"
#include "words/phases.h"

#include <sys/types.h>

/* Max number of commands, and buffer size for the reason why one has failed. */
enum { SAMPLER_COMMANDS = 16, SAMPLER_REASON = 160 };

struct sampler_commands {
	const char *texts[SAMPLER_COMMANDS];
	size_t count;
	const char *const *variables; /* as in process_command() */
};

/* The number that a command has printed in one second. */
struct sampler_value {
	double number;
	bool known;
};

struct sampler {
	struct sampler_memory *memory; /* NULL: there are no commands, or no memory */
	size_t bytes;
	pid_t pid;
};

/*
 * Start the process, before the users are forked. It waits for their start, and
 * ends with the window, or when this process dies. After a failure, all values are
 * unknown. Call sampler_close in any case.
 */
void sampler_start(struct sampler *sampler, const struct sampler_commands *commands,
		   const struct phases *phases, const struct stats_run *run, unsigned users);

/* End the process, and the commands that still run. */
void sampler_stop(struct sampler *sampler);

/* After sampler_stop: return the value of a command in a second of the window,
 * from 0. */
struct sampler_value sampler_value(const struct sampler *sampler, size_t command, uint64_t second);

/* After sampler_stop, if a value is unknown: return what happened to the command
 * when that was first so: "exited with status 1: ...". The text is safe to
 * print. */
const char *sampler_reason(const struct sampler *sampler, size_t command);

void sampler_close(struct sampler *sampler);

/*
 * Find the first number in a text: a word that is a finite decimal number, such
 * as 12, -0.5, 1e3, 7% or "0.52,". Return false if there is none, or if it is
 * not within SAMPLER_MAX.
 */
#define SAMPLER_MAX 1e18
bool sampler_parse(const char *text, double *number);

#endif
