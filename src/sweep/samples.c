/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/samples.h"

#include "result/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert((int)SAMPLER_COMMANDS == (int)RESULT_SAMPLES, "all commands fit");

void samples_start(struct sampler *sampler, const struct result_run *run,
		   const char *const *variables, const struct stats_run *during, unsigned users)
{
	struct sampler_commands commands = {.variables = variables};

	for (; commands.count < run->sample_count; commands.count++)
		commands.texts[commands.count] = run->samples[commands.count].command;
	sampler_start(sampler, &commands, &run->phases, during, users);
}

/* Return a number as a file has it, so that all that follows from it is the same for
 * one that was read. */
static double rounded(double number)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*g", SCHEMA_DIGITS, number);
	return strtod(text, NULL);
}

/* Fill in the values of one command. Return the number of unknown ones. */
static size_t take_values(const struct sampler *sampler, size_t command, uint64_t window_ns,
			  struct result_sample *sample)
{
	const uint64_t whole = window_ns / NS_PER_S;
	/* In the last part of a second, a command need not end in time. */
	const bool more = sampler_value(sampler, command, whole).known;
	size_t unknown = 0, i;

	sample->values = calloc(whole + 1, sizeof(*sample->values));
	if (sample->values == NULL)
		return 0;
	sample->value_count = whole + more;
	for (i = 0; i < sample->value_count; i++) {
		const struct sampler_value value = sampler_value(sampler, command, i);

		sample->values[i] = value.known ? rounded(value.number) : NAN;
		unknown += !value.known;
	}
	return unknown;
}

void samples_take(struct sampler *sampler, const struct result_run *run, uint64_t window_ns,
		  struct result_repeat *repeat)
{
	size_t i;

	sampler_stop(sampler);
	if (run->sample_count > 0)
		repeat->samples = calloc(run->sample_count, sizeof(*repeat->samples));
	if (repeat->samples == NULL)
		return;
	repeat->sample_count = run->sample_count;
	for (i = 0; i < run->sample_count; i++) {
		struct result_sample *sample = &repeat->samples[i];
		size_t unknown = take_values(sampler, i, window_ns, sample);

		if (unknown > 0 && result_repeat_is_valid(repeat))
			NOTICE_ADD(&repeat->warnings, NOTICE_SAMPLE,
				   .numbers = {(double)unknown, (double)sample->value_count},
				   .subject = run->samples[i].name,
				   .detail = sampler_reason(sampler, i));
	}
}
