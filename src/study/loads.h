/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loads of a run, which its users take in turn: with two loads, every other
 * user plays the second one. A load of weight 3 has three times as many turns
 * as a load of weight 1.
 */
#ifndef STUDY_LOADS_H
#define STUDY_LOADS_H

#include "base/error.h"
#include "program/program.h"
#include "study/profile.h"
#include "study/shared.h"
#include "streams/streams.h"

enum {
	LOADS_MAX = 256,
	LOADS_WEIGHT_MAX = 1000,
};

struct load {
	struct program *program;
	struct profile *profile;
	unsigned weight;         /* from 1 */
	struct streams *streams; /* NULL: see loads_derive_streams */
};

struct loads {
	struct load *list;
	size_t count; /* from 1 to LOADS_MAX, after loads_finish */
	/* User N plays list[turns[N % turn_count]]. */
	unsigned *turns;
	size_t turn_count;
	struct shared shared; /* of all loads together */
};

/*
 * Append a load. `weight` is from 1 to LOADS_WEIGHT_MAX. The function takes the
 * program and the profile, which must be allocated, and frees them after an
 * error. Return 0, or -errno with `error` set. Call loads_free even after an
 * error.
 */
int loads_add(struct loads *loads, struct program *program, struct profile *profile,
	      unsigned weight, struct error *error);

/*
 * Divide the weights by their greatest common divisor, and spread the turns
 * evenly: weights of 3 and 1 give the turns 0 0 1 0. Return 0, or -errno with
 * `error` set: all loads together have more than PROGRAM_LABELS_MAX labels.
 */
int loads_finish(struct loads *loads, struct error *error);

void loads_free(struct loads *loads);

/* Derive the streams of each load that has any, unless this was done. Call this when
 * the programs no longer change. Return 0 or -ENOMEM. */
int loads_derive_streams(struct loads *loads);

/* Return the index of the load that user number `user` of the run plays. */
static inline size_t loads_index(const struct loads *loads, unsigned user)
{
	return loads->turns[user % loads->turn_count];
}

/* Return the max number of labels of a load. */
size_t loads_labels_max(const struct loads *loads);

/* Set `counts` to the number of phases of each load. */
void loads_count_phases(const struct loads *loads, unsigned counts[LOADS_MAX]);

/* Return the max io_bytes_max of the programs. */
uint32_t loads_io_bytes_max(const struct loads *loads);

/*
 * Check that this number of users can play the loads: each load needs a user,
 * and no WAITSP may wait for a user that does not exist, or whose load never
 * reaches the sequence point. Return 0, or -EINVAL with `error` set.
 */
int loads_check_users(const struct loads *loads, unsigned users, struct error *error);

#endif
