/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probe, claim and clean up the targets, before and after all points. Each step
 * runs in a helper process, so that no state of a client library is alive in
 * the parent when users are forked.
 */
#ifndef RUN_TARGETS_H
#define RUN_TARGETS_H

#include "play/plan.h"

/*
 * Probe the targets, and claim those that have files (rundir.h) for plan->run,
 * unless plan->read_only. Other runs recognise this run by the PID of the
 * calling process, so the run must end before that process does. Return 0, or
 * -errno with `error` set and nothing claimed. Call targets_free even after an
 * error.
 */
int targets_probe(const struct workers_plan *plan, struct error *error);

/* Remove the files that the run made. Return 0, or -errno with `error` set. */
int targets_clean_up(const struct workers_plan *plan, struct error *error);

/* Free the data of targets_probe, and release the locks on the targets. */
void targets_free(const struct workers_plan *plan);

#endif
