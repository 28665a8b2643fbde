/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one user's replay, which the loop (replay) shares with the code
 * that plays operations (files, exchange, procedure).
 */
#ifndef PLAY_REPLAY_STATE_H
#define PLAY_REPLAY_STATE_H

#include "measure/stats.h"
#include "play/bind.h"
#include "play/pace.h"
#include "target/tree.h"

/* The way to play operations. It is chosen once, when the user is set up. */
enum player {
	PLAYER_FILES,   /* call slots and check their outcomes */
	PLAYER_PACKETS, /* exchange packets; any failure is final */
	PLAYER_NULL,    /* call slots and assume the recorded outcome */
	/* Like PLAYER_FILES, and note what the operations change. A user with
	 * PLAYER_FILES plays like this if it has a `restore`. */
	PLAYER_NOTED,
};

struct replay {
	const struct program *program;
	const struct backend *backend;
	enum player player;
	struct backend_session *session;
	struct stats *stats;
	struct stats_user *own;
	struct recorder recorder;
	struct binding binding;
	struct tree *tree;
	unsigned lane;           /* its number; PROGRAM_STREAMS_MAX: there is only one */
	struct fibers *fibers;   /* of the user's lanes; NULL: they are no fibers */
	struct restore *restore; /* NULL: nothing is restored (restore.h) */
	int64_t *handles;        /* backend handles, by op.handle; -1: not open */
	uint64_t loops_left[PROGRAM_LOOP_DEPTH];
	unsigned depth;
	unsigned rounds; /* number of rounds of all LOOPs and MIXes */
	/* When the current operation began or, with due times, was due. */
	uint64_t begin_ns;
	uint64_t loop_begin_ns; /* when the current loop began */
	uint32_t loop;          /* number of the current loop, from 1 */
	bool in_slot;           /* plays the slot of the recorder (barrier.h) */
	/* Called before each phase of the load, while no user plays; or
	 * NULL. */
	void (*before_phase)(struct replay *replay);
	bool procedures;       /* call NFS procedures; false: emulate them */
	bool paced;            /* start operations at their due times */
	struct pace pace;      /* valid if paced */
	bool service_times;    /* due times don't count in latencies */
	uint64_t overslept_ns; /* how much later SLEEPs have ended than they should, in all */
	uint64_t early_ns;     /* wake up this long before a due time, and spin */
	uint64_t bytes_per_s;  /* max rate since paced_from_ns; 0: unlimited */
	uint64_t paced_from_ns;
	uint64_t bytes_moved;        /* bytes moved since paced_from_ns */
	uint64_t mismatches_allowed; /* max number for all users together */
	bool lost;                   /* the target is gone: don't call it any more */
	bool verified;               /* `backend` is a verifier (--verify) */
	/* A read of the current operation has returned wrong data (--verify). */
	bool differs;
};

/* Check if the user must leave: its time is over, or the run stops. */
static inline bool replay_is_leaving(const struct replay *replay)
{
	return replay->recorder.over || stats_stopping(replay->stats);
}

/* Return a path of the program as the user sees it. */
static inline const struct backend_path *replay_path(const struct replay *replay, uint32_t number)
{
	return &replay->binding.names.paths[number];
}

/* Compute the extent of an operation with an offset. Call this once per play of
 * the op, because it changes the state that computed numbers depend on. */
static inline struct extent replay_extent(struct replay *replay, const struct op *op)
{
	struct binding *binding = &replay->binding;
	struct extent extent = {.offset = op->offset, .size = op->size};

	if ((op->flags & OP_VARIES) != 0)
		extent = bind_extent(binding, op);
	if ((op->flags & OP_CONTINUED) == 0)
		binding->inputs.previous = extent.offset;
	binding->io_end = extent.offset + extent.size;
	return extent;
}

#endif
