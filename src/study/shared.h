/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names outside the users' own directories that loads use. They are the same
 * files for all users, and may have existed before the run.
 */
#ifndef STUDY_SHARED_H
#define STUDY_SHARED_H

#include "base/intern.h"
#include "program/program.h"

struct shared {
	/*
	 * The first components of paths outside CLIENTS_NAME, and the first two
	 * ("clients/data") of those in it. If a name is computed, which it
	 * never is in CLIENTS_NAME, it is listed as in the load, such as "f$1".
	 */
	struct intern names;
	/* By the number of the name: the loads may make, change or remove
	 * something there. */
	bool *changed;
	size_t room;
	bool computed; /* some name is computed */
	/* The loads may change something on the target, possibly only in the
	 * users' directories. A lock changes nothing. */
	bool changes;
};

/* Add the names of a program. Return 0 or -ENOMEM; call shared_free even after
 * an error. */
int shared_add(struct shared *shared, const struct program *program);

/* Return the first name that the loads may change, or NULL. */
const char *shared_first_changed(const struct shared *shared);

/*
 * Check if `other` may use the files that `one` uses outside the users'
 * directories. A computed name may be any file. Return 1 or 0, or -ENOMEM.
 */
int shared_overlaps(const struct program *one, const struct program *other);

void shared_free(struct shared *shared);

#endif
