/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --verify: what the users of a point need for it, and the replay's part of it.
 * src/verify does the work.
 */
#ifndef PLAY_VERIFICATION_H
#define PLAY_VERIFICATION_H

#include "crash/state.h"
#include "play/plan.h"
#include "play/replay_state.h"

/* The verification of a point; plan->verification points to it. */
struct verification {
	struct verify verify;
	char **left_out; /* paths that other users' programs name */
	size_t left_out_count;
};

/* Max number of differences of all hosts that are described. */
enum { VERIFIED_DIFFERENCES_MAX = 64 };

/* The results of a verification, summed over its users. */
struct verified {
	unsigned users; /* 0: nothing was verified */
	/* Bytes that were read from files, those of them that were compared,
	 * bytes written, and those read back at the end. */
	uint64_t read_bytes, compared_bytes, written_bytes, read_back_bytes;
	/* Files that could not be read back for lack of permission, and the
	 * bytes written to them. */
	uint64_t unreadable_files, unreadable_bytes;
	uint64_t difference_count;
	uint64_t full_maps; /* users whose map had too little memory */
	uint64_t map_bytes; /* memory of the largest map */
	/* The first differences; allocated. */
	struct difference *differences;
	size_t described;
};

/* Check that a target has files whose content can be verified. Return 0, or
 * -EOPNOTSUPP with `error` set. */
int verification_check(const struct workers_target *on, struct error *error);

/* Prepare the verification of a point before its users are forked. Return 0 or
 * -errno; call verification_close in either case. */
int verification_open(struct verification *verification, const struct workers_plan *plan);
void verification_close(struct verification *verification);

/* Sum up the verification after all users have ended. Return 0 or -ENOMEM. The
 * caller frees verified->differences. */
int verification_take(const struct verification *verification, const struct workers_plan *plan,
		      struct verified *verified);

/* Take the state of the users' files (crash/state.h) after all users have ended
 * or died. Return 0 or -ENOMEM. The caller frees *state in either case. */
int verification_state(const struct verification *verification, const struct workers_plan *plan,
		       struct state *state);

/* Add the results of other users. No more than VERIFIED_DIFFERENCES_MAX differences are
 * kept. Return 0 or -ENOMEM. */
int verification_add(struct verified *into, const struct verified *other);

/* Let the replay of user `index` of this process play through the verifier.
 * Return 0 or -ENOMEM. */
int verification_start(struct replay *replay, const struct workers_plan *plan, unsigned index);

/* Let another lane of the same user, whose session shares that of the first one, play
 * through the verifier, too. Do nothing if the user does not. Return 0 or -ENOMEM. */
int verification_share(struct replay *replay);

/* Find out how the target treats names that differ only in the case of letters,
 * in the directory of user `index` of this process. */
void verification_probe_case(const struct replay *replay, const struct workers_plan *plan,
			     unsigned index, const char *home);

/* Make the directory of a user durable where a state (crash/state.h) says that
 * names in it are, if the target can. Return 0 or -errno. */
int verification_keep_home(const struct replay *replay, const struct workers_target *on,
			   const char *home);

/* Read back what the user has written. Call this when all users have ended and
 * the user's files are closed. Return as verifier_read_back does. */
int verification_read_back(struct replay *replay, char path[DIFFERENCE_PATH]);

#endif
