/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probe, claim and clean up the targets, before and after all points. Each is
 * done in a process of its own, so that nothing of a client library is alive in
 * the parent when users are forked.
 */
#ifndef ENGINE_TARGETS_H
#define ENGINE_TARGETS_H

#include "engine/workers_plan.h"

/*
 * Looks at the targets and, where they have files, claims them for plan->run,
 * which lasts at most as long as the calling process. Returns 0, or -errno with
 * `error` set and nothing claimed. Call targets_free in any case.
 */
int targets_probe(const struct workers_plan *plan, struct error *error);

/* Removes what the run made. Returns 0, or -errno with `error` set. */
int targets_clean_up(const struct workers_plan *plan, struct error *error);

/* Free what targets_probe noted, and give up the locks of the targets. */
void targets_free(const struct workers_plan *plan);

#endif
