/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The footprint of a program: the bytes in one user's files while it is played,
 * apart from those of SETUP shared, which exist once per target. The
 * estimate walks through each loop once, and assumes that a file grows in every
 * round as much as in the first.
 */
#ifndef STUDY_FOOTPRINT_H
#define STUDY_FOOTPRINT_H

#include "program/program.h"

struct footprint {
	uint64_t shared_bytes; /* max in the files of SETUP shared */
	uint64_t bytes;        /* max that the user's files have more than at its end */
	size_t reached;        /* index of the op at which the walk ended */
};

/*
 * Walk through the program up to the op after which the user's files first have
 * `goal` bytes, or to the end if `goal` is 0. Return 0 or -ENOMEM.
 */
int footprint_walk(const struct program *program, uint64_t goal, struct footprint *footprint);

#endif
