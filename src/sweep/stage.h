/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The targets of a sweep's variants: probe, describe and claim them, and clean
 * them up.
 *
 * Variants may share a target, and each begins with an empty directory. So only
 * one variant has its targets claimed at a time.
 */
#ifndef SWEEP_STAGE_H
#define SWEEP_STAGE_H

#include "sweep/sweep.h"

struct stage {
	const struct sweep *sweep;
	struct workers_plan *plans; /* one per variant */
	/* Hashes of each variant's loads, before and after they are fitted to
	 * its targets (fitting.h). */
	struct stage_hash {
		uint64_t given, fitted;
	} *hashes;
	struct data_pool *pool;
	size_t claimed; /* the variant that has its targets; SIZE_MAX: none */
	bool played;    /* a point was played since the claim */
	bool noted;     /* the directories of other runs were reported */
};

/* Make the plans of all variants. Return 0, or -errno with `error` set. Call
 * stage_close even after an error. */
int stage_open(struct stage *stage, const struct sweep *sweep, struct error *error);

/*
 * In the first sweep of a result, probe the targets of all variants, describe
 * them in the result, and fit their loads to them (fitting.h). Warn if there is
 * no difference then between values of an axis. Afterwards the only variant has
 * its targets claimed; if there are several, none has.
 * Return 0, or < 0 with `error` set and nothing claimed.
 */
int stage_prepare(struct stage *stage, struct error *error);

/*
 * Claim the targets of a variant, unless it has them, after cleaning up those
 * of another. Return its plan, or NULL with `error` set.
 */
struct workers_plan *stage_claim(struct stage *stage, size_t variant, struct error *error);

/* Clean up the claimed targets, if any; with --keep, only say where the files of
 * the points are that were played. Return 0, or -errno with `error`
 * set. */
int stage_release(struct stage *stage, struct error *error);

/* Free the stage. This releases the locks on the targets, but removes no
 * files. */
void stage_close(struct stage *stage);

#endif
