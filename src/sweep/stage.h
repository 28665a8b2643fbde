/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The targets of a side's variants: probe, describe and claim them, and clean
 * them up.
 *
 * Variants may share a target, and each begins with an empty directory. So only
 * one variant has its targets claimed at a time.
 */
#ifndef SWEEP_STAGE_H
#define SWEEP_STAGE_H

#include "play/plan.h"
#include "sweep/steps.h"

struct stage {
	const struct steps *steps;
	const struct steps_side *side; /* one of steps->sides */
	/* The identity for all claims; NULL: each claim makes its own. */
	const struct identity *run;
	struct workers_plan *plans; /* one per variant */
	/* Whether a variant's loads have been fitted to its targets (fitting.h);
	 * and, if there are several variants, the loads' hashes before and
	 * after. */
	struct stage_fit {
		bool done;
		uint64_t given, fitted;
	} *fits;
	size_t fit_count;
	struct data_pool *pool;
	size_t claimed; /* the variant that has its targets; SIZE_MAX: none */
	bool played;    /* a point was played since the claim */
	bool noted;     /* the directories of other runs were reported */
};

/* Make the plans of all variants of a side. Return 0, or -errno with `error` set.
 * Call stage_close even after an error. */
int stage_open(struct stage *stage, const struct steps *steps, unsigned side, struct error *error);

/*
 * Describe the targets of a side in its result, without contacting them, unless
 * they are described there. Return 0, or -ENOMEM with `error` set.
 */
int stage_describe(const struct steps_side *side, struct error *error);

/*
 * Claim the targets of a variant, unless it has them, after cleaning up those
 * of another. The first time, describe the targets in the result, and fit the
 * variant's loads to them (fitting.h). When this has been done for all
 * variants, warn if there is no difference between values of an axis.
 * Return the variant's plan, or NULL with `error` set and nothing claimed.
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
