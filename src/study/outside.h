/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names outside the users' own directories that the loads of a run use. The
 * run checks these names before it starts, and removes what it made there when
 * it ends.
 */
#ifndef STUDY_OUTSIDE_H
#define STUDY_OUTSIDE_H

#include "program/program.h"

/* Two lists. Each has no name twice. */
struct outside {
	/* The shared names of all programs. A name is `changed` if any of the
	 * programs changes it. */
	struct shared_name *shared;
	size_t shared_count;
	/* The names in CLIENTS_NAME, except the users' directories. */
	char **others;
	size_t other_count;
};

/* Add the names of a program. Return 0 or -ENOMEM; call outside_free even after
 * an error. */
int outside_add(struct outside *names, const struct program *program);

/* Check if two programs use a common name. Return 1 or 0, or -ENOMEM. */
int outside_overlaps(const struct program *one, const struct program *other);

/* Free the lists, which may be empty. */
void outside_free(struct outside *names);

#endif
