/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One user's replay: the loop over the program, the one switch over
 * operations, the one test of outcomes.
 */
#ifndef ENGINE_REPLAY_H
#define ENGINE_REPLAY_H

#include "engine/bind.h"
#include "engine/stats.h"
#include "engine/tree.h"

struct replay {
	const struct program *program;
	const struct backend *backend;
	struct backend_session *session;
	struct stats *stats;
	struct stats_user *own;
	struct recorder recorder;
	struct binding binding;
	struct tree *tree;
	int64_t *handles; /* by slot; -1: not open */
	uint64_t loops_left[PROGRAM_LOOP_DEPTH];
	unsigned depth;
	uint64_t begin_ns;      /* when the current operation began */
	uint64_t loop_begin_ns; /* what time stamps count from */
	uint32_t loop;          /* which one it is, from 1 */
	bool procedures;        /* the target has NFS's, else emulations */
	bool paced;             /* time stamps are kept to ... */
	bool exact;             /* ... to the microsecond */
	uint64_t bytes_per_s;   /* no more than so many are moved; 0: any ... */
	uint64_t paced_from_ns; /* ... counted from here */
	uint64_t bytes_moved;
	uint64_t mismatches_allowed; /* of all users together */
	bool lost; /* the target has gone; it is not asked any more */
};

/* Has the target gone, when it answers with `rc`? Notes it for the parent. */
bool replay_is_lost(struct replay *replay, int rc);

/* Is the measured time over, or the run being stopped? */
static inline bool replay_is_leaving(const struct replay *replay)
{
	return replay->recorder.over || stats_stopping(replay->stats);
}

/* A path of the program as the user sees it. */
static inline const struct backend_path *
replay_path(const struct replay *replay, uint32_t number)
{
	return &replay->binding.paths[number];
}

/* The offset of an op that has one, worked out anew each time it is played. */
static inline uint64_t replay_offset(struct replay *replay,
				     const struct op *op)
{
	struct binding *binding = &replay->binding;
	uint64_t offset = op->offset;

	if ((op->flags & (OP_COMPUTED | OP_CONTINUED)) != 0)
		offset = bind_offset(binding, op);
	if ((op->flags & OP_CONTINUED) == 0)
		binding->previous_offset = offset;
	binding->io_end = offset + op->size;
	return offset;
}

/*
 * Plays the ops from `first` to `end` - 1, neither of them inside a loop.
 * Returns false when the user has to leave: the measured time is over, the
 * run is being stopped, or a mismatch was one too many.
 */
bool replay_span(struct replay *replay, size_t first, size_t end);

/* Closes what the program leaves open at its end. */
void replay_close_leftovers(struct replay *replay);

/* Closes every handle that is open. Returns 0, or -errno: the target has gone. */
int replay_close_all(struct replay *replay);

#endif
