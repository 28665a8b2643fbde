/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The streams of a load: which of its operations may be in flight at the same
 * time. Each stream plays its operations one after the other, and waits for
 * those operations of other streams that decide how its own end (rules.h). All
 * waits point backwards in the list of operations, so there is always an
 * operation that can be played.
 */
#ifndef STREAMS_STREAMS_H
#define STREAMS_STREAMS_H

#include "program/program.h"

/* Wait until a stream has played this number of its spans in this loop. */
struct streams_wait {
	uint32_t stream;
	uint32_t spans;
};

/* Consecutive operations of one stream that are played without a wait; or a PHASE, or a
 * PARALLEL with its block, which begin when all streams have met. */
struct streams_span {
	uint32_t first, end; /* indexes of ops: from `first` to before `end` */
	uint32_t stream;
	/* Its waits are a range of streams.waits. */
	uint32_t first_wait, wait_count;
};

struct streams {
	struct streams_span *spans; /* in the order of the load */
	size_t span_count, span_room;
	struct streams_wait *waits;
	size_t wait_count, wait_room;
	unsigned count; /* number of streams that play something */
	/* The same or, if it is higher, the number of streams of a PARALLEL. */
	unsigned lanes;
	/* Facts about one loop; a block counts as one operation. */
	uint64_t ops;
	uint64_t waiting; /* those that wait for another stream */
	uint64_t chain;   /* longest chain of operations that wait for each other */
};

/*
 * Derive the streams of a program, from the operation `first` on: the ones before
 * are its set-up. Return 0 or -ENOMEM. Call streams_free() even after an error.
 */
int streams_derive(struct streams *streams, const struct program *program, size_t first);

void streams_free(struct streams *streams);

#endif
