/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and handles that a target does not have while a program is played,
 * because the operations that make them are skipped (fit.h): a symbolic link on
 * a target without symbolic links. Operations on them would fail, so they are
 * skipped, too, and listings find fewer names.
 *
 * If an exchange of two names is skipped, each has the other's file. All that is
 * done to such a name, which is called a stray, is skipped, too. If it was to be
 * made, removed or renamed, the names then are strays as well.
 */
#ifndef ADAPT_LOST_H
#define ADAPT_LOST_H

#include "base/intern.h"
#include "study/walk.h"

struct lost {
	/* The mark of a file is as `paths`. */
	struct walk walk;
	/* By path: the capability that its maker needed; 0: not lost. */
	unsigned *paths;
	size_t count; /* of lost names */
	/* By path: the number of lost names in this directory. */
	uint32_t *names;
	/* By path: the capability without which the name is a stray, as are all
	 * below it; and without which there are strays in this directory. */
	unsigned *strays, *with_strays;
	bool any_stray;
	struct intern texts; /* of paths, to find directories */
};

/* Start before the first operation; advance with walk_next(&lost->walk). Return 0
 * or -ENOMEM. Call lost_free() in both cases. */
int lost_start(struct lost *lost, const struct program *program);
void lost_free(struct lost *lost);

/* Return the capability which the target lacks to make what the current operation
 * uses, or 0 if all of it is there. */
unsigned lost_needs(const struct lost *lost);

/* Correct the number of names that a LIST expects. */
void lost_shorten(const struct lost *lost, struct op *op);

/* Note the effects of the current operation, which is played, or is skipped because
 * the target lacks the capability `missing`. */
void lost_note(struct lost *lost, unsigned missing);

#endif
