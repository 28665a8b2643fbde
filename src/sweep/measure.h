/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One measurement: map the memory of its users, let them play, and fill in a
 * repeat.
 */
#ifndef SWEEP_MEASURE_H
#define SWEEP_MEASURE_H

#include "play/plan.h"
#include "sweep/steps.h"

struct measurement {
	const struct steps *steps;
	const struct observer *observer;
	const struct step *step;
	struct workers_plan *plan; /* with its users */
	/* For the commands of --sample, as in process_command(). */
	const char *const *variables;
	struct result_repeat *repeat;
	bool reported; /* by measure(), with measure_report() */
};

/*
 * Measure and fill in the repeat. It is reported before the users remove their
 * files, if they do so, and again if they cannot. Return 0, or < 0 if it is not
 * valid or if the observer stops the run.
 */
int measure(struct measurement *measurement);

/* Update the result, and send EVENT_MEASURED; or only send EVENT_TRY. Return 0,
 * or < 0 to stop. */
int measure_report(const struct measurement *measurement, enum event_type type);

#endif
