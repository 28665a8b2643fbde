/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "job/fitting.h"

#include "engine/capability.h"
#include "program/fit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Return the capabilities that all targets have in common. The load must suit
 * all of them, because all users play the same load. */
static unsigned capability_of_all(const struct workers_plan *plan)
{
	unsigned able = CAP_ALL, i;

	for (i = 0; i < plan->target_count; i++)
		able &= capability_of(plan->targets[i].target->backend,
				      &plan->targets[i].facts);
	return able;
}

static int note_unsupported(const struct program *program,
			    const struct fit_report *report,
			    struct result_run *run)
{
	static const enum result_how hows[] = {
		[FIT_SKIPPED] = RESULT_SKIPPED,
		[FIT_DEGRADED] = RESULT_DEGRADED,
		[FIT_EMULATED] = RESULT_EMULATED,
	};
	size_t i;

	run->unsupported = calloc(report->count + 1, sizeof(*run->unsupported));
	if (run->unsupported == NULL)
		return -ENOMEM;
	run->unsupported_count = report->count;
	for (i = 0; i < report->count; i++) {
		const struct fit_entry *entry = &report->entries[i];

		run->unsupported[i] = (struct result_unsupported){
			.name = strdup(program->labels[entry->label]),
			.how = hows[entry->how],
			.cannot = strdup(entry->cannot),
			.ops = entry->ops,
			.share = (double)entry->ops / (double)report->ops,
		};
	}
	return 0;
}

/* Refuse a load if all its operations would be skipped. With --strict, refuse
 * it if any would be skipped or degraded. */
static int check_losses(const struct program *program,
			const struct fit_report *report, bool strict,
			struct error *error)
{
	size_t i;

	if (fit_count(report, FIT_SKIPPED) == report->ops) {
		error_set(error, "the target supports no operation of the "
			  "load; the first reason: it has no %s",
			  report->entries[0].cannot);
		return -EOPNOTSUPP;
	}
	for (i = 0; strict && i < report->count; i++) {
		const struct fit_entry *entry = &report->entries[i];

		if (entry->how == FIT_EMULATED)
			continue;
		error_set(error, "--strict: the target has no %s, which the "
			  "load's %s needs (%" PRIu64 " of %" PRIu64
			  " operations per loop)", entry->cannot,
			  program->labels[entry->label], entry->ops,
			  report->ops);
		return -EOPNOTSUPP;
	}
	return 0;
}

void fitting_plan(struct workers_plan *plan)
{
	plan->procedures = (capability_of_all(plan) & CAP_PROCEDURES) != 0;
}

int fitting_apply(struct program *program, const struct workers_plan *plan,
		  bool strict, struct result_run *run, struct error *error)
{
	struct fit_report report;
	unsigned able = capability_of_all(plan);
	int rc = fit_program(program, able, &report);

	if (rc == 0)
		rc = note_unsupported(program, &report, run);
	if (rc < 0)
		error_no_memory(error);
	else
		rc = check_losses(program, &report, strict, error);
	fit_free(&report);
	return rc;
}
