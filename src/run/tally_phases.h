/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The phases of a load (PHASE) in a tally.
 */
#ifndef RUN_TALLY_PHASES_H
#define RUN_TALLY_PHASES_H

#include "run/tally.h"

/*
 * Take the phases of load number `load` into the tally of its users, which has
 * their number and all labels already. The window becomes the sum of the times
 * of the phases and of the time before the first one: while users wait for each
 * other, or restore their set-up, nothing is measured. Return 0 or -ENOMEM.
 */
int tally_take_phases(struct tally *tally, const struct program *program, const struct stats *stats,
		      size_t load);

/* Add the phases of `other` to those of the same names. Return 0 or -ENOMEM. */
int tally_merge_phases(struct tally *into, const struct tally *other);

/* Append a phase with this name, without any sums. Return NULL if out of
 * memory. */
struct tally_phase *tally_add_phase(struct tally *tally, const char *name);

void tally_free_phases(struct tally *tally);

#endif
